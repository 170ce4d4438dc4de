/** Plan: power, smallest difference, size, curves and designs of a scenario, by the functions that the command line asks. */
import { inlineRunner, makeRng, parametersFromPilot, StatError } from "../../../src/index.ts";
import {
  analysePower,
  type DesignScenario,
  findDesign,
  findMde,
  findScenario,
  findSize,
  type Piece,
  type PieceTally,
  type PowerMethod,
  powerReplicates,
  type ScenarioFamily,
  type ScenarioParameters,
  tracePower,
} from "../../../src/power.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import type { Settings } from "../../engine/protocol.ts";
import { type Remembering, rememberingRunner } from "../../engine/remember.ts";
import { Code, flagWords, optionsText } from "../../engine/words.ts";
import { askDocument, planDocument, planText } from "./document.ts";
import { headlineOf, type PlanResult } from "./headline.ts";

export type Verb = "power" | "mde" | "size" | "curve" | "design";

/** Experiments of one piece of a simulation (power/simulate.ts). */
const PIECE = 50;

export const planDoor: EngineDoor = { name: "plan", ask, offer, document: planDocument };

interface Plan {
  readonly verb: Verb;
  readonly family: ScenarioFamily;
  /** As the form has them; what the pilot gives is beside them. */
  readonly own: ScenarioParameters;
  readonly params: ScenarioParameters;
  readonly power: number;
  readonly method: PowerMethod | undefined;
  readonly replicates: number | undefined;
}

async function ask(asking: Asking): Promise<Asked> {
  const { document } = asking.settings;
  if (typeof document === "string") return askDocument(document);
  const plan = planOf(asking);
  const runner = rememberingRunner(asking.runner, () => tellSoFar(runner, plan, asking));
  if (!isSimulated(plan)) return told(plan, asking, await answer(plan, asking, runner));
  return inRounds(plan, asking, runner);
}

const isSimulated = ({ verb, family, params, method }: Plan): boolean =>
  verb === "design" ||
  (verb === "curve" && method === "simulation") ||
  (verb !== "curve" && drawsExperiments({ family, params, method }));

/** What is looked for has a value here, which does not matter. */
function drawsExperiments({ family, params, method }: Pick<Plan, "family" | "params" | "method">): boolean {
  if (method !== undefined) return method === "simulation";
  const any = { [family.effect]: family.effect === "win" ? 0.6 : 0.1, [family.size]: 100 };
  try {
    return family.make({ ...any, ...params } as ScenarioParameters).exactPower === undefined;
  } catch {
    return false; // what is wrong with the numbers is told by the answer
  }
}

const told = (plan: Plan, asking: Asking, result: PlanResult): Asked => ({
  result,
  ...wordsOf(plan, asking),
  headline: headlineOf(plan.verb, plan.family, result),
  readsFiles: false,
  own: { method: (result as { readonly method?: string }).method, plan: planText(asking.settings) },
});

/** More experiments each time, until all are drawn: every round is a whole answer, and those drawn before count again. Whoever stops has the
 *  last whole one. */
async function inRounds(plan: Plan, asking: Asking, runner: Remembering): Promise<Asked> {
  let last: Asked | undefined;
  for (const round of [...roundsOf(plan), plan]) {
    try {
      const asked = told(round, asking, await answer(round, asking, runner));
      if (round === plan) return asked;
      asking.show(asked);
      last = asked;
    } catch (error) {
      const stopped = error instanceof StatError && error.code === "Cancelled";
      if (stopped && last !== undefined) return last;
      if (stopped)
        throw new StatError(
          "Cancelled",
          "stopped before a first answer was finished.",
          "Change a setting to ask again, or give fewer experiments to simulate.",
        );
      // too few experiments may have no answer where all of them have one; a size that nothing reaches is not searched for
      if (round === plan || !(error instanceof StatError) || error.code === "PowerCeiling") throw error;
    }
  }
  return last!;
}

/** Of one place twice as many each time; a search shares them out over the places that it tries, and begins with an approximation, where
 *  there is one. */
function roundsOf(plan: Plan): Plan[] {
  const searches = plan.method === undefined && (plan.verb === "mde" || plan.verb === "size");
  const rounds: Plan[] = searches ? [{ ...plan, method: "approx", replicates: undefined }] : [];
  const factor = plan.verb === "power" ? 2 : 4;
  const from = plan.verb === "power" || plan.verb === "design" ? FIRST_ROUND : FIRST_SEARCH;
  for (let own = from; own < totalOf(plan); own *= factor) rounds.push({ ...plan, replicates: own });
  return rounds;
}

/** Spread over a dozen places, fewer say nothing. */
const FIRST_SEARCH = 400;
const FIRST_ROUND = 2 * PIECE;
const USUAL_REPLICATES = 10_000;
/** A search without a number of its own draws until it is precise. */
const USUAL_SEARCH = 2000;
const totalOf = ({ verb, replicates, family }: Plan): number =>
  replicates ?? (verb === "power" ? (family.replicates ?? USUAL_REPLICATES) : USUAL_SEARCH);

/** What the verb solves for or searches is not given too. */
function planOf({ settings, data }: Asking): Plan {
  const {
    scenario = "accuracy",
    ask: verb = "power",
    power = 0.8,
    method,
    replicates,
    pilot,
  } = settings as {
    readonly scenario?: string;
    readonly ask?: Verb;
    readonly power?: number;
    readonly method?: PowerMethod;
    readonly replicates?: number;
    readonly pilot?: boolean;
  };
  const family = findScenario(scenario);
  const left = new Set(soughtBy(verb, family));
  const own = Object.fromEntries(
    family.parameters.flatMap(({ name }) =>
      settings[name] === undefined || left.has(name) ? [] : [[name, settings[name]]],
    ),
  ) as ScenarioParameters;
  const known = pilot === true ? pilotOf(scenario, data(), settings) : {};
  return { verb, family, own, params: { ...known, ...own }, power, method, replicates };
}

const SEARCHED = ["items", "raters", "ratings", "design", "perRater", "listLength"];

function soughtBy(verb: Verb, family: ScenarioFamily): readonly string[] {
  if (verb === "mde") return [family.effect, "beta", "oddsRatio"];
  if (verb === "size" || verb === "curve") return [family.size];
  return verb === "design" ? SEARCHED : [];
}

function pilotOf(scenario: string, { whole }: ReturnType<Asking["data"]>, settings: Settings): ScenarioParameters {
  const { score, system, rater, item } = whole.roles;
  if (scenario !== "likert" && scenario !== "ordinal")
    throw new StatError("BadOption", "a pilot gives the numbers of ratings.", "Choose ratings, or type the numbers.");
  if (score === undefined || system === undefined || rater === undefined || item === undefined) {
    const lacks = Object.entries({ score, system, rater, item }).flatMap(([role, column]) =>
      column === undefined ? [role] : [],
    );
    throw new StatError(
      "NoColumn",
      `the open file has no ${lacks.join(", ")}.`,
      "Say on the first screen which column it is.",
    );
  }
  const systems = typeof settings["systems"] === "string" ? settings["systems"].split(",") : whole.systems.slice(0, 2);
  const pair = { systems: [systems[0]!, systems[1]!] as const };
  return parametersFromPilot(scenario, whole.table, {
    score,
    system,
    rater,
    item,
    ...(systems.length === 2 ? pair : {}),
  }).parameters;
}

async function answer(plan: Plan, asking: Asking, runner: Remembering): Promise<PlanResult> {
  const { verb, family, params, power, method, replicates } = plan;
  const { settings, seed, signal } = asking;
  const common = {
    rng: makeRng(seed),
    runner: method === "exact" || method === "approx" ? inlineRunner() : runner,
    task: powerReplicates,
    signal,
    method,
    replicates,
    onProgress: (done: number, total: number) => tellSoFar(runner, plan, asking, [done, total]),
  };
  if (verb === "power") return analysePower(family, params, { ...common, checkErrorRate: true });
  if (verb === "mde") return findMde(family, params, { ...common, power });
  if (verb === "size") return findSize(family, params, { ...common, power });
  if (verb === "curve") {
    const axes = [{ name: family.size, values: sizesOf(settings) }];
    return tracePower(family, params, { ...common, axes, onPoint: (done, total) => asking.tell({ done, total }) });
  }
  return findDesign(
    {
      scenario: family.name as DesignScenario,
      params,
      prices: pricesOf(settings),
      design: "k-of-m",
      ...(typeof settings["budget"] === "number" ? { budget: settings["budget"] } : { power }),
    },
    common,
  );
}

const pricesOf = (settings: Settings) => ({
  item: Number(settings["costItem"] ?? 1),
  rater: Number(settings["costRater"] ?? 5),
  rating: Number(settings["costRating"] ?? 0.2),
  judgeCall: 0,
});

/** Eight sizes between the ends, in whole numbers. */
function sizesOf({ from = 50, to = 1000 }: Settings): number[] {
  const [low, high] = [Number(from), Number(to)];
  const steps = Math.min(8, Math.max(1, Math.floor(high - low)));
  return [...new Set(Array.from({ length: steps + 1 }, (_, k) => Math.round(low + (k * (high - low)) / steps)))];
}

/** Pieces from the first on without a gap, and the significant results of the right sign in them; those without an effect have other seeds. */
function drawn({ memory }: Remembering, seed: string): { readonly pieces: number; readonly right: number } {
  const found = new Map<number, number>();
  for (const [input, out] of memory.values()) {
    const piece = input as Piece;
    if (piece.seed === seed && piece.count === PIECE) found.set(piece.from, (out as PieceTally)[0]!.right);
  }
  let pieces = 0;
  let right = 0;
  for (; found.has(PIECE * pieces); pieces++) right += found.get(PIECE * pieces)!;
  return { pieces, right };
}

function tellSoFar(runner: Remembering, plan: Plan, { seed, tell }: Asking, [done, total] = [0, 0]): void {
  const count = (value: number): string => value.toLocaleString("en");
  if (!isSimulated(plan) || plan.verb !== "power") {
    if (total > 0) tell({ done, total, sofar: `${count(done)} of ${count(total)} experiments simulated.` });
    return;
  }
  const { pieces, right } = drawn(runner, seed);
  const [n, all] = [PIECE * pieces, totalOf(plan)];
  if (n === 0) return;
  const shrunk = (right + 2) / (n + 4);
  const twice = 2 * Math.sqrt((shrunk * (1 - shrunk)) / (n + 4));
  const power = `Power ${(right / n).toFixed(3)} ± ${twice.toFixed(3)} so far`;
  tell({ done: n, total: all, sofar: `${count(n)} of ${count(all)} experiments simulated. ${power}.` });
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

function wordsOf(plan: Plan, { settings, seed, data }: Asking) {
  const { verb, family, own, power, method, replicates } = plan;
  const flags: Record<string, unknown> = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [`--${kebab(name)}`, value]),
  );
  const prices = pricesOf(settings);
  if (settings["pilot"] === true) {
    const { parts, whole } = data();
    flags["--pilot"] = parts[0]!.path;
    const { score, system, rater, item } = whole.roles;
    flags["--columns"] = `score=${score},system=${system},rater=${rater},item=${item}`;
    flags["--systems"] = settings["systems"] ?? whole.systems.slice(0, 2).join(",");
  }
  if (verb === "curve") flags["--over"] = `${kebab(family.size)}=${sizesOf(settings).join(",")}`;
  if (verb === "mde" || verb === "size" || (verb === "design" && settings["budget"] === undefined))
    flags["--power"] = power;
  if (verb === "design") {
    flags["--cost-item"] = prices.item;
    flags["--cost-rater"] = prices.rater;
    flags["--cost-rating"] = prices.rating;
    flags["--budget"] = settings["budget"];
  }
  const more = { "--method": method, "--replicates": replicates, "--seed": seed === "1" ? undefined : seed };
  const name = family.name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
  const rng = new Code(`makeRng(${JSON.stringify(seed)})`);
  const options =
    verb === "design"
      ? { ...(settings["budget"] === undefined ? { power } : { budget: settings["budget"] }), prices, rng }
      : {
          ...(verb === "mde" || verb === "size" ? { power } : {}),
          ...(verb === "curve" ? { axes: [] } : {}),
          method,
          replicates,
          rng,
        };
  return {
    command: ["gosset", verb, family.name, ...flagWords({ ...flags, ...more })],
    call: `import { ${verb}, makeRng } from "gosset";\n\nconst answer = await ${verb}.${name}(\n  ${optionsText(plan.params)},\n  ${optionsText(verb === "curve" ? { ...options, axes: new Code(`[{ name: ${JSON.stringify(family.size)}, values: [${sizesOf(settings).join(", ")}] }]`) } : options)},\n);\nconsole.log(String(answer));`,
  };
}

/** "gosset mde likert --items 40 …" as `describe` offers it. */
function offer(words: readonly string[]): Settings | undefined {
  const [, verb, scenario] = words;
  if (verb !== "mde" && verb !== "size" && verb !== "power") return undefined;
  const found: Record<string, string | number | boolean> = { ask: verb, scenario: scenario! };
  for (let i = 3; i < words.length; i += 2) {
    const name = words[i]!.slice(2).replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
    const value = words[i + 1] ?? "";
    if (name === "columns") continue;
    found[name] = name === "pilot" ? true : value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return found;
}
