/** What a plan says to ask next, as commands. */
import type { NextQuestion } from "../../index.ts";
import { quoteShell } from "../../text.ts";
import { flagOf } from "../option-names.ts";

/** Stands for the size of the study to come where nobody has said it. */
const OPEN = "--n ITEMS";

/** `pilot`: flags by which a command finds the ratings. */
export function commandsOf(next: readonly NextQuestion[], pilot: readonly string[] = []): string[] {
  return next.map(({ ask, scenario, parameters, pilot: columns }) => {
    const open = ask !== "size" && parameters["n"] === undefined && parameters["items"] === undefined ? [OPEN] : [];
    const flags = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [`${flagOf(name)} ${quoteShell(String(value))}`],
    );
    return ["gosset", ask, scenario, ...open, ...flags, ...(columns === undefined ? [] : pilot)].join(" ");
  });
}
