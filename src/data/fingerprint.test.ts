import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "./fingerprint.ts";
import { asFactor, factorColumn, makeTable, numericColumn, relevel, selectRows, type Table } from "./table.ts";

const TABLE = makeTable([
  ["item", numericColumn([1, 2, Number.NaN])],
  ["system", factorColumn(["A", "B", null])],
]);

describe("fingerprint", () => {
  it("is the same for equal tables, however they were made", () => {
    const again = makeTable([
      ["item", numericColumn(Float64Array.of(1, 2, -Number.NaN))],
      ["system", { kind: "factor", codes: Int32Array.of(0, 1, -1), levels: ["A", "B"], ordered: false }],
    ]);
    expect(fingerprint(again)).toBe(fingerprint(TABLE));
    // A stored value: signatures in saved results must stay comparable.
    expect(fingerprint(TABLE)).toBe("c23da033b580d426faac8f21b3713716");
  });

  it("tells apart every change of cells, names, order, levels and kind", () => {
    const item = numericColumn([1, 2, Number.NaN]);
    const system = factorColumn(["A", "B", null]);
    const others: Table[] = [
      makeTable([
        ["item", numericColumn([1, 2, 3])],
        ["system", system],
      ]),
      makeTable([
        ["item", numericColumn([1, 2 + 2 ** -51, Number.NaN])],
        ["system", system],
      ]),
      makeTable([
        ["items", item],
        ["system", system],
      ]),
      makeTable([
        ["system", system],
        ["item", item],
      ]),
      makeTable([["item", item]]),
      makeTable([
        ["item", asFactor(item)],
        ["system", system],
      ]),
      makeTable([
        ["item", item],
        ["system", relevel(system, "B")],
      ]),
      makeTable([
        ["item", item],
        ["system", { ...system, ordered: true }],
      ]),
      makeTable([
        ["item", item],
        ["system", { ...system, levels: ["A", "C"] }],
      ]),
      makeTable([
        ["item", item],
        ["system", { ...system, levels: ["A", "B", "C"] }],
      ]),
      selectRows(TABLE, Int32Array.of(1, 0, 2)),
      makeTable([], 3),
      makeTable([], 4),
    ];
    expect(new Set([TABLE, ...others].map(fingerprint)).size).toBe(others.length + 1);
  });

  it("does not confuse the ends of names and levels", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 })), fc.array(fc.string({ maxLength: 2 })), (a, b) => {
        const make = (levels: string[]) => makeTable([["x", factorColumn([], { levels: [...new Set(levels)] })]]);
        const same = JSON.stringify([...new Set(a)]) === JSON.stringify([...new Set(b)]);
        expect(fingerprint(make(a)) === fingerprint(make(b))).toBe(same);
      }),
    );
  });
});
