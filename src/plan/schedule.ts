/** The order in which runs are to be made: every item with every system and repeat, the systems of one item next to each other in random order,
 *  items in random order. Drift of a service over the day then falls on all systems alike.
 *  Reference: Cox (1958), Planning of Experiments, chapter 3 (randomised blocks). */
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";

export interface ScheduledRun {
  readonly order: number;
  readonly item: string;
  readonly system: string;
  readonly repeat: number;
}

export function scheduleRuns(
  {
    systems,
    items,
    repeats,
  }: { readonly systems: readonly string[]; readonly items: readonly string[]; readonly repeats: number },
  rng: Rng,
): ScheduledRun[] {
  if (systems.length === 0 || items.length === 0 || !(Number.isInteger(repeats) && repeats >= 1))
    throw new StatError("BadPlan", "a schedule needs systems, items and a number of repeats.", "Give all of them.");
  const runs: ScheduledRun[] = [];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const item of shuffled(items, rng)) {
      for (const system of shuffled(systems, rng)) runs.push({ order: runs.length + 1, item, system, repeat });
    }
  }
  return runs;
}

export function shuffled<T>(values: readonly T[], rng: Rng): T[] {
  const own = [...values];
  for (let i = own.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [own[i], own[j]] = [own[j]!, own[i]!];
  }
  return own;
}
