/** Internal consistency: do k measurements of the same objects (items of a scale, raters, prompts) measure one thing?   v_i, c_ij: variances
 *  and covariances of the measurements, V = Σ c_ij that of their sum, r_ij correlations, R_i² of measurement i on the others
 *      Cronbach's α   k/(k-1) (1 - Σ v_i / V)              standardised: k r̄ / (1 + (k-1) r̄)
 *      Guttman's λ2   1 - Σ v_i / V + √( k/(k-1) Σ_{i≠j} c_ij² ) / V
 *      Guttman's λ6   1 - Σ v_i (1 - R_i²) / V
 *      split half     4 cov(A, B) / V (Guttman, Flanagan);  2r/(1 + r) (Spearman-Brown), r the correlation of the halves' sums
 *      Spearman-Brown ρ_m = mρ / (1 + (m-1)ρ), of m times as many measurements;  m = ρ*(1-ρ) / (ρ(1-ρ*)) reaches ρ*
 *  α is the relative coefficient of the mean of the k measurements in a crossed design, ICC(3,k), and for even k the mean of the split-half
 *  coefficients over all splits. Interval of α: 1 - (1-α) F quantiles on (n-1, (n-1)(k-1)) df (Feldt).
 *  Reference: Cronbach (1951), Psychometrika 16; Guttman (1945), Psychometrika 10; Feldt (1965), Psychometrika 30; Spearman (1910) and Brown
 *             (1910), Br. J. Psychol. 3; Revelle & Condon (2019), Psychol. Assess. 31.
 *  Oracle:    psych (R), oracle/reference/reliability.json, to 1e-10; with an odd number all splits, where psych looks at half of them.
 *  Limits:    α is a lower bound of reliability only where errors are uncorrelated, and says nothing on one dimension against several. */
import { checkSize } from "../data/size.ts";
import { lessCenter } from "../numeric/center.ts";
import { fQuantileUpper } from "../numeric/dist/f.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { pseudoInverse, svd, svdRank } from "../numeric/linalg/svd.ts";
import { warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";

export interface ConsistencyItem {
  readonly name: string;
  /** α of the others. */
  readonly alphaIfDropped: number;
  /** Correlation with the sum of the others. */
  readonly itemRest: number;
  readonly squaredMultipleCorrelation: number;
}

/** A coefficient over all ways to cut the measurements in two. */
export interface SplitSummary {
  readonly max: number;
  readonly min: number;
  readonly mean: number;
  readonly median: number;
  /** Numbers from 0, of the half with the first measurement, or of the smaller half. */
  readonly best: readonly number[];
  readonly worst: readonly number[];
}

export interface SplitHalf {
  readonly correlation: number;
  readonly spearmanBrown: number;
  readonly guttman: number;
}

export interface Consistency {
  /** Objects and measurements of each. */
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
  readonly alphaLower: number;
  readonly alphaUpper: number;
  readonly alphaStandardised: number;
  readonly lambda2: number;
  readonly lambda6: number;
  readonly lambda6Standardised: number;
  readonly items: readonly ConsistencyItem[];
  readonly oddEven: SplitHalf;
  readonly firstSecond: SplitHalf;
  /** Absent where there are too many splits to try all. */
  readonly splits?: {
    readonly count: number;
    readonly guttman: SplitSummary;
    /** Of standardised measurements. */
    readonly guttmanStandardised: SplitSummary;
    readonly spearmanBrown: SplitSummary;
  };
  readonly diagnostics: readonly Diagnostic[];
}

/** 92,378 splits. */
const MOST_SPLIT = 20;

/** Measurements side by side, each with a value for every object. */
export function measureConsistency(
  columns: readonly ArrayLike<number>[],
  { names, confidence = 0.95 }: { readonly names?: readonly string[]; readonly confidence?: number } = {},
): Consistency {
  checkColumns(columns);
  const [k, n] = [columns.length, columns[0]!.length];
  const C = covariances(columns);
  const R = correlationsOf(C);
  const smc = multipleCorrelations(R);
  const V = total(C);
  const alpha = alphaOf(C);
  const [df1, df2] = [n - 1, (n - 1) * (k - 1)];
  const tail = (1 - confidence) / 2;
  const unexplained = (M: Matrix): number => smc.reduce((sum, own, i) => sum + M.data[i * (k + 1)]! * (1 - own), 0);
  const all = Array.from({ length: k }, (_, i) => i);
  return {
    n,
    k,
    alpha,
    alphaLower: 1 - (1 - alpha) * fQuantileUpper(tail, df1, df2),
    alphaUpper: 1 - (1 - alpha) * fQuantileUpper(1 - tail, df1, df2),
    alphaStandardised: alphaOf(R),
    lambda2: lambda2Of(C),
    lambda6: 1 - unexplained(C) / V,
    lambda6Standardised: 1 - unexplained(R) / total(R),
    items: all.map((i) => ({
      name: names?.[i] ?? String(i + 1),
      alphaIfDropped: alphaOf(without(C, i)),
      itemRest: itemRest(C, i),
      squaredMultipleCorrelation: smc[i]!,
    })),
    oddEven: splitHalf(
      C,
      all.filter((i) => i % 2 === 0),
    ),
    firstSecond: splitHalf(C, all.slice(0, Math.floor(k / 2))),
    ...(k <= MOST_SPLIT ? { splits: allSplits(C, R) } : {}),
    diagnostics: consistencyDiagnostics(C, smc, names),
  };
}

function checkColumns(columns: readonly ArrayLike<number>[]): void {
  const [k, n] = [columns.length, columns[0]?.length ?? 0];
  if (k < 2)
    throw new StatError("TooFew", `${k} measurement${k === 1 ? "" : "s"} of each object.`, "give at least two.");
  if (n < 3) throw new StatError("TooFew", `${n} objects.`, "give at least three.");
  columns.forEach((own, j) => {
    if (own.length !== n)
      throw new StatError(
        "UnpairedLengths",
        `measurement ${j + 1} has ${own.length} values, the first ${n}.`,
        "give one for every object.",
      );
    const wrong = Array.from(own).findIndex((v) => !Number.isFinite(v));
    if (wrong >= 0)
      throw new StatError(
        "NotFinite",
        `measurement ${j + 1} of object ${wrong + 1} is ${own[wrong]}.`,
        "leave out objects that lack one.",
      );
    checkSize(own, `measurement ${j + 1}`);
  });
}

function covariances(columns: readonly ArrayLike<number>[]): Matrix {
  const [k, n] = [columns.length, columns[0]!.length];
  const centred = columns.map((own) => {
    const values = lessCenter(Float64Array.from(own))[0]!;
    const mean = values.reduce((sum, v) => sum + v, 0) / n;
    return values.map((v) => v - mean);
  });
  const C = zeros(k, k);
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) {
      let sum = 0;
      for (let s = 0; s < n; s++) sum += centred[i]![s]! * centred[j]![s]!;
      C.data[i + j * k] = sum / (n - 1);
    }
  return C;
}

function correlationsOf(C: Matrix): Matrix {
  const k = C.rows;
  const sd = Float64Array.from({ length: k }, (_, i) => Math.sqrt(C.data[i * (k + 1)]!));
  return { ...C, data: C.data.map((c, at) => (at % (k + 1) === 0 ? 1 : c / (sd[at % k]! * sd[Math.floor(at / k)]!))) };
}

const total = ({ data }: Matrix): number => data.reduce((sum, c) => sum + c, 0);
const trace = ({ data, rows }: Matrix): number => {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)]!;
  return sum;
};

function alphaOf(C: Matrix): number {
  const k = C.rows;
  return k < 2 ? Number.NaN : (k / (k - 1)) * (1 - trace(C) / total(C));
}

function lambda2Of(C: Matrix): number {
  const k = C.rows;
  let squares = 0;
  C.data.forEach((c, at) => {
    if (at % (k + 1) !== 0) squares += c * c;
  });
  return 1 - trace(C) / total(C) + Math.sqrt((k / (k - 1)) * squares) / total(C);
}

/** R_i² = 1 - 1/(R⁻¹)_ii; NaN where the measurements determine one another. */
function multipleCorrelations(R: Matrix): number[] {
  const k = R.rows;
  if (R.data.some((r) => !Number.isFinite(r))) return new Array<number>(k).fill(Number.NaN);
  const S = svd(R);
  if (svdRank(S) < k) return new Array<number>(k).fill(Number.NaN);
  const inverse = pseudoInverse(S);
  return Array.from({ length: k }, (_, i) => 1 - 1 / inverse.data[i * (k + 1)]!);
}

function without(C: Matrix, left: number): Matrix {
  const k = C.rows;
  const kept = Array.from({ length: k }, (_, i) => i).filter((i) => i !== left);
  return {
    rows: k - 1,
    cols: k - 1,
    data: Float64Array.from(kept.flatMap((j) => kept.map((i) => C.data[i + j * k]!))),
  };
}

function itemRest(C: Matrix, i: number): number {
  const k = C.rows;
  let withAll = 0;
  for (let j = 0; j < k; j++) withAll += C.data[i + j * k]!;
  const own = C.data[i * (k + 1)]!;
  return (withAll - own) / Math.sqrt(own * (total(C) - 2 * withAll + own));
}

/** Variances of both halves' sums, and their covariance. */
function halves(C: Matrix, half: readonly number[]): { a: number; b: number; ab: number } {
  const k = C.rows;
  const inA = new Uint8Array(k);
  for (const i of half) inA[i] = 1;
  let [a, b, ab] = [0, 0, 0];
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) {
      const c = C.data[i + j * k]!;
      if (inA[i] && inA[j]) a += c;
      else if (!inA[i] && !inA[j]) b += c;
      else if (inA[i]) ab += c;
    }
  return { a, b, ab };
}

function splitHalf(C: Matrix, half: readonly number[]): SplitHalf {
  const { a, b, ab } = halves(C, half);
  const correlation = ab / Math.sqrt(a * b);
  return { correlation, spearmanBrown: spearmanBrown(correlation, 2), guttman: (4 * ab) / (a + b + 2 * ab) };
}

/** All sets of `size` of 0 … k-1, in order. */
function* choices(k: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  for (let i = from; size > 0 && i <= k - size; i++) for (const rest of choices(k, size - 1, i + 1)) yield [i, ...rest];
}

function allSplits(C: Matrix, R: Matrix): NonNullable<Consistency["splits"]> {
  const k = C.rows;
  const size = Math.floor(k / 2);
  const cuts: number[][] = [];
  for (const half of choices(k, size)) {
    // of an even number each cut is met twice: once with the first measurement
    if (k % 2 === 1 || half[0] === 0) cuts.push(half);
  }
  const summary = (M: Matrix, pick: keyof SplitHalf): SplitSummary =>
    summarise(
      cuts,
      cuts.map((half) => splitHalf(M, half)[pick]),
    );
  return {
    count: cuts.length,
    guttman: summary(C, "guttman"),
    guttmanStandardised: summary(R, "guttman"),
    spearmanBrown: summary(C, "spearmanBrown"),
  };
}

/** Coefficients that agree to this are one: sums in another order. */
const SAME = 1e-12;

function summarise(cuts: readonly number[][], values: readonly number[]): SplitSummary {
  const sorted = Float64Array.from(values).sort();
  const [min, max] = [sorted[0]!, sorted[sorted.length - 1]!];
  const middle = (sorted.length - 1) / 2;
  const first = (value: number): readonly number[] => cuts[values.findIndex((v) => Math.abs(v - value) <= SAME)] ?? [];
  return {
    max,
    min,
    mean: sorted.reduce((sum, v) => sum + v, 0) / sorted.length,
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    best: first(max),
    worst: first(min),
  };
}

function consistencyDiagnostics(C: Matrix, smc: readonly number[], names: readonly string[] = []): Diagnostic[] {
  const k = C.rows;
  const flat = Array.from({ length: k }, (_, i) => i).filter((i) => !(C.data[i * (k + 1)]! > 0));
  if (flat.length > 0) {
    const which = flat.map((i) => names[i] ?? String(i + 1)).join(", ");
    return [
      warning(
        "NoVariation",
        `${which} do${flat.length === 1 ? "es" : ""} not vary: correlations, and what rests on them, are undefined.`,
        "leave it out.",
      ),
    ];
  }
  const out: Diagnostic[] = [];
  if (smc.some(Number.isNaN))
    out.push(
      warning("Collinear", "a measurement is determined by the others: λ6 is undefined.", "leave one of them out."),
    );
  const against = Array.from({ length: k }, (_, i) => i).filter((i) => itemRest(C, i) < 0);
  if (against.length > 0) {
    const which = against.map((i) => names[i] ?? String(i + 1)).join(", ");
    out.push(
      warning(
        "ReversedItem",
        `${which} run${against.length === 1 ? "s" : ""} against the sum of the others, which lowers every coefficient.`,
        "reverse these scales, or leave them out.",
      ),
    );
  }
  return out;
}

/** Reliability of `factor` times as many measurements of the same kind. */
export function spearmanBrown(reliability: number, factor: number): number {
  if (!(factor > 0)) throw new StatError("BadOption", `a factor of ${factor}.`, "give a number above 0, such as 2.");
  return (factor * reliability) / (1 + (factor - 1) * reliability);
}

/** How many times as many measurements reach a reliability of `target`. */
export function spearmanBrownFactor(reliability: number, target: number): number {
  for (const [name, value] of [
    ["reliability", reliability],
    ["target", target],
  ] as const) {
    if (!(value > 0 && value < 1))
      throw new StatError("BadOption", `a ${name} of ${value} is not between 0 and 1.`, "give for example 0.8.");
  }
  return (target * (1 - reliability)) / (reliability * (1 - target));
}
