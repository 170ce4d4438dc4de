/** The doors as the engine knows them: one line each. */
import type { EngineDoor } from "../engine/door.ts";
import { compareDoor } from "./compare/ask.ts";
import { gateDoor } from "./gate/ask.ts";
import { judgesDoor } from "./judges/ask.ts";
import { modelsDoor } from "./models/ask.ts";
import { planDoor } from "./plan/ask.ts";
import { ranksDoor } from "./ranks/ask.ts";
import { reliabilityDoor } from "./reliability/ask.ts";
import { validityDoor } from "./validity/ask.ts";

export const DOORS: readonly EngineDoor[] = [
  compareDoor,
  planDoor,
  reliabilityDoor,
  validityDoor,
  modelsDoor,
  gateDoor,
  judgesDoor,
  ranksDoor,
];
