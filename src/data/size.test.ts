import { describe, expect, it } from "vitest";
import { checkSize } from "./size.ts";

describe("sizes of scores", () => {
  it.each([[[0]], [[]], [[1e50, -1]], [[-1e-50]], [[1, 1e-320]], [[Number.NaN, 2]]])("%j are usual", (values) => {
    checkSize(values, "x");
  });

  it.each([
    [[1, -1e51], "1.0e51"],
    [[1e-51, 0], "1.0e-51"],
    [[5e-324], "4.9e-324"],
    [[Number.MAX_VALUE], "1.8e308"],
  ])("%j are refused, with the unit to use", (values, largest) => {
    expect(() => checkSize(values, "x")).toThrow(`the largest value of x is ${largest}: squares`);
  });

  it("say what to do", () => {
    expect(() => checkSize([3e160], "score")).toThrow(
      expect.objectContaining({ code: "OutOfRange", fix: "use other units: divide by 3e160." }),
    );
  });
});
