/** What to ask next, with the estimates just made: as data. The library prints it as calls, the command line as commands. */
import type { ScenarioParameters } from "../scenario.ts";
import type { PilotColumns } from "./pilot.ts";

export interface NextQuestion {
  readonly ask: "power" | "mde" | "size";
  readonly scenario: "accuracy" | "means" | "likert" | "bleu";
  /** Without the size of the study to come where that is still open. */
  readonly parameters: ScenarioParameters;
  /** The other parameters come from the ratings themselves (`parametersFromPilot`): the columns of a table with a row for each. */
  readonly pilot?: PilotColumns | undefined;
}

/** What the command line adds to the JSON. */
export interface WithCommands {
  /** `next` as commands. */
  readonly commands?: readonly string[];
}

/** Enough to plan with, and short enough to read. */
export const roundPlanned = (x: number, digits = 6): number => Number(x.toPrecision(digits));

const WIDTH = 72;

/** As code that runs after `import { power, mde, size, parametersFromPilot } from "gosset"`. */
export function callsOf(next: readonly NextQuestion[]): string[] {
  const pilot = next.find((question) => question.pilot !== undefined)?.pilot;
  const first =
    pilot === undefined ? [] : writeCall('const pilot = parametersFromPilot("likert", ratings', properties(pilot));
  return [...first, ...next.flatMap(callOf)];
}

function callOf({ ask, scenario, parameters, pilot }: NextQuestion): string[] {
  const open = ask !== "size" && parameters["n"] === undefined && parameters["items"] === undefined ? ["n"] : [];
  const more = pilot === undefined ? [] : ["...pilot.parameters"];
  return writeCall(`await ${ask}.${scenario}(`, [...open, ...properties(parameters), ...more]);
}

const properties = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`]));

/** In one line where it fits. */
function writeCall(start: string, parts: readonly string[]): string[] {
  const open = start.endsWith("(") ? `${start}{` : `${start}, {`;
  const whole = `${open} ${parts.join(", ")} });`;
  return whole.length <= WIDTH ? [whole] : [open, ...parts.map((part) => `  ${part},`), "});"];
}
