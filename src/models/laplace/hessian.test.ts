import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { fitClmm } from "../ordinal/clmm.ts";
import { prepareClmm, solveClmm } from "../ordinal/clmm-solve.ts";
import { exactHessian, invertFree, quickHessian } from "./hessian.ts";

interface HighPrecision {
  readonly cases: readonly {
    readonly formula: string;
    readonly logLik: string;
    readonly psi: readonly string[];
    readonly se: readonly string[];
  }[];
}
const answers: HighPrecision = JSON.parse(
  readFileSync(new URL("../../../oracle/mpmath/laplace.json", import.meta.url), "utf8"),
);
const table = oracleTable(readOracle("r/ordinal.json").columns);

describe("the Hessian of the Laplace approximation against 45-digit arithmetic", () => {
  for (const { formula, logLik, psi, se } of answers.cases) {
    const fit = fitClmm(formula, table);
    const problem = prepareClmm(fit.design, fit.levels);
    const solution = solveClmm(problem, fit.design.y, { exact: true });
    const all = Int32Array.from(psi.keys());
    const ses = (hessian: typeof solution.hessian): number[] => {
      const { inverse } = invertFree(hessian, all);
      return Array.from(all, (k) => Math.sqrt(inverse.data[k * (all.length + 1)]!));
    };

    it(`${formula}: the maximum to 1e-12, all standard errors to 5e-7`, () => {
      expectClose([solution.logLik], [logLik], { tolerance: 1e-14, label: "log-likelihood" });
      expectClose([...solution.theta, ...solution.phi], psi, { tolerance: 1e-12, floor: 1, label: "psi" });
      expectClose(ses(solution.hessian), se, { tolerance: 5e-7, label: "se" });
      const printed = [...fit.thresholds, ...fit.coefficients].map((estimate) => estimate.se);
      expectClose(printed, se.slice(solution.theta.length), { tolerance: 5e-7, label: "printed se" });
    });

    it(`${formula}: the quick one of simulations to 1e-5`, () => {
      expectClose(ses(solveClmm(problem, fit.design.y).hessian), se, { tolerance: 1e-5, label: "se" });
    });
  }
});

/** f = ½x'Ax + (x₀ + 2x₁)³ / 6: the Hessian at 0 is A. */
function cubic(A: readonly (readonly [number, number])[]) {
  return (x: Float64Array, g: Float64Array): number => {
    const t = x[0]! + 2 * x[1]!;
    g[0] = A[0]![0] * x[0]! + A[0]![1] * x[1]! + (t * t) / 2;
    g[1] = A[1]![0] * x[0]! + A[1]![1] * x[1]! + t * t;
    return 0;
  };
}

describe("differences of a gradient in closed form", () => {
  const free = Int32Array.of(0, 1);
  const modes = new Float64Array(0);
  const origin = new Float64Array(2);

  it("quick, then exact, of a well-conditioned cubic", () => {
    const objective = cubic([
      [2, 1],
      [1, 3],
    ]);
    const scale = Float64Array.of(0.7, 0.5);
    const quick = quickHessian(objective, origin, new Float64Array(2), { free, scale, modes });
    expectClose(quick.data, [2, 1, 1, 3], { tolerance: 1e-6, label: "quick" });
    const exact = exactHessian(objective, origin, quick, { free, modes });
    expectClose(exact.data, [2, 1, 1, 3], { tolerance: 1e-14, label: "exact" });
  });

  it("a Hessian that is not positive definite has an infinite condition, never a negative one", () => {
    const saddle = { ...zeros(2, 2), data: Float64Array.of(3, 0, 0, -1) };
    expect(invertFree(saddle, free)).toMatchObject({ condition: Number.POSITIVE_INFINITY, definite: false });
    const bowl = { ...zeros(2, 2), data: Float64Array.of(3, 0, 0, 1.5) };
    expect(invertFree(bowl, free)).toMatchObject({ condition: 2, definite: true });
  });
});
