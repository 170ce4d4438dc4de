/** Minimum detectable effect: the smallest effect that has the wanted power, the other parameters given.
 *  Exact and approximate power are continuous in the effect: the first crossing on a grid of the possible effects, then Brent's root.
 *  By simulation: simulated.ts.
 *  Reference: Card et al. (2020), EMNLP, section 3.2 and Table 2; Bloom (1995), Eval. Rev. 19.
 *  Oracle:    power.t.test, power.prop.test (R); oracle/reference/power.json, Table 9.
 *  Limits:    where no possible effect reaches the power the answer is NaN, with the power of the largest one. */

import type { FieldsOf } from "../../models/fit.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult } from "../../result/result.ts";
import { formatBeside, type PowerMethod, USUAL_POWER } from "../result.ts";
import { checkParameters, type Scenario, type ScenarioFamily, type ScenarioParameters } from "../scenario.ts";
import { nounFor } from "../screen.ts";
import { type PowerPoint, powerAround } from "../series.ts";
import { solveBySimulation, tellDrawn } from "./simulated.ts";
import { whatItTakes } from "./size-search.ts";
import {
  alphaOf,
  checkTarget,
  computeFigures,
  defaultMethod,
  type PowerOptions,
  type PowerQuestion,
  refuseUnused,
  withRng,
} from "./solve.ts";
import { displaySolved, type Solved, type SolvedSource, solvedFields, tellHow } from "./solved.ts";

export interface MdeResult extends Solved<"mde"> {
  /** NaN where no possible effect reaches the power; `power` is then that of the largest one. */
  readonly mde: number;
  readonly range: { readonly from: number; readonly to: number };
}

export type MdeJson = JsonOf<MdeResult>;

export interface SolveOptions extends PowerOptions {
  /** Wanted power; default 0.8. */
  readonly power?: number | undefined;
  /** By simulation: wanted standard error of the answer relative to it; default 0.02. */
  readonly relativePrecision?: number | undefined;
}

/** Fractions of the range on which the first crossing is looked for: by equal ratios from 1e-6 on, as a range may end far beyond
 *  any effect that matters, and evenly in its upper part. */
const GRID: readonly number[] = [
  ...Array.from({ length: 8 }, (_, i) => 10 ** ((i - 8) * 0.75)),
  ...Array.from({ length: 12 }, (_, i) => 0.25 + (i * 0.75) / 11),
];

export async function findMde(
  asked: ScenarioFamily,
  given: ScenarioParameters,
  options: SolveOptions = {},
): Promise<MdeResult> {
  const family = asked.variant?.(given) ?? asked;
  const target = options.power ?? USUAL_POWER;
  const params = checkParameters(family, given, [family.effect]);
  checkTarget(target, alphaOf(family, params));
  const range = family.effectRange(params);
  if (!(range.to > range.from)) {
    throw new StatError(
      "Impossible",
      `no ${family.effect} is possible here: it would have to lie above ${formatNumber(range.from)}, up to ${formatNumber(range.to)}.`,
      "an agreement, a baseline or ties of 1, or a disagreement of 0, leave no room for a difference: change them.",
    );
  }
  const at = (effect: number): Scenario => family.make({ ...params, [family.effect]: effect });
  const method = options.method ?? defaultMethod(at(range.to));
  checkDrawing(method, { family, params: given, options });
  const effectCurve = (answer: number): PowerPoint[] =>
    powerAround(
      answer,
      (wanted) => Math.max(range.from, Math.min(range.to, wanted)),
      (effect) => computeFigures(at(effect), method).power,
    );
  const found =
    method === "simulation"
      ? await solveBySimulation(family, params, {
          ...withRng(options),
          vary: "effect",
          target,
          precision: options.relativePrecision,
        })
      : { ...firstEffect(range, target, (effect) => computeFigures(at(effect), method).power), se: 0 };
  const shown = Number.isNaN(found.x) ? range.to : found.x;
  const scenario = at(shown);
  const series = "tried" in found ? { tried: found.tried } : { curve: effectCurve(shown) };
  const told = method === "simulation" ? tellDrawn(options.replicates, (found as Found).replicates ?? 0) : [];
  return makeMdeResult(scenario, {
    family,
    params,
    target,
    method,
    range,
    found,
    series,
    told,
    seed: method === "simulation" ? options.rng?.seed : undefined,
  });
}

/** The precision of a power is not that of what has it. */
export function checkDrawing(
  method: PowerMethod,
  { options, ...asked }: Pick<PowerQuestion, "family" | "params"> & { readonly options: SolveOptions },
): void {
  refuseUnused(method, { ...asked, options });
  if (options.precision === undefined) return;
  const message = "option `precision` is of a power, and here what has the power is looked for.";
  throw new StatError("BadOption", message, "Give `relativePrecision` instead.");
}

/** The least effect in (from, to] with the power; NaN if none. */
export function firstEffect(
  { from, to }: { readonly from: number; readonly to: number },
  target: number,
  powerAt: (effect: number) => number,
): { x: number; power: number } {
  // towards `from` power falls to the error rate at most, which is below the target
  const gap = (effect: number): number => (effect <= from ? -target : powerAt(effect) - target);
  let lo = from;
  for (const fraction of GRID) {
    const hi = fraction === 1 ? to : from + fraction * (to - from);
    if (gap(hi) >= 0) {
      const { root } = findRoot(gap, lo, hi);
      return { x: root, power: powerAt(root) };
    }
    lo = hi;
  }
  return { x: Number.NaN, power: powerAt(to) };
}

interface Found {
  readonly x: number;
  readonly power: number;
  readonly se: number;
  readonly replicates?: number;
}

interface MdeSource extends SolvedSource {
  readonly range: { readonly from: number; readonly to: number };
  readonly found: Found;
}

function makeMdeResult(scenario: Scenario, source: MdeSource): MdeResult {
  const { family, range, found, told = [] } = source;
  const { x: mde, power, se, replicates } = found;
  const at = [family.effect, Number.isNaN(mde) ? range.to : mde] as const;
  const own = solvedFields("mde", at, scenario, { ...source, told: [...judge(source), ...told] });
  return makeResult("mde", { ...own, mde, power, range, se, ...present({ replicates }) }, displayMde);
}

function judge({ family, params, method, found, target, range }: MdeSource): Diagnostic[] {
  if (!Number.isNaN(found.x)) return [];
  const largest = { ...params, [family.effect]: range.to };
  return [
    warning(
      "NoDetectableEffect",
      `no possible ${family.effect} reaches a power of ${target}: the largest, ${formatNumber(range.to)}, has ${formatBeside(found.power, target)}.`,
      whatItTakes({ family, params: largest, size: family.size, target, method }),
    ),
  ];
}

/** recallGain → recall gain */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function displayMde(result: FieldsOf<MdeResult>): Display {
  const { mde, target, power, se, replicates } = result;
  const parameter = inWords(result.parameter);
  const simulated = replicates !== undefined;
  const how = tellHow(result);
  const noun = nounFor(result.parameter, result.parameters, parameter);
  // a margin is chosen, not found: with a smaller one a system that is no worse is less often shown to be
  const isMargin = result.parameter === "margin";
  const found = Number.isNaN(mde)
    ? `No possible ${isMargin ? parameter : noun} has a power of ${formatNumber(target)} (${how}).`
    : isMargin
      ? `The smallest margin within which “not worse” is shown with a power of ${formatNumber(target)} is ${formatNumber(mde)} (${how}).`
      : `The smallest ${noun} that is found with a power of ${formatNumber(target)} is ${formatNumber(mde)} (${how}).`;
  const table: DisplayTable = {
    head: [parameter, ...(simulated ? ["± SE"] : []), "power"],
    rows: [[mde, ...(simulated ? [se] : []), power]],
  };
  const smaller = isMargin
    ? "With a smaller margin it is shown less often than that."
    : "A smaller one is found less often than that, and where it is found it looks larger than it is.";
  const notes = Number.isNaN(mde) ? [] : [smaller];
  return displaySolved(result, { title: "Minimum detectable effect", found, table, notes });
}
