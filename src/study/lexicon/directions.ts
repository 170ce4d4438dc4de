/** Columns in which a table says which way is better, and what they say; names without separators, levels in small letters. */
import { crossed, listed } from "./words.ts";

const LOWER = listed(crossed(crossed("- is", "lower less smaller"), "better isbetter"));
const HIGHER = listed(crossed(crossed("- is", "higher greater more larger bigger"), "better isbetter"));
export const isLowerFlag = (name: string): boolean => LOWER.has(name);
export const isBetterFlag = (name: string): boolean => LOWER.has(name) || HIGHER.has(name);
const NAMES = listed(
  crossed(
    crossed(
      "- metric score",
      "better direction goal objective polarity optimum optimize optimise optimization optimisation desired mode",
    ),
    "- direction mode",
  ),
);
export const isDirectionName = (name: string): boolean => NAMES.has(name);
const YES = listed("true yes y t 1");
const NO = listed("false no n f 0");
export const saysYes = (level: string): boolean => YES.has(level);
export const saysNo = (level: string): boolean => NO.has(level);
const UP = listed(
  "higher high greater larger more max maximize maximise maximum up upward increase asc ascending ↑ ⬆ ▲ +",
);
const DOWN = listed(
  "lower low less smaller min minimize minimise minimum down downward decrease desc descending ↓ ⬇ ▼ -",
);
export const saysUp = (level: string): boolean => UP.has(level) || level === "higher is better";
export const saysDown = (level: string): boolean => DOWN.has(level) || level === "lower is better";
