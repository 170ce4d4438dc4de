/** What fits of counted and ordered responses have in common, and their JSON. */

import type { Matrix } from "../../numeric/linalg/matrix.ts";
import type { Estimate } from "../../result/result.ts";
import type { FieldsOf, Fit } from "../fit.ts";
import { fitJson, type ProfileJson } from "../json.ts";
import { randomJson } from "../random/parts.ts";
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

/** A threshold between two categories, `1|2`. */
export interface ThresholdJson {
  readonly name: string;
  readonly estimate: number;
  readonly se: number;
}

/** Of a cumulative link model. */
export interface CumulativeLinkJson {
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly levels: readonly string[];
  readonly thresholds: readonly ThresholdJson[];
  /** Where likelihoods were profiled. */
  readonly profile?: readonly ProfileJson[];
}

export function cumulativeLinkJson<K extends string>(fit: FieldsOf<CumulativeLinkFit<K>>) {
  return {
    ...fitJson(fit),
    deviance: -2 * fit.logLik,
    link: fit.link,
    threshold: fit.threshold,
    levels: fit.levels,
    thresholds: fit.thresholds.map(({ name, value, se }) => ({ name, estimate: value, se })),
  };
}

/** Of a mixed model of which the random effects are integrated out: `Laplace` or `AGQ (9 points)`. */
export function laplaceJson<K extends string>(fit: FieldsOf<LaplaceFit<K>>) {
  return {
    method: fit.nAGQ > 1 ? `AGQ (${fit.nAGQ} points)` : "Laplace",
    theta: Array.from(fit.theta),
    thetaNames: fit.thetaNames,
    random: randomJson(fit.variances),
    singular: fit.singular,
    optimum: fit.optimum,
  };
}
