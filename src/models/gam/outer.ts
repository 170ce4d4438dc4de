/** The search for the smoothing parameters: from mgcv's start down to the minimum of the criterion (descent.ts).
 *
 *  A term that wants no curvature at all has its best λ at infinity, where the criterion is flat: its ρ is then moved to an upper bound
 *  at which less than LEFTOVER effective degrees of freedom remain. The same holds for a term that wants no penalty.
 *  Where the weights depend on the coefficients, REML and ML are first minimised with the weights of the start, which needs no pass over
 *  the rows; what that finds is where the search proper begins, if the criterion itself is lower there.
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §6.2; Wood, Goude & Shaw (2015), J. R. Stat. Soc. C 64, 139-155, for the working
 *             model. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { criterionValue } from "./criterion.ts";
import type { GamDerivatives } from "./derivatives.ts";
import { type Bounds, descend } from "./descent.ts";
import { type GamInner, type GamState, nullRidge, penaltyGradient } from "./inner.ts";
import { solveLinear } from "./linear.ts";
import { fromWorking } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

/** Effective degrees of freedom left to a penalty at its upper bound. */
const LEFTOVER = 1e-9;
/** Share of the data's information that a penalty has at its lower bound. */
const LEAST_SHARE = 1e-9;
/** Share of the penalised coefficients' edf at the start. */
const START_SHARE = 0.4;
const MOST_POWERS = 30;
/** Diagonal entries of a penalty below this share of its largest are zero. */
const TINY = 2 ** -41.6;
/** Edf left at the upper bounds of the first search: what vanishes is for the search proper to decide. */
const UNDECIDED = 0.02;

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
  readonly onProgress?: ((iteration: number) => void) | undefined;
}

export function searchSmoothing(
  problem: GamProblem,
  inner: GamInner,
  { onProgress }: SearchOptions = {},
): GamOptimum | undefined {
  const { fixedRho } = problem;
  const begin = inner.fit(startingRho(problem, inner.startingInformation()));
  if (begin === undefined) return undefined;
  const bounds = makeBounds(problem, begin, LEFTOVER);
  const optimum = descend(problem, inner, leap(problem, inner, begin) ?? begin, { bounds, onProgress });
  const edges = Int8Array.from(optimum.state.rho, (r, j) =>
    fixedRho[j]! === r ? 0 : r >= bounds.upper[j]! ? 1 : r <= bounds.lower[j]! ? -1 : 0,
  );
  return { ...optimum, edges };
}

/** The fit at the λ that suit the quadratic approximation of the deviance at a fit; undefined where they are not better. */
function leap(problem: GamProblem, inner: GamInner, from: GamState): GamState | undefined {
  if (inner.linear || problem.method === "GCV.Cp" || !from.converged) return undefined;
  const { basis, coefficients, lambda, information, deviance } = from;
  const sums = {
    information,
    ridge: nullRidge(problem, basis),
    first: coefficients,
    score: penaltyGradient(basis, lambda, coefficients), // of the deviance at the minimum of the penalised one
    squares: deviance,
  };
  // the working coordinates are those of `from`: another order of penalties costs digits only
  const working: GamInner = {
    ...inner,
    linear: true,
    fit: (rho) => solveLinear(sums, { rho, lambda: rho.map(Math.exp), basis }),
  };
  const bounds = makeBounds(problem, from, UNDECIDED);
  const { state } = descend(problem, working, from, { bounds });
  const found = inner.fit(state.rho, fromWorking(state.coefficients, basis));
  const better = found !== undefined && criterionValue(problem, found) < criterionValue(problem, from);
  return better ? found : undefined;
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

function makeBounds({ fixedRho }: GamProblem, { basis, information }: GamState, leftover: number): Bounds {
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
      upper[at] = Math.log(total / leftover);
      lower[at] = Math.log(least * LEAST_SHARE);
    });
  });
  return { lower, upper };
}
