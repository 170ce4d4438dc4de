/** `assay power|mde|size|curve <scenario> [parameters]` */
import {
  analysePower,
  type CurveAxis,
  type Diagnostic,
  findMde,
  findScenario,
  findSize,
  inlineRunner,
  makeRng,
  type ParameterSpec,
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
import { threadRunner } from "../../run/threads.ts";
import { powerContract } from "../contract-power.ts";
import { type GlobalOptions, parseCount, parseProbability } from "../options.ts";
import { printAnswer } from "../output.ts";
import { makeProgress, type Progress } from "../progress.ts";
import { type PilotOptions, readPilot } from "./design-pilot.ts";
import { withExtras } from "./fit.ts";
import { openCheckpoint } from "./power-checkpoint.ts";
import { importScenario } from "./power-module.ts";

type Verb = "power" | "mde" | "size" | "curve";

export interface PowerCommandOptions extends GlobalOptions, PilotOptions {
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
  const own = readParameters(family, options as unknown as Readonly<Record<string, unknown>>);
  const { params, diagnostics } = await readPilot(name, options);
  await printPower(verb, family, { params: { ...params, ...own }, options, task: powerReplicates, diagnostics });
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
  await printPower(verb, family, { params, options, ...(task === undefined ? {} : { task, module: url }) });
}

function splitSetting(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new StatError("BadOption", `--set ${text}: no "=" between a name and its value.`, "Write --set n=100.");
}

interface Printing {
  readonly params: ScenarioParameters;
  readonly options: PowerCommandOptions;
  /** Known to the workers; without one everything runs on this thread. */
  readonly task?: ReplicateTask;
  readonly module?: string;
  /** Of a pilot. */
  readonly diagnostics?: readonly Diagnostic[];
}

async function printPower(verb: Verb, family: ScenarioFamily, printing: Printing): Promise<void> {
  const { params, options, task } = printing;
  const progress = makeProgress(options.quiet === true);
  const runner = makeRunner(printing);
  try {
    const result = await answer(verb, family, {
      params,
      options,
      progress,
      runner,
      ...(task === undefined ? {} : { task }),
    });
    progress.end();
    const { diagnostics: before = [] } = printing;
    const diagnostics = [...before, ...result.diagnostics];
    const display = withExtras(result.display(), [], before);
    printAnswer({ display, contract: powerContract(result, diagnostics), diagnostics }, options);
  } finally {
    progress.end();
    await runner.close();
  }
}

interface Request {
  readonly params: ScenarioParameters;
  readonly options: PowerCommandOptions;
  readonly progress: Progress;
  readonly runner: Runner;
  readonly task?: ReplicateTask;
}

async function answer(verb: Verb, family: ScenarioFamily, { params, options, progress, runner, task }: Request) {
  const { method, precision, relativePrecision, power, replicates, over = [] } = options;
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
    const axes = over.map((text) => parseAxis(family, text));
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
  return verb === "mde" ? findMde(family, params, solving) : findSize(family, params, solving);
}

async function analyseWithCheckpoint(
  family: ScenarioFamily,
  params: ScenarioParameters,
  { common, options }: { readonly common: PowerOptions; readonly options: PowerCommandOptions },
) {
  if (options.checkpoint === undefined) return analysePower(family, params, common);
  const key = JSON.stringify({ scenario: family.name, params, seed: options.seed });
  const checkpoint = openCheckpoint(options.checkpoint, key);
  const result = await analysePower(family, params, { ...common, known: checkpoint.known, onPiece: checkpoint.add });
  checkpoint.save();
  return result;
}

/** Simulations run on as many threads as asked for; one needs none. */
function makeRunner({ options: { workers, method }, task, module }: Printing): Runner {
  const alone = workers === undefined || Number(workers) === 1 || method === "exact" || method === "approx";
  if (alone || task === undefined) return inlineRunner();
  return threadRunner({ workers: Number(workers), ...(module === undefined ? {} : { module }) });
}

function readParameters(family: ScenarioFamily, options: Readonly<Record<string, unknown>>): ScenarioParameters {
  const params: Record<string, number | string | boolean> = {};
  for (const spec of family.parameters) {
    const given = options[spec.name];
    if (given === undefined) continue;
    params[spec.name] = typeof given === "string" ? parseValue(spec, given, flagOf(spec.name)) : (given as boolean);
  }
  return params;
}

const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

const WANTED: Readonly<Partial<Record<ParameterSpec["kind"], readonly [(x: number) => boolean, string]>>> = {
  count: [(x) => Number.isInteger(x) && x >= 1, "a whole number of at least 1"],
  share: [(x) => x >= 0 && x <= 1, "a number from 0 to 1"],
  positive: [(x) => x > 0 && Number.isFinite(x), "a number above 0"],
  number: [Number.isFinite, "a number"],
};

function parseValue(spec: ParameterSpec, text: string, flag: string): number | string {
  if (spec.kind === "choice" && !spec.choices!.includes(text)) {
    throw new StatError("BadOption", `${flag} ${text}: no such choice.`, `Choose one of ${spec.choices!.join(", ")}.`);
  }
  const wanted = WANTED[spec.kind];
  if (wanted === undefined) return text;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const [fits, words] = wanted;
  if (fits(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not ${words}.`, `It is the ${spec.meaning}.`);
}

/** n=100:1000:100, delta=0.01,0.02 or test=mcnemar,mcnemar-exact. */
function parseAxis(family: ScenarioFamily, text: string): CurveAxis {
  const at = text.indexOf("=");
  const name = text.slice(0, at).replace(/-([a-z])/g, (_, c: string) => c.toUpperCase());
  const spec = family.parameters.find((parameter) => parameter.name === name);
  if (at < 1 || spec === undefined) {
    const names = family.parameters.map((parameter) => parameter.name).join(", ");
    throw new StatError(
      "BadOption",
      `--over ${text}: no parameter "${name}".`,
      `Write name=values, with one of ${names}.`,
    );
  }
  const range = /^([^:]+):([^:]+):([^:]+)$/.exec(text.slice(at + 1));
  const parts = range === null ? text.slice(at + 1).split(",") : rangeValues(range.slice(1).map(Number), text);
  return { name, values: parts.map((part) => parseValue(spec, part.trim(), `--over ${name}=`)) };
}

const MOST_VALUES = 10_000;

function rangeValues([from, to, step]: number[], text: string): string[] {
  const count = Math.floor((to! - from!) / step! + 1e-9) + 1;
  if (!(step! > 0 && count >= 1 && count <= MOST_VALUES)) {
    throw new StatError("BadOption", `--over ${text}: no such range.`, "Write from:to:step, such as n=100:1000:100.");
  }
  // twelve digits hide that 0.1 + 0.2 is not 0.3
  return Array.from({ length: count }, (_, i) => String(Number((from! + i * step!).toPrecision(12))));
}

function parsePositive(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number above 0.`, `Write for example ${flag} 0.01.`);
}
