import { describe, expect, it } from "vitest";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { isEstimable, planDesign } from "../designs/designs.ts";
import { LIKERT_SETTINGS } from "../published-settings.ts";
import { approximateFigures, differenceVariance } from "../scenarios/approx.ts";
import { likertFamily } from "../scenarios/likert.ts";
import { simulatePower } from "../simulate.ts";
import { type DesignResult, findDesign } from "./design.ts";
import { bestForBudget, cheapestForPower, costOf, type SearchRequest, searchFrontier } from "./design-search.ts";

const prices = { item: 1, rater: 5, rating: 0.2, judgeCall: 0 };
const small: SearchRequest = {
  prices,
  textsPerRating: 2,
  effect: 0.3,
  variance: (design) => differenceVariance(design, LIKERT_SETTINGS["card-high"]!),
  alpha: 0.05,
  twoSided: true,
  z: false,
  kind: "k-of-m",
  raters: [5, 12],
  ratings: [1, 4],
  leastItems: 10,
  mostItems: 60,
  perRater: undefined,
};

/** Every design within the limits. */
function* all(request: SearchRequest) {
  for (let raters = request.raters[0]; raters <= request.raters[1]; raters++)
    for (let ratings = 1; ratings <= Math.min(raters, request.ratings[1]); ratings++)
      for (let items = request.leastItems; items <= request.mostItems; items++) {
        // some raters would have nothing to rate
        if (raters > items * ratings) continue;
        const design = planDesign({ design: "k-of-m", items, raters, ratings });
        if (!isEstimable(design)) continue;
        const test = { alpha: 0.05, twoSided: true, points: [12, 2] as const };
        const power = () => approximateFigures(request.effect, request.variance(design), test).power;
        yield { design, cost: costOf(design, request), power };
      }
}

describe("search", () => {
  it("finds the best design for a budget, as going through all does", () => {
    let most = 0;
    for (const { cost, power } of all(small)) if (cost <= 120) most = Math.max(most, power());
    const found = bestForBudget(small, 120)!;
    expect(found.cost).toBeLessThanOrEqual(120);
    const coarse = approximateFigures(0.3, small.variance(found.design), {
      alpha: 0.05,
      twoSided: true,
      points: [12, 2],
    });
    expect(coarse.power).toBeGreaterThan(most - 2e-4);
  });

  it("finds the cheapest design with a power, as going through all does", () => {
    let least = Number.POSITIVE_INFINITY;
    for (const { cost, power } of all(small)) if (cost < least && power() >= 0.7) least = cost;
    const found = cheapestForPower(small, 0.7)!;
    expect(found.power).toBeGreaterThanOrEqual(0.7);
    // by the finer figure an item more or less
    expect(Math.abs(found.cost - least)).toBeLessThan(4);
  });

  it("leaves out no number of raters above forty either", () => {
    const large = { ...small, raters: [5, 90] as const, mostItems: 90, ratings: [1, 2] as const, effect: 0.1 };
    let most = 0;
    for (const { cost, power } of all(large)) if (cost <= 400) most = Math.max(most, power());
    const found = bestForBudget(large, 400)!;
    expect(found.design.raters).toBeGreaterThan(40);
    const coarse = approximateFigures(0.1, large.variance(found.design), {
      alpha: 0.05,
      twoSided: true,
      points: [12, 2],
    });
    expect(coarse.power).toBeGreaterThan(most - 2e-4);
  });

  it("adds the price of a judge's call to every rating", () => {
    const design = planDesign({ items: 10, raters: 5, ratings: 2, design: "k-of-m" });
    const asked = { item: 1, rater: 5, rating: 0.2, judgeCall: 0.1 };
    expect(costOf(design, { prices: asked, textsPerRating: 2 })).toBeCloseTo(10 + 25 + 40 * 0.3, 12);
    // both texts at once
    expect(costOf(design, { prices: asked, textsPerRating: 1 })).toBeCloseTo(10 + 25 + 20 * 0.3, 12);
  });

  it("draws a frontier that rises in cost and power", () => {
    const frontier = searchFrontier(small, 200);
    expect(frontier.length).toBeGreaterThan(3);
    frontier.slice(1).forEach((point, k) => {
      expect(point.cost).toBeGreaterThan(frontier[k]!.cost);
      expect(point.power).toBeGreaterThan(frontier[k]!.power);
    });
  });

  it("spends no more than the power is worth, and stands on its own frontier", () => {
    const calls = { item: 0, rater: 0, rating: 0, judgeCall: 0.05 };
    const rich: SearchRequest = {
      ...small,
      prices: calls,
      effect: 0.2,
      raters: [5, 200],
      ratings: [2, 20],
      mostItems: 5000,
    };
    const best = bestForBudget(rich, 100)!;
    // 500 items, 200 raters and 2 ratings have 1 - 1e-11 for 100, but 99.99 % is to be had for a third
    expect(best.power).toBeGreaterThan(1 - 2e-4);
    expect(best.cost).toBeLessThan(40);
    const frontier = searchFrontier(rich, 100, { best });
    expect(frontier).toContain(best);
    for (const { cost, power } of frontier) if (cost <= best.cost) expect(power).toBeLessThanOrEqual(best.power);
  });

  it("puts money into raters when raters cost nothing and differ", () => {
    const free = { ...small, prices: { ...prices, rater: 0 } };
    expect(bestForBudget(free, 120)!.design.raters).toBeGreaterThan(
      bestForBudget({ ...small, prices: { ...prices, rater: 15 } }, 120)!.design.raters,
    );
  });
});

describe("findDesign", () => {
  const question = { scenario: "likert", params: { effect: 0.3, setting: "card-high" }, prices } as const;

  it("checks the best design by simulation, and says so in a sentence", async () => {
    const result = await findDesign({ ...question, power: 0.8 }, { rng: makeRng("design"), replicates: 150 });
    const { best, frontier, sentence, target } = result;
    expect(target).toBe(0.8);
    expect(best.power).toBeGreaterThanOrEqual(0.8);
    expect(Math.abs(best.simulatedPower - best.power)).toBeLessThan(4 * best.se + 0.02);
    expect(frontier.some(({ cost }) => cost < best.cost)).toBe(true);
    expect(sentence).toContain(`${best.items} items`);
    expect(sentence).toContain(`${best.raters} raters`);
    expect(String(result)).toContain("Best design");
  });

  it("does not keep a design that had the power by luck, and reports experiments drawn after the choice", async () => {
    const params = { effect: 0.3, setting: "card-high" };
    const simulate = ({ items, raters, ratings }: { items: number; raters: number; ratings: number }, rng: Rng) =>
      simulatePower(likertFamily, { ...params, design: "k-of-m", items, raters, ratings }, { rng, replicates: 40 });
    let lucky = 0;
    for (const seed of ["a", "b", "c", "d", "e", "f"]) {
      const { best, missed } = await findDesign({ ...question, power: 0.8 }, { rng: makeRng(seed), replicates: 40 });
      for (const [k, own] of [...missed, best].entries()) {
        const root = makeRng(seed);
        const first = await simulate(own, k === 0 ? root : root.stream(k));
        const reported = first.power < 0.8 ? first : await simulate(own, root.stream((1 << 20) + k));
        expect(own.simulatedPower).toBe(reported.power);
        if (own !== best) expect(own.simulatedPower).toBeLessThan(0.8);
        if (first.power >= 0.8 && reported.power < 0.8) lucky += 1;
      }
    }
    expect(lucky).toBeGreaterThan(0);
  });

  it("serves the ordinal model too", async () => {
    const result = await findDesign(
      { scenario: "ordinal", params: { effect: 0.62, setting: "howcroft-low" }, prices, budget: 150, design: "lists" },
      { rng: makeRng("design"), replicates: 20 },
    );
    expect(result.best.cost).toBeLessThanOrEqual(150);
    expect(Math.abs(result.best.simulatedPower - result.best.power)).toBeLessThan(4 * result.best.se + 0.05);
  });

  it("took an analysis that the search does not make, and ignored it", async () => {
    const ordinal = { scenario: "ordinal", prices, budget: 150, design: "lists" } as const;
    const ask = (analysis: "lmm" | "clmm"): Promise<DesignResult> =>
      findDesign(
        { ...ordinal, params: { effect: 0.62, setting: "howcroft-low", analysis } },
        { rng: makeRng("design"), replicates: 5 },
      );
    await expect(ask("lmm")).rejects.toThrow(/sought by the power of the ordinal/);
    expect((await ask("clmm")).best.cost).toBeLessThanOrEqual(150);
  });

  it("refuses a scenario without raters in one line", async () => {
    const question = {
      scenario: "accuracy" as "likert",
      params: { delta: 0.1 },
      prices,
      power: 0.8,
    };
    await expect(findDesign(question, { rng: makeRng("1") })).rejects.toThrow(
      /scenario "accuracy" has no raters to choose/,
    );
  });

  it("serves preferences, whose judgements see both texts", async () => {
    const params = { win: 0.6, tie: 0.1, raterSd: 0.3, itemSd: 0.8 };
    const result = await findDesign(
      { scenario: "head-to-head", params, prices, budget: 150 },
      { rng: makeRng("judges"), replicates: 400 },
    );
    const { items, raters, ratings, totalRatings, cost, power, simulatedPower, se } = result.best;
    expect(totalRatings).toBe(items * ratings);
    expect(cost).toBeCloseTo(items + 5 * raters + 0.2 * items * ratings, 10);
    expect(cost).toBeLessThanOrEqual(150);
    expect(Math.abs(simulatedPower - power)).toBeLessThan(4 * se + 0.03);
    expect(result.sentence).toContain("60 % of the judgements");
    await expect(
      findDesign({ scenario: "head-to-head", params, prices, budget: 150, design: "lists" }, { rng: makeRng(1) }),
    ).rejects.toMatchObject({ code: "ImpossibleDesign" });
  });

  it.each([
    [{ budget: 20 }, "BudgetTooSmall"],
    [{ budget: -1 }, "BadParameter"],
    [{}, "MissingParameter"],
    [{ budget: 100, power: 0.8 }, "MissingParameter"],
    [{ power: 0.999, raters: [5, 6] as const }, "OutOfReach"],
    [{ budget: 100, prices: { ...prices, item: -1 } }, "BadParameter"],
    [{ budget: 100, prices: { item: 0, rater: 0, rating: 0, judgeCall: 0 } }, "BadParameter"],
    [{ budget: 100, raters: [9, 3] as const }, "BadParameter"],
    [{ budget: 100, params: { effect: 0.3, setting: "card-high", itemSlope: -1 } }, "NegativeVariance"],
    [{ budget: 100, perRater: 1 }, "ImpossibleDesign"],
    [{ budget: 100, ratings: [1, 1] as const }, "ImpossibleDesign"],
  ])("refuses %j", async (own, code) => {
    await expect(findDesign({ ...question, ...own }, { rng: makeRng(1) })).rejects.toMatchObject({ code });
  });
});
