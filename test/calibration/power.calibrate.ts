import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { simulateFigure6 } from "../../replications/likert-figures.ts";
import { howcroftCells, simulateHowcroft } from "../../replications/ordinal-figures.ts";
import { chiSquareSf } from "../../src/numeric/dist/chi-square.ts";
import { makeRng } from "../../src/numeric/rng.ts";
import { headToHeadFamily } from "../../src/power/scenarios/head-to-head.ts";
import { likertFamily } from "../../src/power/scenarios/likert.ts";
import { ordinalFamily } from "../../src/power/scenarios/ordinal.ts";
import { simulatePower } from "../../src/power/simulate.ts";
import { hasShared, sharedPath } from "../support/oracle.ts";

/** Published and own shares of significant experiments, pooled: squared standard scores. */
function squaredScore(a: number, ofA: number, b: number, ofB: number): number {
  const share = (a * ofA + b * ofB + 2) / (ofA + ofB + 4);
  return (a - b) ** 2 / (share * (1 - share) * (1 / ofA + 1 / ofB));
}

describe.skipIf(!hasShared)("Card et al. 2020, Fig. 6 (needs ../shared)", () => {
  it("comes out anew in all 48 cells, within the errors of both simulations", async () => {
    const [, ...lines] = readFileSync(sharedPath("data/card2020/lmer_power_simulation.csv"), "utf8").trim().split("\n");
    const published = new Map(
      lines.map((line) => {
        const [beta, items, power, raters, settings] = line.split(",");
        const setting = settings!.startsWith("High") ? "card-high" : "card-low";
        return [[setting, raters, items, Number(beta)].join(), Number(power)];
      }),
    );
    const replicates = 1000;
    const cells = await simulateFigure6({ rng: makeRng("figure 6"), replicates });
    let sum = 0;
    for (const { setting, raters, items, beta, power, se, approximate } of cells) {
      const square = squaredScore(published.get([setting, raters, items, beta].join())!, 200, power, replicates);
      expect(square).toBeLessThan(16);
      sum += square;
      expect(Math.abs(power - approximate)).toBeLessThan(4 * se + 0.03);
    }
    expect(cells).toHaveLength(48);
    expect(chiSquareSf(sum, 48)).toBeGreaterThan(0.001);
  });
});

describe("error rates with nothing to find", () => {
  const nothing = 1e-12;

  it.each([
    ["satterthwaite", 10, 0.05],
    ["kenward-roger", 10, 0.05],
    ["satterthwaite", 20, 0.05],
  ])("%s with %i raters keeps 5 %%", async (test, raters, rate) => {
    const params = { items: 50, raters, effect: nothing, setting: "card-high", test };
    const { rejection } = await simulatePower(likertFamily, params, { rng: makeRng(test), replicates: 3000 });
    expect(Math.abs(rejection - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / 3000) + 0.01);
  });

  it("t > 1.96 with three raters rejects 19 % (9.8 % on either side)", async () => {
    const params = { items: 50, raters: 3, effect: nothing, setting: "card-high", test: "z" };
    const { rejection, power } = await simulatePower(likertFamily, params, { rng: makeRng("z"), replicates: 4000 });
    expect(Math.abs(rejection - 0.19)).toBeLessThan(4 * Math.sqrt((0.19 * 0.81) / 4000));
    expect(Math.abs(power - 0.098)).toBeLessThan(4 * Math.sqrt((0.098 * 0.9) / 4000));
  });

  it("the ordinal model's Wald test is a little liberal with 15 raters; mean ratings differ even where latent means do not", async () => {
    const params = {
      items: 50,
      ratings: 3,
      raters: 15,
      listLength: 4,
      design: "lists",
      setting: "howcroft-general",
      effect: nothing,
    };
    const { analyses } = await simulatePower(ordinalFamily, params, { rng: makeRng("ordinal null"), replicates: 600 });
    for (const { rejection } of analyses) {
      expect(rejection).toBeGreaterThan(0.05 - 4 * Math.sqrt((0.05 * 0.95) / 600));
      expect(rejection).toBeLessThan(0.09 + 4 * Math.sqrt((0.09 * 0.91) / 600));
    }
  });

  it("the head-to-head model is a little liberal with eight raters", async () => {
    const params = { items: 60, raters: 8, win: 0.5 + 1e-9, raterSd: 0.3, itemSd: 0.7 };
    const { rejection } = await simulatePower(headToHeadFamily, params, {
      rng: makeRng("votes null"),
      replicates: 1500,
    });
    expect(rejection).toBeLessThan(0.11);
  });
});

describe("Howcroft & Rieser 2021, Fig. 2", () => {
  it("has the published order: power rises with effect, items and ratings, falls with variance; the ordinal model leads", async () => {
    const cells = howcroftCells().filter(({ items }) => items <= 100);
    const found = await simulateHowcroft(cells, { rng: makeRng("figure 2") });
    const mean = (keep: (cell: (typeof found)[number]) => boolean, model: "clmm" | "lmm" = "clmm"): number => {
      const kept = found.filter(keep);
      return kept.reduce((sum, cell) => sum + cell[model].power, 0) / kept.length;
    };
    const rises = (values: readonly number[]): boolean => values.every((value, k) => k === 0 || value > values[k - 1]!);
    expect(rises([0.155, 0.31, 0.465, 0.62].map((effect) => mean((cell) => cell.effect === effect)))).toBe(true);
    expect(rises([50, 100].map((items) => mean((cell) => cell.items === items)))).toBe(true);
    expect(rises([3, 10].map((ratings) => mean((cell) => cell.ratings === ratings)))).toBe(true);
    expect(rises(["high", "general", "low"].map((name) => mean((cell) => cell.setting === `howcroft-${name}`)))).toBe(
      true,
    );
    expect(mean(() => true)).toBeGreaterThan(mean(() => true, "lmm"));
  });
});
