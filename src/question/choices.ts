/** Names that options choose from and functions know: plain lists, stated once. */
export const PAIR_TESTS = [
  "permutation",
  "bootstrap",
  "mcnemar",
  "mcnemar-cc",
  "mcnemar-exact",
  "mcnemar-midp",
  "mcnemar-unconditional",
  "sign",
  "wilcoxon",
  "t",
  "skewness-adjusted-t",
  "multi-bootstrap",
] as const;

/** Adjustments of p for several tests that need the p values alone. */
export const P_ADJUSTMENTS = [
  "holm",
  "bonferroni",
  "sidak",
  "holm-sidak",
  "hochberg",
  "hommel",
  "BH",
  "BY",
  "none",
] as const;

/** What a verdict may be about. */
export const FACETS = ["items", "raters", "runs", "clusters", "prompts"] as const;

/** What repeated runs are: independent draws of every item, or trainings that move all of them. */
export const RUN_KINDS = ["draws", "trainings"] as const;

/** Of a difference of two independent shares: the one that belongs to the test, or Newcombe's. */
export const SHARE_INTERVALS = ["boschloo", "newcombe"] as const;

/** Of BLEU. */
export const TOKENISERS = ["13a", "intl", "zh", "char", "none"] as const;

/** Degrees of freedom of a linear mixed model. */
export const DDF_METHODS = ["satterthwaite", "kenward-roger", "none"] as const;

/** Of BLEU. */
export const SMOOTHINGS = ["exp", "floor", "add-k", "none"] as const;

/** Differences of answers that exact match may leave aside: all of them as SQuAD does. */
export const NORMALISATIONS = ["case", "punctuation", "articles", "spaces"] as const;

/** What a validity test may train by itself. */
export const LEARNERS = ["gam", "logistic", "linear", "knn", "stumps"] as const;

export const isBuiltIn = (learner: string): learner is (typeof LEARNERS)[number] =>
  (LEARNERS as readonly string[]).includes(learner);
