/** Flags of `gosset validity` and its commands. */
import { AUDIT, allOptions, BIAS, CIRCULARITY, INVARIANCE, METRIC_VALIDITY } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const bias: CommandSpec = {
  name: "bias",
  summary: "are features associated with the label in one domain only?",
  description:
    "Dataset bias test: correlation of every feature with the label in-domain and out-of-domain, and whether predictions inherit the difference.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: flagsOf(allOptions(BIAS)),
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
    "Transformation invariance test: features are recoded as their scale permits, the learner is refitted, and its predictions and score are compared.",
  words: [["<train>", "training rows; CSV, JSONL, Parquet …"]],
  flags: flagsOf(allOptions(INVARIANCE)),
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
  summary: "which metric correlates best with human scores?",
  description:
    "Correlation of every metric with the human score, for the ranking of systems, within items and over all outputs, and which metrics are significantly worse than the best one. Two files (metrics, human scores) are joined on the columns that name items and systems.",
  words: [["<files...>", "one table with both, or several that are joined; CSV, JSONL, Parquet …"]],
  flags: flagsOf(allOptions(METRIC_VALIDITY)),
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
    "Circularity test: does a rule of the features reproduce the label of all rows or of a part of them? Additive models over sets of candidate features show how much each set explains, and whether other features add to it.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: flagsOf(allOptions(CIRCULARITY)),
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
    "Runs the tests of circularity, bias and invariance for which the file has the columns, and reports what the others lack.",
  words: [["<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input"]],
  flags: flagsOf(allOptions(AUDIT)),
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
  commands: () => [metrics, bias, invariance, circularity, audit],
};
