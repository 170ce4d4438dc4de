/** How many training runs and how many items: the cheapest plan with the wanted power, or the most power for a budget.
 *      cost = 2 S (price of a run + n price of scoring an item once) + n price of an item
 *  For each number of runs the fewest items with the power are found by bisection (power rises in both), and the cheapest is kept.
 *  Reference: Card et al. (2020), EMNLP, App. A; Bouthillier et al. (2021), MLSys.
 *  Oracle:    all plans of a small range, one by one (scenarios/seeds.test.ts). */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { parameterTable } from "../result.ts";
import { checkParameters, type ScenarioParameters, type StatedParameter } from "../scenario.ts";
import { seedsFamily } from "../scenarios/seeds.ts";
import { planScreen } from "../screen.ts";
import { alphaOf, checkTarget } from "./solve.ts";

export interface SeedPrices {
  /** Of one training run, of one item, and of scoring one run on one item. */
  readonly run: number;
  readonly item: number;
  readonly scoring: number;
}

export interface SeedPlan {
  readonly seeds: number;
  readonly items: number;
  readonly cost: number;
  readonly power: number;
}

export interface SeedDesignQuestion {
  readonly params: ScenarioParameters;
  readonly prices: Partial<SeedPrices>;
  /** One of the two. */
  readonly power?: number | undefined;
  readonly budget?: number | undefined;
  /** Runs of each procedure, and items, that may be had. */
  readonly seeds?: readonly [least: number, most: number] | undefined;
  readonly items?: readonly [least: number, most: number] | undefined;
}

export interface SeedDesignResult extends Result<"seed-design"> {
  readonly best: SeedPlan;
  /** For each number of runs: the fewest items with the power, or as many as the budget allows. */
  readonly plans: readonly SeedPlan[];
  readonly prices: SeedPrices;
  readonly target?: number;
  readonly budget?: number;
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
}

export type SeedDesignJson = JsonOf<SeedDesignResult>;

const USUAL_SEEDS = [2, 30] as const;
const USUAL_ITEMS = [10, 100_000] as const;

export function planSeeds(question: SeedDesignQuestion): SeedDesignResult {
  const { power: target, budget, seeds = USUAL_SEEDS, items = USUAL_ITEMS } = question;
  const prices: SeedPrices = { run: 0, item: 0, scoring: 0, ...question.prices };
  const params = checkParameters(seedsFamily, question.params, ["items", "seeds"]);
  checkQuestion(question, prices, params);
  const powerOf = (S: number, n: number): number =>
    seedsFamily.make({ ...params, seeds: S, items: n }).exactPower!().power;
  const costOf = (S: number, n: number): number => 2 * S * (prices.run + n * prices.scoring) + n * prices.item;
  const plan = (S: number, n: number): SeedPlan => ({ seeds: S, items: n, cost: costOf(S, n), power: powerOf(S, n) });
  const plans: SeedPlan[] = [];
  for (let S = seeds[0]; S <= seeds[1]; S++) {
    const n = target === undefined ? affordable(S) : fewest(S, target);
    if (n !== undefined) plans.push(plan(S, n));
  }
  function affordable(S: number): number | undefined {
    const each = 2 * S * prices.scoring + prices.item;
    const left = budget! - 2 * S * prices.run;
    const n = Math.min(items[1], each === 0 ? items[1] : Math.floor(left / each));
    return left < 0 || n < items[0] ? undefined : n;
  }
  function fewest(S: number, wanted: number): number | undefined {
    if (powerOf(S, items[1]) < wanted) return undefined;
    let [low, high] = [items[0] - 1, items[1]];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (powerOf(S, middle) >= wanted) high = middle;
      else low = middle;
    }
    return high;
  }
  if (plans.length === 0) throw nothingFits(question, seeds, items);
  const better = (a: SeedPlan, b: SeedPlan): SeedPlan =>
    target === undefined ? (b.power > a.power ? b : a) : b.cost < a.cost ? b : a;
  const best = plans.reduce(better);
  const scenario = seedsFamily.make({ ...params, seeds: best.seeds, items: best.items });
  const fields: FieldsOf<SeedDesignResult> = {
    signature: {
      method: "design/seeds",
      version: GOSSET_VERSION,
      options: { ...params, prices, ...(target === undefined ? { budget } : { power: target }) },
      data: "",
    },
    diagnostics: scenario.diagnostics,
    best,
    plans,
    prices,
    ...present({ target, budget }),
    parameters: scenario.parameters,
    assumptions: scenario.assumptions,
  };
  return makeResult("seed-design", fields, displayPlan);
}

function checkQuestion(
  { power, budget, seeds, items }: SeedDesignQuestion,
  prices: SeedPrices,
  params: ScenarioParameters,
): void {
  const fault = (found: string, fix: string): StatError => new StatError("BadParameter", found, fix);
  if ((power === undefined) === (budget === undefined)) {
    throw fault(
      power === undefined ? "neither power nor budget is given." : "power and budget are both given.",
      "give one of them.",
    );
  }
  if (power !== undefined) checkTarget(power, alphaOf(seedsFamily, params));
  if (budget !== undefined && !(budget > 0 && Number.isFinite(budget))) {
    throw fault(`budget = ${budget}.`, "it must be a number above 0.");
  }
  const wrong = Object.entries(prices).find(([, price]) => !(price >= 0 && Number.isFinite(price)));
  if (wrong !== undefined) throw fault(`a price of ${wrong[1]} (${wrong[0]}).`, "it must be a number of 0 or more.");
  if (Object.values(prices).every((price) => price === 0)) {
    throw fault("nothing has a price.", "give the price of a run, of an item or of scoring one.");
  }
  for (const [name, range] of [
    ["seeds", seeds],
    ["items", items],
  ] as const) {
    if (range === undefined || (range[0] >= 2 && range[1] >= range[0])) continue;
    throw fault(`${name} from ${range[0]} to ${range[1]}.`, "give the least, at least 2, and the most.");
  }
}

function nothingFits(
  { power, budget }: SeedDesignQuestion,
  seeds: readonly [number, number],
  items: readonly [number, number],
): StatError {
  const what = power === undefined ? `a budget of ${budget} buys no plan` : `no plan has a power of ${power}`;
  return new StatError(
    "NoDesign",
    `${what} with ${seeds[0]} to ${seeds[1]} runs and ${items[0]} to ${items[1]} items.`,
    power === undefined
      ? "allow fewer runs or items, or more money."
      : "allow more runs or items, or accept a lower power.",
  );
}

/** Plans on either side of the best that a screen has room for. */
const BESIDE_BEST = 3;

function displayPlan({ best, plans, target, budget, parameters, assumptions }: FieldsOf<SeedDesignResult>): Display {
  const number = (value: number): string => formatNumber(value, "integer");
  const found = `${number(best.seeds)} runs of each procedure on ${number(best.items)} items: power ${formatNumber(best.power)} for ${formatNumber(best.cost)}${target === undefined ? ` of ${formatNumber(budget!)}` : ", the cheapest plan"}.`;
  const table = (rows: typeof plans): DisplayTable => ({
    caption: target === undefined ? "What the budget buys" : `Fewest items with a power of ${formatNumber(target)}`,
    head: ["seeds", "items", "cost", "power"],
    formats: ["integer", "integer", "number", "number"],
    rows: rows.map(({ seeds, items, cost, power }) => [seeds, items, cost, power]),
  });
  const at = plans.findIndex(({ seeds }) => seeds === best.seeds);
  const from = Math.max(0, Math.min(at - BESIDE_BEST, plans.length - 2 * BESIDE_BEST - 1));
  return {
    title: "Runs and items for a claim about a training procedure",
    summary: [found],
    tables: [table(plans), parameterTable(parameters)],
    notes: [...assumptions],
    screen: planScreen(found, {
      plan: "a claim about a training procedure",
      tables: [table(plans.slice(from, from + 2 * BESIDE_BEST + 1))],
      parameters,
      assumptions,
    }),
  };
}
