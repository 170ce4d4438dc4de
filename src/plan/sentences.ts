/** A plan as sentences, for people who are to agree with it. */

import type { DesignKind } from "../power/designs/designs.ts";
import { adjustmentName } from "../result/adjustment.ts";
import { note } from "../result/diagnostic.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";
import { adjustmentOf, type EvaluationPlan, lookItems, pairsOf } from "./plan.ts";
import { scenarioOf } from "./study.ts";

export function describePlan(plan: EvaluationPlan): string[] {
  const [baseline, ...others] = plan.systems;
  const { metric, items, repeats, alpha, margin, smallestEffect, looks, judge = {} } = plan;
  const times = repeats === 1 ? "once" : `${repeats} times`;
  const direction =
    plan.higherIsBetter === undefined ? "" : `, of which ${plan.higherIsBetter ? "higher" : "lower"} is better`;
  return [
    `${others.join(", ")} ${others.length === 1 ? "is" : "are"} compared with ${baseline} by ${metric}${direction}, on ${items} items${plan.ratings === undefined ? `, each run ${times} by every system` : ""}.`,
    ...(plan.cluster === undefined
      ? []
      : [`Items of one ${plan.cluster} are correlated, so each ${plan.cluster} is one cluster.`]),
    ...(plan.ratings === undefined
      ? plan.rater === undefined
        ? []
        : [`Scores are given by ${plan.rater}, a sample of raters.`]
      : ratingSentences(plan)),
    `${decidesBy(plan)}, at an error rate of ${formatNumber(alpha)}${others.length > 1 ? ` over ${pairsOf(plan)} pairs, ${plan.pairs === "baseline" ? `each system against ${baseline}` : "all of them"} (${adjustmentName(adjustmentOf(plan))})` : ""}.`,
    `The smallest difference of interest is ${formatNumber(smallestEffect)}${plan.ratings !== undefined && scenarioOf(plan) === "ordinal" ? " SDs of the latent scale" : ""}, with a target power of ${formatNumber(100 * plan.power)} %.`,
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
    ...[plan.exclusions, plan.stopping].flatMap((text) => (text === undefined ? [] : [`${text.replace(/\.$/, "")}.`])),
  ];
}

const DESIGN_WORDS: Readonly<Record<DesignKind, string>> = {
  crossed: "every rater rates every item under all systems",
  "k-of-m": "an item goes to some of the raters, who rate it under all systems",
  lists: "no rater meets an item twice",
};

function ratingSentences({ ratings, rater, systems, items }: EvaluationPlan): string[] {
  const { raters, perItem, design, checks, exclude, points } = ratings!;
  const many = perItem === 1 ? "1 rating" : `${perItem} ratings`;
  const left =
    exclude === undefined
      ? "nobody is left out for failing them"
      : `raters who fail ${exclude === checks ? (checks === 1 ? "it" : "all of them") : `${exclude} or more`} are left out`;
  return [
    `${raters} raters (${rater}) give ${many} of each item under each system${points === undefined ? "" : `, from 1 to ${points}`}, ${systems.length * items * perItem} in all: ${DESIGN_WORDS[design]}.`,
    "Each rater has a list of texts in an order of its own, balanced over the raters.",
    ...(checks === 0
      ? []
      : [`Each list has ${checks === 1 ? "an attention check" : `${checks} attention checks`}; ${left}.`]),
  ];
}

/** What `compare` runs, by name where it is known before the data are. */
function decidesBy({ ratings, test }: EvaluationPlan): string {
  if (ratings !== undefined)
    return "A linear mixed model decides, with random effects of items and raters and of their differences between systems (Satterthwaite's df)";
  return test === undefined ? "The test that fits the data decides" : `The ${test} test decides`;
}

/** The plan as a preregistration has it: who and what is left out, the model, the adjustment, when collecting ends. */
export function preregistration(plan: EvaluationPlan): string[] {
  return [
    ...describePlan(plan),
    ...(plan.exclusions === undefined && plan.ratings?.exclude === undefined
      ? ["No rater, item or rating is left out."]
      : []),
    ...(plan.stopping === undefined && plan.looks === undefined
      ? [
          `Collecting ends when all ${plan.ratings === undefined ? "items were run" : "lists are filled"}, whatever the results are.`,
        ]
      : []),
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
    `${facet === "raters" ? "raters are no sample here" : "there are several scores of a system on an item, which were averaged"}: the result generalizes to new ${units} with these ${facet}, and not to new ${facet}.`,
    `\`compare\` generalizes to new ${facet} too, where the data name them.`,
  );
