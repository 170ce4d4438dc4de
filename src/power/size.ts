/** Sample size: the smallest n from which on the wanted power is held.
 *  Exact power of a discrete test is a saw-tooth in n: one more item can lower it. The answer is the smallest n whose power, and that
 *  of every larger n looked at, reaches the target; n - 1 misses it. First a crossing by halving, then a look ahead over as many
 *  sizes as teeth can reach (the family knows), starting anew after each size that misses.
 *  Reference: Chernick & Liu (2002), Am. Stat. 56 (saw-tooth); Card et al. (2020), EMNLP.
 *  Oracle:    power.t.test, power.prop.test (R), brute force over all n.
 *  Limits:    n up to 10⁸. */
import type { FieldsOf } from "../models/fit.ts";
import { findFirst } from "../numeric/optim/brent.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { makeResult, type Result } from "../result/result.ts";
import { ASSAY_VERSION } from "../result/version.ts";
import type { SolveOptions } from "./mde.ts";
import { type PowerMethod, parameterTable, USUAL_POWER } from "./result.ts";
import {
  checkParameters,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type StatedParameter,
} from "./scenario.ts";
import { alphaOf, checkTarget, computeFigures, defaultMethod, withRng } from "./solve.ts";
import { solveBySimulation } from "./solve-simulated.ts";

export interface SizeResult extends Result<"size"> {
  readonly scenario: string;
  readonly title: string;
  readonly parameter: string;
  readonly n: number;
  /** Power at n; at the next smaller size; NaN by simulation. */
  readonly power: number;
  readonly powerBelow: number;
  readonly target: number;
  readonly method: PowerMethod;
  /** Larger sizes that were looked at, all of them with the power. */
  readonly lookedAhead: number;
  /** By simulation: standard error of n, and experiments drawn. */
  readonly se: number;
  readonly replicates?: number;
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
}

const LARGEST_SIZE = 1e8;

export async function findSize(
  family: ScenarioFamily,
  given: ScenarioParameters,
  options: SolveOptions = {},
): Promise<SizeResult> {
  const target = options.power ?? USUAL_POWER;
  const params = checkParameters(family, given, [family.size]);
  checkTarget(target, alphaOf(family, params));
  const step = family.sizeStep?.(params) ?? 1;
  const smallest = family.smallestSize ?? 1;
  const at = (steps: number): Scenario => family.make({ ...params, [family.size]: steps * step });
  const method = options.method ?? defaultMethod(at(smallest));
  if (method === "simulation") {
    const simulation = { ...withRng(options), vary: "size" as const, target, precision: options.relativePrecision };
    const { x, se, replicates, power } = await solveBySimulation(family, params, simulation);
    const found = { n: x, power, powerBelow: Number.NaN, lookedAhead: 0, se, replicates };
    return makeSizeResult(at(x / step), { family, params, target, method, found, seed: simulation.rng.seed });
  }
  const ahead = (steps: number): number => Math.ceil((family.lookAhead?.(params, steps * step) ?? 0) / step);
  const found = firstSize({ smallest, step, target, ahead }, (steps) => computeFigures(at(steps), method).power);
  const { n, ...rest } = found;
  return makeSizeResult(at(n), { family, params, target, method, found: { n: n * step, ...rest, se: 0 } });
}

interface Search {
  readonly smallest: number;
  readonly step: number;
  readonly target: number;
  ahead(n: number): number;
}

export function firstSize({ smallest, step, target, ahead }: Search, powerAt: (n: number) => number) {
  const enough = (n: number): boolean => powerAt(n) >= target;
  let high = smallest;
  while (!enough(high)) {
    if (high * step >= LARGEST_SIZE) {
      throw new StatError(
        "TooLarge",
        `more than ${formatNumber(LARGEST_SIZE, "integer")} items would be needed for a power of ${target}.`,
        "plan for a larger effect.",
      );
    }
    high = Math.min(2 * high, Math.ceil(LARGEST_SIZE / step));
  }
  let n = findFirst(Math.max(smallest, Math.floor(high / 2)), high, enough);
  // teeth: every size that misses moves the start behind it
  for (let k = n + 1; k <= n + ahead(n); k++) {
    if (!enough(k)) n = k + 1;
  }
  while (!enough(n)) n++;
  return { n, power: powerAt(n), powerBelow: n > smallest ? powerAt(n - 1) : Number.NaN, lookedAhead: ahead(n) };
}

interface SizeSource {
  readonly family: ScenarioFamily;
  readonly params: ScenarioParameters;
  readonly target: number;
  readonly method: PowerMethod;
  readonly found: {
    readonly n: number;
    readonly power: number;
    readonly powerBelow: number;
    readonly lookedAhead: number;
    readonly se: number;
    readonly replicates?: number;
  };
  readonly seed?: string;
}

function makeSizeResult(scenario: Scenario, { family, params, target, method, found, seed }: SizeSource): SizeResult {
  const fields: FieldsOf<SizeResult> = {
    signature: {
      method: `size/${family.name}`,
      version: ASSAY_VERSION,
      options: { ...params, power: target, method },
      data: "",
      ...(seed === undefined ? {} : { seed }),
    },
    diagnostics: scenario.diagnostics,
    scenario: family.name,
    title: scenario.title,
    parameter: family.size,
    ...found,
    target,
    method,
    parameters: scenario.parameters,
    assumptions: scenario.assumptions,
  };
  return makeResult("size", fields, displaySize);
}

function displaySize(result: FieldsOf<SizeResult>): Display {
  const { n, parameter, target, power, powerBelow, se, method, replicates, lookedAhead } = result;
  const simulated = replicates !== undefined;
  const how = simulated
    ? `simulation, ${formatNumber(replicates, "integer")} experiments`
    : method === "approx"
      ? "approximation"
      : method;
  const convention =
    lookedAhead > 0
      ? [
          `Power is a saw-tooth in ${parameter}: this is the smallest from which on it stays at ${formatNumber(target)} or above (${lookedAhead} larger ones checked).`,
        ]
      : [];
  return {
    title: `Sample size: ${result.title}`,
    summary: [
      `${parameter} = ${formatNumber(n, "integer")} gives a power of ${formatNumber(target)} or more (${how}).`,
    ],
    tables: [
      simulated
        ? { head: [parameter, "± SE", "power"], formats: ["integer", "number", "number"], rows: [[n, se, power]] }
        : {
            head: [parameter, "power", "with one step less"],
            formats: ["integer", "number", "number"],
            rows: [[n, power, powerBelow]],
          },
      parameterTable(result.parameters),
    ],
    notes: [...convention, ...result.assumptions],
  };
}
