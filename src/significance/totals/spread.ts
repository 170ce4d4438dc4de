/** How sure a total is, from what stands beside it: a standard error, the limits of an interval, counts, or a standard deviation and a size.
 *      se        score_stderr, standard_error           σ̂ as it is
 *      interval  score_q025, score_q975; lower, upper   (upper - lower) / (2 · 1.96), if every score lies between
 *      counts    wins of n                              √(p(1 - p)/n), if the score is that share (or 100 times it)
 *      sd        score_std with n                       sd/√n
 *      runs      score_std with n_seeds                 sd/√n, of runs
 *      share     n alone                                √(p(1 - p)/n), where the score is called a share of right answers */
import type { Roles } from "../../data/imported.ts";
import type { Table } from "../../data/table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { splitWords } from "../../study/lexicon/words.ts";

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

const SIZE =
  /^(n|total|n_total|total_n|num_samples|n_samples|sample_size|samples|test_cases|total_tests|cases|num_examples|n_examples|examples|instances|n_items|items|questions|count|total_instances|attempts|attempts_total|total_attempts|n_attempts|num_attempts|trials_total|total_trials|n_trials|total_questions|total_instances|num_total|n_questions)$/;
/** "Total Puzzles", "n_eval", "n_test", "num_test_questions": how many of what is judged. */
const SIZE_OF =
  /^(n|num|number_of|total|total_number_of|total_num)_(\w+_)?(samples|examples|items|cases|questions|problems|puzzles|tasks|instances|tests?|prompts|eval|evals|evaluated|queries|sentences|segments|documents|docs|challenges)$/;
/** How many items are behind a total, by its name in words. */
const isSizeName = (joinedName: string): boolean => SIZE.test(joinedName) || SIZE_OF.test(joinedName);

const SE = /(^|_)(stderr|se|sem|std_err|stderror|standard_error|std_error)$/;
const SD = /(^|_)(std|sd|stdev|stddev|std_dev)$/;
const LOWER = /(^|_)(lower|lo|low|q025|q2_5|ci_lower|ci_low|lower_ci|low_ci|lb|lcl|min95|p2_5)$/;
const UPPER = /(^|_)(upper|hi|high|q975|q97_5|ci_upper|ci_high|upper_ci|high_ci|ub|ucl|max95|p97_5)$/;
const SHARE = /acc|accuracy|pass|rate|correct|exact_match|em|success|resolved|solved|win/;
/** "overall.total_questions" is the size of "overall.accuracy": what they have in common says of what. */
function isSize(name: string, score: string): boolean {
  const [own, other] = [splitWords(name), splitWords(score)];
  const shared = own.findIndex((word, k) => word !== other[k]);
  return isSizeName(own.join("_")) || (shared > 0 && isSizeName(own.slice(shared).join("_")));
}
/** Over how many trainings or evaluations a mean was taken. */
const RUNS = /^((n|num|number_of|total)_)?(seeds|runs|repeats|repetitions|replicates|replications)$/;
const isRuns = (name: string): boolean => RUNS.test(joined(name));
/** Shares are printed with a few digits. */
const ROUNDED = 0.006;

const joined = (name: string): string => splitWords(name).join("_");

export function findSpread(table: Table, score: string, roles: Roles): TotalSpread | undefined {
  const values = numbers(table, score);
  if (values === undefined) return undefined;
  const own = [...table.columns.keys()].filter((name) => name !== score && numbers(table, name) !== undefined);
  return fromError(table, score, own, roles) ?? fromLimits(table, score, own) ?? fromSize(table, score, own);
}

/** What a spread could be made of if the rest were there: the deviation of the score, and a number of items. */
export function findParts(
  table: Table,
  score: string,
): { readonly deviation: string | undefined; readonly size: string | undefined } {
  const names = [...table.columns.keys()].filter((name) => name !== score && numbers(table, name) !== undefined);
  return {
    deviation: names.find((name) => isDeviation(name, score)),
    size: names.find((name) => isSize(name, score)),
  };
}

/** score_std of score, std_score of mean_score. */
const isDeviation = (name: string, score: string): boolean =>
  (SD.test(joined(name)) && belongs(name, score, SD)) ||
  (/^(std|sd|stdev|stddev)_/.test(joined(name)) &&
    joined(name).replace(/^[a-z]+_/, "") === joined(score).replace(/^(mean|avg|average)_/, ""));

function numbers(table: Table, name: string): Float64Array | undefined {
  const cells = table.columns.get(name);
  return cells?.kind === "numeric" ? cells.values : undefined;
}

/** The error that shares the score's name, or its initials; one error alone belongs to the main score. */
function fromError(table: Table, score: string, names: readonly string[], roles: Roles): TotalSpread | undefined {
  const errors = names.filter((name) => SE.test(joined(name)));
  const lone = loneError(errors, score, roles);
  const found =
    errors.find((name) => belongs(name, score, SE)) ??
    (lone !== undefined && isPlausible(numbers(table, score)!, numbers(table, lone)!) ? lone : undefined);
  if (found !== undefined)
    return { kind: "se", columns: [found], se: numbers(table, found)!, n: sizes(table, score, names), scale: 1 };
  const deviation = names.find((name) => isDeviation(name, score));
  const runs = names.find(isRuns);
  const size = runs ?? names.find((name) => isSize(name, score));
  if (deviation === undefined || size === undefined) return undefined;
  const n = numbers(table, size)!;
  const se = numbers(table, deviation)!.map((sd, i) => sd / Math.sqrt(n[i]!));
  return { kind: runs === undefined ? "sd" : "runs", columns: [deviation, size], se, n, scale: 1 };
}

/** The error of a share is at most 0.5: an error in percent is another column's. */
const isPlausible = (values: Float64Array, errors: Float64Array): boolean =>
  values.some((value) => value > 1 || value < 0) || errors.every((error) => Number.isNaN(error) || error <= 0.5);

function belongs(name: string, score: string, ending: RegExp): boolean {
  const stem = joined(name).replace(ending, "");
  const own = splitWords(score).filter((word) => word !== "mean" && word !== "avg");
  return (
    stem === own.join("_") ||
    (stem.length > 1 &&
      (own.join("_").startsWith(stem) ||
        stem ===
          own
            .map((word) => word[0])
            .slice(0, stem.length)
            .join("")))
  );
}

const loneError = (errors: readonly string[], score: string, roles: Roles): string | undefined => {
  const plain = errors.filter((name) => joined(name).replace(SE, "") === "");
  return plain.length === 1 && roles.metrics[0] === score ? plain[0] : undefined;
};

function fromLimits(table: Table, score: string, names: readonly string[]): TotalSpread | undefined {
  const values = numbers(table, score)!;
  for (const low of names.filter((name) => LOWER.test(joined(name)))) {
    const stem = joined(low).replace(LOWER, "");
    const high = names.find((name) => UPPER.test(joined(name)) && joined(name).replace(UPPER, "") === stem);
    if (high === undefined || areOfAnother(stem, score, names)) continue;
    const [lower, upper] = [numbers(table, low)!, numbers(table, high)!];
    const encloses = values.every(
      (value, i) => Number.isNaN(value) || Number.isNaN(lower[i]!) || (lower[i]! <= value && value <= upper[i]!),
    );
    if (!encloses) continue;
    const se = upper.map((end, i) => (end - lower[i]!) / (2 * normalQuantileUpper(0.025)));
    return {
      kind: "interval",
      columns: [low, high],
      se,
      n: sizes(table, score, names),
      limits: [lower, upper],
      scale: 1,
    };
  }
  return undefined;
}

/** pooled_low, pooled_high are the limits of pooled_score, which is there, and not of mean_score. */
const areOfAnother = (stem: string, score: string, names: readonly string[]): boolean =>
  stem !== "" &&
  !joined(score).startsWith(stem) &&
  names.some((name) => {
    const own = joined(name);
    return own.startsWith(`${stem}_`) && /(^|_)(score|mean|rating|value)$/.test(own);
  });

function sizes(table: Table, score: string, names: readonly string[]): Float64Array {
  const size = names.find((name) => isSize(name, score));
  return size === undefined ? new Float64Array(table.rows).fill(Number.NaN) : numbers(table, size)!;
}

const FEWEST_COUNTED = 10;

/** What a number of right answers must be divided by to give the score of every system is the number of items, whatever it is called. */
function sizeByCounts(table: Table, score: string, names: readonly string[]): string | undefined {
  const values = numbers(table, score)!;
  if (values.length < 2 || new Set(values).size < 2) return undefined;
  const scale = values.some((value) => value > 1) ? 100 : 1;
  const tallies = names.filter((name) => isCounts(name, numbers(table, name)!));
  return names.find((name) => {
    const n = numbers(table, name)!;
    if (tallies.includes(name) || !n.every((size) => Number.isInteger(size) && size >= FEWEST_COUNTED)) return false;
    return tallies.some((own) =>
      numbers(table, own)!.every((k, i) => Math.abs((scale * k) / n[i]! - values[i]!) < (scale * 0.5) / n[i]!),
    );
  });
}

/** Whole numbers under the name of what was counted, not of a share. */
const isCounts = (score: string, values: Float64Array): boolean =>
  /(^|_)(correct|passed|solved|resolved|wins?|won|successes|successful|hits)$/.test(joined(score)) &&
  values.some((value) => value > 1) &&
  values.every((value) => Number.isInteger(value));

function fromSize(table: Table, score: string, names: readonly string[]): TotalSpread | undefined {
  const size =
    names.find((name) => isSize(name, score) && numbers(table, name)!.every((n) => n > 0)) ??
    sizeByCounts(table, score, names);
  if (size === undefined) return undefined;
  const [values, n] = [numbers(table, score)!, numbers(table, size)!];
  const counts = isCounts(score, values);
  // 80 of 164 is no 80 %
  if (counts && new Set(n).size > 1) return undefined;
  const scale = counts ? n[0]! : values.some((value) => value > 1) ? 100 : 1;
  if (values.some((value) => value < 0 || value > scale)) return undefined;
  const shares = values.map((value) => value / scale);
  const counted = names.find(
    (name) =>
      name !== size &&
      numbers(table, name)!.every((x, i) => Number.isInteger(x) && Math.abs(x / n[i]! - shares[i]!) < ROUNDED),
  );
  if (counted === undefined && !SHARE.test(joined(score))) return undefined;
  const successes =
    counted === undefined ? shares.map((share, i) => Math.round(share * n[i]!)) : numbers(table, counted)!;
  const se = shares.map((share, i) => scale * Math.sqrt((share * (1 - share)) / n[i]!));
  return {
    kind: counted === undefined ? "share" : "counts",
    columns: [...(counted === undefined ? [] : [counted]), size],
    se,
    n,
    successes,
    scale,
  };
}
