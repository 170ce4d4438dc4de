/** Whether one model lies within another: columns of the fixed part, random terms, and the rows that both can use. */
import { selectRows, type Table } from "../../data/table.ts";
import { buildDesign, type Design } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import type { Formula, RandomBlock } from "../../formula/term.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";

/** Both designs over the rows that are complete for both, and those rows. */
export function commonDesigns(
  [small, large]: readonly [string | Formula, string | Formula],
  table: Table,
  schema: SchemaOptions,
): { designs: readonly [Design, Design]; rows: Table } {
  const parse = (text: string | Formula) => (typeof text === "string" ? parseFormula(text) : text);
  const build = (rows: Table) =>
    [buildDesign(parse(small), rows, schema), buildDesign(parse(large), rows, schema)] as const;
  const first = build(table);
  const used = new Set(first[1].rowsUsed);
  const common = first[0].rowsUsed.filter((row) => used.has(row));
  const same = first.every(({ rowsUsed }) => rowsUsed.length === common.length);
  const rows = same ? table : selectRows(table, common);
  return { designs: same ? first : build(rows), rows };
}

/** Every column of the second matrix lies in the span of the first. */
export function spans(wide: Matrix, narrow: Matrix): boolean {
  if (Array.from({ length: narrow.cols }, (_, j) => j).every((j) => hasColumn(wide, narrow, j))) return true;
  const data = new Float64Array(wide.data.length + narrow.data.length);
  data.set(wide.data);
  data.set(narrow.data, wide.data.length);
  return qr({ rows: wide.rows, cols: wide.cols + narrow.cols, data }).rank === qr(wide).rank;
}

/** Column j of the second matrix is one of the first. */
function hasColumn(wide: Matrix, { rows, data }: Matrix, j: number): boolean {
  for (let k = 0; k < wide.cols; k++) {
    let i = 0;
    while (i < rows && wide.data[i + k * rows] === data[i + j * rows]) i++;
    if (i === rows) return true;
  }
  return false;
}

/** Others have terms of the same grouping of the rows whose columns span those of the block. */
function isCovered(block: RandomBlock, others: readonly RandomBlock[]): boolean {
  const same = others.filter((other) => other === block || samePartition(block.index, other.index));
  const data = new Float64Array(same.reduce((sum, { Z }) => sum + Z.data.length, 0));
  let at = 0;
  for (const { Z } of same) {
    data.set(Z.data, at);
    at += Z.data.length;
  }
  const rows = block.Z.rows;
  return same.length > 0 && spans({ rows, cols: data.length / rows, data }, block.Z);
}

function samePartition(a: Int32Array, b: Int32Array): boolean {
  const toB = new Map<number, number>();
  const toA = new Map<number, number>();
  for (let i = 0; i < a.length; i++) {
    if ((toB.get(a[i]!) ?? b[i]!) !== b[i]! || (toA.get(b[i]!) ?? a[i]!) !== a[i]!) return false;
    toB.set(a[i]!, b[i]!);
    toA.set(b[i]!, a[i]!);
  }
  return true;
}

/** p of χ²(df), and where `added` is one variance that of the mixture ½χ²(df - 1) + ½χ²(df). */
export function boundaryTest(
  chisq: number,
  df: number,
  added: number,
): { readonly p: number; readonly mixture?: { readonly p: number } } {
  const statistic = Math.max(0, chisq); // rounding may leave a difference of a few ulps below 0
  const tail = (k: number) => (k === 0 ? Number(statistic === 0) : chiSquareSf(statistic, k));
  const p = tail(df);
  return added === 1 ? { p, mixture: { p: (tail(df - 1) + p) / 2 } } : { p };
}

export function boundaryNote(added: number): Diagnostic[] {
  if (added <= 0) return [];
  const what = added === 1 ? "a variance is" : `${added} variances are`;
  return [
    note(
      "BoundaryTest",
      `${what} tested against 0, the end of its range: the chi-square p-value is too large (conservative).`,
      added === 1
        ? "The p-value of the 50:50 mixture of chi-square distributions is given beside it."
        : "Test one variance at a time, or use a parametric bootstrap.",
    ),
  ];
}

/** One of two models that are to be nested. */
export interface NestedModel {
  readonly design: Design;
  /** The estimable columns. */
  readonly X: Matrix;
  readonly parameters: number;
}

export const formulaOf = ({ design }: { readonly design: Design }): string => design.schema.formula.text;

export function refuseComparison(message: string, fix: string): never {
  throw new StatError("NotComparable", message, fix);
}

/** Throws unless the second model is the first with something added. */
export function refuseUnnested(small: NestedModel, large: NestedModel): void {
  const [less, more] = [formulaOf(small), formulaOf(large)];
  const rows = large.design.rowsUsed;
  if (rows.length !== small.design.rowsUsed.length || rows.some((row, i) => row !== small.design.rowsUsed[i])) {
    const advice = "Drop the rows with missing values in either model first.";
    refuseComparison("the models were fitted to different rows.", advice);
  }
  if (small.design.schema.formula.responseLabel !== large.design.schema.formula.responseLabel)
    refuseComparison("the models have different responses.", "Write the same left-hand side in both formulas.");
  if (large.parameters < small.parameters) {
    const message = `the second model is not larger than the first (it has ${large.parameters} parameters, the first ${small.parameters}).`;
    refuseComparison(message, "Give the smaller model first.");
  }
  if (large.parameters === small.parameters) {
    const message = `${less} and ${more} have ${small.parameters} parameters each: neither is the other with something added, which is what a likelihood-ratio test needs.`;
    refuseComparison(message, "Test each against what both have in common, or compare their AIC or BIC.");
  }
  const contained = `${less} is not contained in ${more}`;
  if (!spans(large.X, small.X)) refuseComparison(`the fixed part of ${contained}.`, NESTING_ADVICE);
  const missing = small.design.random.find((block) => !isCovered(block, large.design.random));
  if (missing) refuseComparison(`the random term of ${missing.group} in ${contained}.`, NESTING_ADVICE);
}

const NESTING_ADVICE =
  "Add the missing terms to the larger model; models that are not nested can be compared by AIC or BIC only.";

/** Lines of the table of tests: the plain one, and that of the mixture. */
export function testRows({
  chisq,
  df,
  p,
  mixture,
}: {
  chisq: number;
  df: number;
  p: number;
  mixture?: { readonly p: number };
}): (string | number)[][] {
  const boundary = mixture ? [["… with the variance on its boundary (50:50 mixture)", "", "", "", mixture.p]] : [];
  return [["likelihood ratio", chisq, df, "", p], ...boundary];
}
