/** What the power scenarios ask of their users, without the engines behind them: for forms, flags and help. */
export type { ParameterSpec, ScenarioParameters, ScenarioSpec } from "./power/scenario.ts";
export { SCENARIO_SPECS } from "./power/specs.ts";
