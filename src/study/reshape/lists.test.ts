import { describe, expect, it } from "vitest";
import { NO_ROLES } from "../../data/imported.ts";
import { factorColumn, makeTable } from "../../data/table.ts";
import { findLists, lists } from "./lists.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const table = (columns: Record<string, readonly string[]>) =>
  makeTable(Object.entries(columns).map(([name, cells]) => [name, factorColumn(cells)] as const));
const column = (own: ReturnType<typeof table>, name: string): (string | null)[] =>
  rowsOf(own).map((row) => cellText(own.columns.get(name)!, row));

describe("lists in cells", () => {
  it("stand beside the names of their raters, whose groups are no judgments", () => {
    const found = findLists(
      table({
        text: ["s", "t", "u"],
        annotations: ["0,1", "1,1", "0,1,1"],
        annotators: ["Ann1,Ann2", "Ann2,Ann3", "Ann1,Ann2,Ann3"],
        "annotators group": ["g,h", "h,h", "g,h,h"],
      }),
    )!;
    expect(column(found.table, "rater")).toEqual("Ann1 Ann2 Ann2 Ann3 Ann1 Ann2 Ann3".split(" "));
    expect(column(found.table, "annotations")).toEqual([..."0111011"]);
    expect(found.hints.map(({ role, column: name }) => `${role}: ${name}`)).toEqual([
      "rater: rater",
      "score: annotations",
    ]);
    expect(found.unnamedRaters).toBe(false);
  });

  it("are of unnamed raters where the column is called annotations or ratings", () => {
    const found = findLists(table({ "annotations.Engaging": ["[2, 1, 1]", "[0, 1]", "[]"] }))!;
    expect(column(found.table, "rater")).toEqual([..."12312"]);
    expect(found.unnamedRaters).toBe(true);
    expect(found.done[1]).toEqual({ id: "emptyLists", columns: ["annotations.Engaging"], count: 1, of: 3 });
  });

  it.each([
    ["numbers with a comma", { ratings: ["1,193", "2,5"] }],
    ["vectors", { embedding: ["[0.1, 0.2]", "[0.3, 0.4]"] }],
    ["sentences", { annotations: ["a long remark, with commas (and more)", "another, of course: yes"] }],
    ["lists of no plain name", { scores: ["[9.0, 8.5]", "[8, 8]"] }],
  ])("%s are not unrolled by themselves", (_, columns) => {
    expect(findLists(table(columns))).toBeUndefined();
  });

  it("are of systems, runs or items if the user says so", () => {
    const own = table({ id: ["p", "q"], scores: ["[9.0, 8.5]", "[8, 7]"] });
    expect(lists.find(own, NO_ROLES)).toEqual({ lists: "systems" });
    const { table: long, hints } = lists.apply(own, { lists: "systems" });
    expect([column(long, "system"), column(long, "scores")]).toEqual([
      ["1", "2", "1", "2"],
      ["9", "8.5", "8", "7"],
    ]);
    expect(hints.map(({ role }) => role)).toEqual(["system", "score"]);
    expect(lists.apply(own, { lists: "runs" }).hints[0]).toEqual({ role: "repeat", column: "run", by: "shape" });
    expect(lists.find(own, { ...NO_ROLES, system: "id" })).toEqual({ lists: "items" });
    expect(() => lists.apply(table({ id: ["p"] }), { lists: "runs" })).toThrow("no column has lists in its cells");
  });
});
