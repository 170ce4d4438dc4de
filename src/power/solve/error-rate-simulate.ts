/** The planned experiments without an effect, drawn or by the approximation: how often is the test significant?
 *  Oracle: tests that are exact, and those whose size is known (t > 1.96 with three raters of Card et al.'s high-variance setting: 19 %). */
import type { ErrorRate } from "../error-rate.ts";
import type { ScenarioFamily, ScenarioParameters } from "../scenario.ts";
import { type SimulateOptions, simulatePower } from "../simulate.ts";

/** At α = 0.05 they give a standard error of 0.007, which is enough to judge by. */
const NULL_REPLICATES = 1000;
/** The stream apart from those of the experiments with an effect. */
const NULL_STREAM = 2 ** 31;

/** Undefined where the family knows no experiment without an effect. */
export async function simulateErrorRate(
  family: ScenarioFamily,
  params: ScenarioParameters,
  options: SimulateOptions,
): Promise<ErrorRate | undefined> {
  const none = family.withoutEffect?.(params);
  if (none === undefined) return undefined;
  const { precision: _, rng, ...rest } = options;
  const replicates = Math.min(options.replicates ?? family.replicates ?? NULL_REPLICATES, NULL_REPLICATES);
  const { analyses } = await simulatePower(family, none, {
    ...rest,
    replicates,
    rng: rng.stream(NULL_STREAM),
  });
  const { rejection } = analyses[0]!;
  const shrunk = (rejection * replicates + 2) / (replicates + 4);
  return { rate: rejection, se: Math.sqrt((shrunk * (1 - shrunk)) / (replicates + 4)), replicates };
}

/** Without drawing; undefined where the scenario has no approximation. */
export function approximateErrorRate(family: ScenarioFamily, params: ScenarioParameters): ErrorRate | undefined {
  const none = family.withoutEffect?.(params);
  const figures = none === undefined ? undefined : family.make(none).approximatePower?.();
  return figures && { rate: figures.rejection, se: 0, replicates: 0 };
}
