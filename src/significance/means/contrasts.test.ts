import { describe, expect, it } from "vitest";
import { toRows } from "../../numeric/linalg/matrix.ts";
import { areTrueContrasts, CONTRAST_METHODS, makeContrasts } from "./contrasts.ts";

const weights = (k: number, method: (typeof CONTRAST_METHODS)[number]) =>
  toRows(makeContrasts([..."abcdefgh"].slice(0, k), method).weights);

describe("polynomial contrasts", () => {
  // Fisher & Yates, Statistical Tables, table XXIII
  it.each([
    [
      3,
      [
        [-1, 0, 1],
        [1, -2, 1],
      ],
    ],
    [
      4,
      [
        [-3, -1, 1, 3],
        [1, -1, -1, 1],
        [-1, 3, -3, 1],
      ],
    ],
    [
      5,
      [
        [-2, -1, 0, 1, 2],
        [2, -1, -2, -1, 2],
        [-1, 2, 0, -2, 1],
        [1, -4, 6, -4, 1],
      ],
    ],
    [
      7,
      [
        [-3, -2, -1, 0, 1, 2, 3],
        [5, 0, -3, -4, -3, 0, 5],
        [-1, 1, 1, 0, -1, -1, 1],
        [3, -7, 1, 6, 1, -7, 3],
        [-1, 4, -5, 0, 5, -4, 1],
        [1, -6, 15, -20, 15, -6, 1],
      ],
    ],
  ])("of %d levels are those of the tables", (k, table) => {
    expect(weights(k, "poly")).toEqual(table);
  });

  it("are orthogonal, whole and at most of degree 6", () => {
    const rows = weights(8, "poly");
    expect(rows).toHaveLength(6);
    for (const [i, a] of rows.entries()) {
      expect(a.every(Number.isInteger)).toBe(true);
      for (const b of rows.slice(i + 1)) expect(a.reduce((sum, v, j) => sum + v * b[j]!, 0)).toBe(0);
    }
    expect(makeContrasts([..."abcdefgh"], "poly").names[4]).toBe("degree 5");
  });
});

describe("contrasts", () => {
  it("of every method sum to 0", () => {
    for (const method of CONTRAST_METHODS) {
      expect(areTrueContrasts(makeContrasts(["a", "b", "c", "d", "e"], method)), method).toBe(true);
    }
    expect(areTrueContrasts(makeContrasts(["a", "b"], { mean: [0.5, 0.5] }))).toBe(false);
  });

  it("against a chosen reference", () => {
    const made = makeContrasts(["a", "b", "c"], "treatment", { reference: "b" });
    expect(made.names).toEqual(["a - b", "c - b"]);
    expect(toRows(made.weights)).toEqual([
      [1, -1, 0],
      [0, -1, 1],
    ]);
  });

  it("put labels with operators into brackets", () => {
    expect(makeContrasts(["gpt-4", "a/b", "plain"], "pairwise").names).toEqual([
      "(gpt-4) - (a/b)",
      "(gpt-4) - plain",
      "(a/b) - plain",
    ]);
  });

  it("of a single mean are none", () => {
    expect(makeContrasts(["a"], "pairwise").names).toEqual([]);
  });

  it("refuse weights that do not fit", () => {
    expect(() => makeContrasts(["a", "b"], { odd: [1, Number.NaN] })).toThrow(/a weight of NaN/);
  });
});
