/** One classical test: the options of `test`, and which tests have a use for each. */
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, READ } from "./rows.ts";

/** Every test by its name, with the question it answers. */
export const TESTS = {
  mcnemar: "two systems right or wrong on the same items",
  permutation: "mean difference on the same items, by permutation",
  bootstrap: "the same, by bootstrap with BCa interval",
  t: "difference of means (--paired: on the same items)",
  z: "difference of means, large samples or known --sd",
  wilcoxon: "signed ranks of paired differences (Wilcoxon)",
  sign: "sign test: is x above y as often as below?",
  "rank-sum": "ranks of two samples (Mann-Whitney)",
  "brunner-munzel": "P(x > y) = 1/2, for unequal variances",
  ks: "two distributions (Kolmogorov-Smirnov, exact)",
  proportions: "two independent proportions",
  binomial: "one proportion, with all its intervals",
  fisher: "a table of counts, exact",
  equivalence: "is the difference within ±margin? (TOST)",
  "non-inferiority": "is x no worse than y by more than the margin?",
  friedman: "ranks of systems over data sets, with Nemenyi",
  cochran: "several systems right or wrong on the same items",
  anova: "means of groups, with Tukey (also welch, kruskal)",
  pearson: "correlation, linear",
  spearman: "correlation of ranks",
  kendall: "correlation of orders (tau-b)",
  somers: "asymmetric correlation of orders (d)",
  williams: "which of two metrics correlates more with people?",
  shapiro: "is a sample normal?",
  cv: "two learners over splits of one data set (Nadeau-Bengio)",
  "5x2cv": "the same over five times two folds (t, F)",
  nested: "losses of nested folds, one learner or two (Bates et al.)",
  aso: "nearly all quantiles of x above y's? (stochastic order)",
  clark: "several runs of two systems: outputs permuted",
  "multi-bootstrap": "several runs of two systems: runs, items resampled",
  "partial-conjunction": "on how many of several data sets is there an effect?",
} as const;

const of = (names: string): { readonly of: readonly string[] } => ({ of: names.split(" ") });
const MARGINS = "equivalence non-inferiority";
const CORRELATIONS = "pearson spearman kendall somers";

const options = {
  x: {
    takes: "text",
    value: "numbers|column",
    help: "first sample: 1,2,3 or a column",
    unless: ["score", "columns", "table"],
  },
  y: { takes: "text", value: "numbers|column", help: "second sample", unless: ["score", "columns", "table"] },
  score: { takes: "text", value: "column", help: "long files: the scores …" },
  by: { takes: "text", value: "column", help: "… of these systems or groups …" },
  item: { takes: "text", value: "cols", help: "… on these items (makes pairs); several if together: doc,nr" },
  run: {
    takes: "text",
    value: "column",
    help: "… in these runs or seeds (clark, multi-bootstrap), repetitions (nested)",
    ...of("clark multi-bootstrap nested"),
  },
  systems: { takes: "list", value: "a,b", help: "the two levels of --by to compare, in this order" },
  columns: {
    takes: "list",
    value: "a,b,c",
    help: "columns of several systems (friedman, cochran, anova, williams)",
    unless: ["score"],
  },
  table: {
    takes: "text",
    value: "counts",
    help: "mcnemar: both right,only x,only y,neither; fisher: rows as 8,1/2,5",
    ...of(`mcnemar fisher ${MARGINS}`),
  },
  n: {
    takes: "text",
    value: "counts",
    help: "trials (binomial, proportions), rows (williams), items behind means (z)",
    ...of(`binomial proportions ${MARGINS} williams z`),
  },
  fold: { takes: "text", value: "column", help: "nested: the fold of the row's item …", ...of("nested") },
  left: {
    takes: "text",
    value: "column",
    help: "… and the other fold that was left out (its own fold: ordinary cross-validation)",
    ...of("nested"),
  },
  nTrain: { takes: "count", value: "n", help: "cv: items in each training set", ...of("cv") },
  nTest: { takes: "count", value: "n", help: "cv: items in each test set", ...of("cv") },
  r: {
    takes: "text",
    value: "r12,r13,r23",
    help: "williams: three correlations; variable 1 is shared",
    ...of("williams"),
  },
  p: {
    takes: "text",
    value: "values",
    help: "partial-conjunction: p values of the data sets",
    ...of("partial-conjunction"),
  },
  cluster: {
    takes: "text",
    value: "column",
    help: "items of one document, dialogue … are correlated",
    ...of(`mcnemar permutation bootstrap t proportions ${MARGINS}`),
  },
  paired: {
    takes: "switch",
    help: "x and y are pairs (t, z, equivalence); the same seeds (multi-bootstrap)",
    ...of(`permutation bootstrap t z wilcoxon sign ${MARGINS} multi-bootstrap ${CORRELATIONS}`),
    unless: ["table"],
  },
  unpaired: { takes: "switch", help: "x and y are different items (permutation)", ...of("permutation") },
  equal: { takes: "switch", help: "t: equal variances (Student)", ...of("t") },
  method: {
    takes: "text",
    value: "method",
    help: "variant: exact, mid-p, normal, welch …",
    ...of(`mcnemar permutation proportions ${CORRELATIONS} wilcoxon rank-sum friedman anova partial-conjunction 5x2cv`),
  },
  zeros: {
    takes: "choice",
    choices: ["wilcoxon", "pratt", "split"],
    value: "rule",
    help: "wilcoxon: zero differences by wilcoxon, pratt or split",
    ...of("wilcoxon"),
  },
  correct: { takes: "off", help: "wilcoxon, rank-sum: no continuity correction", ...of("wilcoxon rank-sum") },
  interval: {
    takes: "text",
    value: "method",
    help: "of the effect: wilson, tango, newcombe, bca, …",
    ...of("mcnemar proportions binomial bootstrap multi-bootstrap"),
  },
  mu: {
    takes: "number",
    value: "value",
    help: "t, z: difference under the null hypothesis; binomial: proportion; nested: loss",
    ...of("t z binomial nested"),
  },
  sd: { takes: "numbers", value: "value", help: "z: known standard deviation", ...of("z") },
  threshold: {
    takes: "number",
    value: "ratio",
    help: "aso: violation ratio above which no order is claimed (default: 0.2)",
    ...of("aso"),
  },
  margin: {
    takes: "number",
    value: "value",
    help: "equivalence, non-inferiority: smallest difference that matters",
    ...of(MARGINS),
  },
  replicates: {
    takes: "count",
    value: "n",
    help: "permutation, bootstrap, aso, clark: number of random replicates",
    default: "10000",
    ...of("permutation bootstrap multi-bootstrap clark aso"),
  },
  alternative: {
    takes: "choice",
    choices: ["two-sided", "greater", "less"],
    value: "side",
    help: "alternative hypothesis",
    default: "two-sided",
    not: ["ks", "friedman", "cochran", "anova", "shapiro"],
  },
  ...CONFIDENCE,
} as const satisfies OptionTable;

export const TEST = {
  name: "test",
  kinds: Object.fromEntries(Object.keys(TESTS).map((name) => [name, name])),
  options,
  command: { ...CHOSEN_ROWS, ...READ },
} as const satisfies QuestionSpec;
