/** Flags of the power scenarios as plain data, so that help needs no library. A flag's name in camel case is the scenario's parameter. */
import { RATING_SCENARIO_FLAGS } from "./scenario-flags-ratings.ts";

export interface ScenarioFlags {
  readonly name: string;
  readonly summary: string;
  /** Name of the parameters that `mde` and `size` solve for. */
  readonly effect: string;
  readonly size: string;
  readonly flags: readonly (readonly [flag: string, description: string])[];
  /** Further words after the scenario, in the order power, mde, size, curve. */
  readonly examples: readonly [power: string, mde: string, size: string, curve: string];
  /** Whether raters rate items: --raters, and for `size` --for. */
  readonly raters?: boolean;
  /** Whether --pilot can give its parameters. */
  readonly pilot?: boolean;
}

const ALPHA = ["--alpha <x>", "error rate of the test (default: 0.05)"] as const;
const ONE_SIDED = ["--one-sided", "test for one direction only"] as const;

export const SCENARIO_FLAGS: readonly ScenarioFlags[] = [
  {
    name: "accuracy",
    summary: "right and wrong answers of two systems on the same items (McNemar's tests)",
    effect: "delta",
    size: "n",
    flags: [
      ["--n <items>", "items that both systems answer"],
      ["--delta <x>", "true difference in accuracy, new minus baseline: 0.02"],
      ["--agreement <share>", "share of items on which both are right or both wrong"],
      ["--baseline <accuracy>", "accuracy of the baseline; without --agreement it predicts it"],
      ["--overlap <which>", "regression for that: glue (default), squad, or a,b,c (see from-history)"],
      ["--test <name>", "mcnemar-exact (default), mcnemar-midp, mcnemar, mcnemar-cc, mcnemar-unconditional"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: [
      "--n 500 --delta 0.02 --agreement 0.9",
      "--n 1821 --baseline 0.972",
      "--delta 0.02 --agreement 0.9",
      "--over n=500:4000:500 --over delta=0.01,0.02 --agreement 0.9",
    ],
  },
  {
    name: "unpaired",
    summary: "accuracies on different items (two proportions)",
    effect: "delta",
    size: "n",
    flags: [
      ["--n <items>", "items of the baseline, and of the new system without --n2"],
      ["--n2 <items>", "items of the new system"],
      ["--baseline <accuracy>", "true accuracy of the baseline"],
      ["--delta <x>", "true difference in accuracy, new minus baseline"],
      ["--test <name>", "z (default) or z-cc, with continuity correction"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: [
      "--n 500 --baseline 0.8 --delta 0.05",
      "--n 500 --baseline 0.8",
      "--baseline 0.8 --delta 0.05",
      "--over n=200:1000:200 --baseline 0.8 --delta 0.05",
    ],
  },
  {
    name: "preference",
    summary: "wins, ties and losses of independent judgements (sign test)",
    effect: "win",
    size: "n",
    flags: [
      ["--n <judgements>", "independent judgements, ties included"],
      ["--win <share>", "true share of judgements for the new system"],
      ["--tie <share>", "true share of ties, which the test leaves out (default: 0)"],
      ["--test <name>", "sign (default), sign-midp or sign-normal"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: ["--n 100 --win 0.65", "--n 100 --tie 0.2", "--win 0.55 --tie 0.2", "--over n=25,50,100,200 --win 0.65"],
  },
  {
    name: "means",
    summary: "mean scores: paired, two samples or one (t, Wilcoxon, z), clusters of items",
    effect: "delta",
    size: "n",
    flags: [
      ["--n <items>", "items; in each sample where there are two"],
      ["--n2 <items>", "items of the second sample, if not the same"],
      ["--delta <x>", "true difference of means"],
      ["--sd <x>", "standard deviation of the differences, or of the scores (default: 1)"],
      ["--correlation <r>", "of the two systems' scores over items; --sd is then that of one system"],
      ["--design <name>", "paired (default), two-sample or one-sample"],
      ["--test <name>", "t (default), wilcoxon or z"],
      ["--cluster-size <m>", "items per document, topic … that hang together (default: 1)"],
      ["--icc <share>", "variance that the items of a cluster have in common (default: 0)"],
      ["--shape <name>", "of the deviations: normal (default), laplace or logistic"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: [
      "--n 200 --delta 0.1 --sd 0.6",
      "--n 200 --sd 0.6 --cluster-size 5 --icc 0.1",
      "--delta 0.3 --design two-sample",
      "--over n=50:400:50 --delta 0.2 --sd 1",
    ],
  },
  ...RATING_SCENARIO_FLAGS,
];
