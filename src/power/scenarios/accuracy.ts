/** Two systems' right and wrong answers on the same n items, compared by McNemar's test.
 *  The difference in accuracy Δ and the rate of disagreement d fix all that matters: only the new system right (d + Δ)/2, only the old
 *  one (d - Δ)/2. d is 1 - agreement, given or predicted from the baseline's accuracy (accuracy-overlap.ts).
 *    exact    all tables (src/significance/tests/mcnemar-power.ts) with the test's own critical region, the unconditional test included
 *    approx   Φ((√n Δ - z√d)/√(d - Δ²))
 *    odds ratio  (d + Δ)/(d - Δ), so that Δ = d (OR - 1)/(OR + 1)                                                    eq. 3
 *  Reference: Card et al. (2020), EMNLP, sections 3 and App. C, E; Duffy (1984), Biometrics 40 (approximation).
 *  Oracle:    oracle/reference/power.json (enumeration) — 1e-9.
 *  Limits:    items are independent: with clustered items (several questions on a text) n is smaller than it looks. */

import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { McnemarMethod } from "../../significance/tests/mcnemar.ts";
import { enumerateDiscordant, makeCritical } from "../../significance/tests/mcnemar-power.ts";
import { approximateDiscordant } from "../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type StatedParameter,
} from "../scenario.ts";
import { ACCURACY, type AccuracyTest } from "../specs.ts";
import { parseOverlap, predictOverlap } from "./accuracy-overlap.ts";
import { simulateDiscordant } from "./accuracy-simulate.ts";

export const ACCURACY_TESTS: Readonly<Record<string, McnemarMethod>> = {
  "mcnemar-exact": "exact",
  "mcnemar-midp": "mid-p",
  mcnemar: "asymptotic",
  "mcnemar-cc": "corrected",
  "mcnemar-unconditional": "unconditional",
} satisfies Record<AccuracyTest, McnemarMethod>;

/** Sums and differences of shares such as 0.9 + 0.1 miss whole values by this much. */
const SHARE_ROUNDING = 1e-12;
/** Power rises almost without teeth in n, as the number of discordant pairs is random: a short look ahead is enough. */
const LOOK_AHEAD = 24;

export const accuracyFamily: ScenarioFamily = {
  ...ACCURACY,
  make: (params) => makeAccuracyScenario(withoutOdds(checkParameters(accuracyFamily, params))),
  effectRange: (params) => effectRange(withoutOdds(params)),
  lookAhead: () => LOOK_AHEAD,
};

/** Odds ratio and discordant share as difference and agreement. */
function withoutOdds(params: ScenarioParameters): ScenarioParameters {
  const { oddsRatio, discordant, ...rest } = params as ScenarioParameters & { oddsRatio?: number; discordant?: number };
  const both = (one: string, other: string): StatError =>
    new StatError(
      "Contradiction",
      `${one} and ${other} are both given.`,
      "give one of them: each follows of the other.",
    );
  if (discordant !== undefined && rest["agreement"] !== undefined) throw both("agreement", "discordant");
  const settled = discordant === undefined ? rest : { ...rest, agreement: 1 - discordant };
  if (oddsRatio === undefined) return settled;
  if (rest["delta"] !== undefined) throw both("delta", "oddsRatio");
  const agreement = settled["agreement"];
  if (typeof agreement !== "number") {
    throw new StatError(
      "MissingParameter",
      "an odds ratio does not give the difference without the proportion of items on which the systems differ.",
      "give `discordant` or `agreement` too.",
    );
  }
  return { ...settled, delta: ((1 - agreement) * (oddsRatio - 1)) / (oddsRatio + 1) };
}

function makeAccuracyScenario(params: ScenarioParameters): Scenario {
  const n = requireNumber(params, "n", "accuracy");
  const delta = requireNumber(params, "delta", "accuracy");
  const alpha = params["alpha"] as number;
  const test = params["test"] as string;
  const twoSided = params["oneSided"] !== true;
  requireEffect(delta, "delta");
  checkAlpha(alpha);
  const { disagreement: d, diagnostics, stated } = disagreementOf(params, delta);
  const law = { n, win: Math.max(0, d + delta) / 2, lose: Math.max(0, d - delta) / 2 };
  const critical = { method: ACCURACY_TESTS[test]!, alpha, twoSided, n };
  return {
    name: "accuracy",
    title: accuracyFamily.title,
    effect: delta,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items that both systems answer" },
      { name: "delta", value: delta, meaning: "true difference in accuracy" },
      ...stated,
      { name: "only new right", value: law.win, meaning: "proportion of items, (disagreement + delta)/2" },
      { name: "only baseline right", value: law.lose, meaning: "proportion of items, (disagreement - delta)/2" },
      { name: "discordant", value: law.win + law.lose, meaning: "share on which exactly one is right" },
      { name: "odds ratio", value: law.win / law.lose, meaning: "only new right over only baseline right" },
      { name: "test", value: test, meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: ["Items are independent; items that share a text, a topic or a document carry less information."],
    diagnostics,
    analyses: [test],
    exactPower: () => enumerateDiscordant(law, makeCritical(critical), twoSided),
    approximatePower: () => approximateDiscordant(law, { alpha, twoSided }),
    simulate: simulateDiscordant(law, critical),
  };
}

interface Disagreement {
  readonly disagreement: number;
  readonly stated: readonly StatedParameter[];
  readonly diagnostics: readonly Diagnostic[];
}

function disagreementOf(params: ScenarioParameters, delta: number): Disagreement {
  const { agreement, baseline } = params as { agreement?: number; baseline?: number };
  if (!(Math.abs(delta) <= 1)) throw impossible(`delta = ${delta}`, "a difference of accuracies lies between -1 and 1");
  if (baseline !== undefined && (baseline + delta > 1 + SHARE_ROUNDING || baseline + delta < -SHARE_ROUNDING)) {
    throw impossible(
      `delta = ${delta} on a baseline of ${baseline}`,
      `accuracy ends at 0 and 1: delta can lie between ${show(-baseline)} and ${show(1 - baseline)}`,
    );
  }
  if (agreement !== undefined) return givenAgreement(agreement, baseline, delta);
  if (baseline === undefined) {
    throw new StatError(
      "MissingParameter",
      "accuracy needs the proportion of items on which the systems agree.",
      "give `agreement`, or `baseline` to predict it, or see `planWithoutPrior` and `planFromDev`.",
    );
  }
  return predictedAgreement(params, baseline, delta);
}

function givenAgreement(agreement: number, baseline: number | undefined, delta: number): Disagreement {
  const d = 1 - agreement;
  const most = 1 - Math.abs(delta);
  const least = baseline === undefined ? 0 : Math.max(0, 1 - mostDisagreement(baseline, delta));
  if (agreement > most + SHARE_ROUNDING || agreement < least - SHARE_ROUNDING) {
    const on = baseline === undefined ? "" : ` on a baseline of ${baseline}`;
    throw impossible(
      `agreement = ${agreement} with delta = ${delta}${on}`,
      `agreement can lie between ${show(least)} and ${show(most)}`,
    );
  }
  return {
    disagreement: Math.max(d, Math.abs(delta)),
    diagnostics: [],
    stated: [
      { name: "agreement", value: agreement, meaning: "share on which both are right or both wrong" },
      ...(baseline === undefined ? [] : [{ name: "baseline", value: baseline, meaning: "accuracy of the baseline" }]),
    ],
  };
}

function predictedAgreement(params: ScenarioParameters, baseline: number, delta: number): Disagreement {
  const text = params["overlap"] as string;
  const agreement = predictOverlap(parseOverlap(text), baseline, delta);
  const d = 1 - agreement;
  if (d < Math.abs(delta) - SHARE_ROUNDING || d > 1 + SHARE_ROUNDING) {
    throw impossible(
      `the regression (${text}) predicts an agreement of ${show(agreement)} for a baseline of ${baseline} and delta = ${delta}`,
      `only 0 to ${show(1 - Math.abs(delta))} are possible: give \`agreement\``,
    );
  }
  const possible = mostDisagreement(baseline, delta);
  const contradiction = warning(
    "OverlapContradicts",
    `the predicted agreement of ${show(agreement)} is lower than the accuracies allow (${show(1 - possible)}).`,
    "the power is that of the prediction; give `agreement` if you know better.",
  );
  return {
    disagreement: Math.max(d, Math.abs(delta)),
    diagnostics: d > possible + SHARE_ROUNDING ? [contradiction] : [],
    stated: [
      { name: "baseline", value: baseline, meaning: "accuracy of the baseline" },
      { name: "agreement", value: agreement, meaning: `predicted from baseline and delta (${text})` },
    ],
  };
}

/** The new system can only win where the baseline is wrong, and lose where it is right. */
const mostDisagreement = (baseline: number, delta: number): number =>
  Math.min(1, 2 * (1 - baseline) - delta, 2 * baseline + delta);

const show = (x: number): string => formatNumber(Math.abs(x) < SHARE_ROUNDING ? 0 : x);

const impossible = (found: string, range: string): StatError =>
  new StatError("Impossible", `${found} cannot be.`, `${range}.`);

function effectRange(params: ScenarioParameters): { from: number; to: number } {
  const { agreement, baseline } = params as { agreement?: number; baseline?: number };
  if (agreement !== undefined) {
    const d = 1 - agreement;
    return { from: 0, to: baseline === undefined ? d : Math.min(d, 1 - baseline, 2 * (1 - baseline) - d) };
  }
  if (baseline === undefined) return { from: 0, to: 1 };
  const { intercept, accuracy, difference } = parseOverlap((params["overlap"] as string | undefined) ?? "glue");
  // disagreement 1 - a - b·base - cΔ must be at least Δ
  const slack = 1 - intercept - accuracy * baseline;
  const limit = 1 + difference > 0 ? slack / (1 + difference) : Number.POSITIVE_INFINITY;
  return { from: 0, to: Math.max(0, Math.min(1 - baseline, limit)) };
}
