import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { maxTCritical, maxTP, permuteMaxT } from "./permutation-max-t.ts";

interface Case {
  readonly id: string;
  readonly scores: readonly (readonly number[])[];
  readonly cluster: readonly number[] | Record<string, never>;
  readonly t: readonly number[];
  readonly p: readonly number[];
  readonly critical80: number;
}
const oracle = JSON.parse(readFileSync("oracle/r/max-t.json", "utf8")) as {
  readonly cases: readonly Case[];
  readonly normal: { readonly scores: readonly (readonly number[])[]; readonly critical: number };
};

/** As emmeans orders pairs: 2 - 1, 3 - 1, 3 - 2, … */
const pairsOf = (systems: number): [number, number][] =>
  Array.from({ length: systems }, (_, b) => Array.from({ length: b }, (_a, a): [number, number] => [a, b])).flat();

/** Sums of each system over units, unit after unit. */
function unitsOf(scores: Case["scores"], cluster: Case["cluster"]) {
  const codes = Array.isArray(cluster) ? cluster : scores.map((_, i) => i);
  const names = [...new Set(codes)];
  const systems = scores[0]!.length;
  const sums = new Float64Array(names.length * systems);
  const sizes = new Float64Array(names.length);
  scores.forEach((row, i) => {
    const g = names.indexOf(codes[i]);
    sizes[g]! += 1;
    row.forEach((v, s) => {
      sums[g + s * names.length]! += v;
    });
  });
  return { sums, units: names.length, options: { pairs: pairsOf(systems), sizes } };
}

describe("the largest |t| of all pairs", () => {
  it.each(oracle.cases.map((own) => [own.id, own] as const))("equals R's enumeration: %s", (_, own) => {
    const { sums, units, options } = unitsOf(own.scores, own.cluster);
    const found = permuteMaxT(sums, units, options);
    expect(found.method).toBe("exact");
    own.t.forEach((t, k) => {
      expect(found.statistics[k]).toBeCloseTo(t, 9);
      expect(found.differences[k]! / found.standardErrors[k]!).toBeCloseTo(t, 9);
      expect(maxTP(found, found.statistics[k]!)).toBeCloseTo(own.p[k]!, 12);
    });
    expect(maxTCritical(found, 0.8)).toBeCloseTo(own.critical80, 9);
  });

  it("drawn at random agrees with all flips within its error", () => {
    const { sums, units, options } = unitsOf(oracle.cases[1]!.scores, oracle.cases[1]!.cluster);
    const drawn = permuteMaxT(sums, units, {
      ...options,
      method: "monte-carlo",
      replicates: 20_000,
      rng: makeRng("max"),
    });
    oracle.cases[1]!.p.forEach((p, k) => {
      const own = maxTP(drawn, drawn.statistics[k]!);
      expect(Math.abs(own - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 20_000) + 1e-4);
    });
  });

  it("of normal differences has the quantile of the multivariate t", () => {
    const { sums, units, options } = unitsOf(oracle.normal.scores, {});
    const found = permuteMaxT(sums, units, { ...options, replicates: 20_000, rng: makeRng("normal") });
    // the error of a quantile: √(α(1 - α)/R) over the density there, about .12
    const error = Math.sqrt((0.05 * 0.95) / 20_000) / 0.12;
    expect(Math.abs(maxTCritical(found, 0.95) - oracle.normal.critical)).toBeLessThan(4 * error + 0.01);
  });

  it("of one pair is the paired permutation test", () => {
    const { sums, units } = unitsOf(oracle.cases[0]!.scores, {});
    const one = permuteMaxT(sums, units, { pairs: [[0, 1]] });
    const gains = oracle.cases[0]!.scores.map(([a, b]) => b! - a!);
    const total = Math.abs(gains.reduce((sum, d) => sum + d, 0));
    const flips = Array.from({ length: 512 }, (_, bits) =>
      Math.abs(gains.reduce((sum, d, i) => sum + ((bits >> i) & 1 ? d : -d), 0)),
    );
    expect(maxTP(one, one.statistics[0]!)).toBeCloseTo(flips.filter((s) => s >= total - 1e-9).length / 512, 12);
  });

  it("does not change with what all systems have in common, and leaves pairs without spread out", () => {
    const { sums, units, options } = unitsOf(oracle.cases[0]!.scores, {});
    const shifted = sums.map((v, i) => v + 1000 * Math.sin(i % units));
    const [plain, moved] = [permuteMaxT(sums, units, options), permuteMaxT(shifted, units, options)];
    moved.statistics.forEach((t, k) => {
      expect(t).toBeCloseTo(plain.statistics[k]!, 8);
    });
    const copied = Float64Array.from([...sums, ...sums.subarray(0, units)]);
    const copies = permuteMaxT(copied, units, { pairs: [...options.pairs, [0, 3]] });
    expect(copies.statistics[3]).toBeNaN();
    expect(maxTP(copies, copies.statistics[3]!)).toBeNaN();
    copies.maxima.forEach((top, k) => {
      expect(top).toBeCloseTo(plain.maxima[k]!, 10);
    });
  });

  it("has no critical value where flips are too few", () => {
    const found = permuteMaxT(Float64Array.from([1, 2, 4, 3, 5, 5.5]), 3, { pairs: [[0, 1]] });
    expect(maxTCritical(found, 0.95)).toBe(Number.POSITIVE_INFINITY);
  });
});
