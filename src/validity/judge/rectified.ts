/** The mean that people would have given, from a judge's scores of all units and people's of some: labels corrected by regression on the judge.
 *      z_i = y_i - λ_{-c(i)}(f_i - f̄),  θ = Σ w_i z_i,  f̄ the judge's mean over all units,  w_i the labels' weights (equal, or inverse to the
 *      probability of being drawn), λ_{-c} the slope of y on f without cluster c, shrunk by max(0, 1 - 1/t²)
 *      ψ_c = Σ_{i in c} w_i(z_i - θ) + λ̄ Σ_{j in c, all}(f_j - f̄)/N,   var = Σ ψ_c²/(1 - w_c),   t with Satterthwaite's degrees of freedom
 *  A unit is an item's score or the difference of two systems on it; without clusters each unit is its own.
 *  Reference: Angelopoulos et al. (2023), Science 382 and arXiv:2311.01453 (PPI++); Zrnic & Candès (2024), PNAS 121 (cross-fitting);
 *             Bell & McCaffrey (2002), Survey Methodology 28 (CR2).
 *  Oracle:    for fixed λ oracle/next/judges.json; coverage and false verdicts in test/calibration/judge.calibrate.ts.
 *  Limits:    labels are drawn at random or with known probabilities. The slope is one number: predictions.ts bends it first. */
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";

export interface RectifiedInput {
  /** People's score of each unit; NaN where there is none. */
  readonly human: Float64Array;
  readonly judge: Float64Array;
  /** Codes from 0; default: every unit for itself. */
  readonly cluster?: Int32Array | undefined;
  /** Of the labeled units; default: equal. */
  readonly weights?: Float64Array | undefined;
  /** Do not use the judge: the labels alone. */
  readonly labelsAlone?: boolean | undefined;
}

export interface RectifiedMean {
  readonly value: number;
  readonly se: number;
  readonly df: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  /** Mean slope: how far the judge's scores move the answer. */
  readonly slope: number;
  /** Labeled units, and clusters with a label. */
  readonly n: number;
  readonly clusters: number;
}

const UNDEFINED = { value: Number.NaN, se: Number.NaN, df: Number.NaN, lower: Number.NaN, upper: Number.NaN };

/** A mean so small beside its terms is a zero that sums were rounded to. */
const ROUNDING = 1e-14;

/** Sums over the labels of a cluster. */
const FIELDS = 6;

export function rectifiedMean(input: RectifiedInput, confidence = 0.95): RectifiedMean {
  const { human, judge, cluster, weights, labelsAlone = false } = input;
  const units = human.length;
  const rows = labeledRows(human);
  const n = rows.length;
  if (n < 2) return { ...UNDEFINED, p: Number.NaN, slope: Number.NaN, n, clusters: n };
  let center = 0;
  for (let j = 0; j < units; j++) center += judge[j]!;
  center /= units;
  let total = 0;
  for (const i of rows) total += weights === undefined ? 1 : weights[i]!;
  const group = cluster === undefined ? undefined : codesOf(cluster, rows);
  const groups = group?.count ?? n;
  const sums = new Float64Array(FIELDS * groups);
  const whole = new Float64Array(FIELDS);
  for (let k = 0; k < n; k++) {
    const i = rows[k]!;
    const at = FIELDS * (group === undefined ? k : group.codes[k]!);
    const w = (weights === undefined ? 1 : weights[i]!) / total;
    const [y, f] = [human[i]!, labelsAlone ? 0 : judge[i]! - center];
    const terms = [w, w * y, w * f, w * y * f, w * f * f, w * y * y];
    for (let q = 0; q < FIELDS; q++) {
      sums[at + q]! += terms[q]!;
      whole[q]! += terms[q]!;
    }
  }
  const slopes = new Float64Array(groups);
  if (!labelsAlone) for (let c = 0; c < groups; c++) slopes[c] = slopeWithout(whole, sums, c, groups);
  let [value, slope] = [0, 0];
  for (let c = 0; c < groups; c++) {
    const at = FIELDS * c;
    value += sums[at + 1]! - slopes[c]! * sums[at + 2]!;
    slope += sums[at]! * slopes[c]!;
  }
  if (Math.abs(value) < ROUNDING * Math.sqrt(whole[5]!)) value = 0;
  const psi = new Float64Array(groups);
  for (let c = 0; c < groups; c++) {
    const at = FIELDS * c;
    psi[c] = sums[at + 1]! - slopes[c]! * sums[at + 2]! - sums[at]! * value;
  }
  // what the sample of all units adds, and how it goes with the labels
  let rest = 0;
  if (slope !== 0) {
    if (cluster === undefined) {
      let squares = 0;
      for (let j = 0; j < units; j++) squares += (judge[j]! - center) ** 2;
      for (let k = 0; k < n; k++) {
        const f = judge[rows[k]!]! - center;
        psi[k]! += (slope * f) / units;
        squares -= f * f;
      }
      rest = (slope / units) ** 2 * Math.max(0, squares);
    } else {
      const all = new Float64Array(maxOf(cluster) + 1);
      for (let j = 0; j < units; j++) all[cluster[j]!]! += (slope * (judge[j]! - center)) / units;
      for (let c = 0; c < groups; c++) {
        psi[c]! += all[group!.of[c]!]!;
        all[group!.of[c]!] = 0;
      }
      for (const own of all) rest += own * own;
    }
  }
  let variance = rest;
  let [w2, q1, q2] = [0, 0, 0];
  for (let c = 0; c < groups; c++) {
    const w = sums[FIELDS * c]!;
    variance += psi[c]! ** 2 / (1 - w);
    const q = (w * w) / (1 - w);
    w2 += w * w;
    q1 += q;
    q2 += q * q;
  }
  const df = groups < 2 ? Number.NaN : 1 / (w2 + q1 * q1 - q2);
  const se = Math.sqrt(variance);
  if (groups < 2 || !(se > 0)) return { ...UNDEFINED, value, p: Number.NaN, slope, n, clusters: groups };
  const half = tQuantileUpper((1 - confidence) / 2, df) * se;
  const p = 2 * tSf(Math.abs(value) / se, df);
  return { value, se, df, lower: value - half, upper: value + half, p, slope, n, clusters: groups };
}

export function labeledRows(human: Float64Array): Int32Array {
  let n = 0;
  for (let i = 0; i < human.length; i++) if (!Number.isNaN(human[i]!)) n += 1;
  const rows = new Int32Array(n);
  n = 0;
  for (let i = 0; i < human.length; i++) if (!Number.isNaN(human[i]!)) rows[n++] = i;
  return rows;
}

function maxOf(codes: Int32Array): number {
  let most = -1;
  for (let i = 0; i < codes.length; i++) if (codes[i]! > most) most = codes[i]!;
  return most;
}

/** Clusters that have labels, numbered in their order. */
function codesOf(cluster: Int32Array, rows: Int32Array): { codes: Int32Array; of: number[]; count: number } {
  const known = new Map<number, number>();
  const of: number[] = [];
  const codes = new Int32Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const own = cluster[rows[k]!]!;
    let code = known.get(own);
    if (code === undefined) {
      code = known.size;
      known.set(own, code);
      of.push(own);
    }
    codes[k] = code;
  }
  return { codes, of, count: known.size };
}

/** The slope of y on f among the labels outside cluster c, shrunk by how sure it is. */
function slopeWithout(whole: Float64Array, sums: Float64Array, c: number, groups: number): number {
  const at = FIELDS * c;
  const w = whole[0]! - sums[at]!;
  const my = (whole[1]! - sums[at + 1]!) / w;
  const mf = (whole[2]! - sums[at + 2]!) / w;
  const yf = (whole[3]! - sums[at + 3]!) / w - my * mf;
  const ff = (whole[4]! - sums[at + 4]!) / w - mf * mf;
  const yy = (whole[5]! - sums[at + 5]!) / w - my * my;
  // no spread beyond rounding: no slope
  if (!(ff > 1e-12 * (whole[4]! + mf * mf)) || !(yy > 0)) return 0;
  const slope = yf / ff;
  const residual = Math.max(0, yy - slope * yf);
  const free = groups - 3;
  if (free < 1) return 0;
  const t2 = residual === 0 ? Number.POSITIVE_INFINITY : (free * slope * slope * ff) / residual;
  return slope * Math.max(0, 1 - SHRINK / t2);
}

/** One: the expected square of t where the judge tells nothing. */
const SHRINK = 1;
