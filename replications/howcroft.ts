/** Howcroft & Rieser (2021): power of ordinal and of linear mixed models of the same ratings. */

import { normalPdf } from "../src/distributions.ts";
import { fitClm } from "../src/index.ts";
import { momentsOf, numbersOf, quantileOf, textsOf } from "./cells.ts";
import { HOWCROFT_MAIN, howcroftCells, type OrdinalCellPower, simulateHowcroft } from "./ordinal-figures.ts";
import {
  compareWith,
  FOUR_ERRORS,
  type Lab,
  type Picture,
  type Reproduction,
  type ReproductionRow,
  shareError,
} from "./reproduction.ts";

/** lmerTest on 200 data sets of its own, 50 items x 3 ratings: oracle/r/howcroft-power.json. */
const R_SETS = 200;
export const R_POWER: readonly (readonly [setting: string, effect: number, power: number])[] = [
  ["howcroft-low", 0.31, 0.305],
  ["howcroft-general", 0.31, 0.215],
  ["howcroft-high", 0.31, 0.125],
  ["howcroft-low", 0.62, 0.83],
  ["howcroft-general", 0.62, 0.71],
  ["howcroft-high", 0.62, 0.455],
];
const R_ITEMS = 50;
const R_RATINGS = 3;

const nameOf = ({ setting, items, ratings, effect }: OrdinalCellPower): string =>
  `${setting.replace("howcroft-", "")}, ${items} x ${ratings}, effect ${effect}`;

function cellRows(cell: OrdinalCellPower): ReproductionRow[] {
  const known = R_POWER.find(
    ([setting, effect]) =>
      setting === cell.setting && effect === cell.effect && cell.items === R_ITEMS && cell.ratings === R_RATINGS,
  );
  const linear = { name: "  linear", ours: cell.lmm.power };
  return [
    { name: `${nameOf(cell)}: ordinal`, ours: cell.clmm.power, tolerance: 0 },
    known === undefined
      ? { ...linear, tolerance: 0 }
      : {
          ...linear,
          r: known[2],
          tolerance: FOUR_ERRORS * Math.hypot(cell.lmm.se, shareError(known[2], R_SETS)),
        },
  ];
}

/** The paper's claim in one figure: how much more often the ordinal model sees the effect, on the same data. */
function claimRows(cells: readonly OrdinalCellPower[]): ReproductionRow[] {
  const gains = cells.map(({ clmm, lmm }) => clmm.power - lmm.power);
  return [
    {
      name: "ordinal minus linear, mean",
      ours: gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
      tolerance: 0,
    },
    { name: "cells in which ordinal is ahead", ours: gains.filter((gain) => gain > 0).length, tolerance: 0 },
    { name: "cells in which linear is ahead", ours: gains.filter((gain) => gain < 0).length, tolerance: 0 },
  ];
}

async function simulateCells({ rng, runner, task, progress, show }: Lab, settings: readonly string[]) {
  const cells = await simulateHowcroft(howcroftCells(settings), { rng, runner, task, onProgress: progress });
  show({
    kind: "curves",
    name: "power",
    x: "effect (units of the latent scale)",
    y: "power",
    percent: true,
    points: cells.flatMap(({ setting, items, ratings, effect, clmm, lmm }) => {
      const panel = `${setting.replace("howcroft-", "")}, ${items} items, ${ratings} ratings`;
      return [
        { panel, line: "ordinal", x: effect, ours: clmm.power, se: clmm.se },
        { panel, line: "linear", x: effect, ours: lmm.power, se: lmm.se },
      ];
    }),
  });
  return cells;
}

const MISALIGNED =
  "The paper shows curves without numbers. In the authors' code participants are numbered from 0 and used as indices, so that effects of participants are misaligned and only a third of their variance lies between participants: curves agree in order, not in height. Here the effects belong to the participants, as the text says.";
const CLAIM =
  "The text says that the ordinal model is always more likely to find the effect; see the last rows for how much.";

const figure2: Reproduction = {
  id: "howcroft-figure-2",
  paper: "howcroft2021",
  where: "Figure 2",
  shows: "power of ordinal and linear models, 72 cells of 100 data sets",
  data: [],
  reference: "lmerTest 3.1-3 on data sets of its own; both sides are simulated, ok is within four standard errors",
  seconds: 1500,
  lessons: [MISALIGNED, CLAIM],
  async run(lab) {
    const cells = await simulateCells(lab, HOWCROFT_MAIN);
    return [...cells.flatMap(cellRows), ...claimRows(cells)];
  },
};

const figure3: Reproduction = {
  ...figure2,
  id: "howcroft-figure-3",
  where: "Figure 3",
  shows: "the same with extreme variances, 48 cells",
  reference: "none: the paper shows curves",
  seconds: 1000,
  async run(lab) {
    const cells = await simulateCells(lab, ["howcroft-extra-low", "howcroft-extra-high"]);
    return [...cells.flatMap(cellRows), ...claimRows(cells)];
  },
};

const PPLM = "card2020/pplm_fluency_ratings.csv";

const modeOf = (counts: readonly number[]): number => {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].reduce((most, own) => (own[1] > most[1] ? own : most))[0];
};

/** Rating: share of the ratings, share by a normal density at the points of the scale, both in percent; threshold above it. */
const LAWS: readonly (readonly [share: number, normal: number, threshold: number | undefined])[] = [
  [2.8174073693934107, 1.25816800936943, -1.9083333330896146],
  [11.064353895104178, 12.33591487974401, -1.0856469370316155],
  [33.16740223750385, 38.07851497888244, -0.0740340771096423],
  [41.67607513086318, 37.00535335531002, 1.2120448122076934],
  [11.27476136713538, 11.32204877669411, undefined],
];

const EDGE = 0.45;
const FARTHEST = 3.5;

/** Ratings as they are, as points of an interval scale and as ranges of a latent one. */
function scalePicture(
  shares: readonly number[],
  { mean, sd }: { mean: number; sd: number },
  thresholds: readonly number[],
) {
  const bars = shares.map((high, k) => ({ from: k + 1 - EDGE, to: k + 1 + EDGE, high }));
  const curve = (from: number, to: number, at: (x: number) => number) =>
    Array.from({ length: 121 }, (_, k) => from + ((to - from) * k) / 120).map((x) => [x, at(x)] as const);
  const ticks = shares.map((_, k) => k + 1);
  const edges = [-FARTHEST, ...thresholds, FARTHEST];
  return {
    kind: "distributions",
    name: "scales",
    about:
      "Fluency of the PPLM texts: ratings as frequencies, as points of a normal law, and as ranges of a latent normal law",
    panels: [
      { label: "frequencies", x: "rating", y: "share of ratings", bars, ticks },
      {
        ...{ label: "interval: a normal law of the points", x: "rating", y: "share of ratings", bars, ticks },
        density: curve(1 - 2 * EDGE, shares.length + 2 * EDGE, (x) => normalPdf((x - mean) / sd) / sd),
      },
      {
        ...{ label: "ordinal: ranges of a latent scale", x: "latent scale", y: "density" },
        density: curve(-FARTHEST, FARTHEST, normalPdf),
        rules: thresholds.map((at) => ({ at })),
        names: shares.map((_, k) => ({ at: (edges[k]! + edges[k + 1]!) / 2, text: String(k + 1) })),
      },
    ],
  } as const satisfies Picture;
}

const figure1: Reproduction = {
  id: "howcroft-figure-1",
  paper: "howcroft2021",
  where: "Figure 1",
  shows: "a rating scale as interval and as ordinal data",
  data: [PPLM],
  reference: "ordinal 2022.11-16 in R 4.2.2 (clm, probit)",
  seconds: 2,
  lessons: [
    "The figure's six-point frequencies are an example without numbers; these are the fluency ratings of PPLM, on five points.",
    "By a normal law of the points rating 1 has 1.3% instead of 2.8%, 3 has 38.1% instead of 33.2% and 4 has 37.0% instead of 41.7%. Four thresholds reproduce five shares exactly, as they must.",
  ],
  async run(lab) {
    const ratings = numbersOf(await lab.table(PPLM), "rating");
    const scale = LAWS.map((_, k) => k + 1);
    const shares = scale.map((own) => ratings.filter((rating) => rating === own).length / ratings.length);
    const { mean, sd } = momentsOf(ratings);
    const heights = scale.map((own) => normalPdf((own - mean) / sd));
    const total = heights.reduce((sum, height) => sum + height, 0);
    const fit = fitClm("rating ~ 1", await lab.table(PPLM), { link: "probit" });
    const thresholds = fit.thresholds.map(({ value }) => value);
    lab.show(scalePicture(shares, { mean, sd }, thresholds));
    return LAWS.flatMap(([share, normal, threshold], k) => [
      compareWith(`rating ${k + 1}: share in %`, { r: share, ours: 100 * shares[k]! }),
      compareWith("  by a normal law of the points", { r: normal, ours: (100 * heights[k]!) / total }),
      ...(threshold === undefined
        ? []
        : [compareWith("  threshold above it", { r: threshold, ours: thresholds[k]! }, { relative: 1e-5 })]),
    ]);
  },
};

const table1: Reproduction = {
  id: "howcroft-table-1",
  paper: "howcroft2021",
  where: "Table 1, row PPLM",
  shows: "size of the PPLM ratings",
  data: [PPLM],
  reference: "R 4.2.2 (counts)",
  seconds: 1,
  async run(lab) {
    const table = await lab.table(PPLM);
    const countsOf = (name: string): number[] => {
      const counts = new Map<string, number>();
      for (const own of textsOf(table, name)) counts.set(own, (counts.get(own) ?? 0) + 1);
      return [...counts.values()];
    };
    const [items, raters] = [countsOf("item"), countsOf("worker")];
    return [
      compareWith("scale", { published: "5", r: 5, ours: countsOf("rating").length }),
      compareWith("systems", { published: "4", r: 4, ours: countsOf("model").length }),
      compareWith("texts", { published: "1361", r: 1361, ours: items.length }),
      compareWith(
        "raters",
        { published: "14", r: 15, ours: raters.length },
        { note: "The published ratings name 15." },
      ),
      compareWith("ratings", { published: "19486", r: 19486, ours: table.rows }),
      compareWith("ratings a text, most frequent", { published: "9", r: 9, ours: modeOf(items) }),
      compareWith(
        "ratings a rater, median",
        { published: "1356", r: 1276, ours: quantileOf(raters, 0.5) },
        {
          note: "1356 is the median where one of the seven raters with the fewest ratings is left out, so that there are 14.",
        },
      ),
    ];
  },
};

export const HOWCROFT: readonly Reproduction[] = [table1, figure1, figure2, figure3];
