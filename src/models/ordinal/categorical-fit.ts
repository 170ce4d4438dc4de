/** What fits of counted and ordered responses have in common. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import type { Estimate } from "../../result/result.ts";
import type { Fit } from "../fit.ts";
import type { VarianceComponent } from "../random/random.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { ThresholdKind } from "./thresholds.ts";

/** Of a cumulative link model, with or without random effects. */
export interface CumulativeLinkFit<K extends string> extends Fit<K> {
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly confidence: number;
  /** Categories that occur, in order. */
  readonly levels: readonly string[];
  /** Parameters of the thresholds, with R's names; `coefficients` are those of the location. */
  readonly thresholds: readonly Estimate[];
  /** The thresholds themselves: τ_j between levels j and j + 1. */
  readonly cuts: Float64Array;
  /** Covariance of all fixed parameters: thresholds, then coefficients. */
  readonly parameterVcov: Matrix;
  /** Columns of the design that have a coefficient. */
  readonly kept: Int32Array;
}

export interface LaplaceOptions {
  /** Points of adaptive quadrature, for one scalar random effect; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number;
  /** θ, then the fixed parameters, to begin the search with. */
  readonly start?: Float64Array;
}

/** Of a mixed model whose random effects are integrated out by Laplace's method or by quadrature. */
export interface LaplaceFit<K extends string> extends Fit<K> {
  readonly nAGQ: number;
  readonly confidence: number;
  /** Covariance factors on the scale of the linear predictor, in lme4's order, and their names; NaN where separated data say
   *  nothing about them. */
  readonly theta: Float64Array;
  readonly thetaNames: readonly string[];
  /** In the order of θ. */
  readonly variances: readonly VarianceComponent[];
  /** Conditional modes and their conditional SDs: one matrix, levels × columns, per block of design.random. */
  readonly modes: readonly Matrix[];
  readonly modeSds: readonly Matrix[];
  readonly groups: readonly { readonly group: string; readonly levels: number }[];
  readonly kept: Int32Array;
  readonly singular: boolean;
  /** Relative gradient, condition number of the Hessian (NaN where there is no maximum), and evaluations. */
  readonly optimum: { readonly gradient: number; readonly condition: number; readonly evaluations: number };
}
