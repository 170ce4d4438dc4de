/** `gosset design likert|ordinal|head-to-head --budget … | --power …` */

import { makeRng, StatError } from "../../index.ts";
import { type DesignScenario, findDesign, findScenario, planSeeds, powerReplicates } from "../../power.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { type PilotOptions, readParameters, readPilot, sayingFlags } from "../scenario-parameters.ts";
import { printSimulation } from "../simulation.ts";
import type { How, SimulationOptions } from "../ways.ts";

interface DesignCommandOptions extends PilotOptions, SimulationOptions {
  readonly budget?: string | undefined;
  readonly power?: string | undefined;
  readonly costItem: string;
  readonly costRater: string;
  readonly costRating: string;
  readonly costJudgeCall: string;
  readonly design: "k-of-m" | "lists";
  readonly raters?: string | undefined;
  readonly ratings?: string | undefined;
  readonly items?: string | undefined;
  readonly perRater?: string | undefined;
}

/** Found by the search, not given. */
const SEARCHED = ["items", "raters", "ratings", "design", "perRater", "listLength"];

export async function runDesign(context: Context<DesignCommandOptions>, scenario: DesignScenario): Promise<void> {
  const { options, progress } = context;
  const items = parseRange(options.items, "--items");
  const question = {
    scenario,
    prices: {
      item: parseMoney(options.costItem, "--cost-item"),
      rater: parseMoney(options.costRater, "--cost-rater"),
      rating: parseMoney(options.costRating, "--cost-rating"),
      judgeCall: parseMoney(options.costJudgeCall, "--cost-judge-call"),
    },
    design: options.design,
    raters: parseRange(options.raters, "--raters"),
    ratings: parseRange(options.ratings, "--ratings"),
    leastItems: items?.[0],
    mostItems: items?.[1],
    ...(options.budget === undefined ? {} : { budget: parseMoney(options.budget, "--budget") }),
    ...(options.power === undefined ? {} : { power: parseProbability(options.power, "--power") }),
    ...(options.perRater === undefined ? {} : { perRater: parseCount(options.perRater, "--per-rater") }),
  };
  const family = findScenario(scenario);
  const own = readParameters(family, options, SEARCHED);
  const pilot = await readPilot(context, scenario);
  const replicates = options.replicates === undefined ? undefined : parseCount(options.replicates, "--replicates");
  const simulation = {
    adaptive: options.power === undefined ? undefined : "while searching for the cheapest design",
    run: (how: How) => {
      const drawn = how.replicates ?? replicates;
      const simulating = {
        rng: makeRng(options.seed),
        replicates: drawn,
        runner: how.runner,
        task: powerReplicates,
        onProgress: (done: number, total: number) => progress.update("Simulating the best design", done, total),
      };
      return findDesign({ ...question, params: { ...pilot, ...own } }, simulating);
    },
  };
  await sayingFlags(family, () => printSimulation(context, simulation));
}

interface SeedsCommandOptions extends PilotOptions {
  readonly budget?: string | undefined;
  readonly power?: string | undefined;
  readonly costRun: string;
  readonly costItem: string;
  readonly costScoring: string;
  readonly seeds?: string | undefined;
  readonly items?: string | undefined;
}

/** `gosset design seeds` */
export async function runSeeds(context: Context<SeedsCommandOptions>): Promise<void> {
  const { options } = context;
  const { budget, power } = options;
  const question = {
    prices: {
      run: parseMoney(options.costRun, "--cost-run"),
      item: parseMoney(options.costItem, "--cost-item"),
      scoring: parseMoney(options.costScoring, "--cost-scoring"),
    },
    budget: budget === undefined ? undefined : parseMoney(budget, "--budget"),
    power: power === undefined ? undefined : parseProbability(power, "--power"),
    seeds: parseRange(options.seeds, "--seeds"),
    items: parseRange(options.items, "--items"),
  };
  const family = findScenario("seeds");
  const own = readParameters(family, options, ["items", "seeds"]);
  const pilot = await readPilot(context, "seeds");
  await sayingFlags(family, async () => context.print(planSeeds({ ...question, params: { ...pilot, ...own } })));
}

function parseMoney(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a price.`, `Write for example ${flag} 0.25.`);
}

function parseRange(text: string | undefined, flag: string): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(",");
  if (parts.length === 2) return [parseCount(parts[0]!, flag), parseCount(parts[1]!, flag)];
  throw new StatError("BadOption", `${flag} ${text}: not two numbers.`, `Write ${flag} least,most.`);
}
