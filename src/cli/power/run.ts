/** `gosset power|mde|size|curve <scenario> [parameters]` */

import { makeRng, type Result, StatError } from "../../index.ts";
import {
  analysePower,
  type CurveAxis,
  findMde,
  findScenario,
  findSize,
  makeReplicateTask,
  type PowerMethod,
  type PowerOptions,
  powerReplicates,
  type ReplicateTask,
  type ScenarioFamily,
  type ScenarioParameters,
  type SolveOptions,
  tracePower,
} from "../../power.ts";
import { parseCount, parseNumber, parsePositive, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import {
  type PilotOptions,
  parseAxis,
  parseValue,
  readParameters,
  readPilot,
  readSought,
  refuseSought,
  sayingFlags,
} from "../scenario-parameters.ts";
import { printSimulation } from "../simulation.ts";
import type { How, SimulationOptions } from "../ways.ts";
import { importScenario, nameModule } from "./module.ts";

type Verb = "power" | "mde" | "size" | "curve";

interface PowerCommandOptions extends PilotOptions, SimulationOptions {
  readonly raters?: string | undefined;
  readonly items?: string | undefined;
  /** Of a rating scale: a number, or several to be compared. */
  readonly points?: string | undefined;
  readonly for?: string | undefined;
  readonly method?: PowerMethod | undefined;
  readonly precision?: string | undefined;
  readonly relativePrecision?: string | undefined;
  readonly prior?: string | undefined;
  readonly bias?: string | undefined;
  readonly teams?: string | undefined;
  readonly power?: string | undefined;
  readonly over?: readonly string[] | undefined;
}

export async function runScenario(context: Context<PowerCommandOptions>, verb: Verb, name: string): Promise<void> {
  const { options } = context;
  const family = findScenario(name);
  // several scales in one call are a curve over them
  const scales = verb === "power" && options.points?.includes(",") ? [`points=${options.points}`] : [];
  const axes = [...scales, ...(options.over ?? [])].map((text) => parseAxis(family, text));
  refuseSought(verb, family, options);
  const solveFor = verb === "size" ? readSought(family, options) : undefined;
  const own = readParameters(family, options, scales.length === 0 ? [] : ["points"]);
  // what is varied does not come from the pilot
  const varied = new Set(axes.map((axis) => axis.name));
  const pilot = Object.entries(await readPilot(context, name)).filter(([key]) => !varied.has(key));
  const params = { ...Object.fromEntries(pilot), ...own };
  const asked = { family, params, axes, solveFor, task: powerReplicates };
  await sayingFlags(family, () => printPower(context, scales.length === 0 ? verb : "curve", asked));
}

/** A scenario of the user's own: an object of a module, whose parameters are given by --set. */
export async function runModule(
  context: Context<PowerCommandOptions & { readonly set: readonly string[]; readonly timeout: string }>,
  verb: Verb,
  path: string,
): Promise<void> {
  const { options } = context;
  const seconds = parsePositive(options.timeout, "--timeout");
  const { family, url } = await importScenario(path, seconds);
  const given = Object.fromEntries(options.set.map((text) => splitSetting(text)));
  const params: Record<string, number | string | boolean> = {};
  for (const [name, text] of Object.entries(given)) {
    const spec = family.parameters.find((parameter) => parameter.name === name);
    params[name] =
      spec === undefined ? text : spec.kind === "switch" ? text === "true" : parseValue(spec, text, `--set ${name}=`);
  }
  const axes = (options.over ?? []).map((text) => parseAxis(family, text));
  try {
    await printPower(context, verb, {
      family,
      params,
      axes,
      solveFor: undefined,
      task: makeReplicateTask([family]),
      module: { path, url, stepLimit: seconds * 1000 },
    });
  } catch (error) {
    throw nameModule(error, path);
  }
}

function splitSetting(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new StatError(
    "BadOption",
    `--set ${text}: there is no "=" between a name and its value.`,
    "Write --set n=100.",
  );
}

interface Asked {
  readonly family: ScenarioFamily;
  readonly params: ScenarioParameters;
  readonly axes: readonly CurveAxis[];
  /** Of `size`, where it is not the family's own size. */
  readonly solveFor: string | undefined;
  /** Known to the workers by its name. */
  readonly task: ReplicateTask;
  readonly module?: { readonly path: string; readonly url: string; readonly stepLimit: number } | undefined;
}

async function printPower(context: Context<PowerCommandOptions>, verb: Verb, asked: Asked): Promise<void> {
  const { method, precision } = context.options;
  await printSimulation(context, {
    adaptive:
      verb === "mde" || verb === "size" ? `in ${verb}` : precision === undefined ? undefined : "with --precision",
    drawn: method !== "exact" && method !== "approx",
    // threads are worth their start where each experiment takes a fit or a resampling
    threads: asked.family.replicates === undefined ? 1 : undefined,
    module: asked.module,
    run: (how) => answer(context, verb, { ...asked, how }),
  });
}

async function answer(
  context: Context<PowerCommandOptions>,
  verb: Verb,
  asked: Asked & { readonly how: How },
): Promise<Result<string>> {
  const { options, progress } = context;
  const { family, params, axes, solveFor, task, how } = asked;
  const { method, precision, relativePrecision, power } = options;
  const replicates =
    how.replicates ?? (options.replicates === undefined ? undefined : parseCount(options.replicates, "--replicates"));
  const common: PowerOptions = {
    rng: makeRng(options.seed),
    runner: how.runner,
    task,
    method,
    replicates,
    ...(precision === undefined ? {} : { precision: parsePositive(precision, "--precision") }),
    credibility: readCredibility(options),
    onProgress: (done, total) => progress.update("Simulating", done, total),
  };
  if (verb === "curve") {
    return tracePower(family, params, {
      ...common,
      axes,
      onPoint: (done, total) => progress.update("Points", done, total),
    });
  }
  if (verb === "power") return analysePower(family, params, { ...common, checkErrorRate: true });
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

function readCredibility({ prior, bias, teams }: PowerCommandOptions): PowerOptions["credibility"] {
  if (prior === undefined) {
    const without = bias !== undefined ? "--bias" : teams !== undefined ? "--teams" : undefined;
    if (without === undefined) return undefined;
    throw new StatError(
      "BadOption",
      `${without} without --prior.`,
      "Give the proportion of tried ideas that are true gains.",
    );
  }
  return {
    prior: parseProbability(prior, "--prior"),
    bias: bias === undefined ? undefined : parseNumber(bias, "--bias"),
    teams: teams === undefined ? undefined : parseCount(teams, "--teams"),
  };
}
