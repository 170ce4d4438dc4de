import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { fitLmm } from "./lmm.ts";
import { prepareLmm } from "./problem.ts";
import { simulateInto, simulateLmm } from "./simulate.ts";

const rows = Array.from({ length: 48 }, (_, i) => i);
const table = makeTable([
  ["y", numericColumn(rows.map((i) => Math.sin(i * i)))],
  ["x", numericColumn(rows.map((i) => (i % 4) - 1.5))],
  ["w", numericColumn(rows.map((i) => (i === 7 ? 0 : 1 + (i % 3))))],
  ["g", factorColumn(rows.map((i) => `g${i % 6}`))],
  ["h", factorColumn(rows.map((i) => `h${Math.floor(i / 12)}`))],
]);
const design = buildDesign("y ~ x + (x | g) + (1 | h)", table, { weights: "w" });
const problem = prepareLmm(design);
// θ in lme4's order: (x | g) has 6 levels, h 4
const parameters = { theta: [0.8, -0.5, 0.4, 1.2], beta: [3, -2], sigma: 0.7 };
const DRAWS = 20000;

describe("simulated responses", () => {
  it("have the model's mean, variances and covariances", () => {
    const rng = makeRng("simulate");
    const y = new Float64Array(48);
    // rows 0 and 6 share g0 and h0; rows 0 and 12 share g0 only; rows 0 and 1 share h0 only
    const pairs = [
      [0, 0],
      [0, 6],
      [0, 12],
      [0, 1],
      [2, 25],
    ] as const;
    const sums = pairs.map(() => ({ s: 0, ss: 0 }));
    const mean = (i: number): number => 3 - 2 * ((i % 4) - 1.5);
    let first = 0;
    for (let d = 0; d < DRAWS; d++) {
      simulateInto(y, problem, parameters, rng);
      first += y[5]! - mean(5);
      pairs.forEach(([a, b], k) => {
        const v = (y[a]! - mean(a)) * (y[b]! - mean(b));
        sums[k]!.s += v;
        sums[k]!.ss += v * v;
      });
    }
    const z = (i: number): [number, number] => [1, (i % 4) - 1.5];
    // T = [0.8 0; -0.5 0.4], so TT' = [0.64 -0.4; -0.4 0.41]
    const slope = (a: number, b: number): number => {
      const [za, zb] = [z(a), z(b)];
      return 0.64 * za[0] * zb[0] - 0.4 * (za[0] * zb[1] + za[1] * zb[0]) + 0.41 * za[1] * zb[1];
    };
    const covariance = (a: number, b: number): number =>
      0.49 *
      ((a % 6 === b % 6 ? slope(a, b) : 0) +
        (Math.floor(a / 12) === Math.floor(b / 12) ? 1.44 : 0) +
        (a === b ? 1 / (1 + (a % 3)) : 0));
    pairs.forEach(([a, b], k) => {
      const m = sums[k]!.s / DRAWS;
      const se = Math.sqrt((sums[k]!.ss / DRAWS - m * m) / DRAWS);
      expect(Math.abs(m - covariance(a, b)) / se, `rows ${a} and ${b}`).toBeLessThan(4);
    });
    expect(Math.abs(first / DRAWS) / Math.sqrt(covariance(5, 5) / DRAWS)).toBeLessThan(4);
    expect(y[7]).toBeNaN();
  });

  it("repeat with the same seed, from a fit or from parameters", () => {
    const fit = fitLmm("y ~ x + (x | g) + (1 | h)", table, { weights: "w", ddf: "none" });
    const a = simulateLmm(fit, makeRng("s").stream(3), parameters);
    const b = new Float64Array(48);
    simulateInto(b, problem, parameters, makeRng("s").stream(3));
    expect(a).toEqual(b);
    expect(simulateLmm(fit, makeRng("s").stream(4), parameters)).not.toEqual(b);
  });

  it("refuse parameters of the wrong number", () => {
    const fit = fitLmm("y ~ x + (x | g) + (1 | h)", table, { weights: "w", ddf: "none" });
    expect(() => simulateLmm(fit, makeRng("s"), { theta: [1, 2] })).toThrow(StatError);
    expect(() => simulateLmm(fit, makeRng("s"), { sigma: Number.NaN })).toThrow(StatError);
  });
});
