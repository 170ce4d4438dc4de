/** Grades that are cut from a weighted sum of features, or of features and their products: y = g where t_g < Σ b_j x_j ≤ t_(g+1).
 *
 *  The weights are those of a cumulative logistic model (one slope per feature, one threshold per grade), which part the grades
 *  completely where that can be done; the cuts of the sum are then sought as steps (step-rule.ts).
 *  Reference: McCullagh (1980), JRSS B 42; that separable grades are parted: Albert & Anderson (1984), Biometrika 71.
 *  Oracle:    planted weights and cuts, rules.test.ts.
 *  Limits:    more than eight grades are left to sums of steps. */
import { numericColumn } from "../../data/table.ts";
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { SoughtRules } from "./formula-rule.ts";
import { type FoundRule, holdOut, numbersOf, pick, type RuleFeature, type RuleKind, spreadRows } from "./found-rule.ts";
import type { LabelScale } from "./label-scale.ts";
import { findStepRule, type StepRule } from "./step-rule.ts";
import { growTree, layCells, pruneTree } from "./threshold-tree.ts";

const MOST_GRADES = 8;
const MOST_FIT_ROWS = 3000;
/** Rows for each weight. */
const ROWS_PER_TERM = 12;
const MOST_TERMS = 60;
const ITERATIONS = 25;
/** Fits, each without the rows that the one before finds unlikely. */
const PASSES = 3;
const UNLIKELY = 0.1;
/** Keeps the weights finite where the grades can be parted. */
const RIDGE = 1e-3;
/** Weights below this share of the largest, on standardised features, are tried without. */
const SMALL_WEIGHT = 0.1;
/** What a rule may lose for being shorter. */
const SHORTER = 0.005;

interface ScoreTerm {
  readonly name: string;
  readonly of: readonly number[];
  readonly values: Float64Array;
}

interface ScoreRequest {
  readonly features: readonly RuleFeature[];
  readonly scale: LabelScale;
}

export function findScoreRules(label: string, y: Float64Array, { features, scale }: ScoreRequest): SoughtRules {
  const rules: FoundRule[] = [];
  const sought: RuleKind[] = [];
  if (scale.grades.length < 2 || scale.grades.length > MOST_GRADES) return { rules, sought };
  const mains = features.flatMap(({ name, column }, f): ScoreTerm[] =>
    column.kind === "numeric" || column.ordered || column.levels.length === 2
      ? [{ name, of: [f], values: numbersOf(column) }]
      : [],
  );
  const products = mains.flatMap((a, i) =>
    mains.slice(i).map((b) => ({
      name: a === b ? `${a.name}²` : `${a.name} × ${b.name}`,
      of: a === b ? a.of : [...a.of, ...b.of],
      values: a.values.map((value, r) => value * b.values[r]!),
    })),
  );
  const tries = [
    ["steps of a sum", mains],
    ["steps of products", [...mains, ...products]],
  ] as const;
  for (const [kind, terms] of tries) {
    if (rules.some(({ share }) => share === 1) || !canWeigh(terms, y.length)) continue;
    sought.push(kind);
    const rule = scoreRule(label, y, { terms, features, scale });
    if (rule !== undefined) rules.push({ ...rule, kind });
  }
  return { rules, sought };
}

const canWeigh = (terms: readonly ScoreTerm[], rows: number): boolean =>
  terms.length >= 2 && terms.length <= MOST_TERMS && rows >= ROWS_PER_TERM * terms.length;

interface TermsRequest extends ScoreRequest {
  readonly terms: readonly ScoreTerm[];
}

function scoreRule(label: string, y: Float64Array, { terms, features, scale }: TermsRequest): FoundRule | undefined {
  const all = fitScore(y, terms, { scale, rows: spreadRows(y.length, MOST_FIT_ROWS) });
  const { own, rule } = shorten(label, y, { all, scale });
  if (rule === undefined || (own.terms.length === 1 && own.terms[0]!.of.length === 1)) return undefined;
  const teller = (from: Int32Array, to: Int32Array): Float64Array => {
    const some = fitScore(y, own.terms, { scale, rows: from.length > MOST_FIT_ROWS ? thin(from) : from });
    const score = scoreOf(some);
    const train = { y: pick(y, from), x: [pick(score, from)] };
    const splits = pruneTree(train.y, train.x, growTree(train.y, train.x, Int32Array.from(from.keys())));
    const cells = layCells(y, [score], { splits, rows: from });
    return Float64Array.from(to, (i) => cells.tell(i));
  };
  return {
    kind: "steps of a sum",
    features: [...new Set(own.terms.flatMap(({ of }) => of))].sort((a, b) => a - b).map((f) => features[f]!.name),
    words: [...rule.words, `The sum is ${wordsOf(own)}.`],
    share: rule.agreement,
    ...holdOut(y, scale, teller),
    scatter: rule.scatter,
    scatterBy: rule.scatterBy,
  };
}

const thin = (rows: Int32Array): Int32Array => spreadRows(rows.length, MOST_FIT_ROWS).map((r) => rows[r]!);

interface Score {
  readonly terms: readonly ScoreTerm[];
  readonly slopes: Float64Array;
}

interface Shortened {
  readonly own: Score;
  readonly rule: StepRule | undefined;
}

/** Without the terms of small weight, if the cuts of what is left give as many rows. */
function shorten(
  label: string,
  y: Float64Array,
  { all, scale }: { readonly all: Score; readonly scale: LabelScale },
): Shortened {
  const rows = spreadRows(y.length, MOST_FIT_ROWS);
  const cut = (some: Score): Shortened => ({ own: some, rule: stepsOf(label, y, some) });
  let best = cut(all);
  for (const bound of [SMALL_WEIGHT, 3 * SMALL_WEIGHT]) {
    const sizes = best.own.terms.map(({ values }, t) => Math.abs(best.own.slopes[t]!) * spreadOf(values));
    const most = sizes.reduce((a, b) => Math.max(a, b), 0);
    const kept = best.own.terms.filter((_, t) => sizes[t]! >= bound * most);
    if (kept.length === best.own.terms.length || kept.length === 0) continue;
    const shorter = cut(fitScore(y, kept, { scale, rows }));
    if ((shorter.rule?.agreement ?? 0) >= (best.rule?.agreement ?? 0) - SHORTER) best = shorter;
  }
  return best;
}

function stepsOf(label: string, y: Float64Array, own: Score): StepRule | undefined {
  return findStepRule(label, y, [{ name: "the sum", column: numericColumn(scoreOf(own)) }]);
}

function scoreOf({ terms, slopes }: Score): Float64Array {
  const score = new Float64Array(terms[0]!.values.length);
  terms.forEach(({ values }, t) => {
    for (let i = 0; i < score.length; i++) score[i]! += slopes[t]! * values[i]!;
  });
  return score;
}

const spreadOf = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

const wordsOf = ({ terms, slopes }: Score): string =>
  terms
    .map(({ name }, t) => `${slopes[t]! < 0 ? "- " : t === 0 ? "" : "+ "}${formatNumber(Math.abs(slopes[t]!))} ${name}`)
    .join(" ");

/** P(y > g) = 1/(1 + exp(t_g - Σ b_j x_j)), Newton's steps with a small ridge; the largest weight becomes 1. */
function fitScore(
  y: Float64Array,
  terms: readonly ScoreTerm[],
  { scale, rows }: { readonly scale: LabelScale; readonly rows: Int32Array },
): Score {
  const cuts = scale.grades.length - 1;
  const columns = terms.map(({ values }) => {
    const own = pick(values, rows);
    const mean = own.reduce((sum, value) => sum + value / own.length, 0);
    const sd = spreadOf(own);
    return { values: sd > 0 ? own.map((value) => (value - mean) / sd) : new Float64Array(own.length), sd };
  });
  const grade = Int32Array.from(rows, (i) => scale.grades.indexOf(y[i]!));
  const values = columns.map((column) => column.values);
  const beta = new Float64Array(cuts + columns.length);
  const kept = new Uint8Array(rows.length).fill(1);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let step = 0; step < ITERATIONS; step++) {
      if (newtonStep(beta, values, { grade, cuts, kept }) < 1e-6) break;
    }
    if (setAside(kept, { beta, values, grade, cuts }) === 0) break;
  }
  const slopes = columns.map(({ sd }, j) => (sd > 0 ? beta[cuts + j]! / sd : 0));
  const largest = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0) || 1;
  return { terms, slopes: Float64Array.from(slopes, (slope) => slope / largest) };
}

interface Weighing {
  readonly beta: Float64Array;
  readonly values: readonly Float64Array[];
  readonly grade: Int32Array;
  readonly cuts: number;
}

/** Rows on the wrong side of a cut by far are exceptions, and would bend the weights of the others; how many there are. */
function setAside(kept: Uint8Array, { beta, values, grade, cuts }: Weighing): number {
  let aside = 0;
  for (let i = 0; i < kept.length; i++) {
    let eta = 0;
    for (let j = 0; j < values.length; j++) eta += values[j]![i]! * beta[cuts + j]!;
    let least = 1;
    for (let c = 0; c < cuts; c++) {
      const above = 1 / (1 + Math.exp(-(eta + beta[c]!)));
      least = Math.min(least, grade[i]! > c ? above : 1 - above);
    }
    kept[i] = least < UNLIKELY ? 0 : 1;
    aside += 1 - kept[i]!;
  }
  return aside;
}

/** One step for all cuts at once; how far it went. */
function newtonStep(
  beta: Float64Array,
  columns: readonly Float64Array[],
  { grade, cuts, kept }: { readonly grade: Int32Array; readonly cuts: number; readonly kept: Uint8Array },
): number {
  const p = beta.length;
  const n = grade.length;
  const H = zeros(p, p);
  const g = new Float64Array(p);
  const row = new Float64Array(columns.length);
  for (let i = 0; i < n; i++) {
    if (kept[i] === 0) continue;
    let eta = 0;
    for (let j = 0; j < columns.length; j++) {
      row[j] = columns[j]![i]!;
      eta += row[j]! * beta[cuts + j]!;
    }
    for (let c = 0; c < cuts; c++) {
      const mu = 1 / (1 + Math.exp(-(eta + beta[c]!)));
      const left = (grade[i]! > c ? 1 : 0) - mu;
      const w = mu * (1 - mu);
      g[c]! += left;
      H.data[c + c * p]! += w;
      for (let j = 0; j < columns.length; j++) {
        g[cuts + j]! += left * row[j]!;
        const wx = w * row[j]!;
        H.data[cuts + j + c * p]! += wx;
        for (let k = 0; k <= j; k++) H.data[cuts + j + (cuts + k) * p]! += wx * row[k]!;
      }
    }
  }
  for (let a = 0; a < p; a++) {
    H.data[a + a * p]! += RIDGE;
    g[a]! -= RIDGE * beta[a]!;
    for (let b = 0; b < a; b++) H.data[b + a * p] = H.data[a + b * p]!;
  }
  const L = cholesky(H);
  if (L === undefined) return 0;
  const move = cholSolve(L, g);
  // far steps come where the grades are parted: the direction counts
  const size = move.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const shrink = size > 5 ? 5 / size : 1;
  for (let a = 0; a < p; a++) beta[a]! += shrink * move[a]!;
  return shrink * size;
}
