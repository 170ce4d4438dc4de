/** What the classical tests ask of their user; plain data without any engine, as the specifications of the other scenarios. */
import { ERROR_RATE_PARAMETERS, type ScenarioParameters, type ScenarioSpec } from "../../scenario.ts";

export const CORRELATION: ScenarioSpec = {
  name: "correlation",
  title: "correlation of two scores over items",
  effect: "rho",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items with both scores" },
    { name: "rho", kind: "number", unit: "r", meaning: "true correlation" },
    ...ERROR_RATE_PARAMETERS,
  ],
};

/** Of a test that has no sides. */
const [ALPHA] = ERROR_RATE_PARAMETERS;

export const ONE_WAY: ScenarioSpec = {
  name: "anova",
  title: "means of several groups (one-way analysis of variance)",
  effect: "f",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items in each group" },
    { name: "groups", kind: "count", meaning: "groups that are compared", default: 3 },
    { name: "f", kind: "positive", meaning: "Cohen's f: SD of the true group means over the SD within groups" },
    ALPHA!,
  ],
};

export const CHI_SQUARE: ScenarioSpec = {
  name: "chi-square",
  title: "counts in categories (χ² test)",
  effect: "w",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items counted" },
    { name: "w", kind: "positive", meaning: "Cohen's w: distance of the true shares from those of no association" },
    {
      name: "df",
      kind: "count",
      meaning: "degrees of freedom: (rows - 1)(columns - 1), or categories - 1",
      default: 1,
    },
    ALPHA!,
  ],
};

export const COHENS_H: ScenarioSpec = {
  name: "cohens-h",
  title: "two shares by Cohen's h (arcsine difference)",
  effect: "h",
  size: "n",
  parameters: [
    {
      name: "n",
      kind: "count",
      unit: "items",
      meaning: "items of the first sample, and of the second unless `n2` is given",
    },
    { name: "n2", kind: "count", unit: "items", meaning: "items of the second sample" },
    { name: "h", kind: "number", meaning: "Cohen's h, the difference of the arcsines of the true shares" },
    ...ERROR_RATE_PARAMETERS,
  ],
};

const MARGIN_DESIGNS = ["paired", "two-sample", "proportions", "paired-accuracy"] as const;
export type MarginDesign = (typeof MARGIN_DESIGNS)[number];

const onlyIn =
  (...designs: readonly MarginDesign[]) =>
  ({ design = "paired" }: ScenarioParameters): string | undefined =>
    (designs as readonly unknown[]).includes(design)
      ? undefined
      : `in the design ${design}: it is of ${designs.join(" and ")}`;

export const NON_INFERIORITY: ScenarioSpec = {
  name: "non-inferiority",
  title: "not worse by more than a margin",
  effect: "margin",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items; of each system where they have different ones" },
    { name: "margin", kind: "positive", meaning: "largest loss that would not matter" },
    { name: "delta", kind: "number", meaning: "true difference, new minus old", default: 0 },
    {
      name: "design",
      kind: "choice",
      choices: MARGIN_DESIGNS,
      meaning: "means on the same or different items, accuracies on different or the same items",
      default: "paired",
    },
    {
      name: "sd",
      kind: "positive",
      meaning: "standard deviation of the differences, or of the scores",
      default: 1,
      idle: onlyIn("paired", "two-sample"),
    },
    {
      name: "baseline",
      kind: "share",
      unit: "accuracy",
      meaning: "true accuracy of the old system, for proportions",
      idle: onlyIn("proportions"),
    },
    {
      name: "discordance",
      kind: "share",
      meaning: "proportion of items that one system alone gets right, for paired-accuracy",
      idle: onlyIn("paired-accuracy"),
    },
    { name: "alpha", kind: "share", meaning: "error rate of the one-sided test", default: 0.05 },
  ],
};
