/** `gosset next <files...>`: flags → options → nextStep() → print. */
import { existsSync } from "node:fs";
import { StatError } from "../../index.ts";
import { type NextOptions, nextStep, readLock, readPlan } from "../../plan.ts";
import { parseCount, parsePositive, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../files.ts";
import { loadParts } from "../load.ts";
import { type DataOptions, type RoleOptions, toldOf } from "../options.ts";

interface NextFlags extends DataOptions, Omit<RoleOptions, "items"> {
  readonly plan?: string;
  readonly look?: string;
  readonly method?: "e-process" | "sequence";
  readonly range?: string;
  readonly items?: string;
  readonly margin?: string;
  readonly alpha?: string;
  readonly unscored?: "complete" | "wrong";
}

export async function run(context: Context<NextFlags>, files: readonly string[]): Promise<void> {
  const { options } = context;
  const choices = optionsOf(options);
  context.print(nextStep(await loadParts(files, options), choices));
}

function optionsOf(flags: NextFlags): NextOptions {
  const { method, metric, unscored, where, mutate, plan: path } = flags;
  const { system, systems, item, score, rater, run, cluster, task, metricColumn, files, higherIsBetter } = toldOf({
    ...flags,
    items: [],
  });
  if (flags.look !== undefined && path === undefined)
    throw new StatError("BadOption", "--look without --plan: looks are planned.", "Add --plan, or leave --look out.");
  const given = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
    text === undefined ? undefined : parse(text);
  const planned =
    path === undefined
      ? {}
      : {
          plan: readPlan(readTextFile(path), path),
          lock: existsSync(`${path}.lock`) ? readLock(readTextFile(`${path}.lock`), `${path}.lock`) : undefined,
          look: given(flags.look, (text) => parseCount(text, "--look")),
        };
  return {
    ...{ method, metric, unscored, where, mutate, ...planned },
    ...{ system, systems, item, score, rater, run, cluster, task, metricColumn, files, higherIsBetter },
    range: given(flags.range, parseRange),
    items: given(flags.items, (text) => parseCount(text, "--items")),
    margin: given(flags.margin, (text) => parsePositive(text, "--margin")),
    alpha: given(flags.alpha, (text) => parseProbability(text, "--alpha")),
  };
}

function parseRange(text: string): readonly [number, number] {
  const ends = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (ends.length === 2 && ends.every(Number.isFinite) && ends[0]! < ends[1]!) return [ends[0]!, ends[1]!];
  throw new StatError("BadOption", `--range ${text}: not two rising numbers.`, "Write for example --range 1,5.");
}
