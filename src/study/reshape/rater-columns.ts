/** One column for each rater → one row for each judgment. The names say it plainly: rater1, rater2; annotator_anna, annotator_ben; with a
 *  criterion before or behind: grader1_fluency, fluency_grader2; keys of JSON: annotators.anna. */
import { type Family, stackFamilies } from "../../data/reshape.ts";
import { isMissing, selectRows, type Table } from "../../data/table.ts";
import { isMetricName } from "../lexicon/metrics.ts";
import {
  isAboutRater,
  isJudgmentList,
  isPersonWord,
  LABEL_NAMES,
  RATER_STEMS,
  SYSTEM_NAMES,
} from "../lexicon/names.ts";
import { plainName, splitNumbers } from "../lexicon/words.ts";
import { freshName, hint, type Reshaped } from "./reshaped.ts";

export function findRaterColumns(table: Table): Reshaped | undefined {
  const found = [...table.columns.keys()].flatMap((name) => {
    const own = readRaterName(name);
    return own === undefined ? [] : [{ name, ...own }];
  });
  const raters = [...new Set(found.map(({ rater }) => rater))];
  const criteria = [...new Set(found.map(({ criterion }) => criterion))];
  const columnOf = (rater: string, criterion: string): string | undefined =>
    found.find((own) => own.rater === rater && own.criterion === criterion)?.name;
  // a criterion that one rater lacks may be anything
  const complete = criteria.every((criterion) => raters.every((rater) => columnOf(rater, criterion) !== undefined));
  if (raters.length < 2 || !complete) return undefined;
  const families = criteria.map((criterion) => ({
    name: criterion,
    columns: raters.map((rater) => columnOf(rater, criterion)),
  }));
  return stackRaters(table, raters, families);
}

/** A row for each judgment that was given. Numbers are scores where they are of a criterion or of systems; others are labels. */
export function stackRaters(table: Table, raters: readonly string[], given: readonly Family[]): Reshaped {
  const ofSystems = [...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(plainName(name)));
  const rater = freshName(table, "rater");
  const families = given.map(({ name: criterion, columns }) => {
    const numbers = columns.every((name) => name === undefined || table.columns.get(name)!.kind === "numeric");
    const unnamed = criterion === "" || LABEL_NAMES.includes(criterion) || isJudgmentList(criterion);
    const isScore = numbers && (!unnamed || ofSystems);
    return { name: freshName(table, criterion || (isScore ? "score" : "label")), columns, isScore };
  });
  const long = stackFamilies(table, raters, { families, keyName: rater });
  const cells = families.map(({ name }) => long.columns.get(name)!);
  const scores = families.filter(({ isScore }) => isScore);
  const columns = families.flatMap((own) => own.columns.filter((name) => name !== undefined));
  return {
    table: selectRows(long, (row) => !cells.every((own) => isMissing(own, row))),
    done: [{ id: "raters", columns, into: [rater] }],
    hints: [
      hint("rater", rater),
      ...scores.map(({ name }) => hint("score", name)),
      ...(scores.length === 0 ? [hint("label", families[0]!.name)] : []),
    ],
  };
}

/** "rater_2_fluency" is rater 2 on fluency; the criterion is "" where the column is all that the rater said. A word in the place of a number
 *  is a name only beside a word that means nothing but a person. */
export function readRaterName(name: string): { readonly rater: string; readonly criterion: string } | undefined {
  const words = splitNumbers(name);
  const at = words.findIndex((word) => RATER_STEMS.includes(word) || RATER_STEMS.includes(word.replace(/s$/, "")));
  const rater = at < 0 ? undefined : words[at + 1];
  if (rater === undefined) return undefined;
  const named = isPersonWord(words[at]!.replace(/s$/, "")) && !isMetricName(rater) && !LABEL_NAMES.includes(rater);
  if (!/^(\d+|\p{L})$/u.test(rater) && !named) return undefined;
  const others = [...words.slice(0, at), ...words.slice(at + 2)];
  return [rater, ...others].some(isAboutRater) ? undefined : { rater, criterion: others.join("_") };
}
