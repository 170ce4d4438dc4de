/** Rows of a cumulative link model: P(y <= j) = F(τ_j - η), η = Xβ + offset + random part, τ = Aα; φ = (α, β).
 *
 *  With P = F(a) - F(b), a = τ_y - η, b = τ_{y-1} - η, A_k = f⁽ᵏ⁾(a)/P, B_k likewise and E_k = A_k - B_k:
 *      ∂ℓ/∂η = -E0,        W = -∂²ℓ/∂η² = E0² - E1,
 *      ∂s/∂τ_y = E0 A0 - A1,              ∂s/∂τ_{y-1} = B1 - E0 B0,
 *      ∂W/∂τ_y = 2E0(A1 - E0 A0) - A2 + E1 A0,   ∂W/∂τ_{y-1} = 2E0(E0 B0 - B1) + B2 - E1 B0,
 *      ∂W/∂η = -(∂W/∂τ_y + ∂W/∂τ_{y-1}).
 *  Reference: Christensen (2018), Cumulative Link Models for Ordinal Regression; the third derivatives by differentiation.
 *  Oracle:    extrapolated differences (clm.test.ts, laplace/laplace.test.ts). */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import type { RowModel } from "../row-model.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms, TERMS } from "./cumulative-link.ts";
import { addColumnsTo, fixedPartInto } from "./fixed-part.ts";
import { type Thresholds, thresholdsInto } from "./thresholds.ts";

export interface ClmRowsInput {
  /** Categories from 0. */
  readonly y: Int32Array;
  readonly X: Matrix;
  readonly thresholds: Thresholds;
  readonly link: CumulativeLink;
  readonly offset: Float64Array | undefined;
  /** Frequencies. */
  readonly weights: Float64Array | undefined;
}

export interface ClmRows extends RowModel {
  /** τ at the φ set last. */
  readonly tau: Float64Array;
  /** H ← H - Hessian of Σℓ in φ (row-major) at the η of the last likelihood(). */
  addInformationTo(H: Float64Array): void;
  /** v_i = -∂²ℓ_i/∂η∂φ_k: how φ_k and the random effects of a row share information. */
  crossInto(v: Float64Array, k: number): void;
}

export function makeClmRows({ y, X, thresholds, link, offset, weights }: ClmRowsInput): ClmRows {
  const n = y.length;
  const m = thresholds.A.rows;
  const p0 = thresholds.A.cols;
  const p = p0 + X.cols;
  const kernel = CUMULATIVE_LINKS[link];
  const make = (): Float64Array => new Float64Array(n);
  const [eta0, value, score, weight, slope] = [make(), make(), make(), make(), make()];
  // log P, A0, B0, … of each row at the η of the last likelihood()
  const terms = makeCumulativeTerms(n);
  // one slot on either side for τ_0 = -∞ and τ_c = ∞
  const tau = new Float64Array(m);
  const bound = new Float64Array(m + 2);
  const sums = new Float64Array(m + 2);
  const alpha = new Float64Array(p0);

  /** g[at …] += A'sums */
  const addThresholds = (g: Float64Array, at: number): void => {
    const A = thresholds.A.data;
    for (let k = 0; k < p0; k++) {
      let s = 0;
      for (let j = 0; j < m; j++) s += A[j + k * m]! * sums[j + 1]!;
      g[at + k]! += s;
    }
  };
  const e = make();
  const addColumns = (g: Float64Array, at: number): void => addColumnsTo(g, at + p0, X, e);

  return {
    rows: n,
    fixedCount: p,
    eta0,
    value,
    constant: 0,
    score,
    weight,
    information: weight,
    informationSlope: slope,
    tau,
    setFixed(phi) {
      for (let k = 0; k < p0; k++) alpha[k] = phi[k]!;
      thresholdsInto(tau, thresholds, alpha);
      bound[0] = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < m; j++) {
        if (!(tau[j]! > bound[j]!)) return false;
        bound[j + 1] = tau[j]!;
      }
      bound[m + 1] = Number.POSITIVE_INFINITY;
      fixedPartInto(eta0, { X, offset }, phi, p0);
      return true;
    },
    likelihood(eta) {
      let sum = 0;
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        const c = y[i]!;
        kernel(terms, bound[c + 1]! - eta[i]!, bound[c]! - eta[i]!, t);
        const w = weights ? weights[i]! : 1;
        value[i] = w * terms[t]!;
        sum += value[i]!;
        const e0 = terms[t + 1]! - terms[t + 2]!;
        score[i] = -w * e0;
        // log-concave: what is negative is rounding
        weight[i] = w * Math.max(0, e0 * e0 - (terms[t + 3]! - terms[t + 4]!));
      }
      return sum;
    },
    differentiate() {
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        const e0 = terms[t + 1]! - terms[t + 2]!;
        const e1 = terms[t + 3]! - terms[t + 4]!;
        // the sum of ∂W/∂τ_y and ∂W/∂τ_{y-1}
        slope[i] = (weights ? weights[i]! : 1) * (2 * e0 * (e0 * e0 - e1) + terms[t + 5]! - terms[t + 6]! - e1 * e0);
      }
    },
    addScoreTo(g, at, l) {
      sums.fill(0);
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        const c = y[i]!;
        const w = weights ? weights[i]! * l[i]! : l[i]!;
        sums[c + 1]! += w * terms[t + 1]!;
        sums[c]! -= w * terms[t + 2]!;
        e[i] = l[i]! * score[i]!;
      }
      addThresholds(g, at);
      addColumns(g, at);
    },
    addCurvatureTo(g, at, h, r) {
      sums.fill(0);
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        const c = y[i]!;
        const w = weights ? weights[i]! : 1;
        const a0 = terms[t + 1]!;
        const b0 = terms[t + 2]!;
        const a1 = terms[t + 3]!;
        const b1 = terms[t + 4]!;
        const e0 = a0 - b0;
        const e1 = a1 - b1;
        const up = 2 * e0 * (a1 - e0 * a0) - terms[t + 5]! + e1 * a0;
        const down = 2 * e0 * (e0 * b0 - b1) + terms[t + 6]! - e1 * b0;
        sums[c + 1]! -= 0.5 * w * (h[i]! * up + r[i]! * (e0 * a0 - a1));
        sums[c]! -= 0.5 * w * (h[i]! * down + r[i]! * (b1 - e0 * b0));
        e[i] = 0.5 * (r[i]! * weight[i]! - h[i]! * slope[i]!);
      }
      addThresholds(g, at);
      addColumns(g, at);
    },
    crossInto(v, k) {
      const A = thresholds.A.data;
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        if (k >= p0) {
          v[i] = weight[i]! * X.data[i + (k - p0) * n]!;
          continue;
        }
        const c = y[i]!;
        const e0 = terms[t + 1]! - terms[t + 2]!;
        const up = c < m ? A[c + k * m]! * (e0 * terms[t + 1]! - terms[t + 3]!) : 0;
        const down = c > 0 ? A[c - 1 + k * m]! * (terms[t + 4]! - e0 * terms[t + 2]!) : 0;
        v[i] = -(weights ? weights[i]! : 1) * (up + down);
      }
    },
    addInformationTo(H) {
      // second derivatives by (a, b), then the chain rule through rows of [A, -X]
      const ga = new Float64Array(p);
      const gb = new Float64Array(p);
      const A = thresholds.A.data;
      for (let i = 0, t = 0; i < n; i++, t += TERMS) {
        const c = y[i]!;
        const w = weights ? weights[i]! : 1;
        const [a0, b0] = [terms[t + 1]!, terms[t + 2]!];
        const aa = w * (terms[t + 3]! - a0 * a0);
        const ab = w * a0 * b0;
        const bb = w * (-terms[t + 4]! - b0 * b0);
        for (let k = 0; k < p0; k++) {
          ga[k] = c < m ? A[c + k * m]! : 0;
          gb[k] = c > 0 ? A[c - 1 + k * m]! : 0;
        }
        for (let k = 0; k < X.cols; k++) ga[p0 + k] = gb[p0 + k] = -X.data[i + k * n]!;
        for (let k = 0; k < p; k++) {
          const va = aa * ga[k]! + ab * gb[k]!;
          const vb = ab * ga[k]! + bb * gb[k]!;
          for (let l = 0; l <= k; l++) H[k * p + l]! -= va * ga[l]! + vb * gb[l]!;
        }
      }
      for (let k = 0; k < p; k++) for (let l = 0; l < k; l++) H[l * p + k] = H[k * p + l]!;
    },
  };
}
