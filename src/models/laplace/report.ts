/** What a fit by Laplace's method reports beside its estimates: modes of the random effects, how sure the maximum is, and which
 *  variances separated data leave unknown.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1): Var(b | y) ≈ ΛH⁻¹Λ'.
 *  Oracle:    ranef() of ordinal and lme4 (R). */

import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { FieldsOf, Fit } from "../fit.ts";
import { randomJson, singularDiagnostics } from "../random/parts.ts";
import { type RandomStructure, relativeFactor, type VarianceComponent, varianceComponents } from "../random/random.ts";
import type { LaplaceState } from "./laplace.ts";
import type { LaplaceSolution } from "./solve.ts";
/** b = Λu and its conditional SDs: one matrix, levels × columns, per block of the design; at the state's last evaluation
 *  with a gradient. */
export function modesOf(
  { system, u }: LaplaceState,
  theta: Float64Array,
): { readonly modes: readonly Matrix[]; readonly modeSds: readonly Matrix[] } {
  const { structure, start, factor: inverse } = system;
  const modes: Matrix[] = [];
  const modeSds: Matrix[] = [];
  structure.terms.forEach(({ block, levels, size: q }, t) => {
    const T = relativeFactor(structure, theta, t).data;
    const b = zeros(levels, q);
    const sd = zeros(levels, q);
    for (let l = 0; l < levels; l++) {
      const at = start[t]! + l * q;
      for (let r = 0; r < q; r++) {
        let variance = 0;
        for (let c = 0; c <= r; c++) {
          b.data[l + r * levels]! += T[r + c * q]! * u[at + c]!;
          for (let d = 0; d <= r; d++) variance += T[r + c * q]! * T[r + d * q]! * inverse.inverseEntry(at + c, at + d);
        }
        sd.data[l + r * levels] = Math.sqrt(Math.max(0, variance));
      }
    }
    modes[block] = b;
    modeSds[block] = sd;
  });
  return { modes, modeSds };
}

/** Beyond this the Hessian's inverse has lost half of its digits. */
const ILL_CONDITIONED = 1e8;

/** `separated`: estimates run off to infinity, which has been said and explains whatever the optimum looks like. */
export function optimumDiagnostics(
  structure: RandomStructure,
  solution: LaplaceSolution,
  separated: boolean,
): Diagnostic[] {
  if (separated) {
    const theta = knownTheta(structure, solution);
    return [...unknownDiagnostics(structure, theta), ...singularDiagnostics(structure, theta, 1)];
  }
  const out = singularDiagnostics(structure, solution.theta, 1);
  if (!solution.converged) {
    out.push(
      warning(
        "NotConverged",
        `the search stopped at a point that is not surely a maximum (relative gradient ${formatNumber(solution.gradient)}).`,
        "Rescale covariates with large values, or leave random slopes out; do not report these estimates.",
      ),
    );
  } else if (!solution.definite && !Number.isNaN(solution.condition)) {
    out.push(
      note(
        "FlatLikelihood",
        "some combination of the parameters hardly changes the likelihood; their single values are uncertain.",
        "Look at likelihood-ratio tests rather than standard errors, or simplify the random part.",
      ),
    );
  } else if (solution.condition > ILL_CONDITIONED) {
    out.push(
      note(
        "IllConditioned",
        `the Hessian has the condition number ${formatNumber(solution.condition)}.`,
        "Rescale covariates with large values: standard errors may have few correct digits.",
      ),
    );
  }
  return out;
}

/** An element of θ whose SE would be this many latent units, were all others known, cannot be estimated. */
const UNBOUNDED = 1000;

/** θ of separated data, with NaN where the likelihood is the same whatever its value: the search then left it where it began. */
export function knownTheta({ lower }: RandomStructure, { theta, hessian }: LaplaceSolution): Float64Array {
  return theta.map((value, k) => {
    const onBoundary = lower[k] === 0 && value === 0;
    return onBoundary || Math.abs(hessian.data[k * (hessian.rows + 1)]!) * UNBOUNDED ** 2 > 1 ? value : Number.NaN;
  });
}

function unknownDiagnostics(structure: RandomStructure, theta: Float64Array): Diagnostic[] {
  const unknown = varianceComponents(structure, theta, 1).flatMap(({ group, names, sd }) =>
    names.filter((_, i) => Number.isNaN(sd[i]!)).map((name) => `${name} between levels of ${group}`),
  );
  if (unknown.length === 0) return [];
  return [
    warning(
      "NoInformation",
      `the variance of ${unknown.join(", ")} is undefined: the fixed effects predict all responses that it could show in, so that the likelihood is the same whatever its value.`,
      "Remove the separation first; until then leave the random term out.",
    ),
  ];
}

/** Separated data leave estimates infinite or undefined. */
export function refuseInfinite(parameters: Readonly<Record<string, ArrayLike<number>>>): void {
  for (const [name, values] of Object.entries(parameters)) {
    const at = Array.from(values).findIndex((value) => !Number.isFinite(value));
    if (at < 0) continue;
    const message = `${name}[${at}] is ${values[at]}, not finite: nothing can be simulated from it.`;
    throw new StatError("NotFinite", message, `Give ${name} of your own, or simulate from a fit that has a maximum.`);
  }
}

export interface LaplaceOptions {
  /** Points of adaptive quadrature, for one scalar random effect; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number | undefined;
  /** θ, then the fixed parameters, to begin the search with. */
  readonly start?: Float64Array | undefined;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
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
