/** Reads oracle files of the shape { cases: [{ id, args: {name: []}, expected: {column: []} }] } and measures a function on them. */

import { readFileSync } from "node:fs";

type Cell = number | string | boolean;

interface OracleCase {
  readonly id: string;
  readonly args: Readonly<Record<string, readonly Cell[]>>;
  readonly expected: Readonly<Record<string, readonly Cell[]>>;
}

export interface WorstError {
  readonly error: number;
  readonly at: string;
  readonly rows: number;
}

/** Below the smallest normal double the spacing is absolute, so errors are measured against this. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** Infinities are stored as strings. */
function toNumber(cell: Cell): number {
  return typeof cell === "string" ? Number(cell.replace("inf", "Infinity")) : Number(cell);
}

export function relativeError(actual: number, expected: number): number {
  if (Object.is(actual, expected) || actual === expected) return 0;
  const error = Math.abs(actual - expected) / Math.max(Math.abs(expected), SMALLEST_NORMAL);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** The cases of a file below oracle/, by id. */
export function readOracle(file: string): (id: string) => OracleCase {
  const url = new URL(`../../oracle/${file}`, import.meta.url);
  const { cases } = JSON.parse(readFileSync(url, "utf8")) as { cases: OracleCase[] };
  return (id) => {
    const found = cases.find((c) => c.id === id);
    if (!found) throw new Error(`no case ${id} in ${file}`);
    return found;
  };
}

/** Largest relative error of f over a case; f gets the arguments in the order of `names`. */
export function worstError(
  oracle: OracleCase,
  names: readonly string[],
  column: string,
  f: (...args: number[]) => number,
): WorstError {
  const expected = oracle.expected[column]!;
  let worst: WorstError = { error: 0, at: "", rows: expected.length };
  expected.forEach((cell, i) => {
    const args = names.map((name) => toNumber(oracle.args[name]![i]!));
    const actual = f(...args);
    const error = relativeError(actual, toNumber(cell));
    if (error > worst.error)
      worst = { error, at: `(${args.join(", ")}): ${actual}, not ${cell}`, rows: expected.length };
  });
  return worst;
}
