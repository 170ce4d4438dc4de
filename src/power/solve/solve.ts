/** One power analysis by the best method that the scenario has, and what the solvers for effect and size share. */
import { StatError } from "../../result/error.ts";
import { type Credibility, makePowerResult, type PowerMethod, type PowerResult, withoutError } from "../result.ts";
import {
  checkParameters,
  type PowerFigures,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type SizeBounds,
} from "../scenario.ts";
import { type PowerSeries, powerAround } from "../series.ts";
import { type SimulateOptions, simulatePower } from "../simulate.ts";
import { approximateErrorRate, simulateErrorRate } from "./error-rate-simulate.ts";

export interface PowerOptions extends Partial<SimulateOptions> {
  /** Default: exact where there is an exact answer, else simulation, else approx. */
  readonly method?: PowerMethod | undefined;
  /** In a simulation: draw experiments without an effect too, and say how often the test is significant there. */
  readonly checkErrorRate?: boolean | undefined;
}

export async function analysePower(
  family: ScenarioFamily,
  params: ScenarioParameters,
  options: PowerOptions = {},
): Promise<PowerResult> {
  const method = options.method ?? defaultMethod(family.make(params));
  refuseUnused(method, { family, params, options });
  return answerBy(method, { family, params, options });
}

export interface PowerQuestion {
  readonly family: ScenarioFamily;
  readonly params: ScenarioParameters;
  readonly options: PowerOptions;
}

export async function answerBy(method: PowerMethod, { family, params, options }: PowerQuestion): Promise<PowerResult> {
  if (method === "simulation") {
    const { checkErrorRate, ...rest } = options;
    const simulating = withRng(rest);
    const errorRate = checkErrorRate ? await simulateErrorRate(family, params, simulating) : undefined;
    return simulatePower(family, params, { ...simulating, ...(errorRate === undefined ? {} : { errorRate }) });
  }
  return computePower(family, params, method, options);
}

/** Options that say how much is drawn. */
const DRAWING = ["replicates", "precision", "relativePrecision"] as const;
type Drawing = { readonly [Name in (typeof DRAWING)[number]]?: number | undefined };

/** What another method alone would use is refused. `params` are those given, without the family's defaults. */
export function refuseUnused(
  method: PowerMethod,
  { family, params, options }: Pick<PowerQuestion, "family" | "params"> & { readonly options: Drawing },
): void {
  const idle = family.parameters.find(
    ({ name, only }) => only !== undefined && only !== method && params[name] !== undefined,
  );
  if (idle !== undefined) {
    const why = idle.only === "simulation" ? "without simulation" : "in a simulation";
    const fix = `Leave it out, or ask for \`method: ${idle.only}\`.`;
    throw new StatError("BadOption", `\`${idle.name}\` has no effect ${why}.`, fix);
  }
  refuseDrawing(method, options);
}

/** Where nothing is drawn, what says how much is refused; a seed only names the stream that a drawing would take. */
function refuseDrawing(method: PowerMethod, options: Drawing): void {
  if (method === "simulation") {
    if (options.replicates === undefined) return;
    const second = DRAWING.slice(1).find((name) => options[name] !== undefined);
    if (second === undefined) return;
    const message = `options \`replicates\` and \`${second}\` together.`;
    throw new StatError("BadOption", message, "Give one: a count, or how sure it is to be.");
  }
  const idle = DRAWING.find((name) => options[name] !== undefined);
  if (idle === undefined) return;
  const how = method === "exact" ? "the answer is exact" : "the answer is computed by an approximation";
  throw new StatError(
    "BadOption",
    `option \`${idle}\` has no effect here: ${how}, and nothing is drawn.`,
    "Leave it out, or ask for a simulation with `method: simulation`.",
  );
}

/** Without drawing anything: exact or approx. */
export function computePower(
  family: ScenarioFamily,
  given: ScenarioParameters,
  method: Exclude<PowerMethod, "simulation"> = "exact",
  { credibility }: { readonly credibility?: Credibility | undefined } = {},
): PowerResult {
  const params = checkParameters(family, given);
  const scenario = family.make(params);
  const figures = computeFigures(scenario, method);
  const errorRate = method === "approx" ? approximateErrorRate(family, params) : undefined;
  return makePowerResult(scenario, {
    method,
    params,
    analyses: [withoutError(scenario.analyses[0]!, figures)],
    curve: () => sizeCurve(family, params, method),
    errorRate,
    credibility,
  });
}

/** Power by the size that the family is planned by, around the one given. */
function sizeCurve(family: ScenarioFamily, params: ScenarioParameters, method: PowerMethod): PowerSeries {
  const n = params[family.size];
  if (typeof n !== "number") return {};
  const curve = powerAround(
    n,
    wholeSize(family, params, family.size),
    (at) => computeFigures(family.make({ ...params, [family.size]: at }), method).power,
  );
  return { size: { parameter: family.size, value: n }, curve };
}

/** The nearest size that can be had. */
export function wholeSize(
  family: ScenarioFamily,
  params: ScenarioParameters,
  size: string,
): (wanted: number) => number {
  const { least, most, step } = boundsOf(family, params, size);
  return (wanted) => Math.max(least, Math.min(most, Math.round(wanted / step) * step));
}

export function boundsOf(family: ScenarioFamily, params: ScenarioParameters, size: string): SizeBounds {
  const own = family.sizeBounds?.(params, size);
  if (own !== undefined) return own;
  const step = family.sizeStep?.(params) ?? 1;
  return { least: (family.smallestSize ?? 1) * step, most: Number.POSITIVE_INFINITY, step };
}

export function computeFigures(scenario: Scenario, method: PowerMethod): PowerFigures {
  const figures = method === "exact" ? scenario.exactPower?.() : scenario.approximatePower?.();
  if (figures !== undefined) return figures;
  const has = [
    scenario.exactPower && "exact",
    scenario.approximatePower && "approx",
    scenario.simulate && "simulation",
  ];
  throw new StatError(
    "NoSuchMethod",
    `${scenario.title}: no ${method === "exact" ? "exact answer" : "approximation"} with these parameters.`,
    `use \`method: ${has.filter(Boolean).join(" or ")}\`.`,
  );
}

export function defaultMethod(scenario: Scenario): PowerMethod {
  if (scenario.exactPower !== undefined) return "exact";
  return scenario.simulate === undefined ? "approx" : "simulation";
}

export function withRng(options: PowerOptions): SimulateOptions {
  if (options.rng !== undefined) return { ...options, rng: options.rng };
  throw new StatError("NoSeed", "a simulation needs a random stream.", "give rng, as makeRng(1).");
}

export function checkTarget(power: number, alpha: number): void {
  if (power > alpha && power < 1) return;
  throw new StatError(
    "BadParameter",
    `a power of ${power} is wanted with alpha = ${alpha}.`,
    `it must lie between ${alpha} and 1, such as 0.8.`,
  );
}

/** α of the parameters, whether given or the family's default. */
export function alphaOf(family: ScenarioFamily, params: ScenarioParameters): number {
  const spec = family.parameters.find(({ name }) => name === "alpha");
  return (params["alpha"] ?? spec?.default ?? 0.05) as number;
}
