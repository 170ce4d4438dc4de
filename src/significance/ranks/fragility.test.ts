import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { fewestOvertaking, fewestToDrop, overtakes, overtakingAtRandom } from "./fragility.ts";

interface Case {
  readonly id: string;
  readonly input: { differences?: number[]; wins?: number; losses?: number; ties?: number };
  readonly expected: {
    leader: string;
    drop_to_lose_lead: number | null;
    drop_to_lose_lead_items?: number[];
    drop_to_flip: number | null;
    drop_to_flip_items?: number[];
  };
}
const { cases } = JSON.parse(readFileSync(new URL("../../../oracle/next/rank-sets.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

describe("the fewest to drop", () => {
  for (const { id, input, expected } of cases.filter(({ expected: own }) => own.drop_to_flip !== undefined))
    it(`agrees with ${id}`, () => {
      const { wins = 0, losses = 0, ties = 0 } = input;
      const plain =
        input.differences ??
        [...new Array(wins).fill(1), ...new Array(losses).fill(-1), ...new Array(ties).fill(0)].map(Number);
      const own = expected.leader === "second" ? plain.map((d) => -d) : plain;
      const lost = fewestToDrop(own, { strict: false });
      expect(lost?.length ?? null).toBe(expected.drop_to_lose_lead);
      const items = (found: number[] | undefined) => [...(found ?? [])].sort((a, b) => a - b);
      if (expected.drop_to_lose_lead_items) expect(items(lost)).toEqual(expected.drop_to_lose_lead_items);
      // without a leader nothing can be turned round
      if (expected.leader === "none") return;
      const flip = fewestToDrop(own);
      expect(flip?.length ?? null).toBe(expected.drop_to_flip);
      if (expected.drop_to_flip_items) expect(items(flip)).toEqual(expected.drop_to_flip_items);
    });
});

describe("of boards", () => {
  const rng = makeRng("fragile");
  /** Without these units, is some system inside behind some outside? */
  const isOvertaken = (
    { sums, units }: { sums: Float64Array; units: number },
    [inside, outside]: readonly [readonly number[], readonly number[]],
    without: number,
  ) => {
    const left = (s: number) => {
      let sum = 0;
      for (let g = 0; g < units; g++) if (((without >> g) & 1) === 0) sum += sums[g + s * units]!;
      return sum;
    };
    return inside.some((a) => outside.some((b) => left(b) > left(a) + 1e-9));
  };
  const bitsOf = (mask: number) => mask.toString(2).replaceAll("0", "").length;

  it("is what all subsets say, of the top, of a pair and of the best two and three", () => {
    let found = 0;
    for (let trial = 0; trial < 60; trial++) {
      const [S, units] = [4, 5 + rng.int(5)];
      const binary = trial % 2 === 0;
      const sums = Float64Array.from({ length: S * units }, () => (binary ? rng.int(2) : rng.normal()));
      const board = { sums, units };
      const totals = Array.from({ length: S }, (_, s) =>
        sums.subarray(s * units, (s + 1) * units).reduce((a, b) => a + b, 0),
      );
      const order = [0, 1, 2, 3].sort((a, b) => totals[b]! - totals[a]!);
      for (const k of [1, 2, 3]) {
        const sides = [order.slice(0, k), order.slice(k)] as const;
        const masks = Array.from({ length: 2 ** units - 1 }, (_, mask) => mask).filter((mask) =>
          isOvertaken(board, sides, mask),
        );
        const least = masks.length === 0 ? undefined : Math.min(...masks.map(bitsOf));
        const own = fewestOvertaking(board, ...sides);
        expect(own?.dropped.length).toBe(least);
        if (own === undefined) continue;
        found += 1;
        expect(
          isOvertaken(
            board,
            [[own.from], [own.to]],
            own.dropped.reduce((mask, g) => mask | (1 << g), 0),
          ),
        ).toBe(true);
      }
      const pair = [[order[1]!], [order[2]!]] as const;
      const masks = Array.from({ length: 2 ** units - 1 }, (_, mask) => mask).filter((mask) =>
        isOvertaken(board, pair, mask),
      );
      expect(overtakes(board, order[1]!, order[2]!)?.length).toBe(
        masks.length === 0 ? undefined : Math.min(...masks.map(bitsOf)),
      );
    }
    expect(found).toBeGreaterThan(100);
  });

  it("happens at random as often as all choices of as many units say", () => {
    const units = 10;
    const sums = Float64Array.from({ length: 2 * units }, () => rng.normal());
    const board = { sums, units };
    const total = (s: number) => sums.subarray(s * units, (s + 1) * units).reduce((a, b) => a + b, 0);
    const sides = total(0) > total(1) ? ([[0], [1]] as const) : ([[1], [0]] as const);
    for (const count of [1, 3, 5]) {
      const masks = Array.from({ length: 2 ** units }, (_, mask) => mask).filter((mask) => bitsOf(mask) === count);
      const exact = masks.filter((mask) => isOvertaken(board, sides, mask)).length / masks.length;
      const own = overtakingAtRandom(board, { inside: sides[0], outside: sides[1], count, rng: rng.stream(count) });
      expect(Math.abs(own - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 1000) + 1e-9);
    }
  });
});
