/** Accuracies of two systems on different items: n₁ items of one, n₂ of the other, compared by Boschloo's test as `compare` does, by Fisher's or by z.
 *    approx   Φ((|Δ| - z√(p̄(1-p̄)(1/n₁+1/n₂)))/√(p₁(1-p₁)/n₁ + p₂(1-p₂)/n₂)),   p̄ = (n₁p₁ + n₂p₂)/(n₁ + n₂), as power.prop.test
 *  Reference: Card et al. (2020), EMNLP, App. E.5; Fleiss, Levin & Paik (2003), ch. 4.
 *  Oracle:    power.prop.test (R), oracle/reference/power.json — 1e-10 for the approximation.
 *  Limits:    where both systems answer the same items, pairing (accuracy) needs far fewer of them. */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { normalFigures } from "../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { UNPAIRED } from "../specs.ts";
import { enumerateProportions, isMore, type ProportionTest, type TwoProportions } from "./unpaired-enumerate.ts";

/** Teeth of the exact power in n are lower than with one sample; this many sizes in a row settle it. */
const LOOK_AHEAD = 60;
/** Why more items of the other system do not help. */
const HELD_SAMPLE = "the accuracy on these stays uncertain";

export const unpairedFamily: ScenarioFamily = {
  ...UNPAIRED,
  make: (params) => makeUnpairedScenario(checkParameters(unpairedFamily, params)),
  effectRange: (params) => ({ from: 0, to: 1 - ((params["baseline"] as number | undefined) ?? 0) }),
  lookAhead: () => LOOK_AHEAD,
  sizeBounds: ({ n2 }) => ({
    least: 1,
    most: Number.POSITIVE_INFINITY,
    step: 1,
    ...(n2 === undefined
      ? {}
      : { held: { parameter: "n2", value: n2 as number, step: 1, noun: "items of the new system", why: HELD_SAMPLE } }),
  }),
};

function makeUnpairedScenario(params: ScenarioParameters): Scenario {
  const n1 = requireNumber(params, "n", "unpaired");
  const n2 = (params["n2"] as number | undefined) ?? n1;
  const p1 = requireNumber(params, "baseline", "unpaired");
  const delta = requireNumber(params, "delta", "unpaired");
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  requireEffect(delta, "delta");
  checkAlpha(alpha);
  checkRange(p1, delta);
  const law = { n1, n2, p1, p2: Math.min(1, Math.max(0, p1 + delta)) };
  const test = { alpha, twoSided, test: params["test"] as ProportionTest["test"] };
  return {
    name: "unpaired",
    title: unpairedFamily.title,
    effect: delta,
    alpha,
    parameters: [
      { name: "n", value: n1, meaning: "items of the baseline" },
      { name: "n2", value: n2, meaning: "items of the new system, none of them the same" },
      { name: "baseline", value: p1, meaning: "true accuracy of the baseline" },
      { name: "delta", value: delta, meaning: "true difference in accuracy, new minus baseline" },
      { name: "test", value: params["test"] as string, meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: ["The two systems answer different items, all of them independent."],
    diagnostics: [],
    analyses: [params["test"] as string],
    exactPower: () => enumerateProportions(law, test),
    approximatePower: () => approximateProportions(law, test),
    simulate: simulateProportions(law, test),
  };
}

function checkRange(baseline: number, delta: number): void {
  if (baseline + delta >= -1e-12 && baseline + delta <= 1 + 1e-12) return;
  throw new StatError(
    "Impossible",
    `delta = ${delta} on a baseline of ${baseline} cannot be.`,
    `accuracy ends at 0 and 1: delta can lie between ${formatNumber(-baseline)} and ${formatNumber(1 - baseline)}.`,
  );
}

/** power.prop.test for any two sample sizes. */
export function approximateProportions(
  { n1, n2, p1, p2 }: TwoProportions,
  { alpha, twoSided }: Pick<ProportionTest, "alpha" | "twoSided">,
) {
  const pooled = (n1 * p1 + n2 * p2) / (n1 + n2);
  const z = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  return normalFigures({
    effect: p2 - p1,
    sd: Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2),
    threshold: z * Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2)),
    twoSided,
  });
}

function simulateProportions(law: TwoProportions, test: ProportionTest): NonNullable<Scenario["simulate"]> {
  const { n1, n2, p1, p2 } = law;
  const more = isMore(law, test);
  const less = isMore({ ...law, n1: n2, n2: n1 }, test);
  return (rng) => {
    const x1 = rng.binomial(n1, p1);
    const x2 = rng.binomial(n2, p2);
    const up = more(x1, x2);
    const down = less(x2, x1);
    const significant = test.twoSided ? up || down : p2 > p1 ? up : down;
    return [{ estimate: x2 / n2 - x1 / n1, significant }];
  };
}
