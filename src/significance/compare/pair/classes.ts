/** Does the difference between systems depend on a class of the items, and how large is it in each? Classes differ in how far scores spread, and a
 *  model with one residual variance then claims too much of a small class that spreads far. Where every item lies in one class and has equally many
 *  scores of every system, an item's own difference is all that it says:
 *      within class c     t = d̄_c / (s_c/√n_c) on n_c - 1 df, its pairs adjusted as the model's
 *      over the classes   Welch's F of the differences; of several pairs the smallest p after Holm
 *  Elsewhere (raters, runs, clusters, unequal repeats, a class without spread) the model's F test of the interaction, with its df.
 *  Reference: Welch (1951), Biometrika 38; Holm (1979), Scand. J. Stat. 6.
 *  Oracle:    oneway.test and t.test (R), oracle/r/compare-classes.json; the model's F: anova of lmerTest, nested/type3-mixed.ts. */
import type { LmmFit } from "../../../models/lmm/lmm.ts";
import { warning } from "../../../result/diagnostic.ts";
import { formatNumber } from "../../../result/number-format.ts";
import type { Diagnostic } from "../../../result/result.ts";
import type { EmmeansResult } from "../../means/means.ts";
import { adjustP, adjustTests, criticalValue, type Family } from "../../multiplicity.ts";
import { type3Lmm } from "../../nested/type3-mixed.ts";
import { meanOf, varianceOf } from "../../samples.ts";
import { welchOneWay } from "../../tests/one-way.ts";
import type { Groups } from "../matching/matching.ts";

/** Whether the difference depends on the class. */
export interface Dependence {
  readonly method: "Welch's F over the items" | "F of the mixed model";
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

/** What a model found of the classes. */
interface Classed {
  readonly by?: string;
  readonly classes?: readonly { readonly name: string; readonly items: number }[];
  readonly groups?: Groups;
  readonly within?: EmmeansResult;
  readonly fit: LmmFit;
  readonly dependence?: Dependence;
}

/** Item i of system s at i + s * items. */
interface ItemScores {
  readonly items: readonly string[];
  readonly means: Float64Array;
  readonly counts: Int32Array;
}

export interface ClassOptions {
  readonly couples: readonly (readonly [number, number])[];
  readonly family: Family;
  readonly confidence: number;
  /** Whether the items are all that the claim is about, so that their differences stand for them. */
  readonly overItems: boolean;
}

export function compareClasses<M extends Classed>(model: M, scores: ItemScores, options: ClassOptions): M {
  const { by, within, groups, classes, fit } = model;
  if (by === undefined || within === undefined || groups === undefined) return model;
  const alone = scores.counts.every((count) => count === scores.counts[0]);
  const inOne = (classes ?? []).reduce((sum, { items }) => sum + items, 0) === scores.items.length;
  const samples =
    options.overItems && alone && inOne ? differencesBy(scores.means, groups, options.couples) : undefined;
  if (samples === undefined) {
    if (fit.ddf === "none") return model;
    const term = type3Lmm(fit).at(-1);
    if (term === undefined || !Number.isFinite(term.p)) return model;
    return { ...model, dependence: { method: "F of the mixed model", ...withoutName(term) } };
  }
  const dependence = testDependence(samples);
  return { ...model, within: withOwnSpread(within, by, { samples, options, groups }), dependence };
}

/** Where one spread stands for all classes and theirs differ twofold, the model is too sure of the class that spreads further. */
export function warnOfSpread({ by, groups, dependence }: Classed, { means }: ItemScores): Diagnostic[] {
  if (by === undefined || groups === undefined) return [];
  if (dependence?.method === "Welch's F over the items") return [];
  const [samples] = differencesOf(means, groups, [[0, 1]]);
  const spreads = samples!
    .map((values, c) => ({ name: groups.names[c]!, n: values.length, sd: Math.sqrt(varianceOf(values)) }))
    .filter(({ n }) => n >= FEWEST_FOR_SPREAD)
    .sort((a, b) => b.sd - a.sd);
  const [most, least] = [spreads[0], spreads.at(-1)];
  if (most === undefined || least === undefined || !(most.sd >= TWOFOLD * least.sd)) return [];
  const message = `items differ further between the systems in ${most.name} (SD ${formatNumber(most.sd)}) than in ${least.name} (${formatNumber(least.sd)}), and the model takes one spread for all: what it says within ${most.name} is too sure.`;
  return [warning("UnequalSpread", message, `Compare ${most.name} by itself with option \`where\`.`)];
}

/** Fewer items do not show a spread. */
const FEWEST_FOR_SPREAD = 5;
const TWOFOLD = 2;

const withoutName = ({ term: _, ...test }: ReturnType<typeof type3Lmm>[number]): Omit<Dependence, "method"> => test;

/** Of each pair, the items' differences by class. */
function differencesOf(
  means: Float64Array,
  { names, codes }: Groups,
  couples: ClassOptions["couples"],
): readonly (readonly Float64Array[])[] {
  const n = codes.length;
  return couples.map(([a, b]) => {
    const lists: number[][] = names.map(() => []);
    codes.forEach((code, i) => {
      lists[code]?.push(means[i + b * n]! - means[i + a * n]!);
    });
    return lists.map((list) => Float64Array.from(list));
  });
}

/** Nothing where a class does not spread. */
function differencesBy(means: Float64Array, groups: Groups, couples: ClassOptions["couples"]) {
  const samples = differencesOf(means, groups, couples);
  const filled = samples.flat().filter((list) => list.length > 0);
  return filled.every((list) => list.length > 1 && varianceOf(list) > 0) ? samples : undefined;
}

function testDependence(samples: readonly (readonly Float64Array[])[]): Dependence {
  const tests = samples.map((lists) => welchOneWay(lists.filter((list) => list.length > 0)));
  const adjusted = adjustP(
    tests.map(({ p }) => p),
    "holm",
  );
  const least = adjusted.indexOf(Math.min(...adjusted));
  const {
    statistic,
    df: [df1, df2],
  } = tests[least]!;
  return { method: "Welch's F over the items", statistic, df1, df2, p: adjusted[least]! };
}

/** The model's means, with the standard errors that each class has by itself. */
function withOwnSpread(
  within: EmmeansResult,
  by: string,
  about: {
    readonly samples: readonly (readonly Float64Array[])[];
    readonly options: ClassOptions;
    readonly groups: Groups;
  },
): EmmeansResult {
  const { samples, groups, options } = about;
  const { family, confidence } = options;
  const classes = new Set(within.contrasts.map((contrast) => contrast.within?.[by]));
  const contrasts = [...classes].flatMap((name) => {
    const own = within.contrasts.filter((contrast) => contrast.within?.[by] === name);
    const tested = own.map((contrast, k) => {
      const values = samples[k]![groups.names.indexOf(name!)]!;
      const estimate = meanOf(values);
      const se = Math.sqrt(varianceOf(values) / values.length);
      return { ...contrast, estimate, se, df: values.length - 1, statistic: estimate / se };
    });
    const p = adjustTests(
      tested.map(({ statistic }) => statistic),
      tested.map(({ df }) => df),
      family,
    );
    return tested.map((contrast, k) => {
      const half = criticalValue(family, contrast.df, confidence) * contrast.se;
      return { ...contrast, p: p[k]!, lower: contrast.estimate - half, upper: contrast.estimate + half };
    });
  });
  return { ...within, contrasts };
}
