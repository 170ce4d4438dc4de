import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteDictionary } from "./dictionary.ts";

describe("ByteDictionary", () => {
  it("numbers texts as a Map would and gives them back", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.constant("\uFEFFx"),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 400 }), (texts) => {
        const dictionary = new ByteDictionary();
        const map = new Map<string, number>();
        for (const entry of texts) {
          const bytes = new TextEncoder().encode(`<${entry}>`);
          const well = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(1, -1));
          if (!map.has(well)) map.set(well, map.size);
          expect(dictionary.intern(bytes, 1, bytes.length - 1)).toBe(map.get(well));
        }
        expect(dictionary.texts()).toEqual([...map.keys()]);
      }),
    );
  });

  it("stays right over many entries and growth", () => {
    const dictionary = new ByteDictionary();
    const encoder = new TextEncoder();
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 20_000; i += 1) {
        const bytes = encoder.encode(`item-${i}`);
        if (dictionary.intern(bytes, 0, bytes.length) !== i) throw new Error(`entry ${i} got another number`);
      }
    }
    expect(dictionary.size).toBe(20_000);
    expect(dictionary.texts()[19_999]).toBe("item-19999");
  });
});
