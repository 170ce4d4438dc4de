/** Models of a formula: the options of `fit`, `anova` and `emmeans`. */
import { DDF_METHODS } from "./choices.ts";
import type { OptionSpec, OptionTable } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, JOURNAL, READ } from "./rows.ts";

const { confidence } = {
  confidence: { takes: "fraction", value: "level", help: CONFIDENCE.confidence.help, default: "0.95" },
} as const;

/** How columns become the variables of a model. */
export const VARIABLES = {
  levels: {
    takes: "map",
    each: "names",
    value: "col=a,b,c",
    help: "order of a factor's levels; the first is the reference",
  },
  factors: { takes: "texts", flag: "--factor", value: "col", help: "read a numeric column as a factor" },
  ordered: { takes: "map", each: "names", value: "col=a,b,c", help: "ordered factor, lowest level first" },
  contrasts: {
    takes: "texts",
    value: "sum|col=sum",
    help: "treatment (default), sum, helmert or poly, for all factors or one",
  },
  weights: { takes: "text", value: "col", help: "precision weights, or trials of a binomial proportion" },
  offset: { takes: "text", value: "col", help: "offset: a known part of the linear predictor" },
} as const satisfies OptionTable;

/** Of every model. */
const ALL = { confidence, ...VARIABLES, ...CHOSEN_ROWS, ...READ } as const satisfies OptionTable;

const family = {
  takes: "choice",
  choices: ["gaussian", "binomial", "poisson", "quasibinomial", "quasipoisson", "negative-binomial", "beta"],
  value: "family",
  help: "response distribution (default: by the response)",
} as const satisfies OptionSpec;
const link = {
  takes: "choice",
  choices: ["identity", "log", "logit", "probit", "cloglog"],
  value: "link",
  help: "link function (default: the family's own)",
} as const satisfies OptionSpec;
const ordinalLink = {
  ...link,
  choices: ["logit", "probit", "cloglog"],
  help: "link function (default: logit)",
} as const satisfies OptionSpec;
const nAGQ = {
  takes: "count",
  flag: "--nagq",
  value: "n",
  help: "of mixed models of categories: points of adaptive quadrature (default: 1, Laplace)",
} as const satisfies OptionSpec;
const threshold = {
  takes: "choice",
  choices: ["flexible", "symmetric", "equidistant"],
  value: "kind",
  help: "structure of the thresholds",
} as const satisfies OptionSpec;
const intervals = {
  takes: "choice",
  choices: ["profile"],
  value: "kind",
  help: "intervals of every parameter, by profile likelihood",
} as const satisfies OptionSpec;
const predict = {
  takes: "text",
  value: "file",
  help: "also predict the rows of this file",
} as const satisfies OptionSpec;
const ddf = {
  takes: "choice",
  choices: DDF_METHODS,
  value: "method",
  help: "degrees of freedom of a linear mixed model (default: satterthwaite)",
} as const satisfies OptionSpec;
const cluster = {
  takes: "text",
  value: "col",
  help: "cluster-robust standard errors: column of items, documents, raters … whose rows are correlated",
} as const satisfies OptionSpec;
const robust = {
  takes: "choice",
  choices: ["HC0", "HC1", "HC2", "HC3", "CR0", "CR1", "CR1S", "CR2"],
  value: "type",
  help: "kind of robust standard errors (default with --cluster: CR2)",
} as const satisfies OptionSpec;

const LINEAR = {
  cluster,
  robust,
  loo: { takes: "switch", help: "also predict every row from all other rows (leave-one-out)" },
} as const;
const DRAWN = ["intervals=bootstrap"] as const;
const STEPS = "adjacent, continuation, stopping";

/** By the name of the model. */
export const FIT = {
  lm: { ...LINEAR, predict, ...ALL },
  glm: {
    ...{ family, link },
    firth: { takes: "switch", help: "penalized logistic regression: finite estimates for separated data" },
    ...{ ...LINEAR, intervals, predict },
    ...ALL,
  },
  lmm: {
    ml: { takes: "switch", help: "maximum likelihood instead of REML" },
    ddf,
    intervals: { ...intervals, choices: ["profile", "bootstrap"], help: "intervals of every parameter" },
    replicates: { takes: "count", value: "n", help: "replicates of the bootstrap", default: "1000", needs: DRAWN },
    journal: { takes: "text", value: "folder", help: JOURNAL.journal.help, fault: JOURNAL.journal.fault, needs: DRAWN },
    terms: { takes: "switch", help: "also F tests of whole terms (type III)" },
    modes: { takes: "switch", help: "also the random effects of every level (BLUPs)" },
    ...ALL,
  },
  glmm: {
    family: { ...family, choices: ["binomial", "poisson"] },
    link: { ...link, choices: ["log", "logit", "probit", "cloglog"] },
    ...{ nAGQ, intervals },
    ...ALL,
  },
  clm: {
    ...{ link: ordinalLink, threshold },
    structure: {
      takes: "choice",
      choices: ["cumulative", "adjacent", "continuation", "stopping"],
      value: "name",
      help: "which categories are compared (default: cumulative)",
    },
    nominal: {
      takes: "text",
      value: "terms",
      help: 'nominal effects: terms with their own effect on every threshold: "~ system"',
    },
    scale: {
      takes: "text",
      value: "terms",
      help: 'scale effects: terms that change the latent SD: "~ system"',
    },
    reverse: { takes: "switch", help: `${STEPS}: from the highest category down` },
    information: {
      takes: "choice",
      choices: ["expected", "observed"],
      value: "kind",
      help: `${STEPS}: information matrix of the standard errors (default: expected)`,
    },
    intervals,
    ...ALL,
  },
  clmm: { link: ordinalLink, threshold, nAGQ, intervals, ...ALL },
  gam: {
    family: { ...family, choices: ["gaussian", "binomial", "poisson"], help: "response distribution" },
    link,
    method: {
      takes: "choice",
      choices: ["REML", "ML", "GCV.Cp"],
      value: "criterion",
      help: "criterion that chooses the smoothness (default: REML)",
    },
    select: { takes: "switch", help: "penalize whole terms, so that a term can be selected out" },
    gamma: { takes: "positive", value: "factor", help: "values above 1 give smoother curves" },
    shapes: { takes: "text", value: "file", help: "write the fitted curves with their bands to this CSV file" },
    predict,
    ...ALL,
  },
} as const satisfies Readonly<Record<string, OptionTable>>;

/** A model that the formula and the response choose where it is not named. */
const CHOSEN = {
  model: {
    takes: "choice",
    choices: ["clm", "clmm", "glmm"],
    value: "kind",
    help: "ordinal and generalized mixed models (default: by the response and --family)",
  },
  threshold: { takes: "list", value: "kind", help: "clm, clmm: flexible (default), symmetric or equidistant" },
  ...{ nAGQ, family, link },
  ...VARIABLES,
  ...CHOSEN_ROWS,
  ...READ,
} as const satisfies OptionTable;

export const ANOVA = {
  ...CHOSEN,
  threshold: {
    ...CHOSEN.threshold,
    help: "clm, clmm: flexible, symmetric or equidistant; two with a comma compare them",
  },
  reml: { takes: "switch", help: "mixed models: compare restricted likelihoods (same fixed effects only)" },
} as const satisfies OptionTable;

export const EMMEANS = {
  by: {
    takes: "list",
    value: "columns",
    help: "factors to average for: system, or system,domain for their combinations",
    required: true,
  },
  within: { takes: "list", value: "columns", help: "make the contrasts within each level of these columns" },
  adjust: {
    takes: "text",
    value: "method",
    help: "tukey (all pairs), holm, bonferroni, sidak, holm-sidak, hochberg, hommel, BH, BY or none",
  },
  contrasts: {
    takes: "texts",
    flag: "--contrast",
    value: "kind",
    help: "pairwise, treatment, consecutive, effects, poly, none, or name=1,-1,0",
  },
  reference: { takes: "text", value: "level", help: "reference level of treatment contrasts" },
  at: {
    takes: "map",
    each: "names",
    value: "col=1,2",
    help: "values of a covariate (default: its mean) or levels of a factor",
  },
  slopes: { takes: "text", value: "column", help: "slopes of this covariate instead of means" },
  type: {
    takes: "choice",
    choices: ["link", "response", "latent", "prob", "mean-class", "cum-prob", "exc-prob", "linear-predictor"],
    value: "scale",
    help: "glm, glmm: link (default) or response; clm, clmm: latent (default), prob, mean-class, …",
  },
  regrid: { takes: "switch", help: "average and subtract probabilities or counts, not logits or logs" },
  weights: {
    takes: "choice",
    flag: "--average",
    choices: ["equal", "proportional"],
    value: "how",
    help: "weights of the levels of the other factors",
  },
} as const satisfies OptionTable;

/** Of the model whose means they are. */
export const MEANS_MODEL = {
  effectSize: {
    takes: "some",
    value: "sd",
    help: "also contrasts in units of the residual SD (mixed models: of the total SD), or of a given one",
  },
  ...{ ddf, cluster, robust: { ...robust, help: "kind of robust standard errors" }, confidence },
  ...CHOSEN,
} as const satisfies OptionTable;
