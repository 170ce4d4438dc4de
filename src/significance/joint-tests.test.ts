import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { independentTests, jointTests } from "./joint-tests.ts";
import { tukeyP } from "./multiplicity.ts";

interface Case {
  readonly id: string;
  readonly covariance: readonly (readonly number[])[];
  readonly pairs: readonly (readonly [number, number])[];
  readonly p: readonly number[];
  readonly adjusted: readonly number[];
}
const { cases } = JSON.parse(readFileSync("oracle/r/joint-tests.json", "utf8")) as { readonly cases: readonly Case[] };

function matrixOf(rows: readonly (readonly number[])[]): Matrix {
  const out = zeros(rows.length, rows.length);
  rows.forEach((row, i) => {
    row.forEach((v, j) => {
      out.data[i + j * rows.length] = v;
    });
  });
  return out;
}
const identity = (K: number): Matrix =>
  matrixOf(Array.from({ length: K }, (_, i) => Array.from({ length: K }, (_j, j) => Number(i === j))));
const allPairs = (K: number): [number, number][] =>
  Array.from({ length: K }, (_, b) => Array.from({ length: b }, (_a, a): [number, number] => [a, b])).flat();

/** The draws are fixed: what they leave in p is below this share of it. */
const DRAWN = 0.02;
const near = (value: number, truth: number): void => expect(Math.abs(value / truth - 1)).toBeLessThan(DRAWN);

describe("tests at once", () => {
  for (const { id, covariance, pairs, p, adjusted } of cases)
    it(`have mvtnorm's p: ${id}`, () => {
      const joint = jointTests(matrixOf(covariance), pairs);
      for (const [k, own] of p.entries()) near(joint.adjust(own), adjusted[k]!);
    });

  it("of all pairs of independent systems have the p of the studentized range, also far out", () => {
    for (const K of [3, 6]) {
      const joint = jointTests(identity(K), allPairs(K));
      for (const p of [0.5, 0.05, 1e-4, 1e-10])
        near(joint.adjust(p), tukeyP(normalQuantileUpper(p / 2), K, Number.POSITIVE_INFINITY));
    }
  });

  it("have a level at which p is alpha, between Bonferroni's and 1", () => {
    const joint = jointTests(matrixOf(cases[1]!.covariance), cases[1]!.pairs);
    const level = joint.levelFor(0.05);
    expect(joint.adjust(level)).toBeCloseTo(0.05, 10);
    expect(level).toBeGreaterThan(0.005);
    let last = 0;
    for (let p = 1e-6; p < 1; p *= 1.3) {
      const own = joint.adjust(p);
      expect(own).toBeGreaterThanOrEqual(Math.max(p, last));
      last = own;
    }
  });

  it("count a system and its copy once, and the two not at all", () => {
    const S = matrixOf(cases[0]!.covariance.map((row) => [...row]));
    const copied = zeros(5, 5);
    const of = (i: number): number => (i === 4 ? 3 : i);
    for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) copied.data[i + 5 * j] = S.data[of(i) + 4 * of(j)]!;
    const [four, five] = [jointTests(S, allPairs(4)), jointTests(copied, allPairs(5))];
    for (const p of [0.2, 0.05, 0.001]) near(five.adjust(p), four.adjust(p));
  });

  it("leave one test, p = 1 and an unknown p as they are", () => {
    expect(jointTests(identity(2), [[0, 1]]).adjust(0.03)).toBeCloseTo(0.03, 15);
    const joint = jointTests(identity(3), allPairs(3));
    expect([joint.adjust(1), joint.adjust(Number.NaN), joint.adjust(0)]).toEqual([1, Number.NaN, 0]);
  });

  it("that are independent are Šidák's", () => {
    const { adjust, levelFor } = independentTests(4);
    expect(adjust(0.01)).toBeCloseTo(1 - 0.99 ** 4, 14);
    expect(adjust(levelFor(0.05))).toBeCloseTo(0.05, 14);
  });
});
