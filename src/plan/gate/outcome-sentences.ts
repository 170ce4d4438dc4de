/** What a gate says of a task in one phrase, with its numbers, and of the whole in one line. */
import { formatNumber, formatP, UNDEFINED_MARK } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { tellHeld as tellHeldFacets } from "../../significance/compare/scope.ts";
import { countOf, inUnits, type ScoreStyle, styleFor } from "../../significance/compare/written-numbers.ts";
import { WHOLE } from "./evidence.ts";
import type { GateResult, GateTask } from "./gate.ts";

/** Shares as `compare` writes them; a margin below a tenth of a point keeps its digits. */
export function gateStyle({ percent, tasks }: Pick<GateResult, "percent" | "tasks">): ScoreStyle {
  if (!percent)
    return styleFor(
      false,
      tasks.map(({ lower, upper }) => (upper - lower) / 2).filter((half) => half > 0),
    );
  const margins = tasks.map(({ margin }) => 100 * margin).filter((margin) => margin > 0);
  const isWritten = (decimals: number): boolean =>
    margins.every((margin) => Math.abs(Number(margin.toFixed(decimals)) - margin) < 1e-9 * margin);
  return { percent, decimals: [1, 2, 3, 4].find(isWritten) ?? 1 };
}

/** In the units of the table. */
export const plainIn =
  (style: ScoreStyle) =>
  (value: number): string => {
    if (Number.isNaN(value)) return UNDEFINED_MARK;
    const shown = inUnits(value, style);
    return Math.abs(shown) >= LARGEST ? formatNumber(shown) : shown.toFixed(style.decimals);
  };
export const signedIn =
  (style: ScoreStyle) =>
  (value: number): string =>
    `${value > 0 ? "+" : ""}${plainIn(style)(value)}`;
const LARGEST = 1e9;

/** The margin keeps the digits that it was given. */
export const limitIn =
  (style: ScoreStyle) =>
  ({ margin, floor }: Pick<GateTask, "margin" | "floor">): string => {
    const value = Number(inUnits(floor ?? margin, style).toPrecision(6));
    const short = value.toFixed(style.decimals);
    const told = Number(short) === value ? short : formatNumber(value);
    return floor === undefined ? told : `floor ${told}`;
  };

/** "-25.0 points (-32.3 to -17.4, margin 2.0)"; of a floor the candidate's own score. */
export function tellNumbers(task: GateTask, style: ScoreStyle): string {
  const [plain, signed] = [plainIn(style), signedIn(style)];
  const { floor, difference, candidate, lower, upper } = task;
  if (floor !== undefined)
    return `${plain(candidate)}${style.percent ? " %" : ""} (${plain(floor + lower)} to ${plain(floor + upper)}, ${limitIn(style)(task)})`;
  return `${signed(difference)}${style.percent ? " points" : ""} (${signed(lower)} to ${signed(upper)}, margin ${limitIn(style)(task)})`;
}

/** " for these four raters", where the outcome is about no others. */
export const tellHeld = ({ held }: Pick<GateResult, "held">): string =>
  tellHeldFacets(held)
    .map((words) => ` ${words}`)
    .join("");

type Told = Pick<GateResult, "outcome" | "reason" | "tasks" | "runs" | "percent" | "held">;

/** Tasks with numbers in the line. */
const MOST_NUMBERED = 3;

/** The outcome in one line; `unless`: on what it rests. */
export function summarise(told: Told, unless: string): string {
  const scope = `${tellHeld(told)}${unless}`;
  const word = told.outcome.toUpperCase();
  if (told.outcome === "pass") return `${word}: ${tellPass(told, scope)}.`;
  if (told.outcome === "fail") return `${word}: ${tellFail(told, scope)}.`;
  return `${word} (${told.reason}): ${tellInconclusive(told)}.`;
}

const deciding = ({ tasks }: Told): GateTask[] => tasks.filter(({ tier }) => tier !== "advisory");
const named = ({ task }: GateTask, text: string): string => (task === WHOLE ? text : `${task} ${text}`);

function tellPass(told: Told, scope: string): string {
  const style = gateStyle(told);
  const all = deciding(told);
  const [within, open] = [true, false].map((pass) => all.filter(({ outcome }) => (outcome === "pass") === pass));
  const [only] = all;
  if (all.length === 1 && within!.length === 1) {
    const reached =
      only!.floor === undefined ? "the task is within the margin" : "the score is shown to reach the floor";
    return `${reached}${scope}: ${tellNumbers(only!, style)}`;
  }
  if (open!.length === 0) {
    const closest = within!.reduce((most, own) => (own.marginP > most.marginP ? own : most));
    return `all ${all.length} tasks are within their limits${scope}; the closest is ${named(closest, tellNumbers(closest, style))}`;
  }
  const others = open!.slice(0, MOST_NUMBERED).map((own) => named(own, tellNumbers(own, style)));
  const more = open!.length > others.length ? [`${open!.length - others.length} more`] : [];
  return `${within!.length} of ${all.length} tasks ${within!.length === 1 ? "is within its limit" : "are within their limits"}${scope}; supporting and inconclusive: ${[...others, ...more].join("; ")}`;
}

function tellFail(told: Told, scope: string): string {
  const style = gateStyle(told);
  const failed = deciding(told).filter(({ outcome }) => outcome === "fail");
  const [lost, missed] = [false, true].map((floor) =>
    failed.filter((own) => (own.floor !== undefined) === floor).map(({ task }) => task),
  );
  const isWhole = (names: readonly string[]): boolean => names.join() === WHOLE;
  const shown = [
    ...(lost!.length === 0 ? [] : [`a loss is shown${isWhole(lost!) ? "" : ` on ${lost!.join(", ")}`}`]),
    ...(missed!.length === 0
      ? []
      : [
          isWhole(missed!)
            ? "the score is shown to miss the floor"
            : `${missed!.join(", ")} ${missed!.length === 1 ? "misses its floor" : "miss their floors"}`,
        ]),
  ].join(", and ");
  const numbers = failed
    .slice(0, MOST_NUMBERED)
    .map((own) => (failed.length === 1 ? "" : `${own.task} `) + tellNumbers(own, style));
  return `${shown}${scope}: ${numbers.join("; ")}${failed.length > numbers.length ? "; …" : ""}`;
}

function tellInconclusive(told: Told): string {
  const style = gateStyle(told);
  const open = told.tasks.filter((own) => own.outcome === "inconclusive" && own.tier === "critical");
  // what decides the outcome comes first and is never cut
  const first = open.filter(({ reason }) => reason === told.reason);
  const others = open.filter(({ reason }) => reason !== told.reason).map(({ task, reason }) => `${task} (${reason})`);
  const texts = first.map((own, k) => {
    const text = k < MOST_NUMBERED ? tellOpen(own, style) : "";
    return own.task === WHOLE ? text : [own.task, ...(text === "" ? [] : [text])].join(": ");
  });
  return `${texts.join("; ")}${others.length === 0 ? "" : `; also ${listNames(others)}`}`;
}

const asPercent = (share: number): string => `${formatNumber(Number((100 * share).toPrecision(3)))} %`;

/** What is lacking, with how much of it there is. */
function tellOpen(own: GateTask, style: ScoreStyle): string {
  const { reason, coverage, n, least } = own;
  const { items, shared, rows, unscored, scored } = coverage;
  const [before, after] = coverage.own;
  if (reason === "population-changed")
    return shared === 0
      ? `no item of the ${before === 0 ? "baseline" : "candidate"}`
      : `${shared} of ${items} items in common, ${before - shared} of the baseline's alone and ${after - shared} of the candidate's (at least ${asPercent(least.coverage)} needed)`;
  if (reason !== "coverage") return Number.isNaN(own.difference) ? "" : tellNumbers(own, style);
  if (scored < least.coverage) {
    const sides = (["baseline", "candidate"] as const)
      .flatMap((side, s) => (unscored[s]! > 0 ? [`${unscored[s]} of ${rows[s]} rows of the ${side}`] : []))
      .join(" and ");
    return `${sides} have no score (at least ${asPercent(least.coverage)} of the rows need one)`;
  }
  if (n < least.items)
    return `${n} ${n === 1 ? "item" : "items"} with scores of both sides (at least ${least.items} needed)`;
  return `${countOf(unscored[0] + unscored[1], "rows")} without a score could overturn the outcome, ${tellNumbers(own, style)}`;
}

/** A loss that one task alone would show and all together do not. */
export function tellAdjusted({
  tasks,
  alpha,
  correction,
}: Pick<GateResult, "tasks" | "alpha" | "correction">): string[] {
  const decide = tasks.filter(({ tier }) => tier !== "advisory").length;
  const how = correction === "holm" ? "Holm's correction" : "the fixed sequence";
  return tasks
    .filter(
      ({ tier, outcome, lossP, adjustedP }) =>
        tier !== "advisory" && outcome === "inconclusive" && lossP < alpha && adjustedP >= alpha,
    )
    .map(
      ({ task, floor, lossP, adjustedP }) =>
        `Alone ${task} would ${floor === undefined ? "show a loss" : "miss its floor"} (${formatP(lossP)}); after ${how} over ${decide} tasks it does not (${formatP(adjustedP)}).`,
    );
}

/** What the option made of the exit code. */
export const tellExit = ({
  outcome,
  inconclusive,
  exitCode,
}: Pick<GateResult, "outcome" | "inconclusive" | "exitCode">): string[] =>
  outcome === "inconclusive" && inconclusive !== "code"
    ? [`Exit code ${exitCode} by option \`inconclusive: ${inconclusive}\`: the gate did not decide.`]
    : [];
