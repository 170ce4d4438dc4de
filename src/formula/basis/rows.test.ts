import { describe, expect, it } from "vitest";
import { numericColumn } from "../../data/table.ts";
import { bilinear, matVec, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { parseFormula } from "../parse/parse.ts";
import { learnSmooth, smoothRows } from "./basis.ts";
import { learnMargin } from "./learn.ts";
import { localRows, marginRowInto, marginScratch } from "./local-rows.ts";
import { distinctPoints, type Margin } from "./margin.ts";
import { columnMoments, rowMoments } from "./moments.ts";

const x = Float64Array.from({ length: 200 }, (_, i) => Math.round(((i * 0.6180339887498949) % 1) * 150) / 30);
const bases = ["cr", "cs", "cc", "ps", "bs", "tp", "ts"];
const marginOf = (basis: string, k = 9): Margin =>
  learnMargin(basis, [{ kind: "numeric", values: x }], { names: ["x"], k, m: [] }).raw.margin;

/** Columns × points. */
const rowsAt = (margin: Margin, at: Float64Array) => {
  const rows = zeros(margin.columns, at.length);
  const scratch = new Float64Array(marginScratch(margin));
  for (let i = 0; i < at.length; i++) marginRowInto(rows.data, i * margin.columns, margin, [at], i, scratch);
  return rows;
};

describe("local rows", () => {
  it.each(bases)("%s: the few functions, through the table, are the design", (bs) => {
    const { term, columns } = {
      term: parseFormula(`y ~ s(x, bs = "${bs}", k = 9)`).smooth[0]!,
      columns: [numericColumn(x)],
    };
    const smooth = learnSmooth({ term, covariates: columns })[0]!;
    const margin = smooth.margins[0]!;
    const at = Float64Array.from([-1, 0, 0.3, 2.5, 4.99, 5, 6.5]);
    const local = localRows(margin, [at])!;
    const phi = zeros(local.functions, at.length);
    for (let i = 0; i < at.length; i++) {
      for (let j = 0; j < local.width; j++)
        phi.data[local.first[i]! + j + i * local.functions] = local.values[local.width * i + j]!;
    }
    const X = transpose(multiply(margin.table!, phi));
    const direct = smoothRows(smooth, [numericColumn(at)]);
    X.data.forEach((value, i) => {
      expect(value).toBeCloseTo(direct.data[i]!, 12);
    });
  });

  it("a basis that is nowhere zero has none", () => {
    const covariates = [numericColumn(x), numericColumn(x.map((value, i) => value + i))];
    const { raw } = learnMargin("tp", covariates, { names: ["x", "z"], k: 8, m: [] });
    expect(localRows(raw.margin, [x, x])).toBeUndefined();
  });
});

describe("moments of the columns", () => {
  it.each(bases)("%s: as from the rows themselves", (bs) => {
    for (const k of [6, 9, 25]) {
      const margin = marginOf(bs, k);
      const points = distinctPoints([x]);
      const fast = columnMoments(margin, points);
      const slow = rowMoments(rowsAt(margin, points.columns[0]!), points.counts);
      expect(fast.norm / slow.norm).toBeCloseTo(1, 13);
      fast.sums.forEach((sum, j) => {
        expect(sum).toBeCloseTo(slow.sums[j]!, 10);
        expect(fast.squares[j]! / slow.squares[j]!).toBeCloseTo(1, 11);
      });
    }
  });
});

describe("closed forms", () => {
  const quadratic = (basis: string, m: number[], values: Float64Array): number => {
    const { S } = learnMargin(basis, [{ kind: "numeric", values: x }], { names: ["x"], k: values.length, m }).raw;
    return bilinear(values, S[0]!, values);
  };
  const knotsOf = (basis: string, k: number): Float64Array => {
    const { functions } = marginOf(basis, k);
    return functions.kind === "cubic" || functions.kind === "bspline" ? functions.knots : new Float64Array(0);
  };

  it("cr reproduces straight lines, within and beyond the knots, at no penalty", () => {
    const line = knotsOf("cr", 8).map((knot) => 3 - 2 * knot);
    const at = Float64Array.from([-4, 0.1, 2.2, 9]);
    const rows = transpose(rowsAt(marginOf("cr", 8), at));
    matVec(rows, line).forEach((value, i) => {
      expect(value).toBeCloseTo(3 - 2 * at[i]!, 11);
    });
    expect(quadratic("cr", [], line)).toBeCloseTo(0, 10);
  });

  it("cr: the penalty is ∫f″², here of the spline's own second differences on a fine grid", () => {
    const values = knotsOf("cr", 7).map((knot) => Math.sin(2 * knot));
    const n = 40_000;
    const grid = Float64Array.from({ length: n + 1 }, (_, i) => (5 * i) / n);
    const f = matVec(transpose(rowsAt(marginOf("cr", 7), grid)), values);
    const h = 5 / n;
    let integral = 0;
    for (let i = 1; i < n; i++) integral += ((f[i + 1]! - 2 * f[i]! + f[i - 1]!) / h ** 2) ** 2 * h;
    expect(integral / quadratic("cr", [], values)).toBeCloseTo(1, 4); // O(h) at the ends and at the knots
  });

  it("cc: value, slope and curvature agree at both ends of the cycle", () => {
    const margin = marginOf("cc", 8);
    const values = Float64Array.from({ length: 7 }, (_, j) => Math.cos(j * j));
    const h = 1e-3;
    const f = matVec(
      transpose(rowsAt(margin, Float64Array.from([0, h, 2 * h, 5 - 2 * h, 5 - h, 5, 5 + h, -h]))),
      values,
    );
    expect(f[0]).toBeCloseTo(f[5]!, 12);
    expect(f[6]).toBeCloseTo(f[1]!, 12);
    expect(f[7]).toBeCloseTo(f[4]!, 12);
    const [before, after] = [(f[3]! - 2 * f[4]! + f[5]!) / h ** 2, (f[0]! - 2 * f[1]! + f[2]!) / h ** 2];
    expect(Math.abs(before - after)).toBeLessThan(100 * h * Math.max(1, Math.abs(before)));
    expect((f[5]! - f[4]!) / h).toBeCloseTo((f[1]! - f[0]!) / h, 1);
  });

  it("B-splines add up to one, beyond the ends too", () => {
    for (const basis of ["ps", "bs"]) {
      const at = Float64Array.from([-3, 0, 1.234, 5, 11]);
      const ones = new Float64Array(9).fill(1);
      for (const total of matVec(transpose(rowsAt(marginOf(basis, 9), at)), ones)) expect(total).toBeCloseTo(1, 11);
    }
  });

  it("bs: a parabola by its coefficients has penalty ∫f″² = 4·range", () => {
    // Marsden: coefficient of x² at knots t is the mean of the products of pairs among t₁, t₂, t₃
    const knots = knotsOf("bs", 9);
    const values = Float64Array.from({ length: 9 }, (_, j) => {
      const [a, b, c] = [knots[j + 1]!, knots[j + 2]!, knots[j + 3]!];
      return (a * b + a * c + b * c) / 3;
    });
    const range = knots[9]! - knots[3]!;
    expect(quadratic("bs", [3, 2], values) / (4 * range)).toBeCloseTo(1, 11);
    expect(quadratic("bs", [3, 3], values)).toBeCloseTo(0, 8);
    const at = Float64Array.from([0, 0.77, 4.9]);
    matVec(transpose(rowsAt(marginOf("bs", 9), at)), values).forEach((value, i) => {
      expect(value).toBeCloseTo(at[i]! ** 2, 11);
    });
  });

  it("tp: rows at a point far away continue linearly", () => {
    const margin = marginOf("tp", 8);
    const rows = rowsAt(margin, Float64Array.from([10, 20, 30, -10, -20, -30]));
    for (let j = 0; j < 8; j++) {
      const value = (i: number): number => rows.data[j + i * 8]!;
      const scale = Math.max(1, Math.abs(value(2)), Math.abs(value(5)));
      expect(Math.abs(value(2) - 2 * value(1) + value(0)) / scale).toBeLessThan(1e-12);
      expect(Math.abs(value(5) - 2 * value(4) + value(3)) / scale).toBeLessThan(1e-12);
    }
  });
});
