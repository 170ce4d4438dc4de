/** Chance-corrected agreement from patterns:  (P_o - P_e) / (1 - P_e).
 *
 *      Fleiss' κ, Scott's π (two raters)   P_e = Σ_ck w_ck π_c π_k
 *      Gwet's AC1, AC2 (weighted)          P_e = Σ_ck w_ck · Σ_c π_c (1 - π_c) / (q (q - 1))
 *      Randolph's κ, free marginals        P_e = Σ_ck w_ck / q²           q: all labels that could have been given
 *      Krippendorff's α                    see patterns.ts
 *
 *  Items may have any number of labels; P_o is over items with two or more, π over all.
 *  Reference: Fleiss (1971), Psychol. Bull. 76; Fleiss, Nee & Landis (1979), Psychol. Bull. 86 (standard error under no agreement);
 *             Gwet (2008), Br. J. Math. Stat. Psychol. 61; Gwet (2014), ch. 2-3 (missing labels);
 *             Brennan & Prediger (1981), Educ. Psychol. Meas. 41; Randolph (2005), Joensuu Learning & Instruction Symposium.
 *  Oracle:    psych (R) and own R code, oracle/reference/agreement.json, to 1e-12.
 *  Limits:    P_e = 1 (all labels the same) leaves a coefficient undefined: NaN. */
import { normalSf } from "../../numeric/dist/normal.ts";
import { alphaOf, type Marginals, makeMarginals, marginalsInto, type Patterns, patternDistances } from "./patterns.ts";
import { isPlain, type Scale } from "./weights.ts";

export interface Chance {
  readonly observed: number;
  readonly expected: number;
  readonly value: number;
}

export interface PatternCoefficients {
  readonly percent: number;
  readonly fleiss: Chance;
  readonly weightedFleiss: Chance;
  readonly ac1: Chance;
  readonly ac2: Chance;
  readonly randolph: Chance;
  readonly alpha: Chance;
}

/** Chance agreement this near to 1 is 1, up to rounding of the shares. */
const CERTAIN = 1e-12;

function corrected(observed: number, expected: number): Chance {
  const certain = 1 - expected < CERTAIN;
  return { observed, expected, value: certain ? Number.NaN : (observed - expected) / (1 - expected) };
}

/** Evaluates all coefficients at any weights of the patterns, without allocating but for the answer. */
export function patternEvaluator(patterns: Patterns, scale: Scale): (weights: Float64Array) => PatternCoefficients {
  const { count, categories: q, size, agreeing, weighted, w } = patterns;
  const marginals = makeMarginals(q);
  const ranks = new Float64Array(q);
  const distances = scale === "ordinal" ? new Float64Array(0) : patternDistances(patterns, scale);
  const plain = isPlain(w, q);
  const sumOfWeights = plain ? q : w.reduce((sum, value) => sum + value, 0);
  return (weights) => {
    marginalsInto(marginals, patterns, weights);
    let [observed, near] = [0, 0];
    for (let p = 0; p < count; p++) {
      if (size[p]! < 2) continue;
      observed += weights[p]! * agreeing[p]!;
      near += weights[p]! * weighted[p]!;
    }
    observed /= marginals.pairable;
    near /= marginals.pairable;
    const pi = marginals.shares;
    let squares = 0;
    for (let c = 0; c < q; c++) squares += pi[c]! * pi[c]!;
    const gwet = q > 1 ? (1 - squares) / (q * (q - 1)) : Number.NaN;
    return {
      percent: observed,
      fleiss: corrected(observed, squares),
      weightedFleiss: corrected(near, plain ? squares : weightedChance(pi, w)),
      ac1: corrected(observed, q * gwet),
      ac2: corrected(near, sumOfWeights * gwet),
      randolph: corrected(near, sumOfWeights / (q * q)),
      alpha: alphaOf(patterns, scale, { marginals, w: weights, distances, ranks }),
    };
  };
}

/** One coefficient's two sides. */
export interface ChanceAgreement {
  readonly coefficient: string;
  readonly observed: number;
  readonly expected: number;
  /** Disagreements (of α) or agreements. */
  readonly of: "disagreement" | "agreement";
}

/** What stands on either side of every coefficient: (observed - expected)/(1 - expected), or 1 - observed/expected for α. */
export function chanceAgreement(
  found: PatternCoefficients,
  { conger, cohen }: { readonly conger: number; readonly cohen: number },
  { scale, two, measured }: { readonly scale: Scale; readonly two: boolean; readonly measured: boolean },
): ChanceAgreement[] {
  const side = (
    coefficient: string,
    { observed, expected }: Pick<Chance, "observed" | "expected">,
  ): ChanceAgreement => ({
    coefficient,
    observed,
    expected,
    of: "agreement",
  });
  const alpha = { ...side(`Krippendorff's α (${scale})`, found.alpha), of: "disagreement" as const };
  if (measured) return [alpha];
  const { observed } = found.weightedFleiss;
  // κ = (P_o - P_e)/(1 - P_e), solved for P_e
  const solved = (kappa: number): number => (kappa === 1 ? Number.NaN : (observed - kappa) / (1 - kappa));
  return [
    alpha,
    ...(two ? [side("Cohen's κ", { observed, expected: solved(cohen) })] : []),
    side(two ? "Scott's π" : "Fleiss' κ", found.weightedFleiss),
    ...(two || Number.isNaN(conger) ? [] : [side("Conger's κ", { observed, expected: solved(conger) })]),
    side("Gwet's AC1", found.ac1),
    side("Randolph's κ", found.randolph),
  ];
}

/** Coincidences of labels that meet by chance: n_c n_k / (n - 1), of a label with itself n_c (n_c - 1)/(n - 1). */
export function expectedCoincidences(observed: Float64Array): Float64Array {
  const q = Math.round(Math.sqrt(observed.length));
  const counts = Float64Array.from({ length: q }, (_, c) =>
    observed.subarray(c * q, (c + 1) * q).reduce((sum, v) => sum + v, 0),
  );
  const n = counts.reduce((sum, v) => sum + v, 0);
  return observed.map((_, at) => {
    const [c, k] = [Math.floor(at / q), at % q];
    return (counts[c]! * (counts[k]! - Number(c === k))) / (n - 1);
  });
}

function weightedChance(pi: Float64Array, w: Float64Array): number {
  const q = pi.length;
  let sum = 0;
  for (let c = 0; c < q; c++) for (let k = 0; k < q; k++) sum += w[c * q + k]! * pi[c]! * pi[k]!;
  return sum;
}

/** Krippendorff's α of the patterns as they are. */
export function krippendorff(patterns: Patterns, scale: Scale): Chance {
  return patternEvaluator(patterns, scale)(patterns.weight).alpha;
}

export interface FleissTest {
  /** Standard error if raters label at random; NaN where items have unequal numbers of labels. */
  readonly seNull: number;
  readonly z: number;
  readonly p: number;
}

export interface CategoryAgreement {
  readonly label: string;
  /** Share of this category among all labels. */
  readonly share: number;
  /** P(another rater gives it too | one gave it), and Fleiss' κ of this category against all others. */
  readonly specific: number;
  readonly kappa: number;
}

export function fleissTest(patterns: Patterns, { value }: Chance): FleissTest {
  const { size, weight, categories: q } = patterns;
  const m = size[0]!;
  const items = weight.reduce((sum, own) => sum + own, 0);
  const undefinedTest = { seNull: Number.NaN, z: Number.NaN, p: Number.NaN };
  if (m < 2 || size.some((own) => own !== m) || Number.isNaN(value)) return undefinedTest;
  const { shares } = marginalsOf(patterns);
  let [pq, skew] = [0, 0];
  for (let c = 0; c < q; c++) {
    const [p, other] = [shares[c]!, 1 - shares[c]!];
    pq += p * other;
    skew += p * other * (other - p);
  }
  const seNull = (Math.SQRT2 / (pq * Math.sqrt(items * m * (m - 1)))) * Math.sqrt(pq * pq - skew);
  const z = value / seNull;
  return { seNull, z, p: Math.min(1, 2 * normalSf(Math.abs(z))) };
}

const marginalsOf = (patterns: Patterns): Marginals => {
  const marginals = makeMarginals(patterns.categories);
  marginalsInto(marginals, patterns, patterns.weight);
  return marginals;
};

/** Category by category, over items with two or more labels, each weighing the same. */
export function categoryAgreement(patterns: Patterns, labels: readonly string[]): CategoryAgreement[] {
  const { count, size, weight, start, category, times } = patterns;
  const both = new Float64Array(labels.length);
  const any = new Float64Array(labels.length);
  let pairable = 0;
  for (let p = 0; p < count; p++) {
    const m = size[p]!;
    if (m < 2) continue;
    pairable += weight[p]!;
    for (let k = start[p]!; k < start[p + 1]!; k++) {
      any[category[k]!]! += (weight[p]! * times[k]!) / m;
      both[category[k]!]! += (weight[p]! * times[k]! * (times[k]! - 1)) / (m * (m - 1));
    }
  }
  const { shares } = marginalsOf(patterns);
  return labels.map((label, c) => {
    const p = any[c]! / pairable;
    const specific = any[c]! > 0 ? both[c]! / any[c]! : Number.NaN;
    return { label, share: shares[c]!, specific, kappa: p > 0 && p < 1 ? (specific - p) / (1 - p) : Number.NaN };
  });
}
