/** Cumulative link models whose thresholds or whose spread depend on the row:   P(Y ≤ j) = F((τ_j + wγ_j - xβ - offset)/exp(zζ)),  τ = Aα
 *  With a = u_y/s, b = u_{y-1}/s, s = exp(zζ):  ∂a/∂ζ = -a z,  ∂²a/∂ζ∂ζ' = a zz',  ∂²a/∂φ∂ζ = -(∂u/∂φ) z/s.
 *  Reference: Christensen (2018), Cumulative Link Models for Ordinal Regression, 2.4 (nominal effects) and 2.5 (scale); Agresti (2010), 5.4;
 *             Peterson & Harrell (1990), J. R. Stat. Soc. C 39(2).
 *  Oracle:    ordinal (R): clm(scale =, nominal =), oracle/next/ordinal-families.json — log-likelihood 1e-9, estimates and SEs 1e-6.
 *  Limits:    NaN where thresholds of a row would be out of order; not concave in ζ. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";
import type { OrdinalLikelihood } from "./ratios.ts";

export interface ScaledInput {
  readonly link: CumulativeLink;
  /** Levels from 0. */
  readonly y: Int32Array;
  /** Thresholds by their parameters. */
  readonly A: Matrix;
  /** Location, nominal and scale columns. */
  readonly X: Matrix;
  readonly W: Matrix;
  readonly Z: Matrix;
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
}

/** One end of a row's interval: its value, ∂u/∂φ of the linear part, and whether it is finite. */
interface End {
  at: number;
  readonly direction: Float64Array;
  finite: boolean;
}

/** Parameters: α, γ by nominal columns (one for each threshold), β, ζ. */
export function makeScaledLikelihood(input: ScaledInput): OrdinalLikelihood {
  const { link, y, A, X, W, Z, weights, offset } = input;
  const n = y.length;
  const [m, p0] = [A.rows, A.cols];
  const first = p0 + m * W.cols;
  const scaleAt = first + X.cols;
  const size = scaleAt + Z.cols;
  const kernel = CUMULATIVE_LINKS[link];
  const out = makeCumulativeTerms();
  const make = (): End => ({ at: 0, direction: new Float64Array(size), finite: false });
  const [upper, lower] = [make(), make()];
  const fill = (end: End, phi: Float64Array, { i, j, s }: { i: number; j: number; s: number }): void => {
    end.finite = j >= 0 && j < m;
    end.at = j < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const g = end.direction;
    g.fill(0);
    if (!end.finite) return;
    for (let k = 0; k < p0; k++) g[k] = A.data[j + k * m]!;
    for (let c = 0; c < W.cols; c++) g[p0 + m * c + j] = W.data[i + c * n]!;
    for (let k = 0; k < X.cols; k++) g[first + k] = -X.data[i + k * n]!;
    let u = offset ? -offset[i]! : 0;
    for (let k = 0; k < scaleAt; k++) u += g[k]! * phi[k]!;
    end.at = u / s;
    for (let k = 0; k < scaleAt; k++) g[k]! /= s;
    for (let k = 0; k < Z.cols; k++) g[scaleAt + k] = -end.at * Z.data[i + k * n]!;
  };
  const spread = (phi: Float64Array, i: number): number => {
    let sum = 0;
    for (let k = 0; k < Z.cols; k++) sum += phi[scaleAt + k]! * Z.data[i + k * n]!;
    return Math.exp(sum);
  };
  const visit = (phi: Float64Array, use: (i: number, w: number) => void): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const s = spread(phi, i);
      fill(upper, phi, { i, j: y[i]!, s });
      fill(lower, phi, { i, j: y[i]! - 1, s });
      kernel(out, upper.at, lower.at);
      const w = weights ? weights[i]! : 1;
      sum -= w * out[0]!;
      use(i, w);
    }
    return sum;
  };
  /** H += factor · ∂²(end): the linear part against the scale, and the scale against itself. */
  const addCurvature = (H: Float64Array, end: End, { i, factor }: { i: number; factor: number }): void => {
    if (!end.finite || factor === 0) return;
    for (let k = 0; k < Z.cols; k++) {
      const z = Z.data[i + k * n]!;
      const row = (scaleAt + k) * size;
      for (let l = 0; l < scaleAt; l++) {
        const h = -factor * z * end.direction[l]!;
        H[row + l]! += h;
        H[l * size + scaleAt + k]! += h;
      }
      for (let l = 0; l < Z.cols; l++) H[row + scaleAt + l]! += factor * end.at * z * Z.data[i + l * n]!;
    }
  };
  return {
    size,
    evaluate(phi, gradient) {
      gradient.fill(0);
      return visit(phi, (_, w) => {
        for (let k = 0; k < size; k++) {
          gradient[k]! -= w * (out[1]! * upper.direction[k]! - out[2]! * lower.direction[k]!);
        }
      });
    },
    informationInto(H, phi) {
      H.fill(0);
      visit(phi, (i, w) => {
        const [, A0, B0, A1, B1] = out as unknown as [number, number, number, number, number];
        const [aa, ab, bb] = [w * (A1 - A0 * A0), w * A0 * B0, w * (-B1 - B0 * B0)];
        const [ga, gb] = [upper.direction, lower.direction];
        for (let k = 0; k < size; k++) {
          const va = aa * ga[k]! + ab * gb[k]!;
          const vb = ab * ga[k]! + bb * gb[k]!;
          if (va !== 0 || vb !== 0) for (let l = 0; l < size; l++) H[k * size + l]! -= va * ga[l]! + vb * gb[l]!;
        }
        addCurvature(H, upper, { i, factor: -w * A0 });
        addCurvature(H, lower, { i, factor: w * B0 });
      });
    },
    probabilities(phi) {
      const P = zeros(n, m + 1);
      for (let i = 0; i < n; i++) {
        const s = spread(phi, i);
        for (let j = 0; j <= m; j++) {
          fill(upper, phi, { i, j, s });
          fill(lower, phi, { i, j: j - 1, s });
          kernel(out, upper.at, lower.at);
          P.data[i + j * n] = Math.exp(out[0]!);
        }
      }
      return P;
    },
  };
}
