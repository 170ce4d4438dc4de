/** A scenario is a planned experiment: how the data would come about, the true effect, and the test that will be run.
 *
 *  `makeScenario(params)` of a family turns plain parameters into one; a scenario answers exactly (`exactPower`), by an
 *  approximation (`approximatePower`), by drawing one experiment (`simulate`), or by several of these. Parameters are plain data,
 *  so that a worker on another thread can make the same scenario again, and solvers can vary one of them.
 *  Power counts only significant results of the right sign; Type-M and Type-S are those of Gelman & Carlin (2014). */
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";
import { suggest } from "../result/suggest.ts";

/** Numbers, names and switches by the name of the parameter; undefined counts as not given. */
export type ScenarioParameters = Readonly<Record<string, number | string | boolean | undefined>>;

/** What a parameter may be: checks, flags and help are made of it. */
export interface ParameterSpec {
  /** In camel case; the flag is the same in kebab case. */
  readonly name: string;
  readonly kind: "count" | "share" | "number" | "positive" | "choice" | "text" | "switch";
  readonly choices?: readonly string[];
  /** What the parameter stands for, as a phrase: "true difference in accuracy". Other parameters stand in backticks. */
  readonly meaning: string;
  /** What help adds to it. */
  readonly hint?: string;
  /** What help calls a value where its kind says too little: "items". */
  readonly unit?: string;
  readonly default?: number | string | boolean;
  /** The one method whose answer depends on it; undefined: all do. */
  readonly only?: "approx" | "simulation";
  /** Why it would do nothing beside these other parameters, as the end of a sentence; undefined where it does something. */
  idle?(others: ScenarioParameters): string | undefined;
}

/** Of every test. */
export const ERROR_RATE_PARAMETERS: readonly ParameterSpec[] = [
  { name: "alpha", kind: "share", meaning: "error rate of the test", default: 0.05 },
  { name: "oneSided", kind: "switch", meaning: "test for one direction only", default: false },
];

/** A parameter as an answer shows it: with the value used and what that assumes. */
export interface StatedParameter {
  readonly name: string;
  readonly value: number | string;
  readonly meaning: string;
}

/** One simulated experiment as one analysis sees it. */
export interface Outcome {
  /** On the scale of the scenario's effect. */
  readonly estimate: number;
  readonly significant: boolean;
  /** No answer, as a fit that did not converge: counted as not significant, and reported. */
  readonly failed?: boolean;
}

/** What can be worked out without drawing. */
export interface PowerFigures {
  /** P(significant, right sign) */
  readonly power: number;
  /** P(significant), whatever the sign. */
  readonly rejection: number;
  /** Mean |estimate / effect| of significant results; NaN where none can be. */
  readonly typeM: number;
  /** Share of significant results with the wrong sign. */
  readonly typeS: number;
}

export interface Scenario {
  /** Name of its family. */
  readonly name: string;
  readonly title: string;
  /** True effect, not 0; its sign is the right sign. */
  readonly effect: number;
  /** What is said of it where its number alone would puzzle: "share of wins of 0.6 (log odds 0.469)". */
  readonly effectWords?: string;
  /** What a significant result shows, where it is not that an effect is there: "A loss of less than 0.02 is shown". */
  readonly claim?: string;
  readonly alpha: number;
  readonly parameters: readonly StatedParameter[];
  /** What must hold for the figures to be right, as sentences. */
  readonly assumptions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Names of the analyses that each simulated experiment goes through; the first one is the answer. */
  readonly analyses: readonly string[];
  exactPower?(): PowerFigures;
  approximatePower?(): PowerFigures;
  /** Items that one experiment draws or passes, where that may be too much to simulate. */
  readonly drawn?: number;
  /** Draws one experiment; one outcome per analysis. */
  simulate?(rng: Rng): readonly Outcome[];
}

/** What is given while `size` looks for something else, and keeps the power below 1 however much of that there is. */
export interface HeldParameter {
  readonly parameter: string;
  readonly value: number;
  /** It comes in multiples of this. */
  readonly step: number;
  /** As a message calls it: "raters". */
  readonly noun: string;
  /** Why more of the other does not help: "raters differ in which system they prefer". */
  readonly why: string;
}

/** Sizes among which the smallest with the wanted power is looked for. */
export interface SizeBounds {
  readonly least: number;
  /** Infinity where nothing bounds it. */
  readonly most: number;
  readonly step: number;
  readonly held?: HeldParameter;
}

/** What a scenario asks of its user. */
export interface ScenarioSpec {
  readonly name: string;
  readonly title: string;
  /** One line for a list of scenarios; default: the title. */
  readonly summary?: string;
  readonly parameters: readonly ParameterSpec[];
  /** The parameter that `mde` solves for, and the one that `size` does. */
  readonly effect: string;
  readonly size: string;
  /** Further parameters that `size` can solve for, as raters instead of items. */
  readonly otherSizes?: readonly string[];
}

export interface ScenarioFamily extends ScenarioSpec {
  /** Throws where the parameters contradict each other, with the admissible range. */
  make(params: ScenarioParameters): Scenario;
  /** The same experiment with nothing to find: an effect too small for any to see. Undefined where that is not one of its test's. */
  withoutEffect?(params: ScenarioParameters): ScenarioParameters | undefined;
  /** The same family where other parameters change what `mde` solves for. */
  variant?(params: ScenarioParameters): ScenarioFamily;
  /** Effects that are possible with the other parameters: above `from`, up to `to`. */
  effectRange(params: ScenarioParameters): { readonly from: number; readonly to: number };
  /** Sizes beyond a first success that must succeed too, where power is a saw-tooth in the size; 0 where it only rises. */
  lookAhead?(params: ScenarioParameters, size: number): number;
  /** Sizes come in multiples of it; default 1. */
  sizeStep?(params: ScenarioParameters): number;
  /** In steps; default 1. */
  readonly smallestSize?: number;
  /** Instead of sizeStep and smallestSize, where the sizes that can be had depend on the other parameters. */
  sizeBounds?(params: ScenarioParameters, size: string): SizeBounds;
  /** Experiments that are drawn unless more or fewer are asked for; fewer where each one takes a fit. */
  readonly replicates?: number;
}

/** Names and kinds as the family declares them, with defaults filled in. `except` may be left out: it is to be solved for. */
export function checkParameters(
  family: ScenarioFamily,
  params: ScenarioParameters,
  except: readonly string[] = [],
): ScenarioParameters {
  const known = family.parameters.map(({ name }) => name);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || known.includes(name)) continue;
    throw new StatError(
      "UnknownParameter",
      `${family.name} has no parameter "${name}".`,
      suggest(name, known, `It has ${known.join(", ")}.`),
    );
  }
  const checked: Record<string, number | string | boolean> = {};
  for (const spec of family.parameters) {
    const idle = spec.idle?.(params);
    if (idle !== undefined) refuseIdle(spec.name, params[spec.name], idle);
    const value = idle === undefined ? (params[spec.name] ?? spec.default) : undefined;
    if (value === undefined || except.includes(spec.name)) continue;
    checked[spec.name] = checkKind(spec, value);
  }
  return checked;
}

function refuseIdle(name: string, value: number | string | boolean | undefined, why: string): void {
  if (value === undefined) return;
  throw new StatError("BadOption", `\`${name}\` has no effect ${why}.`, `Leave \`${name}\` out.`);
}

/** More than anyone counts; sums over all outcomes take seconds up to it. */
export const LARGEST_COUNT = 1e9;
/** Beyond any score, difference or spread of one; products of squares stay far from the largest number there is. */
export const LARGEST_NUMBER = 1e15;

function checkKind(spec: ParameterSpec, value: number | string | boolean): number | string | boolean {
  const { name, kind, choices = [], meaning } = spec;
  const fits: Record<ParameterSpec["kind"], () => boolean> = {
    count: () => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= LARGEST_COUNT,
    share: () => typeof value === "number" && value >= 0 && value <= 1,
    positive: () => typeof value === "number" && value > 0 && value <= LARGEST_NUMBER,
    number: () => typeof value === "number" && Math.abs(value) <= LARGEST_NUMBER,
    choice: () => typeof value === "string" && choices.includes(value),
    text: () => typeof value === "string" && value !== "",
    switch: () => typeof value === "boolean",
  };
  if (fits[kind]()) return value;
  const wanted: Record<ParameterSpec["kind"], string> = {
    count: `a whole number from 1 to ${LARGEST_COUNT}`,
    share: "a number from 0 to 1",
    positive: "a number above 0",
    number: "a number",
    choice: `one of ${choices.join(", ")}`,
    text: "a text",
    switch: "true or false",
  };
  throw new StatError("BadParameter", `${name} = ${value} (${meaning}).`, `it must be ${wanted[kind]}.`);
}

/** What a number that must be there may be. */
const rangeOf = (name: string): string => {
  if (name === "n") return `a whole number from 1 to ${LARGEST_COUNT}`;
  if (name === "items") return "a whole number of at least 2";
  return name === "delta" || name === "effect" ? "a number other than 0" : "a number from 0 to 1";
};

/** A number that must be there. */
export function requireNumber(params: ScenarioParameters, name: string, family: string): number {
  const value = params[name];
  if (typeof value === "number") return value;
  throw new StatError("MissingParameter", `${family} needs ${name}.`, `Give \`${name}\`, ${rangeOf(name)}.`);
}

/** Stands for none where an effect of 0 is refused: below any rounding of an estimate. */
export const NO_EFFECT = 1e-9;

/** An effect of 0 has no right sign. */
export function requireEffect(effect: number, name: string): void {
  if (effect !== 0) return;
  const article = /^[aeiou]/.test(name) ? "an" : "a";
  throw new StatError(
    "NoEffect",
    `${name} = 0: no difference, so none can be found.`,
    `give ${article} ${name} that is not 0.`,
  );
}

export function checkAlpha(alpha: number): void {
  if (alpha > 0 && alpha < 1) return;
  throw new StatError("BadParameter", `alpha = ${alpha}.`, "it must lie between 0 and 1, such as 0.05.");
}
