/** Tables as people have them → long rows: one row for each judgement. Shapes are tried in a fixed order; a shape that fits is said aloud, and
 *  none touches a table that is long already. Several may apply one after the other (pairs of lists, then words for numbers).
 *      plain numbers   "-", "85.2 ± 0.4", "85%" among numbers
 *      matrices        measures x systems, labels x labels
 *      verdict cells   "[PASS] (1.00) …", a column a system        nested     records within a cell
 *      votes           two sides and who won                       lists      values of several raters in a cell
 *      side by side    sys1 quality1 sys2 quality2; best, worst    counts     numbers of raters per label
 *      ranks           1, 2, 3 of the systems of an item           best-worst   best and worst of the systems of a row
 *      one-hot         gpt4 = 0, llama = 1                         words      "very bad" … "very good"
 *      chart           run - metric over steps                     radio      q.1 = false, q.2 = true
 *      rater columns   rater_anna, rater_ben                       marks      "5 (best)", "4/5", "★★★☆☆"
 *      shares          7 correct of 10; wins, ties and losses
 *      task x language   the item of a table with a row for each   ballots    gpt = 0, llama = 1 for the one preferred
 *      paired answers  response1, response2, and 0, 1 or 2 of annotators
 *      id parts        doc3_sent12 is in doc3                      bare votes   A, B or tie, of systems that nobody named */
import { groupKeys } from "../keys.ts";
import {
  CLUSTER_NAMES,
  GROUP_NAMES,
  INPUT_NAMES,
  ITEM_NAMES,
  SYSTEM_NAMES,
  splitWords,
  TASK_NAMES,
} from "../roles/names.ts";
import { type Column, isMissing, type Table } from "../table.ts";
import { findBallots } from "./ballots.ts";
import { findBareVotes, findPairedAnswers } from "./bare-votes.ts";
import { findBestWorst } from "./best-worst.ts";
import { findChart } from "./chart.ts";
import { findCounts } from "./counts.ts";
import { findIdParts } from "./id-parts.ts";
import { findLists } from "./lists.ts";
import { findAbstentions, findMarks } from "./marks.ts";
import { findBenchmarks, findMatrix } from "./matrices.ts";
import { findNested } from "./nested.ts";
import { findOneHot, findRadio, findVoteMarks } from "./one-hot.ts";
import { findPlainNumbers } from "./plain-numbers.ts";
import { findRanks } from "./ranks.ts";
import { findRaterColumns } from "./rater-columns.ts";
import { type Reshaped, type Shape, withRowNumbers } from "./reshaped.ts";
import { findShares } from "./shares.ts";
import { findSideBySide } from "./side-by-side.ts";
import { findTaskLanguage } from "./task-language.ts";
import { findTwins } from "./twins.ts";
import { findVerdictCells, findVerdictColumns } from "./verdict-cells.ts";
import { findVotes } from "./votes.ts";
import { findWordScales } from "./word-scales.ts";

const SHAPES: readonly Shape[] = [
  findPlainNumbers,
  findRadio,
  findVoteMarks,
  findMatrix,
  findBenchmarks,
  findChart,
  findVerdictCells,
  findVerdictColumns,
  findNested,
  findPairedAnswers,
  findVotes,
  findBallots,
  findLists,
  findRanks,
  (table) => findSideBySide(table) ?? findBestWorst(table),
  findRaterColumns,
  findBareVotes,
  findShares,
  findCounts,
  findOneHot,
  findTwins,
  findAbstentions,
  findWordScales,
  findMarks,
  findTaskLanguage,
  findIdParts,
];

/** Longer tables than this are not searched for shapes: they were written by programs, in long form. */
const MOST_ROWS = 2_000_000;

/** `keep` names columns that the caller wants as they are: a shape that would take one of them away is not applied. */
export function reshapeTable(table: Table, keep: readonly string[] = []): Reshaped | undefined {
  if (table.rows === 0 || table.rows > MOST_ROWS) return undefined;
  let found: Reshaped | undefined;
  for (const shape of SHAPES) {
    const before = found?.table ?? table;
    const next = nameItems(before, shape, found?.hints.some(({ role }) => role === "item") === true);
    if (next === undefined || keep.some((name) => table.columns.has(name) && !next.table.columns.has(name))) continue;
    found = {
      table: next.table,
      reading: [...(found?.reading ?? []), ...next.reading],
      hints: [...(found?.hints ?? []), ...next.hints],
      higherIsBetter: new Map([...(found?.higherIsBetter ?? []), ...(next.higherIsBetter ?? [])]),
      unnamedRaters: found?.unnamedRaters === true || next.unnamedRaters === true,
    };
  }
  return found;
}

/** Where a row becomes several and nothing names the item, the rows of the file are the items. */
function nameItems(table: Table, shape: Shape, known: boolean): Reshaped | undefined {
  const plain = shape(table);
  if (known) return plain;
  const several = plain !== undefined && plain.table.rows > table.rows;
  if (!several || plain.hints.some(({ role }) => role === "item") || hasItem(table)) return plain;
  // a row for each system, and its scores by seed or fold beside each other: no row is an item
  if (plain.hints.some(({ role }) => role === "repeat") && hasRowPerSystem(table)) return plain;
  const numbered = withRowNumbers(table);
  const next = shape(numbered.table);
  if (next === undefined) return plain;
  const hint = { role: "item", column: numbered.name, reason: "each row of the file is an item", confidence: 0.8 };
  return {
    ...next,
    reading: [...next.reading, `Each row of the file is an item (column ${numbered.name}).`],
    hints: [...next.hints, hint],
  };
}

const hasRowPerSystem = (table: Table): boolean =>
  [...table.columns].some(
    ([name, cells]) =>
      SYSTEM_NAMES.includes(splitWords(name).join("_")) && groupKeys([cells], table.rows).count === table.rows,
  );

/** A complete column by a name of items, or what is another in every row, or in every row of a system: what was asked (in votes), the data set. */
function hasItem(table: Table): boolean {
  const called = ([name]: readonly [string, Column]): string => splitWords(name).join("_");
  const systems = [...table.columns].filter((entry) => SYSTEM_NAMES.includes(called(entry))).map(([, cells]) => cells);
  return [...table.columns].some((entry) => {
    const [, cells] = entry;
    const plain = called(entry);
    const named =
      ITEM_NAMES.includes(plain) ||
      ([...INPUT_NAMES, ...TASK_NAMES, ...CLUSTER_NAMES, ...GROUP_NAMES].includes(plain) &&
        groupKeys([cells, ...systems], table.rows).count === table.rows);
    return named && Array.from({ length: table.rows }, (_, row) => row).every((row) => !isMissing(cells, row));
  });
}
