/** Newton steps on ρ = log λ between bounds, from a given fit to the nearest minimum of the criterion.
 *
 *  The Hessian is scaled to a unit diagonal and negative curvatures are turned round; steps are at most MAX_STEP long and halved until
 *  the criterion falls. A parameter at a bound counts as settled while the slope there points outwards.
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §6.2, for steps and their limits. */
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { criterionDerivatives, criterionValue } from "./criterion.ts";
import type { GamDerivatives } from "./derivatives.ts";
import type { GamInner, GamState } from "./inner.ts";
import { fromWorking } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

const MAX_STEP = 4;
/** A penalty with less left than this, and a slope that asks for more λ, is tried at its bound at once. */
const NEARLY_GONE = 0.02;
/** Steps shorter than this are made with the exact Hessian. */
const NEAR = 0.1;
/** Below a step of this share of the one before, the weights' part of the Hessian is kept from there: it hardly moves. */
const CONTRACTION = 0.3;
/** Newton doubles its digits: after an exact step this short, ρ is right to about its square, and with a part that was kept to a
 *  few hundredths of it. */
const LAST_STEPS = { exact: 1e-5, kept: 3e-6, plain: 0 } as const;
/** Curvatures below this share of the diagonal's are flat. */
const FLAT = 1e-9;
/** Changes of the criterion below this share of it are rounding. */
const ROUNDING = 1e-11;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 25;

export interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

interface Descent {
  readonly state: GamState;
  readonly value: number;
  /** Exact, at the state. */
  readonly derivatives: GamDerivatives;
  readonly iterations: number;
  readonly converged: boolean;
}

interface DescentOptions {
  readonly bounds: Bounds;
  readonly onProgress?: ((iteration: number) => void) | undefined;
}

export function descend(
  problem: GamProblem,
  inner: GamInner,
  begin: GamState,
  { bounds, onProgress }: DescentOptions,
): Descent {
  let state = begin;
  const { fixedRho } = problem;
  const free = Array.from(fixedRho.keys()).filter((j) => Number.isNaN(fixedRho[j]!));
  let value = criterionValue(problem, state);
  const lookAt = makeLook(problem, inner);
  // far from the minimum the weights' part of the Hessian is not worth its passes over the rows; GCV and UBRE have several minima
  // more often, and full Newton steps lead to the one that mgcv finds
  let look = lookAt(state, inner.linear || problem.method === "GCV.Cp" ? "exact" : "plain");
  let converged = free.length === 0;
  let iterations = 0;
  let last = Number.POSITIVE_INFINITY;
  while (!converged && iterations < MAX_ITERATIONS) {
    onProgress?.(iterations);
    iterations += 1;
    const { rho } = state;
    const { kind, derivatives } = look;
    const moving = free.filter((j) => !isHeld(rho[j]!, derivatives.gradient[j]!, bounds, j));
    const plan = planStep(rho, moving, { derivatives, bounds });
    const next: Tried | undefined =
      moving.length === 0 ? undefined : tryStep(problem, inner, { state, value, derivatives }, plan);
    if (next === undefined && kind !== "exact") {
      look = lookAt(state, "exact");
      continue;
    }
    if (next === undefined) {
      converged = plan.promise <= 1e3 * ROUNDING * (1 + Math.abs(value)) || last < 1e-2;
      break;
    }
    ({ state, value } = next);
    converged = next.full && next.length < LAST_STEPS[kind];
    const keeps = !inner.linear && next.length < Math.min(NEAR, CONTRACTION * last) && kind !== "plain";
    look = lookAt(state, keeps && !converged ? "kept" : kind === "plain" && next.length >= NEAR ? "plain" : "exact");
    last = next.length;
  }
  const { derivatives } = look.kind === "exact" ? look : lookAt(state, "exact");
  return { state, value, derivatives, iterations, converged };
}

interface Look {
  /** Whether the Hessian has the part of the changing weights, has it from a neighbouring point, or is without. */
  readonly kind: "exact" | "kept" | "plain";
  readonly derivatives: GamDerivatives;
}

function makeLook(problem: GamProblem, inner: GamInner): (state: GamState, kind: Look["kind"]) => Look {
  let part: Float64Array | undefined;
  return (state, kind) => {
    const derivatives = criterionDerivatives(problem, inner, state, { exact: kind === "exact" });
    if (kind === "exact") part = derivatives.weightPart;
    if (kind !== "kept" || part === undefined) return { kind, derivatives };
    const known = part;
    return { kind, derivatives: { ...derivatives, hessian: derivatives.hessian.map((value, i) => value + known[i]!) } };
  };
}

function isHeld(rho: number, slope: number, { lower, upper }: Bounds, j: number): boolean {
  return (rho >= upper[j]! && slope <= 0) || (rho <= lower[j]! && slope >= 0);
}

interface Plan {
  readonly step: Float64Array;
  /** The same with parameters that are nearly gone moved to their bounds. */
  readonly jump: Float64Array | undefined;
  /** What a quadratic criterion would fall by. */
  readonly promise: number;
}

function planStep(
  rho: Float64Array,
  moving: readonly number[],
  { derivatives, bounds }: { derivatives: GamDerivatives; bounds: Bounds },
): Plan {
  const { gradient, hessian, leftover } = derivatives;
  const m = rho.length;
  const f = moving.length;
  const step = new Float64Array(m);
  if (f === 0) return { step, jump: undefined, promise: 0 };
  const scale = Float64Array.from(moving, (j) =>
    Math.sqrt(Math.max(Math.abs(hessian[j * (m + 1)]!), Math.abs(gradient[j]!) / MAX_STEP, 1e-300)),
  );
  const scaled = { rows: f, cols: f, data: new Float64Array(f * f) };
  for (let a = 0; a < f; a++) {
    for (let b = 0; b < f; b++)
      scaled.data[a + b * f] = hessian[moving[a]! + moving[b]! * m]! / (scale[a]! * scale[b]!);
  }
  const { values, vectors } = eigenSymmetric(scaled);
  let promise = 0;
  for (let e = 0; e < f; e++) {
    let along = 0;
    for (let a = 0; a < f; a++) along += (vectors.data[a + e * f]! * gradient[moving[a]!]!) / scale[a]!;
    const curvature = Math.max(Math.abs(values[e]!), FLAT);
    promise += (along * along) / (2 * curvature);
    for (let a = 0; a < f; a++) step[moving[a]!]! -= (along / curvature) * (vectors.data[a + e * f]! / scale[a]!);
  }
  const longest = step.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (longest > MAX_STEP) for (let j = 0; j < m; j++) step[j]! *= MAX_STEP / longest;
  const clip = (move: Float64Array): Float64Array =>
    move.map((value, j) => Math.min(bounds.upper[j]!, Math.max(bounds.lower[j]!, rho[j]! + value)) - rho[j]!);
  const gone = moving.filter((j) => gradient[j]! < 0 && step[j]! > 0 && leftover[j]! < NEARLY_GONE);
  let jump: Float64Array | undefined;
  if (gone.length > 0) {
    jump = step.slice();
    for (const j of gone) jump[j] = bounds.upper[j]! - rho[j]!;
    jump = clip(jump);
  }
  return { step: clip(step), jump, promise };
}

interface Place {
  readonly state: GamState;
  readonly value: number;
  readonly derivatives: GamDerivatives;
}

interface Tried {
  readonly state: GamState;
  readonly value: number;
  /** The longest move of a parameter, and whether it is the whole of the planned one. */
  readonly length: number;
  readonly full: boolean;
}

/** The first point along the plan where the criterion is lower; undefined if there is none. */
function tryStep(
  problem: GamProblem,
  inner: GamInner,
  { state, value, derivatives }: Place,
  { step, jump }: Plan,
): Tried | undefined {
  const slack = ROUNDING * (1 + Math.abs(value));
  const attempt = (move: Float64Array, size: number) => {
    const rho = state.rho.map((r, j) => r + size * move[j]!);
    const next = inner.fit(
      rho,
      predictCoefficients(
        state,
        derivatives,
        move.map((v) => v * size),
      ),
    );
    const found = next === undefined ? Number.NaN : criterionValue(problem, next);
    return { state: next!, value: found };
  };
  if (jump !== undefined) {
    const next = attempt(jump, 1);
    if (next.value <= value + slack) {
      const length = jump.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      return { ...next, length, full: true };
    }
  }
  for (let halvings = 0, size = 1; halvings <= MAX_HALVINGS; halvings++, size /= 2) {
    const next = attempt(step, size);
    if (next.value <= value + (halvings === 0 ? slack : 0)) {
      const length = size * step.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      return { ...next, length, full: halvings === 0 };
    }
  }
  return undefined;
}

/** β + Σ ∂β/∂ρ_j Δρ_j where the move is short; long ones start from β. */
function predictCoefficients(state: GamState, { coefficientSlopes }: GamDerivatives, move: Float64Array): Float64Array {
  const coefficients = state.coefficients.slice();
  if (move.every((v) => Math.abs(v) <= 1)) {
    coefficientSlopes.forEach((slope, j) => {
      for (let i = 0; i < coefficients.length; i++) coefficients[i]! += move[j]! * slope[i]!;
    });
  }
  return fromWorking(coefficients, state.basis);
}
