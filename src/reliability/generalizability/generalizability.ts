/** Reliability of a score: how much of its variance is due to what is measured, and how much to raters, seeds, prompts, settings.
 *
 *  Variance components of a random-effects-only model (components.ts) with intervals (intervals.ts); φ, the relative
 *  coefficient, intra- and inter-rater forms (coefficient.ts); the substantial variance check, which needs the object
 *  alone; φ for other designs and the cheapest one (what-if.ts); the same within classes of a data property.
 *  Reference: Riezler & Hagmann (2021), section 3.3.3; Brennan (2001), Generalizability Theory.
 *  Oracle:    lme4 (R), oracle/papers/riezler2021.json: Tables 3.1, 3.2, 3.8-3.11, Figure 3.3. */

import { fingerprint } from "../../data/fingerprint.ts";
import { asFactor, column, type NumericColumn, selectColumns, type Table } from "../../data/table.ts";
import { requireScores } from "../../metrics/codes.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { addToResult, type Diagnostic, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { DrawKeeper } from "../../run/task.ts";
import type { OneWay } from "../../significance/tests/intraclass.ts";
import { chooseRatings, facetsOf, type Ratings } from "../columns.ts";
import type { Consistency } from "../consistency.ts";
import { balancedAnova } from "./balanced-anova.ts";
import { classicalForms } from "./classical-forms.ts";
import {
  type ErrorWeights,
  errorWeights,
  type FacetNumbers,
  kooLiVerdict,
  phiOf,
  type RaterForms,
  raterForms,
  relativeOf,
} from "./coefficient.ts";
import { type ComponentFit, type ComponentModel, fitComponents } from "./components.ts";
import { displayReliability } from "./components-display.ts";
import { reliabilityJson } from "./components-json.ts";
import { type ConditionalReliability, conditionalTables } from "./conditional.ts";
import {
  designFacets,
  type FacetColumns,
  type FacetDesign,
  type FacetTerm,
  missedInteractions,
} from "./facet-terms.ts";
import { type ComponentDraws, drawComponents, type Ends, type IntervalMethod } from "./intervals.ts";
import { type CheapestDesign, cheapestDesign, type DesignCosts, type WhatIf, whatIfSurface } from "./what-if.ts";

/** What is not named is taken from an importer's findings, or guessed. */
export interface ReliabilityOptions extends Omit<FacetColumns, "score" | "facets"> {
  readonly score?: string | undefined;
  readonly facets?: readonly string[] | undefined;
  /** Default: lmm for numbers, glmm for two labels, clmm for ordered ones. */
  readonly model?: ComponentModel | undefined;
  /** Numbers to try for each facet in the what-if surface. */
  readonly numbers?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly target?: number | undefined;
  readonly costs?: { readonly [K in keyof DesignCosts]?: DesignCosts[K] | undefined } | undefined;
  /** A property of the rows: reliability within each of its classes. */
  readonly by?: string | undefined;
  /** Default: generalised in balanced layouts of linear models, else bootstrap. */
  readonly intervals?: IntervalMethod | undefined;
  readonly replicates?: number | undefined;
  readonly confidence?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Keeps refits from one run to the next. */
  readonly keeper?: DrawKeeper | undefined;
}

export interface VarianceShare extends Ends {
  readonly term: string;
  readonly levels: number;
  readonly variance: number;
  /** Of the total, 0 to 100. */
  readonly percent: number;
  readonly percentLower: number;
  readonly percentUpper: number;
}

export interface ReliabilityCoefficient extends Ends {
  readonly value: number;
}

export interface ReliabilityResult extends Result<"reliability"> {
  readonly score: string;
  readonly object?: string;
  readonly facets: readonly string[];
  readonly model: ComponentModel;
  readonly nobs: number;
  readonly balanced: boolean;
  readonly logLik: number;
  readonly singular: boolean;
  readonly converged: boolean;
  readonly components: readonly VarianceShare[];
  /** Of one measurement: every number 1. */
  readonly phi: ReliabilityCoefficient;
  readonly relative: ReliabilityCoefficient;
  /** Averaged over as many levels of each facet as the data have. */
  readonly observed: ReliabilityCoefficient & { readonly n: Readonly<Record<string, number>> };
  readonly verdict: string;
  readonly raters: readonly RaterForms[];
  /** Share of the object in a model with nothing else (Tables 3.8 and 3.10). */
  readonly check: { readonly object: number; readonly residual: number; readonly share: number };
  readonly whatIf: readonly WhatIf[];
  readonly cheapest?: CheapestDesign;
  /** Where scores differ within objects by error alone: the one-way analysis of variance, ICC(1). */
  readonly oneWay?: OneWay;
  /** Where every object has one score of each level of one facet: Cronbach's α, Guttman's λ, split halves. */
  readonly consistency?: Consistency;
  readonly conditional: readonly ConditionalReliability[];
  readonly intervals: IntervalMethod;
  readonly confidence: number;
  readonly replicates: number;
}

/** Replicates where none are asked for: draws of mean squares cost nothing, refits do. */
const REPLICATES: Readonly<Record<IntervalMethod, number>> = { generalised: 10_000, bootstrap: 500, none: 0 };
/** … and refits of categorical models or of many rows cost most. */
const REPLICATES_SLOW = 200;
const MANY_ROWS = 20_000;

type Asked = ReliabilityOptions & FacetColumns;

const MEASURE_RELIABILITY_OPTIONS = {
  score: true,
  facets: true,
  model: true,
  numbers: true,
  target: true,
  costs: true,
  by: true,
  intervals: true,
  replicates: true,
  confidence: true,
  rng: true,
  onProgress: true,
  keeper: true,
  object: true,
  interactions: true,
} as const satisfies Record<keyof ReliabilityOptions, true>;

export function measureReliability(data: Ratings, options: ReliabilityOptions = {}): ReliabilityResult {
  refuseUnknownNames("measureReliability", options, MEASURE_RELIABILITY_OPTIONS);
  const { table, diagnostics, varied, ...named } = chooseRatings(
    data,
    { ...options, varied: options.facets },
    facetsOf,
  );
  const cells = column(table, named.score);
  if (cells.kind === "numeric" && options.model === undefined)
    requireScores(named.score, cells.values, { keep: "if they are values like any other, use option `model: lmm`" });
  const result = measureTable(table, { ...options, ...named, facets: varied });
  return diagnostics.length === 0 ? result : addToResult(result, { reading: diagnostics });
}

function measureTable(table: Table, options: Asked): ReliabilityResult {
  const { confidence = 0.95, rng = makeRng(1), by } = options;
  checkConfidence(confidence);
  const found = estimateComponents(table, options, { confidence, rng: rng.stream(0) });
  const { design, fit, draws, replicates } = found;
  const { terms, object } = design;
  const mains = terms.filter((term) => !term.object && term.order === 1);
  const whole = terms.find((term) => term.object && term.order === 1);
  const counts = {
    ...Object.fromEntries(mains.map((term) => [term.name, levelsPerObject(term, whole)])),
    ...(design.within === undefined ? {} : { [design.within]: design.table.rows / whole!.levels }),
  };
  const phi = coefficientAt(found, {}, phiOf);
  const given = options.numbers === undefined ? {} : { given: aliased(options.numbers, design) };
  const part = (rows: Table, i: number) => measureTable(rows, partOptions(options, rng.stream(i + 1)));
  const forms = fit.model === "lmm" ? classicalForms(design, numbersOf(design.table, options.score), confidence) : {};
  const fields = {
    signature: signatureOf(table, options, { method: draws.method, replicates, confidence, seed: rng.seed }),
    diagnostics: [
      ...design.diagnostics,
      ...fit.diagnostics,
      ...reliabilityNotes(found, options),
      ...(fit.model === "lmm" ? skewedObjects(design, numbersOf(design.table, options.score)) : []),
      ...(forms.consistency?.diagnostics ?? []),
    ],
    score: options.score,
    ...(object === undefined ? {} : { object }),
    facets: design.within === undefined ? design.facets : [design.within],
    model: fit.model,
    nobs: design.table.rows,
    balanced: found.balanced,
    logLik: fit.logLik,
    singular: fit.singular,
    converged: fit.converged,
    components: varianceShares(design, fit.variances, draws),
    phi,
    relative: coefficientAt(found, {}, relativeOf),
    observed: { ...coefficientAt(found, counts, phiOf), n: counts },
    verdict: kooLiVerdict(phi.value, phi.lower, phi.upper),
    raters: object === undefined ? [] : raterForms(terms, fit.variances),
    check: substantialVariance(design, options),
    whatIf: object === undefined ? [] : whatIfSurface(design, fit.variances, { draws, ...given }),
    ...cheapestOf(found, options),
    ...forms,
    conditional: by === undefined ? [] : conditionalTables(table, by, part),
    intervals: draws.method,
    confidence,
    replicates,
  };
  return makeResult("reliability", fields, { display: displayReliability, json: reliabilityJson });
}

/** How many levels of a facet an object meets on average: all of them in a crossed design, fewer where each meets some. */
function levelsPerObject(facet: FacetTerm, object: FacetTerm | undefined): number {
  if (object === undefined) return facet.levels;
  const met = new Set<number>();
  for (let row = 0; row < facet.index.length; row++) met.add(object.index[row]! * facet.levels + facet.index[row]!);
  return met.size / object.levels;
}

interface Estimated {
  readonly design: FacetDesign;
  readonly fit: ComponentFit;
  readonly balanced: boolean;
  readonly draws: ComponentDraws;
  readonly replicates: number;
}

function estimateComponents(
  table: Table,
  options: Asked,
  { confidence, rng }: { readonly confidence: number; readonly rng: Rng },
): Estimated {
  const design = designFacets(table, options);
  const fit = fitComponents(design, options.score, options.model);
  const anova = fit.model === "lmm" ? balancedAnova(design, numbersOf(design.table, options.score)) : undefined;
  const wanted = options.intervals ?? "generalised";
  const method = wanted === "generalised" && anova === undefined ? "bootstrap" : wanted;
  const slow = method === "bootstrap" && (fit.model !== "lmm" || design.table.rows > MANY_ROWS);
  const replicates = options.replicates ?? (slow ? REPLICATES_SLOW : REPLICATES[method]);
  const draws = drawComponents(fit, anova, {
    method,
    replicates,
    confidence,
    rng,
    rowsPerObject: design.object === undefined ? 1 : design.table.rows / objectsOf(design),
    onProgress: options.onProgress,
    keeper: options.keeper,
    about: () => ({
      model: fit.model,
      score: options.score,
      terms: design.terms.map(({ name }) => name),
      data: fingerprint(design.table),
      estimates: [fit.logLik, ...fit.variances].map(String),
    }),
  });
  return { design, fit, balanced: anova !== undefined, draws, replicates };
}

const objectsOf = ({ terms }: FacetDesign): number =>
  terms.find((term) => term.object && term.order === 1)?.levels ?? Number.NaN;

function coefficientAt(
  { design, fit, draws }: Estimated,
  n: FacetNumbers,
  coefficient: (variances: ArrayLike<number>, weights: ErrorWeights) => number,
): ReliabilityCoefficient {
  const weights = errorWeights(design.terms, n, design.within);
  const value = coefficient(fit.variances, weights);
  if (design.object === undefined) return { value, lower: Number.NaN, upper: Number.NaN };
  return { value, ...draws.share((own) => coefficient(own, weights)) };
}

function cheapestOf({ design, fit, draws }: Estimated, { target, costs }: Asked): { cheapest?: CheapestDesign } {
  if (target === undefined || design.object === undefined) return {};
  const prices = Object.entries(costs?.facets ?? {}).map(([name, price]) => [name, [price]] as const);
  const facets = Object.fromEntries(
    Object.entries(aliased(Object.fromEntries(prices), design)).map(([name, [price]]) => [name, price!]),
  );
  // without any price the number of scores is what counts
  const score = costs?.score ?? (costs?.facets === undefined ? 1 : 0);
  const full = { facets, score, objects: costs?.objects ?? objectsOf(design) };
  return { cheapest: cheapestDesign(design, fit.variances, { target, costs: full, draws }) };
}

/** Within a class of the property: no further classes, no designs. */
function partOptions({ by: _by, target: _target, costs: _costs, numbers: _numbers, ...rest }: Asked, rng: Rng): Asked {
  return { ...rest, rng };
}

const numbersOf = (table: Table, score: string): Float64Array => (column(table, score) as NumericColumn).values;

/** Numbers given for any alias of a merged facet. */
function aliased(
  given: Readonly<Record<string, readonly number[]>>,
  { terms, within }: FacetDesign,
): Record<string, readonly number[]> {
  const known = terms.filter((term) => !term.object && term.order === 1);
  const names = [...known.map((own) => own.name), ...(within === undefined ? [] : [within])];
  return Object.fromEntries(
    Object.entries(given).map(([name, list]) => {
      if (name === within) return [name, list];
      const term = known.find((own) => own.facets.includes(name) || own.name === name);
      if (term !== undefined) return [term.name, list];
      throw new StatError(
        "UnknownFacet",
        `a number or price is given for ${name}, which is not a facet.`,
        `The facets are ${names.join(", ")}.`,
      );
    }),
  );
}

export function varianceShares(
  { terms, table: { rows } }: Pick<FacetDesign, "terms" | "table">,
  variances: Float64Array,
  draws: ComponentDraws,
): VarianceShare[] {
  const sum = (own: Float64Array): number => own.reduce((total, value) => total + value, 0);
  const total = sum(variances);
  const line = (term: string, levels: number, t: number): VarianceShare => {
    const { lower, upper } = draws.share((own) => own[t]! / sum(own), Number.isNaN(levels) ? undefined : rows / levels);
    const share = { percent: (100 * variances[t]!) / total, percentLower: 100 * lower, percentUpper: 100 * upper };
    return { term, levels, variance: variances[t]!, ...draws.components[t]!, ...share };
  };
  return [...terms.map((term, t) => line(term.name, term.levels, t)), line("residual", Number.NaN, terms.length)];
}

function substantialVariance(design: FacetDesign, { score, model }: Asked): ReliabilityResult["check"] {
  const only = design.terms.filter((term) => term.object && term.order === 1);
  if (only.length === 0) return { object: Number.NaN, residual: Number.NaN, share: Number.NaN };
  const [object, residual] = fitComponents({ ...design, terms: only }, score, model).variances;
  return { object: object!, residual: residual!, share: object! / (object! + residual!) };
}

/** Objects whose means are this skewed are no normal sample; fewer objects do not show it. */
const SKEWED = 1;
const FEWEST_SHOWN = 20;

/** The intervals count the objects as normal. */
function skewedObjects({ table, object }: Estimated["design"], scores: Float64Array): Diagnostic[] {
  if (object === undefined) return [];
  const { codes, levels } = asFactor(column(table, object));
  const [sums, counts] = [new Float64Array(levels.length), new Float64Array(levels.length)];
  codes.forEach((code, row) => {
    if (code < 0 || Number.isNaN(scores[row]!)) return;
    sums[code]! += scores[row]!;
    counts[code]! += 1;
  });
  const means = Array.from(sums, (sum, k) => sum / counts[k]!).filter((mean) => !Number.isNaN(mean));
  const n = means.length;
  const center = means.reduce((sum, mean) => sum + mean, 0) / n;
  const moment = (power: number): number => means.reduce((sum, mean) => sum + (mean - center) ** power, 0) / n;
  const skewness = moment(3) / moment(2) ** 1.5;
  if (n < FEWEST_SHOWN || !(Math.abs(skewness) > SKEWED)) return [];
  const message = `the means of ${object} are skewed (skewness ${formatNumber(Number(skewness.toPrecision(2)))}), and the intervals count them as normal: in simulations with skewed objects 95 % intervals of φ covered 88 %.`;
  return [warning("SkewedObjects", message, "Read the limits as rough, or transform the scores.")];
}

function reliabilityNotes({ design, fit, draws }: Estimated, { interactions = "none" }: Asked): Diagnostic[] {
  const out: Diagnostic[] = [];
  const zero = design.terms.filter((_, t) => fit.variances[t] === 0).map(({ name }) => name);
  if (zero.length > 0) {
    const message = `the variance of ${zero.join(", ")} is estimated as 0: the data show none beyond what the other components explain.`;
    const doubt =
      draws.method === "generalised" || (draws.method === "bootstrap" && fit.lmm !== undefined)
        ? "With few levels the interval says how large it may still be."
        : "A bootstrap from 0 stays near 0: with few levels it may well be larger.";
    out.push(note("ZeroVariance", message, doubt));
  }
  const alike = design.terms.filter((_, t) => fit.variances[t] === 0 && draws.components[t]!.upper === 0);
  if (alike.length > 0) {
    const message = `the interval of ${alike.map(({ name }) => name).join(", ")} has no width: the levels are more alike than chance makes them in 39 of 40 cases, as where something that varies within each of them is not in the model.`;
    out.push(
      warning(
        "AlikeBeyondChance",
        message,
        "Name what varies (a system, a topic) in `facets`, or analyse each of its levels.",
      ),
    );
  }
  const repeats = repeatsOf(design);
  if (design.object !== undefined && design.within === undefined && repeats > 1) {
    const cell = [design.object, ...design.facets].join(" × ");
    out.push(
      note(
        "Repeats",
        `there are about ${formatNumber(Number(repeats.toFixed(1)))} scores for each ${cell}, which count as repeats of one another; a single one is meant by φ.`,
        "If they differ in something (a system, a session), name it in `facets`.",
      ),
    );
  }
  if (interactions === "none") {
    const missed = missedInteractions(design);
    if (missed.length > 0) {
      const message = `${missed.join(", ")} can be estimated and ${missed.length === 1 ? "is" : "are"} part of the residual here: averaging over repeats then looks better than it is.`;
      out.push(note("InteractionsLeftOut", message, "Add `interactions`."));
    }
  }
  if (draws.failed > 0) {
    out.push(note("RefitsFailed", `${draws.failed} refits of the bootstrap failed and are left out.`, ""));
  }
  if (design.object === undefined) {
    out.push(
      note(
        "NoObject",
        "without an object of measurement there are components but no coefficient φ.",
        "Name it with `object`.",
      ),
    );
  }
  return out;
}

/** Mean number of scores in a cell of object and facets. */
function repeatsOf({ terms, table }: FacetDesign): number {
  const cells = new Set<number>();
  const main = terms.filter(({ order }) => order === 1);
  if (main.reduce((product, { levels }) => product * levels, 1) > Number.MAX_SAFE_INTEGER) return Number.NaN;
  for (let row = 0; row < table.rows; row++) {
    cells.add(main.reduce((cell, { levels, index }) => cell * levels + index[row]!, 0));
  }
  return table.rows / cells.size;
}

function signatureOf(
  table: Table,
  options: Asked,
  { seed, ...chosen }: { method: IntervalMethod; replicates: number; confidence: number; seed: string },
) {
  const { rng: _rng, onProgress: _progress, keeper: _keeper, ...given } = options;
  const names = [
    options.score,
    ...(options.object === undefined ? [] : [options.object]),
    ...options.facets,
    ...(options.by === undefined ? [] : [options.by]),
  ];
  return {
    method: "reliability",
    version: GOSSET_VERSION,
    options: { ...given, ...chosen },
    data: fingerprint(selectColumns(table, names)),
    seed,
  };
}
