/** Circularity test: is the label a function of some of the features?   Definition 2.5
 *
 *  1. Additive models over the sets of candidate features (powerset.ts), and with tensor products where additive terms fall short; the
 *     smallest sufficient set is refitted with more knots, and its rule is sought as thresholds (step-rule.ts).
 *  2. Every other candidate is added to that set; what is left of its shape is measured (nullification.ts).
 *  The label is `circular` in the set if the set explains at least `closeness` of it and the others are nullified, `partially circular`
 *  if one of the two holds and the other nearly, else `not circular`. The same test on the predictions of a model (a student model of
 *  a black box) says whether the model does no more than apply the rule.
 *  Reference: Riezler & Hagmann (2021), Validity, Reliability, and Significance, §2.4.3, Definition 2.5.
 *  Oracle:    mgcv (R), the D² and edf of the published searches; rules planted in simulated labels.
 *  Limits:    D² near 1 shows that a set determines the label, not that it was used to make it; that is for people to say. */

import { fingerprint } from "../../data/fingerprint.ts";
import { selectColumns, type Table } from "../../data/table.ts";
import type { GamMethod } from "../../models/gam/problem.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { type Diagnostic, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { inlineRunner } from "../../run/inline.ts";
import type { Runner } from "../../run/task.ts";
import type { CircularityFamily } from "./data.ts";
import { displayCircularity } from "./display.ts";
import { type CircularityFinding, type CircularityVerdict, findCircularity } from "./finding.ts";
import { circularityJson } from "./json.ts";
import type { SplineBasis } from "./powerset-model.ts";

export interface CircularityOptions {
  /** The annotation; at least one of label and predictions is needed. */
  readonly label?: string;
  /** Columns with the output of models, each tested like a label. */
  readonly predictions?: readonly string[];
  /** Candidates by name; by default the first by correlation with the label. */
  readonly features?: readonly string[];
  /** Columns that are no features. */
  readonly exclude?: readonly string[];
  /** How many candidates to take where they are not named. */
  readonly candidates?: number;
  /** Default: binomial for a label of two values. */
  readonly family?: CircularityFamily;
  readonly k?: number;
  /** Spline functions by feature. */
  readonly knots?: Readonly<Record<string, number>>;
  readonly method?: GamMethod;
  readonly basis?: SplineBasis;
  /** D² from which a label counts as explained. */
  readonly closeness?: number;
  readonly confidence?: number;
  readonly runner?: Runner;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

export interface CircularityResult extends Result<"circularity"> {
  /** Of the annotation, or of the first predictions where there is none. */
  readonly verdict: CircularityVerdict;
  /** The circular set of that finding; empty where nothing is circular. */
  readonly circular: readonly string[];
  readonly findings: readonly CircularityFinding[];
}

export async function testCircularity(table: Table, options: CircularityOptions): Promise<CircularityResult> {
  const settings = readSettings(options);
  const { label, predictions = [], exclude = [] } = options;
  const columns = [...(label === undefined ? [] : [label]), ...predictions];
  const findings: CircularityFinding[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of columns) {
    const role = name === label ? "annotation" : "predictions";
    const made = await findCircularity(table, {
      ...settings,
      label: name,
      role,
      notFeatures: [...columns, ...exclude],
    });
    findings.push(made.finding);
    for (const one of made.diagnostics)
      if (!diagnostics.some(({ message }) => message === one.message)) diagnostics.push(one);
  }
  const first = findings[0]!;
  const { runner: _runner, onProgress: _progress, ...given } = options;
  const used = [...new Set([...columns, ...findings.flatMap(({ ranking }) => ranking.map(({ feature }) => feature))])];
  const fields = {
    signature: {
      method: "circularity",
      version: GOSSET_VERSION,
      options: given,
      data: fingerprint(selectColumns(table, used)),
    },
    diagnostics,
    verdict: first.verdict,
    circular: first.verdict === "not circular" ? [] : first.chosen.features,
    findings,
  };
  return makeResult("circularity", fields, { display: displayCircularity, json: circularityJson });
}

const DEFAULT_CANDIDATES = 5;
const FEWEST_FUNCTIONS = 3;
const MOST_FUNCTIONS = 500;

function readSettings(options: CircularityOptions) {
  const { candidates = DEFAULT_CANDIDATES, k = 10, closeness = 0.9, confidence = 0.95, knots = {} } = options;
  if (options.label === undefined && (options.predictions ?? []).length === 0) {
    throw new StatError("NoLabel", "neither a label nor predictions are named.", "name the column of the labels.");
  }
  if (!Number.isInteger(candidates) || candidates < 1) {
    throw new StatError("BadOption", `${candidates} candidates.`, "give a whole number of at least 1.");
  }
  for (const [name, value] of Object.entries({ k, ...knots })) {
    if (!Number.isInteger(value) || value < FEWEST_FUNCTIONS || value > MOST_FUNCTIONS) {
      const message = `${name === "k" ? "k" : `knots of ${name}`} is ${value}.`;
      throw new StatError("BadOption", message, `give a whole number from ${FEWEST_FUNCTIONS} to ${MOST_FUNCTIONS}.`);
    }
  }
  if (!(closeness > 0 && closeness <= 1)) {
    throw new StatError("BadOption", `a closeness of ${closeness} is not between 0 and 1.`, "use for example 0.9.");
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new StatError("BadOption", `a confidence level of ${confidence} is not between 0 and 1.`, "use 0.95.");
  }
  return {
    candidates,
    k,
    knots,
    closeness,
    confidence,
    features: options.features,
    family: options.family,
    method: options.method ?? ("GCV.Cp" as const),
    basis: options.basis ?? ("tp" as const),
    runner: options.runner ?? inlineRunner(),
    rng: makeRng("circularity"), // nothing is drawn; a runner wants one
    onProgress: options.onProgress,
  };
}
