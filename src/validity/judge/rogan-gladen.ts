/** A pass rate from a judge whose sensitivity and specificity are known from labels of other outputs, with their error.
 *      p = (q + sp - 1)/(se + sp - 1),  var = [q(1-q)/n + p² se(1-se)/n_se + (1-p)² sp(1-sp)/n_sp]/(se + sp - 1)²
 *      interval of Lang and Reiczigel: q' = (x + z²/2)/(n + z²), se' = (k + 1)/(n_se + 2), sp' likewise; p', var' from these;
 *      p' + 2z²[p' se'(1-se')/n_se' - (1-p') sp'(1-sp')/n_sp'] ± z √var', cut to [0, 1]
 *      labels of passed and failed outputs: (1/q - 1) √((1-sp')/(1-se')) to 1
 *  Reference: Rogan & Gladen (1978), Am. J. Epidemiology 107; Lang & Reiczigel (2014), Preventive Veterinary Medicine 113;
 *             Lee et al. (2025), arXiv:2511.21140 (judges, allocation).
 *  Oracle:    oracle/next/judges.json; Lee et al.'s example.
 *  Limits:    assumes that sensitivity and specificity carry over to these outputs. With labels of the same outputs judge.ts needs no such
 *             assumption. Undefined where se + sp is 1 or less. */
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";

export interface KnownAccuracy {
  /** Of outputs that people pass: how many, and how many of them the judge passes. */
  readonly positives: number;
  readonly truePositives: number;
  /** Of outputs that people fail: how many, and how many of them the judge fails. */
  readonly negatives: number;
  readonly trueNegatives: number;
}

/** "180/200,140/200" as counts; other texts as they are, the name of a system. */
export function readCarry(text: string): string | KnownAccuracy {
  const read = /^(\d+)\/(\d+),(\d+)\/(\d+)$/.exec(text.replaceAll(" ", ""));
  if (read === null) return text;
  const [truePositives, positives, trueNegatives, negatives] = read.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { positives, truePositives, negatives, trueNegatives };
}

export interface JudgedCount {
  readonly n: number;
  readonly passed: number;
}

export interface RoganGladen {
  /** Cut to [0, 1]; NaN where the judge tells nothing (se + sp ≤ 1). */
  readonly value: number;
  readonly uncut: number;
  readonly lower: number;
  readonly upper: number;
  /** Of the delta method. */
  readonly se: number;
  readonly sensitivity: number;
  readonly specificity: number;
}

const UNDEFINED = { value: Number.NaN, uncut: Number.NaN, lower: Number.NaN, upper: Number.NaN, se: Number.NaN };
const share = (value: number): number => Math.min(1, Math.max(0, value));

export function roganGladen({ n, passed }: JudgedCount, accuracy: KnownAccuracy, confidence = 0.95): RoganGladen {
  const { positives, truePositives, negatives, trueNegatives } = accuracy;
  const [se, sp] = [truePositives / positives, trueNegatives / negatives];
  const about = { sensitivity: se, specificity: sp };
  if (!(se + sp > 1)) return { ...UNDEFINED, ...about };
  const plain = corrected({ q: passed / n, n, se, nSe: positives, sp, nSp: negatives });
  const z = normalQuantileUpper((1 - confidence) / 2);
  const [nSe, nSp] = [positives + 2, negatives + 2];
  const shifted = {
    q: (passed + (z * z) / 2) / (n + z * z),
    n: n + z * z,
    se: (truePositives + 1) / nSe,
    sp: (trueNegatives + 1) / nSp,
  };
  const { p, variance } = corrected({ ...shifted, nSe, nSp });
  const shift =
    2 * z * z * ((p * shifted.se * (1 - shifted.se)) / nSe - ((1 - p) * shifted.sp * (1 - shifted.sp)) / nSp);
  const half = z * Math.sqrt(variance);
  return {
    ...about,
    ...{ value: share(plain.p), uncut: plain.p, se: Math.sqrt(plain.variance) },
    ...{ lower: share(p + shift - half), upper: share(p + shift + half) },
  };
}

interface Rates {
  readonly q: number;
  readonly n: number;
  readonly se: number;
  readonly nSe: number;
  readonly sp: number;
  readonly nSp: number;
}

function corrected({ q, n, se, nSe, sp, nSp }: Rates): { readonly p: number; readonly variance: number } {
  const youden = se + sp - 1;
  const p = (q + sp - 1) / youden;
  const parts = (q * (1 - q)) / n + (p * p * se * (1 - se)) / nSe + ((1 - p) ** 2 * sp * (1 - sp)) / nSp;
  return { p, variance: parts / (youden * youden) };
}

/** b - a by one judge whose accuracy is the same on both. */
export function roganGladenDifference(
  a: JudgedCount,
  b: JudgedCount,
  { positives, truePositives, negatives, trueNegatives }: KnownAccuracy,
  confidence = 0.95,
) {
  const [se, sp] = [truePositives / positives, trueNegatives / negatives];
  const youden = se + sp - 1;
  if (!(youden > 0)) return { ...UNDEFINED, p: Number.NaN };
  const [qa, qb] = [a.passed / a.n, b.passed / b.n];
  const value = (qb - qa) / youden;
  const accuracy = (se * (1 - se)) / positives + (sp * (1 - sp)) / negatives;
  const error = Math.sqrt((qa * (1 - qa)) / a.n + (qb * (1 - qb)) / b.n + value * value * accuracy) / youden;
  const half = normalQuantileUpper((1 - confidence) / 2) * error;
  return { value, se: error, lower: value - half, upper: value + half, p: 2 * normalSf(Math.abs(value) / error) };
}

/** Of `labels`, how many to spend on outputs that people fail and on those they pass, from a pilot of both. */
export function allocateCalibration(
  labels: number,
  passed: number,
  { positives, truePositives, negatives, trueNegatives }: KnownAccuracy,
): { readonly negatives: number; readonly positives: number } {
  const rates = {
    passed,
    sensitivity: (truePositives + 1) / (positives + 2),
    specificity: (trueNegatives + 1) / (negatives + 2),
  };
  return splitCalibration(labels, rates);
}

export interface JudgeShares {
  /** Share that the judge passes. */
  readonly passed: number;
  readonly sensitivity: number;
  readonly specificity: number;
}

/** The same from rates as the user gives them. */
export function splitCalibration(
  labels: number,
  { passed, sensitivity, specificity }: JudgeShares,
): { readonly negatives: number; readonly positives: number } {
  const odds = (1 / passed - 1) * Math.sqrt((1 - specificity) / Math.max(1 - sensitivity, Number.MIN_VALUE));
  const own = Math.min(labels - 1, Math.max(1, Math.round((labels * odds) / (1 + odds))));
  return { negatives: own, positives: labels - own };
}
