/** The search for the smoothing parameters: Newton steps on ρ = log λ between bounds.
 *
 *  The Hessian is scaled to a unit diagonal and negative curvatures are turned round; steps are at most MAX_STEP long and halved until
 *  the criterion falls. A term that wants no curvature at all has its best λ at infinity, where the criterion is flat: its ρ is then
 *  moved to an upper bound at which less than LEFTOVER effective degrees of freedom remain, and counts as settled while the slope
 *  there still points outwards. The same holds for a term that wants no penalty.
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §6.2, for steps and their limits. */
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import type { Matrix } from "../numeric/linalg/matrix.ts";
import { criterionDerivatives, criterionValue } from "./gam-criterion.ts";
import type { GamDerivatives } from "./gam-derivatives.ts";
import type { GamInner, GamState } from "./gam-inner.ts";
import { fromWorking } from "./gam-penalty.ts";
import type { GamProblem } from "./gam-problem.ts";

/** Effective degrees of freedom left to a penalty at its upper bound. */
const LEFTOVER = 1e-9;
/** Share of the data's information that a penalty has at its lower bound. */
const LEAST_SHARE = 1e-9;
const MAX_STEP = 4;
/** A penalty with less left than this, and a slope that asks for more λ, is tried at its bound at once. */
const NEARLY_GONE = 0.02;
/** Steps shorter than this are made with the exact Hessian. */
const NEAR = 0.1;
/** Newton doubles its digits: after a step this short, ρ is right to about its square. */
const LAST_STEP = 1e-5;
/** Curvatures below this share of the diagonal's are flat. */
const FLAT = 1e-9;
/** Changes of the criterion below this share of it are rounding. */
const ROUNDING = 1e-11;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 25;
/** Share of the penalised coefficients' edf at the start. */
const START_SHARE = 0.4;
const MOST_POWERS = 30;
/** Diagonal entries of a penalty below this share of its largest are zero. */
const TINY = 2 ** -41.6;

export interface GamOptimum {
  readonly state: GamState;
  readonly value: number;
  readonly derivatives: GamDerivatives;
  readonly iterations: number;
  readonly converged: boolean;
  /** 1 where ρ lies at its upper bound, -1 at its lower one, else 0. */
  readonly edges: Int8Array;
}

export interface SearchOptions {
  readonly onProgress?: (iteration: number) => void;
}

interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export function searchSmoothing(
  problem: GamProblem,
  inner: GamInner,
  { onProgress }: SearchOptions = {},
): GamOptimum | undefined {
  const { fixedRho } = problem;
  const begin = inner.fit(startingRho(problem, inner.startingInformation()));
  if (begin === undefined) return undefined;
  let state: GamState = begin;
  const bounds = makeBounds(problem, state);
  const free = Array.from(fixedRho.keys()).filter((j) => Number.isNaN(fixedRho[j]!));
  let value = criterionValue(problem, state);
  // far from the minimum the weights' part of the Hessian is not worth its passes over the rows; GCV and UBRE have several minima
  // more often, and full Newton steps lead to the one that mgcv finds
  let exact = inner.linear || problem.method === "GCV.Cp";
  let derivatives = criterionDerivatives(problem, inner, state, { exact });
  let converged = free.length === 0;
  let iterations = 0;
  let last = Number.POSITIVE_INFINITY;
  while (!converged && iterations < MAX_ITERATIONS) {
    onProgress?.(iterations);
    iterations += 1;
    const { rho } = state;
    const { gradient } = derivatives;
    const moving = free.filter((j) => !isHeld(rho[j]!, gradient[j]!, bounds, j));
    const plan = planStep(rho, moving, { derivatives, bounds });
    const next: Tried | undefined =
      moving.length === 0 ? undefined : tryStep(problem, inner, { state, value, derivatives }, plan);
    if (next === undefined && !exact) {
      exact = true;
      derivatives = criterionDerivatives(problem, inner, state, { exact });
      continue;
    }
    if (next === undefined) {
      converged = plan.promise <= 1e3 * ROUNDING * (1 + Math.abs(value)) || last < 1e-2;
      break;
    }
    last = next.length;
    ({ state, value } = next);
    exact ||= next.length < NEAR;
    derivatives = criterionDerivatives(problem, inner, state, { exact });
    converged = exact && next.full && next.length < LAST_STEP;
  }
  if (!exact) derivatives = criterionDerivatives(problem, inner, state);
  const edges = Int8Array.from(state.rho, (r, j) =>
    fixedRho[j]! === r ? 0 : r >= bounds.upper[j]! ? 1 : r <= bounds.lower[j]! ? -1 : 0,
  );
  return { state, value, derivatives, iterations, converged, edges };
}

/** Each penalty balances the information of its own coefficients; then all of them by powers of ten, until about START_SHARE of
 *  the penalised coefficients is left. Minima differ where a criterion has several: this is where mgcv starts, too. */
function startingRho({ blocks, fixedRho }: GamProblem, information: Matrix): Float64Array {
  const p = information.rows;
  const data = Float64Array.from({ length: p }, (_, i) => information.data[i * (p + 1)]!);
  const penalty = new Float64Array(p);
  const rho = fixedRho.slice();
  for (const { from, kept, S, firstPenalty } of blocks) {
    S.forEach((matrix, j) => {
      const own = Array.from({ length: matrix.rows }, (_, i) => matrix.data[i * (matrix.rows + 1)]!);
      const most = own.reduce((a, b) => Math.max(a, b), 0);
      const seen = own.map((value, i) => [value, from + kept[i]!] as const).filter(([value]) => value > TINY * most);
      const ratio = seen.reduce((sum, [, at]) => sum + data[at]!, 0) / seen.reduce((sum, [value]) => sum + value, 0);
      const balanced = ratio > 0 ? ratio : 1;
      for (const [value, at] of seen) penalty[at]! += balanced * value;
      if (Number.isNaN(fixedRho[firstPenalty + j]!)) rho[firstPenalty + j] = Math.log(balanced);
    });
  }
  const index = Array.from(penalty.keys()).filter((i) => penalty[i]! > 0 && data[i]! > 0);
  const left = (power: number): number =>
    index.reduce((sum, i) => sum + data[i]! / (data[i]! + 10 ** power * penalty[i]!), 0) / index.length;
  let power = 0;
  while (index.length > 0 && power < MOST_POWERS && left(power) > START_SHARE) power += 1;
  while (index.length > 0 && power > -MOST_POWERS && left(power) < START_SHARE) power -= 1;
  return rho.map((value, j) => (Number.isNaN(fixedRho[j]!) ? value + power * Math.LN10 : value));
}

function makeBounds({ fixedRho }: GamProblem, { basis, information }: GamState): Bounds {
  const lower = new Float64Array(fixedRho.length).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(fixedRho.length).fill(Number.POSITIVE_INFINITY);
  basis.blocks.forEach(({ penalties, block }) => {
    penalties.forEach(({ from, size, S }, j) => {
      let total = 0;
      let least = Number.POSITIVE_INFINITY;
      const biggest = Array.from({ length: size }, (_, i) => S.data[i * (size + 1)]!).reduce(
        (a, b) => Math.max(a, b),
        0,
      );
      for (let i = 0; i < size; i++) {
        const own = S.data[i * (size + 1)]!;
        const data = information.data[(from + i) * (information.rows + 1)]!;
        if (!(own > 1e-14 * biggest) || !(data > 0)) continue;
        total += data / own;
        least = Math.min(least, data / own);
      }
      if (!(total > 0)) return;
      const at = block.firstPenalty + j;
      upper[at] = Math.log(total / LEFTOVER);
      lower[at] = Math.log(least * LEAST_SHARE);
    });
  });
  return { lower, upper };
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
