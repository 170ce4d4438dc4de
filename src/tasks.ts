/** Work that threads find by its name; see run/worker.ts. */
export { makeRng } from "./numeric/rng.ts";
export type { ScenarioFamily } from "./power/scenario.ts";
export { powerReplicates } from "./power/scenarios/scenarios.ts";
export { makeReplicateTask } from "./power/simulate.ts";
export { readyTask } from "./run/compute.ts";
export { circularityModelTask } from "./validity/circularity/powerset-model.ts";
export { circularityShapesTask } from "./validity/circularity/shapes.ts";
