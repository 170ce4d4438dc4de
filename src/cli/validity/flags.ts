/** Flags of `gosset validity` and its commands. */
import { P_ADJUSTMENTS } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { CONFIDENCE, DATA_FLAGS, flag, JOURNAL, ORDERED_LABELS } from "../flags.ts";

const bias: CommandSpec = {
  name: "bias",
  summary: "do features go with the label in one domain only?",
  description:
    "Dataset bias test: correlation of every feature with the label in-domain against out-of-domain, and whether predictions inherit the difference.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: [
    flag("--label <col>", "the gold label: numbers or classes", { required: true }),
    flag("--domain <col>", "which data set or domain a row comes from", { required: true }),
    flag("--pred <col>", "what a model predicted: labels or scores"),
    flag("--in <domain>", "the in-domain data (default: the largest domain)"),
    flag("--out-domains <a,b>", "the out-of-domain data (default: all others)", { many: true }),
    flag("--features <a,b,c>", "columns to test (default: all others but texts and ids)", { many: true }),
    flag("--premise <col>", "with --hypothesis: features of the pair of texts"),
    flag("--hypothesis <col>", "overlap, length, similarity, negation (see docs)"),
    flag("--text <col>", "words and word sequences of this text as features"),
    flag("--ngrams <n>", "longest word sequence (default with --text: 1)"),
    flag("--min-count <n>", "in-domain rows that an n-gram must occur in (default: 10)"),
    flag("--smoothing <k>", "added to counts before the mutual information (default: 1)"),
    flag("--positive <class>", "this class counts as 1, all others as 0"),
    flag("--measure <what>", "auto: r, η or Cramér's V; nmi: mutual information", {
      choices: ["auto", "nmi"],
      default: "auto",
    }),
    flag("--interval <method>", "of r: robust (no normality), fisher or bootstrap", {
      choices: ["robust", "fisher", "bootstrap"],
      default: "robust",
    }),
    flag("--constant <what>", "correlation of a feature that does not vary in a domain", {
      choices: ["undefined", "zero"],
      default: "undefined",
    }),
    flag("--cluster <col>", "rows that hang together (documents, annotators)"),
    flag("--threshold <x>", "smaller differences do not count", { default: "0.1" }),
    flag("--replicates <n>", "bootstrap replicates", { default: "1000" }),
    flag("--alpha <x>", "error rate of the verdict", { default: "0.05" }),
    CONFIDENCE,
    flag("--adjust <method>", "for several tests", { choices: P_ADJUSTMENTS, default: "holm" }),
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset validity bias nli.csv --label gold --pred predicted --domain source --in mnli --premise premise --hypothesis hypothesis",
    "gosset validity bias data.csv --label y --domain site --features age,sex",
    "gosset validity bias nli.csv --label gold --domain source --in mnli --text hypothesis --ngrams 2",
  ],
  load: async () => (await import("./bias.ts")).run,
};

const invariance: CommandSpec = {
  name: "invariance",
  summary: "does the score depend on how features are coded?",
  description:
    "Transformation invariance test: features are recoded as their scale permits, the learner is fitted again, and predictions and score are compared.",
  words: [["<train>", "training rows; CSV, JSONL, Parquet …"]],
  flags: [
    flag("--test <file>", "test rows, with the same columns", { required: true }),
    flag("--label <col>", "what is to be predicted", { required: true }),
    flag("--scales <list>", "id=nominal,grade=ordinal,year=interval,age=ratio", { required: true }),
    flag("--features <a,b,c>", "columns to learn from (default: all but the label)", { many: true }),
    flag("--learner <name|command>", "gam, logistic, linear, knn, stumps, or a command with {train} {test} {out}", {
      default: "gam",
    }),
    flag("--timeout <seconds>", "for one run of a command", { default: "600" }),
    flag("--transforms <n>", "recodings per feature (default: 20, more for nominal ones)"),
    flag("--loss <name>", "squared, absolute; brier, log, error (default: by the predictions)", {
      choices: ["squared", "absolute", "brier", "log", "error"],
    }),
    flag("--cluster <col>", "test rows that hang together"),
    flag("--alpha <x>", "error rate of the verdict", { default: "0.05" }),
    CONFIDENCE,
    flag("--adjust <method>", "for several tests", { choices: P_ADJUSTMENTS, default: "holm" }),
    ...DATA_FLAGS,
  ],
  remark:
    'A command reads two CSV files with headers (the test file has no label) and\nwrites one with the header "prediction" and one row per test row.',
  examples: [
    "gosset validity invariance train.csv --test test.csv --label malignant --scales id=nominal,age=ratio",
    'gosset validity invariance train.csv --test test.csv --label y --scales grade=ordinal --learner "python train.py {train} {test} {out}"',
  ],
  load: async () => (await import("./invariance.ts")).run,
};

const metrics: CommandSpec = {
  name: "metrics",
  summary: "which metric agrees with people?",
  description:
    "Correlation of every metric with the human score, as a ranking of systems, item by item and over all outputs, and which metrics are behind the best one beyond chance. Two files (metrics, human scores) are joined on the columns that name items and systems.",
  words: [["<files...>", "one table with both, or several that are joined; CSV, JSONL, Parquet …"]],
  flags: [
    flag("--human <col>", "what people said (default: by names and files)"),
    flag("--metrics <a,b>", "what is held against it (default: every other score)", { many: true }),
    flag("--item <cols>", "what was answered; several columns if together: doc,nr"),
    flag("--system <col>", "who answered"),
    flag("--cluster <col>", "items that hang together (documents)"),
    flag("--coefficient <name>", "by which metrics are ranked and compared", {
      choices: ["pearson", "spearman", "kendall"],
      default: "kendall",
    }),
    flag("--lower-is-better <a,b>", "columns of which less is better", { many: true }),
    flag("--higher-is-better <a,b>", "columns of which more is better", { many: true }),
    flag("--replicates <n>", "draws of items for the system level", { default: "1000" }),
    flag("--alpha <x>", "error rate of the verdict", { default: "0.05" }),
    CONFIDENCE,
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset validity metrics metrics.csv human.csv",
    "gosset validity metrics scores.csv --human overall --metrics bleu,comet,ter",
  ],
  load: async () => (await import("./metrics.ts")).run,
};

const circularity: CommandSpec = {
  name: "circularity",
  summary: "is the label defined by some of the features?",
  description:
    "Circularity test: is there a rule of the features that gives the label of the rows, of all or of part of them? Additive models over the sets of candidate features say how much they explain, and whether a set leaves the others anything to say.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: [
    flag("--label <col>", "the annotation: numbers, ordered classes or two classes"),
    flag("--predictions <a,b>", "columns with a model's output, tested in the same way", { many: true }),
    flag("--ablated <a,b>", "what the same models say with the circular features taken from them, in that order", {
      many: true,
    }),
    flag(
      "--learner <name|command>",
      "run the ablation: gam, logistic, linear, knn, stumps, or a command with {train} {test} {out}",
    ),
    flag("--test <file>", "with --learner: rows that it is tested on (default: a random fifth of the data)"),
    flag("--ablate <ways>", "with --learner: zero, permute, leave-out (default: all three)"),
    flag("--timeout <seconds>", "with --learner: for one run of a command", { default: "600" }),
    flag("--features <a,b,c>", "candidates (default: the first by correlation with the label)", { many: true }),
    flag("--exclude <a,b>", "columns that are no features", { many: true }),
    flag("--candidates <n>", "how many, where they are not named (default: 12; up to 6: all their sets)"),
    flag("--family <family>", "of the label (default: binomial for two values)", { choices: ["gaussian", "binomial"] }),
    flag("--k <n>", "spline functions per feature", { default: "10" }),
    flag("--knots <feature=n>", "spline functions of one feature: bili=100", { many: true }),
    flag("--method <name>", "of the smoothing", { choices: ["GCV.Cp", "REML", "ML"], default: "GCV.Cp" }),
    flag("--basis <name>", "of the splines (default: tp where all sets are fitted, else cr)", {
      choices: ["tp", "cr"],
    }),
    flag(
      "--closeness <d2>",
      "deviance explained from which predictions count as determined, and a label as dominated",
      { default: "0.9" },
    ),
    CONFIDENCE,
    ORDERED_LABELS,
    ...DATA_FLAGS,
    JOURNAL,
  ],
  examples: [
    "gosset validity circularity sofa.csv --label target",
    "gosset validity circularity sofa.csv --label target --predictions score --features bili,asat,quinr,thrombo,alat --knots bili=100",
    "gosset validity circularity train.csv --label target --learner gam --test test.csv --ablate zero",
    'gosset validity circularity ranking.csv --mutate "hit = relevance > 0" --label hit --exclude relevance',
  ],
  load: async () => (await import("./circularity.ts")).run,
};

const audit: CommandSpec = {
  name: "audit",
  summary: "every validity test that the file allows, in one report",
  description:
    "Runs the tests of circularity, bias and invariance for which the file has the columns, and says what the others lack.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: [
    flag("--label <col>", "the annotation (default: a column named label, target, gold …)"),
    flag("--predictions <a,b>", "columns with a model's output (default: columns named pred…)", { many: true }),
    flag("--domain <col>", "which data set a row comes from (default: a column named domain, source …)"),
    flag("--features <a,b,c>", "columns to test (default: all others)", { many: true }),
    flag("--exclude <a,b>", "columns that are no features", { many: true }),
    flag("--scales <list>", "id=nominal,grade=ordinal,year=interval,age=ratio"),
    CONFIDENCE,
    ORDERED_LABELS,
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset validity audit results.csv --label target --predictions score",
    "gosset validity audit results.csv --format html --out audit.html",
  ],
  load: async () => (await import("./audit.ts")).run,
};

export const validity: CommandSpec = {
  name: "validity",
  question: "Does it measure what it claims?",
  summary: "does the score measure what it claims to?",
  description: "Tests of validity: bias features, scale abuse, circular features.",
  commands: [metrics, bias, invariance, circularity, audit],
};
