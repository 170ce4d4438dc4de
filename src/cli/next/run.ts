/** `gosset next <files...>`: flags → options → nextStep() → print. */
import { existsSync } from "node:fs";
import { type NextOptions, nextStep, readLock, readPlan } from "../../plan.ts";
import { allOptions, NEXT, parseOptions, refuseAlone } from "../../questions.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../files.ts";
import { loadParts } from "../load.ts";
import type { DataOptions } from "../options.ts";

export async function run(context: Context<DataOptions>, files: readonly string[]): Promise<void> {
  const { options: flags } = context;
  const { range, ...given } = parseOptions(NEXT.options, flags);
  const { plan: path, look } = parseOptions(NEXT.command, flags);
  refuseAlone(allOptions(NEXT), { ...given, range, plan: path, look });
  const options: NextOptions = {
    ...given,
    range: range as NextOptions["range"],
    ...(path === undefined ? {} : planned(path, look)),
  };
  context.print(nextStep(await loadParts(files, flags), options));
}

const planned = (path: string, look: number | undefined): Pick<NextOptions, "plan" | "lock" | "look"> => ({
  plan: readPlan(readTextFile(path), path),
  lock: existsSync(`${path}.lock`) ? readLock(readTextFile(`${path}.lock`), `${path}.lock`) : undefined,
  look,
});
