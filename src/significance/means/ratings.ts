/** An ordinal model in words that raters and readers use: the share of each rating that a system gets, which of two systems is
 *  rated higher, how far apart they are in steps of the scale, and whether one effect for all thresholds is fair.
 *
 *      P(second above first) = Σ_j P(y₂ = j) P(y₁ < j), averaged over the other factors' levels
 *      steps = latent difference / mean distance of neighbouring thresholds
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 3.2 and 5; Christensen (2018), Cumulative Link Models.
 *  Oracle:    emmeans and predict of ordinal (R); hand sums (ratings.test.ts).
 *  Limits:    in a mixed model for one average level of every grouping factor (random effects 0): two ratings of the same average
 *             item by the same average rater. */

import type { FieldsOf } from "../../models/fit.ts";
import type { ClmJson } from "../../models/ordinal/clm.ts";
import type { ClmmJson } from "../../models/ordinal/clmm.ts";
import { CUMULATIVE_LINKS, makeCumulativeTerms } from "../../models/ordinal/cumulative-link.ts";
import { type Superiority, superiorityOf } from "../../models/ordinal/probabilities.ts";
import { checkProportionalOdds, type ProportionalOdds } from "../../models/ordinal/proportional-odds.ts";
import { note } from "../../result/diagnostic.ts";
import type { CellFormat, Display, DisplayTable } from "../../result/display.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { marginalModelOf } from "./marginal-model.ts";
import { marginalMeans } from "./means.ts";
import type { OrdinalFit } from "./ordinal.ts";
import { combinationIndex, makeReferenceGrid, type ReferenceGrid } from "./reference-grid.ts";

export interface RatedSystem {
  readonly level: string;
  /** One per category of the fit. */
  readonly probabilities: readonly { readonly category: string; readonly estimate: number; readonly se: number }[];
  /** Categories counted 1, 2, 3 … */
  readonly meanClass: number;
  readonly meanClassSe: number;
  /** Where the categories are numbers: their mean. */
  readonly meanRating?: number;
  /** Its place on the latent scale, on which the thresholds lie: the mean linear predictor. */
  readonly latent: number;
}

export interface RatedPair extends Superiority {
  readonly first: string;
  readonly second: string;
  /** Latent difference, second minus first. */
  readonly latent: number;
  readonly se: number;
  /** Adjusted by Tukey for all pairs. */
  readonly p: number;
  /** The difference in mean distances of neighbouring thresholds; NaN with two categories. */
  readonly steps: number;
}

export interface RatedFactor {
  readonly by: string;
  readonly systems: readonly RatedSystem[];
  readonly pairs: readonly RatedPair[];
  /** For pictures. */
  readonly series: LatentSeries;
}

/** The latent scale: thresholds between the categories, and how the ratings of each level spread around its place. */
export interface LatentSeries {
  readonly thresholds: readonly number[];
  readonly categories: readonly string[];
  readonly densities: readonly {
    readonly level: string;
    readonly points: readonly (readonly [x: number, density: number])[];
  }[];
}

export interface RatingSummary extends Result<"ratings"> {
  readonly response: string;
  readonly categories: readonly string[];
  readonly factors: readonly RatedFactor[];
  /** Absent without flexible thresholds or with two categories. */
  readonly proportionalOdds?: ProportionalOdds;
}

/** Factors with more levels than this have more pairs than anyone reads. */
const MOST_LEVELS = 12;

/** Of the named factor, or of every factor of the fixed part that has at most 12 levels. */
export function describeRatings(fit: OrdinalFit, { by }: { readonly by?: string } = {}): RatingSummary {
  const grid = makeReferenceGrid(marginalModelOf(fit));
  const wanted = grid.variables.filter(({ covariate, levels }) => !covariate && levels.length <= MOST_LEVELS);
  const names = by === undefined ? wanted.map(({ name }) => name) : [by];
  const odds =
    fit.threshold === "flexible" && fit.levels.length > 2 && fit.coefficients.length > 0
      ? checkProportionalOdds(fit)
      : undefined;
  const fields: FieldsOf<RatingSummary> = {
    signature: { ...fit.signature, method: "ratings" },
    diagnostics: odds === undefined ? [] : oddsDiagnostics(odds),
    response: fit.design.schema.formula.responseLabel,
    categories: fit.levels,
    factors: names.map((name) => describeFactor(fit, grid, name)),
    ...(odds === undefined ? {} : { proportionalOdds: odds }),
  };
  return makeResult("ratings", fields, display);
}

function describeFactor(fit: OrdinalFit, grid: ReferenceGrid, by: string): RatedFactor {
  const shares = marginalMeans(fit, { by, type: "prob", contrasts: "none" });
  const classes = marginalMeans(fit, { by, type: "mean-class", contrasts: "none" });
  const latent = marginalMeans(fit, { by, contrasts: "revpairwise", adjust: "tukey" });
  const levels = classes.means.map((mean) => mean.levels[by]!);
  const numbers = fit.levels.map((level) => (level.trim() === "" ? Number.NaN : Number(level)));
  const cells = predictorsByCell(fit, grid, by);
  const places = cells.map((own) => own.reduce((sum, eta) => sum + eta, 0) / own.length);
  const systems = levels.map((level, s): RatedSystem => {
    const own = shares.means.filter((mean) => mean.levels[by] === level);
    const meanRating = own.reduce((sum, { estimate }, j) => sum + estimate * numbers[j]!, 0);
    return {
      level,
      probabilities: own.map(({ estimate, se }, j) => ({ category: fit.levels[j]!, estimate, se })),
      meanClass: classes.means[s]!.estimate,
      meanClassSe: classes.means[s]!.se,
      ...(numbers.every(Number.isFinite) ? { meanRating } : {}),
      latent: places[s]!,
    };
  });
  const spacing = (fit.cuts[fit.cuts.length - 1]! - fit.cuts[0]!) / (fit.cuts.length - 1);
  const pairs: RatedPair[] = [];
  // the order of revpairwise
  for (let second = 1; second < levels.length; second++) {
    for (let first = 0; first < second; first++) {
      const { estimate, se, p } = latent.contrasts[pairs.length]!;
      const higher = averageSuperiority(fit, cells, [first, second]);
      pairs.push({
        first: levels[first]!,
        second: levels[second]!,
        ...higher,
        latent: estimate,
        se,
        p,
        steps: estimate / spacing,
      });
    }
  }
  return { by, systems, pairs, series: latentSeries(fit, levels, places) };
}

const DENSITY_POINTS = 121;
/** Of the error distribution, to both sides of the outermost places and thresholds. */
const REACH = 4;

/** Mean density over cells of the latent scale: exact shares, so that an area is a share of ratings. */
function latentSeries(
  { link, cuts, levels: categories }: OrdinalFit,
  levels: readonly string[],
  places: readonly number[],
): LatentSeries {
  const [low, high] = [
    Math.min(leastOf(places), leastOf(cuts)) - REACH,
    Math.max(mostOf(places), mostOf(cuts)) + REACH,
  ];
  const width = (high - low) / DENSITY_POINTS;
  const terms = makeCumulativeTerms();
  const density = (x: number, place: number): number => {
    CUMULATIVE_LINKS[link](terms, x + width / 2 - place, x - width / 2 - place);
    return Math.exp(terms[0]!) / width;
  };
  const xs = Array.from({ length: DENSITY_POINTS }, (_, k) => low + (k + 0.5) * width);
  return {
    thresholds: Array.from(cuts),
    categories,
    densities: levels.map((level, s) => ({ level, points: xs.map((x) => [x, density(x, places[s]!)] as const) })),
  };
}

/** η of every grid row: cells[level][cell of the other variables]. */
function predictorsByCell(fit: OrdinalFit, grid: ReferenceGrid, by: string): number[][] {
  const others = grid.variables.map(({ name }) => name).filter((name) => name !== by);
  const level = combinationIndex(grid, [by]);
  const cell = combinationIndex(grid, others);
  const { L, offset } = grid.functions;
  const cells: number[][] = [];
  for (let r = 0; r < grid.rows; r++) {
    let eta = offset[r]!;
    fit.coefficients.forEach(({ value }, k) => {
      eta += value * L.data[r + fit.kept[k]! * L.rows]!;
    });
    cells[level[r]!] ??= [];
    cells[level[r]!]![cell[r]!] = eta;
  }
  return cells;
}

function averageSuperiority(
  { link, cuts }: OrdinalFit,
  cells: readonly (readonly number[])[],
  [first, second]: readonly [number, number],
): Superiority {
  const count = cells[first]!.length;
  let [above, equal, below] = [0, 0, 0];
  cells[first]!.forEach((eta, c) => {
    const own = superiorityOf(link, cuts, eta, cells[second]![c]!);
    above += own.above / count;
    equal += own.equal / count;
    below += own.below / count;
  });
  return { above, equal, below };
}

/** Evidence against one effect for all thresholds that is worth a word. */
const NOTEWORTHY = 0.05;

function oddsDiagnostics({ terms, ignoresRandomEffects }: ProportionalOdds): Diagnostic[] {
  const out: Diagnostic[] = [];
  const found = terms.filter(({ p }) => p < NOTEWORTHY).map(({ term }) => term);
  if (found.length > 0) {
    const doubt = ignoresRandomEffects ? " (tested without the random effects, so p may be too small)" : "";
    out.push(
      note(
        "NotProportional",
        `the effect of ${found.join(", ")} differs between thresholds${doubt}: one number is an average of them.`,
        "Look at where on the scale it acts: the marginal means with `type: exc-prob`, or binary models of single thresholds.",
      ),
    );
  }
  const lost = terms.filter(({ p }) => Number.isNaN(p)).map(({ term }) => term);
  if (lost.length > 0) {
    out.push(
      note(
        "OddsUntested",
        `proportional odds could not be tested for ${lost.join(", ")}: with effects of its own on every threshold the model has no maximum.`,
        "Merge rare categories and test again.",
      ),
    );
  }
  return out;
}

function display(summary: FieldsOf<RatingSummary>): Display {
  const { factors, proportionalOdds } = summary;
  return {
    title: `Ratings by ${factors.map(({ by }) => by).join(", ") || "nothing"}`,
    tables: [
      ...factors.flatMap((factor) => [sharesTable(summary, factor), ...pairsTables(factor)]),
      ...(proportionalOdds === undefined ? [] : [oddsTable(proportionalOdds)]),
    ],
    notes: [],
  };
}

/** What a line of 80 characters has beside the gaps and the mean. */
const LINE = 70;
const NARROWEST_SHARE = 6;

/** One line per system, or where the categories' names are long one per category. */
function sharesTable({ categories, response }: FieldsOf<RatingSummary>, { by, systems }: RatedFactor): DisplayTable {
  const caption = `Predicted proportion of each ${response} by ${by}`;
  const label = systems.reduce((most, { level }) => Math.max(most, level.length), by.length);
  const width = categories.reduce((sum, name) => sum + Math.max(name.length, NARROWEST_SHARE) + 2, label);
  if (width <= LINE) {
    const numeric = systems.every(({ meanRating }) => meanRating !== undefined);
    return {
      caption,
      head: [by, ...categories, ...(numeric ? ["mean"] : [])],
      formats: ["text", ...categories.map((): CellFormat => "percent"), ...(numeric ? (["number"] as const) : [])],
      rows: systems.map(({ level, probabilities, meanRating }) => [
        level,
        ...probabilities.map((p) => p.estimate),
        ...(meanRating === undefined ? [] : [meanRating]),
      ]),
    };
  }
  return {
    caption,
    head: [by, response, "share"],
    formats: ["text", "text", "percent"],
    rows: systems.flatMap(({ level, probabilities }) =>
      probabilities.map(({ category, estimate }, j) => [j === 0 ? level : "", category, estimate]),
    ),
  };
}

function pairsTables({ by, pairs }: RatedFactor): DisplayTable[] {
  if (pairs.length === 0) return [];
  return [
    {
      caption: `Which ${by} is rated higher, and by how much`,
      head: ["pair", "above", "equal", "below", "latent", "steps", "p"],
      formats: ["text", "percent", "percent", "percent", "number", "number", "p"],
      rows: pairs.map((pair) => [
        `${pair.second} over ${pair.first}`,
        pair.above,
        pair.equal,
        pair.below,
        pair.latent,
        pair.steps,
        pair.p,
      ]),
    },
  ];
}

function oddsTable({ terms, ignoresRandomEffects }: ProportionalOdds): DisplayTable {
  const aside = ignoresRandomEffects ? ", without the random effects" : "";
  return {
    caption: `Same effect on every threshold? (proportional odds${aside})`,
    head: ["term", "chi-square", "df", "p"],
    formats: ["text", "statistic", "df", "p"],
    rows: terms.map(({ term, statistic, df, p }) => [term, statistic, df, p]),
  };
}

/** Beside the JSON of an ordinal fit: what it says about ratings. */
export interface RatingsJson {
  readonly ratings?: RatingSummary["factors"];
  readonly proportionalOdds?: ProportionalOdds;
}

export type RatedClmJson = ClmJson & RatingsJson;
export type RatedClmmJson = ClmmJson & RatingsJson;
export type RatingSummaryJson = JsonOf<RatingSummary>;
