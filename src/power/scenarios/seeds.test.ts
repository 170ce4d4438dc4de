import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { findMde } from "../solve/mde.ts";
import { planSeeds } from "../solve/seeds-design.ts";
import { findSize } from "../solve/size.ts";
import { analysePower, computePower } from "../solve/solve.ts";
import { meansFamily } from "./means.ts";
import { seedsFamily } from "./seeds.ts";

const SDS = { seedSd: 0.01, itemSd: 0.3, runItemSd: 0.2 };

describe("seeds and items", () => {
  it("a fixed test set is the two-sample t test of the runs' means (power.t.test)", () => {
    // Var of a run's mean on 400 items: .01² + .2²/400
    const own = computePower(seedsFamily, { items: 400, seeds: 5, delta: 0.02, ...SDS, testSet: "fixed" });
    const sd = Math.sqrt(0.01 ** 2 + 0.2 ** 2 / 400);
    const same = computePower(meansFamily, { n: 5, delta: 0.02, sd, design: "two-sample" });
    expect(own.power).toBeCloseTo(same.power, 10);
    expect(own.typeM).toBeCloseTo(same.typeM, 8);
  });

  it("without variation between runs and from run to run it is the paired t test of items", () => {
    const own = computePower(seedsFamily, { items: 60, seeds: 4, delta: 0.1, seedSd: 0, itemSd: 0.3, runItemSd: 0 });
    const same = computePower(meansFamily, { n: 60, delta: 0.1, sd: 0.3 });
    expect(own.power).toBeCloseTo(same.power, 6);
  });

  it.each([
    { items: 50, seeds: 2, delta: 0.1 },
    { items: 200, seeds: 3, delta: 0.06 },
    { items: 500, seeds: 10, delta: 0.03 },
    { items: 30, seeds: 5, delta: 0.15, oneSided: true },
  ])("the exact power is that of drawn experiments: %j", async (params) => {
    const exact = computePower(seedsFamily, { ...params, ...SDS });
    const drawn = await analysePower(
      seedsFamily,
      { ...params, ...SDS },
      { method: "simulation", replicates: 10_000, rng: makeRng(4) },
    );
    expect(Math.abs(exact.power - drawn.power)).toBeLessThan(4 * drawn.se);
    expect(Math.abs(exact.typeM - drawn.typeM)).toBeLessThan(4 * drawn.typeMSe);
  });

  it("the SE is that of the formula, and more runs cannot make up for few items", () => {
    const { parameters } = computePower(seedsFamily, { items: 400, seeds: 5, delta: 0.02, ...SDS });
    const variance = (2 * 0.01 ** 2) / 5 + 0.3 ** 2 / 400 + (2 * 0.2 ** 2) / (5 * 400);
    expect(parameters.find(({ name }) => name === "SE")!.value).toBeCloseTo(Math.sqrt(variance), 12);
    const power = (seeds: number) => computePower(seedsFamily, { items: 100, seeds, delta: 0.05, ...SDS }).power;
    expect(power(500)).toBeLessThan(computePower(meansFamily, { n: 100, delta: 0.05, sd: 0.3 }).power + 1e-3);
  });

  it("size finds items or seeds, mde the difference", async () => {
    const params = { delta: 0.03, ...SDS };
    const items = await findSize(seedsFamily, { ...params, seeds: 5 }, {});
    expect(items.power).toBeGreaterThanOrEqual(0.8);
    expect(items.powerBelow).toBeLessThan(0.8);
    const seeds = await findSize(seedsFamily, { ...params, items: 1500 }, { solveFor: "seeds" });
    expect(seeds.parameter).toBe("seeds");
    const { mde } = await findMde(seedsFamily, { ...SDS, items: 400, seeds: 5 }, {});
    expect(computePower(seedsFamily, { ...SDS, items: 400, seeds: 5, delta: mde }).power).toBeCloseTo(0.8, 6);
    await expect(findSize(seedsFamily, { ...params, seeds: 2, delta: 0.005 }, {})).rejects.toThrow("seeds");
  });

  it.each([
    [{ seeds: 1 }, "seeds = 1"],
    [{ items: 1 }, "items = 1"],
    [{ seedSd: -1 }, "seedSd = -1"],
    [{ seedSd: undefined }, "needs seedSd"],
    [{ itemSd: undefined }, "needs itemSd"],
    [{ delta: 0 }, "delta = 0"],
    [{ testSet: "random" }, "testSet = random"],
    [{ seedSd: 0, itemSd: 0, runItemSd: 0 }, "every difference"],
  ])("refuses %j", (wrong, message) => {
    expect(() => computePower(seedsFamily, { items: 100, seeds: 5, delta: 0.1, ...SDS, ...wrong })).toThrow(message);
  });
});

describe("what runs and items cost", () => {
  const params = { delta: 0.03, ...SDS };

  it("the cheapest plan is the cheapest of all plans", () => {
    const prices = { run: 20, item: 1, scoring: 0.01 };
    const { best } = planSeeds({ params, prices, power: 0.8, seeds: [7, 9], items: [1050, 1250] });
    const all = [7, 8, 9].flatMap((seeds) =>
      Array.from({ length: 201 }, (_, k) => ({
        seeds,
        items: 1050 + k,
        cost: 2 * seeds * (20 + (1050 + k) * 0.01) + 1050 + k,
      })),
    );
    const cheaper = all.filter(({ cost }) => cost < best.cost - 1e-9 && cost > best.cost - 40);
    const enough = cheaper.filter(
      (plan) => computePower(seedsFamily, { ...params, seeds: plan.seeds, items: plan.items }).power >= 0.8,
    );
    expect(enough).toEqual([]);
    expect(cheaper.length).toBeGreaterThan(20);
    expect(best.power).toBeGreaterThanOrEqual(0.8);
  });

  it("the best plan for a budget keeps to it", () => {
    const prices = { run: 20, item: 1, scoring: 0 };
    const { best, plans } = planSeeds({ params, prices, budget: 1000, seeds: [2, 12] });
    expect(best.cost).toBeLessThanOrEqual(1000);
    expect(Math.max(...plans.map(({ power }) => power))).toBe(best.power);
    expect(plans.every(({ seeds, items }) => 40 * seeds + items <= 1000 && 40 * seeds + items + 1 > 1000)).toBe(true);
  });

  it.each([
    [{ prices: {}, power: 0.8 }, "nothing has a price"],
    [{ prices: { run: 1 } }, "neither"],
    [{ prices: { run: 1 }, power: 0.8, budget: 3 }, "both"],
    [{ prices: { run: -1 }, power: 0.8 }, "price of -1"],
    [{ prices: { run: 1 }, budget: 1 }, "buys no plan"],
    [{ prices: { run: 1 }, power: 0.8, seeds: [5, 2] as const }, "seeds from 5 to 2"],
  ])("refuses %j", (question, message) => {
    expect(() => planSeeds({ params, ...question })).toThrow(message);
  });
});
