/** Systems compared by a mixed model of all scores: what a paired test cannot hold apart (raters, repeats, a property of the items)
 *  gets a term of its own.
 *
 *      score ~ system [* by] + (1 | item) [+ (1 | rater)] [+ (1 | item:system)] [+ (1 | rater:system)] [+ (1 | run:system)] [+ (1 | cluster)]
 *
 *  (1 | item:system) stands wherever a system met an item more than once: repeats of one system on one item are alike, and without
 *  the term they would count as more items. The difference and its interval come from the linear model, in the units of the score. The
 *  test follows the kind of score: a logistic model for 0/1, a cumulative one for ratings of a few ordered categories.
 *  Reference: Riezler & Hagmann (2021), section 4.3 (models 4.10 - 4.13); Barr et al. (2013), J. Mem. Lang. 68.
 *  Oracle:    lmer and emmeans (R): the book's Tables 4.1 - 4.3 in oracle/papers/riezler2021.json. */

import { asFactor, column, type FactorColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { fitLmm, type LmmFit } from "../../models/lmm/lmm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import { StatError } from "../../result/error.ts";
import { quoteName } from "../../result/quote.ts";
import { type EmmeansResult, marginalMeans } from "../means/means.ts";
import type { Adjustment } from "../multiplicity.ts";
import { nestedRatios } from "../nested/mixed.ts";
import { classify } from "./matching/bins.ts";
import type { ComparisonColumns, Groups, Matched } from "./matching/matching.ts";
import type { Dependence } from "./pair/classes.ts";
import type { Facet } from "./pair/facets.ts";
import { collectRuns } from "./pair/runs.ts";

export type ModelKind = "lmm" | "glmm" | "clmm";

export interface ModelOptions {
  /** Facets whose levels differ at random in what they think of a system; default: all that there are. */
  readonly scope?: readonly Facet[];
  /** A property of the items: are the systems ordered alike at all of its levels? */
  readonly by?: string;
  /** Limits of the classes of a numeric `by`. */
  readonly cuts?: readonly number[];
  /** Default: by the kind of score. */
  readonly kind?: ModelKind;
  readonly ddf?: "satterthwaite" | "kenward-roger" | "none" | undefined;
  readonly confidence?: number;
  /** Default: Tukey for all pairs, Holm against a baseline. */
  readonly adjust?: Adjustment;
  /** "all" pairs (default), or every other system against the "baseline", the first. */
  readonly pairs?: "all" | "baseline";
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
  /** What decides whether the difference depends on `by` (pair/classes.ts); absent with z in place of t, where the likelihood ratio does. */
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
  { matched, options = {} }: { matched: Matched; options?: ModelOptions },
): ModelComparison {
  const { by, confidence = 0.95, pairs: which = "all", details = true } = options;
  const { adjust = which === "all" ? "tukey" : "holm" } = options;
  const kept = withoutCopies(table, columns, matched);
  const rows = prepareRows(table, columns, {
    rows: kept.map((k) => matched.rows[k]!),
    systems: matched.systems,
    options,
  });
  const runs = matched.raters <= 1 && collectRuns(table, columns.repeat, matched) !== undefined;
  const random = randomPart(columns, matched, { kept, runs, scope: options.scope });
  const [score, system] = [quoteName(columns.score), quoteName(columns.system)];
  const other = by === undefined ? "1" : quoteName(by);
  const main = by === undefined ? system : `${system} + ${other}`;
  const full = by === undefined ? system : `${system} * ${other}`;
  const write = (fixed: string, parts = random): string => `${score} ~ ${[fixed, ...parts].join(" + ")}`;
  const fit = fitAffordably(write(full), rows, { ddf: options.ddf, confidence });
  const { ddf } = fit;
  const pairs = (of: Parameters<typeof marginalMeans>[0], inside?: string): EmmeansResult =>
    marginalMeans(of, {
      by: [columns.system],
      // over all items the classes count by their size
      ...(inside === undefined ? { weights: "proportional" as const } : { within: [inside] }),
      // second minus first, in the order of listPairs
      contrasts: which === "all" ? "revpairwise" : "treatment",
      confidence,
      adjust,
    });
  const plain = random.filter((part) => !part.includes(":"));
  const same = plain.length === random.length || !details;
  const simpler = same ? undefined : fitLmm(write(full, plain), rows, { ddf, confidence });
  const ratios = nestedRatios(rows, simpler === undefined ? [fit] : [fit, simpler]);
  const ratio = (small: string, large: string, parts = random): LikelihoodRatio => {
    const formulas = { small: write(small, parts), large: write(large, parts) };
    return { ...formulas, ...ratios(formulas.small, formulas.large) };
  };
  const isLong = rows.rows * fit.coefficients.length > MOST_LATENT_CELLS;
  const kind = options.kind ?? (isLong ? "lmm" : kindOfScore(rows, columns.score));
  return {
    kind,
    formula: write(full),
    fit,
    means: pairs(fit),
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
            formula: write(full, plain),
            means: pairs(simpler, by),
            systems: ratio(other, full, plain),
            ...(by === undefined ? {} : { interaction: ratio(main, full, plain) }),
          },
        }),
  };
}

/** Degrees of freedom need an inverse over all items but those of the largest factor. Where nobody asked for them and there are too many items for
 *  it, t is taken as normal; what the few levels of raters, runs and clusters leave uncertain is then held against t tests over them alone. */
function fitAffordably(
  formula: string,
  rows: Table,
  { ddf, confidence }: { readonly ddf: ModelOptions["ddf"]; readonly confidence: number },
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
  const rows = withSystemsInOrder(selectRows(table, used), columns.system, systems);
  const { by, cuts } = options;
  return by === undefined ? rows : withColumn(rows, by, classify(column(rows, by), by, cuts));
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

function randomPart(
  { item, rater, repeat, system, cluster }: ComparisonColumns,
  matched: Matched,
  { kept, runs, scope }: { readonly kept: Int32Array; readonly runs: boolean; readonly scope: ModelOptions["scope"] },
): string[] {
  const inScope = (facet: Facet): boolean => scope === undefined || scope.includes(facet);
  const [i, s] = [quoteName(item), quoteName(system)];
  const severalRows = kept.length > matched.means.length;
  const rated = rater !== undefined && matched.raters > 1;
  return [
    `(1 | ${i})`,
    ...(rated ? [`(1 | ${quoteName(rater)})`] : []),
    ...(severalRows ? [`(1 | ${i}:${s})`] : []),
    ...(rated && inScope("raters") ? [`(1 | ${quoteName(rater)}:${s})`] : []),
    // each run is one system's: a run of another has only its number in common with it
    ...(runs && inScope("runs") ? [`(1 | ${quoteName(repeat!)}:${s})`] : []),
    ...(matched.clusters && cluster !== undefined ? [`(1 | ${quoteName(cluster)})`] : []),
    ...(matched.clusters && cluster !== undefined && inScope("clusters") ? [`(1 | ${quoteName(cluster)}:${s})`] : []),
  ];
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
