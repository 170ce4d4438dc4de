/** Circularity test: is the label a function of some of the features?   Definition 2.5
 *
 *  1. A model of all features; additive models over the sets of candidates (powerset.ts), with tensor products where additive terms fall
 *     short; the smallest sufficient set is refitted with more knots.
 *  2. A rule is sought in all features at once (rules.ts), and the rows that it gives are counted (reproduction.ts).
 *  3. Every other candidate is added to the set; what is left of its shape is measured (nullification.ts).
 *  The label is `circular` if a rule reproduces it, `partially circular` if one does so for part of the rows, `dominated` if a few
 *  features explain most of it and no rule gives its rows, else `not circular` (verdict.ts). The same test on the predictions of a
 *  model (a student model of a black box) says whether the model does no more than apply the rule.
 *  Reference: Riezler & Hagmann (2021), Validity, Reliability, and Significance, §2.4.3, Definition 2.5.
 *  Oracle:    mgcv (R), the D² and edf of the published searches; rules planted in simulated labels.
 *  Limits:    D² near 1 shows that a set determines the label, not that it was used to make it; that is for people to say. */

import { fingerprint } from "../../data/fingerprint.ts";
import { selectColumns, type Table } from "../../data/table.ts";
import type { GamMethod } from "../../models/gam/problem.ts";
import { makeRng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { type Diagnostic, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { inlineRunner } from "../../run/inline.ts";
import type { Runner } from "../../run/task.ts";
import { type Ablation, measureAblation } from "../ablation.ts";
import { ABLATION_WAYS, type AblationWay, ablateLearner, type LearnedAblations } from "../learner/ablation.ts";
import type { Learner, LearnerName, Target } from "../learner/learner.ts";
import type { CircularityFamily } from "./data.ts";
import { type CircularityFinding, findCircularity } from "./finding.ts";
import { displayCircularity } from "./findings-display.ts";
import { circularityJson } from "./findings-json.ts";
import type { SplineBasis } from "./powerset-model.ts";
import { type CircularityVerdict, circularSet } from "./verdict.ts";

export interface CircularityOptions {
  /** The annotation; at least one of label and predictions is needed. */
  readonly label?: string | undefined;
  /** Columns with the output of models, each tested like a label. */
  readonly predictions?: readonly string[] | undefined;
  /** For each of them the column of what the same model says with the circular features taken from it; needs the label. */
  readonly ablated?: readonly string[] | undefined;
  /** A learner that is trained on the features and tested without the circular ones; needs the label. */
  readonly learner?: LearnerName | ((target: Target) => Learner) | undefined;
  readonly learnerName?: string | undefined;
  /** Rows that it is tested on; default: a random fifth. */
  readonly test?: Table | undefined;
  /** How features are taken from them; default: every way. */
  readonly ablate?: readonly AblationWay[] | undefined;
  /** Candidates by name; by default the first by correlation with the label. Rules are sought in all features. */
  readonly features?: readonly string[] | undefined;
  /** Columns that are no features. */
  readonly exclude?: readonly string[] | undefined;
  /** How many candidates to take where they are not named. */
  readonly candidates?: number | undefined;
  /** Default: binomial for a label of two values. */
  readonly family?: CircularityFamily | undefined;
  readonly k?: number | undefined;
  /** Spline functions by feature. */
  readonly knots?: Readonly<Record<string, number>> | undefined;
  readonly method?: GamMethod | undefined;
  /** Default: thin plates where all sets of the candidates are fitted, cubic splines, which cost less, with more candidates. */
  readonly basis?: SplineBasis | undefined;
  /** D² from which a label counts as explained: predictions as determined, labels as dominated. */
  readonly closeness?: number | undefined;
  readonly confidence?: number | undefined;
  readonly runner?: Runner | undefined;
  readonly onProgress?: ((stage: string, done: number, total: number) => void) | undefined;
}

export interface CircularityResult extends Result<"circularity"> {
  /** Of the annotation, or of the first predictions where there is none. */
  readonly verdict: CircularityVerdict;
  /** The circular set of that finding; empty where nothing is circular. */
  readonly circular: readonly string[];
  readonly findings: readonly CircularityFinding[];
  /** Scores of predictions before and after ablation, where both are given. */
  readonly ablation: readonly Ablation[];
}

const TEST_CIRCULARITY_OPTIONS = {
  label: true,
  predictions: true,
  ablated: true,
  learner: true,
  learnerName: true,
  test: true,
  ablate: true,
  features: true,
  exclude: true,
  candidates: true,
  family: true,
  k: true,
  knots: true,
  method: true,
  basis: true,
  closeness: true,
  confidence: true,
  runner: true,
  onProgress: true,
} as const satisfies Record<keyof CircularityOptions, true>;

export async function testCircularity(table: Table, options: CircularityOptions): Promise<CircularityResult> {
  refuseUnknownNames("testCircularity", options, TEST_CIRCULARITY_OPTIONS);
  const settings = readSettings(options);
  const { label, predictions = [], exclude = [] } = options;
  const columns = [...(label === undefined ? [] : [label]), ...predictions];
  const ablation = ablationsOf(table, options);
  const findings: CircularityFinding[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of columns) {
    const role = name === label ? "annotation" : "predictions";
    const made = await findCircularity(table, {
      ...settings,
      label: name,
      role,
      notFeatures: [...columns, ...(options.ablated ?? []), ...exclude],
    });
    findings.push(made.finding);
    for (const one of made.diagnostics)
      if (!diagnostics.some(({ message }) => message === one.message)) diagnostics.push(one);
  }
  const first = findings[0]!;
  const learned = await learnedAblations(table, first, options);
  diagnostics.push(...learned.diagnostics.filter(({ message }) => diagnostics.every((own) => own.message !== message)));
  const { runner: _runner, onProgress: _progress, learner: _learner, test, ...named } = options;
  const given = {
    ...named,
    ...(typeof options.learner === "string" ? { learner: options.learner } : {}),
    ...(test === undefined ? {} : { test: fingerprint(test) }),
  };
  const used = [
    ...new Set([
      ...columns,
      ...(options.ablated ?? []),
      ...findings.flatMap(({ ranking }) => ranking.map(({ feature }) => feature)),
    ]),
  ];
  const fields = {
    signature: {
      method: "circularity",
      version: GOSSET_VERSION,
      options: given,
      data: fingerprint(selectColumns(table, used)),
    },
    diagnostics,
    verdict: first.verdict,
    circular: circularSet(first),
    findings,
    ablation: [...ablation, ...learned.ablations],
  };
  return makeResult("circularity", fields, { display: displayCircularity, json: circularityJson });
}

const NOTHING_LEARNED: LearnedAblations = { ablations: [], diagnostics: [] };

/** The chosen set is taken from the test rows, whatever the verdict. */
async function learnedAblations(
  table: Table,
  { chosen }: CircularityFinding,
  options: CircularityOptions,
): Promise<LearnedAblations> {
  const { label, learner, learnerName, test, ablate: ways, predictions = [], ablated = [], exclude = [] } = options;
  if (learner === undefined) {
    const idle = test !== undefined ? "test" : ways !== undefined ? "ablate" : undefined;
    if (idle === undefined) return NOTHING_LEARNED;
    throw new StatError("BadOption", `\`${idle}\` is given, and no learner is to be run.`, "give `learner`.");
  }
  if (label === undefined)
    throw new StatError("BadOption", "a learner needs a label.", "name the column of the labels.");
  const out = new Set([label, ...predictions, ...ablated, ...exclude]);
  const features = [...table.columns.keys()].filter((name) => !out.has(name));
  return ablateLearner(table, { ...{ label, learner, learnerName, test, ways, features }, ablate: chosen.features });
}

function ablationsOf(table: Table, { label, predictions = [], ablated = [] }: CircularityOptions): Ablation[] {
  if (ablated.length === 0) return [];
  if (label === undefined || ablated.length !== predictions.length) {
    const message = `${ablated.length} ablated prediction${ablated.length === 1 ? "" : "s"} for ${predictions.length} prediction${predictions.length === 1 ? "" : "s"}${label === undefined ? " and no label" : ""}.`;
    throw new StatError("BadOption", message, "name the label, and one ablated column for each of `predictions`.");
  }
  return ablated.map((name, i) => measureAblation(table, { label, predictions: predictions[i]!, ablated: name }));
}

export const excludedBeside = (): StatError =>
  new StatError(
    "BadOption",
    "option `exclude` has no effect where the features are named: all others are out.",
    "Leave one of them out.",
  );

const DEFAULT_CANDIDATES = 12;
const FEWEST_FUNCTIONS = 3;
const MOST_FUNCTIONS = 500;

function readSettings(options: CircularityOptions) {
  const { candidates = DEFAULT_CANDIDATES, k = 10, closeness = 0.9, confidence = 0.95, knots = {} } = options;
  if (options.label === undefined && (options.predictions ?? []).length === 0) {
    throw new StatError("NoLabel", "neither a label nor predictions are named.", "name the column of the labels.");
  }
  const way = options.ablate?.find((own) => !ABLATION_WAYS.includes(own));
  if (way !== undefined)
    throw new StatError("BadOption", `option \`ablate\` ${way}.`, `choose of ${ABLATION_WAYS.join(", ")}.`);
  // a learner takes all columns that are not excluded
  if ((options.exclude ?? []).length > 0 && options.features !== undefined && options.learner === undefined)
    throw excludedBeside();
  if (options.candidates !== undefined && options.features !== undefined)
    throw new StatError(
      "BadOption",
      "option `candidates` has no effect where the features are named: each of them is one.",
      "Leave one of them out.",
    );
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
  checkConfidence(confidence);
  return {
    candidates,
    k,
    knots,
    closeness,
    confidence,
    features: options.features,
    family: options.family,
    method: options.method ?? ("GCV.Cp" as const),
    basis: options.basis,
    runner: options.runner ?? inlineRunner(),
    rng: makeRng("circularity"), // nothing is drawn; a runner wants one
    onProgress: options.onProgress,
  };
}
