/** A scenario that a user wrote: the default export of a JavaScript module. Its experiments are drawn on worker threads, each
 *  with a limit on time and memory; the rest runs on this thread, in a process that may die or be stopped (../supervise.ts). */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { StatError } from "../../index.ts";
import { guardFamily, type ScenarioFamily } from "../../power.ts";
import { importModule } from "../../run/threads.ts";
import { isFolder } from "../files.ts";
import { superviseModule } from "../supervise.ts";

export interface UserScenario {
  readonly family: ScenarioFamily;
  readonly url: string;
}

const NEEDED = ["name", "title", "parameters", "effect", "size", "make", "effectRange"] as const;

/** `seconds`: for loading the module, and for each call of its functions. */
export async function importScenario(path: string, seconds: number): Promise<UserScenario> {
  if (!existsSync(path))
    throw new StatError("NoSuchFile", `no file "${path}".`, "Name a module, such as ./scenario.mjs.");
  if (isFolder(path))
    throw new StatError(
      "BadModule",
      `"${path}" is a folder, not a file.`,
      "Name a module in it, such as ./scenario.mjs.",
    );
  const watch = await superviseModule(path, seconds);
  const url = pathToFileURL(resolve(path)).href;
  let exported: Record<string, unknown>;
  const loaded = watch("loading it");
  // a module that waits for what never comes would otherwise end the program without a word
  const awake = setInterval(() => {}, 1000);
  try {
    exported = await importModule(url);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StatError("BadModule", `"${path}" cannot be loaded: ${why}.`, adviceOn(why));
  } finally {
    clearInterval(awake);
  }
  loaded();
  const family = exported["default"] as Partial<ScenarioFamily> | undefined;
  const missing = NEEDED.filter((name) => family?.[name] === undefined);
  if (missing.length > 0) {
    throw new StatError(
      "BadModule",
      `the default export of "${path}" lacks ${missing.join(", ")}.`,
      "See docs/methods/power.md.",
    );
  }
  return { family: guardFamily(family as ScenarioFamily, { onCall: watch }), url };
}

function adviceOn(why: string): string {
  if (/makeReplicateTask/.test(why))
    return 'It needs no task; if it makes one, import { makeReplicateTask } from "gosset/power".';
  if (/Cannot find package 'gosset'/.test(why))
    return "A scenario does not need to import Gosset (no makeReplicateTask): remove that import, or install gosset in the module's folder (npm install <folder of gosset>).";
  return "It must be a JavaScript module that this Node runs.";
}

/** Faults in the module's own doing; all others are those of the command. */
const OWN_FAULTS = new Set([
  "BadOutcome",
  "BadScenario",
  "OutOfMemory",
  "ScenarioFailed",
  "StepTooLong",
  "TaskFailed",
  "WorkerLost",
]);

const FIXES: Readonly<Record<string, string>> = {
  OutOfMemory: "Reduce its memory use; with fewer --workers each has more memory.",
  StepTooLong: "Fix the loop, or raise --timeout.",
  WorkerLost: "Fix the exit.",
};

/** The same failure with the module's name before it; a step of its work is a replicate. */
export function nameModule(error: unknown, path: string): unknown {
  if (!(error instanceof StatError) || !OWN_FAULTS.has(error.code)) return error;
  const message = error.message.replace(/\bat step (\d+)/, "at replicate $1");
  const fix = FIXES[error.code] ?? error.fix;
  return new StatError(error.code, `module "${path}": ${message}`, fix);
}
