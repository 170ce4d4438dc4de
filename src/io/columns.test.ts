import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cell, ColumnBuilder, TableBuilder } from "./columns.ts";

function build(cells: readonly Cell[]) {
  const builder = new ColumnBuilder();
  for (const cell of cells) builder.add(cell);
  return builder.finish();
}

describe("ColumnBuilder", () => {
  it("keeps numbers, with null, undefined and NaN missing", () => {
    expect(build([1, null, 2.5, undefined, Number.NaN])).toEqual({
      kind: "numeric",
      values: Float64Array.of(1, NaN, 2.5, NaN, NaN),
    });
  });

  it("makes a factor with both levels of booleans, even if one does not occur", () => {
    expect(build([true, null, true])).toMatchObject({
      kind: "factor",
      codes: Int32Array.of(1, -1, 1),
      levels: ["false", "true"],
    });
  });

  it("spells numbers shortly when a text follows them", () => {
    expect(build([0.1, null, 10, "x", true])).toMatchObject({
      codes: Int32Array.of(0, -1, 1, 3, 2),
      levels: ["0.1", "10", "true", "x"],
    });
  });

  it("sorts levels that are numbers as numbers", () => {
    expect(build(["10", "9", 1])).toMatchObject({ levels: ["1", "9", "10"], codes: Int32Array.of(2, 1, 0) });
  });

  it("gives back what was put in, whatever the mixture", () => {
    const cell = fc.oneof(
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("__proto__", "constructor"),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 200 }), (cells) => {
        const column = build(cells);
        const missing = (value: Cell) => value === null || Number.isNaN(value);
        const found =
          column.kind === "numeric"
            ? Array.from(column.values, (value) => (Number.isNaN(value) ? null : String(value)))
            : Array.from(column.codes, (code) => column.levels[code] ?? null);
        expect(found).toEqual(cells.map((value) => (missing(value) ? null : String(value))));
        expect(column.kind === "numeric").toBe(cells.every((value) => missing(value) || typeof value === "number"));
      }),
    );
  });
});

describe("TableBuilder", () => {
  it("fills columns that come late or stop early, in order of first appearance", () => {
    const builder = new TableBuilder();
    builder.add([["b", 1]]);
    builder.addRow({ a: "x" });
    builder.add(new Map([["b", 3]]));
    const table = builder.finish();
    expect(table.rows).toBe(3);
    expect([...table.columns]).toEqual([
      ["b", { kind: "numeric", values: Float64Array.of(1, NaN, 3) }],
      ["a", { kind: "factor", codes: Int32Array.of(-1, 0, -1), levels: ["x"], ordered: false }],
    ]);
  });

  it("takes inherited names as plain ones and the last of two equal names", () => {
    const builder = new TableBuilder();
    builder.add([
      ["__proto__", 1],
      ["constructor", 2],
      ["__proto__", 3],
    ]);
    expect([...builder.finish().columns]).toEqual([
      ["__proto__", { kind: "numeric", values: Float64Array.of(3) }],
      ["constructor", { kind: "numeric", values: Float64Array.of(2) }],
    ]);
  });
});
