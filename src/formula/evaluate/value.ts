/** What an expression evaluates to, before it becomes a column: R's distinctions that change how a model codes it. */
import { asFactor, type Column, type FactorColumn } from "../../data/table.ts";
import { faultAt, type Place } from "../parse/fault.ts";
import type { Contrast } from "../term.ts";

export type Constant = number | string | boolean;

export type Value =
  | { readonly kind: "numeric"; readonly values: Float64Array }
  /** 1, 0 or NaN; in a model a factor with the levels FALSE and TRUE. */
  | { readonly kind: "logical"; readonly values: Float64Array }
  | (FactorColumn & { readonly contrast?: Contrast })
  /** poly(x, 2), cbind(a, b). */
  | { readonly kind: "matrix"; readonly columns: readonly Float64Array[]; readonly names: readonly string[] }
  | { readonly kind: "constant"; readonly value: Constant }
  | { readonly kind: "list"; readonly values: readonly Constant[] };

export const LOGICAL_LEVELS: readonly string[] = ["FALSE", "TRUE"];

/** A vector of numbers, or one number for all rows: element i is data[i * step]. */
export interface Operand {
  readonly data: Float64Array;
  readonly step: 0 | 1;
}

const KIND_NAMES: Readonly<Record<Value["kind"], string>> = {
  numeric: "numbers",
  logical: "a condition",
  factor: "text or a factor",
  matrix: "several columns",
  constant: "a constant",
  list: "a list c(…)",
};

export function describeValue(value: Value): string {
  if (value.kind === "constant") return typeof value.value === "string" ? `the text "${value.value}"` : "a constant";
  return KIND_NAMES[value.kind];
}

/** As numbers, conditions as 0 and 1; `what` names the value in the error. */
export function toNumbers(value: Value, what: string, place: Place): Operand {
  if (value.kind === "numeric" || value.kind === "logical") return { data: value.values, step: 1 };
  if (value.kind === "constant" && typeof value.value !== "string") {
    return { data: Float64Array.of(Number(value.value)), step: 0 };
  }
  if (value.kind === "matrix" && value.columns.length === 1) return { data: value.columns[0]!, step: 1 };
  throw faultAt(place, {
    code: "NotNumeric",
    message: `${what} needs numbers, but is given ${describeValue(value)}.`,
    fix:
      value.kind === "factor"
        ? "use a numeric column, or compare the text: x == 'a'."
        : "use a numeric column or a number.",
  });
}

/** As a condition: a logical value, numbers that are all 0 or 1, or a factor whose levels say true and false. */
export function toLogical(value: Value, what: string, place: Place): Operand {
  if (value.kind === "logical") return { data: value.values, step: 1 };
  if (value.kind === "constant" && typeof value.value === "boolean") {
    return { data: Float64Array.of(Number(value.value)), step: 0 };
  }
  if (value.kind === "constant" && typeof value.value === "number" && Number.isNaN(value.value)) {
    return { data: Float64Array.of(Number.NaN), step: 0 };
  }
  if (value.kind === "numeric" && value.values.every((x) => x === 0 || x === 1 || Number.isNaN(x))) {
    return { data: value.values, step: 1 };
  }
  if (value.kind === "factor" && value.levels.every((level) => /^(true|false)$/i.test(level))) {
    const truth = value.levels.map((level) => (level.toLowerCase() === "true" ? 1 : 0));
    return { data: Float64Array.from(value.codes, (code) => (code < 0 ? Number.NaN : truth[code]!)), step: 1 };
  }
  throw faultAt(place, {
    code: "NotACondition",
    message: `${what} needs a condition, but is given ${describeValue(value)}.`,
    fix: "compare it: x > 0, or system == 'A'.",
  });
}

/** As a factor; a condition becomes FALSE/TRUE. */
export function toFactor(value: Value, what: string, place: Place): FactorColumn & { readonly contrast?: Contrast } {
  if (value.kind === "factor") return value;
  if (value.kind === "numeric") return asFactor(value);
  if (value.kind === "logical") {
    const codes = Int32Array.from(value.values, (x) => (Number.isNaN(x) ? -1 : x));
    return { kind: "factor", codes, levels: LOGICAL_LEVELS, ordered: false };
  }
  throw faultAt(place, {
    code: "NotAFactor",
    message: `${what} needs a column, but is given ${describeValue(value)}.`,
    fix: "name a column of the table.",
  });
}

/** A constant as one value per row. */
export function spread(value: Value, rows: number): Value {
  if (value.kind !== "constant") return value;
  if (typeof value.value === "string") {
    return { kind: "factor", codes: new Int32Array(rows), levels: [value.value], ordered: false };
  }
  const values = new Float64Array(rows).fill(Number(value.value));
  return { kind: typeof value.value === "boolean" ? "logical" : "numeric", values };
}

/** As a column of a table: conditions as 0 and 1. */
export function toColumn(value: Value, rows: number, place: Place): Column {
  const column = spread(value, rows);
  if (column.kind === "factor") {
    return { kind: "factor", codes: column.codes, levels: column.levels, ordered: column.ordered };
  }
  return { kind: "numeric", values: toNumbers(column, "a column", place).data };
}
