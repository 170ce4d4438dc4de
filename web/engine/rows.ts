/** Rows that are chosen and columns that are computed before anything is asked of them: `where` and `mutate`, as the command line has them. */
import type { Settings } from "./protocol.ts";

export interface Rows {
  readonly where?: readonly string[];
  readonly mutate?: readonly string[];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

export function rowsOf(settings: Settings): Rows {
  const [where, mutate] = [textOf(settings["where"]), textOf(settings["mutate"])];
  return { ...(where === "" ? {} : { where: [where] }), ...(mutate === "" ? {} : { mutate: [mutate] }) };
}

/** Of a command that `describe` offers. */
export function rowSettings(words: readonly string[]): Settings {
  const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1];
  return {
    ...(words.includes("--where") ? { where: after("--where") } : {}),
    ...(words.includes("--mutate") ? { mutate: after("--mutate") } : {}),
  };
}
