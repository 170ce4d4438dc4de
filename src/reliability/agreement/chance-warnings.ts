/** Where chance correction misleads, in one line each: the abnormalities of π, κ and α that are known to surprise.
 *
 *  They all come from the chance agreement being estimated from the labels themselves: with skewed labels it is near 1, so that
 *  high agreement counts for little, one label decides, and no variation at all leaves 0/0.
 *  Reference: Riezler & Hagmann (2021), Validity, Reliability, and Significance, section 3.3.1; Feinstein & Cicchetti (1990),
 *             J. Clin. Epidemiol. 43; Zhao, Liu & Deng (2013), Communication Yearbook 36. */
import { finiteCounts } from "../../data/counts.ts";
import { column, type Table } from "../../data/table.ts";
import { findBadValues, tellFix } from "../../metrics/codes.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { AgreementOptions } from "./agreement.ts";
import type { PatternCoefficients } from "./coefficients.ts";
import type { Patterns } from "./patterns.ts";
import type { RaterAgreement } from "./raters.ts";

export interface AgreementFacts {
  readonly patterns: Patterns;
  readonly labels: readonly string[];
  readonly found: PatternCoefficients;
  readonly evaluate: (weights: Float64Array) => PatternCoefficients;
  readonly cohen: number;
  readonly raters: readonly RaterAgreement[];
}

/** Krippendorff's bound for tentative conclusions. */
const TENTATIVE = 0.667;
const HIGH_PERCENT = 0.8;
const SKEWED = 0.8;
/** Change of α by one item that deserves a word. */
const FRAGILE = 0.1;
/** Beyond this many patterns no single item decides, and trying all would take long. */
const TRIED_PATTERNS = 300;
const BIASED = 0.05;

const percent = (value: number): string => formatNumber(value, "percent");
const digits = (value: number): string => (Number.isNaN(value) ? "undefined" : value.toFixed(3));

interface LabelColumn extends Pick<AgreementOptions, "scale"> {
  readonly label: string;
  readonly categories?: readonly string[] | undefined;
}

/** 999 among ratings of 1 to 5 is no label; a step further than the others, or where the labels were told to be a scale, it may be one. */
export function checkLabels(
  table: Table,
  { label, scale, categories }: LabelColumn,
  keep: "scale" | "categories" = "scale",
): Diagnostic[] {
  const cells = column(table, label);
  if (cells.kind !== "numeric" || categories !== undefined) return [];
  const bad = findBadValues(label, finiteCounts(cells.values));
  if (bad === undefined) return [];
  const { code, reason } = bad;
  if (scale === undefined && !bad.isNextStep)
    throw new StatError(
      "BadScores",
      reason,
      tellFix(bad, `if ${code ?? "each"} is a label like any other, say option \`${keep}\``),
    );
  return [warning("BadScores", reason, tellFix(bad, undefined))];
}

export function agreementChecks(facts: AgreementFacts, upper: number): Diagnostic[] {
  const { found } = facts;
  if (Number.isNaN(found.alpha.value)) return [allTheSame(facts), ...outliers(facts)];
  return [...skewed(facts), ...belowChance(facts, upper), ...fragile(facts), ...bias(facts), ...outliers(facts)];
}

function allTheSame({ labels, found, patterns }: AgreementFacts): Diagnostic {
  const only = labels[patterns.category[0] ?? 0] ?? "";
  return warning(
    "NoVariation",
    `all labels that can be paired are "${only}": agreement is ${percent(found.percent)}, and every chance-corrected coefficient is 0/0, that is undefined.`,
    "Report the percentage, and label items on which raters could differ.",
  );
}

/** The commonest category and its share. */
function commonest({ found, patterns, labels }: AgreementFacts): { label: string; share: number } {
  const totals = new Float64Array(labels.length);
  for (let p = 0; p < patterns.count; p++) {
    for (let k = patterns.start[p]!; k < patterns.start[p + 1]!; k++) {
      totals[patterns.category[k]!]! += patterns.weight[p]! * patterns.times[k]!;
    }
  }
  const sum = totals.reduce((a, b) => a + b, 0);
  const most = totals.reduce((a, b) => Math.max(a, b), 0);
  return { label: labels[totals.indexOf(most)]!, share: found.percent > 0 || sum > 0 ? most / sum : 0 };
}

function skewed(facts: AgreementFacts): Diagnostic[] {
  const { found } = facts;
  const { label, share } = commonest(facts);
  if (!(found.percent >= HIGH_PERCENT && found.fleiss.value < TENTATIVE && share >= SKEWED)) return [];
  return [
    warning(
      "SkewedLabels",
      `raters agree on ${percent(found.percent)} of the pairs and yet κ and α are low (${digits(found.fleiss.value)}): ${percent(share)} of the labels are "${label}", so that ${percent(found.fleiss.expected)} agreement is attributed to chance.`,
      `Report the percentage, AC1 (${digits(found.ac1.value)}) and the agreement per label beside it.`,
    ),
  ];
}

/** α below 0 is a finding where its interval (upper end; NaN: none) is too, and otherwise what chance gives half of the time. */
function belowChance({ found }: AgreementFacts, upper: number): Diagnostic[] {
  if (!(found.alpha.value < 0)) return [];
  const shown = upper < 0;
  const says = shown
    ? "raters differ more than labels drawn at random would"
    : "on these items raters agree no more than labels drawn at random would";
  return [
    warning(
      "BelowChance",
      `α is negative (${digits(found.alpha.value)}): ${says}; all of the ${percent(found.percent)} agreement is attributed to chance.`,
      shown
        ? "Look for raters who read the scale the other way round."
        : "Label more items, or look at whether the question can be answered at all.",
    ),
  ];
}

/** Numbers with the digits of a screen: 0.33333333333333337 is a third. */
const quoteLabel = (label: string): string => {
  const number = label.trim() === "" ? Number.NaN : Number(label);
  return Number.isFinite(number) ? formatNumber(number) : `"${label}"`;
};

function fragile({ patterns, found, evaluate, labels }: AgreementFacts): Diagnostic[] {
  if (patterns.count > TRIED_PATTERNS) return [];
  const weights = patterns.weight.slice();
  let worst = { change: 0, value: found.alpha.value, pattern: -1 };
  for (let p = 0; p < patterns.count; p++) {
    if (patterns.size[p]! < 2) continue;
    weights[p]! -= 1;
    const { value } = evaluate(weights).alpha;
    weights[p]! += 1;
    const change = Number.isNaN(value) ? Number.POSITIVE_INFINITY : Math.abs(value - found.alpha.value);
    if (change > worst.change) worst = { change, value, pattern: p };
  }
  if (worst.change < FRAGILE) return [];
  const own: string[] = [];
  for (let k = patterns.start[worst.pattern]!; k < patterns.start[worst.pattern + 1]!; k++) {
    own.push(`${patterns.times[k]} × ${quoteLabel(labels[patterns.category[k]!]!)}`);
  }
  return [
    warning(
      "OneItemDecides",
      `without a single item (${own.join(", ")}) α goes from ${digits(found.alpha.value)} to ${digits(worst.value)}.`,
      "Too few items carry a rare label: add such items before you trust the coefficient.",
    ),
  ];
}

/** Items with two labels below which every interval leans on what the sample cannot show. */
const FEW_ITEMS = 20;

/** Where a bootstrap over items is not to be taken at its word: few items, a coefficient at its border, replicates without one. */
export function bootstrapChecks(
  alpha: number,
  ends: { readonly used: number; readonly lower: number; readonly upper: number } | undefined,
  { shared, replicates }: { readonly shared: number; readonly replicates: number },
): Diagnostic[] {
  if (ends === undefined || Number.isNaN(alpha)) return [];
  const out: Diagnostic[] = [];
  if (shared < FEW_ITEMS) {
    const message = `${shared} items with two labels or more are few for a bootstrap: its intervals rest as much on the two made-up items as on these.`;
    out.push(note("FewItems", message, "Label at least 20 items twice."));
  }
  if (alpha === 1) {
    const message =
      "α is at its border, 1: no resample of these items can show a disagreement, and only the made-up items keep the interval from having no width.";
    out.push(note("AtTheBorder", message, "Read the lower end, not the estimate."));
  }
  if (ends.used > 0 && ends.used < replicates) {
    const message = `α is undefined in ${replicates - ends.used} of ${replicates} replicates (all labels the same), which are left out.`;
    out.push(note("UndefinedReplicates", message, "Label items on which raters could differ."));
  }
  return out;
}

function bias({ found, cohen }: AgreementFacts): Diagnostic[] {
  if (!(Math.abs(cohen - found.weightedFleiss.value) > BIASED)) return [];
  return [
    note(
      "UnequalMarginals",
      `the two raters use the labels at different rates, which κ (${digits(cohen)}) forgives and π and α (${digits(found.weightedFleiss.value)}) do not.`,
      "Report π or α if raters should be interchangeable.",
    ),
  ];
}

/** Who misses the others' labels often and narrowly, so that α falls without them, is no odd one on a scale with an order. */
function outliers({ raters, found }: AgreementFacts): Diagnostic[] {
  return raters
    .filter(({ disagrees, alphaWithout }) => disagrees && !(alphaWithout <= found.alpha.value))
    .map(({ rater, agreement, others, alphaWithout, distance }) =>
      warning(
        "RaterDisagrees",
        `rater ${rater} ${distance === undefined ? `agrees with the others on ${percent(agreement)} of the labels, the others among themselves on ${percent(others)}` : `differs from the others by ${formatNumber(distance.own)} on average, the others among themselves by ${formatNumber(distance.others)}`}${Number.isNaN(alphaWithout) ? "" : `; without ${rater} α is ${digits(alphaWithout)}`}.`,
        "Look at this rater's labels: instructions read differently, or careless work.",
      ),
    );
}
