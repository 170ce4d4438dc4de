/** A gate as CI shows it: Markdown for a comment on a pull request, and JUnit XML.
 *    comment   headline with an alert, the table, what is inconclusive or failing, items that flipped folded away; always below GitHub's limit
 *    JUnit     a test case a task: fail is a failure, inconclusive is skipped with its reason, advisory tasks are never failures
 *  Reference: docs.github.com, "Basic writing and formatting syntax" (alerts); the JUnit schema of Jenkins' xUnit plug-in. */
import { severityLabel } from "../../result/diagnostic.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import type { ScoreStyle } from "../../significance/compare/written-numbers.ts";
import { WHOLE } from "./evidence.ts";
import type { GateResult, GateTask } from "./gate.ts";
import { advise } from "./outcome-display.ts";
import { gateStyle, limitIn, plainIn, signedIn, tellAdjusted, tellExit, tellHeld } from "./outcome-sentences.ts";

type Fields = Pick<
  GateResult,
  | "outcome"
  | "reason"
  | "tasks"
  | "metric"
  | "percent"
  | "alpha"
  | "correction"
  | "summary"
  | "runs"
  | "held"
  | "inconclusive"
  | "exitCode"
  | "diagnostics"
>;

export interface CommentOptions {
  /** How options are written: the command line has flags. */
  readonly words?: ((text: string) => string) | undefined;
  /** Ids of items that are whole texts may be what nobody wants in public: they are counted, unless this is set. */
  readonly texts?: boolean | undefined;
}

/** GitHub refuses comments of 65,536 characters and more. */
export const MOST_CHARACTERS = 65_000;
const MOST_ROWS = 150;
/** A hidden mark, by which a later run finds its own comment. */
const MARK = "<!-- gosset gate -->";

const ALERTS = { pass: "TIP", fail: "CAUTION", inconclusive: "WARNING" } as const;
const WORDS = { pass: "passes", fail: "fails", inconclusive: "is inconclusive" } as const;

export function gateComment(result: Fields, { words = (text) => text, texts = false }: CommentOptions = {}): string {
  const { outcome, tasks, summary, metric, alpha, correction, runs, diagnostics } = result;
  const style = gateStyle(result);
  const say = (text: string): string => inline(words(text));
  const deciding = tasks.filter(({ tier, outcome: own }) => tier !== "advisory" && own !== "pass");
  const rest = tasks.filter((task) => !deciding.includes(task));
  const several = tasks.filter(({ tier }) => tier !== "advisory").length > 1;
  const how = correction === "holm" ? "Holm's correction" : "a fixed sequence";
  const lead = [...tellAdjusted(result), ...tellExit(result)];
  const steps = advise(result);
  const scope = result.held.length === 0 ? "" : `; the rates are${tellHeld(result)}`;
  const error = formatNumber(alpha);
  const text = [
    MARK,
    `## The gate ${WORDS[outcome]}`,
    `> [!${ALERTS[outcome]}]\n${[summary, ...lead].map((line) => `> ${say(line)}`).join("\n>\n")}`,
    ...(deciding.length === 0 ? [] : [tableOf(deciding, result, style)]),
    ...(rest.length === 0
      ? []
      : [
          deciding.length === 0
            ? tableOf(rest, result, style)
            : fold(`${rest.length} more ${rest.length === 1 ? "task" : "tasks"}`, tableOf(rest, result, style)),
        ]),
    ...flipsOf(tasks, texts),
    ...(steps.length === 0
      ? []
      : [`**What to do next**\n\n${steps.map((own) => `- ${code(own.reason)}: ${words(own.text)}`).join("\n")}`]),
    ...(diagnostics.length === 0
      ? []
      : [
          `**Warnings and notes**\n\n${diagnostics.map((own) => `- ${severityLabel(own)}: ${say(`${own.message} ${own.fix}`.trim())}`).join("\n")}`,
        ]),
    `<sub>${inline(metric)}; baseline ${runs.baseline.map(code).join(", ")}, candidate ${runs.candidate.map(code).join(", ")}. Bounds are one-sided at ${error}${several ? ", of each task alone; p(loss) is adjusted for the number of tasks" : ""}. A change with no effect fails with probability about ${error}${several ? ` (${how})` : ""}, one that loses a margin on a critical task passes with probability about ${error}${scope}.</sub>`,
  ].join("\n\n");
  return text.length < MOST_CHARACTERS
    ? `${text}\n`
    : `${text.slice(0, MOST_CHARACTERS - 100)}\n\n… (cut: the whole is in the JSON)\n`;
}

const SIGNS = { pass: "pass", fail: "**fail**", inconclusive: "inconclusive" } as const;

function tableOf(tasks: readonly GateTask[], { percent, runs }: Fields, style: ScoreStyle): string {
  const [plain, signed] = [plainIn(style), signedIn(style)];
  const unit = percent ? " (%)" : "";
  const alone = runs.baseline.length === 0;
  const floors = tasks.some(({ floor }) => floor !== undefined);
  const shown = tasks.slice(0, MOST_ROWS);
  const rows = shown.map((task) => {
    const name = task.tier === "critical" ? code(task.task) : `${code(task.task)} (${task.tier})`;
    const range = Number.isNaN(task.lower) ? "" : `${signed(task.lower)} to ${signed(task.upper)}`;
    const why = task.reason === null ? "" : `: ${task.reason}`;
    const p = Number.isNaN(task.adjustedP) ? "" : formatP(task.adjustedP).replace(/^p (?:= )?/, "");
    const before = alone ? [] : [plain(task.baseline)];
    const cells = [
      name,
      task.n,
      ...before,
      plain(task.candidate),
      signed(task.difference),
      range,
      limitIn(style)(task),
      p,
    ];
    return `| ${cells.join(" | ")} | ${SIGNS[task.outcome]}${why} |`;
  });
  const more = tasks.length > shown.length ? [`\n${tasks.length - shown.length} more are not shown.`] : [];
  const head = [
    ...["task", "items", ...(alone ? [] : [`baseline${unit}`]), `candidate${unit}`],
    ...[`${floors ? "difference, from a floor where there is one" : "difference"}${unit}`, `bounds${unit}`],
    ...[`${floors ? (alone ? "floor" : "margin or floor") : "margin"}${unit}`, "p(loss)"],
  ];
  return [`| ${head.join(" | ")} | |`, `| --- |${" ---: |".repeat(head.length - 1)} --- |`, ...rows, ...more].join(
    "\n",
  );
}

/** Items that changed, and those that change by themselves, folded away. */
function flipsOf(tasks: readonly GateTask[], texts: boolean): string[] {
  const kinds = [
    { kind: "lost", title: "that score worse than with the baseline" },
    { kind: "gained", title: "that score better" },
    { kind: "flaky", title: "whose runs of one side differ" },
  ] as const;
  return kinds.flatMap(({ kind, title }) => {
    const lists = tasks.map(({ task, flips }) => ({ task, ...flips[kind] })).filter(({ count }) => count > 0);
    const total = lists.reduce((sum, { count }) => sum + count, 0);
    if (total === 0) return [];
    const lines = lists.slice(0, MOST_LISTS).map(({ task, count, items }) => {
      const own = items.map((name) => (name.startsWith(`${task}/`) ? name.slice(task.length + 1) : name));
      const of = task === WHOLE ? "" : `${code(task)}: `;
      if (!texts && own.some(isText))
        return `- ${of}${count}, whose ids are texts, which are left out here (the JSON has them)`;
      const more = count > items.length ? `, … (${count} in all)` : "";
      return `- ${of}${own.map((name) => code(shorten(name))).join(", ")}${more}`;
    });
    const rest = lists.length > lines.length ? [`- ${lists.length - lines.length} more tasks`] : [];
    return [fold(`${total} ${total === 1 ? "item" : "items"} ${title}`, [...lines, ...rest].join("\n"))];
  });
}

/** A prompt, not a name. */
const isText = (name: string): boolean => name.trim().split(/\s+/).length > MOST_WORDS;
const MOST_WORDS = 3;

const MOST_LISTS = 20;
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

const fold = (title: string, body: string): string => `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

/** Names come from files: they can neither end a cell nor mention anybody nor open HTML. */
const inline = (text: string): string =>
  text
    .replace(/[\r\n]+/g, " ")
    .replace(/[\\`*_{}[\]<>|#~]/g, (c) => `\\${c}`)
    .replace(/@/g, "@\u200b");
const code = (text: string): string => {
  const flat = text.replace(/[\r\n]+/g, " ").replaceAll("|", "\\|");
  const ticks = "`".repeat(1 + Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)));
  return `${ticks}${ticks.length > 1 ? " " : ""}${flat}${ticks.length > 1 ? " " : ""}${ticks}`;
};

export function gateJunit(result: Fields): string {
  const { tasks, outcome, reason, summary } = result;
  const style = gateStyle(result);
  const signed = signedIn(style);
  const unit = style.percent ? " points" : "";
  const cases = tasks.map((task) => {
    const told = `difference ${signed(task.difference)}, bounds ${signed(task.lower)} to ${signed(task.upper)}, ${task.floor === undefined ? "margin " : ""}${limitIn(style)(task)}${unit}, ${task.n} items`;
    const open = `<testcase classname="gosset.gate.${xml(task.tier)}" name="${xml(task.task)}">`;
    if (task.outcome === "fail" && task.tier !== "advisory")
      return `${open}<failure message="${task.floor === undefined ? "a loss is shown" : "the floor is missed"}">${xml(told)}</failure></testcase>`;
    if (task.outcome === "pass") return `${open}<system-out>${xml(told)}</system-out></testcase>`;
    const why = task.outcome === "fail" ? "advisory: a loss is shown" : `inconclusive: ${task.reason}`;
    return `${open}<skipped message="${xml(why)}"/></testcase>`;
  });
  const count = (tag: string): number => cases.filter((own) => own.includes(`<${tag} `)).length;
  const head = `tests="${cases.length}" failures="${count("failure")}" skipped="${count("skipped")}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gosset gate" ${head}>`,
    `<testsuite name="gosset gate" ${head}>`,
    `<properties><property name="outcome" value="${outcome}"/><property name="reason" value="${reason ?? ""}"/><property name="summary" value="${xml(summary)}"/></properties>`,
    ...cases,
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Also without the characters that XML 1.0 cannot hold. */
const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must go
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'\r\n\t]/g, (c) => `&#${c.charCodeAt(0)};`);
