/** Flags of `gosset emmeans`. */
import type { CommandSpec } from "../command.ts";
import { CATEGORICAL_MODEL, CONFIDENCE, DDF, flag, MODEL_FLAGS, NAGQ, ROBUST } from "../flags.ts";

export const emmeans: CommandSpec = {
  name: "emmeans",
  question: "Is the difference real?",
  summary: "marginal means of a model and their contrasts",
  description: "Marginal means of a model's factors, averaged over the other factors, and their pairwise contrasts.",
  words: [
    ["<formula>", 'as for fit: "score ~ system * length"'],
    ["<data>", "as for fit"],
  ],
  flags: [
    flag("--by <columns>", "factors to average for: system, or system,domain for their combinations", {
      many: true,
      required: true,
    }),
    flag("--within <columns>", "make the contrasts within each level of these columns", { many: true }),
    flag(
      "--adjust <method>",
      "tukey (all pairs), holm, bonferroni, sidak, holm-sidak, hochberg, hommel, BH, BY or none",
    ),
    flag("--contrast <kind>", "pairwise, treatment, consecutive, effects, poly, none, or name=1,-1,0", { many: true }),
    flag("--reference <level>", "reference level of treatment contrasts"),
    flag("--at <col=1,2>", "values of a covariate (default: its mean) or levels of a factor", { many: true }),
    flag("--slopes <column>", "slopes of this covariate instead of means"),
    flag("--type <scale>", "glm, glmm: link (default) or response; clm, clmm: latent (default), prob, mean-class, …", {
      choices: ["link", "response", "latent", "prob", "mean-class", "cum-prob", "exc-prob", "linear-predictor"],
    }),
    CATEGORICAL_MODEL,
    flag("--threshold <kind>", "clm, clmm: flexible (default), symmetric or equidistant"),
    NAGQ,
    flag("--regrid", "average and subtract probabilities or counts, not logits or logs"),
    flag("--average <how>", "weights of the levels of the other factors", { choices: ["equal", "proportional"] }),
    flag("--effect-size [sd]", "also contrasts in units of the residual SD, or of a given one"),
    DDF,
    flag("--cluster <col>", "cluster-robust standard errors: column of items, raters … whose rows are correlated"),
    flag("--robust <type>", "kind of robust standard errors", { choices: ROBUST }),
    CONFIDENCE,
    ...MODEL_FLAGS,
  ],
  examples: [
    'gosset emmeans "score ~ system * length" ratings.csv --by system --within length',
    'gosset emmeans "correct ~ system" items.jsonl --family binomial --by system --type response',
    'gosset emmeans "score ~ system * tokens" results.csv --by system --slopes tokens',
    'gosset emmeans "rating ~ system + (1 | item)" ratings.csv --model clmm --by system --type prob',
  ],
  load: async () => (await import("./run.ts")).run,
};
