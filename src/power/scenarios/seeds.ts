/** Claims about a training procedure: S training runs of each of two procedures, scored on the same n items (Card et al. 2020, App. A).
 *      y_pri = μ_p + item_i + s_pr + d_pi + e_pri       s ~ N(0, σ_s²) run,  d ~ N(0, σ_d²) item by procedure,  e ~ N(0, σ_e²)
 *      Var(Δ̂) = 2σ_s²/S + 2σ_d²/n + 2σ_e²/(Sn) = (2/(Sn)) (E MS_s + E MS_d - E MS_e)
 *  Parameters are the SDs that one sees: of a run's mean (`seedSd` σ_s), of an item's difference between the procedures (`itemSd` √2 σ_d), of an
 *  item's score from run to run (`runItemSd` σ_e). The test is t with Satterthwaite's df, from the mean squares of the balanced analysis, a run's or an
 *  item's component that comes out below 0 being taken for 0; on a fixed test set it is the two-sample t test of the runs' means, on 2(S - 1) df.
 *    exact    the t test given the mean squares is a normal law; averaged over theirs (independent χ²) by Gauss rules
 *    approx   noncentral t with Satterthwaite's df at the true variances
 *  Reference: Card et al. (2020), EMNLP, App. A; Bouthillier et al. (2021), MLSys; Satterthwaite (1946), Biometrics Bull. 2.
 *  Oracle:    two-sample t (power.t.test) on a fixed test set — 1e-10; simulated experiments and their mixed-model fits (seeds.test.ts,
 *             test/calibration/seeds.calibrate.ts).
 *  Limits:    as many runs of either procedure, normal components, items crossed with runs. */

import { chiSquareCdf, chiSquareQuantile, chiSquareQuantileUpper } from "../../numeric/dist/chi-square.ts";
import { normalCdf, normalPdf, normalQuantile, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { gaussHermite, gaussLegendre } from "../../numeric/gauss.ts";
import { gammaVariate } from "../../numeric/rng/gamma.ts";
import type { Rng } from "../../numeric/rng.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { normalFigures } from "../normal-figures.ts";
import { requireSd } from "../published-settings.ts";
import {
  checkAlpha,
  checkParameters,
  type Outcome,
  type PowerFigures,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type SizeBounds,
} from "../scenario.ts";
import { SEEDS } from "../specs.ts";
import { tFigures } from "../t-figures.ts";

/** Effects are searched up to this many standard deviations. */
const LARGEST_EFFECT_SD = 1000;

export const seedsFamily: ScenarioFamily = {
  ...SEEDS,
  make: (params) => makeSeedsScenario(checkParameters(seedsFamily, params)),
  withoutEffect: (params) => ({ ...params, delta: 1e-9 }),
  effectRange: (params) => {
    const {
      seedSd = 0,
      itemSd = 0,
      runItemSd = 0,
    } = params as { seedSd?: number; itemSd?: number; runItemSd?: number };
    for (const [name, value] of Object.entries({ seedSd, itemSd, runItemSd })) requireSd(value, name);
    return { from: 0, to: LARGEST_EFFECT_SD * (seedSd + itemSd + runItemSd || 1) };
  },
  sizeBounds,
};

function sizeBounds({ items, seeds, testSet }: ScenarioParameters, size: string): SizeBounds {
  const bounds = { least: 2, most: Number.POSITIVE_INFINITY, step: 1 };
  const held = (parameter: string, value: number, noun: string, why: string): SizeBounds => ({
    ...bounds,
    held: { parameter, value, step: 1, noun, why },
  });
  if (size === "items" && typeof seeds === "number") {
    return held("seeds", seeds, "seeds", "training runs differ however many items score them");
  }
  if (size === "seeds" && typeof items === "number" && testSet !== "fixed") {
    return held("items", items, "items", "other items would show another difference");
  }
  return bounds;
}

interface SeedsLaw {
  readonly items: number;
  readonly seeds: number;
  readonly delta: number;
  /** Expected mean squares: runs, items by procedures, the rest. */
  readonly expected: readonly [number, number, number];
  readonly fixed: boolean;
  readonly alpha: number;
  readonly twoSided: boolean;
}

function readLaw(params: ScenarioParameters): SeedsLaw {
  const items = requireNumber(params, "items", "seeds");
  const seeds = requireNumber(params, "seeds", "seeds");
  const delta = requireNumber(params, "delta", "seeds");
  const alpha = params["alpha"] as number;
  const fixed = params["testSet"] === "fixed";
  const sd = (name: string): number => requireSd(requireNumber(params, name, "seeds"), name);
  const [seedSd, itemSd, runItemSd] = [sd("seedSd"), fixed ? 0 : sd("itemSd"), sd("runItemSd")];
  for (const [name, count] of [
    ["seeds", seeds],
    ["items", items],
  ] as const) {
    if (count >= 2) continue;
    throw new StatError("TooFew", `${name} = ${count} shows no spread.`, "give at least 2.");
  }
  requireEffect(delta, "delta");
  checkAlpha(alpha);
  if (seedSd === 0 && runItemSd === 0 && itemSd === 0) {
    throw new StatError(
      "NoSpread",
      "all standard deviations are 0: every difference would be found.",
      "give one above 0.",
    );
  }
  const rest = runItemSd ** 2;
  return {
    items,
    seeds,
    delta,
    expected: [items * seedSd ** 2 + rest, (seeds * itemSd ** 2) / 2 + rest, rest],
    fixed,
    alpha,
    twoSided: params["oneSided"] !== true,
  };
}

const varianceOf = ({ items, seeds, expected: [s, d, e], fixed }: SeedsLaw): number =>
  (2 / (seeds * items)) * (fixed ? s : s + d - e);

/** Of the three mean squares. */
const dfOf = ({ items, seeds }: SeedsLaw): readonly [number, number, number] => [
  2 * (seeds - 1),
  items - 1,
  2 * (seeds - 1) * (items - 1),
];

/** The estimated variance of the difference with its degrees of freedom. */
function estimate(law: SeedsLaw, [s, d, e]: readonly [number, number, number]): { variance: number; df: number } {
  const [fs, fd, fe] = dfOf(law);
  const factor = 2 / (law.seeds * law.items);
  if (law.fixed) return { variance: factor * s, df: fs };
  const [runs, cells] = [Math.max(s, e), Math.max(d, e)];
  const sum = runs + cells - e;
  return { variance: factor * sum, df: (sum * sum) / ((runs * runs) / fs + (cells * cells) / fd + (e * e) / fe) };
}

function makeSeedsScenario(params: ScenarioParameters): Scenario {
  const law = readLaw(params);
  const { items, seeds, delta, alpha, fixed, twoSided } = law;
  const value = (name: string): number => params[name] as number;
  return {
    name: "seeds",
    title: seedsFamily.title,
    effect: delta,
    alpha,
    parameters: [
      { name: "items", value: items, meaning: "items that every run is scored on" },
      { name: "seeds", value: seeds, meaning: "training runs of each procedure" },
      { name: "delta", value: delta, meaning: "true difference of the procedures" },
      { name: "seedSd", value: value("seedSd"), meaning: "SD of a run's mean score" },
      ...(fixed ? [] : [{ name: "itemSd", value: value("itemSd"), meaning: "SD of an item's difference, over items" }]),
      { name: "runItemSd", value: value("runItemSd"), meaning: "SD of an item's score from run to run" },
      { name: "SE", value: Math.sqrt(varianceOf(law)), meaning: "of the estimated difference" },
      {
        name: "test",
        value: fixed ? "t on the runs' means" : "t, Satterthwaite's df",
        meaning: twoSided ? "two-sided" : "one-sided",
      },
    ],
    assumptions: [
      fixed
        ? "The claim is about new training runs on this very test set."
        : "The claim is about new training runs on new items like these.",
      "Runs, items and what is left vary independently and about normally; either procedure has as many runs.",
    ],
    diagnostics: fewRuns(law),
    analyses: [fixed ? "t, runs" : "t, runs and items"],
    exactPower: () => (fixed ? tOf(law) : averageFigures(law)),
    approximatePower: () => tOf(law),
    simulate: (rng) => [drawExperiment(law, rng)],
  };
}

/** Runs on the noncentral t: the law itself on a fixed test set, an approximation with items. */
function tOf(law: SeedsLaw): PowerFigures {
  const { df } = estimate(law, law.expected);
  const se = Math.sqrt(varianceOf(law));
  const { alpha, twoSided, delta } = law;
  return tFigures({ ncp: delta / se, df, alpha, twoSided });
}

/** Nodes for mean squares of few, of more and of many degrees of freedom, and between a floor and the end of the line. */
const NODES = [28, 14, 7] as const;
const nodesFor = (df: number): number => (df < 12 ? NODES[0] : df < 200 ? NODES[1] : NODES[2]);
const ABOVE_FLOOR = 32;
/** Beyond it a normal variate counts as impossible. */
const FARTHEST = 7;

interface Rule {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** The mean square at a standard normal z, in units of its expectation: its law is smooth in it. */
const squareAt = (z: number, df: number): number =>
  (z < 0 ? chiSquareQuantile(normalCdf(z), df) : chiSquareQuantileUpper(normalSf(z), df)) / df;

/** The law of max(mean square, floor); a floor within reach is a kink, from which the rule starts. */
function ruleOf(mean: number, df: number, floor = 0): Rule {
  if (mean === 0) return { values: [floor], weights: [1] };
  const below = floor === 0 ? 0 : chiSquareCdf((floor * df) / mean, df);
  const kink = below === 0 ? Number.NEGATIVE_INFINITY : normalQuantile(below);
  if (kink < -FARTHEST) {
    const { nodes, weights } = gaussHermite(nodesFor(df), "normal");
    return { values: Array.from(nodes, (z) => mean * squareAt(z, df)), weights: Array.from(weights) };
  }
  if (kink > FARTHEST) return { values: [floor], weights: [1] };
  const { nodes, weights } = gaussLegendre(ABOVE_FLOOR);
  const half = (FARTHEST - kink) / 2;
  const z = Array.from(nodes, (x) => kink + half * (1 + x));
  return {
    values: [floor, ...z.map((own) => mean * squareAt(own, df))],
    weights: [below, ...z.map((own, i) => half * weights[i]! * normalPdf(own))],
  };
}

function averageFigures(law: SeedsLaw): PowerFigures {
  const { delta, alpha, twoSided, expected } = law;
  const sd = Math.sqrt(varianceOf(law));
  const tail = twoSided ? alpha / 2 : alpha;
  const df = dfOf(law);
  const rest = ruleOf(expected[2], df[2]);
  let [power, rejection, size] = [0, 0, 0];
  rest.values.forEach((e, k) => {
    const [runs, cells] = [ruleOf(expected[0], df[0], e), ruleOf(expected[1], df[1], e)];
    runs.values.forEach((s, i) => {
      cells.values.forEach((d, j) => {
        const found = estimate(law, [s, d, e]);
        const quantile = found.df > 1e6 ? normalQuantileUpper(tail) : tQuantileUpper(tail, found.df);
        const own = normalFigures({ effect: delta, sd, threshold: quantile * Math.sqrt(found.variance), twoSided });
        const w = runs.weights[i]! * cells.weights[j]! * rest.weights[k]!;
        power += w * own.power;
        rejection += w * own.rejection;
        if (own.rejection > 0) size += w * own.rejection * own.typeM;
      });
    });
  });
  return { power, rejection, typeM: size / rejection, typeS: (rejection - power) / rejection };
}

/** Difference and mean squares of a balanced normal experiment are independent: no scores need be drawn. */
function drawExperiment(law: SeedsLaw, rng: Rng): Outcome {
  const { delta, alpha, twoSided } = law;
  const difference = delta + Math.sqrt(varianceOf(law)) * rng.normal();
  const df = dfOf(law);
  const squares = law.expected.map((mean, k) => (mean === 0 ? 0 : (mean * 2 * gammaVariate(rng, df[k]! / 2)) / df[k]!));
  const found = estimate(law, squares as unknown as [number, number, number]);
  const t = difference / Math.sqrt(found.variance);
  const critical = tQuantileUpper(twoSided ? alpha / 2 : alpha, found.df);
  const significant = twoSided ? Math.abs(t) > critical : Math.sign(delta) * t > critical;
  return { estimate: difference, significant, failed: Number.isNaN(t) };
}

const FEW_RUNS = 3;

function fewRuns({ seeds }: SeedsLaw): Diagnostic[] {
  if (seeds >= FEW_RUNS) return [];
  return [
    warning(
      "FewRuns",
      `${seeds} runs of each procedure leave ${2 * (seeds - 1)} degrees of freedom for how much runs differ.`,
      "train more, or claim only what these very models do.",
    ),
  ];
}
