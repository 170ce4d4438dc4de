/** How sure a total is: which columns beside it say so, by their plain names, and what they say.
 *      se        score_stderr, standard_error                    σ̂ as it is
 *      sd        score_std with n                                sd/√n
 *      runs      score_std with n_seeds                          sd/√n, of runs
 *      interval  score_lower, score_upper; low_ci, high_ci       (upper - lower) / 2z
 *                score_ci: half a width; "+5/-4", "[80.7, 84.6]", "±1.9"
 *      counts    passes of decided; wins and half of the ties    √(p(1 - p)/n), if passes/decided is the score of every row
 *      share     n alone, or votes                               √(p(1 - p)/n), where the score is called a share of right answers
 *  Intervals are of 95 % unless the name says 90 or 99. A name that begins with another score's is about that one; one without a score's name is about
 *  the only score, or the only one that its limits enclose. What could be either is a question, never a choice. */
import { asFactor, type Column, type Table } from "../../data/table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { fromCounts, fromShare, runNames, sizeNames, sizeOf, sizes } from "./counts.ts";
import {
  coreOf,
  EITHER,
  HALF,
  isOf,
  joined,
  LOWER,
  list,
  type Name,
  named,
  numbers,
  type Own,
  prefixed,
  SD,
  SE,
  UPPER,
} from "./names.ts";

export interface TotalSpread {
  readonly kind: "se" | "interval" | "counts" | "sd" | "runs" | "share";
  /** Columns it was taken from. */
  readonly columns: readonly string[];
  readonly se: Float64Array;
  /** Sample sizes; NaN where none is told. */
  readonly n: Float64Array;
  /** Successes of n; only of counts and shares. */
  readonly successes?: Float64Array;
  /** The file's own limits, of 95 %. */
  readonly limits?: readonly [lower: Float64Array, upper: Float64Array];
  /** 1, or 100 where the score is a percentage. */
  readonly scale: number;
}

/** Columns that may say it, of which the names do not tell which does or what it says. */
export interface SpreadQuestion {
  readonly kind: "ask";
  readonly columns: readonly string[];
  /** Reads after the columns: "follow a ± …". */
  readonly why: string;
  readonly fix: string;
}

/** `scores` are the columns that a name without a stem could be about; default: the score alone. */
export function findSpread(
  table: Table,
  score: string,
  scores: readonly string[] = [score],
): TotalSpread | SpreadQuestion | undefined {
  if (numbers(table, score) === undefined) return undefined;
  const own: Own = { table, score, scores, columns: [...table.columns.keys()].filter((name) => name !== score) };
  return (
    fromErrors(own) ??
    fromDeviation(own) ??
    fromLimits(own) ??
    fromHalves(own) ??
    askEither(own) ??
    fromCounts(own) ??
    fromShare(own)
  );
}

/** What a spread could be made of if the rest were there: the deviation of the score, and a number of items. */
export function findParts(
  table: Table,
  score: string,
): { readonly deviation: string | undefined; readonly size: string | undefined } {
  const own: Own = {
    table,
    score,
    scores: [score],
    columns: [...table.columns.keys()].filter((name) => name !== score),
  };
  const [deviation] = pick(own, deviationNames(own));
  return { deviation: deviation?.column, size: sizeNames(own)[0] };
}

const isNumeric = ({ table }: Own, { column }: Name): boolean => numbers(table, column) !== undefined;

/** Those about the score: by its name, else those that name nothing, where no other score is without a spread of its own. */
function pick(own: Own, names: readonly Name[]): readonly Name[] {
  const about = names.filter(({ stem }) => stem !== "" && isOf(stem, own.score));
  if (about.length > 0) return about;
  return candidates(own).every((name) => name === own.score) ? names.filter(({ stem }) => stem === "") : [];
}

/** Scores that a column without a score's name could be about. */
function candidates({ table, scores }: Own): readonly string[] {
  if (scores.length < 2) return scores;
  return scores.filter((score) => {
    const columns = [...table.columns.keys()].filter((name) => name !== score);
    const told = [SE, SD, LOWER, HALF].flatMap((endings) => named(columns, endings));
    if (told.some(({ stem }) => stem !== "" && isOf(stem, score))) return false;
    return numbers(table, score) !== undefined && fromCounts({ table, score, scores: [score], columns }) === undefined;
  });
}

const ask = (names: readonly Name[], why: string, fix: string): SpreadQuestion => ({
  kind: "ask",
  columns: names.map(({ column }) => column),
  why,
  fix,
});

function fromErrors(own: Own): TotalSpread | SpreadQuestion | undefined {
  const names = named(own.columns, SE).filter((name) => isNumeric(own, name));
  const found = pick(own, names);
  const [only] = found;
  if (found.length > 1) return ask(found, `are each a standard error of ${own.score}`, "Keep one of them.");
  if (only === undefined) return askWhose(own, names, "a standard error");
  const se = numbers(own.table, only.column)!;
  // the error of a share is at most 0.5: one in percent is another column's
  if (!isPlausible(numbers(own.table, own.score)!, se)) return undefined;
  return { kind: "se", columns: [only.column], se, n: sizes(own), scale: 1 };
}

const isPlausible = (values: Float64Array, errors: Float64Array): boolean =>
  values.some((value) => value > 1 || value < 0) || errors.every((error) => Number.isNaN(error) || error <= 0.5);

/** A column without a score's name, where several scores could be meant. */
function askWhose(own: Own, names: readonly Name[], what: string): SpreadQuestion | undefined {
  const bare = names.filter(({ stem }) => stem === "");
  const whose = candidates(own);
  if (bare.length === 0 || whose.length < 2 || !whose.includes(own.score)) return undefined;
  return ask(
    bare,
    `could be ${what} of any of ${whose.slice(0, 4).join(", ")}${whose.length > 4 ? ", …" : ""}`,
    `Name it after its score, as in ${joined(own.score)}_${joined(bare[0]!.column)}.`,
  );
}

const deviationNames = (own: Own): Name[] =>
  [...named(own.columns, SD), ...prefixed(own.columns, SD)].filter((name) => isNumeric(own, name));

function fromDeviation(own: Own): TotalSpread | SpreadQuestion | undefined {
  const names = deviationNames(own);
  const found = pick(own, names);
  const [run] = runNames(own);
  const size = run === undefined ? sizeOf(own) : { columns: [run], n: numbers(own.table, run)! };
  if (size === undefined) return undefined;
  const [only] = found;
  if (found.length > 1) return ask(found, `are each a standard deviation of ${own.score}`, "Keep one of them.");
  if (only === undefined) return askWhose(own, names, "a standard deviation");
  const { columns, n } = size;
  const se = numbers(own.table, only.column)!.map((sd, i) => sd / Math.sqrt(n[i]!));
  return { kind: run === undefined ? "sd" : "runs", columns: [only.column, ...columns], se, n, scale: 1 };
}

function fromLimits(own: Own): TotalSpread | SpreadQuestion | undefined {
  const [lows, highs] = [LOWER, UPPER].map((ends) =>
    named(own.columns, ends).filter((name) => isNumeric(own, name)),
  ) as [Name[], Name[]];
  const pairs = lows.flatMap((low) =>
    highs.filter(({ stem }) => stem === low.stem).map((high) => ({ ...low, high: high.column })),
  );
  const fits = (score: string, { column, high }: (typeof pairs)[number]): boolean =>
    encloses(numbers(own.table, score), numbers(own.table, column)!, numbers(own.table, high)!);
  // limits under a name of their own (rating_q025 beside score) are about whatever single score they enclose
  const isFree = ({ stem }: Name): boolean =>
    stem === "" ||
    ![own.score, ...own.columns].some((name) => numbers(own.table, name) !== undefined && isScoreOf(stem, name));
  const about = pairs.filter((pair) => pair.stem !== "" && isOf(pair.stem, own.score) && fits(own.score, pair));
  const free = pairs.filter((pair) => isFree(pair) && fits(own.score, pair));
  const found = about.length > 0 ? about : free;
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length > 1) return ask(found, `are each a lower limit of ${own.score}`, "Keep one pair of limits.");
  const rivals = own.scores.filter((score) => score !== own.score && fits(score, only));
  if (about.length === 0 && rivals.length > 0)
    return ask(
      [only],
      `could be a limit of ${[own.score, ...rivals].join(" or ")}`,
      `Name it after its score, as in ${joined(own.score)}_lower.`,
    );
  return interval(own, [only.column, only.high], numbers(own.table, only.column)!, numbers(own.table, only.high)!);
}

/** The column that limits are named after: pooled_score of pooled_low, not n_pooled. */
const isScoreOf = (stem: string, name: string): boolean =>
  [stem, ...SCORE_TAILS.map((tail) => `${stem}_${tail}`)].some((own) => own === joined(name) || own === coreOf(name));
const SCORE_TAILS = list("score mean rating value");

const encloses = (values: Float64Array | undefined, lower: Float64Array, upper: Float64Array): boolean =>
  values?.every((value, i) => !(value < lower[i]! - ROUNDED || value > upper[i]! + ROUNDED)) ?? false;
/** Limits and scores are rounded apart. */
const ROUNDED = 1e-9;

function interval(own: Own, columns: readonly string[], lower: Float64Array, upper: Float64Array): TotalSpread {
  const level = levelOf(columns[0]!);
  const z = normalQuantileUpper((1 - level) / 2);
  return {
    kind: "interval",
    columns,
    se: upper.map((end, i) => (end - lower[i]!) / (2 * z)),
    n: sizes(own),
    ...(level === 0.95 ? { limits: [lower, upper] as const } : {}),
    scale: 1,
  };
}

const levelOf = (name: string): number => {
  const digits = /(?<!\d)(90|99)(?!\d)/.exec(name)?.[1];
  return digits === undefined ? 0.95 : Number(digits) / 100;
};

/** A column CI: half a width, or a text with both ends. */
function fromHalves(own: Own): TotalSpread | SpreadQuestion | undefined {
  const values = numbers(own.table, own.score)!;
  const names = named(own.columns, HALF);
  const found = pick(own, names).flatMap((name) => {
    const ends = endsOf(own.table.columns.get(name.column)!, values);
    return ends === undefined ? [] : [{ ...name, ends }];
  });
  const [only] = found;
  if (found.length > 1) return ask(found, `are each an interval of ${own.score}`, "Keep one of them.");
  if (only === undefined) return askWhose(own, names, "the interval");
  return interval(own, [only.column], only.ends.lower, only.ends.upper);
}

interface Ends {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

const NUMBER = String.raw`(?:([+\-−])\s*)?(\d+(?:\.\d*)?|\.\d+)`;
const TWO_NUMBERS = new RegExp(
  String.raw`^[[(]?\s*${NUMBER}(?:\s*%)?\s*(?:[,;/–—]|to|-)\s*${NUMBER}(?:\s*%)?\s*[\])]?$`,
);
const HALF_TEXT = /^(?:±|\+\/-)\s*(\d+(?:\.\d*)?|\.\d+)\s*%?$/;

/** Limits of every row, if its cells say them in one way and they enclose the score. */
function endsOf(cells: Column, values: Float64Array): Ends | undefined {
  if (cells.kind === "numeric") {
    if (cells.values.some((half) => half < 0)) return undefined;
    return { lower: values.map((v, i) => v - cells.values[i]!), upper: values.map((v, i) => v + cells.values[i]!) };
  }
  const { codes, levels } = asFactor(cells);
  const lower = new Float64Array(values.length).fill(Number.NaN);
  const upper = new Float64Array(values.length).fill(Number.NaN);
  for (const [row, code] of codes.entries()) {
    if (code < 0) continue;
    const ends = readEnds(levels[code]!.trim(), values[row]!);
    if (ends === undefined) return undefined;
    [lower[row], upper[row]] = ends;
  }
  return encloses(values, lower, upper) ? { lower, upper } : undefined;
}

function readEnds(text: string, value: number): [number, number] | undefined {
  const half = HALF_TEXT.exec(text)?.[1];
  if (half !== undefined) return [value - Number(half), value + Number(half)];
  const parts = TWO_NUMBERS.exec(text);
  if (parts === null) return undefined;
  const [, signA = "", a = "", signB = "", b = ""] = parts;
  const ends = [signed(signA, a), signed(signB, b)].sort((x, y) => x - y) as [number, number];
  // one goes up and one down: distances from the score
  const apart = (signA === "+") !== (signB === "+") && ends[0] <= 0 && ends[1] >= 0;
  return apart ? [value + ends[0], value + ends[1]] : ends;
}

const signed = (sign: string, digits: string): number => (sign === "-" || sign === "−" ? -1 : 1) * Number(digits);

function askEither(own: Own): SpreadQuestion | undefined {
  const found = pick(own, named(own.columns, EITHER)).filter((name) => isNumeric(own, name));
  if (found.length === 0) return undefined;
  const stem = joined(own.score);
  return ask(
    found,
    "follows a ±, which may be a standard error, a standard deviation or half of an interval",
    `Name it ${stem}_stderr, ${stem}_std or ${stem}_ci.`,
  );
}
