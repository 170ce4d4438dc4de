import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { measureImportance } from "./importance.ts";

describe("settings that change nothing", () => {
  const sweep = (seed: string, effect: number) => {
    const rng = makeRng(seed);
    const rows = Array.from({ length: 60 }, () => [rng.int(3), rng.int(3), rng.int(3)] as const);
    return measureImportance(
      makeTable([
        ["y", numericColumn(rows.map(([a]) => (a === 1 ? effect : 0) + rng.normal()))],
        ...["lr", "layers", "dropout"].map(
          (name, k) =>
            [name, factorColumn(rows.map((row) => `v${row[k]!}`))] as [string, ReturnType<typeof factorColumn>],
        ),
      ]),
      { score: "y", parameters: ["lr", "layers", "dropout"], replicates: 100 },
    );
  };

  it("none is said to matter most with 0.0% of the variance", () => {
    for (let s = 0; s < 6; s++) {
      const text = sweep(`null ${s}`, 0).toString();
      expect(text).not.toContain("matters most: 0.0%");
      expect(text).toMatch(/No setting is shown to matter|has the largest share/);
    }
    expect(sweep("effect", 9).toString()).toMatch(
      /lr (matters most: 9\d\.\d%|has the largest share, 9\d\.\d%) of the variance \(\d+\.\d to \d+\.\d\)/,
    );
  });

  it("a share estimated as 0 has an interval with a width: that of its component's profile", () => {
    const zero = Array.from({ length: 6 }, (_, s) => sweep(`null ${s}`, 0).components)
      .flat()
      .filter(({ percent, term }) => percent === 0 && term !== "residual");
    expect(zero.length).toBeGreaterThan(3);
    for (const { percentUpper, upper } of zero) {
      expect(upper).toBeGreaterThan(0);
      expect(percentUpper).toBeGreaterThan(1);
    }
  });
});

describe("a small grid", () => {
  const rng = makeRng("grid");
  const [lr, drop, seed, y] = [[] as string[], [] as string[], [] as string[], [] as number[]];
  for (const a of ["1", "2", "3"]) {
    for (const b of ["x", "y", "z"]) {
      for (const s of ["s1", "s2", "s3", "s4"]) {
        lr.push(a);
        drop.push(b);
        seed.push(s);
        y.push(Number(a) + 0.1 * rng.normal());
      }
    }
  }
  const table = makeTable([
    ["y", numericColumn(y)],
    ["lr", factorColumn(lr)],
    ["copy", factorColumn(lr.map((level) => `c${level}`))],
    ["drop", factorColumn(drop)],
    ["seed", factorColumn(seed)],
  ]);

  it("names the setting that matters, and two that change together once", () => {
    const found = measureImportance(table, { score: "y", parameters: ["lr", "copy", "drop", "seed"], replicates: 200 });
    expect(found.components[0]!.term).toBe("lr = copy");
    expect(found.components[0]!.percent).toBeGreaterThan(90);
    expect(found.diagnostics.map(({ code }) => code)).toContain("AliasedFacets");
    expect(found.balanced).toBe(true);
  });

  it("equals the analysis of variance by hand", () => {
    const found = measureImportance(table, { score: "y", parameters: ["lr", "drop"], intervals: "none" });
    const mean = y.reduce((a, b) => a + b, 0) / 36;
    const classMeans = (names: readonly string[], levels: readonly string[]) =>
      levels.map((level) => y.filter((_, i) => names[i] === level).reduce((a, b) => a + b, 0) / 12);
    const ss = (means: readonly number[]) => 12 * means.reduce((sum, m) => sum + (m - mean) ** 2, 0);
    const [a, b] = [ss(classMeans(lr, ["1", "2", "3"])), ss(classMeans(drop, ["x", "y", "z"]))];
    const total = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const pooled = b / 2 < (total - a - b) / 31; // a negative estimate is 0, and its sum of squares joins the residual
    const error = pooled ? (total - a) / 33 : (total - a - b) / 31;
    const of = (term: string) => found.components.find((own) => own.term === term)!.variance;
    expectClose([of("lr"), of("residual")], [(a / 2 - error) / 12, error], { tolerance: 1e-8 });
    expect(of("drop")).toBeCloseTo(pooled ? 0 : (b / 2 - error) / 12, 10);
  });
});
