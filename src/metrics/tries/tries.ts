/** Several tries of each item by each system → one number per system and item, so that items stay the units of every test and interval.
 *    pass@k, pass^k   from the tries that passed (pass.ts)        maj@k   from the answers (repeats.ts)
 *  Tries of one item are correlated; a number per item takes that out of every test that follows.
 *  Oracle:    pass.test.ts, repeats.test.ts; a table by hand (tries.test.ts).
 *  Limits:    tries of one item are independent draws: what a whole run shares (a seed, a server) is not seen. */
import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, isMissing, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { type PassChoice, passOf } from "./pass.ts";
import { majorityOf } from "./repeats.ts";

export interface TriesChoice {
  readonly kind: "pass@" | "pass^" | "maj@" | "bayes@";
  /** NaN where bayes does not say how many. */
  readonly k: number;
  /** The score that is meant, in "pass@5 of solved". */
  readonly of?: string | undefined;
}

/** "pass@5", "pass^3 of solved", "maj@5", "bayes@8", "bayes". */
export function findTries(text: string): TriesChoice | undefined {
  const [, named = "", count = "", of] =
    /^(pass\s*[@^]|maj\s*@|bayes)\s*(?:@\s*)?(?:(\d+|N)\s*)?(?:(?<=\s)of\s(.+))?$/i.exec(text.trim()) ?? [];
  if (named === "") return undefined;
  const plain = named.replace(/\s/g, "").toLowerCase();
  const kind = (plain === "bayes" ? "bayes@" : plain) as TriesChoice["kind"];
  const k = /^\d+$/.test(count) ? Number(count) : Number.NaN;
  if (Number.isNaN(k) && kind !== "bayes@") return undefined;
  if (k < 1) throw new StatError("BadOption", `${text}: k is at least 1.`, `Ask for ${kind}1 or more.`);
  return { kind, k, ...(of === undefined ? {} : { of: of.trim() }) };
}

/** "pass@5 of solved". */
export const nameTries = ({ kind, k }: TriesChoice, score: string): string =>
  `${kind === "bayes@" ? "Bayes@" : kind}${Number.isNaN(k) ? "N" : k} of ${score}`;

export interface TriesColumns {
  readonly item: string;
  readonly score: string;
  readonly system?: string | undefined;
  readonly task?: string | undefined;
  /** What was answered, for maj@k. */
  readonly answer?: string | undefined;
}

/** The tries of one system on one item. */
export interface TriedItem {
  /** First row of it. */
  readonly row: number;
  /** Tries that have a score, and how many of them are right. */
  readonly tries: number;
  readonly right: number;
  /** Rows of the scored tries. */
  readonly rows: readonly number[];
}

/** Scores other than 0 and 1 have no tries that pass or fail: undefined. Missing scores are no tries. */
export function findTried(table: Table, { system, item, task, score }: TriesColumns): TriedItem[] | undefined {
  const cells = column(table, score);
  if (cells.kind !== "numeric" || cells.values.some((v) => v !== 0 && v !== 1 && !Number.isNaN(v))) return undefined;
  const keys = [system, task, item].flatMap((name) => (name === undefined ? [] : [column(table, name)]));
  const ids = column(table, item);
  const { group, first, count } = groupKeys(keys, table.rows);
  const rows = Array.from({ length: count }, (): number[] => []);
  for (let row = 0; row < table.rows; row++) {
    if (!isMissing(ids, row) && !Number.isNaN(cells.values[row]!)) rows[group[row]!]!.push(row);
  }
  return rows.flatMap((own, g) => {
    if (isMissing(ids, first[g]!)) return [];
    const right = own.reduce((sum, row) => sum + cells.values[row]!, 0);
    return [{ row: first[g]!, tries: own.length, right, rows: own }];
  });
}

export interface ReducedTries {
  /** One row for each system and item; other columns as in its first row. */
  readonly table: Table;
  /** The column of the new score. */
  readonly score: string;
  readonly fewest: number;
  readonly most: number;
  readonly tried: readonly TriedItem[];
}

/** Tries instead of which one number stands for each system and item. */
export function reduceTries(table: Table, columns: TriesColumns, choice: TriesChoice): ReducedTries {
  const tried = findTried(table, columns)?.filter(({ tries }) => tries > 0);
  const name = nameTries(choice, columns.score);
  if (tried === undefined) throw notBinary(table, columns.score, name);
  if (tried.length === 0) throw new StatError("NoRows", `no try has a ${columns.score}.`, "Score the tries first.");
  refuseFewer(table, tried, { ...columns, choice });
  const values =
    choice.kind === "maj@"
      ? majorities(table, tried, { ...columns, choice })
      : tried.map(({ tries, right }) => passOf(tries, right, passChoice(choice)));
  const kept = selectRows(
    table,
    Int32Array.from(tried, ({ row }) => row),
  );
  const counts = tried.map(({ tries }) => tries);
  return {
    table: withColumn(kept, name, numericColumn(values)),
    score: name,
    fewest: counts.reduce((least, own) => Math.min(least, own)),
    most: counts.reduce((most, own) => Math.max(most, own)),
    tried,
  };
}

const passChoice = ({ kind, k }: TriesChoice): PassChoice => ({ kind: kind === "pass^" ? "^" : "@", k });

function notBinary(table: Table, score: string, name: string): StatError {
  const cells = column(table, score);
  const found =
    cells.kind === "factor" ? cells.levels[0] : cells.values.find((v) => v !== 0 && v !== 1 && !Number.isNaN(v));
  return new StatError(
    "NotBinary",
    `${name} counts tries that pass (1) or fail (0), and ${score} has other values, such as ${found}.`,
    "Name a score of 0 and 1, or make one with option `mutate`.",
  );
}

const labelOf = (table: Table, name: string, row: number): string => {
  const { codes, levels } = asFactor(column(table, name));
  return levels[codes[row]!] ?? "";
};

type Asked = TriesColumns & { readonly choice: TriesChoice };

function refuseFewer(table: Table, tried: readonly TriedItem[], { item, task, choice, score }: Asked): void {
  const few = tried.filter(({ tries }) => tries < choice.k);
  if (few.length === 0) return;
  const keys = [task, item].flatMap((name) => (name === undefined ? [] : [column(table, name)]));
  const { group } = groupKeys(keys, table.rows);
  const count = (own: readonly TriedItem[]): number => new Set(own.map(({ row }) => group[row]!)).size;
  const fewest = few.reduce((least, { tries }) => Math.min(least, tries), choice.k);
  const [lacking, all] = [count(few), count(tried)];
  throw new StatError(
    "TooFewTries",
    `${nameTries(choice, score)} needs ${choice.k} scored tries of every item: ${lacking} of ${all} items ${lacking === 1 ? "has" : "have"} fewer (the fewest: ${fewest}, ${item} ${labelOf(table, item, few.find(({ tries }) => tries === fewest)!.row)}).`,
    fewest > 0
      ? `Ask for k of at most ${fewest}, or leave those items out with option \`where\`.`
      : "Ask for a smaller k.",
  );
}

/** maj@k of each item; right answers are one answer, however they are spelt. */
function majorities(table: Table, tried: readonly TriedItem[], { answer, score, choice, item }: Asked): number[] {
  const name = nameTries(choice, score);
  if (answer === undefined)
    throw new StatError(
      "NoAnswers",
      `${name} counts answers, and no column was recognised as what was answered.`,
      "Name it with option `pred`.",
    );
  const { codes, levels } = asFactor(column(table, answer));
  const values = column(table, score);
  const scores = values.kind === "numeric" ? values.values : new Float64Array(0);
  const lacking = tried.reduce((sum, { rows }) => sum + rows.filter((row) => codes[row]! < 0).length, 0);
  if (lacking > 0)
    throw new StatError(
      "NoAnswers",
      `${name} counts answers, and ${lacking} scored ${lacking === 1 ? "try has" : "tries have"} none in ${answer}.`,
      "Write what was answered, also where it is wrong, or leave those tries out with option `where`.",
    );
  return tried.map(({ rows, right, row: at }) => {
    const [wrong, correct] = [new Map<number, number>(), new Set<number>()];
    for (const row of rows) {
      if (scores[row] === 1) correct.add(codes[row]!);
      else wrong.set(codes[row]!, (wrong.get(codes[row]!) ?? 0) + 1);
    }
    const both = [...wrong.keys()].find((code) => correct.has(code));
    if (both !== undefined)
      throw new StatError(
        "ScoredBothWays",
        `${item} ${labelOf(table, item, at)}: the answer "${levels[both]}" is right in one try and wrong in another.`,
        "Score equal answers alike, or use pass@k.",
      );
    return majorityOf([right, ...wrong.values()], choice.k);
  });
}

const ANSWERS =
  "answer extracted_answer parsed_answer final_answer predicted prediction predictions pred predicted_label pred_label y_pred output response".split(
    " ",
  );

/** The column of what was answered: the one named, the one an importer found, else one that is called so. */
export const findAnswers = (table: Table, named?: string | undefined): string | undefined =>
  named ?? ANSWERS.find((name) => table.columns.has(name));
