/** How a description is shown: a paragraph, the columns, the means, what was assumed, and the questions with commands. */

import type { Format, Roles } from "../data/imported.ts";
import type { Display, DisplaySection, DisplayTable } from "../result/display.ts";
import { foldCommand } from "../result/fold-command.ts";
import type { ColumnProfile } from "../study/facts.ts";
import type { Design } from "../study/layout.ts";
import { tellAsk } from "../study/tell.ts";
import type { DescribedColumn, DescribeFields } from "./describe.ts";
import { MIN_ROWS } from "./offers/question.ts";

const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  inspect: "Inspect log",
  "lm-eval": "lm-evaluation-harness",
  promptfoo: "promptfoo",
  helm: "HELM",
  "every-eval-ever": "Every Eval Ever",
  "openai-evals": "OpenAI evals",
  "wmt-mqm": "WMT MQM",
  "wmt-da": "WMT direct assessment",
  "wmt-metrics": "WMT metrics task",
  "label-studio": "Label Studio",
  prodigy: "Prodigy",
  arena: "arena battles",
  sacrebleu: "sacreBLEU",
  deepeval: "DeepEval",
  "swe-bench": "SWE-bench",
  evalplus: "EvalPlus",
  harbor: "Harbor",
  mteb: "MTEB",
  trec: "TREC",
  text: "plain text",
  csv: "table (CSV)",
  tsv: "table (TSV)",
  json: "table (JSON)",
  jsonl: "table (JSON lines)",
  yaml: "table (YAML)",
  parquet: "table (Parquet)",
};

export interface DisplayContext {
  /** Rows are totals of systems. */
  readonly totals: boolean;
  readonly profiles: readonly ColumnProfile[];
  readonly design: Design;
  readonly roles: Roles;
  readonly target: string;
  /** How many raters an item has, where the file does not name them. */
  readonly unnamed?: string | undefined;
  /** Levels of the repeat column. */
  readonly runs: number;
  /** Number of systems by task, where there are several tasks. */
  readonly systemsOfTask: readonly { readonly task: string; readonly systems: number }[];
}

export function displayDescription(fields: DescribeFields, context: DisplayContext): Display {
  return {
    title: `${context.target}: ${FORMAT_NAMES[fields.format]}`,
    summary: [describeInWords(fields, context)],
    tables: [columnTable(fields, context.profiles), ...scoreTable(fields)],
    notes:
      fields.answers.length === 0 ? [`What these data can answer: nothing yet. ${whyNothing(fields, context)}`] : [],
    sections: [...assumptionSection(fields), ...askSection(fields), ...answerSections(fields)],
  };
}

function whyNothing(
  { metrics, diagnostics, rows, asks }: DescribeFields,
  { design, roles, totals }: DisplayContext,
): string {
  if (asks.length > 0) return "It depends on the questions below.";
  if (metrics.length === 0) return "Gosset found no score column, so it can suggest no command.";
  if (totals)
    return "Each system has one total without a measure of uncertainty. A standard error, the limits of an interval or, for proportions, the number of items would allow a comparison.";
  if (diagnostics.some(({ severity }) => severity === "warning")) return "The warnings below say why.";
  if (rows >= MIN_ROWS && design.items === 0 && roles.system === undefined)
    return "Gosset found no column of systems or items; options `system` and `item` name them.";
  return "There are too few rows, systems or items for an estimate.";
}

/** Systems that only some tasks have. */
function byTask({ systemsOfTask }: DisplayContext, all: number): string {
  const few = systemsOfTask.slice(0, MOST_TASKS_TOLD);
  if (systemsOfTask.every(({ systems }) => systems === all)) return "";
  const told = few.map(({ task, systems }) => `${systems} in ${task}`).join(", ");
  return ` (${told}${few.length < systemsOfTask.length ? ", …" : ""})`;
}

const MOST_TASKS_TOLD = 3;

function describeInWords(fields: DescribeFields, context: DisplayContext): string {
  const { design, roles } = context;
  const parts = [
    count(fields.systems.length, "system", roles.system) + byTask(context, fields.systems.length),
    count(fields.items, "item", roles.item),
    context.unnamed === undefined ? count(design.raters, "rater", roles.rater) : context.unnamed,
    fields.repeats > 1
      ? `up to ${fields.repeats} repeats`
      : fields.items === 0
        ? count(context.runs, "run", roles.repeat)
        : "",
    design.clusters > 1
      ? count(
          design.clusters,
          roles.opponent === undefined ? "cluster" : "vote",
          roles.opponent === undefined ? roles.cluster : undefined,
        )
      : "",
    design.tasks > 1 ? count(design.tasks, "task", roles.task) : "",
  ].filter((part) => part !== "");
  const sizes = parts.length === 0 ? "" : ` It has ${parts.join(", ")}.`;
  return `${fields.summary}${sizes}${describeScore(fields, roles)}`;
}

function count(number: number, what: string, column: string | undefined): string {
  if (number === 0) return "";
  const name = column === undefined || column === what ? "" : ` (${column})`;
  return `${number} ${what}${number === 1 ? "" : "s"}${name}`;
}

function describeScore(fields: DescribeFields, roles: Roles): string {
  const main = fields.metricDetails[0];
  if (main === undefined) return "";
  if (roles.metric !== undefined && roles.score !== undefined && fields.metrics.length > 1) {
    const named = fields.metricDetails.map((own) => `${own.name}${tellDirection(own, " (", ")")}`);
    return ` The column ${roles.score} holds ${named.length} metrics, one below the other: ${named.join(", ")}; option \`metric\` names one.`;
  }
  return ` The ${fields.metrics.length > 1 ? "main " : ""}score is ${main.name}${tellDirection(main, ", ")}.`;
}

function tellDirection(
  { higherIsBetter }: DescribeFields["metricDetails"][number],
  before: string,
  after = "",
): string {
  if (higherIsBetter === undefined) return "";
  return `${before}${higherIsBetter ? "higher" : "lower"} is better${after}`;
}

function columnTable(fields: DescribeFields, profiles: readonly ColumnProfile[]): DisplayTable {
  return {
    caption: "Columns",
    head: ["column", "holds", "role", "missing", "values"],
    formats: ["text", "text", "text", "integer", "text"],
    rows: fields.columns.map((described, i) => [
      described.name,
      holds(described),
      described.role === "repeat" ? "run" : (described.role ?? ""),
      described.missing,
      examples(described, profiles[i]!),
    ]),
  };
}

function holds(described: DescribedColumn): string {
  if (described.type === "numeric")
    return described.distinct === 1
      ? "constant"
      : described.values === "0/1"
        ? "0 or 1"
        : described.values === "real"
          ? "number"
          : described.values;
  if (described.values !== "category") return described.values;
  return described.distinct === 1 ? "constant" : `${described.distinct} levels`;
}

function examples(described: DescribedColumn, profile: ColumnProfile): string {
  if (described.distinct <= profile.examples.length) return profile.examples.join(", ");
  if (described.min !== undefined && described.max !== undefined && described.min < described.max) {
    // a rounded id is no id, and a rounded count not the one that other sentences name
    return described.values === "integer" && Number.isSafeInteger(described.min) && Number.isSafeInteger(described.max)
      ? `${described.min} to ${described.max}`
      : showRange(described.min, described.max);
  }
  return profile.examples.join(", ") + (described.distinct > profile.examples.length ? ", …" : "");
}

const MIN_DIGITS = 4;
const MAX_DIGITS = 17;

/** As few digits as show the ends to a hundredth of their distance. */
function showRange(min: number, max: number): string {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return `${min} to ${max}`;
  const size = Math.max(Math.abs(min), Math.abs(max)) / (max - min);
  const digits = Math.min(MAX_DIGITS, Math.max(MIN_DIGITS, Math.ceil(Math.log10(size)) + 2));
  const [low, high] = [min, max].map((value) => String(Number(value.toPrecision(digits))));
  return `${low} to ${high}`;
}

/** What must be answered before a comparison, as questions with their answers. */
function askSection({ asks, systems }: DescribeFields): DisplaySection[] {
  const open = asks.filter(({ id }) => id !== "system" || systems.length === 0).map(tellAsk);
  const items = open.map(({ message, fix }) => ({
    text: `${message.charAt(0).toUpperCase()}${message.slice(1)} ${fix}`,
  }));
  return items.length === 0 ? [] : [{ heading: "Open questions before a verdict:", items }];
}

const MAX_SCORE_ROWS = 30;

function scoreTable(fields: DescribeFields): DisplayTable[] {
  const main = fields.metrics[0];
  const rows = fields.scores.filter((entry) => entry.metric === main && entry.system !== "");
  if (rows.length === 0 || rows.length > MAX_SCORE_ROWS || fields.items === 0) return [];
  return [
    {
      caption: `Mean ${main} over rows`,
      head: ["system", "rows", "missing", "mean"],
      formats: ["text", "integer", "integer", "number"],
      rows: rows.map((entry) => [entry.system, entry.n, entry.missing, entry.mean]),
    },
  ];
}

function assumptionSection({ assumptions }: DescribeFields): DisplaySection[] {
  return assumptions.length === 0 ? [] : [{ heading: "Assumed:", items: assumptions.map((text) => ({ text })) }];
}

function answerSections({ answers }: DescribeFields): DisplaySection[] {
  if (answers.length === 0) return [];
  const items = answers.map(({ question, note, command }) => ({
    text: note === undefined ? question : `${question} (${note})`,
    code: foldCommand(command),
  }));
  return [{ heading: "What these data can answer:", items }];
}
