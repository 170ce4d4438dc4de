/** Counts that say how good a system is → the share that they are of their total, as a column of its own.
 *    n_correct of n_samples            k/n; whoever compares finds k and n beside it
 *    wins, ties, losses (of a total)   (w + t/2)/n, and its standard error √(((w + t/4)/n - share²)/n)
 *  Nothing is added where the file has the share already. */
import { isSizeName } from "../roles/evidence.ts";
import { splitWords } from "../roles/names.ts";
import { type Column, makeTable, type Table } from "../table.ts";
import { freshName, type Reshaped } from "./reshaped.ts";

const SUCCESS =
  /^(?:(.*?)_)??(?:n|num|number|number_of|count|total|total_num)?_?(correct|right|passed|solved|resolved|successes|successful|success|succeeded|hits|accepted)(?:_(?:count|cases|tests|answers|items|tasks|questions|samples|instances|problems|runs))?$/;
const WIN = /^(n_|num_)?(wins?|won|better)(_|$)/;
const TIE = /^(n_|num_)?(ties?|tied|draws?|equal|same)(_|$)/;
const LOSS = /^(n_|num_)?(loss|losses|loses?|lost|worse)(_|$)/;
/** Shares are printed with a few digits. */
const ROUNDED = 0.006;

const joined = (name: string): string => splitWords(name).join("_");

/** Counts of wins, ties or losses are votes, not labels that raters gave. */
export const countsVotes = (name: string): boolean => [WIN, TIE, LOSS].some((kind) => kind.test(joined(name)));

export function findShares(table: Table): Reshaped | undefined {
  const numeric = [...table.columns].flatMap(([name, cells]) =>
    cells.kind === "numeric" ? [{ name, values: cells.values }] : [],
  );
  return findWins(table, numeric) ?? findSuccesses(table, numeric);
}

interface Numbers {
  readonly name: string;
  readonly values: Float64Array;
}

const areCounts = ({ values }: Numbers): boolean => values.every((value) => Number.isInteger(value) && value >= 0);

function findSuccesses(table: Table, numeric: readonly Numbers[]): Reshaped | undefined {
  const counts = numeric.filter(areCounts);
  const sizes = counts.filter(({ name, values }) => isSizeName(withoutStem(name)) && values.every((n) => n > 0));
  const added = new Map<string, { column: Column; of: string; from: string }>();
  for (const own of counts) {
    const match = SUCCESS.exec(joined(own.name));
    const size =
      match === null
        ? undefined
        : sizes.find(({ name }) => name !== own.name && stemOf(name) === stemOf(own.name, match[1]));
    if (size === undefined || !own.values.some((k) => k > 1)) continue;
    if (own.values.some((k, row) => k > size.values[row]!)) continue;
    const shares = own.values.map((k, row) => k / size.values[row]!);
    if (hasShare(numeric, own, shares)) continue;
    const name = freshName(table, `${own.name}_share`);
    added.set(name, { column: { kind: "numeric", values: shares }, of: size.name, from: own.name });
  }
  if (added.size === 0) return undefined;
  return {
    table: makeTable(
      [...table.columns, ...[...added].map(([name, { column }]) => [name, column] as const)],
      table.rows,
    ),
    reading: [...added].map(([name, { of, from }]) => `${name} is ${from} divided by ${of}.`),
    hints: [],
    higherIsBetter: new Map([...added.keys()].map((name) => [name, true])),
  };
}

/** "overall.total_questions" and "overall.correct" are of one kind, "no_image_total" and "no_image_correct" of another. */
const stemOf = (name: string, known?: string): string => {
  const own = joined(name);
  if (known !== undefined) return known;
  if (SUCCESS.test(own)) return "";
  const words = own.split("_");
  const at = words.findIndex((_, k) => isSizeName(words.slice(k).join("_")));
  return at <= 0 ? "" : words.slice(0, at).join("_");
};

const withoutStem = (name: string): string => {
  const stem = stemOf(name);
  return stem === "" ? joined(name) : joined(name).slice(stem.length + 1);
};

function hasShare(numeric: readonly Numbers[], own: Numbers, shares: Float64Array): boolean {
  return [1, 100].some((scale) =>
    numeric.some(
      ({ name, values }) =>
        name !== own.name &&
        values.some((value) => !Number.isInteger(value)) &&
        values.every((value, row) => Number.isNaN(value) || Math.abs(value / scale - shares[row]!) < ROUNDED),
    ),
  );
}

function findWins(table: Table, numeric: readonly Numbers[]): Reshaped | undefined {
  const counts = numeric.filter(areCounts);
  const of = (kind: RegExp): Numbers[] => counts.filter(({ name }) => kind.test(joined(name)));
  const [wins, ties, losses] = [of(WIN), of(TIE), of(LOSS)];
  if (wins.length === 0 || losses.length === 0 || ![...wins, ...losses].some(({ values }) => values.some((k) => k > 1)))
    return undefined;
  const sum = (list: readonly Numbers[]): Float64Array =>
    Float64Array.from({ length: table.rows }, (_, row) => list.reduce((total, { values }) => total + values[row]!, 0));
  const [w, t, all] = [sum(wins), sum(ties), sum([...wins, ...ties, ...losses])];
  if (all.some((n) => n < 2)) return undefined;
  const total = counts.find(({ values }) => values.every((n, row) => n === all[row]!));
  // votes that no column counts are neither wins nor losses
  if (total === undefined && counts.some(({ name }) => isSizeName(joined(name)))) return undefined;
  const share = w.map((k, row) => (k + t[row]! / 2) / all[row]!);
  const error = share.map((p, row) => Math.sqrt(Math.max(0, (w[row]! + t[row]! / 4) / all[row]! - p * p) / all[row]!));
  if (hasShare(numeric, wins[0]!, share)) return undefined;
  const name = freshName(table, "win_share");
  const entries: [string, Column][] = [
    ...table.columns,
    [name, { kind: "numeric", values: share }],
    [`${name}_stderr`, { kind: "numeric", values: error }],
  ];
  const list = (own: readonly Numbers[]): string => own.map(({ name: one }) => one).join(" + ");
  const half = ties.length === 0 ? "" : ` and half of ${list(ties)}`;
  return {
    table: makeTable(entries, table.rows),
    reading: [
      `${name} is the share of ${list(wins)}${half} among ${total === undefined ? "all votes" : total.name}; ${name}_stderr is its standard error.`,
    ],
    hints: [],
    higherIsBetter: new Map([[name, true]]),
  };
}
