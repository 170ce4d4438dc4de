import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePseudonyms, renameRaters } from "./pseudonyms.ts";

const names = makePseudonyms(["ann", 'Bob "B"', "3"]);
const rename = (text: string, column = "who"): string =>
  new TextDecoder().decode(renameRaters({ name: "f", bytes: new TextEncoder().encode(text) }, column, names));

describe("raters under other names", () => {
  it("in a table: their cells change and nothing else", () => {
    expect(rename('x;who;"t;t"\r\n1; ann ;"a\nb"\r\n2;"Bob ""B""";\r\n3;3;"""\r\n"\r\n')).toBe(
      'x;who;"t;t"\r\n1;rater-1;"a\nb"\r\n2;"rater-2";\r\n3;rater-3;"""\r\n"\r\n',
    );
  });

  it("in lines of JSON and in documents, also below other keys", () => {
    expect(rename('{"who":"ann","x":[{"who":3}]}\n{"who":"Bob \\"B\\""}\n')).toBe(
      '{"who":"rater-1","x":[{"who":"rater-3"}]}\n{"who":"rater-2"}\n',
    );
    expect(rename('{"rows":[{"by":{"who":"ann"},"who":"as it was"}]}', "by.who")).toBe(
      '{"rows":[{"by":{"who":"rater-1"},"who":"as it was"}]}\n',
    );
  });

  it("are refused where a cell is no rater, a column is missing, or the file no text", () => {
    expect(() => rename("who\nzoe\n")).toThrow(/"zoe" in the column of raters/);
    expect(() => rename("x\n1\n")).toThrow(/column who is not in the header/);
    expect(() => renameRaters({ name: "f", bytes: new Uint8Array([0xff, 0xfe, 0x00]) }, "who", names)).toThrow(
      /not UTF-8 text/,
    );
  });

  it("keep every row's other cells", () => {
    const cell = fc.stringMatching(/^[a-z ."]{0,6}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, fc.constantFrom("ann", "3"), cell), { minLength: 1 }), (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const write = (who: (name: string) => string): string =>
          ["a,who,b", ...rows.map(([a, name, b]) => [quoted(a), who(name), quoted(b)].join(","))].join("\n");
        expect(rename(write((name) => name))).toBe(`${write((name) => names.get(name)!)}\n`);
      }),
    );
  });
});
