import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeOnto, contrastCoding, findIndicators, indicatorCoding } from "./coding.ts";
import { learnOrthogonal, orthogonalColumns } from "./orthogonal.ts";
import type { Contrast } from "./term.ts";

const { contrasts } = JSON.parse(readFileSync(new URL("../../oracle/r/design.json", import.meta.url), "utf8")) as {
  contrasts: { contrast: Contrast; levels: number; names: string[]; matrix: number[][] }[];
};

describe("R's contrasts", () => {
  it.each(contrasts)("$contrast of $levels levels", ({ contrast, levels, names, matrix }) => {
    const coding = contrastCoding(
      contrast,
      Array.from({ length: levels }, (_, i) => String(i + 1)),
    );
    // contr.sum and contr.helmert leave the columns unnamed; model.matrix then numbers them.
    expect(coding.names).toEqual(names.length > 0 ? names : matrix.map((_, j) => String(j + 1)));
    matrix.flat().forEach((value, i) => {
      expect(coding.matrix.data[i]).toBeCloseTo(value, 13);
    });
  });
});

describe("orthogonal polynomials", () => {
  it("are orthonormal and orthogonal to the constant, far from the origin too", () => {
    const x = Float64Array.from({ length: 50 }, (_, i) => 1e6 + Math.sin(i) * 3);
    const columns = orthogonalColumns(x, learnOrthogonal(x, 5)!);
    columns.forEach((a, j) => {
      expect(a.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 8);
      columns.forEach((b, k) => {
        const dot = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
        expect(dot).toBeCloseTo(j === k ? 1 : 0, 8);
      });
    });
  });

  it("give up where the points are too few, and pass over missing ones", () => {
    expect(learnOrthogonal(Float64Array.of(1, 2, 2, 1), 2)).toBeUndefined();
    const whole = learnOrthogonal(Float64Array.of(1, 2, 4, 8), 2);
    expect(learnOrthogonal(Float64Array.of(1, Number.NaN, 2, 4, 8), 2)).toEqual(whole);
  });
});

describe("where a factor needs all its levels", () => {
  const isFactor = (label: string): boolean => label !== "x";

  it("is where the margin is missing from the terms before it", () => {
    expect(findIndicators([["a"], ["b"], ["a", "b"]], true, isFactor)).toEqual([[false], [false], [false, false]]);
    expect(findIndicators([["a", "b"]], true, isFactor)).toEqual([[true, true]]);
    expect(findIndicators([["b"], ["a", "b"]], true, isFactor)).toEqual([[false], [false, true]]);
    expect(findIndicators([["x"], ["x", "a"]], true, isFactor)).toEqual([[false], [false, false]]);
  });

  it("counts a margin that is only part of an earlier term", () => {
    expect(
      findIndicators(
        [
          ["a", "c"],
          ["b", "c"],
        ],
        true,
        isFactor,
      ),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(
      findIndicators(
        [
          ["a", "b", "c"],
          ["a", "b", "d"],
        ],
        true,
        isFactor,
      )[1],
    ).toEqual([true, true, false]);
  });

  it("includes the first factor of a model without intercept", () => {
    expect(findIndicators([["x"], ["a"], ["b"]], false, isFactor)).toEqual([[false], [true], [false]]);
    expect(findIndicators([["x"], ["x", "a"]], false, isFactor)).toEqual([[false], [false, true]]);
  });
});

describe("recoding", () => {
  it("keeps unknown levels at the end and missing cells missing", () => {
    const factor = {
      kind: "factor",
      codes: Int32Array.of(0, 1, 2, -1, 1),
      levels: ["b", "new", "a"],
      ordered: false,
    } as const;
    const coded = codeOnto(factor, ["a", "b", "c"]);
    expect(coded.levels).toEqual(["a", "b", "c", "new"]);
    expect([...coded.codes]).toEqual([1, 3, 0, -1, 3]);
  });

  it("gives one column per level", () => {
    expect([...indicatorCoding(["a", "b"]).matrix.data]).toEqual([1, 0, 0, 1]);
  });
});
