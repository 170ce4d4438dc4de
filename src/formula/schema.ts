/** What a formula needs to know of the data before new data can be coded in the same way: levels, contrasts, the centre and
 *  scale of scale(x), the polynomials of poly(x, 2), the groups of random terms.
 *  As in R, functions learn from all rows in which their argument is present, levels from the rows without missing values.
 *  Limits: a contrast chosen for a column also holds left of a bar (lmer's `contrasts` argument leaves random terms alone). */
import { asFactor, column, type Table, withColumn } from "../data/table.ts";
import { zeros } from "../numeric/linalg/matrix.ts";
import { note } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { contrastCoding, findIndicators, findUsed } from "./coding.ts";
import type { FunctionState } from "./evaluate/call.ts";
import { parseExpression } from "./evaluate/evaluate.ts";
import { LOGICAL_LEVELS, type Value } from "./evaluate/value.ts";
import {
  type Extras,
  evaluateFrame,
  type Frame,
  type LearnedColumn,
  learnColumns,
  type ModelVariable,
  modelVariables,
  type Role,
} from "./frame.ts";
import { type Group, learnGroup } from "./group.ts";
import { labelOf, variablesOf } from "./parse/algebra.ts";
import { columnsIn, parseFormula, resolveDot } from "./parse/parse.ts";
import { asRandomEffect, MOST_COLUMNS, refuseColumns } from "./size.ts";
import type { Contrast, Expression, FixedTerm, Formula, Learned } from "./term.ts";

/** Per column; a Map also serves columns with names such as `__proto__`. */
export type ByColumn<T> = ReadonlyMap<string, T> | Readonly<Record<string, T>>;

export const SCHEMA_OPTIONS = {
  ...{ contrasts: true, levels: true, reference: true, factors: true, ordered: true },
  ...{ weights: true, offset: true },
} as const satisfies Record<keyof SchemaOptions, true>;

export interface SchemaOptions {
  /** For every factor that is not ordered, or per column (or variable, e.g. "factor(x)"). */
  readonly contrasts?: Contrast | ByColumn<Contrast> | undefined;
  /** All levels of a column in order; the first is the reference. */
  readonly levels?: ByColumn<readonly string[]> | undefined;
  readonly reference?: ByColumn<string> | undefined;
  /** Numeric columns to be treated as factors. */
  readonly factors?: readonly string[] | undefined;
  /** Ordered factors, in the order of their levels or in the given order. */
  readonly ordered?: readonly string[] | ByColumn<readonly string[]> | undefined;
  /** Expressions over the columns, usually a column's name. */
  readonly weights?: string | undefined;
  readonly offset?: string | undefined;
}

/** A term with, for each of its variables, whether a factor gets one column per level. */
export interface CodedTerm {
  readonly label: string;
  readonly variables: readonly string[];
  readonly indicators: readonly boolean[];
}

export type LearnedResponse =
  | { readonly kind: "numeric" }
  | { readonly kind: "factor"; readonly levels: readonly string[]; readonly ordered: boolean }
  /** cbind(successes, failures). */
  | { readonly kind: "counts" };

export interface Schema extends Extras {
  /** With `.` resolved. */
  readonly formula: Formula;
  readonly columns: ReadonlyMap<string, LearnedColumn>;
  /** By variable label. */
  readonly learned: ReadonlyMap<string, Learned>;
  readonly states: ReadonlyMap<string, FunctionState>;
  readonly response?: LearnedResponse;
  readonly fixed: readonly CodedTerm[];
  /** Like formula.random: the coding left of each bar, and the groups by label. */
  readonly random: readonly (readonly CodedTerm[])[];
  readonly groups: ReadonlyMap<string, Group>;
  readonly diagnostics: readonly Diagnostic[];
}

const ALL_ROLES: ReadonlySet<Role> = new Set(["response", "coded", "group", "smooth", "offset", "weights"]);

export function learnSchema(formula: Formula, table: Table, options: SchemaOptions = {}): Schema {
  const resolved = resolveDot(formula, table.columns.keys());
  const typed = applyTypes(table, options);
  const extras = readExtras(options, table);
  const variables = modelVariables(resolved, extras, ALL_ROLES);
  const states = new Map<string, FunctionState>();
  const frame = evaluateFrame(typed, variables, states);
  const learned = learnVariables(variables, frame, options);
  const isFactor = (label: string): boolean => learned.get(label)?.kind === "factor";
  const groups = new Map<string, Group>();
  for (const term of resolved.random) {
    if (!groups.has(term.groupLabel)) groups.set(term.groupLabel, learnGroup(term, frame, resolved.text));
  }
  return {
    formula: resolved,
    ...extras,
    columns: learnColumns(typed, variables, frame.rowsUsed),
    learned,
    states,
    ...(resolved.response === undefined
      ? {}
      : { response: learnResponse(frame.values.get(resolved.responseLabel)!, frame, resolved.responseLabel) }),
    fixed: codeTerms(resolved.fixed, resolved.intercept, isFactor),
    random: resolved.random.map(({ of }) => {
      const terms = of.filter(({ kind }) => kind !== "intercept");
      return codeTerms(terms, terms.length < of.length, isFactor);
    }),
    groups,
    diagnostics: [
      ...noteSplitFactors(resolved, isFactor),
      ...noteDot(formula, resolved),
      ...noteIdleContrast(options.contrasts, [...learned.values()]),
    ],
  };
}

/** Options that say how to read a column which none of the formulas uses do nothing: told, since who describes a table describes all of it. */
export function tellUnusedColumns(
  formulas: readonly string[],
  table: Table,
  { factors = [], levels, ordered = [], reference }: SchemaOptions,
): Diagnostic[] {
  const used = new Set(
    formulas
      .map((text) => resolveDot(parseFormula(text.includes("~") ? text : `~ ${text}`), table.columns.keys()))
      .flatMap((formula) => modelVariables(formula, {}, ALL_ROLES))
      .flatMap(({ expression }) => columnsIn(expression)),
  );
  const orders = Array.isArray(ordered) ? (ordered as readonly string[]) : namesOf(ordered as ByColumn<unknown>);
  const named = { factor: factors, levels: namesOf(levels), ordered: orders, reference: namesOf(reference) };
  return Object.entries(named).flatMap(([option, columns]) => {
    const idle = columns.filter((name) => !used.has(name));
    // a name that is no column at all is refused
    for (const name of idle) column(table, name);
    if (idle.length === 0) return [];
    const message = `option \`${option}\` has no effect with ${listNames(idle)}, which the formula does not use.`;
    return [note("ColumnUnused", message, "Leave it out, or name a column of the formula.")];
  });
}

/** In a comparison of nested models: how a factor is coded does not change what it explains, unless it is the response or goes into a function. */
export function tellUnusedCoding(
  formulas: readonly string[],
  table: Table,
  { factors = [], levels, ordered = [], contrasts }: SchemaOptions,
): Diagnostic[] {
  const variables = formulas
    .map((text) => resolveDot(parseFormula(text), table.columns.keys()))
    .flatMap((formula) => modelVariables(formula, {}, ALL_ROLES));
  const isCoded = (name: string): boolean => {
    const own = variables.filter(({ expression }) => columnsIn(expression).includes(name));
    const isFactor = table.columns.get(name)?.kind === "factor" || factors.includes(name);
    return (
      isFactor &&
      own.length > 0 &&
      own.every(({ label, roles }) => label === name && [...roles].every((role) => CODED.has(role)))
    );
  };
  const orders = Array.isArray(ordered) ? (ordered as readonly string[]) : namesOf(ordered as ByColumn<unknown>);
  const idle = Object.entries({ levels: namesOf(levels), ordered: orders }).flatMap(([option, names]) => {
    const coded = names.filter(isCoded);
    return coded.length === 0 ? [] : [`option \`${option}\` has no effect with ${listNames(coded)}`];
  });
  return [...(contrasts === undefined ? [] : ["option `contrasts` has no effect"]), ...idle].map((what) =>
    note("CodingUnused", `${what}: how a factor is coded does not change what it explains.`, "Leave it out."),
  );
}

const CODED: ReadonlySet<Role> = new Set(["coded", "group"]);

const namesOf = (byColumn: ByColumn<unknown> | undefined): string[] => entriesOf(byColumn).map(([name]) => name);

function entriesOf<T>(byColumn: ByColumn<T> | undefined): [string, T][] {
  if (byColumn === undefined) return [];
  return byColumn instanceof Map ? [...byColumn] : Object.entries(byColumn as Readonly<Record<string, T>>);
}

function readExtras({ weights, offset }: SchemaOptions, table: Table): Extras {
  return {
    ...(weights === undefined ? {} : { weights: readExtra(weights, table) }),
    ...(offset === undefined ? {} : { offset: readExtra(offset, table) }),
  };
}

/** A column's name as it stands, however unusual, or else an expression. */
export function readExtra(text: string, table: Table): Expression {
  return table.columns.has(text) ? { kind: "variable", name: text, at: 0 } : parseExpression(text);
}

/** The table with the columns that the options declare as factors. */
function applyTypes(table: Table, { factors = [], levels, ordered = [], reference }: SchemaOptions): Table {
  let typed = table;
  const change = (
    name: string,
    options: { levels?: readonly string[]; ordered?: boolean; reference?: string },
  ): void => {
    try {
      typed = withColumn(typed, name, asFactor(column(typed, name), options));
    } catch (error) {
      if (!(error instanceof StatError) || error.code !== "UnknownLevel") throw error;
      throw new StatError(error.code, `column "${name}": ${error.message}`, error.fix);
    }
  };
  const orders = Array.isArray(ordered) ? [] : namesOf(ordered as ByColumn<unknown>);
  const twice = namesOf(levels).find((name) => orders.includes(name));
  if (twice !== undefined)
    throw new StatError("BadOption", `options \`levels\` and \`ordered\` both order ${twice}.`, "Give one of them.");
  for (const name of factors) change(name, {});
  for (const [name, order] of entriesOf(levels)) change(name, { levels: order });
  if (Array.isArray(ordered)) for (const name of ordered as readonly string[]) change(name, { ordered: true });
  else {
    const orders = entriesOf(ordered as ByColumn<readonly string[]>);
    for (const [name, order] of orders) change(name, { levels: order, ordered: true });
  }
  for (const [name, level] of entriesOf(reference)) change(name, { reference: level });
  return typed;
}

function learnVariables(
  variables: readonly ModelVariable[],
  frame: Frame,
  options: SchemaOptions,
): Map<string, Learned> {
  const learned = new Map<string, Learned>();
  const contrastFor = contrastChooser(options.contrasts, variables);
  for (const { label, expression, roles } of variables) {
    if (!roles.has("coded") && !roles.has("smooth")) continue;
    const value = frame.values.get(label)!;
    if (value.kind === "matrix") learned.set(label, { kind: "matrix", names: value.names });
    else if (value.kind === "factor" || value.kind === "logical") {
      const ordered = value.kind === "factor" && value.ordered;
      const own = value.kind === "factor" ? value.contrast : undefined;
      const contrast = own ?? contrastFor(label, columnsIn(expression)) ?? (ordered ? "poly" : undefined);
      const levels = levelsUsed(value, frame.rowsUsed);
      if (roles.has("coded") && levels.length < 2) throw oneLevel(label, levels);
      if (roles.has("coded")) {
        refuseColumns(`the factor ${label}`, levels.length - 1, frame.rowsUsed.length, asRandomEffect([label]));
      }
      // the levels of a smooth, such as s(g, bs = "re"), are counted and never coded
      const coded = roles.has("coded") || levels.length <= MOST_COLUMNS;
      learned.set(label, learnFactor(levels, ordered, contrast ?? contrastDefault(options.contrasts), coded));
    } else learned.set(label, { kind: "numeric" });
  }
  return learned;
}

function learnFactor(levels: readonly string[], ordered: boolean, contrast: Contrast, coded: boolean): Learned {
  const { matrix, names } =
    levels.length < 2 || !coded ? { matrix: zeros(levels.length, 0), names: [] } : contrastCoding(contrast, levels);
  return { kind: "factor", levels, ordered, contrast, coding: matrix, codingNames: names };
}

/** Ordered factors are coded by polynomials, unless they are named. */
function noteIdleContrast(contrasts: SchemaOptions["contrasts"], learned: readonly Learned[]): Diagnostic[] {
  if (typeof contrasts !== "string" || learned.some((own) => own.kind === "factor" && own.contrast === contrasts))
    return [];
  const message = `option \`contrasts: ${contrasts}\` has no effect: no factor of the formula is without an order.`;
  return [note("CodingUnused", message, "Leave it out, or name the factor.")];
}

function contrastDefault(contrasts: SchemaOptions["contrasts"]): Contrast {
  return typeof contrasts === "string" ? contrasts : "treatment";
}

/** The contrast that the options name for a variable: by its label, or by the one column it is made from. */
function contrastChooser(
  contrasts: SchemaOptions["contrasts"],
  variables: readonly ModelVariable[],
): (label: string, columns: readonly string[]) => Contrast | undefined {
  const named = new Map(typeof contrasts === "string" ? [] : entriesOf(contrasts));
  const labels = new Set(variables.flatMap(({ label, expression }) => [label, ...columnsIn(expression)]));
  for (const name of named.keys()) {
    if (labels.has(name)) continue;
    throw new StatError(
      "UnknownColumn",
      `a contrast is chosen for "${name}", which the formula does not use.`,
      "name a factor of the formula.",
    );
  }
  return (label, columns) => named.get(label) ?? (columns.length === 1 ? named.get(columns[0]!) : undefined);
}

/** Levels that occur in the used rows; a condition keeps both, as in R. */
function levelsUsed(value: Value & { kind: "factor" | "logical" }, rows: Int32Array): readonly string[] {
  if (value.kind === "logical") return LOGICAL_LEVELS;
  const used = findUsed(value, rows);
  return value.levels.filter((_, code) => used[code] === 1);
}

function oneLevel(label: string, levels: readonly string[]): StatError {
  return new StatError(
    "OneLevel",
    `the factor ${label} has a single level ("${levels[0] ?? ""}") in the rows used; a contrast needs two or more.`,
    "drop it from the formula, or check the row filter and missing values.",
  );
}

function codeTerms(terms: readonly FixedTerm[], intercept: boolean, isFactor: (label: string) => boolean): CodedTerm[] {
  const labels = terms.map((term) => variablesOf(term).map(({ label }) => label));
  const indicators = findIndicators(labels, intercept, isFactor);
  return terms.map((term, t) => ({ label: labelOf(term), variables: labels[t]!, indicators: indicators[t]! }));
}

function learnResponse(value: Value, frame: Frame, label: string): LearnedResponse {
  if (value.kind === "factor") {
    return { kind: "factor", levels: levelsUsed(value, frame.rowsUsed), ordered: value.ordered };
  }
  if (value.kind !== "matrix") return { kind: "numeric" };
  if (value.columns.length === 2) return { kind: "counts" };
  throw new StatError(
    "FormulaResponse",
    `the response ${label} has ${value.columns.length} column(s).`,
    "give one column, or cbind(successes, failures).",
  );
}

function noteSplitFactors(formula: Formula, isFactor: (label: string) => boolean): Diagnostic[] {
  return formula.random.flatMap((term): Diagnostic[] => {
    const factor = term.split ? term.of.flatMap(variablesOf).find(({ label }) => isFactor(label)) : undefined;
    if (factor === undefined) return [];
    return [
      {
        code: "CorrelatedFactor",
        severity: "note",
        message: `in (${term.label}) the columns of the factor ${factor.label} stay correlated, as in lme4.`,
        fix: `write diag(${factor.label} | ${term.groupLabel}) to make every column independent.`,
      },
    ];
  });
}

function noteDot(written: Formula, resolved: Formula): Diagnostic[] {
  if (!written.hasDot) return [];
  const groups = new Set(resolved.random.flatMap(({ grouping }) => grouping.flatMap(columnsIn)));
  const both = resolved.fixed.find((term) => term.kind === "variable" && groups.has(term.name));
  if (both === undefined) return [];
  return [
    {
      code: "DotIncludesGroup",
      severity: "note",
      message: `"." includes the grouping column ${labelOf(both)} as a fixed effect, as in lme4.`,
      fix: `write . - ${labelOf(both)} to leave it out.`,
    },
  ];
}
