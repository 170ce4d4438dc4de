import { describe, expect, it } from "vitest";
import { type Column, makeTable, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { learnMargin } from "./basis/learn.ts";
import { learnTensor } from "./basis/tensor.ts";
import { buildDesign } from "./design.ts";
import { MOST_COLUMNS, refuseColumns } from "./size.ts";

const factor = (levels: number, rows: number): Column => ({
  kind: "factor",
  codes: Int32Array.from({ length: rows }, (_, i) => i % levels),
  levels: Array.from({ length: levels }, (_, k) => `l${k}`),
  ordered: false,
});
const numbers = (rows: number): Column => ({
  kind: "numeric",
  values: Float64Array.from({ length: rows }, (_, i) => i),
});

function table(rows: number, levels: number): Table {
  return makeTable([
    ["y", numbers(rows)],
    ["a", numbers(rows)],
    ["g", factor(levels, rows)],
    ["h", factor(Math.max(2, levels - 1), rows)],
  ]);
}

function refusal(make: () => unknown): StatError {
  try {
    make();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("it was built");
}

describe("sizes of model matrices", () => {
  it("refuses a factor with very many levels and says what to write", () => {
    const error = refusal(() => buildDesign("y ~ g", table(20_000, 20_000)));
    expect([error.code, error.message, error.fix]).toEqual([
      "TooManyColumns",
      "the factor g has 19999 columns on 20000 rows; there is room for 695.",
      "Write (1 | g) to make it a random effect, or merge levels.",
    ]);
    expect(buildDesign("y ~ 1 + (1 | g)", table(20_000, 20_000)).random[0]!.levels.length).toBe(20_000);
  });

  it("refuses interactions by their product", () => {
    const error = refusal(() => buildDesign("y ~ g:h", table(3000, 300)));
    expect(error.message).toBe("the term g:h has 89700 columns on 3000 rows; there is room for 1492.");
    expect(error.fix).toMatch(/\(1 \| g:h\)/);
    expect(refusal(() => buildDesign("y ~ g * h", table(3000, 300))).message).toMatch(
      /^the term g:h has 89102 columns/,
    );
    expect(buildDesign("y ~ g * h", table(60, 4)).X.cols).toBe(12);
  });

  it("refuses a smooth with a coefficient for each of very many levels, whose penalty is their square", () => {
    const request = { names: ["g"], k: -1, m: [] };
    const error = refusal(() => learnMargin("re", [factor(20_000, 20_000)], request));
    expect([error.message, error.fix]).toEqual([
      's(g, bs = "re") has 20000 columns; there is room for 2000.',
      "fit a mixed model with (1 | g), which has room for them, or merge levels.",
    ]);
    const crossed = { names: ["g", "h"], k: -1, m: [] };
    expect(refusal(() => learnMargin("re", [factor(100, 300), factor(99, 300)], crossed)).message).toMatch(
      /9900 columns/,
    );
    expect(learnMargin("re", [factor(30, 300)], request).points.columns.length).toBe(1);
  });

  it("refuses a sum of terms that is too much, where each is not", () => {
    const wide = makeTable([
      ["y", numbers(4000)],
      ["g", factor(1000, 4000)],
      ["h", factor(900, 4000)],
    ]);
    expect(refusal(() => buildDesign("y ~ g + h", wide)).message).toBe(
      "the model (its largest term is g, with 999) has 1898 columns on 4000 rows; there is room for 1365.",
    );
  });

  it("refuses polynomials before anything is allocated", () => {
    for (const formula of ["y ~ poly(a, 1e9)", "y ~ poly(a, 1e9, raw = TRUE)"]) {
      const error = refusal(() => buildDesign(formula, table(30, 3)));
      expect([error.code, error.fix]).toEqual(["TooManyColumns", "Lower the degree."]);
      expect(error.message).toMatch(/has 1000000000 columns on 30 rows/);
    }
    expect(refusal(() => buildDesign("y ~ poly(a, 40)", table(30, 3))).message).toMatch(
      /more than 40 different values/,
    );
  });

  it("refuses products of smooths", () => {
    const part = (name: string) => ({
      basis: "cr",
      columns: [numbers(60)],
      request: { k: 30, names: [name] },
    });
    const parts = ["a", "b", "c", "d", "e"].map(part) as unknown as Parameters<typeof learnTensor>[0];
    const error = refusal(() => learnTensor(parts, { interaction: false }));
    expect(error.message).toBe("the product of a, b, c, d, e has 24300000 columns; there is room for 2000.");
    expect(error.fix).toMatch(/Lower k/);
  });

  it("counts the variances of random terms: thousands of them took seven gigabytes", () => {
    const many = (count: number, term: string): string => `y ~ a + ${Array(count).fill(term).join(" + ")}`;
    const error = refusal(() => buildDesign(many(9000, "(1 | g)"), table(30, 3)));
    expect([error.code, error.message]).toEqual([
      "TooManyVariances",
      "the first 201 random terms have 201 variances and covariances; there is room for 200.",
    ]);
    expect(refusal(() => buildDesign(many(67, "(a | g)"), table(30, 3))).message).toMatch(/have 201 variances/);
    expect(buildDesign(many(66, "(a | g)"), table(30, 3)).random).toHaveLength(66);
    expect(buildDesign(many(100, "(a || g)"), table(30, 3)).random.length).toBeGreaterThan(99);
  });

  it("counts rows as well", () => {
    expect(() => refuseColumns("x", MOST_COLUMNS, 100, "")).not.toThrow();
    expect(() => refuseColumns("x", 1000, 1e6, "")).toThrow(/there is room for 67\./);
    expect(() => refuseColumns("x", 1400, 6000, "")).toThrow(/there is room for 1180\./);
  });
});
