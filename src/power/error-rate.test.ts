import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { judgeErrorRate } from "./error-rate.ts";
import { headToHeadFamily } from "./scenarios/head-to-head.ts";
import { likertFamily } from "./scenarios/likert.ts";
import { meansFamily } from "./scenarios/means.ts";
import { ordinalFamily } from "./scenarios/ordinal.ts";
import { simulateErrorRate } from "./solve/error-rate-simulate.ts";
import { findMde } from "./solve/mde.ts";
import { findSize } from "./solve/size.ts";
import { analysePower } from "./solve/solve.ts";

const three = { items: 50, raters: 3, effect: 0.2, setting: "card-high" };

describe("simulateErrorRate", () => {
  it("finds the 19 % of t > 1.96 with three raters, and says so with the power", async () => {
    const result = await analysePower(
      likertFamily,
      { ...three, test: "z" },
      { rng: makeRng("z"), replicates: 1000, checkErrorRate: true },
    );
    const { rate, se, replicates } = result.errorRate!;
    expect(Math.abs(rate - 0.19)).toBeLessThan(4 * se);
    expect(se).toBeCloseTo(Math.sqrt((0.19 * 0.81) / 1000), 2);
    expect(replicates).toBe(1000);
    expect(result.diagnostics.filter(({ code }) => code === "BadlySizedTest")).toHaveLength(1);
    expect(result.display().summary!.join(" ")).toContain("The false-positive rate is");
  });

  it("does not depend on the size of the effect, nor move the power", async () => {
    const options = { rng: makeRng("same"), replicates: 200 };
    const small = await simulateErrorRate(likertFamily, three, options);
    expect(await simulateErrorRate(likertFamily, { ...three, effect: 0.4 }, options)).toEqual(small);
    expect(await simulateErrorRate(likertFamily, { ...three, effect: undefined, beta: 0.3 }, options)).toEqual(small);
    const plain = await analysePower(likertFamily, three, options);
    expect((await analysePower(likertFamily, three, { ...options, checkErrorRate: true })).power).toBe(plain.power);
  });

  it("keeps a well-sized test at its level: preferences without differences between raters", async () => {
    const params = { items: 60, raters: 20, ratings: 2, win: 0.6, raterSd: 0, itemSd: 0 };
    const found = await simulateErrorRate(headToHeadFamily, params, { rng: makeRng("sign"), replicates: 1000 });
    expect(Math.abs(found!.rate - 0.05)).toBeLessThan(4 * found!.se);
    expect(judgeErrorRate(found!, 0.05)).toEqual([]);
  });

  it("is not given where nothing to find is not the hypothesis of the test", async () => {
    const options = { rng: makeRng(1), replicates: 50 };
    const ratings = { items: 20, ratings: 3, raters: 10, effect: 0.3, setting: "howcroft-general", analysis: "lmm" };
    expect(await simulateErrorRate(ordinalFamily, ratings, options)).toBeUndefined();
    expect(await simulateErrorRate(meansFamily, { n: 20, delta: 1, sd: 1 }, options)).toBeUndefined();
  });

  it("is judged by the approximation too, in power, mde and size", async () => {
    const params = { raters: 3, raterSd: 0.3, itemSd: 0.8 };
    const approx = { method: "approx" } as const;
    const flagged = (diagnostics: readonly { readonly code: string }[]): boolean =>
      diagnostics.some(({ code }) => code === "BadlySizedTest");
    const power = await analysePower(headToHeadFamily, { ...params, items: 100, win: 0.6 }, approx);
    expect(power.errorRate!.rate).toBeGreaterThan(0.1);
    expect(flagged(power.diagnostics)).toBe(true);
    expect(flagged((await findMde(headToHeadFamily, { ...params, items: 100 }, approx)).diagnostics)).toBe(true);
    expect(flagged((await findSize(headToHeadFamily, { ...params, win: 0.6 }, approx)).diagnostics)).toBe(true);
    const many = { ...params, raters: 60, items: 100, ratings: 5, win: 0.6 };
    expect(flagged((await analysePower(headToHeadFamily, many, approx)).diagnostics)).toBe(false);
  });
});
