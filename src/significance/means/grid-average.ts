/** How grid rows are averaged into marginal means: each combination of the other variables' levels with the same weight, or with
 *  its share of the rows.
 *  Oracle: emmeans (R) with weights = "equal" and "proportional", oracle/r/emmeans.json.
 *  Limits: proportional weights are read off the design: a factor that occurs only together with a covariate cannot be; prior weights
 *          and trials do not count, as in emmeans. */

import { zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { LinearFunctions } from "./linear-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";
import { cellCounts, combinationIndex, combinations, type ReferenceGrid } from "./reference-grid.ts";

export type GridWeights = "equal" | "proportional";

export interface AverageOptions {
  readonly names: readonly string[];
  readonly weights: GridWeights;
  /** One for each row of the grid: its predictions, or their slopes. */
  readonly functions: LinearFunctions;
}

/** With the levels of the variables that each function belongs to. */
export interface AveragedFunctions extends LinearFunctions {
  readonly levels: readonly Readonly<Record<string, string>>[];
}

/** Averages of functions on the grid, one for each combination of the named variables that exists, first name fastest. */
export function averageFunctions(
  model: MarginalModel,
  grid: ReferenceGrid,
  { names, weights, functions }: AverageOptions,
): AveragedFunctions {
  const others = grid.variables.filter((v) => v.levels.length > 1 && !names.includes(v.name)).map((v) => v.name);
  const mean = combinationIndex(grid, names);
  const all = combinations(grid, names);
  const share = weights === "equal" ? equalShares(grid, others) : frequencies(model, grid, others);
  const total = new Float64Array(all.length);
  for (let row = 0; row < grid.rows; row++) total[mean[row]!]! += share[row]!;
  const present = Int32Array.from(all.keys()).filter((m) => total[m]! > 0);
  const place = new Int32Array(all.length);
  present.forEach((m, at) => {
    place[m] = at;
  });
  const { L, constant, offset } = functions;
  const means = present.length;
  const average = {
    L: zeros(means, L.cols),
    constant: new Float64Array(means),
    offset: new Float64Array(means),
    levels: Array.from(present, (m) => all[m]!),
  };
  for (let row = 0; row < grid.rows; row++) {
    if (share[row] === 0) continue; // an undefined row must not reach the mean
    const w = share[row]! / total[mean[row]!]!;
    const m = place[mean[row]!]!;
    for (let j = 0; j < L.cols; j++) average.L.data[m + j * means]! += w * L.data[row + j * L.rows]!;
    average.constant[m]! += w * constant[row]!;
    average.offset[m]! += w * offset[row]!;
  }
  return average;
}

/** Each level of an averaged variable counts the same among those that exist: of a nested factor, at the row's outer levels. */
function equalShares(grid: ReferenceGrid, others: readonly string[]): Float64Array {
  const share = Float64Array.from({ length: grid.rows }, (_, row) => Number(grid.exists(row)));
  for (const [name, outer] of grid.nesting) {
    if (!others.includes(name)) continue;
    const group = combinationIndex(grid, outer);
    const own = combinationIndex(grid, [name]);
    const siblings = new Map<number, Set<number>>();
    for (let row = 0; row < grid.rows; row++) {
      if (!grid.exists(row)) continue;
      const known = siblings.get(group[row]!) ?? new Set();
      siblings.set(group[row]!, known.add(own[row]!));
    }
    for (let row = 0; row < grid.rows; row++) if (share[row]! > 0) share[row]! /= siblings.get(group[row]!)!.size;
  }
  return share;
}

/** The rows of the data in the cell of the averaged variables, counted within the outer levels of nested ones. */
function frequencies(model: MarginalModel, grid: ReferenceGrid, others: readonly string[]): Float64Array {
  const outer = others.flatMap((name) => grid.nesting.get(name) ?? []);
  const names = [...new Set([...others, ...outer])];
  const cell = combinationIndex(grid, names);
  const counts = cellCounts(model, grid, { cell, cells: cell.reduce((a, b) => Math.max(a, b), 0) + 1 });
  if (counts === undefined) throw unrecognised();
  return Float64Array.from(cell, (c, row) => (grid.exists(row) ? counts[c]! : 0));
}

function unrecognised(): StatError {
  return new StatError(
    "NoFrequencies",
    "proportional weights need the frequencies of factor levels, and a factor occurs only together with a covariate.",
    "add the factor's main effect, or use equal weights.",
  );
}
