/** Stop or go on? What is known so far of two systems that are still being run, in numbers that may be looked at.
 *    without a plan   numbers that hold at any time, however often one looks:
 *                       e-process   0/1 scores: wins and losses among items that differ (../significance/sequential/e-process.ts)
 *                       sequence    scores with known ends: betting on the items' differences (../significance/sequential/betting.ts)
 *                     stop when e has reached 1/α, or the interval lies within the margin
 *    with a plan      the planned looks and nothing between them: a bound that is held at one look only is no bound elsewhere
 *  Units are items: repeats of an item are averaged first; of clusters each counts once, by its mean difference.
 *  Reference: as those files; Jennison & Turnbull (2000), section 9.3 (repeated confidence intervals).
 *  Oracle:    oracle/next/always-valid.json through the files above; test/calibration/peeking.calibrate.ts.
 *  Limits:    two systems; items come in an order that does not depend on their outcomes (that of the rows is taken). */

import { checkMargin, rangeByName } from "../metrics/range.ts";
import { NEXT } from "../question/next.ts";
import { allOptions } from "../question/option.ts";
import { refuseAlone } from "../question/refuse.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../result/result.ts";
import { isOpen, isRefused } from "../result/verdict.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { type CompareInput, compare } from "../significance/compare/compare.ts";
import type { CompareOptions, Comparison } from "../significance/compare/comparison.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import type { PairItems } from "../significance/compare/pair/differing.ts";
import { anytimeBets, anytimePairs } from "../significance/sequential/anytime.ts";
import { bettingInterval } from "../significance/sequential/betting.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { evidenceOf, followPlan } from "./follow.ts";
import { type EvaluationPlan, hashPlan, lookItems, type PlanLock, planOptions } from "./plan.ts";
import { noteHeld } from "./sentences.ts";

/** Why one stops, or goes on. */
export const NEXT_REASONS = ["difference", "equivalent", "futility", "all-items", "not-yet", "between-looks"] as const;
export type NextReason = (typeof NEXT_REASONS)[number];
export type NextMethod = "e-process" | "sequence" | "group-sequential";

export interface NextOptions
  extends Omit<
    CompareOptions,
    "test" | "adjust" | "confidence" | "by" | "cut" | "ddf" | "slice" | "unpaired" | "items"
  > {
  /** Default: e-process for 0/1 scores without clusters, otherwise sequence. */
  readonly method?: "e-process" | "sequence" | undefined;
  /** The ends of the score, where they are not 0 and 1. */
  readonly range?: readonly [lowest: number, highest: number] | undefined;
  /** All items there will be. */
  readonly items?: number | undefined;
  readonly plan?: EvaluationPlan | undefined;
  readonly lock?: PlanLock | undefined;
  /** With a plan: the look that this is, where its number of items was not met exactly. */
  readonly look?: number | undefined;
}

export interface NextResult extends Result<"next"> {
  readonly decision: "stop" | "continue";
  readonly reason: NextReason;
  readonly method: NextMethod;
  readonly metric: string;
  /** The baseline, and the other. */
  readonly systems: readonly [string, string];
  /** Units so far: items, or clusters. */
  readonly n: number;
  readonly units: string;
  readonly difference: number;
  /** Of the difference; holds at all looks together at 1 - alpha. NaN between planned looks. */
  readonly lower: number;
  readonly upper: number;
  readonly alpha: number;
  /** Evidence against "no difference" so far; smaller than 1 speaks for none. */
  readonly eValue?: number;
  /** Smallest 1/e so far; at a planned look p by the stagewise ordering. */
  readonly p: number;
  /** Undefined where nothing says it. */
  readonly higherIsBetter?: boolean;
  /** Items on which exactly one is right, and the share of them that the second system won; where no direction is known, on which it is higher. */
  readonly wins?: number;
  readonly losses?: number;
  readonly winShare?: { readonly lower: number; readonly upper: number };
  /** With a plan: its hash, the look that was taken, and the items at which the next one is due. */
  readonly plan?: {
    readonly hash: string;
    readonly locked: boolean;
    readonly look?: number;
    readonly nextLook?: number;
  };
  /** What is not as planned; without a plan that is said. */
  readonly deviations: readonly string[];
}

export type NextJson = JsonOf<NextResult>;

export function nextStep(data: CompareInput, options: NextOptions = {}): NextResult {
  refuseAlone(allOptions(NEXT), options);
  return options.plan === undefined ? lookAnytime(data, options) : lookAsPlanned(data, options, options.plan);
}

const UNPLANNED = "looked at without a plan: only numbers that hold at any time are shown";

type Fields = Omit<NextResult, keyof Result<"next">>;

function lookAnytime(data: CompareInput, options: NextOptions): NextResult {
  const { method, range, items, plan: _, lock: __, look: _l, alpha = 0.05, margin, ...given } = options;
  const votes = areVotes(data);
  // nothing is read from the test; votes have their own
  const result = compare(data, {
    ...given,
    alpha,
    scope: undefined,
    unfinished: true,
    ...(votes ? {} : { test: "t" as const }),
  });
  requireVerdict(result);
  if (votes && result.repeated.some(({ facet }) => facet === "clusters"))
    throw new StatError(
      "VotesInClusters",
      "the prompts of these votes lie in clusters, and numbers that hold at any time take prompts as independent.",
      "`compare` knows the clusters, for one look.",
    );
  const pair = pairOf(result);
  const { values, clustered } = unitsOf(result, pair);
  const ends = endsOf(result, pair, range);
  const binary = !clustered && isBinary(pair);
  if (method === "e-process" && !binary)
    throw new StatError(
      "NotBinary",
      `an e-process of pairs is of answers that are right or wrong, once an item; ${result.metric} is ${clustered ? "in clusters" : "none"}.`,
      "Use option `method: sequence`.",
    );
  const chosen: "e-process" | "sequence" = method ?? (binary ? "e-process" : "sequence");
  const width = ends[1] - ends[0];
  checkMargin(margin, { range: ends, share: binary });
  const shares = values.map((value) => Math.min(1, Math.max(0, 0.5 + value / (2 * width))));
  const interval = bettingInterval(shares, { alpha });
  const [lower, upper] = [interval.lower, interval.upper].map((own) => (2 * own - 1) * width) as [number, number];
  const gains = result.higherIsBetter === false ? values.map((value) => -value) : values;
  const evidence = chosen === "e-process" ? anytimePairs(gains, alpha) : anytimeBets(shares, { alpha });
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const reason = reasonOf({ p: evidence.p, lower, upper, n: pair.scoresA.length }, { alpha, margin, items });
  return makeNext(result, {
    ...{ decision: reason === "not-yet" ? "continue" : "stop", reason, method: chosen, metric: result.metric },
    ...{
      systems: [pair.a, pair.b],
      n,
      units: clustered ? "clusters" : votes ? "prompts" : result.units,
      difference: mean,
    },
    ...{ lower, upper, alpha, ...evidence, deviations: [UNPLANNED] },
  });
}

/** Votes between two systems, which are looked at by their prompts. */
const areVotes = (data: CompareInput): boolean =>
  [data].flat().some((own) => {
    const imported = "imported" in own ? own.imported : own;
    return "roles" in imported && imported.roles.opponent !== undefined;
  });

function reasonOf(
  { p, lower, upper, n }: Pick<Fields, "p" | "lower" | "upper" | "n">,
  {
    alpha,
    margin,
    items,
  }: { readonly alpha: number; readonly margin: number | undefined; readonly items: number | undefined },
): NextReason {
  if (p <= alpha) return "difference";
  if (margin !== undefined && lower > -margin && upper < margin) return "equivalent";
  return items !== undefined && n >= items ? "all-items" : "not-yet";
}

/** What compare does not judge, nobody stops or goes on by. */
function requireVerdict({ main }: Comparison): void {
  if (!isRefused(main.verdict)) return;
  throw new StatError("NoVerdict", main.reason ?? main.statement, main.advice);
}

function pairOf({ systems, items = [] }: Comparison): PairItems {
  if (systems.length !== 2 || items.length !== 1)
    throw new StatError(
      "NotTwoSystems",
      `${systems.length} systems (${systems.map(({ name }) => name).join(", ")}), of which two with items of their own are looked at.`,
      "Name two of them with option `systems`, the baseline first.",
    );
  return items[0]!;
}

const isBinary = ({ scoresA, scoresB }: PairItems): boolean =>
  [scoresA, scoresB].every((scores) => scores.every((score) => score === 0 || score === 1));

/** The differences, second minus first, in the order of the rows; of clusters their means. */
function unitsOf(
  { clusters }: Comparison,
  { scoresA, scoresB, groups }: PairItems,
): { readonly values: readonly number[]; readonly clustered: boolean } {
  const differences = Array.from(scoresB, (score, i) => score - scoresA[i]!);
  const own = clusters === undefined ? undefined : groups.get("cluster");
  if (own === undefined) return { values: differences, clustered: false };
  const sums = new Map<number, { sum: number; count: number }>();
  differences.forEach((value, i) => {
    const { sum, count } = sums.get(own.codes[i]!) ?? { sum: 0, count: 0 };
    sums.set(own.codes[i]!, { sum: sum + value, count: count + 1 });
  });
  return { values: [...sums.values()].map(({ sum, count }) => sum / count), clustered: true };
}

/** The ends of the scale; those that were merely seen so far would not do. */
function endsOf(
  { metric }: Comparison,
  { scoresA, scoresB }: PairItems,
  given: NextOptions["range"],
): readonly [number, number] {
  const all = [...scoresA, ...scoresB];
  const fits = ([low, high]: readonly [number, number]): boolean => all.every((score) => score >= low && score <= high);
  if (given !== undefined) {
    if (given[0] < given[1] && fits(given)) return given;
    const odd = all.find((score) => !(score >= given[0] && score <= given[1]));
    throw new StatError(
      "OutOfRange",
      `range ${given.join(" to ")}: ${odd === undefined ? "no range" : `${metric} is ${odd} on an item`}.`,
      "Give the lowest and the highest score there can be.",
    );
  }
  const known = [[0, 1] as const, rangeByName(metric, all)].find(
    (own) => own?.every(Number.isFinite) === true && fits(own),
  );
  if (known !== undefined) return known;
  throw new StatError(
    "NoRange",
    `nothing says which scores of ${metric} there can be, and those seen so far are no bounds.`,
    "Give the lowest and the highest with option `range`.",
  );
}

function lookAsPlanned(data: CompareInput, options: NextOptions, plan: EvaluationPlan): NextResult {
  const { method: _m, range: _r, items: _i, plan: _, lock, look: asked, ...given } = options;
  const seen = compare(data, { ...planOptions(plan), ...stated(given), test: "t", unfinished: true });
  requireVerdict(seen);
  const { n } = seen;
  const due = lookItems(plan);
  const last = due.length;
  const met = due.indexOf(n) + 1;
  const look = asked ?? (met > 0 ? met : n > due.at(-1)! ? last : 0);
  const nextLook = due.find((count) => count > n);
  const shared = {
    ...{ method: "group-sequential" as const, metric: plan.metric, n, units: seen.units, alpha: plan.alpha },
    systems: [seen.main.a, seen.main.b] as const,
  };
  const hash = hashPlan(plan);
  const locked = lock !== undefined && lock.hash === hash;
  const about = { hash, locked, ...(nextLook === undefined ? {} : { nextLook }) };
  if (look === 0) {
    const blank = { difference: Number.NaN, lower: Number.NaN, upper: Number.NaN, p: Number.NaN };
    const own = { decision: "continue", reason: "between-looks", plan: about, deviations: [] } as const;
    return makeNext(seen, { ...shared, ...blank, ...own });
  }
  const result = followPlan(data, {
    ...{ ...given, plan, lock },
    ...(plan.looks === undefined ? { look: asked, confidence: 1 - plan.alpha } : { look }),
  });
  const { plan: followed } = result.toJSON() as Pick<ComparisonJson, "plan">;
  const taken = followed?.look;
  const { difference, p, verdict } = result.main;
  const { lower, upper } = intervalAt(plan, look, result);
  const found = !isOpen(verdict) && p <= plan.alpha;
  const rejected = taken === undefined ? plan.looks === undefined && found : taken.rejected;
  const reason: NextReason = rejected
    ? "difference"
    : taken?.futile === true && look < last
      ? "futility"
      : look >= last
        ? "all-items"
        : "not-yet";
  return makeNext(result, {
    ...{ ...shared, difference, lower, upper, p: Number(taken?.p ?? p), reason },
    decision: reason === "not-yet" ? "continue" : "stop",
    plan: { ...about, look },
    deviations: followed?.deviations ?? [],
  });
}

const stated = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );

/** The repeated confidence interval of a look; it holds 0 exactly where the bound is not reached. */
function intervalAt(plan: EvaluationPlan, look: number, { main }: Comparison): Pick<Fields, "lower" | "upper"> {
  const bound = plan.looks === undefined ? undefined : boundAt(plan, look);
  const found = evidenceOf(main);
  if (bound === undefined || found === undefined) return main.ci;
  const { difference } = main;
  const { z, se } = found;
  // the standard error of the items and an exact test may disagree at the border: then the test decides
  const agreed = Math.abs(difference) > bound * se === Math.abs(z) >= bound;
  const half = bound * (agreed ? se : Math.abs(difference / z));
  return { lower: difference - half, upper: difference + half };
}

function boundAt({ looks, alpha }: EvaluationPlan, look: number): number | undefined {
  return designLooks({ information: looks!.at, spending: looks!.spending, alpha }).z[look - 1];
}

function makeNext(from: Comparison, found: Fields): NextResult {
  const { higherIsBetter } = from;
  const fields = typeof higherIsBetter === "boolean" ? { ...found, higherIsBetter } : found;
  const { decision, reason, method, plan } = fields;
  const diagnostics = [
    ...from.diagnostics.filter(({ code }) => KEPT.has(code)),
    ...tellRuns(from, fields),
    ...tellOpen(from, fields),
    ...tellNext(fields),
  ];
  const signature = {
    ...from.signature,
    method: "next",
    version: GOSSET_VERSION,
    options: {
      ...from.signature.options,
      decision,
      reason,
      method,
      ...(plan === undefined ? {} : { plan: plan.hash }),
    },
  };
  return makeResult("next", { ...fields, signature, diagnostics }, display);
}

/** What the comparison behind it found that matters here too. */
const KEPT = new Set([
  "Unmatched",
  "Unscored",
  "Coverage",
  "PlanDeviation",
  "PlanNotLocked",
  "DirectionUnknown",
  "LookScope",
]);

/** Repeats that were averaged and that no test was held against. */
function tellRuns({ diagnostics, main, repeated }: Comparison, { reason, units, method }: Fields): Diagnostic[] {
  if (reason === "between-looks") return [];
  const rated = repeated.some(({ facet }) => facet === "raters");
  const averaged = diagnostics.some(({ code }) => code === "RepeatsAveraged") || (rated && units === "prompts");
  const tested = main.facets !== undefined && method === "group-sequential";
  return averaged && !tested ? [noteHeld(units, rated ? "raters" : "runs")] : [];
}

/** One degree of freedom, or rows without a score, leave a verdict open whatever p is. */
function tellOpen({ main, alpha }: Comparison, { plan, reason }: Fields): Diagnostic[] {
  if (plan?.look === undefined || reason === "difference" || !(main.p < alpha)) return [];
  const why = main.reason === undefined ? "" : `: ${main.reason}`;
  const message = `p is below its bound, and yet the comparison is open${why}.`;
  return [warning("VerdictOpen", message, "See what `compare` says of it.")];
}

function tellNext({ plan, n, units }: Fields): Diagnostic[] {
  if (plan === undefined)
    return [
      note(
        "Unplanned",
        "no plan: these numbers are anytime-valid; p and intervals of a single look (`compare`) are not.",
        "Plan the looks, which needs fewer items.",
      ),
    ];
  if (plan.look !== undefined) return [];
  const next = plan.nextLook === undefined ? "" : ` The next is due at ${plan.nextLook} items.`;
  return [
    warning(
      "BetweenLooks",
      `${n} ${units} are none of the planned looks: nothing is shown of the difference.${next}`,
      "If a planned look was missed, say which it is with option `look`; that is a deviation.",
    ),
  ];
}

const REASONS: Readonly<Record<Exclude<NextReason, "difference">, string>> = {
  equivalent: "the difference lies within the margin",
  futility: "the smallest effect is unlikely to be found any more",
  "all-items": "all items are there, and no difference was found",
  "not-yet": "nothing is decided yet",
  "between-looks": "no look is due",
};

function sayReason({ reason, systems, metric, difference, higherIsBetter }: Fields): string {
  if (reason !== "difference") return REASONS[reason];
  const [above, below] = higherIsBetter === undefined ? ["higher", "lower"] : ["better", "worse"];
  return `${systems[1]} is ${difference > 0 === (higherIsBetter ?? true) ? above : below} than ${systems[0]} by ${metric}`;
}

function sayPairs({ systems, wins, losses, winShare, higherIsBetter }: Fields, round: (value: number) => string) {
  if (wins === undefined || winShare === undefined) return [];
  const share = `${round(winShare.lower)} to ${round(winShare.upper)}`;
  const items = `${wins} ${wins === 1 ? "item" : "items"}`;
  return higherIsBetter === undefined
    ? [`${systems[1]} is higher on ${items} and lower on ${losses}; share higher ${share}.`]
    : [`${systems[1]} won ${items} and lost ${losses}; share won ${share}.`];
}

function display(fields: Fields & { readonly diagnostics: readonly Diagnostic[] }): Display {
  const { decision, systems, metric, n, units, difference, lower, upper, alpha, eValue, p, plan } = fields;
  const round = (value: number): string => formatNumber(Number(value.toPrecision(3)));
  const percent = `${100 * (1 - alpha)} %`;
  const known = Number.isNaN(difference)
    ? []
    : [
        `${systems[1]} - ${systems[0]} by ${metric}: ${round(difference)} (${percent} at all looks together: ${round(lower)} to ${round(upper)}), ${n} ${units}.`,
        ...(eValue === undefined
          ? [`p = ${round(p)} with regard to the looks.`]
          : [
              `e-value ${round(eValue)} against no difference; it stops at ${round(1 / alpha)}. p at any time: ${round(p)}.`,
            ]),
      ];
  const due = plan?.nextLook === undefined ? [] : [`Next look: at ${plan.nextLook} items.`];
  return {
    title: `${decision === "stop" ? "STOP" : "GO ON"}  ${sayReason(fields)} (${n} ${units})`,
    summary: [
      ...known,
      ...sayPairs(fields, round),
      ...due,
      // without a plan a note says so
      ...fields.deviations.filter((text) => text !== UNPLANNED).map((text) => `Not as planned: ${text}.`),
    ],
    tables: [],
    notes: [],
  };
}
