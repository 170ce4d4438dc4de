import { describe, expect, it } from "vitest";
import { howcroftCells, howcroftParameters, simulateHowcroft } from "../../../replications/ordinal-figures.ts";
import { makeRng } from "../../numeric/rng.ts";
import { ORDINAL_SETTINGS } from "../published-settings.ts";
import { simulatePower } from "../simulate.ts";
import { ordinalFamily } from "./ordinal.ts";
import { categoryOf, drawThresholds, meanDifference, parseThresholds, ratingInformation } from "./ordinal-scale.ts";

const sds = { raterIntercept: 0.5, raterSlope: 0.4, itemIntercept: 0.6, itemSlope: 0.7 };
const cuts = Float64Array.of(-1.2, -0.3, 0.4, 1.5);

describe("rating scale", () => {
  it("has the mean difference of ratings that are drawn", () => {
    const rng = makeRng("scale");
    const n = 200_000;
    let sum = 0;
    let squares = 0;
    const level = Math.hypot(sds.raterIntercept, sds.itemIntercept);
    const slope = Math.hypot(sds.raterSlope, sds.itemSlope);
    for (let k = 0; k < n; k++) {
      const base = level * rng.normal();
      const difference =
        categoryOf(base + 0.5 + slope * rng.normal() + rng.normal(), cuts) - categoryOf(base + rng.normal(), cuts);
      sum += difference;
      squares += difference * difference;
    }
    const se = Math.sqrt(squares / n - (sum / n) ** 2) / Math.sqrt(n);
    expect(Math.abs(sum / n - meanDifference(cuts, 0.5, sds))).toBeLessThan(4 * se);
  });

  it("tells all about the latent mean when its points are many, 2/π of it when they are two", () => {
    const none = { raterIntercept: 0, raterSlope: 0, itemIntercept: 0, itemSlope: 0 };
    const fine = Float64Array.from({ length: 401 }, (_, k) => -6 + 0.03 * k);
    expect(ratingInformation(fine, 0, none)).toBeCloseTo(1, 3);
    expect(ratingInformation(Float64Array.of(0), 0, none)).toBeCloseTo(2 / Math.PI, 12);
  });

  it("draws rising thresholds with the setting's mean distance", () => {
    const { points, lowest, lowestSd, distance, distanceSd } = ORDINAL_SETTINGS["howcroft-general"]!;
    const rng = makeRng("cuts");
    const all = Array.from({ length: 4000 }, () =>
      drawThresholds({ kind: "drawn", points, lowest, lowestSd, distance, distanceSd }, rng),
    );
    const mean = (of: (own: Float64Array) => number) => all.reduce((sum, own) => sum + of(own), 0) / all.length;
    expect(Math.abs(mean((own) => own[0]!) - lowest)).toBeLessThan((4 * lowestSd) / Math.sqrt(4000));
    expect(Math.abs(mean((own) => own[4]! - own[0]!) - 4 * distance)).toBeLessThan(
      (4 * 2 * distanceSd) / Math.sqrt(4000),
    );
    expect(all.every((own) => own.every((cut, k) => k === 0 || cut >= own[k - 1]!))).toBe(true);
  });

  it("refuses thresholds that do not rise", () => {
    expect(Array.from(parseThresholds("-1, 0,2"))).toEqual([-1, 0, 2]);
    for (const text of ["0,0", "1,-1", "a", "1,,2"]) expect(() => parseThresholds(text)).toThrow(/rising/);
  });
});

describe("power of ordinal and linear mixed models", () => {
  const params = howcroftParameters({ setting: "howcroft-general", items: 50, ratings: 3, effect: 0.62 });

  it("is close to the approximation, and the models agree on most experiments", async () => {
    const replicates = 40;
    const { analyses } = await simulatePower(ordinalFamily, params, { rng: makeRng("both"), replicates });
    const [clmm, lmm] = analyses;
    expect([clmm!.name, lmm!.name]).toEqual(["clmm/wald", "lmm/satterthwaite"]);
    expect([clmm!.failed, lmm!.failed]).toEqual([0, 0]);
    expect(Math.abs(clmm!.power - ordinalFamily.make(params).approximatePower!().power)).toBeLessThan(
      4 * clmm!.se + 0.03,
    );
    // the test of the CLMM takes its variances as known and rejects more often
    expect(clmm!.power).toBeGreaterThanOrEqual(lmm!.power);
    // both on the scale of the effect
    expect(Math.abs(clmm!.typeM - lmm!.typeM)).toBeLessThan(0.25);
  });

  it("does not depend on which models are fitted beside", async () => {
    const options = { rng: makeRng("alone"), replicates: 12 };
    const both = await simulatePower(ordinalFamily, params, options);
    const alone = await simulatePower(ordinalFamily, { ...params, analysis: "lmm" }, options);
    expect(alone.analyses[0]).toEqual(both.analyses[1]);
  });

  it("follows Howcroft's Fig. 2: power rises with the effect, falls with the variance", async () => {
    const cells = howcroftCells().filter(
      ({ items, ratings, effect }) => items === 50 && ratings === 3 && (effect === 0.155 || effect === 0.62),
    );
    expect(howcroftCells()).toHaveLength(72);
    const found = await simulateHowcroft(cells, { rng: makeRng("fig2"), replicates: 15 });
    for (let k = 0; k < found.length; k += 2) expect(found[k + 1]!.clmm.power).toBeGreaterThan(found[k]!.clmm.power);
    const strong = found.filter(({ effect }) => effect === 0.62);
    expect(strong[0]!.clmm.power).toBeGreaterThan(strong[2]!.clmm.power);
  });

  it("refuses what cannot be", () => {
    expect(() => ordinalFamily.make({ ...params, setting: undefined })).toThrow(
      expect.objectContaining({ code: "MissingParameter" }),
    );
    expect(() => ordinalFamily.make({ ...params, itemSlope: -1 })).toThrow(
      expect.objectContaining({ code: "NegativeVariance" }),
    );
    expect(() => ordinalFamily.make({ ...params, raters: 16 })).toThrow(
      expect.objectContaining({ fix: expect.stringContaining("multiple of 3") }),
    );
  });
});
