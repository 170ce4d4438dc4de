/** One number for each system, task and language, and nothing that names smaller items → each task in each language is an item.
 *  A task in another language is another test of the system, not the same one again; where errors or sizes stand beside the scores they are
 *  totals, which have tests of their own. */
import { groupKeys } from "../keys.ts";
import { ITEM_NAMES, SYSTEM_NAMES, splitWords, TASK_NAMES } from "../roles/names.ts";
import { factorColumn, type Table, withColumn } from "../table.ts";
import { cellText, freshName, type Reshaped } from "./reshaped.ts";

const LANGUAGE_NAMES =
  "language lang locale language_pair lang_pair langpair lp subset hf_subset iso iso_code lang_code language_code wals_iso".split(
    " ",
  );
/** Fewer are a leaderboard, not a sample. */
const FEWEST_ITEMS = 5;
const SPREAD = /(^|_)(stderr|se|std|ci|lower|upper|n|count|samples|total)$/;

export function findTaskLanguage(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  const plain = (name: string): string => splitWords(name).join("_");
  if (names.some((name) => ITEM_NAMES.includes(plain(name)) || SPREAD.test(plain(name)))) return undefined;
  const find = (aliases: readonly string[]): string | undefined => names.find((name) => aliases.includes(plain(name)));
  const system = find(SYSTEM_NAMES) ?? find(["file"]);
  const task = find(TASK_NAMES.filter((name) => !LANGUAGE_NAMES.includes(name)));
  const language = find(LANGUAGE_NAMES);
  if (system === undefined || task === undefined || language === undefined) return undefined;
  const [own, first, second] = [system, task, language].map((name) => table.columns.get(name)!);
  const cells = groupKeys([first!, second!], table.rows).count;
  if (cells < FEWEST_ITEMS || groupKeys([first!], table.rows).count === cells) return undefined;
  if (groupKeys([own!, first!, second!], table.rows).count !== table.rows || table.rows === cells) return undefined;
  const item = freshName(table, "item");
  const texts = Array.from({ length: table.rows }, (_, row) => `${cellText(first!, row)} ${cellText(second!, row)}`);
  const reason = `one row for each ${system}, ${task} and ${language}`;
  return {
    table: withColumn(table, item, factorColumn(texts)),
    reading: [`There is ${reason}: each ${task} in each ${language} is an item (column ${item}).`],
    hints: [
      { role: "item", column: item, reason, confidence: 0.85 },
      { role: "cluster", column: task, reason: "the languages of a task belong together", confidence: 0.8 },
    ],
  };
}
