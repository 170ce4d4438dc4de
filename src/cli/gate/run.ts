/** `gosset gate`, `gate check`, `gate aa`: logs and a policy → an outcome and an exit code. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Drawn, makeRng, type PeoplesLabels, StatError } from "../../index.ts";
import {
  checkGate,
  type GateColumns,
  type GateFiles,
  type GatePolicy,
  gate,
  gateComment,
  gateJunit,
  hasFloorsOnly,
  measureNoise,
  namesSystem,
  readPolicy,
  simplePolicy,
  systemsIn,
} from "../../plan.ts";
import {
  allOptions,
  GATE,
  GATE_CHECK,
  type OptionsOf,
  parseOptions,
  refuseAlone,
  refuseUnused,
} from "../../questions.ts";
import { nearest } from "../../text.ts";
import type { Context } from "../context.ts";
import { nearbyNames, readTextFile, writeOutput } from "../files.ts";
import { loadLabels, loadParts } from "../load.ts";
import { nameFlags } from "../option-names.ts";
import type { DataOptions } from "../options.ts";

/** What a gate is asked: of columns, and by the command line alone. */
interface Asked {
  readonly columns: GateColumns;
  readonly own: OptionsOf<typeof GATE.command>;
}

function readFlags({ options }: Context<DataOptions>, kind: string): Asked {
  const [columns, own] = [parseOptions(GATE.options, options), parseOptions(GATE.command, options)];
  refuseUnused(GATE, { ...columns, ...own }, kind);
  refuseAlone(allOptions(GATE), { ...columns, ...own });
  return { columns, own };
}

export async function runGate(context: Context<DataOptions>, candidate: readonly string[]): Promise<void> {
  const { columns, own } = readFlags(context, "gate");
  const policy = policyOf(own);
  const files = await readFiles(candidate, context.options, { own, policy, columns });
  const people = await readPeople(own, context);
  const result = gate(files, { ...columns, policy, people, inconclusive: own.inconclusive });
  context.print(result);
  if (own.comment !== undefined)
    writeOutput(own.comment, gateComment(result, { words: nameFlags, texts: context.options.includeText }));
  if (own.junit !== undefined) writeOutput(own.junit, gateJunit(result));
  process.exitCode = result.exitCode;
}

async function readPeople(
  { labels, drawn, auditMargin }: Asked["own"],
  { options, progress }: Context<DataOptions>,
): Promise<PeoplesLabels | undefined> {
  if (labels === undefined) return undefined;
  return { labels: await loadLabels(labels, options, progress), drawn: drawn as Drawn | undefined, auditMargin };
}

export async function runCheck(context: Context<DataOptions>, candidate: readonly string[]): Promise<void> {
  const { options, progress } = context;
  const { columns, own } = readFlags(context, "check");
  const policy = policyOf(own);
  const files = await readFiles(candidate, options, { own, policy, columns });
  context.print(
    checkGate(files, {
      ...{ ...columns, policy, ...parseOptions(GATE_CHECK, options) },
      rng: makeRng(options.seed),
      onProgress: (done, of) => progress.update("Running the gate", done, of),
    }),
  );
}

export async function runAa(context: Context<DataOptions>, first: string, second: string): Promise<void> {
  const { columns, own } = readFlags(context, "noise");
  const [baseline, candidate] = await loadParts([first, second], context.options);
  context.print(measureNoise({ baseline: [baseline!], candidate: [candidate!] }, { ...columns, by: own.by }));
}

function policyOf({ policy: path, margin, floor, alpha, by }: Asked["own"]): GatePolicy {
  if (path === undefined && margin === undefined && floor === undefined)
    throw new StatError(
      "NoMargin",
      "nothing says how much may be lost.",
      "Give --margin 0.02, a --policy, or --floor 0.7 for a score of its own.",
    );
  if (margin !== undefined && floor !== undefined)
    throw new StatError(
      "BadOption",
      `--margin ${margin} and --floor ${floor} are two rules, and every task has one.`,
      "Leave one out, or give a policy: margin for all tasks, no-worse-than for those with a floor.",
    );
  const lost = margin?.trim().endsWith("%") === false ? Number(margin) : margin;
  const policy =
    path === undefined ? simplePolicy({ margin: lost, floor, alpha }) : readPolicy(readTextFile(path), path);
  return by === undefined ? policy : { ...policy, by };
}

/** A baseline is a name that the policy knows, a file, or else a system of the candidate's files. */
async function readFiles(
  candidate: readonly string[],
  flags: DataOptions,
  { own, policy, columns }: Asked & { readonly policy: GatePolicy },
): Promise<GateFiles> {
  const { baseline = [] } = own;
  const known = Object.keys(policy.baselines);
  if (baseline.length === 0 && hasFloorsOnly(policy))
    return { candidate: await loadParts(candidate, flags), baseline: [] };
  if (baseline.length === 0) {
    const names = known.length === 0 ? "" : `, or one of the policy's names: ${known.join(", ")}`;
    throw new StatError(
      "NoBaseline",
      "a gate compares with a baseline.",
      `Give --baseline with a file${names}, or with a system of the candidate's files.`,
    );
  }
  const folder = own.policy === undefined ? "." : dirname(own.policy);
  const paths = baseline.flatMap((name) => policy.baselines[name]?.map((path) => join(folder, path)) ?? [name]);
  const files = paths.filter((path) => existsSync(path));
  const systems = paths.filter((path) => !existsSync(path));
  const lost = systems.find((path) => !baseline.includes(path));
  if (lost !== undefined)
    throw new StatError("NoFile", `the policy's baseline ${lost}: no such file.`, "Correct its path in the policy.");
  const parts = await loadParts(candidate, flags);
  const stranger = systems.find((name) => !namesSystem(name, parts, columns));
  if (stranger !== undefined) throw noBaseline(stranger, { known, systems: systemsIn(parts) });
  return { candidate: parts, baseline: [...(await loadParts(files, flags)), ...systems] };
}

/** A name that is nothing: most often a file that is not there. */
function noBaseline(
  name: string,
  { known, systems }: { readonly known: readonly string[]; readonly systems: readonly string[] },
): StatError {
  const inPolicy = known.length === 0 ? "" : ", no baseline of that name in the policy";
  const near = nearest(name, [...known, ...systems]);
  const names = [
    ...(known.length === 0 ? [] : [`The policy has the baseline ${known.join(", ")}.`]),
    ...(systems.length < 2 ? [] : [`The systems are ${systems.slice(0, NAMES_SHOWN).join(", ")}.`]),
  ].join(" ");
  return new StatError(
    "NoSuchFile",
    `no file "${name}"${inPolicy}, and no system of that name in the candidate's files.`,
    near === undefined ? names || nearbyNames(name) : `Did you mean "${near}"? ${names}`.trim(),
  );
}

const NAMES_SHOWN = 8;
