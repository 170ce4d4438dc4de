/** Thresholds of an ordinal scale with c categories as linear functions of their parameters: τ = Aα, τ_1 < … < τ_{c-1}.
 *
 *  flexible:     α = τ.
 *  equidistant:  τ_j = α_1 + (j - 1)α_2.
 *  symmetric:    distances mirror each other about the centre. c even: one central threshold, the others at it ∓ spacings;
 *                c odd: two central thresholds, the others outside of them at equal spacings from the nearer one.
 *  Reference: Christensen (2018), Cumulative Link Models for Ordinal Regression, section 2.3.
 *  Oracle:    ordinal (R): clm(threshold = …), names and values, oracle/r/ordinal.json. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";

export type ThresholdKind = "flexible" | "symmetric" | "equidistant";

export interface Thresholds {
  readonly kind: ThresholdKind;
  /** (c - 1) × parameters. */
  readonly A: Matrix;
  /** R's names of the parameters. */
  readonly names: readonly string[];
  /** Names of the thresholds themselves: "1|2". */
  readonly cuts: readonly string[];
}

export function makeThresholds(kind: ThresholdKind, levels: readonly string[]): Thresholds {
  const cuts = levels.slice(1).map((level, j) => `${levels[j]!}|${level}`);
  const m = cuts.length;
  // one threshold is what it is
  if (kind === "flexible" || m < 2) return { kind, A: fill(m, m, (i, j) => Number(i === j)), names: cuts, cuts };
  if (kind === "equidistant") {
    return { kind, A: fill(m, 2, (i, j) => (j === 0 ? 1 : i)), names: ["threshold.1", "spacing"], cuts };
  }
  return { kind, ...symmetric(m), cuts };
}

function symmetric(m: number): { A: Matrix; names: string[] } {
  const half = Math.floor(m / 2);
  if (m % 2 === 1) {
    const names = ["central", ...Array.from({ length: half }, (_, k) => `spacing.${k + 1}`)];
    return {
      A: fill(m, half + 1, (i, j) => (j === 0 ? 1 : Math.abs(i - half) === j ? Math.sign(i - half) : 0)),
      names,
    };
  }
  // two central thresholds; the k-th pair outside them lies spacing.k away
  const names = ["central.1", "central.2", ...Array.from({ length: half - 1 }, (_, k) => `spacing.${k + 1}`)];
  const A = fill(m, half + 1, (i, j) => {
    const upper = i >= half;
    const pair = upper ? i - half : half - 1 - i;
    if (j < 2) return Number(j === Number(upper));
    return j - 1 === pair ? (upper ? 1 : -1) : 0;
  });
  return { A, names };
}

function fill(rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
  const A = zeros(rows, cols);
  for (let j = 0; j < cols; j++) for (let i = 0; i < rows; i++) A.data[i + j * rows] = entry(i, j);
  return A;
}

/** τ = Aα. */
export function thresholdsInto(tau: Float64Array, { A }: Thresholds, alpha: ArrayLike<number>): void {
  tau.fill(0);
  for (let j = 0; j < A.cols; j++) for (let i = 0; i < A.rows; i++) tau[i]! += A.data[i + j * A.rows]! * alpha[j]!;
}

/** Parameters whose thresholds come closest to the given ones (least squares with an exact solution in the flexible case). */
export function nearestParameters({ kind, A }: Thresholds, tau: Float64Array): Float64Array {
  if (kind === "flexible" || A.cols === A.rows) return Float64Array.from(tau);
  const m = tau.length;
  if (kind === "equidistant") {
    const spacing = Math.max((tau[m - 1]! - tau[0]!) / (m - 1), SMALLEST_SPACING);
    const mean = tau.reduce((a, b) => a + b, 0) / m;
    return Float64Array.of(mean - (spacing * (m - 1)) / 2, spacing);
  }
  const half = Math.floor(m / 2);
  const alpha = new Float64Array(A.cols);
  const odd = m % 2 === 1;
  if (odd) alpha[0] = tau[half]!;
  else {
    alpha[0] = tau[half - 1]!;
    alpha[1] = Math.max(tau[half]!, tau[half - 1]! + SMALLEST_SPACING);
  }
  const inner = (k: number): number => (odd ? half - k : half - 1 - k);
  for (let k = 1; k <= half - (odd ? 0 : 1); k++) {
    const below = (odd ? tau[half]! : tau[half - 1]!) - tau[inner(k)]!;
    const above = tau[half + k]! - tau[half]!;
    const before = k === 1 ? 0 : alpha[odd ? k - 1 : k]!;
    alpha[odd ? k : k + 1] = Math.max((below + above) / 2, before + SMALLEST_SPACING);
  }
  return alpha;
}

/** Starting thresholds must increase. */
const SMALLEST_SPACING = 0.05;
