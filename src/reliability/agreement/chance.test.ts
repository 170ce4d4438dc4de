import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { bootstrapTest } from "../../significance/tests/bootstrap-test.ts";
import { measureAgreement } from "./agreement.ts";

const COLUMNS = { item: "item", rater: "rater", label: "label" };
function labels(rows: readonly (readonly [string, string, string])[]): Table {
  return makeTable(
    (["item", "rater", "label"] as const).map((name, at) => [name, factorColumn(rows.map((row) => row[at]!))] as const),
  );
}
/** Two raters, so many items of each pair of labels. */
const pairs = (counts: Readonly<Record<string, number>>): Table =>
  labels(
    Object.entries(counts).flatMap(([both, n]) =>
      Array.from({ length: n }, (_, i) => [
        [`${both}${i}`, "r", both[0]!] as const,
        [`${both}${i}`, "s", both[1]!] as const,
      ]).flat(),
    ),
  );

describe("chance agreement and coincidences", () => {
  const table = pairs({ aa: 20, ab: 5, ba: 10, bb: 15 });
  const own = measureAgreement(table, { ...COLUMNS, scale: "nominal", replicates: 0 });

  it("of two raters by hand: P_o = 35/50, P_e of κ = (25·30 + 25·20)/2500, of π = (55² + 45²)/100²", () => {
    const of = (name: string) => own.chance.find(({ coefficient }) => coefficient === name)!;
    expect(of("Cohen's κ").observed).toBeCloseTo(0.7, 14);
    expect(of("Cohen's κ").expected).toBeCloseTo(0.5, 12);
    expect(of("Scott's π").expected).toBeCloseTo((55 ** 2 + 45 ** 2) / 1e4, 14);
    expect(of("Randolph's κ").expected).toBeCloseTo(0.5, 14);
    expect(of("Gwet's AC1").expected).toBeCloseTo(2 * 0.55 * 0.45, 14);
    expect(of("Krippendorff's α (nominal)")).toMatchObject({ of: "disagreement" });
  });

  it("coincidences count every pair from both sides; their chance is n_c n_k/(n - 1)", () => {
    expect(own.coincidences.observed).toEqual([
      [40, 15],
      [15, 30],
    ]);
    expect(own.coincidences.expected[0]![1]).toBeCloseTo((55 * 45) / 99, 12);
    expect(own.coincidences.expected[0]![0]).toBeCloseTo((55 * 54) / 99, 12);
    // α is one minus the ratio of what lies off the diagonals
    expect(own.coefficients.alpha.value).toBeCloseTo(1 - 30 / (2 * ((55 * 45) / 99)), 12);
  });

  it("are printed", () => {
    expect(own.toString()).toMatch(/Cohen's κ\s+agreement\s+0\.700\s+0\.500/);
    expect(own.toString()).toMatch(/if they met by chance/);
  });

  it("have as many labels as there are with gaps and more raters", () => {
    const three = measureAgreement(
      labels([
        ["1", "r", "a"],
        ["1", "s", "a"],
        ["1", "t", "b"],
        ["2", "r", "b"],
        ["2", "t", "b"],
        ["3", "s", "c"],
        ["3", "r", "a"],
        ["4", "s", "c"],
      ]),
      { ...COLUMNS, replicates: 0 },
    );
    const sum = (rows: readonly (readonly number[])[]): number => rows.flat().reduce((total, v) => total + v, 0);
    expect(sum(three.coincidences.observed)).toBeCloseTo(7, 12);
    expect(sum(three.coincidences.expected)).toBeCloseTo(7, 12);
    expect(three.chance.map(({ coefficient }) => coefficient)).toContain("Fleiss' κ");
  });
});

describe("what a bootstrap cannot show", () => {
  it("few items and perfect agreement are said", () => {
    const perfect = measureAgreement(pairs({ aa: 8, bb: 7 }), { ...COLUMNS, replicates: 200, rng: makeRng(2) });
    const codes = perfect.diagnostics.map(({ code }) => code);
    expect(codes).toContain("FewItems");
    expect(codes).toContain("AtTheBorder");
    const many = measureAgreement(pairs({ aa: 30, ab: 5, bb: 20 }), { ...COLUMNS, replicates: 200, rng: makeRng(2) });
    expect(many.diagnostics.map(({ code }) => code)).not.toContain("FewItems");
  });

  it("replicates of few values and estimates at their end are said", () => {
    const zeros = new Array<number>(30).fill(0);
    const one = [...zeros.slice(1), 1];
    const tied = bootstrapTest(one, zeros, { replicates: 2000, rng: makeRng(1), interval: "percentile" });
    expect(tied.diagnostics.map(({ code }) => code)).toContain("HeavyTies");
    const x = Array.from({ length: 120 }, (_, i) => Math.sin(i));
    const smooth = bootstrapTest(x, [...x].reverse(), { replicates: 500, rng: makeRng(1) });
    expect(smooth.diagnostics).toEqual([]);
  });
});
