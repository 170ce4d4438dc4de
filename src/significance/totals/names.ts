/** Plain names of the columns that stand beside a total, and which score such a name is about. */
import type { Table } from "../../data/table.ts";

export interface Name {
  readonly column: string;
  /** What it is about: "pooled" of pooled_low_ci; "" where it does not say. */
  readonly stem: string;
}

export const list = (words: string): readonly string[] => words.split(" ");
export const SE = list("stderr se sem std_err stderror standard_error std_error");
export const SD = list("std sd stdev stddev std_dev standard_deviation");
export const LOWER = list("lower lo low lb lcl ci_lower ci_low lower_ci low_ci ci_lo lower_bound q025 q2_5 p2_5 min95");
export const UPPER = list(
  "upper hi high ub ucl ci_upper ci_high upper_ci high_ci ci_hi upper_bound q975 q97_5 p97_5 max95",
);
export const HALF = list(
  "ci ci95 ci_95 95_ci ci90 ci_90 90_ci ci99 ci_99 99_ci confidence_interval margin_of_error moe half_width",
);
/** What the reader of tables makes of "61.5 ± 0.4", and the sign itself. */
export const EITHER = list("pm ± error_bar");
export const SIZES = list(
  "n total count items samples examples instances questions cases prompts tasks problems tests queries sentences segments documents attempts trials votes battles comparisons games matches sample_size support test_cases test_questions test_items test_samples",
);
export const SIZE_HEADS = list("n num number number_of total count total_number_of");
export const SIZE_TAILS = list("total count evaluated eval test puzzles challenges");
export const RUNS = list("seeds runs repeats repetitions replicates replications");
export const TALLIES = list(
  "correct pass passes passed solved resolved win wins won success successes successful hits",
);
export const TIES = list("tie ties tied draw draws");
/** Scores that are shares of right answers. */
export const SHARES = list("acc accuracy pass passed rate passrate winrate correct em success resolved solved win");
export const MEANS = list("mean avg average");

/** "overallAccuracy (%)" → overall_accuracy */
export const joined = (name: string): string =>
  name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1_")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}±]+/gu, "_")
    .replace(/^_|_$/g, "");

/** The names that end in one of these words, the longest ending taken off. */
export function named(columns: readonly string[], endings: readonly string[]): Name[] {
  return columns.flatMap((column): Name[] => {
    const own = joined(column);
    const [ending] = endings
      .filter((end) => own === end || own.endsWith(`_${end}`))
      .sort((a, b) => b.length - a.length);
    return ending === undefined ? [] : [{ column, stem: own.slice(0, own.length - ending.length).replace(/_$/, "") }];
  });
}

/** std_score of mean_score. */
export const prefixed = (columns: readonly string[], beginnings: readonly string[]): Name[] =>
  columns.flatMap((column) => {
    const own = joined(column);
    const start = beginnings.find((word) => own.startsWith(`${word}_`));
    return start === undefined ? [] : [{ column, stem: own.slice(start.length + 1) }];
  });

/** Without "mean", which a deviation's name leaves out. */
export const coreOf = (score: string): string =>
  joined(score)
    .split("_")
    .filter((word) => !MEANS.includes(word))
    .join("_");

/** pooled_low_ci is of pooled_score; lc_standard_error of length_controlled_win_rate. */
export function isOf(stem: string, score: string): boolean {
  const own = coreOf(score);
  const initials = own.split("_").map((word) => word[0]);
  return (
    stem === own ||
    stem === joined(score) ||
    own.startsWith(`${stem}_`) ||
    joined(score).startsWith(`${stem}_`) ||
    (stem.length > 1 && stem === initials.slice(0, stem.length).join(""))
  );
}

export function numbers(table: Table, name: string): Float64Array | undefined {
  const cells = table.columns.get(name);
  return cells?.kind === "numeric" ? cells.values : undefined;
}

export interface Own {
  readonly table: Table;
  readonly score: string;
  readonly scores: readonly string[];
  readonly columns: readonly string[];
}
