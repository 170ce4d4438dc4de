import { describe, expect, it } from "vitest";
import { estimateHessian } from "../../../test/support/derivative.ts";
import { inferenceCases, inferenceTable, referenceModel } from "../../../test/support/lmm-inference.ts";
import { expectClose, type OracleCase } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { fromRows, identity, type Matrix, multiply, selectRows as rowsOfMatrix } from "../../numeric/linalg/matrix.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { refuseCostly } from "./information.ts";
import { kenwardRogerDf, kenwardRogerF, prepareKenwardRoger } from "./kenward-roger.ts";
import { fitLmm } from "./lmm.ts";
import { lmmObjective as objective } from "./objective.ts";
import { prepareLmm } from "./problem.ts";
import { prepareSatterthwaite, satterthwaiteDf, satterthwaiteF } from "./satterthwaite.ts";
import { solveLmm } from "./solve.ts";

const flat = (m: Matrix): number[] => [...m.data];

/** lmerTest differentiates numerically: df agree with it to about 1e-8, and to 1e-5 where the criterion is flat. */
function checkCase(c: OracleCase, table?: Table): void {
  const { problem, at } = referenceModel(c, table);
  const { satterthwaite, joint, kenward_roger, kr_joint } = c.expected;
  const L = identity(problem.X.cols);
  const prepared = prepareSatterthwaite(problem, at);
  expectClose(satterthwaiteDf(prepared, L), [satterthwaite.df].flat(), { tolerance: 1e-6, label: "Satterthwaite df" });
  if (joint) {
    const got = satterthwaiteF(prepared, fromRows(joint.rows));
    const want = [joint.f, joint.df1, joint.df2, joint.p];
    expectClose([got.statistic, got.df1, got.df2, got.p], want, { tolerance: 1e-6, label: "F" });
  }
  if (!kenward_roger) return;
  const kr = prepareKenwardRoger(problem, at);
  const vcov = (kenward_roger.vcov ?? kenward_roger.vcov_adjusted) as number[][];
  const floor = Math.max(...vcov.flat()) * 1e-3;
  expectClose(flat(kr.vcov), vcov.flat(), { tolerance: 1e-8, floor, label: "adjusted covariance" });
  expectClose(kenwardRogerDf(kr, L), [kenward_roger.df].flat(), { tolerance: 1e-8, label: "Kenward-Roger df" });
  if (kr_joint) {
    const got = kenwardRogerF(kr, fromRows(joint.rows));
    const want = [kr_joint.f, kr_joint.df1, kr_joint.df2, kr_joint.p, kr_joint.scaling];
    expectClose([got.statistic, got.df1, got.df2, got.p, got.scaling], want, { tolerance: 1e-8, label: "KR F" });
  }
}

describe("degrees of freedom equal lmerTest's and pbkrtest's", () => {
  it.each(inferenceCases("inference"))("$id", (c) => checkCase(c));
});

describe("degrees of freedom of the reference models", () => {
  const reference = readReference("lmm.json");
  const cases = reference.cases.filter((c) => c.expected.satterthwaite);

  it.each(cases)("$id", (c) => checkCase(c, referenceTable(reference, c.input["data"] as string)));

  it.each(reference.cases.filter((c) => c.input["kind"] === "Kenward-Roger F test"))("$id", (c) => {
    const big = reference.cases.find((other) => other.id === c.input["big"])!;
    const { problem, at } = referenceModel(big, referenceTable(reference, big.input["data"] as string));
    const tested = c.id.includes("recipe") ? "recipe" : "system";
    const rows = [...problem.design.names.keys()].filter((j) => problem.design.names[j]!.includes(tested));
    const got = kenwardRogerF(prepareKenwardRoger(problem, at), rowsOfMatrix(identity(problem.X.cols), rows));
    const { f, ndf, ddf, p, f_scaling } = c.expected;
    expectClose([got.statistic, got.df1, got.df2, got.p, got.scaling], [f, ndf, ddf, p, f_scaling], {
      tolerance: 1e-8,
    });
  });
});

/** A split plot: `whole` varies between the plots of a block, `sub` within them; y has effects of both. */
function splitPlot(seed: number, blocks = 5): Table {
  const rng = makeRng(seed);
  const block: string[] = [];
  const whole: string[] = [];
  const sub: string[] = [];
  const y: number[] = [];
  for (let b = 0; b < blocks; b++) {
    const ofBlock = 2 * rng.normal();
    for (const w of ["a", "b", "c"]) {
      const ofPlot = 1.5 * rng.normal();
      for (const s of ["x", "y", "z", "u"]) {
        block.push(`b${b}`);
        whole.push(w);
        sub.push(s);
        y.push(10 + ofBlock + ofPlot + (w === "b" ? 0.7 : 0) + (s === "z" ? 0.5 : 0) + rng.normal());
      }
    }
  }
  const factors = { block, whole, sub };
  const columns = Object.entries(factors).map(([name, cells]) => [name, factorColumn(cells)] as const);
  return makeTable([...columns, ["y", numericColumn(y)]]);
}

function fitted(formula: string, table: Table, criterion: "REML" | "ML" = "REML") {
  const design = buildDesign(formula, table);
  const problem = prepareLmm(design, { criterion });
  return { problem, solution: solveLmm(problem, design.y, { gradientTolerance: 1e-12 }), design };
}

describe("balanced designs have the df of the analysis of variance", () => {
  const { problem, solution, design } = fitted("y ~ whole * sub + (1 | block) + (1 | block:whole)", splitPlot(3));
  const rowsFor = (term: string) => {
    const t = design.terms.indexOf(term) + 1;
    return rowsOfMatrix(
      identity(problem.X.cols),
      [...design.assign.keys()].filter((j) => design.assign[j] === t),
    );
  };

  it("interaction and sub-plot contrasts: (blocks - 1)(wholes - 1)… by both methods", () => {
    expect(solution.theta.every((value) => value > 0.1)).toBe(true);
    const sat = prepareSatterthwaite(problem, solution);
    const kr = prepareKenwardRoger(problem, solution);
    // residual df: 5·3·4 - 1 - 14 (plots and blocks) - 3 (sub) - 6 (interaction) = 36
    for (const test of [satterthwaiteF(sat, rowsFor("whole:sub")), kenwardRogerF(kr, rowsFor("whole:sub"))]) {
      expectClose([test.df1, test.df2], [6, 36], { tolerance: 1e-9 });
    }
    expectClose([kenwardRogerF(kr, rowsFor("whole:sub")).scaling], [1], { tolerance: 1e-9 });
  });

  it("whole plots, averaged over the sub plots: (5 - 1)(3 - 1) = 8", () => {
    const sat = prepareSatterthwaite(problem, solution);
    const kr = prepareKenwardRoger(problem, solution);
    const L = multiply(rowsFor("whole"), identity(problem.X.cols));
    design.names.forEach((name, j) => {
      if (!name.includes(":")) return;
      const row = name.startsWith("wholeb") ? 0 : 1;
      L.data[row + j * L.rows] = 1 / 4;
    });
    for (const test of [satterthwaiteF(sat, L), kenwardRogerF(kr, L)]) {
      expectClose([test.df1, test.df2], [2, 8], { tolerance: 1e-7 });
    }
  });

  it("one-way layout: the mean has k - 1 df, and Kenward-Roger leaves its SE alone", () => {
    const one = fitted("y ~ 1 + (1 | block)", splitPlot(4, 7));
    expect(one.solution.theta[0]).toBeGreaterThan(0.1);
    expectClose(satterthwaiteDf(prepareSatterthwaite(one.problem, one.solution), identity(1)), [6], {
      tolerance: 1e-7,
    });
    const kr = prepareKenwardRoger(one.problem, one.solution);
    expectClose(kenwardRogerDf(kr, identity(1)), [6], { tolerance: 1e-7 });
    const plain = one.solution.sigma ** 2 * kr.information.gls.inverse.data[0]! * one.problem.inverseR.data[0]! ** 2;
    expectClose([kr.vcov.data[0]!], [plain], { tolerance: 1e-10 });
  });

  it("no variance between groups: the df of ordinary regression", () => {
    const c = inferenceCases("inference").find(({ id }) => id === "boundary")!;
    const { problem: p, at } = referenceModel(c);
    expect(at.theta[0]).toBe(0);
    const df = satterthwaiteDf(prepareSatterthwaite(p, at), identity(p.X.cols));
    expectClose(df, [257, 257, 257], { tolerance: 1e-9 });
  });
});

describe("what must not matter", () => {
  const formula = "score ~ system + length + (1 + length | rater) + (1 | item)";
  const base = fitted(formula, inferenceTable);
  const L = identity(base.problem.X.cols);
  const dfOf = ({ problem, solution }: ReturnType<typeof fitted>) => ({
    sat: satterthwaiteDf(prepareSatterthwaite(problem, solution), L),
    kr: kenwardRogerDf(prepareKenwardRoger(problem, solution), L),
  });
  const want = dfOf(base);

  it("order of the rows", () => {
    const order = Int32Array.from({ length: inferenceTable.rows }, (_, i) => i);
    makeRng(5).shuffleInto(order);
    const got = dfOf(fitted(formula, selectRows(inferenceTable, order)));
    expectClose(got.sat, want.sat, { tolerance: 1e-5 });
    expectClose(got.kr, want.kr, { tolerance: 1e-5 });
  });

  it("unit and origin of the response, up to a million times its SD", () => {
    const score = inferenceTable.columns.get("score")!;
    const moved = score.kind === "numeric" ? score.values.map((v) => 1e6 + 1e3 * v) : new Float64Array(0);
    const got = dfOf(fitted(formula, withColumn(inferenceTable, "score", numericColumn(moved))));
    expectClose(got.sat, want.sat, { tolerance: 1e-4 });
    expectClose(got.kr, want.kr, { tolerance: 1e-4 });
  });

  it("a contrast's length, and one row tested as t or as F", () => {
    const { problem, solution } = base;
    const sat = prepareSatterthwaite(problem, solution);
    const kr = prepareKenwardRoger(problem, solution);
    const l = fromRows([[0, 1, -1, 0]]);
    const longer = fromRows([[0, 7, -7, 0]]);
    expectClose(satterthwaiteDf(sat, longer), satterthwaiteDf(sat, l), { tolerance: 1e-12 });
    expectClose([satterthwaiteF(sat, l).df2], satterthwaiteDf(sat, l), { tolerance: 1e-12 });
    expectClose([kenwardRogerF(kr, l).df2, kenwardRogerF(kr, l).scaling], [kenwardRogerDf(kr, l)[0]!, 1], {
      tolerance: 1e-9,
    });
  });

  it("a row that repeats others adds nothing", () => {
    const { problem, solution } = base;
    const rows = fromRows([[0, 1, 0, 0], [0, 0, 1, 0]]); // biome-ignore format: a matrix
    const more = fromRows([[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0]]); // biome-ignore format: a matrix
    const kr = prepareKenwardRoger(problem, solution);
    expectClose([kenwardRogerF(kr, more).statistic], [kenwardRogerF(kr, rows).statistic], { tolerance: 1e-9 });
    expect(satterthwaiteF(prepareSatterthwaite(problem, solution), more).df1).toBe(2);
  });

  it("F against another value than 0 is F of the shifted estimate", () => {
    const { problem, solution } = base;
    const l = fromRows([[0, 0, 0, 1]]);
    const own = solution.beta.slice(3, 4);
    const kr = prepareKenwardRoger(problem, solution);
    expect(kenwardRogerF(kr, l, own).statistic).toBeLessThan(1e-10);
    expect(satterthwaiteF(prepareSatterthwaite(problem, solution), l, own).p).toBeGreaterThan(0.999);
  });
});

describe("Satterthwaite's covariance of (θ, log σ)", () => {
  it("is twice the inverse of the criterion's Hessian by differences", () => {
    const { problem, solution } = fitted("score ~ system + (length | rater)", inferenceTable, "ML");
    const { covariance, flat: flatDirections, information } = prepareSatterthwaite(problem, solution);
    expect(flatDirections).toBe(0);
    const n = problem.nobs;
    const criterion = (x: Float64Array) => {
      const theta = x.slice(0, 3);
      const at = solveAt(theta);
      return at.profiled + at.rss * Math.exp(-2 * x[3]!) - n + n * (2 * x[3]! - Math.log(at.rss / n));
    };
    const solveAt = (theta: Float64Array) => {
      const point = prepareSatterthwaite(problem, { ...solution, theta }).information.gls;
      return { rss: point.rss, profiled: profiledAt(theta) };
    };
    const profiledAt = (theta: Float64Array) => objective(problem, theta, solution.response);
    const H = estimateHessian(criterion, [...solution.theta, Math.log(solution.sigma)], { step: 0.01 });
    const product = multiply(H, covariance);
    const two = identity(4).data.map((v) => 2 * v);
    expectClose(product.data, two, { tolerance: 1e-4, floor: 1 });
    expect(information.sigma).toBe(solution.sigma);
  });
});

describe("Kenward-Roger after a fit by ML", () => {
  it("is that of the REML fit, and says so", () => {
    const ml = fitted("score ~ system + (1 | rater)", inferenceTable, "ML");
    const reml = fitted("score ~ system + (1 | rater)", inferenceTable);
    const got = prepareKenwardRoger(ml.problem, ml.solution);
    const want = prepareKenwardRoger(reml.problem, reml.solution);
    expectClose(got.vcov.data, want.vcov.data, { tolerance: 1e-6, floor: 1e-3 });
    expectClose(got.beta, reml.solution.beta, { tolerance: 1e-7 });
    expect([got.refitted, want.refitted]).toEqual([true, false]);
  });
});

describe("a design whose degrees of freedom cost too much", () => {
  const raters = 6000;
  const rows = Array.from({ length: 4 * raters }, (_, i) => i);
  const table = makeTable([
    ["y", numericColumn(rows.map((i) => Math.sin(i * i)))],
    ["item", factorColumn(rows.map((i) => `i${Math.floor(i / 2)}`))],
    ["rater", factorColumn(rows.map((i) => `r${(Math.floor(i / 4) + (i % 2)) % raters}`))],
  ]);
  const formula = "y ~ 1 + (1 | item) + (1 | rater)";

  it.each(["satterthwaite", "kenward-roger"] as const)(
    "%s is refused with memory and operations before the fit",
    (ddf) => {
      const start = Float64Array.of(Number.NaN, Number.NaN); // a search would be seen
      expect(() => fitLmm(formula, table, { ddf, start })).toThrow(
        /6000 random effects \(6000 of rater\).*about 2\.3 GB and 6\.5e\+11 operations/,
      );
    },
  );

  it("is fitted without them", () => {
    const { problem } = fitted(formula, table);
    expect(problem.cross.schur.sparse).toBeDefined();
    expect(() => refuseCostly(problem)).toThrow(StatError);
  });
});
