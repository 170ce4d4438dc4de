import { describe, expect, it } from "vitest";
import { logGamma } from "../special/gamma.ts";
import { normalLogCdf, normalLogPdf } from "./normal.ts";
import { logIntegrateUnimodal } from "./unimodal-integral.ts";

describe("integral of a unimodal function in log space", () => {
  it("Gaussians, wherever the search starts", () => {
    for (const [mean, sd] of [
      [0, 1],
      [100, 1e-2],
      [-40, 300],
    ] as const) {
      for (const scale of [1e-3, 1, 1e3]) {
        const log = logIntegrateUnimodal((u) => -0.5 * ((u - mean) / sd) ** 2 - 5000, 0, scale);
        expect(log + 5000).toBeCloseTo(Math.log(sd * Math.sqrt(2 * Math.PI)), 9);
      }
    }
  });

  it("gamma functions: an exponential tail on the left, a double exponential one on the right", () => {
    for (const a of [0.05, 0.5, 3, 200]) {
      expect(logIntegrateUnimodal((u) => a * u - Math.exp(u), 5, 1)).toBeCloseTo(logGamma(a), 11);
    }
  });

  it("a cliff a thousand times narrower than the peak", () => {
    // logistic cut-off of an exponential: π a / sin(π a) for ∫ e^{a c u} / (1 + e^{c u}) c du
    const c = 1000;
    const a = 0.001;
    const log = logIntegrateUnimodal(
      (u) => a * c * u - (u > 0 ? c * u + Math.log1p(Math.exp(-c * u)) : Math.log1p(Math.exp(c * u))),
      -3,
      1,
    );
    expect(log).toBeCloseTo(Math.log(Math.PI / Math.sin(Math.PI * a) / c), 11);
  });

  it("nothing to integrate", () => {
    expect(logIntegrateUnimodal(() => -Infinity, 0, 1)).toBe(-Infinity);
  });
});

it("two grids that agree by accident are not believed", () => {
  // ∫ φ(u) Φ((c - u)/w) du = Φ(c / √(1 + w²)): the cliff at c holds so little that grids half a step apart may agree
  const w = 0.1;
  for (let c = 4; c < 7; c += 0.0015) {
    const log = logIntegrateUnimodal((u) => normalLogPdf(u) + normalLogCdf((c - u) / w), 0.3, 0.5);
    expect(Math.abs(log - normalLogCdf(c / Math.sqrt(1 + w * w))), `${c}`).toBeLessThan(1e-12);
  }
});

it("an integrand too jagged for the finest step gives NaN, not the last sum", () => {
  const jagged = (u: number) => -u * u + Math.log1p(0.5 * Math.sin(1e7 * u * u));
  expect(logIntegrateUnimodal(jagged, 0, 1)).toBeNaN();
});
