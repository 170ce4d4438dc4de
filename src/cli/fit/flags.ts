/** Flags of `gosset fit`: one command for each model, with the flags that it takes. */
import type { CommandSpec } from "../command.ts";
import {
  CONFIDENCE,
  DATA_FLAGS,
  DDF,
  FAMILY,
  type Flag,
  flag,
  GLM_FAMILY,
  JOURNAL,
  LINK,
  NAGQ,
  ORDINAL_LINK,
  ROBUST,
  VARIABLE_FLAGS,
} from "../flags.ts";

const LM_FLAGS: readonly Flag[] = [
  flag(
    "--cluster <col>",
    "cluster-robust standard errors: column of items, documents, raters … whose rows are correlated",
  ),
  flag("--robust <type>", "kind of robust standard errors (default with --cluster: CR2)", { choices: ROBUST }),
  flag("--loo", "also predict every row from all other rows (leave-one-out)"),
];
const PREDICT = flag("--predict <file>", "also predict the rows of this file");
const REPLICATES = flag("--replicates <n>", "replicates of the bootstrap", { default: "1000" });
const THRESHOLD = flag("--threshold <kind>", "structure of the thresholds", {
  choices: ["flexible", "symmetric", "equidistant"],
});
const STRUCTURE_FLAGS: readonly Flag[] = [
  flag("--structure <name>", "which categories are compared (default: cumulative)", {
    choices: ["cumulative", "adjacent", "continuation", "stopping"],
  }),
  flag("--nominal <terms>", 'nominal effects: terms with their own effect on every threshold: "~ system"'),
  flag("--scale <terms>", 'scale effects: terms that change the latent SD: "~ system"'),
  flag("--reverse", "adjacent, continuation, stopping: from the highest category down"),
  flag(
    "--information <kind>",
    "adjacent, continuation, stopping: information matrix of the standard errors (default: expected)",
    {
      choices: ["expected", "observed"],
    },
  ),
];
const PROFILE = flag("--intervals <kind>", "intervals of every parameter, by profile likelihood", {
  choices: ["profile"],
});
const LMM_FLAGS: readonly Flag[] = [
  flag("--ml", "maximum likelihood instead of REML"),
  DDF,
  flag("--intervals <kind>", "intervals of every parameter", { choices: ["profile", "bootstrap"] }),
  REPLICATES,
  JOURNAL,
  flag("--terms", "also F tests of whole terms (type III)"),
  flag("--modes", "also the random effects of every level (BLUPs)"),
];
const GAM_FLAGS: readonly Flag[] = [
  flag("--method <criterion>", "criterion that chooses the smoothness (default: REML)", {
    choices: ["REML", "ML", "GCV.Cp"],
  }),
  flag("--select", "penalize whole terms, so that a term can be selected out"),
  flag("--gamma <factor>", "values above 1 give smoother curves"),
  flag("--shapes <file>", "write the fitted curves with their bands to this CSV file"),
];

const MIXED_FAMILY = flag("--family <family>", "response distribution (default: by the response)", {
  choices: ["binomial", "poisson"],
});
const MIXED_LINK = flag("--link <link>", "link function (default: the family's own)", {
  choices: ["log", "logit", "probit", "cloglog"],
});

const FORMULA = 'as in R: "score ~ system * length"';
const DATA = "CSV, TSV, JSON, JSONL, Parquet (also gzipped) or an evaluation log; - reads standard input";

const FIRTH = flag("--firth", "penalized logistic regression: finite estimates for separated data");

interface Model {
  readonly summary: string;
  readonly formula?: string;
  readonly flags: readonly Flag[];
  readonly example: string;
  readonly load: NonNullable<CommandSpec["load"]>;
}

const MODELS: Readonly<Record<string, Model>> = {
  lm: {
    summary: "linear model",
    flags: [...LM_FLAGS, PREDICT],
    example: 'gosset fit lm "gain ~ task" results.csv --mutate "gain = new - old" --where "split == \'test\'"',
    load: async () => (await import("./run.ts")).runLm,
  },
  glm: {
    summary: "generalized linear model: right and wrong answers, counts, proportions",
    flags: [GLM_FAMILY, LINK, FIRTH, ...LM_FLAGS, PROFILE, PREDICT],
    example: 'gosset fit glm "correct ~ system + log(length)" items.jsonl --family binomial',
    load: async () => (await import("./run.ts")).runGlm,
  },
  lmm: {
    summary: "linear mixed model: scores with items, raters, … as random effects",
    formula: 'as in R: "score ~ system + (1 | item) + (1 | rater)"',
    flags: LMM_FLAGS,
    example: 'gosset fit lmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv',
    load: async () => (await import("./lmm.ts")).run,
  },
  glmm: {
    summary: "generalised linear mixed model",
    formula: 'as in R: "correct ~ system + (1 | item)"',
    flags: [MIXED_FAMILY, MIXED_LINK, NAGQ, PROFILE],
    example: 'gosset fit glmm "correct ~ system + (1 | item)" items.jsonl --family binomial',
    load: async () => (await import("./categorical.ts")).runGlmm,
  },
  clm: {
    summary: "cumulative link model: ordinal ratings",
    flags: [ORDINAL_LINK, THRESHOLD, ...STRUCTURE_FLAGS, PROFILE],
    example: 'gosset fit clm "rating ~ system" ratings.csv --factor rating',
    load: async () => (await import("./categorical.ts")).runClm,
  },
  clmm: {
    summary: "cumulative link mixed model",
    formula: 'as in R: "rating ~ system + (1 | item)"',
    flags: [ORDINAL_LINK, THRESHOLD, NAGQ, PROFILE],
    example: 'gosset fit clmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv --factor rating',
    load: async () => (await import("./categorical.ts")).runClmm,
  },
  gam: {
    summary: "additive model: smooth curves",
    formula: 'as in R: "score ~ s(length) + system"',
    flags: [FAMILY, LINK, ...GAM_FLAGS, PREDICT],
    example: 'gosset fit gam "score ~ s(length) + s(confidence, by = system)" items.csv',
    load: async () => (await import("./gam.ts")).run,
  },
};

export const fit: CommandSpec = {
  name: "fit",
  question: "Is the difference real?",
  summary: "fit a model: lm, glm, lmm, glmm, clm, clmm, gam",
  description: "Fit a model to a table. The formula is written as in R.",
  noun: "model",
  commands: Object.entries(MODELS).map(([name, { summary, formula = FORMULA, flags, example, load }]) => ({
    name,
    summary,
    description: `Fits a ${summary}.`,
    words: [
      ["<formula>", formula],
      ["<data>", DATA],
    ],
    flags: [...flags, CONFIDENCE, ...VARIABLE_FLAGS, ...DATA_FLAGS],
    examples: [example],
    load,
  })),
  examples: [
    'gosset fit lm "score ~ system" ratings.csv --cluster item',
    ...Object.values(MODELS).map(({ example }) => example),
  ],
};
