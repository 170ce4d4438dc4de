/** Reading stored answers of other tools, and comparing ours with them. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";

export interface OracleColumn {
  readonly values: readonly (string | number | null)[];
  readonly levels?: readonly string[];
}

export interface OracleCase {
  readonly id: string;
  readonly kind: string;
  readonly input: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the other tool reports, by its own names
  readonly expected: any;
}

export function readOracle(path: string): { columns: Record<string, OracleColumn>; cases: OracleCase[] } {
  return JSON.parse(readFileSync(new URL(`../../oracle/${path}`, import.meta.url), "utf8"));
}

export function oracleTable(columns: Record<string, OracleColumn>): Table {
  return makeTable(
    Object.entries(columns).map(([name, { values, levels }]) => [
      name,
      levels
        ? factorColumn(values as (string | null)[], { levels })
        : numericColumn((values as (number | null)[]).map((v) => v ?? Number.NaN)),
    ]),
  );
}

/** |ours - theirs| ≤ tolerance · max(|theirs|, floor), element by element. */
export function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number | string>,
  { tolerance, floor = 1e-300, label = "" }: { tolerance: number; floor?: number; label?: string },
): void {
  expect(actual.length, `${label}: length`).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const want = Number(expected[i]);
    const got = actual[i]!;
    if (Object.is(got, want) || got === want) continue;
    const error = Math.abs(got - want) / Math.max(Math.abs(want), floor);
    expect(error, `${label}[${i}]: ${got} for ${want}`).toBeLessThanOrEqual(tolerance);
  }
}

/** What other tools made of the papers' data: numbers travel with the project, the data do not. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the other tool reports, by its own names
export const readPaper = (name: "card2020" | "riezler2021" | "sacrebleu-wmt17"): any =>
  JSON.parse(readFileSync(new URL(`../../oracle/papers/${name}.json`, import.meta.url), "utf8"));

/** Data of the papers and logs of other programs, which belong to their authors and are not part of the project. */
export const sharedPath = (name: string): string => fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
export const hasShared = existsSync(sharedPath("data"));
