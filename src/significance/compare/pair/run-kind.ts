/** What the repeats of an evaluation are. Draws (epochs, samples, attempts of one model): every answer to an item is drawn by itself, so that
 *  repeats are noise within the item, which averaging takes care of. Trainings (seeds, folds, checkpoints): another run moves all of its items,
 *  and a claim is about new runs too. The name of the column says which; that draws differ as wholes is tested, over the runs of all systems:
 *      F = Σ_s Σ_r n_sr (ȳ_sr - ȳ_s)² / Σ_s (R_s - 1)   ÷   items × runs within systems, Σ_s (R_s - 1)(n - 1) df
 *  with items' means taken off, so that a run which lacks items is set against those that it has.
 *  Reference: Scheffé (1959), The Analysis of Variance, ch. 4 (two-way layout, one observation a cell).
 *  Oracle:    aov(score ~ item + run) in R, oracle/r/run-kind.json.
 *  Limits:    of 0/1 scores F is approximate, from some 20 items on within a few thousandths of its level. */

import { fSf } from "../../../numeric/dist/f.ts";
import type { RUN_KINDS } from "../../../question/choices.ts";
import type { RunScores } from "../../../resample/multi-bootstrap.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { StatError } from "../../../result/error.ts";
import { formatP } from "../../../result/number-format.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isDraw } from "../../../study/lexicon/names.ts";
import { splitRuns } from "./facets.ts";

export type RunKind = (typeof RUN_KINDS)[number];

/** Draws that are nothing else are taken for runs in one of a hundred evaluations. */
export const GUARD_ALPHA = 0.01;

interface Repeats {
  /** Of each system, where every run has most items. */
  readonly whole: readonly RunScores[] | undefined;
  /** The column that tells them apart. */
  readonly name: string | undefined;
  /** What the user said, and whether the claim or the test is about runs by the user's own words. */
  readonly asked: RunKind | undefined;
  readonly inScope: boolean;
  /** Each item is a data set: its repeats have seeds of their own. */
  readonly dataSets: boolean;
  readonly units: string;
}

/** The runs that a claim is about as well, if there are any, and what is said of those that it is not. */
export function runsInClaim(repeats: Repeats): {
  readonly runs?: readonly RunScores[];
  readonly notes: readonly Diagnostic[];
} {
  const { whole, name, asked, inScope, dataSets, units } = repeats;
  if (asked !== undefined && name === undefined)
    throw new StatError(
      "BadOption",
      "option `runKind` without repeated runs: no column tells runs apart.",
      "Name the column with option `run`, or leave option `runKind` out.",
    );
  if (whole === undefined || name === undefined) return { notes: [] };
  const trainings = asked === "trainings" || (asked === undefined && inScope);
  if (trainings || (asked === undefined && !isDraw(name) && !dataSets)) return { runs: whole, notes: [] };
  const { F, df, p } = testRuns(whole);
  const found = `F(${df[0]}, ${df[1]}) = ${F.toFixed(2)}, ${formatP(p)}`;
  if (asked === "draws") return { notes: [] };
  if (p < GUARD_ALPHA) {
    const differ = `whole runs of a system (${name}) differ by more than chance (${found}): the verdict must hold for new runs too.`;
    const fix = "Option `runKind: draws` takes every score for an independent draw nevertheless.";
    return { runs: whole, notes: [warning("RunsVary", differ, fix)] };
  }
  const what = dataSets
    ? `the verdict is about new ${units}; runs (${name}) are averaged in each of them`
    : `scores by ${name} count as independent draws of each of the ${units} and are averaged`;
  const fix = "Option `runKind: trainings` makes it a verdict about new runs as well.";
  return { notes: [note("IndependentDraws", `${what}: whole runs differ no more than chance (${found}).`, fix)] };
}

export interface RunVariance {
  readonly F: number;
  readonly df: readonly [number, number];
  /** 1 where no run differs from another in any score. */
  readonly p: number;
}

/** Whether whole runs of the systems differ beyond what single answers do. */
export function testRuns(systems: readonly RunScores[]): RunVariance {
  const parts = systems.filter(({ runs }) => runs > 1).map(splitRuns);
  const sum = (pick: (part: ReturnType<typeof splitRuns>) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  const df = [sum(({ means }) => means.length - 1), sum((part) => part.df)] as const;
  const [between, within] = [sum((part) => part.between) / df[0], sum(({ ss }) => ss) / df[1]];
  if (between === 0) return { F: 0, df, p: 1 };
  const F = between / within;
  return { F, df, p: F === Number.POSITIVE_INFINITY ? 0 : fSf(F, ...df) };
}
