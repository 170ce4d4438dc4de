import { describe, expect, it } from "vitest";
import { noncentralTSf } from "../../numeric/dist/noncentral-t.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { formatBeside } from "../result.ts";
import type { ScenarioFamily, ScenarioParameters } from "../scenario.ts";
import { accuracyFamily } from "../scenarios/accuracy.ts";
import { headToHeadFamily } from "../scenarios/head-to-head.ts";
import { likertFamily } from "../scenarios/likert.ts";
import { meansFamily } from "../scenarios/means.ts";
import { ordinalFamily } from "../scenarios/ordinal.ts";
import { unpairedFamily } from "../scenarios/unpaired.ts";
import { findMde } from "./mde.ts";
import { findSize, type SizeOptions } from "./size.ts";
import { computePower } from "./solve.ts";

async function refusal(
  family: ScenarioFamily,
  params: ScenarioParameters,
  options: SizeOptions = { method: "approx" },
) {
  const error = await findSize(family, params, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StatError)) throw new Error(`not refused: ${String(error)}`);
  const limit = /cannot exceed ([\d.]+)/.exec(error.message)?.[1];
  const least = /takes at least (\d+)/.exec(error.fix)?.[1];
  return { code: error.code, message: error.message, fix: error.fix, limit: Number(limit), least: Number(least) };
}

describe("a power that no number of items can have", () => {
  const CARD = { effect: 0.1, setting: "card-high" };
  /** With infinitely many items only the raters' slopes are left: a one-sample t test of their differences. */
  const limitWith = (raters: number, slope = 0.11): number =>
    noncentralTSf(tQuantileUpper(0.025, raters - 1), raters - 1, (0.1 / (2 * slope)) * Math.sqrt(raters));

  it("is refused with the limit for so many raters, and with how many raters it takes", async () => {
    const found = await refusal(likertFamily, { ...CARD, raters: 10 });
    expect(found.code).toBe("PowerCeiling");
    expect(found.message).toContain("with 10 raters the power cannot exceed");
    expect(found.message).toContain("however many items there are");
    expect(Math.abs(found.limit - limitWith(10))).toBeLessThan(1e-3);
    let least = 2;
    while (limitWith(least) < 0.8) least++;
    expect(found.least).toBe(least);
  });

  it("what is advised has the power, and fewer raters have not", async () => {
    const found = await refusal(likertFamily, { ...CARD, raters: 10 });
    const [, raters, items] = /with (\d+), (\d+) items will do/.exec(found.fix)!.map(Number);
    const power = (raters: number, count: number): number =>
      computePower(likertFamily, { ...CARD, raters, items: count }, "approx").power;
    expect(power(raters!, items!)).toBeGreaterThanOrEqual(0.8);
    expect(power(raters!, items! - 1)).toBeLessThan(0.8);
    expect(power(found.least - 1, 1e8)).toBeLessThan(0.8);
  });

  it("is refused before anything is drawn where the answer is simulated", async () => {
    let drawn = 0;
    const options = { rng: makeRng(1), onProgress: () => (drawn += 1) };
    const { code } = await refusal(likertFamily, { ...CARD, raters: 10 }, options);
    expect([code, drawn]).toEqual(["PowerCeiling", 0]);
  });

  it("the other way round: a power that no number of raters can have", async () => {
    const found = await refusal(likertFamily, { ...CARD, items: 10 }, { method: "approx", solveFor: "raters" });
    expect(found.message).toContain("with 10 items the power cannot exceed");
    expect(found.message).toContain("however many raters there are");
    const limit = noncentralTSf(tQuantileUpper(0.025, 9), 9, (0.1 / 0.28) * Math.sqrt(10));
    // the average over the items' variance is taken at few points
    expect(Math.abs(found.limit - limit)).toBeLessThan(0.02);
    expect(found.fix).toMatch(/takes at least \d+ items/);
  });

  it("on the latent scale and in log odds", async () => {
    const ordinal = await refusal(ordinalFamily, { effect: 0.31, setting: "howcroft-general", raters: 5 });
    expect(ordinal.message).toContain("with 5 raters the power cannot exceed");
    const votes = { win: 0.55, raterSd: 0.6, itemSd: 0.8, raters: 5 };
    const found = await refusal(headToHeadFamily, votes);
    const enough = await findSize(headToHeadFamily, { ...votes, raters: 2 * found.least }, { method: "approx" });
    expect(enough.n).toBeLessThan(1000);
    expect((await refusal(headToHeadFamily, { ...votes, raters: found.least - 1 })).code).toBe("PowerCeiling");
  });

  it("with a second sample that is given", async () => {
    const z = (se: number, effect: number): number => normalSf(normalQuantileUpper(0.025) - effect / se);
    const means = await refusal(meansFamily, { design: "two-sample", delta: 0.1, n2: 100, test: "z" }, {});
    expect(means.message).toContain("with 100 items in the second sample");
    expect(means.limit).toBeCloseTo(z(0.1, 0.1), 4);
    expect(means.least).toBe(Math.ceil(((normalQuantileUpper(0.025) + normalQuantileUpper(0.2)) / 0.1) ** 2));
    const shares = await refusal(unpairedFamily, { baseline: 0.8, delta: 0.05, n2: 100, test: "z" });
    expect(shares.message).toContain("with 100 items of the new system");
  });

  it("with raters who rate so many texts and no more", async () => {
    const capped = { effect: 0.1, setting: "card-low", raters: 10 };
    const crossed = await refusal(likertFamily, { ...capped, perRater: 40 });
    expect(crossed.message).toContain("there can be at most 20 items");
    const some = await refusal(likertFamily, { ...capped, ratings: 3, perRater: 40 });
    expect(some.message).toContain("there can be at most 66 items");
    expect(some.least).toBeGreaterThan(10);
  });

  it("says so of an effect, and what would do", async () => {
    const few = await findMde(likertFamily, { items: 10, raters: 2, setting: "card-high" }, { method: "approx" });
    expect(few.mde).toBeNaN();
    expect(few.range.to).toBe(1);
    expect(few.diagnostics.at(-1)!.fix).toContain("takes at least 3 raters");
    const wide = { items: 10, raters: 4, setting: "card-high", itemSlope: 0.9 };
    const { fix } = (await findMde(likertFamily, wide, { method: "approx" })).diagnostics.at(-1)!;
    const items = Number(/at least (\d+) items/.exec(fix)![1]);
    const power = (count: number): number =>
      computePower(likertFamily, { ...wide, effect: 1, items: count }, "approx").power;
    expect([power(items) >= 0.8, power(items - 1) >= 0.8]).toEqual([true, false]);
  });
});

describe("how many raters for the items at hand", () => {
  it("the fewest that have the power, by brute force", async () => {
    for (const extra of [{}, { ratings: 3 }, { ratings: 3, design: "lists" }]) {
      const params = { items: 100, effect: 0.2, setting: "card-high", ...extra };
      const { n, parameter, power, powerBelow } = await findSize(likertFamily, params, {
        method: "approx",
        solveFor: "raters",
      });
      expect(parameter).toBe("raters");
      const step = "design" in extra ? 3 : 1;
      const at = (raters: number): number => computePower(likertFamily, { ...params, raters }, "approx").power;
      for (let raters = Math.max(2 * step, 3); raters < n; raters += step) expect(at(raters)).toBeLessThan(0.8);
      expect(power).toBe(at(n));
      expect(power).toBeGreaterThanOrEqual(0.8);
      expect(powerBelow).toBe(at(n - step));
    }
  });

  it("is asked of scenarios with raters only", async () => {
    await expect(findSize(meansFamily, { delta: 1 }, { solveFor: "raters" })).rejects.toThrow(/cannot be solved for/);
  });

  it("and items begin where the raters leave enough ratings for the residual", async () => {
    const params = { raters: 60, ratings: 3, effect: 0.15, setting: "card-high" };
    const { n } = await findSize(likertFamily, params, { method: "approx" });
    expect(n).toBeGreaterThan(30);
  });
});

it("a power is shown with as many digits as tell it from the one that was wanted", () => {
  expect(formatBeside(0.800182, 0.8)).toBe("0.8002");
  expect(formatBeside(0.799961, 0.8)).toBe("0.79996");
  expect(formatBeside(0.7999999, 0.8)).toBe("0.7999999");
  expect(formatBeside(0.8, 0.8)).toBe("0.8");
  expect(formatBeside(0.95, 0.8)).toBe("0.95");
});

it("a size says what one step less would have given, in digits that tell them apart", async () => {
  const found = await findSize(accuracyFamily, { delta: 0.02, agreement: 0.9 });
  const text = found.toString().replace(/\s+/g, " ");
  expect(text).toContain("1949 items that both systems answer give a power of 0.80003 (exact); 1948 give");
  expect(text).toContain("1948 0.7998 no 1949 0.8000 yes");
});

it("by simulation: the smallest size, without further draws, where that is enough", async () => {
  const params = { effect: 0.4, setting: "card-high", test: "z", raters: 20 };
  const enough = await findSize(likertFamily, params, { rng: makeRng(1) });
  expect([enough.n, enough.se]).toEqual([10, 0]);
  expect(enough.replicates).toBeLessThan(2000);
});
