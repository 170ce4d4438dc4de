/** Laplace approximation of the log-likelihood of a generalised mixed model, with its analytic gradient.
 *
 *      L(θ, φ) = Σ_i ℓ_i(η_i(û)) - ½û'û - ½ log|H|,   H = Λ'Z'DZΛ + I,   û = argmax Σℓ_i(η_i(u)) - ½u'u
 *
 *  D is the observed information -ℓ'' (cumulative links, canonical links), or the expected one where the model says so.
 *  û by Newton's method with step halving; ℓ is concave in η for every model here, so that it cannot fail but for overflow.
 *  Gradient, by implicit differentiation of Λ'Z's(û) = û (s = ℓ'), with h_i = z_i'ΛH⁻¹Λ'z_i from the entries of H⁻¹ at hand,
 *  a = H_obs⁻¹Λ'Z'(h ∘ D') and r = ZΛa:
 *      ∂L/∂φ = Σ ∂ℓ_i/∂φ - ½ Σ (h_i ∂D_i/∂φ + r_i ∂s_i/∂φ),
 *      ∂L/∂θ_k = Σ_i z_i[row] (e_i u[col] - ½ s_i a[col] - D_i (H⁻¹Λ'z_i)[col]),   e = s - ½ h∘D' + ½ r∘W.
 *  Reference: Tierney & Kadane (1986), J. Am. Stat. Assoc. 81; Bates et al. (2015), section 2; Skaug & Fournier (2006),
 *             Comput. Stat. Data Anal. 51, on the gradient.
 *  Oracle:    ordinal::clmm and lme4::glmer (R), oracle/r/ordinal.json, oracle/r/glmm.json; extrapolated differences for the gradient.
 *  Limits:    an approximation: few, binary observations per level bias variances downwards; see quadrature.ts. */

import type { RowModel } from "../row-model.ts";
import { type LaplaceSystem, predictorInto, setTheta, transposedInto } from "./system.ts";

export interface LaplaceState {
  readonly system: LaplaceSystem;
  readonly model: RowModel;
  /** Conditional modes at the last parameters: the warm start of the next ones. */
  readonly u: Float64Array;
  readonly eta: Float64Array;
  /** Whether system.factor holds H at these modes or at earlier ones. */
  factored: boolean;
  /** Squared error of the modes, per row, that is small enough. */
  precision: number;
  readonly work: LaplaceWork;
}

export interface LaplaceWork {
  readonly trial: Float64Array;
  readonly step: Float64Array;
  readonly gradient: Float64Array;
  readonly a: Float64Array;
  readonly h: Float64Array;
  readonly r: Float64Array;
  readonly v: Float64Array;
  readonly ones: Float64Array;
  /** H⁻¹Λ'z_i on the columns of row i. */
  readonly m: Float64Array;
  readonly phi: Float64Array;
  /** One number for each column of a row. */
  readonly f: Float64Array;
}

export function makeLaplaceState(system: LaplaceSystem, model: RowModel): LaplaceState {
  const n = system.rows;
  const room = (k: number): Float64Array => new Float64Array(k);
  return {
    system,
    model,
    u: room(system.size),
    eta: room(n),
    factored: false,
    precision: EXACT,
    work: {
      trial: room(system.size),
      step: room(system.size),
      gradient: room(system.size),
      a: room(system.size),
      h: room(n),
      r: room(n),
      v: room(n),
      ones: room(n).fill(1),
      m: room(n * system.width),
      phi: room(model.fixedCount),
      f: room(system.width),
    },
  };
}

/** Newton's decrement δ'Hδ, per row, at which û is exact to rounding: differences of the gradient need all of its digits. */
export const EXACT = 1e-31;
/** Enough for a search: the gradient is right to about 1e-11 of a row's share. */
export const CLOSE = 1e-24;
/** Decrement per random effect below which the factor at hand, of an earlier u or even of earlier parameters, is tried again:
 *  a factor costs about as much as a likelihood, so that only fast convergence pays. */
const NEAR = 1e-5;
/** An old factor is given up when a step with it leaves more than this share of the decrement. */
const SLOW = 1e-5;
/** A start far from the mode takes about ten steps; the rest is for halvings at extreme parameters. */
const MAX_STEPS = 60;
const MAX_HALVINGS = 30;
/** Relative rounding of a sum of log-likelihoods. */
const ROUNDING = 1e-13;

/** û at (θ, φ), with H_obs factored there. Returns Σℓ - ½û'û, or NaN where there is none.
 *  Near the mode, and where the parameters have moved little, steps are taken with an old factor; the last point gets its own. */
export function findModes(state: LaplaceState, psi: Float64Array): number {
  const { system, model, u, work } = state;
  const count = system.structure.term.length;
  for (let k = 0; k < model.fixedCount; k++) work.phi[k] = psi[count + k]!;
  if (!model.setFixed(work.phi)) return Number.NaN;
  setTheta(system, psi);
  let value = penalized(state, u);
  if (!Number.isFinite(value)) {
    u.fill(0);
    value = penalized(state, u);
    if (!Number.isFinite(value)) return Number.NaN;
  }
  const exact = state.precision * system.rows;
  let fresh = false;
  let last = Number.NaN;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (!state.factored) {
      if (!factorAtModes(state)) return Number.NaN;
      fresh = true;
      last = Number.NaN;
    }
    const decrement = newtonStepInto(state);
    if (decrement <= exact) return fresh || factorAtModes(state) ? value : Number.NaN;
    const share = decrement / last;
    if (!fresh && (share > SLOW || decrement > NEAR * u.length)) {
      state.factored = false;
      continue;
    }
    const next = advance(state, value, fresh ? MAX_HALVINGS : 0);
    if (!Number.isFinite(next)) {
      // no step helps: an old factor misled it, or the gain it promised is rounding
      penalized(state, u);
      state.factored = fresh;
      if (!fresh) continue;
      return decrement <= ROUNDING * Math.max(1, Math.abs(value)) ? value : Number.NaN;
    }
    value = next;
    // Newton's method squares the error, an old factor shrinks it as in the step before
    const left = fresh ? decrement * decrement : decrement * share;
    if (left <= exact) return factorAtModes(state) ? value : Number.NaN;
    state.factored = decrement <= NEAR * u.length;
    fresh = false;
    last = decrement;
  }
  return Number.NaN;
}

/** H_obs at the η of the last likelihood; false where it is not positive definite. */
function factorAtModes(state: LaplaceState): boolean {
  const { system, model } = state;
  state.factored = system.factor.factor(model.weight);
  return state.factored;
}

/** step ← H⁻¹(Λ'Z's - u) with the factor at hand; returns step'gradient. */
function newtonStepInto({ system, model, u, work }: LaplaceState): number {
  transposedInto(work.gradient, system, model.score);
  for (let j = 0; j < u.length; j++) work.gradient[j]! -= u[j]!;
  work.step.set(work.gradient);
  system.factor.solveInto(work.step);
  let decrement = 0;
  for (let j = 0; j < u.length; j++) decrement += work.step[j]! * work.gradient[j]!;
  return decrement;
}

/** u + step, halved until the penalised log-likelihood does not fall; -∞ if it always does (u is then as before). */
function advance(state: LaplaceState, value: number, halvings: number): number {
  const { u, work } = state;
  let length = 1;
  for (let tries = 0; tries <= halvings; tries++) {
    for (let j = 0; j < u.length; j++) work.trial[j] = u[j]! + length * work.step[j]!;
    const next = penalized(state, work.trial);
    if (next >= value - ROUNDING * Math.max(1, Math.abs(value))) {
      u.set(work.trial);
      return next;
    }
    length /= 2;
  }
  return Number.NEGATIVE_INFINITY;
}

function penalized({ system, model, eta }: LaplaceState, u: Float64Array): number {
  predictorInto(eta, system, model.eta0, u);
  let square = 0;
  for (let j = 0; j < u.length; j++) square += u[j]! * u[j]!;
  return model.likelihood(eta) - 0.5 * square;
}

/** Laplace log-likelihood at ψ = (θ, φ), NaN outside the parameter space; fills `gradient` if given. */
export function laplaceLogLik(state: LaplaceState, psi: Float64Array, gradient?: Float64Array): number {
  const { system, model, eta } = state;
  const value = findModes(state, psi);
  if (Number.isNaN(value)) return value;
  const canonical = model.information === model.weight;
  if (!canonical || gradient !== undefined) model.differentiate(eta);
  const F = canonical ? system.factor : system.other;
  if (!canonical && !F.factor(model.information)) return Number.NaN;
  const logLik = value - 0.5 * F.logDet();
  if (gradient !== undefined) {
    F.leveragesInto(state.work.h, state.work.m);
    gradientInto(state, gradient);
  }
  return logLik;
}

function gradientInto(state: LaplaceState, gradient: Float64Array): void {
  const { system, model, work } = state;
  const { h, v, a, r, ones } = work;
  const count = system.structure.term.length;
  for (let i = 0; i < v.length; i++) v[i] = h[i]! * model.informationSlope[i]!;
  transposedInto(a, system, v);
  system.factor.solveInto(a);
  projectInto(r, system, a);
  gradient.fill(0);
  model.addScoreTo(gradient, count, ones);
  model.addCurvatureTo(gradient, count, h, r);
  for (let i = 0; i < v.length; i++) v[i] = model.score[i]! - 0.5 * v[i]! + 0.5 * r[i]! * model.weight[i]!;
  addThetaGradient(state, gradient, v, model.information);
}

/** r = ZΛa. */
export function projectInto(r: Float64Array, { rows, width, column, zl }: LaplaceSystem, a: Float64Array): void {
  for (let i = 0, at = 0; i < rows; i++) {
    let s = 0;
    for (let k = 0; k < width; k++, at++) s += zl[at]! * a[column[at]!]!;
    r[i] = s;
  }
}

/** gradient[k] += Σ_i z_i[row] (e_i u[col] - ½ s_i a[col] - D_i m_i[col]). */
export function addThetaGradient(
  { system, model, u, work }: LaplaceState,
  gradient: Float64Array,
  e: Float64Array,
  D: Float64Array,
): void {
  const { rows, width, structure, place, column, z } = system;
  const { a, m, f } = work;
  const count = structure.term.length;
  const from = structure.term.map((t, k) => place[t]! + structure.row[k]!);
  const to = structure.term.map((t, k) => place[t]! + structure.col[k]!);
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const ei = e[i]!;
    const si = 0.5 * model.score[i]!;
    for (let k = 0; k < width; k++) {
      const c = column[at + k]!;
      f[k] = ei * u[c]! - si * a[c]! - D[i]! * m[at + k]!;
    }
    for (let k = 0; k < count; k++) gradient[k]! += z[at + from[k]!]! * f[to[k]!]!;
  }
}
