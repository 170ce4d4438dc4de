/** Systems that were run on different items: two independent samples, which say much less than the same items would.
 *    0/1 scores       Boschloo's test and the interval that inverts it
 *    other scores     the same with Welch's t, recomputed for every deal: spreads and sizes may differ; the interval of those deals. Where there
 *                     are too few deals for a small p: Welch's t test
 *    clustered items  t with CR2 errors
 *  Reference: Newcombe (1998), Stat. Med. 17, 873; Janssen (1997), Stat. Probab. Lett. 36; Welch (1947), Biometrika 34; Bell & McCaffrey (2002).
 *  Oracle:    the tests' own (tests/boschloo.ts, resample/permutation-studentised.ts, resample/permutation-two-sample.ts, tests/t-test.ts).
 *  Limits:    nothing tells a better system from easier items. Equivalence and mde80 are those of Welch's t. */

import { fingerprint } from "../../data/fingerprint.ts";
import {
  asFactor,
  column,
  factorColumn,
  makeTable,
  numericColumn,
  selectColumns,
  type Table,
} from "../../data/table.ts";
import { boundsOf, checkMargin, rangeByName, type ScoreRange, SHARE_BOUNDS } from "../../metrics/range.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { settleTies } from "../../numeric/ties.ts";
import { spreadOfMean } from "../../resample/mean-spread.ts";
import type { Permutation } from "../../resample/permutation.ts";
import { permuteStudentised } from "../../resample/permutation-studentised.ts";
import { permuteTwoSample } from "../../resample/permutation-two-sample.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import { independentSystems, jointTests } from "../joint-tests.ts";
import { adjustP, apart, DEFAULT_ADJUSTMENT } from "../multiplicity.ts";
import { boschlooTest, type ShareInterval } from "../tests/boschloo.ts";
import { differenceInterval } from "../tests/proportions.ts";
import { assembleComparison } from "./assemble.ts";
import type { Comparison } from "./comparison.ts";
import { listPairs, type PlainPair } from "./conclude.ts";
import { spreadNotes } from "./diagnose.ts";
import { type Cells, readCells } from "./matching/cells.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import type { Facet } from "./pair/facets.ts";
import { isBinary } from "./pair/items.ts";
import type { Interval, PairComparison } from "./pair/pair.ts";
import { detectableDifference, middleSe } from "./pair/sensitivity.ts";
import { describePermutation, type PairTest } from "./pair/tests.ts";
import { testEquivalence } from "./pair/verdict.ts";
import { cutDifference, isShareMean } from "./scale.ts";
import { chooseScope } from "./scope.ts";
import {
  classesOf,
  compareWithin,
  findOtherMix,
  refuseThinClasses,
  type Stratified,
  type StratifiedSample,
  standardized,
} from "./strata.ts";
import { scoreMean } from "./system-scores.ts";
import type { TableOptions } from "./table.ts";

/** Mean scores of the items of one system. */
interface Sample {
  readonly items: readonly number[];
  /** First row of each item. */
  readonly rows: Int32Array;
  readonly scores: Float64Array;
  readonly counts: Int32Array;
  readonly clusters?: Int32Array;
}

export interface UnpairedOptions extends TableOptions {
  /** Compares within the classes of this property of the items, and averages over them. */
  readonly by?: string | undefined;
  readonly cuts?: readonly number[] | undefined;
  /** Of 0/1 scores. */
  readonly interval?: ShareInterval | undefined;
}

export function compareUnpaired(table: Table, columns: ComparisonColumns, options: UnpairedOptions): Comparison {
  const { systems, metric = columns.score, units: named = "items", margin } = options;
  const {
    alpha = 0.05,
    confidence = 0.95,
    adjust = DEFAULT_ADJUSTMENT,
    rng = makeRng("1"),
    onProgress: _,
    ...choices
  } = options;
  const { higherIsBetter = metricDirection(columns.score) ?? null } = options;
  const cells = readCells(table, columns, systems);
  const whole = systems.map((name, s) => collectSample(table, columns, { cells, system: s, name }));
  const grouped = whole.every(({ clusters }) => clusters !== undefined);
  const scope = chooseScope(grouped ? ["items", "clusters"] : ["items"], options.scope);
  const samples: readonly Sample[] = scope.includes("clusters")
    ? whole
    : whole.map(({ clusters: _, ...sample }) => sample);
  const share = samples.every(isShareSample);
  // items that several systems met would be counted once for each
  const shared = new Set(samples.flatMap(({ items }) => items)).size < samples.flatMap(({ items }) => items).length;
  const units = shared ? "scores" : named;
  const scale = scaleOfSamples(samples, metric, share);
  checkMargin(
    margin,
    share
      ? SHARE_BOUNDS
      : boundsOf(
          metric,
          samples.flatMap(({ scores }) => Array.from(scores)),
        ),
  );
  const strata = options.by === undefined ? undefined : classesOf(table, options.by, options.cuts);
  const stratified = (codes: Int32Array, { scores, rows }: Sample): StratifiedSample => ({
    scores,
    classes: Int32Array.from(rows, (row) => codes[row]!),
  });
  const properties = propertiesOf(table, columns);
  const which = listPairs(systems.length, options.pairs ?? "all");
  const joint =
    adjust !== "max-t" || which.length === 1
      ? undefined
      : jointTests(independentSystems(systems.length, samples.map(varianceOfMean)), which);
  const level = joint === undefined ? confidence : 1 - joint.levelFor(1 - confidence);
  const plain = which.map(([a, b], k): PlainPair => {
    const [x, y] = [samples[a]!, samples[b]!];
    const found =
      strata === undefined
        ? compareSamples(x, y, { ...options, alpha, confidence: level, rng: rng.stream(k) })
        : comparedWithin(
            compareWithin(stratified(strata.codes, x), stratified(strata.codes, y), strata.levels) ??
              refuseThinClasses(options.by!),
            { alpha, confidence: level },
          );
    const opposed =
      strata !== undefined || !(found.test.p < alpha)
        ? undefined
        : findOtherMix(table, properties, {
            samplesBy: (codes) => [stratified(codes, x), stratified(codes, y)],
            names: [systems[a]!, systems[b]!],
            found: { difference: found.difference, p: found.test.p, alpha },
          });
    const result = {
      ...found,
      ci: { ...cutDifference(found.ci, scale), level: confidence },
      ...(opposed === undefined ? {} : { opposed }),
    };
    const sizes = [y.scores.length, x.scores.length];
    const n = sizes[0]! + sizes[1]!;
    return {
      a,
      b,
      result,
      sample: {
        where: `on ${sizes.join(" and ")} ${units}${shared ? "" : " of their own"}`,
        these: `these ${n} ${units}`,
      },
      now: { items: n, repeats: 1 },
      ...(margin === undefined ? {} : { equivalence: testEquivalence(result, margin, higherIsBetter) }),
    };
  });
  const claims = plain.map(({ result }) => result.test.p);
  const adjusted = joint === undefined ? adjustP(claims, apart(adjust)) : claims.map(joint.adjust);
  const several = samples.some(({ counts }) => counts.some((count) => count > 1));
  // who scored, and in which run, is averaged over: the verdict is for these
  const held: readonly (readonly [Facet, string | undefined])[] = [
    ["raters", columns.rater],
    ["runs", several ? columns.repeat : undefined],
    ["clusters", grouped && !scope.includes("clusters") ? columns.cluster : undefined],
  ];
  const used = Object.values(columns).filter((name) => typeof name === "string" && table.columns.has(name)) as string[];
  const found = {
    signature: {
      method: "comparison",
      version: GOSSET_VERSION,
      options: { columns, unpaired: true, higherIsBetter, alpha, confidence, adjust, ...choices },
      data: fingerprint(selectColumns(table, [...new Set(used)])),
      seed: rng.seed,
    },
    input: { systems, metric, higherIsBetter, units },
    options: { alpha, margin },
    ...{
      plain,
      p: adjusted,
      adjust,
      simultaneous: joint !== undefined,
      pairAlpha: joint?.levelFor(alpha),
      scope,
      share,
      scale,
    },
    scores: systems.map((name, s) => {
      const { scores: own, clusters } = samples[s]!;
      if (strata !== undefined) {
        const all = samples.map((sample) => stratified(strata.codes, sample));
        const rawMean = mean(own);
        return { name, ...standardized(all[s]!, all, { levels: strata.levels, confidence }), rawMean };
      }
      return { name, ...scoreMean(own, { confidence, share, ...(clusters ? { clusters } : {}) }) };
    }),
    n: samples.reduce((sum, { scores: own }) => sum + own.length, 0),
    repeated: held
      .map(([facet, name]) => ({ facet, levels: countLevels(table, name) }))
      .filter(({ levels }) => levels > 1),
    paired: false,
  };
  return assembleComparison(found, ({ pairs, main, scores, style }) => ({
    diagnostics: [
      ...diagnoseSamples(samples, named),
      ...spreadNotes(pairs, scores, { style, clustered: grouped && scope.includes("clusters") }),
    ],
    testChoice: options.by === undefined ? explain(main.test) : explainWithin(options.by),
  }));
}

/** By Welch's errors of each class. */
function comparedWithin(
  { scoreA, scoreB, difference, se, df, p }: Stratified,
  { alpha, confidence }: { readonly alpha: number; readonly confidence: number },
): PairComparison {
  const half = se > 0 ? tQuantileUpper((1 - confidence) / 2, df) * se : Number.NaN;
  return {
    ...{ scoreA, scoreB, difference, se, df },
    ci: { lower: difference - half, upper: difference + half, level: confidence, method: "Welch t over classes" },
    test: {
      ...{ name: "t", label: "t test within classes", statistic: difference / se, p },
      ...{ replicates: 0, monteCarloSe: 0 },
    },
    mde80: detectableDifference(se, df, { alpha }),
  };
}

const explainWithin = (by: string): string =>
  `different items for each system: the difference within each class of ${by}, weighted by the classes' proportion of all items (t, errors of each class, Satterthwaite's df).`;

/** Columns without a role. */
function propertiesOf(table: Table, { system, item, score, rater, repeat }: ComparisonColumns): string[] {
  const taken = new Set([system, item, score, rater, repeat]);
  return [...table.columns].flatMap(([name, cells]) => (taken.has(name) || cells.kind !== "factor" ? [] : [name]));
}

const countLevels = (table: Table, name: string | undefined): number => {
  const cells = name === undefined ? undefined : table.columns.get(name);
  return cells === undefined ? 0 : new Set(asFactor(cells).codes).size;
};

function collectSample(
  table: Table,
  columns: ComparisonColumns,
  { cells, system, name }: { readonly cells: Cells; readonly system: number; readonly name: string },
): Sample {
  const { itemOf, systemOf, score } = cells;
  const sums = new Map<number, { sum: number; count: number; row: number }>();
  for (let row = 0; row < table.rows; row++) {
    if (systemOf[row] !== system || itemOf[row]! < 0 || Number.isNaN(score[row]!)) continue;
    const own = sums.get(itemOf[row]!) ?? { sum: 0, count: 0, row };
    own.sum += score[row]!;
    own.count += 1;
    sums.set(itemOf[row]!, own);
  }
  if (sums.size < 2) {
    throw new StatError(
      "TooFewItems",
      `${name} has ${sums.size === 0 ? "no scored item" : "one scored item"}, too few for a comparison.`,
      "Give more items, or name another score with option `metric`.",
    );
  }
  const found = [...sums.values()];
  const scores = Float64Array.from(found, ({ sum, count }) => sum / count);
  const groups = columns.cluster === undefined ? undefined : asFactor(column(table, columns.cluster)).codes;
  const clusters = groups && Int32Array.from(found, ({ row }) => groups[row]!);
  const distinct = new Set(clusters).size;
  const usable =
    clusters !== undefined && distinct > 1 && distinct < found.length && clusters.every((code) => code >= 0);
  return {
    items: [...sums.keys()],
    rows: Int32Array.from(found, ({ row }) => row),
    scores,
    counts: Int32Array.from(found, ({ count }) => count),
    ...(usable ? { clusters } : {}),
  };
}

const isShareSample = ({ scores, counts }: Sample): boolean => scores.every((v, i) => isShareMean(v, counts[i]!));

/** Of all samples together. */
function scaleOfSamples(samples: readonly Sample[], metric: string, share: boolean): ScoreRange | undefined {
  if (share) return [0, 1];
  const known = samples.map(({ scores }) => rangeByName(metric, scores));
  const [first] = known;
  return known.every((range) => range?.[0] === first?.[0] && range?.[1] === first?.[1]) ? first : undefined;
}

interface SampleOptions extends UnpairedOptions {
  readonly alpha: number;
  readonly confidence: number;
  readonly rng: Rng;
}

/** B - A. */
function compareSamples(a: Sample, b: Sample, options: SampleOptions): PairComparison {
  const { alpha, confidence, test = "permutation" } = options;
  if (test !== "permutation" && test !== "t") {
    throw new StatError(
      "NotUnpaired",
      `the ${test} test needs the same items for both systems.`,
      "With option `unpaired` use option `test: permutation` or t.",
    );
  }
  const measured = measure(a, b);
  const clustered = a.clusters !== undefined && b.clusters !== undefined;
  const mde80 = detectableDifference(clustered ? middleSe(measured) : measured.se, measured.df, { alpha });
  const byT = welch(measured, clustered, confidence);
  if (clustered && options.test === "permutation") {
    throw new StatError(
      "NotUnpaired",
      "items in clusters are not exchangeable one by one, so a permutation test does not apply.",
      "Use option `test: t`, or use option `cluster: none` if the items are independent.",
    );
  }
  if (clustered) return { ...measured, ...byT, mde80 };
  if (isBinary(a.scores) && isBinary(b.scores)) {
    if (options.test === undefined) return { ...measured, ...boschloo(a, b, options), mde80 };
    const own = test === "t" ? byT.test : permute(a, b, options);
    return { ...measured, ci: newcombe(a, b, confidence), test: own, mde80 };
  }
  const few = options.test === undefined && areFewDeals(a, b, alpha);
  const own = few || test === "t" ? byT : permuteWelch(a, b, options);
  return { ...measured, ...own, mde80 };
}

type Measured = Pick<PairComparison, "scoreA" | "scoreB" | "difference" | "se" | "df">;

function measure(a: Sample, b: Sample): Measured {
  const [scoreA, scoreB] = [mean(a.scores), mean(b.scores)];
  const shared = { scoreA, scoreB, difference: scoreB - scoreA };
  if (a.clusters !== undefined && b.clusters !== undefined) {
    // a cluster that both systems met is one cluster
    const table = makeTable([
      ["score", numericColumn([...a.scores, ...b.scores])],
      ["system", factorColumn([...Array.from(a.scores, () => "a"), ...Array.from(b.scores, () => "b")])],
      ["cluster", factorColumn([...a.clusters, ...b.clusters].map((code) => `c${code}`))],
    ]);
    const { se, df } = fitLm("score ~ system", table, { cluster: "cluster" }).coefficients[1]!;
    return { ...shared, se, df };
  }
  const [va, vb] = [variance(a.scores) / a.scores.length, variance(b.scores) / b.scores.length];
  const df = (va + vb) ** 2 / (va ** 2 / (a.scores.length - 1) + vb ** 2 / (b.scores.length - 1));
  return { ...shared, se: Math.sqrt(va + vb), df };
}

type Tested = Pick<PairComparison, "test" | "ci">;

function welch({ difference, se, df }: Measured, clustered: boolean, confidence: number): Tested {
  const statistic = difference / se;
  const label = clustered ? "two-sample t test with clusters (CR2)" : "Welch's t test";
  // no spread at all is no certainty
  const half = se > 0 ? tQuantileUpper((1 - confidence) / 2, df) * se : Number.NaN;
  const method = clustered ? "CR2 t" : "Welch t";
  return {
    test: { name: "t", label, statistic, p: 2 * tSf(Math.abs(statistic), df), replicates: 0, monteCarloSe: 0 },
    ci: { lower: difference - half, upper: difference + half, level: confidence, method },
  };
}

const hits = ({ scores }: Sample): number => scores.reduce((sum, v) => sum + v, 0);

function boschloo(a: Sample, b: Sample, { confidence, interval = "boschloo" }: SampleOptions): Tested {
  const successes = [hits(a), hits(b)] as const;
  const trials = [a.scores.length, b.scores.length] as const;
  const { lower, upper, p, difference, method } = boschlooTest({ successes, trials }, confidence);
  const label = method === "score" ? "score test of two proportions" : "Boschloo's test";
  const own = { lower, upper, level: confidence, method: method === "score" ? "score test" : "Boschloo" };
  return {
    test: { name: "boschloo", label, statistic: difference, p, replicates: 0, monteCarloSe: 0 },
    ci: interval === "newcombe" ? newcombe(a, b, confidence) : own,
  };
}

function newcombe(a: Sample, b: Sample, confidence: number): Interval {
  const ends = differenceInterval([hits(b), hits(a)], [b.scores.length, a.scores.length], { confidence });
  return { ...ends, level: confidence, method: "Newcombe" };
}

/** Of equal samples a deal and its mirror image are as far out as each other: with fewer deals than 2/α no p is below α. */
function areFewDeals(a: Sample, b: Sample, alpha: number): boolean {
  const [n, m] = [a.scores.length, b.scores.length];
  let deals = 1;
  for (let i = 1; i <= Math.min(n, m) && deals * alpha < 2; i++) deals *= (n + m + 1 - i) / i;
  return deals * alpha < 2;
}

/** The scores with their ties settled, B's first. */
function dealt(a: Sample, b: Sample, { rng, replicates, onProgress }: SampleOptions) {
  const [own, other] = settleTies(b.scores, a.scores);
  const options = {
    rng,
    replicates,
    ...(onProgress ? { onProgress } : {}),
  };
  return { own: own!, other: other!, options };
}

function permute(a: Sample, b: Sample, about: SampleOptions): PairTest {
  const { own, other, options } = dealt(a, b, about);
  return describeDeals(permuteTwoSample(own, other, options), "two-sample permutation");
}

function permuteWelch(a: Sample, b: Sample, about: SampleOptions): Tested {
  const { own, other, options } = dealt(a, b, about);
  const { confidence } = about;
  const found = permuteStudentised(own, other, { ...options, confidence });
  const { lower, upper } = found;
  return {
    test: describeDeals(found, "studentised permutation"),
    ci: { lower, upper, level: confidence, method: "studentised permutation" },
  };
}

function describeDeals(found: Permutation, name: "two-sample permutation" | "studentised permutation"): PairTest {
  const { label, ...test } = describePermutation(found);
  return { ...test, name, label: label.replace("permutation", name).replace("swaps", "deals") };
}

function explain({ name, label }: PairTest): string {
  if (name === "two-sample permutation") {
    return "different items for each system: a permutation of the items between the systems, which assumes one population of items.";
  }
  return name === "studentised permutation"
    ? "different items for each system: a permutation of the items between the systems with Welch's t as the statistic, which allows for unequal variances."
    : `different items for each system: ${label}.`;
}

function diagnoseSamples(samples: readonly Sample[], units: string): Diagnostic[] {
  if (units === "rows") {
    const message =
      "Gosset found no column of items, so each row counts as an item. If several rows belong to one item, p is too small.";
    return [warning("RowsAsItems", message, "Name the column with option `item`.")];
  }
  const [first, ...others] = samples.map(({ items }) => new Set(items));
  const shared = [...first!].filter((item) => others.every((set) => set.has(item))).length;
  const different = warning(
    "DifferentItems",
    "The systems ran on different items, so a difference may be one between the items.",
    "Run the systems on the same items if you can.",
  );
  if (shared === 0) return [different];
  const message = `${shared} items are common to all systems, but option \`unpaired\` ignores that.`;
  return [warning("SharedItems", message, "Leave option `unpaired` out: a paired comparison is more precise.")];
}

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;

function variance(values: Float64Array): number {
  const center = mean(values);
  return values.reduce((sum, v) => sum + (v - center) ** 2, 0) / (values.length - 1);
}

const varianceOfMean = ({ scores, clusters }: Sample): number => spreadOfMean(scores, clusters).se ** 2;
