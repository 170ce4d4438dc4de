import { describe, expect, it } from "vitest";
import { fixedCovariance } from "../../models/lmm/objective.ts";
import { prepareLmm } from "../../models/lmm/problem.ts";
import { prepareSatterthwaite, satterthwaiteDf } from "../../models/lmm/satterthwaite.ts";
import { simulateInto } from "../../models/lmm/simulate.ts";
import { solveLmm } from "../../models/lmm/solve.ts";
import { noncentralTSf } from "../../numeric/dist/noncentral-t.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { makeRng } from "../../numeric/rng.ts";
import { planDesign } from "../designs/designs.ts";
import { LIKERT_SETTINGS } from "../published-settings.ts";
import { simulatePower } from "../simulate.ts";
import { approximateFigures, differenceVariance } from "./approx.ts";
import { likertFamily } from "./likert.ts";
import { ratingModel, trueTheta, UNCORRELATED } from "./likert-model.ts";

const high = LIKERT_SETTINGS["card-high"]!;

/** SD of 2β̂ by generalised least squares at the true variances. */
function trueSe(request: Parameters<typeof planDesign>[0]): number {
  const problem = prepareLmm(ratingModel(planDesign(request), UNCORRELATED, [-1, 1]));
  const cov = fixedCovariance(problem, trueTheta(problem.structure, high, high.residual));
  return 2 * high.residual * Math.sqrt(cov.data[3]!);
}

describe("closed-form variance of the difference", () => {
  it.each([
    [3, 50],
    [10, 100],
    [4, 7],
  ])("is that of the mixed model: %i raters, %i items, crossed", (raters, items) => {
    const { total } = differenceVariance(planDesign({ raters, items }), high);
    expect(Math.sqrt(total)).toBeCloseTo(trueSe({ raters, items }), 12);
  });

  it("is close to it where not all rate all", () => {
    for (const request of [
      { items: 60, raters: 12, ratings: 4, design: "k-of-m" },
      { items: 60, raters: 12, ratings: 3, design: "lists" },
    ] as const) {
      const { total } = differenceVariance(planDesign(request), high);
      const ratio = Math.sqrt(total) / trueSe(request);
      expect(ratio).toBeGreaterThan(0.97);
      expect(ratio).toBeLessThanOrEqual(1.001);
    }
  });
});

describe("degrees of freedom of many raters", () => {
  it.each([
    { items: 80, raters: 60, ratings: 6, design: "k-of-m" },
    { items: 120, raters: 60, ratings: 5, design: "lists" },
  ] as const)("never fall below the share that spares working them out: $design", (request) => {
    const problem = prepareLmm(ratingModel(planDesign(request), UNCORRELATED, [-1, 1]));
    const theta = trueTheta(problem.structure, high, high.residual);
    const L = zeros(1, 2);
    L.data[1] = 1;
    for (let i = 0; i < 12; i++) {
      const y = new Float64Array(2 * request.items * request.ratings);
      simulateInto(y, problem, { theta, beta: [3, 0.1], sigma: high.residual }, makeRng("df").stream(i));
      expect(satterthwaiteDf(prepareSatterthwaite(problem, solveLmm(problem, y)), L)[0]!).toBeGreaterThan(15);
    }
  });
});

describe("approximation", () => {
  it("is the noncentral t distribution where only raters vary", () => {
    const sds = { raterSlope: 0.2, itemSlope: 0, residual: 1e-6 };
    const variance = differenceVariance(planDesign({ raters: 12, items: 100 }), sds);
    const { power } = approximateFigures(0.3, variance, { alpha: 0.05, twoSided: true, points: [4000, 1] });
    const se = (2 * 0.2) / Math.sqrt(12);
    expect(power).toBeCloseTo(noncentralTSf(tQuantileUpper(0.025, 11), 11, 0.3 / se), 4);
  });

  it("is normal in large designs, whatever the coding of the effect", () => {
    const params = { items: 2000, raters: 400, setting: "card-high", test: "z" };
    const se = Math.sqrt(differenceVariance(planDesign({ items: 2000, raters: 400 }), high).total);
    const { power } = likertFamily.make({ ...params, effect: 2.5 * se }).approximatePower!();
    expect(power).toBeCloseTo(normalSf(1.959964 - 2.5), 2);
    expect(likertFamily.make({ ...params, beta: 1.25 * se }).approximatePower!().power).toBe(power);
  });

  it("agrees with simulation of the test, few raters or many", async () => {
    for (const [raters, test, effect] of [
      [3, "satterthwaite", 0.2],
      [3, "z", 0.2],
      [6, "kenward-roger", 0.25],
      [10, "satterthwaite", 0.2],
    ] as const) {
      const params = { items: 40, raters, effect, setting: "card-high", test };
      const { power, se, typeM, typeMSe } = await simulatePower(likertFamily, params, {
        rng: makeRng("agree"),
        replicates: 600,
      });
      const approximate = likertFamily.make(params).approximatePower!();
      // four standard errors, and 0.02 that the approximation may be off
      expect(Math.abs(power - approximate.power)).toBeLessThan(4 * se + 0.02);
      expect(Math.abs(typeM - approximate.typeM)).toBeLessThan(4 * typeMSe + 0.1);
    }
  });

  it("works for lists and for some of the raters", async () => {
    for (const design of [
      { ratings: 3, raters: 12, design: "lists" },
      { ratings: 3, raters: 10, design: "k-of-m" },
    ]) {
      const params = { ...design, items: 40, effect: 0.2, setting: "card-high" };
      const { power, se } = await simulatePower(likertFamily, params, { rng: makeRng("designs"), replicates: 300 });
      expect(Math.abs(power - likertFamily.make(params).approximatePower!().power)).toBeLessThan(4 * se + 0.03);
    }
  });
});

describe("the planned test", () => {
  it("has the error rate under no effect that it should have, unless it is z with three raters", async () => {
    const nearly = { items: 50, setting: "card-high", effect: 1e-12 };
    const rate = async (params: object) =>
      (await simulatePower(likertFamily, { ...nearly, ...params }, { rng: makeRng("null"), replicates: 400 }))
        .rejection;
    expect(await rate({ raters: 10 })).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / 400));
    // published: 19 % two-sided
    expect(Math.abs((await rate({ raters: 3, test: "z" })) - 0.19)).toBeLessThan(4 * Math.sqrt((0.19 * 0.81) / 400));
  });

  it("is flagged where it is badly sized", () => {
    const codes = (params: object) =>
      likertFamily
        .make({ items: 100, effect: 0.4, setting: "card-high", ...params })
        .diagnostics.map(({ code }) => code);
    expect(codes({ raters: 3, test: "z" })).toContain("BadlySizedTest");
    expect(codes({ raters: 3 })).not.toContain("BadlySizedTest");
    expect(codes({ raters: 40, test: "z" })).not.toContain("BadlySizedTest");
    expect(codes({ raters: 3, effect: 0.05 })).toContain("RatersLimit");
  });
});

describe("bad input is refused with what is admissible", () => {
  it.each([
    [{ raterSlope: -0.1 }, "NegativeVariance"],
    [{ residual: 0 }, "NegativeVariance"],
    [{ ratings: 9 }, "ImpossibleDesign"],
    [{ ratings: 1 }, "ImpossibleDesign"],
    [{ effect: 0 }, "NoEffect"],
    [{ effect: 0.2, beta: 0.3 }, "Contradiction"],
    [{ setting: undefined }, "MissingParameter"],
    [{ effect: undefined }, "MissingParameter"],
    [{ alpha: 1 }, "BadParameter"],
    [{ items: 0 }, "BadParameter"],
  ])("%j", (params, code) => {
    const given = { items: 50, raters: 3, effect: 0.2, setting: "card-high", ...params };
    expect(() => likertFamily.make(given)).toThrow(expect.objectContaining({ code }));
  });
});
