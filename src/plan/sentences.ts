/** A plan as sentences, for people who are to agree with it. */
import { note } from "../result/diagnostic.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";
import { type EvaluationPlan, lookItems } from "./plan.ts";

export function describePlan(plan: EvaluationPlan): string[] {
  const [baseline, ...others] = plan.systems;
  const { metric, items, repeats, alpha, margin, smallestEffect, looks, judge = {} } = plan;
  const times = repeats === 1 ? "once" : `${repeats} times`;
  const direction =
    plan.higherIsBetter === undefined ? "" : `, of which ${plan.higherIsBetter ? "higher" : "lower"} is better`;
  return [
    `${others.join(", ")} ${others.length === 1 ? "is" : "are"} compared with ${baseline} by ${metric}${direction}, on ${items} items, each run ${times} by every system.`,
    ...(plan.cluster === undefined
      ? []
      : [`Items of one ${plan.cluster} are correlated, so each ${plan.cluster} is one cluster.`]),
    ...(plan.rater === undefined ? [] : [`Scores are given by ${plan.rater}, a sample of raters.`]),
    `${plan.test === undefined ? "The test that fits the data decides" : `The ${plan.test} test decides`}, at an error rate of ${formatNumber(alpha)}${others.length > 1 ? ` over all pairs (${plan.correction ?? "holm"})` : ""}.`,
    `The smallest difference of interest is ${formatNumber(smallestEffect)}, with a target power of ${formatNumber(100 * plan.power)} %.`,
    ...(margin === undefined
      ? []
      : [`Differences below ${formatNumber(margin)} do not matter: equivalence is tested too.`]),
    tellUnscored(plan),
    ...(looks === undefined
      ? ["The results are looked at once, when all items are there."]
      : [
          `The results are looked at ${looks.at.length} times, at ${lookItems(plan).join(", ")} items; the overall error rate of all looks is that rate (${looks.spending}).`,
        ]),
    ...(looks?.futility === undefined
      ? []
      : [
          `A look stops for futility where the conditional power for the smallest effect at the last look is below ${formatNumber(100 * looks.futility)} %; continuing would not inflate the error rate.`,
        ]),
    ...(Object.keys(judge).length === 0
      ? []
      : [
          `The judge is ${Object.entries(judge)
            .map(([name, value]) => `${name} ${value}`)
            .join(", ")}.`,
        ]),
  ];
}

function tellUnscored({ unscored }: EvaluationPlan): string {
  if (unscored === "wrong") return "Missing outcomes count as failures.";
  if (unscored === "complete") return "Missing outcomes are left out, with bounds next to the answer.";
  if (unscored === "bounds") return "A verdict stands only if it holds whatever the missing outcomes are.";
  return "The plan has no rule for missing outcomes: they are left out, and a verdict that they could overturn is inconclusive.";
}

/** Where raters or repeats are averaged and only items are a sample. */
export const noteHeld = (units: string, facet: "raters" | "runs" = "runs"): Diagnostic =>
  note(
    facet === "raters" ? "TheseRaters" : "TheseRuns",
    `${facet === "raters" ? "raters are no sample here" : "there are several scores of a system on an item, which were averaged"}: the result generalizes to new ${units} with these ${facet}, not of new ${facet}.`,
    `\`compare\` holds a difference against new ${facet} too.`,
  );
