import { describe, expect, it } from "vitest";
import { readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { logisticCdf } from "../../numeric/dist/logistic.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import type { ScenarioParameters } from "../scenario.ts";
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

/** The planned analysis of one experiment, drawn and fitted apart from the scenario: ties count as half a win. */
function findsPreference(rng: Rng, beta: number): boolean {
  const [items, raters, each] = [40, 8, 4];
  const rater = Array.from({ length: raters }, () => 0.3 * rng.normal());
  const rows = Array.from({ length: items }, (_, item) => {
    const liking = 0.7 * rng.normal();
    const panel = Int32Array.from({ length: raters }, (_, r) => r);
    rng.shuffleInto(panel);
    return [...panel.subarray(0, each)].map((r) => {
      const wins = rng.uniform() < logisticCdf(beta + rater[r]! + liking);
      return { item: `i${item}`, rater: `r${r}`, y: rng.uniform() < 0.2 ? 0.5 : Number(wins) };
    });
  }).flat();
  const table = makeTable([
    ["y", numericColumn(rows.map(({ y }) => y))],
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["rater", factorColumn(rows.map(({ rater }) => rater))],
  ]);
  const [beta0] = fitGlmm("y ~ 1 + (1 | item) + (1 | rater)", table, { family: "binomial" }).coefficients;
  return beta0!.value / beta0!.se > 1.959963984540054;
}

describe("head to head", () => {
  const oracle = readOracle("r/head-to-head.json").cases;

  it.each(oracle)(
    "$id: as often significant as lme4's glmer in experiments drawn by R",
    async ({ input, expected }) => {
      const { items, raters, ratings, win, tie, raterSd, itemSd } = input as Record<string, number>;
      const params = { items, raters, ratings, win, tie, raterSd, itemSd } as ScenarioParameters;
      const { power, se, analyses } = await simulatePower(headToHeadFamily, params, {
        rng: makeRng("glmer"),
        replicates: 500,
      });
      expect(analyses[0]!.failed).toBeLessThan(5);
      expect(Math.abs(power - expected.power)).toBeLessThan(4 * Math.hypot(se, expected.se));
      // the closed form knows nothing of what estimating the variances costs: 0.05 where that is much
      const approximate = headToHeadFamily.make(params).approximatePower!().power;
      expect(Math.abs(approximate - expected.power)).toBeLessThan(4 * expected.se + 0.05);
    },
  );

  it("never does better than the exact test of independent judgements where neither raters nor items differ", async () => {
    const params = { items: 60, raters: 2, win: 0.65, raterSd: 0, itemSd: 0 };
    const { power, se } = await simulatePower(headToHeadFamily, params, { rng: makeRng("iid"), replicates: 500 });
    const exact = preferenceFamily.make({ n: 120, win: 0.65 }).exactPower!().power;
    expect(power).toBeLessThan(exact + 4 * se);
  });

  it("split ties: as often significant as experiments drawn and fitted one by one", async () => {
    const params = {
      items: 40,
      raters: 8,
      ratings: 4,
      win: 0.52,
      tie: 0.2,
      raterSd: 0.3,
      itemSd: 0.7,
      ties: "split",
    };
    const { power, se } = await simulatePower(headToHeadFamily, params, { rng: makeRng("split"), replicates: 400 });
    const beta = logOddsOf(0.52 / 0.8, Math.hypot(0.3, 0.7));
    const rng = makeRng("apart");
    const n = 400;
    let found = 0;
    for (let k = 0; k < n; k++) found += Number(findsPreference(rng.stream(k), beta));
    const share = found / n;
    expect(Math.abs(power - share)).toBeLessThan(4 * Math.hypot(se, Math.sqrt((share * (1 - share)) / n)));
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
