/** Systems that raters scored on the same items: a mixed model of the differences within blocks. A block is what one rater scored of one item,
 *  all K systems; its K scores y become K - 1 contrasts, in which the levels of item, rater and block cancel:
 *      c = Q'y,  columns of Q orthogonal, each of length √2            (K = 2: c is the second system's score minus the first one's)
 *      c_k = δ_k + a_(item,k) + b_(rater,k) [+ g_(cluster,k)] + e,      all independent, one variance for every k
 *      system b - system a = l'δ,  l = Q'(e_b - e_a) / 2, so that a variance here is that of a difference between two systems
 *  Preferences b of a rater sum to 0 over the systems, and their variance is free of that of the rater's level: two systems' scores by one rater may
 *  correlate negatively, which `(1 | rater) + (1 | rater:system)` cannot hold and then understates the standard error by a factor of up to √2.
 *  Reference: Barr, Levy, Scheepers & Tily (2013), J. Mem. Lang. 68; Searle, Casella & McCulloch (1992), Variance Components, ch. 4.
 *  Oracle:    lmerTest with slopes, and two-way ANOVA of the differences: oracle/r/compare-raters.json.
 *  Of K > 2 systems preferences have one variance for all pairs. A pair whose own differences vary more than those of the pairs on average, by the
 *  moments over facets below, has a standard error larger by that much: one system that divides the raters would pass for better or worse else.
 *      v = Σ_facets se²(facet) - (facets - 1) se²(blocks),    se_pair = se √max(1, v_pair / mean of v over all pairs)
 *  Limits:    whole blocks. */

import { makeTable, numericColumn, type Table } from "../../data/table.ts";
import { contrastDfOf, type LmmFit } from "../../models/lmm/lmm.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { quoteName } from "../../result/quote.ts";
import { spreadOverFacet } from "../facets.ts";
import type { Matched } from "./matching/matching.ts";

/** What may have its own preferences, with the level of every matched row. */
export interface PreferenceFacet {
  readonly name: string;
  readonly codes: Int32Array;
}

export interface Blocks {
  /** Systems. */
  readonly width: number;
  /** Score of system s in block i at scores[s + i * width]. */
  readonly scores: Float64Array;
  readonly count: number;
  /** One of the matched rows that it was made of. */
  readonly row: Int32Array;
}

/** Of more than two systems, whose slopes are those of each pair alone, blocks that lack a score are left out up to this share; of two, slopes hold
 *  what the others say. */
const WHOLE = 0.9;

interface Kept {
  readonly kept: Int32Array;
  /** Of every row of the table. */
  readonly raters: Int32Array;
}

/** Whether the scores of every block have one sum and no more than that in common, as points that a rater shares out among what is shown:
 *  then one system's score falls as another's rises, and only differences within a block can be compared. */
export function areShared({ rows, cellOfRow, items, score }: Matched, { kept, raters }: Kept): boolean {
  const n = items.length;
  const sums = new Map<string, { sum: number; count: number; equal: boolean; first: number }>();
  for (const k of kept) {
    const [row, key] = [rows[k]!, `${cellOfRow[k]! % n}/${raters[rows[k]!]}`];
    const own = sums.get(key);
    const value = score[row]!;
    if (own === undefined) sums.set(key, { sum: value, count: 1, equal: true, first: value });
    else {
      own.sum += value;
      own.count += 1;
      own.equal &&= value === own.first;
    }
  }
  const found = [...sums.values()];
  const [first] = found;
  return found.every(({ sum, count, equal }) => count > 1 && !equal && Math.abs(sum - first!.sum) < SAME_SUM);
}
const SAME_SUM = 1e-9;

/** The blocks of all systems, if nearly all are whole or nothing else counts; several scores of one rater for an output are averaged. */
export function wholeBlocks(
  { rows, cellOfRow, items, systems, score }: Matched,
  { kept, raters, all = false }: Kept & { readonly all?: boolean },
): Blocks | undefined {
  const width = systems.length;
  const n = items.length;
  const radix = 1 + raters.reduce((most, code) => Math.max(most, code), 0);
  const place = new Map<number, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  const first: number[] = [];
  for (const k of kept) {
    const row = rows[k]!;
    const s = Math.floor(cellOfRow[k]! / n);
    const key = (cellOfRow[k]! - s * n) * radix + raters[row]!;
    const own = place.get(key) ?? place.size;
    if (own === place.size) {
      place.set(key, own);
      first.push(k);
      for (let j = 0; j < width; j++) {
        sums.push(0);
        counts.push(0);
      }
    }
    sums[own * width + s]! += score[row]!;
    counts[own * width + s]! += 1;
  }
  const whole = first.flatMap((_, i) =>
    counts.slice(i * width, (i + 1) * width).every((count) => count > 0) ? [i] : [],
  );
  if (whole.length < 2 || (!all && whole.length < (width === 2 ? 1 : WHOLE) * first.length)) return undefined;
  return {
    width,
    count: whole.length,
    scores: Float64Array.from(
      whole.flatMap((i) => sums.slice(i * width, (i + 1) * width).map((sum, s) => sum / counts[i * width + s]!)),
    ),
    row: Int32Array.from(whole, (i) => first[i]!),
  };
}

/** Helmert's contrasts, of length √2. */
export function contrastsOf(width: number): Matrix {
  const Q = zeros(width, width - 1);
  for (let k = 0; k < width - 1; k++) {
    const size = Math.sqrt((k + 1) * (k + 2)) / Math.SQRT2;
    for (let s = 0; s <= k; s++) Q.data[s + k * width] = -1 / size;
    Q.data[k + 1 + k * width] = (k + 1) / size;
  }
  return Q;
}

/** The difference of a pair of systems, overall or in a class. */
export interface Difference {
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
}

export interface DifferenceModel {
  readonly formula: string;
  readonly fit: LmmFit;
  /** By facet: variance of a level's own difference between two systems, and how many levels there are. */
  readonly preferences: ReadonlyMap<string, { readonly variance: number; readonly levels: number }>;
  /** Second minus first; of the items in one class, if there are classes. */
  differenceOf(pair: readonly [number, number], group?: number): Difference;
}

export interface DifferenceOptions {
  fit(formula: string, table: Table): LmmFit;
  /** Column and class of every matched row, where differences may depend on it. */
  readonly by?: { readonly name: string; readonly levels: readonly string[]; readonly codes: Int32Array } | undefined;
}

/** Undefined where no facet repeats, since a block is then all that there is of each, and where all blocks differ alike. */
export function fitDifferences(
  blocks: Blocks,
  facets: readonly PreferenceFacet[],
  { fit: fitModel, by }: DifferenceOptions,
): DifferenceModel | undefined {
  const { width, count, scores, row } = blocks;
  const m = width - 1;
  const Q = contrastsOf(width);
  const repeated = facets.filter(({ codes }) => {
    const levels = new Set(Array.from(row, (k) => codes[k]!)).size;
    return levels > 1 && levels < count;
  });
  if (repeated.length === 0) return undefined;
  const values = new Float64Array(count * m);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < m; k++) {
      let sum = 0;
      for (let s = 0; s < width; s++) sum += Q.data[s + k * width]! * scores[i * width + s]!;
      values[i * m + k] = sum;
    }
  if (values.every((v, at) => v === values[at % m])) return undefined;
  const response = m === 1 ? "difference" : "contrast";
  const which = nameBeside("k", [...facets, ...(by ? [by] : [])]);
  const factor = (levels: readonly string[], codeAt: (i: number, k: number) => number) => ({
    kind: "factor" as const,
    levels,
    ordered: false,
    codes: Int32Array.from(values, (_, at) => codeAt(Math.floor(at / m), at % m)),
  });
  const numbered = (codes: Int32Array) =>
    factor(
      Array.from({ length: 1 + codes.reduce((most, code) => Math.max(most, code), 0) }, (_, c) => String(c + 1)),
      (i) => codes[row[i]!]!,
    );
  const table: Table = makeTable([
    [response, numericColumn(values)],
    [
      which,
      factor(
        Array.from({ length: m }, (_, k) => String(k + 1)),
        (_, k) => k,
      ),
    ],
    ...repeated.map(({ name, codes }) => [name, numbered(codes)] as const),
    ...(by === undefined ? [] : [[by.name, factor(by.levels, (i) => by.codes[row[i]!]!)] as const]),
  ]);
  const random = repeated.map(({ name }) => `(1 | ${quoteName(name)}${m === 1 ? "" : `:${which}`})`);
  const own = by === undefined ? [] : [quoteName(by.name)];
  const fixed = m === 1 ? ["1", ...own] : ["0", which, ...own.map((name) => `${which}:${name}`)];
  const formula = `${response} ~ ${[...fixed, ...random].join(" + ")}`;
  let fit: LmmFit;
  try {
    fit = fitModel(formula, table);
  } catch (error) {
    if (!isUnidentified(error) || repeated.length === 1) throw error;
    // of crowd work, raters who hardly come twice: what they prefer is in the residuals
    const levelsOf = ({ codes }: PreferenceFacet): number => new Set(Array.from(row, (k) => codes[k]!)).size;
    const most = repeated.reduce((large, one) => (levelsOf(one) > levelsOf(large) ? one : large));
    const others = repeated.filter((one) => one !== most);
    return fitDifferences(blocks, others, { fit: fitModel, by });
  }
  const groups = by === undefined ? [0] : by.levels.map((_, c) => c);
  const rowOf = (k: number, group: number): number => {
    for (let i = 0; i < count; i++) if (by === undefined || by.codes[row[i]!] === group) return i * m + k;
    return -1;
  };
  const weights = groups.map((group) =>
    by === undefined ? 1 : Array.from(row).filter((at) => by.codes[at] === group).length / count,
  );
  const { X } = fit.design;
  const stretch = stretchOf(blocks, repeated);
  return {
    formula,
    fit,
    preferences: new Map(
      fit.variances.map(({ block, sd, levels }) => [
        repeated[block]!.name,
        { variance: sd[0]! ** 2, levels: levels / m },
      ]),
    ),
    differenceOf: ([a, b], group) => {
      const L = zeros(1, fit.kept.length);
      for (let k = 0; k < m; k++) {
        const l = (Q.data[b + k * width]! - Q.data[a + k * width]!) / 2;
        for (const c of group === undefined ? groups : [group]) {
          const at = rowOf(k, c);
          if (at < 0 && group === undefined) continue;
          if (at < 0) return { estimate: Number.NaN, se: Number.NaN, df: Number.NaN };
          const share = group === undefined ? weights[c]! : 1;
          fit.kept.forEach((col, j) => {
            L.data[j]! += l * share * X.data[at + col * X.rows]!;
          });
        }
      }
      let [estimate, variance] = [0, 0];
      for (let i = 0; i < L.cols; i++) {
        estimate += L.data[i]! * fit.coefficients[i]!.value;
        for (let j = 0; j < L.cols; j++) variance += L.data[i]! * L.data[j]! * fit.vcov.data[i + j * fit.vcov.rows]!;
      }
      const df = fit.ddf === "none" ? Number.POSITIVE_INFINITY : contrastDfOf(fit)(L)[0]!;
      return { estimate, se: Math.sqrt(variance) * stretch(a, b), df };
    },
  };
}

/** How much more a pair's own differences vary than those of all pairs do on average, as a factor of the standard error; 1 where they do not. */
function stretchOf(
  { width, count, scores, row }: Blocks,
  facets: readonly PreferenceFacet[],
): (a: number, b: number) => number {
  if (width === 2) return () => 1;
  const codes = facets.map((facet) => Int32Array.from(row, (k) => facet.codes[k]!));
  const varianceOf = (a: number, b: number): number => {
    const score = Float64Array.from({ length: count }, (_, i) => scores[b + i * width]! - scores[a + i * width]!);
    const over = (facet: ArrayLike<number>): number => spreadOverFacet({ score, facet }).se ** 2;
    const own = codes.map(over);
    const noise = over(Int32Array.from(score.keys()));
    return Math.max(...own, own.reduce((sum, v) => sum + v, 0) - (own.length - 1) * noise);
  };
  const variances = new Map<string, number>();
  for (let b = 1; b < width; b++) for (let a = 0; a < b; a++) variances.set(`${a},${b}`, varianceOf(a, b));
  const mean = [...variances.values()].reduce((sum, v) => sum + v, 0) / variances.size;
  return (a, b) => {
    const factor = variances.get(`${Math.min(a, b)},${Math.max(a, b)}`)! / mean;
    return factor > 1 ? Math.sqrt(factor) : 1;
  };
}

/** There are as many levels as rows, or nearly. */
export const isUnidentified = (error: unknown): boolean =>
  error instanceof StatError && (error.code === "LevelPerRow" || error.code === "TooManyRandomEffects");

function nameBeside(name: string, taken: readonly { readonly name: string }[]): string {
  return taken.some((one) => one.name === name) ? nameBeside(`${name}_`, taken) : name;
}
