/** Impossible plans, one line each: what was found, and what is admissible. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { planFromHistory } from "../from/history.ts";
import { planWithoutPrior } from "../from/no-prior.ts";
import { parametersFromPilot } from "../from/pilot.ts";
import type { ScenarioParameters } from "../scenario.ts";
import { simulatePower } from "../simulate.ts";
import { tracePower } from "../solve/curve.ts";
import { findMde } from "../solve/mde.ts";
import { findSize } from "../solve/size.ts";
import { computePower } from "../solve/solve.ts";
import { findScenario } from "./scenarios.ts";

async function lineOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StatError) return `${error.message} ${error.fix}`;
    throw error;
  }
  throw new Error("not refused");
}

const LIKERT = { items: 50, raters: 5, effect: 0.2, setting: "card-high" };
const VOTES = { items: 50, raters: 5, win: 0.6, raterSd: 0.3, itemSd: 0.3 };
const F1 = { n: 100, positive: 0.2, recall: 0.8, fpr: 0.05, positiveDisagreement: 0.15, negativeDisagreement: 0.04 };

describe("plans that cannot be", () => {
  it.each<[string, ScenarioParameters, string]>([
    ["accuracy", { n: 1e12, delta: 0.1, agreement: 0.5 }, "a whole number from 1 to 1000000000"],
    ["accuracy", { delta: 0.1, agreement: 0.5 }, "Give `n`, a whole number from 1"],
    ["accuracy", { n: 10, agreement: 0.5 }, "Give `delta`, a number other than 0"],
    ["preference", { n: 10 }, "Give `win`, a number from 0 to 1"],
    ["head-to-head", { ...VOTES, raterSd: 1e12 }, "would always go one way"],
    ["ordinal", { items: 20, raters: 5, effect: 0.3, setting: "howcroft-general", points: 1e9 }, "at most 1000"],
    ["bleu", { n: 100, delta: 101 }, "between -100 and 100"],
    ["bleu", { n: 100, delta: 1, p0: 1 }, "a p0 from 0 to below 1"],
    ["f1", { ...F1, recallGain: 0.5 }, "recall-gain can lie between -0.8 and 0.2"],
    ["f1", { ...F1, recallGain: 0.18 }, "positive-disagreement can lie between 0.18 and 0.22"],
    ["f1", F1, "`recallGain` or `fprGain` other than 0"],
    ["means", { n: 10, n2: 5, delta: 1 }, "use `design: two-sample`"],
    ["likert", { ...LIKERT, effect: 0 }, "give an effect that is not 0"],
    ["likert", { ...LIKERT, effect: 3 }, "between -1 and 1"],
    ["likert", { ...LIKERT, items: undefined }, "Give `items`, a whole number of at least 2"],
    ["likert", { ...LIKERT, raters: 60, ratings: 2 }, "fewer raters"],
    ["likert", { ...LIKERT, perRater: 1 }, "at least 2"],
    ["ordinal", { ...LIKERT, effect: 99, setting: "howcroft-low" }, "between -10 and 10"],
    ["head-to-head", { ...VOTES, raterSd: undefined }, "Give `raterSd`, log odds of 0 or more"],
    ["head-to-head", { ...VOTES, raters: 500, ratings: 2 }, "at most 100 raters have an item"],
  ])("power %s %j", async (name, params, words) => {
    expect(await lineOf(() => computePower(findScenario(name), params, "approx"))).toContain(words);
  });

  it.each<[string, ScenarioParameters]>([
    ["accuracy", { n: 100, agreement: 1 }],
    ["unpaired", { n: 100, baseline: 1 }],
    ["preference", { n: 100, tie: 1 }],
    ["head-to-head", { ...VOTES, win: undefined, tie: 1 }],
    ["f1", { ...F1, positiveDisagreement: 0 }],
  ])("mde %s %j: no room for a difference", async (name, params) => {
    const line = await lineOf(() => findMde(findScenario(name), params, { method: "approx" }));
    expect(line).toMatch(/no \w+ is possible here/);
    expect(line).toContain("leave no room for a difference");
  });

  it.each<[string, ScenarioParameters, string]>([
    ["correlation", { n: 1e9, rho: 0.1 }, "at most 5000000 are; use `method: exact`"],
    ["means", { n: 1e9, delta: 0.1, test: "wilcoxon" }, "at most 5000000 are; use `method: approx`"],
    ["anova", { n: 1e6, groups: 6, f: 0.1 }, "6000000 items are more than can be simulated"],
  ])("simulated %s %j: more items than memory holds", async (name, params, words) => {
    const line = await lineOf(() => simulatePower(findScenario(name), params, { rng: makeRng(1), replicates: 2 }));
    expect(line).toContain(words);
  });

  it("size: ratings that leave nothing for the residual, whatever the raters", async () => {
    const params = { items: 20, ratings: 1, effect: 0.2, setting: "card-high" };
    const line = await lineOf(() => findSize(findScenario("likert"), params, { method: "approx", solveFor: "raters" }));
    expect(line).toContain("at least 2 ratings of each text");
  });

  it("curve: one parameter twice", async () => {
    const axes = [
      { name: "n", values: [10] },
      { name: "n", values: [20] },
    ];
    const line = await lineOf(() => tracePower(findScenario("accuracy"), { delta: 0.1, agreement: 0.5 }, { axes }));
    expect(line).toContain("n is varied twice");
  });
});

describe("parameters from data that do not give them", () => {
  const history = (old: number[], young: number[]) => () =>
    planFromHistory(
      makeTable([
        ["old", numericColumn(old)],
        ["new", numericColumn(young)],
      ]),
      { baseline: "old", candidate: "new" },
      { at: 0.9 },
    );

  it("a history of too few comparisons, or of no accuracies", async () => {
    expect(await lineOf(history([0.8], [0.82]))).toContain("at least 3 comparisons");
    expect(await lineOf(history([0.8, 0.9], [0.82, 0.91]))).toContain("at least 3 comparisons");
    expect(await lineOf(history([80, 90, -5], [82, 91, 3]))).toContain("percentages from 0 to 100");
  });

  it("no prior, and a power below the error rate", async () => {
    const line = await lineOf(() => planWithoutPrior({ n: 100, baseline: 0.9, power: 0.01 }));
    expect(line).toContain("between 0.05 and 1");
    expect(await lineOf(() => planWithoutPrior({ n: 100, baseline: 0.9, alpha: 1 }))).toContain("between 0 and 1");
  });

  it.each(["likert", "ordinal"] as const)("%s: a pilot with a single rater", async (scenario) => {
    const pilot = makeTable([
      ["score", numericColumn([1, 2, 3, 2])],
      ["system", factorColumn(["a", "b", "a", "b"])],
      ["rater", factorColumn(["r", "r", "r", "r"])],
      ["item", factorColumn(["i", "i", "j", "j"])],
    ]);
    const columns = { score: "score", system: "system", rater: "rater", item: "item" };
    const line = await lineOf(() => parametersFromPilot(scenario, pilot, columns));
    expect(line).toContain("1 rater and 2 items");
    expect(line).toContain("at least 2 raters");
  });
});
