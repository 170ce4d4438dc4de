/** How many items a gate needs: the smallest multiple of the pilot's with which an unchanged candidate passes, and one that loses two margins
 *  on any single task fails, with the wanted chance. Doubled until it does, then halved in steps of 10 %; a design is left as soon as the draws
 *  to come cannot change what is known of it.
 *  Rows without a score that the policy bounds do not get fewer with more items: where the mean difference with all of them against the
 *  candidate lies beyond the margin, by four standard errors of the draws, no larger design is tried.
 *  Oracle:    the rates that check.ts draws at the number found. */

import type { Rng } from "../../numeric/rng.ts";
import { mostOf } from "../../result/extremes.ts";
import { judgePrepared, type Prepared, prepareTask } from "./gate.ts";
import { GATE_REASONS, type GateReason, joinOutcomes } from "./judge.ts";
import { drawTask, type Pilot } from "./pilot.ts";

export interface GateNeed {
  readonly repeats: number;
  /** Items of each task with which an unchanged candidate passes, and one that loses two margins on any single task fails, with the wanted
   *  chance; empty where none of the numbers tried is enough. */
  readonly items: readonly { readonly task: string; readonly items: number }[];
  /** How many times the pilot's answers: items and runs of each. */
  readonly factor: number;
  /** Where none is enough: what leaves the gate open most often in the largest design tried, and whether that is so whatever the number. */
  readonly open?: { readonly reason: GateReason; readonly always: boolean; readonly items: number };
}

const SEARCH_REPLICATES = 300;
/** Numbers of items of the largest task that are tried, in steps of 10 %. */
const FEWEST_TRIED = 20;
const MOST_ITEMS = 100_000;
const LARGEST_FACTOR = 50;
const STEP = 1.1;

interface Search {
  readonly repeats: number | undefined;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export function findNeeded(pilot: Pilot, search: Search): GateNeed[] {
  const { tasks } = pilot;
  const { repeats } = search;
  const now = mostOf(tasks.map((task) => task.repeats));
  const choices =
    repeats !== undefined ? [repeats] : now >= 2 ? [1, Math.round(now), 2 * Math.round(now)] : [undefined];
  const most = mostOf(tasks.map(({ own }) => own.items));
  const answered = total(tasks.map(({ own }) => own.items));
  const factors: number[] = [];
  for (let factor = FEWEST_TRIED / most; factor * most < MOST_ITEMS && factor < LARGEST_FACTOR; factor *= STEP)
    factors.push(factor);
  return choices.map((own) => {
    const sizesAt = (factor: number): number[] =>
      tasks.map((task) => Math.max(2, task.rule.items, Math.ceil(factor * task.own.items)));
    let [largest, tried, hopeless] = [-1, undefined as Tried | undefined, false];
    const enough = (at: number): boolean => {
      if (hopeless) return false;
      const design = tryDesign(pilot, sizesAt(factors[at]!), { ...search, repeats: own });
      hopeless = design.hopeless;
      if (at > largest) [largest, tried] = [at, design];
      return design.suffices;
    };
    const found = factors[firstEnough(factors.length, enough)];
    const sizes = found === undefined ? [] : sizesAt(found);
    const items = Math.max(0, mostOf(sizesAt(factors[largest] ?? 0)));
    return {
      repeats: own ?? 1,
      factor: found === undefined ? Number.POSITIVE_INFINITY : (total(sizes) * (own ?? now)) / (answered * now),
      items: sizes.map((size, k) => ({ task: tasks[k]!.own.task, items: size })),
      ...(found === undefined && tried?.open !== undefined
        ? { open: { reason: tried.open, always: hopeless, items } }
        : {}),
    };
  });
}

const total = (counts: readonly number[]): number => counts.reduce((sum, n) => sum + n, 0);

/** Steps of 10 % that double. */
const DOUBLE = 8;

/** The first of `count` places that is enough, looked for from the cheap end; `count` where none is. */
function firstEnough(count: number, enough: (at: number) => boolean): number {
  let [low, high] = [-1, 0];
  while (high < count && !enough(high)) [low, high] = [high, high + DOUBLE];
  if (high >= count) {
    if (low === count - 1 || !enough(count - 1)) return count;
    high = count - 1;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

interface Tried {
  readonly suffices: boolean;
  /** What left the scenario open that was not decided often enough. */
  readonly open: GateReason | undefined;
  /** Missing scores keep it open whatever the number of items. */
  readonly hopeless: boolean;
}

interface Tally {
  /** Draws with the wanted outcome, and reasons of the open ones. */
  right: number;
  readonly reasons: Map<GateReason, number>;
}

function tryDesign(pilot: Pilot, sizes: readonly number[], { repeats, rng, onProgress }: Search): Tried {
  const { tasks, policy, sign } = pilot;
  const wanted = policy.power * SEARCH_REPLICATES;
  const tally = (): Tally => ({ right: 0, reasons: new Map() });
  const unchanged = tally();
  const losing = tasks.map((task) => (task.rule.tier === "advisory" ? undefined : tally()));
  const all = [unchanged, ...losing.filter((own) => own !== undefined)];
  const worst = tasks.map((): number[] => []);
  const count = (into: Tally, prepared: readonly Prepared[], right: "pass" | "fail"): void => {
    const outcomes = judgePrepared(prepared, policy).map((own, k) => ({ ...own, tier: prepared[k]!.tier }));
    const { outcome, reason } = joinOutcomes(outcomes);
    if (outcome === right) into.right += 1;
    else if (reason !== null) into.reasons.set(reason, (into.reasons.get(reason) ?? 0) + 1);
  };
  let done = 0;
  const lost = (): Tally | undefined => all.find(({ right }) => right + SEARCH_REPLICATES - done < wanted);
  while (done < SEARCH_REPLICATES && lost() === undefined && all.some(({ right }) => right < wanted)) {
    const stream = rng.stream(done);
    const drawn = tasks.map((task, k) => drawTask(task, stream.stream(k), { size: sizes[k]!, repeats, sign }));
    const prepare = (k: number, level: number): Prepared => prepareTask(drawn[k]![level]!, tasks[k]!.rule, pilot);
    const same = tasks.map((_, k) => prepare(k, 0));
    same.forEach(({ ends }, k) => {
      // the candidate's missing scores at the bad end, the baseline's at the good one
      const against = ends?.[sign > 0 ? 0 : 1];
      if (against !== undefined && tasks[k]!.rule.tier === "critical")
        worst[k]!.push(sign * against.difference + against.margin);
    });
    count(unchanged, same, "pass");
    losing.forEach((into, k) => {
      const changed = into && same.map((own, j) => (j === k ? prepare(k, 2) : own));
      if (changed) count(into, changed, "fail");
    });
    done += 1;
    onProgress?.(done, SEARCH_REPLICATES);
  }
  const failing = lost();
  if (failing === undefined) return { suffices: true, open: undefined, hopeless: false };
  const hopeless = worst.some((own) => own.length === done && isBelowZero(own));
  return { suffices: false, open: hopeless ? "coverage" : mostOften(failing.reasons), hopeless };
}

/** By four standard errors of the mean. */
function isBelowZero(values: readonly number[]): boolean {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const square = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1);
  return n >= 20 && mean < -4 * Math.sqrt(square / n);
}

const mostOften = (reasons: ReadonlyMap<GateReason, number>): GateReason | undefined =>
  [...GATE_REASONS].sort((a, b) => (reasons.get(b) ?? 0) - (reasons.get(a) ?? 0)).find((own) => reasons.has(own));
