/** A gate as CI shows it: Markdown for a comment on a pull request, and JUnit XML.
 *    comment   headline with an alert, the table, what is open or failing, items that flipped folded away; always below GitHub's limit
 *    JUnit     a test case a task: fail is a failure, inconclusive is skipped with its reason, advisory tasks are never failures
 *  Reference: docs.github.com, "Basic writing and formatting syntax" (alerts); the JUnit schema of Jenkins' xUnit plug-in. */
import { formatNumber } from "../../result/number-format.ts";
import { inUnits, type ScoreStyle } from "../../significance/compare/written-numbers.ts";
import type { GateResult, GateTask } from "./gate.ts";
import { adviceOf, gateStyle } from "./outcome-display.ts";

type Fields = Pick<
  GateResult,
  "outcome" | "reason" | "tasks" | "metric" | "percent" | "alpha" | "correction" | "summary" | "runs" | "exitCode"
>;

/** GitHub refuses comments of 65,536 characters and more. */
export const MOST_CHARACTERS = 65_000;
const MOST_ROWS = 150;
/** A hidden mark, by which a later run finds its own comment. */
const MARK = "<!-- gosset gate -->";

const ALERTS = { pass: "TIP", fail: "CAUTION", inconclusive: "WARNING" } as const;
const WORDS = { pass: "passes", fail: "fails", inconclusive: "is inconclusive" } as const;

export function gateComment(result: Fields): string {
  const { outcome, tasks, summary, metric, alpha, correction, runs } = result;
  const reasons = [
    ...new Set(tasks.flatMap(({ reason, tier }) => (reason === null || tier === "advisory" ? [] : [reason]))),
  ];
  const style = gateStyle(result);
  const deciding = tasks.filter(({ tier, outcome: own }) => tier !== "advisory" && own !== "pass");
  const rest = tasks.filter((task) => !deciding.includes(task));
  const how = correction === "holm" ? "Holm's correction" : "a fixed sequence";
  const text = [
    MARK,
    `## The gate ${WORDS[outcome]}`,
    `> [!${ALERTS[outcome]}]\n> ${inline(summary)}`,
    ...(deciding.length === 0 ? [] : [tableOf(deciding, style)]),
    ...(rest.length === 0
      ? []
      : [deciding.length === 0 ? tableOf(rest, style) : fold(`${rest.length} more tasks`, tableOf(rest, style))]),
    ...flipsOf(tasks),
    ...(reasons.length === 0
      ? []
      : [
          `**What to do next**\n\n${reasons.map((reason) => `- ${code(reason)}: ${adviceOf(reason, { tasks, runs })}`).join("\n")}`,
        ]),
    `<sub>${inline(metric)}; baseline ${runs.baseline.map(code).join(", ")}, candidate ${runs.candidate.map(code).join(", ")}. Bounds are one-sided at ${formatNumber(alpha)}; a change with no effect fails with probability about ${formatNumber(alpha)} (${how}), one that loses a margin on a critical task passes with probability about ${formatNumber(alpha)}.</sub>`,
  ].join("\n\n");
  return text.length < MOST_CHARACTERS
    ? `${text}\n`
    : `${text.slice(0, MOST_CHARACTERS - 100)}\n\n… (cut: the whole is in the JSON)\n`;
}

const SIGNS = { pass: "pass", fail: "**fail**", inconclusive: "open" } as const;

function tableOf(tasks: readonly GateTask[], style: ScoreStyle): string {
  const [plain, signed] = [plainIn(style), signedIn(style)];
  const unit = style.percent ? " (%)" : "";
  const shown = tasks.slice(0, MOST_ROWS);
  const rows = shown.map((task) => {
    const name = task.tier === "critical" ? code(task.task) : `${code(task.task)} (${task.tier})`;
    const range = Number.isNaN(task.lower) ? "" : `${signed(task.lower)} to ${signed(task.upper)}`;
    const why = task.reason === null ? "" : `: ${task.reason}`;
    return `| ${name} | ${task.n} | ${plain(task.baseline)} | ${plain(task.candidate)} | ${signed(task.difference)} | ${range} | ${plain(task.margin)} | ${SIGNS[task.outcome]}${why} |`;
  });
  const more = tasks.length > shown.length ? [`\n${tasks.length - shown.length} more are not shown.`] : [];
  return [
    `| task | items | baseline${unit} | candidate${unit} | difference${unit} | bounds${unit} | margin${unit} | |`,
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...rows,
    ...more,
  ].join("\n");
}

/** Items that changed, and those that change by themselves, folded away. */
function flipsOf(tasks: readonly GateTask[]): string[] {
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
      const more = count > items.length ? `, … (${count} in all)` : "";
      return `- ${code(task)}: ${items.map((name) => code(shorten(name))).join(", ")}${more}`;
    });
    const rest = lists.length > lines.length ? [`- ${lists.length - lines.length} more tasks`] : [];
    return [fold(`${total} ${total === 1 ? "item" : "items"} ${title}`, [...lines, ...rest].join("\n"))];
  });
}

const MOST_LISTS = 20;
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

const fold = (title: string, body: string): string => `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

const plainIn =
  (style: ScoreStyle) =>
  (value: number): string =>
    Number.isNaN(value) ? "" : formatNumber(Number(inUnits(value, style).toPrecision(4)));
const signedIn =
  (style: ScoreStyle) =>
  (value: number): string =>
    Number.isNaN(value) ? "" : `${value > 0 ? "+" : ""}${plainIn(style)(value)}`;

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
  const [plain, signed] = [plainIn(style), signedIn(style)];
  const unit = style.percent ? " points" : "";
  const cases = tasks.map((task) => {
    const told = `difference ${signed(task.difference)}, bounds ${signed(task.lower)} to ${signed(task.upper)}, margin ${plain(task.margin)}${unit}, ${task.n} items`;
    const open = `<testcase classname="gosset.gate.${xml(task.tier)}" name="${xml(task.task)}">`;
    if (task.outcome === "fail" && task.tier !== "advisory")
      return `${open}<failure message="a loss is shown">${xml(told)}</failure></testcase>`;
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
