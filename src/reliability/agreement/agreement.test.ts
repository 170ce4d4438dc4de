import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { type Cell, COLUMNS, fromCounts, measure } from "../../../test/support/rating-tables.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { table as makeRows } from "../../io/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { type AgreementResult, measureAgreement } from "./agreement.ts";
import { concordance } from "./intraclass.ts";

/** R's answers, by its packages' own names. */
interface Case<Test extends string, Input, Expected> {
  readonly id: string;
  readonly test: Test;
  readonly input: Input;
  readonly expected: Expected;
}
interface KappaAnswer {
  readonly kappa: number;
  readonly observed: number;
  readonly expected: number;
  readonly se: number;
  readonly se_null: number;
  readonly z: number;
}
type AlphaCase = Case<
  "krippendorff alpha",
  { readonly ratings: readonly (readonly Cell[])[] },
  Readonly<Record<"nominal" | "ordinal" | "interval" | "ratio" | "n_pairable_values", number>>
>;
type FleissCase = Case<
  "fleiss kappa",
  { readonly counts: readonly (readonly number[])[] },
  Readonly<Record<"kappa" | "observed" | "gwet_ac1" | "se_null" | "z" | "p", number>> & {
    readonly per_category: readonly number[];
  }
>;
type CohenCase = Case<
  "cohen kappa",
  { readonly rater1: readonly Cell[]; readonly rater2: readonly Cell[] },
  Readonly<Record<"unweighted" | "linear" | "quadratic", KappaAnswer>> & {
    readonly scott_pi: number;
    readonly gwet_ac1: number;
  }
>;
type IccCase = Case<
  "intraclass correlation",
  { readonly ratings: readonly (readonly number[])[] },
  Readonly<Record<"icc" | "f" | "p" | "lower95" | "upper95", readonly number[]>> &
    Readonly<Record<"ms_between" | "ms_within" | "ms_raters" | "ms_error", number>> & {
      readonly type: readonly string[];
      readonly cronbach_alpha: number;
      readonly lin_ccc_first_two: number;
    }
>;
type AnyCase = AlphaCase | FleissCase | CohenCase | IccCase;

const cases = readOracle("reference/agreement.json").cases as unknown as AnyCase[];
const close = { tolerance: 1e-11 };

describe("agreement of R's packages", () => {
  it.each(cases.filter((one) => one.test === "krippendorff alpha"))("$id: α of four scales", ({ input, expected }) => {
    const found = measure(input.ratings);
    const { nominal, ordinal, interval, ratio } = found.alphas;
    expectClose(
      [nominal, ordinal, interval, ratio],
      [expected.nominal, expected.ordinal, expected.interval, expected.ratio],
      close,
    );
    expect(found.pairable).toBe(expected.n_pairable_values);
  });

  it.each(cases.filter((one) => one.test === "fleiss kappa"))(
    "$id: Fleiss' κ, its error, AC1",
    ({ input, expected }) => {
      const found = measure(fromCounts(input.counts));
      const { fleiss, ac1, percent } = found.coefficients;
      expectClose(
        [fleiss.value, percent.value, ac1.value],
        [expected.kappa, expected.observed, expected.gwet_ac1],
        close,
      );
      const { seNull, z } = found.fleissTest;
      expectClose([seNull, z], [expected.se_null, expected.z], close);
      expectClose([found.fleissTest.p], [expected.p], { tolerance: 1e-9 });
      expectClose(
        found.categories.map(({ kappa }) => kappa),
        expected.per_category,
        close,
      );
    },
  );

  it.each(cases.filter((one) => one.test === "cohen kappa"))(
    "$id: Cohen's κ with three weightings, π, AC1",
    ({ input, expected }) => {
      for (const [weighting, want] of [
        ["none", expected.unweighted],
        ["linear", expected.linear],
        ["quadratic", expected.quadratic],
      ] as const) {
        const { cohen, coefficients } = measure([input.rater1, input.rater2], { weighting });
        const { value, observed, expected: chance, se, seNull, z } = cohen!;
        const theirs = [want.kappa, want.observed, want.expected, want.se, want.se_null, want.z];
        expectClose([value, observed, chance, se, seNull, z], theirs, { ...close, label: weighting });
        expect(coefficients.cohen.value).toBeCloseTo(want.kappa, 12);
      }
      const { coefficients } = measure([input.rater1, input.rater2]);
      expectClose([coefficients.fleiss.value, coefficients.ac1.value], [expected.scott_pi, expected.gwet_ac1], close);
    },
  );

  it.each(cases.filter((one) => one.test === "intraclass correlation"))(
    "$id: six ICCs with tests and intervals",
    ({ input, expected }) => {
      const byRater = input.ratings[0]!.map((_, r) => input.ratings.map((row) => row[r]!));
      const { icc, meanSquares, cronbach } = measure(byRater).intraclass!;
      const { between, within, raters, error } = meanSquares;
      const squares = [expected.ms_between, expected.ms_within, expected.ms_raters, expected.ms_error];
      expectClose([between, within, raters, error], squares, close);
      expect(icc.map(({ type }) => type)).toEqual(expected.type);
      expectClose(
        icc.map(({ value }) => value),
        expected.icc,
        close,
      );
      expectClose(
        icc.map(({ f }) => f),
        expected.f,
        close,
      );
      expectClose(
        icc.map(({ p }) => p),
        expected.p,
        { tolerance: 1e-9 },
      );
      expectClose(
        icc.map(({ lower }) => lower),
        expected.lower95,
        { tolerance: 1e-8 },
      );
      expectClose(
        icc.map(({ upper }) => upper),
        expected.upper95,
        { tolerance: 1e-8 },
      );
      expectClose([cronbach], [expected.cronbach_alpha], close);
      const two = measure(byRater.slice(0, 2)).concordance!;
      expectClose([two.value], [expected.lin_ccc_first_two], close);
    },
  );
});

describe("published examples", () => {
  it("Krippendorff's four observers: nominal 0.743, ordinal 0.815, interval 0.849, ratio 0.797", () => {
    const found = measure([
      [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
      [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
    ]);
    const { nominal, ordinal, interval, ratio } = found.alphas;
    expect([nominal, ordinal, interval, ratio].map((a) => a.toFixed(3))).toEqual(["0.743", "0.815", "0.849", "0.797"]);
    expect([found.items, found.sharedItems, found.pairable]).toEqual([12, 11, 40]);
  });

  it("Shrout & Fleiss' six targets and four judges", () => {
    const judges = [
      [9, 6, 8, 7, 10, 6],
      [2, 1, 4, 1, 5, 2],
      [5, 3, 6, 2, 6, 4],
      [8, 2, 8, 6, 9, 7],
    ];
    const { icc } = measure(judges).intraclass!;
    expect(icc.map(({ value }) => value.toFixed(2))).toEqual(["0.17", "0.29", "0.71", "0.44", "0.62", "0.91"]);
  });

  it("the book's tables of section 3.3.1: α of 0.095, negative, 1, 0 and undefined", () => {
    const alpha = (a: string, b: string) => measure([[...a], [...b]]).alphas.nominal;
    expect(alpha("0100000000", "1110010010")).toBeCloseTo(0.095, 3);
    expect(alpha("00000010", "00000001")).toBeCloseTo(-0.0714, 4);
    expect(alpha("00000001", "00000001")).toBe(1);
    expect(alpha("00000000", "00000001")).toBeCloseTo(0, 14);
    expect(alpha("00000000", "00000000")).toBeNaN();
  });
});

describe("where chance correction misleads", () => {
  const codes = (a: string, b: string, more = {}) =>
    measure([[...a], [...b]], more).diagnostics.map(({ code }) => code);

  it("one label only is undefined, and said to be", () => {
    const found = measure([[..."0000"], [..."0000"]], { replicates: 20 });
    const { percent, alpha, cohen, fleiss, ac1 } = found.coefficients;
    expect(percent.value).toBe(1);
    for (const own of [alpha, cohen, fleiss, ac1]) expect([own.value, own.lower]).toEqual([Number.NaN, Number.NaN]);
    expect(found.diagnostics[0]!.message).toMatch(/all labels that can be paired are "0".*undefined/);
    expect(found.toString()).toContain("α, nominal: undefined: there is no variation to agree on.");
    expect(found.toString()).toContain("by 2 raters, all the same;");
  });

  it("skew, one decisive item and values below chance are named", () => {
    const no = "0".repeat(60);
    expect(codes(`${no}10`, `${no}01`)).toEqual(expect.arrayContaining(["SkewedLabels", "BelowChance"]));
    expect(codes(`${no}1`, `${no}1`)).toContain("OneItemDecides");
    expect(codes("0101010101", "0101010101")).toEqual([]);
  });

  it("three items on which two raters agree are not called reliable: the interval decides, not the estimate", () => {
    const lead = (a: string, b: string, more = {}) =>
      measure([[...a], [...b]], more)
        .toString()
        .match(/nominal: (.*?)\.\n\n/s)![1]!
        .replaceAll(/\s+/g, " ");
    expect(lead("aba", "aba", { replicates: 200 })).toMatch(
      /^1\.000 \(.*\): undecided between not reliable \(below 0\.667\) and reliable/,
    );
    const [many, noisy] = ["ab".repeat(100), "ab".repeat(80) + "ba".repeat(20)];
    expect(lead(many, many, { replicates: 200 })).toMatch(/^1\.000 .*: reliable \(0\.8 or more\)/);
    expect(lead(many, noisy, { replicates: 200 })).toMatch(/: (not reliable|tentative conclusions at most)/);
    expect(lead("aba", "aba", { replicates: 0 })).toBe("1.000: reliable (0.8 or more)");
  });

  it("α just below 0, whose interval reaches far above it, is no finding that raters differ more than chance", () => {
    const below = (a: string, b: string) =>
      measure([[...a], [...b]], { replicates: 300 }).diagnostics.find(({ code }) => code === "BelowChance")?.message;
    const no = "0".repeat(60);
    expect(below(`${no}10`, `${no}01`)).toMatch(/agree no more than labels drawn at random/);
    expect(below("01".repeat(40), "10".repeat(40))).toMatch(/raters differ more than labels drawn at random/);
  });

  it("unequal marginals, which κ forgives and π does not", () => {
    expect(codes("1111111111000000000011", "1111100000000000000000")).toContain("UnequalMarginals");
  });

  it("a rater who labels at random is singled out", () => {
    const rng = makeRng("outlier");
    const truth = Array.from({ length: 80 }, () => rng.int(3));
    const good = () => truth.map((t) => (rng.uniform() < 0.9 ? t : rng.int(3)));
    const found = measure([good(), good(), good(), truth.map(() => rng.int(3))]);
    expect(found.perRater.filter(({ disagrees }) => disagrees).map(({ rater }) => rater)).toEqual(["r3"]);
    expect(found.perRater[3]!.alphaWithout).toBeGreaterThan(found.alphas.nominal + 0.2);
    expect(found.diagnostics.map(({ code }) => code)).toContain("RaterDisagrees");
  });
});

describe("bad input", () => {
  const thrown = (ratings: readonly (readonly Cell[])[], more: object = {}): string => {
    try {
      measure(ratings, more);
    } catch (error) {
      return String(error);
    }
    return "nothing";
  };

  it("one rater, one item, no shared item", () => {
    expect(thrown([[1, 2, 3]])).toMatch(/OneRater: all labels come from one rater \(rater = r0\)/);
    expect(thrown([[1], [2]])).toMatch(/OneItem/);
    expect(
      thrown([
        [1, 2, null, null],
        [null, null, 1, 2],
      ]),
    ).toMatch(/NoSharedItems: none of the 4 items/);
  });

  it("a rater who rated nothing takes no part and is named", () => {
    const found = measure([
      [1, 2, 1],
      [1, 2, 2],
      [null, null, null],
    ]);
    expect(found.raters).toEqual(["r0", "r1"]);
    expect(found.diagnostics.find(({ code }) => code === "SilentRater")!.message).toContain("(r2)");
  });

  it("asks what makes an item where a rater labels it by several criteria", () => {
    const table = makeTable([
      ["item", factorColumn(["a", "a", "a", "b", "b"])],
      ["rater", factorColumn(["x", "y", "x", "x", "y"])],
      ["criterion", factorColumn(["style", "style", "facts", "style", "style"])],
      ["label", numericColumn([1, 1, 2, 2, 2])],
    ]);
    expect(() => measureAgreement(table, { ...COLUMNS, replicates: 0 })).toThrow(
      expect.objectContaining({ code: "AskRepeats", fix: expect.stringContaining("`item: item,criterion`") }),
    );
  });

  it("a second label of a rater for an item is counted and left out", () => {
    const table = makeTable([
      ["item", factorColumn(["a", "a", "a", "b", "b"])],
      ["rater", factorColumn(["x", "y", "x", "x", "y"])],
      ["label", numericColumn([1, 1, 2, 2, 2])],
    ]);
    const found = measureAgreement(table, { ...COLUMNS, replicates: 0 });
    expect(found.ratings).toBe(4);
    expect(found.coefficients.percent.value).toBe(1);
    expect(found.diagnostics.map(({ code }) => code)).toContain("RepeatedRatings");
  });

  it("weights that do not fit the labels", () => {
    const two = [
      [1, 2, 3],
      [1, 3, 3],
    ];
    expect(thrown(two, { weighting: [[1, 0]] })).toMatch(/the weights are 1 × 2, and there are 3 categories/);
    expect(
      thrown(two, {
        weighting: [
          [1, 0.5, 0],
          [0.4, 1, 0.5],
          [0, 0.5, 1],
        ],
      }),
    ).toMatch(/weight \(1, 2\) is 0.5/);
  });
});

describe("what must not matter", () => {
  const cell = fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 4 }), weight: 5 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
  const grid = fc.array(fc.array(cell, { minLength: 12, maxLength: 12 }), { minLength: 3, maxLength: 4 });
  const values = (found: AgreementResult): number[] => [
    ...Object.values(found.alphas),
    ...Object.values(found.coefficients).map(({ value }) => value),
  ];
  const usable = (rows: readonly (readonly Cell[])[]): boolean => {
    try {
      return !Number.isNaN(measure(rows).alphas.nominal);
    } catch {
      return false;
    }
  };

  it("the order of items and raters, and the names of labels", () => {
    fc.assert(
      fc.property(grid.filter(usable), (rows) => {
        const own = values(measure(rows));
        const turned = [...rows].reverse().map((row) => [...row].reverse());
        // coefficients that are 0 but for rounding are compared on the scale of 1
        expectClose(values(measure(turned)), own, { tolerance: 1e-10, floor: 1e-3 });
        const doubled = rows.map((row) => row.map((label) => (label === null ? null : label * 2)));
        const { nominal, ordinal, interval, ratio } = measure(doubled).alphas;
        expectClose([nominal, ordinal, interval, ratio], own.slice(0, 4), { tolerance: 1e-10, floor: 1e-6 });
      }),
      { numRuns: 40 },
    );
  });

  it("words of a scale stand in its order, and other words have none", () => {
    const known = [
      ["good", "fair", "poor", "good", "poor", "fair"],
      ["good", "poor", "poor", "fair", "poor", "fair"],
    ];
    const given = measure(known, { categories: ["poor", "fair", "good"] });
    expect(measure(known).alphas).toEqual(given.alphas);
    const names = new Map([
      ["good", "mim"],
      ["fair", "zat"],
      ["poor", "bor"],
    ]);
    const rows = known.map((row) => row.map((word) => names.get(word)!));
    const codesOf = ({ diagnostics }: AgreementResult) => diagnostics.map(({ code, severity }) => [code, severity]);
    const found = measure(rows);
    expect(found.alphas.ordinal).toBeNaN();
    expect(codesOf(found)).toContainEqual(["OrderUnknown", "note"]);
    const ordered = measure(rows, { categories: ["bor", "zat", "mim"] });
    expect(ordered.alphas.ordinal).toBeGreaterThan(ordered.alphas.nominal);
    expect(codesOf(ordered).flat()).not.toContain("OrderUnknown");
    const asked = measure(rows, { scale: "ordinal" });
    expect(asked.alphas.ordinal).not.toBeNaN();
    expect(codesOf(asked)).toContainEqual(["OrderUnknown", "warning"]);
  });

  it("two labels: all scales of 0 and 1 give one α, and weights change nothing", () => {
    const rows = [
      [1, 0, 1, 1, 0, 0, 1, 0],
      [1, 0, 0, 1, 0, 1, 1, 0],
      [1, 0, 1, 1, 1, 0, 1, 0],
    ];
    const { nominal, ordinal, interval, ratio } = measure(rows).alphas;
    expectClose([ordinal, interval, ratio], [nominal, nominal, nominal], { tolerance: 1e-12 });
    const plain = values(measure(rows));
    expectClose(
      values(measure(rows, { weighting: "quadratic" })).filter((v) => !Number.isNaN(v)),
      plain.filter((v) => !Number.isNaN(v)),
      { tolerance: 1e-12 },
    );
  });

  it("Conger's κ of two raters is Cohen's; α is π with the correction of small samples", () => {
    const rows = [
      [1, 2, 3, 1, 2, 3, 1, 1],
      [1, 2, 1, 1, 3, 3, 2, 1],
    ];
    const { cohen, conger, fleiss, alpha } = measure(rows, { scale: "nominal", weighting: "linear" }).coefficients;
    expect(conger.value).toBeCloseTo(cohen.value, 13);
    const plain = measure(rows, { scale: "nominal" }).coefficients;
    const n = 16;
    expect(alpha.value).toBeCloseTo(plain.fleiss.value + (1 - plain.fleiss.value) / n, 13);
    expect(fleiss.value).not.toBeCloseTo(plain.fleiss.value, 3);
  });
});

describe("Randolph's κ", () => {
  it("has 1 in q agree by chance, whatever labels were given; weighted as Brennan and Prediger have it", () => {
    // 3 of 4 items agreed, three labels: (3/4 - 1/3) / (2/3)
    const two = [
      ["a", "a", "b", "c"],
      ["a", "a", "b", "b"],
    ];
    expect(measure(two).coefficients.randolph.value).toBeCloseTo((3 / 4 - 1 / 3) / (2 / 3), 14);
    // linear weights 1, ½, 0: Σw/q² = 5/9; observed (3 + ½)/4
    const weighted = measure(two, { weighting: "linear" }).coefficients.randolph.value;
    expect(weighted).toBeCloseTo((3.5 / 4 - 5 / 9) / (4 / 9), 14);
    // a category that nobody used counts
    const more = measure(two, { categories: ["a", "b", "c", "d"] }).coefficients.randolph.value;
    expect(more).toBeCloseTo((3 / 4 - 1 / 4) / (3 / 4), 14);
  });
});

describe("measurements", () => {
  it("have no κ and no tables, but α and intraclass correlations", () => {
    const rng = makeRng("measurements");
    const truth = Array.from({ length: 600 }, () => rng.normal());
    const rows = [0, 1].map(() => truth.map((t) => t + 0.5 * rng.normal()));
    const found = measure(rows, { replicates: 30 });
    expect(found.scale).toBe("interval");
    // α is near the concordance, and both near 1 / 1.25
    expect(Math.abs(found.alphas.interval - found.concordance!.value)).toBeLessThan(0.01);
    expect(Math.abs(found.alphas.interval - 0.8)).toBeLessThan(0.08);
    expect([found.cohen, found.pairs.length, found.confusion.length]).toEqual([undefined, 0, 0]);
    expect(found.coefficients.conger.value).toBeNaN();
    expect(found.diagnostics.map(({ code }) => code)).toContain("Measurements");
  });
});

describe("Lin's concordance", () => {
  it("covers the truth in about 95 of 100 data sets", () => {
    // x ~ N(0, 1), y = x + 0.3 + noise of SD 0.5: ρ_c = 2 / (1 + 1.25 + 0.09)
    const truth = 2 / 2.34;
    const rng = makeRng("concordance");
    let covered = 0;
    for (let run = 0; run < 400; run++) {
      const scores = new Float64Array(120);
      for (let i = 0; i < 60; i++) {
        scores[2 * i] = rng.normal();
        scores[2 * i + 1] = scores[2 * i]! + 0.3 + 0.5 * rng.normal();
      }
      const { lower, upper } = concordance(scores, 2);
      covered += Number(lower <= truth && truth <= upper);
    }
    // four standard errors of 400 runs
    expect(Math.abs(covered / 400 - 0.95)).toBeLessThan(0.044);
  });
});

describe("raters whom nobody named", () => {
  it("have no coefficient that asks who it was, and the others do not depend on their numbers", () => {
    const rows = Array.from({ length: 12 }, (_, i) =>
      [0, 1, 2].map((r) => ({ item: `i${i}`, rater: `${r + 1}`, label: `${(i * 7 + r * (i % 3)) % 2}` })),
    ).flat();
    const turned = rows.map((row, i) => ({ ...row, rater: `${(((i % 3) + Math.floor(i / 3)) % 3) + 1}` }));
    const options = { item: "item", rater: "rater", label: "label", unnamed: true, replicates: 0 };
    const [one, other] = [rows, turned].map((list) => measureAgreement(makeRows(list), options));
    expect(one!.coefficients.fleiss.value).toBeCloseTo(other!.coefficients.fleiss.value, 12);
    expect([one!.coefficients.conger.value, one!.perRater, one!.pairs, one!.intraclass]).toEqual([
      Number.NaN,
      [],
      [],
      undefined,
    ]);
    expect(one!.toString()).toMatch(/raters whom the file does\s+not name, up to 3 an item/);
  });
});

describe("outputs of several systems on one item", () => {
  const rng = makeRng("outputs");
  const rows = Array.from({ length: 12 }, (_, i) => ({ i, at: 3 * rng.normal() })).flatMap(({ i, at }) =>
    [0, 1, 2].flatMap((s) =>
      [0, 1, 2, 3].map((r) => ({
        item: `i${i}`,
        system: `s${s}`,
        rater: `r${r}`,
        score: Math.round(r === 3 ? 100 * rng.uniform() : 50 + 5 * at + 3 * rng.normal()),
      })),
    ),
  );
  const sheet = makeRows(rows);
  const units = { item: ["item", "system"], rater: "rater", label: "score" };

  it("are correlated: the item is the cluster, as if it were named", () => {
    const own = measureAgreement(sheet, units);
    const { alpha } = own.coefficients;
    expect(own.signature.options.cluster).toBe("item");
    expect(alpha).toEqual(measureAgreement(sheet, { ...units, cluster: "item" }).coefficients.alpha);
    const alone = measureAgreement(sheet, { ...units, cluster: "none" }).coefficients.alpha;
    expect(alpha.upper - alpha.lower).toBeGreaterThan(1.1 * (alone.upper - alone.lower));
  });

  it("measurements have α and intraclass correlations, no κ, and a rater at random is named", () => {
    const own = measureAgreement(sheet, { ...units, replicates: 0 });
    expect(own.coefficients.fleiss.value).toBeNaN();
    expect(own.categories).toEqual([]);
    expect(own.toString()).toContain("ICC(A,1)");
    expect(own.toString()).not.toMatch(/Fleiss|mean κ|AC1/);
    expect(own.perRater.filter(({ disagrees }) => disagrees).map(({ rater }) => rater)).toEqual(["r3"]);
    const { own: far, others } = own.perRater[3]!.distance!;
    // r3's distances from the others, and theirs from one another, by hand
    const of = (a: number, b: number) =>
      Array.from({ length: 36 }, (_, u) => Math.abs(rows[4 * u + a]!.score - rows[4 * u + b]!.score)).reduce(
        (x, y) => x + y,
      ) / 36;
    expect(far).toBeCloseTo((of(3, 0) + of(3, 1) + of(3, 2)) / 3, 10);
    expect(others).toBeCloseTo((of(0, 1) + of(0, 2) + of(1, 2)) / 3, 10);
  });
});
