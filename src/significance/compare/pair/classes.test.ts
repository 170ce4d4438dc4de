import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { reviveResult } from "../../../result/result.ts";
import { compare } from "../compare.ts";

interface Test {
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly tukey: number;
}
const oracle = JSON.parse(readFileSync("oracle/r/compare-classes.json", "utf8")) as {
  readonly classes: readonly string[];
  readonly scores: readonly (readonly number[])[];
  readonly welch: readonly { readonly F: number; readonly df: readonly [number, number]; readonly p: number }[];
  readonly holm: readonly number[];
  readonly t: readonly Test[];
};
const SYSTEMS = ["a", "b", "c"];

function tableOf(systems: number, repeats = 1): Table {
  const rows = oracle.scores.flatMap((scores, i) =>
    scores.slice(0, systems).flatMap((score, s) =>
      Array.from({ length: repeats }, (_, k) => ({
        item: `i${i}`,
        length: oracle.classes[i]!,
        system: SYSTEMS[s]!,
        score: score + (2 * k - repeats + 1) * (i + 1) * 0.01,
      })),
    ),
  );
  return makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["length", factorColumn(rows.map(({ length }) => length))],
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["score", numericColumn(rows.map(({ score }) => score))],
  ]);
}

describe("classes of items that spread differently", () => {
  it("two systems: Welch's F and each class's own t, as R", () => {
    const { model } = compare(tableOf(2), { by: "length" });
    const [welch] = oracle.welch;
    expect(model!.dependence!.method).toBe("Welch's F over the items");
    expect(model!.dependence!.statistic).toBeCloseTo(welch!.F, 9);
    expect(model!.dependence!.df1).toBe(welch!.df[0]);
    expect(model!.dependence!.df2).toBeCloseTo(welch!.df[1], 8);
    expect(model!.dependence!.p).toBeCloseTo(welch!.p, 9);
    const byName = new Map(model!.within!.contrasts.map((own) => [own.within!["length"], own]));
    ["short", "middle", "long"].forEach((name, c) => {
      const want = oracle.t[3 * c]!;
      for (const key of ["estimate", "lower", "upper", "p"] as const)
        expect(byName.get(name)![key]).toBeCloseTo(want[key], 8);
    });
  });

  it("three systems: the smallest p after Holm, and pairs adjusted by Tukey within each class", () => {
    const { model } = compare(tableOf(3), { by: "length" });
    expect(model!.dependence!.p).toBeCloseTo(Math.min(...oracle.holm), 9);
    ["short", "middle", "long"].forEach((name, c) => {
      const own = model!.within!.contrasts.filter(({ within }) => within!["length"] === name);
      own.forEach(({ p }, k) => {
        expect(p).toBeCloseTo(oracle.t[3 * c + k]!.tukey, 7);
      });
    });
  });

  it("repeats are averaged, and the order of rows does not matter", () => {
    const once = compare(tableOf(2), { by: "length" }).model!.dependence!;
    const twice = compare(tableOf(2, 2), { by: "length", run: "none" }).model!.dependence!;
    expect(twice.p).toBeCloseTo(once.p, 9);
  });

  it("a model with one spread for all classes says where theirs differ", () => {
    const { diagnostics } = compare(tableOf(2), { by: "length", ddf: "kenward-roger" });
    const said = diagnostics.find(({ code }) => code === "UnequalSpread");
    expect(said?.message).toMatch(/^items differ further between the systems in long \(SD .*\) than in short/);
    expect(compare(tableOf(2), { by: "length" }).diagnostics.map(({ code }) => code)).not.toContain("UnequalSpread");
  });

  it("a given rule of df is the model's, and none its likelihood ratio", () => {
    expect(compare(tableOf(2), { by: "length", ddf: "kenward-roger" }).model!.dependence!.method).toBe(
      "F of the mixed model",
    );
    expect(compare(tableOf(2), { by: "length", ddf: "none" }).model!.dependence).toBeUndefined();
  });

  it("no class is claimed to differ where only its spread does", () => {
    let false_ = 0;
    for (let k = 0; k < 200; k++) {
      const rng = makeRng("uneven classes").stream(k);
      const rows = Array.from({ length: 220 }, (_, i) => {
        const spread = i < 20 ? 3 : 1;
        return [0, 1].map((s) => ({ i, s, score: 10 + spread * rng.normal() }));
      }).flat();
      const table = makeTable([
        ["item", factorColumn(rows.map(({ i }) => `i${i}`))],
        ["topic", factorColumn(rows.map(({ i }) => (i < 20 ? "rare" : "usual")))],
        ["system", factorColumn(rows.map(({ s }) => SYSTEMS[s]!))],
        ["score", numericColumn(rows.map(({ score }) => score))],
      ]);
      if (compare(table, { by: "topic" }).model!.dependence!.p < 0.05) false_ += 1;
    }
    // 39 % by a model with one residual variance
    expect(false_).toBeLessThan(0.05 * 200 + 4 * Math.sqrt(0.05 * 0.95 * 200));
  });

  it("is printed, and comes back from JSON", () => {
    const result = compare(tableOf(2), { by: "length" });
    const text = result.toString();
    expect(text).toContain("Does the difference depend on length?");
    expect(text).toContain("Pairs within length, t over the items of each");
    expect(reviveResult(JSON.stringify(result)).toString()).toBe(text);
  });
});
