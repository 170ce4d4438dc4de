import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../../test/support/oracle.ts";
import type { ItemStatistics } from "../../../metrics/metric.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { bootstrapScoreTest } from "../../tests/bootstrap-test.ts";
import { comparePair } from "./pair.ts";
import { differenceOfDraws, drawScores } from "./score-draws.ts";

const stored = JSON.parse(readFileSync(new URL("../../../../oracle/r/shift-test.json", import.meta.url), "utf8"));
const metric = {
  name: "F1",
  higherIsBetter: true,
  signature: "F1",
  scoreOf: (sums: Float64Array, at = 0) => (2 * sums[at]!) / (2 * sums[at]! + sums[at + 1]! + sums[at + 2]!),
} as ItemStatistics["metric"];
const system = (rows: readonly (readonly number[])[]): ItemStatistics => ({
  metric,
  n: rows.length,
  width: 3,
  data: Float64Array.from(rows.flat()),
});
const [a, b] = [system(stored.a), system(stored.b)];

describe("draws of a metric of the whole set", () => {
  it("make the BCa interval that boot.ci (R) makes of the same draws", () => {
    const values = (which: "a" | "b"): Float64Array =>
      Float64Array.from(stored.indices, (items: number[]) => {
        const sums = [0, 1, 2].map((c) => items.reduce((sum, i) => sum + stored[which][i][c], 0));
        return metric.scoreOf(Float64Array.from(sums));
      });
    const [drawnA, drawnB] = drawScores([a, b], { rng: makeRng("1") });
    // estimates and leave-one-out values are ours, the draws are R's
    const { lower, upper, method } = differenceOfDraws(
      { ...drawnA!, values: values("a") },
      { ...drawnB!, values: values("b") },
      0.95,
    );
    expect(method).toBe("BCa bootstrap");
    expectClose([lower, upper], stored.bca, { tolerance: 1e-10 });
    const leftOut = drawnB!.leftOut.map((v, i) => v - drawnA!.leftOut[i]!);
    expectClose(leftOut, stored.leftOut, { tolerance: 1e-12, floor: 1e-3 });
  });

  it("come from the law that R drew from", () => {
    const [drawnA, drawnB] = drawScores([a, b], { rng: makeRng("1") });
    const values = drawnB!.values.map((v, i) => v - drawnA!.values[i]!);
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1));
    const [ours, theirs] = [values.length, stored.replicates.length];
    expect(Math.abs(mean - stored.mean)).toBeLessThan(4 * sd * Math.sqrt(1 / ours + 1 / theirs));
    expect(Math.abs(sd / stored.sd - 1)).toBeLessThan(4 * Math.sqrt(1 / (2 * ours) + 1 / (2 * theirs)));
  });

  it("have the closed form of a mean: the bootstrap variance is Σ (x - x̄)²/n²", () => {
    const rng = makeRng("draws");
    const n = 80;
    const ratio = { ...metric, scoreOf: (sums: Float64Array) => sums[0]! / sums[1]! } as ItemStatistics["metric"];
    const data = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? rng.normal() : 1));
    const [drawn] = drawScores([{ metric: ratio, n, width: 2, data }], { rng: makeRng("1") });
    const scores = Array.from({ length: n }, (_, i) => data[2 * i]!);
    const R = drawn!.values.length;
    const mean = drawn!.values.reduce((sum, v) => sum + v, 0) / R;
    const sd = Math.sqrt(drawn!.values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / R);
    const closed = Math.sqrt(scores.reduce((sum, v) => sum + (v - drawn!.estimate) ** 2, 0)) / n;
    expect(drawn!.estimate).toBeCloseTo(scores.reduce((sum, v) => sum + v, 0) / n, 14);
    expect(Math.abs(mean - drawn!.estimate)).toBeLessThan((4 * closed) / Math.sqrt(R));
    expect(Math.abs(sd / closed - 1)).toBeLessThan(4 / Math.sqrt(2 * R));
  });

  it("of clusters: whole ones are drawn", () => {
    // two clusters: a draw holds the first twice, both, or the second twice
    const clusters = Int32Array.from({ length: a.n }, (_, i) => Number(i >= 12));
    const [drawn] = drawScores([a], { rng: makeRng("1"), clusters });
    const scoreOf = (from: number, to: number): number => {
      const sums = new Float64Array(3);
      for (let i = from; i < to; i++) for (let c = 0; c < 3; c++) sums[c]! += a.data[3 * i + c]!;
      return metric.scoreOf(sums);
    };
    const outcomes = [scoreOf(0, 12), scoreOf(0, 24), scoreOf(12, 24)];
    const share = outcomes.map((score) => drawn!.values.filter((v) => Math.abs(v - score) < 1e-12).length / 2000);
    expect(share[0]! + share[1]! + share[2]!).toBeCloseTo(1, 12);
    [0.25, 0.5, 0.25].forEach((want, k) => {
      expect(Math.abs(share[k]! - want)).toBeLessThan(4 * Math.sqrt((want * (1 - want)) / 2000));
    });
  });

  it("do not depend on which other systems are compared", () => {
    const two = drawScores([a, b], { rng: makeRng("1") });
    const three = drawScores([a, system(stored.a.toReversed()), b], { rng: makeRng("1") });
    expect(differenceOfDraws(two[0]!, two[1]!, 0.95)).toEqual(differenceOfDraws(three[0]!, three[2]!, 0.95));
  });

  it("turn with the order of the systems", () => {
    const [x, y] = drawScores([a, b], { rng: makeRng("1") });
    const [there, back] = [differenceOfDraws(x!, y!, 0.9), differenceOfDraws(y!, x!, 0.9)];
    // the quantile rule is not symmetric to the last draw
    expect(Math.abs(there.lower + back.upper)).toBeLessThan(0.01);
  });
});

describe("the shift test of a comparison", () => {
  const clusters = Int32Array.from({ length: a.n }, (_, i) => i >> 1);
  it.each([
    ["items", {}],
    ["clusters", { clusters }],
  ])("of F1 has the p of bootstrapScoreTest with the same seed and draws: %s", (_name, more) => {
    const options = { rng: makeRng("41"), replicates: 999, ...more };
    const { p, statistic } = bootstrapScoreTest({ a: a.data, b: b.data, width: 3, scoreOf: metric.scoreOf }, options);
    const { test, difference } = comparePair({ kind: "statistics", a, b }, { ...options, test: "bootstrap" });
    expect(test.p).toBe(p);
    expect(difference).toBeCloseTo(-statistic, 14);
    // within the Monte-Carlo errors of both of what R has from its own draws of items
    if (!("clusters" in more)) {
      const se = Math.sqrt(stored.p * (1 - stored.p) * (1 / 999 + 1 / stored.replicates.length));
      expect(Math.abs(p - stored.p)).toBeLessThan(4 * se);
    }
  });
});
