/** The doors of the page, in the order of the bar: one line each. */
import type { PageDoor } from "../app/door.ts";
import { compareScreen } from "./compare/screen.tsx";
import { gateScreen } from "./gate/screen.tsx";
import { judgesScreen } from "./judges/screen.tsx";
import { modelsScreen } from "./models/screen.tsx";
import { planScreen } from "./plan/screen.tsx";
import { ranksScreen } from "./ranks/screen.tsx";
import { reliabilityScreen } from "./reliability/screen.tsx";
import { validityScreen } from "./validity/screen.tsx";

export const DOORS: readonly PageDoor[] = [
  compareScreen,
  planScreen,
  reliabilityScreen,
  validityScreen,
  modelsScreen,
  gateScreen,
  judgesScreen,
  ranksScreen,
];
