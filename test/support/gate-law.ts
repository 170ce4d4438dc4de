/** Runs of a candidate and its baseline under a known law, as logs: items of unequal difficulty, right and wrong answers or scores, clusters,
 *  rows without a score. */

import { factorColumn, makeTable, numericColumn } from "../../src/data/table.ts";
import type { Rng } from "../../src/numeric/rng.ts";
import type { NamedImport } from "../../src/study/merge.ts";
import { understandTable } from "../../src/study/understand.ts";

export interface GateLaw {
  readonly tasks: readonly string[];
  /** Items of each task. */
  readonly items: number;
  readonly scores: "binary" | "graded";
  /** Items of one cluster; 1 without clusters. */
  readonly cluster: number;
  /** Share of rows without a score. */
  readonly missing: number;
  /** What the candidate loses, by task. */
  readonly loss: Readonly<Record<string, number>>;
}

interface Row {
  readonly task: string;
  readonly item: string;
  readonly doc: string;
  readonly score: number;
}

function drawSide(law: GateLaw, rng: Rng, difficulties: readonly (readonly number[])[], loses: boolean): Row[] {
  return law.tasks.flatMap((task, t) => {
    const loss = loses ? (law.loss[task] ?? 0) : 0;
    return difficulties[t]!.map((ability, i) => {
      const p = Math.min(0.97, Math.max(0.03, ability));
      const right = rng.uniform() < p && !(rng.uniform() < loss / MEAN) ? 1 : 0;
      const graded = ability + 0.15 * rng.normal() - loss;
      const score = law.scores === "binary" ? right : graded;
      const doc = `${task}d${Math.floor(i / law.cluster)}`;
      return { task, item: `${task}q${i}`, doc, score: rng.uniform() < law.missing ? Number.NaN : score };
    });
  });
}

/** Of the abilities below, within a thousandth. */
const MEAN = 0.6999;

function drawAbilities(law: GateLaw, rng: Rng): number[][] {
  return law.tasks.map(() => {
    let shared = 0;
    return Array.from({ length: law.items }, (_, i) => {
      if (i % law.cluster === 0) shared = 0.12 * rng.normal();
      return 0.7 + (law.cluster > 1 ? shared : 0) + 0.1 * rng.normal();
    });
  });
}

function logOf(path: string, rows: readonly Row[], clustered: boolean): NamedImport {
  const table = makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["task", factorColumn(rows.map(({ task }) => task))],
    ...(clustered ? [["doc", factorColumn(rows.map(({ doc }) => doc))] as const] : []),
    ["accuracy", numericColumn(rows.map(({ score }) => score))],
  ]);
  return { path, imported: { ...understandTable(table), format: "csv", files: [path], summary: "" } };
}

export function drawLogs(law: GateLaw, rng: Rng): { baseline: NamedImport[]; candidate: NamedImport[] } {
  const abilities = drawAbilities(law, rng);
  const clustered = law.cluster > 1;
  const [a, b] = [drawSide(law, rng, abilities, false), drawSide(law, rng, abilities, true)];
  return { baseline: [logOf("old.csv", a, clustered)], candidate: [logOf("new.csv", b, clustered)] };
}
