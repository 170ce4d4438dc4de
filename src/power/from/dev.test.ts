import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { accuracyFamily } from "../scenarios/accuracy.ts";
import { meansFamily } from "../scenarios/means.ts";
import { computePower } from "../solve/solve.ts";
import { estimateFromDev } from "./dev.ts";

describe("parameters from development results", () => {
  const old = Float64Array.from({ length: 100 }, (_, i) => (i % 5 === 0 ? 0 : 1));
  const better = old.map((v, i) => (i % 10 === 0 ? 1 : i === 1 ? 0 : v));

  it("counts agreement and difference of right and wrong answers", () => {
    const dev = estimateFromDev(old, better, { n: 400 });
    expect(dev.scenario).toBe("accuracy");
    expect(dev.params).toEqual({ delta: 0.09, agreement: 0.89 });
    expect(dev.power?.power).toBe(computePower(accuracyFamily, { n: 400, delta: 0.09, agreement: 0.89 }).power);
    const [baseline, candidate, delta, agreement] = dev.figures;
    expect([baseline!.value, candidate!.value, delta!.value, agreement!.value]).toEqual([0.8, 0.89, 0.09, 0.89]);
    for (const figure of dev.figures) {
      expect(figure.lower).toBeLessThan(figure.value);
      expect(figure.upper).toBeGreaterThan(figure.value);
    }
  });

  it("takes scores by their differences", () => {
    const rng = makeRng(3);
    const a = Float64Array.from({ length: 50 }, () => rng.normal());
    const b = a.map((v, i) => v + (i % 2 === 0 ? 0.5 : 0.1));
    const dev = estimateFromDev(a, b, { n: 20 });
    expect(dev.scenario).toBe("means");
    expect(dev.params["delta"]).toBeCloseTo(0.3, 12);
    expect(dev.params["sd"]).toBeCloseTo(0.2 * Math.sqrt(50 / 49), 12);
    expect(dev.power?.power).toBeCloseTo(computePower(meansFamily, { n: 20, ...dev.params }).power, 12);
  });

  it("gives no power of these very items unless it is asked for, and then warns", () => {
    const plain = estimateFromDev(old, better);
    expect(plain.power).toBeUndefined();
    expect(plain.diagnostics.map(({ code }) => code)).toEqual(["NoPostHoc"]);
    const asked = estimateFromDev(old, better, { postHoc: true });
    expect(asked.power?.power).toBe(computePower(accuracyFamily, { n: 100, delta: 0.09, agreement: 0.89 }).power);
    expect(asked.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["PostHoc", "warning"]]);
  });

  it("does not take both the items of another test set and these very ones", () => {
    const [old, better] = [Float64Array.from([0, 1, 1, 0, 1]), Float64Array.from([1, 1, 1, 0, 1])];
    expect(() => estimateFromDev(old, better, { postHoc: true, n: 400 })).toThrow("`postHoc` has no effect beside `n`");
  });

  it("has nothing to plan with where the systems are equal, and refuses unequal items", () => {
    expect(estimateFromDev(old, old, { n: 100 }).power).toBeUndefined();
    expect(estimateFromDev(old, old, { n: 100 }).diagnostics.map(({ code }) => code)).toEqual(["NoDifference"]);
    expect(() => estimateFromDev(old, better.slice(1))).toThrow(/100 and 99 items/);
  });

  it("plans clusters with the design effect of their means", () => {
    // 40 clusters of 5 equal differences: all variance lies between clusters, so the design effect is 5 but for the df
    const rng = makeRng(8);
    const own = Float64Array.from({ length: 40 }, () => 0.2 + rng.normal());
    const clusters = Int32Array.from({ length: 200 }, (_, i) => Math.floor(i / 5));
    const a = new Float64Array(200);
    const b = Float64Array.from(clusters, (c) => own[c]!);
    const dev = estimateFromDev(a, b, { clusters, n: 103 });
    const mean = own.reduce((sum, v) => sum + v, 0) / 40;
    const variance = own.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 39;
    const { sd, clusterSize, icc } = dev.params as { sd: number; clusterSize: number; icc: number };
    expect([clusterSize, icc]).toEqual([5, 1]);
    expect(sd).toBeCloseTo(Math.sqrt(variance), 10);
    // as good as 20 independent clusters' means
    const means = computePower(meansFamily, { n: 20, delta: mean, sd: Math.sqrt(variance) });
    expect(dev.power?.power).toBeCloseTo(means.power, 10);
    expect(dev.diagnostics.map(({ code }) => code)).toEqual(["Clusters"]);
    expect(dev.diagnostics[0]!.message).toContain("103 items are planned as 100");
  });

  it("takes clusters that spread less than chance for none", () => {
    const b = Float64Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? 1.5 : -0.5));
    const clusters = Int32Array.from(b, (_, i) => Math.floor(i / 2));
    const dev = estimateFromDev(new Float64Array(80), b, { clusters });
    expect(dev.params["icc"]).toBe(0);
    expect(dev.params["sd"]).toBeCloseTo(Math.sqrt(80 / 79), 12);
  });

  it("gives no power of item means where several raters gave them", () => {
    const pilot = { score: "rating", system: "system", rater: "rater", item: "item", systems: ["a", "b"] } as const;
    const raters = { count: 6, ratings: 2, pilot };
    const dev = estimateFromDev(old, better, { n: 300, raters });
    expect([dev.scenario, dev.power]).toEqual(["likert", undefined]);
    expect(dev.params["effect"]).toBeCloseTo(0.09, 12);
    const design = { items: 300, raters: 6, ratings: 2 };
    expect(dev.next).toEqual([
      { ask: "power", scenario: "likert", parameters: { ...design, effect: 0.09 }, pilot },
      { ask: "mde", scenario: "likert", parameters: design, pilot },
    ]);
    expect(dev.toString()).toContain(
      "await power.likert({\n      items: 300,\n      raters: 6,\n      ratings: 2,\n      effect: 0.09,\n      ...pilot.parameters,\n    });",
    );
    expect(dev.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["RatersAreASample", "warning"]]);
    const clusters = Int32Array.from(old, (_, i) => i % 50);
    const codes = estimateFromDev(old, better, { raters, clusters }).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(["Clusters", "RatersAreASample"]);
  });

  it("says what few items, repeats and equal differences mean", () => {
    const codes = (a: Float64Array, b: Float64Array, repeats = 1) =>
      estimateFromDev(a, b, { n: 50, repeats }).diagnostics.map(({ code }) => code);
    expect(codes(old.slice(0, 29), better.slice(0, 29))).toEqual(["FewItems"]);
    expect(codes(old.slice(0, 30), better.slice(0, 30))).toEqual([]);
    expect(codes(old, better, 3)).toEqual(["Repeats"]);
    const level = Float64Array.from({ length: 40 }, (_, i) => i / 8);
    const shifted = estimateFromDev(
      level,
      level.map((v) => v + 1),
      { n: 50 },
    );
    expect([shifted.power, shifted.next]).toEqual([undefined, []]);
    expect(shifted.diagnostics.map(({ code }) => code)).toEqual(["NoSpread"]);
  });
});
