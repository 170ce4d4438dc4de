/** The verdict on one column, and the sentence that gives its reason. Every part of that sentence is a count or a share of these data.
 *
 *  A label is `circular` if a rule reproduces it (reproduction.ts), `partially circular` if a rule does so for part of the rows,
 *  `dominated` if a few features explain most of it without a rule that gives its rows: a strong signal, honest as far as can be seen.
 *  Predictions are computed from their inputs, so that noise is no alternative to a rule; the question is which inputs. They are
 *  `circular` in a set that explains nearly all of them and leaves the others nothing to say, as in the book.
 *  Reference: Riezler & Hagmann (2021), Definition 2.5; the decision by rows is this project's. */
import type { CircularityFinding, FullModel } from "./finding.ts";
import type { Nullification } from "./nullification.ts";
import type { Reproduction } from "./reproduction.ts";

export type CircularityVerdict = "circular" | "partially circular" | "dominated" | "not circular";

/** The features that a rule needs; none where there is no rule. */
export function circularSet({ verdict, chosen, reproduction }: CircularityFinding): readonly string[] {
  if (verdict !== "circular" && verdict !== "partially circular") return [];
  const byRule = reproduction !== undefined && reproduction.extent !== "none";
  // in the order of the models, which is that of the correlations, wherever they are of the same set
  const same = byRule && reproduction.features.every((name) => chosen.features.includes(name));
  return byRule && !(same && reproduction.features.length === chosen.features.length)
    ? reproduction.features
    : chosen.features;
}

/** D² from which nothing worth naming is left of predictions, whatever the other shapes look like. */
const COMPLETE = 0.98;
/** D² from which a set dominates if everything else is nullified. */
const DOMINANT = 0.75;

export interface Evidence extends Pick<CircularityFinding, "explained" | "explainedBy"> {
  readonly role: "annotation" | "predictions";
  readonly rows: number;
  readonly set: readonly string[];
  readonly full: FullModel;
  readonly reproduction?: Reproduction;
  readonly nullification?: Nullification;
  readonly closeness: number;
}

interface Judged {
  readonly verdict: CircularityVerdict;
  readonly reason: string;
}

export function judgeCircularity(evidence: Evidence): Judged {
  const { reproduction, role, explained, closeness, nullification } = evidence;
  if (reproduction?.extent === "whole") return { verdict: "circular", reason: wholeReason(reproduction, evidence) };
  const left = nullification?.features.filter(({ state }) => state !== "nullified") ?? [];
  const kept = left.filter(({ state }) => state === "kept");
  const close = explained >= Math.max(closeness, COMPLETE) || (explained >= closeness && kept.length === 0);
  if (role === "predictions" && close) return { verdict: "circular", reason: predictionsReason(left, kept) };
  if (reproduction?.extent === "part")
    return { verdict: "partially circular", reason: partReason(reproduction, evidence) };
  const alone = explained >= DOMINANT && nullification !== undefined && left.length === 0;
  if (explained >= closeness || alone) return { verdict: "dominated", reason: dominatedReason(evidence, left) };
  return { verdict: "not circular", reason: notReason(evidence) };
}

/** Floored, so that no share is called all that is not. */
export const floorPercent = (share: number): string => `${Math.floor(1000 * share + 1e-9) / 10}%`;

const countOf = (share: number, rows: number): number => Math.round(share * rows);

function wholeReason(reproduction: Reproduction, { rows }: Evidence): string {
  const { kind, share, heldOutShare, heldOutD2 } = reproduction;
  if (kind === "curve") {
    return `curves of the set leave ${((1 - heldOutD2) * 100).toPrecision(2)}% of the variance, on rows that they were not found on`;
  }
  const missed = rows - countOf(share, rows);
  const given = missed === 0 ? "a rule reproduces every label" : `a rule reproduces all but ${missed} of ${rows} rows`;
  return `${given}, and ${floorPercent(heldOutShare)} of rows that it was not found on`;
}

const SCATTERED = {
  steps: "are among the three quarters of the rows farthest from its steps, where noise puts fewer",
  values: "are off by more than the next value of the label, as noise rarely is",
  rounding: "are off by more than three times the rounding",
} as const;

function partReason({ share, heldOutShare, scatter, scatterBy }: Reproduction, { rows }: Evidence): string {
  const missed = rows - countOf(share, rows);
  const given = `a rule reproduces ${floorPercent(share)} of the rows (all but ${missed} of ${rows}), and ${floorPercent(heldOutShare)} of rows that it was not found on`;
  return Number.isNaN(scatter)
    ? `${given}; features and labels of so few values cannot tell a rule with exceptions from a strong honest relation`
    : `${given}; of the others ${floorPercent(scatter)} ${SCATTERED[scatterBy]}`;
}

type Named = readonly { readonly feature: string }[];

const listed = (some: Named): string => some.map(({ feature }) => feature).join(", ");

function predictionsReason(left: Named, kept: Named): string {
  const set = "the set determines the predictions";
  if (kept.length > 0) return `${set}, though ${listed(kept)} keep a shape of their own`;
  return left.length === 0
    ? `${set}, and no other candidate keeps a shape of its own`
    : `${set}; little is left for ${listed(left)}`;
}

/** A share that is also had by naming the commonest label is said to be that. */
function bestRule(reproduction: Reproduction | undefined): string {
  if (reproduction === undefined || !(reproduction.heldOutShare > 0))
    return "no rule that was tried reproduces its labels";
  const { kind, heldOutShare, commonest } = reproduction;
  const chance = commonest >= 0.1 ? `, the commonest label alone ${floorPercent(commonest)}` : "";
  return `no rule that was tried reproduces it (the best, ${kind}, gives ${floorPercent(heldOutShare)} of rows that it was not found on${chance})`;
}

function dominatedReason({ set, reproduction }: Evidence, left: Named): string {
  const what = set.length === 1 ? "one feature explains" : `${set.length} features explain`;
  const rest = left.length === 0 ? "" : `; ${listed(left)} may add to it`;
  return `${what} most of the label${rest}, but ${bestRule(reproduction)}: a strong signal rather than a definition`;
}

function notReason({ reproduction, full }: Evidence): string {
  const all = Number.isNaN(full.d2)
    ? ""
    : `, and ${full.of === 1 ? "the one feature explains" : `${full.features < full.of ? "the first" : "all"} ${full.features} features together explain`} ${floorPercent(Math.max(0, full.adjusted))} of it by a sum of curves (corrected for edf)`;
  return `${bestRule(reproduction)}${all}`;
}
