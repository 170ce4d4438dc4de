/** The JSON object of `gosset score`; see docs/json.md. */
import type { Diagnostic, ScoreResult } from "../../index.ts";
import { contractHead } from "../contract.ts";

/** `signature` is the metric's, as in sacreBLEU; what repeats the run is under `run`. With one system its score and parts
 *  stand at the top as well. */
export function scoreContract(result: ScoreResult, diagnostics: readonly Diagnostic[]): object {
  const systems = result.systems.map(({ details, ...own }) => ({ ...own, ...details }));
  const [only] = systems;
  const { name: system, ...top } = only!;
  return {
    ...contractHead("score", diagnostics),
    metric: result.metric,
    higherIsBetter: result.higherIsBetter,
    signature: result.metricSignature,
    ...(systems.length === 1 ? { system, ...top } : {}),
    systems,
    ...(result.items === undefined ? {} : { items: result.items }),
    run: result.signature,
  };
}
