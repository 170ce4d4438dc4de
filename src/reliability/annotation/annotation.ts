/** Who is right where raters disagree: Dawid and Skene's model of labels (em.ts), with intervals, the consensus label of every item and its
 *  probability, what each rater confuses, which items are hard, and who should be asked again.
 *      accuracy of rater r   Σ_k p_k π^r_kk
 *      discrimination        Σ_{k<k'} Σ_l (π^r_kl - π^r_k'l)² / (K (K-1)):  0 for a rater whose labels say nothing, 1 for one without error
 *      entropy of an item    -Σ_k T_ik log₂ T_ik;   its difficulty: share of its labels that differ from the consensus
 *      gain of asking r      H(label) - Σ_k T_ik H(label | k), bits that one more label of rater r is expected to bring
 *  Reference: Dawid & Skene (1979), Appl. Stat. 28; Raykar & Yu (2012), J. Mach. Learn. Res. 13 (discrimination); Paun et al. (2018), Trans. ACL 6.
 *  Oracle:    oracle/reference/dawid-skene.json; measured coverage in docs/methods/dawid-skene.md.
 *  Limits:    the classes are the labels; at least three labels an item to speak of; items of one true class are equally hard to one rater. */

import { fingerprint } from "../../data/fingerprint.ts";
import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, dropUnusedLevels, selectColumns, type Table } from "../../data/table.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { addToResult, type Diagnostic, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { measureAgreement } from "../agreement/agreement.ts";
import { checkLabels } from "../agreement/chance-warnings.ts";
import type { RatingColumns } from "../agreement/ratings.ts";
import { chooseLabels, type Ratings } from "../columns.ts";
import { type ClassDraws, type ClassModel, fitClassModel, type Labels, sampleClassModel } from "./em.ts";
import { annotationJson, displayAnnotation } from "./label-model-display.ts";

export interface AnnotationOptions {
  /** One or more columns that together name what was labelled. */
  readonly item?: string | readonly string[] | undefined;
  readonly rater?: string | undefined;
  readonly label?: string | undefined;
  /** All classes, in order; default: the labels that occur. */
  readonly categories?: readonly string[] | undefined;
  readonly confidence?: number | undefined;
  /** Draws for the intervals; 0: none. */
  readonly replicates?: number | undefined;
  /** Items whose label is less probable than this should be asked again. */
  readonly certainty?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface EstimatedShare {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface ModelledRater {
  readonly rater: string;
  readonly labels: number;
  /** P(label is the true class). */
  readonly accuracy: EstimatedShare;
  /** P(label is the class | class), class by class. */
  readonly perClass: readonly EstimatedShare[];
  readonly discrimination: number;
  /** Row: true class; NaN where the rater saw no item of a class. */
  readonly confusion: readonly (readonly number[])[];
}

export interface ConsensusLabel {
  readonly item: string;
  readonly label: string;
  readonly probability: number;
  /** The same with the uncertainty of raters and shares in it; NaN without draws. */
  readonly sampled: number;
  readonly posterior: readonly number[];
  readonly labels: number;
  /** Share of the labels that differ from the consensus. */
  readonly difficulty: number;
  /** Bits. */
  readonly entropy: number;
}

export interface AskAgain {
  readonly item: string;
  readonly label: string;
  readonly probability: number;
  /** Whose label is expected to tell most, and how many bits; a rater who has not labelled the item, where there is one. */
  readonly rater: string;
  readonly gain: number;
}

export interface AnnotationResult extends Result<"dawid-skene"> {
  readonly items: number;
  readonly ratings: number;
  readonly classes: readonly string[];
  readonly prior: readonly EstimatedShare[];
  readonly raters: readonly ModelledRater[];
  readonly consensus: readonly ConsensusLabel[];
  readonly askAgain: readonly AskAgain[];
  readonly certainty: number;
  /** Share of items whose consensus is not the label that most raters gave. */
  readonly againstMajority: number;
  readonly logLik: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly confidence: number;
  readonly replicates: number;
}

const REPLICATES = 1000;
const CERTAINTY = 0.9;

type Named = AnnotationOptions & Pick<RatingColumns, "item" | "rater" | "label">;

const MODEL_LABELS_OPTIONS = {
  item: true,
  rater: true,
  label: true,
  categories: true,
  confidence: true,
  replicates: true,
  certainty: true,
  rng: true,
  onProgress: true,
} as const satisfies Record<keyof AnnotationOptions, true>;

/** Columns that are not named are those of the study. */
export function modelLabels(data: Ratings, options: AnnotationOptions = {}): AnnotationResult {
  refuseUnknownNames("modelLabels", options, MODEL_LABELS_OPTIONS);
  const { table, columns, unnamed, diagnostics, assumed } = chooseLabels(data, options);
  if (unnamed)
    throw new StatError(
      "UnnamedRaters",
      "the file does not name its raters, whose errors the model is about.",
      "Use the coefficients, or name the `rater` column.",
    );
  const result = modelTable(table, { ...options, ...columns });
  return diagnostics.length + assumed.length === 0 ? result : addToResult(result, { reading: diagnostics, assumed });
}

function modelTable(table: Table, options: Named): AnnotationResult {
  const { confidence = 0.95, replicates = REPLICATES, certainty = CERTAINTY, rng = makeRng(1) } = options;
  checkOptions({ confidence, replicates, certainty });
  const odd = checkLabels(table, options, "categories");
  const { labels, names, diagnostics } = collectLabels(table, options);
  requireShared(labels);
  const model = fitClassModel(labels);
  const draws =
    replicates === 0
      ? undefined
      : sampleClassModel(labels, model, { draws: replicates, rng, onProgress: options.onProgress });
  const context: Context = { labels, names, model, draws, confidence };
  const consensus = names.items.map((item, i) => consensusOf(context, item, i));
  const raters = names.raters.map((rater, r) => describeRater(context, rater, r));
  const fields = {
    signature: signatureOf(table, options, { confidence, replicates, certainty, seed: rng.seed }),
    diagnostics: [...diagnostics, ...odd, ...chanceNote(table, options), ...annotationNotes(context, raters)],
    items: labels.items,
    ratings: labels.label.length,
    classes: names.classes,
    prior: names.classes.map((_, k) =>
      shareOf(
        model.prior[k]!,
        draws?.prior.map((own) => own[k]!),
        confidence,
      ),
    ),
    raters,
    consensus,
    askAgain: askAgain(context, consensus, certainty),
    certainty,
    againstMajority: consensus.filter((own, i) => isAgainstMajority(context, own, i)).length / labels.items,
    logLik: model.logLik,
    iterations: model.iterations,
    converged: model.converged,
    confidence,
    replicates,
  };
  return makeResult("dawid-skene", fields, { display: displayAnnotation, json: annotationJson });
}

/** With one label an item every item agrees with itself, and the model would be certain of all of them. */
function requireShared({ start, items }: Labels): void {
  if (start.some((from, i) => i < items && start[i + 1]! - from > 1)) return;
  throw new StatError(
    "NothingShared",
    `none of the ${items} items was labelled twice: what raters confuse shows where they label the same items.`,
    "Let a second rater label some of the items, or check which columns name the item.",
  );
}

const CHANCE_REPLICATES = 200;

/** The likelihood always finds classes: where raters agree no more than chance, they are made of chance. */
function chanceNote(table: Table, { item, rater, label, categories }: AnnotationOptions): Diagnostic[] {
  const named = categories === undefined ? {} : { categories };
  const options = { item, rater, label, ...named, scale: "nominal", replicates: CHANCE_REPLICATES } as const;
  const { value, lower, upper } = measureAgreement(table, options).coefficients.alpha;
  if (!(lower <= 0 && upper >= 0)) return [];
  return [
    warning(
      "ChanceAgreement",
      `raters are not shown to agree more than chance (Krippendorff's α ${value.toFixed(3)}, ${lower.toFixed(3)} to ${upper.toFixed(3)}): the classes and the probabilities of the consensus may be made of chance.`,
      "Do not use the consensus as labels; collect more of them, or ask more clearly.",
    ),
  ];
}

function checkOptions({
  confidence,
  replicates,
  certainty,
}: {
  confidence: number;
  replicates: number;
  certainty: number;
}): void {
  checkConfidence(confidence);
  if (!(certainty > 0 && certainty <= 1))
    throw new StatError("BadOption", `a certainty of ${certainty} is not between 0 and 1.`, "Use for example 0.9.");
  if (!(Number.isInteger(replicates) && (replicates === 0 || replicates >= LEAST_DRAWS)))
    throw new StatError(
      "BadOption",
      `${replicates} replicates make no interval.`,
      "Use a whole number such as 1000, or 0 for no intervals.",
    );
}

const LEAST_DRAWS = 40;

interface Names {
  readonly items: readonly string[];
  readonly raters: readonly string[];
  readonly classes: readonly string[];
}

interface Context {
  readonly labels: Labels;
  readonly names: Names;
  readonly model: ClassModel;
  readonly draws: ClassDraws | undefined;
  readonly confidence: number;
}

/** Rows with item, rater and label, packed by item in the order of the items' names. */
function collectLabels(table: Table, options: Named) {
  const keys = (typeof options.item === "string" ? [options.item] : options.item).map((name) =>
    asFactor(column(table, name)),
  );
  const raters = asFactor(column(table, options.rater));
  const cells = column(table, options.label);
  const { categories } = options;
  const found =
    categories === undefined
      ? dropUnusedLevels(asFactor(cells))
      : asFactor(cells, { levels: categories, ordered: true });
  const usable = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => found.codes[row]! >= 0 && raters.codes[row]! >= 0 && keys.every(({ codes }) => codes[row]! >= 0),
  );
  const { group } = groupKeys(keys, table.rows);
  const firstRow = new Map<number, number>();
  for (const row of usable) if (!firstRow.has(group[row]!)) firstRow.set(group[row]!, row);
  const ordered = [...firstRow].sort(([, a], [, b]) => byLevels(keys, a, b));
  const place = new Map(ordered.map(([own], at) => [own, at]));
  const rows = [...usable].sort((a, b) => place.get(group[a]!)! - place.get(group[b]!)! || a - b);
  const present = [...new Set(rows.map((row) => raters.codes[row]!))].sort((a, b) => a - b);
  const raterAt = new Map(present.map((code, at) => [code, at]));
  const start = new Int32Array(ordered.length + 1);
  for (const row of rows) start[place.get(group[row]!)! + 1]! += 1;
  for (let i = 0; i < ordered.length; i++) start[i + 1]! += start[i]!;
  const labels: Labels = {
    items: ordered.length,
    raters: present.length,
    classes: found.levels.length,
    start,
    rater: Int32Array.from(rows, (row) => raterAt.get(raters.codes[row]!)!),
    label: Int32Array.from(rows, (row) => found.codes[row]!),
  };
  refuseTooLittle(labels, options);
  const names = {
    items: ordered.map(([, row]) => keys.map(({ codes, levels }) => levels[codes[row]!]!).join(" · ")),
    raters: present.map((code) => raters.levels[code]!),
    classes: found.levels,
  };
  const lost = table.rows - usable.length;
  const diagnostics =
    lost === 0 ? [] : [note("MissingCells", `${lost} rows lack an item, a rater or a label and are left out.`, "")];
  return { labels, names, diagnostics };
}

function byLevels(keys: readonly { readonly codes: Int32Array }[], a: number, b: number): number {
  for (const { codes } of keys) if (codes[a] !== codes[b]) return codes[a]! - codes[b]!;
  return 0;
}

function refuseTooLittle({ items, raters, classes }: Labels, { item, rater, label }: AnnotationOptions): void {
  if (items === 0) {
    const message = `no row has an item (${[item].flat().join(", ")}), a rater (${rater}) and a label (${label}).`;
    throw new StatError("NoRatings", message, "Check the names of the columns and the missing values.");
  }
  if (raters < 2)
    throw new StatError(
      "OneRater",
      `all labels come from one ${rater}.`,
      "Let a second rater label the items, or name the right `rater` column.",
    );
  if (classes < 2)
    throw new StatError(
      "OneLabel",
      `column ${label} has only one label, so agreement is not defined.`,
      "Name the right `label` column, or all `categories`.",
    );
  if (classes > MOST_CLASSES)
    throw new StatError(
      "ManyLabels",
      `column ${label} has ${classes} labels: a table of ${classes} × ${classes} confusions for each rater.`,
      "Name a column of labels, or merge rare ones.",
    );
}

const MOST_CLASSES = 50;

function shareOf(value: number, draws: readonly number[] | undefined, confidence: number): EstimatedShare {
  if (draws === undefined || Number.isNaN(value)) return { value, lower: Number.NaN, upper: Number.NaN };
  const sorted = Float64Array.from(draws).sort();
  const at = (level: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(level * (sorted.length + 1)) - 1))]!;
  // at the border the estimate itself belongs to what is plausible
  const tail = (1 - confidence) / 2;
  return { value, lower: Math.min(value, at(tail)), upper: Math.max(value, at(1 - tail)) };
}

function describeRater({ labels, names, model, draws, confidence }: Context, rater: string, r: number): ModelledRater {
  const K = labels.classes;
  const cell = (own: Float64Array, k: number, l: number): number => own[(r * K + k) * K + l]!;
  const correct = (prior: Float64Array, confusion: Float64Array): number => {
    let sum = 0;
    for (let k = 0; k < K; k++) if (prior[k]! > 0) sum += prior[k]! * cell(confusion, k, k);
    return sum;
  };
  const confusion = names.classes.map((_, k) => names.classes.map((__, l) => cell(model.confusion, k, l)));
  const drawn = draws?.confusion.map((own, d) => correct(draws.prior[d]!, own));
  return {
    rater,
    labels: labels.rater.reduce((n, own) => n + Number(own === r), 0),
    accuracy: shareOf(correct(model.prior, model.confusion), drawn, confidence),
    perClass: names.classes.map((_, k) =>
      shareOf(
        confusion[k]![k]!,
        draws?.confusion.map((own) => cell(own, k, k)),
        confidence,
      ),
    ),
    discrimination: discriminationOf(confusion),
    confusion,
  };
}

/** Raykar & Yu's score against spammers; classes that the rater never saw are left out. */
function discriminationOf(confusion: readonly (readonly number[])[]): number {
  const rows = confusion.filter((row) => !row.some(Number.isNaN));
  let sum = 0;
  rows.forEach((a, i) => {
    for (const b of rows.slice(i + 1)) sum += a.reduce((total, v, l) => total + (v - b[l]!) ** 2, 0);
  });
  return sum / (rows.length * (rows.length - 1));
}

const bits = (shares: readonly number[]): number =>
  shares.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0);

function consensusOf({ labels, names, model, draws }: Context, item: string, i: number): ConsensusLabel {
  const K = labels.classes;
  const posterior = Array.from(model.posterior.subarray(i * K, (i + 1) * K));
  const best = posterior.indexOf(mostOf(posterior));
  const own = labels.label.subarray(labels.start[i]!, labels.start[i + 1]!);
  return {
    item,
    label: names.classes[best]!,
    probability: posterior[best]!,
    sampled: draws === undefined ? Number.NaN : draws.sampled[i * K + best]!,
    posterior,
    labels: own.length,
    difficulty: own.filter((l) => l !== best).length / own.length,
    entropy: bits(posterior),
  };
}

function isAgainstMajority({ labels, names }: Context, { label }: ConsensusLabel, i: number): boolean {
  const votes = new Float64Array(labels.classes);
  for (let at = labels.start[i]!; at < labels.start[i + 1]!; at++) votes[labels.label[at]!]! += 1;
  return votes[names.classes.indexOf(label)]! < mostOf(votes);
}

function askAgain(context: Context, consensus: readonly ConsensusLabel[], certainty: number): AskAgain[] {
  const { labels, names } = context;
  return consensus
    .flatMap((own, i) => (own.probability < certainty ? [{ own, i }] : []))
    .sort((a, b) => b.own.entropy - a.own.entropy)
    .map(({ own, i }) => {
      const asked = new Set(labels.rater.subarray(labels.start[i]!, labels.start[i + 1]!));
      const fresh = names.raters.map((_, r) => r).filter((r) => !asked.has(r));
      const choice = (fresh.length > 0 ? fresh : names.raters.map((_, r) => r)).map((r) => ({
        r,
        gain: gainOf(context, own.posterior, r),
      }));
      const best = choice.reduce((a, b) => (b.gain > a.gain ? b : a));
      return {
        item: own.item,
        label: own.label,
        probability: own.probability,
        rater: names.raters[best.r]!,
        gain: best.gain,
      };
    });
}

/** Mutual information of the class and one more label. */
function gainOf({ labels, model }: Context, posterior: readonly number[], r: number): number {
  const K = labels.classes;
  const row = (k: number): number[] => Array.from(model.confusion.subarray((r * K + k) * K, (r * K + k + 1) * K));
  const known = posterior
    .map((share, k) => ({ share, row: row(k) }))
    .filter((own) => own.share > 0 && !own.row.some(Number.isNaN));
  const mixed = new Array<number>(K).fill(0);
  let within = 0;
  for (const { share, row: own } of known) {
    within += share * bits(own);
    own.forEach((p, l) => {
      mixed[l]! += share * p;
    });
  }
  return Math.max(0, bits(mixed) - within);
}

/** Labels an item below which the model leans on its assumptions. */
const LEAST_LABELS = 3;
/** Labels of a rater below which their table of confusions is hardly estimated. */
const LEAST_OF_RATER = 20;
const NO_DISCRIMINATION = 0.05;
/** From here on an estimate is at the border, which draws never reach. */
const CERTAIN = 0.98;

function annotationNotes({ labels, model }: Context, raters: readonly ModelledRater[]): Diagnostic[] {
  const out: Diagnostic[] = [];
  const mean = labels.label.length / labels.items;
  if (!model.converged)
    out.push(
      warning(
        "NotConverged",
        `after ${model.iterations} iterations the probabilities still move.`,
        "Merge rare labels, or collect more.",
      ),
    );
  if (mean < LEAST_LABELS)
    out.push(
      warning(
        "FewLabels",
        `${mean.toFixed(1)} labels an item are few: with less than three the model cannot tell a rater's errors from the proportions of the classes.`,
        "Let three raters or more label each item.",
      ),
    );
  const few = raters.filter((own) => own.labels < LEAST_OF_RATER);
  if (few.length > 0)
    out.push(
      warning(
        "FewOfRater",
        `${listed(few)} gave fewer than ${LEAST_OF_RATER} labels: what they confuse is hardly known.`,
        "Look at their intervals.",
      ),
    );
  const beyond = raters.filter(({ accuracy: { value, upper } }) => value === upper && value < CERTAIN);
  if (beyond.length > 0)
    out.push(
      warning(
        "BeyondDraws",
        `the estimate for ${listed(beyond)} ends its own interval: nearly all draws of the model lie below it, so the maximum has taken chance for accuracy.`,
        "Go by the interval, or collect more labels.",
      ),
    );
  const blind = raters.filter((own) => own.labels >= LEAST_OF_RATER && own.discrimination < NO_DISCRIMINATION);
  if (blind.length > 0)
    out.push(
      warning(
        "UninformativeRater",
        `the labels of ${listed(blind)} say almost nothing on the class (discrimination below ${NO_DISCRIMINATION}).`,
        "Look at this rater's labels: careless work, or another reading of the instructions.",
      ),
    );
  return out;
}

const LISTED = 5;
const listed = (raters: readonly ModelledRater[]): string =>
  raters
    .slice(0, LISTED)
    .map(({ rater }) => rater)
    .join(", ") + (raters.length > LISTED ? ` and ${raters.length - LISTED} more` : "");

function signatureOf(
  table: Table,
  options: Named,
  { seed, ...chosen }: { confidence: number; replicates: number; certainty: number; seed: string },
) {
  const { rng: _rng, onProgress: _progress, ...given } = options;
  return {
    method: "dawid-skene",
    version: GOSSET_VERSION,
    options: { ...given, ...chosen },
    data: fingerprint(selectColumns(table, [...[options.item].flat(), options.rater, options.label])),
    seed,
  };
}
