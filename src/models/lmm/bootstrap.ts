/** Parametric bootstrap intervals for every parameter of a linear mixed model.
 *
 *      y* = Xβ̂ + offset + Zb* + ε*,   b*_level ~ N(0, σ̂²TT'),  ε* ~ N(0, σ̂²/w);   refit, t* = parameter of y*
 *      percentile  (t*_(α/2), t*_(1-α/2))          basic  (2t - t*_(1-α/2), 2t - t*_(α/2))
 *
 *  Replicate i draws from rng.stream(i) alone, so that the answer does not depend on where or in which order it is made.
 *  Quantiles at (R + 1)α, between two replicates interpolated on the normal scale.
 *  Reference: Davison & Hinkley (1997), Bootstrap Methods and their Application, ch. 2 and eq. 5.8 (interpolation).
 *  Oracle:    confint(fit, method = "boot") of lme4 (R) uses the same quantiles; coverage of the truth and closed forms in the tests.
 *  Limits:    the model is taken as true; correlations of refits with an SD of 0 are undefined and left out. */

import type { Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { summariseReplicates } from "../../resample/intervals.ts";
import { checkReplicates, drawRows } from "../../resample/replicates.ts";
import { checkConfidence } from "../../result/error.ts";
import type { DrawKeeper } from "../../run/task.ts";
import { singularTerms, varianceComponents } from "../random/random.ts";
import { type LmmFit, reopenLmm } from "./lmm.ts";
import type { LmmProblem } from "./problem.ts";
import { simulateInto } from "./simulate.ts";
import { type LmmSolution, solveLmm } from "./solve.ts";

export interface BootstrapInterval {
  /** As in profileLmm. */
  readonly name: string;
  readonly estimate: number;
  readonly percentile: readonly [lower: number, upper: number];
  readonly basic: readonly [lower: number, upper: number];
  /** Mean and SD of the replicates. */
  readonly mean: number;
  readonly se: number;
  /** Replicates in which the parameter is defined. */
  readonly used: number;
}

export interface LmmBootstrap {
  readonly intervals: readonly BootstrapInterval[];
  readonly replicates: number;
  readonly singular: number;
  readonly notConverged: number;
  /** Row i: the parameters of replicate i; NaN where undefined or where the refit did not converge. */
  readonly values: readonly Float64Array[];
}

export interface BootstrapOptions {
  readonly replicates?: number | undefined;
  readonly confidence?: number | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Keeps replicates from one run to the next. */
  readonly keeper?: DrawKeeper | undefined;
}

const REPLICATES = 1000;

const BOOTSTRAP_INTERVALS_OPTIONS = {
  replicates: true,
  confidence: true,
  onProgress: true,
  keeper: true,
} as const satisfies Record<keyof BootstrapOptions, true>;

/** Parametric bootstrap intervals of every parameter, from a fit alone. */
export function bootstrapIntervals(fit: LmmFit, rng: Rng, options: BootstrapOptions = {}): LmmBootstrap {
  refuseUnknownNames("bootstrapIntervals", options, BOOTSTRAP_INTERVALS_OPTIONS);
  const { problem, solution } = reopenLmm(fit);
  const { keeper, ...rest } = options;
  const kept = keeper && { keeper, params: dependencies(fit) };
  return bootstrapLmm(problem, solution, { confidence: fit.confidence, ...rest, kept, rng });
}

/** All that a replicate depends on, beside its stream: the data and the model, and as a further check what was estimated. */
function dependencies({ signature, theta, residualSd, coefficients, logLik }: LmmFit): Record<string, unknown> {
  const { options, data } = signature;
  const estimates = [logLik, residualSd, ...theta, ...coefficients.map(({ value }) => value)];
  return { options, data, estimates: estimates.map(String) };
}

type LmmBootstrapOptions = Omit<BootstrapOptions, "keeper"> & {
  readonly rng: Rng;
  readonly kept?: { readonly keeper: DrawKeeper; readonly params: Readonly<Record<string, unknown>> } | undefined;
};

export function bootstrapLmm(
  problem: LmmProblem,
  solution: LmmSolution,
  { rng, replicates = REPLICATES, confidence = 0.95, onProgress, kept }: LmmBootstrapOptions,
): LmmBootstrap {
  checkOptions(replicates, confidence);
  const names = parameterNames(problem);
  const y = new Float64Array(problem.design.y.length);
  const rows = drawRows(
    { replicates, rng, onProgress, keeper: kept?.keeper },
    {
      scenario: "bootstrap of a linear mixed model",
      params: kept?.params ?? {},
      width: names.length + 2,
      sound: ([usable, singular, ...values]) =>
        isFlag(usable) &&
        isFlag(singular) &&
        canBe(values, names.slice(0, problem.structure.term.length), usable === 1),
      draw(stream) {
        simulateInto(y, problem, solution, stream);
        const refit = solveLmm(problem, y, { start: startFrom(solution.theta, problem) });
        const usable = refit.converged && Number.isFinite(refit.objective);
        const singular = singularTerms(problem.structure, refit.theta).length > 0;
        const values = usable ? parameterValues(problem, refit) : new Float64Array(names.length).fill(Number.NaN);
        return Float64Array.of(Number(usable), Number(singular), ...values);
      },
    },
  );
  const notConverged = rows.filter(([usable]) => usable === 0).length;
  const singular = rows.filter(([, own]) => own === 1).length;
  const values = rows.map((row) => row.subarray(2));
  const estimates = parameterValues(problem, solution);
  const intervals = names.map((name, k) => {
    const estimate = estimates[k]!;
    const own = Float64Array.from(values, (row) => row[k]!);
    const { mean, sd, lower, upper, used } = summariseReplicates(own, confidence);
    const basic = [2 * estimate - upper, 2 * estimate - lower] as const;
    return { name, estimate, percentile: [lower, upper] as const, basic, mean, se: sd, used };
  });
  return { intervals, replicates, singular, notConverged, values };
}

const isFlag = (value: number | undefined): boolean => value === 0 || value === 1;

/** SDs are not negative, correlations lie within ±1, coefficients are finite; a correlation may be undefined. */
function canBe(values: readonly number[], random: readonly string[], usable: boolean): boolean {
  if (!usable) return values.every(Number.isNaN);
  return values.every((value, k) => {
    if (random[k]?.startsWith("cor_")) return Number.isNaN(value) || Math.abs(value) <= 1 + ROUNDING;
    return k <= random.length ? value >= 0 : !Number.isNaN(value);
  });
}

const ROUNDING = 1e-9;

function checkOptions(replicates: number, confidence: number): void {
  checkReplicates(replicates);
  checkConfidence(confidence);
}

/** An SD of 0 is a saddle of the criterion: a refit starts a little above it. */
const LEAST_START = 0.1;

function startFrom(theta: Float64Array, { structure }: LmmProblem): Float64Array {
  return theta.map((value, k) => (structure.lower[k] === 0 ? Math.max(value, LEAST_START) : value));
}

function parameterNames({ structure, design, kept }: LmmProblem): string[] {
  const random = Array.from(structure.term, (t, k) => {
    const { names, group } = structure.terms[t]!;
    const [row, col] = [names[structure.row[k]!]!, names[structure.col[k]!]!];
    return structure.row[k] === structure.col[k] ? `sd_${col}|${group}` : `cor_${row}.${col}|${group}`;
  });
  return [...random, "sigma", ...Array.from(kept, (j) => design.names[j]!)];
}

function parameterValues({ structure }: LmmProblem, { theta, sigma, beta }: LmmSolution): Float64Array {
  const components = varianceComponents(structure, theta, sigma);
  const random = Array.from(structure.term, (t, k) => {
    const { sd, corr } = components[t]!;
    const [row, col] = [structure.row[k]!, structure.col[k]!];
    return row === col ? sd[row]! : corr.data[row + col * sd.length]!;
  });
  return Float64Array.from([...random, sigma, ...beta]);
}
