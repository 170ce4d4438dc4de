/** Power over a grid of parameters: every combination, as a table and as data for a plot. */

import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayChart } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type PartialDraws, type PowerMethod, type PowerResult, parameterTable, USUAL_POWER } from "../result.ts";
import type { ScenarioFamily, ScenarioParameters, StatedParameter } from "../scenario.ts";
import { answerBy, defaultMethod, type PowerOptions, refuseUnused } from "./solve.ts";

export interface CurveAxis {
  readonly name: string;
  readonly values: readonly (number | string)[];
}

export interface CurvePoint {
  readonly at: Readonly<Record<string, number | string>>;
  readonly power: number;
  readonly se: number;
  readonly typeM: number;
  readonly typeS: number;
  readonly method: PowerMethod;
}

export interface CurveResult extends Result<"curve"> {
  readonly scenario: string;
  readonly title: string;
  readonly axes: readonly CurveAxis[];
  readonly points: readonly CurvePoint[];
  /** Of the first point; the axes vary. */
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
  /** Where only part of what was asked for is drawn. */
  readonly partial?: PartialDraws;
}

export type CurveJson = JsonOf<CurveResult>;

export interface CurveOptions extends PowerOptions {
  readonly onPoint?: ((done: number, total: number) => void) | undefined;
}

const MOST_POINTS = 100_000;

/** The first axis varies slowest. Point k is simulated with rng.stream(k). */
export async function tracePower(
  family: ScenarioFamily,
  params: ScenarioParameters,
  { axes, ...options }: CurveOptions & { readonly axes: readonly CurveAxis[] },
): Promise<CurveResult> {
  const total = axes.reduce((product, { values }) => product * values.length, 1);
  if (axes.length === 0 || total === 0 || total > MOST_POINTS) {
    throw new StatError(
      "BadOption",
      `a grid of ${axes.length === 0 ? "no" : total} points.`,
      `vary at least one parameter, over 1 to ${MOST_POINTS} points.`,
    );
  }
  const twice = axes.find(({ name }, k) => axes.findIndex((axis) => axis.name === name) < k);
  if (twice !== undefined) {
    throw new StatError("BadOption", `${twice.name} is varied twice.`, "give all its values together: n=100,200.");
  }
  const fixed = axes.find(({ name }) => params[name] !== undefined);
  if (fixed !== undefined) {
    const message = `\`${fixed.name}\` ${params[fixed.name]} has no effect where ${fixed.name} is varied.`;
    throw new StatError("BadOption", message, "Give it once, or among the values that are tried.");
  }
  const results: PowerResult[] = [];
  const points: CurvePoint[] = [];
  for (const at of combinations(axes)) {
    const own = options.rng === undefined ? options : { ...options, rng: options.rng.stream(results.length) };
    const here = { ...params, ...at };
    const result = await answerBy(own.method ?? defaultMethod(family.make(here)), {
      family,
      params: here,
      options: own,
    });
    results.push(result);
    const { power, se, typeM, typeS, method } = result;
    points.push({ at, power, se, typeM, typeS, method });
    options.onPoint?.(points.length, total);
  }
  // one point that is drawn is enough
  const drawn = points.find(({ method }) => method === "simulation");
  const { method, at } = drawn ?? points[0]!;
  refuseUnused(method, { family, params: { ...params, ...at }, options });
  return makeCurve(family, params, { axes, points, first: results[0]!, options });
}

function combinations(axes: readonly CurveAxis[]): Record<string, number | string>[] {
  return axes.reduce<Record<string, number | string>[]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

interface CurveSource {
  readonly axes: readonly CurveAxis[];
  readonly points: readonly CurvePoint[];
  readonly first: PowerResult;
  readonly options: CurveOptions;
}

function makeCurve(family: ScenarioFamily, params: ScenarioParameters, source: CurveSource): CurveResult {
  const { axes, points, first, options } = source;
  const drawn = points.some(({ method }) => method === "simulation");
  const fields: FieldsOf<CurveResult> = {
    signature: {
      method: `curve/${family.name}`,
      version: GOSSET_VERSION,
      options: { ...params, over: Object.fromEntries(axes.map(({ name, values }) => [name, values])) },
      data: "",
      ...(drawn && options.rng !== undefined ? { seed: options.rng.seed } : {}),
    },
    diagnostics: [],
    scenario: family.name,
    title: family.title,
    axes,
    points,
    parameters: first.parameters.filter(({ name }) => !axes.some((axis) => axis.name === name)),
    assumptions: first.assumptions,
  };
  return makeResult("curve", fields, displayCurve);
}

function displayCurve({ title, axes, points, parameters, assumptions }: FieldsOf<CurveResult>): Display {
  const simulated = points.some(({ method }) => method === "simulation");
  return {
    title: `Power curve: ${title}`,
    tables: [
      {
        head: [...axes.map(({ name }) => name), "power", ...(simulated ? ["± SE"] : []), "Type-M", "Type-S"],
        rows: points.map(({ at, power, se, typeM, typeS }) => [
          ...axes.map(({ name }) => at[name]!),
          power,
          ...(simulated ? [se] : []),
          typeM,
          typeS,
        ]),
      },
      { ...parameterTable(parameters), caption: "Assumed at the first point" },
    ],
    charts: drawCurves(axes, points),
    notes: [...assumptions],
  };
}

/** Power over the axis with the most numbers, one curve for each combination of the others. */
function drawCurves(axes: readonly CurveAxis[], points: readonly CurvePoint[]): DisplayChart[] {
  const numbers = axes.filter(({ values }) => values.every((value) => typeof value === "number"));
  const [across] = [...numbers].sort((a, b) => b.values.length - a.values.length);
  if (across === undefined || across.values.length < 2) return [];
  const others = axes.filter((axis) => axis !== across);
  const series = new Map<string, [number, number][]>();
  for (const { at, power } of points) {
    const name = others.map((axis) => `${axis.name} = ${at[axis.name]}`).join(", ");
    const curve = series.get(name) ?? [];
    curve.push([at[across.name] as number, power]);
    series.set(name, curve);
  }
  return [
    {
      x: across.name,
      y: "power",
      series: [...series].map(([name, curve]) => ({ name, points: curve })),
      yRange: [0, 1],
      guide: USUAL_POWER,
      guideName: `power ${USUAL_POWER}`,
    },
  ];
}
