/** Does a change lose more than it may? Logs of a candidate and of its baseline are judged by a policy, task by task and as a whole: pass, fail,
 *  or inconclusive with a reason from a closed list.
 *    judge-changed        the runs were scored by different judges
 *    settings-changed     the runs differ in settings beside the model, and the policy does not list them
 *    order-confounded     one side was run before the other, and scores drift with time
 *    baseline-unstable    runs of the baseline differ by more than the margin
 *    population-changed   too few items in common
 *    coverage             too few items or scores, or rows without a score could overturn the outcome
 *    underpowered         neither a loss nor its absence is shown
 *  What cannot be judged whatever is run again is an error, which no option turns green: an unknown direction, a task that the policy requires and
 *  a side lacks, sides without an item or a score in common, and policies by which nothing decides.
 *  Tests and error rates: judge.ts. Exit codes: 0 pass, 1 fail, 3 inconclusive, unless `inconclusive` says otherwise. */

import { checkMargin, type ScoreBounds, type ScoreEnds, type ScoreRange, SHARE_BOUNDS } from "../../metrics/range.ts";
import { GATE } from "../../question/gate.ts";
import { refuseUnknown } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { RepeatedFacet } from "../../significance/compare/pair/facets.ts";
import { type OrderCheck, tellOrder } from "../../significance/compare/reading/order.ts";
import { countOf } from "../../significance/compare/written-numbers.ts";
import { oneSideNotes } from "../../significance/tests/skewed-mean.ts";
import { shorten } from "../../study/facts.ts";
import { isOfJudge } from "../../study/lexicon/circumstances.ts";
import { tellDiffering } from "../../study/settings.ts";
import { checkAuditMargin } from "../../validity/judge/audit.ts";
import type { PeoplesLabels } from "../../validity/judge/compared.ts";
import { noteHeld } from "../sentences.ts";
import { testCorrected } from "./corrected.ts";
import {
  coverageOf,
  type Evidence,
  type GateColumns,
  type GateFiles,
  gatherEvidence,
  pairScores,
  SIDES,
  type TaskCoverage,
  type TaskEvidence,
  WHOLE,
} from "./evidence.ts";
import { findFlips, type TaskFlips } from "./flips.ts";
import {
  type GateOutcome,
  type GateReason,
  type Judged,
  joinOutcomes,
  judgeTasks,
  type SuiteTask,
  type TaskTest,
  type TestOptions,
  testTask,
} from "./judge.ts";
import { displayGate } from "./outcome-display.ts";
import { summarise } from "./outcome-sentences.ts";
import { type Allowance, type GatePolicy, hasFloorsOnly, ruleFor, type TaskRule, type Tier } from "./policy.ts";

export type WhenOpen = "fail" | "pass" | "warn";

export interface GateOptions extends GateColumns {
  readonly policy: GatePolicy;
  /** What an inconclusive gate does to the exit code; default: a code of its own, 3. */
  readonly inconclusive?: WhenOpen | undefined;
  /** People's labels of some outputs: the gate then judges the corrected difference. */
  readonly people?: PeoplesLabels | undefined;
}

export interface GateTask extends TaskTest {
  readonly task: string;
  readonly tier: Tier;
  /** `lossP` adjusted over the tasks that decide. */
  readonly adjustedP: number;
  /** The score that it must reach, in place of a margin. */
  readonly floor?: number;
  /** The least that the policy asks for. */
  readonly least: { readonly items: number; readonly coverage: number };
  readonly outcome: GateOutcome;
  readonly reason: GateReason | null;
  readonly coverage: TaskCoverage;
  readonly flips: TaskFlips;
}

export interface GateResult extends Result<"gate"> {
  readonly outcome: GateOutcome;
  readonly reason: GateReason | null;
  readonly exitCode: number;
  readonly metric: string;
  readonly higherIsBetter: boolean;
  /** Every score is right or wrong: means are written in percent. */
  readonly percent: boolean;
  readonly alpha: number;
  readonly correction: GatePolicy["correction"];
  readonly inconclusive: WhenOpen | "code";
  /** Runs that were pooled. */
  readonly runs: { readonly baseline: readonly string[]; readonly candidate: readonly string[] };
  readonly tasks: readonly GateTask[];
  /** Raters or runs whose scores were averaged: the outcome is about new items with these. */
  readonly held: readonly RepeatedFacet[];
  /** Where rows carry times: whether the order of running is mixed up with the sides. */
  readonly order?: OrderCheck;
  /** One line for a log. */
  readonly summary: string;
}

export type GateJson = JsonOf<GateResult>;

export function gate(files: GateFiles, options: GateOptions): GateResult {
  refuseUnknown(GATE, options);
  const { policy, people } = options;
  if (people?.auditMargin !== undefined) checkAuditMargin(people.auditMargin);
  const evidence = gatherEvidence(files, {
    ...columnsOf(options),
    ...{ by: policy.by, unscored: policy.unscored, floors: hasFloorsOnly(policy), people },
  });
  return judgeEvidence(evidence, options);
}

/** The policy's own metric and direction, unless the caller names others. */
export const columnsOf = ({ policy, inconclusive: _, people: _people, ...columns }: GateOptions): GateColumns => ({
  ...columns,
  metric: columns.metric ?? policy.metric,
  higherIsBetter: columns.higherIsBetter ?? policy.higherIsBetter,
});

function judgeEvidence(evidence: Evidence, { policy, inconclusive, people }: GateOptions): GateResult {
  const higherIsBetter = requireDirection(evidence);
  const suite = judgeSuite(evidence, policy, { people, higherIsBetter });
  const { judged } = suite;
  const { outcome, reason } = joinOutcomes(judged);
  const runs = { baseline: evidence.runs[0], candidate: evidence.runs[1] };
  const fields = {
    outcome,
    reason,
    exitCode: exitCodeOf(outcome, inconclusive),
    metric: evidence.metric,
    higherIsBetter,
    percent: evidence.percent,
    alpha: policy.alpha,
    correction: policy.correction,
    inconclusive: inconclusive ?? ("code" as const),
    runs,
    tasks: judged,
    ...(evidence.order === undefined ? {} : { order: evidence.order }),
    held: evidence.held,
    summary: summarise(
      { outcome, reason, tasks: judged, runs, percent: evidence.percent, held: evidence.held },
      tellUnless(evidence, policy, judged),
    ),
    signature: { method: "gate", version: GOSSET_VERSION, options: { policy }, data: evidence.data },
    diagnostics: [...evidence.diagnostics, ...tellEvidence(evidence, { policy, ...suite })],
  };
  return makeResult("gate", fields, displayGate);
}

export function requireDirection({ higherIsBetter, metric }: Pick<Evidence, "higherIsBetter" | "metric">): boolean {
  if (higherIsBetter !== null) return higherIsBetter;
  throw new StatError(
    "DirectionUnknown",
    `Gosset does not know whether a higher ${metric} is better.`,
    "Say option `higherIsBetter` or option `higherIsBetter: false`, or higher-is-better in the policy.",
  );
}

function exitCodeOf(outcome: GateOutcome, inconclusive: WhenOpen | undefined): number {
  if (outcome !== "inconclusive") return outcome === "pass" ? 0 : 1;
  return inconclusive === undefined ? 3 : inconclusive === "fail" ? 1 : 0;
}

interface Suite {
  readonly judged: readonly GateTask[];
  /** There, and without a rule. */
  readonly untold: readonly string[];
  readonly told: readonly Diagnostic[];
}

function judgeSuite(
  evidence: Evidence,
  policy: GatePolicy,
  { people, higherIsBetter }: { readonly people: PeoplesLabels | undefined; readonly higherIsBetter: boolean },
): Suite {
  const { entries, untold } = entriesOf(evidence, policy);
  const about = { evidence, policy, auditMargin: people?.auditMargin };
  for (const entry of entries) refuseUnmatched(entry, policy);
  const prepared = entries.map(({ rule, own }) => prepareTask(own, rule, about));
  for (const [k, own] of prepared.entries()) refuseUnscored(entries[k]!, own);
  const outcomes = judgePrepared(prepared, policy);
  const judged = prepared.map(({ test, coverage, tier }, k): GateTask => {
    const { own, rule } = entries[k]!;
    return {
      task: own.task,
      tier,
      ...(rule.allowance.kind === "floor" ? { floor: rule.allowance.score } : {}),
      least: { items: rule.items, coverage: rule.coverage },
      ...(test ?? NO_TEST),
      ...outcomes[k]!,
      coverage,
      flips: findFlips(own, higherIsBetter),
    };
  });
  return { judged, untold, told: prepared.flatMap((own) => own.told ?? []) };
}

const onTask = (task: string): string => (task === WHOLE ? "" : ` on ${task}`);

/** Ids that never meet, and sides that lack what the policy requires, are no finding about the candidate. */
function refuseUnmatched({ own, rule }: Entry, policy: GatePolicy): void {
  const { items, shared } = coverageOf(own);
  if (shared > 0 || rule.tier === "advisory") return;
  const examples = examplesOf(own);
  const lacking = SIDES.find((_, s) => examples[s]!.length === 0);
  if (lacking !== undefined) {
    if (policy.tasks[own.task]?.required !== true) return;
    throw new StatError(
      "TasksMissing",
      `the policy requires ${own.task}, which the ${lacking} lacks.`,
      "Run it, or say required: false.",
    );
  }
  const told = SIDES.map((side, s) => `${side} has ${listNames(examples[s]!)}`);
  throw new StatError(
    "NothingMatches",
    `baseline and candidate have no item in common${onTask(own.task)} (of ${items}: ${told.join("; ")}).`,
    "Run both on the same items, and name the column that identifies an item with option `item`.",
  );
}

/** A few items of either side. */
const SHOWN_IDS = 2;
const ID_LENGTH = 40;
function examplesOf({ items, offsets, nameOf }: TaskEvidence): string[][] {
  return SIDES.map((_, s) => {
    const met = Array.from({ length: items }, (_own, i) => i).filter(
      (i) => offsets[2 * i + s + 1]! > offsets[2 * i + s]!,
    );
    return met.slice(0, SHOWN_IDS).map((i) => shorten(nameOf?.(i) ?? String(i + 1), ID_LENGTH));
  });
}

function refuseUnscored({ own, rule }: Entry, { test, coverage }: Pick<Prepared, "test" | "coverage">): void {
  if (test !== undefined || coverage.shared === 0 || rule.tier === "advisory") return;
  throw new StatError(
    "NoScores",
    `no item has a score of both sides${onTask(own.task)}: ${coverage.unscored[0]} rows of the baseline and ${coverage.unscored[1]} of the candidate have none.`,
    "Score the outputs first, or name another score with option `metric`.",
  );
}

/** All tasks at once; an outcome that rows without a score could overturn is inconclusive. */
export function judgePrepared(prepared: readonly Prepared[], policy: GatePolicy): Judged[] {
  const main = judgeTasks(prepared, policy);
  const bounded = prepared.some(({ ends }, k) => ends !== undefined && main[k]!.outcome !== "inconclusive");
  if (!bounded) return main;
  const ends = [0, 1].map((end) =>
    judgeTasks(
      prepared.map((own) => ({ ...own, test: own.ends?.[end] ?? own.test })),
      policy,
    ),
  );
  return main.map((own, k) =>
    own.outcome === "inconclusive" || ends.every((end) => end[k]!.outcome === own.outcome)
      ? own
      : { ...own, outcome: "inconclusive", reason: "coverage" },
  );
}

const NO_TEST: TaskTest = {
  n: 0,
  baseline: Number.NaN,
  candidate: Number.NaN,
  difference: Number.NaN,
  lower: Number.NaN,
  upper: Number.NaN,
  margin: Number.NaN,
  lossP: Number.NaN,
  marginP: Number.NaN,
};

export interface Entry {
  readonly own: TaskEvidence;
  readonly rule: TaskRule;
}

/** Tasks of the policy in its order, then the others. */
export function entriesOf(
  evidence: Pick<Evidence, "tasks" | "bounds" | "higherIsBetter">,
  policy: GatePolicy,
): { readonly entries: readonly Entry[]; readonly untold: readonly string[] } {
  const { tasks } = evidence;
  const listed = Object.keys(policy.tasks);
  const known = new Map(tasks.map((own) => [own.task, own]));
  const order = [
    ...listed.filter((name) => known.has(name)),
    ...tasks.map(({ task }) => task).filter((name) => !listed.includes(name)),
  ];
  const entries = order.flatMap((name) => {
    const rule = ruleFor(policy, name);
    return rule === undefined ? [] : [{ own: known.get(name)!, rule }];
  });
  const untold = order.filter((name) => ruleFor(policy, name) === undefined);
  const absent = listed.filter((name) => !known.has(name) && policy.tasks[name]!.required);
  if (absent.length > 0) throw tasksMissing(absent, [...known.keys()]);
  if (entries.every(({ rule }) => rule.tier === "advisory"))
    throw new StatError(
      "NothingDecides",
      `no critical or supporting task of the policy is in the logs, whose tasks are ${listNames([...known.keys()])}.`,
      "Add a margin for all tasks, or rules of these.",
    );
  for (const { own, rule } of entries) checkAllowance(rule.allowance, evidence, own);
  return { entries, untold };
}

function tasksMissing(absent: readonly string[], known: readonly string[]): StatError {
  const near = nearest(absent[0]!, known);
  const there = known.join() === WHOLE ? "The logs have no column of tasks" : `The tasks are ${listNames(known)}`;
  return new StatError(
    "TasksMissing",
    `the policy requires ${listNames(absent)}, which the logs lack.`,
    `${near === undefined ? "" : `Did you mean "${near}"? `}${there}. Run what is missing, or say required: false.`,
  );
}

/** What leaves every task open. */
function blockedByAll(
  { settings, oneModel, order, labeled }: Surroundings["evidence"],
  { changes }: GatePolicy,
): GateReason | undefined {
  const untold = changes.includes("any") ? [] : settings.filter(({ name }) => !changes.includes(name));
  // labels of both sides correct each judge's scores
  const told = labeled === true ? untold.filter(({ name }) => !isOfJudge(name)) : untold;
  if (told.some(({ name }) => isOfJudge(name))) return "judge-changed";
  // where all runs share a model the settings are what is tried
  if (told.length > 0 && !oneModel) return "settings-changed";
  return order?.confounded ? "order-confounded" : undefined;
}

export interface Prepared extends SuiteTask {
  readonly coverage: TaskCoverage;
  /** The tests with rows without a score against and for the candidate, where there are any and the policy bounds them. */
  readonly ends?: readonly [TaskTest, TaskTest] | undefined;
  /** What its test warns of. */
  readonly told?: readonly Diagnostic[];
}

export interface Surroundings {
  readonly evidence: Pick<
    Evidence,
    "higherIsBetter" | "metric" | "range" | "runs" | "settings" | "oneModel" | "order"
  > &
    Partial<Pick<Evidence, "labeled">>;
  readonly policy: GatePolicy;
  /** With labels: how far the judge's error may differ between the sides. */
  readonly auditMargin?: number | undefined;
}

export function prepareTask(own: TaskEvidence, rule: TaskRule, about: Surroundings): Prepared {
  const { evidence, policy } = about;
  const higherIsBetter = requireDirection(evidence);
  const { range } = evidence;
  const { tier, allowance } = rule;
  const coverage = coverageOf(own);
  const fixed = blockedByAll(evidence, policy);
  const worst = range[higherIsBetter ? 0 : 1];
  const scores = pairScores(own, range, policy.unscored === "wrong" ? [worst, worst] : undefined);
  if (scores.candidate.length === 0)
    return { tier, coverage, blocked: fixed ?? (coverage.shared === 0 ? "population-changed" : "coverage") };
  const options = { allowance, higherIsBetter, alpha: policy.alpha };
  if (own.labels !== undefined) return prepareLabeled(own, rule, { about, coverage, fixed, options });
  const test = testTask(scores, options);
  const blocked =
    fixed ?? blockedBy(test, coverage, rule) ?? (isUnstable(own, rule, about) ? "baseline-unstable" : undefined);
  const open = policy.unscored === "bounds" && blocked === undefined && coverage.unscored[0] + coverage.unscored[1] > 0;
  const [low, high] = range;
  const filled = (fill: readonly [number, number]): TaskTest => testTask(pairScores(own, range, fill), options);
  return { tier, coverage, test, blocked, ...(open ? { ends: [filled([high, low]), filled([low, high])] } : {}) };
}

interface Labeled {
  readonly about: Surroundings;
  readonly coverage: TaskCoverage;
  readonly fixed: GateReason | undefined;
  readonly options: TestOptions;
}

/** By people's labels. What people would say of rows without a score is not known: they leave the task open, unless the policy leaves them out. */
function prepareLabeled(own: TaskEvidence, rule: TaskRule, { about, coverage, fixed, options }: Labeled): Prepared {
  const { evidence, policy, auditMargin } = about;
  if (rule.allowance.kind === "floor")
    throw new StatError(
      "FloorWithLabels",
      `${own.task}: a floor is compared with the scores themselves, which labels do not change.`,
      "Give a margin instead, or see the corrected score with `gosset judge correct`.",
    );
  const { test, blocked, told } = testCorrected(own, { ...options, auditMargin });
  const unscored = policy.unscored !== "complete" && coverage.unscored[0] + coverage.unscored[1] > 0;
  return {
    ...{ tier: rule.tier, coverage, test, told },
    blocked:
      fixed ??
      blockedBy(test, coverage, rule) ??
      (isUnstable(own, rule, { evidence, policy }) ? "baseline-unstable" : undefined) ??
      (unscored ? "coverage" : blocked),
  };
}

function blockedBy({ n }: TaskTest, { items, shared, scored }: TaskCoverage, rule: TaskRule): GateReason | undefined {
  if (shared < rule.coverage * items) return "population-changed";
  return scored < rule.coverage || n < rule.items ? "coverage" : undefined;
}

/** Whether two runs of the baseline differ by more than the margin, beyond chance. */
function isUnstable(own: TaskEvidence, rule: TaskRule, { evidence, policy }: Surroundings): boolean {
  const count = evidence.runs[0].length;
  if (count < 2 || rule.allowance.kind === "floor") return false;
  const pairs = Array.from({ length: count }, (_, r) => Array.from({ length: r }, (_s, s) => [s, r] as const)).flat();
  return pairs.some(([s, r]) => {
    const scores = pairScores(betweenRuns(own, s, r), evidence.range);
    if (scores.candidate.length < 2) return false;
    const options = { allowance: rule.allowance, alpha: policy.alpha };
    const [up, down] = [true, false].map((higherIsBetter) => testTask(scores, { ...options, higherIsBetter }));
    const p = 2 * Math.min(up!.lossP, down!.lossP);
    return p < policy.alpha / pairs.length && Math.abs(up!.difference) > up!.margin;
  });
}

/** Run s of the baseline in its place, run r in the candidate's. */
function betweenRuns(
  { offsets, scores, runs, items, clusters, task }: TaskEvidence,
  s: number,
  r: number,
): TaskEvidence {
  const rows: number[] = [];
  const own = new Int32Array(2 * items + 1);
  for (let i = 0; i < items; i++) {
    for (const [side, run] of [s, r].entries()) {
      for (let at = offsets[2 * i]!; at < offsets[2 * i + 1]!; at++) if (runs[at] === run) rows.push(scores[at]!);
      own[2 * i + side + 1] = rows.length;
    }
  }
  const values = Float64Array.from(rows);
  return {
    task,
    items,
    offsets: own,
    scores: values,
    runs: new Int32Array(values.length),
    ...(clusters ? { clusters } : {}),
  };
}

/** Runs of a side that share a task: logs of different tasks are not pooled. */
function pooledRuns({ tasks, runs }: Evidence, side: 0 | 1): string[] {
  const pooled = new Set<number>();
  for (const { items, offsets, runs: own } of tasks) {
    const seen = new Set<number>();
    for (let i = 0; i < items; i++)
      for (let at = offsets[2 * i + side]!; at < offsets[2 * i + side + 1]!; at++) seen.add(own[at]!);
    if (seen.size > 1) for (const run of seen) pooled.add(run);
  }
  return runs[side].filter((_, run) => pooled.has(run));
}

function tellEvidence(
  evidence: Evidence,
  { policy, untold, judged, told }: Suite & { readonly policy: GatePolicy },
): Diagnostic[] {
  const { settings, oneModel, order, held, range, seen } = evidence;
  const differ = settings.length === 0 ? [] : [`the runs differ in ${listNames(tellDiffering(settings), 6)}.`];
  const unscored = countUnscored(judged);
  return [
    ...differ.map((message) =>
      oneModel
        ? note("SettingsDiffer", message, "They run one model: these settings are what is judged.")
        : warning("SettingsDiffer", message, "List what the change is meant to change under `changes` in the policy."),
    ),
    ...(order === undefined ? [] : tellOrder(order)),
    ...(untold.length === 0
      ? []
      : [
          note(
            "TasksWithoutRule",
            `the policy has no rule for ${listNames(untold)}, which were not judged.`,
            "Add a margin for all tasks, or one for each.",
          ),
        ]),
    ...([0, 1] as const).flatMap((side) => {
      const pooled = pooledRuns(evidence, side);
      const code = side === 0 ? "BaselinePooled" : "CandidatePooled";
      return pooled.length > 1
        ? [note(code, `the ${SIDES[side]} is pooled from ${pooled.length} runs: ${listNames(pooled)}.`, "")]
        : [];
    }),
    ...tellEqual(judged),
    ...judged.flatMap(tellTiny),
    ...tellHeldFacets({ held }),
    ...told,
    ...judged.flatMap(tellSkewed),
    ...(unscored === 0
      ? []
      : [
          warning(
            "Unscored",
            `${countOf(unscored, "rows")} ${unscored === 1 ? "has" : "have"} no score; ${tellRule(policy, { range, seen })}.`,
            "Score them, or say in a policy how they count (unscored: wrong for failures).",
          ),
        ]),
  ];
}

/** One log twice passes whatever it holds. */
function tellEqual(judged: readonly GateTask[]): Diagnostic[] {
  const compared = judged.filter(({ n, floor }) => n > 0 && floor === undefined);
  const equal = compared.every(({ flips: { lost, gained } }) => lost.count + gained.count === 0);
  if (compared.length === 0 || !equal) return [];
  return [
    warning(
      "NoFlips",
      "no item differs between baseline and candidate: either nothing changed or these are one run.",
      "Check that the candidate's log is that of the change.",
    ),
  ];
}

/** A margin in other units than the score's: 0.05 of milliseconds. */
function tellTiny({ task, margin, floor, baseline }: GateTask): Diagnostic[] {
  if (floor !== undefined || margin === 0 || !(margin < TINY * Math.abs(baseline))) return [];
  const share = formatNumber(Number(((100 * margin) / Math.abs(baseline)).toPrecision(2)));
  const message = `the margin of ${formatNumber(margin)}${onTask(task)} is ${share} % of the baseline's score (${formatNumber(Number(baseline.toPrecision(4)))}).`;
  return [
    warning(
      "TinyMargin",
      message,
      "A margin is in the units of the score; with % (5%) it is a proportion of the baseline's.",
    ),
  ];
}
const TINY = 0.001;

/** Beside an outcome that one side of a mean decided. */
function tellSkewed({ task, n, outcome, skewness }: GateTask): Diagnostic[] {
  if (outcome === "inconclusive" || skewness === undefined) return [];
  return oneSideNotes({ n, skewness }, `differences${task === WHOLE ? "" : ` on ${task}`}`);
}

export const tellHeldFacets = ({ held }: Pick<Evidence, "held">): Diagnostic[] =>
  held.map(({ facet }) => noteHeld("items", facet === "raters" ? facet : "runs"));

const countUnscored = (judged: readonly GateTask[]): number =>
  judged.reduce((sum, { coverage }) => sum + coverage.unscored[0] + coverage.unscored[1], 0);

/** Scores seen bound no others: an outcome that was held against those ends says so. */
function tellUnless({ seen }: ScoreEnds, { unscored }: GatePolicy, judged: readonly GateTask[]): string {
  const rows = countUnscored(judged);
  if (!seen || unscored !== "bounds" || rows === 0) return "";
  return `, if ${rows === 1 ? "the missing score lies" : `the ${rows} missing scores lie`} among those seen`;
}

const tellRule = ({ unscored }: GatePolicy, { range, seen }: ScoreEnds): string =>
  ({
    bounds: `an outcome counts only if it holds ${tellEnds(range, seen)}`,
    complete: "they are left out",
    wrong: seen ? "they count as the worst score seen" : "they count as failures",
  })[unscored];

function tellEnds(range: ScoreRange, seen: boolean): string {
  const [low, high] = range.map((end) => formatNumber(end));
  return seen
    ? `for all scores within ${low} to ${high}, the smallest and the largest seen; ones beyond these (a timeout, for one) could overturn it`
    : `whatever they are (${low} to ${high})`;
}

type Scores = Pick<Evidence, "bounds" | "higherIsBetter">;

function checkAllowance(allowance: Allowance, about: Scores, own: Pick<TaskEvidence, "task" | "scores">): void {
  const bounds = boundsOfTask(about, own);
  if (allowance.kind === "absolute") checkMargin(allowance.value, bounds);
  else if (allowance.kind === "relative") checkRelative(allowance.share, about);
  else checkFloor(allowance.score, { bounds, higherIsBetter: about.higherIsBetter, task: own.task });
}

/** Beyond this a scale is none of ratings, whose low grades could be taken for wrong and right. */
const LARGEST_RATING = 10;

/** Of all scores of the metric, unless tasks are on scales of their own and this one's answers are right or wrong. */
function boundsOfTask({ bounds }: Scores, { scores }: Pick<TaskEvidence, "scores">): ScoreBounds | undefined {
  if (bounds !== undefined && bounds.range[1] <= LARGEST_RATING) return bounds;
  const seen = new Set(scores.filter((score) => !Number.isNaN(score)));
  return seen.size === 2 && seen.has(0) && seen.has(1) ? SHARE_BOUNDS : bounds;
}

function checkRelative(share: number, { bounds, higherIsBetter }: Scores): void {
  const bottom = bounds?.range[0] ?? Number.NEGATIVE_INFINITY;
  if (higherIsBetter === false || share < 1 || bottom < 0) return;
  throw new StatError(
    "BadMargin",
    `a margin of ${Math.round(share * 1e6) / 1e4}% of the baseline's score lets all of it be lost.`,
    "Give the largest proportion of it that does not matter, such as 5%.",
  );
}

function checkFloor(score: number, { bounds, higherIsBetter, task }: Scores & { readonly task: string }): void {
  if (bounds === undefined || higherIsBetter === null) return;
  const [low, high] = bounds.range;
  const idle = higherIsBetter ? score <= low : score >= high;
  const beyond = higherIsBetter ? score > high : score < low;
  if (!idle && !beyond) return;
  throw new StatError(
    "BadMargin",
    `${task}: no-worse-than ${score} ${idle ? "lets every" : "can be reached by no"} score between ${low} and ${high}${idle ? " through" : ""}.`,
    "Give it in the units of the score.",
  );
}
