import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pivotLonger, pivotWider } from "./reshape.ts";
import { column, factorColumn, makeTable, numericColumn, type Table } from "./table.ts";

const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/table-operations.json", import.meta.url), "utf8")) as {
  wide: { item: number[]; A: string[]; B: string[] };
};
const R = (text: string) => (text === "NA" ? Number.NaN : Number(text));

const LONG = makeTable([
  ["item", numericColumn([1, 1, 2, 2, 3])],
  ["system", factorColumn(["B", "A", "A", "B", "A"])],
  ["score", numericColumn([0.5, 0.25, 1, 0, 0.75])],
]);

function cells(table: Table, name: string): unknown[] {
  const found = column(table, name);
  if (found.kind === "numeric") return [...found.values];
  return Array.from(found.codes, (code) => found.levels[code] ?? null);
}

describe("pivotWider", () => {
  it("agrees with R's reshape", () => {
    const wide = pivotWider(LONG, { namesFrom: "system", valuesFrom: "score" });
    expect([...wide.columns.keys()]).toEqual(["item", "A", "B"]);
    expect(cells(wide, "item")).toEqual(oracle.wide.item);
    expect(cells(wide, "A")).toEqual(oracle.wide.A.map(R));
    expect(cells(wide, "B")).toEqual(oracle.wide.B.map(R));
  });

  it("names the key and the rows of a duplicate", () => {
    const twice = makeTable([
      ["item", factorColumn(["x", "y", "x"])],
      ["system", factorColumn(["A", "A", "A"])],
      ["score", numericColumn([1, 2, 3])],
    ]);
    expect(() => pivotWider(twice, { namesFrom: "system", valuesFrom: "score" })).toThrow(
      "item = x, system = A occurs in rows 1 and 3.",
    );
  });

  it("refuses a missing name, with its row", () => {
    const table = makeTable([
      ["s", factorColumn(["a", null])],
      ["v", numericColumn([1, 2])],
      ["i", numericColumn([1, 2])],
    ]);
    expect(() => pivotWider(table, { namesFrom: "s", valuesFrom: "v" })).toThrow('column "s" is missing in row 2');
  });

  it("spreads several columns under joint names", () => {
    const table = makeTable([...LONG.columns, ["note", factorColumn(["u", "v", "w", "x", "y"])]]);
    const wide = pivotWider(table, { namesFrom: "system", valuesFrom: ["score", "note"] });
    expect([...wide.columns.keys()]).toEqual(["item", "score_A", "score_B", "note_A", "note_B"]);
    expect(cells(wide, "note_B")).toEqual(["u", "x", null]);
  });

  it("refuses a spread that could not be held", () => {
    const n = 20_000;
    const table = makeTable([
      ["i", numericColumn(Float64Array.from({ length: n }, (_, i) => i))],
      ["s", numericColumn(Float64Array.from({ length: n }, (_, i) => i))],
      ["v", numericColumn(new Float64Array(n))],
    ]);
    expect(() => pivotWider(table, { namesFrom: "s", valuesFrom: "v" })).toThrow("20000 levels");
  });
});

describe("pivotLonger", () => {
  it("stacks row by row, names in the order given", () => {
    const wide = makeTable([
      ["item", numericColumn([1, 2])],
      ["B", numericColumn([5, Number.NaN])],
      ["A", numericColumn([7, 8])],
    ]);
    const options = { columns: ["B", "A"], namesTo: "system", valuesTo: "score" };
    const long = pivotLonger(wide, options);
    expect(cells(long, "item")).toEqual([1, 1, 2, 2]);
    expect(cells(long, "system")).toEqual(["B", "A", "B", "A"]);
    expect(cells(long, "score")).toEqual([5, 7, Number.NaN, 8]);
    expect(column(long, "system")).toMatchObject({ levels: ["B", "A"] });
    expect(cells(pivotLonger(wide, { ...options, dropMissing: true }), "score")).toEqual([5, 7, 8]);
  });

  it("pivotWider takes it back, also with inherited names as columns", () => {
    const names = ["__proto__", "constructor", "toString"];
    const row = fc.array(fc.double({ noNaN: true }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const wide = makeTable([
          ["id", numericColumn(rows.map((_, i) => i))],
          ...names.map((name, k) => [name, numericColumn(rows.map((values) => values[k]!))] as const),
        ]);
        const long = pivotLonger(wide, { columns: names, namesTo: "name", valuesTo: "value" });
        expect(long.rows).toBe(3 * rows.length);
        expect(pivotWider(long, { namesFrom: "name", valuesFrom: "value" })).toEqual(wide);
      }),
    );
  });
});
