/** Tables in which nothing names an item: what stands in its place, and what can be done with it. */

import type { Roles } from "../../../data/imported.ts";
import { groupKeys } from "../../../data/keys.ts";
import { isCourse, isEpoch, isFold, isStep, RATER_NAMES, splitWords } from "../../../data/roles/names.ts";
import { numberSplits } from "../../../data/roles/repeats.ts";
import { asFactor, type Table } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";

interface Found {
  readonly roles: Roles;
  readonly system: string;
  readonly score: string | undefined;
  /** Columns of the file. */
  readonly columns: readonly string[];
}

export function explainNoItem(table: Table, { roles, system, score, columns }: Found): StatError {
  const { repeat } = roles;
  const rows = (...names: string[]): number =>
    groupKeys(
      names.map((name) => table.columns.get(name)!),
      table.rows,
    ).count;
  const what = score ?? "number";
  const steps = columns.find(
    (name) => isCourse(name, score) && table.columns.has(name) && rows(system, name) === table.rows,
  );
  if (steps !== undefined) return stepsOnly(`one ${what} for each ${system} and ${steps}`);
  if (repeat !== undefined && table.columns.has(repeat) && rows(system, repeat) === table.rows) {
    const folds = rows(repeat);
    return isFold(repeat)
      ? new StatError(
          "FoldsOnly",
          `one ${what} for each ${system} and ${repeat}: the models of different folds share training data, and a test that takes folds for items finds differences that are not there.`,
          `Use \`correctedResampledTest\`, which allows for that, with \`score: ${what}\`, \`by: ${system}\`, \`item: ${repeat}\`, \`nTrain: ${folds - 1}\`, \`nTest: 1\`.`,
        )
      : new StatError(
          "RunsOnly",
          `one ${what} for each ${system} and ${repeat}, and nothing that names items.`,
          `Option \`unpaired\` compares the runs of one with those of the other; option \`item: ${repeat}\` pairs them, if the same ${repeat} made the same start for each.`,
        );
  }
  const fold = columns.find((name) => isFold(name) && table.columns.has(name));
  if (fold !== undefined && repeat !== undefined && rows(system, repeat, fold) === table.rows)
    return new StatError(
      "FoldsOnly",
      `one ${what} for each ${system}, ${repeat} and ${fold}: the models of different folds share training data, and a test that takes folds for items finds differences that are not there.`,
      `Use \`correctedResampledTest\`, which allows for that, with \`score: ${what}\`, \`by: ${system}\`, \`nTrain: ${rows(fold) - 1}\`, \`nTest: 1\`, and for \`item\` a column that names the splits${sayMutate(table, repeat, fold)}.`,
    );
  const person = columns.find((name) => RATER_NAMES.includes(splitWords(name).join("_")) && rows(name) === table.rows);
  if (person !== undefined)
    return new StatError(
      "BetweenPeople",
      `each ${person} met one ${system} only, so that nothing is paired.`,
      `Option \`unpaired\` compares those who met one with those who met the other.`,
    );
  return new StatError(
    "NoItemColumn",
    "no column could be recognised as the item.",
    `Name it with option \`item\`; the columns are ${columns.join(", ")}. ${adviseRows(table, system)}`,
  );
}

/** How such a column is made of two of numbers. */
const sayMutate = (table: Table, repeat: string, fold: string): string =>
  [repeat, fold].every((name) => table.columns.get(name)!.kind === "numeric")
    ? ` (option \`mutate: "${numberSplits(repeat, fold)}"\`)`
    : "";

const stepsOnly = (found: string): StatError =>
  new StatError(
    "StepsOnly",
    `${found}: the states of one training follow from each other, and a test that takes them for items or runs finds differences that are not there.`,
    "Compare the items of one checkpoint, or several trainings by their seeds.",
  );

/** Folds, or states of a training, that the importer took for items, in a table with a column for each system. Where no column names the items, rows
 *  are told by their steps or epochs. */
export function refuseRowsOfRuns(item: string, wide: readonly string[], columns: readonly string[]): void {
  const [x, y] = wide;
  if (x === undefined || y === undefined) return;
  const steps = (columns.includes(item) ? [item] : columns).find((name) => isStep(name) || isEpoch(name));
  if (steps !== undefined) throw stepsOnly(`one number for each ${steps}`);
  if (!isFold(item)) return;
  throw new StatError(
    "FoldsOnly",
    `one number for each ${item}: the models of different folds share training data, and a test that takes folds for items finds differences that are not there.`,
    `Use \`correctedResampledTest\`, which allows for that, with \`x: ${y}\`, \`y: ${x}\`, and \`nTrain\` and \`nTest\`, of which only the ratio counts (9 and 1 for ten folds).`,
  );
}

/** Equally many rows of each system may well be the same items in the same order. */
function adviseRows(table: Table, system: string): string {
  const { codes, levels } = asFactor(table.columns.get(system)!);
  const counts = new Int32Array(levels.length);
  for (const code of codes) if (code >= 0) counts[code]! += 1;
  const alike = new Set(counts.filter((count) => count > 0)).size === 1;
  const byRow = alike
    ? "Option `byRow` pairs row 1 of each system with row 1 of the others, and so on; option"
    : "Option";
  return `${byRow} \`unpaired\` takes each row for an item of its own.`;
}
