import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import { measureCurvature } from "./curvature.ts";
import { lmmGradient } from "./gradient.ts";
import { prepareLmm } from "./problem.ts";
import { isDear, solveLmm } from "./solve.ts";

/** Three crossed factors, so many levels of the second that an evaluation is dear. */
function table() {
  const rng = makeRng("curvature", 1);
  const levels = [500, 320, 9];
  const effects = levels.map((count, f) => Float64Array.from({ length: count }, () => (0.9 - 0.25 * f) * rng.normal()));
  const rows = Array.from({ length: 6000 }, () => levels.map((count) => Math.floor(rng.uniform() * count)));
  const x = Float64Array.from(rows, () => rng.normal());
  const y = Float64Array.from(rows, (at, i) => x[i]! + at.reduce((s, l, f) => s + effects[f]![l]!, rng.normal()));
  return makeTable([
    ["y", numericColumn(y)],
    ["x", numericColumn(x)],
    ...["a", "b", "c"].map((name, f) => [name, factorColumn(rows.map((at) => `${name}${at[f]}`))] as const),
  ]);
}

describe("the curvature where an evaluation is dear", () => {
  const data = table();
  it.each(["REML", "ML"] as const)("%s: among the other factors it is that of central differences", (criterion) => {
    const design = buildDesign("y ~ x + (1 | a) + (1 | b) + (1 | c)", data);
    const problem = prepareLmm(design, { criterion });
    expect(isDear(problem)).toBe(true);
    const found = solveLmm(problem, design.y);
    // off the minimum, so that the gradient takes part
    const theta = found.theta.map((value) => 1.1 * value);
    const gradient = lmmGradient(problem, theta, found.response);
    const { hessian, evaluations, free } = measureCurvature(problem, { ...found, theta, gradient });
    expect(Array.from(free)).toEqual([0, 1, 2]);
    expect(evaluations).toBe(1);
    for (let k = 0; k < 3; k++) {
      const at = (step: number) =>
        lmmGradient(
          problem,
          theta.map((value, j) => (j === k ? value + step : value)),
          found.response,
        );
      const [up, down] = [at(1e-5), at(-1e-5)];
      for (let l = 0; l < 3; l++) {
        const expected = (up[l]! - down[l]!) / 2e-5;
        const known = k > 0 && l > 0;
        expect(Math.abs(hessian.data[l + 3 * k]! / expected - 1)).toBeLessThan(known ? 1e-6 : 2e-3);
      }
    }
  });
});
