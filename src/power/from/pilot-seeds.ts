/** Parameters of the scenario `seeds` from scores of several runs: variances of training and of test items, by REML.
 *      score ~ system + (1 | item) + (1 | item:system) + (1 | run),   run = seed within system
 *      seedSd = sd(run),   itemSd = √2 sd(item:system),   runItemSd = residual SD
 *  Reference: Card et al. (2020), EMNLP, App. A.
 *  Oracle:    the mean squares of a balanced table (pilot-seeds.test.ts).
 *  Limits:    two systems, each with two runs at least; the pilot's own difference is shown, not handed over. */
import {
  asFactor,
  asNumeric,
  column,
  type FactorColumn,
  factorColumn,
  makeTable,
  type Table,
} from "../../data/table.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { ScenarioParameters } from "../scenario.ts";
import { checkPilotScores, twoSystems } from "./pilot.ts";

export interface SeedPilotColumns {
  readonly score: string;
  readonly system: string;
  readonly seed: string;
  readonly item: string;
  /** Baseline and new system, where there are more than two or the first by name is not the baseline. */
  readonly systems?: readonly [baseline: string, system: string];
}

export interface SeedPilot {
  /** `seedSd`, `itemSd`, `runItemSd`. */
  readonly parameters: ScenarioParameters;
  readonly difference: number;
  readonly systems: readonly [string, string];
  /** Of both systems together. */
  readonly runs: number;
  readonly items: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fewer runs than this leave their variance uncertain by a factor of two. */
const FEW_RUNS = 10;

export function seedsFromPilot(table: Table, columns: SeedPilotColumns): SeedPilot {
  const { systems, rows } = twoSystems(table, columns);
  const [system, seed, item] = (["system", "seed", "item"] as const).map((role) =>
    asFactor(column(rows, columns[role])),
  );
  const odd = checkPilotScores(rows, columns.score);
  const run = pasted(system!, seed!);
  const cell = pasted(item!, system!);
  const y = asNumeric(column(rows, columns.score), columns.score);
  const counts = { runs: run.levels.length, items: item!.levels.length };
  if (counts.runs < 4 || counts.items < 2) {
    throw new StatError(
      "SmallPilot",
      `the pilot has ${counts.runs} runs of two systems on ${counts.items} items: how much runs differ cannot be seen.`,
      "give at least two runs of each system on at least two items.",
    );
  }
  const fit = fitLmm(
    "y ~ x + (1 | item) + (1 | cell) + (1 | run)",
    makeTable([
      ["y", y],
      ["x", asFirst(system!, systems[0])],
      ["item", item!],
      ["cell", cell],
      ["run", run],
    ]),
  );
  const sd = (group: string): number => fit.variances.find((part) => part.group === group)?.sd[0] ?? 0;
  const difference = fit.coefficients[1]!.value;
  return {
    parameters: { seedSd: sd("run"), itemSd: Math.SQRT2 * sd("cell"), runItemSd: fit.residualSd },
    difference,
    systems,
    ...counts,
    diagnostics: [
      ...odd,
      ...fit.diagnostics,
      ...(counts.runs < FEW_RUNS
        ? [
            warning(
              "SmallPilot",
              `${counts.runs} runs leave the variance between them uncertain.`,
              "plan with a larger `seedSd` too, and see how the power changes.",
            ),
          ]
        : []),
      note(
        "ObservedEffect",
        `the pilot's own difference is ${formatNumber(difference)}; it is not used as the effect: power at an observed effect only repeats its p value.`,
        "plan for the smallest difference that matters, or for several.",
      ),
    ],
  };
}

const pasted = (a: FactorColumn, b: FactorColumn): FactorColumn =>
  factorColumn(
    Array.from(a.codes, (code, i) =>
      code < 0 || b.codes[i]! < 0 ? null : `${a.levels[code]!}\u001f${b.levels[b.codes[i]!]!}`,
    ),
  );

/** The baseline as the reference. */
const asFirst = (system: FactorColumn, baseline: string): FactorColumn =>
  factorColumn(
    Array.from(system.codes, (code) => (code < 0 ? null : system.levels[code]!)),
    {
      levels: [
        baseline,
        ...system.levels.filter((level) => level !== baseline && system.codes.includes(system.levels.indexOf(level))),
      ],
    },
  );
