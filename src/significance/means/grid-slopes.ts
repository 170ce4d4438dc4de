/** Slopes of a covariate on the reference grid: the derivative of every design column by the covariate.
 *  D(h) = (X(x+h) - X(x-h)) / 2h, extrapolated (4 D(h/2) - D(h)) / 3, exact for polynomials up to degree 4; h moves some column by a
 *  small share of its range in the data, so that no scale has to be guessed.
 *  Reference: Ridders (1982), Adv. Eng. Softw. 4 (extrapolated differences).
 *  Oracle:    emtrends (R) for linear terms, oracle/r/emmeans.json (it takes a plain forward difference, wrong in the third digit of
 *             curved terms); derivatives in closed form for log(x), I(x^2), poly(x, 3), scale(x).
 *  Limits:    the terms must be smooth at the grid's value. */
import type { Schema } from "../../formula/schema.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { didYouMean } from "../../result/suggest.ts";
import type { LinearFunctions } from "./linear-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";
import { codeGrid, combinationIndex, type GridVariable, gridTable, type ReferenceGrid } from "./reference-grid.ts";

/** d(x'β)/d(covariate) for every row of the grid. */
export function slopeFunctions(model: MarginalModel, grid: ReferenceGrid, covariate: string): LinearFunctions {
  const variable = findCovariate(grid, covariate);
  const { schema, X } = model.design;
  const codeAt = (by: number): Matrix | undefined => tryCode(schema, grid, { name: covariate, by });
  const h = chooseStep(variable, columnRanges(X), codeAt);
  const level = combinationIndex(grid, [covariate]);
  const x = Float64Array.from(level, (k) => variable.values![k]!);
  const [coarse, fine] = [differences(codeAt, x, h), differences(codeAt, x, h / 2)];
  const data = fine.data.map((d, k) => (4 * d - coarse.data[k]!) / 3);
  return {
    L: { ...fine, data },
    constant: new Float64Array(grid.rows),
    offset: new Float64Array(grid.rows),
  };
}

function findCovariate({ variables }: ReferenceGrid, name: string): GridVariable {
  const found = variables.find((v) => v.name === name);
  if (found?.covariate) return found;
  const covariates = variables.filter((v) => v.covariate).map((v) => v.name);
  throw new StatError(
    "NoCovariate",
    found === undefined ? `the fixed effects do not use "${name}".` : `${name} is a factor; it has no slope.`,
    didYouMean(name, covariates) ||
      (covariates.length === 0
        ? "there is no covariate in the formula, and only they have slopes."
        : `choose one of ${covariates.join(", ")}.`),
  );
}

/** The grid with a moved covariate; undefined where a term is not defined there. */
function tryCode(
  schema: Schema,
  { variables, rows }: ReferenceGrid,
  shift: { readonly name: string; readonly by: number },
): Matrix | undefined {
  try {
    return codeGrid(schema, gridTable(variables, rows, shift));
  } catch (error) {
    if (error instanceof StatError && ["NoRows", "NotFinite", "UndefinedOnGrid"].includes(error.code)) return undefined;
    throw error;
  }
}

function columnRanges(X: Matrix): Float64Array {
  return Float64Array.from({ length: X.cols }, (_, j) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < X.rows; i++) {
      low = Math.min(low, X.data[i + j * X.rows]!);
      high = Math.max(high, X.data[i + j * X.rows]!);
    }
    return high - low;
  });
}

/** Truncation (4th power of it) and rounding (its inverse, times 1e-16) then both lie near 1e-12. */
const MOVED_SHARE = 2 ** -12;
/** Where the search begins: far below any step that could be right. */
const SMALLEST_SHARE = 2 ** -30;
const SMALLEST_STEP = 2 ** -100;
const LARGEST_STEP = 2 ** 100;

function chooseStep(
  { values }: GridVariable,
  ranges: Float64Array,
  codeAt: (by: number) => Matrix | undefined,
): number {
  const size = values!.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  let h = Math.max(size * SMALLEST_SHARE, SMALLEST_STEP);
  for (; h < LARGEST_STEP; h *= 4) {
    const [up, down] = [codeAt(h), codeAt(-h)];
    if (up === undefined || down === undefined) return h / 4;
    const moved = up.data.some((v, k) => {
      const range = ranges[Math.floor(k / up.rows)]!;
      return range > 0 && Math.abs(v - down.data[k]!) >= 2 * MOVED_SHARE * range;
    });
    if (moved) return h;
  }
  return 1; // nothing moves: every slope is 0
}

function differences(codeAt: (by: number) => Matrix | undefined, x: Float64Array, h: number): Matrix {
  const [up, down] = [codeAt(h), codeAt(-h)];
  if (up === undefined || down === undefined) {
    throw new StatError(
      "UndefinedOnGrid",
      `a term has no slope at ${[...new Set(x)].join(", ")}.`,
      "give other values with at.",
    );
  }
  // the distance of the rounded points, not 2h
  const data = up.data.map((v, k) => (v - down.data[k]!) / (x[k % x.length]! + h - (x[k % x.length]! - h)));
  return { ...up, data };
}
