/** What the least effect and the least size that have a power are told with: the same fields, the same warning, the same screen. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic, Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { judgeErrorRate } from "../error-rate.ts";
import { type PowerMethod, parameterTable } from "../result.ts";
import type { Scenario, ScenarioFamily, ScenarioParameters, StatedParameter } from "../scenario.ts";
import { planScreen } from "../screen.ts";
import type { PowerSeries } from "../series.ts";
import { approximateErrorRate } from "./error-rate-simulate.ts";

export interface Solved<Kind extends string> extends Result<Kind> {
  readonly scenario: string;
  readonly title: string;
  /** What was looked for. */
  readonly parameter: string;
  readonly power: number;
  /** Wanted power. */
  readonly target: number;
  readonly method: PowerMethod;
  /** By simulation: standard error of the answer, and experiments drawn. */
  readonly se: number;
  readonly replicates?: number;
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
  /** For pictures. */
  readonly series: PowerSeries;
}

export interface SolvedSource {
  readonly family: ScenarioFamily;
  readonly params: ScenarioParameters;
  readonly target: number;
  readonly method: PowerMethod;
  readonly series: PowerSeries;
  readonly told?: readonly Diagnostic[];
  readonly seed?: string | undefined;
}

/** `parameter` is at `x` in the scenario; by the approximation it is asked whether the planned test keeps its error rate there. */
export function solvedFields(
  kind: string,
  [parameter, x]: readonly [string, number],
  scenario: Scenario,
  { family, params, target, method, seed, series, told = [] }: SolvedSource,
) {
  const rate = method === "approx" ? approximateErrorRate(family, { ...params, [parameter]: x }) : undefined;
  return {
    signature: {
      method: `${kind}/${family.name}`,
      version: GOSSET_VERSION,
      options: { ...params, power: target, method },
      data: "",
      ...(seed === undefined ? {} : { seed }),
    },
    diagnostics: [
      ...scenario.diagnostics,
      ...(rate === undefined ? [] : judgeErrorRate(rate, scenario.alpha)),
      ...told,
    ],
    scenario: family.name,
    title: scenario.title,
    ...{ parameter, target, method, series },
    parameters: scenario.parameters,
    assumptions: scenario.assumptions,
  };
}

/** "exact", "simulation, 2,000 experiments". */
export function tellHow({ method, replicates }: Pick<Solved<string>, "method" | "replicates">): string {
  if (replicates !== undefined) return `simulation, ${formatNumber(replicates, "integer")} experiments`;
  return method === "approx" ? "approximation" : method;
}

export function displaySolved(
  result: FieldsOf<Solved<string>>,
  { title, found, table, notes }: { title: string; found: string; table: DisplayTable; notes: readonly string[] },
): Display {
  const { title: plan, parameters, assumptions } = result;
  return {
    title: `${title}: ${plan}`,
    summary: [found],
    tables: [table, parameterTable(parameters)],
    notes: [...notes, ...assumptions],
    screen: planScreen(found, { plan, tables: [table], summary: notes, parameters, assumptions }),
  };
}
