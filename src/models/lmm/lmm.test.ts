import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose, type OracleColumn, oracleTable } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { StatError } from "../../result/error.ts";
import { reviveResult } from "../../result/result.ts";
import { fitLmm, type LmmFit, type LmmOptions } from "./lmm.ts";
import { lmmObjective } from "./objective.ts";
import { prepareLmm } from "./problem.ts";

interface LmmCase {
  readonly id: string;
  readonly input: {
    data: string;
    formula: string;
    reml: boolean;
    weights?: string;
    offset?: string;
    contrasts?: string;
  };
  /** lme4's answers, by its own names. R writes a list of one as its element. */
  readonly expected: {
    readonly fixed_theta: readonly (number | readonly number[])[];
    readonly criterion_at: number | readonly number[];
    readonly theta_names: readonly string[];
    readonly criterion: number;
    readonly sigma: number;
    readonly fixef: {
      readonly names: readonly string[];
      readonly estimate: readonly number[];
      readonly se: readonly number[];
    };
    readonly dropped: readonly string[];
    readonly logLik: number;
    readonly aic: number;
    readonly bic: number;
    readonly df: number;
    readonly singular: boolean;
    readonly variances: readonly {
      readonly group: string;
      readonly names: readonly string[];
      readonly cov: readonly (readonly number[])[];
    }[];
    readonly modes: readonly {
      readonly group: string;
      readonly names: readonly string[];
      readonly levels: readonly string[];
      readonly values: readonly (number | readonly number[])[];
      readonly sd: readonly (number | readonly number[])[];
    }[];
    readonly fitted: readonly number[];
  };
}
const oracle: { data: Record<string, Record<string, OracleColumn>>; cases: LmmCase[] } = JSON.parse(
  readFileSync(new URL("../../../oracle/r/lmm.json", import.meta.url), "utf8"),
);
const tables = new Map(Object.entries(oracle.data).map(([name, columns]) => [name, oracleTable(columns)]));

const optionsOf = ({ input }: LmmCase): LmmOptions => ({
  criterion: input.reml ? "REML" : "ML",
  ...(input.weights ? { weights: input.weights } : {}),
  ...(input.offset ? { offset: input.offset } : {}),
  ...(input.contrasts ? { contrasts: "sum" as const } : {}),
});
const flat = (value: unknown): number[] => [value].flat(3) as number[];

describe.each(oracle.cases)("lmm $id equals lme4", (c) => {
  const table = tables.get(c.input.data)!;
  const options = optionsOf(c);
  const fit = fitLmm(c.input.formula, table, { ...options, ddf: "none" });
  const e = c.expected;

  it("criterion at fixed theta", () => {
    const design = buildDesign(c.input.formula, table, options);
    const problem = prepareLmm(design, { criterion: options.criterion! });
    expect(problem.structure.thetaNames).toEqual(e.theta_names);
    const values = e.fixed_theta.map((theta) => lmmObjective(problem, flat(theta), design.y));
    expectClose(values, flat(e.criterion_at), { tolerance: 1e-11, label: "criterion" });
  });

  it("optimum", () => {
    expect(fit.deviance).toBeLessThanOrEqual(e.criterion + 1e-8);
    expectClose([fit.deviance], [e.criterion], { tolerance: 1e-10, label: "criterion" });
    expectClose([fit.residualSd], [e.sigma], { tolerance: 1e-7, label: "sigma" });
    expect(fit.coefficients.map(({ name }) => name)).toEqual(e.fixef.names);
    expect(fit.dropped).toEqual(e.dropped);
    const close = { tolerance: 2e-6, floor: 1e-3 };
    expectClose(
      fit.coefficients.map(({ value }) => value),
      e.fixef.estimate,
      { ...close, label: "fixef" },
    );
    expectClose(
      fit.coefficients.map(({ se }) => se),
      e.fixef.se,
      { ...close, label: "se" },
    );
    expectClose([fit.logLik, fit.aic, fit.bic, fit.df], [e.logLik, e.aic, e.bic, e.df], { tolerance: 1e-10 });
    expect(fit.singular).toBe(e.singular);
    expect(fit.converged).toBe(true);
  });

  it("variances, random effects with their SDs, fitted values", () => {
    expect(fit.variances.map(({ group, names }) => [group, names])).toEqual(e.variances.map((v) => [v.group, v.names]));
    fit.variances.forEach(({ cov }, t) => {
      expectClose(cov.data, flat(e.variances[t]!.cov), { tolerance: 5e-6, floor: 0.01, label: "covariance" });
    });
    for (const { group, names, levels, values, sd } of e.modes) {
      const columns = fit.variances.filter((v) => v.group === group);
      const at = names.map((name) => columns.find((v) => v.names.includes(name))!);
      levels.forEach((level, l) => {
        const row = fit.design.random[columns[0]!.block]!.levels.indexOf(level);
        const read = (from: LmmFit["modes"]) =>
          names.map((name, j) => {
            const own = from[at[j]!.block]!;
            return own.data[row + at[j]!.names.indexOf(name) * own.rows]!;
          });
        expectClose(read(fit.modes), flat(values[l]), { tolerance: 1e-5, floor: 0.1, label: `mode of ${level}` });
        expectClose(read(fit.modeSds), flat(sd[l]), { tolerance: 1e-5, floor: 0.01, label: `SD of ${level}` });
      });
    }
    expectClose(fit.fitted.subarray(0, 20), e.fitted, { tolerance: 1e-6, label: "fitted" });
    const again = fit.fitted.map((v, i) => v + fit.residuals[i]!);
    expectClose(again, fit.design.y, { tolerance: 1e-12, label: "fitted + residual" });
  });
});

/** y of a balanced layout, with reproducible irregular numbers. */
const noise = (i: number, k: number): number => {
  const s = Math.sin(12.9898 * (i + 1) + 78.233 * k) * 43758.5453;
  return s - Math.floor(s) - 0.5;
};

describe("closed forms of balanced designs", () => {
  it("one-way REML gives the ANOVA estimators and BLUPs", () => {
    const [groups, size] = [7, 5];
    const g = Array.from({ length: groups * size }, (_, i) => `g${Math.floor(i / size)}`);
    const y = g.map((_, i) => 10 + 3 * noise(Math.floor(i / size), 1) + noise(i, 2));
    const fit = fitLmm(
      "y ~ 1 + (1 | g)",
      makeTable([
        ["y", numericColumn(y)],
        ["g", factorColumn(g)],
      ]),
      { ddf: "none" },
    );
    const means = Array.from(
      { length: groups },
      (_, k) => y.slice(k * size, (k + 1) * size).reduce((a, b) => a + b) / size,
    );
    const grand = means.reduce((a, b) => a + b) / groups;
    const within = y.reduce((s, v, i) => s + (v - means[Math.floor(i / size)]!) ** 2, 0) / (groups * (size - 1));
    const between = (size * means.reduce((s, m) => s + (m - grand) ** 2, 0)) / (groups - 1);
    const variance = (between - within) / size;
    expectClose([fit.residualSd ** 2, fit.variances[0]!.cov.data[0]!], [within, variance], { tolerance: 1e-10 });
    expectClose([fit.coefficients[0]!.value, fit.coefficients[0]!.se], [grand, Math.sqrt(between / (groups * size))], {
      tolerance: 1e-11,
    });
    const shrink = (size * variance) / (size * variance + within);
    expectClose(
      fit.modes[0]!.data,
      means.map((m) => shrink * (m - grand)),
      { tolerance: 1e-9, floor: 0.1 },
    );
    const sd = Math.sqrt((variance * within) / (within + size * variance));
    expectClose(
      fit.modeSds[0]!.data,
      means.map(() => sd),
      { tolerance: 1e-10 },
    );
  });

  it("two-way crossed REML gives the ANOVA estimators", () => {
    const [a, b] = [6, 9];
    const rows = Array.from({ length: a * b }, (_, i) => [Math.floor(i / b), i % b] as const);
    const y = rows.map(([r, c], i) => 2 * noise(r, 3) + 1.5 * noise(c, 4) + noise(i, 5));
    const table = makeTable([
      ["y", numericColumn(y)],
      ["r", factorColumn(rows.map(([r]) => `r${r}`))],
      ["c", factorColumn(rows.map(([, c]) => `c${c}`))],
    ]);
    const fit = fitLmm("y ~ 1 + (1 | r) + (1 | c)", table, { ddf: "none" });
    const mean = (keep: (row: readonly [number, number]) => boolean): number => {
      const own = y.filter((_, i) => keep(rows[i]!));
      return own.reduce((s, v) => s + v, 0) / own.length;
    };
    const grand = mean(() => true);
    const rowMeans = Array.from({ length: a }, (_, k) => mean(([r]) => r === k));
    const colMeans = Array.from({ length: b }, (_, k) => mean(([, c]) => c === k));
    const msRow = (b * rowMeans.reduce((s, m) => s + (m - grand) ** 2, 0)) / (a - 1);
    const msCol = (a * colMeans.reduce((s, m) => s + (m - grand) ** 2, 0)) / (b - 1);
    const ss = y.reduce((s, v, i) => s + (v - rowMeans[rows[i]![0]]! - colMeans[rows[i]![1]]! + grand) ** 2, 0);
    const ms = ss / ((a - 1) * (b - 1));
    const byGroup = new Map(fit.variances.map((v) => [v.group, v.cov.data[0]!]));
    expectClose([byGroup.get("r")!, byGroup.get("c")!, fit.residualSd ** 2], [(msRow - ms) / b, (msCol - ms) / a, ms], {
      tolerance: 1e-9,
    });
  });
});

const ratings = tables.get("ratings")!;
const FORMULA = "y ~ system + x + (system | item) + (x || worker)";
const base = fitLmm(FORMULA, ratings, { ddf: "none" });
const numbers = (table: Table, name: string): Float64Array => {
  const cells = table.columns.get(name)!;
  return cells.kind === "numeric" ? cells.values : new Float64Array(0);
};

describe("invariance", () => {
  it("rows in another order", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: ratings.rows }, (_, i) => i),
          { minLength: ratings.rows },
        ),
        (order) => {
          const fit = fitLmm(FORMULA, selectRows(ratings, Int32Array.from(order)), { ddf: "none" });
          expectClose([fit.deviance], [base.deviance], { tolerance: 1e-11 });
          expectClose(fit.theta, base.theta, { tolerance: 1e-6, floor: 1 });
          expectClose(
            fit.fitted,
            order.map((i) => base.fitted[i]!),
            { tolerance: 1e-6 },
          );
        },
      ),
      { numRuns: 5 },
    );
  });

  it("other names for the levels, in another order", () => {
    const workers = ratings.columns.get("worker")!;
    const renamed = workers.kind === "factor" ? Array.from(workers.codes, (code) => `z${(code * 5) % 8}`) : [];
    const fit = fitLmm(FORMULA, withColumn(ratings, "worker", factorColumn(renamed)), { ddf: "none" });
    expectClose([fit.deviance, fit.residualSd], [base.deviance, base.residualSd], { tolerance: 1e-9 });
    expectClose(fit.fitted, base.fitted, { tolerance: 1e-6 });
  });

  it("y shifted by a million and scaled", () => {
    const y = numbers(ratings, "y").map((v) => 1e6 + 1000 * v);
    const fit = fitLmm(FORMULA, withColumn(ratings, "y", numericColumn(y)), { ddf: "none" });
    // 1000·y has variance parameters 1000² times as large: the criterion moves by the log-Jacobian of n - p contrasts
    expectClose([fit.deviance], [base.deviance + 2 * (fit.nobs - 3) * Math.log(1000)], { tolerance: 1e-9 });
    expectClose(fit.theta, base.theta, { tolerance: 1e-5, floor: 1 });
    expectClose([fit.residualSd], [1000 * base.residualSd], { tolerance: 1e-6 });
    expectClose([fit.coefficients[1]!.value], [1000 * base.coefficients[1]!.value], { tolerance: 1e-6 });
  });

  it("diag(x | g) is (x || g) for a numeric x", () => {
    const a = fitLmm("y ~ x + diag(x | worker)", ratings, { ddf: "none" });
    const b = fitLmm("y ~ x + (x || worker)", ratings, { ddf: "none" });
    expectClose([a.deviance, ...a.theta], [b.deviance, ...b.theta], { tolerance: 1e-9 });
    expect(a.variances[0]!.cov.data[1]).toBe(0);
  });

  it("a row of weight 0 counts for nothing", () => {
    const w = numbers(ratings, "w").map((v, i) => (i % 7 === 0 ? 0 : v));
    const table = withColumn(ratings, "w", numericColumn(w));
    const fit = fitLmm("y ~ x + (1 | item) + (1 | worker)", table, { weights: "w", ddf: "none" });
    const without = fitLmm(
      "y ~ x + (1 | item) + (1 | worker)",
      selectRows(table, (i) => i % 7 !== 0),
      {
        weights: "w",
        ddf: "none",
      },
    );
    expectClose([fit.deviance, fit.nobs, fit.bic], [without.deviance, without.nobs, without.bic], { tolerance: 1e-11 });
    expect(fit.diagnostics.map(({ code }) => code)).toContain("ZeroWeight");
  });
});

describe("what the reader is told", () => {
  const codes = (fit: LmmFit): string[] => fit.diagnostics.map(({ code }) => code);

  it("grouping factors that are one partition", () => {
    const workers = ratings.columns.get("worker")!;
    const team = workers.kind === "factor" ? Array.from(workers.codes, (code) => `team ${7 - code}`) : [];
    const fit = fitLmm("y ~ 1 + (1 | worker) + (1 | team)", withColumn(ratings, "team", factorColumn(team)), {
      ddf: "none",
    });
    const told = fit.diagnostics.find(({ code }) => code === "SamePartition")!;
    expect(told.message).toContain("worker and team");
    const single = fitLmm("y ~ 1 + (1 | worker)", ratings, { ddf: "none" });
    const sum = fit.variances[0]!.cov.data[0]! + fit.variances[1]!.cov.data[0]!;
    expectClose([sum, fit.deviance], [single.variances[0]!.cov.data[0]!, single.deviance], { tolerance: 1e-6 });
    expect(fit.converged).toBe(true);
  });

  it("a coarsening of which only a sum is determined", () => {
    // teams of one worker each, but for X, whose fixed effect takes up the only team of two
    const rows = Array.from({ length: 60 }, (_, i) => i);
    const table = makeTable([
      ["y", numericColumn(rows.map((i) => noise(i % 6, 1) + noise(i, 2)))],
      ["pair", factorColumn(rows.map((i) => (i % 6 < 2 ? "pair" : "other")))],
      ["worker", factorColumn(rows.map((i) => `w${i % 6}`))],
      ["team", factorColumn(rows.map((i) => (i % 6 < 2 ? "t0" : `t${i % 6}`)))],
      ["u", numericColumn(rows.map((i) => (i % 6 === 0 ? 1 : i % 6 === 1 ? -1 : 0)))],
    ]);
    const fit = fitLmm("y ~ u + pair + (1 | worker) + (1 | team)", table, { ddf: "none" });
    const told = fit.diagnostics.find(({ code }) => code === "VariancesConfounded")!;
    expect(told.message).toContain("(Intercept) | worker");
    expect(told.message).toContain("(Intercept) | team");
  });

  it("nothing of the kind for factors that are merely nested", () => {
    expect(codes(fitLmm("score ~ g + (1 | school/class)", tables.get("schools")!))).toEqual([]);
  });

  it("singular fits, by name", () => {
    const fit = fitLmm("flat ~ x + (1 | item) + (1 | worker)", ratings);
    const told = fit.diagnostics.find(({ code }) => code === "SingularFit")!;
    expect(told.message).toContain("levels of item is estimated as 0");
    expect(told.message).toContain("levels of worker is estimated as 0");
    expect(told.fix, "a simpler random part has another criterion").not.toContain("same fit");
    expect(fit.converged).toBe(true);
  });

  it("collinear columns", () => {
    const fit = fitLmm("y ~ x + x2 + system + (1 | item)", ratings, { ddf: "none" });
    expect(codes(fit)).toEqual(["RankDeficient"]);
  });

  it("a response that repeats within its groups", () => {
    const g = Array.from({ length: 30 }, (_, i) => `g${i % 6}`);
    const y = g.map((_, i) => noise(i % 6, 9));
    const fit = fitLmm(
      "y ~ 1 + (1 | g)",
      makeTable([
        ["y", numericColumn(y)],
        ["g", factorColumn(g)],
      ]),
      { ddf: "none" },
    );
    expect(codes(fit)).toContain("PerfectFit");
  });
});

describe("input that is refused", () => {
  const refusal = (formula: string, table: Table, options: LmmOptions = {}): string => {
    try {
      fitLmm(formula, table, options);
    } catch (error) {
      if (error instanceof StatError) return error.code;
      throw error;
    }
    return "none";
  };
  const rows = 24;
  const ids = Array.from({ length: rows }, (_, i) => i);
  const table = makeTable([
    ["y", numericColumn(ids.map((i) => noise(i, 1)))],
    ["constant", numericColumn(ids.map(() => 4))],
    ["line", numericColumn(ids.map((i) => 2 + 3 * i))],
    ["infinite", numericColumn(ids.map((i) => (i === 5 ? Number.POSITIVE_INFINITY : i * i)))],
    ["x", numericColumn(ids)],
    ["one", factorColumn(ids.map(() => "a"))],
    ["each", factorColumn(ids.map((i) => `r${i}`))],
    ["half", factorColumn(ids.map((i) => `h${i >> 1}`))],
    ["third", factorColumn(ids.map((i) => `t${i % 8}`))],
  ]);

  it.each([
    ["a group with one level", "y ~ x + (1 | one)", "OneLevel"],
    ["a level for each row", "y ~ x + (1 | each)", "LevelPerRow"],
    ["as many random effects as rows", "y ~ x + (x | half)", "TooManyRandomEffects"],
    ["terms that together reproduce the rows", "y ~ 1 + (1 | half) + (0 + x | half)", "TooManyRandomEffects"],
    ["a constant response", "constant ~ x + (1 | third)", "ConstantResponse"],
    ["an infinite response", "infinite ~ x + (1 | third)", "NotFinite"],
    ["a response that the fixed effects give exactly", "line ~ x + (1 | third)", "PerfectFit"],
    ["no random term", "y ~ x", "NoRandomTerm"],
    ["a categorical response", "third ~ x + (1 | half)", "ResponseNotNumeric"],
  ])("%s", (_, formula, code) => {
    expect(refusal(formula, table)).toBe(code);
  });

  it("rows without a response are dropped, not refused", () => {
    const y = numericColumn(ids.map((i) => (i === 3 ? Number.NaN : noise(i, 1))));
    const fit = fitLmm("y ~ x + (1 | third)", withColumn(table, "y", y), { ddf: "none" });
    expect(fit.nobs).toBe(rows - 1);
  });

  it("a level that no row has is left out", () => {
    const third = factorColumn(
      ids.map((i) => `t${i % 8}`),
      { levels: ["t9", ...Array.from({ length: 8 }, (_, k) => `t${k}`)] },
    );
    const fit = fitLmm("y ~ x + (1 | third)", withColumn(table, "third", third), { ddf: "none" });
    expect(fit.groups).toEqual([{ group: "third", levels: 8 }]);
    const plain = fitLmm("y ~ x + (1 | third)", table, { ddf: "none" });
    expectClose([fit.deviance], [plain.deviance], { tolerance: 1e-12 });
  });
});

describe("print", () => {
  const fit = fitLmm("y ~ system + (1 | item) + (x | worker)", ratings);

  it("as text, within 80 columns", () => {
    expect(fit.toString()).toMatchSnapshot();
    expect(
      Math.max(
        ...fit
          .toString()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(80);
  });

  it("comes back from JSON as it was", () => {
    expect(reviveResult(JSON.parse(JSON.stringify(fit))).toString()).toBe(fit.toString());
  });
});
