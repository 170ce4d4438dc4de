import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlockDiagonal } from "./block.ts";
import {
  blocksLogDet,
  factorBlocksInto,
  inverseBlocksInto,
  solveBlocksAt,
  solveBlocksInto,
  solveBlocksTAt,
  subtractGramInto,
  subtractTimesInto,
  subtractTTimesInto,
  zeroBlocks,
} from "./block.ts";
import { cholesky, cholInverse, cholLogDet, cholSolve } from "./cholesky.ts";
import type { LevelColumns } from "./level-columns.ts";
import {
  inverseLevelBlocksInto,
  levelColumns,
  levelColumnsToDense,
  planSchur,
  schurSparseInto,
  solveLevelsInto,
  subtractLevelsInto,
  subtractLevelsTimesInto,
  subtractLevelsTTimesInto,
} from "./level-columns.ts";
import { findLevelPatterns, representativeBlocks, representativeLevels, representativeRows } from "./level-patterns.ts";
import type { Matrix } from "./matrix.ts";
import { clone, crossprod, mirrorLowerInto, transpose, zeros } from "./matrix.ts";
import { inverseEntry, selectedInverse } from "./selected-inverse.ts";
import type { Sparse } from "./sparse.ts";
import { fromTriplets, sparseToDense } from "./sparse.ts";
import { factorInto, makeFactor, sparseLogDet } from "./sparse-cholesky.ts";
import { analyze } from "./symbolic.ts";

function uniforms(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x80000000;
  };
}

interface Problem {
  readonly whole: Matrix;
  readonly A11: BlockDiagonal;
  readonly A12: LevelColumns;
  readonly A22: Matrix;
  readonly A22lower: Sparse;
}

/** A random mixed-model matrix [Z X]'[Z X] + I: `levels` levels with q effects, m further columns, few per level. */
function makeProblem(levels: number, q: number, m: number, seed: number): Problem {
  const draw = uniforms(seed);
  const n = levels * q;
  const rows = levels * (q + 2);
  const D = zeros(rows, n + m);
  for (let r = 0; r < rows; r++) {
    const l = r % levels;
    for (let k = 0; k < q; k++) D.data[r + (l * q + k) * rows] = draw() + 0.2;
    D.data[r + (n + Math.floor(draw() * m)) * rows] = draw() + 0.5;
  }
  const whole = crossprod(D);
  for (let i = 0; i < n + m; i++) whole.data[i * (n + m + 1)]! += 0.7;
  return split(whole, levels, q);
}

function split(whole: Matrix, levels: number, q: number): Problem {
  const n = levels * q;
  const m = whole.rows - n;
  const at = (i: number, j: number) => whole.data[i + j * whole.rows]!;
  const A11 = zeroBlocks(levels, q);
  for (let l = 0; l < levels; l++) {
    for (let j = 0; j < q; j++) for (let i = 0; i < q; i++) A11.data[l * q * q + i + j * q] = at(l * q + i, l * q + j);
  }
  const t = { i: [] as number[], j: [] as number[], x: [] as number[] };
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < n; i++) {
      if (at(i, n + j) === 0) continue;
      t.i.push(i);
      t.j.push(j);
      t.x.push(at(i, n + j));
    }
  }
  const A22 = zeros(m, m);
  const s = { i: [] as number[], j: [] as number[], x: [] as number[] };
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < m; i++) {
      A22.data[i + j * m] = at(n + i, n + j);
      if (i < j || at(n + i, n + j) === 0) continue;
      s.i.push(i);
      s.j.push(j);
      s.x.push(at(n + i, n + j));
    }
  }
  return { whole, A11, A12: levelColumns({ levels, size: q, cols: m }, t), A22, A22lower: fromTriplets(m, m, s) };
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let m = 0;
  for (let i = 0; i < a.length; i++) m = Math.max(m, Math.abs(a[i]! - b[i]!));
  return m;
}

/** The trailing m × m block of a factor of the whole matrix, times its transpose: the true Schur complement. */
function trueSchur(L: Matrix, m: number): Matrix {
  const n = L.rows - m;
  const R = zeros(m, m);
  for (let j = 0; j < m; j++) for (let i = j; i < m; i++) R.data[j + i * m] = L.data[n + i + (n + j) * L.rows]!;
  return crossprod(R);
}

const problems = fc.record({
  levels: fc.integer({ min: 1, max: 12 }),
  q: fc.integer({ min: 1, max: 4 }),
  m: fc.integer({ min: 1, max: 9 }),
  seed: fc.nat(1e6),
});

describe("block elimination against the dense factorisation of the assembled matrix", () => {
  it("Schur complement, log-determinant and solution; dense, by level, and sparse", () => {
    fc.assert(
      fc.property(problems, ({ levels, q, m, seed }) => {
        const { whole, A11, A12, A22, A22lower } = makeProblem(levels, q, m, seed);
        const n = levels * q;
        const full = cholesky(whole)!;
        const exact = trueSchur(full, m);
        const L = zeroBlocks(levels, q);
        expect(factorBlocksInto(L, A11)).toBe(-1);

        const V = levelColumnsToDense(A12);
        solveBlocksInto(V, L);
        const S = clone(A22);
        subtractGramInto(S, V);
        expect(distance(S.data, exact.data)).toBeLessThan(1e-12);
        const C = cholesky(S)!;
        expect(Math.abs(blocksLogDet(L) + cholLogDet(C) - cholLogDet(full))).toBeLessThan(1e-11);

        const W = { ...A12, values: A12.values.slice() };
        solveLevelsInto(W, L);
        expect(distance(levelColumnsToDense(W).data, V.data)).toBeLessThan(1e-14);
        const S2 = clone(A22);
        subtractLevelsInto(S2, W);
        expect(distance(S2.data, exact.data)).toBeLessThan(1e-12);

        const plan = planSchur(A12, A22lower);
        schurSparseInto(plan, A22lower.values, W);
        const S3 = sparseToDense(plan.schur);
        mirrorLowerInto(S3);
        expect(distance(S3.data, exact.data)).toBeLessThan(1e-12);
        const F = makeFactor(analyze(plan.schur));
        expect(factorInto(F, plan.schur.values)).toBe(-1);
        expect(Math.abs(sparseLogDet(F) - cholLogDet(C))).toBeLessThan(1e-11);

        const b = new Float64Array(n + m).map(uniforms(seed + 1));
        const solution = cholSolve(full, b);
        for (const byLevel of [false, true]) {
          const x1 = b.slice(0, n);
          const x2 = b.slice(n);
          solveBlocksAt(x1, 0, L);
          if (byLevel) subtractLevelsTTimesInto(x2, W, x1);
          else subtractTTimesInto(x2, V, x1);
          const u2 = cholSolve(C, x2);
          if (byLevel) subtractLevelsTimesInto(x1, W, u2);
          else subtractTimesInto(x1, V, u2);
          solveBlocksTAt(x1, 0, L);
          expect(distance([...x1, ...u2], solution)).toBeLessThan(1e-12);
        }
      }),
      { numRuns: 80 },
    );
  });

  it("diagonal blocks of the whole inverse; dense, by level, and from the sparse selected inverse", () => {
    fc.assert(
      fc.property(problems, ({ levels, q, m, seed }) => {
        const { whole, A11, A12, A22, A22lower } = makeProblem(levels, q, m, seed);
        const exact = split(cholInverse(cholesky(whole)!), levels, q).A11.data;
        const L = zeroBlocks(levels, q);
        factorBlocksInto(L, A11);
        const W = { ...A12, values: A12.values.slice() };
        solveLevelsInto(W, L);
        const V = levelColumnsToDense(W);
        const S = clone(A22);
        subtractGramInto(S, V);
        const Z = cholInverse(cholesky(S)!);
        const out = zeroBlocks(levels, q);
        inverseBlocksInto(out, L, V, Z, zeros(V.rows, V.cols));
        expect(distance(out.data, exact)).toBeLessThan(1e-12);
        inverseLevelBlocksInto(out, L, W, (i, j) => Z.data[i + j * m]!);
        expect(distance(out.data, exact)).toBeLessThan(1e-12);
        const plan = planSchur(A12, A22lower);
        schurSparseInto(plan, A22lower.values, W);
        const F = makeFactor(analyze(plan.schur));
        factorInto(F, plan.schur.values);
        const selected = selectedInverse(F);
        inverseLevelBlocksInto(out, L, W, (i, j) => inverseEntry(selected, i, j));
        expect(distance(out.data, exact)).toBeLessThan(1e-12);
      }),
      { numRuns: 40 },
    );
  });
});

describe("levels that coincide", () => {
  /** Three kinds of level, repeated 4, 1 and 2 times in mixed order. */
  function repeated(q: number): Problem & { kinds: number[] } {
    const base = makeProblem(3, q, 4, 77);
    const kinds = [0, 1, 0, 2, 0, 2, 0];
    const n = kinds.length * q;
    const dense = levelColumnsToDense(base.A12);
    const whole = zeros(n + 4, n + 4);
    const put = (i: number, j: number, x: number) => {
      whole.data[i + j * (n + 4)] = x;
      whole.data[j + i * (n + 4)] = x;
    };
    kinds.forEach((k, l) => {
      for (let i = 0; i < q; i++) {
        for (let j = 0; j < q; j++) put(l * q + i, l * q + j, base.A11.data[k * q * q + i + j * q]!);
        for (let c = 0; c < 4; c++) put(l * q + i, n + c, dense.data[k * q + i + c * dense.rows]!);
      }
    });
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) put(n + i, n + j, i === j ? 60 : 1);
    return { ...split(whole, kinds.length, q), kinds };
  }

  for (const q of [1, 2, 3]) {
    it(`one elimination per pattern gives the whole Schur complement and log-determinant (q = ${q})`, () => {
      const { whole, A11, A12, A22, A22lower, kinds } = repeated(q);
      const full = cholesky(whole)!;
      const exact = trueSchur(full, 4);
      const patterns = findLevelPatterns(A11, A12);
      expect(Array.from(patterns.patternOf)).toEqual(kinds);
      expect(Array.from(patterns.count)).toEqual([4, 1, 2]);
      expect(findLevelPatterns(A11, levelColumnsToDense(A12)).patternOf).toEqual(patterns.patternOf);
      const L = representativeBlocks(A11, patterns);
      expect(factorBlocksInto(L, L)).toBe(-1);

      const V = representativeRows(levelColumnsToDense(A12), q, patterns);
      solveBlocksInto(V, L);
      const S = clone(A22);
      subtractGramInto(S, V, patterns.rowCount);
      expect(distance(S.data, exact.data)).toBeLessThan(1e-12);

      const W = representativeLevels(A12, patterns);
      solveLevelsInto(W, L);
      const S2 = clone(A22);
      subtractLevelsInto(S2, W, patterns.count);
      expect(distance(S2.data, exact.data)).toBeLessThan(1e-12);
      const plan = planSchur(W, A22lower);
      schurSparseInto(plan, A22lower.values, W, patterns.count);
      const S3 = sparseToDense(plan.schur);
      mirrorLowerInto(S3);
      expect(distance(S3.data, exact.data)).toBeLessThan(1e-12);
      const total = blocksLogDet(L, patterns.count) + cholLogDet(cholesky(S)!);
      expect(Math.abs(total - cholLogDet(full))).toBeLessThan(1e-12);
    });
  }

  it("levels that differ in one number of either block are told apart", () => {
    const A11 = { levels: 2, size: 1, data: Float64Array.of(3, 3) };
    const t = { i: [0, 1], j: [0, 0], x: [1, 1 + Number.EPSILON] };
    expect(findLevelPatterns(A11, levelColumns({ levels: 2, size: 1, cols: 1 }, t)).count.length).toBe(2);
    const same = levelColumns({ levels: 2, size: 1, cols: 1 }, { ...t, x: [1, 1] });
    expect(findLevelPatterns(A11, same).count.length).toBe(1);
    expect(findLevelPatterns({ ...A11, data: Float64Array.of(3, 4) }, same).count.length).toBe(2);
  });
});

describe("blocks alone", () => {
  it("factor of a 2 × 2 block by hand; the upper triangle is not read", () => {
    const A = { levels: 2, size: 2, data: Float64Array.of(4, 2, Number.NaN, 10, 9, 3, Number.NaN, 2) };
    const L = zeroBlocks(2, 2);
    expect(factorBlocksInto(L, A)).toBe(-1);
    expect(Array.from(L.data)).toEqual([2, 1, 0, 3, 3, 1, 0, 1]);
    expect(blocksLogDet(L)).toBeCloseTo(Math.log(36 * 9), 14);
  });

  it("names the level that is not positive definite", () => {
    expect(factorBlocksInto(zeroBlocks(3, 1), { levels: 3, size: 1, data: Float64Array.of(1, 0, -1) })).toBe(1);
    expect(factorBlocksInto(zeroBlocks(3, 1), { levels: 3, size: 1, data: Float64Array.of(1, 1, Number.NaN) })).toBe(2);
    const A = { levels: 2, size: 2, data: Float64Array.of(1, 0, 0, 1, 1, 2, 2, 1) };
    expect(factorBlocksInto(zeroBlocks(2, 2), A)).toBe(1);
  });

  it("a level that meets no column leaves the Schur complement alone", () => {
    const A12 = levelColumns({ levels: 3, size: 2, cols: 2 }, { i: [4, 5], j: [1, 1], x: [1, 2] });
    expect(transpose(levelColumnsToDense(A12)).data.filter((v) => v !== 0).length).toBe(2);
    const L = { levels: 3, size: 2, data: Float64Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1) };
    solveLevelsInto(A12, L);
    const S = { rows: 2, cols: 2, data: Float64Array.of(9, 1, 1, 9) };
    subtractLevelsInto(S, A12);
    expect(Array.from(S.data)).toEqual([9, 1, 1, 4]);
  });
});
