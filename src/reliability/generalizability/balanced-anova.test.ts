import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { chiSquareCdf } from "../../numeric/dist/chi-square.ts";
import { makeRng } from "../../numeric/rng.ts";
import { balancedAnova, drawChiSquare, generalisedDraws } from "./balanced-anova.ts";
import { designFacets } from "./facet-terms.ts";

function crossed(items: number, raters: number, repeats: number): Table {
  const rng = makeRng("anova");
  const [y, item, rater] = [[] as number[], [] as string[], [] as string[]];
  for (let i = 0; i < items; i++) {
    for (let r = 0; r < raters; r++) {
      for (let k = 0; k < repeats; k++) {
        y.push(1000 + i * 0.5 + r * 0.2 + rng.normal());
        item.push(`i${i}`);
        rater.push(`r${r}`);
      }
    }
  }
  return makeTable([
    ["y", numericColumn(y)],
    ["item", factorColumn(item)],
    ["rater", factorColumn(rater)],
  ]);
}

const columns = { score: "y", object: "item", facets: ["rater"], interactions: "all" } as const;
const scores = (table: Table): Float64Array => (table.columns.get("y") as { values: Float64Array }).values;

describe("mean squares", () => {
  it("split the total; expectations solve to the estimates", () => {
    const table = crossed(6, 4, 3);
    const y = scores(table);
    const { ss, df, expectation, estimates } = balancedAnova(designFacets(table, columns), y)!;
    expect(Array.from(df)).toEqual([5, 3, 15, 48]);
    const mean = y.reduce((a, b) => a + b, 0) / y.length;
    const total = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(ss.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 8);
    // E(MS_item) = σ² + 12 σ_item² + 3 σ_ir²
    expect(Array.from(expectation.slice(0, 4))).toEqual([12, 0, 3, 1]);
    for (let t = 0; t < 4; t++) {
      const ems = estimates.reduce((sum, value, u) => sum + expectation[t * 4 + u]! * value, 0);
      expect(ems).toBeCloseTo(ss[t]! / df[t]!, 9);
    }
  });

  it("are not made of a layout with a missing or a double cell", () => {
    const table = crossed(4, 3, 2);
    const rows = (keep: (k: number) => boolean) => {
      const pick = Array.from({ length: table.rows }, (_, k) => k).filter(keep);
      return makeTable(
        [...table.columns].map(([name, cells]) => [
          name,
          cells.kind === "numeric"
            ? numericColumn(pick.map((k) => cells.values[k]!))
            : factorColumn(pick.map((k) => cells.levels[cells.codes[k]!]!)),
        ]),
      );
    };
    const one = rows((k) => k !== 5);
    expect(balancedAnova(designFacets(one, columns), scores(one))).toBeUndefined();
    const cell = rows((k) => k > 1);
    expect(balancedAnova(designFacets(cell, columns), scores(cell))).toBeUndefined();
  });
});

describe("draws", () => {
  it.each([1, 2, 3, 8, 200])("of χ² with %i df follow their distribution", (df) => {
    const rng = makeRng("chi", df);
    const sorted = Float64Array.from({ length: 20_000 }, () => chiSquareCdf(drawChiSquare(rng, df), df)).sort();
    // Kolmogorov-Smirnov distance; 1.95 / sqrt(n) is exceeded once in a thousand
    const distance = sorted.reduce((most, p, i) => Math.max(most, Math.abs(p - (i + 0.5) / sorted.length)), 0);
    expect(distance).toBeLessThan(1.95 / Math.sqrt(sorted.length));
  });

  it("of components are never negative and depend on their stream alone", () => {
    const table = crossed(5, 3, 2);
    const anova = balancedAnova(designFacets(table, columns), scores(table))!;
    const draws = generalisedDraws(anova, 50, makeRng(4));
    expect(draws.every((own) => own.every((value) => value >= 0))).toBe(true);
    expect(generalisedDraws(anova, 10, makeRng(4))[7]).toEqual(draws[7]);
  });
});
