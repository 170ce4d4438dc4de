/** Flags of `gosset fit`: one command for each model, with the flags that it takes. */

import { FIT } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const FORMULA = 'as in R: "score ~ system * length"';
const DATA = "CSV, TSV, JSON, JSONL, Parquet (also gzipped) or an evaluation log; - reads standard input";

interface Model {
  readonly summary: string;
  readonly formula?: string;
  readonly example: string;
  readonly load: NonNullable<CommandSpec["load"]>;
}

const MODELS: Readonly<Record<keyof typeof FIT, Model>> = {
  lm: {
    summary: "linear model",
    example: 'gosset fit lm "gain ~ task" results.csv --mutate "gain = new - old" --where "split == \'test\'"',
    load: async () => (await import("./run.ts")).runLm,
  },
  glm: {
    summary: "generalized linear model: right and wrong answers, counts, proportions",
    example: 'gosset fit glm "correct ~ system + log(length)" items.jsonl --family binomial',
    load: async () => (await import("./run.ts")).runGlm,
  },
  lmm: {
    summary: "linear mixed model: scores with items, raters, … as random effects",
    formula: 'as in R: "score ~ system + (1 | item) + (1 | rater)"',
    example: 'gosset fit lmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv',
    load: async () => (await import("./lmm.ts")).run,
  },
  glmm: {
    summary: "generalised linear mixed model",
    formula: 'as in R: "correct ~ system + (1 | item)"',
    example: 'gosset fit glmm "correct ~ system + (1 | item)" items.jsonl --family binomial',
    load: async () => (await import("./categorical.ts")).runGlmm,
  },
  clm: {
    summary: "cumulative link model: ordinal ratings",
    example: 'gosset fit clm "rating ~ system" ratings.csv --factor rating',
    load: async () => (await import("./categorical.ts")).runClm,
  },
  clmm: {
    summary: "cumulative link mixed model",
    formula: 'as in R: "rating ~ system + (1 | item)"',
    example: 'gosset fit clmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv --factor rating',
    load: async () => (await import("./categorical.ts")).runClmm,
  },
  gam: {
    summary: "additive model: smooth curves",
    formula: 'as in R: "score ~ s(length) + system"',
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
  commands: () =>
    Object.entries(MODELS).map(([name, { summary, formula = FORMULA, example, load }]) => ({
      name,
      summary,
      description: `Fits a ${summary}.`,
      words: [
        ["<formula>", formula],
        ["<data>", DATA],
      ],
      flags: flagsOf(FIT[name as keyof typeof FIT]),
      examples: [example],
      load,
    })),
  examples: [
    'gosset fit lm "score ~ system" ratings.csv --cluster item',
    ...Object.values(MODELS).map(({ example }) => example),
  ],
};
