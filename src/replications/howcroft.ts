/** Howcroft & Rieser (2021): power of ordinal and of linear mixed models of the same ratings. */

import { quantileOf, textsOf } from "./cells.ts";
import { HOWCROFT_MAIN, howcroftCells, type OrdinalCellPower, simulateHowcroft } from "./ordinal-figures.ts";
import {
  compareWith,
  FOUR_ERRORS,
  type Lab,
  type Reproduction,
  type ReproductionRow,
  shareError,
} from "./reproduction.ts";

/** lmerTest on 200 data sets of its own, 50 items x 3 ratings: oracle/r/howcroft-power.R. */
const R_SETS = 200;
const R_POWER: readonly (readonly [setting: string, effect: number, power: number])[] = [
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

export const HOWCROFT: readonly Reproduction[] = [table1, figure2, figure3];
