import { describe, expect, it } from "vitest";
import { logisticCdf } from "../../numeric/dist/logistic.ts";
import { makeRng } from "../../numeric/rng.ts";
import { simulatePower } from "../simulate.ts";
import { headToHeadFamily, logOddsOf } from "./head-to-head.ts";
import { preferenceFamily } from "./preference.ts";

describe("log odds of an average preference", () => {
  it("are the logit without variance, and larger with it", () => {
    expect(logOddsOf(0.65, 0)).toBeCloseTo(Math.log(0.65 / 0.35), 12);
    const beta = logOddsOf(0.65, 1.2);
    const rng = makeRng("logit");
    const n = 100_000;
    let sum = 0;
    for (let k = 0; k < n; k++) sum += logisticCdf(beta + 1.2 * rng.normal());
    expect(Math.abs(sum / n - 0.65)).toBeLessThan((4 * 0.25) / Math.sqrt(n));
  });
});

describe("head to head", () => {
  it("has the power of independent judgements where neither raters nor items differ", async () => {
    const params = { items: 60, raters: 2, win: 0.65, raterSd: 0, itemSd: 0 };
    const { power, se } = await simulatePower(headToHeadFamily, params, { rng: makeRng("iid"), replicates: 200 });
    const exact = preferenceFamily.make({ n: 120, win: 0.65 }).exactPower!().power;
    // the variances are estimated all the same, which costs a little
    expect(power).toBeLessThan(exact + 4 * se);
    expect(power).toBeGreaterThan(exact - 0.1 - 4 * se);
  });

  it("agrees with its approximation, ties dropped or split", async () => {
    for (const ties of ["drop", "split"]) {
      const params = { items: 40, raters: 8, ratings: 4, win: 0.52, tie: 0.2, raterSd: 0.3, itemSd: 0.7, ties };
      const { power, se, analyses } = await simulatePower(headToHeadFamily, params, {
        rng: makeRng(ties),
        replicates: 150,
      });
      expect(analyses[0]!.failed).toBeLessThan(3);
      expect(Math.abs(power - headToHeadFamily.make(params).approximatePower!().power)).toBeLessThan(4 * se + 0.06);
    }
  });

  it("refuses impossible shares, with the range", () => {
    const make = (params: object) =>
      headToHeadFamily.make({ items: 40, raters: 5, raterSd: 0, itemSd: 0, win: 0.6, ...params });
    expect(() => make({ tie: 0.5 })).toThrow(
      expect.objectContaining({ code: "Impossible", fix: expect.stringContaining("0.5") }),
    );
    expect(() => make({ win: 0.5 })).toThrow(expect.objectContaining({ code: "NoEffect" }));
    expect(() => make({ raterSd: -1 })).toThrow(expect.objectContaining({ code: "NegativeVariance" }));
    expect(() => make({ design: "lists", ratings: 1, raters: 4 })).toThrow(
      expect.objectContaining({ code: "ImpossibleDesign" }),
    );
  });
});
