/** A gate on the screen: the outcome with its numbers, one row a task, what to do next. */
import type { FieldsOf } from "../../models/fit.ts";
import type { CellFormat, Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { inUnits, type ScoreStyle, writeScore } from "../../significance/compare/written-numbers.ts";
import { WHOLE } from "./evidence.ts";
import type { GateResult, GateTask } from "./gate.ts";
import type { GateReason } from "./judge.ts";
import { gateStyle, limitIn, plainIn, tellAdjusted, tellExit, tellHeld } from "./outcome-sentences.ts";

/** What to do about each reason. */
export const ADVICE: Readonly<Record<GateReason, string>> = {
  "judge-changed": "Score both sides with the same judge and rubric.",
  "settings-changed": "Run both sides alike, or list the settings that the change is meant to change (changes).",
  "order-confounded": "Run both sides interleaved (`plan schedule` draws an order), or at the same time.",
  "baseline-unstable": "Find out why runs of the baseline differ, or pool more of them.",
  "population-changed":
    "Run both sides on the same items. Where a change adds items, say in a policy which proportion is enough (coverage: 0.7).",
  coverage: "Run and score what is missing, or say in a policy how missing scores count (unscored: wrong).",
  labels: "Have people label both sides' outputs of at least 10 items, drawn at random.",
  underpowered: "Add items or runs; `gosset gate check` says how many.",
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

/** What to do, of every reason that some task has. */
export const advise = (
  fields: Pick<GateResult, "reason" | "tasks" | "runs">,
): { reason: GateReason; text: string }[] => {
  const told = fields.tasks.flatMap(({ reason, tier }) => (reason === null || tier === "advisory" ? [] : [reason]));
  const reasons = [...new Set([...(fields.reason === null ? [] : [fields.reason]), ...told])];
  return reasons.map((reason) => ({ reason, text: adviceOf(reason, fields) }));
};

export function displayGate(fields: FieldsOf<GateResult>): Display {
  const { summary } = fields;
  const style = gateStyle(fields);
  const lead = [...tellAdjusted(fields), ...tellExit(fields), ...advise(fields).map(({ text }) => text)];
  const notes = tellRules(fields, style);
  return {
    title: summary,
    summary: lead,
    tables: [fullTable(fields, style)],
    notes: notes.map((own) => `${own.label}: ${own.text}`),
    screen: {
      title: summary,
      tables: [shortTable(fields, style)],
      summary: lead,
      facts: notes,
    },
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
const text = (head: string, cell: (task: GateTask) => string): Column => ({ head, format: "text", cell });

const LABELS: readonly Column[] = [
  { head: "labels", format: "integer", cell: ({ people }) => people?.labels ?? Number.NaN },
  score("by the judge", ({ people }) => people?.judge.value ?? Number.NaN),
];

type Fields = Pick<FieldsOf<GateResult>, "tasks" | "runs" | "percent">;

const kindOf = ({ tasks, runs }: Fields) => ({
  alone: runs.baseline.length === 0,
  labeled: tasks.some(({ people }) => people !== undefined),
  floors: tasks.some(({ floor }) => floor !== undefined),
});

/** All there is of a task. */
function fullTable(fields: Fields, style: ScoreStyle): DisplayTable {
  const { alone, labeled, floors } = kindOf(fields);
  const columns: readonly Column[] = [
    text("task", ({ task }) => task),
    text("tier", ({ tier }) => tier),
    { head: "n", format: "integer", cell: ({ n }) => n },
    ...(labeled
      ? LABELS
      : [...(alone ? [] : [score("baseline", (own) => own.baseline)]), score("candidate", (own) => own.candidate)]),
    score(labeled ? "corrected" : "difference", (own) => own.difference),
    ...[score("lower bound", (own) => own.lower), score("upper bound", (own) => own.upper)],
    ...(alone ? [] : [score("margin", ({ margin, floor }) => (floor === undefined ? margin : Number.NaN))]),
    ...(floors ? [score("floor", ({ floor }) => floor ?? Number.NaN)] : []),
    { head: alone ? "p(below)" : "p(loss)", format: "p", cell: ({ adjustedP }) => adjustedP },
    { head: alone ? "p(reached)" : "p(margin)", format: "p", cell: ({ marginP }) => marginP },
    text("outcome", tellOutcome),
  ];
  return tableOf(columns, fields, style);
}

/** Within 80 columns: n, p and tiers where there is room, the details have them. */
function shortTable(fields: Fields, style: ScoreStyle): DisplayTable {
  const { alone, labeled, floors } = kindOf(fields);
  const { tasks } = fields;
  const [only] = tasks;
  const plain = plainIn(style);
  const isWhole = tasks.length === 1 && only!.task === WHOLE;
  const longest = (of: (task: GateTask) => string): number =>
    tasks.reduce((most, own) => Math.max(most, of(own).length), 0);
  const short =
    longest(({ task }) => task) + longest(({ outcome }) => outcome) <= ROOM &&
    tasks.every(({ tier, floor }) => tier === "critical" && (alone || floor === undefined));
  const own = (of: number, { floor = 0 }: GateTask): number => (alone ? floor + of : of);
  const columns: readonly Column[] = [
    ...(isWhole ? [] : [text("task", ({ task }) => shortened(task))]),
    ...(short && !labeled ? [{ head: "n", format: "integer" as const, cell: ({ n }: GateTask) => n }] : []),
    ...(labeled
      ? LABELS
      : alone
        ? [score("candidate", ({ candidate }) => candidate)]
        : [
            text(
              `baseline → candidate${fields.percent ? " (%)" : ""}`,
              ({ baseline, candidate }) => `${plain(baseline)} → ${plain(candidate)}`,
            ),
          ]),
    ...(alone ? [] : [score(labeled ? "corrected" : "difference", ({ difference }) => difference)]),
    score("lower bound", (task) => own(task.lower, task)),
    score("upper bound", (task) => own(task.upper, task)),
    alone
      ? score("floor", ({ floor }) => floor ?? Number.NaN)
      : floors
        ? text("margin or floor", limitIn(style))
        : score("margin", ({ margin }) => margin),
    text("outcome", ({ outcome, tier }) => (tier === "critical" ? outcome : `${outcome} (${tier})`)),
  ];
  return tableOf(columns, fields, style);
}

/** Names and outcomes that leave room for the number of items, and names for the table. */
const ROOM = 22;
const LONGEST = 16;
/** The ends tell tasks of one suite apart. */
const shortened = (name: string): string =>
  name.length <= LONGEST ? name : `${name.slice(0, LONGEST / 2)}…${name.slice(1 - LONGEST / 2)}`;

function tableOf(columns: readonly Column[], { tasks, percent }: Fields, style: ScoreStyle): DisplayTable {
  return {
    head: columns.map(({ head, isScore }) => `${head}${isScore && percent ? " (%)" : ""}`),
    formats: columns.map(({ format }) => format),
    decimals: style.decimals,
    rows: tasks.map((task) =>
      columns.map(({ cell, isScore }) => {
        const value = cell(task);
        return isScore && typeof value === "number" ? inUnits(value, style) : value;
      }),
    ),
  };
}

/** What was judged and by which rule, and how often that errs. */
function tellRules(fields: FieldsOf<GateResult>, style: ScoreStyle): { label: string; text: string }[] {
  const { metric, higherIsBetter, alpha, correction, held, tasks } = fields;
  const { alone, labeled, floors } = kindOf(fields);
  const error = formatNumber(alpha);
  const how = correction === "holm" ? "Holm's correction" : "a fixed sequence";
  const several = tasks.filter(({ tier }) => tier !== "advisory").length > 1;
  const rule = alone
    ? "A task passes if its score is shown to reach the floor. It fails if its score is shown to miss it."
    : "A task passes if its loss is shown to be within the margin. It fails if a loss is shown and is not shown to be within the margin.";
  const [wrong, right] = alone
    ? ["A candidate exactly at the floor fails", "It passes"]
    : ["A change with no effect fails", "A change that loses the margin on a critical task passes"];
  const whose =
    held.length === 0 ? "" : ` These rates are for new items and ${tellHeld(fields).replace(/^ for | only$/g, "")}.`;
  return [
    {
      label: "Metric",
      text: `${metric}; ${higherIsBetter ? "higher" : "lower"} is better.${labeled ? " The difference is the one that people would have given: corrected by their labels, as `gosset judge correct` does it." : ""}`,
    },
    {
      label: "Rule",
      text: `${rule}${floors && !alone ? " A task with a floor is judged by its own score: its difference and bounds are those from the floor." : ""}`,
    },
    {
      label: "Bounds",
      text: `One-sided, at ${error} each${several ? "; they are of each task alone, and only p(loss) is adjusted for the number of tasks" : ""}.`,
    },
    {
      label: "Errors",
      text: `False-alarm rate: ${wrong.charAt(0).toLowerCase()}${wrong.slice(1)} with probability about ${error}${several ? ` (${how} over the tasks)` : ""}. ${right} with probability about ${error}.${whose}`,
    },
    ...(alone ? tellFloors(fields, style) : []),
  ];
}

/** What the gate does with a candidate that is exactly at its floor, counted where the tails are exact. */
function tellFloors({ tasks }: FieldsOf<GateResult>, style: ScoreStyle): { label: string; text: string }[] {
  return tasks.flatMap(({ task, n, rates, floor }) => {
    if (rates === undefined || floor === undefined) return [];
    const name = tasks.length === 1 ? "" : `${task}: `;
    const sure = Number.isNaN(rates.sure)
      ? "no candidate could pass"
      : `a candidate of ${writeScore(rates.sure, style)} passes with probability 0.8`;
    const told = `${name}With ${n} items a candidate of exactly ${writeScore(floor, style)} fails with probability ${rates.fail.toFixed(3)} and passes with probability ${rates.pass.toFixed(3)}; ${sure}.`;
    return [{ label: "Exact", text: told }];
  });
}

const tellOutcome = ({ outcome, reason }: GateTask): string => (reason === null ? outcome : `${outcome} (${reason})`);
