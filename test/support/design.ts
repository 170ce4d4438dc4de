/** Design matrices as R makes them (oracle/r/design.json), and the tables they are made of. */
import { readFileSync } from "node:fs";
import { type Column, factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import type { Contrast } from "../../src/formula/term.ts";
import { StatError } from "../../src/result/error.ts";

export type Name = "full" | "gaps" | "new";
interface OracleColumn {
  readonly name: string;
  readonly kind: "numeric" | "factor";
  readonly values: (number | string | null)[];
  readonly levels: string[];
  readonly ordered: boolean;
}
interface FixedCase {
  readonly formula: string;
  readonly data: Name;
  readonly contrasts: Contrast | Record<string, Contrast> | null;
  readonly labels: string[];
  readonly assign: number[];
  readonly names: string[];
  readonly rows: number[];
  readonly X: number[][];
  readonly offset: number[] | null;
  readonly y: number[] | null;
}
interface RandomCase {
  readonly formula: string;
  readonly data: Name;
  readonly cnms: string[][];
  readonly groups: string[];
  readonly levels: string[][];
  readonly rows: number[];
  readonly Zt: number[][];
  readonly names: string[];
}
export const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/design.json", import.meta.url), "utf8")) as {
  data: Record<Name, OracleColumn[]>;
  fixed: FixedCase[];
  predicted: { formula: string; names: string[]; X: number[][] }[];
  randomFixed: { formula: string; names: string[]; assign: number[] }[];
  random: RandomCase[];
};

function tableOf(columns: readonly OracleColumn[]): Table {
  return makeTable(
    columns.map(({ name, kind, values, levels, ordered }): [string, Column] => [
      name,
      kind === "numeric"
        ? numericColumn(values as (number | null)[])
        : factorColumn(values as (string | null)[], { levels, ordered }),
    ]),
  );
}
export const tables = {
  full: tableOf(oracle.data.full),
  gaps: tableOf(oracle.data.gaps),
  new: tableOf(oracle.data.new),
};

/** Largest difference, relative to the larger of 1 and R's value. */
export function distance(ours: ArrayLike<number>, theirs: readonly number[]): number {
  if (ours.length !== theirs.length) return Number.POSITIVE_INFINITY;
  return theirs.reduce(
    (worst, value, i) => Math.max(worst, Math.abs(ours[i]! - value) / Math.max(1, Math.abs(value))),
    0,
  );
}

export function errorOf(run: () => unknown): StatError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}
