/** The facts of a comparison as sentences: under a label on the screen, as a note in the details. */

import { adjustmentName } from "../../result/adjustment.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { apart, familyWiseSentence } from "../multiplicity.ts";
import type { ComparisonFact } from "./comparison-facts.ts";

import { tellConditions } from "./reading/conditions.ts";
import { tellScope } from "./scope.ts";
import type { ScoreStyle } from "./written-numbers.ts";

type Of<I extends ComparisonFact["id"]> = Extract<ComparisonFact, { id: I }>;

interface Telling<F> {
  /** On the screen. */
  readonly label?: string | ((fact: F) => string);
  readonly screen?: (fact: F, style: ScoreStyle) => string;
  /** In the details. */
  readonly notes?: (fact: F, style: ScoreStyle) => readonly string[];
}

const TELLINGS: { readonly [I in ComparisonFact["id"]]: Telling<Of<I>> } = {
  "test choice": { notes: ({ text }) => [`Test: ${text}`] },
  claim: {
    label: "Claim",
    screen: tellClaim,
  },
  strengths: {
    label: "Scores",
    screen: () =>
      "chance to beat an average opponent (Bradley-Terry model of all battles); head to head is wins minus losses of the two systems",
  },
  pairs: { label: "Pairs", screen: (fact) => tellPairs(fact, fact.hidden.onScreen), notes: notesOnPairs },
  parts: { label: "Parts", screen: tellParts },
  opposed: { label: ({ a, b }) => `${b} - ${a}`, screen: ({ text }) => text },
  rounded: { label: "Rounded", screen: () => "Differences are computed before scores are rounded." },
  by: {
    label: "By",
    screen: ({ by, depends, method, p }) =>
      `The difference ${depends ? "depends on" : "is not shown to depend on"} ${by} (${method}, ${formatP(p)}). The details have each class.`,
  },
  "means of the model": {
    notes: ({ adjusted }) => [
      adjusted
        ? "Scores are marginal means of the model, as if each system had met every item and rater equally often. Raw means are over rows."
        : "Scores are marginal means of the model, which here equal the raw means over rows.",
    ],
  },
  order: {
    notes: ({ baseline }) => [
      baseline === undefined
        ? "A pair is written second minus first: the verdict is on the system that is named first in it."
        : `Baseline: ${baseline}. Differences are the other system minus the baseline (option \`baseline\` names another).`,
    ],
  },
  signature: { notes: ({ text }) => [`Signature: ${text}`] },
  omnibus: { notes: notesOnOmnibus },
  slices: {
    notes: ({ column, levels, adjust }) => [
      `p by ${column} is ${adjust === "none" ? "not adjusted" : `adjusted by ${adjustmentName(adjust)}`} over ${levels} levels; each interval is for its level alone.`,
    ],
  },
  "at least": {
    notes: ({ column, levels, atLeast, named }) => [
      `At least ${atLeast} of the ${levels} levels of ${column} show a difference, of either sign, though only ${named} can be named (partial conjunction).`,
    ],
  },
  scale: {
    notes: ({ metric, ends }, { percent }) => {
      const [from, to] = ends.map((end) => (percent ? `${100 * end} %` : formatNumber(end)));
      const limits = to === "Inf" ? `is never below ${from}` : `lies between ${from} and ${to}`;
      return [`${metric === "score" ? "The score" : metric} ${limits}: intervals end there.`];
    },
  },
};

const tellingOf = (fact: ComparisonFact): Telling<ComparisonFact> => TELLINGS[fact.id] as Telling<ComparisonFact>;

export const notesOf = (facts: readonly ComparisonFact[], style: ScoreStyle): string[] =>
  facts.flatMap((fact) => tellingOf(fact).notes?.(fact, style) ?? []);

export const labelledOf = (facts: readonly ComparisonFact[], style: ScoreStyle): { label: string; text: string }[] =>
  facts.flatMap((fact) => {
    const { label, screen } = tellingOf(fact);
    const text = screen?.(fact, style) ?? "";
    if (label === undefined || text === "") return [];
    return [{ label: typeof label === "string" ? label : label(fact), text }];
  });

function tellClaim({ scope, repeated, units, conditions, test }: Of<"claim">): string {
  const parts = [
    ...tellScope(scope, repeated, units === "scores" ? "items" : units),
    ...(conditions.length === 0 ? [] : [`for ${tellConditions(conditions)} only`]),
    ...(test === undefined ? [] : [tellTest(test)]),
  ];
  return parts.join("; ");
}

/** Of several tests the one that says least; the interval's own beside it where that is another. */
export const tellTest = ({ label, interval }: NonNullable<Of<"claim">["test"]>): string =>
  interval === undefined ? label : `p by ${label}, interval by ${interval}`;

function tellPairs({ adjust, count, simultaneous, level }: Of<"pairs">, hidden: number): string {
  const cis = `${formatNumber(100 * level)} % CI`;
  const how =
    adjust === "none"
      ? "p and intervals are not adjusted"
      : `p adjusted by ${adjustmentName(adjust)} over ${count} pairs; ${simultaneous ? `simultaneous ${cis}s` : `each ${cis} is for its pair alone`}`;
  return hidden > 0 ? `${how}; ${hidden} more pairs are not shown` : how;
}

function notesOnPairs({ adjust, count, simultaneous, level, alpha, hidden }: Of<"pairs">): string[] {
  const cis = `${formatNumber(100 * level)} % confidence intervals`;
  const left =
    hidden.inDetails > 0
      ? [`The table has the pairs of the best system; the JSON has the other ${hidden.inDetails}.`]
      : [];
  if (adjust === "none")
    return [`p and intervals are not adjusted for the number of pairs: ${familyWiseSentence(count, alpha)}.`, ...left];
  const kind = simultaneous ? `The ${cis} are simultaneous.` : `The ${cis} are for each pair alone.`;
  return [`p of the pairs is adjusted by ${adjustmentName(adjust)}. ${kind}`, ...left];
}

/** An interval beside an adjusted p can leave 0 out where the verdict is open, and the mean of the parts answers for itself alone. */
function tellParts({ adjust, pairs, mean }: Of<"parts">): string {
  const how = adjust === "none" ? "p is not adjusted" : `p adjusted by ${adjustmentName(apart(adjust))} over the parts`;
  const alone = mean && adjust !== "none" ? ", except that of their mean" : "";
  const all = pairs > 1 && adjust !== "none" ? `, not for the ${pairs} pairs` : "";
  return `${how}${alone}${all}; each interval is for its part alone`;
}

function notesOnOmnibus({ systems, directed, found }: Of<"omnibus">): string[] {
  const { statistic, df, p, ranks, criticalDifference } = found;
  const test = `Friedman's test that all ${systems.length} systems are equal: chi-square ${formatNumber(statistic, "statistic")} on ${formatNumber(df, "df")} df, ${formatP(p)}.`;
  if (ranks === undefined || criticalDifference === undefined) return [test];
  const told = systems.map((name, s) => `${name} ${ranks[s]!.toFixed(2)}`);
  return [
    test,
    `Mean ranks over the data sets (1 is the ${directed ? "best" : "highest"}): ${told.join(", ")}. Two systems differ significantly by Nemenyi's test from ${criticalDifference.toFixed(2)} on (critical difference).`,
  ];
}
