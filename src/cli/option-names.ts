/** The library's messages name its options as code: option `perRater`, `cluster: none`. On the command line these are flags, and this is the
 *  one place that says which. */

/** Options whose flag has another name, and functions of the library that a flag stands for. */
const FLAG_OF: Readonly<Record<string, string>> = {
  candidate: "--new",
  documents: "--docs",
  filterRows: "--where",
  fitLmm: "gosset fit lmm",
  format: "--input-format",
  inDomain: "--in",
  mutateTable: "--mutate",
  "ngrams.fewest": "--min-count",
  predicted: "--pred",
  "prices.item": "--cost-item",
  "prices.judgeCall": "--cost-judge-call",
  "prices.rater": "--cost-rater",
  "prices.rating": "--cost-rating",
  references: "--ref",
};

/** The word "option" before it is the library's own. */
const OPTION = /(?:\boptions? )?`([a-z][A-Za-z0-9.]*)(?:: ([^`]+))?`/gi;
const PLAIN_WORD = /^[\p{L}\p{N}_.,:/=@%+<>…-]+$/u;

export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

export const flagOf = (option: string): string => FLAG_OF[option] ?? `--${kebabCase(option)}`;

/** "give `agreement`" → "give --agreement", "say `cluster: "none"`" → "say --cluster none". */
export function nameFlags(text: string): string {
  return text.replace(OPTION, (_, name: string, value: string | undefined) => {
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
    return value;
  }
  const word = Array.isArray(parsed) ? parsed.join(",") : String(parsed);
  return PLAIN_WORD.test(word) ? word : `"${word}"`;
}
