/** Does it measure what it claims? The options of `validity bias`, `invariance`, `metrics`, `circularity` and `audit`. */
import { P_ADJUSTMENTS } from "./choices.ts";
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, DATA, JOURNAL, ORDERED, READ, TEST } from "./rows.ts";

const ROWS = { ...CHOSEN_ROWS, ...READ } as const satisfies OptionTable;

const alpha = COMPARE.options.alpha;
const adjust = {
  takes: "choice",
  choices: P_ADJUSTMENTS,
  value: "method",
  help: "for several tests",
  ...{ default: "holm", group: TEST },
} as const;

const label = { takes: "text", value: "col", help: "what is to be predicted", group: DATA } as const;
const features = { takes: "list", value: "a,b,c", help: "columns to test (default: all others)", group: DATA } as const;
const exclude = {
  takes: "list",
  value: "a,b",
  help: "columns that are no features",
  group: DATA,
} as const;
const scales = { takes: "text", value: "list", help: "id=nominal,grade=ordinal,year=interval,age=ratio" } as const;
const cluster = { takes: "text", value: "col", group: DATA } as const;
const replicates = { takes: "count", value: "n", default: "1000", group: TEST } as const;

/** A timer cannot wait longer than 2^31 ms. */
const isWait = (text: string): boolean => Number(text) > 0 && Number(text) <= 2_000_000;

/** A learner is built in, or a command of the user's. */
const learner = { takes: "text", value: "name|command", group: TEST } as const;
const timeout = {
  takes: "positive",
  value: "seconds",
  help: "for one run of a command",
  fault: (text: string) =>
    isWait(text) ? undefined : (["not a number of seconds", "Write for example --timeout 600."] as const),
  ...{ default: "600", group: TEST, of: ["command"] },
} as const;
const LEARNER_KINDS = { command: "a learner that is a command", builtIn: "a learner that is built in" };

/** What n-grams are counted in. */
const COUNTED = ["text", "hypothesis"];

export const BIAS = {
  name: "validity bias",
  options: {
    label: { ...label, help: "the gold label: numbers or classes", required: true },
    domain: {
      takes: "text",
      value: "col",
      help: "which data set or domain a row comes from",
      ...{ group: DATA, required: true },
    },
    predicted: {
      takes: "text",
      flag: "--pred",
      value: "col",
      help: "what a model predicted: labels or scores",
      group: DATA,
    },
    inDomain: {
      takes: "text",
      flag: "--in",
      value: "domain",
      help: "the in-domain data (default: the largest domain)",
      group: DATA,
    },
    outDomains: { takes: "list", value: "a,b", help: "the out-of-domain data (default: all others)", group: DATA },
    features: { ...features, help: "columns to test (default: all others but texts and ids)" },
    premise: {
      takes: "text",
      value: "col",
      help: "with --hypothesis: features of the pair of texts",
      ...{ group: DATA, needs: ["hypothesis"] },
    },
    hypothesis: {
      takes: "text",
      value: "col",
      help: "overlap, length, similarity, negation (see docs)",
      ...{ group: DATA, needs: ["premise"] },
    },
    text: { takes: "text", value: "col", help: "words and word sequences of this text as features", group: DATA },
    positive: { takes: "text", value: "class", help: "this class counts as 1, all others as 0", group: DATA },
    measure: {
      takes: "choice",
      choices: ["auto", "nmi"],
      value: "what",
      help: "auto: r, η or Cramér's V; nmi: mutual information",
      ...{ default: "auto", group: TEST },
    },
    interval: {
      takes: "choice",
      choices: ["robust", "fisher", "bootstrap"],
      value: "method",
      help: "of r: robust (no normality), fisher or bootstrap",
      ...{ default: "robust", group: TEST },
    },
    constant: {
      takes: "choice",
      choices: ["undefined", "zero"],
      value: "what",
      help: "correlation of a feature that does not vary in a domain",
      ...{ default: "undefined", group: TEST },
    },
    cluster: { ...cluster, help: "rows that are correlated (documents, annotators)" },
    threshold: {
      takes: "number",
      ...{ least: 0, most: 2 },
      value: "x",
      help: "smallest difference that counts",
      ...{ default: "0.1", group: TEST },
    },
    replicates: { ...replicates, help: "bootstrap replicates" },
    ...{ alpha, ...CONFIDENCE, adjust },
  },
  command: {
    longest: {
      takes: "count",
      flag: "--ngrams",
      value: "n",
      help: "longest word sequence (default with --text: 1)",
      ...{ group: TEST, needs: COUNTED },
    },
    fewest: {
      takes: "count",
      flag: "--min-count",
      value: "n",
      help: "in-domain rows that an n-gram must occur in (default: 10)",
      ...{ group: TEST, needs: COUNTED },
    },
    smoothing: {
      takes: "number",
      least: 0,
      value: "k",
      help: "added to counts before the mutual information (default: 1)",
      ...{ group: TEST, needs: COUNTED },
    },
    ...ROWS,
  },
} as const satisfies QuestionSpec;

export const INVARIANCE = {
  name: "validity invariance",
  kinds: LEARNER_KINDS,
  options: {
    label: { ...label, required: true },
    features: { ...features, help: "columns to learn from (default: all but the label)" },
    transforms: {
      takes: "count",
      value: "n",
      help: "recodings per feature (default: 20, more for nominal ones)",
      group: TEST,
    },
    loss: {
      takes: "choice",
      choices: ["squared", "absolute", "brier", "log", "error"],
      value: "name",
      help: "squared, absolute; brier, log, error (default: by the predictions)",
      group: TEST,
    },
    cluster: { ...cluster, help: "test rows that are correlated" },
    ...{ alpha, ...CONFIDENCE, adjust },
  },
  command: {
    test: {
      takes: "text",
      value: "file",
      help: "test rows, with the same columns",
      ...{ group: DATA, required: true },
    },
    scales: { ...scales, group: DATA, required: true },
    learner: {
      ...learner,
      help: "gam, logistic, linear, knn, stumps, or a command with {train} {test} {out}",
      default: "gam",
    },
    ...{ timeout, ...ROWS },
  },
} as const satisfies QuestionSpec;

export const METRIC_VALIDITY = {
  name: "validity metrics",
  options: {
    human: { takes: "text", value: "col", help: "the human score (default: by names and files)", group: DATA },
    metrics: {
      takes: "list",
      value: "a,b",
      help: "metrics to compare with it (default: every other score)",
      group: DATA,
    },
    item: {
      takes: "text",
      value: "cols",
      help: "what was answered; several columns if together: doc,nr",
      group: DATA,
    },
    system: { takes: "text", value: "col", help: "who answered", group: DATA },
    cluster: { ...cluster, help: "items that are correlated (documents)" },
    coefficient: {
      takes: "choice",
      choices: ["pearson", "spearman", "kendall"],
      value: "name",
      help: "by which metrics are ranked and compared",
      ...{ default: "kendall", group: TEST },
    },
    lowerIsBetter: { takes: "list", value: "a,b", help: "columns of which less is better", group: DATA },
    higherIsBetter: { takes: "list", value: "a,b", help: "columns of which more is better", group: DATA },
    replicates: { ...replicates, help: "draws of items for the system level" },
    ...{ alpha, ...CONFIDENCE },
  },
  command: ROWS,
} as const satisfies QuestionSpec;

const predictions = { takes: "list", value: "a,b", group: DATA } as const;

export const CIRCULARITY = {
  name: "validity circularity",
  kinds: LEARNER_KINDS,
  options: {
    label: { ...label, help: "the annotation: numbers, ordered classes or two classes" },
    predictions: { ...predictions, help: "columns with a model's output, tested in the same way" },
    ablated: {
      takes: "list",
      value: "a,b",
      help: "what the same models say with the circular features taken from them, in that order",
      group: DATA,
    },
    ablate: {
      takes: "choices",
      choices: ["zero", "permute", "leave-out"],
      value: "ways",
      help: "with --learner: zero, permute, leave-out (default: all three)",
      ...{ group: TEST, needs: ["learner"] },
    },
    features: { ...features, help: "candidates (default: the first by correlation with the label)" },
    exclude,
    candidates: {
      takes: "count",
      value: "n",
      help: "how many, where they are not named (default: 12; up to 6: all their sets)",
      group: TEST,
    },
    family: {
      takes: "choice",
      choices: ["gaussian", "binomial"],
      value: "family",
      help: "of the label (default: binomial for two values)",
      group: TEST,
    },
    k: { takes: "count", value: "n", help: "spline functions per feature", ...{ default: "10", group: TEST } },
    knots: {
      takes: "map",
      each: "count",
      value: "feature=n",
      help: "spline functions of one feature: bili=100",
      group: TEST,
    },
    method: {
      takes: "choice",
      choices: ["GCV.Cp", "REML", "ML"],
      value: "name",
      help: "of the smoothing",
      ...{ default: "GCV.Cp", group: TEST },
    },
    basis: {
      takes: "choice",
      choices: ["tp", "cr"],
      value: "name",
      help: "of the splines (default: tp where all sets are fitted, else cr)",
      group: TEST,
    },
    closeness: {
      takes: "fraction",
      value: "d2",
      help: "deviance explained from which predictions count as determined, and a label as dominated",
      ...{ default: "0.9", group: TEST },
    },
    ...CONFIDENCE,
  },
  command: {
    learner: {
      ...learner,
      help: "run the ablation: gam, logistic, linear, knn, stumps, or a command with {train} {test} {out}",
      needs: ["label"],
    },
    test: {
      takes: "text",
      value: "file",
      help: "with --learner: rows that it is tested on (default: a random fifth of the data)",
      ...{ group: TEST, needs: ["learner"] },
    },
    ...{ timeout, ...ORDERED, ...ROWS, ...JOURNAL },
  },
} as const satisfies QuestionSpec;

export const AUDIT = {
  name: "validity audit",
  options: {
    label: { ...label, help: "the annotation (default: a column named label, target, gold …)" },
    predictions: { ...predictions, help: "columns with a model's output (default: columns named pred…)" },
    domain: {
      takes: "text",
      value: "col",
      help: "which data set a row comes from (default: a column named domain, source …)",
      group: DATA,
    },
    features,
    exclude,
    ...CONFIDENCE,
  },
  command: { scales: { ...scales, group: DATA }, ...ORDERED, ...ROWS },
} as const satisfies QuestionSpec;
