/** Bootstrap interval and shift test of a difference of means or of any score of summed item statistics.
 *  Shift test: see resample/shift-test.ts.
 *  Items, or whole clusters, are drawn; with several runs of each system runs are drawn too (multi-bootstrap).
 *  Reference: Riezler & Hagmann (2021), Alg. 4.1; Noreen (1989); Efron & Tibshirani (1993); Sellam et al. (2022), ICLR.
 *  Oracle:    boot (R) with stored indices; the t test for large normal samples.
 *  Limits:    too sure for few items or clusters (below about 30); the permutation test is exact there. */

import { makeRng, type Rng } from "../../numeric/rng.ts";
import { bootstrapMean, bootstrapScores, type Replicates } from "../../resample/bootstrap.ts";
import { type BootstrapIntervalType, intervalFromReplicates } from "../../resample/intervals.ts";
import { multiBootstrap, type RunScores } from "../../resample/multi-bootstrap.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import type { PairedStatistics } from "../../resample/permutation-scores.ts";
import { shiftTest } from "../../resample/shift-test.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { clustersOf, pairedSample } from "../samples.ts";
import { makeTest, nullSeries, type TestOptions, type TestResult } from "../test-result.ts";
import { differenceOf, sideBySide } from "./permutation-test.ts";

export interface BootstrapTestOptions extends TestOptions {
  readonly interval?: BootstrapIntervalType | undefined;
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly clusters?: Int32Array | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

const REPLICATES = 10_000;
/** Fewer units than this leave intervals too narrow and p too small. */
const FEW_UNITS = 100;
/** Of single answers, right or wrong, fewer than this. */
const FEW_ANSWERS = 20;

/** Of differences of single answers, right or wrong: rates in docs/methods/bootstrap.md. */
export const keepsLevel = (differences: Float64Array): boolean =>
  differences.length >= FEW_ANSWERS && differences.every((d) => d === 0 || d === 1 || d === -1);

/** The rates are of docs/methods/bootstrap.md. */
export function fewDrawnNotes(n: number, units = "independent units"): Diagnostic[] {
  if (n >= FEW_UNITS) return [];
  const message = `${n} ${units} are few for the bootstrap, whose p is too small and whose intervals are too narrow: of equal systems with scores it calls 7.5 % different with 20 and 6.7 % with 50, and 10 % where differences are skewed, instead of 5 %.`;
  return [warning("FewUnits", message, "Use the permutation test or the t test.")];
}

/** Scores of two systems on the same items. */
export function bootstrapTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: BootstrapTestOptions = {},
): TestResult {
  const pairs = pairedSample(x, y);
  const clusters = clustersOf(options.clusters, x.length, pairs.kept);
  const settings = settingsOf(options);
  if (pairs.values.length === 0) throw new StatError("NoPairs", "no complete pairs.", "give scores of both systems.");
  const units = clusters ? clusterRows(pairs.values, clusters) : undefined;
  const replicates = units
    ? bootstrapScores({ rows: units, width: 2, scoreOf: (sums) => sums[0]! / sums[1]! }, settings)
    : bootstrapMean(pairs.values, settings);
  return finish(replicates, options, {
    method: clusters ? "Bootstrap shift test, clusters drawn" : "Bootstrap shift test",
    effect: "mean difference",
    n: units ? units.length / 2 : pairs.values.length,
    keepsLevel: units === undefined && keepsLevel(pairs.values),
    diagnostics: pairs.diagnostics,
    data: [pairs.x, pairs.y],
  });
}

/** Rows (sum, count), one per cluster. */
function clusterRows(values: Float64Array, clusters: Int32Array): Float64Array {
  const rows = new Float64Array(2 * values.length);
  values.forEach((v, i) => {
    rows[2 * i] = v;
    rows[2 * i + 1] = 1;
  });
  return sumByCluster(rows, clusters, 2);
}

/** Any score of summed item statistics. */
export function bootstrapScoreTest(data: PairedStatistics, options: BootstrapTestOptions = {}): TestResult {
  const { width, scoreOf } = data;
  const joined = sideBySide(data);
  const rows = options.clusters ? sumByCluster(joined, options.clusters, 2 * width) : joined;
  const replicates = bootstrapScores(
    { rows, width: 2 * width, scoreOf: differenceOf(width, scoreOf) },
    settingsOf(options),
  );
  return finish(replicates, options, {
    method: options.clusters
      ? "Bootstrap shift test of a corpus score, clusters drawn"
      : "Bootstrap shift test of a corpus score",
    effect: "difference of scores",
    n: rows.length / (2 * width),
    keepsLevel: false,
    diagnostics: [],
    data: [data.a, data.b],
  });
}

export interface MultiBootstrapTestOptions extends Omit<BootstrapTestOptions, "clusters" | "interval"> {
  readonly interval?: "percentile" | "basic" | "normal" | undefined;
  /** Run s of both systems belong together (same seed, same start). */
  readonly pairedRuns?: boolean | undefined;
}

/** Several runs of two systems on the same items: runs and items are drawn. */
export function multiBootstrapTest(a: RunScores, b: RunScores, options: MultiBootstrapTestOptions = {}): TestResult {
  const { replicates, rng } = settingsOf(options);
  const items = a.scores.length / a.runs;
  if (items !== b.scores.length / b.runs || !Number.isInteger(items) || (options.pairedRuns && a.runs !== b.runs)) {
    throw new StatError(
      "UnpairedLengths",
      `${a.runs} runs of ${items} items against ${b.runs} of ${b.scores.length / b.runs}.`,
      "give both systems the same items, and as many runs if runs are paired.",
    );
  }
  const { onProgress, pairedRuns = false } = options;
  const drawn = multiBootstrap(a, b, { replicates, rng, pairedRuns, ...(onProgress ? { onProgress } : {}) });
  const few = Math.min(a.runs, b.runs);
  const fewRuns = warning(
    "FewRuns",
    `${few} run${few === 1 ? "" : "s"} of a system say little about the spread of runs.`,
    "train or sample at least five.",
  );
  return finish(
    { ...drawn },
    { ...options, interval: options.interval ?? "percentile" },
    {
      method: `Multi-bootstrap over runs and items${pairedRuns ? ", runs paired" : ""}`,
      effect: "mean difference",
      n: items,
      // what it counts twice makes it too wide
      keepsLevel: true,
      diagnostics: few < 5 ? [fewRuns] : [],
      data: [a.scores, b.scores],
    },
  );
}

function settingsOf({ replicates = REPLICATES, rng = makeRng(1), interval, onProgress }: BootstrapTestOptions) {
  if (!Number.isInteger(replicates) || replicates < 1)
    throw new StatError("BadOption", `${replicates} replicates.`, "give a whole number above 0.");
  return { replicates, rng, studentize: interval === "studentized", ...(onProgress ? { onProgress } : {}) };
}

interface Described {
  readonly method: string;
  readonly effect: string;
  readonly n: number;
  /** The shift test keeps its level with as few units. */
  readonly keepsLevel: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly data: readonly Float64Array[];
}

/** A replicate value this common makes quantiles jump. */
const HEAVY_TIE = 0.1;

/** Where the replicates take few values, or the estimate is the most extreme of them. */
function tiesAndBorders(estimate: number, values: Float64Array): Diagnostic[] {
  const sorted = values.slice().sort();
  let [longest, run] = [1, 1];
  for (let i = 1; i < sorted.length; i++) {
    run = sorted[i] === sorted[i - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  const out: Diagnostic[] = [];
  if (longest / sorted.length > HEAVY_TIE) {
    const share = `${((100 * longest) / sorted.length).toFixed(0)} %`;
    const message = `one value makes up ${share} of the replicates: the ends of the interval jump from value to value, and their confidence is a rough one.`;
    out.push(note("HeavyTies", message, "use an exact test, or collect more items."));
  }
  if (estimate >= sorted[sorted.length - 1]! || estimate <= sorted[0]!) {
    const message =
      "no replicate goes beyond the estimate on one side: it lies at the border of what these items can give.";
    out.push(warning("AtTheBorder", message, "do not read the interval on that side; collect more items."));
  }
  return out;
}

function finish(
  found: Omit<Replicates, "jackknife"> & Partial<Replicates>,
  options: BootstrapTestOptions,
  described: Described,
): TestResult {
  const { alternative = "two-sided", confidence = 0.95, interval = "bca" } = options;
  const { replicates, rng } = settingsOf(options);
  const { estimate, values } = found;
  const { p, mean, sd } = shiftTest(found, alternative);
  const { effect, diagnostics, keepsLevel: known, ...rest } = described;
  const range = intervalFromReplicates({
    estimate,
    values,
    confidence,
    type: interval,
    ...(found.jackknife ? { acceleration: found.jackknife.acceleration, se: found.jackknife.se } : {}),
    ...(found.standardErrors ? { standardErrors: found.standardErrors } : {}),
  });
  const flat = !(sd > 0);
  const notes = [
    ...(flat
      ? [warning("NoSpread", "all replicates are equal: there is nothing to resample.", "check the scores.")]
      : []),
    ...(range.beyond
      ? [warning("FewReplicates", `${replicates} replicates are too few for this confidence.`, "draw more.")]
      : []),
    ...(!flat && Number.isNaN(range.lower)
      ? [warning("NoInterval", `the ${interval} interval is undefined here.`, "use the percentile interval.")]
      : []),
    ...(flat ? [] : tiesAndBorders(estimate, values)),
    ...(known ? [] : fewDrawnNotes(described.n)),
  ];
  return makeTest({
    ...rest,
    test: "bootstrap",
    hypothesis: "the difference is 0",
    alternative,
    confidence,
    statistic: estimate,
    statisticName: "difference",
    p,
    effect: {
      name: effect,
      value: estimate,
      se: sd,
      lower: range.lower,
      upper: range.upper,
      interval: `bootstrap, ${interval}`,
    },
    figures: { replicates, "bootstrap bias": mean - estimate },
    ...(flat
      ? {}
      : {
          series: nullSeries(
            values.map((value) => value - mean),
            estimate,
            { alternative, confidence },
          ),
        }),
    diagnostics: [...diagnostics, ...notes],
    options: { interval, replicates },
    seed: rng.seed,
  });
}
