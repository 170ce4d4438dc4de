/** The scenarios that can be asked for by name, and the task by which workers simulate them. */
import { StatError } from "../../result/error.ts";
import { suggest } from "../../result/suggest.ts";
import type { ScenarioFamily } from "../scenario.ts";
import { makeReplicateTask } from "../simulate.ts";
import { accuracyFamily } from "./accuracy.ts";
import { bleuFamily } from "./bleu.ts";
import { chiSquareFamily } from "./classical/chi-square.ts";
import { cohensHFamily } from "./classical/cohens-h.ts";
import { correlationFamily } from "./classical/correlation.ts";
import { nonInferiorityFamily } from "./classical/non-inferiority.ts";
import { oneWayFamily } from "./classical/one-way.ts";
import { f1Family } from "./f1.ts";
import { headToHeadFamily } from "./head-to-head.ts";
import { likertFamily } from "./likert.ts";
import { meansFamily } from "./means.ts";
import { ordinalFamily } from "./ordinal.ts";
import { preferenceFamily } from "./preference.ts";
import { seedsFamily } from "./seeds.ts";
import { unpairedFamily } from "./unpaired.ts";

export const SCENARIOS: readonly ScenarioFamily[] = [
  accuracyFamily,
  unpairedFamily,
  preferenceFamily,
  meansFamily,
  bleuFamily,
  f1Family,
  likertFamily,
  ordinalFamily,
  headToHeadFamily,
  seedsFamily,
  correlationFamily,
  oneWayFamily,
  chiSquareFamily,
  cohensHFamily,
  nonInferiorityFamily,
];

export const powerReplicates = makeReplicateTask(SCENARIOS);

export function findScenario(name: string): ScenarioFamily {
  const found = SCENARIOS.find((family) => family.name === name);
  if (found !== undefined) return found;
  const names = SCENARIOS.map((family) => family.name);
  throw new StatError(
    "UnknownScenario",
    `there is no scenario "${name}".`,
    suggest(name, names, `There is ${names.join(", ")}.`),
  );
}
