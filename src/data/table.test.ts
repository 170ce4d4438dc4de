import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatError } from "../result/error.ts";
import {
  asFactor,
  asNumeric,
  type Column,
  column,
  concatRows,
  dropMissing,
  dropUnusedLevels,
  factorColumn,
  makeTable,
  numericColumn,
  relevel,
  renameColumn,
  selectColumns,
  selectRows,
  sortBy,
  type Table,
  uniqueRows,
  withColumn,
} from "./table.ts";

function fault(action: () => unknown): StatError {
  try {
    action();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

/** Cells as they read: numbers, texts, null for missing. */
function cells(found: Column): (number | string | null)[] {
  if (found.kind === "numeric") return Array.from(found.values, (value) => (Number.isNaN(value) ? null : value));
  return Array.from(found.codes, (code) => (code < 0 ? null : found.levels[code]!));
}

function rowsOf(table: Table): (number | string | null)[][] {
  const columns = [...table.columns.values()].map(cells);
  return Array.from({ length: table.rows }, (_, row) => columns.map((values) => values[row]!));
}

const TABLE = makeTable([
  ["item", numericColumn([3, 1, 2, 1, Number.NaN])],
  ["system", factorColumn(["B", "A", null, "A", "B"])],
  ["score", numericColumn([0.5, 0.25, 1, 0.25, 0])],
]);

describe("makeTable", () => {
  it("refuses unequal lengths and names the column", () => {
    const error = fault(() =>
      makeTable([
        ["a", numericColumn([1, 2])],
        ["b", numericColumn([1])],
      ]),
    );
    expect(error.code).toBe("UnequalLength");
    expect(error.message).toBe('column "b" has 1 cells where 2 are needed.');
  });

  it("refuses a name that comes twice", () => {
    expect(
      fault(() =>
        makeTable([
          ["a", numericColumn([1])],
          ["a", numericColumn([1])],
        ]),
      ).code,
    ).toBe("DuplicateColumn");
  });

  it("keeps the row count of a table without columns", () => {
    expect(selectColumns(TABLE, []).rows).toBe(5);
  });
});

describe("column", () => {
  it("names the columns and the nearest one", () => {
    const error = fault(() => column(TABLE, "sytem"));
    expect(error.code).toBe("UnknownColumn");
    expect(error.message).toBe('no column "sytem" in the table (columns: item, system, score).');
    expect(error.fix).toBe('did you mean "system"? Otherwise add the column first.');
  });

  it("does not know names that every object inherits", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(fault(() => column(TABLE, name)).code).toBe("UnknownColumn");
      const added = withColumn(TABLE, name, factorColumn([name, name, null, "x", name]));
      expect(cells(column(added, name))).toEqual([name, name, null, "x", name]);
      expect([...renameColumn(added, name, "plain").columns.keys()]).toEqual(["item", "system", "score", "plain"]);
    }
  });
});

describe("rows", () => {
  it("selectRows takes indices with repeats, or a predicate", () => {
    expect(rowsOf(selectRows(TABLE, Int32Array.of(4, 0, 0)))).toEqual([
      [null, "B", 0],
      [3, "B", 0.5],
      [3, "B", 0.5],
    ]);
    expect(rowsOf(selectRows(TABLE, (row) => row === 2))).toEqual([[2, null, 1]]);
  });

  it("dropMissing counts what it dropped, in the named columns only", () => {
    expect(dropMissing(TABLE, ["system"])).toMatchObject({ dropped: 1, rows: Int32Array.of(0, 1, 3, 4) });
    expect(rowsOf(dropMissing(TABLE).table)).toEqual([
      [3, "B", 0.5],
      [1, "A", 0.25],
      [1, "A", 0.25],
    ]);
    expect(dropMissing(TABLE, ["score"]).table).toBe(TABLE);
  });

  it("sortBy is stable, puts missing last in both directions, and follows levels", () => {
    expect(cells(column(sortBy(TABLE, ["item"]), "item"))).toEqual([1, 1, 2, 3, null]);
    expect(cells(column(sortBy(TABLE, [{ name: "item", descending: true }]), "item"))).toEqual([3, 2, 1, 1, null]);
    const releveled = withColumn(TABLE, "system", relevel(asFactor(column(TABLE, "system")), "B"));
    expect(rowsOf(sortBy(releveled, ["system", "score"]))).toEqual([
      [null, "B", 0],
      [3, "B", 0.5],
      [1, "A", 0.25],
      [1, "A", 0.25],
      [2, null, 1],
    ]);
  });

  it("sortBy agrees with a plain stable sort of random rows", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))), (pairs) => {
        const table = makeTable([
          ["a", numericColumn(pairs.map(([a]) => a))],
          ["b", numericColumn(pairs.map(([, b]) => b))],
          ["i", numericColumn(pairs.map((_, i) => i))],
        ]);
        const expected = pairs.map(([a, b], i) => [a, b, i]).sort((x, y) => x[0]! - y[0]! || y[1]! - x[1]!);
        expect(rowsOf(sortBy(table, ["a", { name: "b", descending: true }]))).toEqual(expected);
      }),
    );
  });

  it("uniqueRows keeps the first of each combination; missing equals missing", () => {
    expect(rowsOf(uniqueRows(TABLE, ["item", "system"])).length).toBe(4);
    const missing = makeTable([["x", numericColumn([Number.NaN, 1, Number.NaN, 1])]]);
    expect(rowsOf(uniqueRows(missing))).toEqual([[null], [1]]);
  });

  it("uniqueRows agrees with a Set of texts on random tables with many keys", () => {
    const cell = fc.integer({ min: 0, max: 2000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, fc.constantFrom("x", "y", null)), { maxLength: 300 }), (rows) => {
        const table = makeTable([
          ["a", numericColumn(rows.map(([a]) => a))],
          ["b", numericColumn(rows.map(([, b]) => b % 7))],
          ["c", factorColumn(rows.map(([, , c]) => c))],
        ]);
        const seen = new Map(rows.map(([a, b, c]) => [JSON.stringify([a, b % 7, c]), [a, b % 7, c]]));
        expect(rowsOf(uniqueRows(table))).toEqual([...seen.values()]);
      }),
    );
  });

  it("uniqueRows keeps every row of a large crossed table", () => {
    const n = 3000;
    const table = makeTable([
      ["a", numericColumn(Float64Array.from({ length: 2 * n }, (_, i) => i % n))],
      ["b", numericColumn(Float64Array.from({ length: 2 * n }, (_, i) => (i * 7) % n))],
    ]);
    expect(uniqueRows(table)).toEqual(selectRows(table, (row) => row < n));
  });
});

describe("concatRows", () => {
  it("fills absent columns with missing and unites levels in order", () => {
    const a = makeTable([
      ["s", factorColumn(["b", "a"])],
      ["x", numericColumn([1, 2])],
    ]);
    const b = makeTable([
      ["s", factorColumn(["c", "a"])],
      ["y", factorColumn(["u", null])],
    ]);
    const both = concatRows([a, b]);
    expect(rowsOf(both)).toEqual([
      ["b", 1, null],
      ["a", 2, null],
      ["c", null, "u"],
      ["a", null, null],
    ]);
    expect(column(both, "s")).toMatchObject({ levels: ["a", "b", "c"] });
  });

  it("appends levels where a part has an order of its own", () => {
    const a = makeTable([["s", factorColumn(["low", "high"], { levels: ["low", "high"] })]]);
    const b = makeTable([["s", factorColumn(["extra", "low"])]]);
    expect(column(concatRows([a, b]), "s")).toMatchObject({
      levels: ["low", "high", "extra"],
      codes: Int32Array.of(0, 1, 2, 0),
    });
  });

  it("turns numbers into text where the other part has text", () => {
    const both = concatRows([
      makeTable([["id", numericColumn([1.5, Number.NaN])]]),
      makeTable([["id", factorColumn(["a"])]]),
    ]);
    expect(rowsOf(both)).toEqual([["1.5"], [null], ["a"]]);
  });

  it("keeps equal ordered levels and refuses unlike ones", () => {
    const levels = ["low", "high"];
    const a = makeTable([["s", factorColumn(["low"], { levels, ordered: true })]]);
    expect(column(concatRows([a, a]), "s")).toMatchObject({ ordered: true, levels });
    const error = fault(() => concatRows([a, makeTable([["s", factorColumn(["low"])]])]));
    expect(error.code).toBe("LevelMismatch");
  });
});

describe("factors", () => {
  it("makes levels of numbers in numeric order with shortest texts", () => {
    expect(asFactor(numericColumn([10, 9, 0.1, Number.NaN, 1e21]))).toEqual({
      kind: "factor",
      codes: Int32Array.of(2, 1, 0, -1, 3),
      levels: ["0.1", "9", "10", "1e+21"],
      ordered: false,
    });
  });

  it("follows given levels and a reference, and keeps the cells", () => {
    const factor = factorColumn(["b", "a", "c", null], { levels: ["c", "b", "a", "unused"], ordered: true });
    expect(factor).toMatchObject({ codes: Int32Array.of(1, 2, 0, -1), ordered: true });
    expect(asFactor(factor, { reference: "a" }).levels).toEqual(["a", "c", "b", "unused"]);
    expect(cells(relevel(factor, "a"))).toEqual(cells(factor));
    expect(dropUnusedLevels(factor).levels).toEqual(["c", "b", "a"]);
  });

  it("refuses a cell outside the given levels instead of losing it", () => {
    const error = fault(() => factorColumn(["a", "bb"], { levels: ["a", "b"] }));
    expect(error.code).toBe("UnknownLevel");
    expect(error.message).toBe('row 2 has "bb", which is not a level (levels: a, b).');
    expect(fault(() => relevel(factorColumn(["a"]), "z")).code).toBe("UnknownLevel");
    expect(fault(() => factorColumn(["a"], { levels: ["a", "a"] })).code).toBe("DuplicateLevel");
  });

  it("asNumeric inverts asFactor", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        const expected = values.map((value) => (Object.is(value, -0) ? 0 : value));
        expect([...asNumeric(asFactor(numericColumn(values))).values]).toEqual(expected);
      }),
    );
  });

  it("asNumeric names the cell that is no number, unless no row has it", () => {
    const error = fault(() => asNumeric(factorColumn(["1", "x"]), "score"));
    expect(error.message).toBe('column "score" holds "x" in row 2, which is not a number.');
    expect([...asNumeric(factorColumn(["1", null], { levels: ["x", "1"] })).values]).toEqual([1, Number.NaN]);
  });

  it("treats level names that every object inherits as plain text", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const factor = factorColumn([...names, null, "__proto__"]);
    expect(cells(factor)).toEqual([...names, null, "__proto__"]);
    expect(factor.levels).toEqual(names.toSorted());
  });
});
