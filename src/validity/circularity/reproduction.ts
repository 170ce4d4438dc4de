/** Does a rule reproduce the label? The decision by rows rather than by variance: a signal that explains 99% of a label gives hardly any
 *  row exactly, a rule gives them all, and a rule with exceptions gives the others exactly and misses anywhere.
 *    circular    the rule gives all rows but EXCEPTIONS, or all but FEW_EXCEPTIONS with misses anywhere; or a curve of one feature leaves
 *                less than rounding
 *    partially   it gives MOST rows or more, the misses anywhere
 *  The bounds were chosen on one half of a bank of simulated labels; docs/methods/circularity.md shows the other half. */
import type { FoundRule, RuleKind, ScatterBy } from "./found-rule.ts";
import type { LabelScale } from "./label-scale.ts";

/** Share of the rows that a rule of the whole label may miss, wherever they are; one with fitted weights none, because strong signals bend
 *  them until they miss as few. */
const EXCEPTIONS = 0.005;
/** The same where the misses lie anywhere. */
const FEW_EXCEPTIONS = 0.02;
/** How much fewer it may give of rows that it was not found on; thresholds are found from half of few rows less well, times 1/√rows. */
const LOST_HELD_OUT = 0.05;
const LOST_THRESHOLDS = 0.7;
/** Share of the rows that lie away from the steps: exceptions are as often there, but for chance. */
const AWAY = 0.75;
/** Standard errors that exceptions may fall short of it. */
const CHANCE = 2;
/** The share that counts as scattered where the steps themselves may be a little off, in rules that miss few rows; and for misses by
 *  more than the next value. */
const FEW_AWAY = 0.25;
const FAR_OFF = 0.15;
/** For numbers: the share of misses beyond three tolerances. */
const FAR = 0.5;
/** Share of rows it was not found on that a rule for part of a graded label gives. */
const MOST_GRADED = 0.87;
/** The same for numbers, where a hit by chance is out of the question. */
const MOST_NUMBERS = 0.5;
/** Share of the rows beyond those of the commonest label. */
const SKILL = 0.6;
/** The same where features of few values leave no near and far. */
const SKILL_TABLE = 0.8;
/** Share of the rows by which a better rule must be better. */
const FOLLOWS = 0.02;
/** D² of a curve beyond which what is left is not noise of any size that is met. */
const CURVE_D2 = 0.999;

export interface Reproduction {
  readonly kind: RuleKind;
  readonly features: readonly string[];
  readonly words: readonly string[];
  /** Share of the rows that the rule gives, to the label's own rounding; NaN for a curve. */
  readonly share: number;
  /** Of rows that it was not found on. */
  readonly heldOutShare: number;
  readonly heldOutD2: number;
  /** Share of the rows with the commonest label. */
  readonly commonest: number;
  /** (share - commonest)/(1 - commonest): 0 for a rule that names the commonest label. */
  readonly skill: number;
  readonly scatter: number;
  readonly scatterBy: ScatterBy;
  readonly extent: "whole" | "part" | "none";
}

/** The rule that reproduces most; undefined where none was found. */
export function chooseRule<R extends FoundRule>(rules: readonly R[], scale: LabelScale): Judged<R> | undefined {
  const known = (value: number): number => (Number.isNaN(value) ? -1 : value);
  const first = rules.map((rule) => ({ rule, reproduction: judgeRule(rule, scale) }));
  const judged = first.map((own) =>
    own.reproduction.extent === "part" && hasBetter(own, first) ? withoutExtent(own) : own,
  );
  const rank = { whole: 2, part: 1, none: 0 };
  const by = (a: Judged<R>, b: Judged<R>): number =>
    rank[b.reproduction.extent] - rank[a.reproduction.extent] ||
    (a.reproduction.extent === "whole" ? a.rule.features.length - b.rule.features.length : 0) ||
    known(b.rule.heldOutShare) - known(a.rule.heldOutShare) ||
    a.rule.features.length - b.rule.features.length ||
    known(b.rule.share) - known(a.rule.share);
  return judged.sort(by)[0];
}

interface Judged<R> {
  readonly rule: R;
  readonly reproduction: Reproduction;
}

const withoutExtent = <R>(own: Judged<R>): Judged<R> => ({
  ...own,
  reproduction: { ...own.reproduction, extent: "none" },
});

/** A rule that gives more rows and misses as noise does explains the misses of the lesser one, which then only follows it. */
function hasBetter<R extends FoundRule>({ rule }: Judged<R>, all: readonly Judged<R>[]): boolean {
  return all.some(
    (other) => other.reproduction.extent === "none" && other.rule.heldOutShare > rule.heldOutShare + FOLLOWS,
  );
}

function judgeRule(rule: FoundRule, scale: LabelScale): Reproduction {
  const { kind, features, words, share, heldOutShare, heldOutD2, scatter, scatterBy } = rule;
  const { commonest } = scale;
  const skill = (share - commonest) / (1 - commonest);
  const extent = extentOf(rule, scale, skill);
  return { kind, features, words, share, heldOutShare, heldOutD2, commonest, skill, scatter, scatterBy, extent };
}

function extentOf(rule: FoundRule, { grades, rows }: LabelScale, skill: number): Reproduction["extent"] {
  const { kind, share, heldOutShare, heldOutD2, scatter, scatterBy } = rule;
  if (kind === "curve") return heldOutD2 >= CURVE_D2 ? "whole" : "none";
  const graded = grades.length > 0;
  const lost = LOST_HELD_OUT + (kind === "steps" ? LOST_THRESHOLDS / Math.sqrt(rows) : 0);
  if (!(share > 0) || heldOutShare < share - lost || (graded && !(skill > SKILL))) return "none";
  const weighted = kind === "steps of a sum" || kind === "steps of products";
  if (share >= (weighted ? 1 : 1 - EXCEPTIONS)) return "whole";
  // too few values for near and far: exceptions and noise look alike
  const unknown = Number.isNaN(scatter) && graded && skill >= SKILL_TABLE;
  if (share >= 1 - FEW_EXCEPTIONS && (unknown || scatter >= FEW_AWAY)) return "whole";
  if (!unknown && !(scatter >= scatterBound(scatterBy, (1 - share) * rows))) return "none";
  return heldOutShare >= (graded ? MOST_GRADED : MOST_NUMBERS) ? "part" : "none";
}

/** Away from steps as often as rows are, but for chance; beyond the next value, or the rounding, more often than noise is. */
function scatterBound(by: ScatterBy, misses: number): number {
  if (by === "values") return FAR_OFF;
  if (by === "rounding") return FAR;
  return Math.max(FEW_AWAY, AWAY - CHANCE * Math.sqrt((AWAY * (1 - AWAY)) / Math.max(1, misses)));
}
