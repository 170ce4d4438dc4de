/** From the name of a basis and its covariates to the basis, with the checks that all of them share. */
import type { Column } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { nearest } from "../../result/suggest.ts";
import { refuseColumns } from "../size.ts";
import { learnBspline, learnPspline } from "./bspline.ts";
import { learnCubic, learnCyclic } from "./cubic.ts";
import type { BasisRequest, ColumnMoments, DistinctPoints, RawBasis } from "./margin.ts";
import { distinctPoints } from "./margin.ts";
import { columnMoments } from "./moments.ts";
import { learnRandom } from "./random.ts";
import { learnThinPlate } from "./thin-plate.ts";

type Learner = (points: DistinctPoints, request: BasisRequest) => RawBasis;

const LEARNERS: ReadonlyMap<string, Learner> = new Map<string, Learner>([
  ["tp", (points, request) => learnThinPlate(points, request, { shrink: false })],
  ["ts", (points, request) => learnThinPlate(points, request, { shrink: true })],
  ["cr", (points, request) => learnCubic(points, request, { shrink: false })],
  ["cs", (points, request) => learnCubic(points, request, { shrink: true })],
  ["cc", learnCyclic],
  ["ps", learnPspline],
  ["bs", learnBspline],
]);
/** Bases of any number of covariates. */
const MANY_COVARIATES = ["tp", "ts", "re"];

export interface LearnedMargin {
  readonly raw: RawBasis;
  readonly moments: ColumnMoments;
  readonly points: DistinctPoints;
}

export function learnMargin(basis: string, columns: readonly Column[], request: BasisRequest): LearnedMargin {
  const { names } = request;
  const learner = LEARNERS.get(basis);
  if (learner === undefined && basis !== "re") throw unknownBasis(basis, names);
  if (columns.length > 1 && !MANY_COVARIATES.includes(basis)) {
    throw new StatError(
      "UnsupportedSmooth",
      `bs = "${basis}" takes one covariate, but s(${names.join(",")}) has ${columns.length}.`,
      'use te() for covariates on different scales, or bs = "tp" for ones on the same scale.',
    );
  }
  const points = distinctPoints(columns.map((column, c) => checkedValues(column, names[c]!)));
  if (learner === undefined) {
    const sizes = Int32Array.from(columns, (column) => (column.kind === "factor" ? column.levels.length : 0));
    const coefficients = sizes.reduce((product, size) => product * Math.max(1, size), 1);
    const fix = `fit a mixed model with (1 | ${names.join(":")}), which has room for them, or merge levels.`;
    // a penalty and a row for each coefficient: their square, whatever the rows
    refuseColumns(`s(${names.join(",")}, bs = "re")`, coefficients, 0, fix);
    return finish(learnRandom(sizes), points);
  }
  columns.forEach((column, c) => {
    checkVaries(column, { name: names[c]!, basis, values: points.columns[c]! });
  });
  return finish(learner(points, request), points);
}

function finish(raw: RawBasis, points: DistinctPoints): LearnedMargin {
  return { raw, moments: raw.moments ?? columnMoments(raw.margin, points), points };
}

/** A factor's codes, or the numbers. */
export function covariateValues(column: Column): Float64Array {
  return column.kind === "numeric" ? column.values : Float64Array.from(column.codes);
}

function checkedValues(column: Column, name: string): Float64Array {
  const values = covariateValues(column);
  if (values.length === 0) {
    throw new StatError("NoRows", `no rows to learn a smooth of ${name} from.`, "check the filter on the table.");
  }
  const bad = values.findIndex((value) => !Number.isFinite(value) || (column.kind === "factor" && value < 0));
  if (bad < 0) return values;
  const found = column.kind === "factor" || Number.isNaN(values[bad]!) ? "missing" : String(values[bad]!);
  const message = `${name} is ${found} in row ${bad + 1} of the rows used.`;
  throw new StatError(
    "NotFinite",
    message,
    "drop such rows, or transform the covariate so that all values are finite.",
  );
}

function checkVaries(
  column: Column,
  { name, basis, values }: { name: string; basis: string; values: Float64Array },
): void {
  if (column.kind === "factor") {
    const message = `${name} is a factor, but bs = "${basis}" smooths over numbers.`;
    throw new StatError(
      "NotNumeric",
      message,
      `write s(${name}, bs = "re") for a random effect, or ${name} as a plain term.`,
    );
  }
  if (values.every((value) => value === values[0])) {
    const message = `${name} is ${values[0]!} in every row; no curve can be fitted to it.`;
    throw new StatError("ConstantCovariate", message, "leave the term out.");
  }
}

function unknownBasis(basis: string, names: readonly string[]): StatError {
  const known = [...LEARNERS.keys(), "re"];
  const near = nearest(basis, known);
  return new StatError(
    "UnknownBasis",
    `no basis "${basis}" for the smooth of ${names.join(", ")} (known: ${known.join(", ")}).`,
    near === undefined ? 'use one of these, e.g. bs = "cr".' : `did you mean "${near}"?`,
  );
}
