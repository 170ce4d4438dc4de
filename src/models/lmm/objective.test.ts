import { describe, expect, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { buildDesign, type Design } from "../../formula/design.ts";
import { cholesky, cholInverse, cholLogDet, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { bilinear, crossprod, type Matrix, matVec, multiply, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import { makeRng } from "../../numeric/rng.ts";
import { relativeFactor } from "../random/random.ts";
import { measureCurvature, polishSolution } from "./curvature.ts";
import { lmmGradient } from "./gradient.ts";
import { usesRoots } from "./inverse.ts";
import { conditionalModes } from "./modes.ts";
import { fixedCovariance, lmmObjective } from "./objective.ts";
import { type LmmProblem, prepareLmm } from "./problem.ts";
import { summarizeResponse } from "./response.ts";
import { solveLmm } from "./solve.ts";

/** Ratings of items by workers: who rates what is given by `worker(i)`. */
function ratings(rows: number, items: number, worker: (i: number) => number): Table {
  const rng = makeRng("ratings");
  const x = Array.from({ length: rows }, () => Math.round(100 * rng.normal()) / 100);
  const w = Array.from({ length: rows }, () => 0.5 + Math.round(20 * rng.uniform()) / 10);
  const item = Array.from({ length: rows }, (_, i) => i % items);
  const own = Array.from({ length: items }, () => rng.normal());
  const theirs = Array.from({ length: rows }, () => rng.normal());
  const y = x.map((v, i) => 5 + 0.3 * v + own[item[i]!]! + (0.6 + 0.3 * v) * theirs[worker(i)]! + rng.normal());
  return makeTable([
    ["y", numericColumn(y)],
    ["x", numericColumn(x)],
    ["w", numericColumn(w)],
    ["f", factorColumn(x.map((_, i) => "abc"[Math.floor(i / 7) % 3]!))],
    ["item", factorColumn(item.map((k) => `i${k}`))],
    ["worker", factorColumn(x.map((_, i) => `w${worker(i)}`))],
  ]);
}

const crossed = ratings(96, 12, (i) => Math.floor(i / 12) % 5);
const lists = ratings(510, 170, (i) => Math.floor(((i % 170) * 8 + Math.floor(i / 170) * 11) / 8) % 160);
const longLists = ratings(420, 105, (i) => Math.floor(((i % 105) * 7 + Math.floor(i / 105) * 11) / 9) % 90);
// every worker meets almost every other through some item
const dense = ratings(690, 115, (i) => (i * i * 7 + 13 * (i % 23)) % 103);

/** The same by n × n matrices: V = W⁻¹ + Z ΛΛ' Z'. */
function direct({ structure, rows, weights, X, criterion, nobs }: LmmProblem, design: Design, theta: Float64Array) {
  const n = nobs;
  const parts = structure.terms.map(({ block, levels, size }, t) => {
    const { index, Z } = design.random[block]!;
    const full = zeros(n, levels * size);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < size; k++) full.data[i + (index[rows[i]!]! * size + k) * n] = Z.data[rows[i]! + k * Z.rows]!;
    }
    const T = relativeFactor(structure, theta, t);
    const Lambda = zeros(levels * size, levels * size);
    for (let l = 0; l < levels; l++) {
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < size; b++)
          Lambda.data[l * size + a + (l * size + b) * levels * size] = T.data[a + b * size]!;
      }
    }
    return { Z: full, ZL: multiply(full, Lambda), Lambda };
  });
  const V = zeros(n, n);
  for (let i = 0; i < n; i++) V.data[i * (n + 1)] = 1 / (weights ? weights[i]! : 1);
  for (const { ZL } of parts) {
    const outer = multiply(ZL, transposed(ZL));
    for (let i = 0; i < n * n; i++) V.data[i]! += outer.data[i]!;
  }
  const L = cholesky(V)!;
  const inverse = cholInverse(L);
  const XVX = crossprod(X, multiply(inverse, X));
  const C = cholesky(XVX)!;
  const y = design.y;
  const beta = cholSolve(C, tMatVec(X, matVec(inverse, y)));
  const fitted = matVec(X, beta);
  const e = y.map((v, i) => v - fitted[i]!);
  const r2 = bilinear(e, inverse, e);
  const df = criterion === "REML" ? n - X.cols : n;
  const value =
    cholLogDet(L) + (criterion === "REML" ? cholLogDet(C) : 0) + df * (1 + Math.log((2 * Math.PI * r2) / df));
  return { value, covariance: cholInverse(C), beta, parts, inverse, e, sigma: Math.sqrt(r2 / df) };
}

function transposed(A: Matrix): Matrix {
  const T = zeros(A.cols, A.rows);
  for (let j = 0; j < A.cols; j++) for (let i = 0; i < A.rows; i++) T.data[j + i * A.cols] = A.data[i + j * A.rows]!;
  return T;
}

const cases: [string, string, Table, { weights?: string; criterion: "REML" | "ML"; sparse: boolean }][] = [
  ["one factor", "y ~ x + (x | item)", crossed, { criterion: "REML", sparse: false }],
  ["crossed", "y ~ x + (x | item) + (x || worker)", crossed, { criterion: "REML", sparse: false }],
  [
    "crossed, ML, weights",
    "y ~ f + (1 | item) + (0 + f | worker)",
    crossed,
    { weights: "w", criterion: "ML", sparse: false },
  ],
  ["lists", "y ~ x + (1 | item) + (1 | worker)", lists, { criterion: "REML", sparse: true }],
  [
    "lists with slopes",
    "y ~ x + (1 | item) + (0 + x | item) + (x | worker)",
    longLists,
    { weights: "w", criterion: "REML", sparse: true },
  ],
  ["a large dense complement", "y ~ x + (x | item) + (x | worker)", dense, { criterion: "REML", sparse: false }],
  ["lists, ML", "y ~ x + (1 | item) + (x | worker) + (1 | f)", lists, { criterion: "ML", sparse: true }],
];

describe.each(cases)("%s", (_, formula, table, { weights, criterion, sparse }) => {
  const design = buildDesign(formula, table, weights === undefined ? {} : { weights });
  const problem = prepareLmm(design, { criterion });
  const k = problem.structure.term.length;
  const inside = Float64Array.from({ length: k }, (_, j) => (problem.structure.lower[j] === 0 ? 0.9 - 0.13 * j : -0.2));
  const edge = inside.map((v, j) => (j === 0 || problem.structure.lower[j] !== 0 ? 0 : v));

  it("takes the path that it should", () => {
    expect(problem.cross.schur.sparse !== undefined).toBe(sparse);
    lmmObjective(problem, inside, design.y);
    expect(usesRoots(problem)).toBe(table === dense);
  });

  it.each([
    ["inside", inside],
    ["with a variance of 0", edge],
  ])("criterion and covariance of beta equal those of n × n matrices, %s", (_, theta) => {
    const expected = direct(problem, design, theta);
    expectClose([lmmObjective(problem, theta, design.y)], [expected.value], { tolerance: 1e-12 });
    expectClose(fixedCovariance(problem, theta).data, expected.covariance.data, { tolerance: 1e-9, floor: 1e-3 });
  });

  it("gradient equals numerical derivatives, on the boundary too", () => {
    const response = summarizeResponse(problem, design.y);
    for (const theta of [inside, edge, new Float64Array(k).fill(0)]) {
      const numeric = estimateGradient((t) => lmmObjective(problem, t, response), theta);
      expectClose(lmmGradient(problem, theta, response), numeric, { tolerance: 1e-8, floor: 10 });
    }
  });

  it("modes and their SDs equal those of n × n matrices", () => {
    const response = summarizeResponse(problem, design.y);
    const { value, beta, parts, inverse, e, sigma } = direct(problem, design, inside);
    const solution = {
      ...solveLmm(problem, response),
      theta: inside,
      beta,
      sigma,
      objective: value,
    };
    const { modes, sd } = conditionalModes(problem, solution);
    const Ve = matVec(inverse, e);
    problem.structure.terms.forEach(({ block, levels, size }, t) => {
      const { Z, Lambda } = parts[t]!;
      const G = multiply(Lambda, transposed(Lambda));
      const b = matVec(G, tMatVec(Z, Ve));
      const ZG = multiply(Z, G);
      for (let l = 0; l < levels; l += 9) {
        for (let c = 0; c < size; c++) {
          const at = l * size + c;
          const z = ZG.data.subarray(at * ZG.rows, (at + 1) * ZG.rows);
          const variance = G.data[at * (G.rows + 1)]! - bilinear(z, inverse, z);
          const got = [modes[block]!.data[l + c * levels]!, sd[block]!.data[l + c * levels]!];
          expectClose(got, [b[at]!, sigma * Math.sqrt(variance)], { tolerance: 1e-8, floor: 0.1 });
        }
      }
    });
  });

  it("solution: gradient 0, curvature positive, lower than its neighbours", () => {
    const found = solveLmm(problem, design.y);
    const curvature = measureCurvature(problem, found);
    const { theta, objective, projectedGradient, converged } = polishSolution(problem, found, curvature);
    expect(converged).toBe(true);
    expect(projectedGradient).toBeLessThan(1e-8);
    expect(curvature.smallest).toBeGreaterThan(0);
    for (let j = 0; j < k; j++) {
      for (const step of [-0.01, 0.01]) {
        const near = theta.slice();
        near[j]! += step;
        if (near[j]! >= problem.structure.lower[j]!)
          expect(lmmObjective(problem, near, design.y)).toBeGreaterThan(objective);
      }
    }
  });
});

describe("levels that coincide", () => {
  it("are eliminated once", () => {
    const full = ratings(60, 20, (i) => Math.floor(i / 20));
    const design = buildDesign("y ~ 1 + (1 | item) + (1 | worker)", full);
    const problem = prepareLmm(design);
    expect(problem.cross.first.patterns).toBe(1);
    expect(Array.from(problem.cross.first.count)).toEqual([20]);
    const theta = Float64Array.of(0.8, 0.5);
    expectClose([lmmObjective(problem, theta, design.y)], [direct(problem, design, theta).value], { tolerance: 1e-12 });
  });

  it("differ when one number differs", () => {
    const design = buildDesign("y ~ x + (1 | item) + (1 | worker)", crossed);
    expect(prepareLmm(design).cross.first.patterns).toBe(12);
  });
});

describe("a new response on the same problem", () => {
  it("gives what a new problem gives", () => {
    const design = buildDesign("y ~ x + (x | item) + (1 | worker)", crossed);
    const problem = prepareLmm(design);
    solveLmm(problem, design.y);
    const other = design.y.map((v, i) => v * Math.cos(i));
    const again = solveLmm(problem, other);
    const fresh = solveLmm(prepareLmm(design), other);
    expectClose([again.objective, again.sigma, ...again.beta], [fresh.objective, fresh.sigma, ...fresh.beta], {
      tolerance: 1e-13,
    });
  });
});

describe("starts far away", () => {
  it.each([0, 0.01, 30])("every theta %d leads to the same minimum", (start) => {
    const design = buildDesign("y ~ x + (1 | item) + (1 | worker)", crossed);
    const problem = prepareLmm(design);
    const best = solveLmm(problem, design.y);
    const found = solveLmm(problem, design.y, { start: new Float64Array(2).fill(start) });
    expectClose([found.objective], [best.objective], { tolerance: 1e-11 });
    expectClose(found.theta, best.theta, { tolerance: 1e-5 });
  });
});
