import { describe, expect, it } from "vitest";
import { inferenceCases, inferenceModels, referenceModel, setUpModel } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { cholesky, cholInverse } from "../../numeric/linalg/cholesky.ts";
import { crossprod, identity, type Matrix, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { relativeFactor, singularTerms } from "../random/random.ts";
import { criterionDerivatives, lmmInformation } from "./information.ts";
import type { LmmProblem } from "./problem.ts";

const close = { tolerance: 1e-10, floor: 1e-6 };

/** √w-scaled Z of one coefficient of a term, n × levels. */
function columnsOf(problem: LmmProblem, term: number, c: number): Matrix {
  const factor = problem.factors.find((f) => f.terms.some((own) => own.term === term))!;
  const { column } = factor.terms.find((own) => own.term === term)!;
  const Z = zeros(problem.nobs, factor.levels);
  for (let i = 0; i < problem.nobs; i++) {
    const root = Math.sqrt(problem.weights?.[i] ?? 1);
    Z.data[i + factor.index[i]! * Z.rows] = root * factor.Z.data[i + (column + c) * factor.Z.rows]!;
  }
  return Z;
}

/** The same from n × n matrices. */
function dense(problem: LmmProblem, theta: Float64Array, residuals: Float64Array) {
  const { structure, nobs: n } = problem;
  const root = Float64Array.from({ length: n }, (_, i) => Math.sqrt(problem.weights?.[i] ?? 1));
  const { term, row, col } = structure;
  const G = Array.from(term, (t, k) => {
    const a = columnsOf(problem, t, row[k]!);
    const b = columnsOf(problem, t, col[k]!);
    const one = multiply(a, transpose(b));
    if (row[k] === col[k]) return one;
    const other = transpose(one);
    return { ...one, data: one.data.map((v, i) => v + other.data[i]!) };
  });
  const g = Float64Array.from(term, (t, k) => {
    const T = relativeFactor(structure, theta, t);
    const S = multiply(T, transpose(T));
    return S.data[row[k]! + col[k]! * S.rows]!;
  });
  G.push(identity(n));
  const H = zeros(n, n);
  G.forEach((own, k) => {
    for (let i = 0; i < H.data.length; i++) H.data[i]! += (g[k] ?? 1) * own.data[i]!;
  });
  const L = cholesky(H)!;
  const HI = cholInverse(L);
  const X = multiply(problem.X, problem.inverseR);
  const XE = zeros(n, X.cols + 1);
  for (let j = 0; j < X.cols; j++) for (let i = 0; i < n; i++) XE.data[i + j * n] = root[i]! * X.data[i + j * n]!;
  const y = residuals.map((v, i) => v * root[i]!);
  const XR: Matrix = { rows: n, cols: X.cols, data: XE.data.subarray(0, n * X.cols) };
  const HX = multiply(HI, XR);
  const inverse = cholInverse(cholesky(crossprod(XR, HX))!);
  const beta = multiply(inverse, crossprod(HX, { rows: n, cols: 1, data: y })).data;
  const e = multiply(XR, { rows: X.cols, cols: 1, data: beta }).data.map((fit, i) => y[i]! - fit);
  XE.data.set(e, n * X.cols);
  const P = G.map((own) => multiply(HI, own));
  const HXE = multiply(HI, XE);
  const rss = e.reduce((sum, v, i) => sum + v * HXE.data[i + n * X.cols]!, 0);
  return { G, P, HXE, beta, inverse, rss };
}

const traceOf = (A: Matrix, B: Matrix): number => {
  let s = 0;
  for (let j = 0; j < A.cols; j++)
    for (let i = 0; i < A.rows; i++) s += A.data[i + j * A.rows]! * B.data[j + i * B.rows]!;
  return s;
};

describe.each(inferenceModels)("$formula by elimination equals n × n matrices", (model) => {
  const { problem, response, theta } = setUpModel(model);
  const { gls, derivatives: got } = lmmInformation(problem, { theta, sigma: 1, response });
  const want = dense(problem, theta, response.residuals);

  it("is sparse where its levels meet few others", () => {
    expect(problem.cross.schur.sparse !== undefined).toBe(model.table !== undefined);
  });

  it("least squares", () => {
    expectClose(gls.beta, want.beta, { tolerance: 1e-9, floor: 1e-3 });
    expectClose(gls.inverse.data, want.inverse.data, close);
    expectClose([gls.rss], [want.rss], close);
  });

  it("first and second derivatives in the covariance parameters", () => {
    const count = want.G.length;
    for (let k = 0; k < count; k++) {
      expectClose([got.trace[k]!], [traceOf(want.P[k]!, identity(problem.nobs))], { ...close, label: `trace ${k}` });
      const first = crossprod(want.HXE, multiply(want.G[k]!, want.HXE));
      expectClose(got.first[k]!.data, first.data, { tolerance: 1e-9, floor: 1e-3, label: `first ${k}` });
      for (let l = 0; l < count; l++) {
        const square = got.square.data[k + l * count]!;
        expectClose([square], [traceOf(want.P[k]!, want.P[l]!)], { ...close, label: `square ${k}, ${l}` });
        const second = crossprod(want.HXE, multiply(want.G[k]!, multiply(want.P[l]!, want.HXE)));
        expectClose(got.second[k]![l]!.data, second.data, { tolerance: 1e-9, floor: 1e-3, label: `second ${k}, ${l}` });
      }
    }
  });
});

describe("the criterion in the variances themselves", () => {
  const inside = inferenceCases("inference").filter((c) => {
    const { problem, at } = referenceModel(c);
    return singularTerms(problem.structure, at.theta).length === 0;
  });

  it.each(inside)("$id has no slope at R's optimum", (c) => {
    const { problem, at } = referenceModel(c);
    const { gradient, hessian } = criterionDerivatives(lmmInformation(problem, at));
    gradient.forEach((value, k) => {
      const scale = Math.sqrt(hessian.data[k + k * hessian.rows]!);
      expect(Math.abs(value) / scale, `parameter ${k}`).toBeLessThan(1e-5);
    });
  });

  it("covers interior optima", () => {
    expect(inside.length).toBeGreaterThanOrEqual(5);
  });
});
