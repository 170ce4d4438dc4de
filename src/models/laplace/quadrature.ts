/** Adaptive Gauss-Hermite quadrature of the likelihood of a model with one scalar random effect, with its analytic gradient.
 *
 *      L = Σ_g log ∫ exp(Σ_{i∈g} ℓ_i(η0_i + θz_iu)) φ(u) du ≈ Σ_g log Σ_k w_k e^{x_k²} √2 τ_g exp(ℓ_g(u_gk) - u_gk²/2)/√(2π),
 *      u_gk = û_g + √2 τ_g x_k,  τ_g = H_g^{-1/2}.
 *  One node is the Laplace approximation. The nodes move with the parameters: with p_gk the share of node k in its group and
 *  q_gk = ∂(ℓ_g - u²/2)/∂u there, the gradient is that of ℓ at the nodes, weighted by p, plus
 *      Σ_g (c_g dû_g + (1 + d_g) d log τ_g),   c_g = Σ_k p_gk q_gk,  d_g = Σ_k p_gk q_gk √2 τ_g x_k,
 *  where dû and d log τ = -½ dH/H are those of the Laplace approximation (laplace.ts).
 *  Reference: Pinheiro & Bates (1995), J. Comput. Graph. Stat. 4(1); Liu & Pierce (1994), Biometrika 81(3).
 *  Oracle:    lme4 (R): glmer(nAGQ = 9, 25); ordinal (R): clmm(nAGQ = 10); extrapolated differences for the gradient.
 *  Limits:    one random term with one column. */
import { gaussHermite } from "../../numeric/gauss.ts";
import { addThetaGradient, findModes, type LaplaceState } from "./laplace.ts";
import { type LaplaceSystem, predictorInto } from "./system.ts";

export interface AgqRule {
  /** √2 x_k. */
  readonly nodes: Float64Array;
  /** log(w_k e^{x_k²}/√π). */
  readonly logWeights: Float64Array;
}

export function makeAgqRule(points: number): AgqRule {
  const { nodes, weights } = gaussHermite(points, "physicist");
  return {
    nodes: Float64Array.from(nodes, (x) => Math.SQRT2 * x),
    logWeights: Float64Array.from(weights, (w, k) => Math.log(w) + nodes[k]! ** 2 - 0.5 * Math.log(Math.PI)),
  };
}

interface Nodes {
  readonly rule: AgqRule;
  /** û and τ of each group. */
  readonly modes: Float64Array;
  readonly tau: Float64Array;
  /** p and q of node k of group g at g + k·groups. */
  readonly share: Float64Array;
  readonly pull: Float64Array;
}

/** Log-likelihood at ψ = (θ, φ), NaN outside the parameter space; fills `gradient` if given. */
export function agqLogLik(state: LaplaceState, rule: AgqRule, psi: Float64Array, gradient?: Float64Array): number {
  const { system, model, eta, u } = state;
  if (Number.isNaN(findModes(state, psi))) return Number.NaN;
  const groups = system.size;
  const points = rule.nodes.length;
  model.differentiate(eta);
  // one scalar effect: H is diagonal
  const tau = groupSums(system, model.information).map((sum) => 1 / Math.sqrt(1 + sum));
  const room = (): Float64Array => new Float64Array(groups * points);
  const nodes: Nodes = { rule, modes: u.slice(), tau, share: room(), pull: room() };
  for (let k = 0; k < points; k++) visitNode(state, nodes, k);
  let total = model.constant;
  for (let g = 0; g < groups; g++) total += normalizeShares(nodes, g) + Math.log(tau[g]!);
  if (gradient !== undefined) gradientInto(state, nodes, gradient);
  return total;
}

/** Σ_{i∈g} (θz_i)² v_i. */
function groupSums({ rows, size, column, zl }: LaplaceSystem, v: Float64Array): Float64Array {
  const out = new Float64Array(size);
  for (let i = 0; i < rows; i++) out[column[i]!]! += zl[i]! * zl[i]! * v[i]!;
  return out;
}

/** All rows at node k of their groups. */
function goToNode({ system, model, eta, u }: LaplaceState, { rule, modes, tau }: Nodes, k: number): void {
  for (let g = 0; g < u.length; g++) u[g] = modes[g]! + rule.nodes[k]! * tau[g]!;
  predictorInto(eta, system, model.eta0, u);
  model.likelihood(eta);
}

/** share ← log of the term of node k, pull ← q. */
function visitNode(state: LaplaceState, nodes: Nodes, k: number): void {
  const { system, model, u } = state;
  goToNode(state, nodes, k);
  const at = k * system.size;
  for (let g = 0; g < system.size; g++) {
    nodes.share[at + g] = nodes.rule.logWeights[k]! - 0.5 * u[g]! * u[g]!;
    nodes.pull[at + g] = -u[g]!;
  }
  for (let i = 0; i < system.rows; i++) {
    nodes.share[at + system.column[i]!]! += model.value[i]!;
    nodes.pull[at + system.column[i]!]! += system.zl[i]! * model.score[i]!;
  }
}

/** Logarithms of terms to shares of their sum; returns the logarithm of that. */
function normalizeShares({ share, modes, rule }: Nodes, g: number): number {
  const groups = modes.length;
  const points = rule.nodes.length;
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < points; k++) largest = Math.max(largest, share[g + k * groups]!);
  let sum = 0;
  for (let k = 0; k < points; k++) sum += Math.exp(share[g + k * groups]! - largest);
  for (let k = 0; k < points; k++) share[g + k * groups] = Math.exp(share[g + k * groups]! - largest) / sum;
  return largest + Math.log(sum);
}

function gradientInto(state: LaplaceState, nodes: Nodes, gradient: Float64Array): void {
  const { system, model, eta, u, work } = state;
  const { rule, modes, tau, share, pull } = nodes;
  const groups = system.size;
  const c = new Float64Array(groups);
  const d = new Float64Array(groups).fill(1);
  gradient.fill(0);
  for (let k = 0; k < rule.nodes.length; k++) {
    goToNode(state, nodes, k);
    for (let g = 0; g < groups; g++) {
      const weighted = share[g + k * groups]! * pull[g + k * groups]!;
      c[g]! += weighted;
      d[g]! += weighted * rule.nodes[k]! * tau[g]!;
    }
    for (let i = 0; i < system.rows; i++) {
      const g = system.column[i]!;
      work.v[i] = share[g + k * groups]!;
      gradient[0]! += work.v[i]! * model.score[i]! * system.z[i]! * u[g]!;
    }
    model.addScoreTo(gradient, 1, work.v);
  }
  u.set(modes);
  predictorInto(eta, system, model.eta0, u);
  model.likelihood(eta);
  model.differentiate(eta);
  addModeGradient(state, gradient, { tau, c, d });
}

/** What moves the nodes: Σ_g (c_g dû_g + d_g d log τ_g), d_g with its 1. */
function addModeGradient(
  state: LaplaceState,
  gradient: Float64Array,
  { tau, c, d }: { tau: Float64Array; c: Float64Array; d: Float64Array },
): void {
  const { system, model, work } = state;
  const { h, r, a, m, v } = work;
  const { rows, column, zl, size } = system;
  const precision = groupSums(system, model.weight);
  for (let g = 0; g < size; g++) a[g] = -2 * c[g]!;
  for (let i = 0; i < rows; i++) {
    const g = column[i]!;
    m[i] = zl[i]! * tau[g]! * tau[g]!;
    h[i] = d[g]! * zl[i]! * m[i]!;
    a[g]! += zl[i]! * h[i]! * model.informationSlope[i]!;
  }
  for (let g = 0; g < size; g++) a[g]! /= 1 + precision[g]!;
  for (let i = 0; i < rows; i++) r[i] = zl[i]! * a[column[i]!]!;
  model.addCurvatureTo(gradient, 1, h, r);
  const D = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    v[i] = 0.5 * (r[i]! * model.weight[i]! - h[i]! * model.informationSlope[i]!);
    D[i] = d[column[i]!]! * model.information[i]!;
  }
  addThetaGradient(state, gradient, v, D);
}
