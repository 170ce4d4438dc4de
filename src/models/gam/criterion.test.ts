/** Derivatives of every criterion against central differences, where nothing else could tell a wrong Hessian from a slow search. */
import { describe, expect, it } from "vitest";
import { makeTable, numericColumn, type Table } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import type { PlainFamilyName } from "../family.ts";
import type { LinkName } from "../link.ts";
import { criterionDerivatives, criterionValue } from "./criterion.ts";
import { makeInner } from "./gam.ts";
import { type GamMethod, prepareGam } from "./problem.ts";

const RESPONSES: readonly (readonly [PlainFamilyName, LinkName])[] = [
  ["gaussian", "identity"],
  ["gaussian", "log"],
  ["binomial", "logit"],
  ["binomial", "probit"],
  ["binomial", "cloglog"],
  ["poisson", "log"],
  ["poisson", "identity"],
];

function simulate(family: PlainFamilyName, n = 80): Table {
  const rng = makeRng("criterion");
  const x = Float64Array.from({ length: n }, () => rng.uniform());
  const z = Float64Array.from({ length: n }, () => rng.uniform());
  const y = x.map((v, i) => {
    const mu = 2 + Math.sin(5 * v) + z[i]!;
    if (family === "gaussian") return mu + 0.3 * rng.normal();
    return family === "binomial" ? Number(rng.uniform() < mu / 4.5) : Math.round(mu + rng.uniform());
  });
  return makeTable([
    ["x", numericColumn(x)],
    ["z", numericColumn(z)],
    ["y", numericColumn(y)],
  ]);
}

const STEP = 1e-4;

describe("derivatives by log λ", () => {
  for (const [family, link] of RESPONSES) {
    for (const method of ["REML", "ML", "GCV.Cp"] as readonly GamMethod[]) {
      it(`${family}, ${link}, ${method}`, () => {
        const design = buildDesign("y ~ s(x, k = 6, bs = 'cr') + te(x, z, k = 3)", simulate(family));
        const problem = prepareGam(design, { family, link, method, gamma: 1.2 });
        const inner = makeInner(problem, design.y);
        const at = Float64Array.of(1.5, 0.3, -1.2);
        const derivativesAt = (rho: Float64Array) => criterionDerivatives(problem, inner, inner.fit(rho)!);
        const { gradient, hessian, weightPart } = derivativesAt(at);
        const plain = criterionDerivatives(problem, inner, inner.fit(at)!, { exact: false }).hessian;
        hessian.forEach((value, i) => {
          expect(Math.abs(value - weightPart[i]! - plain[i]!)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
        });
        for (let j = 0; j < 3; j++) {
          const move = (size: number): Float64Array => at.map((r, k) => (k === j ? r + size : r));
          const [up, down] = [move(STEP), move(-STEP)];
          const slope =
            (criterionValue(problem, inner.fit(up)!) - criterionValue(problem, inner.fit(down)!)) / (2 * STEP);
          expect(Math.abs(gradient[j]! - slope)).toBeLessThan(2e-6 * (1 + Math.abs(slope)));
          const [above, below] = [derivativesAt(up).gradient, derivativesAt(down).gradient];
          for (let k = 0; k < 3; k++) {
            const curve = (above[k]! - below[k]!) / (2 * STEP);
            expect(Math.abs(hessian[j + k * 3]! - curve)).toBeLessThan(2e-6 * (1 + Math.abs(curve)));
          }
        }
      });
    }
  }
});
