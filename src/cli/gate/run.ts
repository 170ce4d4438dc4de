/** `gosset gate`, `gate check`, `gate aa`: logs and a policy → an outcome and an exit code. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeRng, StatError } from "../../index.ts";
import {
  checkGate,
  type GateColumns,
  type GateFiles,
  type GatePolicy,
  gate,
  gateComment,
  gateJunit,
  measureNoise,
  readPolicy,
  simplePolicy,
  type WhenOpen,
} from "../../plan.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { readTextFile, writeOutput } from "../files.ts";
import { loadParts } from "../load.ts";
import { type DataOptions, type RoleOptions, toldOf } from "../options.ts";

interface GateFlags extends DataOptions, Omit<RoleOptions, "items"> {
  readonly baseline: readonly string[];
  readonly policy?: string;
  readonly margin?: string;
  readonly alpha?: string;
  readonly inconclusive?: WhenOpen;
  readonly comment?: string;
  readonly junit?: string;
  readonly by?: string;
  readonly time?: string;
}

export async function runGate(context: Context<GateFlags>, candidate: readonly string[]): Promise<void> {
  const { options } = context;
  const policy = policyOf(options);
  const files = await readFiles(candidate, options, policy);
  const result = gate(files, { ...columnsOf(options), policy, inconclusive: options.inconclusive });
  context.print(result);
  if (options.comment !== undefined) writeOutput(options.comment, gateComment(result));
  if (options.junit !== undefined) writeOutput(options.junit, gateJunit(result));
  process.exitCode = result.exitCode;
}

interface CheckFlags extends GateFlags {
  readonly replicates?: string;
  readonly items?: string;
  readonly repeats?: string;
}

export async function runCheck(context: Context<CheckFlags>, candidate: readonly string[]): Promise<void> {
  const { options, progress } = context;
  context.refuse(["--inconclusive", "--comment", "--junit", "--time"], "in a check, which counts open gates as such");
  const policy = policyOf(options);
  const count = (text: string | undefined, name: string): number | undefined =>
    text === undefined ? undefined : parseCount(text, name);
  const files = await readFiles(candidate, options, policy);
  context.print(
    checkGate(files, {
      ...columnsOf(options),
      policy,
      replicates: count(options.replicates, "--replicates"),
      items: count(options.items, "--items"),
      repeats: count(options.repeats, "--repeats"),
      rng: makeRng(options.seed),
      onProgress: (done, of) => progress.update("Running the gate", done, of),
    }),
  );
}

export async function runAa(context: Context<GateFlags>, first: string, second: string): Promise<void> {
  const { options } = context;
  context.refuse(
    [..."--baseline --policy --margin --alpha --inconclusive --comment --junit --time".split(" "), "--direction"],
    "with two runs of one system, which are only measured",
  );
  const [baseline, candidate] = await loadParts([first, second], options);
  context.print(
    measureNoise({ baseline: [baseline!], candidate: [candidate!] }, { ...columnsOf(options), by: options.by }),
  );
}

function columnsOf(flags: GateFlags): GateColumns {
  const { metric, time, where, mutate } = flags;
  const { system, systems, item, score, rater, run, cluster, task, metricColumn, higherIsBetter } = toldOf({
    ...flags,
    items: [],
  });
  return {
    ...{ metric, time, where, mutate, system, systems, item, score, rater, run, cluster, task },
    ...{ metricColumn, higherIsBetter },
  };
}

function policyOf({ policy: path, margin, alpha, by }: GateFlags): GatePolicy {
  if (path === undefined) {
    if (margin === undefined)
      throw new StatError("NoMargin", "nothing says how much may be lost.", "Give --margin 0.02, or a --policy.");
    const number = margin.trim().endsWith("%") ? margin : Number(margin);
    if (typeof number === "number" && (margin.trim() === "" || !(number >= 0)))
      throw new StatError(
        "BadOption",
        `--margin ${margin}: neither a number from 0 nor a share such as 5%.`,
        "Write for example --margin 0.02.",
      );
    const own = simplePolicy({
      margin: number,
      alpha: alpha === undefined ? undefined : parseProbability(alpha, "--alpha"),
    });
    return by === undefined ? own : { ...own, by };
  }
  const given = margin !== undefined ? "--margin" : alpha !== undefined ? "--alpha" : undefined;
  if (given !== undefined)
    throw new StatError(
      "BadOption",
      `${given} beside --policy, which says it.`,
      `Leave ${given} out, or change the policy.`,
    );
  const policy = readPolicy(readTextFile(path), path);
  return by === undefined ? policy : { ...policy, by };
}

/** A baseline is a name that the policy knows, a file, or else a system of the candidate's files. */
async function readFiles(candidate: readonly string[], flags: GateFlags, policy: GatePolicy): Promise<GateFiles> {
  if (flags.baseline.length === 0)
    throw new StatError(
      "NoBaseline",
      "a gate compares with a baseline.",
      `Give --baseline <file>${tellNames(policy)}.`,
    );
  const folder = flags.policy === undefined ? "." : dirname(flags.policy);
  const paths = flags.baseline.flatMap((name) => policy.baselines[name]?.map((path) => join(folder, path)) ?? [name]);
  const files = paths.filter((path) => existsSync(path));
  const systems = paths.filter((path) => !existsSync(path));
  const lost = systems.find((path) => !flags.baseline.includes(path));
  if (lost !== undefined)
    throw new StatError("NoFile", `the policy's baseline ${lost}: no such file.`, "Mend its path in the policy.");
  return { candidate: await loadParts(candidate, flags), baseline: [...(await loadParts(files, flags)), ...systems] };
}

const tellNames = ({ baselines }: GatePolicy): string => {
  const names = Object.keys(baselines);
  return names.length === 0 ? "" : `, or one of the policy's names: ${names.join(", ")}`;
};
