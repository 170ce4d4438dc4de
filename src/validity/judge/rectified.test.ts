import { describe, expect, it } from "vitest";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { rectifiedMean } from "./rectified.ts";

const nan = Number.NaN;

function draw(n: number, labels: number, seed = "units") {
  const rng = makeRng(seed);
  const judge = Float64Array.from({ length: n }, () => rng.normal());
  const human = judge.map((f, i) => (i % Math.floor(n / labels) === 0 ? 2 + 0.8 * f + 0.5 * rng.normal() : nan));
  return { human, judge };
}

describe("labels alone", () => {
  it("is the one-sample t interval", () => {
    const human = Float64Array.of(3, 1, 4, 1, 5, nan, nan);
    const judge = Float64Array.of(1, 2, 3, 4, 5, 6, 7);
    const found = rectifiedMean({ human, judge, labelsAlone: true });
    const mean = 14 / 5;
    const se = Math.sqrt([3, 1, 4, 1, 5].reduce((sum, y) => sum + (y - mean) ** 2, 0) / 4 / 5);
    expect(found.value).toBeCloseTo(mean, 12);
    expect(found.se).toBeCloseTo(se, 12);
    expect(found.df).toBeCloseTo(4, 12);
    expect(found.upper - found.value).toBeCloseTo(tQuantileUpper(0.025, 4) * se, 12);
  });

  it("of equal clusters is the t interval of their means", () => {
    const human = Float64Array.of(1, 2, 3, 5, 8, 7);
    const found = rectifiedMean({ human, judge: human, labelsAlone: true, cluster: Int32Array.of(0, 0, 1, 1, 2, 2) });
    const means = [1.5, 4, 7.5];
    const mean = 13 / 3;
    const se = Math.sqrt(means.reduce((sum, y) => sum + (y - mean) ** 2, 0) / 2 / 3);
    expect(found.se).toBeCloseTo(se, 12);
    expect(found.df).toBeCloseTo(2, 12);
  });

  it("of unequal clusters has the CR2 error: residual sums over the root of one minus their share", () => {
    const human = Float64Array.of(1, 2, 3, 5, 8, 7);
    const found = rectifiedMean({ human, judge: human, labelsAlone: true, cluster: Int32Array.of(0, 1, 1, 2, 2, 2) });
    const mean = 26 / 6;
    const sums = [1 - mean, 2 + 3 - 2 * mean, 5 + 8 + 7 - 3 * mean];
    const variance = sums.reduce((sum, own, c) => sum + (own / 6) ** 2 / (1 - (c + 1) / 6), 0);
    expect(found.se).toBeCloseTo(Math.sqrt(variance), 12);
  });

  it("weights are shares: doubling all of them changes nothing", () => {
    const { human, judge } = draw(200, 40);
    const weights = human.map((_, i) => 1 + (i % 3));
    const once = rectifiedMean({ human, judge, weights });
    const twice = rectifiedMean({ human, judge, weights: weights.map((w) => 2 * w) });
    expect(twice.value).toBeCloseTo(once.value, 12);
    expect(twice.se).toBeCloseTo(once.se, 12);
  });
});

describe("labels corrected by the judge", () => {
  it("does not depend on the order of the units", () => {
    const { human, judge } = draw(300, 30);
    const found = rectifiedMean({ human, judge });
    const turned = rectifiedMean({ human: human.slice().reverse(), judge: judge.slice().reverse() });
    expect(turned.value).toBeCloseTo(found.value, 12);
    expect(turned.se).toBeCloseTo(found.se, 12);
  });

  it("is the same whatever scale the judge has", () => {
    const { human, judge } = draw(300, 30);
    const found = rectifiedMean({ human, judge });
    const scaled = rectifiedMean({ human, judge: judge.map((f) => 100 - 20 * f) });
    expect(scaled.value).toBeCloseTo(found.value, 10);
    expect(scaled.se).toBeCloseTo(found.se, 10);
    expect(scaled.slope).toBeCloseTo(-found.slope / 20, 10);
  });

  it("follows the scale of the labels", () => {
    const { human, judge } = draw(300, 30);
    const found = rectifiedMean({ human, judge });
    const scaled = rectifiedMean({ human: human.map((y) => 5 + 10 * y), judge });
    expect(scaled.value).toBeCloseTo(5 + 10 * found.value, 10);
    expect(scaled.se).toBeCloseTo(10 * found.se, 10);
  });

  it("has the regression estimator of the mean where the judge is right up to noise", () => {
    const { human, judge } = draw(3000, 300);
    const found = rectifiedMean({ human, judge });
    const mean = judge.reduce((sum, f) => sum + f, 0) / judge.length;
    // 2 + 0.8 f̄, within a few standard errors of the noise
    expect(Math.abs(found.value - (2 + 0.8 * mean))).toBeLessThan((4 * 0.5) / Math.sqrt(300));
    expect(found.slope).toBeCloseTo(0.8, 1);
    expect(found.se).toBeLessThan(rectifiedMean({ human, judge, labelsAlone: true }).se);
  });

  it("clusters of one unit are no clusters", () => {
    const { human, judge } = draw(300, 30);
    const found = rectifiedMean({ human, judge });
    const alone = rectifiedMean({ human, judge, cluster: Int32Array.from(human, (_, i) => i) });
    for (const part of ["value", "se", "df", "slope"] as const) expect(alone[part]).toBeCloseTo(found[part], 10);
  });

  it("leaves a judge of one score alone", () => {
    const { human } = draw(300, 30);
    const flat = rectifiedMean({ human, judge: human.map(() => 1) });
    expect(flat.slope).toBe(0);
    expect(flat.se).toBeCloseTo(rectifiedMean({ human, judge: human.map(() => 1), labelsAlone: true }).se, 12);
  });

  it("has no error where labels do not vary, and no interval", () => {
    const found = rectifiedMean({ human: Float64Array.of(0, 0, 0, nan), judge: Float64Array.of(0, 0, 0, 1) });
    expect(found.value).toBe(0);
    expect(found.se).toBeNaN();
    expect(rectifiedMean({ human: Float64Array.of(1, nan), judge: Float64Array.of(0, 0) }).value).toBeNaN();
  });
});
