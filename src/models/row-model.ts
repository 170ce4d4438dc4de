/** What the Laplace approximation needs to know of a response: the log-likelihood of each row as a function of its linear
 *  predictor η and of the fixed parameters φ, and its derivatives. All arrays have one element per row and are overwritten. */
export interface RowModel {
  readonly rows: number;
  /** Number of fixed parameters φ. */
  readonly fixedCount: number;
  /** Part of η that φ and the offset give. */
  readonly eta0: Float64Array;
  /** ℓ of each row but for `constant`, the part of Σℓ that no parameter changes. */
  readonly value: Float64Array;
  readonly constant: number;
  /** ∂ℓ/∂η and -∂²ℓ/∂η². */
  readonly score: Float64Array;
  readonly weight: Float64Array;
  /** The information that stands in the determinant, and its derivative by η. The first is `weight` itself unless the
   *  expected information is used. */
  readonly information: Float64Array;
  readonly informationSlope: Float64Array;
  /** Fills eta0; false where φ is outside the parameter space. */
  setFixed(phi: Float64Array): boolean;
  /** Σℓ at η (constant included), with value, score and weight; not finite outside the domain. */
  likelihood(eta: Float64Array): number;
  /** information and informationSlope at the η of the last call of likelihood(), which must have been finite. */
  differentiate(eta: Float64Array): void;
  /** g[at + k] += Σ_i l_i ∂ℓ_i/∂φ_k, after differentiate(). */
  addScoreTo(g: Float64Array, at: number, l: Float64Array): void;
  /** g[at + k] -= ½ Σ_i (h_i ∂information_i/∂φ_k + r_i ∂score_i/∂φ_k) at fixed η, after differentiate(). */
  addCurvatureTo(g: Float64Array, at: number, h: Float64Array, r: Float64Array): void;
}
