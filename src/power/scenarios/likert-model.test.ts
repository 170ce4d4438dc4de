import { describe, expect, it } from "vitest";
import { type Column, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { type LmmProblem, prepareLmm } from "../../models/lmm/problem.ts";
import { simulateInto } from "../../models/lmm/simulate.ts";
import { tSf } from "../../numeric/dist/t.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { isEstimable, layOutDesign, planDesign, type RatingDesign } from "../designs/designs.ts";
import { CORRELATED, fitRatings, ratingModel, testRatings, trueTheta, UNCORRELATED } from "./likert-model.ts";

const DESIGNS = 20;
const KINDS = ["crossed", "k-of-m", "lists", "latin"] as const;
const rng = makeRng("simulated analyses");

/** A design of the kind with 2 to 30 raters and 5 to 60 items. */
function randomDesign(kind: (typeof KINDS)[number], draw: Rng): RatingDesign {
  for (;;) {
    const items = 5 + draw.int(56);
    const raters = 2 + draw.int(29);
    const ratings = 2 + draw.int(5);
    try {
      const design =
        kind === "crossed"
          ? planDesign({ items, raters: raters, design: "crossed" })
          : kind === "k-of-m"
            ? planDesign({ items, raters: Math.max(raters, ratings), ratings, design: "k-of-m" })
            : planDesign({
                items,
                ratings,
                raters: ratings * (2 + draw.int(Math.max(1, Math.floor(30 / ratings) - 1))),
                design: "lists",
                ...(kind === "latin" ? { listLength: 2 + draw.int(4) } : {}),
              });
      if (isEstimable(design) && design.raters <= 30) return design;
    } catch {
      // not every number of raters comes out even
    }
  }
}

/** Standard deviations of which about one in three is 0, so that the fit is singular. */
const randomSds = (draw: Rng) => {
  const sd = (): number => (draw.uniform() < 0.33 ? 0 : 0.6 * draw.uniform());
  return { raterIntercept: sd(), raterSlope: sd(), itemIntercept: sd(), itemSlope: sd() };
};

function tableOf(design: RatingDesign, y: Float64Array, codes: readonly [number, number]): Table {
  const { item, rater, system } = layOutDesign(design);
  const factor = (codes: Int32Array, count: number): Column => ({
    kind: "factor",
    codes,
    levels: Array.from({ length: count }, (_, k) => `level ${k}`),
    ordered: false,
  });
  return makeTable([
    ["y", numericColumn(y)],
    ["x", numericColumn(Float64Array.from(system, (s) => codes[s]!))],
    ["rater", factor(rater, design.raters)],
    ["item", factor(item, design.items)],
  ]);
}

interface Model {
  readonly formula: string;
  readonly codes: readonly [number, number];
  readonly criterion: "ML" | "REML";
}
const LIKERT: Model = { formula: UNCORRELATED, codes: [-1, 1], criterion: "REML" };
/** How ratings on a scale of few points are analysed beside the ordinal model. */
const ORDINAL: Model = { formula: CORRELATED, codes: [0, 1], criterion: "ML" };

interface Experiment {
  readonly model: Model;
  readonly design: RatingDesign;
  readonly problem: LmmProblem;
  readonly y: Float64Array;
}

function simulate(design: RatingDesign, model: Model, draw: Rng): Experiment {
  const { formula, codes, criterion } = model;
  const problem = prepareLmm(ratingModel(design, formula, codes), { criterion });
  const y = new Float64Array(problem.nobs);
  const residual = 0.1 + draw.uniform();
  const theta = trueTheta(problem.structure, randomSds(draw), residual);
  simulateInto(y, problem, { theta, beta: [0.5, 0.4 * draw.normal()], sigma: residual }, draw.stream(0));
  return { model, design, problem, y };
}

const refit = ({ model, design, y }: Experiment, ddf: "satterthwaite" | "kenward-roger") =>
  fitLmm(model.formula, tableOf(design, y, model.codes), { ddf, criterion: model.criterion });

/** Experiments whose numbers, or verdicts, are not those of fitLmm. */
function compare(experiment: Experiment, test: "satterthwaite" | "kenward-roger"): string[] {
  const { design, problem, y } = experiment;
  const fit = refit(experiment, test);
  const { value, se, df, statistic, p } = fit.coefficients[1]!;
  const own = fitRatings(problem, y, test).inference();
  const pairs = [
    ["estimate", own.b, value],
    ["se", own.se, se],
    ["df", own.df, df],
    ["p", 2 * tSf(Math.abs(own.b / own.se), own.df), p],
  ] as const;
  const where = `${design.kind}, ${design.items} items, ${design.raters} raters, ${design.ratings} ratings`;
  const wrong: string[] = pairs
    .filter(([, mine, theirs]) => !(Math.abs(mine - theirs) <= 1e-6 * Math.abs(theirs)))
    .map(([name, mine, theirs]) => `${where}: ${name} ${mine} for ${theirs}`);
  for (const alpha of [0.05, p * 0.999, Math.min(0.999, p * 1.001)]) {
    const { significant } = testRatings(problem, y, { test, alpha, twoSided: true, unit: 2, sign: 1 });
    if (significant !== p <= alpha) wrong.push(`${where}: significant at ${alpha} with p = ${p}`);
  }
  const one = testRatings(problem, y, { test, alpha: 0.05, twoSided: false, unit: 2, sign: 1 });
  if (one.significant !== (statistic > 0 && p / 2 <= 0.05)) wrong.push(`${where}: one-sided`);
  return wrong;
}

/** Experiment k of a series; every sixth is analysed as the ordinal scenario does. */
function draw(series: Rng, k: number): Experiment {
  const own = series.stream(k);
  return simulate(randomDesign(KINDS[k % KINDS.length]!, own), k % 6 === 5 ? ORDINAL : LIKERT, own);
}

describe("the analysis of a simulated experiment is that of fitLmm on the same ratings", () => {
  const experiments = Array.from({ length: DESIGNS }, (_, k) => draw(rng, k));

  it("in designs of every kind, in singular fits and in others", () => {
    const singular = experiments.map((experiment) => refit(experiment, "satterthwaite").singular);
    expect(singular.filter(Boolean).length).toBeGreaterThanOrEqual(6);
    expect(singular.filter((is) => !is).length).toBeGreaterThanOrEqual(6);
    expect(new Set(experiments.map(({ design }) => design.kind)).size).toBe(3);
    expect(experiments.some(({ design }) => design.listLength !== undefined)).toBe(true);
  });

  it("Satterthwaite: estimate, standard error, df, p and verdict", () => {
    expect(experiments.flatMap((experiment) => compare(experiment, "satterthwaite"))).toEqual([]);
  });

  it("where df or p hang on the digits of the variances at which the search for them stops", () => {
    const found = [122, 138, 148, 164].map((k) => draw(makeRng("probe"), k));
    expect(found.flatMap((experiment) => compare(experiment, "satterthwaite"))).toEqual([]);
  });

  it("Kenward and Roger: estimate, standard error, df, p and verdict", () => {
    const reml = experiments.filter(({ model }) => model.criterion === "REML").slice(0, 12);
    expect(reml.flatMap((experiment) => compare(experiment, "kenward-roger"))).toEqual([]);
  });

  it("where there are so many raters that the df are not always worked out", () => {
    const large = [
      { items: 62, raters: 61, ratings: 4, design: "k-of-m" },
      { items: 90, raters: 60, ratings: 3, design: "lists" },
      { items: 64, raters: 64, ratings: 4, design: "lists", listLength: 5 },
    ] as const;
    const found = large.map((request, k) => simulate(planDesign(request), LIKERT, rng.stream(1000 + k)));
    expect(found.flatMap((experiment) => compare(experiment, "satterthwaite"))).toEqual([]);
    for (const experiment of found) {
      const df = refit(experiment, "satterthwaite").coefficients[1]!.df;
      expect(df).toBeGreaterThan(experiment.design.raters / 4);
    }
  });
});
