/** What every test returns: hypothesis, statistic, p, and an effect with its interval. */

import { quantile } from "../data/moments.ts";
import type { FieldsOf } from "../models/fit.ts";
import { type MarkedBin, markedHistogram } from "../numeric/histogram.ts";
import type { Scatter } from "../numeric/straight-line.ts";
import type { Alternative } from "../resample/permutation.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display, DisplayTable } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { Fingerprint } from "../result/fingerprint.ts";
import { formatNumber } from "../result/number-format.ts";
import { present } from "../result/present.ts";
import { type Diagnostic, type Estimate, makeResult, type Result, type ResultJson } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";

export interface TestInterval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: string;
}

export interface TestResult extends Result<"test"> {
  /** Short name, as on the command line. */
  readonly test: string;
  readonly method: string;
  /** The null hypothesis in words. */
  readonly hypothesis: string;
  readonly alternative: Alternative;
  /** Whether the alternative has a direction at all: one of several means, or of a shape, has none. */
  readonly sided: boolean;
  readonly statistic: number;
  /** What the statistic is called: t, z, W … */
  readonly statisticName: string;
  readonly df?: number | readonly number[];
  readonly p: number;
  readonly effect: Estimate;
  /** Interval of the effect. */
  readonly ci: TestInterval;
  /** Independent units that the test rests on. */
  readonly n: number;
  /** Further figures by name. */
  readonly figures: Readonly<Record<string, number>>;
  /** Figures that form a table: ranks of systems, pairwise comparisons. */
  readonly tables: readonly DisplayTable[];
  /** For pictures. */
  readonly series?: TestSeries;
}

/** What pictures of a test draw beside its figures; up to 5,000 points. */
export interface TestSeries extends Scatter {
  /** The statistic where the null hypothesis holds: replicates, in bins; marked: at least as far out as what was seen. */
  readonly resampled?: readonly MarkedBin[];
  /** Where its middle 95 % end, or the share that `confidence` says. */
  readonly critical?: readonly [lower: number, upper: number];
}

/** The null distribution of a statistic for a picture. */
export function nullSeries(
  values: Float64Array,
  observed: number,
  { alternative, confidence }: { readonly alternative: Alternative; readonly confidence: number },
): TestSeries {
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length < 2 || sorted[0] === sorted[sorted.length - 1]) return {};
  const alpha = 1 - confidence;
  const tie = 1e-9 * Math.abs(observed);
  const beyond = (value: number): boolean => {
    if (alternative === "greater") return value >= observed - tie;
    if (alternative === "less") return value <= observed + tie;
    return Math.abs(value) >= Math.abs(observed) - tie;
  };
  const share = alternative === "two-sided" ? alpha / 2 : alpha;
  return {
    resampled: markedHistogram(sorted, (i) => beyond(sorted[i]!)),
    critical: [
      alternative === "greater" ? Number.NEGATIVE_INFINITY : quantile(sorted, share),
      alternative === "less" ? Number.POSITIVE_INFINITY : quantile(sorted, 1 - share),
    ],
  };
}

type Unpublished = keyof Result<"test"> | "sided" | "tables" | "effect";

export interface TestJson extends ResultJson<"test">, Omit<TestResult, Unpublished> {
  readonly effect: { readonly name: string; readonly estimate: number; readonly se: number };
  /** The columns or systems behind x, y …, in their order. */
  readonly samples?: readonly string[];
  /** Of Friedman's test: one mean rank a system, and p of each pair. */
  readonly meanRanks?: readonly number[];
  readonly criticalDifference?: number;
  readonly pairwise?: readonly (readonly number[])[];
  /** Of an analysis of variance: between and within groups, and Tukey's differences. */
  readonly sumsOfSquares?: readonly [number, number];
  readonly differences?: readonly {
    readonly pair: string;
    readonly difference: number;
    readonly lower: number;
    readonly upper: number;
    readonly p: number;
  }[];
  /** Of cross-validation, runs and stochastic order: the difference in its own units. */
  readonly estimate?: number;
  /** Of cv: of the differences, what multiplies it, and the t test of splits as if they were independent. */
  readonly variance?: number;
  readonly correction?: number;
  readonly naive?: { readonly statistic: number; readonly p: number };
  /** Of 5x2cv: s² of each repetition, and both tests. */
  readonly variances?: readonly number[];
  readonly t?: { readonly statistic: number; readonly df: number; readonly p: number };
  readonly f?: { readonly statistic: number; readonly df: readonly [number, number]; readonly p: number };
  /** Of aso: squared Wasserstein-2 distance, its part against the order, their ratio, its standard error and upper bound. */
  readonly distance?: number;
  readonly violation?: number;
  readonly epsilon?: number;
  readonly epsilonSe?: number;
  readonly epsilonMin?: number;
  readonly epsilonReverse?: number;
  readonly threshold?: number;
  readonly dominates?: boolean;
  /** Of clark: runs of the two systems, and p of whole runs that change systems. */
  readonly runs?: readonly [number, number];
  readonly pRuns?: number;
  /** How p was found by resampling. */
  readonly exact?: boolean;
  readonly replicates?: number;
  readonly monteCarloSe?: number;
}

export interface TestOptions {
  readonly alternative?: Alternative | undefined;
  readonly confidence?: number | undefined;
}

export interface Effect {
  readonly name: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly se?: number;
  /** How the interval was made. */
  readonly interval: string;
}

export interface TestInput {
  readonly test: string;
  readonly method: string;
  readonly hypothesis: string;
  readonly alternative?: Alternative;
  readonly sided?: boolean | undefined;
  readonly statistic: number;
  readonly statisticName: string;
  readonly df?: number | readonly number[] | undefined;
  readonly p: number;
  readonly effect: Effect;
  readonly confidence: number;
  readonly n: number;
  readonly figures?: Readonly<Record<string, number>>;
  readonly tables?: readonly DisplayTable[] | undefined;
  readonly series?: TestSeries | undefined;
  readonly diagnostics?: readonly Diagnostic[];
  /** What the signature needs: the options of the call, its data, and the seed where random numbers were drawn. */
  readonly options: object;
  readonly data: readonly (Float64Array | Int32Array)[];
  readonly seed?: string | undefined;
}

/** `own`: fields of this test alone, beside those of every test. */
export function makeTest<F extends object = object>(input: TestInput, own?: F): TestResult & F {
  const { effect, confidence, options, data, seed, alternative = "two-sided" } = input;
  checkConfidence(confidence);
  const { test, method, hypothesis, statistic, statisticName, df, n } = input;
  // a tail made as 1 minus a tail may be off by an ulp
  const p = Math.max(0, Math.min(1, input.p));
  const fields: FieldsOf<TestResult> = {
    signature: {
      method: test,
      version: GOSSET_VERSION,
      options: { ...options, alternative, confidence },
      data: fingerprintOf(data),
      ...present({ seed }),
    },
    diagnostics: explainUndefined(input),
    test,
    method,
    hypothesis,
    alternative,
    sided: input.sided ?? true,
    statistic,
    statisticName,
    ...present({ df }),
    p,
    effect: {
      name: effect.name,
      value: effect.value,
      se: effect.se ?? Number.NaN,
      df: typeof df === "number" ? df : Number.NaN,
      statistic,
      p,
      lower: effect.lower,
      upper: effect.upper,
    },
    ci: { lower: effect.lower, upper: effect.upper, level: confidence, method: effect.interval },
    n,
    figures: input.figures ?? {},
    tables: input.tables ?? [],
    ...present({ series: input.series }),
  };
  return makeResult("test", { ...fields, ...(own as F) }, { display: displayTest, json: testJson });
}

/** The note on rows that were left out explains no undefined result. */
const MISSING = "MissingDropped";

/** Nothing undefined goes without a word: what a test has not explained itself is told here. */
function explainUndefined({ p, n, statisticName, effect, diagnostics = [], confidence }: TestInput): Diagnostic[] {
  const told = [...diagnostics];
  const explained = diagnostics.some(({ code }) => code !== MISSING);
  if (!explained && Number.isNaN(p)) {
    const why = n < 2 ? `${n === 1 ? "one value is" : "no values are"} not enough` : "the values do not vary enough";
    told.push(warning("Undefined", `${statisticName} and p are undefined: ${why}.`, "check the scores."));
  } else if (!explained && effect.name !== "" && Number.isNaN(effect.value)) {
    told.push(note("Undefined", `${effect.name} is undefined for these values.`, "check the scores."));
  }
  if (effect.lower === Number.NEGATIVE_INFINITY && effect.upper === Number.POSITIVE_INFINITY) {
    const level = formatNumber(100 * confidence);
    const message = `${n} ${n === 1 ? "value is" : "values are"} too few for a bounded interval of ${level} %.`;
    told.push(note("NoInterval", message, "collect more items, or ask for less confidence."));
  }
  return told;
}

function checkConfidence(confidence: number): void {
  if (confidence > 0 && confidence < 1) return;
  throw new StatError("BadOption", `a confidence of ${confidence} is not between 0 and 1.`, "give for example 0.95.");
}

function fingerprintOf(data: readonly (Float64Array | Int32Array)[]): string {
  const hash = new Fingerprint();
  for (const values of data) hash.update(values);
  return hash.digest();
}

const SIDES = { "two-sided": "two-sided", greater: "one-sided (greater)", less: "one-sided (less)" } as const;

function displayTest(result: FieldsOf<TestResult>): Display {
  const { effect, ci, df, figures } = result;
  const dfText = typeof df === "number" ? df : df === undefined ? "" : df.map((v) => formatNumber(v, "df")).join(", ");
  const further = Object.entries(figures);
  return {
    title: result.method,
    summary: [
      `H0: ${result.hypothesis}${result.sided ? ` (${SIDES[result.alternative]})` : ""}, n = ${formatNumber(result.n, "integer")}.`,
    ],
    tables: [
      {
        head: [result.statisticName, ...(df === undefined ? [] : ["df"]), "p"],
        formats: [
          Number.isInteger(result.statistic) ? "integer" : "statistic",
          ...(df === undefined ? [] : [typeof df === "number" ? ("df" as const) : ("text" as const)]),
          "p",
        ],
        rows: [[result.statistic, ...(df === undefined ? [] : [dfText]), result.p]],
      },
      ...(effect.name === "" ? [] : [effectTable(effect, ci)]),
      ...result.tables,
    ],
    notes: [
      ...(further.length === 0
        ? []
        : [`${further.map(([name, value]) => `${name} ${figureText(name, value)}`).join("; ")}.`]),
      ...(Number.isNaN(ci.lower) && Number.isNaN(ci.upper) ? [] : [`Interval: ${ci.method}.`]),
      ...floorNote(result),
    ],
  };
}

/** A simulation cannot show a smaller p than one in its draws. */
export const isAtFloor = (p: number, replicates: number): boolean => replicates > 0 && p <= 1.5 / (replicates + 1);

function floorNote(result: FieldsOf<TestResult> & { readonly replicates?: number }): string[] {
  const { p, figures, replicates = figures["replicates"] ?? 0 } = result;
  if (!isAtFloor(p, replicates)) return [];
  return [`p is at the floor of ${replicates.toLocaleString("en")} draws, which can show no smaller one.`];
}

/** Numbers of different kinds side by side: each is rounded by itself; JSON holds them in full. */
function figureText(name: string, value: number): string {
  if (name.startsWith("p ") || name.startsWith("p,")) return formatNumber(value, "p");
  return formatNumber(value, Number.isInteger(value) ? "integer" : "number");
}

function effectTable(effect: Estimate, { level }: TestInterval): DisplayTable {
  const interval = !(Number.isNaN(effect.lower) && Number.isNaN(effect.upper));
  const withSe = !Number.isNaN(effect.se);
  return {
    head: [
      "effect",
      "estimate",
      ...(withSe ? ["SE"] : []),
      ...(interval ? [`${formatNumber(100 * level)}% from`, "to"] : []),
    ],
    rows: [
      [effect.name, effect.value, ...(withSe ? [effect.se] : []), ...(interval ? [effect.lower, effect.upper] : [])],
    ],
  };
}

/** Two-sided or one-sided p from the tails of a continuous statistic. */
export function pFromTails(
  tails: { readonly lower: number; readonly upper: number },
  alternative: Alternative,
): number {
  if (alternative === "greater") return tails.upper;
  if (alternative === "less") return tails.lower;
  return Math.min(1, 2 * Math.min(tails.lower, tails.upper));
}

/** estimate ± critical value · se, open on one side for one-sided tests; `critical(α)` is the upper quantile. */
export function waldInterval(
  estimate: number,
  se: number,
  {
    alternative,
    confidence,
    critical,
  }: { alternative: Alternative; confidence: number; critical: (alpha: number) => number },
): { lower: number; upper: number } {
  const alpha = 1 - confidence;
  if (!(se > 0)) return { lower: Number.NaN, upper: Number.NaN };
  if (alternative === "greater") return { lower: estimate - critical(alpha) * se, upper: Number.POSITIVE_INFINITY };
  if (alternative === "less") return { lower: Number.NEGATIVE_INFINITY, upper: estimate + critical(alpha) * se };
  const half = critical(alpha / 2) * se;
  return { lower: estimate - half, upper: estimate + half };
}

export const WHOLE_LINE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** An interval with equal tails as a bound in the direction of the alternative: the bound of confidence c is the end of the two-sided
 *  interval of confidence 2c - 1; the other end lies at the end of the range. */
export function sidedInterval<I extends { readonly lower: number; readonly upper: number }>(
  interval: (confidence: number) => I,
  {
    alternative,
    confidence,
    range,
  }: { alternative: Alternative; confidence: number; range: readonly [number, number] },
): I {
  if (alternative === "two-sided") return interval(confidence);
  const bound =
    confidence > 0.5 ? interval(2 * confidence - 1) : { ...interval(0.5), lower: Number.NaN, upper: Number.NaN };
  return alternative === "greater" ? { ...bound, upper: range[1] } : { ...bound, lower: range[0] };
}

const UNPUBLISHED: ReadonlySet<string> = new Set(["signature", "diagnostics", "sided", "tables"]);

function testJson(result: FieldsOf<TestResult>): object {
  const own = Object.entries(result).filter(([key]) => !UNPUBLISHED.has(key));
  const { name, value, se } = result.effect;
  return { ...Object.fromEntries(own), effect: { name, estimate: value, se } };
}
