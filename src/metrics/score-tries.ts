/** Scores of repeated tries: pass@k, pass^k, maj@k as means over items, whose spread gives the error; Bayes@N with the posterior's.
 *      Bayes@N: mean ± z sd of the posterior of these items' own success rates: other items are no part of it
 *  Reference: tries/pass.ts, tries/repeats.ts.
 *  Oracle:    oracle/next/pass-at-k.json (tries/tries.test.ts). */
import { fingerprint } from "../data/fingerprint.ts";
import { column, factorColumn, isMissing, numericColumn, type Table, withColumn } from "../data/table.ts";
import { normalQuantile } from "../numeric/dist/normal.ts";
import { note } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { meanStatistics } from "./mean.ts";
import { reportScores, type ScoredSystem, type ScoreResult } from "./score.ts";
import { cellTexts, numbersOf, rowsBySystem } from "./score-table.ts";
import { measureFlakiness } from "./tries/flaky.ts";
import { bayesScore } from "./tries/repeats.ts";
import { findAnswers, nameTries, reduceTries, type TriesChoice, type TriesColumns } from "./tries/tries.ts";

export interface ScoreTriesOptions {
  readonly tries: TriesChoice;
  readonly higherIsBetter?: boolean | undefined;
  readonly perItem?: boolean | undefined;
  readonly details?: boolean | undefined;
  readonly confidence?: number | undefined;
}

type Columns = Omit<TriesColumns, "item"> & { readonly item?: string | undefined };

export function scoreTries(table: Table, columns: Columns, options: ScoreTriesOptions): ScoreResult {
  const { tries, higherIsBetter, ...report } = options;
  const { score, system, item } = columns;
  const name = nameTries(tries, score);
  if (item === undefined)
    throw new StatError(
      "NoItemColumn",
      `${name} is of several tries of an item, and no column names items.`,
      "Name it with option `item`.",
    );
  if (higherIsBetter === false)
    throw new StatError(
      "BadMetric",
      `${name} takes 1 for a pass, and a lower ${score} is better.`,
      "Make a column of passes with option `mutate`.",
    );
  const numeric = withColumn(table, score, numericColumn(numbersOf(table, score)));
  const whole = nameItems(numeric, { ...columns, item });
  const own = { system, item, score };
  const {
    scored,
    repeats,
    score: called,
  } = tries.kind === "bayes@"
    ? scoreBayes(whole, { ...own, tries }, report.confidence ?? 0.95)
    : scoreReduced(
        whole,
        { ...own, answer: tries.kind === "maj@" ? findAnswers(table, columns.answer) : undefined },
        tries,
      );
  const told = repeats.fewest === repeats.most ? String(repeats.most) : `${repeats.fewest} to ${repeats.most}`;
  return reportScores(scored, {
    ...report,
    data: fingerprint(table),
    options: { ...columns, metric: called },
    flakiness: measureFlakiness(whole, own),
    diagnostics: [note("Tries", `each item has ${told} scored tries of a system; n counts items.`, "")],
  });
}

/** Items of several tasks may share their ids. */
function nameItems(table: Table, { item, task }: TriesColumns): Table {
  if (task === undefined) return table;
  const [ids, tasks] = [column(table, item), cellTexts(column(table, task))];
  if (new Set(tasks).size < 2) return table;
  const names = cellTexts(ids).map((id, row) => (isMissing(ids, row) ? null : `${tasks[row] ?? ""}/${id}`));
  return withColumn(table, item, factorColumn(names));
}

interface Scored {
  readonly scored: readonly ScoredSystem[];
  readonly repeats: { readonly fewest: number; readonly most: number };
  readonly score: string;
}

function scoreReduced(table: Table, columns: TriesColumns, tries: TriesChoice): Scored {
  const reduced = reduceTries(table, columns, tries);
  const values = column(reduced.table, reduced.score) as { readonly values: Float64Array };
  const items = cellTexts(column(reduced.table, columns.item));
  const scored = [...rowsBySystem(reduced.table, columns.system)].map(
    ([name, rows]): ScoredSystem => ({
      name,
      statistics: meanStatistics(
        rows.map((row) => values.values[row]!),
        { name: reduced.score, higherIsBetter: true },
      ),
      items: rows.map((row) => items[row] ?? ""),
      tries: rows.reduce((most, row) => Math.max(most, reduced.tried[row]!.tries), 0),
    }),
  );
  return { scored, repeats: reduced, score: reduced.score };
}

/** More different values are no grades. */
const MOST_GRADES = 20;

/** The values of the score are the grades, each with one pseudo-count. */
function scoreBayes(
  table: Table,
  { system, item, score, tries }: TriesColumns & { readonly tries: TriesChoice },
  level: number,
): Scored {
  const values = (column(table, score) as { readonly values: Float64Array }).values;
  const seen = [...new Set(values.filter((value) => !Number.isNaN(value)))].sort((a, b) => a - b);
  const grades = seen.every((value) => value === 0 || value === 1) ? [0, 1] : seen;
  if (grades.length > MOST_GRADES)
    throw new StatError(
      "TooManyGrades",
      `${score} has ${grades.length} different values: Bayes@N is of few grades.`,
      "Round the score with option `mutate`, or use its mean.",
    );
  const ids = cellTexts(column(table, item));
  let [fewest, most] = [Number.POSITIVE_INFINITY, 0];
  const groups = [...rowsBySystem(table, system)].map(([name, rows]) => {
    const items = new Map<string, number[]>();
    for (const row of rows) {
      const id = ids[row];
      if (id === null || id === undefined || Number.isNaN(values[row]!)) continue;
      const outcome = grades.indexOf(values[row]!);
      const own = items.get(id);
      if (own === undefined) items.set(id, [outcome]);
      else own.push(outcome);
    }
    for (const { length } of items.values()) [fewest, most] = [Math.min(fewest, length), Math.max(most, length)];
    return { name, items };
  });
  if (!Number.isNaN(tries.k) && (fewest !== tries.k || most !== tries.k))
    throw new StatError(
      "OtherTries",
      `bayes@${tries.k}: items have ${fewest === most ? fewest : `${fewest} to ${most}`} scored tries, and Bayes@N takes all of them.`,
      fewest === most ? `Ask for bayes@${most}.` : "Ask for bayes.",
    );
  const called = nameTries({ ...tries, k: fewest === most ? most : Number.NaN }, score);
  const z = normalQuantile((1 + level) / 2);
  const scored = groups.map(({ name, items }): ScoredSystem => {
    const found = bayesScore([...items.values()], grades);
    const ci = {
      lower: found.mean - z * found.sd,
      upper: found.mean + z * found.sd,
      level,
      method: "posterior, normal",
    } as const;
    return {
      name,
      statistics: meanStatistics(found.items, { name: called, higherIsBetter: true }),
      items: [...items.keys()],
      tries: most,
      posterior: { sd: found.sd, ci },
    };
  });
  return { scored, repeats: { fewest, most }, score: called };
}
