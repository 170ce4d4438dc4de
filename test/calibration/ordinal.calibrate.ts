/** Cumulative link mixed models on simulated human evaluations: does every fit end well, and how large are the tests?
 *  The designs and parameters are those that Howcroft & Rieser (2021, EMNLP) simulated; docs/methods/ordinal-calibration.md has
 *  the tables. */

import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../src/data/table.ts";
import { buildDesign } from "../../src/formula/design.ts";
import { optimumDiagnostics } from "../../src/models/laplace/report.ts";
import { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "../../src/models/ordinal/clmm-solve.ts";
import { simulateRatings } from "../../src/models/ordinal/simulate.ts";

import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";
import { chiSquareSf } from "../../src/numeric/dist/chi-square.ts";
import { normalSf } from "../../src/numeric/dist/normal.ts";
import { tSf } from "../../src/numeric/dist/t.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";

const RANDOM = "(model | participant) + (model | item)";
const LEVELS = ["1", "2", "3", "4", "5", "6"];
/** SDs of intercepts and slopes between participants and between items. */
const SETTINGS = [
  { name: "extra low", participant: [0.28, 0.11], item: [0.29, 0.43] },
  { name: "general", participant: [0.52, 0.43], item: [0.57, 0.77] },
  { name: "extra high", participant: [0.56, 0.67], item: [1.09, 1.26] },
] as const;
const EFFECTS = [0.155, 0.31, 0.465, 0.62];

interface Text {
  readonly participant: number;
  readonly item: number;
  readonly model: number;
}

/** Lists of four texts, both systems balanced over lists; each rating of an item comes from a new set of items/10 participants,
 *  none of whom sees an item under both systems. */
function lists(items: number, ratings: number): Text[] {
  const panel = items / 10;
  const half = Math.ceil(items / 4);
  const texts: Text[] = [];
  for (let r = 0; r < ratings; r++) {
    for (let l = 0; l < 2 * half; l++) {
      const first = 4 * (l % half);
      for (let item = first; item < Math.min(first + 4, items); item++) {
        texts.push({ participant: r * panel + (l % panel), item, model: (item + Math.floor(l / half)) % 2 });
      }
    }
  }
  return texts;
}

/** Every participant rates both systems on 25 items. */
function paired(items: number, ratings: number): Text[] {
  return [0, 1].flatMap((model) =>
    Array.from({ length: items * ratings }, (_, k) => ({ participant: Math.floor(k / 25), item: k % items, model })),
  );
}

const DESIGNS = { lists, paired } as const;

function prepare(texts: readonly Text[], fixed: string): ClmmProblem {
  const table = makeTable([
    ["rating", numericColumn(texts.map((_, k) => k % 6))],
    ["participant", factorColumn(texts.map(({ participant }) => `p${participant}`))],
    ["item", factorColumn(texts.map(({ item }) => `i${item}`))],
    ["model", numericColumn(texts.map(({ model }) => model))],
  ]);
  return prepareClmm(buildDesign(`rating ~ ${fixed} + ${RANDOM}`, table), LEVELS, { link: "probit" });
}

type Setting = (typeof SETTINGS)[number];

/** Thresholds are drawn anew for each data set, as the authors do. */
function simulate(problem: ClmmProblem, setting: Setting, effect: number, rng: Rng): Float64Array {
  const theta = problem.system.structure.terms.flatMap(({ group }) => {
    const [intercept, slope] = group === "item" ? setting.item : setting.participant;
    return [intercept, 0, slope];
  });
  const cuts = [-1.78 + 0.19 * rng.normal()];
  for (let j = 0; j < 4; j++) cuts.push(cuts[j]! + Math.abs(0.62 + 0.18 * rng.normal()));
  return simulateRatings(problem, { theta, cuts, beta: [effect] }, rng);
}

/** Best log-likelihood from other starts: the solution itself, shaken. */
function bestRestart(problem: ClmmProblem, y: Float64Array, solution: ClmmSolution, rng: Rng): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const theta = solution.theta.map((value) => value + 0.3 * rng.normal());
    const start = Float64Array.of(...theta, ...solution.phi.map((value) => 1.2 * value));
    best = Math.max(best, solveClmm(problem, y, { start, curvature: false }).logLik);
  }
  return best;
}

const percent = (hits: number, runs: number): string => `${((100 * hits) / runs).toFixed(1)} %`;

/** A fit that calls itself converged may miss the best log-likelihood by this much. */
const MISSED = 1e-4;
/** Every so many fits are searched again from other starts; those that did not converge always are. */
const CHECK_EVERY = 20;

describe("every fit ends converged or flagged", () => {
  it.each([
    [50, 3, 1000],
    [100, 3, 1000],
    [50, 10, 1000],
    [100, 10, 1000],
    [500, 3, 1000],
    [500, 10, 1000],
  ])(
    "%i items x %i ratings, %i data sets",
    (items, ratings, runs) => {
      const problem = prepare(lists(items, ratings), "model");
      const codes = new Map<string, number>();
      let [converged, restarts, missed, worst] = [0, 0, 0, 0];
      for (let i = 0; i < runs; i++) {
        const rng = makeRng("howcroft", items, ratings, i);
        const y = simulate(problem, SETTINGS[i % 3]!, EFFECTS[i % 4]!, rng);
        const solution = solveClmm(problem, y);
        const found = optimumDiagnostics(problem.system.structure, solution, false).map(({ code }) => code);
        if (solution.used.levels.length < LEVELS.length) found.push("EmptyCategory");
        for (const code of found) codes.set(code, (codes.get(code) ?? 0) + 1);
        converged += Number(solution.converged);
        expect(solution.converged || found.includes("NotConverged")).toBe(true);
        if (solution.converged && i % CHECK_EVERY !== 0) continue;
        restarts++;
        const gain = bestRestart(problem, y, solution, rng) - solution.logLik;
        worst = Math.max(worst, gain);
        missed += Number(solution.converged && gain > MISSED);
      }
      const flags = [...codes].map(([code, count]) => `${code} ${percent(count, runs)}`).join(", ");
      process.stdout.write(
        `${items} x ${ratings}, ${runs} data sets: converged ${percent(converged, runs)}; ${flags}; ` +
          `${restarts} searched again, most gained ${worst.toExponential(1)}\n`,
      );
      expect(missed).toBe(0);
      expect(converged / runs).toBeGreaterThan(0.99);
    },
    3_600_000,
  );
});

interface Rejections {
  readonly runs: number;
  wald: number;
  waldT: number;
  lrt: number;
  lrtT: number;
}

/** How often no difference between the systems is rejected at 5 %. */
function rejections(
  texts: readonly Text[],
  { runs, setting, seed }: { readonly runs: number; readonly setting: Setting; readonly seed: readonly number[] },
): Rejections {
  const full = prepare(texts, "model");
  const none = prepare(texts, "1");
  const df = Math.max(...texts.map(({ participant }) => participant));
  const hits: Rejections = { runs, wald: 0, waldT: 0, lrt: 0, lrtT: 0 };
  for (let i = 0; i < runs; i++) {
    const y = simulate(full, setting, 0, makeRng("howcroft-null", ...seed, i));
    const fit = solveClmm(full, y);
    const last = fit.phi.length - 1;
    const z = Math.abs(fit.phi[last]! / Math.sqrt(fit.vcov.data[last * (last + 2)]!));
    const drop = 2 * (fit.logLik - solveClmm(none, y, { curvature: false }).logLik);
    const root = Math.sqrt(Math.max(0, drop));
    hits.wald += Number(2 * normalSf(z) < 0.05);
    hits.waldT += Number(2 * tSf(z, df) < 0.05);
    hits.lrt += Number(chiSquareSf(root * root, 1) < 0.05);
    hits.lrtT += Number(2 * tSf(root, df) < 0.05);
  }
  return hits;
}

/** Two-sided binomial test of a rate of 5 % at 0.1 %. */
const isNominal = (hits: number, runs: number): boolean =>
  binomialCdf(hits, runs, 0.05) > 0.0005 && binomialSf(hits - 1, runs, 0.05) > 0.0005;

describe("no difference between the systems", () => {
  it.each([
    ["lists", 50, 3, 1, 1000],
    ["lists", 100, 3, 0, 1000],
    ["lists", 100, 3, 1, 1500],
    ["lists", 100, 3, 2, 1000],
    ["paired", 100, 3, 1, 1000],
  ] as const)(
    "is rejected in 5 %% of the cases: %s, %i items x %i ratings, setting %i",
    (design, items, ratings, which, runs) => {
      const setting = SETTINGS[which];
      const { wald, waldT, lrt, lrtT } = rejections(DESIGNS[design](items, ratings), {
        runs,
        setting,
        seed: [items, ratings],
      });
      process.stdout.write(
        `null, ${design}, ${items} x ${ratings}, ${setting.name}, ${runs} data sets: Wald z ${percent(wald, runs)}, ` +
          `Wald t ${percent(waldT, runs)}, LRT ${percent(lrt, runs)}, LRT with t quantiles ${percent(lrtT, runs)}\n`,
      );
      expect(isNominal(wald, runs), `Wald: ${wald} of ${runs}`).toBe(true);
      expect(isNominal(lrt, runs), `LRT: ${lrt} of ${runs}`).toBe(true);
    },
  );
});
