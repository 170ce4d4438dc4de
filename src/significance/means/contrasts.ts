/** Contrasts of k means: the weights of each contrast, one row per contrast, and its name as emmeans prints it.
 *    pairwise     A - B, A - C, B - C               revpairwise  B - A, C - A, C - B
 *    treatment    B - A, C - A  against a reference level (Dunnett's family)
 *    consecutive  B - A, C - B                      effects      A - (A + B + C)/3, named "A effect"
 *    poly         linear, quadratic …: whole-number orthogonal polynomials of the ranks, up to degree 6
 *    custom       weights given by the caller
 *  Reference: Searle, Speed & Milliken (1980), Am. Stat. 34; Fisher & Yates (1963), Statistical Tables, XXIII (polynomials).
 *  Oracle:    emmeans (R), oracle/r/emmeans.json — weights and names exactly.
 *  Limits:    treatment and consecutive contrasts are adjusted by Holm, not by Dunnett's distribution, which needs the correlations
 *             of the contrasts; Holm is valid for any. poly takes the levels as equally spaced. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { didYouMean } from "../../result/suggest.ts";
import type { Adjustment } from "../multiplicity.ts";

export type ContrastMethod = "pairwise" | "revpairwise" | "treatment" | "consecutive" | "effects" | "poly";

export const CONTRAST_METHODS: readonly ContrastMethod[] = [
  "pairwise",
  "revpairwise",
  "treatment",
  "consecutive",
  "effects",
  "poly",
];

/** Name → one weight per mean. */
export type CustomContrasts = ReadonlyMap<string, readonly number[]> | Readonly<Record<string, readonly number[]>>;

export interface Contrasts {
  readonly names: readonly string[];
  /** One row per contrast, one column per mean. */
  readonly weights: Matrix;
  /** All pairs of the means: what Tukey's method is for. */
  readonly allPairs: boolean;
  readonly defaultAdjustment: Adjustment;
}

export interface ContrastOptions {
  /** For "treatment": the level that the others are compared with; default the first. */
  readonly reference?: string | undefined;
}

/** Contrasts of the means with these labels. */
export function makeContrasts(
  labels: readonly string[],
  method: ContrastMethod | CustomContrasts,
  { reference }: ContrastOptions = {},
): Contrasts {
  if (typeof method !== "string") return customContrasts(labels, method);
  const shown = labels.map(bracketed);
  const rows: (readonly [name: string, weights: readonly (readonly [mean: number, weight: number])[]])[] = [];
  const difference = (plus: number, minus: number): void => {
    rows.push([
      `${shown[plus]} - ${shown[minus]}`,
      [
        [plus, 1],
        [minus, -1],
      ],
    ]);
  };
  const k = labels.length;
  switch (method) {
    case "pairwise":
      for (let i = 0; i < k; i++) for (let j = i + 1; j < k; j++) difference(i, j);
      return collect(rows, k, "tukey");
    case "revpairwise":
      for (let j = 1; j < k; j++) for (let i = 0; i < j; i++) difference(j, i);
      return collect(rows, k, "tukey");
    case "treatment": {
      const control = referenceIndex(labels, reference);
      for (let i = 0; i < k; i++) if (i !== control) difference(i, control);
      return collect(rows, k, "holm");
    }
    case "consecutive":
      for (let i = 1; i < k; i++) difference(i, i - 1);
      return collect(rows, k, "holm");
    case "effects":
      for (let i = 0; i < k; i++) {
        rows.push([`${shown[i]} effect`, labels.map((_, j) => [j, (i === j ? 1 : 0) - 1 / k] as const)]);
      }
      return collect(rows, k, "BH");
    case "poly":
      for (let degree = 1; degree <= Math.min(k - 1, HIGHEST_DEGREE); degree++) {
        const weights = polynomialWeights(k, degree);
        rows.push([POLYNOMIALS[degree - 1] ?? `degree ${degree}`, weights.map((w, j) => [j, w] as const)]);
      }
      return collect(rows, k, "none");
  }
}

const HIGHEST_DEGREE = 6;
const POLYNOMIALS = ["linear", "quadratic", "cubic", "quartic"];

function collect(
  rows: readonly (readonly [string, readonly (readonly [number, number])[]])[],
  k: number,
  defaultAdjustment: Adjustment,
): Contrasts {
  const weights = zeros(rows.length, k);
  rows.forEach(([, entries], i) => {
    for (const [j, w] of entries) weights.data[i + j * rows.length] = w;
  });
  return { names: rows.map(([name]) => name), weights, allPairs: defaultAdjustment === "tukey", defaultAdjustment };
}

/** A label with an operator in it would read as a part of the contrast. */
const bracketed = (label: string): string => (/[-+/*]/.test(label) ? `(${label})` : label);

function referenceIndex(labels: readonly string[], reference: string | undefined): number {
  if (reference === undefined) return 0;
  const at = labels.indexOf(reference);
  if (at >= 0) return at;
  throw new StatError(
    "UnknownLevel",
    `the reference "${reference}" is none of the means (${labels.join(", ")}).`,
    didYouMean(reference, labels) || "name one of the means.",
  );
}

/** Discrete Chebyshev polynomial on 0 … k-1, reduced to the smallest whole numbers; its last weight is positive.
 *  t_d(x) = Σ_j (-1)^{d-j} C(d+j, d) C(k-1-j, d-j) C(x, j)   (Abramowitz & Stegun 22.17, in falling factorials) */
function polynomialWeights(k: number, degree: number): number[] {
  const values = Array.from({ length: k }, (_, x) => {
    let sum = 0;
    for (let j = 0; j <= degree; j++) {
      const sign = (degree - j) % 2 === 0 ? 1 : -1;
      sum += sign * choose(degree + j, degree) * choose(k - 1 - j, degree - j) * choose(x, j);
    }
    return sum;
  });
  const divisor = values.reduce(greatestDivisor, 0);
  return values.map((v) => v / divisor);
}

function choose(n: number, r: number): number {
  let c = 1;
  for (let i = 1; i <= r; i++) c = (c * (n - r + i)) / i;
  return n < r ? 0 : c;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? Math.abs(a) : greatestDivisor(b, a % b));

function customContrasts(labels: readonly string[], given: CustomContrasts): Contrasts {
  const entries: (readonly [string, readonly number[]])[] = given instanceof Map ? [...given] : Object.entries(given);
  for (const [name, weights] of entries) {
    if (weights.length === labels.length && weights.every(Number.isFinite)) continue;
    const found = weights.length === labels.length ? `a weight of ${weights.find((w) => !Number.isFinite(w))}` : "";
    throw new StatError(
      "BadContrast",
      `the contrast "${name}" has ${found || `${weights.length} weights`} for ${labels.length} means (${labels.join(", ")}).`,
      "give one number for each mean, in this order.",
    );
  }
  return collect(
    entries.map(([name, weights]) => [name, weights.map((w, j) => [j, w] as const)] as const),
    labels.length,
    "holm",
  );
}

/** A weighted sum counts as a contrast, and as free of the scale's origin, if its weights cancel to this share. */
const CANCELS = 1e-6;

/** Whether the weights of every contrast add up to 0, so that a log scale turns it into a ratio. */
export function areTrueContrasts({ weights }: Contrasts): boolean {
  for (let i = 0; i < weights.rows; i++) {
    let sum = 0;
    let largest = 0;
    for (let j = 0; j < weights.cols; j++) {
      sum += weights.data[i + j * weights.rows]!;
      largest = Math.max(largest, Math.abs(weights.data[i + j * weights.rows]!));
    }
    if (Math.abs(sum) > CANCELS * largest) return false;
  }
  return true;
}
