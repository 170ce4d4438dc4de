/** The tests that compare two systems on the same items, by their names on the command line. */

import type { Rng } from "../../../numeric/rng.ts";
import type { PAIR_TESTS } from "../../../question/choices.ts";
import { type Permutation, permutePaired } from "../../../resample/permutation.ts";
import { permutePairedScores } from "../../../resample/permutation-scores.ts";
import { StatError } from "../../../result/error.ts";
import { formatP } from "../../../result/number-format.ts";
import { pairedTable } from "../../paired-table.ts";
import type { TestResult } from "../../test-result.ts";
import { bootstrapScoreTest, bootstrapTest } from "../../tests/bootstrap-test.ts";
import { type McnemarMethod, pOfTable } from "../../tests/mcnemar.ts";
import { clusteredMcnemarTest } from "../../tests/mcnemar-clustered.ts";
import { signTest } from "../../tests/sign-test.ts";
import { pairedTTest } from "../../tests/t-test.ts";
import { wilcoxonTest } from "../../tests/wilcoxon.ts";
import { gainsOf, isBinary, type PairedItems, tableOf } from "./items.ts";

export type TestName = (typeof PAIR_TESTS)[number];
/** A test of items, or a mixed model of all scores. */
export type ComparisonTest = TestName | "model" | "boschloo" | "two-sample permutation" | "studentised permutation";

export interface PairTest {
  readonly name: ComparisonTest;
  /** As a sentence names it: "exact permutation test". */
  readonly label: string;
  readonly statistic: number;
  readonly p: number;
  /** Monte-Carlo draws, 0 if there were none, and the standard error that they leave in p. */
  readonly replicates: number;
  readonly monteCarloSe: number;
}

export interface PairTestOptions {
  readonly clusters?: Int32Array | undefined;
  readonly replicates?: number | undefined;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

const MCNEMAR: Partial<Record<TestName, McnemarMethod>> = {
  mcnemar: "asymptotic",
  "mcnemar-cc": "corrected",
  "mcnemar-exact": "exact",
  "mcnemar-midp": "mid-p",
  "mcnemar-unconditional": "unconditional",
};
/** McNemar's test by the name of its method, if the test of 0/1 scores is one: swapping items and counting signs are the exact one. */
export const mcnemarMethodOf = (name: ComparisonTest): McnemarMethod | undefined =>
  name === "permutation" || name === "sign" ? "exact" : MCNEMAR[name as TestName];

const REPLICATES = 10_000;

/** Those that have no interval of their own. */
type PlainTest = Exclude<TestName, "multi-bootstrap" | "skewness-adjusted-t">;

export function runPairTest(name: PlainTest, items: PairedItems, options: PairTestOptions): PairTest {
  if (name === "permutation") return permutationTest(items, options);
  if (name === "bootstrap") return shiftTest(items, options);
  if (items.kind === "statistics") throw noItemScores(name, items);
  return itemTest(name, items, options);
}

export const noItemScores = (name: TestName, { a }: Extract<PairedItems, { kind: "statistics" }>): StatError =>
  new StatError(
    "NoItemScores",
    `the ${name} test needs a score for each item, and ${a.metric.name} belongs to the whole set.`,
    "Use option `test: permutation` or option `test: bootstrap`.",
  );

export const noClusteredTest = (name: TestName): StatError =>
  new StatError(
    "NoClusteredTest",
    `the ${name} test assumes independent items, but these are clustered.`,
    "Use option `test: permutation`, t or bootstrap, or use option `cluster: none` if the items are independent.",
  );

/** Swapping G clusters has 2^(G-1) outcomes: below this number of clusters it can hardly reach any level, and t with the df that so few
 *  clusters leave is the better test. */
const CLUSTERS_TO_SWAP = 12;

/** With fewer data sets signed ranks cannot reach 0.05. */
const DATA_SETS_TO_RANK = 6;

/** `dataSets`: each item is a data set with one number. `several`: intervals of several pairs are simultaneous, and those of clusters are t's. */
export function chooseTest(
  items: PairedItems,
  clusters?: Int32Array,
  { dataSets = false, several = false }: { readonly dataSets?: boolean; readonly several?: boolean } = {},
): TestName {
  if (items.kind === "statistics") return "permutation";
  if (clusters !== undefined) return several || new Set(clusters).size < CLUSTERS_TO_SWAP ? "t" : "permutation";
  // where every item is won by one of them the mid-p test exceeds its level, by up to 2 points
  if (isBinary(items.a) && isBinary(items.b))
    return items.a.every((own, i) => own !== items.b[i]) ? "mcnemar-exact" : "mcnemar-midp";
  const ranked = dataSets && items.runs === undefined && items.a.length >= DATA_SETS_TO_RANK;
  return ranked ? "wilcoxon" : "skewness-adjusted-t";
}

const USUAL: Partial<Record<TestName, string>> = {
  "mcnemar-midp": "McNemar's mid-p test",
  "mcnemar-exact": "McNemar's exact test",
  t: "the cluster-robust t test",
  wilcoxon: "Wilcoxon's signed-rank test over data sets",
  "skewness-adjusted-t": "the skewness-adjusted t test",
};

/** Why this test: one line for the reader. */
export function explainTest(
  name: ComparisonTest,
  items: PairedItems,
  {
    clusters,
    dataSets = false,
    several = false,
  }: {
    readonly clusters?: Int32Array | undefined;
    readonly dataSets?: boolean | undefined;
    readonly several?: boolean | undefined;
  } = {},
): string {
  const usual = chooseTest(items, clusters, { dataSets, several });
  if (name !== usual) return `${name}, as requested; the default here is ${USUAL[usual] ?? "the permutation test"}.`;
  if (name === "wilcoxon" && items.kind === "scores") return explainRanks(items);
  if (name === "skewness-adjusted-t") {
    return "scores on the same items: a t test adjusted for the skewness of the differences. Skewed differences bias plain t and permutation tests.";
  }
  if (name === "mcnemar-exact")
    return "every item is right for one system and wrong for the other: McNemar's exact test.";
  if (name === "mcnemar-midp")
    return "right and wrong answers on the same items: McNemar's mid-p test, whose false-positive rate is at most 5.3 % wherever at most nine of ten items differ (enumeration at 5 %); option `test: mcnemar-exact` never exceeds the level, at the price of power.";
  if (name === "t") {
    const count = new Set(clusters).size;
    const why = count < CLUSTERS_TO_SWAP ? ", too few for a permutation test" : "";
    return `items in ${count} clusters${why}: t with a cluster-robust standard error (CR2) and its degrees of freedom.`;
  }
  const units = clusters === undefined ? "item by item" : "cluster by cluster";
  if (items.kind === "statistics") {
    return `${items.a.metric.name} is not a mean over items: a permutation of the systems ${units}, with the whole set scored again, is valid for any metric.`;
  }
  const what = isBinary(items.a) && isBinary(items.b) ? "right and wrong answers" : "scores";
  return `${what} on the same items, which are clustered: a permutation of the systems ${units}, which keeps correlated items together.`;
}

/** Demšar (2006), JMLR 7, section 3.1. */
function explainRanks({ a, b }: Extract<PairedItems, { kind: "scores" }>): string {
  const gains = gainsOf(a, b);
  const [ahead, behind] = [gains.filter((d) => d > 0).length, gains.filter((d) => d < 0).length];
  const counts = `higher on ${ahead} data sets, lower on ${behind}`;
  return `one number for each data set: signed ranks of the differences, which need no common scale. The interval is for the Hodges-Lehmann estimate. The sign test (${counts}) has ${formatP(signTest(b, a).p)}.`;
}

function permutationTest(items: PairedItems, { clusters, replicates, rng, onProgress }: PairTestOptions): PairTest {
  const options = {
    rng,
    ...(clusters ? { clusters } : {}),
    replicates,
    ...(onProgress ? { onProgress } : {}),
  };
  if (items.kind === "scores") return describePermutation(permutePaired(gainsOf(items.a, items.b), options));
  const { a, b } = items;
  const scoreOf = (sums: Float64Array): number => a.metric.scoreOf(sums);
  return describePermutation(permutePairedScores({ a: b.data, b: a.data, width: a.width, scoreOf }, options));
}

export function describePermutation({ statistic, p, method, replicates, monteCarloSe }: Permutation): PairTest {
  const label =
    method === "exact" ? "exact permutation test" : `permutation test, ${replicates.toLocaleString("en")} random swaps`;
  return { name: "permutation", label, statistic, p, replicates, monteCarloSe };
}

/** bootstrapTest of B against A. */
function shiftTest(items: PairedItems, { replicates = REPLICATES, ...rest }: PairTestOptions): PairTest {
  const options = { ...rest, replicates };
  const { statistic, p } =
    items.kind === "scores"
      ? bootstrapTest(items.b, items.a, options)
      : bootstrapScoreTest(
          {
            a: items.b.data,
            b: items.a.data,
            width: items.a.width,
            scoreOf: (sums: Float64Array): number => items.a.metric.scoreOf(sums),
          },
          options,
        );
  const label = `bootstrap shift test, ${replicates.toLocaleString("en")} draws`;
  return { name: "bootstrap", label, statistic, p, replicates, monteCarloSe: Math.sqrt((p * (1 - p)) / replicates) };
}

function itemTest(
  name: PlainTest,
  { a, b }: Extract<PairedItems, { kind: "scores" }>,
  { clusters }: PairTestOptions,
): PairTest {
  const method = MCNEMAR[name];
  if (method !== undefined) {
    if (clusters === undefined) {
      const { title, statistic, p } = pOfTable(isBinary(a) && isBinary(b) ? tableOf(a, b)! : pairedTable(b, a), method);
      return fromResult(name, { method: title, statistic, p });
    }
    return fromResult(name, clusteredMcnemarTest(b, a, { clusters }));
  }
  if (name === "t") return fromResult(name, pairedTTest(b, a, clusters ? { clusters } : {}));
  if (clusters !== undefined) throw noClusteredTest(name);
  return fromResult(name, name === "sign" ? signTest(b, a) : wilcoxonTest(b, a));
}

function fromResult(
  name: TestName,
  { method, statistic, p }: Pick<TestResult, "method" | "statistic" | "p">,
): PairTest {
  // within a sentence only people keep their capital
  const label = method.replace(/^(Paired|Sign) /, (word) => word.toLowerCase());
  return { name, label, statistic, p, replicates: 0, monteCarloSe: 0 };
}
