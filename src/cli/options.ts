/** What the flags mean, checked: a wrong value is one clear line, before any file is read. */

import type { FilesAre, Told } from "../index.ts";
import { commandWords, parseLevels, parseOptions, SHAPE, TOLD } from "../questions.ts";

export type OutputFormat = "text" | "json" | "markdown" | "tex" | "csv" | "html";

/** As the command line gave them. */
export interface GivenOptions extends Omit<GlobalOptions, "format"> {
  readonly format?: string | undefined;
  /** Of `compare`. */
  readonly flips?: string | undefined;
  readonly table?: string | undefined;
}

export interface GlobalOptions {
  readonly json?: boolean | undefined;
  readonly format: OutputFormat;
  /** The sentence, the table and the literature for a paper, instead of the answer. */
  readonly paper?: boolean | undefined;
  /** All tables and notes, where the command has a shorter answer. */
  readonly details?: boolean | undefined;
  readonly out?: string | undefined;
  readonly plot?: string | undefined;
  readonly figure?: string | undefined;
  readonly html?: string | undefined;
  readonly includeText?: boolean | undefined;
  /** Of a gate. */
  readonly comment?: string | undefined;
  readonly seed: string;
  readonly workers?: string | undefined;
  readonly quiet?: boolean | undefined;
  /** Progress also where stderr is no terminal. */
  readonly progress?: boolean | undefined;
  readonly color: boolean;
}

/** How a file is read, and which of its rows count. */
export interface DataOptions extends GlobalOptions, ReadOptions {
  readonly where: readonly string[];
  readonly mutate: readonly string[];
}

/** How a file is read. */
export interface ReadOptions {
  readonly inputFormat?: string | undefined;
  readonly badRows?: "error" | "skip" | undefined;
  readonly delimiter?: string | undefined;
  readonly decimal?: "." | "," | undefined;
  readonly missing?: string | undefined;
  readonly encoding?: string | undefined;
  readonly heading?: string | undefined;
  readonly shape?: "long" | "as-is" | undefined;
  readonly maxMemory?: string | undefined;
  /** false with --no-quote. */
  readonly quote?: boolean | undefined;
}

/** What the rows mean, as the flags of every command that reads rows say it, or a reading (reading.ts). */
export interface RoleOptions {
  readonly system?: string | undefined;
  readonly item?: string | undefined;
  readonly score?: string | undefined;
  readonly rater?: string | undefined;
  readonly run?: string | undefined;
  readonly cluster?: string | undefined;
  readonly task?: string | undefined;
  readonly metric?: string | undefined;
  readonly gold?: string | undefined;
  readonly pred?: string | undefined;
  readonly systems?: string | undefined;
  readonly byRow?: boolean | undefined;
  readonly direction?: "higher" | "lower" | undefined;
  readonly files?: FilesAre | undefined;
  readonly reading?: string | undefined;
  /** Of a reading alone: no flag names the metric column. */
  readonly metricColumn?: string | undefined;
}

/** The one place where flags become what the library is told; `metric` is left to those who compute one. */
export function toldOf(options: RoleOptions): Told {
  const { metric: _, ...told } = parseOptions(TOLD, options);
  return told;
}

export const saysShape = (options: RoleOptions): boolean => Object.keys(parseOptions(SHAPE, options)).length > 0;

/** The same as words of a command. */
export const flagsOf = (told: Told): string[] => commandWords(TOLD, told);

/** Rows with scores or labels. */
export interface RatingOptions extends DataOptions, RoleOptions {
  readonly ordered: readonly string[];
  readonly confidence: string;
}

export function parseLevelLists(texts: readonly string[], flag: string): Map<string, readonly string[]> {
  return new Map(texts.map((text) => parseLevels(text, flag)));
}
