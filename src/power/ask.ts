/** Questions before the data, asked of a scenario by its name, with its own typed parameters:
 *      await power.likert({ items: 100, raters: 5, effect: 0.2, setting: "card-high" })
 *      await mde.accuracy({ n: 500, agreement: 0.9 })
 *      await size.means({ effect: 0.3 })
 *  Exact where the scenario has an exact answer, else simulated (`replicates`, `rng`, `runner` in the options). */
import type { ParametersOf } from "./parameters.ts";
import type { PowerResult } from "./result.ts";
import type { ScenarioFamily, ScenarioParameters } from "./scenario.ts";
import { findScenario, SCENARIOS } from "./scenarios/scenarios.ts";
import { type CurveAxis, type CurveOptions, type CurveResult, tracePower } from "./solve/curve.ts";
import { findMde, type MdeResult, type SolveOptions } from "./solve/mde.ts";
import { findSize, type SizeOptions, type SizeResult } from "./solve/size.ts";
import { analysePower, type PowerOptions } from "./solve/solve.ts";

/** One question to every scenario. */
export type Ask<Options, Answer> = {
  readonly [Name in keyof ParametersOf]: (parameters: ParametersOf[Name], options?: Options) => Promise<Answer>;
};

type Solver<Options, Answer> = (
  family: ScenarioFamily,
  parameters: ScenarioParameters,
  options: Options,
) => Promise<Answer>;

const methodName = (scenario: string): string =>
  scenario.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function askEach<Options extends object, Answer>(solver: Solver<Options, Answer>): Ask<Options, Answer> {
  const methods = SCENARIOS.map(({ name }) => [
    methodName(name),
    (parameters: object, options: Options = {} as Options) =>
      solver(findScenario(name), parameters as ScenarioParameters, options),
  ]);
  return Object.fromEntries(methods) as Ask<Options, Answer>;
}

/** How often would this evaluation find a true effect? */
export const power: Ask<PowerOptions, PowerResult> = askEach(analysePower);
/** The smallest effect found with the wanted power (`power`, 0.8 by default). */
export const mde: Ask<SolveOptions, MdeResult> = askEach(findMde);
/** The smallest size with the wanted power. */
export const size: Ask<SizeOptions, SizeResult> = askEach(findSize);
/** Power over a grid: `axes` says what varies. */
export const curve: Ask<CurveOptions & { readonly axes: readonly CurveAxis[] }, CurveResult> = askEach(tracePower);
