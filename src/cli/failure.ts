/** Exit codes and the one line that a failure prints. */
import type { StudyAsk } from "../index.ts";
import { neutralise } from "../text.ts";
import { nameFlags } from "./option-names.ts";

/** A check came out against what was checked: a gate, a bundle, a replication. */
export const CHECK_FAILED = 1;
export const USAGE_ERROR = 2;
/** The answer rests on part of what is to be drawn. */
export const PARTIAL = 4;
/** There is no answer, and the input is not to blame: no convergence, a full disk, a bug. EX_SOFTWARE of sysexits.h, so that it is no outcome of a check. */
export const COMPUTATION_FAILED = 70;

/** An error with a code and a way out, as the library throws it; distinguished by shape, so that the library need not be loaded. */
interface HelpfulError extends Error {
  readonly code: string;
  readonly fix: string;
}

function isHelpful(error: unknown): error is HelpfulError {
  return error instanceof Error && typeof (error as { fix?: unknown }).fix === "string";
}

/** A question that the rows leave open. */
export const isQuestion = (error: unknown): error is HelpfulError & { readonly ask: StudyAsk } =>
  isHelpful(error) && typeof (error as { ask?: unknown }).ask === "object";

/** Names of columns, files and levels stand in messages: whatever they hold, it is one line and moves no cursor. */
const oneLine = (text: string): string => neutralise(text.replace(/\s+/g, " ").trim());

const LONGEST_HALF = 800;

/** The middle of a text that no screen holds gives way: what was given stands first, what is wrong with it last. */
export function withinScreen(text: string): string {
  if (text.length <= 2 * LONGEST_HALF) return text;
  // never between the halves of a pair
  const head = text.slice(0, LONGEST_HALF).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(-LONGEST_HALF).replace(/^[\udc00-\udfff]/, "");
  return `${head} … ${tail}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Codes of failures that the input is not to blame for. */
const COMPUTATION_CODES = new Set(["NotConverged", "ComputationFailed"]);

/** A sentence with one full stop. */
export const withFullStop = (text: string): string => (/[.!?…)]$/.test(text) ? text : `${text}.`);

/** A flag that was given nothing: the quotes show it. */
const showEmpty = (text: string): string => text.replace(/^(--[a-z-]+) +: /, '$1 "": ');

export function reportFailure(error: unknown): void {
  if (isHelpful(error)) {
    process.stderr.write(
      `gosset: ${withinScreen(showEmpty(nameFlags(oneLine(error.message))))} ${withinScreen(capitalised(nameFlags(oneLine(error.fix))))}\n`,
    );
    const { exitCode } = error as { readonly exitCode?: number };
    process.exitCode = exitCode ?? (COMPUTATION_CODES.has(error.code) ? COMPUTATION_FAILED : USAGE_ERROR);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `gosset: internal error: ${withinScreen(oneLine(message.split("\n")[0]!))} This is a bug in gosset. Please report it with the command.\n`,
  );
  if (process.env["GOSSET_DEBUG"] && error instanceof Error)
    process.stderr.write(`${(error.stack ?? "").split("\n").map(neutralise).join("\n")}\n`);
  process.exitCode = COMPUTATION_FAILED;
}
