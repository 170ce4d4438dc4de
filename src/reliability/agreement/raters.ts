/** Who agrees with whom: one line per rater and per pair of raters, and which labels are taken for each other.
 *
 *  A rater is singled out when the others agree among themselves more than with this one, over items with three or more
 *  labels: the difference per item (of measurements that of mean distances), its mean against its standard error, one-sided, Bonferroni over raters.
 *  Limits: the standard error takes items as independent. */
import { lessCenter } from "../../numeric/center.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { krippendorff } from "./coefficients.ts";
import { cohenKappa } from "./cohen.ts";
import { makePatterns, type Patterns } from "./patterns.ts";
import type { Ratings } from "./ratings.ts";
import type { Scale } from "./weights.ts";

export interface RaterAgreement {
  readonly rater: string;
  readonly labels: number;
  /** Mean share of the other raters of an item who agree with this one. */
  readonly agreement: number;
  /** The same among the others, where three or more labelled an item; and the p of the difference, adjusted. */
  readonly others: number;
  readonly p: number;
  /** Mean Cohen's κ with each other rater. */
  readonly kappa: number;
  /** α of the other raters alone. */
  readonly alphaWithout: number;
  /** Numeric labels: mean difference from the mean of the others. */
  readonly bias: number;
  /** Measurements: mean distance from the other raters of an item, and theirs from each other, where three or more gave one. */
  readonly distance?: { readonly own: number; readonly others: number };
  /** The others agree better among themselves, beyond doubt and by more than a little. */
  readonly disagrees: boolean;
}

export interface RaterPair {
  readonly a: string;
  readonly b: string;
  readonly items: number;
  readonly agreement: number;
  readonly kappa: number;
}

/** Beyond this many raters the pairs are not listed. */
const MOST_PAIRED = 40;
/** … and so it is where their tables would hold more numbers than this. */
const MOST_CELLS = 1e7;
/** Up to this many ratings times raters α is computed again without each rater. */
const LEAVE_OUT_LIMIT = 5e6;
/** Chance of singling out anyone where all are alike, and the least difference worth a word. */
const SINGLE_OUT = 0.01;
const LEAST_DIFFERENCE = 0.05;
/** The same of measurements, as a part of the others' own distance. */
const LEAST_DISTANCE = 0.25;

export function pairAgreement(ratings: Ratings, w: Float64Array): RaterPair[] {
  const { raters, categories } = ratings;
  const [R, q] = [raters.length, categories.length];
  if (R > MOST_PAIRED || R * R * q * q > MOST_CELLS || w.length === 0) return [];
  const cells = allConfusions(ratings);
  return raters.flatMap((a, i) =>
    raters.slice(i + 1).flatMap((b, j) => {
      const at = (i * R + i + 1 + j) * q * q;
      const counts = cells.subarray(at, at + q * q);
      const { items, value } = cohenKappa(counts, w);
      if (items === 0) return [];
      let same = 0;
      for (let c = 0; c < q; c++) same += counts[c * (q + 1)]!;
      return [{ a, b, items, agreement: same / items, kappa: value }];
    }),
  );
}

/** The tables of all pairs a < b, in one pass over the items. */
function allConfusions({ items, start, rater, code, raters, categories }: Ratings): Float64Array {
  const [R, q] = [raters.length, categories.length];
  const out = new Float64Array(R * R * q * q);
  for (let u = 0; u < items; u++) {
    for (let i = start[u]!; i < start[u + 1]!; i++) {
      for (let j = start[u]!; j < start[u + 1]!; j++) {
        if (rater[i]! < rater[j]!) out[((rater[i]! * R + rater[j]!) * q + code[i]!) * q + code[j]!]! += 1;
      }
    }
  }
  return out;
}

export function raterAgreement(
  ratings: Ratings,
  patterns: Patterns,
  {
    scale,
    pairs,
    measured,
  }: { readonly scale: Scale; readonly pairs: readonly RaterPair[]; readonly measured: boolean },
): RaterAgreement[] {
  const { raters, rater } = ratings;
  const R = raters.length;
  const own = sumByRater(ratings, patterns, measured);
  const leaveOut = R > 2 && rater.length * R <= LEAVE_OUT_LIMIT;
  return raters.map((name, r) => {
    const kappas = pairs.filter(({ a, b, kappa }) => (a === name || b === name) && !Number.isNaN(kappa));
    const n = own.tested[r]!;
    const difference = own.difference[r]! / n;
    const variance = own.squares[r]! / n - difference * difference;
    const z = difference / Math.sqrt(variance / (n - 1));
    const varies = variance > NO_SPREAD * difference * difference;
    // items that all speak against a rater alike: as many signs are the same with probability 2^-n
    const tail = varies ? normalSf(z) : difference > 0 ? 0.5 ** n : 1;
    const p = n > 1 ? Math.min(1, R * tail) : Number.NaN;
    const far = own.far[r]! / n;
    const least = measured ? LEAST_DISTANCE * (far - difference) : LEAST_DIFFERENCE;
    return {
      rater: name,
      labels: own.labels[r]!,
      agreement: own.agreement[r]! / own.shared[r]!,
      others: own.others[r]! / n,
      p,
      kappa: kappas.reduce((sum, { kappa }) => sum + kappa, 0) / kappas.length,
      alphaWithout: leaveOut ? alphaWithout(ratings, r, scale) : Number.NaN,
      bias: own.bias[r]! / own.shared[r]!,
      ...(measured ? { distance: { own: far, others: far - difference } } : {}),
      disagrees: p < SINGLE_OUT && difference >= least,
    };
  });
}

/** Share of the squared mean below which a variance is rounding. */
const NO_SPREAD = 1e-12;

/** The difference that is tested is one of agreements, of measurements one of distances. */
function sumByRater(ratings: Ratings, { size, start, category, times, ofItem, agreeing }: Patterns, measured: boolean) {
  const { items, rater, code, raters } = ratings;
  const values = lessCenter(ratings.values)[0]!;
  const zero = (): Float64Array => new Float64Array(raters.length);
  const out = {
    labels: zero(),
    shared: zero(),
    agreement: zero(),
    bias: zero(),
    tested: zero(),
    others: zero(),
    difference: zero(),
    squares: zero(),
    far: zero(),
  };
  const count = new Float64Array(values.length);
  for (let u = 0; u < items; u++) {
    const p = ofItem[u]!;
    const m = size[p]!;
    let sum = 0;
    for (let k = start[p]!; k < start[p + 1]!; k++) {
      count[category[k]!] = times[k]!;
      sum += times[k]! * values[category[k]!]!;
    }
    const pairs = agreeing[p]! * m * (m - 1);
    const apart = measured && m > 2 ? distances(ratings, u, values) : NO_DISTANCES;
    for (let k = ratings.start[u]!; k < ratings.start[u + 1]!; k++) {
      const [r, c] = [rater[k]!, code[k]!];
      out.labels[r]! += 1;
      if (m < 2) continue;
      const agreement = (count[c]! - 1) / (m - 1);
      out.shared[r]! += 1;
      out.agreement[r]! += agreement;
      out.bias[r]! += values[c]! - (sum - values[c]!) / (m - 1);
      if (m < 3) continue;
      const rest = (pairs - 2 * (count[c]! - 1)) / ((m - 1) * (m - 2));
      out.tested[r]! += 1;
      out.others[r]! += rest;
      const k0 = k - ratings.start[u]!;
      const far = measured ? apart.own[k0]! / (m - 1) : 0;
      const among = measured ? (apart.all - 2 * apart.own[k0]!) / ((m - 1) * (m - 2)) : 0;
      const difference = measured ? far - among : rest - agreement;
      out.far[r]! += far;
      out.difference[r]! += difference;
      out.squares[r]! += difference ** 2;
    }
  }
  return out;
}

const NO_DISTANCES = { own: new Float64Array(0), all: 0 };

/** Of each label of an item its distances from the others, summed; and the sum of these. */
function distances({ start, code }: Ratings, u: number, values: Float64Array): { own: Float64Array; all: number } {
  const [from, to] = [start[u]!, start[u + 1]!];
  const own = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    for (let j = from; j < to; j++) own[i - from]! += Math.abs(values[code[i]!]! - values[code[j]!]!);
  }
  return { own, all: own.reduce((sum, d) => sum + d, 0) };
}

function alphaWithout(ratings: Ratings, r: number, scale: Scale): number {
  const { items, start, rater, code } = ratings;
  const kept: number[] = [];
  const starts = [0];
  for (let u = 0; u < items; u++) {
    for (let k = start[u]!; k < start[u + 1]!; k++) if (rater[k] !== r) kept.push(code[k]!);
    if (kept.length > starts[starts.length - 1]!) starts.push(kept.length);
  }
  const rest: Ratings = {
    ...ratings,
    items: starts.length - 1,
    start: Int32Array.from(starts),
    code: Int32Array.from(kept),
  };
  return krippendorff(makePatterns(rest, "none"), scale).value;
}

/** Krippendorff's coincidences o_ck = Σ_items n_c (n_k - [c = k]) / (m - 1), row by row. */
export function coincidences({ count, categories: q, size, weight, start, category, times }: Patterns): Float64Array {
  const out = new Float64Array(q * q);
  for (let p = 0; p < count; p++) {
    if (size[p]! < 2) continue;
    const own = weight[p]! / (size[p]! - 1);
    for (let i = start[p]!; i < start[p + 1]!; i++) {
      for (let j = start[p]!; j < start[p + 1]!; j++) {
        const [a, b] = [category[i]!, category[j]!];
        out[a * q + b]! += own * times[i]! * (times[j]! - Number(a === b));
      }
    }
  }
  return out;
}
