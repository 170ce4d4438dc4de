/** Features of a pair of texts that a model may use instead of understanding them (premise and hypothesis, source and target …).
 *    hyp-is-subseq    1 if the words of the hypothesis stand in the premise in this order, without a gap
 *    all-in-pre       1 if every word of the hypothesis occurs in the premise
 *    percent-in-pre   share of the words of the hypothesis that occur in the premise
 *    scaled-len-diff  log(words of the premise) - log(words of the hypothesis), rescaled to 0 … 1 over the file
 *    cos-sim          cosine of the two vectors of word counts, rescaled to 0 … 1 over the file
 *    pre-has-neg, hyp-has-neg   1 if the text has a negation: never, no, nothing, nowhere, none, not … or a word in n't
 *  Words are runs of letters and digits, with apostrophes inside, in lower case; punctuation does not count.
 *  Reference: Riezler & Hagmann (2021), Table 2.1; McCoy et al. (2019), ACL (sub-sequence and overlap); Clark et al. (2019), EMNLP.
 *  Oracle:    closed forms.
 *  Limits:    English negations; the cosine is of words, not of embeddings: a column with another similarity is a feature like any
 *             other. A text without words has no features: NaN. */

export const PAIR_FEATURES = [
  "hyp-is-subseq",
  "all-in-pre",
  "percent-in-pre",
  "scaled-len-diff",
  "cos-sim",
  "pre-has-neg",
  "hyp-has-neg",
] as const;
export type PairFeature = (typeof PAIR_FEATURES)[number];

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/** Words in lower case; a curly apostrophe counts as a straight one. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll("’", "'").match(WORD) ?? [];
}

const NEGATIONS = new Set(
  (
    "never no nothing nowhere noone nobody none neither nor not cannot " +
    "havent hasnt hadnt cant couldnt shouldnt wont wouldnt dont doesnt didnt isnt arent wasnt werent aint"
  ).split(" "),
);

const hasNegation = (words: readonly string[]): number =>
  words.some((word) => NEGATIONS.has(word) || word.endsWith("n't")) ? 1 : 0;

/** One column per feature; null texts are missing. */
export function pairFeatures(
  premises: readonly (string | null)[],
  hypotheses: readonly (string | null)[],
): Record<PairFeature, Float64Array> {
  const columns = Object.fromEntries(
    PAIR_FEATURES.map((name) => [name, new Float64Array(premises.length).fill(Number.NaN)]),
  ) as Record<PairFeature, Float64Array>;
  premises.forEach((premise, i) => {
    const hypothesis = hypotheses[i] ?? null;
    if (premise === null || hypothesis === null) return;
    const pre = wordsOf(premise);
    const hyp = wordsOf(hypothesis);
    if (pre.length === 0 || hyp.length === 0) return;
    const inPremise = new Set(pre);
    const shared = hyp.filter((word) => inPremise.has(word)).length;
    columns["hyp-is-subseq"][i] = isContained(hyp, pre) ? 1 : 0;
    columns["all-in-pre"][i] = shared === hyp.length ? 1 : 0;
    columns["percent-in-pre"][i] = shared / hyp.length;
    columns["scaled-len-diff"][i] = Math.log(pre.length) - Math.log(hyp.length);
    columns["cos-sim"][i] = cosine(pre, hyp);
    columns["pre-has-neg"][i] = hasNegation(pre);
    columns["hyp-has-neg"][i] = hasNegation(hyp);
  });
  rescaleInto(columns["scaled-len-diff"]);
  rescaleInto(columns["cos-sim"]);
  return columns;
}

function isContained(part: readonly string[], whole: readonly string[]): boolean {
  for (let start = 0; start + part.length <= whole.length; start++) {
    if (part.every((word, i) => whole[start + i] === word)) return true;
  }
  return false;
}

function cosine(a: readonly string[], b: readonly string[]): number {
  const [countsA, countsB] = [countWords(a), countWords(b)];
  let product = 0;
  for (const [word, count] of countsA) product += count * (countsB.get(word) ?? 0);
  return product / Math.sqrt(squares(countsA) * squares(countsB));
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const squares = (counts: Map<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count ** 2, 0);

/** (x - min)/(max - min), missing left alone; a column without spread stays as it is. */
function rescaleInto(values: Float64Array): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(high > low)) return;
  for (let i = 0; i < values.length; i++) values[i] = (values[i]! - low) / (high - low);
}
