import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { accuracyFamily } from "./accuracy.ts";
import { estimateFromDev } from "./dev.ts";
import { meansFamily } from "./means.ts";
import { computePower } from "./solve.ts";

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

  it("has nothing to plan with where the systems are equal, and refuses unequal items", () => {
    expect(estimateFromDev(old, old, { n: 100 }).power).toBeUndefined();
    expect(estimateFromDev(old, old, { n: 100 }).diagnostics.map(({ code }) => code)).toEqual(["NoDifference"]);
    expect(() => estimateFromDev(old, better.slice(1))).toThrow(/100 and 99 items/);
  });
});
