import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../../data/table.ts";
import { compare } from "../compare.ts";

/** Two systems, three rows of each answer. */
const table = makeTable([
  ["system", factorColumn(Array.from({ length: 36 }, (_, i) => "ab"[i % 2]!))],
  ["answer", factorColumn(Array.from({ length: 36 }, (_, i) => `x${Math.floor(i / 3)}`))],
  ["score", numericColumn(Array.from({ length: 36 }, (_, i) => (i * 7) % 5))],
]);

describe("independent samples whose items no column names", () => {
  it("are asked about where a column may name them", () => {
    expect(() => compare(table, { unpaired: true })).toThrow("which column names the items?");
  });

  it("are the rows where the user says that nothing names them", () => {
    const mean = (odd: number): number =>
      Array.from({ length: 18 }, (_, k) => ((2 * k + odd) * 7) % 5).reduce((sum, own) => sum + own, 0) / 18;
    const { pairs } = compare(table, { unpaired: true, item: "none" });
    expect(pairs.map(({ difference }) => Math.abs(difference))).toEqual([Math.abs(mean(1) - mean(0))]);
  });
});
