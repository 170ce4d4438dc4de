import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, hasShared, sharedPath } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { OVERLAP_REGRESSIONS } from "../scenarios/accuracy-overlap.ts";
import { benchmarkMde } from "./benchmarks.ts";
import { type ClaimsInput, claimsReachingMde, judgeClaims } from "./claims.ts";
import { fitEffectHistory, fitOverlapHistory, planFromHistory } from "./history.ts";
import { lachenbruchMde, lachenbruchSize, planWithoutPrior } from "./no-prior.ts";
import { followRecords, type Leaderboard } from "./records.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/reference/power.json", import.meta.url), "utf8"));

interface Row9 {
  readonly task: string;
  readonly n: number;
  readonly sota: number;
  readonly MDE_percent: {
    readonly lachenbruch_closed_form: { readonly lower: number; readonly mid: number; readonly upper: number };
    readonly "binomial_power.prop.test_tight": number;
    /** Null where no difference has the power. */
    readonly regression_exact_unconditional?: number | null;
    readonly MDE_percent_exact_unconditional_midp?: number | null;
    readonly regression_normal_tight?: number | null;
  };
  readonly published: Record<string, number>;
}

describe("Table 9: minimum detectable differences of benchmarks", () => {
  it.each(oracle.card.table9 as Row9[])("$task", ({ task, n, sota, MDE_percent: r, published }) => {
    const overlap = task === "SQuAD 2.0" ? OVERLAP_REGRESSIONS.squad : OVERLAP_REGRESSIONS.glue;
    const large = n > 100_000;
    const tests = large
      ? ["mcnemar-midp", "mcnemar-exact"]
      : ["mcnemar-midp", "mcnemar-exact", "mcnemar-unconditional"];
    const own = benchmarkMde({ n, baseline: sota, overlap }, { tests });
    const { lower, middle, upper } = own.lachenbruch;
    const closed = r.lachenbruch_closed_form;
    expectClose(
      [lower, middle, upper].map((x) => 100 * x),
      [closed.lower, closed.mid, closed.upper],
      { tolerance: 1e-10, label: "Lachenbruch" },
    );
    // R's uniroot was asked for about eight digits
    expectClose([100 * own.binomial], [r["binomial_power.prop.test_tight"]], { tolerance: 1e-6, label: "binomial" });
    expectSame(100 * own.regression["mcnemar-exact"]!, large ? undefined : r.regression_exact_unconditional, "exact");
    expectSame(100 * own.regression["mcnemar-midp"]!, r.MDE_percent_exact_unconditional_midp, "mid-p");
    expectSame(100 * own.regression["normal"]!, r.regression_normal_tight, "normal");
    // the published digits: mid-p, the normal approximation for the largest set
    const printed = 100 * own.regression[large ? "normal" : "mcnemar-midp"]!;
    // one unit of the last digit for R's default tolerance, as MRPC's 1.6147 printed as 1.62
    expect(Math.abs(printed - published["pub_reg"]!)).toBeLessThan(task === "SQuAD 2.0" ? 0.0006 : 0.0055);
    expect(Math.abs(100 * own.binomial - published["pub_binom"]!)).toBeLessThan(0.0055);
    if (!large && task !== "WNLI") {
      // the unconditional test lies between the exact one and mid-p
      expect(own.regression["mcnemar-unconditional"]!).toBeLessThan(own.regression["mcnemar-exact"]!);
    }
  });

  function expectSame(own: number, want: number | null | undefined, label: string): void {
    if (want === undefined) return;
    if (want === null) expect(own, label).toBeNaN();
    // R's figures count significant results of both signs, which shifts the seventh digit
    else expectClose([own], [want], { tolerance: 2e-6, label });
  }
});

describe("without prior knowledge", () => {
  it("needs as many pairs as the formula says at its own minimum difference", () => {
    for (const bound of ["lower", "middle", "upper"] as const) {
      const mde = lachenbruchMde(1000, 0.85, { bound, power: 0.9 });
      expect(lachenbruchSize(0.85, mde, { bound, power: 0.9 })).toBeCloseTo(1000, 8);
    }
    // lower: N = z²/δ
    expect(lachenbruchMde(1000, 0.85, { bound: "lower" })).toBeCloseTo(
      (1.959963984540054 + 0.8416212335729143) ** 2 / 1000,
      12,
    );
  });

  it("is NaN where no possible gain is enough", () => {
    expect(lachenbruchMde(20, 0.95)).toBeNaN();
  });

  it("orders the bounds, and refuses what cannot be", () => {
    const { rows } = planWithoutPrior({ n: 2000, baseline: 0.9, delta: 0.02 });
    expect(rows.map(({ bound }) => bound)).toEqual(["lower", "middle", "upper"]);
    expect(rows[0]!.power).toBeGreaterThan(rows[1]!.power);
    expect(rows[1]!.power).toBeGreaterThan(rows[2]!.power);
    expect(() => planWithoutPrior({ n: 100, baseline: 0.9, delta: 0.2 })).toThrow(/cannot be/);
    expect(() => planWithoutPrior({ n: 0, baseline: 0.9 })).toThrow(/n = 0/);
  });
});

describe("parameters from a user's own history", () => {
  const table = makeTable([
    ["old", numericColumn([80, 82, 85, 88, 90, 84, 91, 79])],
    ["new", numericColumn([83, 84.5, 86.9, 89, 90.8, 86.6, 91.4, 82.2])],
    ["same", numericColumn([0.86, 0.87, 0.89, 0.91, 0.93, 0.88, 0.94, 0.855])],
  ]);
  const columns = { baseline: "old", candidate: "new", agreement: "same" };

  it("reads percentages as shares and predicts difference, agreement and power", () => {
    const plan = planFromHistory(table, columns, { at: 89, n: 2000 });
    expect(plan.percent).toBe(true);
    const line = fitEffectHistory(table, columns).coefficients;
    expect(plan.delta.value).toBeCloseTo((line[0]!.value + line[1]!.value * 89) / 100, 12);
    expect(plan.agreement).toBeGreaterThan(0.9);
    expect(plan.power?.power).toBeGreaterThan(0);
    expect(plan.commands[0]).toMatch(/^gosset power accuracy --n 2000 --delta 0\.0095/);
  });

  it("fits agreement on the lower accuracy and the absolute difference", () => {
    const swapped = { baseline: "new", candidate: "old", agreement: "same" };
    const [a, b] = [fitOverlapHistory(table, columns), fitOverlapHistory(table, swapped)];
    expectClose(
      a.coefficients.map((c) => c.value),
      b.coefficients.map((c) => c.value),
      { tolerance: 1e-9 },
    );
  });

  it("wants a baseline between 0 and 1, and a task that the table has", () => {
    expect(() => planFromHistory(table, columns, { at: 189 })).toThrow(/baseline to be beaten/);
    const tasks = makeTable([...table.columns, ["task", factorColumn(["a", "b", "a", "b", "a", "b", "a", "b"])]]);
    expect(() => planFromHistory(tasks, { ...columns, task: "task" }, { at: 0.9, task: "c" })).toThrow(/no task "c"/);
  });
});

interface Table10 {
  readonly n: number;
  readonly rows: readonly { readonly predicted: number; readonly power: number; readonly p: number }[];
  readonly "fraction_power_at_least_0.8": number;
  readonly fraction_significant: number;
  readonly share_of_powered_that_are_significant: number;
}

interface Records {
  readonly powered_dev_improvement: number;
  readonly of_which_significant: number;
  readonly other_significant: number;
}

/** R's answers by their names. */
interface CardAnswers {
  readonly "table-7": { readonly coef: Readonly<Record<string, number>> };
  readonly "table-8": { readonly coef: { readonly "(Intercept)": number; readonly V1: number } };
  readonly "table-10": { readonly as_authors_code: Table10; readonly proper_leave_one_out: Table10 };
  readonly "figure-14": { readonly share: Readonly<Record<"binom" | "mid" | "upper" | "lower" | "reg", number>> };
  readonly "appendix-d": {
    readonly n_power_11873: Records;
    readonly n_power_8862: Records;
    readonly per_submission: readonly { readonly power: number; readonly power_at_8862: number }[];
  };
}

describe.skipIf(!hasShared)("Card et al.'s claims and leaderboard (needs ../shared)", () => {
  const entries: readonly { id: string; r: unknown }[] = hasShared
    ? JSON.parse(readFileSync(sharedPath("reference/card2020.json"), "utf8"))
    : [];
  const r = <Id extends keyof CardAnswers>(id: Id): CardAnswers[Id] =>
    entries.find((entry) => entry.id === id)!.r as CardAnswers[Id];
  const csv = (name: string): string[][] =>
    readFileSync(sharedPath(`data/card2020/${name}`), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","));

  function claimsInput(): ClaimsInput {
    const [head, ...rows] = csv("glue_paper_annotations.csv");
    const at = (name: string): number => head!.indexOf(name);
    const table: Table = makeTable([
      ["task", factorColumn(rows.map((row) => row[at("task")]!))],
      ["old", numericColumn(rows.map((row) => Number(row[at("previous_best")])))],
      ["new", numericColumn(rows.map((row) => Number(row[at("model_accuracy")])))],
    ]);
    const isClaim = (row: string[]): boolean =>
      row[at("sota_comparison")] === "Y" && row[at("claimed_improvement")]?.trim() === "Y";
    const claims = Int32Array.from(rows.flatMap((row, i) => (isClaim(row) ? [i] : [])));
    const sizes = new Map(
      csv("glue_test_set_sizes.csv")
        .slice(1)
        .map(([task, size]) => [task!, Number(size)]),
    );
    return {
      table,
      columns: { baseline: "old", candidate: "new", task: "task" },
      claims,
      sizes,
      overlap: OVERLAP_REGRESSIONS.glue,
    };
  }

  it.each([
    ["claim", "proper_leave_one_out"],
    ["published", "as_authors_code"],
  ] as const)("Table 10, leaving out the %s row", (leaveOut, name) => {
    const own = judgeClaims(claimsInput(), leaveOut);
    const want = r("table-10")[name];
    expect(own.claims).toHaveLength(want.n);
    const column = (key: "predicted" | "power" | "p"): number[] => want.rows.map((row) => row[key]);
    expectClose(
      own.claims.map((c) => c.predicted),
      column("predicted"),
      { tolerance: 1e-9 },
    );
    expectClose(
      own.claims.map((c) => c.power),
      column("power"),
      { tolerance: 1e-9 },
    );
    expectClose(
      own.claims.map((c) => c.p),
      column("p"),
      { tolerance: 1e-8 },
    );
    expectClose(
      [own.powered, own.significant, own.significantAndPowered],
      [
        want["fraction_power_at_least_0.8"],
        want.fraction_significant,
        want.share_of_powered_that_are_significant * want["fraction_power_at_least_0.8"],
      ],
      { tolerance: 1e-12 },
    );
  });

  it("Fig. 14: shares of claims that reach each minimum detectable difference", () => {
    const own = claimsReachingMde(claimsInput(), ["mcnemar-midp"]);
    const { binom, mid, upper, lower, reg } = r("figure-14").share;
    expectClose([own["binomial"]!, own["middle"]!, own["upper"]!, own["lower"]!], [binom, mid, upper, lower], {
      tolerance: 1e-12,
    });
    expectClose([own["mcnemar-midp"]!], [reg], { tolerance: 1e-12 });
  });

  function leaderboard(): Leaderboard {
    const [head, ...rows] = csv("squad2_models.csv");
    const test = rows.map((row) => Number(row[head!.indexOf("test_em")]) / 100);
    const pairs = new Map(
      csv("squad2_pairs_dev.csv")
        .slice(1)
        .map(([i, j, d, k]) => [`${i},${j}`, [Number(d), Number(k)] as const]),
    );
    return {
      test,
      devItems: 11_873,
      testItems: 8862,
      pair(i, j) {
        const [difference, disagreement] = pairs.get(`${i},${j}`)!;
        return { difference, disagreement };
      },
    };
  }

  it("appendix D: 19 powered submissions with the development size, 15 with the test size", () => {
    const want = r("appendix-d");
    for (const [items, name, key] of [
      [11_873, "n_power_11873", "power"],
      [8862, "n_power_8862", "power_at_8862"],
    ] as const) {
      const own = followRecords(leaderboard(), items);
      expect([own.powered, own.poweredSignificant, own.othersSignificant]).toEqual([
        want[name].powered_dev_improvement,
        want[name].of_which_significant,
        want[name].other_significant,
      ]);
      // the stored powers count both signs, and halve odd counts to whole ones: those of even counts can be compared
      const board = leaderboard();
      const even = own.submissions.filter((s) => s.devBetter && board.pair(s.record, s.index).disagreement % 2 === 0);
      expect(even.length).toBeGreaterThan(10);
      for (const { index, power } of even) {
        if (power > 0.9)
          expectClose([power], [want.per_submission[index - 1]![key]], {
            tolerance: 1e-7,
            label: `${key} of ${index}`,
          });
      }
    }
  });

  it("Table 8: the size of an improvement falls with the record", () => {
    const records = followRecords(leaderboard(), 11_873).submissions.filter((s) => s.isRecord);
    const fit = fitLm(
      "improvement ~ baseline",
      makeTable([
        ["improvement", numericColumn(records.map((s) => s.improvement))],
        ["baseline", numericColumn(records.map((s) => s.baseline))],
      ]),
    );
    const want = r("table-8");
    expect(records).toHaveLength(14);
    expectClose(
      fit.coefficients.map((c) => c.value),
      [want.coef["(Intercept)"], want.coef.V1],
      { tolerance: 1e-9 },
    );
  });

  it("Table 7: the size of an improvement from baseline and task", () => {
    const { table, columns, claims } = claimsInput();
    const rows = new Set(claims);
    const keep = Array.from({ length: table.rows }, (_, i) => i).filter((i) => rows.has(i));
    const pick = (name: string) => {
      const cells = table.columns.get(name)!;
      return cells.kind === "numeric"
        ? numericColumn(keep.map((i) => cells.values[i]!))
        : factorColumn(keep.map((i) => cells.levels[cells.codes[i]!]!));
    };
    const own = makeTable([
      ["task", pick("task")],
      ["old", pick("old")],
      ["new", pick("new")],
    ]);
    const fit = fitEffectHistory(own, columns);
    const want = r("table-7").coef;
    expectClose(
      fit.coefficients.map((c) => c.value),
      Object.values(want),
      { tolerance: 1e-8 },
    );
  });
});
