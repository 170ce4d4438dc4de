import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { newTaskSet, rankOverTasks, taskMeans, taskRanks, tasksWon } from "./tasks.ts";

/** Item i of task t of system s. */
function boardOf(score: (s: number, t: number, i: number) => number, [S, T, n]: readonly [number, number, number]) {
  const scores = new Float64Array(S * T * n);
  for (let s = 0; s < S; s++)
    for (let t = 0; t < T; t++) for (let i = 0; i < n; i++) scores[t * n + i + s * T * n] = score(s, t, i);
  return {
    ...{ systems: Array.from({ length: S }, (_, s) => `s${s}`), scores, items: T * n },
    tasks: Int32Array.from({ length: T * n }, (_, at) => Math.floor(at / n)),
  };
}

describe("ranks over tasks", () => {
  it("shares the ranks of equal means", () => {
    const board = boardOf(
      (s, t) =>
        [
          [3, 1],
          [2, 1],
          [2, 5],
        ][s]![t]!,
      [3, 2, 4],
    );
    const ranks = taskRanks(taskMeans(board)!);
    expect([...ranks]).toEqual([1, 2.5, 2.5, 2.5, 2.5, 1]);
  });

  it("has the set of a new task by the definition: every rank tried, with its place among the others", () => {
    // 19 ranks of 2 and a 20th that would be the only one away from the median
    const same = new Array(19).fill(2);
    expect(newTaskSet(same, 5, 0.05)).toEqual({ lower: 2, upper: 2 });
    expect(newTaskSet(same.slice(1), 5, 0.05)).toEqual({ lower: 1, upper: 5 });
    // at α = 0.3 of 1, 2, 3, 4, 5, 6: 1 and 6 are not the furthest from the median: 3/7; 7 is, with 1: 2/7
    expect(newTaskSet([1, 2, 3, 4, 5, 6], 8, 0.3)).toEqual({ lower: 1, upper: 6 });
    expect(newTaskSet([1, 2, 3, 4, 5, 6], 8, 0.2)).toEqual({ lower: 1, upper: 7 });
    expect(newTaskSet([1, 2, 3, 4, 5, 6], 8, 0.1)).toEqual({ lower: 1, upper: 8 });
  });

  it("holds the rank on a new task as often as stated", () => {
    const rng = makeRng("new task");
    let held = 0;
    const sets = 400;
    for (let k = 0; k < sets; k++) {
      const ranks = Array.from({ length: 26 }, () => 1 + Math.floor(20 * rng.uniform() * rng.uniform()));
      const { lower, upper } = newTaskSet(ranks.slice(1), 20, 0.1);
      held += Number(ranks[0]! >= lower && ranks[0]! <= upper);
    }
    // 0.1 % below 90 % of 400
    expect(held).toBeGreaterThan(341);
  });

  it("separates mean ranks over enough tasks, and nothing over five", () => {
    const score = (s: number, t: number, i: number): number => s + 0.1 * Math.sin(7 * s + 3 * t + i);
    const options = { alpha: 0.05, replicates: 999, rng: makeRng(1) };
    const many = rankOverTasks(boardOf(score, [3, 12, 2]), [2, 1, 0], options)!;
    expect(many.systems.map(({ name, meanRank, rank }) => [name, meanRank, rank])).toEqual([
      ["s2", 1, 1],
      ["s1", 2, 2],
      ["s0", 3, 3],
    ]);
    const noisy = (s: number, t: number): number => (t === s ? -9 : s);
    const few = rankOverTasks(boardOf(noisy, [3, 5, 2]), [2, 1, 0], options)!;
    for (const { lower, upper } of few.systems) expect([lower, upper]).toEqual([1, 3]);
    expect(rankOverTasks({ ...boardOf(score, [2, 2, 2]), tasks: undefined }, [0, 1], options)).toBeUndefined();
  });

  it("counts the tasks on which one is better", () => {
    // better on every item of four tasks, worse on those of the fifth
    const board = boardOf((s, t, i) => (s === 0 ? (t === 4 ? -1 : 1) : 0) * (1 + i / 10), [2, 5, 12]);
    const options = { alpha: 0.05, rng: makeRng(2) };
    expect(tasksWon(board, [0, 1], options)).toBe(4);
    // Fisher's statistic of p = 2^-12 and four of 1 is 16.6 with 10 df
    expect(tasksWon(board, [1, 0], options)).toBe(0);
    expect(
      tasksWon(
        boardOf(() => 1, [2, 3, 4]),
        [0, 1],
        options,
      ),
    ).toBe(0);
  });
});
