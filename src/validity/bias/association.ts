/** Strength of association of a feature and a label, from weighted rows.
 *    pearson  r, signed; point-biserial with one two-valued variable, φ with two
 *    eta      correlation ratio of numbers by classes: η² = SS_between / SS_total, less its bias: 1 - (1 - η²)(n - 1)/(n - k)
 *    cramer   V of two classifications, less its bias: φ²-(r-1)(c-1)/(n-1) over the smaller of r̃-1 and c̃-1
 *    nmi      normalised mutual information (mutual-information.ts)
 *  The uncorrected η, V and NMI grow as n falls, so that domains of different size could not be compared.
 *  Influence of a row on atanh(r), with standardised x and y:  (xy - r(x² + y²)/2) / (1 - r²). It needs no normality: under
 *  bivariate normality its mean square is 1, Fisher's variance 1/(n - 3), and for two-valued features it is what it must be.
 *  Reference: Agresti (2002), Categorical Data Analysis; Kelley (1935), PNAS 21 (η); Bergsma (2013), J. Korean Stat. Soc. 42 (V);
 *             Devlin, Gnanadesikan & Kettenring (1975), Biometrika 62 (influence on r).
 *  Oracle:    R, oracle/r/bias.json; closed forms.
 *  Limits:    a variable that does not vary has no association: NaN. */
import { mutualInformation } from "./mutual-information.ts";

export type BiasMeasure = "pearson" | "eta" | "cramer" | "nmi";

/** NaN and code -1 are missing. */
export type Variable =
  | { readonly kind: "numbers"; readonly values: Float64Array }
  | { readonly kind: "classes"; readonly codes: Int32Array; readonly count: number };

/** A feature and a label on the rows where both are known. */
export interface Pair {
  readonly measure: BiasMeasure;
  /** Rows of the table. */
  readonly rows: Int32Array;
  readonly x: Variable;
  readonly y: Variable;
}

export function pairVariables(x: Variable, y: Variable, rows: Int32Array, measure: BiasMeasure): Pair {
  const kept = rows.filter((row) => isKnown(x, row) && isKnown(y, row));
  return { measure, rows: kept, x: takeRows(x, kept), y: takeRows(y, kept) };
}

const isKnown = (variable: Variable, row: number): boolean =>
  variable.kind === "numbers" ? !Number.isNaN(variable.values[row]!) : variable.codes[row]! >= 0;

export function takeRows(variable: Variable, rows: Int32Array): Variable {
  if (variable.kind === "numbers")
    return { kind: "numbers", values: Float64Array.from(rows, (i) => variable.values[i]!) };
  return { ...variable, codes: Int32Array.from(rows, (i) => variable.codes[i]!) };
}

/** The measure that fits two variables. */
export function fittingMeasure(x: Variable, y: Variable): BiasMeasure {
  if (x.kind === "numbers" && y.kind === "numbers") return "pearson";
  return x.kind === "classes" && y.kind === "classes" ? "cramer" : "eta";
}

/** On the scale that is tested, where the estimate has hardly any bias and no bound: atanh r, η² and V² less their bias (which
 *  may be negative), NMI likewise. */
export function rawAssociation({ measure, x, y }: Pair, weights: Float64Array): number {
  if (measure === "pearson" && x.kind === "numbers" && y.kind === "numbers") {
    return Math.atanh(weightedMoments(x.values, y.values, weights).r);
  }
  if (x.kind === "classes" && y.kind === "classes") {
    const counts = crossCounts(x, y, weights);
    return measure === "nmi" ? mutualInformation(counts, x.count).unbounded : cramerSquared(counts, x.count);
  }
  const [numbers, classes] = x.kind === "numbers" ? [x, y] : [y, x];
  if (numbers.kind !== "numbers" || classes.kind !== "classes") return Number.NaN;
  return etaSquared(numbers.values, classes, weights);
}

/** As it is reported: r, η, V, NMI. */
export function reportedValue(measure: BiasMeasure, raw: number): number {
  if (measure === "pearson") return Math.tanh(raw);
  const inside = Math.max(0, Math.min(1, raw));
  return measure === "nmi" ? inside : Math.sqrt(inside);
}

export interface Moments {
  readonly r: number;
  readonly meanX: number;
  readonly meanY: number;
  readonly sdX: number;
  readonly sdY: number;
}

/** Spread below this share of the largest value is rounding. */
const FLAT = 1e-12;

export function weightedMoments(x: Float64Array, y: Float64Array, weights: Float64Array): Moments {
  let n = 0;
  let [sx, sy] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    n += weights[i]!;
    sx += weights[i]! * x[i]!;
    sy += weights[i]! * y[i]!;
  }
  const [meanX, meanY] = [sx / n, sy / n];
  let [xx, yy, xy, largestX, largestY] = [0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const w = weights[i]!;
    if (w === 0) continue;
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    xx += w * dx * dx;
    yy += w * dy * dy;
    xy += w * dx * dy;
    largestX = Math.max(largestX, Math.abs(x[i]!));
    largestY = Math.max(largestY, Math.abs(y[i]!));
  }
  const [sdX, sdY] = [Math.sqrt(xx / n), Math.sqrt(yy / n)];
  const flat = !(sdX > FLAT * largestX) || !(sdY > FLAT * largestY);
  const r = flat ? Number.NaN : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  return { r, meanX, meanY, sdX, sdY };
}

/** Of every row on atanh(r). */
export function influenceOnZ(x: Float64Array, y: Float64Array, { r, meanX, meanY, sdX, sdY }: Moments): Float64Array {
  return x.map((value, i) => {
    const [zx, zy] = [(value - meanX) / sdX, (y[i]! - meanY) / sdY];
    return (zx * zy - (r * (zx * zx + zy * zy)) / 2) / (1 - r * r);
  });
}

function crossCounts(
  x: Variable & { readonly kind: "classes" },
  y: Variable & { readonly kind: "classes" },
  weights: Float64Array,
): Float64Array {
  const counts = new Float64Array(x.count * y.count);
  for (let i = 0; i < weights.length; i++) counts[x.codes[i]! * y.count + y.codes[i]!]! += weights[i]!;
  return counts;
}

export function cramerSquared(counts: Float64Array, rows: number): number {
  const cols = counts.length / rows;
  const rowSums = new Float64Array(rows);
  const colSums = new Float64Array(cols);
  let n = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      rowSums[i]! += counts[i * cols + j]!;
      colSums[j]! += counts[i * cols + j]!;
      n += counts[i * cols + j]!;
    }
  }
  let phi2 = -1;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const margin = rowSums[i]! * colSums[j]!;
      if (margin > 0) phi2 += counts[i * cols + j]! ** 2 / margin;
    }
  }
  const r = rowSums.filter((sum) => sum > 0).length;
  const c = colSums.filter((sum) => sum > 0).length;
  if (r < 2 || c < 2) return Number.NaN;
  const own = phi2 - ((r - 1) * (c - 1)) / (n - 1);
  const smaller = Math.min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1;
  return smaller > 0 ? own / smaller : Number.NaN;
}

export function etaSquared(
  values: Float64Array,
  { codes, count }: { readonly codes: Int32Array; readonly count: number },
  weights: Float64Array,
): number {
  const sizes = new Float64Array(count);
  const sums = new Float64Array(count);
  let [n, total, largest] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const w = weights[i]!;
    if (w === 0) continue;
    sizes[codes[i]!]! += w;
    sums[codes[i]!]! += w * values[i]!;
    n += w;
    total += w * values[i]!;
    largest = Math.max(largest, Math.abs(values[i]!));
  }
  const mean = total / n;
  let all = 0;
  for (let i = 0; i < values.length; i++) all += weights[i]! * (values[i]! - mean) ** 2;
  let between = 0;
  for (let k = 0; k < count; k++) if (sizes[k]! > 0) between += sizes[k]! * (sums[k]! / sizes[k]! - mean) ** 2;
  const groups = sizes.filter((size) => size > 0).length;
  if (groups < 2 || n <= groups || !(Math.sqrt(all / n) > FLAT * largest)) return Number.NaN;
  return 1 - ((1 - between / all) * (n - 1)) / (n - groups);
}
