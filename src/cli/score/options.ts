/** What the flags of `gosset score` mean, checked before any file is read. */

import { StatError } from "../../index.ts";
import {
  type Average,
  findMetric,
  type MetricChoice,
  NORMALISATIONS,
  type Normalisation,
  SMOOTHINGS,
  type Smoothing,
  type TextOptions,
} from "../../metrics.ts";
import { parseCount } from "../../questions.ts";
import type { GlobalOptions, ReadOptions, RoleOptions } from "../options.ts";
import { choose, parseTokeniser } from "../text-lines.ts";

export interface ScoreOptions extends GlobalOptions, ReadOptions, RoleOptions {
  readonly ref: readonly string[];
  readonly sentence?: boolean;
  readonly tokenize?: string;
  readonly smoothMethod?: string;
  readonly smoothValue?: string;
  readonly maxOrder?: string;
  readonly effectiveOrder?: boolean;
  readonly force?: boolean;
  readonly lowercase?: boolean;
  readonly charOrder?: string;
  readonly wordOrder?: string;
  readonly beta?: string;
  readonly whitespace?: boolean;
  readonly epsSmoothing?: boolean;
  readonly normalized?: boolean;
  /** false with --no-punct. */
  readonly punct?: boolean;
  readonly asianSupport?: boolean;
  readonly caseSensitive?: boolean;
  readonly stem?: boolean;
  readonly positive?: string;
  readonly average?: Average;
  readonly ignore?: string;
  readonly where: readonly string[];
  readonly confidence: string;
}

export function textOptions(options: ScoreOptions): TextOptions {
  const { tokenize, smoothMethod, smoothValue, maxOrder, charOrder, wordOrder, beta } = options;
  return {
    ...(tokenize === undefined ? {} : { tokenise: parseTokeniser(tokenize) }),
    ...(smoothMethod === undefined
      ? {}
      : { smoothing: choose(smoothMethod, SMOOTHINGS, "--smooth-method") as Smoothing }),
    ...(smoothValue === undefined ? {} : { smoothingValue: parseNumber(smoothValue, "--smooth-value") }),
    ...(maxOrder === undefined ? {} : { order: parseCount(maxOrder, "--max-order") }),
    ...(charOrder === undefined ? {} : { charOrder: parseCount(charOrder, "--char-order") }),
    ...(wordOrder === undefined ? {} : { wordOrder: wordOrder === "0" ? 0 : parseCount(wordOrder, "--word-order") }),
    ...(beta === undefined ? {} : { beta: parseNumber(beta, "--beta") }),
    ...(options.effectiveOrder ? { effectiveOrder: true } : {}),
    ...(options.lowercase ? { lowercase: true } : {}),
    ...(options.whitespace ? { whitespace: true } : {}),
    ...(options.epsSmoothing ? { epsSmoothing: true } : {}),
    ...(options.normalized ? { normalized: true } : {}),
    ...(options.punct === false ? { noPunctuation: true } : {}),
    ...(options.asianSupport ? { asianSupport: true } : {}),
    ...(options.caseSensitive ? { caseSensitive: true } : {}),
    ...(options.stem ? { stem: true } : {}),
  };
}

function parseNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number of at least 0.`, `Write for example ${flag} 1.`);
}

export function parseIgnore(text: string | undefined): readonly Normalisation[] {
  if (text === undefined) return [];
  if (text === "squad") return NORMALISATIONS;
  return text.split(",").map((part) => choose(part.trim(), NORMALISATIONS, "--ignore") as Normalisation);
}

/** undefined: the name may still be a column of the file. */
export function metricChoice(options: ScoreOptions): MetricChoice | undefined {
  return options.metric === undefined ? undefined : findMetric(options.metric);
}
