/** One column for each rater → one row for each judgment. The names say it plainly: rater1, rater2; annotator_anna, annotator_ben; and with a
 *  criterion behind: grader1_fluency, grader2_fluency. */
import type { Decision } from "../../data/imported.ts";
import { isMissing, selectRows, type Table } from "../../data/table.ts";
import { RATER_STEMS } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";
import { type Family, freshName, type Reshaped, stackFamilies } from "./reshaped.ts";

interface RaterColumn {
  readonly name: string;
  /** "1", "anna". */
  readonly rater: string;
  /** What follows the rater: "fluency"; "" where the column is all that the rater said. */
  readonly criterion: string;
}

/** What is known about a rater is not a judgment. */
const ABOUT = new Set(
  "id ids name names age gender group country comment comments note notes time date email code model version reason rationale count agreement".split(
    " ",
  ),
);

export function findRaterColumns(table: Table): Reshaped | undefined {
  const found = [...table.columns.keys()].flatMap((name) => readName(name) ?? []);
  const raters = [...new Set(found.map(({ rater }) => rater))];
  if (raters.length < 2) return undefined;
  const criteria = [...new Set(found.map(({ criterion }) => criterion))];
  const columnOf = (rater: string, criterion: string): string | undefined =>
    found.find((own) => own.rater === rater && own.criterion === criterion)?.name;
  const complete = criteria.filter((criterion) => raters.every((rater) => columnOf(rater, criterion) !== undefined));
  // a criterion that one rater lacks may be anything
  if (complete.length === 0 || complete.length < criteria.length) return undefined;
  const keyName = freshName(table, "rater");
  const families = complete.map(
    (criterion): Family => ({
      name: freshName(table, criterion === "" ? "rating" : criterion),
      columns: raters.map((rater) => columnOf(rater, criterion)),
    }),
  );
  const long = stackFamilies(table, raters, { families, keyName });
  const cells = families.map(({ name }) => long.columns.get(name)!);
  const rows = selectRows(long, (row) => !cells.every((own) => isMissing(own, row)));
  const numeric = families.filter(({ name }) => rows.columns.get(name)!.kind === "numeric");
  const hints: Decision[] = [
    { role: "rater", column: keyName, by: "file" },
    ...numeric.map(({ name }): Decision => ({ role: "score", column: name, by: "file" })),
    ...(numeric.length === 0 ? [{ role: "label", column: families[0]!.name, by: "file" } as const] : []),
  ];
  const columns = found.map(({ name }) => name);
  return {
    table: rows,
    reading: [
      `${columns.join(" / ")}: one column for each rater; each became a row, and column ${keyName} says which.`,
    ],
    hints,
  };
}

/** "rater_2_fluency" → rater 2, fluency. */
function readName(name: string): RaterColumn | undefined {
  const words = splitWords(name);
  const [, stem, number] = /^(\p{L}+?)(\d*)$/u.exec(words[0] ?? "") ?? [];
  if (stem === undefined || !RATER_STEMS.includes(stem)) return undefined;
  const rest = words.slice(1);
  const rater = number !== "" ? number! : rest.shift();
  if (rater === undefined || ABOUT.has(rater) || rest.some((word) => ABOUT.has(word))) return undefined;
  return { name, rater, criterion: rest.join("_") };
}
