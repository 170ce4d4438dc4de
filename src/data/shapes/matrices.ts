/** Tables whose header is data as well as their first column:
 *    measures x systems    "F1, 0.79, 0.78" under ModelA, ModelB → one row a system, one column a measure
 *    labels x labels       a confusion matrix → one row for each item, with its right and its predicted label
 *    systems x data sets   "gpt, 86.4, 92.0, …" under MMLU, GSM8K, … → one row for each system and data set */
import { listNames } from "../../result/quote.ts";
import { groupKeys } from "../keys.ts";
import { isMeasure } from "../roles/direction.ts";
import { BENCHMARK_NAMES, REPEAT_NAMES, SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, type FactorColumn, factorColumn, makeTable, type Table } from "../table.ts";
import { cellText, freshName, type Reshaped, stackFamilies } from "./reshaped.ts";

export function findMatrix(table: Table): Reshaped | undefined {
  const [first, ...others] = [...table.columns];
  if (first === undefined || others.length < 2 || table.rows < 2 || first[1].kind !== "factor") return undefined;
  const names = Array.from({ length: table.rows }, (_, row) => cellText(first[1], row));
  if (names.includes(null) || new Set(names).size < table.rows) return undefined;
  const numeric = others.filter((entry): entry is [string, NumericColumn] => entry[1].kind === "numeric");
  if (numeric.length < others.length) return undefined;
  const labels = names as string[];
  return readConfusion(labels, numeric) ?? turnMeasures(first[0], labels, numeric);
}

type NumericColumn = Extract<Column, { kind: "numeric" }>;

/** More items are written as rows by nobody. */
const MOST_ITEMS = 200_000;

/** Rows and columns have the same names, and whole numbers stand between them. */
function readConfusion(rows: readonly string[], columns: readonly [string, NumericColumn][]): Reshaped | undefined {
  const plain = (name: string): string =>
    splitWords(name)
      .join(" ")
      .replace(/^(true|actual|gold|pred|predicted) /, "");
  const header = columns.map(([name]) => plain(name));
  const own = rows.map(plain);
  if (
    rows.length !== columns.length ||
    !own.every((name) => header.includes(name)) ||
    new Set(header).size < rows.length
  )
    return undefined;
  const counts = columns.map(([, { values }]) => values);
  const total = counts.reduce((sum, values) => sum + values.reduce((a, b) => a + b, 0), 0);
  if (!counts.every((values) => values.every((n) => Number.isInteger(n) && n >= 0))) return undefined;
  if (total <= rows.length * rows.length || total > MOST_ITEMS) return undefined;
  // where the rows are called predictions, the header has the right labels
  const swapped = rows.every((name) => /^pred/i.test(name));
  const [right, predicted]: [string[], string[]] = [[], []];
  own.forEach((row, i) => {
    header.forEach((column, j) => {
      for (let k = 0; k < counts[j]![i]!; k += 1) {
        right.push(swapped ? column : row);
        predicted.push(swapped ? row : column);
      }
    });
  });
  const reason = "the rows and columns of a confusion matrix";
  return {
    table: makeTable([
      ["true_label", factorColumn(right)],
      ["predicted_label", factorColumn(predicted)],
    ]),
    reading: [
      `A confusion matrix of ${total} items: ${swapped ? "its columns" : "its rows"} are taken as the right labels and ${swapped ? "its rows" : "its columns"} as the predicted ones, and each item became a row.`,
    ],
    hints: [
      { role: "label", column: "true_label", reason, confidence: 0.85 },
      { role: "prediction", column: "predicted_label", reason, confidence: 0.85 },
    ],
  };
}

/** The rows are measures by their names, and the columns are not. */
function turnMeasures(
  name: string,
  rows: readonly string[],
  columns: readonly [string, NumericColumn][],
): Reshaped | undefined {
  const measures = rows.filter(isMeasure).length;
  const called = /^(metrics?|measures?|score|column1)$|^unnamed/i.test(name);
  if (measures * 2 < rows.length || measures < 2 || columns.some(([own]) => isMeasure(own))) return undefined;
  if (!called && measures < rows.length) return undefined;
  const systems: FactorColumn = factorColumn(columns.map(([own]) => own));
  const key = "system";
  const entries: [string, Column][] = rows.map((measure, row) => [
    measure === key ? `${measure}_value` : measure,
    { kind: "numeric", values: Float64Array.from(columns, ([, { values }]) => values[row]!) },
  ]);
  return {
    table: makeTable([[key, systems], ...entries], columns.length),
    reading: [
      `Each row of the file is a measure (${listNames(rows)}) and each column a system: the table was turned, one row a system.`,
    ],
    hints: [
      {
        role: "system",
        column: key,
        reason: "the rows are measures, so the columns are what is measured",
        confidence: 0.85,
      },
    ],
  };
}

const FEWEST_SETS = 5;
/** Of more systems nobody asks which of two is better. */
const MOST_SYSTEMS = 50;
const AVERAGE = /^(avg|average|mean|overall|total|all)\b/i;
const BESIDE = /_pm$/;
const SPREAD = /(^|[_. -])(stderr|std|sd|se|ci|lower|upper|n|count)$/i;

/** A row for each system, or for each of its seeds, and a column for each of several benchmarks: those that are known, and what stands between them. */
export function findBenchmarks(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  const called = (aliases: readonly string[]): string | undefined =>
    names.find((name) => aliases.includes(splitWords(name).join("_")));
  const [system, seed] = [called(SYSTEM_NAMES), called(REPEAT_NAMES)];
  const isSet = (name: string): boolean => BENCHMARK_NAMES.has(name.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const [from, to] = [names.findIndex(isSet), names.findLastIndex(isSet)];
  if (system === undefined || from < 0 || names.some((name) => SPREAD.test(name))) return undefined;
  const keys = [system, ...(seed === undefined ? [] : [seed])].map((name) => table.columns.get(name)!);
  const systems = groupKeys(keys.slice(0, 1), table.rows).count;
  if (groupKeys(keys, table.rows).count < table.rows || systems < 2 || systems > MOST_SYSTEMS) return undefined;
  const run = names.slice(from, to + 1).filter((name) => name !== system && name !== seed);
  // what stood behind a ± says how sure a number is
  const beside = names.filter((name) => BESIDE.test(name) && names.includes(name.replace(BESIDE, "")));
  const sets = run.filter((name) => !AVERAGE.test(name) && !beside.includes(name));
  const averages = names.filter((name) => AVERAGE.test(name) && table.columns.get(name)!.kind === "numeric");
  const numeric = sets.every((name) => table.columns.get(name)!.kind === "numeric");
  if (!numeric || sets.filter(isSet).length * 2 < sets.length || sets.length < (seed === undefined ? FEWEST_SETS : 2))
    return undefined;
  const [dataset, value] = [freshName(table, "dataset"), freshName(table, "value")];
  const reason = `${sets[0]}, …, ${sets.at(-1)} are data sets`;
  const left = [
    ...(averages.length === 0 ? [] : [`; ${listNames(averages)} sums them up and is left out`]),
    ...(beside.length === 0 ? [] : ["; what stands behind a ± is left out"]),
  ].join("");
  return {
    table: stackFamilies(table, sets, {
      families: [{ name: value, columns: sets }],
      keyName: dataset,
      drop: [...averages, ...beside],
    }),
    reading: [`${listNames(sets)}: a column for each data set; they were put under one another${left}.`],
    hints: [
      { role: "item", column: dataset, reason, confidence: 0.85 },
      { role: "score", column: value, reason, confidence: 0.85 },
    ],
  };
}
