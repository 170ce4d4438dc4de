import { describe, expect, it } from "vitest";
import { cholesky, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { makeRng } from "../../numeric/rng.ts";
import { makeBlockFactors } from "./blocks.ts";
import { makeSparseFactors, type RandomFactor, type RandomRows } from "./factor.ts";

interface Case {
  readonly name: string;
  /** Level of each row in each term, the first term having the most levels. */
  readonly levels: readonly (readonly number[])[];
  readonly counts: readonly number[];
  readonly sizes: readonly number[];
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

const CASES: readonly Case[] = [
  {
    name: "items in two clusters of raters, slopes in both",
    levels: [upTo(48).map((k) => k % 12), upTo(48).map((k) => 4 * Math.floor((k % 12) / 6) + Math.floor(k / 12))],
    counts: [12, 8],
    sizes: [2, 2],
  },
  {
    name: "fully crossed intercepts",
    levels: [upTo(30).map((k) => k % 10), upTo(30).map((k) => Math.floor(k / 10))],
    counts: [10, 3],
    sizes: [1, 1],
  },
  { name: "one term with three columns", levels: [upTo(24).map((k) => k % 6)], counts: [6], sizes: [3] },
  {
    name: "classes within schools, crossed with two raters",
    levels: [upTo(36).map((k) => k % 12), upTo(36).map((k) => Math.floor((k % 12) / 3)), upTo(36).map((k) => k % 2)],
    counts: [12, 4, 2],
    sizes: [2, 1, 1],
  },
  {
    name: "levels without rows",
    levels: [upTo(12).map((k) => k % 4), upTo(12).map((k) => k % 3)],
    counts: [6, 5],
    sizes: [2, 2],
  },
  {
    name: "two terms of one factor",
    levels: [upTo(12).map((k) => k % 4), upTo(12).map((k) => k % 4)],
    counts: [4, 4],
    sizes: [1, 2],
  },
];

function randomRows({ levels, counts, sizes }: Case): { readonly Z: RandomRows; readonly w: Float64Array } {
  const rng = makeRng("blocks");
  const rows = levels[0]!.length;
  const width = sizes.reduce((a, b) => a + b, 0);
  const column: number[] = [];
  for (let i = 0; i < rows; i++) {
    let start = 0;
    sizes.forEach((q, t) => {
      for (let c = 0; c < q; c++) column.push(start + levels[t]![i]! * q + c);
      start += counts[t]! * q;
    });
  }
  const size = counts.reduce((sum, count, t) => sum + count * sizes[t]!, 0);
  const zl = Float64Array.from(column, () => rng.normal());
  const w = Float64Array.from({ length: rows }, () => 0.2 + rng.uniform());
  return { Z: { rows, width, size, column: Int32Array.from(column), zl }, w };
}

function assembled({ rows, width, size, column, zl }: RandomRows, w: Float64Array): Matrix {
  const H = zeros(size, size);
  for (let j = 0; j < size; j++) H.data[j * (size + 1)] = 1;
  for (let i = 0; i < rows; i++) {
    for (let a = i * width; a < (i + 1) * width; a++) {
      for (let b = i * width; b < (i + 1) * width; b++) {
        H.data[column[a]! + column[b]! * size]! += w[i]! * zl[a]! * zl[b]!;
      }
    }
  }
  return H;
}

const ENOUGH = { refuse: () => {}, most: Number.POSITIVE_INFINITY };

const KINDS: readonly [string, (one: Case, Z: RandomRows) => readonly [RandomFactor, RandomFactor] | undefined][] = [
  ["blocks", ({ counts, sizes }, Z) => makeBlockFactors(Z, { levels: counts[0]!, size: sizes[0]! }, ENOUGH)],
  ["sparse", (_, Z) => makeSparseFactors(Z, ENOUGH)],
];

describe.each(KINDS)("Λ'Z'WZΛ + I by %s, against the dense matrix", (_, make) => {
  it.each(CASES)("$name", (one) => {
    const { Z, w } = randomRows(one);
    const { size, width, rows, column, zl } = Z;
    const dense = cholesky(assembled(Z, w))!;
    const G = cholInverse(dense).data;
    const F = make(one, Z)![0];
    expect(F.factor(w)).toBe(true);
    expect(F.logDet()).toBeCloseTo(cholLogDet(dense), 11);
    const b = Float64Array.from({ length: size }, (_, j) => Math.cos(j));
    const x = b.slice();
    F.solveInto(x);
    for (let i = 0; i < size; i++) {
      let expected = 0;
      for (let j = 0; j < size; j++) expected += G[i + j * size]! * b[j]!;
      expect(x[i]).toBeCloseTo(expected, 11);
    }
    const h = new Float64Array(rows);
    const m = new Float64Array(rows * width);
    F.leveragesInto(h, m);
    for (let i = 0; i < rows; i++) {
      let leverage = 0;
      for (let a = i * width; a < (i + 1) * width; a++) {
        let expected = 0;
        for (let c = i * width; c < (i + 1) * width; c++) {
          expected += G[column[a]! + column[c]! * size]! * zl[c]!;
          expect(F.inverseEntry(column[a]!, column[c]!)).toBeCloseTo(G[column[a]! + column[c]! * size]!, 11);
        }
        expect(m[a]).toBeCloseTo(expected, 11);
        leverage += zl[a]! * expected;
      }
      expect(h[i]).toBeCloseTo(leverage, 11);
    }
  });

  it("finds no factor where the weights are not numbers", () => {
    const { Z, w } = randomRows(CASES[0]!);
    w[3] = Number.NaN;
    expect(make(CASES[0]!, Z)![0].factor(w)).toBe(false);
  });
});

it("leaves to the sparse factor what is scattered: each level meets few of many", () => {
  const rng = makeRng("scattered");
  const draw = (n: number): number[] => upTo(1000).map(() => rng.int(n));
  const { Z } = randomRows({ name: "", levels: [draw(400), draw(300)], counts: [400, 300], sizes: [1, 1] });
  expect(makeBlockFactors(Z, { levels: 400, size: 1 }, ENOUGH)).toBeUndefined();
});
