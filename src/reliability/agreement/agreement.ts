/** Agreement between raters: how often they give the same label, corrected for chance in the usual ways, with intervals.
 *
 *  Percent agreement, Krippendorff's α (four scales), Fleiss' κ (Scott's π of two raters), Conger's κ (Cohen's of two), Gwet's
 *  AC1/AC2, Randolph's κ, and for numeric labels intraclass correlations and concordance; who disagrees, on which labels, and where
 *  chance correction misleads. The methods: coefficients.ts, cohen.ts, intraclass.ts, bootstrap.ts.
 *  Oracle: psych, vcd (R), Krippendorff's published example; oracle/reference/agreement.json.
 *  Limits: describes these raters on these items; the bootstrap lets the items vary, not the raters (see reliability). */

import { fingerprint } from "../../data/fingerprint.ts";
import { checkSize } from "../../data/size.ts";
import { column, selectColumns, type Table } from "../../data/table.ts";
import { lessCenter } from "../../numeric/center.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { leastOf } from "../../result/extremes.ts";
import { addToResult, type Diagnostic, makeResult, type Result, type Signature } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { farValues } from "../../study/checks/odd-scores.ts";
import { namedAsScore } from "../../study/lexicon/metrics.ts";
import { chooseLabels, type Ratings as StudyRatings } from "../columns.ts";
import {
  type AgreementBootstrapOptions,
  type BootstrapEnds,
  bootstrapAgreement,
  type CoefficientName,
  evaluateAt,
  type StatisticsOf,
} from "./bootstrap.ts";
import { agreementChecks, bootstrapChecks, checkLabels } from "./chance-warnings.ts";
import {
  type CategoryAgreement,
  type ChanceAgreement,
  categoryAgreement,
  chanceAgreement,
  expectedCoincidences,
  type FleissTest,
  fleissTest,
  krippendorff,
  patternEvaluator,
} from "./coefficients.ts";
import { displayAgreement } from "./coefficients-display.ts";
import { agreementJson } from "./coefficients-json.ts";
import { cohenKappa, confusion, congerChance, congerError, type KappaEstimate } from "./cohen.ts";
import { type Concordance, concordance, type IntraclassTable, intraclass } from "./intraclass.ts";
import { makePatterns, type Patterns } from "./patterns.ts";
import { coincidences, pairAgreement, type RaterAgreement, type RaterPair, raterAgreement } from "./raters.ts";
import { collectRatings, type RatingColumns, type Ratings } from "./ratings.ts";
import { MOST_LABELS, SCALES, type Scale, type Weighting } from "./weights.ts";

/** Columns that are not named are those of the study. */
export interface AgreementOptions extends Omit<RatingColumns, "item" | "rater" | "label"> {
  readonly item?: string | readonly string[] | undefined;
  readonly rater?: string | undefined;
  readonly label?: string | undefined;
  /** Of α; default: nominal for texts and two labels, ordinal for ordered labels and up to eleven whole numbers, else interval. */
  readonly scale?: Scale | undefined;
  /** The raters of an item are numbered, and nobody knows who they are: what asks who it was is left out. */
  readonly unnamed?: boolean | undefined;
  /** Of κ and AC2; default "none". */
  readonly weighting?: Weighting | undefined;
  readonly confidence?: number | undefined;
  /** Of the bootstrap; 0: no intervals. Default 1000. */
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface AgreementCoefficient extends BootstrapEnds {
  readonly value: number;
}

export interface AgreementResult extends Result<"agreement"> {
  readonly signature: Signature<object & { readonly cluster?: string | undefined }>;
  readonly columns: Pick<RatingColumns, "item" | "rater" | "label">;
  readonly items: number;
  /** Items with two or more labels. */
  readonly sharedItems: number;
  /** Their names, or the numbers within an item where they have none (`unnamed`). */
  readonly raters: readonly string[];
  readonly unnamed: boolean;
  readonly labels: readonly string[];
  readonly ratings: number;
  /** Labels in items with two or more. */
  readonly pairable: number;
  readonly scale: Scale;
  readonly weighting: "none" | "linear" | "quadratic" | "custom";
  readonly confidence: number;
  readonly replicates: number;
  readonly coefficients: Readonly<Record<CoefficientName, AgreementCoefficient>>;
  /** α of all scales that the labels allow. */
  readonly alphas: Readonly<Record<Scale, number>>;
  /** Cohen's κ with its large-sample errors, of two raters. */
  readonly cohen?: KappaEstimate;
  readonly fleissTest: FleissTest;
  readonly categories: readonly CategoryAgreement[];
  readonly perRater: readonly RaterAgreement[];
  readonly pairs: readonly RaterPair[];
  /** Of two raters their table (first by row), of more the coincidences; row by row. */
  readonly confusion: readonly (readonly number[])[];
  /** What each coefficient sets against what chance would give; of α disagreements on its scale. */
  readonly chance: readonly ChanceAgreement[];
  /** How often labels meet within items, each item counting as many labels as it has, and how often they would by chance; row by row. */
  readonly coincidences: {
    readonly observed: readonly (readonly number[])[];
    readonly expected: readonly (readonly number[])[];
  };
  readonly intraclass?: IntraclassTable;
  readonly concordance?: Concordance;
}

const REPLICATES = 1000;

type Named = AgreementOptions & RatingColumns;

const MEASURE_AGREEMENT_OPTIONS = {
  item: true,
  rater: true,
  label: true,
  scale: true,
  unnamed: true,
  weighting: true,
  confidence: true,
  replicates: true,
  rng: true,
  onProgress: true,
  cluster: true,
  categories: true,
} as const satisfies Record<keyof AgreementOptions, true>;

export function measureAgreement(data: StudyRatings, options: AgreementOptions = {}): AgreementResult {
  refuseUnknownNames("measureAgreement", options, MEASURE_AGREEMENT_OPTIONS);
  const { table, columns, cluster, unnamed, diagnostics, assumed } = chooseLabels(data, options);
  const result = measureLabels(table, { ...options, ...columns, cluster, unnamed: options.unnamed ?? unnamed });
  return diagnostics.length + assumed.length === 0 ? result : addToResult(result, { reading: diagnostics, assumed });
}

function measureLabels(table: Table, options: Named): AgreementResult {
  const { weighting = "none", confidence = 0.95, replicates = REPLICATES, rng = makeRng(1), unnamed = false } = options;
  const odd = checkLabels(table, options);
  const ratings = collectRatings(table, options);
  if (!ratings.values.some(Number.isNaN)) checkSize(ratings.values, options.label);
  const scale = options.scale ?? defaultScale(ratings, options.label);
  const problems = scaleProblems(ratings, scale);
  const measured = areMeasurements(ratings, scale, weighting);
  const statisticsOf = coefficientsOf(scale, { weighting, unnamed, measured });
  const { patterns, statistics } = statisticsOf(ratings);
  const evaluate = statistics.patterns;
  const cohen = statistics.cohen && cohenKappa(confusion(ratings, 0, 1), patterns.w);
  const found = evaluate(patterns.weight);
  const all = evaluateAt(new Float64Array(ratings.items).fill(1), patterns.weight, statistics);
  const values = measured ? withoutLabels(all) : all;
  const intervals = replicates > 0 ? { replicates, confidence, rng, ...progressOf(options) } : undefined;
  const ends = intervals && agreementEnds(ratings, { patterns, statisticsOf, conger: values.conger }, intervals);
  const pairs = unnamed || measured ? [] : pairAgreement(ratings, patterns.w);
  const perRater = unnamed ? [] : raterAgreement(ratings, patterns, { scale, pairs, measured });
  const met = measured ? new Float64Array(0) : coincidences(patterns);
  const facts = { patterns, labels: ratings.categories, found, evaluate, raters: perRater };
  const numeric = unnamed
    ? { tables: {}, diagnostics: [] }
    : numericTables(ratings, { confidence, cluster: options.cluster });
  const fields = {
    signature: signatureOf(table, options, { scale, replicates, confidence, seed: rng.seed }),
    diagnostics: [
      ...ratings.diagnostics,
      ...problems,
      ...(measured ? [tooManyLabels(ratings)] : []),
      ...agreementChecks({ ...facts, cohen: cohen?.value ?? Number.NaN }, ends?.alpha.upper ?? Number.NaN),
      ...numeric.diagnostics,
      ...bootstrapChecks(values.alpha, ends?.alpha, { shared: pairableCounts(patterns).sharedItems, replicates }),
      ...odd,
      ...farLabels(table, options.label),
    ],
    columns: { item: options.item, rater: options.rater, label: options.label },
    items: ratings.items,
    ...pairableCounts(patterns),
    raters: ratings.raters,
    unnamed,
    labels: ratings.categories,
    ratings: ratings.code.length,
    scale,
    weighting: typeof weighting === "string" ? weighting : ("custom" as const),
    confidence,
    replicates,
    coefficients: withEnds(values, ends),
    alphas: allAlphas(ratings, patterns, scale),
    ...(cohen === undefined ? {} : { cohen }),
    fleissTest: fleissTest(patterns, found.fleiss),
    categories: measured ? [] : categoryAgreement(patterns, ratings.categories),
    perRater,
    pairs,
    confusion: measured ? [] : toRows(cohen === undefined ? met : confusion(ratings, 0, 1)),
    chance: chanceAgreement(found, values, { scale, two: cohen !== undefined, measured }),
    coincidences: { observed: toRows(met), expected: toRows(expectedCoincidences(met)) },
    ...numeric.tables,
  };
  return makeResult("agreement", fields, { display: displayAgreement, json: agreementJson });
}

/** Numbers far beyond the others decide what α of an interval scale says. */
function farLabels(table: Table, label: string): Diagnostic[] {
  const cells = column(table, label);
  return cells.kind === "numeric" ? farValues(label, cells.values) : [];
}

/** Up to this many labels drawn in all replicates Conger's κ, which needs to know who gave them, is part of the bootstrap;
 *  beyond, its interval comes from its linearised standard error, which so many items make accurate. */
const LABELS_DRAWN = 3e8;

interface EndsSource {
  readonly patterns: Patterns;
  readonly statisticsOf: StatisticsOf;
  readonly conger: number;
}

function agreementEnds(
  ratings: Ratings,
  { patterns, statisticsOf, conger }: EndsSource,
  options: AgreementBootstrapOptions,
): Record<CoefficientName, BootstrapEnds> {
  const { confidence, replicates } = options;
  const large =
    ratings.code.length * replicates > LABELS_DRAWN && ratings.cluster === undefined && !Number.isNaN(conger);
  if (!large) return bootstrapAgreement(ratings, statisticsOf, options);
  const withoutConger: StatisticsOf = (own) => {
    const { patterns: same, statistics } = statisticsOf(own);
    const { conger: _, ...others } = statistics;
    return { patterns: same, statistics: others };
  };
  const rest = bootstrapAgreement(ratings, withoutConger, options);
  const agreement = Float64Array.from(patterns.ofItem, (p) =>
    patterns.size[p]! > 1 ? patterns.weighted[p]! : Number.NaN,
  );
  const se = congerError(ratings, patterns.w, agreement);
  const half = normalQuantileUpper((1 - confidence) / 2) * se;
  return { ...rest, conger: { se, lower: conger - half, upper: conger + half, used: 0 } };
}

/** Measurements have no κ; Cohen's is of two raters. */
function coefficientsOf(
  scale: Scale,
  { weighting, unnamed, measured }: Pick<Named, "weighting" | "unnamed"> & { readonly measured: boolean },
): StatisticsOf {
  return (ratings) => {
    const patterns = makePatterns(ratings, weighting ?? "none");
    const two = ratings.raters.length === 2 && !measured && !unnamed;
    const statistics = {
      patterns: patternEvaluator(patterns, scale),
      ...(measured || unnamed ? {} : { conger: congerChance(ratings, patterns.w) }),
      ...(two ? { cohen: cohenOfItems(ratings, patterns.w) } : {}),
    };
    return { patterns, statistics };
  };
}

/** Numbers with at most this many values are steps of a scale. */
const MOST_STEPS = 11;

/** Sliders and totals: numbers whose distances count, which are equal by accident. Weights say that they are labels after all. */
const areMeasurements = ({ categories }: Ratings, scale: Scale, weighting: Weighting): boolean =>
  categories.length > MOST_LABELS ||
  ((scale === "interval" || scale === "ratio") && categories.length > MOST_STEPS && weighting === "none");

/** Coefficients of equal labels are left out. */
const withoutLabels = (all: Record<CoefficientName, number>): Record<CoefficientName, number> => ({
  ...all,
  ...{ fleiss: Number.NaN, conger: Number.NaN, cohen: Number.NaN, ac1: Number.NaN, ac2: Number.NaN },
  randolph: Number.NaN,
});

/** Whole numbers are codes without an order unless their column is called a score or a rating. */
function defaultScale({ categories, values, ordered }: Ratings, label: string): Scale {
  if (categories.length <= 2 && !ordered) return "nominal";
  if (ordered) return "ordinal";
  if (values.some(Number.isNaN)) return "nominal";
  if (!values.every(Number.isInteger) || categories.length > MOST_STEPS) return "interval";
  return namedAsScore(label) > 0 ? "ordinal" : "nominal";
}

const progressOf = ({ onProgress }: AgreementOptions) => (onProgress === undefined ? {} : { onProgress });

/** Words stand in the order of the alphabet unless somebody said theirs; two labels have no order to get wrong. */
const orderUnknown = ({ values, categories, ordered }: Ratings): boolean =>
  !ordered && categories.length > 2 && values.some(Number.isNaN);

function scaleProblems(ratings: Ratings, scale: Scale): Diagnostic[] {
  const { values, categories } = ratings;
  const text = categories.find((_, c) => Number.isNaN(values[c]!));
  if ((scale === "interval" || scale === "ratio") && text !== undefined) {
    const message = `the label "${text}" is not a number: α on the ${scale} scale is undefined.`;
    return [warning("NotNumeric", message, "Use the nominal or ordinal scale.")];
  }
  if (scale === "ratio" && values.some((value) => value < 0)) {
    const message = `a ratio scale begins at 0, and there is a label of ${leastOf(values)}: α on it is undefined.`;
    return [warning("NegativeRatio", message, "Use the interval scale.")];
  }
  if (orderUnknown(ratings)) {
    const fix = "Give the labels in their order as option `categories`, if they have one.";
    if (scale !== "ordinal")
      return [note("OrderUnknown", "α on the ordinal scale is undefined: the order of the labels is unknown.", fix)];
    const told = `the order of the labels is not known: α on the ordinal scale takes that of the alphabet (${categories.join(" < ")}).`;
    return [warning("OrderUnknown", told, fix)];
  }
  return [];
}

const tooManyLabels = ({ categories }: Ratings): Diagnostic =>
  note(
    "Measurements",
    `${categories.length} different labels are measurements rather than categories: κ and tables of labels are left out.`,
    "Read α on the interval scale and the intraclass correlations.",
  );

function allAlphas(ratings: Ratings, patterns: Patterns, asked: Scale): Record<Scale, number> {
  const { values } = ratings;
  const numeric = !values.some(Number.isNaN);
  const possible: Record<Scale, boolean> = {
    nominal: true,
    ordinal: asked === "ordinal" || !orderUnknown(ratings),
    interval: numeric,
    ratio: numeric && values.every((value) => value >= 0),
  };
  const entries = SCALES.map((scale) => [scale, possible[scale] ? krippendorff(patterns, scale).value : Number.NaN]);
  return Object.fromEntries(entries) as Record<Scale, number>;
}

/** Cohen's κ from weights of the items. */
function cohenOfItems(ratings: Ratings, w: Float64Array): (weights: Float64Array) => number {
  const { items, start, rater, code, categories } = ratings;
  const q = categories.length;
  const cell = new Int32Array(items).fill(-1);
  for (let u = 0; u < items; u++) {
    const at = start[u]!;
    if (start[u + 1]! - at !== 2) continue;
    cell[u] = rater[at] === 0 ? code[at]! * q + code[at + 1]! : code[at + 1]! * q + code[at]!;
  }
  const counts = new Float64Array(q * q);
  return (weights) => {
    counts.fill(0);
    for (let u = 0; u < items; u++) if (cell[u]! >= 0) counts[cell[u]!]! += weights[u]!;
    return cohenKappa(counts, w).value;
  };
}

function pairableCounts({ count, size, weight }: Patterns): { sharedItems: number; pairable: number } {
  let [sharedItems, pairable] = [0, 0];
  for (let p = 0; p < count; p++) {
    if (size[p]! < 2) continue;
    sharedItems += weight[p]!;
    pairable += weight[p]! * size[p]!;
  }
  return { sharedItems, pairable };
}

const NO_ENDS: BootstrapEnds = { se: Number.NaN, lower: Number.NaN, upper: Number.NaN, used: 0 };

function withEnds(
  values: Record<CoefficientName, number>,
  ends: Record<CoefficientName, BootstrapEnds> | undefined,
): Record<CoefficientName, AgreementCoefficient> {
  const entries = Object.entries(values).map(([name, value]) => {
    const own = ends === undefined || Number.isNaN(value) ? NO_ENDS : ends[name as CoefficientName];
    // quantiles of a skewed distribution need not enclose the estimate, of which perfect agreement is one end
    const enclosing = { lower: Math.min(own.lower, value), upper: Math.max(own.upper, value) };
    return [name, { value, ...own, ...enclosing }];
  });
  return Object.fromEntries(entries) as Record<CoefficientName, AgreementCoefficient>;
}

/** Numeric labels of items that all raters labelled. */
function numericTables(
  ratings: Ratings,
  { confidence, cluster }: { readonly confidence: number; readonly cluster: string | undefined },
) {
  const { items, start, rater, code, raters, values } = ratings;
  const k = raters.length;
  const none = { tables: {}, diagnostics: [] as Diagnostic[] };
  if (values.some(Number.isNaN) || values.length < 2) return none;
  const scores: number[] = [];
  for (let u = 0; u < items; u++) {
    if (start[u + 1]! - start[u]! !== k) continue;
    const row = new Array<number>(k);
    for (let i = start[u]!; i < start[u + 1]!; i++) row[rater[i]!] = values[code[i]!]!;
    scores.push(...row);
  }
  const complete = scores.length / k;
  if (complete < 2 || scores.every((value) => value === scores[0])) return none;
  const all = lessCenter(Float64Array.from(scores))[0]!;
  const found = { intraclass: intraclass(all, k, confidence), concordance: concordance(all, k, confidence) };
  if (cluster === undefined) return { tables: found, diagnostics: [] };
  // F takes the items for independent
  const icc = found.intraclass.icc.map((own) => ({ ...own, ...NO_INTERVAL, p: Number.NaN }));
  const tables = {
    intraclass: { ...found.intraclass, icc },
    concordance: { ...found.concordance, ...NO_INTERVAL },
  };
  const message = `the F intervals of the intraclass correlations take items as independent, and items of one ${cluster} are not: they are left out.`;
  return {
    tables,
    diagnostics: [note("ClusteredIntraclass", message, "Read the interval of α on the interval scale.")],
  };
}

const NO_INTERVAL = { lower: Number.NaN, upper: Number.NaN };

function toRows(data: Float64Array): number[][] {
  const q = Math.round(Math.sqrt(data.length));
  return Array.from({ length: q }, (_, i) => Array.from(data.subarray(i * q, (i + 1) * q)));
}

function signatureOf(
  table: Table,
  options: Named,
  { seed, ...chosen }: { scale: Scale; replicates: number; confidence: number; seed: string },
) {
  const items = typeof options.item === "string" ? [options.item] : options.item;
  const { rng: _rng, onProgress: _progress, ...given } = options;
  const names = [...items, options.rater, options.label, ...(options.cluster === undefined ? [] : [options.cluster])];
  return {
    method: "agreement",
    version: GOSSET_VERSION,
    options: { ...given, ...chosen },
    data: fingerprint(selectColumns(table, [...new Set(names)])),
    seed,
  };
}
