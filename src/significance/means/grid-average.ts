/** How grid rows are averaged into marginal means: each combination of the other variables' levels with the same weight, or with
 *  its share of the rows.
 *  Oracle: emmeans (R) with weights = "equal" and "proportional", oracle/r/emmeans.json.
 *  Limits: proportional weights are read off the design: a factor that occurs only together with a covariate cannot be; prior weights
 *          and trials do not count, as in emmeans. */
import { expressionOf, variablesOf } from "../../formula/parse/algebra.ts";
import { columnsIn } from "../../formula/parse/parse.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { LinearFunctions } from "./linear-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";
import { combinationIndex, type ReferenceGrid } from "./reference-grid.ts";

export type GridWeights = "equal" | "proportional";

export interface AverageOptions {
  readonly names: readonly string[];
  readonly weights: GridWeights;
  /** One for each row of the grid: its predictions, or their slopes. */
  readonly functions: LinearFunctions;
}

/** Averages of functions on the grid, one for each combination of the named variables, first name fastest. */
export function averageFunctions(
  model: MarginalModel,
  grid: ReferenceGrid,
  { names, weights, functions }: AverageOptions,
): LinearFunctions {
  const others = grid.variables.filter((v) => v.levels.length > 1 && !names.includes(v.name)).map((v) => v.name);
  const mean = combinationIndex(grid, names);
  const cell = combinationIndex(grid, others);
  const cells = cell.reduce((a, b) => Math.max(a, b), 0) + 1;
  const share = weights === "equal" ? new Float64Array(cells).fill(1) : cellCounts(model, grid, { cell, cells });
  const total = share.reduce((a, b) => a + b, 0);
  const { L, constant, offset } = functions;
  const means = grid.rows / cells;
  const average = { L: zeros(means, L.cols), constant: new Float64Array(means), offset: new Float64Array(means) };
  for (let row = 0; row < grid.rows; row++) {
    const w = share[cell[row]!]! / total;
    const m = mean[row]!;
    if (w === 0) continue; // an undefined row must not reach the mean
    for (let j = 0; j < L.cols; j++) average.L.data[m + j * means]! += w * L.data[row + j * L.rows]!;
    average.constant[m]! += w * constant[row]!;
    average.offset[m]! += w * offset[row]!;
  }
  return average;
}

/** How many rows lie in each cell. A row of the design is recognised by its columns that depend on factors alone. */
function cellCounts(
  { design }: MarginalModel,
  grid: ReferenceGrid,
  { cell, cells }: { readonly cell: Int32Array; readonly cells: number },
): Float64Array {
  if (cells === 1) return Float64Array.of(1);
  const columns = factorColumns(design, grid);
  const { L } = grid.functions;
  const cellOf = new Map<string, number>();
  for (let row = 0; row < L.rows; row++) {
    const key = rowKey(L, columns, row);
    const known = cellOf.get(key);
    if (known !== undefined && known !== cell[row]) throw unrecognised();
    cellOf.set(key, cell[row]!);
  }
  const { X } = design;
  const counts = new Float64Array(cells);
  for (let i = 0; i < X.rows; i++) {
    const at = cellOf.get(rowKey(X, columns, i));
    if (at !== undefined) counts[at]! += 1;
  }
  return counts;
}

function factorColumns({ schema, assign }: MarginalModel["design"], grid: ReferenceGrid): number[] {
  const covariates = new Set(grid.variables.filter((v) => v.covariate).map((v) => v.name));
  const pure = schema.formula.fixed.map((term) =>
    variablesOf(term).every((variable) => !columnsIn(expressionOf(variable)).some((name) => covariates.has(name))),
  );
  return Array.from(assign.keys()).filter((j) => assign[j]! > 0 && pure[assign[j]! - 1]);
}

function rowKey(X: Matrix, columns: readonly number[], row: number): string {
  let key = "";
  for (const j of columns) key += `${X.data[row + j * X.rows]!},`;
  return key;
}

function unrecognised(): StatError {
  return new StatError(
    "NoFrequencies",
    "proportional weights need the frequencies of factor levels, and a factor occurs only together with a covariate.",
    "add the factor's main effect, or use equal weights.",
  );
}
