import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { fitLm } from "../models/lm/lm.ts";
import { makeRng } from "../numeric/rng.ts";
import { spreadOverFacet, testOverFacet } from "./facets.ts";
import { oneSampleTTest, twoSampleTTest } from "./tests/t-test.ts";

const near = (found: number, wanted: number, tolerance: number): void => expectClose([found], [wanted], { tolerance });

const ITEMS = 12;
const RATERS = 4;

/** Items x raters x two systems, complete, with effects of all of them. */
function ratings(seed: string) {
  const rng = makeRng(seed);
  const item = Array.from({ length: ITEMS }, () => 2 * rng.normal());
  const slope = Array.from({ length: RATERS }, () => 0.5 * rng.normal());
  const rows: { score: number; system: number; item: number; facet: number }[] = [];
  for (let i = 0; i < ITEMS; i++)
    for (let r = 0; r < RATERS; r++)
      for (const s of [0, 1])
        rows.push({ score: item[i]! + s * (0.3 + slope[r]!) + rng.normal(), system: s, item: i, facet: r });
  return rows;
}

const columnsOf = (rows: ReturnType<typeof ratings>) => ({
  score: Float64Array.from(rows, ({ score }) => score),
  system: rows.map(({ system }) => system),
  item: rows.map(({ item }) => item),
  facet: rows.map(({ facet }) => facet),
});

describe("a facet that both systems met", () => {
  it("is the t test of the levels' differences where the design is complete", () => {
    const rows = ratings("complete");
    const differences = Array.from({ length: RATERS }, (_, r) => {
      const own = rows.filter(({ facet }) => facet === r);
      const mean = (s: number) =>
        own.filter(({ system }) => system === s).reduce((sum, { score }) => sum + score, 0) / ITEMS;
      return mean(1) - mean(0);
    });
    const expected = oneSampleTTest(differences);
    const found = testOverFacet(columnsOf(rows));
    expect(found.kind).toBe("crossed");
    expect(found.levels).toBe(RATERS);
    near(found.df, RATERS - 1, 1e-12);
    near(found.p, expected.p, 1e-11);
    near(found.lower, expected.effect.lower, 1e-11);
  });

  it("is CR2 with Satterthwaite df where levels differ in size", () => {
    const rng = makeRng("uneven");
    const facet = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 4];
    const score = Float64Array.from(facet, (f) => 0.2 * f + rng.normal());
    const table = makeTable([
      ["d", numericColumn(score)],
      ["f", factorColumn(facet.map((f) => `f${f}`))],
    ]);
    const [expected] = fitLm("d ~ 1", table, { cluster: "f" }).coefficients;
    const found = testOverFacet({ score, facet });
    near(found.difference, expected!.value, 1e-12);
    near(found.se, expected!.se, 1e-12);
    near(found.df, expected!.df, 1e-10);
    near(found.p, expected!.p, 1e-10);
  });

  it("is CR2 of a slope where items differ in what was rated", () => {
    const rows = ratings("incomplete").filter((_, k) => k % 5 !== 0 && k % 7 !== 3);
    const { score, system, item, facet } = columnsOf(rows);
    const names = [
      ["i", factorColumn(item.map((i) => `i${i}`))],
      ["f", factorColumn(facet.map((f) => `f${f}`))],
    ] as const;
    // residuals of both as fixed effects
    const without = (values: Iterable<number>) => {
      const { design, coefficients } = fitLm("v ~ i + f", makeTable([["v", numericColumn(values)], ...names]));
      return Float64Array.from([...values], (v, k) =>
        coefficients.reduce((left, { value }, j) => left - value * design.X.data[k + j * design.X.rows]!, v),
      );
    };
    const table = makeTable([["y", numericColumn(without(score))], ["x", numericColumn(without(system))], ...names]);
    const [expected] = fitLm("y ~ 0 + x", table, { cluster: "f" }).coefficients;
    const found = spreadOverFacet({ score, system, item, facet });
    near(found.difference, expected!.value, 1e-11);
    near(found.se, expected!.se, 1e-11);
    near(found.df, expected!.df, 1e-9);
  });

  it("does not mind the levels' own means, however many ratings are blank", () => {
    const rows = ratings("strict").filter((_, k) => k % 5 !== 0 && k % 7 !== 3);
    const shifted = rows.map((row) => ({ ...row, score: row.score + 10 * row.facet - 3 * row.item }));
    const [plain, strict] = [rows, shifted].map((own) => testOverFacet(columnsOf(own)));
    near(strict!.p, plain!.p, 1e-9);
    near(strict!.difference, plain!.difference, 1e-9);
  });

  it("knows no spread of one level", () => {
    expect(spreadOverFacet({ score: Float64Array.of(1, 2, 3), facet: [0, 0, 0] })).toMatchObject({
      levels: 1,
      se: Number.NaN,
    });
  });
});

describe("a facet whose levels belong to one system each", () => {
  const runs = (a: number, b: number) => {
    const rng = makeRng(`runs ${a} ${b}`);
    const item = Array.from({ length: ITEMS }, () => rng.normal());
    const rows: ReturnType<typeof ratings> = [];
    for (let run = 0; run < a + b; run++) {
      const own = 0.4 * rng.normal();
      for (let i = 0; i < ITEMS; i++)
        rows.push({ score: item[i]! + own + rng.normal(), system: run < a ? 0 : 1, item: i, facet: run });
    }
    const means = Array.from({ length: a + b }, (_, run) => {
      const scores = rows.filter(({ facet }) => facet === run);
      return scores.reduce((sum, { score }) => sum + score, 0) / ITEMS;
    });
    return { rows, first: means.slice(0, a), second: means.slice(a) };
  };

  it.each([
    [3, 3, false],
    [3, 5, true],
  ] as const)("is the two-sample t test of the levels' means: %i and %i runs", (a, b, welch) => {
    const { rows, first, second } = runs(a, b);
    const expected = twoSampleTTest(second, first, { variances: welch ? "unequal" : "equal" });
    const found = testOverFacet(columnsOf(rows));
    expect(found.kind).toBe("nested");
    near(found.p, expected.p, 1e-10);
    near(found.difference, expected.effect.value, 1e-11);
  });

  it("does not mind the items' own levels", () => {
    const { rows } = runs(3, 3);
    const shifted = rows.map((row) => ({ ...row, score: row.score + 100 * row.item }));
    near(testOverFacet(columnsOf(shifted)).p, testOverFacet(columnsOf(rows)).p, 1e-9);
  });
});
