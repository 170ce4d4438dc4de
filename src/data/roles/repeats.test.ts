import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../table.ts";
import { warnOfFixedRaters } from "./repeats.ts";

/** Raters who saw both systems, or one each. */
const sheet = (crossed: boolean, raters = 3): Table => {
  const rows = Array.from({ length: 24 }, (_, i) => ({
    rater: i % raters,
    system: crossed ? (i >> 2) % 2 : (i % raters) % 2,
  }));
  return makeTable([
    ["annotator", factorColumn(rows.map(({ rater }) => `r${rater}`))],
    ["model", factorColumn(rows.map(({ system }) => `s${system}`))],
    ["text", factorColumn(rows.map((_, i) => `t${i % 8}`))],
    ["y", numericColumn(rows.map((_, i) => i % 5))],
  ]);
};
const codes = (table: Table, formula: string) => warnOfFixedRaters(table, formula).map(({ code }) => code);

describe("a mixed model without rater:system did not say that its p is about these raters", () => {
  it("now it does, with the term that would change it", () => {
    const [told] = warnOfFixedRaters(sheet(true), "y ~ model + (1 | text) + (1 | annotator)");
    expect(told!.code).toBe("RatersTakenAsTheyAre");
    expect(told!.fix).toContain("(1 | annotator:model)");
  });

  it.each([
    ["a term of both", "y ~ model + (1 | annotator) + (1 | annotator:model)"],
    ["a slope", "y ~ model + (1 + model | annotator)"],
    ["no system", "y ~ 1 + (1 | annotator)"],
    ["no rater", "y ~ model + (1 | text)"],
  ])("is silent with %s", (_, formula) => {
    expect(codes(sheet(true), formula)).toEqual([]);
  });

  it("is silent where each rater saw one system, and where raters are many", () => {
    const plain = "y ~ model + (1 | annotator)";
    expect(codes(sheet(false, 4), plain)).toEqual([]);
    expect(codes(sheet(true, 4), plain)).toEqual(["RatersTakenAsTheyAre"]);
  });
});
