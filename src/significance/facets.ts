/** Does a difference hold for new levels of a facet (raters, runs, prompts, clusters), seen through the few levels at hand?
 *
 *  A facet that both systems met (a rater who saw both) gives one difference a level; with scores y, the system as x, and the own levels of
 *  the item and of the facet taken out of both (ẏ, ẋ), so that a strict rater who left some ratings out is no bad system:
 *      β = Σ ẋẏ / S,  S = Σ ẋ²,  h_l = Σ_l ẋ² / S,  u_l = Σ_l ẋe / √(1 - h_l),  V = Σ u_l² / S²          (CR2 of one coefficient)
 *      df = 1 / Σ_kl q_kl²,  q_kl = δ_kl h_l / (1 - h_l) - h_k h_l / √((1 - h_k)(1 - h_l))                 (Satterthwaite)
 *  which is the t test of the levels' differences, on L - 1 df, where all levels have the same rows. A facet whose levels belong to one
 *  system each (training runs) is the two-sample t test of the levels' means: Student's with equally many levels, else Welch's.
 *
 *  Reference: Bell & McCaffrey (2002), Surv. Methodol. 28(2); Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36(4); Clark (1973),
 *             J. Verbal Learn. Verbal Behav. 12: a claim about new raters and new items must hold against both.
 *  Oracle:    t tests of level means; CR2 of fitLm (clubSandwich in R) for unequal levels.
 *  Limits:    the levels are taken out as if they were known, so that designs in which raters saw few items of one system each
 *             have slightly fewer df than stated. */
import { tQuantileUpper, tSf } from "../numeric/dist/t.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { type PivotedCholesky, pivotedCholesky } from "../numeric/linalg/pivoted-cholesky.ts";
import { meanOf, varianceOf } from "./samples.ts";

/** Fewer levels than this are looked at by themselves: the variance that a model gives them is too often 0. */
export const FEW_LEVELS = 10;

export interface FacetRows {
  readonly score: Float64Array;
  /** 0 for the first system, 1 for the second; absent where `score` holds differences already. */
  readonly system?: ArrayLike<number> | undefined;
  /** Codes from 0, of what both systems were measured on. */
  readonly item?: ArrayLike<number> | undefined;
  /** Codes from 0. */
  readonly facet: ArrayLike<number>;
}

export interface FacetSpread {
  /** Levels that occur. */
  readonly levels: number;
  /** Of each system, where a level belongs to one and both have equally many. */
  readonly each?: number;
  /** Second minus first system. */
  readonly difference: number;
  /** Of the difference, with the levels redrawn. */
  readonly se: number;
  readonly df: number;
  /** Both systems met every level, or each level belongs to one of them. */
  readonly kind: "crossed" | "nested";
}

export function spreadOverFacet({ score, system, item, facet }: FacetRows): FacetSpread {
  const x = system === undefined ? new Float64Array(score.length).fill(1) : new Float64Array(system);
  const codes = new Int32Array(facet);
  if (system !== undefined && isNested(codes, x)) return spreadOfNested(withoutItems(score, x, item), x, codes);
  if (system === undefined) return spreadOfCrossed(item === undefined ? score : centred(score, item), x, codes);
  const off = levelsOff(item, codes);
  const within = spreadOfCrossed(off(score), off(x), codes);
  if (within.levels > 1) return within;
  // one level that met both systems says nothing of others: then it counts as one of either system's, like those that met one only
  const either = codes.map((code, i) => 2 * code + x[i]!);
  return { ...spreadOfNested(withoutItems(score, x, item), x, either), levels: new Set(codes).size };
}

export interface FacetTest extends FacetSpread {
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

/** The two-sided t test of a difference over the levels of a facet, and its interval around `difference`. */
export function testOverFacet(
  rows: FacetRows,
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): FacetTest {
  const spread = spreadOverFacet(rows);
  const { difference, se, df } = spread;
  const half = tQuantileUpper((1 - confidence) / 2, df) * se;
  // levels that all differ alike leave t nothing to compare with
  const p = se > NOTHING * Math.abs(difference) ? 2 * tSf(Math.abs(difference) / se, df) : Number.NaN;
  return { ...spread, p, lower: difference - half, upper: difference + half };
}

function spreadOfCrossed(y: Float64Array, x: Float64Array, facet: Int32Array): FacetSpread {
  let [xx, xy] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    xx += x[i]! * x[i]!;
    xy += x[i]! * y[i]!;
  }
  const beta = xy / xx;
  const count = codesIn(facet);
  const [h, u] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < y.length; i++) {
    h[facet[i]!]! += (x[i]! * x[i]!) / xx;
    u[facet[i]!]! += x[i]! * (y[i]! - beta * x[i]!);
  }
  const shares: number[] = [];
  let V = 0;
  for (let level = 0; level < count; level++) {
    if (!(h[level]! > NOTHING)) continue;
    shares.push(h[level]!);
    V += (u[level]! * u[level]!) / (1 - h[level]!) / (xx * xx);
  }
  const known = shares.length > 1;
  return {
    levels: shares.length,
    difference: beta,
    se: known ? Math.sqrt(V) : Number.NaN,
    df: known ? satterthwaite(shares) : Number.NaN,
    kind: "crossed",
  };
}

/** A share of the difference that is left by rounding. */
const NOTHING = 1e-9;

function satterthwaite(h: readonly number[]): number {
  let [diagonal, cross] = [0, 0];
  for (const own of h) {
    diagonal += (own / (1 - own)) ** 2 - (2 * own ** 3) / (1 - own) ** 2;
    cross += own ** 2 / (1 - own);
  }
  // Σ_kl q² with q = δ a_l - b_k b_l: Σ a² - 2 Σ a b² + (Σ b²)²
  return 1 / (diagonal + cross ** 2);
}

function spreadOfNested(y: Float64Array, x: Float64Array, facet: Int32Array): FacetSpread {
  const means = new Map<number, { side: number; sum: number; n: number }>();
  for (let i = 0; i < y.length; i++) {
    const own = means.get(facet[i]!) ?? { side: x[i]!, sum: 0, n: 0 };
    own.sum += y[i]!;
    own.n += 1;
    means.set(facet[i]!, own);
  }
  const side = (wanted: number): Float64Array =>
    Float64Array.from([...means.values()].filter((level) => level.side === wanted).map(({ sum, n }) => sum / n));
  const [a, b] = [side(0), side(1)];
  // a system with one level is taken to vary as the other does
  const [sa, sb] = [a.length > 1 ? varianceOf(a) : varianceOf(b), b.length > 1 ? varianceOf(b) : varianceOf(a)];
  const [va, vb] = [sa / a.length, sb / b.length];
  const welch = (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1));
  return {
    levels: means.size,
    ...(a.length === b.length ? { each: a.length } : {}),
    difference: meanOf(b) - meanOf(a),
    se: Math.sqrt(va + vb),
    df: a.length === b.length ? 2 * (a.length - 1) : Math.min(a.length, b.length) > 1 ? welch : means.size - 2,
    kind: "nested",
  };
}

/** Every level has rows of one system only. */
function isNested(facet: Int32Array, x: Float64Array): boolean {
  const side = new Float64Array(codesIn(facet)).fill(Number.NaN);
  for (let i = 0; i < facet.length; i++) {
    const known = side[facet[i]!]!;
    if (!Number.isNaN(known) && known !== x[i]) return false;
    side[facet[i]!] = x[i]!;
  }
  return true;
}

/** Values without the mean of their item; without items, as they are but for their common mean. */
function centred(values: Float64Array, item: ArrayLike<number> | undefined): Float64Array {
  const mean = itemMeans(values, item);
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i]! - mean[item === undefined ? 0 : item[i]!]!;
  return out;
}

/** Takes what its item and its level of the facet have in common off each value: the residuals of both as fixed effects. */
function levelsOff(item: ArrayLike<number> | undefined, facet: Int32Array): (values: Float64Array) => Float64Array {
  const levels = codesIn(facet);
  return levels <= MOST_SOLVED ? solvedOff(item, facet, levels) : (values) => iteratedOff(values, item, facet);
}
/** Levels whose equations are solved at once; beyond, items and levels are taken off in turns. */
const MOST_SOLVED = 200;

/** The items' means are taken off the levels' indicators too, and the effects b of the levels solve D'D b = D'y. */
function solvedOff(item: ArrayLike<number> | undefined, facet: Int32Array, levels: number) {
  const factor = pivotedCholesky(levelEquations(item, facet, levels), SAME);
  return (values: Float64Array): Float64Array => {
    const own = centred(values, item);
    const sums = new Float64Array(levels);
    for (let i = 0; i < own.length; i++) sums[facet[i]!]! += own[i]!;
    const effect = solvePivoted(factor, sums);
    for (let i = 0; i < own.length; i++) own[i] = values[i]! - effect[facet[i]!]!;
    return centred(own, item);
  };
}

/** D'D = diag(n_l) - Σ_i n_il n_im / n_i. */
function levelEquations(item: ArrayLike<number> | undefined, facet: Int32Array, levels: number): Matrix {
  const rows = facet.length;
  const of = item ?? new Int32Array(rows);
  const start = new Int32Array(codesIn(of) + 1);
  for (let i = 0; i < rows; i++) start[of[i]! + 1]! += 1;
  for (let k = 1; k < start.length; k++) start[k]! += start[k - 1]!;
  const next = start.slice();
  const sorted = new Int32Array(rows);
  for (let i = 0; i < rows; i++) sorted[next[of[i]!]!++] = facet[i]!;
  const G = zeros(levels, levels);
  for (let k = 0; k + 1 < start.length; k++) {
    const share = 1 / (start[k + 1]! - start[k]!);
    for (let a = start[k]!; a < start[k + 1]!; a++) {
      const column = sorted[a]! * levels;
      G.data[column + sorted[a]!]! += 1;
      for (let b = start[k]!; b < start[k + 1]!; b++) G.data[column + sorted[b]!]! -= share;
    }
  }
  return G;
}
/** Share of the largest pivot below which a level is a combination of others. */
const SAME = 1e-10;

/** A solution of Ax = b; the levels beyond the rank are 0. */
function solvePivoted({ L, pivot, rank }: PivotedCholesky, b: Float64Array): Float64Array {
  const n = L.rows;
  const x = new Float64Array(n);
  const z = Float64Array.from({ length: rank }, (_, i) => b[pivot[i]!]!);
  for (let i = 0; i < rank; i++) {
    for (let k = 0; k < i; k++) z[i]! -= L.data[i + k * n]! * z[k]!;
    z[i]! /= L.data[i * (n + 1)]!;
  }
  for (let i = rank - 1; i >= 0; i--) {
    for (let k = i + 1; k < rank; k++) z[i]! -= L.data[k + i * n]! * z[k]!;
    z[i]! /= L.data[i * (n + 1)]!;
  }
  z.forEach((value, i) => {
    x[pivot[i]!] = value;
  });
  return x;
}

function iteratedOff(values: Float64Array, item: ArrayLike<number> | undefined, facet: Int32Array): Float64Array {
  const enough = SMALL * values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  let own = centred(values, item);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = centred(centred(own, facet), item);
    const moved = next.reduce((most, v, i) => Math.max(most, Math.abs(v - own[i]!)), 0);
    own = next;
    if (!(moved > enough)) break;
  }
  return own;
}
/** Rounding of sums, and rounds beyond which levels that hardly meet are not distinguished better. */
const SMALL = 1e-12;
const MOST_ROUNDS = 500;

/** Scores without the items' own levels, estimated with the system's effect beside them. */
function withoutItems(score: Float64Array, x: Float64Array, item: ArrayLike<number> | undefined): Float64Array {
  if (item === undefined) return score;
  const [y, z] = [centred(score, item), centred(x, item)];
  let [xx, xy] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    xx += z[i]! * z[i]!;
    xy += z[i]! * y[i]!;
  }
  const beta = xx > 0 ? xy / xx : 0;
  return y.map((v, i) => v + beta * (x[i]! - z[i]!));
}

/** By code; without items the common one. */
function itemMeans(values: Float64Array, item: ArrayLike<number> | undefined): Float64Array {
  if (item === undefined) return Float64Array.of(meanOf(values));
  const sums = new Float64Array(codesIn(item));
  const counts = new Int32Array(sums.length);
  for (let i = 0; i < values.length; i++) {
    sums[item[i]!]! += values[i]!;
    counts[item[i]!]! += 1;
  }
  for (let code = 0; code < sums.length; code++) sums[code]! /= counts[code]!;
  return sums;
}

/** One more than the largest code. */
function codesIn(codes: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < codes.length; i++) if (codes[i]! >= count) count = codes[i]! + 1;
  return count;
}
