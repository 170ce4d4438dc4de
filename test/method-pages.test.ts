/** Every page of a statistical method has the six parts that a reader looks for. Where one does not exist (no R package has the method), the
 *  page says so in that part. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/cli.ts";

const PAGES = [
  ...["agreement", "always-valid", "bias-features", "bootstrap", "budget", "circularity", "classical-tests", "compare"],
  ...[
    "cross-validation",
    "dawid-skene",
    "designs",
    "emmeans",
    "equivalence",
    "gam",
    "gate",
    "glm",
    "glmm",
    "importance",
  ],
  ...["invariance", "lm", "lmm", "lmm-inference", "looks", "mcnemar", "metric-validity", "metrics", "missing-outcomes"],
  ...["multiplicity", "nested", "ordinal", "permutation", "power", "power-accuracy", "power-simulation", "reliability"],
  ...["repeated-tries", "robust", "runs", "scope", "skewed-means", "survey"],
];

const PARTS: Readonly<Record<string, RegExp>> = {
  "what it answers": /^\*\*What it answers\.\*\* \S/m,
  "a formula": /\S (=|<|≥|<=|>=|~) \S/,
  "when it fails": /^(## .*\b[Ll]imits|\*\*When it fails\.\*\* \S)/m,
  "measured error rates":
    /^(## (Error rates|Calibration|Measured|How often|Size of the tests)|\*\*Measured error rates\.\*\* \S)/m,
  "the R equivalent": /^(## The same (in R|elsewhere)|## References and R|\*\*In R\.\*\* \S)/m,
  references: /^(## References|References?: \S)/m,
};

describe("a method's page", () => {
  it.each(PAGES)("%s has what it answers, formula, limits, error rates, R equivalent and references", (page) => {
    const text = readFileSync(join(root, "docs/methods", `${page}.md`), "utf8");
    expect(Object.keys(PARTS).filter((part) => !PARTS[part]!.test(text))).toEqual([]);
  });
});
