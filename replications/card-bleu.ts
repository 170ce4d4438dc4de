/** Card et al. (2020): power to see a difference in BLEU. */

import type { ReplicatedCurves } from "../src/plot.ts";
import { bleuFamily, computePower } from "../src/power.ts";
import { type BleuCell, computeFigure4, computeFigure17 } from "./bleu-figures.ts";
import { powerRows } from "./power-rows.ts";
import { compareWith, type Reproduction, resultsFrom } from "./reproduction.ts";

const FORMULA = "normal approximation of the randomisation test (Python 3.11; R 4.2.2 for Figure 17)";
const bleuResult = resultsFrom({ paper: "card2020", data: [], reference: FORMULA });
const NOTEBOOK_TRIALS = 500;
/** Four standard errors of a mean of about 380 significant results, rounded up. */
const TYPE_M_ERROR = 0.06;

/** Sentences, difference, power, type M. */
const FIGURE_4: readonly (readonly [n: number, delta: number, power: number, typeM: number])[] = [
  [500, 0.5, 0.09614851960538567, 3.6888914812953812],
  [500, 1, 0.2579733252377517, 1.9526978778312962],
  [500, 2, 0.7428049205998558, 1.1653921449646572],
  [2000, 0.5, 0.2588748676595717, 1.9509093598949483],
  [2000, 1, 0.7466969109213907, 1.1630974400297471],
  [2000, 2, 0.9994762755613382, 1.0003534776759269],
  [5000, 0.5, 0.5464882110455722, 1.3489685836387368],
  [5000, 1, 0.9857762509056486, 1.008833959246187],
];

const figure4 = bleuResult({
  id: "card-figure-4",
  where: "Figure 4, section 4, appendix G.2",
  shows: "power to see a difference in BLEU",
  seconds: 1,
  run(lab) {
    const main = computePower(bleuFamily, { n: 2000, delta: 1, p0: 0.13, b0: 25.8 }, "approx");
    const g2 = computePower(bleuFamily, { n: 2000, delta: 1, p0: 0.2, b0: 26 }, "approx");
    const cells = computeFigure4();
    lab.show(bleuCurves(cells));
    return [
      ...powerRows("n = 2000, Δ = 1", main, {
        r: [0.7466969109213907, 1.1630974400297471],
        printed: ["0.75", "1.2"],
        how: [{ trials: NOTEBOOK_TRIALS }, { publishedError: TYPE_M_ERROR, source: "notebook" }],
      }),
      compareWith("power, G.2: P0 = .2, b0 = 26", { r: 0.7748165875312735, ours: g2.power }),
      ...FIGURE_4.flatMap(([n, delta, ...r]) => {
        const own = cells.find((cell) => cell.n === n && cell.delta === delta)!;
        return powerRows(`n = ${n}, Δ = ${delta}`, own, { r });
      }),
    ];
  },
});

const bleuCurves = (cells: readonly BleuCell[]): ReplicatedCurves => ({
  kind: "curves",
  name: "power",
  x: "difference in BLEU",
  y: "power",
  percent: true,
  points: cells.map(({ p0, b0, n, delta, power }) => ({
    panel: `P0 = ${p0}, b0 = ${b0}`,
    line: `${n} sentences`,
    x: delta,
    ours: power,
  })),
});

const SIZES = [500, 2000, 5000];
/** P0 and b0 of a panel, power of a difference of 1 at the three sizes. */
const PANELS: readonly (readonly [p0: number, b0: number, power: readonly number[]])[] = [
  [0.05, 25.8, [0.24020765983052, 0.709454227322805, 0.977956824014493]],
  [0.2, 25.8, [0.276283277043409, 0.781066599177552, 0.991052760796617]],
  [0.5, 25.8, [0.406092632070363, 0.931965855646538, 0.999766709436863]],
  [0.13, 13, [0.736328678380105, 0.999396789886376, 0.999999999814099]],
  [0.13, 26, [0.254737638511328, 0.740206492493976, 0.984581525942712]],
  [0.13, 52, [0.0952918850944264, 0.255618946582796, 0.540156134567529]],
];

const figure17 = bleuResult({
  id: "card-figure-17",
  where: "Figure 17",
  shows: "the same with other shares and sizes of changes",
  seconds: 1,
  run(lab) {
    const cells = computeFigure17();
    lab.show(bleuCurves(cells));
    return PANELS.flatMap(([p0, b0, powers]) =>
      SIZES.map((n, k) => {
        const own = cells.find((cell) => cell.p0 === p0 && cell.b0 === b0 && cell.n === n && cell.delta === 1)!;
        return compareWith(`P0 = ${p0}, b0 = ${b0}, n = ${n}`, { r: powers[k]!, ours: own.power });
      }),
    );
  },
});

export const CARD_BLEU: readonly Reproduction[] = [figure4, figure17];
