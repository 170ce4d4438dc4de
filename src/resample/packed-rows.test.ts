import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { packRows } from "./packed-rows.ts";

const rng = makeRng(5);

/** The sums of chosen rows, taken from the packed ones and from the rows themselves. */
function bothSums(rows: Float64Array, width: number, chosen: readonly number[], bounds: Float64Array) {
  const packed = packRows(rows, width, bounds);
  const sums = new Float64Array(packed.width + 1);
  const direct = new Float64Array(width);
  for (const i of chosen) {
    for (let g = 0; g < packed.width; g++) sums[g + 1]! += packed.rows[i * packed.width + g]!;
    for (let c = 0; c < width; c++) direct[c]! += rows[i * width + c]!;
  }
  const target = new Float64Array(width);
  packed.unpackInto(target, sums, 1);
  return { width: packed.width, target, direct };
}

describe("whole numbers in one double", () => {
  it("sums of every sign and size come back as they were added, at their bounds too", () => {
    const largest = [1, 0, 30, 1e6, 2 ** 40, 3, 2 ** 52, 7];
    const width = largest.length;
    const n = 60;
    for (let round = 0; round < 200; round++) {
      const rows = Float64Array.from({ length: n * width }, (_, k) => {
        const most = largest[k % width]!;
        const size = round % 3 === 0 ? most : Math.round(most * rng.uniform());
        return (round % 4 === 0 || rng.uniform() < 0.5 ? -1 : 1) * size;
      });
      const chosen = Array.from({ length: round % n }, () => rng.int(n));
      const bounds = new Float64Array(width);
      for (const i of chosen) for (let c = 0; c < width; c++) bounds[c]! += Math.abs(rows[i * width + c]!);
      const { target, direct, width: packed } = bothSums(rows, width, chosen, bounds);
      expect(packed).toBeLessThan(width);
      for (let c = 0; c < width; c++) expect(target[c]! - direct[c]!).toBe(0);
    }
  });

  it("three counts of 3,000 sentences share a double, and one with a fraction leaves all rows as they are", () => {
    const rows = Float64Array.from({ length: 3000 * 6 }, () => rng.int(30));
    const bounds = new Float64Array(6).fill(3000 * 29);
    expect(packRows(rows, 6, bounds).width).toBe(3);
    expect(
      packRows(
        rows,
        6,
        bounds.map(() => 3000 * 10),
      ).width,
    ).toBe(2);
    rows[17] = 0.5;
    expect(packRows(rows, 6, bounds).rows).toBe(rows);
  });
});
