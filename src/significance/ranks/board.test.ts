import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { boardMeans, lawOfBoard } from "./board.ts";
import { normalLaw, separateAll } from "./separate.ts";

const oracle = JSON.parse(
  readFileSync(new URL("../../../oracle/r/rank-means.json", import.meta.url), "utf8"),
) as Record<"scores" | "cluster" | "task" | "pairs" | "items" | "clusters" | "macro" | "macroMeans", number[]>;
const S = 4;
const board = {
  systems: ["a", "b", "c", "d"],
  scores: Float64Array.from(oracle.scores),
  items: oracle.scores.length / S,
};
const codes = (numbers: number[]) => Int32Array.from(numbers, (own) => own - 1);
const expectPairs = (variances: { data: Float64Array }, wanted: number[]) => {
  for (let k = 0; k < wanted.length; k++) {
    const [a, b] = [oracle.pairs[2 * k]! - 1, oracle.pairs[2 * k + 1]! - 1];
    expect(variances.data[a + b * S]! / wanted[k]! - 1).toBeCloseTo(0, 10);
    expect(variances.data[b + a * S]).toBe(variances.data[a + b * S]);
  }
};

describe("variances of differences of means", () => {
  it("are s²/n of items", () => expectPairs(boardMeans(board).variances, oracle.items));

  it("are CR2 of clusters of unequal sizes", () =>
    expectPairs(boardMeans({ ...board, clusters: codes(oracle.cluster) }).variances, oracle.clusters));

  it("are those of the mean over tasks, which count alike", () => {
    const { variances, estimates } = boardMeans({ ...board, tasks: codes(oracle.task) });
    expectPairs(variances, oracle.macro);
    for (const [s, own] of estimates.entries()) expect(own).toBeCloseTo(oracle.macroMeans[s]!, 12);
  });

  it("do not depend on the order of items, nor on what all systems have in common", () => {
    const n = board.items;
    const shuffled = Int32Array.from({ length: n }, (_, i) => i);
    makeRng("order").shuffleInto(shuffled);
    const scores = Float64Array.from(board.scores, (_, at) => {
      const item = shuffled[at % n]!;
      return board.scores[item + Math.floor(at / n) * n]! + 100 * item;
    });
    expectPairs(boardMeans({ ...board, scores }).variances, oracle.items);
  });

  it("are 0 of two systems with the same scores, and of a constant difference", () => {
    const n = board.items;
    const scores = Float64Array.from({ length: 3 * n }, (_, at) => board.scores[at % n]! + (at < 2 * n ? 0 : 1));
    const { variances, constant } = boardMeans({ systems: ["a", "a again", "a and 1"], scores, items: n });
    expect([...variances.data]).toEqual(new Array(9).fill(0));
    expect(constant.data[0 + 1 * 3]).toBe(0);
    expect(constant.data[2 + 0 * 3]).toBeCloseTo(1, 12);
  });
});

describe("flips and normal draws", () => {
  it("separate the same systems of a board that has enough items for both", () => {
    const rng = makeRng("both");
    const [n, K] = [49, 6];
    for (let trial = 0; trial < 10; trial++) {
      const level = Array.from({ length: n }, () => rng.normal());
      const scores = Float64Array.from(
        { length: n * K },
        (_, at) => level[at % n]! + 0.6 * Math.floor(at / n) + rng.normal(),
      );
      const own = { systems: [..."abcdef"], scores, items: n };
      const means = boardMeans(own);
      const options = { replicates: 4000, rng: rng.stream(trial) };
      const [flips, normal] = [lawOfBoard(own, means, options), normalLaw(means, options)].map((law) =>
        separateAll(law, { alpha: 0.05 }),
      );
      const c = flips!.critical[0]!;
      expect(c).toBeGreaterThan(2.5);
      expect(c).toBeLessThan(4);
      // at the border of either they may differ
      const differ = flips!.better.filter((one, code) => one !== normal!.better[code]).length;
      expect(differ).toBeLessThanOrEqual(2);
    }
  });

  it("enumerate few units: with five no two systems can be separated at 95 %, with six they can", () => {
    const separated = (n: number) => {
      const rng = makeRng("few", n);
      const scores = Float64Array.from({ length: 2 * n }, (_, at) => (at < n ? 0 : 5) + rng.normal() / 10);
      const own = { systems: ["a", "b"], scores, items: n };
      const law = lawOfBoard(own, boardMeans(own), { replicates: 100, rng });
      return separateAll(law, { alpha: 0.05 });
    };
    expect(separated(5).critical).toEqual([Number.POSITIVE_INFINITY]);
    // 2 of 64 flips are as far out
    expect(separated(6).better[1 + 0 * 2]).toBe(1);
  });
});
