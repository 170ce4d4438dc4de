import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Column, factorColumn, numericColumn } from "../../../data/table.ts";
import { learnSmooth, smoothRows } from "../../../formula/basis/basis.ts";
import type { SmoothColumns } from "../../../formula/design.ts";
import { parseFormula } from "../../../formula/parse/parse.ts";
import {
  crossprod,
  fromColumns,
  type Matrix,
  matVec,
  maxAbs,
  multiply,
  tMatVec,
  zeros,
} from "../../../numeric/linalg/matrix.ts";
import { allowWasm } from "../../../numeric/linalg/wasm.ts";
import { makeRng, type Rng } from "../../../numeric/rng.ts";
import { type GamRows, makeGamRows } from "./rows.ts";

/** Relative to the largest entry: both sides round sums of some thousand terms. */
const TOLERANCE = 1e-12;

function makeColumns(n: number, rng: Rng): ReadonlyMap<string, Column> {
  const uniform = (): Float64Array => Float64Array.from({ length: n }, () => rng.uniform());
  const factor = (levels: readonly string[], ordered = false): Column => ({
    kind: "factor",
    levels,
    ordered,
    codes: Int32Array.from({ length: n }, () => rng.int(levels.length)),
  });
  return new Map<string, Column>([
    ["x", numericColumn(uniform())],
    ["z", numericColumn(Float64Array.from({ length: n }, () => 3 * rng.normal()))],
    ["u", numericColumn(uniform())],
    ["ties", numericColumn(Float64Array.from({ length: n }, () => rng.int(40) / 7))],
    ["v", numericColumn(Float64Array.from({ length: n }, () => rng.normal()))],
    ["g", factor(["a", "b", "c"])],
    ["h", factor(["p", "q"])],
    ["o", factor(["low", "mid", "high"], true)],
    ["item", factor(Array.from({ length: 12 }, (_, i) => `i${i}`))],
  ]);
}

interface Case {
  readonly rows: GamRows;
  /** The whole design, made by smoothRows. */
  readonly X: Matrix;
  readonly rng: Rng;
}

function makeCase(text: string, { n = 300, seed = text, discrete = false } = {}): Case {
  const rng = makeRng(seed);
  const columns = makeColumns(n, rng);
  const parametric = fromColumns([new Float64Array(n).fill(1), Float64Array.from({ length: n }, () => rng.normal())]);
  const smooths = parseFormula(`y ~ ${text}`).smooth.flatMap((term) => {
    const own: SmoothColumns = {
      term,
      covariates: term.of.map((name) => columns.get(name)!),
      ...(term.by === undefined ? {} : { by: columns.get(term.by)! }),
    };
    return learnSmooth(own).map((learned) => ({ learned, columns: own }));
  });
  const parts = smooths.map(({ learned, columns: own }) => smoothRows(learned, own.covariates, own.by).data);
  const p = parts.reduce((sum, part) => sum + part.length / n, 2);
  const X = zeros(n, p);
  let at = 0;
  for (const part of [parametric.data, ...parts]) {
    X.data.set(part, at);
    at += part.length;
  }
  return { rows: makeGamRows(parametric, smooths, { discrete }), X, rng };
}

function expectClose(actual: Float64Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length);
  const scale = maxAbs({ rows: expected.length, cols: 1, data: expected });
  let worst = 0;
  for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(actual[i]! - expected[i]!));
  expect(worst / scale).toBeLessThan(TOLERANCE);
}

function normals(rng: Rng, n: number): Float64Array {
  return Float64Array.from({ length: n }, () => rng.normal());
}

function expectSameWork({ rows, X, rng }: Case): void {
  const { rows: n, cols: p } = X;
  expect([rows.n, rows.p]).toEqual([n, p]);
  const beta = normals(rng, p);
  const eta = normals(rng, n); // overwritten
  rows.linearInto(eta, beta);
  expectClose(eta, matVec(X, beta));
  const r = normals(rng, n);
  const g = normals(rng, p);
  rows.transposeInto(g, r);
  expectClose(g, tMatVec(X, r));
  const A = normals(rng, p * p);
  rows.crossInto(A, undefined);
  expectClose(A, crossprod(X).data);
  const w = r.map((value) => value ** 2);
  rows.crossInto(A, w);
  expectClose(A, crossprod(X, X, w).data);
  for (let j = 0; j < p; j++) for (let i = 0; i < j; i++) expect(A[i + j * p]).toBe(A[j + i * p]);
  const V = crossprod({ rows: p, cols: p, data: normals(rng, p * p) });
  const out = normals(rng, n);
  rows.quadraticInto(out, V.data);
  const XV = multiply(X, V);
  expectClose(
    out,
    Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < p; j++) sum += XV.data[i + j * n]! * X.data[i + j * n]!;
      return sum;
    }),
  );
}

const smooths = [
  's(x, bs = "cr", k = 12)',
  's(x, bs = "cs", k = 8)',
  's(x, bs = "cc", k = 9)',
  's(x, bs = "ps", k = 11)',
  's(x, bs = "ps", k = 8, m = c(0, 1))',
  's(x, bs = "bs", k = 11, m = c(4, 2))',
  "s(x)",
  "s(x, k = 60)",
  "s(ties, k = 7)",
  's(x, bs = "ts", k = 6)',
  "s(x, m = 3, k = 8)",
  "s(x, z, k = 20)",
  's(item, bs = "re")',
  's(item, v, bs = "re")',
  's(g, h, bs = "re")',
  's(v, bs = "re")',
  's(v, z, bs = "re")',
  's(v, by = g, bs = "re")',
  's(v, by = u, bs = "re")',
  's(x, bs = "cr", by = v)',
  "s(x, by = v, k = 6)",
  's(x, bs = "cr", k = 7, by = g)',
  "s(x, k = 7, by = o)",
  "te(x, z)",
  'te(x, z, k = c(4, 6), bs = c("ps", "cr"))',
  'te(x, z, bs = "tp", k = 4)',
  "ti(x, z, k = 4)",
  "te(x, z, k = 4, by = g)",
  "te(x, z, u, k = 3)",
  'te(x, z, u, d = c(2, 1), k = c(8, 4), bs = c("tp", "cr"))',
];

describe("the same work as with the whole design", () => {
  it.each(smooths)("%s", (text) => {
    expectSameWork(makeCase(text));
  });

  it.each([
    's(x, bs = "cr", k = 12) + s(z, bs = "ps", k = 9) + s(u) + s(item, bs = "re")',
    "s(x, by = g) + s(z, by = g, k = 5) + s(u, by = h, k = 5)",
    's(x, bs = "cr", by = g, k = 5) + s(z, by = o, k = 5) + s(u, bs = "ps", by = v) + te(x, z, k = 3)',
    "s(x, k = 50) + s(z, k = 40) + s(u, bs = 'cr', k = 20)",
    "s(x, z, k = 12) + s(u, bs = 'bs') + te(z, u, k = 4, by = g) + s(item, v, bs = 're')",
  ])("%s", (text) => {
    expectSameWork(makeCase(text));
  });

  it("more rows than one slice, by levels that end within one", () => {
    expectSameWork(makeCase('s(x, bs = "cr", k = 8, by = g) + s(ties, k = 5) + s(z, bs = "ps")', { n: 9001 }));
  });

  it("without WebAssembly", () => {
    const before = allowWasm(false);
    try {
      expectSameWork(makeCase('s(x, bs = "cr", k = 12) + s(z, bs = "ps", k = 60) + s(u, bs = "cc")'));
    } finally {
      allowWasm(before);
    }
  });

  it("random pairs of terms", () => {
    const term = fc.constantFrom(...smooths);
    fc.assert(
      fc.property(term, term, fc.integer({ min: 1, max: 1e6 }), (one, two, seed) => {
        expectSameWork(makeCase(`${one} + ${two}`, { n: 150, seed: String(seed) }));
      }),
      { numRuns: 8, seed: 5 },
    );
  });
});

/** One of each kind of block: dense or sparse, of one to many functions a row, through a table or not, of all rows or of some. */
const kinds = [
  's(u, bs = "cr", k = 3)',
  's(x, bs = "cr", k = 7)',
  's(u, bs = "ps", k = 6)',
  's(u, bs = "bs", k = 7, m = c(4, 2))',
  's(x, bs = "cr", k = 4, by = v)',
  's(x, bs = "cr", k = 4, by = g)',
  "s(z, k = 4)",
  "s(x, k = 40)",
  "s(x, m = 1, k = 5)",
  "s(x, z, k = 8)",
  "s(x, z, k = 5, by = h)",
  "te(x, u, k = 3)",
  'te(x, u, bs = "tp", k = 3)',
  's(item, bs = "re")',
  's(item, z, bs = "re")',
  's(v, bs = "re")',
  's(v, z, bs = "re")',
  's(v, by = g, bs = "re")',
  's(v, by = z, bs = "re")',
];

describe("a random slope of a number beside a thin plate smooth was taken for sparse rows", () => {
  it.each(kinds)("%s before and after every kind of block", (one) => {
    for (const two of kinds) expectSameWork(makeCase(`${one} + ${two}`, { n: 70 }));
  });
});

describe("rows that the bases were not learned from", () => {
  it.each([
    's(x, bs = "cr", k = 8)',
    's(x, bs = "ps")',
    "s(x)",
    "s(x, z, k = 12)",
    "te(x, z, k = 4)",
    's(item, bs = "re")',
    "s(x, by = g, k = 6)",
  ])("%s: beyond the range, of an unknown level, with a missing value", (text) => {
    const rng = makeRng(text);
    const old = makeColumns(200, rng);
    const term = parseFormula(`y ~ ${text}`).smooth[0]!;
    const pick = (columns: ReadonlyMap<string, Column>): SmoothColumns => ({
      term,
      covariates: term.of.map((name) => columns.get(name)!),
      ...(term.by === undefined ? {} : { by: columns.get(term.by)! }),
    });
    const fresh = new Map(old);
    fresh.set("x", numericColumn([-0.5, 1.7, 0.3, Number.NaN, 0.4]));
    fresh.set("z", numericColumn([-20, 3, 30, 1, 0.1]));
    fresh.set("item", factorColumn(["i3", "new", "i0", "i11", "i5"]));
    fresh.set("g", factorColumn(["b", "c", "b", "b", "c"]));
    for (const learned of learnSmooth(pick(old))) {
      const columns = pick(fresh);
      const rows = makeGamRows(zeros(5, 0), [{ learned, columns }]);
      const beta = normals(rng, learned.columns);
      const eta = new Float64Array(5);
      rows.linearInto(eta, beta);
      const expected = matVec(smoothRows(learned, columns.covariates, columns.by), beta);
      eta.forEach((value, i) => {
        if (Number.isNaN(expected[i]!)) expect(value).toBeNaN();
        else expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-11 * (1 + Math.abs(expected[i]!)));
      });
    }
  });
});

describe("discrete", () => {
  it("moves points by at most half a bin, and nothing else", () => {
    const { rows, X, rng } = makeCase("s(x, z, k = 10) + s(u)", { n: 2000, discrete: true });
    const beta = normals(rng, X.cols);
    const eta = new Float64Array(X.rows);
    rows.linearInto(eta, beta);
    const exact = matVec(X, beta);
    const worst = exact.reduce((most, value, i) => Math.max(most, Math.abs(value - eta[i]!)), 0);
    expect(worst).toBeGreaterThan(0);
    // a thin plate spline of ten columns over the range has slopes of some tens of its size; half a bin is 1/200 of the range
    expect(worst).toBeLessThan(0.1 * maxAbs({ rows: exact.length, cols: 1, data: exact }));
    beta.fill(0, 2, 11);
    rows.linearInto(eta, beta);
    expectClose(eta, matVec(X, beta));
  });
});
