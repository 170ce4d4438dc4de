/** From a formula and a table to the parts of an ordinal model: categories, columns of the location, rows with weight.
 *
 *  The intercept is left out: the thresholds take its place. Categories that no row has are dropped, as ordinal (R) does,
 *  with a warning: their neighbours then share one threshold.
 *  Oracle: ordinal (R), oracle/r/ordinal.json. */

import type { Table } from "../../data/table.ts";
import { buildDesign, type Design, aliasedColumns as noteAliased, noteDropped } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { type Matrix, selectColumns, selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, qr } from "../../numeric/linalg/qr.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import type { Diagnostic, Estimate } from "../../result/result.ts";
import type { FieldsOf, Fit } from "../fit.ts";
import { fitJson, type ProfileJson } from "../fit-json.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { ThresholdKind } from "./thresholds.ts";

/** Numbers with more different values than this are measurements, not ratings. */
const MOST_CATEGORIES = 50;

export interface OrdinalDesign {
  readonly design: Design;
  /** Of the scale, in order; design.y holds their codes from 0. */
  readonly levels: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function ordinalDesign(
  kind: "clm" | "clmm",
  text: string | Formula,
  table: Table,
  options: SchemaOptions & { readonly confidence?: number | undefined },
): OrdinalDesign {
  const formula = typeof text === "string" ? parseFormula(text) : text;
  checkFormula(kind, formula);
  const { confidence = 0.95 } = options;
  checkConfidence(confidence);
  const raw = buildDesign(formula, table, options);
  const coded = categories(raw, declaredLevels(raw, table, options));
  return { ...coded, diagnostics: [...raw.schema.diagnostics, ...noteDropped(raw), ...coded.diagnostics] };
}

function checkFormula(kind: "clm" | "clmm", formula: Formula): void {
  if (formula.response === undefined) {
    const message = `the formula "${formula.text}" has no response.`;
    throw new StatError("NoResponse", message, 'Write it as "rating ~ terms".');
  }
  const smooth = formula.smooth[0];
  if (smooth !== undefined) {
    throw new StatError("UnsupportedTerm", `${smooth.label} is a smooth; ${kind} has none.`, "Leave it out.");
  }
  if (kind === "clm" && formula.random[0] !== undefined) {
    const message = `(${formula.random[0].label}) is a random effect; clm has fixed effects only.`;
    throw new StatError("UnsupportedTerm", message, "Fit a clmm, or leave it out.");
  }
  if (kind === "clmm" && formula.random.length === 0) {
    throw new StatError(
      "NoRandomTerm",
      "the formula has no random term.",
      "Add one, such as (1 | item), or fit a clm.",
    );
  }
}

/** `declared`: all points of the scale, where the table or the options name them. */
function categories(design: Design, declared: readonly string[]): OrdinalDesign {
  const { response, formula } = design.schema;
  if (response?.kind === "factor") {
    return {
      design,
      levels: response.levels,
      // the schema knows only the levels that occur
      diagnostics: emptyCategories(declared.filter((level) => !response.levels.includes(level))),
    };
  }
  if (response?.kind !== "numeric") {
    const message = `the response ${formula.responseLabel} is a pair of counts, not a rating.`;
    throw new StatError("ResponseNotOrdinal", message, "Fit a glm or glmm of the binomial family.");
  }
  const values = [...new Set(design.y)].sort((a, b) => a - b);
  if (values.length > MOST_CATEGORIES) {
    const message = `the response ${formula.responseLabel} has ${values.length} different values.`;
    throw new StatError("TooManyCategories", message, "Fit an lm or lmm, or bin the values.");
  }
  const code = new Map(values.map((value, j) => [value, j]));
  const text = `the ${values.length} values of ${formula.responseLabel} (${values[0]} to ${values[values.length - 1]}) are treated as ordered categories.`;
  return {
    design: { ...design, y: design.y.map((value) => code.get(value)!) },
    levels: values.map(String),
    diagnostics: [note("NumbersAsCategories", text, "Make the column a factor to name all points of the scale.")],
  };
}

function declaredLevels({ schema }: Design, table: Table, { levels, ordered }: SchemaOptions): readonly string[] {
  const name = schema.formula.responseLabel;
  const byColumn = ordered === undefined || Array.isArray(ordered) ? undefined : (ordered as typeof levels);
  for (const given of [byColumn, levels]) {
    if (given === undefined) continue;
    const own = given instanceof Map ? given.get(name) : (given as Readonly<Record<string, readonly string[]>>)[name];
    if (own !== undefined) return own;
  }
  const cells = table.columns.get(name);
  return cells?.kind === "factor" ? cells.levels : [];
}

function emptyCategories(empty: readonly string[]): Diagnostic[] {
  if (empty.length === 0) return [];
  return [
    warning(
      "EmptyCategory",
      `no row has the rating ${empty.join(", ")}; the scale was fitted without it.`,
      "The thresholds next to it are not identified separately: compare only models that drop the same categories.",
    ),
  ];
}

/** Names of the codes in the response of a fit's design. */
export function codedLevels({ design, levels }: Pick<OrdinalDesign, "design" | "levels">): readonly string[] {
  return design.schema.response?.kind === "factor" ? design.schema.response.levels : levels;
}

/** What only the design determines. */
export interface OrdinalFrame {
  readonly design: Design;
  readonly levels: readonly string[];
  /** Rows of the design with a positive weight. */
  readonly rows: Int32Array;
  /** Their columns, without intercept and without those that others determine. */
  readonly X: Matrix;
  readonly names: readonly string[];
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
}

/** R's clm decides on aliasing with this tolerance. */
const ALIAS_TOLERANCE = 1e-7;

export function ordinalFrame(design: Design, levels: readonly string[]): OrdinalFrame {
  const n = design.y.length;
  const rows = Int32Array.from({ length: n }, (_, i) => i).filter(
    (i) => design.weights === undefined || design.weights[i]! > 0,
  );
  const all = rows.length === n;
  const X = all ? design.X : selectRows(design.X, rows);
  // the thresholds are an intercept, whether the formula has one or not
  const location = Int32Array.from({ length: X.cols }, (_, j) => j).filter((j) => design.assign[j] !== 0);
  const extended = zeros(rows.length, location.length + 1);
  extended.data.fill(1, 0, rows.length);
  location.forEach((j, k) => {
    extended.data.set(X.data.subarray(j * X.rows, (j + 1) * X.rows), (k + 1) * X.rows);
  });
  const aliased = aliasedColumns(qr(extended, { tol: ALIAS_TOLERANCE }));
  const dropped = Int32Array.from(aliased)
    .filter((k) => k > 0)
    .map((k) => location[k - 1]!);
  const kept = location.filter((j) => !dropped.includes(j));
  const take = (values: Float64Array): Float64Array => Float64Array.from(rows, (i) => values[i]!);
  return {
    design,
    levels,
    rows,
    X: selectColumns(X, kept),
    names: Array.from(kept, (j) => design.names[j]!),
    kept,
    dropped,
    weights: design.weights && take(design.weights),
    offset: design.offset && take(design.offset),
  };
}

export interface UsedCategories {
  /** Codes from 0 over the categories that occur, for the rows of the frame. */
  readonly y: Int32Array;
  readonly levels: readonly string[];
  /** Of the frame, those that no row has. */
  readonly empty: readonly string[];
}

/** `response` holds codes of the frame's levels, one for each row of the design. */
export function usedCategories({ rows, levels }: OrdinalFrame, response: ArrayLike<number>): UsedCategories {
  const place = new Int32Array(levels.length).fill(-1);
  for (const i of rows) place[response[i]!] = 0;
  const used: string[] = [];
  levels.forEach((level, j) => {
    if (place[j] === 0) place[j] = used.push(level) - 1;
  });
  const y = Int32Array.from(rows, (i) => place[response[i]!]!);
  return { y, levels: used, empty: levels.filter((_, j) => place[j] === -1) };
}

export function refuseOneCategory({ design }: OrdinalFrame, { levels }: UsedCategories): void {
  if (levels.length >= 2) return;
  throw new StatError(
    "ConstantResponse",
    `the response ${design.schema.formula.responseLabel} is ${levels[0] ?? "missing"} in every row.`,
    "There is nothing to explain: choose another response.",
  );
}

export function frameDiagnostics({ design, dropped }: OrdinalFrame, { empty }: UsedCategories): Diagnostic[] {
  return [...(dropped.length > 0 ? [noteAliased(design.names, dropped)] : []), ...emptyCategories(empty)];
}

/** Of a cumulative link model, with or without random effects. */
export interface CumulativeLinkFit<K extends string> extends Fit<K> {
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly confidence: number;
  /** Categories that occur, in order. */
  readonly levels: readonly string[];
  /** Parameters of the thresholds, with R's names; `coefficients` are those of the location. */
  readonly thresholds: readonly Estimate[];
  /** The thresholds themselves: τ_j between levels j and j + 1. */
  readonly cuts: Float64Array;
  /** Covariance of all fixed parameters: thresholds, then coefficients. */
  readonly parameterVcov: Matrix;
  /** Columns of the design that have a coefficient. */
  readonly kept: Int32Array;
}

/** A threshold between two categories, `1|2`. */
export interface ThresholdJson {
  readonly name: string;
  readonly estimate: number;
  readonly se: number;
}

/** Of a cumulative link model. */
export interface CumulativeLinkJson {
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly levels: readonly string[];
  readonly thresholds: readonly ThresholdJson[];
  /** Where likelihoods were profiled. */
  readonly profile?: readonly ProfileJson[];
}

export function cumulativeLinkJson<K extends string>(fit: FieldsOf<CumulativeLinkFit<K>>) {
  return {
    ...fitJson(fit),
    deviance: -2 * fit.logLik,
    link: fit.link,
    threshold: fit.threshold,
    levels: fit.levels,
    thresholds: fit.thresholds.map(({ name, value, se }) => ({ name, estimate: value, se })),
  };
}
