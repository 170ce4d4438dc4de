/** Is the difference between systems real? The options of `compare`. */
import { DDF_METHODS, FACETS, P_ADJUSTMENTS, PAIR_TESTS, RUN_KINDS, SHARE_INTERVALS, TOKENISERS } from "./choices.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, DATA, LABELED, READ, ROLES, SAVED_READING, SHOW, TEST, TOLD } from "./rows.ts";

/** Tokenisers that need a dictionary or a model. */
const MECABS = ["ja-mecab", "ko-mecab", "flores101", "flores200", "spm", "spBLEU-1K"];

const options = {
  ...TOLD,
  metric: {
    ...ROLES.metric,
    help: "the score to compare by; a,b or all for several; pass@5, pass^3, maj@5 of attempts; f1, mcc … of labels; bleu, chrf, ter … of texts",
    page: { label: "Score", none: "the first" },
  },
  systems: { ...ROLES.systems, help: `${ROLES.systems.help} (default: all)` },
  gold: { ...ROLES.gold, help: "column of the gold labels, for --metric f1, precision, recall, mcc …" },
  baseline: {
    takes: "text",
    value: "name",
    help: "compare every other system with this one only",
    group: DATA,
    page: { label: "Against", none: "every pair" },
  },
  ...CHOSEN_ROWS,
  test: {
    takes: "choice",
    choices: [...PAIR_TESTS, "model"],
    value: "name",
    help: "default: mcnemar-midp of 0/1 scores, skewness-adjusted-t of others; permutation of whole-set metrics and clusters, t with few clusters; a mixed model (model) with raters or --by",
    ...{ group: TEST, not: ["totals"], choiceOf: { model: ["model"] } },
    page: {
      label: "Test",
      none: "what fits the data",
      words: {
        ...{ permutation: "permutation", bootstrap: "bootstrap", "mcnemar-midp": "McNemar, mid-p" },
        ...{ wilcoxon: "Wilcoxon", t: "t", model: "mixed model" },
      },
    },
  },
  by: {
    takes: "text",
    value: "column",
    help: "does the difference depend on this property of the items? (mixed model); with --unpaired: compare within its classes",
    instead: "Use option `slice`, or leave option `test` out.",
    ...{ group: TEST, of: ["model", "unpaired"] },
  },
  cut: {
    takes: "numbers",
    value: "a,b",
    help: "with --by: limits of the classes of a numeric property",
    ...{ group: TEST, rare: true, of: ["model", "unpaired"], needs: ["by"] },
  },
  slice: {
    takes: "texts",
    value: "column",
    help: "also compare within the levels of this column",
    instead: "Use option `by` with a mixed model, or option `where` for one part at a time.",
    ...{ group: TEST, of: ["items"] },
  },
  margin: {
    takes: "positive",
    value: "x",
    help: "smaller differences do not matter: also test for equivalence, in units of the score (0.01 is one point)",
    ...{ group: TEST, not: ["totals"] },
  },
  scope: {
    takes: "choices",
    choices: FACETS,
    value: "list",
    help: "what the verdict generalizes to: items, raters, runs, clusters, prompts (default: all that the data repeat)",
    ...{ group: TEST, not: ["totals"] },
  },
  runKind: {
    takes: "choice",
    choices: RUN_KINDS,
    value: "kind",
    help: "repeated runs: draws of each item, which are averaged, or trainings, which the verdict is about too (default: by name)",
    ...{ group: TEST, of: ["items", "model"] },
  },
  unscored: {
    takes: "choice",
    choices: ["complete", "wrong", "bounds"],
    value: "how",
    help: "missing scores: leave them out, count them as failures, or give a verdict only if it holds whatever they are",
    ...{ group: TEST, of: ["items", "unpaired", "model"] },
    page: {
      label: "Missing scores",
      none: "could be anything",
      words: { complete: "are left out", wrong: "count as wrong" },
    },
  },
  errors: {
    takes: "choice",
    choices: ["failures", "missing"],
    value: "how",
    help: "rows that ended in an error count as failures (score 0) or as missing",
    ...{ group: TEST, of: ["items", "unpaired", "model"] },
    page: {
      label: "Rows that ended in an error",
      none: "as the file has them",
      words: { failures: "count as failures", missing: "have no score" },
    },
  },
  alpha: {
    takes: "fraction",
    value: "x",
    help: "error rate of the verdict",
    default: "0.05",
    group: TEST,
    page: { label: "Error rate of the verdict", none: "0.05", min: 0.0001, max: 0.5, step: 0.01 },
  },
  ...CONFIDENCE,
  interval: {
    takes: "choice",
    choices: SHARE_INTERVALS,
    value: "method",
    help: "of right-or-wrong scores of independent samples: boschloo, which inverts the test (default), or newcombe",
    ...{ group: TEST, rare: true, of: ["unpaired", "totals"] },
  },
  adjust: {
    takes: "choice",
    choices: ["max-t", "holm", "tukey", ...P_ADJUSTMENTS.slice(1)],
    value: "method",
    help: "for several pairs (default: max-t, the joint distribution; tukey for all pairs of a model, sidak for votes)",
    ...{ group: TEST, choiceOf: { tukey: ["model"], "max-t": ["items", "unpaired", "model", "totals"] } },
  },
  ddf: {
    takes: "choice",
    choices: DDF_METHODS,
    value: "method",
    help: "degrees of freedom of a linear mixed model (default: satterthwaite)",
    ...{ group: TEST, rare: true, of: ["model"] },
  },
  replicates: {
    takes: "count",
    value: "n",
    help: "random permutations or draws where no exact answer is feasible (default: 10000)",
    ...{ group: TEST, rare: true, not: ["model", "totals"] },
  },
  time: {
    takes: "text",
    value: "col",
    help: "when rows were run, to check the order of running; none looks at none",
    ...{ group: TEST, rare: true, not: ["texts", "totals"] },
  },
  positive: {
    takes: "text",
    value: "label",
    help: "labels: the one that F1 counts, if it is not obvious",
    ...{ group: TEST, rare: true, of: ["labels"] },
  },
  tokenise: {
    takes: "choice",
    choices: TOKENISERS,
    flag: "--tokenize",
    value: "name",
    help: "how BLEU tokenizes: 13a (default), intl, zh, char or none",
    fault: (text) =>
      MECABS.includes(text)
        ? [
            "this tokenizer needs a dictionary or a model, which gosset does not carry",
            "Tokenize the text with that tool and use --tokenize none.",
          ]
        : undefined,
    ...{ group: TEST, rare: true, of: ["texts"] },
  },
} as const satisfies OptionTable;

const command = {
  ...LABELED,
  references: {
    takes: "texts",
    flag: "--ref",
    value: "file",
    help: "reference translation, one sentence a line (repeat for more)",
    group: DATA,
  },
  documents: {
    takes: "text",
    flag: "--docs",
    value: "file",
    help: "with --ref: the document of each sentence; sentences of one are correlated",
    ...{ group: DATA, rare: true, needs: ["references"] },
  },
  a: {
    takes: "text",
    value: "col",
    help: "votes: the column of the first side's systems (with --b and --winner)",
    ...{ group: DATA, rare: true, not: ["texts"], needs: ["b"] },
  },
  b: {
    takes: "text",
    value: "col",
    help: "votes: the column of the second side's systems",
    ...{ group: DATA, rare: true, not: ["texts"], needs: ["winner"] },
  },
  winner: {
    takes: "text",
    value: "col",
    help: "votes: who won: a system's name, a, b, 1, 2, left, right or tie",
    ...{ group: DATA, rare: true, not: ["texts"], needs: ["a"] },
  },
  ...SAVED_READING,
  ...READ,
  details: {
    takes: "switch",
    help: "also the test, of two systems the items that differ, and every note",
    group: SHOW,
  },
  flips: {
    takes: "text",
    value: "file",
    help: "also write every item that differs, of all pairs, to .csv or .json; --include-text adds the texts",
    ...{ group: SHOW, not: ["totals"] },
    fault: (text) =>
      /\.(csv|json)$/i.test(text) ? undefined : ["no kind of table", "Let its name end in .csv or .json."],
  },
  table: {
    takes: "text",
    value: "name",
    help: "with --format csv: pairs (default), systems, flips, metrics (with several), or the column of --slice or --by",
    ...{ group: SHOW, rare: true, needs: ["--format=csv"] },
  },
  plan: {
    takes: "text",
    value: "file",
    help: "follow this plan, and list every deviation from it (its lock is <file>.lock)",
    group: SHOW,
  },
  key: {
    takes: "text",
    value: "file",
    help: "with --plan: the lists that `plan schedule` wrote, where the filled ones hide the systems (joined by id)",
    ...{ group: SHOW, rare: true, needs: ["plan"] },
  },
  look: {
    takes: "count",
    value: "k",
    help: "with --plan: the interim analysis that this is, from 1",
    ...{ group: SHOW, rare: true, needs: ["plan"] },
  },
} as const satisfies OptionTable;

export const COMPARE = {
  name: "compare",
  kinds: {
    texts: "texts and references",
    labels: "gold and predicted labels",
    votes: "votes between two systems",
    items: "paired scores",
    unpaired: "independent samples",
    model: "a mixed model",
    totals: "totals, which have no items",
  },
  options,
  command,
  script: ["unfinished", "texts", "details", "rng", "onProgress"],
} as const satisfies QuestionSpec;
