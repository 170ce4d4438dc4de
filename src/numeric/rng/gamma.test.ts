import { describe, expect, it } from "vitest";
import { gammaCdf } from "../dist/gamma.ts";
import { makeRng } from "../rng.ts";
import { gammaVariate } from "./gamma.ts";

describe("gamma variates", () => {
  it.each([0.05, 0.4, 0.9, 1, 1.5, 7, 200])("of shape %f follow the distribution function", (shape) => {
    const rng = makeRng(`gamma ${shape}`);
    const n = 20_000;
    const u = Array.from({ length: n }, () => gammaCdf(gammaVariate(rng, shape), shape, 1)).sort((a, b) => a - b);
    const far = u.reduce((most, p, i) => Math.max(most, p - i / n, (i + 1) / n - p), 0);
    // Kolmogorov's bound at one in ten thousand
    expect(far).toBeLessThan(2.226 / Math.sqrt(n));
  });
});
