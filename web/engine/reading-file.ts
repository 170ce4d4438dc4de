/** A reading as a file: what the user says of the columns, one line each (`system: model`), as `gosset describe --save` writes it. */
import { parse } from "yaml";
import { StatError } from "../../src/index.ts";
import type { Told } from "../../src/io.ts";
import { yamlText } from "./yaml-text.ts";

const LISTS = new Set(["systems", "pred"]);
const FLAGS = new Set(["byRow"]);
const NAMES = new Set(["system", "item", "score", "rater", "repeat", "cluster", "task", "gold", ...LISTS, ...FLAGS]);

export const writeReading = (told: Told): string => yamlText({ ...told });

/** undefined where the text is meant as something else. */
export function readReading(text: string, name: string): Told | undefined {
  const given = parsed(text);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given as Record<string, unknown>);
  if (entries.length === 0 || !entries.every(([own]) => NAMES.has(own))) return undefined;
  for (const [own, value] of entries) {
    const fits = LISTS.has(own)
      ? Array.isArray(value) && value.every((one) => typeof one === "string")
      : FLAGS.has(own)
        ? typeof value === "boolean"
        : typeof value === "string" || typeof value === "number";
    if (fits) continue;
    const fix = LISTS.has(own) ? "Write a list of columns: [a, b]." : "Write the name of a column.";
    throw new StatError("BadReading", `${name}: ${own} is not a name of a column.`, fix);
  }
  return Object.fromEntries(entries.map(([own, value]) => [own, typeof value === "number" ? String(value) : value]));
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined; // told by whoever else reads it
  }
}
