import { describe, expect, it } from "vitest";
import oracle from "../../../oracle/python/boschloo.json" with { type: "json" };
import type { Imported } from "../../data/imported.ts";
import { readCsv } from "../../io/csv/csv.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { understandTable } from "../../study/understand.ts";
import { tukeyP } from "../multiplicity.ts";
import { differenceInterval } from "../tests/proportions.ts";
import { testTotals } from "./totals.ts";

const board = (...lines: readonly string[]): Imported => ({
  ...understandTable(readCsv(lines.join("\n")).table),
  format: "csv",
  files: ["d.csv"],
  summary: "",
});

describe("totals", () => {
  it("with standard errors: z of the difference", () => {
    const result = testTotals(board("model,score,score_stderr", "a,50,1.5", "b,56,2"));
    const [pair] = result.pairs;
    expect(pair).toMatchObject({ a: "a", b: "b", difference: 6, se: 2.5, verdict: "higher" });
    expect(pair!.p).toBeCloseTo(2 * normalSf(2.4), 12);
    expect([pair!.lower, pair!.upper].map((x) => Number(x.toFixed(3)))).toEqual([1.1, 10.9]);
    expect(result.toString()).toMatch(/b is HIGHER than a on score/);
  });

  it("of three runs each were compared by z beside a column n: Welch's t", () => {
    // R 4.2: 2 * pt(-0.04 / sqrt(2 * 0.02^2 / 3), 4), and qt(0.975, 4) * sqrt(2 * 0.02^2 / 3)
    const rows = ["a,0.82,0.02,3", "b,0.78,0.02,3"];
    const [pair] = testTotals(board("system,score,score_std,n", ...rows)).pairs;
    expect(pair!.p).toBeCloseTo(0.07048399691, 10);
    expect((pair!.upper - pair!.lower) / 2).toBeCloseTo(0.04533915871, 10);
    expect(pair!.verdict).toBe("open");
    // the same by the error of the mean
    const errors = board("system,score,score_stderr,n", "a,0.82,0.0115470054,3", "b,0.78,0.0115470054,3");
    expect(testTotals(errors).pairs[0]!.p).toBeCloseTo(pair!.p, 7);
    // two data sets of three runs: the variances of four means, two degrees of freedom each
    const sets = rows.flatMap((row) => ["d1", "d2"].map((set) => `${set},${row}`));
    const [over] = testTotals(board("dataset,system,score,score_std,n", ...sets)).pairs;
    expect(over!.p).toBeCloseTo(0.008516263371, 10);
    expect(() => testTotals(board("system,score,score_std,n", "a,0.82,0.02,1", "b,0.78,0.02,1"))).toThrow(
      "the spread of one value is unknown",
    );
  });

  it("with counts: Boschloo's test and its interval, or Newcombe's", () => {
    const { greater } = oracle.cases.find(({ successes }) => successes[0] === 82)!;
    const file = board("model,pass_rate,pass_num,test_cases", "a,36.4,82,225", "b,56.4,127,225");
    const result = testTotals(file);
    const joined = testTotals(file, { interval: "newcombe" }).pairs[0]!;
    expect(result.spread).toEqual({ kind: "counts", columns: ["pass_num", "test_cases"] });
    expect(result.pairs[0]!.p).toBeCloseTo(2 * greater, 8);
    // R 4.2: prop.test(c(127, 82), c(225, 225), correct = FALSE)$p.value
    expect(result.pairs[0]!.p).toBeCloseTo(2.105408827e-5, 5);
    const { lower, upper } = differenceInterval([127, 82], [225, 225]);
    expect([joined.lower, joined.upper, joined.p]).toEqual([100 * lower, 100 * upper, result.pairs[0]!.p]);
    // percentages stay percentages
    expect(result.pairs[0]!.difference).toBeCloseTo(20, 10);
    expect(result.pairs[0]!.lower).toBeGreaterThan(10);
  });

  it("with the limits of intervals, and only where they enclose the score", () => {
    const found = testTotals(board("model,score,rating_q025,rating_q975", "a,80,78.04,81.96", "b,70,68.04,71.96"));
    expect(found.spread.kind).toBe("interval");
    expect(found.systems[0]!.se).toBeCloseTo(1, 4);
    expect(() => testTotals(board("model,score,low,high", "a,80,1,2", "b,70,3,4"))).toThrow(
      /no measure of uncertainty/,
    );
  });

  it("limits of another score are none, which the refusal names instead of denying any interval", () => {
    const rows = ["a,0.35,0.33,0.30,0.37", "b,0.17,0.16,0.13,0.19"];
    const totals = board("method,mean_score,pooled_score,pooled_low_ci,pooled_high_ci", ...rows);
    expect(() => testTotals(totals)).toThrow(
      expect.objectContaining({
        fix: expect.stringMatching(/"pooled_score".*which has pooled_low_ci and pooled_high_ci/),
      }),
    );
    expect(testTotals(totals, { metric: "pooled_score" }).spread.kind).toBe("interval");
    const folds = board("model,mean_cv_f2,std_cv_f2", "a,0.55,0.01", "b,0.51,0.02");
    expect(() => testTotals(folds)).toThrow(/mean_cv_f2 for each system and std_cv_f2 is a standard deviation/);
  });

  it("what the right answers must be divided by is the number of items, whatever it is called", () => {
    const rows = ["a,0.879,872,34,992", "b,0.756,750,0,992", "c,0.472,468,61,992"];
    const result = testTotals(board("model,strict_accuracy,correct,wrong,evaluable_targets", ...rows));
    expect(result.spread).toEqual({ kind: "counts", columns: ["correct", "evaluable_targets"] });
    // shares that these are not of
    const other = ["a,0.9,872,34,992", "b,0.5,750,0,992", "c,0.8,468,61,992"];
    expect(() => testTotals(board("model,strict_accuracy,correct,wrong,evaluable_targets", ...other))).toThrow(
      /no number/,
    );
  });

  it("several tasks: the mean over those that all have", () => {
    const rows = ["a,x,0.5,0.03", "a,y,0.7,0.04", "b,x,0.6,0.03", "b,y,0.8,0.04", "b,z,0.1,0.01"];
    const { systems, tasks } = testTotals(board("model,task,acc,acc_stderr", ...rows));
    expect([tasks, systems[0]!.name]).toEqual([2, "b"]);
    expect(systems[0]!.score).toBeCloseTo(0.7, 12);
    expect(systems[0]!.se).toBeCloseTo(0.05 / 2, 12);
  });

  it("several systems of equal errors: p and intervals of Tukey's studentized range", () => {
    const { pairs, simultaneous } = testTotals(
      board("model,score,score_se", "a,50,1", "b,52,1", "c,53.6,1", "d,50.5,1"),
    );
    expect([simultaneous, pairs.length]).toEqual([true, 6]);
    for (const { difference, lower, upper, adjusted } of pairs) {
      const tukey = tukeyP(difference / Math.SQRT2, 4, Number.POSITIVE_INFINITY);
      expect(Math.abs(adjusted / tukey - 1), `${difference}: ${adjusted} and ${tukey}`).toBeLessThan(0.02);
      // R 4.2: qtukey(0.95, 4, Inf), of means with an error of 1
      expect(Math.abs((upper - lower) / 2 / 3.63316 - 1)).toBeLessThan(0.01);
    }
  });

  it("several pairs: one is significant exactly where its interval excludes 0, with errors, runs and counts", () => {
    const errors = [0.5, 2, 1, 1, 3];
    for (let shift = 0; shift < 12; shift++) {
      const rows = errors.map((se, k) => `s${k},${50 + (k * (3 + shift)) / 3},${se}`);
      const runs = errors.map((se, k) => `s${k},${50 + (k * (3 + shift)) / 3},${se},4`);
      const counts = [10, 14 + shift, 30, 60, 60].map((right, k) => `s${k},${right / 60},${right},60`);
      for (const file of [
        board("model,score,score_se", ...rows),
        board("model,score,score_std,n", ...runs),
        board("model,pass_rate,pass_num,test_cases", ...counts),
      ])
        for (const baseline of [undefined, "s1"])
          for (const { lower, upper, adjusted, p, verdict } of testTotals(file, { baseline }).pairs) {
            expect(lower > 0 || upper < 0, `${lower} to ${upper}, p ${p}, adjusted ${adjusted}`).toBe(adjusted < 0.05);
            expect(verdict !== "open").toBe(adjusted < 0.05);
            expect(adjusted).toBeGreaterThanOrEqual(p);
          }
    }
  });

  it("Holm and its like keep intervals of single pairs, and the note says so", () => {
    const file = board("model,score,score_se", "a,50,1", "b,52,1", "c,53.6,1");
    const holm = testTotals(file, { adjust: "holm" });
    expect(holm.simultaneous).toBe(false);
    expect((holm.pairs[0]!.upper - holm.pairs[0]!.lower) / 2).toBeCloseTo(1.959964 * Math.SQRT2, 5);
    expect(holm.toString().replace(/\s+/g, " ")).toContain("each for itself alone");
    expect(testTotals(file).toString().replace(/\s+/g, " ")).toContain("simultaneous 95 % confidence intervals");
  });

  it("many systems: the best against each, jointly", () => {
    const rows = Array.from({ length: 9 }, (_, i) => `m${i},${50 + i},1`);
    const { pairs, systems } = testTotals(board("model,accuracy,accuracy_se", ...rows));
    expect([systems[0]!.name, pairs.length, pairs.every(({ a }) => a === "m8")]).toEqual(["m8", 8, true]);
    expect(pairs[0]!.adjusted).toBeGreaterThanOrEqual(pairs[0]!.p);
  });

  it("without anything to go by the refusal names what is missing", () => {
    expect(() => testTotals(board("model,accuracy,params", "a,0.5,7", "b,0.6,13"))).toThrow(
      expect.objectContaining({
        code: "TotalsOnly",
        fix: expect.stringMatching(/accuracy_stderr, the limits of an interval, or n/),
      }),
    );
  });
});
