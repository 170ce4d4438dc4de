/** Ordinal models other than the cumulative one:   η_j = α_j + wγ_j + xβ + offset,  j = 1 … m between m + 1 levels
 *    adjacent      log P(Y=j+1)/P(Y=j) = η_j                        reversed  log P(Y=j)/P(Y=j+1)
 *    continuation  link P(Y>j | Y≥j)   = η_j                        reversed  link P(Y<j+1 | Y≤j+1)
 *    stopping      link P(Y=j | Y≥j)   = η_j                        reversed  link P(Y=j+1 | Y≤j+1)
 *  A ratio model is a row of yes-or-no trials, passed until one stops; the adjacent one is an exponential family, so that its observed and
 *  its expected information are the same. All are concave in the parameters.
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 4.1-4.2; Fienberg & Mason (1979), Sociol. Methodol. 10; Yee (2010), J. Stat. Softw. 32(10).
 *  Oracle:    VGAM (R): acat, cratio, sratio, oracle/next/ordinal-families.json — log-likelihood 1e-9, estimates and SEs 1e-6.
 *  Limits:    the adjacent model has the logit link alone; w are the columns with effects of their own on every step. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { QUANTILE } from "./clm-solve.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";

export type RatioStructure = "adjacent" | "continuation" | "stopping";

export interface OrdinalLikelihood {
  readonly size: number;
  /** - log-likelihood; its gradient is filled in. */
  evaluate(phi: Float64Array, gradient: Float64Array): number;
  /** - Hessian (observed), or its expectation; row-major. */
  informationInto(H: Float64Array, phi: Float64Array, expected: boolean): void;
  /** Rows × levels. */
  probabilities(phi: Float64Array): Matrix;
}

export interface RatioInput {
  readonly structure: RatioStructure;
  readonly reverse: boolean;
  readonly link: CumulativeLink;
  /** Levels from 0. */
  readonly y: Int32Array;
  /** Steps between levels. */
  readonly steps: number;
  /** Columns with one effect, and with an effect for each step. */
  readonly X: Matrix;
  readonly W: Matrix;
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
}

/** What a row gives: log P, its derivatives by η, and the curvature (m × m) that is asked for. */
interface RowTerms {
  readonly score: Float64Array;
  readonly curvature: Float64Array;
}

export function makeRatioLikelihood(input: RatioInput): OrdinalLikelihood {
  const { y, steps: m, X, W, weights, offset } = input;
  const n = y.length;
  const size = m * (1 + W.cols) + X.cols;
  const eta = new Float64Array(m);
  const terms: RowTerms = { score: new Float64Array(m), curvature: new Float64Array(m * m) };
  const rowOf = input.structure === "adjacent" ? makeAdjacent(input) : makeTrials(input);
  const etaInto = (phi: Float64Array, i: number): void => {
    let common = offset ? offset[i]! : 0;
    for (let k = 0; k < X.cols; k++) common += phi[m * (1 + W.cols) + k]! * X.data[i + k * n]!;
    for (let j = 0; j < m; j++) {
      eta[j] = phi[j]! + common;
      for (let c = 0; c < W.cols; c++) eta[j]! += phi[m * (1 + c) + j]! * W.data[i + c * n]!;
    }
  };
  /** Derivatives of η_j by the parameters. */
  const d = new Float64Array(size);
  const directionInto = (i: number, j: number): void => {
    d.fill(0);
    d[j] = 1;
    for (let c = 0; c < W.cols; c++) d[m * (1 + c) + j] = W.data[i + c * n]!;
    for (let k = 0; k < X.cols; k++) d[m * (1 + W.cols) + k] = X.data[i + k * n]!;
  };
  return {
    size,
    evaluate(phi, gradient) {
      gradient.fill(0);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        etaInto(phi, i);
        const w = weights ? weights[i]! : 1;
        sum -= w * rowOf.fill(terms, eta, y[i]!);
        for (let j = 0; j < m; j++) {
          if (terms.score[j] === 0) continue;
          directionInto(i, j);
          for (let k = 0; k < size; k++) gradient[k]! -= w * terms.score[j]! * d[k]!;
        }
      }
      return sum;
    },
    informationInto(H, phi, expected) {
      H.fill(0);
      const other = new Float64Array(size);
      for (let i = 0; i < n; i++) {
        etaInto(phi, i);
        if (expected) rowOf.expect(terms, eta);
        else rowOf.fill(terms, eta, y[i]!);
        const w = weights ? weights[i]! : 1;
        for (let j = 0; j < m; j++) {
          directionInto(i, j);
          other.set(d);
          for (let l = 0; l < m; l++) {
            const h = w * terms.curvature[j * m + l]!;
            if (h === 0) continue;
            directionInto(i, l);
            for (let k = 0; k < size; k++) {
              const hk = h * other[k]!;
              if (hk !== 0) for (let q = 0; q < size; q++) H[k * size + q]! += hk * d[q]!;
            }
          }
        }
      }
    },
    probabilities(phi) {
      const P = zeros(n, m + 1);
      const out = new Float64Array(m + 1);
      for (let i = 0; i < n; i++) {
        etaInto(phi, i);
        rowOf.probabilitiesInto(out, eta);
        for (let j = 0; j <= m; j++) P.data[i + j * n] = out[j]!;
      }
      return P;
    },
  };
}

interface RowModel {
  /** log P(y); score and observed curvature. */
  fill(terms: RowTerms, eta: Float64Array, y: number): number;
  /** Expected curvature. */
  expect(terms: RowTerms, eta: Float64Array): void;
  probabilitiesInto(out: Float64Array, eta: Float64Array): void;
}

function makeAdjacent({ steps: m, reverse }: RatioInput): RowModel {
  const sign = reverse ? -1 : 1;
  const P = new Float64Array(m + 1);
  const above = new Float64Array(m);
  const probabilitiesInto = (out: Float64Array, eta: Float64Array): void => {
    out[0] = 0;
    let top = 0;
    for (let j = 0; j < m; j++) {
      out[j + 1] = out[j]! + sign * eta[j]!;
      top = Math.max(top, out[j + 1]!);
    }
    let total = 0;
    for (let j = 0; j <= m; j++) {
      out[j] = Math.exp(out[j]! - top);
      total += out[j]!;
    }
    for (let j = 0; j <= m; j++) out[j]! /= total;
  };
  /** P(Y > j), and its covariances as curvature. */
  const prepare = (terms: RowTerms, eta: Float64Array): void => {
    probabilitiesInto(P, eta);
    let sum = 0;
    for (let j = m - 1; j >= 0; j--) {
      sum += P[j + 1]!;
      above[j] = sum;
    }
    for (let j = 0; j < m; j++) {
      for (let l = 0; l < m; l++) terms.curvature[j * m + l] = above[Math.max(j, l)]! - above[j]! * above[l]!;
    }
  };
  return {
    fill(terms, eta, y) {
      prepare(terms, eta);
      for (let j = 0; j < m; j++) terms.score[j] = sign * (Number(y > j) - above[j]!);
      return Math.log(P[y]!);
    },
    expect: prepare,
    probabilitiesInto,
  };
}

function makeTrials({ structure, reverse, link, steps: m }: RatioInput): RowModel {
  const kernel = CUMULATIVE_LINKS[link];
  const out = makeCumulativeTerms();
  const success = structure === "stopping";
  const isTried = (y: number, j: number): boolean => (reverse ? y <= j + 1 : y >= j);
  const stops = (y: number, j: number): boolean => y === (reverse ? j + 1 : j);
  /** log F(η) and its derivatives by η, or those of log(1 - F(η)). */
  const trial = (eta: number, yes: boolean): readonly [value: number, first: number, second: number] => {
    kernel(out, yes ? eta : Number.POSITIVE_INFINITY, yes ? Number.NEGATIVE_INFINITY : eta);
    if (yes) return [out[0]!, out[1]!, out[3]! - out[1]! ** 2];
    return [out[0]!, -out[2]!, -out[4]! - out[2]! ** 2];
  };
  const probabilitiesInto = (P: Float64Array, eta: Float64Array): void => {
    let left = 1;
    for (let s = 0; s < m; s++) {
      const j = reverse ? m - 1 - s : s;
      const stop = Math.exp(trial(eta[j]!, success)[0]);
      const pass = Math.exp(trial(eta[j]!, !success)[0]);
      P[reverse ? j + 1 : j] = left * stop;
      left *= pass;
    }
    P[reverse ? 0 : m] = left;
  };
  const P = new Float64Array(m + 1);
  return {
    fill(terms, eta, y) {
      let sum = 0;
      terms.curvature.fill(0);
      for (let j = 0; j < m; j++) {
        terms.score[j] = 0;
        if (!isTried(y, j)) continue;
        const [value, first, second] = trial(eta[j]!, stops(y, j) === success);
        sum += value;
        terms.score[j] = first;
        terms.curvature[j * m + j] = -second;
      }
      return sum;
    },
    expect(terms, eta) {
      terms.curvature.fill(0);
      probabilitiesInto(P, eta);
      for (let j = 0; j < m; j++) {
        let tried = 0;
        for (let y = 0; y <= m; y++) if (isTried(y, j)) tried += P[y]!;
        // f²/(F(1 - F)) from the two one-sided ratios f/F and f/(1 - F)
        terms.curvature[j * m + j] = -tried * trial(eta[j]!, true)[1] * trial(eta[j]!, false)[1];
      }
    },
    probabilitiesInto,
  };
}

interface RatioStart {
  readonly structure?: RatioStructure | "cumulative" | undefined;
  readonly link?: CumulativeLink | undefined;
  readonly reverse?: boolean | undefined;
}

/** The steps' own shares, with no effects. */
export function ratioStart(
  y: Int32Array,
  steps: number,
  { structure, link = "logit", reverse }: RatioStart,
): Float64Array {
  const counts = new Float64Array(steps + 1);
  for (const level of y) counts[level]! += 1;
  const sum = (from: number, to: number): number => counts.slice(from, to + 1).reduce((a, b) => a + b, 0);
  return Float64Array.from({ length: steps }, (_, j) => {
    if (structure === "adjacent") return (reverse ? -1 : 1) * Math.log(counts[j + 1]! / counts[j]!);
    const stop = reverse ? counts[j + 1]! / sum(0, j + 1) : counts[j]! / sum(j, steps);
    return QUANTILE[link](structure === "stopping" ? stop : 1 - stop);
  });
}
