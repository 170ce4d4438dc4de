/** Numbers beside a total: of runs, of items, of right answers. */
import type { Table } from "../../data/table.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { joined, numbers, type Own, RUNS, SHARES, SIZE_HEADS, SIZE_TAILS, SIZES, TALLIES, TIES } from "./names.ts";
import type { TotalSpread } from "./spread.ts";

export const runNames = (own: Own): string[] =>
  own.columns.filter((name) => {
    const words = joined(name);
    const bare = SIZE_HEADS.reduce(
      (rest, head) => (words.startsWith(`${head}_`) ? words.slice(head.length + 1) : rest),
      words,
    );
    return RUNS.includes(bare) && numbers(own.table, name) !== undefined;
  });

/** n, items, num_test_questions; overall.total_questions beside overall.accuracy. */
export function sizeNames({ table, score, columns }: Own): string[] {
  const [prefix = ""] = joined(score).split("_");
  return columns.filter((name) => {
    const words = joined(name);
    const rest = words.startsWith(`${prefix}_`) ? words.slice(prefix.length + 1) : words;
    return [words, rest].some(isSize) && numbers(table, name)?.every((n) => n > 0) === true;
  });
}

function isSize(words: string): boolean {
  if (SIZES.includes(words)) return true;
  const head = SIZE_HEADS.find((own) => words.startsWith(`${own}_`));
  const last = words.slice(words.lastIndexOf("_") + 1);
  if (head !== undefined) return SIZES.includes(last) || SIZE_TAILS.includes(last);
  // sample_total, attempts_total
  return SIZES.includes(words.slice(0, words.lastIndexOf("_"))) && last === "total";
}

interface Size {
  readonly columns: readonly string[];
  readonly n: Float64Array;
}

/** Of several numbers of items the smaller counts in each row: a spread is rather too wide. */
export function sizeOf(own: Own): Size | undefined {
  const names = sizeNames(own);
  const all = names.map((name) => numbers(own.table, name)!);
  if (all.length === 0) return undefined;
  const n = Float64Array.from({ length: own.table.rows }, (_, i) => leastOf(all.map((values) => values[i]!)));
  const same = names.find((_, k) => all[k]!.every((value, i) => value === n[i]));
  return { columns: same === undefined ? names : [same], n };
}

export const sizes = (own: Own): Float64Array => sizeOf(own)?.n ?? new Float64Array(own.table.rows).fill(Number.NaN);

const FEWEST_COUNTED = 10;
const isWhole = (values: Float64Array): boolean => values.every((value) => Number.isInteger(value) && value >= 0);

/** Named for what was counted, in whole numbers: passes, n_correct, correct_count. */
const isTally = (name: string, values: Float64Array): boolean =>
  isNamedBy(name, TALLIES) && values.some((value) => value > 1) && isWhole(values);

function isNamedBy(name: string, words: readonly string[]): boolean {
  const own = joined(name).split("_");
  return (
    own.some((word) => words.includes(word)) &&
    own.every((word) => words.includes(word) || SIZE_HEADS.includes(word) || /^\d+$/.test(word))
  );
}

/** A tally, or wins with half of the ties, and what it must be divided by to give the score of every row; the tally itself may be the score. */
export function fromCounts(own: Own): TotalSpread | undefined {
  const { table, score, columns } = own;
  const values = numbers(table, score)!;
  if (isTally(score, values)) return fromTally(own, values);
  const scale = values.some((value) => value > 1) ? 100 : 1;
  const whole = columns.filter((name) => isWhole(numbers(table, name) ?? NOT_WHOLE));
  const printed = 10 ** -decimalsOf(values);
  for (const counted of countedOf(table, whole)) {
    const share = (name: string, i: number): number => (scale * counted.successes[i]!) / numbers(table, name)![i]!;
    const divides = (name: string): boolean =>
      !counted.columns.includes(name) &&
      numbers(table, name)!.every(
        (n, i) =>
          n >= FEWEST_COUNTED &&
          counted.successes[i]! <= n &&
          Math.abs(share(name, i) - values[i]!) < Math.max(printed, (scale * 0.5) / n),
      );
    // of several that fit the score, the one that fits it best: items and decided differ by the undecided
    const off = (name: string): number => values.reduce((sum, value, i) => sum + Math.abs(share(name, i) - value), 0);
    const [size] = whole.filter(divides).sort((a, b) => off(a) - off(b));
    if (size === undefined) continue;
    const { successes } = counted;
    const spread = binomial("counts", [...counted.columns, size], { successes, n: numbers(table, size)!, scale });
    if (counted.columns.length === 1) return spread;
    // halves are no successes; the variance of a share is an upper bound of theirs
    const { successes: _, ...without } = spread;
    return without;
  }
  return undefined;
}

interface Counted {
  readonly columns: readonly string[];
  readonly successes: Float64Array;
}

/** Each tally, then each with half of the ties. */
function countedOf(table: Table, whole: readonly string[]): Counted[] {
  const tallies = whole
    .filter((name) => isTally(name, numbers(table, name)!))
    .map((name) => ({ columns: [name], successes: numbers(table, name)! }));
  const ties = whole.filter((name) => isNamedBy(name, TIES));
  const halved = tallies.flatMap(({ columns, successes }) =>
    ties.map((name) => ({
      columns: [...columns, name],
      successes: successes.map((won, i) => won + numbers(table, name)![i]! / 2),
    })),
  );
  return [...tallies, ...halved];
}

const NOT_WHOLE = Float64Array.of(Number.NaN);
/** Numbers with more decimals were not rounded. */
const MOST_DECIMALS = 6;
const decimalsOf = (values: Float64Array): number =>
  Math.min(MOST_DECIMALS, mostOf(Array.from(values, (value) => String(value).split(".")[1]?.length ?? 0)));

/** 80 of 164: the numbers of right answers are the scores, of as many items for every system. */
function fromTally(own: Own, values: Float64Array): TotalSpread | undefined {
  const size = sizeOf(own);
  if (size === undefined || new Set(size.n).size > 1 || values.some((value) => value > size.n[0]!)) return undefined;
  return binomial("counts", size.columns, { successes: values, n: size.n, scale: size.n[0]! });
}

export function fromShare(own: Own): TotalSpread | undefined {
  const values = numbers(own.table, own.score)!;
  const size = sizeOf(own);
  const words = joined(own.score).split("_");
  const isShare = words.some((word) => SHARES.includes(word)) || words.join("_").includes("exact_match");
  // 80 of 164 and 90 of 200 are not 80 and 90 percent
  if (size === undefined || !isShare || isTally(own.score, values)) return undefined;
  const scale = values.some((value) => value > 1) ? 100 : 1;
  if (values.some((value) => value < 0 || value > scale)) return undefined;
  const { columns, n } = size;
  return binomial("share", columns, {
    successes: values.map((value, i) => Math.round((value / scale) * n[i]!)),
    n,
    scale,
  });
}

function binomial(
  kind: "counts" | "share",
  columns: readonly string[],
  { successes, n, scale }: { successes: Float64Array; n: Float64Array; scale: number },
): TotalSpread {
  const se = successes.map((k, i) => scale * Math.sqrt(((k / n[i]!) * (1 - k / n[i]!)) / n[i]!));
  return { kind, columns, se, n, successes, scale };
}
