/** Transformation invariance test: does what a model learns depend on how the numbers of a feature are written down?
 *  Every declared feature is transformed at random in a way that its scale permits (transform.ts), in training and test rows alike; the
 *  learner is fitted again, and its predictions and losses on the test rows are compared with those of the original coding.
 *    nominal    the original numerals are one coding among all permutations of them. If they mean nothing beyond identity, the original
 *               loss is exchangeable with those of T random codings:  p = (1 + #{L_t <= L_0}) / (T + 1), exact and one-sided
 *    others     paired permutation test over the test rows (or clusters of them) of d_i = mean_t loss_t(i) - loss_0(i); of a learner
 *               that is random itself, a permutation test of T re-runs against T transformations
 *  Verdict: "invariant" if no prediction moves, "violated" if the loss differs (p adjusted), else "predictions change".
 *  Reference: Riezler & Hagmann (2021), Definition 2.3 and section 2.4.2; Rosset et al. (2009) (patient ids); Stevens (1946);
 *             Phipson & Smyth (2010), Stat. Appl. Genet. Mol. Biol. 9(1) (randomisation p).
 *  Oracle:    learners whose invariances are known; simulated false alarms and power (docs/methods/invariance.md).
 *  Limits:    speaks of one learner and one split. With m features to test T must be at least m/alpha, or no verdict on a nominal one is possible. */

import { fingerprint } from "../../data/fingerprint.ts";
import { column, type Table, withColumn } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import type { Scale } from "../../reliability/agreement/weights.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Published, type Result, type ResultJson } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { adjustP, type PAdjustment } from "../../significance/multiplicity.ts";
import { builtInLearner, type Learner, type LearnerName, type Predictions, type Target } from "../learner/learner.ts";
import { type LearningColumns, type LearningRows, prepareLearning } from "../learner/rows.ts";
import { type Change, changeBetween, chooseLoss, LOSS_NAMES, type Loss, lossesOf } from "../learner/score.ts";
import { judgeFeature, type MeasuredFeature } from "./feature-test.ts";
import { checkScales, type Scales } from "./scales.ts";
import { drawTransformation } from "./transform.ts";

export interface InvarianceOptions {
  readonly label: string;
  /** Scales of the features to be tested. */
  readonly scales: Scales;
  /** Default: all columns of the training rows but label and cluster. */
  readonly features?: readonly string[] | undefined;
  readonly learner?: (LearnerName | ((target: Target) => Learner)) | undefined;
  /** How the learner is called in the answer, if it is not built in. */
  readonly learnerName?: string | undefined;
  /** Recodings of each feature. Default: 20; of a nominal feature 20 for every feature that is tested. */
  readonly transforms?: number | undefined;
  readonly loss?: Loss | undefined;
  /** Test rows that are correlated. */
  readonly cluster?: string | undefined;
  readonly alpha?: number | undefined;
  readonly adjust?: PAdjustment | undefined;
  readonly confidence?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export type InvarianceStatus = "invariant" | "predictions change" | "violated";

export interface InvarianceFeature extends MeasuredFeature {
  readonly adjustedP: number;
  readonly status: InvarianceStatus;
}

export interface InvarianceVerdict {
  readonly violated: readonly string[];
  readonly text: string;
}

export interface InvarianceResult extends Result<"invariance"> {
  readonly label: string;
  readonly learner: string;
  readonly loss: Loss;
  /** Mean loss on the test rows as the features are. */
  readonly baseline: number;
  readonly trainRows: number;
  readonly testRows: number;
  readonly used: readonly string[];
  /** The learner gives other predictions when it is run again on the same rows. */
  readonly randomLearner: boolean;
  readonly features: readonly InvarianceFeature[];
  readonly settings: { readonly alpha: number; readonly adjust: PAdjustment; readonly confidence: number };
  readonly verdict: InvarianceVerdict;
}

export interface InvarianceJson
  extends ResultJson<"invariance">,
    Omit<InvarianceResult, keyof Result<"invariance"> | "loss" | "baseline"> {
  readonly loss: { readonly name: Loss; readonly baseline: number };
}

const TRANSFORMS = 20;
/** More refits than this per feature are only made when asked for. */
const MOST_TRANSFORMS = 200;

/** A randomisation p is at least 1/(T + 1), which must stay below 5 % when it is adjusted for all features. */
const defaultTransforms = (scale: Scale, features: number): number =>
  scale === "nominal" ? Math.min(MOST_TRANSFORMS, TRANSFORMS * features) : TRANSFORMS;

const TEST_INVARIANCE_OPTIONS = {
  label: true,
  scales: true,
  features: true,
  learner: true,
  learnerName: true,
  transforms: true,
  loss: true,
  cluster: true,
  alpha: true,
  adjust: true,
  confidence: true,
  rng: true,
  onProgress: true,
} as const satisfies Record<keyof InvarianceOptions, true>;

export async function testInvariance(train: Table, test: Table, options: InvarianceOptions): Promise<InvarianceResult> {
  refuseUnknownNames("testInvariance", options, TEST_INVARIANCE_OPTIONS);
  const { learner = "gam", alpha = 0.05, adjust = "holm", confidence = 0.95, rng = makeRng(1) } = options;
  const data = prepareInvariance(train, test, options);
  const scales = Object.entries(options.scales);
  const times = (scale: Scale): number => options.transforms ?? defaultTransforms(scale, scales.length);
  const learn = typeof learner === "function" ? learner(data.target) : builtInLearner(learner, data.used, data.target);
  const runs = makeRuns(data, learn, {
    total: scales.reduce((sum, [, scale]) => sum + times(scale), 1),
    loss: options.loss,
    onProgress: options.onProgress,
  });
  const original = await runs(data.train, data.test);
  const own = typeof learner === "function";
  const repeats = own ? await repeatRuns(original, { runs, data, times: options.transforms ?? TRANSFORMS }) : [];
  const measured: MeasuredFeature[] = [];
  for (const [index, [feature, scale]] of scales.entries()) {
    const transformed: Run[] = [];
    for (let t = 0; t < times(scale); t++) {
      const [a, b] = transformTables(data, { feature, scale, rng: rng.stream(index).stream(t) });
      transformed.push(await runs(a, b));
    }
    const changes = transformed.map((run) => changeBetween(original.predictions, run.predictions, data.target));
    const losses = transformed.map((run) => run.losses);
    measured.push(
      judgeFeature({
        feature,
        scale,
        original: original.losses,
        transformed: losses,
        repeats: repeats.map((run) => run.losses),
        change: averageChange(changes),
        clusters: data.clusters,
        confidence,
        rng: rng.stream(scales.length + index),
      }),
    );
  }
  const features = withVerdicts(measured, { alpha, adjust });
  const name = own ? (options.learnerName ?? "a learner of its own") : (learner as string);
  const fields = {
    signature: signatureOf(data.train, data.test, { options, learner: name, seed: rng.seed }),
    diagnostics: [...data.diagnostics, ...reachDiagnostics(features, { alpha, adjust })],
    label: options.label,
    learner: name,
    loss: original.loss,
    baseline: meanOf(original.losses),
    trainRows: data.train.rows,
    testRows: data.test.rows,
    used: data.used,
    randomLearner: repeats.length > 0,
    features,
    settings: { alpha, adjust, confidence },
    verdict: verdictOf(features),
  };
  return makeResult("invariance", fields, { display: displayInvariance, json: invarianceJson });
}

interface Run {
  readonly predictions: Predictions;
  readonly losses: Float64Array;
  readonly loss: Loss;
}

type Runs = (train: Table, test: Table) => Promise<Run>;

interface RunOptions {
  readonly total: number;
  readonly loss: Loss | undefined;
  readonly onProgress: ((done: number, of: number) => void) | undefined;
}

/** Fits, predicts and scores; the learner never sees the labels of the test rows. */
function makeRuns({ target }: LearningRows, learn: Learner, { total, loss, onProgress }: RunOptions): Runs {
  let done = 0;
  return async (train, test) => {
    const predictions = await learn(train, test);
    const chosen = chooseLoss(predictions, loss);
    onProgress?.(++done, Math.max(done, total));
    return { predictions, losses: lossesOf(predictions, target, chosen), loss: chosen };
  };
}

/** A learner that is not built in may be random: its re-runs on the same rows show how much. */
async function repeatRuns(
  original: Run,
  { runs, data, times }: { readonly runs: Runs; readonly data: LearningRows; readonly times: number },
): Promise<Run[]> {
  const again = await runs(data.train, data.test);
  if (changeBetween(original.predictions, again.predictions, data.target).share === 0) return [];
  const repeats = [original, again];
  while (repeats.length < times) repeats.push(await runs(data.train, data.test));
  return repeats;
}

function transformTables(
  { train, test }: LearningRows,
  { feature, scale, rng }: { readonly feature: string; readonly scale: Scale; readonly rng: Rng },
): [Table, Table] {
  const parts = [column(train, feature), column(test, feature)] as const;
  const transform = drawTransformation(parts, scale, rng);
  return [withColumn(train, feature, transform(parts[0])), withColumn(test, feature, transform(parts[1]))];
}

function averageChange(changes: readonly Change[]): Change {
  const mean = (read: (own: Change) => number): number =>
    changes.reduce((sum, own) => sum + read(own), 0) / changes.length;
  return {
    share: mean((own) => own.share),
    mean: mean((own) => own.mean),
    largest: mostOf(changes.map((own) => own.largest)),
  };
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Where no prediction moves there is nothing to test: such a feature is not counted. */
function withVerdicts(
  measured: readonly MeasuredFeature[],
  { alpha, adjust }: { readonly alpha: number; readonly adjust: PAdjustment },
): InvarianceFeature[] {
  const isInvariant = ({ changed }: MeasuredFeature): boolean => changed.share === 0;
  const adjusted = adjustP(
    measured.map((own) => (isInvariant(own) ? Number.NaN : own.p)),
    adjust,
  );
  return measured.map((own, i): InvarianceFeature => {
    if (isInvariant(own)) return { ...own, ...NO_DIFFERENCE, adjustedP: 1, status: "invariant" };
    const status = adjusted[i]! < alpha ? "violated" : "predictions change";
    return { ...own, adjustedP: adjusted[i]!, status };
  });
}

/** What is left of a difference of equal predictions is rounding. */
const NO_DIFFERENCE = { difference: 0, lower: 0, upper: 0, p: 1, pairedP: 1 } as const;

function verdictOf(features: readonly InvarianceFeature[]): InvarianceVerdict {
  const violated = features.filter(({ status }) => status === "violated").map(({ feature }) => feature);
  const changing = features.filter(({ status }) => status === "predictions change").map(({ feature }) => feature);
  const list = (names: readonly string[]): string => names.join(", ");
  const parts = [
    ...(violated.length === 0
      ? []
      : [
          `The score depends on how ${list(violated)} ${violated.length === 1 ? "is" : "are"} coded: invariance is violated.`,
        ]),
    ...(changing.length === 0
      ? []
      : [`With ${list(changing)} recoded predictions move, but the score does not differ.`]),
    ...(violated.length + changing.length === 0 ? ["No prediction depends on the coding of these features."] : []),
  ];
  return { violated, text: parts.join(" ") };
}

function reachDiagnostics(
  features: readonly InvarianceFeature[],
  { alpha, adjust }: { readonly alpha: number; readonly adjust: PAdjustment },
): Diagnostic[] {
  const tests = adjust === "none" ? 1 : features.filter(({ status }) => status !== "invariant").length;
  const short = features.filter((own) => own.test === "randomisation" && own.status !== "invariant");
  const least = leastOf(short.map(({ transforms }) => transforms));
  if (short.length === 0 || tests / (least + 1) < alpha) return [];
  const message = `with ${least} transformations no p of a nominal feature, adjusted for ${tests} test${tests === 1 ? "" : "s"}, can fall below ${alpha}.`;
  return [warning("TooFewTransforms", message, `use \`transforms: ${Math.ceil(tests / alpha)}\`.`)];
}

function signatureOf(train: Table, test: Table, given: { options: InvarianceOptions; learner: string; seed: string }) {
  const { rng: _rng, onProgress: _progress, learner: _learner, ...options } = given.options;
  return {
    method: "invariance",
    version: GOSSET_VERSION,
    options: { ...options, learner: given.learner },
    data: `${fingerprint(train)} ${fingerprint(test)}`,
    seed: given.seed,
  };
}

function invarianceJson(result: FieldsOf<InvarianceResult>): Published<InvarianceJson> {
  const { signature: _, diagnostics: __, loss, baseline, ...own } = result;
  return { ...own, loss: { name: loss, baseline } };
}

interface InvarianceColumns extends LearningColumns {
  readonly scales: Scales;
}

function prepareInvariance(train: Table, test: Table, options: InvarianceColumns): LearningRows {
  checkScales(train, test, options);
  const rows = prepareLearning(train, test, options);
  const missing = Object.keys(options.scales).find((name) => !rows.used.includes(name));
  if (missing === undefined) return rows;
  throw new StatError("NotAFeature", `"${missing}" has a scale but is none of the features.`, "add it to `features`.");
}

const TESTS = {
  randomisation: "nominal: the original coding against random ones (exact, one-sided)",
  "paired permutation": "other scales: paired permutation over test rows (two-sided)",
  "re-runs": "other scales: transformations against re-runs of the learner (two-sided)",
} as const;

function displayInvariance(fields: FieldsOf<InvarianceResult>): Display {
  const { features, loss, baseline, learner, label, trainRows, testRows, settings, verdict, used } = fields;
  const level = formatNumber(100 * settings.confidence);
  // losses of classes lie between 0 and 1 or little above; those of numbers have any size
  const figures = loss === "squared" || loss === "absolute" ? "number" : "statistic";
  const tests = [...new Set(features.map(({ test }) => test))].map((test) => TESTS[test]);
  return {
    title: "Transformation invariance test",
    summary: [
      `${learner} learns ${label} from ${used.length} feature${used.length === 1 ? "" : "s"} on ${trainRows} rows; ${LOSS_NAMES[loss]} on ${testRows} test rows: ${formatNumber(baseline, figures)}.`,
      verdict.text,
    ],
    tables: [
      {
        head: ["feature", "scale", "maps", "moved", "recoded", "diff", "from", "to", "p", ""],
        formats: ["text", "text", "integer", "percent", figures, figures, figures, figures, "p", "text"],
        rows: features.map((own) => {
          const row = [own.feature, own.scale, own.transforms, own.changed.share];
          if (own.status === "invariant") return [...row, "", "", "", "", "", "invariant"];
          const status = own.status === "violated" ? "violated" : "";
          return [...row, own.transformed, own.difference, own.lower, own.upper, own.adjustedP, status];
        }),
      },
    ],
    notes: [
      `maps: random permissible recodings; moved: proportion of predictions that they change. recoded: mean loss then (smaller is better), diff: recoded - original, from … to its ${level}% interval over test rows. p adjusted (${adjustmentName(settings.adjust)}); ${tests.join("; ")}. Violated: p < ${settings.alpha}.`,
      ...(fields.randomLearner ? ["The learner is random: run again on the same rows it predicts differently."] : []),
    ],
  };
}
