import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { OVERLAP_REGRESSIONS } from "../scenarios/accuracy-overlap.ts";
import { benchmarkMde } from "./benchmarks.ts";
import { fitEffectHistory, fitOverlapHistory, planFromHistory } from "./history.ts";
import { lachenbruchMde, lachenbruchSize, planWithoutPrior } from "./no-prior.ts";

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
    const { ask, scenario, parameters } = plan.next[0]!;
    expect([ask, scenario, parameters["n"]]).toEqual(["power", "accuracy", 2000]);
    expect(parameters["delta"]).toBeCloseTo(plan.delta.value, 6);
    // the reader's own size
    const open = planFromHistory(table, columns, { at: 89 });
    expect(open.next[0]!.parameters).not.toHaveProperty("n");
    expect(open.toString()).toContain("await power.accuracy({\n      n,");
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
