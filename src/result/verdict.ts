/** The words of a verdict: what each one claims, how figures mark it, and the sentence that it makes. Screens, tables, gates, plans, figures,
 *  reports and the page take them from here; docs/methods/compare.md defines them. How a verdict is decided: significance/compare/pair/verdict.ts. */

import { listNames } from "./quote.ts";

export type Verdict = "BETTER" | "WORSE" | "HIGHER" | "LOWER" | "EQUIVALENT" | "INCONCLUSIVE" | "NONE";

interface Word {
  /** Of the difference that it claims, in the direction of the metric; 0 claims none. */
  readonly sign: -1 | 0 | 1;
  /** The verdict on the first system against the second, when this is that on the second against the first. */
  readonly reversed: Verdict;
  readonly mark: {
    readonly tone: "v-better" | "v-worse" | "v-higher" | "v-lower" | "v-equivalent" | "v-inconclusive" | "k0";
    readonly symbol: "circle" | "diamond" | "right" | "left" | "square" | "ring";
  };
}

const WORDS: Readonly<Record<Verdict, Word>> = {
  BETTER: { sign: 1, reversed: "WORSE", mark: { tone: "v-better", symbol: "circle" } },
  WORSE: { sign: -1, reversed: "BETTER", mark: { tone: "v-worse", symbol: "diamond" } },
  HIGHER: { sign: 1, reversed: "LOWER", mark: { tone: "v-higher", symbol: "right" } },
  LOWER: { sign: -1, reversed: "HIGHER", mark: { tone: "v-lower", symbol: "left" } },
  EQUIVALENT: { sign: 0, reversed: "EQUIVALENT", mark: { tone: "v-equivalent", symbol: "square" } },
  INCONCLUSIVE: { sign: 0, reversed: "INCONCLUSIVE", mark: { tone: "v-inconclusive", symbol: "ring" } },
  NONE: { sign: 0, reversed: "NONE", mark: { tone: "k0", symbol: "ring" } },
};

/** Within the margin, by both one-sided tests. */
export const EQUIVALENT: Verdict = "EQUIVALENT";
/** The data are compatible with no difference and with one that matters. */
export const INCONCLUSIVE: Verdict = "INCONCLUSIVE";
/** These data cannot answer it. */
export const NO_VERDICT: Verdict = "NONE";

/** A significant difference, named by its direction where that is known. */
export const differenceVerdict = (positive: boolean, higherIsBetter: boolean | null): Verdict =>
  higherIsBetter === null ? (positive ? "HIGHER" : "LOWER") : positive === higherIsBetter ? "BETTER" : "WORSE";

export const isVerdictWord = (word: string): boolean => Object.hasOwn(WORDS, word);

const wordOf = (verdict: string): Word => WORDS[verdict as Verdict] ?? WORDS.NONE;

/** A verdict that there is a difference. */
export const isClaim = (verdict: string): boolean => wordOf(verdict).sign !== 0;
export const isEquivalent = (verdict: string): boolean => verdict === EQUIVALENT;
export const isInconclusive = (verdict: string): boolean => verdict === INCONCLUSIVE;
export const isRefused = (verdict: string): boolean => verdict === NO_VERDICT;
/** Neither a difference nor equivalence. */
export const isOpen = (verdict: string): boolean => isInconclusive(verdict) || isRefused(verdict);

export const signOf = (verdict: string): -1 | 0 | 1 => wordOf(verdict).sign;
export const reversed = (verdict: Verdict): Verdict => WORDS[verdict].reversed;
export const markOf = (verdict: string): Word["mark"] => wordOf(verdict).mark;

/** A word that has a mark: not where there is none. */
export const isVerdict = (word: string): boolean => Object.hasOwn(WORDS, word) && !isRefused(word);
/** As a tag has it. */
export const tagOf = (verdict: string): string => (isRefused(verdict) ? "NO VERDICT" : verdict);

/** In a terminal; the others are bold alone. */
export const colorOf = (verdict: string): "blue" | "orange" | undefined =>
  verdict === "BETTER" ? "blue" : verdict === "WORSE" ? "orange" : undefined;

/** What a gate says of a task, and the verdict whose mark it has. */
export const GATE_WORDS = {
  pass: { word: "PASS", as: EQUIVALENT },
  fail: { word: "FAIL", as: "WORSE" },
  inconclusive: { word: INCONCLUSIVE as string, as: INCONCLUSIVE },
} as const;

/** The verdict that a word of a comparison or of a gate stands for. */
export const verdictOfWord = (word: string): string =>
  Object.values(GATE_WORDS).find((own) => own.word === word)?.as ?? word;

export interface VerdictSentence {
  readonly verdict: Verdict;
  readonly a: string;
  readonly b: string;
  /** "on BLEU"; empty where the metric has no name. */
  readonly metric: string;
  readonly higherIsBetter: boolean | null;
  /** "40 items and 9 raters": what the verdict rests on. */
  readonly sample: string;
  /** The margin with its unit. */
  readonly margin: string;
}

/** The verdict on b against a as a manager can read it aloud. */
export function verdictSentence({ verdict, a, b, metric, higherIsBetter, sample, margin }: VerdictSentence): string {
  const on = metric === "" ? "" : ` on ${metric}`;
  const unknown = "Gosset does not know whether that is good";
  if (verdict === "BETTER" || verdict === "WORSE") return `${b} is ${verdict.toLowerCase()} than ${a}${on}.`;
  if (verdict === "HIGHER" || verdict === "LOWER")
    return `${b} scores ${verdict.toLowerCase()} than ${a}${on}; ${unknown}.`;
  if (isEquivalent(verdict)) return `${b} and ${a} are equivalent${on} within ±${margin}.`;
  const question = higherIsBetter === null ? `${b} and ${a} differ` : `${b} beats ${a}`;
  if (isInconclusive(verdict)) return `${sample} are too few to tell whether ${question}${on}.`;
  return `no verdict on ${b} against ${a}: these data cannot answer it.`;
}

/** "retrieval is BETTER than rank-loss and baseline": one system against others that have the same verdict. */
export function groupSentence(verdict: Verdict, subject: string, others: readonly string[]): string {
  const names =
    others.length > 3
      ? listNames(others)
      : [others.slice(0, -1).join(", "), others.at(-1)].filter(Boolean).join(" and ");
  if (isEquivalent(verdict)) return `${subject} and ${names} are ${verdict}`;
  return isClaim(verdict) ? `${subject} is ${verdict} than ${names}` : `${subject} against ${names} is ${verdict}`;
}

/** "2 of 3 pairs differ, 1 is equivalent; 1 stays open". */
export function countVerdicts(verdicts: readonly string[]): string {
  const found = verdicts.filter(isClaim).length;
  const equal = verdicts.filter(isEquivalent).length;
  const left = verdicts.length - found - equal;
  const be = (n: number): string => (n === 1 ? "is" : "are");
  const alike = equal === 0 ? "" : `, ${equal} ${be(equal)} equivalent`;
  return `${found} of ${verdicts.length} pairs differ${alike}${left === 0 ? "" : `; ${left} ${left === 1 ? "stays" : "stay"} open`}`;
}
