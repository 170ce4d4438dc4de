import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../../data/table.ts";
import { matchItems } from "./matching.ts";

const columns = { system: "system", item: "item", score: "score" };

function tableOf(rows: readonly (readonly [string, string, number | null, string?, string?])[]) {
  return makeTable([
    ["system", factorColumn(rows.map((r) => r[0]))],
    ["item", factorColumn(rows.map((r) => r[1]))],
    ["score", numericColumn(rows.map((r) => r[2]))],
    ["group", factorColumn(rows.map((r) => r[3] ?? "g"))],
    ["rater", factorColumn(rows.map((r) => r[4] ?? "r"))],
  ]);
}

describe("matching", () => {
  it("keeps the items that every system has a score on, and names the others", () => {
    const table = tableOf([
      ["a", "1", 1],
      ["a", "2", 0],
      ["a", "3", null],
      ["b", "2", 1],
      ["b", "3", 1],
      ["b", "4", 0],
      ["c", "2", 9],
    ]);
    const matched = matchItems(table, columns, ["b", "a"]);
    expect(matched.items).toEqual(["2"]);
    expect([...matched.means]).toEqual([1, 0]); // b first, as asked for
    expect(matched.itemsLost).toBe(3);
    expect(matched.unmatched).toEqual([
      { system: "b", missing: 1, unscored: 0, examples: ["1"] },
      { system: "a", missing: 2, unscored: 1, examples: ["3", "4"] },
    ]);
  });

  it("averages repeats and keeps their scatter, so that they do not count as items", () => {
    const table = tableOf([
      ["a", "1", 1],
      ["a", "1", 4],
      ["a", "1", 1],
      ["b", "1", 2],
      ["a", "2", 5],
      ["b", "2", 5],
    ]);
    const { means, counts, within, repeats, items } = matchItems(table, columns, ["a", "b"]);
    expect(items).toEqual(["1", "2"]);
    expect([...means]).toEqual([2, 5, 2, 5]);
    expect([...counts]).toEqual([3, 1, 1, 1]);
    expect([...within]).toEqual([6, 0, 0, 0]);
    expect(repeats).toBe(3);
  });

  it("takes items of the same name in two tasks for two items", () => {
    const table = tableOf([
      ["a", "1", 1, "x"],
      ["a", "1", 0, "y"],
      ["b", "1", 0, "x"],
      ["b", "1", 1, "y"],
    ]);
    const matched = matchItems(table, { ...columns, task: "group" }, ["a", "b"]);
    expect(matched.items).toEqual(["x/1", "y/1"]);
    expect(matched.tasks).toEqual({ names: ["x", "y"], codes: Int32Array.of(0, 1) });
  });

  it("has no clusters where each item is its own, or where an item lies in two", () => {
    const own = tableOf([
      ["a", "1", 1, "x"],
      ["a", "2", 1, "y"],
      ["b", "1", 0, "x"],
      ["b", "2", 0, "y"],
    ]);
    expect(matchItems(own, { ...columns, cluster: "group" }, ["a", "b"]).clusters).toBeUndefined();
    const torn = tableOf([
      ["a", "1", 1, "x"],
      ["a", "2", 1, "x"],
      ["b", "1", 0, "y"],
      ["b", "2", 0, "x"],
    ]);
    expect(matchItems(torn, { ...columns, cluster: "group" }, ["a", "b"]).clusters).toBeUndefined();
  });

  it("counts repeats within raters", () => {
    const table = tableOf([
      ["a", "1", 1, "g", "p"],
      ["a", "1", 2, "g", "q"],
      ["b", "1", 1, "g", "p"],
      ["b", "1", 1, "g", "p"],
    ]);
    const matched = matchItems(table, { ...columns, rater: "rater" }, ["a", "b"]);
    expect([matched.raters, matched.repeats]).toEqual([2, 2]);
  });

  it("says so when nothing matches, and suggests the system that was meant", () => {
    const table = tableOf([
      ["alpha", "1", 1],
      ["beta", "2", 1],
    ]);
    expect(() => matchItems(table, columns, ["alpha", "beta"])).toThrow("no item has a score from every system");
    expect(() => matchItems(table, columns, ["alpha", "betta"])).toThrow(
      expect.objectContaining({ fix: 'Did you mean "beta"?' }),
    );
  });
});
