/** What the flags mean, checked: a wrong value is one clear line, before any file is read. */

import { type FilesAre, StatError, type Told } from "../index.ts";
import type { Contrast, FamilyName } from "../models.ts";
import { commandWords, parseLevels, parseOptions, SHAPE, TOLD } from "../questions.ts";

export type OutputFormat = "text" | "json" | "markdown" | "tex" | "csv" | "html";

/** As the command line gave them. */
export interface GivenOptions extends Omit<GlobalOptions, "format"> {
  readonly format?: string;
  /** Of `compare`. */
  readonly flips?: string;
  readonly table?: string;
}

export interface GlobalOptions {
  readonly json?: boolean;
  readonly format: OutputFormat;
  /** The sentence, the table and the literature for a paper, instead of the answer. */
  readonly paper?: boolean;
  /** All tables and notes, where the command has a shorter answer. */
  readonly details?: boolean;
  readonly out?: string;
  readonly plot?: string;
  readonly figure?: string;
  readonly html?: string;
  readonly includeText?: boolean;
  readonly seed: string;
  readonly workers?: string;
  readonly quiet?: boolean;
  /** Progress also where stderr is no terminal. */
  readonly progress?: boolean;
  readonly color: boolean;
}

/** How a file is read, and which of its rows count. */
export interface DataOptions extends GlobalOptions, ReadOptions {
  readonly where: readonly string[];
  readonly mutate: readonly string[];
}

/** How the columns of a file become variables, as commander hands it over. */
export interface VariableOptions extends DataOptions {
  readonly levels: readonly string[];
  readonly factor: readonly string[];
  readonly ordered: readonly string[];
  readonly contrasts: readonly string[];
  readonly weights?: string;
  readonly offset?: string;
}

/** How a file is read. */
export interface ReadOptions {
  readonly inputFormat?: string;
  readonly badRows?: "error" | "skip";
  readonly delimiter?: string;
  readonly decimal?: "." | ",";
  readonly missing?: string;
  readonly encoding?: string;
  readonly heading?: string;
  readonly shape?: "long" | "as-is";
  readonly maxMemory?: string;
  /** false with --no-quote. */
  readonly quote?: boolean;
}

/** What the rows mean, as the flags of every command that reads rows say it, or a reading (reading.ts). */
export interface RoleOptions {
  readonly system?: string;
  readonly item?: string;
  readonly score?: string;
  readonly rater?: string;
  readonly run?: string;
  readonly cluster?: string;
  readonly task?: string;
  readonly metric?: string;
  readonly gold?: string;
  readonly pred?: string;
  readonly systems?: string;
  readonly byRow?: boolean;
  readonly direction?: "higher" | "lower";
  readonly files?: FilesAre;
  readonly reading?: string;
  /** Of a reading alone: no flag names the metric column. */
  readonly metricColumn?: string;
}

/** The one place where flags become what the library is told; `metric` is left to those who compute one. */
export function toldOf(options: RoleOptions): Told {
  const { metric: _, ...told } = parseOptions(TOLD, options);
  return told;
}

export const saysShape = (options: RoleOptions): boolean => Object.keys(parseOptions(SHAPE, options)).length > 0;

/** The same as words of a command. */
export const flagsOf = (told: Told): string[] => commandWords(TOLD, told);

export interface ModelOptions<Family extends FamilyName = FamilyName> extends VariableOptions {
  readonly family?: Family;
  readonly link?: "identity" | "log" | "logit" | "probit" | "cloglog";
}

/** Rows with scores or labels. */
export interface RatingOptions extends DataOptions, RoleOptions {
  readonly ordered: readonly string[];
  readonly confidence: string;
}

const CONTRASTS: readonly string[] = ["treatment", "sum", "helmert", "poly"];

export function parseLevelLists(texts: readonly string[], flag: string): Map<string, readonly string[]> {
  return new Map(texts.map((text) => parseLevels(text, flag)));
}

/** `sum` for every factor, or `col=sum` for one. */
export function parseContrasts(texts: readonly string[]): { all?: Contrast; byColumn: Map<string, Contrast> } {
  const byColumn = new Map<string, Contrast>();
  let all: Contrast | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf("=");
    const name = text.slice(at + 1);
    if (!CONTRASTS.includes(name)) {
      throw new StatError(
        "BadOption",
        `--contrasts ${text}: no contrast "${name}".`,
        `Choose one of ${CONTRASTS.join(", ")}.`,
      );
    }
    if (at < 0) all = name as Contrast;
    else byColumn.set(text.slice(0, at), name as Contrast);
  }
  return all === undefined ? { byColumn } : { all, byColumn };
}
