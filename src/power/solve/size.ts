/** Sample size: the smallest n from which on the wanted power is held.
 *  Exact power of a discrete test is a saw-tooth in n: one more item can lower it. The answer is the smallest n whose power, and that
 *  of every larger n looked at, reaches the target; n - 1 misses it (size-search.ts). By simulation: simulated.ts.
 *  Reference: Chernick & Liu (2002), Am. Stat. 56 (saw-tooth); Card et al. (2020), EMNLP.
 *  Oracle:    power.t.test, power.prop.test (R), brute force over all n.
 *  Limits:    n up to 10⁸. */

import type { FieldsOf } from "../../models/fit.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, type JsonOf, makeResult } from "../../result/result.ts";
import { formatBeside, USUAL_POWER } from "../result.ts";
import { checkParameters, type Scenario, type ScenarioFamily, type ScenarioParameters } from "../scenario.ts";
import { nounFor } from "../screen.ts";
import { powerAround } from "../series.ts";
import { checkDrawing, type SolveOptions } from "./mde.ts";
import { solveBySimulation, tellDrawn } from "./simulated.ts";
import { checkSize, type FoundSize, refuseSize, requireReachable, searchSize, withNoun } from "./size-search.ts";
import { alphaOf, boundsOf, checkTarget, computeFigures, defaultMethod, wholeSize, withRng } from "./solve.ts";
import { displaySolved, type Solved, type SolvedSource, solvedFields, tellHow } from "./solved.ts";

export interface SizeResult extends Solved<"size"> {
  readonly n: number;
  /** Sizes come in multiples of it. */
  readonly step: number;
  /** Power at the next smaller size; NaN by simulation. */
  readonly powerBelow: number;
  /** Larger sizes that were looked at, all of them with the power. */
  readonly lookedAhead: number;
  /** By simulation: the smallest possible size has the power already. */
  readonly smallestHas?: boolean;
}

export type SizeJson = JsonOf<SizeResult>;

export interface SizeOptions extends SolveOptions {
  /** What to solve for: the family's size, or one of its other sizes, as raters ("raters") instead of items. */
  readonly solveFor?: string | undefined;
}

export async function findSize(
  family: ScenarioFamily,
  given: ScenarioParameters,
  options: SizeOptions = {},
): Promise<SizeResult> {
  const target = options.power ?? USUAL_POWER;
  const size = checkSize(family, options.solveFor);
  const params = checkParameters(family, given, [size]);
  checkTarget(target, alphaOf(family, params));
  const at = (n: number): Scenario => family.make({ ...params, [size]: n });
  const { least, most, step } = boundsOf(family, params, size);
  // whatever is wrong with the other parameters is said first
  const smallest = at(least);
  const method = options.method ?? defaultMethod(smallest);
  checkDrawing(method, { family, params: given, options });
  if (most < least) {
    throw new StatError(
      "ImpossibleDesign",
      `there can be at most ${withNoun(size, most)} with these raters, and at least ${least} are needed.`,
      "take more raters, or let each of them rate more texts.",
    );
  }
  const question = { family, params, size, target, method };
  if (method !== "simulation") {
    const found = searchSize(question);
    const curve = powerAround(found.n, wholeSize(family, params, size), (n) => computeFigures(at(n), method).power);
    return makeSizeResult(at(found.n), {
      ...{ family, size, step, params, target, method },
      found: { ...found, se: 0 },
      series: { curve },
    });
  }
  requireReachable(question);
  const simulation = { ...withRng(options), vary: "size" as const, size, target, precision: options.relativePrecision };
  const {
    x,
    se,
    replicates,
    power,
    tried,
    least: smallestHas = false,
  } = await solveBySimulation(family, params, simulation);
  if (Number.isNaN(x)) throw refuseSize(question, power);
  const found = { n: x, power, powerBelow: Number.NaN, lookedAhead: 0, se, replicates, smallestHas };
  return makeSizeResult(at(x), {
    ...{ family, size, step, params, target, method, found },
    seed: simulation.rng.seed,
    series: { tried },
    told: tellDrawn(options.replicates, replicates),
  });
}

interface SizeSource extends SolvedSource {
  readonly size: string;
  readonly step: number;
  readonly found: FoundSize & { readonly se: number; readonly replicates?: number; readonly smallestHas?: boolean };
}

/** Larger sizes than anybody has. */
const OUT_OF_REACH = 1_000_000;

const tellReach = (size: string, n: number): Diagnostic[] =>
  n > OUT_OF_REACH
    ? [
        warning(
          "OutOfReach",
          `${withNoun(size, n)} are out of reach of most evaluations.`,
          "Accept a lower power, or measure with less noise.",
        ),
      ]
    : [];

function makeSizeResult(scenario: Scenario, source: SizeSource): SizeResult {
  const { size, step, found, told = [] } = source;
  const own = { ...source, told: [...tellReach(size, found.n), ...told] };
  const fields: FieldsOf<SizeResult> = { ...solvedFields("size", [size, found.n], scenario, own), step, ...found };
  return makeResult("size", fields, displaySize);
}

function displaySize(result: FieldsOf<SizeResult>): Display {
  const { n, step, target, power, powerBelow, se, replicates, lookedAhead, parameter } = result;
  const simulated = replicates !== undefined;
  const how = tellHow(result);
  const convention =
    lookedAhead > 0
      ? [
          `Power is a saw-tooth in ${parameter}: this is the smallest from which on it stays at ${formatNumber(target)} or above (${lookedAhead} larger ones checked).`,
        ]
      : [];
  const found = simulated
    ? drawnSentence(result, how)
    : `${formatNumber(n, "integer")} ${nounFor(parameter, result.parameters)} give a power of ${formatBeside(power, target)} (${how})${missed(result)}.`;
  const table: DisplayTable = simulated
    ? {
        head: [parameter, "± SE", "power"],
        formats: ["integer", "number", "number"],
        rows: [[n, result.smallestHas ? "" : se, power]],
      }
    : {
        head: [parameter, "power", `${formatNumber(target)} reached`],
        formats: ["integer", "number", "text"],
        decimals: decimalsBeside(powerBelow, target),
        rows: [...(Number.isNaN(powerBelow) ? [] : [[n - step, powerBelow, "no"]]), [n, power, "yes"]],
      };
  return displaySolved(result, { title: "Sample size", found, table, notes: convention });
}

/** The SE of a size in whole ones. */
function drawnSentence(result: FieldsOf<SizeResult>, how: string): string {
  const { n, se, parameter, parameters, target, power, smallestHas } = result;
  const noun = nounFor(parameter, parameters);
  if (smallestHas)
    return `${formatNumber(n, "integer")} ${noun}, the least possible, already give a power of ${formatNumber(power)}, and ${formatNumber(target)} was wanted (${how}).`;
  const about = `${formatNumber(n, "integer")} ± ${formatNumber(Math.max(1, Math.round(se)), "integer")}`;
  return `About ${about} ${noun} give a power of ${formatNumber(target)} (${how}).`;
}

/** A power that misses the one wanted must not be printed as that one. */
function decimalsBeside(power: number, target: number): number {
  let decimals = 4;
  while (decimals < 12 && power.toFixed(decimals) === target.toFixed(decimals)) decimals += 1;
  return decimals;
}

/** What one step less would have given. */
function missed({ n, step, powerBelow, target }: FieldsOf<SizeResult>): string {
  if (Number.isNaN(powerBelow)) return `, and at least ${formatNumber(target)} was wanted`;
  return `; ${formatNumber(n - step, "integer")} give ${formatBeside(powerBelow, target)}, less than ${formatNumber(target)}`;
}
