/** The doors of the page, in the order of the bar: one line each. */
import type { PageDoor } from "../app/door.ts";
import { compareScreen } from "./compare/screen.tsx";

export const DOORS: readonly PageDoor[] = [compareScreen];
