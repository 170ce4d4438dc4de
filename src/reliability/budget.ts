/** Expected best score of a search, for every budget: what would B tried configurations have given?
 *
 *  Algorithm 3.1 draws B of the M scores with replacement, K times, and keeps each best one. Its limit for K → ∞ is exact:
 *
 *      P(best ≤ u_(i)) = (i / M)^B          E = Σ u_(i) [(i/M)^B - ((i-1)/M)^B],  SD likewise
 *
 *  so that nothing is simulated. Without replacement (an unbiased estimate of the expected best of B new configurations):
 *
 *      P(best ≤ u_(i)) = C(i, B) / C(M, B)
 *
 *  Three bands, which answer different questions: E ± z SD, as the algorithm has it; the quantiles of the best score, where a
 *  search of this budget lands; and a bootstrap interval of E itself, which lets the M configurations vary too.
 *  Reference: Riezler & Hagmann (2021), Algorithm 3.1; Dodge et al. (2019), EMNLP; Tang et al. (2020), ACL (the unbiased form).
 *  Oracle:    enumeration of all draws; simulation of the algorithm.
 *  Limits:    configurations are exchangeable draws from the space that was searched; a grid chosen by hand is not quite that.
 *             The bootstrap of a maximum is too narrow where B comes near M. */

import { fingerprint } from "../data/fingerprint.ts";
import { aggregate } from "../data/group.ts";
import { asFactor, asNumeric, column, isMissing, selectColumns, selectRows, type Table } from "../data/table.ts";
import type { FieldsOf } from "../models/fit.ts";
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import { summariseReplicates } from "../resample/intervals.ts";
import { countDrawsInto, eachReplicate, OWN_STREAM } from "../resample/replicates.ts";
import { warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { mostOf } from "../result/extremes.ts";
import { formatNumber } from "../result/number-format.ts";
import { type Diagnostic, makeResult, type Published, type Result, type ResultJson } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { metricDirection } from "../study/lexicon/metrics.ts";
import { type Ratings, scoreOf } from "./columns.ts";

export interface BudgetOptions {
  /** Default: the study's. */
  readonly score?: string | undefined;
  /** Compare searches of several systems. */
  readonly system?: string | undefined;
  /** Columns that make a configuration: its rows are averaged first. Default: every row is one. */
  readonly configuration?: readonly string[] | undefined;
  /** Default: 1 to the number of configurations, at most ten of them. */
  readonly budgets?: readonly number[] | undefined;
  /** Lower scores are better; default: as the name of the score says (loss, error), otherwise not. */
  readonly minimise?: boolean | undefined;
  readonly replicates?: number | undefined;
  readonly confidence?: number | undefined;
  readonly rng?: Rng | undefined;
}

export interface BudgetPoint {
  readonly budget: number;
  /** Expected best score, with replacement, and its spread from search to search. */
  readonly expected: number;
  readonly sd: number;
  /** Algorithm 3.1: expected ± z sd. */
  readonly lower: number;
  readonly upper: number;
  /** Where a search of this budget lands. */
  readonly landsFrom: number;
  readonly landsTo: number;
  /** Bootstrap interval of the expected best. */
  readonly meanLower: number;
  readonly meanUpper: number;
  /** Expected best of B different configurations; NaN beyond the number there are. */
  readonly unbiased: number;
}

export interface BudgetCurve {
  readonly system: string;
  readonly configurations: number;
  readonly best: number;
  readonly points: readonly BudgetPoint[];
}

export interface BudgetCrossing {
  readonly a: string;
  readonly b: string;
  /** Between these two budgets the better system changes. */
  readonly from: number;
  readonly to: number;
  readonly betterBefore: string;
  readonly betterAfter: string;
}

export interface BudgetResult extends Result<"budget"> {
  readonly score: string;
  readonly system?: string;
  readonly minimise: boolean;
  readonly confidence: number;
  readonly replicates: number;
  readonly curves: readonly BudgetCurve[];
  readonly crossings: readonly BudgetCrossing[];
}

export interface BudgetJson
  extends ResultJson<"budget">,
    Omit<BudgetResult, keyof Result<"budget"> | "confidence" | "replicates"> {
  readonly ci: { readonly level: number; readonly replicates: number };
}

const REPLICATES = 1000;
/** Budgets shown where none are given. */
const MOST_DEFAULT = 10;
const LARGEST_BUDGET = 1e6;

type Named = BudgetOptions & { readonly score: string };

const MEASURE_BUDGET_OPTIONS = {
  score: true,
  system: true,
  configuration: true,
  budgets: true,
  minimise: true,
  replicates: true,
  confidence: true,
  rng: true,
} as const satisfies Record<keyof BudgetOptions, true>;

export function measureBudget(data: Ratings, given: BudgetOptions = {}): BudgetResult {
  refuseUnknownNames("measureBudget", given, MEASURE_BUDGET_OPTIONS);
  const { table, score } = scoreOf(data, given.score);
  const options: Named = { ...given, score };
  const { confidence = 0.95, replicates = REPLICATES, rng = makeRng(1) } = options;
  const higher = metricDirection(options.score);
  const minimise = options.minimise ?? higher === false;
  const sets = scoreSets(table, options);
  const largest = mostOf(sets.map(({ scores }) => scores.length));
  const budgets = options.budgets ?? defaultBudgets(largest);
  checkBudgets(budgets);
  const curves = sets.map(({ system, scores }, s) => {
    const sign = minimise ? -1 : 1;
    const sorted = scores.map((value) => sign * value).sort();
    const points = budgetPoints(sorted, budgets, { confidence, replicates, rng: rng.stream(s) });
    return {
      system,
      configurations: scores.length,
      best: sign * sorted[sorted.length - 1]!,
      points: minimise ? points.map(negated) : points,
    };
  });
  const fields = {
    signature: {
      method: "budget",
      version: GOSSET_VERSION,
      options: { ...options, rng: undefined, minimise, confidence, replicates },
      data: fingerprint(selectColumns(table, columnsOf(options))),
      seed: rng.seed,
    },
    diagnostics: [
      ...(options.minimise === undefined && higher === undefined ? [directionNote(options.score)] : []),
      ...budgetChecks(sets, budgets),
    ],
    score: options.score,
    ...(options.system === undefined ? {} : { system: options.system }),
    minimise,
    confidence,
    replicates,
    curves,
    crossings: findCrossings(curves, minimise),
  };
  return makeResult("budget", fields, { display: displayBudget, json: budgetJson });
}

const directionNote = (score: string): Diagnostic =>
  warning(
    "DirectionUnknown",
    `Gosset does not know whether higher ${score} is better and assumes that it is.`,
    "Set option `minimise`.",
  );

const columnsOf = ({ score, system, configuration = [] }: Named): string[] => [
  ...new Set([score, ...(system === undefined ? [] : [system]), ...configuration]),
];

function scoreSets(all: Table, options: Named): { system: string; scores: Float64Array }[] {
  const { score, system, configuration } = options;
  const cells = columnsOf(options).map((name) => column(all, name));
  const complete = selectRows(all, (row) => cells.every((own) => !isMissing(own, row)));
  const keys = [...(system === undefined ? [] : [system]), ...(configuration ?? [])];
  const table =
    configuration === undefined
      ? complete
      : aggregate(complete, [...new Set(keys)], [{ column: score, summary: "mean", as: score }]);
  const values = asNumeric(column(table, score), score).values;
  if (values.length === 0) throw new StatError("NoRows", `no row has a ${score}.`, "Check the columns named.");
  if (values.some((v) => !Number.isFinite(v))) {
    throw new StatError(
      "NotFinite",
      `${score} is infinite in some row.`,
      "Correct the row or leave it out with `filterRows`.",
    );
  }
  if (system === undefined) return [{ system: "", scores: enough(values, "the search") }];
  const { codes, levels } = asFactor(column(table, system));
  return levels.flatMap((level, l) => {
    const scores = values.filter((_, i) => codes[i] === l);
    return scores.length === 0 ? [] : [{ system: level, scores: enough(scores, level) }];
  });
}

function enough(scores: Float64Array, name: string): Float64Array {
  if (scores.length > 1) return scores;
  throw new StatError(
    "OneConfiguration",
    `${name} has one configuration: there is nothing to search.`,
    "Give the scores of all configurations tried, one row each.",
  );
}

function defaultBudgets(most: number): number[] {
  const steps = Math.min(most, MOST_DEFAULT);
  // evenly spaced on the log scale, whole numbers, no repeats
  const wanted = Array.from({ length: steps }, (_, i) => Math.round(most ** (steps === 1 ? 1 : i / (steps - 1))));
  return [...new Set(wanted)];
}

function checkBudgets(budgets: readonly number[]): void {
  const wrong = budgets.find((budget) => !Number.isInteger(budget) || budget < 1 || budget > LARGEST_BUDGET);
  if (wrong === undefined && budgets.length > 0) return;
  throw new StatError(
    "BadOption",
    wrong === undefined ? "no budget is given." : `a budget of ${wrong} is not a number of configurations.`,
    "Use whole numbers from 1.",
  );
}

interface PointOptions {
  readonly confidence: number;
  readonly replicates: number;
  readonly rng: Rng;
}

/** Scores ascending, higher is better. */
function budgetPoints(
  sorted: Float64Array,
  budgets: readonly number[],
  { confidence, replicates, rng }: PointOptions,
): BudgetPoint[] {
  const z = normalQuantileUpper((1 - confidence) / 2);
  const bootstrap = budgets.map(() => new Float64Array(replicates));
  const M = sorted.length;
  const times = new Float64Array(M);
  const own = new Float64Array(M);
  eachReplicate({ replicates, rng }, OWN_STREAM, (stream, r) => {
    countDrawsInto(times, stream);
    for (let i = 0, at = 0; i < M; i++) for (let k = 0; k < times[i]!; k++) own[at++] = sorted[i]!;
    budgets.forEach((budget, b) => {
      bootstrap[b]![r] = expectedBest(own, budget).mean;
    });
  });
  return budgets.map((budget, b) => {
    const { mean, sd } = expectedBest(sorted, budget);
    const ends = summariseReplicates(bootstrap[b]!, confidence);
    return {
      budget,
      expected: mean,
      sd,
      lower: mean - z * sd,
      upper: mean + z * sd,
      landsFrom: bestQuantile(sorted, budget, (1 - confidence) / 2),
      landsTo: bestQuantile(sorted, budget, (1 + confidence) / 2),
      meanLower: ends.lower,
      meanUpper: ends.upper,
      unbiased: expectedBestOfDistinct(sorted, budget),
    };
  });
}

/** Mean and SD of the best of B draws with replacement; scores ascending. */
export function expectedBest(sorted: Float64Array, budget: number): { mean: number; sd: number } {
  const M = sorted.length;
  const top = sorted[M - 1]!;
  let [mean, square, before] = [0, 0, 0];
  for (let i = 0; i < M; i++) {
    const reached = ((i + 1) / M) ** budget;
    const d = sorted[i]! - top; // deviations from the best lose no digits
    mean += d * (reached - before);
    square += d * d * (reached - before);
    before = reached;
  }
  return { mean: top + mean, sd: Math.sqrt(Math.max(0, square - mean * mean)) };
}

/** Mean of the best of B different ones. */
function expectedBestOfDistinct(sorted: Float64Array, budget: number): number {
  const M = sorted.length;
  if (budget > M) return Number.NaN;
  let [mean, reached] = [0, 1]; // P(best ≤ u_(i)) from the top down: C(i, B) / C(M, B)
  for (let i = M; i >= budget; i--) {
    const below = reached * (1 - budget / i);
    mean += sorted[i - 1]! * (reached - below);
    reached = below;
  }
  return mean;
}

/** Least score with (i/M)^B ≥ p. */
function bestQuantile(sorted: Float64Array, budget: number, p: number): number {
  const M = sorted.length;
  const place = Math.ceil(M * p ** (1 / budget) - 1e-9 * M);
  return sorted[Math.min(M, Math.max(1, place)) - 1]!;
}

const negated = (point: BudgetPoint): BudgetPoint => ({
  ...point,
  expected: -point.expected,
  lower: -point.upper,
  upper: -point.lower,
  landsFrom: -point.landsTo,
  landsTo: -point.landsFrom,
  meanLower: -point.meanUpper,
  meanUpper: -point.meanLower,
  unbiased: -point.unbiased,
});

/** A system may come to lead, or to lead no longer, as the budget grows. */
function findCrossings(curves: readonly BudgetCurve[], minimise: boolean): BudgetCrossing[] {
  const sign = minimise ? -1 : 1;
  return curves.flatMap((first, i) =>
    curves.slice(i + 1).flatMap((second) => {
      const out: BudgetCrossing[] = [];
      let last: { budget: number; lead: number } | undefined;
      first.points.forEach(({ budget, expected }, k) => {
        const lead = Math.sign(sign * (expected - second.points[k]!.expected));
        if (lead === 0) return;
        if (last !== undefined && lead !== last.lead) {
          const [before, after] = lead > 0 ? [second.system, first.system] : [first.system, second.system];
          out.push({
            a: first.system,
            b: second.system,
            from: last.budget,
            to: budget,
            betterBefore: before,
            betterAfter: after,
          });
        }
        last = { budget, lead };
      });
      return out;
    }),
  );
}

function budgetChecks(
  sets: readonly { system: string; scores: Float64Array }[],
  budgets: readonly number[],
): Diagnostic[] {
  const most = mostOf(budgets);
  const short = sets.filter(({ scores }) => scores.length < most);
  const out: Diagnostic[] = [];
  if (short.length > 0) {
    const names = short.map(({ system, scores }) => `${system === "" ? "" : `${system}: `}${scores.length}`).join(", ");
    out.push(
      warning(
        "BudgetBeyondData",
        `budgets up to ${most} are more than the configurations tried (${names}): the curve treats the best score found as the maximum.`,
        "Read the curve up to the number of configurations.",
      ),
    );
  }
  return out;
}

function budgetJson(result: FieldsOf<BudgetResult>): Published<BudgetJson> {
  const { signature: _, diagnostics: __, confidence, replicates, ...own } = result;
  return { ...own, ci: { level: confidence, replicates } };
}

function displayBudget({
  score,
  curves,
  crossings,
  system: column,
  confidence,
  replicates,
  minimise,
}: FieldsOf<BudgetResult>): Display {
  const level = `${formatNumber(100 * confidence)}%`;
  const full = (system: string): string => (column === undefined ? "" : `${column} ${system}`);
  return {
    title: `Expected best ${score} by search budget${minimise ? " (lower is better)" : ""}`,
    summary: [
      ...curves.map(
        ({ system, configurations, best }) =>
          `Of ${configurations} ${configurations === 1 ? "configuration" : "configurations"}${system === "" ? "" : ` of ${full(system)}`} the best has ${score} ${formatNumber(best)}.`,
      ),
      ...crossings.map(
        ({ from, to, betterBefore, betterAfter }) =>
          `Between budgets ${from} and ${to} ${full(betterAfter)} overtakes ${full(betterBefore)}.`,
      ),
      ...(curves.length > 1 && crossings.length === 0 ? ["No system overtakes another at any of these budgets."] : []),
    ],
    tables: curves.map(({ system, points }) => ({
      ...(system === "" ? {} : { caption: full(system) }),
      head: ["budget", "expected best", "SD", `${level} from`, "to", "a search lands from", "to"],
      formats: ["integer", "number", "number", "number", "number", "number", "number"],
      rows: points.map((p) => [p.budget, p.expected, p.sd, p.meanLower, p.meanUpper, p.landsFrom, p.landsTo]),
    })),
    notes: [
      `Exact for draws with replacement; interval of the expectation by ${replicates} bootstrap replicates over configurations.`,
    ],
  };
}
