/** How good is each system? The options of `score`. */
import { NORMALISATIONS, SMOOTHINGS } from "./choices.ts";
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, DATA, READ, ROLES, SAVED_READING, SHOW, TEST } from "./rows.ts";

/** Metrics of labels and of scores, which are no texts. */
const NO_TEXTS = ["mean", "majority", "classes", "exact", "labels"];
const TEXTS = ["bleu", "chrf", "ter", "rates", "rouge"];
const BLEU = { group: TEST, rare: true, of: ["bleu"] } as const;
const CHRF = { group: TEST, rare: true, of: ["chrf"] } as const;
const TER = { group: TEST, rare: true, of: ["ter"] } as const;

const { system, item, score, metric, run, cluster, task, gold, higherIsBetter, files } = ROLES;

/** Of the columns of a table: what plain texts have no use for. */
const rows = {
  ...{ system, run, cluster, task, files },
  item: { ...item, not: ["texts"] },
  score: { ...score, not: ["texts"] },
  gold: { ...gold, help: "column of the gold labels or answers", of: undefined, not: ["texts"] },
  pred: { takes: "text", value: "col", help: "column of the predicted ones", group: DATA, not: ["texts"] },
  ...{ higherIsBetter, ...SAVED_READING, ...CHOSEN_ROWS, ...READ },
} as const satisfies OptionTable;

/** Whether a metric has a use for a column is known when it was computed. */
const columns = {
  score: { ...rows.score, not: [...TEXTS, "classes", "exact", "labels"] },
  higherIsBetter: { ...higherIsBetter, not: [...TEXTS, "classes", "exact", "labels"] },
  gold: { ...rows.gold, not: ["mean", "majority"] },
  pred: { ...rows.pred, not: ["mean"] },
} as const satisfies OptionTable;

const options = {
  metric: {
    ...metric,
    help: "bleu, chrf, chrf++, ter, wer, cer, rouge1, rouge2, rougeL, accuracy, exact-match, f1, mcc, … or a score column; of repeated tries pass@5, pass^3, maj@5, bayes@5",
  },
  perItem: { takes: "switch", flag: "--sentence", help: "print the score of every segment or item", group: SHOW },
  details: {
    takes: "switch",
    help: "of repeated tries: also every item that flips between them",
    ...{ group: SHOW, unless: ["perItem"] },
  },
  tokenise: {
    ...COMPARE.options.tokenise,
    of: ["bleu"],
  },
  effectiveOrder: { takes: "switch", help: "BLEU: leave out orders that a text is too short for", ...BLEU },
  force: { takes: "switch", help: "BLEU: the text is not tokenized, even if it looks so", ...BLEU },
  lowercase: {
    takes: "switch",
    help: "BLEU, chrF, WER, CER: ignore case",
    ...{ group: TEST, rare: true, of: ["bleu", "chrf", "rates"] },
  },
  charOrder: { takes: "count", value: "n", help: "chrF: longest character n-grams (default 6)", ...CHRF },
  wordOrder: {
    takes: "count",
    least: 0,
    value: "n",
    help: "chrF: longest word n-grams (default 0; chrF++: 2)",
    ...CHRF,
  },
  beta: { takes: "number", least: 0, value: "number", help: "chrF: weight of recall (default 2)", ...CHRF },
  whitespace: { takes: "switch", help: "chrF: white space counts", ...CHRF },
  epsSmoothing: { takes: "switch", help: "chrF: average F over all orders, as chrF++.py does", ...CHRF },
  normalized: { takes: "switch", help: "TER: separate punctuation first", ...TER },
  asianSupport: {
    takes: "switch",
    help: "TER: ideographs and Asian punctuation, with --normalized and --no-punct",
    ...TER,
  },
  caseSensitive: { takes: "switch", help: "TER: case matters", ...TER },
  stem: {
    takes: "switch",
    help: "ROUGE: Porter's stemmer on words of more than three letters (rouge_score's use_stemmer)",
    ...{ group: TEST, rare: true, of: ["rouge"] },
  },
  positive: {
    takes: "text",
    value: "label",
    help: "precision, recall, F1: the label that counts",
    ...{ group: TEST, of: ["classes"] },
  },
  average: {
    takes: "choice",
    choices: ["binary", "micro", "macro"],
    value: "how",
    help: "precision, recall, F1",
    ...{ group: TEST, of: ["classes"] },
  },
  confidence: { ...CONFIDENCE.confidence, of: NO_TEXTS },
} as const satisfies OptionTable;

const command = {
  references: {
    ...COMPARE.command.references,
    help: "references, one a line; repeat for several references",
  },
  /** Their names in the library are shorter: `smoothing`, `smoothingValue`, `order`, `noPunctuation`. */
  smoothMethod: {
    takes: "choice",
    choices: SMOOTHINGS,
    value: "name",
    help: "BLEU: exp (default), floor, add-k or none",
    ...BLEU,
  },
  smoothValue: {
    takes: "number",
    least: 0,
    value: "number",
    help: "BLEU: of floor (default 0.1) or add-k (default 1)",
    ...{ ...BLEU, needs: ["smoothMethod=floor", "smoothMethod=add-k"] },
  },
  maxOrder: { takes: "count", value: "n", help: "BLEU: longest n-grams (default 4)", ...BLEU },
  punct: { takes: "off", help: "TER: without punctuation", ...TER },
  ignore: {
    takes: "choices",
    choices: ["squad", ...NORMALISATIONS],
    value: "list",
    help: "exact-match: squad, or some of case,punctuation,articles,spaces",
    ...{ group: TEST, of: ["exact"] },
  },
} as const satisfies OptionTable;

const kinds = {
  texts: "texts and references",
  ...{ bleu: "BLEU", chrf: "chrF", ter: "TER", rates: "word and character error rates", rouge: "ROUGE" },
  ...{ mean: "means of a score", majority: "answers by majority", classes: "precision, recall and F1" },
  ...{ exact: "exact match", labels: "other metrics of labels" },
};

export const SCORE = {
  name: "score",
  kinds,
  options,
  command: { ...command, ...rows },
} as const satisfies QuestionSpec;

/** What plain texts have no use for, and what a metric has none for. */
export const SCORE_ROWS = { name: "score", kinds, options: rows } as const satisfies QuestionSpec;
export const SCORE_METRIC = {
  name: "score",
  kinds,
  options: { ...options, ...command, ...columns },
} as const satisfies QuestionSpec;
