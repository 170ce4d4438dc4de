import { describe, expect, it } from "vitest";
import { parseJson, parseList } from "./list-cells.ts";

describe("lists in cells", () => {
  it.each([
    ["[1, 2.5, null]", [1, 2.5, null]],
    ["(1, 2)", [1, 2]],
    ["[true, false]", [1, 0]],
    ["[4 5 3]", [4, 5, 3]],
    ["4;5;;3", [4, 5, null, 3]],
    ["4|5", [4, 5]],
    ["0,1,", ["0", "1", null]],
    ["['Ann1', 'Ann2']", ["Ann1", "Ann2"]],
    ["[]", []],
  ])("%s", (text, elements) => expect(parseList(text)).toEqual(elements));

  it.each(["a sentence; with marks", "one, of (several)", '[{"a": 1}]', "plain", "7"])("%s is none", (text) => {
    expect(parseList(text)).toBeUndefined();
  });

  it("gives undefined for what is no JSON", () => {
    expect([parseJson('{"a":1}'), parseJson("{a}")]).toEqual([{ a: 1 }, undefined]);
  });
});
