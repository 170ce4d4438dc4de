/** Parameters of a power analysis in words: along an axis, with the unit, and at one value. `n` and `delta` are how a call spells them. Names
 *  in a scenario of a user's own mean what he says, and stay as they are. */
import { say } from "./words.ts";

interface Words {
  /** In a sentence: "power by items". */
  readonly noun: string;
  /** On an axis, where the unit is said too. */
  readonly axis?: string;
  /** Counted things are said behind their number, "500 items", others before it, "difference 0.02". */
  readonly counted?: string;
}

const counted = (noun: string, axis?: string): Words => ({ noun, counted: noun, ...(axis ? { axis } : {}) });
const difference = (unit: string): Words => ({ noun: "true difference", axis: `true difference (${unit})` });

const ITEMS = counted("items");
const WIN: Words = {
  noun: "true proportion of wins",
  axis: "true proportion of judgements for the new system (0 to 1)",
};
const POINTS = difference("0.01 is 1 point");

/** What several scenarios mean by the same name. */
const SHARED: Readonly<Record<string, Words>> = {
  items: ITEMS,
  raters: counted("raters"),
  ratings: counted("ratings", "ratings of each item"),
  seeds: counted("training runs", "training runs of each procedure"),
  groups: counted("groups"),
  baseline: { noun: "accuracy of the baseline", axis: "accuracy of the baseline (0 to 1)" },
  agreement: { noun: "agreement", axis: "proportion of items on which both are right or both wrong (0 to 1)" },
  win: WIN,
};

const OWN: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  accuracy: { n: ITEMS, delta: POINTS },
  unpaired: { n: ITEMS, delta: POINTS },
  preference: { n: counted("judgements") },
  means: { n: ITEMS, delta: difference("units of the score") },
  bleu: { n: counted("sentences"), delta: difference("points of the score") },
  f1: { n: ITEMS },
  likert: { effect: difference("on the scale of the ratings") },
  ordinal: { effect: { noun: "true difference", axis: "true difference (SDs of the latent scale)" } },
  "head-to-head": {},
  seeds: { delta: difference("units of the score") },
  correlation: { n: ITEMS, rho: { noun: "true correlation" } },
  anova: { n: counted("items in each group"), f: { noun: "Cohen’s f" } },
  "chi-square": { n: ITEMS, w: { noun: "Cohen’s w" } },
  "cohens-h": { n: ITEMS, h: { noun: "Cohen’s h" } },
  "non-inferiority": { n: ITEMS, delta: { noun: "true difference" }, margin: { noun: "margin" } },
};

/** What is drawn: the scenario, and what the call said of its parameters. */
export interface Drawn {
  readonly scenario: string;
  readonly signature: { readonly options: object };
}

/** Where a parameter says what another one is counted in. */
function countedIn({ scenario, signature: { options } }: Drawn, name: string): Words | undefined {
  const { effectUnit: unit } = options as { readonly effectUnit?: unknown };
  if (scenario !== "ordinal" || name !== "effect" || unit !== "steps") return undefined;
  return { noun: "true difference", axis: "true difference (mean distances of the thresholds)" };
}

function wordsOf(drawn: Drawn, name: string): Words {
  const { scenario } = drawn;
  const counted = countedIn(drawn, name);
  if (counted !== undefined) return counted;
  const own = OWN[scenario];
  return (own === undefined ? undefined : (own[name] ?? SHARED[name])) ?? { noun: name };
}

export const nounOf = (drawn: Drawn, name: string): string => wordsOf(drawn, name).noun;

export function axisOf(drawn: Drawn, name: string): string {
  const { axis, noun } = wordsOf(drawn, name);
  return axis ?? noun;
}

/** "500 items", "difference 0.02", "agreement 0.9". */
export function saidAt(drawn: Drawn, name: string, value: number | string): string {
  const { noun, counted: things } = wordsOf(drawn, name);
  const shown = typeof value === "number" ? say(value) : value;
  return things === undefined ? `${noun.replace(/^true /, "")} ${shown}` : `${shown} ${things}`;
}
