import { describe, expect, it } from "vitest";
import { inferenceCases, inferenceTable, referenceModel } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { buildDesign } from "../../formula/design.ts";
import { cholesky, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { crossprod, identity, type Matrix, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { estimateGradient } from "../../numeric/optim/derivative.ts";
import { relativeFactor, singularTerms } from "../random/random.ts";
import { covarianceDerivatives } from "./derivatives.ts";
import { lmmDeviance } from "./deviance.ts";
import { criterionDerivatives, lmmInformation } from "./information.ts";
import { lmmMoments, solveGls } from "./moments.ts";
import { lmmObjective } from "./objective.ts";
import { type LmmProblem, prepareLmm } from "./problem.ts";
import { lmmProducts } from "./products.ts";
import { summarizeResponse } from "./response.ts";

const close = { tolerance: 1e-10, floor: 1e-6 };

/** Models in which every path is taken: one factor, several, slopes, merged terms, weights, more than 200 other effects. */
const models = [
  { formula: "score ~ system + (1 | rater)", theta: [0.8] },
  { formula: "score ~ system + (system | rater) + (1 | item)", theta: [0.7, 0.8, 0.1, -0.2, 0.4, 0.3, 0.5] },
  { formula: "score ~ length + (1 + length || item) + (length | rater)", theta: [0.3, 0.02, 0.9, 0.01, 0.03] },
  { formula: "score ~ system + (1 | rater) + (1 | item)", theta: [0, 0.6], weights: "w" },
  { formula: "score ~ 1 + (1 | item:rater) + (1 | item:system) + (1 | rater)", theta: [0.5, 0.7, 0.4] },
];

function setUp({ formula, theta, weights }: (typeof models)[number]) {
  const design = buildDesign(formula, inferenceTable, weights === undefined ? {} : { weights });
  const problem = prepareLmm(design);
  const response = summarizeResponse(problem, design.y);
  return { problem, response, theta: Float64Array.from(theta) };
}

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
  return { g, logDet: cholLogDet(L), G, P, HXE, beta, inverse };
}

const traceOf = (A: Matrix, B: Matrix): number => {
  let s = 0;
  for (let j = 0; j < A.cols; j++)
    for (let i = 0; i < A.rows; i++) s += A.data[i + j * A.rows]! * B.data[j + i * B.rows]!;
  return s;
};

describe.each(models)("$formula by elimination equals n × n matrices", (model) => {
  const { problem, response, theta } = setUp(model);
  const products = lmmProducts(problem, response);
  const factors = problem.structure.terms.map((_, t) => relativeFactor(problem.structure, theta, t));
  const moments = lmmMoments(products, factors)!;
  const gls = solveGls(moments)!;
  const want = dense(problem, theta, response.residuals);

  it("determinant and least squares", () => {
    expectClose([moments.logDet], [want.logDet], close);
    expectClose(gls.beta, want.beta, { tolerance: 1e-9, floor: 1e-3 });
    expectClose(gls.inverse.data, want.inverse.data, close);
  });

  it("first and second derivatives in the covariance parameters", () => {
    const got = covarianceDerivatives(moments, gls, want.g.slice(0, theta.length));
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

  it("the deviance is the engine's, and its gradient that of differences", () => {
    const ml: LmmProblem = { ...problem, criterion: "ML" };
    expectClose([lmmDeviance(products, { factors })!.value], [lmmObjective(ml, theta, response)], { tolerance: 1e-12 });
    const l = Float64Array.from({ length: products.p }, (_, j) => j + 1);
    const at = (x: Float64Array) => {
      let k = 1;
      const moved = factors.map((T) => ({ ...T, data: T.data.map((v) => v + x[k++]!) }));
      return { factors: moved, sigma: Math.exp(x[0]!), fixed: { l, value: x[k]! } };
    };
    const size = 2 + factors.reduce((sum, T) => sum + T.data.length, 0);
    const x = new Float64Array(size);
    x[0] = -0.3;
    x[size - 1] = 0.2;
    const D = lmmDeviance(products, at(x))!;
    const analytic = [D.byLogSigma, ...D.byFactor.flatMap(({ data }) => [...data]), D.byFixed];
    const numeric = estimateGradient((v) => lmmDeviance(products, at(v))!.value, x, { step: 0.01 });
    expectClose(analytic, numeric, { tolerance: 1e-7, floor: 1 });
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
