/** The answer to "which design for this money?": the best design, checked by simulation, and the frontier of power over cost. */

import type { FieldsOf } from "../../models/fit.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { RatingDesign } from "../designs/designs.ts";
import { formatBeside, type PartialDraws, type PowerResult, parameterTable, USUAL_POWER } from "../result.ts";
import {
  checkAlpha,
  checkParameters,
  requireEffect,
  requireNumber,
  type ScenarioParameters,
  type StatedParameter,
} from "../scenario.ts";
import { differenceVariance } from "../scenarios/approx.ts";
import { headToHeadFamily, judgementVariance } from "../scenarios/head-to-head.ts";
import { likertFamily, likertSds } from "../scenarios/likert.ts";
import { ordinalEffect, ordinalFamily, ordinalSlopes } from "../scenarios/ordinal.ts";
import { planScreen, thinned } from "../screen.ts";
import { type SimulateOptions, simulatePower } from "../simulate.ts";
import {
  answerCount,
  bestForBudget,
  cheapestForPower,
  checkPrices,
  type PricedDesign,
  type Prices,
  refuseBudget,
  type SearchRequest,
  searchFrontier,
} from "./design-search.ts";
import { checkTarget } from "./solve.ts";

/** Scenarios in which raters, items and ratings are bought apart from each other. */
export type DesignScenario = "likert" | "ordinal" | "head-to-head";

export interface DesignQuestion {
  readonly scenario: DesignScenario;
  /** Of the scenario, without those of the design. */
  readonly params: ScenarioParameters;
  readonly prices: Prices;
  /** One of the two: money to spend, or power to reach. */
  readonly budget?: number | undefined;
  readonly power?: number | undefined;
  readonly design?: "k-of-m" | "lists" | undefined;
  readonly raters?: readonly [least: number, most: number] | undefined;
  readonly ratings?: readonly [least: number, most: number] | undefined;
  readonly leastItems?: number | undefined;
  readonly mostItems?: number | undefined;
  readonly perRater?: number | undefined;
}

export interface FrontierPoint {
  readonly cost: number;
  readonly items: number;
  readonly raters: number;
  /** Per item and system, and in all. */
  readonly ratings: number;
  readonly totalRatings: number;
  readonly power: number;
}

export interface DesignResult extends Result<"design"> {
  readonly scenario: string;
  readonly title: string;
  readonly design: "k-of-m" | "lists";
  readonly best: FrontierPoint & {
    readonly simulatedPower: number;
    readonly se: number;
    readonly typeM: number;
    readonly typeS: number;
  };
  /** Rising cost; data for a plot. */
  readonly frontier: readonly FrontierPoint[];
  /** Cheaper designs that had the power asked for by the approximation, and not in the simulation. */
  readonly missed: readonly {
    readonly cost: number;
    readonly items: number;
    readonly raters: number;
    readonly ratings: number;
    readonly simulatedPower: number;
  }[];
  readonly budget?: number;
  readonly target?: number;
  readonly prices: Prices;
  readonly replicates: number;
  readonly effect: number;
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
  /** For the paper. */
  readonly sentence: string;
  /** Where only part of what was asked for is drawn. */
  readonly partial?: PartialDraws;
}

export type DesignJson = JsonOf<DesignResult>;

const FAMILIES = { likert: likertFamily, ordinal: ordinalFamily, "head-to-head": headToHeadFamily };
/** With fewer raters no t test of a mixed model keeps its error rate. */
const RATERS: readonly [number, number] = [5, 200];
const RATINGS: readonly [number, number] = [2, 20];
/** Nor with fewer items. */
const LEAST_ITEMS = 10;
const MOST_ITEMS = 5000;
/** Experiments by which a design is checked: seconds, or a minute of ordinal fits. */
const REPLICATES: Readonly<Record<DesignScenario, number>> = { likert: 1000, ordinal: 200, "head-to-head": 1000 };
/** Experiments by which the design that was chosen is checked again: of designs tried until one had the power, that one was also lucky. */
const FRESH: Readonly<Record<DesignScenario, number>> = { likert: 2000, ordinal: 400, "head-to-head": 2000 };
/** Streams of these; those of the designs tried begin at 1. */
const FRESH_STREAMS = 1 << 20;
/** Designs that are simulated before a search for a power ends without one that has it. */
const MOST_CHECKED = 6;
/** Room that is asked for above a design that has just missed the power, so that the next one is another. */
const A_LITTLE = 0.002;

export async function findDesign(question: DesignQuestion, options: SimulateOptions): Promise<DesignResult> {
  refuseScenario(question);
  refuseAnalysis(question);
  const request = makeRequest(question);
  const { budget, power: target } = question;
  const family = FAMILIES[question.scenario];
  const { best, simulated, missed } = await chooseChecked(request, question, options);
  const frontier = searchFrontier(request, budget ?? FRONTIER_BEYOND * best.cost, { best });
  const point = pointOf(best, request);
  const fields: FieldsOf<DesignResult> = {
    signature: {
      method: `design/${question.scenario}`,
      version: GOSSET_VERSION,
      options: {
        ...question.params,
        prices: question.prices,
        ...(budget === undefined ? { power: target! } : { budget }),
      },
      data: "",
      seed: options.rng.seed,
    },
    diagnostics: [...simulated.diagnostics.filter(({ code }) => code !== "Underpowered"), ...judge(simulated, target)],
    scenario: question.scenario,
    title: family.title,
    design: request.kind,
    best: {
      ...point,
      simulatedPower: simulated.power,
      se: simulated.se,
      typeM: simulated.typeM,
      typeS: simulated.typeS,
    },
    frontier: frontier.map((priced) => pointOf(priced, request)),
    missed: missed.map(({ design: { items, raters, ratings }, cost, simulatedPower }) => ({
      cost,
      items,
      raters,
      ratings,
      simulatedPower,
    })),
    ...present({ budget, target }),
    prices: question.prices,
    replicates: simulated.replicates!,
    effect: simulated.effect,
    parameters: simulated.parameters,
    assumptions: simulated.assumptions,
    sentence: sentenceFor(best.design, {
      cost: best.cost,
      ...simulated,
      replicates: simulated.replicates!,
      scenario: question.scenario,
      ratings: point.totalRatings,
      win: question.params["win"] as number | undefined,
    }),
  };
  return makeResult("design", fields, displayDesign);
}

interface Checked {
  readonly best: PricedDesign;
  readonly simulated: PowerResult;
  /** Cheaper ones that had the power by the approximation only. */
  readonly missed: readonly (PricedDesign & { readonly simulatedPower: number })[];
}

/** The approximation finds the design, a simulation says what it has, and for a power asked for another one, redrawn, whether that was luck.
 *  Where either misses, the approximation is off by about as much for its neighbours: the search goes on that much higher. */
async function chooseChecked(
  request: SearchRequest,
  question: DesignQuestion,
  options: SimulateOptions,
): Promise<Checked> {
  const { budget, power: target } = question;
  const missed: (PricedDesign & { readonly simulatedPower: number })[] = [];
  let best = choose(request, budget, target);
  for (;;) {
    const first = await simulateDesign(best.design, question, {
      ...options,
      rng: missed.length === 0 ? options.rng : options.rng.stream(missed.length),
    });
    if (target === undefined) return { best, simulated: first, missed };
    const simulated =
      first.power < target
        ? first
        : await simulateDesign(best.design, question, {
            ...options,
            replicates: options.replicates ?? FRESH[question.scenario],
            rng: options.rng.stream(FRESH_STREAMS + missed.length),
          });
    if (simulated.power >= target) return { best, simulated, missed };
    const found = [...missed, { ...best, simulatedPower: simulated.power }];
    const next = found.length < MOST_CHECKED ? nextDesign(request, found, target) : undefined;
    if (next === undefined) return { best, simulated, missed };
    missed.push(found.at(-1)!);
    best = next;
  }
}

function nextDesign(
  request: SearchRequest,
  missed: readonly (PricedDesign & { readonly simulatedPower: number })[],
  target: number,
): PricedDesign | undefined {
  const short = missed.reduce((sum, { power, simulatedPower }) => sum + power - simulatedPower, 0) / missed.length;
  const wanted = Math.max(target + short, missed.at(-1)!.power + A_LITTLE);
  return wanted < 1 ? cheapestForPower(request, wanted) : undefined;
}

function refuseScenario({ scenario }: DesignQuestion): void {
  if (Object.hasOwn(FAMILIES, scenario)) return;
  throw new StatError(
    "NoDesign",
    `scenario "${scenario}" has no raters to choose, so there is no design to search.`,
    `Ask for its size, or for a design of ${Object.keys(FAMILIES).join(", ")}.`,
  );
}

/** The search and the check of what it finds are by the ordinal model, whose structure may be chosen. */
function refuseAnalysis({ scenario, params: { analysis = "clmm" } }: DesignQuestion): void {
  if (scenario !== "ordinal" || analysis === "clmm") return;
  const message = `option \`analysis: ${analysis}\`: designs are sought by the power of the ordinal mixed model.`;
  throw new StatError("BadOption", message, "Leave it out, and ask for the power of the design that is found.");
}

function simulateDesign(
  { items, raters, ratings, kind }: RatingDesign,
  question: DesignQuestion,
  options: SimulateOptions,
): Promise<PowerResult> {
  const params = {
    ...question.params,
    design: kind,
    items,
    raters,
    ratings,
    ...(question.scenario === "ordinal" ? { analysis: "clmm" } : {}),
  };
  const { replicates = REPLICATES[question.scenario], ...rest } = options;
  return simulatePower(FAMILIES[question.scenario], params, {
    ...rest,
    ...(options.precision === undefined ? { replicates } : {}),
  });
}

/** With a target the frontier goes on a little beyond the cheapest design that has it. */
const FRONTIER_BEYOND = 1.2;

function makeRequest(question: DesignQuestion): SearchRequest {
  const { scenario, prices, design = "k-of-m", budget, power } = question;
  checkPrices(prices);
  if ((budget === undefined) === (power === undefined)) {
    throw new StatError(
      "MissingParameter",
      "what is fixed, the budget or the power?",
      "Give `budget` or `power`, one of them.",
    );
  }
  if (budget !== undefined && !(budget > 0))
    throw new StatError("BadParameter", `a budget of ${budget}.`, "give an amount above 0.");
  const params = checkParameters(FAMILIES[scenario], question.params);
  if (scenario === "head-to-head" && design === "lists") {
    throw new StatError("ImpossibleDesign", "lists of comparisons.", "use k-of-m: a rater sees both outputs at once.");
  }
  const alpha = params["alpha"] as number;
  checkAlpha(alpha);
  if (power !== undefined) checkTarget(power, alpha);
  const items = checkLimits([question.leastItems ?? LEAST_ITEMS, question.mostItems ?? MOST_ITEMS], "items", 2);
  return {
    prices,
    ...spread(scenario, params),
    textsPerRating: scenario === "head-to-head" ? 1 : 2,
    alpha,
    twoSided: params["oneSided"] !== true,
    z: scenario !== "likert" || params["test"] === "z",
    kind: design,
    raters: checkLimits(question.raters ?? RATERS, "raters", 2),
    ratings: checkLimits(question.ratings ?? RATINGS, "ratings", 1),
    leastItems: items[0],
    mostItems: items[1],
    perRater: question.perRater,
  };
}

/** The effect on the scale of its test, and how a design spreads its estimate. */
function spread(scenario: DesignScenario, params: ScenarioParameters): Pick<SearchRequest, "effect" | "variance"> {
  if (scenario === "head-to-head") return judgementVariance(params);
  const beta = params["beta"] as number | undefined;
  const effect =
    scenario === "ordinal"
      ? ordinalEffect(params)
      : beta !== undefined
        ? 2 * beta
        : requireNumber(params, "effect", scenario);
  requireEffect(effect, "effect");
  const sds = scenario === "likert" ? likertSds(params) : ordinalSlopes(params, effect);
  return { effect, variance: (design) => differenceVariance(design, sds) };
}

function checkLimits(limits: readonly [number, number], name: string, least: number): readonly [number, number] {
  const [from, to] = limits;
  if (Number.isInteger(from) && Number.isInteger(to) && from >= least && to >= from) return limits;
  throw new StatError(
    "BadParameter",
    `${name} from ${from} to ${to}.`,
    `give two whole numbers, rising, from ${least} on.`,
  );
}

function choose(request: SearchRequest, budget: number | undefined, target: number | undefined): PricedDesign {
  if (budget !== undefined) {
    const best = bestForBudget(request, budget);
    if (best === undefined) throw refuseBudget(request, budget);
    return best;
  }
  const best = cheapestForPower(request, target!);
  if (best !== undefined) return best;
  const top = bestForBudget(request, Number.MAX_VALUE);
  if (top === undefined) throw refuseBudget(request, Number.MAX_VALUE);
  throw new StatError(
    "OutOfReach",
    `no design within the limits has a power of ${target}: ${top.design.items} items and ${top.design.raters} raters have ${formatNumber(top.power)}.`,
    "allow more raters (`raters`), or accept a lower power.",
  );
}

const pointOf = ({ design, cost, power }: PricedDesign, request: SearchRequest): FrontierPoint => ({
  cost,
  items: design.items,
  raters: design.raters,
  ratings: design.ratings,
  totalRatings: answerCount(design, request),
  power,
});

function judge({ power, se }: { power: number; se: number }, target: number | undefined): Diagnostic[] {
  if (target === undefined || power >= target) return [];
  return [
    warning(
      "BelowTarget",
      `the design does not have the power of ${formatNumber(target)}: by simulation it has ${formatBeside(power, target)} (SE ${formatNumber(se)}).`,
      "allow more raters, items or ratings (`raters`, `items`, `ratings`), or draw more experiments (`replicates`).",
    ),
  ];
}

interface SentenceFacts {
  readonly scenario: DesignScenario;
  readonly win: number | undefined;
  readonly ratings: number;
  readonly cost: number;
  readonly power: number;
  readonly se: number;
  readonly effect: number;
  readonly alpha: number;
  readonly replicates: number;
}

const MODELS: Readonly<Record<DesignScenario, string>> = {
  likert: "a linear mixed model",
  ordinal: "an ordinal probit mixed model",
  "head-to-head": "a logistic mixed model",
};

function sentenceFor(design: RatingDesign, facts: SentenceFacts): string {
  const { items, raters, ratings, kind } = design;
  const { scenario, cost, power, se, alpha, replicates } = facts;
  const judged = scenario === "head-to-head";
  const who =
    kind === "lists"
      ? `each text being rated by ${ratings} of ${raters} raters, none of whom sees an item under both systems`
      : `each item being ${judged ? "judged" : "rated under both systems"} by ${ratings} of ${raters} raters`;
  return (
    `We compare the systems on ${items} items, ${who} (${facts.ratings} ${judged ? "judgements" : "ratings"}, cost ${formatNumber(cost)}). ` +
    `If ${assumed(facts)}, ${MODELS[scenario]} finds this at α = ${formatNumber(alpha)} with a power of ${power.toFixed(3)} ` +
    `(${formatNumber(replicates, "integer")} simulated experiments, SE ${se.toFixed(3)}).`
  );
}

function assumed({ scenario, effect, win }: SentenceFacts): string {
  if (scenario === "head-to-head") return `${formatNumber(100 * win!)} % of the judgements favour the new system`;
  return `they differ by ${formatNumber(effect)}${scenario === "ordinal" ? " latent standard deviations" : ""}`;
}

function missedNote({ missed }: FieldsOf<DesignResult>): string[] {
  if (missed.length === 0) return [];
  const shown = missed.map((own) => `${formatNumber(own.cost)} (${own.simulatedPower.toFixed(3)})`);
  return [`Cheaper designs have the power by the approximation, but not in the simulation: for ${shown.join(", ")}.`];
}

function headline({ best, target, scenario }: FieldsOf<DesignResult>): string {
  const { items, raters, ratings, cost, simulatedPower: power, se } = best;
  const rounded = power.toFixed(3);
  const tells = target === undefined || Number(rounded) >= target === power >= target;
  const what = `${formatNumber(items, "integer")} items, ${raters} raters, ${ratings} ${scenario === "head-to-head" ? "judgements of each item" : "ratings of each text"}: power ${tells ? rounded : formatBeside(power, target)} ± ${se.toFixed(3)} for ${formatNumber(cost)}`;
  if (target === undefined) return `${what}.`;
  if (power < target)
    return `${what}, less than the ${formatNumber(target)} asked for: no design that was tried has it.`;
  return `${what}, the cheapest found that has ${formatNumber(target)}.`;
}

/** Rows of the frontier that a screen has room for. */
const MOST_ON_SCREEN = 6;

function displayDesign(result: FieldsOf<DesignResult>): Display {
  const { best, budget, target, prices, replicates } = result;
  const asked =
    budget === undefined
      ? `a power of ${formatNumber(target!)} for the least money`
      : `the most power for ${formatNumber(budget)}`;
  const paid = Object.entries({
    item: prices.item,
    rater: prices.rater,
    rating: prices.rating,
    "judge call": prices.judgeCall,
  })
    .filter(([, price]) => price > 0)
    .map(([what, price]) => `${formatNumber(price)} per ${what}`);
  const head = ["cost", "items", "raters", "ratings/text", "ratings", "power"];
  const formats = ["number", "integer", "integer", "integer", "integer", "number"] as const;
  const row = (point: FrontierPoint): number[] => [
    point.cost,
    point.items,
    point.raters,
    point.ratings,
    point.totalRatings,
    point.power,
  ];
  const wanted = `Wanted: ${asked}. Prices: ${paid.join(", ")}.`;
  const byCost = (points: readonly FrontierPoint[]): DisplayTable => ({
    caption: "Best design by cost",
    head,
    formats: [...formats],
    rows: points.map(row),
  });
  const stated = result.parameters.filter(({ name }) => !["items", "raters", "ratings"].includes(name));
  const drawn = `The best design by simulation (${formatNumber(replicates, "integer")} experiments${target === undefined || best.simulatedPower < target ? "" : ", simulated again after the choice"}, seed ${result.signature.seed}), the others by the approximation; it gives the best one ${formatNumber(best.power)}.`;
  return {
    title: `Design: ${result.title}`,
    summary: [headline(result), wanted],
    screen: planScreen(headline(result), {
      plan: result.title,
      tables: [byCost(thinned(result.frontier, MOST_ON_SCREEN))],
      summary: [wanted, ...missedNote(result), drawn],
      parameters: stated,
    }),
    tables: [
      {
        caption: "Best design",
        head: ["cost", "items", "raters", "ratings/text", "ratings", "power", "± SE"],
        formats: [...formats, "number"],
        rows: [[...row({ ...best, power: best.simulatedPower }), best.se]],
      },
      byCost(result.frontier),
      parameterTable(stated),
    ],
    charts: [
      {
        x: "cost",
        y: "power",
        series: [{ name: "best design", points: result.frontier.map(({ cost, power }) => [cost, power] as const) }],
        yRange: [0, 1],
        guide: target ?? USUAL_POWER,
        guideName: `power ${formatNumber(target ?? USUAL_POWER)}`,
      },
    ],
    notes: [...missedNote(result), drawn, `For the paper: ${result.sentence}`],
  };
}
