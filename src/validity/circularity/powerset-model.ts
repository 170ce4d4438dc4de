/** One additive model of the search: which terms a set of features gets, and its fit as a task that can run on any thread.
 *
 *  A numeric feature enters as a spline (with as many functions as it has values where these are few), one with two values as a line,
 *  a factor by its levels. Pairs of numeric features may also enter together, as a tensor product. */
import { type Column, makeTable, selectRows, takeCells } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { fitGam, solveGam } from "../../models/gam/gam.ts";
import { nullDeviance } from "../../models/gam/measures.ts";
import { predictGam } from "../../models/gam/predict.ts";
import { type GamMethod, prepareGam } from "../../models/gam/problem.ts";
import { totalEdf } from "../../models/gam/quantities.ts";
import { StatError } from "../../result/error.ts";
import { Fingerprint } from "../../result/fingerprint.ts";
import type { Task } from "../../run/task.ts";
import type { CircularityFamily } from "./data.ts";
import { d2Of, halves, pick, spreadRows } from "./found-rule.ts";

export type SplineBasis = "tp" | "cr";

/** A feature as the models see it; rows without missing values. */
export interface ModelFeature {
  readonly name: string;
  readonly column: Column;
  readonly distinct: number;
  /** Spline functions at the resolution of the search. */
  readonly k: number;
}

/** Everything that is the same for all models of a search. */
export interface ModelFrame {
  readonly y: Float64Array;
  readonly features: readonly ModelFeature[];
  readonly family: CircularityFamily;
  readonly method: GamMethod;
  readonly basis: SplineBasis;
}

/** Features by their place in the frame. */
export interface ModelSpec {
  readonly main: readonly number[];
  /** Pairs that enter as one surface, beside `main`. */
  readonly surfaces?: readonly (readonly [number, number])[];
  /** Functions per feature instead of its own k. */
  readonly k?: ReadonlyMap<number, number>;
  /** Functions of each side of a surface. */
  readonly surfaceK?: number;
}

/** Coefficients that n rows can carry: about twenty rows for each. */
const ROWS_PER_COEFFICIENT = 20;
/** Functions of each side of a surface in the search; the chosen surface gets more (refine.ts). */
const SURFACE_K: Readonly<Record<CircularityFamily, number>> = { gaussian: 10, binomial: 7 };

export interface ModelInput {
  readonly formula: string;
  readonly y: Float64Array;
  readonly columns: readonly (readonly [string, Column])[];
  readonly family: CircularityFamily;
  readonly method: GamMethod;
}

export interface ModelScore {
  /** Share of the deviance explained; NaN where there was no fit. */
  readonly d2: number;
  /** Corrected for effective degrees of freedom: 1 - (1 - D²)(n - 1)/(n - edf). */
  readonly adjusted: number;
  readonly edf: number;
  readonly converged: boolean;
  /** Why there is no fit. */
  readonly fault?: string;
}

export const isSmooth = ({ column, distinct }: ModelFeature): boolean => column.kind === "numeric" && distinct > 2;

/** Names that any formula can hold, whatever the file calls its columns. */
export const termName = (feature: number): string => `x${feature}`;

function termOf(frame: ModelFrame, feature: number, k = frame.features[feature]!.k): string {
  const own = frame.features[feature]!;
  if (!isSmooth(own)) return termName(feature);
  return `s(${termName(feature)}, bs = "${frame.basis}", k = ${Math.max(3, Math.min(k, own.distinct))})`;
}

function surfaceTerm(frame: ModelFrame, [a, b]: readonly [number, number], k = SURFACE_K[frame.family]): string {
  const most = Math.max(3, Math.floor(Math.sqrt(frame.y.length / ROWS_PER_COEFFICIENT)));
  const own = (feature: number): number => Math.min(k, most, frame.features[feature]!.distinct);
  return `te(${termName(a)}, ${termName(b)}, k = c(${own(a)}, ${own(b)}))`;
}

export function modelFormula(frame: ModelFrame, { main, surfaces = [], k, surfaceK }: ModelSpec): string {
  const terms = [
    ...surfaces.map((pair) => surfaceTerm(frame, pair, surfaceK)),
    ...main.map((feature) => termOf(frame, feature, k?.get(feature))),
  ];
  return `y ~ ${terms.length === 0 ? "1" : terms.join(" + ")}`;
}

export function modelInput(frame: ModelFrame, spec: ModelSpec): ModelInput {
  const used = [...new Set([...spec.main, ...(spec.surfaces ?? []).flat()])];
  return {
    formula: modelFormula(frame, spec),
    y: frame.y,
    columns: used.map((feature) => [termName(feature), frame.features[feature]!.column]),
    family: frame.family,
    method: frame.method,
  };
}

export const circularityModelTask: Task<ModelInput, ModelScore> = {
  name: "validity/circularity-model",
  run: (input) => scoreModel(input),
  keeping: {
    about: ({ y, family, method }) => ({
      scenario: "circularity",
      params: { family, method, label: hashOf(y) },
      seed: "",
    }),
    // models have no order: each has the place that its terms and columns hash to, and says whose figures it holds
    place: (input) => ({ from: Number.parseInt(hashOf(input).slice(0, PLACE_DIGITS), 16), count: 1 }),
    write: ({ d2, edf, converged, fault }, input) => [
      hashOf(input),
      ...(fault === undefined ? [d2, edf, converged] : [fault]),
    ],
    read: (value, input) => readScore(value, input),
    blank: () => noScore("not fitted"),
  },
};

/** Hexadecimal digits of a place: a whole number that is exact. */
const PLACE_DIGITS = 13;

/** One hash for each column, though it enters many models. */
const hashes = new WeakMap<object, string>();
function hashOf(own: Column | Float64Array | ModelInput): string {
  const known = hashes.get(own);
  if (known !== undefined) return known;
  const hash = new Fingerprint();
  if (own instanceof Float64Array) hash.update(own);
  else if ("formula" in own) {
    hash.update(own.formula);
    for (const [name, cells] of own.columns) hash.update(name).update(hashOf(cells));
  } else if (own.kind === "numeric") hash.update("numeric").update(own.values);
  else {
    hash.update(Int32Array.of(own.levels.length, own.ordered ? 1 : 0)).update(own.codes);
    for (const level of own.levels) hash.update(level);
  }
  const digest = hash.digest();
  hashes.set(own, digest);
  return digest;
}

const noScore = (fault: string): ModelScore => ({
  d2: Number.NaN,
  adjusted: Number.NaN,
  edf: Number.NaN,
  converged: false,
  fault,
});

/** Of a journal; undefined where it is another model's, or where no model of so many rows has such figures. */
function readScore(value: unknown, input: ModelInput): ModelScore | undefined {
  if (!Array.isArray(value) || value[0] !== hashOf(input)) return undefined;
  const [, first, edf, converged] = value as unknown[];
  if (typeof first === "string" && value.length === 2) return noScore(first);
  const n = input.y.length;
  if (typeof first !== "number" || typeof edf !== "number" || typeof converged !== "boolean") return undefined;
  return first <= 1 && edf >= 0 && edf <= n
    ? { d2: first, adjusted: adjust(first, edf, n), edf, converged }
    : undefined;
}

const adjust = (d2: number, edf: number, n: number): number => 1 - ((1 - d2) * (n - 1)) / (n - edf);

function scoreModel({ formula, y, columns, family, method }: ModelInput): ModelScore {
  try {
    const table = makeTable([["y", { kind: "numeric", values: y }], ...columns]);
    const design = buildDesign(formula, table);
    const link = family === "gaussian" ? "identity" : "logit";
    const problem = prepareGam(design, { family, link, method });
    const { state, optimum, deviance } = solveGam(problem, design.y);
    const edf = totalEdf(problem, state);
    const d2 = 1 - deviance / nullDeviance(problem, design.y);
    const adjusted = adjust(d2, edf, design.y.length);
    return { d2, adjusted, edf, converged: optimum.converged && state.converged };
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    return noScore(error.message);
  }
}

/** Rows for the fit that is judged on others. */
const HELD_OUT_ROWS = 4000;

/** D² of each half of the rows by the model of the other; NaN where there is no fit. */
export function heldOutCurves(frame: ModelFrame, spec: ModelSpec): number {
  const { formula, y, columns, family, method } = modelInput(frame, spec);
  const rows = spreadRows(y.length, HELD_OUT_ROWS);
  const table = makeTable([
    ["y", { kind: "numeric", values: pick(y, rows) }],
    ...columns.map(([name, cells]) => [name, takeCells(cells, rows)] as const),
  ]);
  const told = new Float64Array(rows.length);
  const [a, b] = halves(rows.length);
  try {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const fit = fitGam(formula, selectRows(table, from), { family, method });
      const { value: fitted } = predictGam(fit, selectRows(table, to));
      to.forEach((i, r) => {
        told[i] = fitted[r]!;
      });
    }
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    return Number.NaN;
  }
  return d2Of(pick(y, rows), told);
}
