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

/** Of BLEU. */
export const TOKENISERS = ["13a", "intl", "zh", "char", "none"] as const;

/** Degrees of freedom of a linear mixed model. */
export const DDF_METHODS = ["satterthwaite", "kenward-roger", "none"] as const;
