/** Systems compared by a mixed model of all scores: what a paired test cannot hold apart (raters, repeats, a property of the items)
 *  gets a term of its own.
 *
 *      score ~ system [* by] + (1 [+ d] || item) [+ (1 + d || rater)] [+ (1 + d || cluster)] [+ (1 | run:system)],   d = -½, ½ for two systems
 *
 *  The slope of d is what an item, rater or cluster thinks of the difference. An item has one wherever a system met it more than once: repeats of one
 *  system on one item are alike, and without the term they would count as more items. Where raters scored whole blocks, the pairs are tested by a
 *  model of the differences within blocks (differences.ts); elsewhere three or more systems are tested pair by pair, by the model above on the
 *  scores of two, and the model of all scores, with (1 | rater:system) instead of slopes, has only the systems' own means.
 *  The difference and its interval come from the linear model, in the units of the score.
 *  Reference: Riezler & Hagmann (2021), section 4.3 (models 4.10 - 4.13); Barr et al. (2013), J. Mem. Lang. 68.
 *  Oracle:    lmer and emmeans (R): the book's Tables 4.1 - 4.3 in oracle/papers/riezler2021.json. */

import {
  asFactor,
  column,
  type FactorColumn,
  numericColumn,
  selectRows,
  type Table,
  withColumn,
} from "../../data/table.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { fitLmm, type LmmFit } from "../../models/lmm/lmm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import { StatError } from "../../result/error.ts";
import { quoteName } from "../../result/quote.ts";
import { type EmmeansResult, type MarginalContrast, marginalMeans } from "../means/means.ts";
import { adjustTests, criticalValue, type Family, type PairAdjustment } from "../multiplicity.ts";
import { nestedRatios } from "../nested/mixed.ts";
import {
  areShared,
  type Difference,
  type DifferenceModel,
  fitDifferences,
  isUnidentified,
  type PreferenceFacet,
  wholeBlocks,
} from "./differences.ts";
import { classify } from "./matching/bins.ts";
import type { ComparisonColumns, Groups, Matched } from "./matching/matching.ts";
import type { Dependence } from "./pair/classes.ts";
import type { Facet } from "./pair/facets.ts";
import { collectRuns } from "./pair/runs.ts";
import { familyOf } from "./together.ts";

export type ModelKind = "lmm" | "glmm" | "clmm";

export interface ModelOptions {
  /** Facets whose levels differ at random in what they think of a system; default: all that there are. */
  readonly scope?: readonly Facet[] | undefined;
  /** A property of the items: are the systems ordered alike at all of its levels? */
  readonly by?: string | undefined;
  /** Limits of the classes of a numeric `by`. */
  readonly cuts?: readonly number[] | undefined;
  /** Default: by the kind of score. */
  readonly kind?: ModelKind | undefined;
  readonly ddf?: "satterthwaite" | "kenward-roger" | "none" | undefined;
  readonly confidence?: number | undefined;
  /** Default: Tukey for all pairs, max-T (Dunnett's test) against a baseline. */
  readonly adjust?: PairAdjustment | undefined;
  /** "all" pairs (default), or every other system against the "baseline", the first. */
  readonly pairs?: "all" | "baseline" | undefined;
  /** Also `latent`, `systems` and `naive`, which no verdict rests on; default true. */
  readonly details?: boolean | undefined;
}

export interface LikelihoodRatio {
  readonly small: string;
  readonly large: string;
  readonly chisq: number;
  readonly df: number;
  readonly p: number;
}

export interface ModelComparison {
  readonly kind: ModelKind;
  readonly formula: string;
  readonly fit: LmmFit;
  /** What the pairs were tested by, where it is not the model of all scores. */
  readonly tested?: {
    readonly of: "differences" | "pairs";
    readonly formula: string;
    /** One of all pairs, or one of each. */
    readonly fits: readonly LmmFit[];
  };
  /** By column: how much its levels' own differences between two systems vary, and how many there are. */
  readonly preferences: ReadonlyMap<string, { readonly variance: number; readonly levels: number }>;
  /** Means and pairs (later minus earlier system) in the units of the score, from the linear model. */
  readonly means: EmmeansResult;
  /** The pairs on the latent scale, where the test is that of a logistic or cumulative model. */
  readonly latent?: EmmeansResult;
  /** The property of the items, its classes, and means and pairs within them. */
  readonly by?: string;
  readonly classes?: readonly { readonly name: string; readonly items: number }[];
  /** The class of each item, the last one of its rows. */
  readonly groups?: Groups;
  readonly within?: EmmeansResult;
  /** Likelihood-ratio test of the systems (and their interaction with `by`), by ML. */
  readonly systems?: LikelihoodRatio;
  /** Likelihood-ratio test of the interaction alone. */
  readonly interaction?: LikelihoodRatio;
  /** What decides whether the difference depends on `by` (pair/classes.ts); absent with z instead of t, where the likelihood ratio does. */
  readonly dependence?: Dependence;
  /** What the model without (1 | item:system) would have claimed, where items are repeated. */
  readonly naive?: {
    readonly formula: string;
    /** Within the levels of `by`, if there is one. */
    readonly means: EmmeansResult;
    readonly systems: LikelihoodRatio;
    readonly interaction?: LikelihoodRatio;
  };
}

/** Ratings with more categories than this are taken for numbers. */
const MOST_CATEGORIES = 10;

export function compareByModel(
  table: Table,
  columns: ComparisonColumns,
  { matched, options = {}, inBlocks }: { matched: Matched; options?: ModelOptions; inBlocks?: boolean },
): ModelComparison {
  const { by, confidence = 0.95, pairs: which = "all", details = true } = options;
  const { adjust = which === "all" ? "tukey" : "max-t" } = options;
  const family = familyOf(adjust, matched.systems.length, couplesOf(matched.systems.length, which));
  const kept = withoutCopies(table, columns, matched);
  const rows = prepareRows(table, columns, {
    rows: kept.map((k) => matched.rows[k]!),
    systems: matched.systems,
    options,
  });
  const choices = randomParts(table, columns, { matched, kept, scope: options.scope });
  const [score, system] = [quoteName(columns.score), quoteName(columns.system)];
  const other = by === undefined ? "1" : quoteName(by);
  const main = by === undefined ? system : `${system} + ${other}`;
  const full = by === undefined ? system : `${system} * ${other}`;
  const join = (fixed: string, parts: readonly string[]): string => `${score} ~ ${[fixed, ...parts].join(" + ")}`;
  const { fit, random } = firstThatFits(choices, (parts) =>
    fitAffordably(join(full, parts), rows, { ddf: options.ddf, confidence }),
  );
  const write = (fixed: string, parts = random.full): string => join(fixed, parts);
  const { ddf } = fit;
  const pairs = (of: Parameters<typeof marginalMeans>[0], inside?: string): EmmeansResult =>
    marginalMeans(of, {
      by: [columns.system],
      // over all items the classes count by their size
      ...(inside === undefined ? { weights: "proportional" as const } : { within: [inside] }),
      // second minus first, in the order of listPairs
      contrasts: which === "all" ? "revpairwise" : "treatment",
      confidence,
      adjust: family.method,
    });
  const same = random.plain.join() === random.full.join() || !details;
  const simpler = same ? undefined : fitLmm(write(full, random.plain), rows, { ddf, confidence });
  const ratios = nestedRatios(rows, simpler === undefined ? [fit] : [fit, simpler]);
  const ratio = (small: string, large: string, parts = random.full): LikelihoodRatio => {
    const formulas = { small: write(small, parts), large: write(large, parts) };
    return { ...formulas, ...ratios(formulas.small, formulas.large) };
  };
  const isLong = rows.rows * fit.coefficients.length > MOST_LATENT_CELLS;
  const kind = options.kind ?? (isLong ? "lmm" : kindOfScore(rows, columns.score));
  const found: ModelComparison = {
    kind,
    formula: write(full),
    fit,
    means: pairs(fit),
    preferences: preferencesOf(fit, columns, { slope: random.slope, systems: matched.systems.length }),
    ...(kind === "lmm" || !details
      ? {}
      : { latent: pairs(fitLatent(kind, write(full), { rows, score: columns.score })) }),
    ...(by === undefined ? {} : { by, ...countClasses(rows, by, { matched, kept }), within: pairs(fit, by) }),
    ...(details ? { systems: ratio(other, full) } : {}),
    ...(by === undefined ? {} : { interaction: ratio(main, full) }),
    ...(simpler === undefined
      ? {}
      : {
          naive: {
            formula: write(full, random.plain),
            means: pairs(simpler, by),
            systems: ratio(other, full, random.plain),
            ...(by === undefined ? {} : { interaction: ratio(main, full, random.plain) }),
          },
        }),
  };
  const pairwise = { matched, kept, rows, family, options: { ...options, confidence }, inBlocks };
  return { ...found, ...testPairs(found, { table, columns, ...pairwise }) };
}

interface Pairwise {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly matched: Matched;
  readonly kept: Int32Array;
  /** The rows of the model. */
  readonly rows: Table;
  readonly family: Family;
  readonly options: ModelOptions & { readonly confidence: number };
  /** Scores mean something beside those of the same block only (best-worst scaling). */
  readonly inBlocks: boolean | undefined;
}

type Tested = Pick<ModelComparison, "tested" | "means" | "within" | "preferences">;

/** The pairs by the differences within blocks, or of more than two systems each pair by itself, as two systems are. */
function testPairs(found: ModelComparison, about: Pairwise): Tested | undefined {
  const { matched, options } = about;
  const couples = couplesOf(matched.systems.length, options.pairs);
  const blocks = testBlocks(about);
  // differences that items and raters add up to exactly leave it no residual variance
  if (blocks?.fit.converged) {
    const classes = options.by === undefined ? [] : asFactor(column(about.rows, options.by)).levels;
    const own = { formula: blocks.formula, fits: [blocks.fit] };
    return withDifferences(found, about, {
      tested: { of: "differences", ...own },
      preferences: blocks.preferences,
      overall: couples.map((pair) => blocks.differenceOf(pair)),
      inClass: (k, name) => blocks.differenceOf(couples[k]!, classes.indexOf(name)),
    });
  }
  if (matched.systems.length === 2) return undefined;
  const { table, columns, kept } = about;
  const raters = columns.rater === undefined ? undefined : asFactor(column(table, columns.rater)).codes;
  const inBlocks = raters !== undefined && areShared(matched, { kept, raters });
  const each = couples.map((pair) =>
    unlessExact(() =>
      compareByModel(table, columns, {
        matched: ofTwo(matched, pair),
        inBlocks,
        options: { ...options, pairs: "all", adjust: "none", details: false },
      }),
    ),
  );
  const settled = each.filter((one) => one !== undefined);
  const [first] = settled;
  if (first === undefined) return undefined;
  const fits = settled.flatMap(({ fit, tested }) => tested?.fits ?? [fit]);
  return withDifferences(found, about, {
    tested: { of: "pairs", formula: first.tested?.formula ?? first.formula, fits },
    preferences: first.preferences,
    overall: each.map((one, k) => (one ?? found).means.contrasts[one === undefined ? k : 0]!),
    inClass: (k, name) =>
      (each[k] ?? found).within!.contrasts.filter(({ within }) => within?.[options.by!] === name)[
        each[k] === undefined ? k : 0
      ] ?? { estimate: Number.NaN, se: Number.NaN, df: Number.NaN },
  });
}

/** Undefined for two systems whose scores leave nothing to estimate an error from: then that of all systems stands for theirs. */
function unlessExact<T>(compareTwo: () => T): T | undefined {
  try {
    return compareTwo();
  } catch (error) {
    if (error instanceof StatError && (error.code === "PerfectFit" || error.code === "ConstantResponse"))
      return undefined;
    throw error;
  }
}

/** Blocks of what one rater scored of one item; without raters, of an item. */
function testBlocks({ table, columns, matched, kept, rows, options, inBlocks }: Pairwise): DifferenceModel | undefined {
  const inScope = (facet: Facet): boolean => options.scope === undefined || options.scope.includes(facet);
  if (columns.rater === undefined || matched.raters < 2) return undefined;
  const codes = asFactor(column(table, columns.rater)).codes;
  const blocks = wholeBlocks(matched, { kept, raters: codes, all: inBlocks === true });
  if (blocks === undefined) return undefined;
  const n = matched.items.length;
  const itemOf = Int32Array.from(matched.cellOfRow, (cell) => cell % n);
  const { clusters } = matched;
  const facets: PreferenceFacet[] = [
    { name: columns.item, codes: itemOf },
    ...(inScope("raters") ? [{ name: columns.rater, codes: Int32Array.from(matched.rows, (row) => codes[row]!) }] : []),
    ...(clusters !== undefined && columns.cluster !== undefined && inScope("clusters")
      ? [{ name: columns.cluster, codes: itemOf.map((item) => clusters.codes[item]!) }]
      : []),
  ];
  const { by } = options;
  const classes = by === undefined ? undefined : asFactor(column(rows, by));
  const ofRow = new Int32Array(matched.rows.length).fill(-1);
  kept.forEach((k, at) => {
    if (classes !== undefined) ofRow[k] = classes.codes[at]!;
  });
  return fitDifferences(blocks, facets, {
    fit: (formula, own) => fitAffordably(formula, own, options),
    by: classes && { name: by!, levels: classes.levels, codes: ofRow },
  });
}

interface Differences {
  readonly tested: NonNullable<ModelComparison["tested"]>;
  readonly preferences: ModelComparison["preferences"];
  /** Of each pair. */
  readonly overall: readonly Difference[];
  inClass(pair: number, name: string): Difference;
}

/** The pairs' own estimates and errors instead of those of the model of all scores, adjusted for their number. */
function withDifferences(found: ModelComparison, { family, options }: Pairwise, own: Differences): Tested {
  const { confidence, by } = options;
  const { tests } = family;
  const judge = (contrasts: readonly MarginalContrast[], differences: readonly Difference[]): MarginalContrast[] => {
    const statistics = differences.map(({ estimate, se }) => estimate / se);
    const p = adjustTests(
      statistics,
      differences.map(({ df }) => df),
      family,
    );
    return contrasts.map((contrast, k) => {
      const { estimate, se, df } = differences[k]!;
      const half = criticalValue(family, df, confidence) * se;
      const bounds = { lower: estimate - half, upper: estimate + half };
      return { ...contrast, estimate, se, df, statistic: statistics[k]!, p: p[k]!, ...bounds };
    });
  };
  const { means, within } = found;
  const inClasses = within?.contrasts.flatMap((_, at) => {
    if (at % tests !== 0) return [];
    const group = within.contrasts.slice(at, at + tests);
    return judge(
      group,
      group.map((contrast, k) => own.inClass(k, contrast.within![by!]!)),
    );
  });
  return {
    tested: own.tested,
    preferences: own.preferences,
    means: { ...means, contrasts: judge(means.contrasts, own.overall) },
    ...(within === undefined ? {} : { within: { ...within, contrasts: inClasses! } }),
  };
}

/** In the order of listPairs. */
function couplesOf(systems: number, pairs: ModelOptions["pairs"]): [number, number][] {
  const couples: [number, number][] = [];
  for (let b = 1; b < systems; b++) for (let a = 0; a < (pairs === "baseline" ? 1 : b); a++) couples.push([a, b]);
  return couples;
}

/** Two of the systems, on the items that all have. */
function ofTwo(matched: Matched, [a, b]: readonly [number, number]): Matched {
  const n = matched.items.length;
  const place = new Map([
    [a, 0],
    [b, 1],
  ]);
  const systemOf = (k: number): number => Math.floor(matched.cellOfRow[k]! / n);
  const own = Array.from(matched.rows.keys()).filter((k) => place.has(systemOf(k)));
  const both = <T extends Float64Array | Int32Array>(values: T): T => {
    const out = values.slice(0, 2 * n) as T;
    out.set(values.subarray(a * n, (a + 1) * n));
    out.set(values.subarray(b * n, (b + 1) * n), n);
    return out;
  };
  return {
    ...matched,
    systems: [matched.systems[a]!, matched.systems[b]!],
    means: both(matched.means),
    counts: both(matched.counts),
    within: both(matched.within),
    rows: Int32Array.from(own, (k) => matched.rows[k]!),
    cellOfRow: Int32Array.from(own, (k) => (matched.cellOfRow[k]! % n) + n * place.get(systemOf(k))!),
  };
}

/** Of slopes, and of terms with a level for each system. */
function preferencesOf(
  { variances }: LmmFit,
  { item, rater, cluster, repeat, system }: ComparisonColumns,
  { slope, systems }: { readonly slope: string | undefined; readonly systems: number },
): ModelComparison["preferences"] {
  const found = new Map<string, { variance: number; levels: number }>();
  for (const name of [item, rater, cluster, repeat]) {
    if (name === undefined) continue;
    for (const { group, names, sd, levels } of variances) {
      if (group === name && slope !== undefined && names[0] === slope)
        found.set(name, { variance: sd[0]! ** 2, levels });
      if (group === `${name}:${system}`) found.set(name, { variance: 2 * sd[0]! ** 2, levels: levels / systems });
    }
  }
  return found;
}

/** Degrees of freedom need an inverse over all items but those of the largest factor. Where nobody asked for them and there are too many items for
 *  it, t is taken as normal; what the few levels of raters, runs and clusters leave uncertain is then held against t tests over them alone. */
function fitAffordably(
  formula: string,
  rows: Table,
  { ddf, confidence }: { readonly ddf?: ModelOptions["ddf"]; readonly confidence: number },
): LmmFit {
  if (ddf !== undefined) return fitLmm(formula, rows, { ddf, confidence });
  try {
    return fitLmm(formula, rows, { ddf: "satterthwaite", confidence });
  } catch (error) {
    if (!(error instanceof StatError) || error.code !== "TooCostly") throw error;
    return fitLmm(formula, rows, { ddf: "none", confidence });
  }
}

/** Rows times coefficients up to which a model of the latent scale stands beside the linear one: beyond, it takes the better part of a
 *  minute and the linear one's p is that of a test on many thousand scores. */
const MOST_LATENT_CELLS = 500_000;

function fitLatent(kind: "glmm" | "clmm", formula: string, { rows, score }: { rows: Table; score: string }) {
  if (kind === "glmm") return fitGlmm(formula, rows, { family: "binomial" });
  const ordered = { ...asFactor(column(rows, score)), ordered: true };
  return fitClmm(formula, withColumn(rows, score, ordered));
}

/** 0/1: logistic; a few whole numbers: cumulative; anything else: linear. */
function kindOfScore(rows: Table, score: string): ModelKind {
  const cells = column(rows, score);
  if (cells.kind !== "numeric") return "clmm";
  const values = new Set(cells.values);
  if ([...values].every((v) => v === 0 || v === 1)) return "glmm";
  return values.size <= MOST_CATEGORIES && [...values].every(Number.isInteger) ? "clmm" : "lmm";
}

function prepareRows(
  table: Table,
  columns: ComparisonColumns,
  { rows: used, systems, options }: { rows: Int32Array; systems: readonly string[]; options: ModelOptions },
): Table {
  const ordered = withSystemsInOrder(selectRows(table, used), columns.system, systems);
  const { by, cuts } = options;
  const rows = by === undefined ? ordered : withColumn(ordered, by, classify(column(ordered, by), by, cuts));
  if (systems.length !== 2) return rows;
  const { codes } = asFactor(column(rows, columns.system));
  return withColumn(rows, slopeName(table), numericColumn(Float64Array.from(codes, (code) => code - 0.5)));
}

/** -½ for the first system and ½ for the second. */
export function slopeName(table: Table): string {
  let name = "d";
  while (table.columns.has(name)) name = `${name}_`;
  return name;
}

/** How many items lie in each class; an item whose rows differ in the property counts in each. */
function countClasses(
  rows: Table,
  by: string,
  { matched, kept }: { matched: Matched; kept: Int32Array },
): Required<Pick<ModelComparison, "classes" | "groups">> {
  const { levels, codes } = asFactor(column(rows, by));
  const n = matched.items.length;
  const members = levels.map(() => new Set<number>());
  const classOf = new Int32Array(n).fill(-1);
  codes.forEach((code, row) => {
    if (code < 0) return;
    const item = matched.cellOfRow[kept[row]!]! % n;
    members[code]!.add(item);
    classOf[item] = code;
  });
  return {
    classes: levels.map((name, code) => ({ name, items: members[code]!.size })).filter(({ items }) => items > 0),
    groups: { names: levels, codes: classOf },
  };
}

/** Repeats closer than this share of the scores' range are taken for copies. */
const ALIKE = 1e-4;

/** Numbers of the matched rows that a model takes. Repeats that all (nearly) equal each other tell nothing of noise, and a model of them
 *  has no residual variance to find: one of each stands for all. */
export function withoutCopies(
  table: Table,
  { rater }: ComparisonColumns,
  { rows, cellOfRow, score }: Matched,
): Int32Array {
  const raters = rater === undefined ? undefined : asFactor(column(table, rater));
  const radix = 1 + (raters?.levels.length ?? 0);
  const first = new Map<number, number>();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    low = Math.min(low, score[row]!);
    high = Math.max(high, score[row]!);
  }
  const close = ALIKE * (high - low);
  for (let k = 0; k < rows.length; k++) {
    // a missing rater is -1
    const key = cellOfRow[k]! * radix + (raters === undefined ? 0 : raters.codes[rows[k]!]! + 1);
    const seen = first.get(key);
    if (seen === undefined) first.set(key, k);
    else if (Math.abs(score[rows[seen]!]! - score[rows[k]!]!) > close) return Int32Array.from(rows.keys());
  }
  return Int32Array.from(first.values());
}

/** Levels that hardly repeat, as in crowd work, leave their terms nothing that the residuals do not hold. */
function firstThatFits(
  choices: readonly RandomPart[],
  fitWith: (parts: readonly string[]) => LmmFit,
): { readonly fit: LmmFit; readonly random: RandomPart } {
  const [random, ...rest] = choices;
  if (rest.length === 0) return { fit: fitWith(random!.full), random: random! };
  try {
    return { fit: fitWith(random!.full), random: random! };
  } catch (error) {
    if (!isUnidentified(error)) throw error;
    return firstThatFits(rest, fitWith);
  }
}

interface RandomPart {
  readonly full: readonly string[];
  /** Without what items, raters and clusters think of the difference. */
  readonly plain: readonly string[];
  readonly slope: string | undefined;
}

/** The model that is wanted, then those without what the rows may not tell: raters' slopes, raters, items' slopes. */
function randomParts(
  table: Table,
  columns: ComparisonColumns,
  {
    matched,
    kept,
    scope,
  }: { readonly matched: Matched; readonly kept: Int32Array; readonly scope: ModelOptions["scope"] },
): RandomPart[] {
  const { item, rater, repeat, system, cluster } = columns;
  const inScope = (facet: Facet): boolean => scope === undefined || scope.includes(facet);
  const slope = matched.systems.length === 2 ? slopeName(table) : undefined;
  const severalRows = kept.length > matched.means.length;
  const rated = rater !== undefined && matched.raters > 1;
  const runs = matched.raters <= 1 && collectRuns(table, repeat, matched) !== undefined;
  const clustered = matched.clusters !== undefined && cluster !== undefined;
  const facets = [
    { name: item, differs: severalRows },
    ...(rated ? [{ name: rater, differs: inScope("raters") && metBoth(table, rater, { matched, kept }) }] : []),
    ...(clustered ? [{ name: cluster, differs: inScope("clusters") }] : []),
  ];
  // each run is one system's: a run of another has only its number in common with it
  const ofRuns = runs && inScope("runs") ? [`(1 | ${quoteName(repeat!)}:${quoteName(system)})`] : [];
  const write = (wanted: typeof facets): RandomPart => {
    const full = wanted.flatMap(({ name, differs }) => {
      const own = quoteName(name);
      if (!differs) return [`(1 | ${own})`];
      return slope === undefined ? [`(1 | ${own})`, `(1 | ${own}:${quoteName(system)})`] : [`(1 + ${slope} || ${own})`];
    });
    const plain = wanted.map(({ name }) => `(1 | ${quoteName(name)})`);
    return { full: [...full, ...ofRuns], plain, slope };
  };
  const without = (name: string) => (one: (typeof facets)[number]) =>
    one.name === name ? { ...one, differs: false } : one;
  if (!rated) return [write(facets)];
  const others = facets.filter(({ name }) => name !== rater);
  return [facets, facets.map(without(rater)), others, others.map(without(item))].map(write);
}

/** A level of one system only has nothing to say of the difference. */
function metBoth(
  table: Table,
  name: string,
  { matched, kept }: { readonly matched: Matched; readonly kept: Int32Array },
): boolean {
  const { codes } = asFactor(column(table, name));
  const n = matched.items.length;
  const met = new Map<number, number>();
  for (const k of kept) {
    const [level, system] = [codes[matched.rows[k]!]!, Math.floor(matched.cellOfRow[k]! / n)];
    const known = met.get(level);
    if (known !== undefined && known !== system) return true;
    met.set(level, system);
  }
  return false;
}

/** The first system is the reference level. */
function withSystemsInOrder(table: Table, name: string, systems: readonly string[]): Table {
  const { levels, codes }: FactorColumn = asFactor(column(table, name));
  const numbers = new Map(systems.map((name, s) => [name, s]));
  const place = levels.map((level) => numbers.get(level) ?? -1);
  return withColumn(table, name, {
    kind: "factor",
    levels: systems,
    ordered: false,
    codes: Int32Array.from(codes, (code) => (code < 0 ? -1 : place[code]!)),
  });
}
