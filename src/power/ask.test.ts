import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { design, mde, power } from "./ask.ts";
import { findDesign } from "./solve/design.ts";

describe("questions asked of a scenario by its name", () => {
  it("does not compile where a parameter is misspelt, and refuses it at run time", async () => {
    // @ts-expect-error items
    await expect(power.likert({ itmes: 100, raters: 5, effect: 0.2, setting: "card-high" })).rejects.toThrow(/itmes/);
    // @ts-expect-error another scenario's
    await expect(mde.accuracy({ n: 100, agreement: 0.9, raterSd: 1 })).rejects.toThrow(/raterSd/);
    const options = { power: 0.8, prices: { rating: 1 }, rng: makeRng(1) };
    // @ts-expect-error effect
    await expect(design.likert({ effcet: 0.2, setting: "card-low" }, options)).rejects.toThrow(/effcet/);
    const params = { effect: 0.2, setting: "card-low" } as const;
    // @ts-expect-error prices
    await expect(design.likert(params, { ...options, prices: { ratng: 1 } })).rejects.toThrow(/ratng/);
  });

  it("finds the design that findDesign finds, what has no price being free", async () => {
    const params = { effect: 0.3, setting: "card-low" } as const;
    const asked = { power: 0.8, rng: makeRng(1), replicates: 50 };
    const found = await design.likert(params, { ...asked, prices: { rater: 5, rating: 0.2 } });
    const prices = { item: 0, rater: 5, rating: 0.2, judgeCall: 0 };
    const same = await findDesign(
      { scenario: "likert", params, prices, power: 0.8 },
      { rng: makeRng(1), replicates: 50 },
    );
    expect(found.toJSON()).toEqual(same.toJSON());
    expect(found.best.power).toBeGreaterThanOrEqual(0.8);
  });
});
