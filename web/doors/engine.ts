/** The doors as the engine knows them: one line each. */
import type { EngineDoor } from "../engine/door.ts";
import { compareDoor } from "./compare/ask.ts";

export const DOORS: readonly EngineDoor[] = [compareDoor];
