/** A gate on the screen: the outcome, one row a task, what to do next. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { tellScope } from "../../significance/compare/scope.ts";
import type { GateResult, GateTask } from "./gate.ts";
import type { GateReason } from "./judge.ts";

/** Of the caller, or of the policy where there is a file. */
export const SAY_DIRECTION =
  "Option `higherIsBetter` or option `higherIsBetter: false` says it, or higher-is-better in a policy file.";

/** What to do about each reason. */
export const ADVICE: Readonly<Record<GateReason, string>> = {
  "direction-unknown": SAY_DIRECTION,
  "judge-changed": "Score both sides with the same judge and rubric.",
  "settings-changed": "Run both sides alike, or list the settings that the change is meant to change (changes).",
  "order-confounded": "Run both sides interleaved (`plan schedule` draws an order), or at the same time.",
  "baseline-unstable": "Find out why runs of the baseline differ, or pool more of them.",
  "population-changed": "Run both sides on the same items.",
  coverage: "Run and score what is missing.",
  underpowered: "Add items or repeats; `gate check` says how many.",
};

/** Few items are not missing ones: what is asked for fits what is lacking. */
export function adviceOf(
  reason: GateReason,
  { tasks, absent }: Pick<GateResult, "absent"> & { readonly tasks: readonly Pick<GateTask, "reason" | "coverage">[] },
): string {
  if (reason !== "coverage") return ADVICE[reason];
  const open = tasks.filter((task) => task.reason === "coverage").map(({ coverage }) => coverage.unscored);
  const few = open.some(([baseline, candidate]) => baseline + candidate === 0);
  const lacking = absent.length > 0 || open.some(([baseline, candidate]) => baseline + candidate > 0);
  return [
    ...(few ? ["Add items: there are fewer than a task needs (10, or items in a policy file)."] : []),
    ...(lacking ? [ADVICE.coverage] : []),
  ].join(" ");
}

export function displayGate(fields: FieldsOf<GateResult>): Display {
  const { outcome, reason, metric, tasks, alpha, correction, summary, higherIsBetter, absent, held } = fields;
  const told = tasks.flatMap(({ reason: own, tier }) => (own === null || tier === "advisory" ? [] : [own]));
  const reasons = [...new Set([...(reason === null ? [] : [reason]), ...told])];
  const table = {
    head: [
      "task",
      "tier",
      "n",
      "baseline",
      "candidate",
      "difference",
      "from",
      "to",
      "margin",
      "p(loss)",
      "p(margin)",
      "",
    ],
    formats: [
      "text",
      "text",
      "integer",
      "number",
      "number",
      "number",
      "number",
      "number",
      "number",
      "p",
      "p",
      "text",
    ] as const,
    rows: tasks.map((task) => [
      ...[task.task, task.tier, task.n, task.baseline, task.candidate],
      ...[task.difference, task.lower, task.upper, task.margin, task.adjustedP, task.marginP],
      tellOutcome(task),
    ]),
  };
  const advice = reasons.map((own) => adviceOf(own, fields));
  const how = correction === "holm" ? "Holm's correction" : "a fixed sequence";
  return {
    title: `Gate by ${metric}: ${outcome.toUpperCase()}${reason === null ? "" : ` (${reason})`}`,
    summary: [summary, ...(outcome === "inconclusive" || reasons.length > 0 ? advice : [])],
    tables: [table],
    notes: [
      `From and to are one-sided bounds at ${formatNumber(alpha)} each${higherIsBetter === null ? "" : `; ${higherIsBetter ? "higher" : "lower"} is better`}.`,
      `A task passes if its loss is shown to be within the margin, fails if a loss is shown and that is not. False-alarm rate: a change with no effect fails with probability about ${formatNumber(alpha)} (${how} over the tasks). A change that loses the margin on a critical task passes with probability about ${formatNumber(alpha)}${held.length === 0 ? "" : `: of new items${tellHeld(fields)}`}.`,
      ...(absent.length === 0 ? [] : [`Missing: ${absent.join(", ")}.`]),
    ],
  };
}

/** " for these four raters", where the outcome is about no others. */
export const tellHeld = ({ held }: Pick<GateResult, "held">): string =>
  tellScope(["items"], held, "items")
    .map((words) => ` ${words}`)
    .join("");

const tellOutcome = ({ outcome, reason }: GateTask): string => (reason === null ? outcome : `${outcome} (${reason})`);
