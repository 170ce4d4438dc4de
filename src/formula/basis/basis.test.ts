import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Column, numericColumn } from "../../data/table.ts";
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { crossprod, type Matrix, matVec, selectRows, tMatVec, toRows, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { SmoothColumns } from "../design.ts";
import { parseFormula } from "../parse/parse.ts";
import {
  byValues,
  type LearnedSmooth,
  learnSmooth,
  type SmoothOptions,
  smoothCovariates,
  smoothRowInto,
  smoothRows,
  smoothScratch,
} from "./basis.ts";

interface OracleSmooth {
  label: string;
  columns: number;
  rank: number[];
  nullDim: number;
  penaltyScale: number[];
  X: (number | number[])[];
  S: (number | number[])[][];
  predicted: (number | number[])[];
  placed: number[] | null;
}
interface OracleCase {
  text: string;
  kind: "exact" | "signs";
  at: number[];
  select: boolean;
  knots: Record<string, number[]>;
  fits: Record<string, { fitted: number[]; predicted: number[] }>;
  lambda: Record<string, number[]>;
  smooths: OracleSmooth[];
}
interface OracleColumn {
  name: string;
  kind: "numeric" | "factor";
  values: number[];
  levels: string[];
  ordered: boolean;
  codes: number[];
}
const oracle = JSON.parse(readFileSync("oracle/r/basis.json", "utf8")) as {
  data: OracleColumn[];
  new: OracleColumn[];
  shown: number[];
  cases: OracleCase[];
  large: { rows: number; at: number[]; fits: { k: number; penaltyScale: number; predicted: number[] }[] };
};

type Columns = ReadonlyMap<string, Column>;
const readColumns = (columns: OracleColumn[]): Columns =>
  new Map(
    columns.map(({ name, kind, values, levels, ordered, codes }): [string, Column] => [
      name,
      kind === "numeric" ? numericColumn(values) : { kind, levels, ordered, codes: Int32Array.from(codes) },
    ]),
  );
const data = readColumns(oracle.data);
const fresh = readColumns(oracle.new);
const y = (data.get("y") as { values: Float64Array }).values;

const columnsOf = (text: string, columns: Columns): SmoothColumns => {
  const term = parseFormula(`y ~ ${text}`).smooth[0]!;
  return {
    term,
    covariates: term.of.map((name) => columns.get(name)!),
    ...(term.by === undefined ? {} : { by: columns.get(term.by)! }),
  };
};
const learn = (text: string, columns: Columns = data, options: SmoothOptions = {}): LearnedSmooth[] =>
  learnSmooth(columnsOf(text, columns), options);
const rowsOf = (smooth: LearnedSmooth, text: string, columns: Columns): Matrix => {
  const { covariates, by } = columnsOf(text, columns);
  return smoothRows(smooth, covariates, by);
};

/** y ~ 1 + smooths with penalties Σ λ_i β'S_iβ: the intercept, then all coefficients. */
const fitPenalised = (
  designs: Matrix[],
  smooths: readonly LearnedSmooth[],
  response: Float64Array,
  lambda: number[],
) => {
  const X = bind(designs);
  const A = crossprod(X);
  let [from, i] = [1, 0];
  for (const smooth of smooths) {
    for (const S of smooth.S) {
      for (let c = 0; c < S.cols; c++) {
        for (let r = 0; r < S.rows; r++)
          A.data[from + r + (from + c) * A.rows]! += lambda[i]! * S.data[r + c * S.rows]!;
      }
      i += 1;
    }
    from += smooth.columns;
  }
  return cholSolve(cholesky(A)!, tMatVec(X, response));
};
const bind = (designs: Matrix[]): Matrix => {
  const rows = designs[0]!.rows;
  const X = zeros(rows, 1 + designs.reduce((sum, { cols }) => sum + cols, 0));
  X.data.fill(1, 0, rows);
  let at = rows;
  for (const { data: part } of designs) {
    X.data.set(part, at);
    at += part.length;
  }
  return X;
};
const asRows = (rows: (number | number[])[]): number[][] => rows.map((row) => (Array.isArray(row) ? row : [row]));

/** Largest difference, relative to the largest entry. */
const distance = (actual: number[][], expected: number[][]): number => {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  const size = Math.max(...expected.flat().map(Math.abs), 1e-300);
  return Math.max(...actual.flatMap((row, i) => row.map((value, j) => Math.abs(value - expected[i]![j]!)))) / size;
};
/** ±1 per column, so that the columns of `actual` point the way of those of `expected`. */
const alignment = (actual: number[][], expected: number[][]): number[] =>
  actual[0]!.map((_, j) => (actual.reduce((sum, row, i) => sum + row[j]! * expected[i]![j]!, 0) < 0 ? -1 : 1));
const flip = (rows: number[][], signs: number[]): number[][] => rows.map((row) => row.map((v, j) => v * signs[j]!));

describe.each(oracle.cases.map((item) => [`${item.text}${item.select ? " select" : ""}`, item] as const))(
  "as mgcv: %s",
  (_, { text, kind, at, select, knots, smooths: expected, fits, lambda }) => {
    const given = Object.keys(knots).length > 0 ? { knots } : {};
    const learned = learn(text, data, { select, ...given });
    const X = learned.map((smooth) => rowsOf(smooth, text, data));
    const predicted = learned.map((smooth) => selectRows(rowsOf(smooth, text, fresh), at));

    it("gives the same rows and penalties", () => {
      expect(learned.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
      // thin plates: the sign of a column is free, and mgcv stops its eigenvectors at residuals of about 1e-11
      const bound = kind === "exact" ? 1e-10 : 1e-7;
      learned.forEach((smooth, s) => {
        const wanted = expected[s]!;
        const all = toRows(X[s]!);
        const shown = oracle.shown.map((row) => all[row]!);
        const signs =
          kind === "exact" ? all[0]!.map(() => 1) : alignment(toRows(predicted[s]!), asRows(wanted.predicted));
        expect(distance(flip(shown, signs), asRows(wanted.X))).toBeLessThan(bound);
        expect(distance(flip(toRows(predicted[s]!), signs), asRows(wanted.predicted))).toBeLessThan(bound);
        expect(smooth.S.length).toBe(wanted.S.length);
        smooth.S.forEach((S, i) => {
          const turned = flip(toRows(S), signs).map((row, r) => row.map((v) => v * signs[r]!));
          expect(distance(turned, asRows(wanted.S[i]!))).toBeLessThan(bound);
          expect(distance([[smooth.penaltyScale[i]!]], [[wanted.penaltyScale[i]!]])).toBeLessThan(bound);
        });
        if (smooth.S.length > 0) {
          expect(smooth.ranks).toEqual(wanted.rank);
          expect(smooth.nullDim).toBe(wanted.nullDim);
        }
        const { functions } = smooth.margins[0]!;
        if (wanted.placed !== null && smooth.margins.length === 1 && "knots" in functions) {
          expect(distance([[...functions.knots]], [wanted.placed])).toBeLessThan(1e-14);
        }
      });
    });

    it.each(Object.keys(fits))("fits the same curve, %s smoothing parameters", (name) => {
      const beta = fitPenalised(X, learned, y, lambda[name]!);
      expect(distance([[...matVec(bind(X), beta)]], [fits[name]!.fitted])).toBeLessThan(1e-8);
      expect(distance([[...matVec(bind(predicted), beta)]], [fits[name]!.predicted])).toBeLessThan(1e-8);
    });
  },
);

describe("more than 2000 distinct points", () => {
  const { rows, at, fits } = oracle.large;
  const x = Float64Array.from({ length: rows }, (_, i) => ((i + 1) * 0.6180339887498949) % 1);
  const response = x.map((value, i) => Math.sin(9 * value) + (((i + 1) * 7919) % 101) / 100);
  const columns: Columns = new Map([["x", { kind: "numeric", values: x }]]);
  const grid: Columns = new Map([["x", numericColumn(at)]]);

  it.each(fits)("takes mgcv's 2000 centers, k = $k", ({ k, penaltyScale, predicted }) => {
    const text = `s(x, k = ${k})`;
    const learned = learn(text, columns);
    expect(distance([[learned[0]!.penaltyScale[0]!]], [[penaltyScale]])).toBeLessThan(1e-8);
    const beta = fitPenalised([rowsOf(learned[0]!, text, columns)], learned, response, [1]);
    const curve = matVec(bind([rowsOf(learned[0]!, text, grid)]), beta);
    expect(distance([[...curve]], [predicted])).toBeLessThan(1e-8);
  });
});

const numbers = (values: number[]): Columns => new Map([["x", numericColumn(values)]]);
const spread = (n: number, f: (i: number) => number = (i) => i): number[] => Array.from({ length: n }, (_, i) => f(i));
const withX = (text: string, values: number[]): LearnedSmooth => learn(text, numbers(values))[0]!;
const factor = (codes: number[], levels: string[], ordered = false): Column => ({
  kind: "factor",
  codes: Int32Array.from(codes),
  levels,
  ordered,
});

describe("what holds for every basis", () => {
  const texts = ["cr", "cs", "cc", "ps", "bs", "tp", "ts"].map((bs) => `s(x, bs = "${bs}", k = 7)`);
  const all = [...texts, "te(x, z, k = 4)", "s(x, z, k = 9)"];

  it.each(all)("%s sums to zero over the rows learned from", (text) => {
    const X = rowsOf(learn(text)[0]!, text, data);
    const sums = toRows(X).reduce((total, row) => total.map((sum, j) => sum + row[j]!));
    expect(Math.max(...sums.map(Math.abs))).toBeLessThan(1e-10);
  });

  it.each([...all, "ti(x, z, k = 4)", 's(x, g, bs = "re")'])("%s does not depend on the order of rows", (text) => {
    const order = spread(48, (i) => (i * 29 + 5) % 48);
    const shuffled: Columns = new Map(
      [...data].map(([name, column]): [string, Column] => [
        name,
        column.kind === "numeric"
          ? { kind: "numeric", values: Float64Array.from(order, (i) => column.values[i]!) }
          : { ...column, codes: Int32Array.from(order, (i) => column.codes[i]!) },
      ]),
    );
    const [one, other] = [learn(text)[0]!, learn(text, shuffled)[0]!];
    const X = toRows(rowsOf(one, text, data));
    const moved = toRows(rowsOf(other, text, shuffled));
    const signs = alignment(
      moved,
      order.map((i) => X[i]!),
    );
    expect(
      distance(
        flip(moved, signs),
        order.map((i) => X[i]!),
      ),
    ).toBeLessThan(1e-10);
    expect(distance([[...other.penaltyScale]], [[...one.penaltyScale]])).toBeLessThan(1e-10);
  });

  it.each([...all, "ti(x, z, k = 4)", "s(x, z, k = 9, by = v)", "te(x, z, k = 4, by = g)"])(
    "%s: a single row without allocation is that of the design",
    (text) => {
      const { covariates, by } = columnsOf(text, fresh);
      for (const learned of learn(text)) {
        const X = toRows(smoothRows(learned, covariates, by));
        const [row, scratch] = [new Float64Array(learned.columns), new Float64Array(smoothScratch(learned))];
        const weights = byValues(learned, by);
        X.forEach((expected, i) => {
          smoothRowInto(row, learned, smoothCovariates(learned, covariates), i, scratch);
          // products of many rows at once add up in another order
          expect(distance([[...row].map((value) => value * (weights?.[i] ?? 1))], [expected])).toBeLessThan(1e-11);
        });
      }
    },
  );

  it.each(all)("%s is NaN where a covariate is missing", (text) => {
    const { covariates } = columnsOf(text, fresh);
    const [first, ...others] = covariates.map((column) => (column as { values: Float64Array }).values);
    const gaps = [first!.map((value, i) => (i === 3 ? Number.NaN : value)), ...others].map((values) =>
      numericColumn(values),
    );
    const learned = learn(text)[0]!;
    const [X, full] = [toRows(smoothRows(learned, gaps)), toRows(smoothRows(learned, covariates))];
    expect(X[3]!.every(Number.isNaN)).toBe(true);
    expect(distance([X[4]!, X[7]!], [full[4]!, full[7]!])).toBeLessThan(1e-11);
  });

  it.each(all)("%s survives a structured clone", (text) => {
    const learned = learn(text)[0]!;
    expect(rowsOf(structuredClone(learned), text, fresh)).toEqual(rowsOf(learned, text, fresh));
  });

  it.each(['s(x, bs = "cr", k = 7)', 's(x, bs = "ps", k = 7)', "s(x, k = 7)"])(
    "%s: a change of units leaves fits and smoothing parameters",
    (text) => {
      const scaled: Columns = new Map(data);
      const x = (data.get("x") as { values: Float64Array }).values;
      const units = new Map(scaled).set("x", { kind: "numeric", values: x.map((value) => 1000 * value - 77) });
      const fit = (columns: Columns): number[] => {
        const learned = learn(text, columns);
        const X = [rowsOf(learned[0]!, text, columns)];
        return [...matVec(bind(X), fitPenalised(X, learned, y, [0.7]))];
      };
      expect(distance([fit(units)], [fit(data)])).toBeLessThan(1e-9);
    },
  );
});

describe("by", () => {
  const x = spread(30, (i) => (i * 7) % 30);
  const codes = spread(30, (i) => i % 3);
  const columns = (by: Column): Columns => new Map([...numbers(x), ["g", by]]);
  const text = 's(x, bs = "cr", k = 5, by = g)';

  it("has no smooth for a level without rows, nor for the first of an ordered factor", () => {
    const labels = (by: Column): string[] => learn(text, columns(by)).map(({ label }) => label);
    expect(labels(factor(codes, ["a", "b", "c", "none"]))).toEqual(["s(x):ga", "s(x):gb", "s(x):gc"]);
    expect(labels(factor(codes, ["a", "b", "c"], true))).toEqual(["s(x):gb", "s(x):gc"]);
  });

  it("finds its level by name in new data, and is zero elsewhere", () => {
    const learned = learn(text, columns(factor(codes, ["a", "b", "c"])))[1]!;
    const X = smoothRows(learned, [numericColumn([3, 3, 3])], factor([0, 1, 2], ["c", "b", "unseen"]));
    const rows = toRows(X);
    expect(rows[0]).toEqual([0, 0, 0, 0]);
    expect(rows[2]).toEqual([0, 0, 0, 0]);
    expect(rows[1]).toEqual(toRows(smoothRows(learned, [numericColumn([3])], factor([0], ["b"])))[0]);
  });

  it("refuses a column of the other kind", () => {
    const learned = learn(text, columns(factor(codes, ["a", "b", "c"])))[0]!;
    expect(() => smoothRows(learned, [numericColumn([3])], numericColumn([1]))).toThrow(/needs g as a factor/);
  });
});

describe("random effects", () => {
  it("an unknown level has a row of zeros, a known one is found by name", () => {
    const columns: Columns = new Map([["g", factor([0, 1, 2, 0], ["a", "b", "c"])]]);
    const learned = learn('s(g, bs = "re")', columns)[0]!;
    const rows = toRows(smoothRows(learned, [factor([0, 1, 2], ["c", "new", "a"])]));
    expect(rows).toEqual([
      [0, 0, 1],
      [0, 0, 0],
      [1, 0, 0],
    ]);
  });
});

describe("what cannot be learned", () => {
  const code = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof StatError) return `${error.code}: ${error.message}`;
      throw error;
    }
    return "no error";
  };
  const few = spread(20, (i) => i % 4);

  it.each([
    ["s(x)", few, "TooFewValues: x has 4 distinct values, fewer than the basis size k = 10."],
    ['s(x, bs = "cr", k = 5)', few, "TooFewValues: x has 4 distinct values, fewer than the basis size k = 5."],
    ['s(x, bs = "cc", k = 6)', few, "TooFewValues: x has 4 distinct values, fewer than the basis size k = 6."],
    ["te(x)", few, "TooFewValues: x has 4 distinct values, fewer than the basis size k = 5."],
    ["s(x)", spread(20, () => 3), "ConstantCovariate: x is 3 in every row; no curve can be fitted to it."],
    ['s(x, bs = "ps")', spread(20, () => 3), "ConstantCovariate: x is 3 in every row"],
    ["s(x)", [1, 2, Number.NaN, 4], "NotFinite: x is missing in row 3 of the rows used."],
    ['s(x, bs = "cr")', [1, 2, 4, Number.POSITIVE_INFINITY], "NotFinite: x is Infinity in row 4"],
    ["s(x)", [], "NoRows: no rows"],
    [
      's(x, bs = "cx")',
      few,
      'UnknownBasis: no basis "cx" for the smooth of x (known: tp, ts, cr, cs, cc, ps, bs, re).',
    ],
    ['s(x, bs = "cr", k = 2)', few, "BasisTooSmall: k = 2 for s(x), but this spline needs at least 3 knots."],
    ['s(x, bs = "cc", k = 3)', few, "BasisTooSmall: k = 3"],
    ["s(x, k = 2)", few, "BasisTooSmall: k = 2 for s(x), but 2 columns are polynomials"],
    ['s(x, bs = "ps", k = 3)', few, "BasisTooSmall: k = 3 for s(x), but degree 3"],
    ['s(x, bs = "bs", m = c(2, 3))', few, "BadPenaltyOrder: m = 2, 3 does not suit s(x)"],
    ['s(x, bs = "ps", m = c(1.5, 1))', few, "BadPenaltyOrder: m = 1.5, 1"],
    ["s(x, m = 0)", few, "BadPenaltyOrder: m = 0"],
    ["t2(x, z)", few, "UnsupportedSmooth: t2(x,z): t2() is not available."],
  ])("%s", (text, values, expected) => {
    const columns: Columns = new Map([...numbers(values), ["z", numericColumn(values.map((v) => -v))]]);
    expect(code(() => learn(text, columns))).toContain(expected);
  });

  it("a basis of one covariate for two, a factor in a spline, a tensor margin with two penalties, knots that do not fit", () => {
    expect(code(() => learn('s(x, z, bs = "cr")'))).toContain('UnsupportedSmooth: bs = "cr" takes one covariate');
    expect(code(() => learn("s(g)"))).toContain("NotNumeric: g is a factor");
    expect(code(() => learn('s(x, bs = "cr", k = 5)', data, { knots: { x: [0, 1, 2] } }))).toContain(
      "BadKnots: the 3 knots",
    );
    expect(code(() => learn('s(x, bs = "cc")', data, { knots: { x: [0.4, 0.6] } }))).toContain("BadKnots");
    expect(code(() => learn('s(x, bs = "ps")', data, { knots: { x: [0.4, 0.6] } }))).toContain("BadKnots");
    expect(code(() => learn("s(x)", data, { knots: { x: [0, 1] } }))).toContain("BadKnots");
    const by: Columns = new Map([...numbers(few), ["v", numericColumn(few.map((v) => (v === 3 ? Number.NaN : v)))]]);
    expect(code(() => learn('s(x, bs = "cr", k = 3, by = v)', by))).toContain("NotFinite: v is NaN in row 4");
  });

  it("just enough distinct values interpolate", () => {
    const text = "s(x, k = 4)";
    const learned = withX(text, few);
    const response = Float64Array.from(few, (v) => [5, -1, 2, 7][v]!);
    const X = [rowsOf(learned, text, numbers(few))];
    const fitted = matVec(bind(X), fitPenalised(X, [learned], response, [1e-12]));
    expect(distance([[...fitted]], [[...response]])).toBeLessThan(1e-8);
  });
});
