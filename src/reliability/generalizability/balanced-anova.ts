/** Analysis of variance of a complete, balanced layout, and what it says on each component.
 *
 *      SS_t = Σ_{A ⊆ t} (-1)^{|t|-|A|} Q_A,   Q_A = Σ_classes of A (sum of scores)² / size
 *      E(MS_t) = σ² + Σ_{u ⊇ t} (N / L_u) σ_u²                   u over the terms of the model, L_u their classes
 *      df_t E(MS_t)⁻¹ MS_t ~ χ²(df_t), independent
 *
 *  Generalised intervals: draws of E(MS_t) are SS_t / χ²; each draw gives components, and any function of these (φ) its interval.
 *  In balanced layouts they hold their level also with three raters, where large-sample intervals and the bootstrap do not.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, ch. 4; Weerahandi (1993), JASA 88 (generalised intervals).
 *  Oracle:    mean squares of R's reference runs (Tables 3.1, 3.2); coverage in docs/methods/reliability.md. */

import { portableLog } from "../../numeric/rng/portable-math.ts";
import type { Rng } from "../../numeric/rng.ts";
import { eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import type { FacetDesign, FacetTerm } from "./facet-terms.ts";

export interface BalancedAnova {
  /** In the order of the terms, then the residual. */
  readonly ss: Float64Array;
  readonly df: Float64Array;
  /** Coefficient of component u in E(MS_t), row t, column u; the residual is the last of both. */
  readonly expectation: Float64Array;
  /** Unconstrained estimates: they may be negative. */
  readonly estimates: Float64Array;
}

/** Undefined where the layout is not a complete factorial with equal cells. */
export function balancedAnova({ terms }: FacetDesign, y: Float64Array): BalancedAnova | undefined {
  const main = terms.filter((term) => term.order === 1);
  const cells = main.reduce((product, term) => product * term.levels, 1);
  if (!isComplete(main, cells, y.length) || terms.some((term) => partsOf(term, main).length !== term.order))
    return undefined;
  const sets = terms.map((term) => partsOf(term, main));
  const centred = centre(y);
  const known = new Map<string, number>();
  const q = (parts: readonly number[]): number => {
    const key = parts.join();
    if (!known.has(key))
      known.set(
        key,
        classSquares(
          centred,
          parts.map((p) => main[p]!),
        ),
      );
    return known.get(key)!;
  };
  const k = terms.length;
  const ss = new Float64Array(k + 1);
  const df = new Float64Array(k + 1);
  const total = centred.reduce((sum, value) => sum + value * value, 0);
  ss[k] = total;
  df[k] = y.length - 1;
  sets.forEach((set, t) => {
    for (const subset of subsets(set)) ss[t]! += ((set.length - subset.length) % 2 === 0 ? 1 : -1) * q(subset);
    df[t] = set.reduce((product, p) => product * (main[p]!.levels - 1), 1);
    ss[k]! -= ss[t]!;
    df[k]! -= df[t]!;
  });
  if (!(df[k]! > 0)) return undefined;
  const expectation = new Float64Array((k + 1) * (k + 1));
  for (let t = 0; t <= k; t++) {
    expectation[t * (k + 1) + k] = 1;
    for (let u = 0; t < k && u < k; u++) {
      if (sets[t]!.every((p) => sets[u]!.includes(p))) expectation[t * (k + 1) + u] = y.length / terms[u]!.levels;
    }
  }
  const ms = ss.map((value, t) => value / df[t]!);
  return { ss, df, expectation, estimates: solveComponents(expectation, ms, solveOrder(expectation)) };
}

/** The main terms inside a term. */
function partsOf(term: FacetTerm, main: readonly FacetTerm[]): number[] {
  return main.flatMap((own, p) =>
    own.object ? (term.object ? [p] : []) : own.facets.some((f) => term.facets.includes(f)) ? [p] : [],
  );
}

function isComplete(main: readonly FacetTerm[], cells: number, rows: number): boolean {
  if (cells > rows || rows % cells !== 0) return false;
  const count = new Int32Array(cells);
  for (let i = 0; i < rows; i++) {
    let cell = 0;
    for (const term of main) cell = cell * term.levels + term.index[i]!;
    count[cell]! += 1;
  }
  return count.every((own) => own === rows / cells);
}

function centre(y: Float64Array): Float64Array {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  return y.map((value) => value - mean);
}

/** Σ over classes of (sum)² / size; all rows form one class where there are no factors. */
function classSquares(y: Float64Array, factors: readonly FacetTerm[]): number {
  const classes = factors.reduce((product, term) => product * term.levels, 1);
  const sums = new Float64Array(classes);
  for (let i = 0; i < y.length; i++) {
    let cell = 0;
    for (const term of factors) cell = cell * term.levels + term.index[i]!;
    sums[cell]! += y[i]!;
  }
  return (sums.reduce((sum, value) => sum + value * value, 0) * classes) / y.length;
}

function subsets(set: readonly number[]): number[][] {
  return Array.from({ length: 1 << set.length }, (_, bits) => set.filter((_own, k) => (bits >> k) & 1));
}

/** Terms that fewer others contain come first: E(MS) of a term holds only terms that contain it. */
function solveOrder(expectation: Float64Array): Int32Array {
  const size = Math.round(Math.sqrt(expectation.length));
  const within = Array.from({ length: size - 1 }, (_, t) =>
    expectation.subarray(t * size, (t + 1) * size).reduce((sum, value) => sum + Number(value > 0), 0),
  );
  return Int32Array.from(within.map((_, t) => t).sort((a, b) => within[a]! - within[b]!));
}

function solveComponents(expectation: Float64Array, ems: ArrayLike<number>, from: Int32Array): Float64Array {
  const size = from.length + 1;
  const out = new Float64Array(size);
  out[size - 1] = ems[size - 1]!;
  for (const t of from) {
    let rest = ems[t]! - out[size - 1]!;
    for (const u of from) if (u !== t) rest -= expectation[t * size + u]! * out[u]!;
    out[t] = rest / expectation[t * size + t]!;
  }
  return out;
}

/** Draws of the components (columns: terms, then residual), negative ones set to 0. */
export function generalisedDraws(anova: BalancedAnova, draws: number, rng: Rng): Float64Array[] {
  const { ss, df, expectation } = anova;
  const size = ss.length;
  const from = solveOrder(expectation);
  const ems = new Float64Array(size);
  const out: Float64Array[] = [];
  eachReplicate({ replicates: draws, rng }, OWN_STREAM, (stream) => {
    for (let t = 0; t < size; t++) ems[t] = ss[t]! / drawChiSquare(stream, df[t]!);
    out.push(solveComponents(expectation, ems, from).map((value) => Math.max(0, value)));
  });
  return out;
}

/** Twice a gamma variable of shape df/2, by Marsaglia & Tsang (2000), ACM Trans. Math. Softw. 26; the square of a normal for df = 1. */
export function drawChiSquare(rng: Rng, df: number): number {
  if (df === 1) return rng.normal() ** 2;
  const d = df / 2 - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = rng.normal();
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    if (portableLog(rng.uniform()) < (x * x) / 2 + d * (1 - v + portableLog(v))) return 2 * d * v;
  }
}
