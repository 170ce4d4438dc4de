/** Ranks over tasks: what a mean over tasks hides.
 *      mean rank    r̄_s = Σ_t r_st / T, r_st the rank on task t (equal means share the mean rank); sets of its ranks take the tasks as the sample
 *      new task     ranks v with p(v) > α,   p(v) = #{i : |r_i - m| >= |v - m|} / (T + 1),  m the median of r_1 … r_T and v   (full conformal)
 *      on at least  k tasks j is better than k: partial conjunction of one-sided sign flips of the items of each task
 *  The set of a new task holds the rank that a system gets there, as measured with items of that kind, if tasks are exchangeable.
 *  Reference: Vovk, Gammerman & Shafer (2005), Algorithmic Learning in a Random World, ch. 2; Benjamini & Heller (2008), Biometrics 64.
 *  Oracle:    all ranks tried by hand on small boards; coverage on simulated boards (tasks.test.ts).
 *  Limits:    below 1/α - 1 tasks (19 at 95 %) the set of a new task is all ranks; five tasks or fewer separate no two mean ranks. */
import type { Rng } from "../../numeric/rng.ts";
import { permutePaired } from "../../resample/permutation.ts";
import { partialConjunction } from "../partial-conjunction.ts";
import { type Board, boardMeans, lawOfBoard } from "./board.ts";
import { separateAll } from "./separate.ts";
import { type RankSet, rankSets, ranksOf } from "./sets.ts";

/** Scores of systems on tasks: task t of system s at [t + s · T]; larger is better. */
export interface TaskMeans {
  readonly tasks: number;
  readonly systems: number;
  readonly means: Float64Array;
}

export function taskMeans({ systems, scores, items, tasks }: Board): TaskMeans | undefined {
  if (tasks === undefined) return undefined;
  const T = tasks.reduce((most, task) => Math.max(most, task + 1), 0);
  const sizes = new Float64Array(T);
  for (const task of tasks) sizes[task]! += 1;
  const means = new Float64Array(T * systems.length);
  systems.forEach((_, s) => {
    for (let i = 0; i < items; i++) means[tasks[i]! + s * T]! += scores[i + s * items]! / sizes[tasks[i]!]!;
  });
  return { tasks: T, systems: systems.length, means };
}

/** Rank of each system on each task, at [t + s · T]; equal ones share the mean of their ranks. */
export function taskRanks({ tasks: T, systems: S, means }: TaskMeans): Float64Array {
  const ranks = new Float64Array(T * S);
  for (let t = 0; t < T; t++) {
    const best = ranksOf(Float64Array.from({ length: S }, (_, s) => means[t + s * T]!));
    const shared = new Map<number, number>();
    for (const rank of best) shared.set(rank, (shared.get(rank) ?? 0) + 1);
    for (let s = 0; s < S; s++) ranks[t + s * T] = best[s]! + (shared.get(best[s]!)! - 1) / 2;
  }
  return ranks;
}

export interface MeanRanks {
  /** Smaller is better. */
  readonly means: Float64Array;
  /** Ranks by mean rank, and their simultaneous sets over new tasks. */
  readonly ranks: readonly number[];
  readonly sets: readonly RankSet[];
}

export function meanRanks(
  ranks: Float64Array,
  systems: readonly string[],
  options: { readonly alpha: number; readonly replicates: number; readonly rng: Rng },
): MeanRanks {
  const T = ranks.length / systems.length;
  const board = { systems, scores: ranks.map((rank) => -rank), items: T };
  const found = boardMeans(board);
  const { better } = separateAll(lawOfBoard(board, found, options), options);
  return {
    means: found.estimates.map((own) => 0 - own),
    ranks: ranksOf(found.estimates),
    sets: rankSets(better, systems.length),
  };
}

/** Ranks from 1 to S that a system may have on a new task. */
export function newTaskSet(ranks: ArrayLike<number>, S: number, alpha: number): RankSet {
  const known = Array.from(ranks);
  const T = known.length;
  let [lower, upper] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // shared ranks are halves
  for (let v = 1; v <= S; v += 0.5) {
    const all = [...known, v].sort((a, b) => a - b);
    const median = (all[Math.floor(T / 2)]! + all[Math.ceil(T / 2)]!) / 2;
    const own = Math.abs(v - median);
    const as = 1 + known.filter((rank) => Math.abs(rank - median) >= own - ROUNDING).length;
    if (as / (T + 1) <= alpha + ROUNDING) continue;
    lower = Math.min(lower, v);
    upper = Math.max(upper, v);
  }
  return { lower: Math.floor(lower), upper: Math.ceil(upper) };
}

const ROUNDING = 1e-9;
const REPLICATES = 2000;
const MOST_EXACT = 16;

export interface RankedTasks {
  /** Ranks over new tasks, in the order of the systems. */
  readonly systems: readonly {
    readonly name: string;
    readonly meanRank: number;
    readonly rank: number;
    /** Of the rank by mean rank, all together. */
    readonly lower: number;
    readonly upper: number;
    /** Ranks that it may have on one new task, by itself. */
    readonly newTask: RankSet;
  }[];
}

export function rankOverTasks(
  board: Board,
  order: readonly number[],
  options: { readonly alpha: number; readonly replicates: number; readonly rng: Rng },
): RankedTasks | undefined {
  const means = taskMeans(board);
  if (means === undefined || means.tasks < 2) return undefined;
  const ranks = taskRanks(means);
  const { tasks: T, systems: S } = means;
  const found = meanRanks(ranks, board.systems, options);
  return {
    systems: order.map((s) => ({
      ...{ name: board.systems[s]!, meanRank: found.means[s]!, rank: found.ranks[s]!, ...found.sets[s]! },
      newTask: newTaskSet(ranks.subarray(s * T, (s + 1) * T), S, options.alpha),
    })),
  };
}

/** On how many tasks at least `better` beats `worse`, with the confidence 1 - α for this pair alone. */
export function tasksWon(
  { scores, items, tasks }: Board,
  [better, worse]: readonly [number, number],
  { alpha, rng }: { readonly alpha: number; readonly rng: Rng },
): number {
  const byTask = new Map<number, number[]>();
  for (let i = 0; i < items; i++) {
    const own = byTask.get(tasks![i]!) ?? [];
    own.push(scores[i + better * items]! - scores[i + worse * items]!);
    byTask.set(tasks![i]!, own);
  }
  const p = [...byTask].map(([task, differences]) =>
    differences.every((own) => own === 0)
      ? 1
      : permutePaired(Float64Array.from(differences), {
          ...{ alternative: "greater", replicates: REPLICATES },
          method: differences.length <= MOST_EXACT ? "exact" : "monte-carlo",
          rng: rng.stream(task),
        }).p,
  );
  return partialConjunction(p, { alpha, method: "fisher" }).k;
}
