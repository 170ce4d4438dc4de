/** `--pilot ratings.csv`: parameters of a scenario with raters from ratings that are already there. */
import { type PilotColumns, parametersFromPilot, type ScenarioParameters, StatError } from "../index.ts";
import type { Context } from "./context.ts";
import { type GlobalOptions, type ReadOptions, splitList } from "./options.ts";

export interface PilotOptions extends GlobalOptions, ReadOptions {
  readonly pilot?: string;
  readonly columns?: string;
  readonly systems?: string;
}

const ROLES = ["score", "system", "rater", "item"] as const;
type Role = (typeof ROLES)[number];

/** Nothing without --pilot. */
export async function readPilot(context: Context<PilotOptions>, scenario: string): Promise<ScenarioParameters> {
  const { options } = context;
  if (options.pilot === undefined) return {};
  if (scenario !== "likert" && scenario !== "ordinal") {
    throw new StatError(
      "BadOption",
      `--pilot with ${scenario}.`,
      "A pilot gives the parameters of likert and ordinal.",
    );
  }
  const { table, roles } = await context.import(options.pilot);
  const given = parseColumns(options.columns);
  const own = { score: roles.score, system: roles.system, rater: roles.rater, item: roles.item };
  const names = [...table.columns.keys()];
  const columnOf = (role: Role): string => {
    const name = given.get(role) ?? own[role];
    if (name !== undefined && table.columns.has(name)) return name;
    throw new StatError(
      "NoColumn",
      name === undefined ? `${options.pilot}: which column is the ${role}?` : `${options.pilot}: no column "${name}".`,
      `Say --columns ${role}=name; the columns are ${names.join(", ")}.`,
    );
  };
  const columns: PilotColumns = {
    score: columnOf("score"),
    system: columnOf("system"),
    rater: columnOf("rater"),
    item: columnOf("item"),
    ...systemsOf(options.systems),
  };
  const pilot = parametersFromPilot(scenario, table, columns);
  context.note(pilot.diagnostics);
  return pilot.parameters;
}

function parseColumns(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of text === undefined ? [] : (splitList(text) ?? [text])) {
    const at = part.indexOf("=");
    const role = part.slice(0, at);
    if (at < 1 || at === part.length - 1 || !(ROLES as readonly string[]).includes(role)) {
      throw new StatError(
        "BadOption",
        `--columns ${text}: "${part}" names no column.`,
        `Write ${ROLES.join("=…,")}=….`,
      );
    }
    found.set(role, part.slice(at + 1));
  }
  return found;
}

function systemsOf(text: string | undefined): Pick<PilotColumns, "systems"> {
  if (text === undefined) return {};
  const parts = splitList(text) ?? [];
  if (parts.length === 2) return { systems: [parts[0]!, parts[1]!] };
  throw new StatError("BadOption", `--systems ${text}: not two systems.`, "Write --systems baseline,new.");
}
