/** Cohen's κ of two raters, plain or weighted, and Conger's κ of several.
 *
 *      κ = (P_o - P_e) / (1 - P_e),   P_o = Σ w_ij p_ij,   P_e = Σ w_ij p_i. p_.j
 *      n (1 - P_e)² Var κ  = Σ p_ij (w_ij - (w̄_i. + w̄_.j)(1 - κ))² - (κ - P_e (1 - κ))²
 *      n (1 - P_e)² Var₀ κ = Σ p_i. p_.j (w_ij - (w̄_i. + w̄_.j))² - P_e²                        (under κ = 0)
 *      Conger: P_e is the mean of Σ w_ck p_rc p_sk over pairs of raters r ≠ s, p_r the shares of rater r's own labels.
 *
 *  Reference: Cohen (1968), Psychol. Bull. 70; Fleiss, Cohen & Everitt (1969), Psychol. Bull. 72; Conger (1980), Psychol. Bull. 88.
 *  Oracle:    vcd::Kappa, psych::cohen.kappa (R), oracle/reference/agreement.json, to 1e-12.
 *  Limits:    Cohen's κ is over items that both labelled. */
import { normalSf } from "../../numeric/dist/normal.ts";
import type { Ratings } from "./ratings.ts";
import { isPlain } from "./weights.ts";

export interface KappaEstimate {
  readonly value: number;
  readonly observed: number;
  readonly expected: number;
  readonly se: number;
  /** Under no agreement beyond chance; z and p test against it. */
  readonly seNull: number;
  readonly z: number;
  readonly p: number;
  readonly items: number;
}

/** Counts of (label of rater a, label of rater b), row by row. */
export function confusion({ items, start, rater, code, categories }: Ratings, a: number, b: number): Float64Array {
  const q = categories.length;
  const out = new Float64Array(q * q);
  for (let u = 0; u < items; u++) {
    let [x, y] = [-1, -1];
    for (let k = start[u]!; k < start[u + 1]!; k++) {
      if (rater[k] === a) x = code[k]!;
      else if (rater[k] === b) y = code[k]!;
    }
    if (x >= 0 && y >= 0) out[x * q + y]! += 1;
  }
  return out;
}

/** `counts` and `w` are q × q, row by row. */
export function cohenKappa(counts: Float64Array, w: Float64Array): KappaEstimate {
  const q = Math.round(Math.sqrt(counts.length));
  const n = counts.reduce((sum, value) => sum + value, 0);
  const [row, col] = [new Float64Array(q), new Float64Array(q)];
  for (let i = 0; i < q; i++) {
    for (let j = 0; j < q; j++) {
      row[i]! += counts[i * q + j]! / n;
      col[j]! += counts[i * q + j]! / n;
    }
  }
  const [rowMean, colMean] = [new Float64Array(q), new Float64Array(q)];
  let [observed, expected] = [0, 0];
  for (let i = 0; i < q; i++) {
    for (let j = 0; j < q; j++) {
      const own = w[i * q + j]!;
      observed += (own * counts[i * q + j]!) / n;
      expected += own * row[i]! * col[j]!;
      rowMean[i]! += own * col[j]!;
      colMean[j]! += own * row[i]!;
    }
  }
  const value = 1 - expected < CERTAIN ? Number.NaN : (observed - expected) / (1 - expected);
  let [squares, nullSquares] = [0, 0];
  for (let i = 0; i < q; i++) {
    for (let j = 0; j < q; j++) {
      const mean = rowMean[i]! + colMean[j]!;
      squares += (counts[i * q + j]! / n) * (w[i * q + j]! - mean * (1 - value)) ** 2;
      nullSquares += row[i]! * col[j]! * (w[i * q + j]! - mean) ** 2;
    }
  }
  const root = (x: number): number => Math.sqrt(Math.max(0, x) / n) / (1 - expected);
  const se = root(squares - (value - expected * (1 - value)) ** 2);
  const seNull = Number.isNaN(value) ? Number.NaN : root(nullSquares - expected * expected);
  const z = value / seNull;
  return { value, observed, expected, se, seNull, z, p: Math.min(1, 2 * normalSf(Math.abs(z))), items: n };
}

/** Chance agreement this near to 1 is 1, up to rounding. */
const CERTAIN = 1e-12;

/** Standard error of Conger's κ by linearisation: the change of κ per item that is left out, to first order.
 *  `agreement` is the weighted share of agreeing pairs of each item, NaN for items with one label. */
export function congerError(ratings: Ratings, w: Float64Array, agreement: Float64Array): number {
  const { items, start, rater, code, raters, categories } = ratings;
  const [R, q] = [raters.length, categories.length];
  const totals = new Float64Array(R);
  const shares = new Float64Array(R * q);
  for (let k = 0; k < code.length; k++) {
    totals[rater[k]!]! += 1;
    shares[rater[k]! * q + code[k]!]! += 1;
  }
  const sum = new Float64Array(q);
  for (let r = 0; r < R; r++) for (let c = 0; c < q; c++) sum[c]! += shares[r * q + c]! /= totals[r]!;
  let [observed, pairable] = [0, 0];
  for (const own of agreement) {
    if (Number.isNaN(own)) continue;
    observed += own;
    pairable++;
  }
  observed /= pairable;
  let chance = 0;
  const slope = new Float64Array(R * q); // ∂P_e / ∂p_rc
  const centre = new Float64Array(R);
  for (let r = 0; r < R; r++) {
    for (let c = 0; c < q; c++) {
      for (let k = 0; k < q; k++) slope[r * q + c]! += (w[c * q + k]! * (sum[k]! - shares[r * q + k]!)) / (R * (R - 1));
      centre[r]! += slope[r * q + c]! * shares[r * q + c]!;
    }
    chance += centre[r]!;
  }
  let squares = 0;
  for (let u = 0; u < items; u++) {
    const own = agreement[u]!;
    let d = Number.isNaN(own) ? 0 : ((own - observed) * (1 - chance)) / pairable;
    for (let k = start[u]!; k < start[u + 1]!; k++) {
      const r = rater[k]!;
      d -= ((1 - observed) * 2 * (slope[r * q + code[k]!]! - centre[r]!)) / totals[r]!;
    }
    squares += d * d;
  }
  return Math.sqrt(squares) / (1 - chance) ** 2;
}

/** Chance agreement of Conger's κ at any weights of the items; `w` row by row. Allocates once. */
export function congerChance(ratings: Ratings, w: Float64Array): (itemWeights: ArrayLike<number>) => number {
  const { items, start, rater, code, raters, categories } = ratings;
  const [R, q] = [raters.length, categories.length];
  const shares = new Float64Array(R * q);
  const mean = new Float64Array(q);
  const form = isPlain(w, q) ? sumOfSquares : (x: Float64Array): number => quadratic(x, w);
  return (weights) => {
    shares.fill(0);
    for (let u = 0; u < items; u++) {
      const own = weights[u]!;
      if (own === 0) continue;
      for (let k = start[u]!; k < start[u + 1]!; k++) shares[rater[k]! * q + code[k]!]! += own;
    }
    mean.fill(0);
    let [heard, alone] = [0, 0];
    for (let r = 0; r < R; r++) {
      let total = 0;
      for (let c = 0; c < q; c++) total += shares[r * q + c]!;
      if (total === 0) continue; // a resample may leave a rater without items
      heard++;
      for (let c = 0; c < q; c++) {
        shares[r * q + c]! /= total;
        mean[c]! += shares[r * q + c]!;
      }
      alone += form(shares.subarray(r * q, (r + 1) * q));
    }
    return heard > 1 ? (form(mean) - alone) / (heard * (heard - 1)) : Number.NaN;
  };
}

function sumOfSquares(x: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < x.length; c++) sum += x[c]! * x[c]!;
  return sum;
}

function quadratic(x: Float64Array, w: Float64Array): number {
  const q = x.length;
  let sum = 0;
  for (let c = 0; c < q; c++) {
    if (x[c] === 0) continue;
    let inner = 0;
    for (let k = 0; k < q; k++) inner += w[c * q + k]! * x[k]!;
    sum += x[c]! * inner;
  }
  return sum;
}
