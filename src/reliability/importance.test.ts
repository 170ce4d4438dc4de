import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { expectClose, hasShared, sharedPath } from "../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { readCsv } from "../io/csv/csv.ts";
import { makeRng } from "../numeric/rng.ts";
import { measureImportance } from "./importance.ts";

/** R's answers, by its own names; each entry has some of them. */
interface Reference {
  readonly closed_form_reml_balanced_anova: { readonly variance: Readonly<Record<string, number>> };
  readonly group_means: readonly {
    readonly delta_scheme: string;
    readonly src_length_class: string;
    readonly emmean: number;
    readonly SE: number;
  }[];
  readonly lmerTest_anova: readonly Readonly<Record<"F value" | "NumDF" | "DenDF" | "Pr(>F)", number>>[];
  readonly contrasts: readonly { readonly src_length_class: string; readonly estimate: number; readonly SE: number }[];
}
const expected = (id: string): Reference =>
  JSON.parse(readFileSync(sharedPath("reference/riezler2021.json"), "utf8")).find(
    (entry: { id: string }) => entry.id === id,
  ).r;

describe.skipIf(!hasShared)("importance in Riezler & Hagmann's grids (needs ../shared)", () => {
  it("Table 3.4: closed form to 1e-8, and epochs that did nothing", () => {
    const parameters = ["dropout", "hidden_size_max", "hidden_number", "learning_rate", "batch_size", "random_seed"];
    const bytes = readFileSync(sharedPath("data/riezler2021/liver_reliability_grid.csv"));
    const { table } = readCsv(bytes, { name: "liver" });
    const found = measureImportance(table, { score: "accuracy", parameters });
    const want = expected("table-3.4").closed_form_reml_balanced_anova.variance;
    for (const { term, variance } of found.components) {
      expectClose([variance], [want[term === "residual" ? "Residual" : term]!], { tolerance: 1e-8, label: term });
    }
    const order = [
      "residual",
      "hidden_number",
      "learning_rate",
      "batch_size",
      "hidden_size_max",
      "dropout",
      "random_seed",
    ];
    expect(found.components.map(({ term }) => term)).toEqual(order);
    const largest = found.components[1]!;
    expect(largest.percent).toBeCloseTo(31, 1);
    // an exact interval of σ_f² with 2 df would reach from about 0.27 to 39 times the mean square
    expect(largest.lower).toBeLessThan(0.35 * largest.variance);
    expect(largest.upper).toBeGreaterThan(25 * largest.variance);
    const said = found.diagnostics.find(({ code }) => code === "NoEffectAtAll")!;
    expect(said.message).toMatch(/^epochs changes nothing: 98\.6%/);
  });

  it("Figure 3.5: means by weighting scheme and sentence length", () => {
    const bytes = gunzipSync(readFileSync(sharedPath("data/riezler2021/mt_grid_partial.csv.gz")));
    const { table } = readCsv(bytes, { name: "grid", factors: ["sentence_id"] });
    const options = { score: "ter", object: "sentence_id", parameters: ["delta_scheme"], intervals: "none" } as const;
    const [found] = measureImportance(table, { ...options, by: "src_length_class" }).interactions;
    const { group_means, lmerTest_anova, contrasts } = expected("figure-3.5");
    for (const { delta_scheme, src_length_class, emmean, SE } of group_means) {
      const own = found!.means.find(
        (m) => m["delta_scheme"] === delta_scheme && m["src_length_class"] === src_length_class,
      )!;
      expectClose([own["estimate"] as number, own["se"] as number], [emmean, SE], { tolerance: 1e-7 });
    }
    const test = lmerTest_anova[2]!;
    expectClose([found!.f, found!.df1, found!.df2], [test["F value"], test.NumDF, test.DenDF], { tolerance: 1e-6 });
    expectClose([found!.p], [test["Pr(>F)"]], { tolerance: 1e-4 });
    for (const { src_length_class, estimate, SE } of contrasts) {
      const own = found!.contrasts.find((c) => c["src_length_class"] === src_length_class)!;
      expectClose([Math.abs(own["estimate"] as number), own["se"] as number], [Math.abs(estimate), SE], {
        tolerance: 1e-6,
      });
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
