/** Scores of several systems on the same items as what ranks need: their means, how far differences of means go by chance, and the sums of the
 *  units that such differences are made of.
 *      θ̂_s = Σ_i w_i x_is,   w_i = 1/n, or 1/(T n_t) where tasks count alike
 *      Var(θ̂_j - θ̂_k) = Σ_g (u_gj - u_gk)² / (1 - n_g/n),   u_gs = Σ_{i in g} w_i (x_is - x̄_s),   x̄_s within the task   (CR2; s²/n of items)
 *  Reference: Bell & McCaffrey (2002), Surv. Methodol. 28; Miller (2024), arXiv 2411.00640 (evaluations).
 *  Oracle:    lm with clubSandwich's CR2 (R), oracle/r/rank-means.json — 1e-10. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import type { Rng } from "../../numeric/rng.ts";
import { flipLaw, type JointEstimates, type JointLaw, normalLaw } from "./separate.ts";

/** Item i of system s at scores[i + s · n]. */
export interface Board {
  readonly systems: readonly string[];
  readonly scores: Float64Array;
  readonly items: number;
  /** Numbers of clusters from 0; default: each item is a unit. */
  readonly clusters?: Int32Array | undefined;
  /** Numbers of tasks from 0, which count alike. */
  readonly tasks?: Int32Array | undefined;
}

export interface BoardMeans extends JointEstimates {
  /** Of each system's own mean. */
  readonly standardErrors: Float64Array;
  /** Items or clusters. */
  readonly units: number;
  readonly df: number;
  /** Systems no item of which differs, as differences: at [j + k · S] the one number that all items give, NaN where they vary. */
  readonly constant: Matrix;
}

/** Weights of the items, which sum to 1. */
export function itemWeights({ items, tasks }: Board): Float64Array {
  if (tasks === undefined) return new Float64Array(items).fill(1 / items);
  const sizes = countOf(tasks);
  const used = sizes.reduce((sum, size) => sum + Number(size > 0), 0);
  return Float64Array.from(tasks, (task) => 1 / (used * sizes[task]!));
}

export function boardMeans(board: Board): BoardMeans {
  const { systems, items, scores } = board;
  const S = systems.length;
  const weights = itemWeights(board);
  const estimates = Float64Array.from(systems, (_, s) => {
    let sum = 0;
    for (let i = 0; i < items; i++) sum += weights[i]! * scores[i + s * items]!;
    return sum;
  });
  const { influence, units } = influenceOf(board, weights);
  const variances = zeros(S, S);
  const constant = zeros(S, S);
  for (let j = 0; j < S; j++)
    for (let k = 0; k < j; k++) {
      let sum = 0;
      let size = 0;
      for (let g = 0; g < units; g++) {
        const [a, b] = [influence[g + j * units]!, influence[g + k * units]!];
        sum += (a - b) * (a - b);
        size += a * a + b * b;
      }
      // what sums that should be equal leave
      const own = sum > ROUNDING * size ? sum : 0;
      variances.data[j + k * S] = variances.data[k + j * S] = own;
      const difference = own > 0 ? Number.NaN : lessRounding(estimates[j]!, estimates[k]!);
      constant.data[j + k * S] = difference;
      constant.data[k + j * S] = 0 - difference;
    }
  const standardErrors = Float64Array.from(systems, (_, s) => {
    let sum = 0;
    for (let g = 0; g < units; g++) sum += influence[g + s * units]! ** 2;
    return Math.sqrt(sum);
  });
  return { estimates, variances, standardErrors, units, df: units - 1, constant };
}

const ROUNDING = 1e-24;
const SAME = 1e-12;

const lessRounding = (a: number, b: number): number =>
  Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b;

/** u_gs over the root of 1 - n_g/n, one system after the other. */
function influenceOf(
  { systems, items, scores, clusters, tasks }: Board,
  weights: Float64Array,
): { readonly influence: Float64Array; readonly units: number } {
  const sizes = tasks === undefined ? Float64Array.of(items) : countOf(tasks);
  const members = clusters === undefined ? undefined : countOf(clusters);
  const units = members?.length ?? items;
  const influence = new Float64Array(units * systems.length);
  systems.forEach((_, s) => {
    const own = scores.subarray(s * items, (s + 1) * items);
    const means = new Float64Array(sizes.length);
    for (let i = 0; i < items; i++) means[tasks?.[i] ?? 0]! += own[i]! / sizes[tasks?.[i] ?? 0]!;
    for (let i = 0; i < items; i++) {
      const task = tasks?.[i] ?? 0;
      const left = members === undefined ? sizes[task]! : items / members[clusters![i]!]!;
      // one item of a task says nothing of its spread
      const factor = left > 1 ? Math.sqrt(left / (left - 1)) : 1;
      influence[(clusters?.[i] ?? i) + s * units]! += weights[i]! * (own[i]! - means[task]!) * factor;
    }
  });
  return { influence, units };
}

function countOf(codes: Int32Array): Float64Array {
  const counts = new Float64Array(codes.reduce((most, code) => Math.max(most, code), -1) + 1);
  for (const code of codes) counts[code]! += 1;
  return counts;
}

/** Below it the signs of units are flipped: far in the tails right and wrong answers of some hundred items are not yet normal. */
const FEWEST_FOR_NORMAL = 1000;
/** Of items that weigh differently from task to task, which flips would take for spread of the items. */
const FEWEST_OF_TASKS = 50;

export const lawNameOf = ({ tasks }: Board, units: number): "normal" | "flips" =>
  units >= (tasks === undefined ? FEWEST_FOR_NORMAL : FEWEST_OF_TASKS) ? "normal" : "flips";

export function lawOfBoard(
  board: Board,
  means: BoardMeans,
  options: { readonly replicates: number; readonly rng: Rng },
): JointLaw {
  if (lawNameOf(board, means.units) === "normal") return normalLaw(means, options);
  const { sums, sizes } = unitSums(board);
  return flipLaw(sums, { sizes, ...options });
}

/** Sums whose mean over items is θ̂, unit by unit. */
export function unitSums(board: Board): { readonly sums: Float64Array; readonly sizes: Float64Array } {
  const { systems, items, scores, clusters } = board;
  const weights = itemWeights(board);
  const sizes = clusters === undefined ? new Float64Array(items).fill(1) : countOf(clusters);
  const units = sizes.length;
  const sums = new Float64Array(units * systems.length);
  systems.forEach((_, s) => {
    for (let i = 0; i < items; i++)
      sums[(clusters?.[i] ?? i) + s * units]! += weights[i]! * items * scores[i + s * items]!;
  });
  return { sums, sizes };
}
