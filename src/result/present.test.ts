import { describe, expect, it } from "vitest";
import { present } from "./present.ts";

describe("the fields that are there", () => {
  it("keep their order, and what is undefined has no name", () => {
    const own = present({ a: 1, b: undefined, c: null, d: 0, e: "", f: false, g: Number.NaN });
    expect(Object.keys(own)).toEqual(["a", "c", "d", "e", "f", "g"]);
    expect(own).toEqual({ a: 1, c: null, d: 0, e: "", f: false, g: Number.NaN });
  });
});
