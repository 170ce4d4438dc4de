import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSorted, parseDecimal, sortLevels } from "./levels.ts";

describe("sortLevels", () => {
  it("sorts numbers as numbers, ties by text", () => {
    expect(sortLevels(["10", "9", "-1", "1e2", "2.50", "2.5"])).toEqual(["-1", "2.5", "2.50", "9", "10", "1e2"]);
  });

  it("sorts by code unit as soon as one level is not a number", () => {
    expect(sortLevels(["10", "9", "b", "B", "ä", "a"])).toEqual(["10", "9", "B", "a", "b", "ä"]);
  });

  it("does not depend on the order given, and isSorted recognises it", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.integer().map(String), fc.string())), (levels) => {
        const sorted = sortLevels(levels);
        expect(sortLevels(levels.toReversed())).toEqual(sorted);
        expect(isSorted(sorted)).toBe(true);
        expect(isSorted(levels)).toBe(levels.every((level, i) => level === sorted[i]));
      }),
    );
  });
});

describe("parseDecimal", () => {
  it.each([
    ["1", 1],
    ["-.5", -0.5],
    ["+3", 3],
    ["5.", 5],
    ["1e5", 1e5],
    ["1E-2", 0.01],
  ])("reads %s", (text, value) => expect(parseDecimal(text)).toBe(value));

  it.each(["", " ", "1 ", "0x10", "1e", "1,5", "Infinity", "1e999", ".", "NaN", "1_000"])("refuses %j", (text) => {
    expect(parseDecimal(text)).toBeNaN();
  });
});
