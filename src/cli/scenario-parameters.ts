/** Flags of `power`, `mde`, `size`, `curve` and `design` as parameters of a scenario. */

import { parametersFromPilot, StatError } from "../index.ts";
import {
  type CurveAxis,
  LARGEST_COUNT,
  LARGEST_NUMBER,
  type ParameterSpec,
  type PilotColumns,
  preferencesFromPilot,
  type ScenarioFamily,
  type ScenarioParameters,
  seedsFromPilot,
} from "../power.ts";
import { splitList } from "../questions.ts";
import type { Context } from "./context.ts";
import { nameOf } from "./flags.ts";
import { flagOf, kebabCase } from "./option-names.ts";
import type { GlobalOptions, ReadOptions } from "./options.ts";
import { otherSizeOf, PILOT_FLAGS } from "./scenario-flags.ts";

/** Flags that are given, by the name of the parameter, but for those in `except`. */
export function readParameters(
  family: ScenarioFamily,
  options: object,
  except: readonly string[] = [],
): ScenarioParameters {
  const params: Record<string, number | string | boolean> = {};
  for (const spec of family.parameters) {
    const given = (options as Readonly<Record<string, unknown>>)[spec.name];
    // as many raters as ratings and perRater take is what none given means
    const open = spec.name === "raters" && given === "auto";
    if (given === undefined || open || except.includes(spec.name)) continue;
    params[spec.name] = typeof given === "string" ? parseValue(spec, given, flagOf(spec.name)) : (given as boolean);
  }
  return params;
}

/** What `mde` and `size` are to find cannot be given too. */
export function refuseSought(verb: string, asked: ScenarioFamily, options: object): void {
  const family = asked.variant?.(options as ScenarioParameters) ?? asked;
  if (verb !== "mde" && (verb !== "size" || otherSizeOf(family) !== undefined)) return;
  const sought = verb === "mde" ? family.effect : family.size;
  const given = options as Readonly<Record<string, unknown>>;
  // a likert effect may be given by its half
  const name = [sought, ...(sought === "effect" ? ["beta"] : [])].find((key) => given[key] !== undefined);
  if (name === undefined) return;
  throw new StatError(
    "BadOption",
    `${flagOf(name)} ${given[name]} is given, but ${verb} solves for ${sought}.`,
    `Leave it out, or ask for its power: gosset power ${family.name}.`,
  );
}

/** What `size` is to find where there are raters or seeds; undefined: the family's own size. */
export function readSought(family: ScenarioFamily, options: { readonly for?: string | undefined }): string | undefined {
  const second = otherSizeOf(family);
  if (second === undefined) return undefined;
  const { for: wanted = "items" } = options;
  if (wanted !== "items" && wanted !== second) {
    throw new StatError("BadOption", `--for ${wanted}: no such choice.`, `Choose items or ${second}.`);
  }
  const other = wanted === "items" ? second : "items";
  const given = (options as Readonly<Record<string, unknown>>)[wanted];
  if (given !== undefined) {
    throw new StatError(
      "BadOption",
      `--${wanted} ${given} is given, but size solves for the ${wanted}.`,
      `Leave it out, or say --for ${other}.`,
    );
  }
  return wanted === "items" ? undefined : second;
}

const WANTED: Readonly<Partial<Record<ParameterSpec["kind"], readonly [(x: number) => boolean, string]>>> = {
  count: [(x) => Number.isInteger(x) && x >= 1 && x <= LARGEST_COUNT, `a whole number from 1 to ${LARGEST_COUNT}`],
  share: [(x) => x >= 0 && x <= 1, "a number from 0 to 1"],
  positive: [(x) => x > 0 && x <= LARGEST_NUMBER, "a number above 0"],
  number: [(x) => Math.abs(x) <= LARGEST_NUMBER, "a number"],
};

export function parseValue(spec: ParameterSpec, text: string, flag: string): number | string {
  const given = flag.endsWith("=") ? `${flag}${text}` : `${flag} ${text}`;
  if (spec.kind === "choice" && !spec.choices!.includes(text)) {
    throw new StatError("BadOption", `${given}: no such choice.`, `Choose one of ${spec.choices!.join(", ")}.`);
  }
  const wanted = WANTED[spec.kind];
  if (wanted === undefined) {
    if (text.trim() !== "") return text;
    throw new StatError("BadOption", `${given}"": the value is empty.`, `It means: ${spec.meaning}.`);
  }
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const [fits, words] = wanted;
  if (fits(value)) return value;
  throw new StatError("BadOption", `${given}: not ${words}.`, `It means: ${spec.meaning}.`);
}

/** A scenario says of its parameters what is wrong with them, `seedSd = -1`; the user gave flags: --seed-sd -1. */
export async function sayingFlags<T>(family: ScenarioFamily, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    const names = family.parameters.flatMap(({ name }) => [name, kebabCase(name)]);
    const value = new RegExp(`(?<![\\w-])(${names.join("|")}) = `, "g");
    // a name of one word is also a word
    const written = new RegExp(
      `(?<![\\w\`-])(${names.filter((name) => /[A-Z]/.test(name)).join("|") || "(?!)"})(?!\\w)`,
      "g",
    );
    const said = (text: string): string =>
      text.replace(value, (_, name: string) => `${flagOf(name)} `).replace(written, (name) => flagOf(name));
    const [message, fix] = [said(error.message), said(error.fix)];
    throw message === error.message && fix === error.fix ? error : new StatError(error.code, message, fix);
  }
}

/** n=100:1000:100, delta=0.01,0.02 or test=mcnemar,mcnemar-exact. */
export function parseAxis(family: ScenarioFamily, text: string): CurveAxis {
  const at = text.indexOf("=");
  const name = text.slice(0, at).replace(/-([a-z])/g, (_, c: string) => c.toUpperCase());
  const spec = family.parameters.find((parameter) => parameter.name === name);
  if (at < 1 || spec === undefined) {
    const names = family.parameters.map((parameter) => flagOf(parameter.name).slice(2)).join(", ");
    throw new StatError(
      "BadOption",
      `--over ${text}: no parameter "${name}".`,
      `Write name=values, with one of ${names}.`,
    );
  }
  const range = /^([^:]+):([^:]+):([^:]+)$/.exec(text.slice(at + 1));
  const parts = range === null ? text.slice(at + 1).split(",") : rangeValues(range.slice(1).map(Number), text);
  return { name, values: parts.map((part) => parseValue(spec, part.trim(), `--over ${name}=`)) };
}

const MOST_VALUES = 10_000;

function rangeValues([from, to, step]: number[], text: string): string[] {
  const count = Math.floor((to! - from!) / step! + 1e-9) + 1;
  if (!(step! > 0 && count >= 1 && count <= MOST_VALUES)) {
    const found = count > MOST_VALUES ? `${count}  values, and at most ${MOST_VALUES} are allowed` : "not a range";
    throw new StatError("BadOption", `--over ${text}: ${found}.`, "Write from:to:step, such as n=100:1000:100.");
  }
  // twelve digits hide that 0.1 + 0.2 is not 0.3
  return Array.from({ length: count }, (_, i) => String(Number((from! + i * step!).toPrecision(12))));
}

/** `--pilot ratings.csv`: parameters of a scenario with raters from ratings that are already there. */
export interface PilotOptions extends GlobalOptions, ReadOptions {
  /** Several are one pilot: a file for each rater or run. Undefined in scenarios that take none. */
  readonly pilot?: readonly string[] | undefined;
  readonly columns?: string | undefined;
  readonly systems?: string | undefined;
}

const ROLES = ["score", "system", "rater", "seed", "item"] as const;
type Role = (typeof ROLES)[number];

/** Nothing without --pilot. */
export async function readPilot(context: Context<PilotOptions>, scenario: string): Promise<ScenarioParameters> {
  const { options } = context;
  if (options.pilot === undefined || options.pilot.length === 0) {
    context.refuse(PILOT_FLAGS.map(nameOf), "without --pilot");
    return {};
  }
  if (scenario !== "likert" && scenario !== "ordinal" && scenario !== "seeds" && scenario !== "head-to-head") {
    throw new StatError(
      "BadOption",
      `--pilot with ${scenario}.`,
      "A pilot gives the parameters of likert, ordinal, head-to-head and seeds.",
    );
  }
  const { table, roles } = await context.import(options.pilot);
  context.refuse(["--setting"], "with --pilot, which gives the standard deviations");
  const path = options.pilot.join(" ");
  const given = parseColumns(options.columns);
  const { score, system, rater, repeat, item } = roles;
  const guessed = { score, system, rater, seed: repeat, item };
  const names = [...table.columns.keys()];
  const columnOf = (role: Role): string => {
    const name = given.get(role) ?? guessed[role];
    if (name !== undefined && table.columns.has(name)) return name;
    throw new StatError(
      "NoColumn",
      name === undefined ? `${path}: which column is the ${role}?` : `${path}: no column "${name}".`,
      `Say --columns ${role}=name; the columns are ${names.join(", ")}.`,
    );
  };
  const common = {
    score: columnOf("score"),
    system: columnOf("system"),
    item: columnOf("item"),
    ...systemsOf(options.systems),
  };
  if (scenario === "seeds") {
    const runs = seedsFromPilot(table, { ...common, seed: columnOf("seed") });
    context.note(runs.diagnostics);
    return runs.parameters;
  }
  const own = { ...common, rater: columnOf("rater") };
  const { opponent, cluster } = roles;
  const votes = opponent === undefined || cluster === undefined ? undefined : { ...own, opponent, cluster };
  refuseOtherKind(path, scenario, votes !== undefined);
  const pilot =
    scenario === "head-to-head" ? preferencesFromPilot(table, votes!) : parametersFromPilot(scenario, table, own);
  context.note(pilot.diagnostics);
  return pilot.parameters;
}

/** Votes are no ratings, nor ratings votes. */
function refuseOtherKind(path: string, scenario: string, votes: boolean): void {
  if (votes === (scenario === "head-to-head")) return;
  throw votes
    ? new StatError("NotRatings", `${path} holds votes between two systems.`, "Use the scenario head-to-head.")
    : new StatError("NotVotes", `${path} holds no votes between two systems.`, "Use the scenario likert or ordinal.");
}

function parseColumns(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of text === undefined ? [] : (splitList(text) ?? [text])) {
    const at = part.indexOf("=");
    const role = part.slice(0, at);
    if (at < 1 || at === part.length - 1 || !(ROLES as readonly string[]).includes(role)) {
      throw new StatError(
        "BadOption",
        `--columns ${text}: "${part}" does not name a column.`,
        "Write score=…,system=…,rater=…,item=….",
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
