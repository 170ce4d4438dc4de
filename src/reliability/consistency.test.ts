import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../test/support/reference.ts";
import { asFactor, column, type NumericColumn } from "../data/table.ts";
import { oneWayIntraclass } from "../significance/tests/intraclass.ts";
import { measureConsistency, type SplitSummary, spearmanBrown, spearmanBrownFactor } from "./consistency.ts";

const reference = readReference("reliability.json");
const of = (start: string) => reference.cases.filter(({ id }) => id.startsWith(start));
const close = { tolerance: 1e-10, floor: 1e-3 };

describe.each(of("alpha"))("$id", ({ input, expected: e }) => {
  const table = referenceTable(reference, input["data"] as string);
  const own = measureConsistency([...table.columns.values()].map((c) => (c as NumericColumn).values));
  // biome-ignore lint/suspicious/noExplicitAny: the reference's own names
  const expectSplit = (found: SplitSummary, want: any): void => {
    expectClose([found.max, found.min, found.mean, found.median], [want.max, want.min, want.mean, want.median], close);
    expect([found.best, found.worst]).toEqual([want.best_half, want.worst_half]);
  };

  it("equals psych", () => {
    expect([own.n, own.k, own.splits!.count]).toEqual([e.n, e.k, e.n_splits]);
    const got = [own.alpha, own.alphaStandardised, own.alphaLower, own.alphaUpper];
    expectClose(got, [e.alpha, e.alpha_standardized, ...e.alpha_feldt_ci95], close);
    const lambda = [own.lambda2, own.lambda6, own.lambda6Standardised];
    expectClose(lambda, [e.lambda2, e.lambda6, e.lambda6_standardized], close);
    expectClose(
      own.items.map((i) => i.squaredMultipleCorrelation),
      e.squared_multiple_correlations,
      close,
    );
    expectClose(
      own.items.map((i) => i.alphaIfDropped),
      e.alpha_if_dropped,
      close,
    );
    expectClose(
      own.items.map((i) => i.itemRest),
      e.item_rest_correlation,
      close,
    );
  });

  it("splits equal all splits", () => {
    expectSplit(own.splits!.guttman, e.splits_covariance_guttman);
    expectSplit(own.splits!.guttmanStandardised, e.splits_correlation_guttman);
    expectSplit(own.splits!.spearmanBrown, e.splits_covariance_spearman_brown);
    for (const [found, want] of [
      [own.oddEven, e.odd_even],
      [own.firstSecond, e.first_second],
    ] as const)
      expectClose(
        [found.correlation, found.spearmanBrown, found.guttman],
        [want.correlation, want.spearman_brown, want.guttman_flanagan],
        close,
      );
  });
});

describe.each(of("spearman"))("$id", ({ input, expected: e }) => {
  it("equals the reference", () => {
    const { reliability, factor, target } = input as { reliability: number; factor: number[]; target: number };
    expectClose(
      factor.map((m) => spearmanBrown(reliability, m)),
      e.predicted,
      close,
    );
    expectClose([spearmanBrownFactor(reliability, target)], [e.factor_needed], close);
  });
});

describe.each(of("icc1"))("$id", ({ input, expected: e }) => {
  it("equals the reference", () => {
    const table = referenceTable(reference, input["data"] as string);
    const score = (column(table, "score") as NumericColumn).values;
    const own = oneWayIntraclass(score, asFactor(column(table, "item")).codes);
    expect([own.objects, own.ratings, own.df1, own.df2]).toEqual([e.items, e.ratings, e.df1, e.df2]);
    const got = [
      own.k0,
      own.msBetween,
      own.msWithin,
      own.f,
      own.icc1,
      own.icc1k,
      own.varianceObject,
      own.varianceWithin,
    ];
    expectClose(
      got,
      [e.k0, e.ms_between, e.ms_within, e.f, e.icc1, e.icc1k, e.variance_item, e.variance_within],
      close,
    );
    expectClose([own.p], [e.p], { tolerance: 1e-10, floor: 1e-3 });
    const ends = [own.icc1Lower, own.icc1Upper, own.icc1kLower, own.icc1kUpper];
    expectClose(ends, [...e.icc1_ci95, ...e.icc1k_ci95], close);
  });
});

describe("consistency", () => {
  const columns = [
    [1, 2, 3, 4, 5],
    [2, 1, 4, 3, 5],
    [1, 3, 2, 5, 4],
  ];

  it("by hand: parallel halves of correlation r have α = 2r/(1 + r)", () => {
    const [x, y] = [
      [1, 2, 3, 4, 5],
      [2, 1, 4, 3, 5],
    ];
    const own = measureConsistency([x, y]);
    expect(own.alpha).toBeCloseTo((2 * 0.8) / 1.8, 14);
    expect(own.oddEven.correlation).toBeCloseTo(0.8, 14);
    expect(own.lambda6).toBeCloseTo(1 - (2 * (1 - 0.64)) / (2 * 1.8), 14);
  });

  it("does not change with the order of objects and shifts of a measurement", () => {
    const plain = measureConsistency(columns);
    const moved = measureConsistency(columns.map((own, j) => own.map((v) => v + 10 * j).reverse()));
    expect(moved.alpha).toBeCloseTo(plain.alpha, 13);
    expect(moved.lambda6).toBeCloseTo(plain.lambda6, 13);
  });

  it("says what is undefined", () => {
    const copy = measureConsistency([columns[0]!, columns[1]!, columns[0]!]);
    expect(copy.lambda6).toBeNaN();
    expect(copy.diagnostics.map(({ code }) => code)).toEqual(["Collinear"]);
    const flat = measureConsistency([columns[0]!, [2, 2, 2, 2, 2]]);
    expect(flat.alphaStandardised).toBeNaN();
    expect(flat.diagnostics.map(({ code }) => code)).toEqual(["NoVariation"]);
    const turned = measureConsistency([columns[0]!, columns[1]!, columns[2]!.map((v) => 6 - v)], {
      names: ["a", "b", "c"],
    });
    expect(turned.diagnostics[0]!.message).toMatch(/^c runs against/);
  });

  it("refuses what has no spread to compare", () => {
    expect(() => measureConsistency([[1, 2, 3]])).toThrow(/1 measurement/);
    expect(() =>
      measureConsistency([
        [1, 2],
        [2, 1],
      ]),
    ).toThrow(/2 objects/);
    expect(() =>
      measureConsistency([
        [1, 2, 3],
        [1, 2],
      ]),
    ).toThrow(/2 values/);
    expect(() =>
      measureConsistency([
        [1, 2, 3],
        [1, Number.NaN, 2],
      ]),
    ).toThrow(/object 2/);
    expect(() => spearmanBrown(0.5, 0)).toThrow(/factor/);
    expect(() => spearmanBrownFactor(0, 0.8)).toThrow(/reliability of 0/);
    expect(() => oneWayIntraclass([1, 2, 3], [0, 1, 2])).toThrow(/one rating/);
    expect(() => oneWayIntraclass([1, 2, 3], [0, 0, 0])).toThrow(/1 object/);
  });
});
