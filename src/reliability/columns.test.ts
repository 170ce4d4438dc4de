import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { measureReliability } from "./generalizability/generalizability.ts";
import { measureImportance } from "./importance.ts";

const rng = makeRng("columns");
const cells = Array.from({ length: 240 }, (_, k) => ({
  item: k % 20,
  rater: Math.floor(k / 20) % 6,
  system: Math.floor(k / 120),
}));
const table = makeTable([
  ["item", factorColumn(cells.map(({ item }) => `i${item}`))],
  ["rater", factorColumn(cells.map(({ rater }) => `r${rater}`))],
  ["system", factorColumn(cells.map(({ system }) => `s${system}`))],
  ["score", numericColumn(cells.map(({ item, rater }) => Math.sin(item) + 0.3 * rater + rng.normal()))],
]);
const roles = {
  item: "item",
  rater: "rater",
  system: "system",
  score: "score",
  metrics: ["score"],
  parameters: [],
  covariates: [],
  identifiers: [],
};
const named = { score: "score", object: "item", facets: ["rater"], intervals: "none" } as const;

describe("columns of ratings that nobody names", () => {
  it("are those that an importer found, or that the table shows", () => {
    const plain = measureReliability(table, { ...named, facets: ["rater", "system"] });
    for (const data of [table, { table, roles }]) {
      const found = measureReliability(data, { intervals: "none" });
      expect([found.score, found.object, found.facets]).toEqual(["score", "item", ["rater", "system"]]);
      expect(found.components).toEqual(plain.components);
    }
  });

  it("pool systems where the facets named leave them out, and say so in words of the library", () => {
    const told = measureReliability({ table, roles }, named).diagnostics.find(({ code }) => code === "PooledSystems");
    expect(told?.message).toBe("the scores of 2 systems (system) are pooled.");
    expect(told?.fix).toContain('option `by: "system"`');
    const apart = measureReliability({ table, roles }, { ...named, facets: ["rater", "system"] });
    expect(apart.diagnostics.map(({ code }) => code)).not.toContain("PooledSystems");
    // all is named, and nothing is guessed
    expect(measureReliability(table, named).diagnostics.map(({ code }) => code)).not.toContain("PooledSystems");
  });

  it("are asked for where there are none", () => {
    const { rater: _, ...without } = roles;
    // the scores of an item are then repeats of one another, which is reported
    const oneWay = measureReliability({ table, roles: without }, { score: "score", intervals: "none" });
    expect(oneWay.facets).toEqual(["repeat"]);
    expect(oneWay.diagnostics.map(({ code }) => code)).toContain("OneWay");
    expect(() => measureImportance({ table, roles }, { score: "score" })).toThrow(/no settings that were varied/);
    const { score: __, ...unscored } = roles;
    expect(() => measureReliability({ table, roles: unscored }, { facets: ["rater"] })).toThrow(
      /which column is the score/,
    );
    const varied = measureImportance({ table, roles: { ...roles, parameters: ["rater"] } }, { intervals: "none" });
    expect([varied.score, varied.object, varied.parameters]).toEqual(["score", "item", ["rater"]]);
  });
});
