/** A scenario that a user wrote: the default export of a JavaScript module. A task among its other exports, made by
 *  `makeReplicateTask([scenario])`, lets it run on worker threads. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { StatError } from "../../index.ts";
import { powerReplicates, type ReplicateTask, type ScenarioFamily } from "../../power.ts";
import { importModule } from "../../run/threads.ts";

export interface UserScenario {
  readonly family: ScenarioFamily;
  readonly task?: ReplicateTask;
  readonly url: string;
}

const NEEDED = ["name", "title", "parameters", "effect", "size", "make", "effectRange"] as const;

export async function importScenario(path: string): Promise<UserScenario> {
  if (!existsSync(path))
    throw new StatError("NoSuchFile", `no file "${path}".`, "Name a module, such as ./scenario.mjs.");
  const url = pathToFileURL(resolve(path)).href;
  let exported: Record<string, unknown>;
  try {
    exported = await importModule(url);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StatError(
      "BadModule",
      `"${path}" cannot be loaded: ${why}.`,
      "It must be a JavaScript module that this Node runs.",
    );
  }
  const family = exported["default"] as Partial<ScenarioFamily> | undefined;
  const missing = NEEDED.filter((name) => family?.[name] === undefined);
  if (missing.length > 0) {
    throw new StatError(
      "BadModule",
      `the default export of "${path}" lacks ${missing.join(", ")}.`,
      "See docs/methods/power.md.",
    );
  }
  const task = Object.values(exported).find(isTask);
  return { family: family as ScenarioFamily, url, ...(task === undefined ? {} : { task }) };
}

const isTask = (value: unknown): value is ReplicateTask =>
  typeof value === "object" &&
  value !== null &&
  (value as ReplicateTask).name === powerReplicates.name &&
  typeof (value as ReplicateTask).run === "function";
