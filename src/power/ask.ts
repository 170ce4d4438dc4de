/** Questions before the data, asked of a scenario by its name, with its own typed parameters:
 *      await power.likert({ items: 100, raters: 5, effect: 0.2, setting: "card-high" })
 *      await mde.accuracy({ n: 500, agreement: 0.9 })
 *      await size.means({ delta: 0.3 })
 *      await design.likert({ effect: 0.2, setting: "card-low" }, { power: 0.8, prices: { rating: 0.2, rater: 5 }, rng: makeRng(1) })
 *  Exact where the scenario has an exact answer, else simulated (`replicates`, `rng`, `runner` in the options). */
import type { ParametersOf } from "./parameters.ts";
import type { PowerResult } from "./result.ts";
import type { ScenarioFamily, ScenarioParameters } from "./scenario.ts";
import { findScenario, SCENARIOS } from "./scenarios/scenarios.ts";
import type { SimulateOptions } from "./simulate.ts";
import { type CurveAxis, type CurveOptions, type CurveResult, tracePower } from "./solve/curve.ts";
import { type DesignQuestion, type DesignResult, type DesignScenario, findDesign } from "./solve/design.ts";
import type { Prices } from "./solve/design-search.ts";
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

/** Found by the search, not given. */
type Searched = "items" | "raters" | "ratings" | "design" | "perRater" | "listLength";

/** Of the scenarios in which raters, items and ratings are bought apart from each other. */
export interface DesignParameters {
  readonly likert: Omit<ParametersOf["likert"], Searched>;
  readonly ordinal: Omit<ParametersOf["ordinal"], Searched>;
  readonly headToHead: Omit<ParametersOf["headToHead"], Searched>;
}

/** One of `budget` and `power`; what has no price costs nothing. */
export interface DesignOptions extends Omit<DesignQuestion, "scenario" | "params" | "prices">, SimulateOptions {
  readonly prices: Partial<Prices>;
}

export type AskDesign = {
  readonly [Name in keyof DesignParameters]: (
    parameters: DesignParameters[Name],
    options: DesignOptions,
  ) => Promise<DesignResult>;
};

const FREE: Prices = { item: 0, rater: 0, rating: 0, judgeCall: 0 };

function askDesign(scenario: DesignScenario) {
  return (parameters: object, options: DesignOptions): Promise<DesignResult> => {
    const { prices, budget, power: target, design: kind, raters, ratings, leastItems, mostItems, perRater } = options;
    const wanted = { budget, power: target, design: kind, raters, ratings, leastItems, mostItems, perRater };
    const params = parameters as ScenarioParameters;
    return findDesign({ scenario, params, prices: { ...FREE, ...prices }, ...wanted }, options);
  };
}

/** How many items, raters and ratings: the most power for a budget, or the least money for a power. */
export const design: AskDesign = {
  likert: askDesign("likert"),
  ordinal: askDesign("ordinal"),
  headToHead: askDesign("head-to-head"),
};
