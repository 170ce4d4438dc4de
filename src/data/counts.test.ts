import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { countGroups, countsWhere, countValues, finite, quantileOf, sumCounts, valueAt } from "./counts.ts";
import { quantile } from "./moments.ts";

/** Small whole numbers, others, missing ones and infinite ones. */
function drawValues(n: number, seed: string): Float64Array {
  const rng = makeRng(seed);
  const kinds = [() => rng.int(5), () => 255 + rng.int(3), () => rng.int(9) / 4 - 1, () => Number.NaN, () => -0];
  return Float64Array.from({ length: n }, (_, i) =>
    i % 97 === 0 ? Number.POSITIVE_INFINITY : kinds[rng.int(kinds.length)]!(),
  );
}

describe("counts of values", () => {
  const values = drawValues(3000, "counts");

  it("are those of a Map, in the order of appearance", () => {
    const wanted = new Map<number, number>();
    for (const value of values) if (!Number.isNaN(value)) wanted.set(value, (wanted.get(value) ?? 0) + 1);
    const { of, n, missing } = countValues(values);
    expect([...of]).toEqual([...wanted]);
    expect(n).toBe([...wanted.values()].reduce((sum, count) => sum + count, 0));
    expect(missing).toBe(values.filter(Number.isNaN).length);
  });

  it("of groups add up to those of all rows", () => {
    const group = Int32Array.from(values, (_, row) => row % 3);
    const { of, n, missing } = sumCounts(countGroups(values, group, 3));
    const whole = countValues(values);
    expect(new Map(of)).toEqual(new Map(whole.of));
    expect([n, missing]).toEqual([whole.n, whole.missing]);
  });

  it("leave rows of no group out", () => {
    const group = Int32Array.from([0, -1, 1, 0]);
    const [a, b] = countGroups(Float64Array.from([7, 7, 300.5, 7]), group, 2);
    expect([...a!.of]).toEqual([[7, 2]]);
    expect([...b!.of]).toEqual([[300.5, 1]]);
  });

  it("give the order statistics and quantiles of the sorted values", () => {
    const sorted = values.filter(Number.isFinite).sort();
    const counts = finite(countValues(values));
    const different = Float64Array.from(counts.of.keys()).sort();
    for (const place of [0, 1, 700, sorted.length - 1])
      expect(valueAt(counts, different, place)).toBe(sorted[place]! + 0);
    for (const p of [0, 0.1, 0.25, 0.5, 0.75, 1])
      expect(quantileOf(counts, different, p)).toBe(quantile(sorted, p) + 0);
  });

  it("of those that a rule keeps are counted again", () => {
    const { of, n } = countsWhere(countValues(Float64Array.from([1, 2, 2, 3])), (value) => value > 1);
    expect([...of]).toEqual([
      [2, 2],
      [3, 1],
    ]);
    expect(n).toBe(3);
  });
});
