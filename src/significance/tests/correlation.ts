/** Correlation of two columns: Pearson's r, Spearman's ρ, Kendall's τ_b (and τ_c), Somers' d.
 *    pearson    t = r√((n-2)/(1-r²)) on n-2 df; interval by Fisher's z
 *    spearman   r of mid-ranks. Exact up to 9 rows over all orders, where R has t if there are ties; without ties an Edgeworth series
 *               beyond; otherwise t, and of a perfect order the share of orders that are perfect
 *    kendall    τ_b = S/√((n₀-n₁)(n₀-n₂)). Exact without ties by counting inversions, with ties up to 9 rows over all orders;
 *               otherwise z = S/√Var(S), ties in Var
 *    somers     d(y|x) = S / pairs untied in x, a number that no order of y changes: below 50 rows p is that of S, exact without ties
 *               or up to 9 rows, otherwise Kendall's z. From 50 rows on z from the asymptotic variance of d
 *  Reference: Kendall & Gibbons (1990), Rank Correlation Methods; Best & Roberts (1975), Appl. Stat. 24 (AS 89); Somers (1962);
 *             Brown & Benedetti (1977), J. Am. Stat. Assoc. 72; Bonett & Wright (2000), Psychometrika 65 (intervals of ρ and τ).
 *  Oracle:    cor.test (R), scipy.stats, oracle/reference/classical.json — 1e-9; all orders of up to 8 values.
 *  Limits:    n >= 3; a constant column has no correlation, and a perfect r no t: NaN with the reason. Kendall's S takes O(n²).
 *             The asymptotic z of d finds one order of 8 values in eight significant, of 20 one in thirteen. */

import { lessCenter } from "../../numeric/center.ts";
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tCdf, tSf } from "../../numeric/dist/t.ts";
import { scatterOf } from "../../numeric/straight-line.ts";
import { settleTies } from "../../numeric/ties.ts";
import type { Alternative } from "../../resample/permutation.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { isConstant, meanOf, pairedSample } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult } from "../test-result.ts";
import {
  concordanceTails,
  kendallTail,
  LARGEST_ENUMERATED,
  oneOrder,
  rankTails,
  spearmanTail,
} from "./rank-correlation-law.ts";
import { hasTies, midRanks } from "./ranks.ts";

export const CORRELATIONS = ["pearson", "spearman", "kendall", "somers"] as const;
export type CorrelationKind = (typeof CORRELATIONS)[number];

export interface CorrelationOptions extends TestOptions {
  readonly kind?: CorrelationKind | undefined;
  /** Spearman, Kendall, Somers: "auto" is exact without ties and for fewer than 1290 (50, 50) rows, as R does, and with ties of Spearman's ρ and
   *  Kendall's S up to 9 rows. */
  readonly method?: "auto" | "exact" | "asymptotic" | undefined;
  /** Kendall: continuity correction of the normal approximation. */
  readonly correct?: boolean | undefined;
}

interface Found {
  readonly value: number;
  readonly statistic: number;
  readonly statisticName: string;
  readonly df?: number;
  readonly tails: { readonly lower: number; readonly upper: number };
  /** Standard error of atanh(value). */
  readonly zSe: number;
  readonly how: string;
  readonly figures?: Readonly<Record<string, number>>;
}

const TITLES = {
  pearson: "Pearson correlation",
  spearman: "Spearman rank correlation",
  kendall: "Kendall rank correlation (tau-b)",
  somers: "Somers' d",
};

export function correlationTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: CorrelationOptions = {},
): TestResult {
  const { kind = "pearson", alternative = "two-sided", confidence = 0.95, method = "auto", correct = false } = options;
  const pairs = pairedSample(x, y);
  const n = pairs.values.length;
  if (n < 3) throw new StatError("TooFew", `${n} rows are too few for a correlation.`, "give at least three.");
  const find = { pearson: pearson, spearman: spearman, kendall: kendall, somers: somers }[kind];
  const [own, other] = kind === "pearson" ? [pairs.x, pairs.y] : [settleTies(pairs.x)[0]!, settleTies(pairs.y)[0]!];
  const found = find(own, other, { method, correct });
  const flat = Number.isNaN(found.value);
  return makeTest({
    test: kind,
    method: `${TITLES[kind]}, ${found.how}`,
    hypothesis: "there is no association",
    alternative,
    confidence,
    statistic: found.statistic,
    statisticName: found.statisticName,
    df: found.df,
    p: flat ? Number.NaN : pFromTails(found.tails, alternative),
    effect: {
      name: { pearson: "r", spearman: "rho", kendall: "tau-b", somers: "d" }[kind],
      value: found.value,
      ...fisherInterval(found, alternative, confidence),
      interval: "Fisher's z",
    },
    n,
    ...(found.figures ? { figures: found.figures } : {}),
    series: scatterOf(pairs.x, pairs.y, kind === "pearson" && !flat ? confidence : undefined),
    diagnostics: [...pairs.diagnostics, ...undefinedNotes(found)],
    options: { kind, method, correct },
    data: [pairs.x, pairs.y],
  });
}

function undefinedNotes({ value, statistic }: Found): Diagnostic[] {
  if (Number.isNaN(value))
    return [warning("ConstantColumn", "a column does not vary: its correlation is undefined.", "check the columns.")];
  if (!Number.isNaN(statistic)) return [];
  const message = "the points lie on a straight line: without scatter around it t is undefined.";
  return [warning("PerfectCorrelation", message, "check that one column is not computed from the other.")];
}

function fisherInterval({ value, zSe }: Found, alternative: Alternative, confidence: number) {
  const alpha = alternative === "two-sided" ? (1 - confidence) / 2 : 1 - confidence;
  const half = normalQuantileUpper(alpha) * zSe;
  if (!(zSe < Number.POSITIVE_INFINITY) || Number.isNaN(value)) return { lower: Number.NaN, upper: Number.NaN };
  return {
    lower: alternative === "less" ? -1 : Math.tanh(Math.atanh(value) - half),
    upper: alternative === "greater" ? 1 : Math.tanh(Math.atanh(value) + half),
  };
}

const zErrorOf = (n: number, less: number, factor: number): number =>
  n > less ? Math.sqrt(factor / (n - less)) : Number.NaN;

/** Product-moment correlation; NaN where a column is constant. */
export function correlate(x: Float64Array, y: Float64Array): number {
  if (isConstant(x) || isConstant(y)) return Number.NaN;
  const [a, b] = [lessCenter(x)[0]!, lessCenter(y)[0]!];
  const [mx, my] = [meanOf(a), meanOf(b)];
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  for (let i = 0; i < x.length; i++) {
    sxx += (a[i]! - mx) ** 2;
    syy += (b[i]! - my) ** 2;
    sxy += (a[i]! - mx) * (b[i]! - my);
  }
  const r = sxy / Math.sqrt(sxx * syy);
  return 1 - Math.abs(r) <= PERFECT ? Math.sign(r) : r;
}

/** Rounding leaves so much of 1 - |r| where the points lie on a line. */
const PERFECT = 2 ** -50;

function tTails(r: number, n: number) {
  const t = Math.abs(r) === 1 ? Number.NaN : r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  return { t, tails: { lower: tCdf(t, n - 2), upper: tSf(t, n - 2) } };
}

function pearson(x: Float64Array, y: Float64Array): Found {
  const value = correlate(x, y);
  const { t, tails } = tTails(value, x.length);
  return {
    value,
    statistic: t,
    statisticName: "t",
    df: x.length - 2,
    tails,
    zSe: zErrorOf(x.length, 3, 1),
    how: "t test",
  };
}

interface RankOptions {
  readonly method: "auto" | "exact" | "asymptotic";
  readonly correct: boolean;
}

const SPEARMAN_EXACT_BELOW = 1290;
const KENDALL_EXACT_BELOW = 50;

function spearman(x: Float64Array, y: Float64Array, { method }: RankOptions): Found {
  const n = x.length;
  const [a, b] = [midRanks(x), midRanks(y)];
  const value = correlate(a.ranks, b.ranks);
  const S = ((n ** 3 - n) * (1 - value)) / 6;
  const untied = !hasTies(a) && !hasTies(b);
  const exact = isCountable(n, !untied) && (method === "exact" || (method === "auto" && n < SPEARMAN_EXACT_BELOW));
  const perfect = Math.abs(value) === 1;
  const { t, tails } = tTails(value, n);
  const zSe = zErrorOf(n, 3, 1 + value ** 2 / 2);
  if (!exact && !perfect)
    return { value, statistic: t, statisticName: "t", df: n - 2, tails, zSe, how: "t approximation", figures: { S } };
  // a small S is a large ρ
  const counted = perfect
    ? perfectTails(value, oneOrder(a.ties))
    : n <= LARGEST_ENUMERATED
      ? rankTails(a.ranks, b.ranks)
      : { upper: spearmanTail(Math.round(S), n, "lower"), lower: spearmanTail(Math.round(S), n, "upper") };
  return {
    value,
    statistic: S,
    statisticName: "S",
    tails: counted,
    zSe,
    how: perfect || n <= LARGEST_ENUMERATED ? "exact" : "Edgeworth series",
    ...(perfect ? {} : { figures: { "p of t": pFromTails(tails, "two-sided") } }),
  };
}

const perfectTails = (value: number, p: number) => (value > 0 ? { upper: p, lower: 1 } : { upper: 1, lower: p });

function kendall(x: Float64Array, y: Float64Array, { method, correct }: RankOptions): Found {
  const n = x.length;
  const { S, tx, ty } = concordance(x, y);
  const { tau: value, ties, variance } = rankConcordance(x, y);
  const exact = isCountable(n, ties) && (method === "exact" || (method === "auto" && n < KENDALL_EXACT_BELOW));
  const z = (Math.sign(S) * Math.max(0, Math.abs(S) - (correct ? 1 : 0))) / Math.sqrt(variance);
  const tails = { lower: normalCdf(z), upper: normalSf(z) };
  const zSe = zErrorOf(n, 4, 0.437);
  const levels = Math.min(tx.length, ty.length);
  const tauC = (2 * S * levels) / (n * n * (levels - 1));
  if (!exact)
    return {
      value,
      statistic: z,
      statisticName: "z",
      tails,
      zSe,
      how: "normal approximation",
      figures: { "tau-c": tauC },
    };
  return {
    value,
    // with ties S says more than the number of concordant pairs
    ...(ties ? { statistic: S, statisticName: "S" } : { statistic: concordantPairs(S, n), statisticName: "T" }),
    tails: countedTails(x, y, { S, ties }),
    zSe,
    how: "exact",
    figures: { "tau-c": tauC, z },
  };
}

const isCountable = (n: number, ties: boolean): boolean => !ties || n <= LARGEST_ENUMERATED;

/** T, without ties. */
const concordantPairs = (S: number, n: number): number => (S + (n * (n - 1)) / 2) / 2;

function countedTails(
  x: Float64Array,
  y: Float64Array,
  { S, ties }: { readonly S: number; readonly ties: boolean },
): Found["tails"] {
  if (ties) return concordanceTails(x, y, S);
  const T = concordantPairs(S, x.length);
  return { upper: kendallTail(T, x.length, "upper"), lower: kendallTail(T, x.length, "lower") };
}

/** Kendall's S and τ_b with the variance of S under independence, ties in it. */
export function rankConcordance(
  x: Float64Array,
  y: Float64Array,
): { readonly S: number; readonly tau: number; readonly ties: boolean; readonly variance: number } {
  const n = x.length;
  const { S, tx, ty } = concordance(x, y);
  const untied = (ties: readonly number[]): number => (n * (n - 1)) / 2 - tieSum(ties, (t) => (t * (t - 1)) / 2);
  return {
    S,
    tau: S / Math.sqrt(untied(tx) * untied(ty)),
    ties: [...tx, ...ty].some((t) => t > 1),
    variance: kendallVariance(n, tx, ty),
  };
}

/** S = concordant less discordant pairs, and the sizes of tied groups. */
function concordance(x: Float64Array, y: Float64Array) {
  let S = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) S += Math.sign(x[i]! - x[j]!) * Math.sign(y[i]! - y[j]!);
  }
  return { S, tx: midRanks(x).ties, ty: midRanks(y).ties };
}

const tieSum = (ties: readonly number[], f: (t: number) => number): number => ties.reduce((sum, t) => sum + f(t), 0);

function kendallVariance(n: number, tx: readonly number[], ty: readonly number[]): number {
  const cubic = (t: number): number => t * (t - 1) * (2 * t + 5);
  const pairs = (t: number): number => t * (t - 1);
  const triples = (t: number): number => t * (t - 1) * (t - 2);
  return (
    (n * (n - 1) * (2 * n + 5) - tieSum(tx, cubic) - tieSum(ty, cubic)) / 18 +
    (tieSum(tx, pairs) * tieSum(ty, pairs)) / (2 * n * (n - 1)) +
    (n > 2 ? (tieSum(tx, triples) * tieSum(ty, triples)) / (9 * n * (n - 1) * (n - 2)) : 0)
  );
}

function somers(x: Float64Array, y: Float64Array, { method }: RankOptions): Found {
  const n = x.length;
  const { S, tx } = concordance(x, y);
  const value = (2 * S) / (n * n - tieSum(tx, (t) => t * t));
  const own = { value, zSe: Number.POSITIVE_INFINITY };
  const { ties, variance } = rankConcordance(x, y);
  const small = method !== "asymptotic" && n < KENDALL_EXACT_BELOW;
  if (small && isCountable(n, ties))
    return { ...own, statistic: S, statisticName: "S", tails: countedTails(x, y, { S, ties }), how: "exact" };
  const spread = asymptoticVariance(x, y, S);
  const z = S / Math.sqrt(small || !(spread > 0) ? variance : spread);
  return {
    ...own,
    statistic: z,
    statisticName: "z",
    tails: { lower: normalCdf(z), upper: normalSf(z) },
    how: "normal approximation",
  };
}

/** Of S, from the concordant less discordant partners of each row; 0 where every row has as many. */
function asymptoticVariance(x: Float64Array, y: Float64Array, S: number): number {
  const n = x.length;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    let own = 0;
    for (let j = 0; j < n; j++) own += Math.sign(x[i]! - x[j]!) * Math.sign(y[i]! - y[j]!);
    squares += own * own;
  }
  return squares - (2 * S) ** 2 / n;
}
