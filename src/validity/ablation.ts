/** Ablation: the score of a model's predictions before and after the circular features were taken from it at test time (set to 0, permuted, left
 *  out).   accuracy of classes; of numbers R² = 1 - Σ (y - ŷ)² / Σ (y - ȳ)², which is 0 for the mean and negative for worse.
 *  Reference: Riezler & Hagmann (2021), section 2.4.3 (ablation of the liver data).
 *  Oracle:    closed forms.
 *  Limits:    the predictions are taken as they are given; both are of the same rows. A learner that is run: learner/ablation.ts. */

import { column, type Table } from "../data/table.ts";
import { cellTexts } from "../metrics/score-table.ts";
import { StatError } from "../result/error.ts";
import { mostOf } from "../result/extremes.ts";

export interface Ablation {
  readonly predictions: string;
  readonly ablated: string;
  readonly metric: "accuracy" | "r2";
  /** Rows with a label and both predictions. */
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** What always saying the commonest label, or the mean, would score. */
  readonly floor: number;
  /** Where a learner was run: how the features were taken from the test rows. */
  readonly way?: "zero" | "permute" | "leave-out";
}

const MOST_CLASSES = 20;

export function measureAblation(
  table: Table,
  columns: { readonly label: string; readonly predictions: string; readonly ablated: string },
): Ablation {
  const { label, predictions, ablated } = columns;
  const [gold, before, after] = [label, predictions, ablated].map((name) =>
    cellTexts(column(table, name)).map((text) => text ?? ""),
  );
  const rows = Array.from({ length: table.rows }, (_, i) => i).filter(
    (i) => gold![i] !== "" && before![i] !== "" && after![i] !== "",
  );
  if (rows.length < 2) {
    const message = `${rows.length} rows have ${label}, ${predictions} and ${ablated}.`;
    throw new StatError("NoRows", message, "check the columns named.");
  }
  const classes = new Set(rows.map((i) => gold![i]!));
  const isClass = (texts: readonly string[]): boolean => rows.every((i) => classes.has(texts[i]!));
  const asClasses = classes.size <= MOST_CLASSES && isClass(before!) && isClass(after!);
  const score = asClasses ? shareRight : explained;
  const common = asClasses ? commonest(rows, gold!) : 0;
  return {
    predictions,
    ablated,
    metric: asClasses ? "accuracy" : "r2",
    n: rows.length,
    before: score(rows, gold!, before!),
    after: score(rows, gold!, after!),
    floor: common,
  };
}

const shareRight = (rows: readonly number[], gold: readonly string[], said: readonly string[]): number =>
  rows.filter((i) => gold[i] === said[i]).length / rows.length;

function commonest(rows: readonly number[], gold: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const i of rows) counts.set(gold[i]!, (counts.get(gold[i]!) ?? 0) + 1);
  return mostOf(counts.values()) / rows.length;
}

function explained(rows: readonly number[], gold: readonly string[], said: readonly string[]): number {
  const mean = rows.reduce((sum, i) => sum + Number(gold[i]), 0) / rows.length;
  let [left, all] = [0, 0];
  for (const i of rows) {
    left += (Number(gold[i]) - Number(said[i])) ** 2;
    all += (Number(gold[i]) - mean) ** 2;
  }
  return 1 - left / all;
}
