/** Pilot logs, and data sets of a task drawn from them at 0, 1 and 2 margins of loss; the rules are those of check.ts. */

import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import type { Evidence, TaskEvidence } from "./evidence.ts";
import { type Entry, entriesOf, requireDirection } from "./gate.ts";
import type { GatePolicy } from "./policy.ts";

/** Margins lost. */
export const LEVELS = [0, 1, 2] as const;

export interface PilotTask extends Entry {
  /** The margin in units of the score, and the chance that it turns one right answer wrong. */
  readonly loss: number;
  readonly flip: number;
  readonly binary: boolean;
  /** Items of each cluster. */
  readonly clusters?: readonly (readonly number[])[] | undefined;
  /** Scored rows of an item on either side, on average. */
  readonly repeats: number;
}

export interface Pilot {
  readonly evidence: Evidence;
  readonly policy: GatePolicy;
  readonly sign: 1 | -1;
  readonly tasks: readonly PilotTask[];
}

export function makePilot(evidence: Evidence, policy: GatePolicy): Pilot {
  const { entries } = entriesOf(evidence, policy);
  const sign = requireDirection(evidence) ? 1 : -1;
  // what the logs differ in is no property of runs to come
  const alike = { ...evidence, settings: [], oneModel: true, order: undefined };
  return { evidence: alike, policy, sign, tasks: entries.map((entry) => pilotTask(entry, sign)) };
}

function pilotTask(entry: Entry, sign: 1 | -1): PilotTask {
  const { own, rule } = entry;
  const shared = sharedItems(own);
  const kept = keepItems(own, shared);
  const scored = kept.scores.filter((score) => !Number.isNaN(score));
  if (shared.length < 2 || scored.length === 0)
    throw new StatError(
      "NothingMatches",
      `${own.task}: the sides of the pilot share ${shared.length} items.`,
      "Give logs of the same items.",
    );
  const mean = scored.reduce((sum, v) => sum + v, 0) / scored.length;
  const binary = scored.every((score) => score === 0 || score === 1);
  const { allowance } = rule;
  const loss =
    allowance.kind === "absolute"
      ? allowance.value
      : allowance.kind === "relative"
        ? allowance.share * Math.abs(mean)
        : Math.max(0, sign * (mean - allowance.score));
  const right = sign > 0 ? mean : 1 - mean;
  const groups = kept.clusters === undefined ? undefined : groupItems(kept.clusters);
  return {
    own: kept,
    rule,
    loss,
    binary,
    flip: right > 0 ? Math.min(0.5, loss / right) : 0,
    clusters: groups,
    repeats: kept.scores.length / (2 * kept.items),
  };
}

function sharedItems({ items, offsets }: TaskEvidence): number[] {
  return Array.from({ length: items }, (_, i) => i).filter((i) =>
    [0, 1].every((s) => offsets[2 * i + s + 1]! > offsets[2 * i + s]!),
  );
}

function keepItems({ task, offsets, scores, runs, clusters }: TaskEvidence, kept: readonly number[]): TaskEvidence {
  const own = new Int32Array(2 * kept.length + 1);
  const rows: number[] = [];
  kept.forEach((i, k) => {
    for (const s of [0, 1]) {
      for (let at = offsets[2 * i + s]!; at < offsets[2 * i + s + 1]!; at++) rows.push(at);
      own[2 * k + s + 1] = rows.length;
    }
  });
  return {
    task,
    items: kept.length,
    offsets: own,
    scores: Float64Array.from(rows, (at) => scores[at]!),
    runs: Int32Array.from(rows, (at) => runs[at]!),
    ...(clusters === undefined ? {} : { clusters: Int32Array.from(kept, (i) => clusters[i]!) }),
  };
}

function groupItems(codes: Int32Array): number[][] {
  const groups = new Map<number, number[]>();
  codes.forEach((code, i) => {
    const own = groups.get(code);
    if (own === undefined) groups.set(code, [i]);
    else own.push(i);
  });
  return [...groups.values()];
}

/** One data set of a task, at each level of loss. */
export function drawTask(
  task: PilotTask,
  rng: Rng,
  { size, repeats, sign }: { size: number; repeats: number | undefined; sign: 1 | -1 },
): TaskEvidence[] {
  const { own } = task;
  const { chosen, codes } = drawItems(task, rng, size);
  const slots = chosen.reduce((sum, i) => sum + slotsOf(own, i, repeats), 0);
  const offsets = new Int32Array(2 * chosen.length + 1);
  const scores = new Float64Array(slots);
  const runs = new Int32Array(slots);
  const loses = new Float64Array(slots).fill(2);
  let [at, swap, last] = [0, false, -1];
  chosen.forEach((item, k) => {
    const code = codes?.[k] ?? k;
    if (code !== last) swap = rng.uniform() < 0.5;
    last = code;
    for (const side of [0, 1] as const) {
      const [from, to] = [own.offsets[2 * item + side]!, own.offsets[2 * item + side + 1]!];
      const count = repeats ?? to - from;
      for (let slot = 0; slot < count; slot++) {
        const shape = from + (slot % (to - from));
        scores[at] = Number.isNaN(own.scores[shape]!)
          ? Number.NaN
          : dealScore(own, item, { rng, side, swap, slot, repeats });
        runs[at] = own.runs[shape]!;
        // drawn for every slot, so that all levels share their numbers
        if (side === 1) loses[at] = rng.uniform();
        at += 1;
      }
      offsets[2 * k + side + 1] = at;
    }
  });
  const make = (level: number): TaskEvidence => ({
    task: own.task,
    items: chosen.length,
    offsets,
    scores:
      level === 0
        ? scores
        : scores.map((score, slot) => (loses[slot]! > 1 ? score : lower(score, loses[slot]!, { task, level, sign }))),
    runs,
    clusters: codes,
  });
  return LEVELS.map(make);
}

const slotsOf = ({ offsets }: TaskEvidence, item: number, repeats: number | undefined): number =>
  repeats === undefined ? offsets[2 * item + 2]! - offsets[2 * item]! : 2 * repeats;

/** One row each: the sides change places, within a cluster together. Otherwise a score of either side, at random. */
function dealScore(
  { offsets, scores }: TaskEvidence,
  item: number,
  {
    rng,
    side,
    swap,
    slot,
    repeats,
  }: { rng: Rng; side: 0 | 1; swap: boolean; slot: number; repeats: number | undefined },
): number {
  const [from, middle, to] = [offsets[2 * item]!, offsets[2 * item + 1]!, offsets[2 * item + 2]!];
  const single = middle - from === 1 && to - middle === 1 && (repeats ?? 1) === 1;
  const other = scores[side === 0 ? middle + slot : from + slot]!;
  if (single) return swap && !Number.isNaN(other) ? other : scores[side === 0 ? from : middle]!;
  for (;;) {
    const score = scores[from + rng.int(to - from)]!;
    if (!Number.isNaN(score)) return score;
  }
}

function lower(
  score: number,
  u: number,
  { task, level, sign }: { task: PilotTask; level: number; sign: 1 | -1 },
): number {
  if (Number.isNaN(score)) return score;
  if (!task.binary) return score - sign * level * task.loss;
  const best = sign > 0 ? 1 : 0;
  return score === best && u < level * task.flip ? 1 - best : score;
}

function drawItems(
  { own, clusters }: PilotTask,
  rng: Rng,
  size: number,
): { chosen: number[]; codes: Int32Array | undefined } {
  if (clusters === undefined)
    return { chosen: Array.from({ length: size }, () => rng.int(own.items)), codes: undefined };
  const wanted = Math.max(2, Math.round((clusters.length * size) / own.items));
  const chosen: number[] = [];
  const codes: number[] = [];
  for (let k = 0; k < wanted; k++) {
    for (const item of clusters[rng.int(clusters.length)]!) {
      chosen.push(item);
      codes.push(k);
    }
  }
  return { chosen, codes: Int32Array.from(codes) };
}
