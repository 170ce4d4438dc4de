/** A reading as a file: what the columns are, one line each (`item: hash`), by the names of the flags, as `gosset describe --save` writes it. */
import { parse } from "yaml";
import { type Imported, StatError } from "../../src/index.ts";
import type { Told } from "../../src/io.ts";
import { yamlText } from "./yaml-text.ts";

/** Flags that a reading may hold, as the page says them. */
const KEYS: Readonly<Record<string, keyof Told>> = {
  ...{ system: "system", item: "item", score: "score", rater: "rater", run: "run", cluster: "cluster" },
  ...{ task: "task", gold: "gold", pred: "pred", systems: "systems", "by-row": "byRow" },
};
const LISTS: ReadonlySet<keyof Told> = new Set(["systems", "pred"]);
/** Those that need a flag of the command line. */
const ELSEWHERE = ["metric", "metric-column", "raters", "files", "direction", "shape", "a", "b", "winner"];

/** All that is known of the columns, whoever said it; what is still asked is left out. */
export function writeReading({ roles, asks = [] }: Imported, told: Told): string {
  const { system, item, score, rater, repeat: run, task, label: gold } = roles;
  const cluster = asks.some(({ id }) => id === "cluster") ? undefined : roles.cluster;
  const all: Told = { system, item, score, rater, run, cluster, task, gold, ...told };
  return yamlText(
    Object.fromEntries(
      Object.entries(KEYS).map(([key, name]) => [key, Array.isArray(all[name]) ? all[name].join(",") : all[name]]),
    ),
  );
}

/** undefined where the text is meant as something else. */
export function readReading(text: string, name: string): Told | undefined {
  const given = parsed(text);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given);
  if (entries.length === 0 || !entries.every(([key]) => key in KEYS || ELSEWHERE.includes(key))) return undefined;
  const told = entries.map(([key, value]): [keyof Told, string | string[] | boolean] => {
    const own = KEYS[key];
    if (own === undefined)
      throw new StatError(
        "BadReading",
        `${name}: this page does not take ${key} from a reading.`,
        `Leave it out, or use the command line: gosset describe --reading ${name}.`,
      );
    const words = (Array.isArray(value) ? value : String(value ?? "").split(",")).map((word) => String(word).trim());
    if (words.includes("") || (typeof value === "object" && !Array.isArray(value)))
      throw new StatError("BadReading", `${name}: ${key} names no column.`, `Write for example "${key}: column".`);
    return [own, own === "byRow" ? words[0] === "true" : LISTS.has(own) ? words : words.join(",")];
  });
  return Object.fromEntries(told);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined; // whoever else reads it tells what is wrong
  }
}
