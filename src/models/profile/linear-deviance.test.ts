import { describe, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { inferenceModels, setUpModel } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { type Matrix, multiply, transpose } from "../../numeric/linalg/matrix.ts";
import { lmmObjective } from "../lmm/objective.ts";
import type { LmmProblem } from "../lmm/problem.ts";
import { relativeFactor } from "../random/random.ts";
import { lmmDeviance, triangularFactor } from "./linear-deviance.ts";

describe.each(inferenceModels)("$formula", (model) => {
  const { problem, response, theta } = setUpModel(model);
  const { structure } = problem;
  const deviance = lmmDeviance(problem, response);
  const factors = structure.terms.map((_, t) => relativeFactor(structure, theta, t));

  it("the deviance at its best σ is the engine's", () => {
    const ml: LmmProblem = { ...problem, criterion: "ML" };
    expectClose([deviance({ factors })!.value], [lmmObjective(ml, theta, response)], { tolerance: 1e-12 });
  });

  it("its gradient is that of differences, in triangular factors and in turned ones", () => {
    const l = Float64Array.from({ length: problem.cross.p }, (_, j) => j + 1);
    // the entries that a profile moves: all of a correlated term, the diagonal of another
    const places = factors.flatMap((T, t) =>
      Array.from(T.data.keys())
        .filter((e) => structure.terms[t]!.correlated || e % (T.rows + 1) === 0)
        .map((e) => [t, e] as const),
    );
    const size = 2 + places.length;
    const at = (x: Float64Array) => {
      const moved = factors.map((T) => ({ ...T, data: T.data.slice() }));
      places.forEach(([t, e], k) => {
        moved[t]!.data[e]! += x[k + 1]!;
      });
      return { factors: moved, sigma: Math.exp(x[0]!), fixed: { l, value: x[size - 1]! } };
    };
    for (const turn of [0, 0.15]) {
      const x = Float64Array.from({ length: size }, (_, k) => (k % 2 === 0 ? 1 : -1) * turn);
      x[0] = -0.3;
      x[size - 1] = 0.2;
      const D = deviance(at(x))!;
      const analytic = [D.byLogSigma, ...places.map(([t, e]) => D.byFactor[t]!.data[e]!), D.byFixed];
      const numeric = estimateGradient((v) => deviance(at(v))!.value, x, { step: 0.01 });
      expectClose(analytic, numeric, { tolerance: 1e-7, floor: 1 });
    }
  });
});

describe("the triangular factor of a square one", () => {
  const square = (data: number[]): Matrix => ({ rows: 3, cols: 3, data: Float64Array.from(data) });

  it.each([
    ["of full rank", square([0.4, -1, 2, 3, 0.5, 0.1, -0.2, 0.7, 1])],
    ["without full rank", square([1, 2, 0.5, 0, 0, 3, 0, 0, 1])],
  ])("%s has the same covariance and product", (_, M) => {
    const { T, Q } = triangularFactor(M);
    expectClose(multiply(T, transpose(T)).data, multiply(M, transpose(M)).data, { tolerance: 1e-14, floor: 1 });
    expectClose(multiply(T, Q).data, M.data, { tolerance: 1e-14, floor: 1 });
    for (const above of [3, 6, 7]) expectClose([T.data[above]!], [0], { tolerance: 0 });
  });
});
