import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { readCsv } from "./csv.ts";
import { writeCsv } from "./write.ts";

describe("writeCsv", () => {
  it("writes what a person would", () => {
    const table = makeTable([
      ["item", numericColumn([1, 2.5, Number.NaN])],
      ['the "note"', factorColumn(["plain", 'say "hi", now', null])],
    ]);
    expect(writeCsv(table)).toBe('item,"the ""note"""\n1,plain\n2.5,"say ""hi"", now"\nNA,NA\n');
    expect(writeCsv(table, { delimiter: ";" })).toContain('2.5;"say ""hi"", now"');
  });

  it("reads back identical: numbers to the last bit, texts to the last blank", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("", "NA", " NA ", "null", "a,b", 'q"q', "x\r\ny", " ", "__proto__", "constructor", "1,5", "007"),
    );
    const row = fc.tuple(fc.double(), fc.option(text), fc.option(text));
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(",", "\t", ";", "|"),
        (rows, delimiter) => {
          const wellFormed = (value: string | null) => (value === null ? null : value.replace(/\p{Surrogate}/gu, "?"));
          const table = makeTable([
            ["__proto__", numericColumn(rows.map(([x]) => x))],
            ["a, b", factorColumn(rows.map(([, a]) => wellFormed(a)))],
            [" padded", factorColumn(rows.map(([, , b]) => wellFormed(b)))],
          ]);
          const again = readCsv(writeCsv(table, { delimiter }), { delimiter, factors: ["a, b", " padded"] }).table;
          expect(again).toEqual(table);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reads back a single column with missing cells and extreme numbers", () => {
    const table = makeTable([["x", numericColumn([NaN, -0, 1e300, 2 ** 60, -(2 ** 53), 5e-324, Infinity, -Infinity])]]);
    expect(readCsv(writeCsv(table)).table).toEqual(table);
  });
});
