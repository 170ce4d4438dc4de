/** Which of two outputs is better? n judgements, each a win, a tie or a loss; ties are left out and the sign test is run on the rest.
 *  Reference: Card et al. (2020), EMNLP, Fig. 1 and App. H.4; Conover (1999), Practical Nonparametric Statistics, 3.4.
 *  Oracle:    oracle/reference/power.json, Fig. 1 (enumeration) — 1e-10.
 *  Limits:    judgements are independent: each of another item, or of another judge. Several judgements of one item or by one judge
 *             need the mixed model of the human-evaluation scenarios. */

import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { McnemarMethod } from "../../significance/tests/mcnemar.ts";
import { enumerateDiscordant, makeCritical } from "../../significance/tests/mcnemar-power.ts";
import { approximateDiscordant } from "../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { PREFERENCE, type PreferenceTest } from "../specs.ts";
import { simulateDiscordant } from "./accuracy-simulate.ts";

const TESTS: Readonly<Record<PreferenceTest, McnemarMethod>> = {
  sign: "exact",
  "sign-midp": "mid-p",
  "sign-normal": "asymptotic",
};
const SHARE_ROUNDING = 1e-12;
/** Without ties power is a saw-tooth in n whose teeth come and go with a period of about 2√n. */
const TOOTH_PERIODS = 2;

export const preferenceFamily: ScenarioFamily = {
  ...PREFERENCE,
  make: (params) => makePreferenceScenario(checkParameters(preferenceFamily, params)),
  effectRange: (params) => {
    const decided = 1 - ((params["tie"] as number | undefined) ?? 0);
    return { from: decided / 2, to: decided };
  },
  lookAhead: (_, n) => Math.ceil(2 * TOOTH_PERIODS * Math.sqrt(n)) + 24,
};

function makePreferenceScenario(params: ScenarioParameters): Scenario {
  const n = requireNumber(params, "n", "preference");
  const win = requireNumber(params, "win", "preference");
  const tie = params["tie"] as number;
  const alpha = params["alpha"] as number;
  const test = params["test"] as PreferenceTest;
  const twoSided = params["oneSided"] !== true;
  checkAlpha(alpha);
  const lose = checkShares(win, tie);
  const law = { n, win, lose };
  const critical = { method: TESTS[test], alpha, twoSided, n };
  return {
    name: "preference",
    title: preferenceFamily.title,
    effect: win - lose,
    effectWords: `proportion of wins of ${formatNumber(win)}, of losses of ${formatNumber(lose)},`,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "independent judgements, ties included" },
      { name: "win", value: win, meaning: "true proportion of judgements for the new system" },
      { name: "tie", value: tie, meaning: "true proportion of ties; the test leaves them out" },
      { name: "lose", value: lose, meaning: "what is left: judgements for the baseline" },
      { name: "test", value: test, meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: [
      "The effect is the proportion of wins minus the proportion of losses.",
      "Judgements are independent: no item and no judge occurs twice.",
    ],
    diagnostics: [],
    analyses: [test],
    exactPower: () => enumerateDiscordant(law, makeCritical(critical), twoSided),
    approximatePower: () => approximateDiscordant(law, { alpha, twoSided }),
    simulate: simulateDiscordant(law, critical),
  };
}

function checkShares(win: number, tie: number): number {
  const lose = 1 - win - tie;
  if (lose < -SHARE_ROUNDING) {
    throw new StatError(
      "Impossible",
      `win = ${win} and tie = ${tie} add up to more than 1.`,
      `with this proportion of ties, win can lie between 0 and ${formatNumber(1 - tie)}.`,
    );
  }
  if (Math.abs(win - lose) < SHARE_ROUNDING) {
    throw new StatError(
      "NoEffect",
      `win = ${win} is as many wins as losses: no preference, so none can be found.`,
      `give a win that is not ${formatNumber((1 - tie) / 2)}.`,
    );
  }
  return Math.max(0, lose);
}
