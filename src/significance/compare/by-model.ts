/** A comparison whose pairs come from a mixed model instead of a paired test. */

import type { Table } from "../../data/table.ts";
import { checkMargin, type ScoreRange } from "../../metrics/range.ts";
import type { LmmFit } from "../../models/lmm/lmm.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { note } from "../../result/diagnostic.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { MarginalContrast, MarginalMean } from "../means/means.ts";
import { criticalValue } from "../multiplicity.ts";
import { assembleComparison } from "./assemble.ts";
import type { ComparedPair, Comparison, ComparisonData } from "./comparison.ts";
import { checkInput, isShare, listPairs, type PlainPair, pairOf, plainPair } from "./conclude.ts";
import { diagnose } from "./diagnose.ts";
import { type ComparisonColumns, type Matched, matchItems } from "./matching/matching.ts";
import { compareByModel, type ModelComparison, type ModelKind, type ModelOptions, withoutCopies } from "./model.ts";
import { claimedPairs, expectedOver, makeModelChecks } from "./model-checks.ts";
import { compareClasses, warnOfSpread } from "./pair/classes.ts";
import { type Claim, holdAgainst, holdAgainstRuns, type RepeatedFacet, tellChecks } from "./pair/facets.ts";
import { withoutRuns } from "./pair/items.ts";
import { comparePair, type PairComparison } from "./pair/pair.ts";
import { areComplete, type DrawOptions, drawRuns } from "./pair/runs.ts";
import { detectableDifference, middleSe } from "./pair/sensitivity.ts";
import { chooseTest } from "./pair/tests.ts";
import { cutDifference, marginBounds, scaleOf } from "./scale.ts";
import { chooseScope, repeatedIn } from "./scope.ts";
import { itemSeries, itemsOf } from "./series.ts";
import { comparisonData, type TableOptions } from "./table.ts";
import { familyOf } from "./together.ts";

export type ModelTableOptions = Omit<TableOptions, "adjust" | "test"> & ModelOptions;

export function compareTableByModel(table: Table, columns: ComparisonColumns, options: ModelTableOptions): Comparison {
  const matched = matchItems(table, columns, options.systems);
  const {
    adjust = options.pairs === "baseline" ? "max-t" : "tukey",
    cuts: _c,
    kind: _k,
    details: _d,
    ...shared
  } = options;
  const input = comparisonData(table, columns, { matched, options: shared });
  checkInput(input);
  const { alpha = 0.05, confidence = 0.95, margin, pairs: which = "all", rng = makeRng("1") } = options;
  const share = isShare(input);
  checkMargin(margin, marginBounds(input, share));
  const scale = scaleOf(input, share);
  const repeated = repeatedIn(input);
  const scope = chooseScope(
    repeated.map(({ facet }) => facet),
    options.scope,
  );
  const couples = listPairs(options.systems.length, which);
  const fitted = compareByModel(table, columns, { matched, options: { ...options, scope, adjust, confidence } });
  const overItems = options.ddf === undefined && matched.raters <= 1 && scope.every((facet) => facet === "items");
  const ofItems = input.data.kind === "scores" ? input.data : undefined;
  const family = familyOf(adjust, options.systems.length, couples);
  const about = { couples, family, confidence, overItems: overItems && input.clusters === undefined };
  const model = ofItems === undefined ? fitted : compareClasses(fitted, ofItems, about);
  const kept = withoutCopies(table, columns, matched);
  const critical = memoise((df) => criticalValue(family, df, confidence));
  const always = isNormal(fitsOf(model), options);
  // a pair by itself has few rows for the variances of its levels
  const each = always || model.tested?.of === "pairs";
  const checksOf = makeModelChecks({ table, columns, matched, kept, input, scope, always: each });
  const raw = rawMeans(matched);
  const plain = couples.map((pair, k) => {
    if (couples.length > 1) options.onProgress?.(k, couples.length);
    const estimated = pairOfModel(model, pair, { k, alpha });
    const opposed = matched.raters > 1 ? tellOtherWay(pair, estimated, { raw, systems: options.systems }) : undefined;
    const found = opposed === undefined ? estimated : { ...estimated, opposed };
    const expected = expectedOver(model, columns, { matched, rows: kept.length, whole: found.se });
    const held = cutPair(holdAgainst(found, checksOf(pair), { alpha, confidence, critical, expected }), scale);
    const runs = scope.includes("runs") ? {} : runsOf(input, pair, { confidence, rng: rng.stream(k) });
    const own = plainPair(pair, { ...held, ...runs }, { input, margin });
    if (matched.raters > 1) return ofRatings(own);
    return { ...own, ...plannedOverRuns(input, pair, { scope, alpha, confidence, units: input.units }) };
  });
  const bounds = isNormal([model.fit], options) ? boundsOverFew(repeated, confidence) : (mean: MarginalMean) => mean;
  const findings = {
    ...{ signature: input.signature, input, plain, adjust, scope, repeated, share, scale },
    p: claimedPairs(model, plain, family),
    options: { alpha, margin },
    simultaneous: plain.length > 1 && adjust !== "none",
    scores: model.means.means.map((mean, s) => {
      const { lower, upper } = bounds(mean);
      const own = { name: options.systems[s]!, score: mean.estimate, lower, upper, rawMean: raw[s]! };
      return { ...own, interval: "linear mixed model" };
    }),
    n: input.data.items.length,
    fixed: notOfItems(model, columns),
    reason: fitsOf(model).every(({ converged }) => converged) ? undefined : notSettled(model),
  };
  return assembleComparison(findings, ({ pairs, main, scores, style }) => ({
    diagnostics: [
      ...(input.diagnostics ?? []),
      ...diagnose(input, pairs, { style, scope }).filter(({ code }) => code !== "RepeatsAveraged"),
      ...copyNote(kept, matched, input.diagnostics ?? []),
      ...fitNotes(model),
      ...(ofItems === undefined ? [] : warnOfSpread(model, ofItems)),
      ...(always ? [normalNote(matched)] : []),
      ...naiveNote(model, { pairs, alpha }),
    ],
    testChoice: explainModel(model, columns, matched) + tellChecks(main),
    model,
    series: itemSeries(input.data, {
      ...{ systems: input.systems, main, pairs, scores, higherIsBetter: input.higherIsBetter },
      groups: new Map([
        ...(input.slices ?? []),
        ...(model.groups === undefined ? [] : [[model.by!, model.groups] as const]),
      ]),
    }),
    items: couples.map((pair) => itemsOf(input, pair)),
  }));
}

const MODEL_NAMES: Readonly<Record<ModelKind, string>> = {
  lmm: "linear mixed model",
  glmm: "logistic mixed model",
  clmm: "cumulative logit mixed model",
};

/** More ratings of an item come from more raters, whose preferences the parts of the variance do not know. */
const ofRatings = ({ parts: _, now, ...pair }: PlainPair): PlainPair => ({ ...pair, now: { ...now, each: "ratings" } });

/** More runs of the same items: by their variances without the model, so that the answer is that of the comparison without it. */
function plannedOverRuns(
  { data, clusters }: ComparisonData,
  [a, b]: readonly [number, number],
  claim: Claim,
): Pick<PlainPair, "planned"> {
  if (!claim.scope.includes("runs")) return {};
  const items = pairOf(data, a, b);
  const own = { test: chooseTest(items, clusters?.codes), alpha: claim.alpha, confidence: claim.confidence };
  const plain = comparePair(withoutRuns(items), { ...own, ...(clusters ? { clusters: clusters.codes } : {}) });
  return { planned: holdAgainstRuns(plain, items, claim) };
}

/** The model takes the runs as they are; what other runs might show is told beside it. */
function runsOf(
  { data, clusters }: ComparisonData,
  [a, b]: readonly [number, number],
  options: DrawOptions,
): Pick<PairComparison, "runs"> {
  if (data.kind !== "scores" || data.runs === undefined || clusters !== undefined || !areComplete(data.runs)) return {};
  return { runs: drawRuns(data.runs[a]!, data.runs[b]!, options) };
}

/** Over the rows that the model saw. */
function rawMeans({ systems, items, rows, cellOfRow, score }: Matched): number[] {
  const sums = systems.map(() => ({ sum: 0, count: 0 }));
  rows.forEach((row, k) => {
    const own = sums[Math.floor(cellOfRow[k]! / items.length)]!;
    own.sum += score[row]!;
    own.count += 1;
  });
  return sums.map(({ sum, count }) => sum / count);
}

/** Where each rater saw other items of either system, or more of them, the raw means may point the other way than the same raters' scores of the
 *  same items. */
function tellOtherWay(
  [a, b]: readonly [number, number],
  { difference, se }: PairComparison,
  { raw, systems }: { readonly raw: readonly number[]; readonly systems: readonly string[] },
): string | undefined {
  const own = raw[b]! - raw[a]!;
  if (!(own * difference < 0) || Math.abs(own) < ROUNDING_OF_MEANS * se) return undefined;
  const way = (d: number): string => `${formatNumber(Math.abs(d))} ${d > 0 ? "higher" : "lower"}`;
  return `${systems[b]} scores ${way(difference)} than ${systems[a]} after adjustment for raters and items, and ${way(own)} by the raw means over all rows: the systems were rated by other raters or on other items, and no test says which counts.`;
}
/** A difference of raw means below this share of the standard error is none. */
const ROUNDING_OF_MEANS = 1e-6;

/** Pairs share their df, and a quantile of the studentized range is a search over integrals. */
function memoise(f: (x: number) => number): (x: number) => number {
  const known = new Map<number, number>();
  return (x) => {
    const value = known.get(x) ?? f(x);
    known.set(x, value);
    return value;
  };
}

const cutPair = (pair: PairComparison, scale: ScoreRange | undefined): PairComparison => ({
  ...pair,
  ci: cutDifference(pair.ci, scale),
});

function pairOfModel(
  { means }: ModelComparison,
  [a, b]: readonly [number, number],
  { k, alpha }: { readonly k: number; readonly alpha: number },
): PairComparison {
  const { estimate, se, df, lower, upper, statistic } = means.contrasts[k]!;
  return {
    scoreA: means.means[a]!.estimate,
    scoreB: means.means[b]!.estimate,
    difference: estimate,
    se,
    df,
    ci: { lower, upper, level: means.confidence, method: "linear mixed model" },
    test: {
      name: "model",
      label: MODEL_NAMES.lmm,
      statistic,
      p: 2 * tSf(Math.abs(statistic), df),
      replicates: 0,
      monteCarloSe: 0,
    },
    mde80: detectableDifference(middleSe({ se, df }), df, { alpha }),
  };
}

/** Var(difference) has σ²/G from a grouping factor whose G levels each have a difference of their own. */
function notOfItems(
  { preferences }: ModelComparison,
  { rater, cluster }: ComparisonColumns,
): { variance: number; source: string } | undefined {
  const parts = [rater, cluster].flatMap((name) => {
    const own = name === undefined ? undefined : preferences.get(name);
    const plural = name === rater ? "raters" : "clusters";
    return own === undefined ? [] : [{ plural, variance: own.variance / own.levels }];
  });
  if (parts.length === 0) return undefined;
  const largest = parts.reduce((most, part) => (part.variance > most.variance ? part : most));
  return { variance: parts.reduce((sum, { variance }) => sum + variance, 0), source: largest.plural };
}

/** Those that the verdicts rest on. */
const fitsOf = ({ fit, tested }: ModelComparison): readonly LmmFit[] => tested?.fits ?? [fit];

/** The model of the latent scale beside the linear one, whose df know how few raters there are. */
function latentSentence(kind: ModelKind, latent: ModelComparison["latent"]): string {
  if (latent === undefined) return "";
  const told = latent.contrasts
    .slice(0, MOST_LATENT)
    .map(({ contrast, p }) => `${contrast}: p ${formatNumber(p, "p")}`);
  return `; a ${MODEL_NAMES[kind]} with the same terms gives ${told.join(", ")}${latent.contrasts.length > MOST_LATENT ? ", …" : ""} (Wald's z)`;
}

/** Pairs named in a sentence. */
const MOST_LATENT = 3;

function explainModel(model: ModelComparison, { rater }: ComparisonColumns, matched: Matched): string {
  const { kind, formula, latent, tested } = model;
  const of =
    rater !== undefined && matched.raters > 1
      ? `${matched.raters} raters' scores`
      : matched.repeats > 1
        ? "repeated scores"
        : "all scores";
  const d = slopeIn(model);
  const coded =
    d === undefined
      ? ""
      : matched.systems.length > 2
        ? ` Slope ${d} is -1/2 for the first of a pair and 1/2 for the second.`
        : ` Slope ${d} is -1/2 for ${matched.systems[0]} and 1/2 for ${matched.systems[1]}.`;
  const rest = `${coded}${tellBlanks(matched)}`;
  if (tested?.of === "differences") {
    const what =
      matched.systems.length === 2
        ? "the difference between the systems"
        : "the contrasts between the systems (Helmert's, of length √2)";
    return `a ${MODEL_NAMES.lmm} of ${what} within each rater's scores of an item (${tested.formula})${latentSentence(kind, latent)}.${tellBlanks(matched)}`;
  }
  if (tested?.of === "pairs")
    return `a ${MODEL_NAMES.lmm} of ${of} of each pair of systems (${tested.formula})${latentSentence(kind, latent)}.${rest}`;
  return `a ${MODEL_NAMES.lmm} of ${of} (${formula})${latentSentence(kind, latent)}.${rest}`;
}

/** The variable whose slopes are differences between two systems. */
const slopeIn = (model: ModelComparison): string | undefined =>
  / \((?:1 \+ )(\w+) \|\| /.exec(model.tested?.formula ?? model.formula)?.[1];

/** How ratings that a few raters left out enter; where each saw a part by design, nothing was left out. */
function tellBlanks({ raters, items, systems, rows }: Matched): string {
  const whole = raters * items.length * systems.length;
  if (raters < 2 || rows.length >= whole || rows.length * 2 < whole) return "";
  return ` Of ${whole} possible ratings (every rater, every output) ${whole - rows.length} are missing. The model estimates the difference from the others, given the means of their items and raters, and imputes nothing.`;
}

/** Why the fit says nothing, in one sentence. */
function notSettled(model: ModelComparison): string {
  const formula = model.tested?.formula ?? model.formula;
  const fit = fitsOf(model).find(({ converged }) => !converged) ?? model.fit;
  const { message = "the optimizer of the variances did not stop." } = fit.diagnostics.find(isNotConverged) ?? {};
  const empty = fit.residualSd < IDLE * mostOf(fit.variances.flatMap(({ sd }) => Array.from(sd)));
  const cause = empty ? " Its terms leave no residual variance: there are too few repeated scores." : "";
  return `the mixed model (${formula}) did not converge: ${message}${cause}`;
}

const isNotConverged = ({ code }: Diagnostic): boolean => code === "NotConverged";

/** Rows that the model did not take, where no copy of a whole row was named before. */
function copyNote(kept: Int32Array, { rows }: Matched, told: readonly Diagnostic[]): Diagnostic[] {
  const dropped = rows.length - kept.length;
  if (dropped === 0 || told.some(({ code }) => code === "DuplicateRows")) return [];
  const message = `${dropped} ${dropped === 1 ? "row repeats" : "rows repeat"} a score of the same rater on the same output, and no such repetition differs. Gosset uses one of each.`;
  return [note("RepeatsAlike", message, "Check the file if these were independent ratings.")];
}

/** The random terms were put there in advance: that the data need fewer is no fault of theirs. */
function fitNotes(model: ModelComparison): Diagnostic[] {
  const [fit] = fitsOf(model) as [LmmFit];
  const { preferences } = model;
  const idle = [...preferences]
    .filter(([, { variance }]) => variance < (IDLE * fit.residualSd) ** 2)
    .map(([name]) => name);
  const others = fit.diagnostics.filter(({ code }) => code !== "SingularFit");
  if (idle.length === 0) return others;
  const message = `The variance of the difference over ${idle.join(" and ")} is estimated as 0; the result is that of the simpler model.`;
  return [...others, note("NoVariance", message, "")];
}

/** Nobody asked for it, and there are too many items for degrees of freedom. */
const isNormal = (fits: readonly LmmFit[], { ddf }: ModelOptions): boolean =>
  ddf === undefined && fits.some((fit) => fit.ddf === "none");

/** Without degrees of freedom a score has those of the facet with the fewest levels, whose spread it has at the most. */
function boundsOverFew(repeated: readonly RepeatedFacet[], confidence: number) {
  const df = leastOf(repeated.map(({ levels }) => levels)) - 1;
  const critical = df < 1 ? Number.POSITIVE_INFINITY : tQuantileUpper((1 - confidence) / 2, df);
  return ({ estimate, se }: MarginalMean): { lower: number; upper: number } => ({
    lower: estimate - critical * se,
    upper: estimate + critical * se,
  });
}

function normalNote({ items }: Matched): Diagnostic {
  return note(
    "NormalTest",
    `${items.length} items are too many for degrees of freedom by Satterthwaite, so the model uses the normal distribution for t. The difference must also be significant in t tests over every other facet of the claim.`,
    "",
  );
}

/** Standard deviations below this share of the residual one are zeros of the optimiser. */
const IDLE = 1e-4;
/** p-values of the simpler model that are this much smaller are worth a sentence. */
const SMALLER = 0.8;
const MOST_CLAIMS = 3;

/** Repeats that count as items make everything look surer than it is: say by how much. */
function naiveNote(
  { naive, means, within }: ModelComparison,
  { pairs, alpha }: { readonly pairs: readonly ComparedPair[]; readonly alpha: number },
): Diagnostic[] {
  if (naive === undefined) return [];
  const own = (within ?? means).contrasts;
  const both = naive.means.contrasts.map(({ p }, k) => ({
    p,
    own: within === undefined ? pairs[k]!.p : own[k]!.p,
    name: nameOf(own[k]!, pairs, k),
  }));
  const changed = both.filter((x) => x.p < alpha && x.own >= alpha);
  const listed = changed.slice(0, MOST_CLAIMS).map((x) => `${x.name} with ${formatP(x.p)} (here ${formatP(x.own)})`);
  const more = changed.length > MOST_CLAIMS ? `, and ${changed.length - MOST_CLAIMS} more differences` : "";
  if (changed.length === 0 && !both.some((x) => x.p < SMALLER * x.own && x.own < SMALLER)) return [];
  const claims = changed.length === 0 ? "the same with smaller p-values" : `${listed.join("; ")}${more}`;
  return [
    note(
      "RowsHangTogether",
      `A model without slopes of system (${naive.formula}) would claim ${claims}. It ignores that rows of one system with the same item, rater or cluster are correlated.`,
      "",
    ),
  ];
}

function nameOf({ within }: MarginalContrast, pairs: readonly ComparedPair[], k: number): string {
  const { a, b } = pairs[k % pairs.length]!;
  return within === undefined ? `${b} - ${a}` : `${b} - ${a} in ${Object.values(within).join(", ")}`;
}
