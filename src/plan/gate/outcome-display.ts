/** A gate on the screen: the outcome, one row a task, what to do next. */
import type { FieldsOf } from "../../models/fit.ts";
import type { CellFormat, Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { tellHeld as tellHeldFacets } from "../../significance/compare/scope.ts";
import { inUnits, type ScoreStyle, writeScore } from "../../significance/compare/written-numbers.ts";
import type { GateResult, GateTask } from "./gate.ts";
import type { GateReason } from "./judge.ts";

/** What to do about each reason. */
export const ADVICE: Readonly<Record<GateReason, string>> = {
  "judge-changed": "Score both sides with the same judge and rubric.",
  "settings-changed": "Run both sides alike, or list the settings that the change is meant to change (changes).",
  "order-confounded": "Run both sides interleaved (`plan schedule` draws an order), or at the same time.",
  "baseline-unstable": "Find out why runs of the baseline differ, or pool more of them.",
  "population-changed": "Run both sides on the same items.",
  coverage: "Run and score what is missing.",
  labels: "Have people label both sides' outputs of at least 10 items, drawn at random.",
  underpowered: "Add items or repeats; `gate check` says how many.",
};

/** Few items are not missing ones: what is asked for fits what is lacking. */
export function adviceOf(
  reason: GateReason,
  {
    tasks,
    runs,
  }: Pick<GateResult, "runs"> & {
    readonly tasks: readonly Pick<GateTask, "reason" | "coverage" | "people">[];
  },
): string {
  const labeled = tasks.some(({ people }) => people !== undefined);
  if (labeled && reason === "underpowered") return "Have people label more items; `gosset judge plan` says how many.";
  if (labeled && reason === "judge-changed")
    return "By the labels the judge's error differs between the sides by more than the audit margin. Use another judge, or label more items and leave the audit out.";

  // a check draws from pilots of both sides
  if (reason === "underpowered" && runs.baseline.length === 0) return "Add items.";
  if (reason !== "coverage") return ADVICE[reason];
  const open = tasks.filter((task) => task.reason === "coverage").map(({ coverage }) => coverage.unscored);
  const few = open.some(([baseline, candidate]) => baseline + candidate === 0);
  const lacking = open.some(([baseline, candidate]) => baseline + candidate > 0);
  return [
    ...(few ? ["Add items: there are fewer than a task needs (10, or items in a policy file)."] : []),
    ...(lacking ? [ADVICE.coverage] : []),
  ].join(" ");
}

/** Shares as `compare` writes them; a margin below a tenth of a point keeps its digits. */
export function gateStyle({ percent, tasks }: Pick<GateResult, "percent" | "tasks">): ScoreStyle {
  const margins = tasks.map(({ margin }) => 100 * margin).filter((margin) => margin > 0);
  const isWritten = (decimals: number): boolean =>
    margins.every((margin) => Math.abs(Number(margin.toFixed(decimals)) - margin) < 1e-9 * margin);
  return { percent, decimals: [1, 2, 3, 4].find(isWritten) ?? 1 };
}

export function displayGate(fields: FieldsOf<GateResult>): Display {
  const { outcome, reason, metric, tasks, alpha, correction, summary, higherIsBetter, held, percent } = fields;
  const told = tasks.flatMap(({ reason: own, tier }) => (own === null || tier === "advisory" ? [] : [own]));
  const reasons = [...new Set([...(reason === null ? [] : [reason]), ...told])];
  const style = gateStyle(fields);
  const alone = fields.runs.baseline.length === 0;
  const labeled = tasks.some(({ people }) => people !== undefined);
  const columns: readonly Column[] = [
    { head: "task", format: "text", cell: ({ task }) => task },
    { head: "tier", format: "text", cell: ({ tier }) => tier },
    { head: "n", format: "integer", cell: ({ n }) => n },
    ...(labeled
      ? [
          { head: "labels", format: "integer" as const, cell: ({ people }: GateTask) => people?.labels ?? Number.NaN },
          score("by the judge", ({ people }) => people?.judge.value ?? Number.NaN),
        ]
      : []),
    ...(alone || labeled ? [] : [score("baseline", ({ baseline }) => baseline)]),
    ...(labeled ? [] : [score("candidate", ({ candidate }) => candidate)]),
    ...(alone ? [score("floor", ({ candidate, difference }) => candidate - difference)] : []),
    ...[score(labeled ? "corrected" : "difference", (own) => own.difference), score("from", (own) => own.lower)],
    score("to", (own) => own.upper),
    ...(alone ? [] : [score("margin", ({ margin }) => margin)]),
    { head: alone ? "p(below)" : "p(loss)", format: "p", cell: ({ adjustedP }) => adjustedP },
    { head: alone ? "p(reached)" : "p(margin)", format: "p", cell: ({ marginP }) => marginP },
    { head: "", format: "text", cell: tellOutcome },
  ];
  const table = {
    head: columns.map(({ head, isScore }) => `${head}${isScore && percent ? " (%)" : ""}`),
    formats: columns.map(({ format }) => format),
    ...(percent ? { decimals: style.decimals } : {}),
    rows: tasks.map((task) =>
      columns.map(({ cell, isScore }) => {
        const value = cell(task);
        return isScore && typeof value === "number" ? inUnits(value, style) : value;
      }),
    ),
  };
  const advice = reasons.map((own) => adviceOf(own, fields));
  const how = correction === "holm" ? "Holm's correction" : "a fixed sequence";
  return {
    title: `Gate by ${metric}: ${outcome.toUpperCase()}${reason === null ? "" : ` (${reason})`}`,
    summary: [summary, ...(outcome === "inconclusive" || reasons.length > 0 ? advice : [])],
    tables: [table],
    notes: [
      `From and to are one-sided bounds at ${formatNumber(alpha)} each; ${higherIsBetter ? "higher" : "lower"} is better.`,
      ...(alone
        ? tellFloor(fields, style)
        : [
            `A task passes if its loss is shown to be within the margin, fails if a loss is shown and that is not. False-alarm rate: a change with no effect fails with probability about ${formatNumber(alpha)} (${how} over the tasks). A change that loses the margin on a critical task passes with probability about ${formatNumber(alpha)}${held.length === 0 ? "" : `: of new items${tellHeld(fields)}`}.`,
          ]),
      ...(labeled
        ? [
            "The difference is the one that people would have given: corrected by their labels, as `gosset judge correct` does it.",
          ]
        : []),
    ],
  };
}

interface Column {
  readonly head: string;
  readonly format: CellFormat;
  readonly cell: (task: GateTask) => string | number;
  /** In the units of the score. */
  readonly isScore?: true;
}

const score = (head: string, cell: (task: GateTask) => number): Column => ({
  ...{ head, format: "number", cell },
  isScore: true,
});

/** What the gate does with a candidate that is exactly at its floor: counted where the tails are exact, about alpha elsewhere. */
function tellFloor(fields: FieldsOf<GateResult>, style: ScoreStyle): string[] {
  const { tasks, alpha, held } = fields;
  const error = formatNumber(alpha);
  const whose = held.length === 0 ? "" : `: of new items${tellHeld(fields)}`;
  const about = `A task passes if its score is shown to reach the floor, and fails if it is shown to miss it. False-alarm rate: a candidate exactly at the floor fails with probability about ${error}, and passes with probability about ${error}${whose}.`;
  const exact = tasks.flatMap(({ task, n, rates, candidate, difference }) => {
    if (rates === undefined) return [];
    const floor = writeScore(candidate - difference, style);
    const name = tasks.length === 1 ? "" : `${task}: `;
    const sure = Number.isNaN(rates.sure)
      ? "no candidate could pass"
      : `a candidate of ${writeScore(rates.sure, style)} passes with probability 0.8`;
    return [
      `${name}With ${n} items a candidate of exactly ${floor} fails with probability ${rates.fail.toFixed(3)} and passes with probability ${rates.pass.toFixed(3)}; ${sure}.`,
    ];
  });
  return [about, ...exact];
}

/** " for these four raters", where the outcome is about no others. */
export const tellHeld = ({ held }: Pick<GateResult, "held">): string =>
  tellHeldFacets(held)
    .map((words) => ` ${words}`)
    .join("");

const tellOutcome = ({ outcome, reason }: GateTask): string => (reason === null ? outcome : `${outcome} (${reason})`);
