/** Coded terms → columns. In an interaction the columns of the first variable vary fastest; a column's name joins the names
 *  of its parts: "systemB:lengthlong".   Oracle: R's model.matrix(), oracle/r/design.json. */

import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { mostOf } from "../result/extremes.ts";
import { indicatorCoding } from "./coding.ts";
import type { CodedTerm } from "./schema.ts";
import { asRandomEffect, refuseColumns } from "./size.ts";
import type { Learned } from "./term.ts";

/** A model variable in the rows used. */
export type RowValues =
  | { readonly kind: "columns"; readonly columns: readonly Float64Array[]; readonly names: readonly string[] }
  | { readonly kind: "factor"; readonly codes: Int32Array; readonly learned: Learned & { kind: "factor" } };

export interface ModelMatrix {
  readonly matrix: Matrix;
  readonly names: readonly string[];
  /** The term of each column: 0 for the intercept, then from 1. */
  readonly assign: Int32Array;
}

/** One column of one variable: numbers, or a value per level. */
interface Part {
  readonly name: string;
  readonly values?: Float64Array;
  readonly codes?: Int32Array;
  readonly byLevel?: Float64Array;
}

export function modelMatrix(
  terms: readonly CodedTerm[],
  variables: ReadonlyMap<string, RowValues>,
  { intercept, rows }: { intercept: boolean; rows: number },
): ModelMatrix {
  refuseSize(terms, variables, rows);
  const blocks = terms.map(({ variables: labels, indicators }) =>
    labels.map((label, v) => partsOf(label, variables.get(label)!, indicators[v]!)),
  );
  const sizes = blocks.map((parts) => parts.reduce((product, part) => product * part.length, 1));
  const cols = sizes.reduce((sum, size) => sum + size, intercept ? 1 : 0);
  const matrix = zeros(rows, cols);
  const names: string[] = [];
  const assign = new Int32Array(cols);
  if (intercept) {
    matrix.data.fill(1, 0, rows);
    names.push("(Intercept)");
  }
  blocks.forEach((parts, t) => {
    for (let c = 0; c < sizes[t]!; c += 1) {
      const chosen = choose(parts, c);
      assign[names.length] = t + 1;
      fillColumn(matrix.data.subarray(names.length * rows, (names.length + 1) * rows), chosen);
      names.push(chosen.map(({ name }) => name).join(":"));
    }
  });
  return { matrix, names, assign };
}

/** Each term by itself, then all of them: the largest is the one to change. */
function refuseSize(terms: readonly CodedTerm[], variables: ReadonlyMap<string, RowValues>, rows: number): void {
  const counts = terms.map(({ variables: labels, indicators }) =>
    labels.reduce((product, label, v) => product * countColumns(variables.get(label)!, indicators[v]!), 1),
  );
  const largest = counts.indexOf(mostOf(counts));
  if (largest < 0) return;
  const { label, variables: labels } = terms[largest]!;
  const fix = labels.some((name) => variables.get(name)!.kind === "factor")
    ? asRandomEffect(labels.filter((name) => variables.get(name)!.kind === "factor"))
    : "Lower the degree.";
  refuseColumns(`the term ${label}`, counts[largest]!, rows, fix);
  refuseColumns(
    `the model (its largest term is ${label}, with ${counts[largest]})`,
    counts.reduce((sum, count) => sum + count, 0),
    rows,
    fix,
  );
}

function countColumns(variable: RowValues, indicator: boolean): number {
  if (variable.kind === "columns") return variable.columns.length;
  return indicator ? variable.learned.levels.length : variable.learned.codingNames.length;
}

function partsOf(label: string, variable: RowValues, indicator: boolean): Part[] {
  if (variable.kind === "columns") {
    return variable.columns.map((values, j) => ({
      name: label + (variable.columns.length === 1 ? "" : variable.names[j]!),
      values,
    }));
  }
  const { codes, learned } = variable;
  const { matrix, names } = indicator
    ? indicatorCoding(learned.levels)
    : { matrix: learned.coding, names: learned.codingNames };
  return names.map((name, j) => ({
    name: label + name,
    codes,
    byLevel: matrix.data.subarray(j * matrix.rows, (j + 1) * matrix.rows),
  }));
}

/** The c-th combination of one column per variable. */
function choose(parts: readonly (readonly Part[])[], c: number): Part[] {
  let rest = c;
  return parts.map((columns) => {
    const part = columns[rest % columns.length]!;
    rest = Math.floor(rest / columns.length);
    return part;
  });
}

function fillColumn(out: Float64Array, parts: readonly Part[]): void {
  const [first, ...others] = parts;
  if (first === undefined) out.fill(1);
  else if (first.values !== undefined) out.set(first.values);
  else for (let i = 0; i < out.length; i += 1) out[i] = first.byLevel![first.codes![i]!]!;
  for (const { values, codes, byLevel } of others) {
    if (values !== undefined) for (let i = 0; i < out.length; i += 1) out[i]! *= values[i]!;
    else for (let i = 0; i < out.length; i += 1) out[i]! *= byLevel![codes![i]!]!;
  }
}
