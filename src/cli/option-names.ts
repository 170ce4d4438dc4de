/** The library's messages name its options as code: option `perRater`, `cluster: none`. On the command line these are flags, and this is the
 *  one place that says which. */
import { quoteShell } from "../text.ts";

/** Options whose flag has another name, and functions of the library that a flag or a command stands for. */
const FLAG_OF: Readonly<Record<string, string>> = {
  answerComparison: "gosset compare",
  candidate: "--new",
  compare: "gosset compare",
  'compare({ hypotheses, references }, { metric: "bleu" })':
    "gosset compare a.txt b.txt --ref reference.txt --metric bleu",
  correctedResampledTest: "gosset test cv",
  documents: "--docs",
  filterRows: "--where",
  fitLmm: "gosset fit lmm",
  format: "--input-format",
  inDomain: "--in",
  mde: "gosset mde",
  minimise: "--direction lower",
  mutateTable: "--mutate",
  "ngrams.fewest": "--min-count",
  planFromDev: "gosset power from-dev",
  planFromHistory: "gosset power from-history",
  planFromOutputs: "gosset power from-outputs",
  planWithoutPrior: "gosset power no-prior",
  predicted: "--pred",
  "prices.item": "--cost-item",
  "prices.judgeCall": "--cost-judge-call",
  "prices.rater": "--cost-rater",
  "prices.rating": "--cost-rating",
  references: "--ref",
  size: "gosset size",
  tokenise: "--tokenize",
  testCircularity: "gosset validity circularity",
};

/** The word "option" before it is the library's own; code with a backtick of its own has two around it, as in Markdown. */
const CODE = /(?:\boptions? )?(?:``(.+?)``|`([^`]+)`)/gi;
const OPTION = /^([a-z][A-Za-z0-9.]*)(?:: (.+))?$/;
/** A scenario of the library is a command. */
const SCENARIO = /^power\.([a-zA-Z0-9]+)$/;
const PLAIN_WORD = /^[\p{L}\p{N}_.,:/=@%+<>…-]+$/u;

export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

export const flagOf = (option: string): string => FLAG_OF[option] ?? `--${kebabCase(option)}`;

/** "give `agreement`" → "give --agreement", "say `cluster: "none"`" → "say --cluster none". */
export function nameFlags(text: string): string {
  return text.replace(CODE, (whole, doubled: string | undefined, single: string | undefined) => {
    const code = doubled ?? single!;
    if (Object.hasOwn(FLAG_OF, code)) return FLAG_OF[code]!;
    const scenario = SCENARIO.exec(code)?.[1];
    if (scenario !== undefined) return `gosset power ${kebabCase(scenario)}`;
    const [, name, value] = OPTION.exec(code) ?? [];
    if (name === undefined) return whole;
    if (name === "higherIsBetter") return `--direction ${value === "false" ? "lower" : "higher"}`;
    if (value === undefined || value === "true") return flagOf(name);
    if (value === "false") return `--no-${kebabCase(name)}`;
    return `${flagOf(name)} ${flagValue(value)}`;
  });
}

/** As a shell takes it: a word, a list with commas, or what needs quotes in quotes. */
function flagValue(value: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    // a name that was written as it is
    return /^["'<]/.test(value) || PLAIN_WORD.test(value) ? value : quoteShell(value);
  }
  const word = Array.isArray(parsed) ? parsed.join(",") : String(parsed);
  return PLAIN_WORD.test(word) ? word : quoteShell(word);
}
