/** `gosset power|mde|size|curve <scenario> [parameters]` */
import {
  analysePower,
  type CurveAxis,
  type Diagnostic,
  findMde,
  findScenario,
  findSize,
  inlineRunner,
  makeRng,
  type PowerMethod,
  type PowerOptions,
  powerReplicates,
  type ReplicateTask,
  type Runner,
  type ScenarioFamily,
  type ScenarioParameters,
  type SolveOptions,
  StatError,
  tracePower,
} from "../../index.ts";
import { type PilotOptions, readPilot } from "../design/pilot.ts";
import { type GlobalOptions, parseCount, parseProbability } from "../options.ts";
import { printResult } from "../output.ts";
import { makeProgress, type Progress } from "../progress.ts";
import { simulationRunner } from "../runner.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { importScenario } from "./module.ts";
import { parseAxis, parseValue, readParameters, readSought, refuseSought, splitWorkers } from "./parameters.ts";

type Verb = "power" | "mde" | "size" | "curve";

export interface PowerCommandOptions extends GlobalOptions, PilotOptions {
  readonly raters?: string;
  readonly items?: string;
  readonly for?: string;
  readonly method?: PowerMethod;
  readonly replicates?: string;
  readonly precision?: string;
  readonly relativePrecision?: string;
  readonly checkpoint?: string;
  readonly power?: string;
  readonly over?: readonly string[];
}

export async function powerCommand(verb: Verb, name: string, options: PowerCommandOptions): Promise<void> {
  const family = findScenario(name);
  const axes = (options.over ?? []).map((text) => parseAxis(family, text));
  refuseSought(verb, family, options);
  const solveFor = verb === "size" ? readSought(family, options) : undefined;
  const { raters, threads } = splitWorkers(family, options, [...axes.map((axis) => axis.name), solveFor]);
  const own = readParameters(family, { ...options, workers: raters });
  const { params, diagnostics } = await readPilot(name, options);
  await printPower(verb, family, {
    params: { ...params, ...own },
    options,
    axes,
    solveFor,
    threads,
    task: powerReplicates,
    diagnostics,
  });
}

/** A scenario of the user's own: an object of a module, whose parameters are given by --set. */
export async function moduleCommand(
  verb: Verb,
  path: string,
  options: PowerCommandOptions & { readonly set: readonly string[] },
): Promise<void> {
  const { family, task, url } = await importScenario(path);
  const given = Object.fromEntries(options.set.map((text) => splitSetting(text)));
  const params: Record<string, number | string | boolean> = {};
  for (const [name, text] of Object.entries(given)) {
    const spec = family.parameters.find((parameter) => parameter.name === name);
    params[name] =
      spec === undefined ? text : spec.kind === "switch" ? text === "true" : parseValue(spec, text, `--set ${name}=`);
  }
  const axes = (options.over ?? []).map((text) => parseAxis(family, text));
  await printPower(verb, family, {
    params,
    options,
    axes,
    solveFor: undefined,
    threads: options.workers,
    ...(task === undefined ? {} : { task, module: url }),
  });
}

function splitSetting(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new StatError("BadOption", `--set ${text}: no "=" between a name and its value.`, "Write --set n=100.");
}

interface Printing {
  readonly params: ScenarioParameters;
  readonly options: PowerCommandOptions;
  readonly axes: readonly CurveAxis[];
  /** Of `size`, where it is not the family's own size. */
  readonly solveFor: string | undefined;
  readonly threads: string | undefined;
  /** Known to the workers; without one everything runs on this thread. */
  readonly task?: ReplicateTask;
  readonly module?: string;
  /** Of a pilot. */
  readonly diagnostics?: readonly Diagnostic[];
}

async function printPower(verb: Verb, family: ScenarioFamily, printing: Printing): Promise<void> {
  const { params, options, axes, solveFor, task } = printing;
  const progress = makeProgress(options.quiet === true);
  const runner = makeRunner(family, printing);
  try {
    const result = await answer(verb, family, {
      params,
      options,
      axes,
      solveFor,
      progress,
      runner,
      ...(task === undefined ? {} : { task }),
    });
    progress.end();
    printResult(result, options, { reading: printing.diagnostics ?? [] });
  } finally {
    progress.end();
    await runner.close();
  }
}

interface Request extends Pick<Printing, "params" | "options" | "axes" | "solveFor"> {
  readonly progress: Progress;
  readonly runner: Runner;
  readonly task?: ReplicateTask;
}

async function answer(verb: Verb, family: ScenarioFamily, request: Request) {
  const { params, options, axes, solveFor, progress, runner, task } = request;
  const { method, precision, relativePrecision, power, replicates } = options;
  if (replicates !== undefined && precision !== undefined) {
    throw new StatError(
      "BadOption",
      "--replicates and --precision together.",
      "Give one: a count, or how sure it is to be.",
    );
  }
  const common: PowerOptions = {
    rng: makeRng(options.seed),
    runner,
    ...(task === undefined ? {} : { task }),
    ...(method === undefined ? {} : { method }),
    ...(replicates === undefined ? {} : { replicates: parseCount(replicates, "--replicates") }),
    ...(precision === undefined ? {} : { precision: parsePositive(precision, "--precision") }),
    onProgress: (done, total) => progress.update("Simulating", done, total),
  };
  if (verb === "curve") {
    return tracePower(family, params, {
      ...common,
      axes,
      onPoint: (done, total) => progress.update("Points", done, total),
    });
  }
  if (verb === "power") return analyseWithCheckpoint(family, params, { common, options });
  const solving: SolveOptions = {
    ...common,
    power: parseProbability(power!, "--power"),
    ...(relativePrecision === undefined
      ? {}
      : { relativePrecision: parsePositive(relativePrecision, "--relative-precision") }),
  };
  if (verb === "mde") return findMde(family, params, solving);
  return findSize(family, params, solveFor === undefined ? solving : { ...solving, solveFor });
}

async function analyseWithCheckpoint(
  family: ScenarioFamily,
  params: ScenarioParameters,
  { common, options }: { readonly common: PowerOptions; readonly options: PowerCommandOptions },
) {
  const asked = { ...common, checkErrorRate: true };
  if (options.checkpoint === undefined) return analysePower(family, params, asked);
  const key = JSON.stringify({ scenario: family.name, params, seed: options.seed });
  const checkpoint = openCheckpoint(options.checkpoint, key);
  const result = await analysePower(family, params, { ...asked, known: checkpoint.known, onPiece: checkpoint.add });
  checkpoint.save();
  return result;
}

/** Simulations run on as many threads as asked for, by default on all processors where each experiment takes a fit or a resampling. */
function makeRunner(family: ScenarioFamily, { options: { method }, threads, task, module }: Printing): Runner {
  if (task === undefined || method === "exact" || method === "approx") return inlineRunner();
  return simulationRunner(threads ?? (family.replicates === undefined ? "1" : undefined), module);
}

function parsePositive(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number above 0.`, `Write for example ${flag} 0.01.`);
}
