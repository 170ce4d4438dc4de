/** Scenarios that somebody else wrote: what their functions return is looked at before it is counted, since a NaN or a text
 *  in the place of an answer would pass for "not significant". Each fault is one line that names the scenario, the replicate
 *  and the value. An experiment without an answer is not a fault: it says `failed: true`. */
import { StatError } from "../result/error.ts";
import type { Outcome, PowerFigures, Scenario, ScenarioFamily } from "./scenario.ts";

const LONGEST_TEXT = 60;

/** A value as a message shows it, whatever it is. */
export function sayValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Promise) return "a promise";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** One experiment of `scenario`; replicates are counted from 1 in messages. */
export function drawOutcomes(scenario: Scenario, replicate: number, draw: () => unknown): readonly Outcome[] {
  const where = `${scenario.name}, replicate ${replicate + 1}`;
  let outcomes: unknown;
  try {
    outcomes = draw();
    checkOutcomes(outcomes, scenario.analyses, where);
  } catch (error) {
    throw asStatError(error, `${where}: \`simulate(rng)\``);
  }
  return outcomes as readonly Outcome[];
}

function checkOutcomes(outcomes: unknown, analyses: readonly string[], where: string): void {
  if (!Array.isArray(outcomes) || outcomes.length !== analyses.length) {
    throw badOutcome(
      `${where}: ${sayValue(outcomes)}`,
      `Return a list with one outcome for each analysis (${analyses.length}).`,
    );
  }
  for (const [k, outcome] of outcomes.entries()) {
    const of = `${where}, ${analyses[k]}`;
    if (typeof outcome !== "object" || outcome === null)
      throw badOutcome(`${of}: ${sayValue(outcome)}`, "Return { estimate, significant }.");
    const { estimate, significant, failed } = outcome as Partial<Record<keyof Outcome, unknown>>;
    if (failed === true) continue;
    if (failed !== undefined && failed !== false)
      throw badOutcome(`${of}: failed is ${sayValue(failed)}`, "It is true or false.");
    if (typeof estimate !== "number" || Number.isNaN(estimate))
      throw badOutcome(
        `${of}: estimate is ${sayValue(estimate)}`,
        "It is a number; without an answer, failed is true.",
      );
    if (typeof significant !== "boolean")
      throw badOutcome(`${of}: significant is ${sayValue(significant)}`, "It is true or false.");
  }
}

const badOutcome = (what: string, fix: string): StatError =>
  new StatError("BadOutcome", `${what}, which is not an outcome of an experiment.`, fix);

/** Errors with a way out pass as they are, whichever copy of the library made them. */
function asStatError(error: unknown, what: string): StatError {
  if (error instanceof StatError) return error;
  const { code, message, fix } = (typeof error === "object" && error !== null ? error : {}) as Partial<StatError>;
  if (typeof fix === "string" && typeof code === "string") return new StatError(code, String(message), fix);
  const why = typeof message === "string" ? message : `threw ${sayValue(error)}`;
  return new StatError("ScenarioFailed", `${what} failed: ${why}.`, "Fix the scenario.");
}

export interface GuardOptions {
  /** Called before a function of the family is, with its name; what it returns is called after. */
  readonly onCall?: ((name: string) => () => void) | undefined;
}

/** The same family, whose functions are checked in what they return. */
export function guardFamily(family: ScenarioFamily, { onCall }: GuardOptions = {}): ScenarioFamily {
  const call = <T>(name: string, run: () => T): T => {
    const after = onCall?.(name);
    try {
      return run();
    } catch (error) {
      throw asStatError(error, `${family.name}: \`${name}\``);
    } finally {
      after?.();
    }
  };
  return {
    ...family,
    make: (params) => {
      const scenario = call("make(params)", () => family.make(params));
      checkScenario(scenario, family.name);
      return guardScenario(scenario, call);
    },
    effectRange: (params) => {
      const range = call("effectRange(params)", () => family.effectRange(params));
      if (typeof range?.from === "number" && typeof range.to === "number" && range.from < range.to) return range;
      throw badScenario(`${family.name}: effectRange`, range, "Return { from, to }, from below to.");
    },
  };
}

function guardScenario(scenario: Scenario, call: <T>(name: string, run: () => T) => T): Scenario {
  const { exactPower, approximatePower } = scenario;
  const figures = (name: string, run: () => PowerFigures) => (): PowerFigures => {
    const found = call(name, run);
    if (found?.power >= 0 && found.power <= 1) return found;
    throw badScenario(`${scenario.name}: the power of ${name}`, found?.power, "It is a number from 0 to 1.");
  };
  return {
    ...scenario,
    ...(exactPower === undefined ? {} : { exactPower: figures("exactPower()", () => exactPower.call(scenario)) }),
    ...(approximatePower === undefined
      ? {}
      : { approximatePower: figures("approximatePower()", () => approximatePower.call(scenario)) }),
    ...(scenario.simulate === undefined ? {} : { simulate: (rng) => scenario.simulate!(rng) }),
  };
}

function checkScenario(scenario: unknown, family: string): asserts scenario is Scenario {
  if (typeof scenario !== "object" || scenario === null || Array.isArray(scenario) || scenario instanceof Promise)
    throw badScenario(`${family}: make(params)`, scenario, "Return a scenario; see `Scenario`.");
  const { effect, alpha, analyses, simulate, name, title, ...others } = scenario as Partial<Record<string, unknown>>;
  const refuse = (part: string, value: unknown, fix: string): void => {
    throw badScenario(`${family}: ${part} of what make(params) returned`, value, fix);
  };
  if (typeof name !== "string" || name !== family) refuse("name", name, `It is the family's, "${family}".`);
  if (typeof title !== "string") refuse("title", title, "It is a text.");
  if (typeof effect !== "number" || !Number.isFinite(effect) || effect === 0)
    refuse("effect", effect, "It is a number other than 0.");
  if (typeof alpha !== "number" || !(alpha > 0 && alpha < 1)) refuse("alpha", alpha, "It lies between 0 and 1.");
  if (!Array.isArray(analyses) || analyses.length === 0 || !analyses.every((one) => typeof one === "string"))
    refuse("analyses", analyses, "It is a list of names, one at least.");
  for (const part of ["parameters", "assumptions", "diagnostics"]) {
    if (!Array.isArray(others[part])) refuse(part, others[part], "It is a list.");
  }
  for (const part of [simulate, others["exactPower"], others["approximatePower"]]) {
    if (part !== undefined && typeof part !== "function") refuse("a way to answer", part, "It is a function.");
  }
}

const badScenario = (what: string, value: unknown, fix: string): StatError =>
  new StatError("BadScenario", `${what} is ${sayValue(value)}.`, fix);
