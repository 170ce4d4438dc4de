import { describe, expect, it } from "vitest";
import { factorColumn, makeTable } from "../../data/table.ts";
import { leaveChecksOut } from "./check-rows.ts";

const sheet = (columns: Record<string, readonly string[]>) =>
  makeTable(Object.entries(columns).map(([name, cells]) => [name, factorColumn(cells)] as const));

describe("rows that check the raters", () => {
  it("are left out by a column that marks them, if they have items of their own", () => {
    const table = sheet({ item: ["q1", "q2", "c1"], rater: ["r", "r", "r"], is_gold: ["no", "no", "yes"] });
    expect(leaveChecksOut(table)).toMatchObject({ table: { rows: 2 }, mark: "is_gold" });
  });

  it("are left out by a kind that is called vigilance or attention check, on whatever item", () => {
    const kinds = ["main", "main", "vigilance"];
    const table = sheet({ sample: ["q1", "q2", "q1"], workerId: ["r", "s", "r"], kind: kinds });
    expect(leaveChecksOut(table)).toMatchObject({ table: { rows: 2 }, mark: "kind" });
    expect(leaveChecksOut(sheet({ sample: ["q1", "q2", "q1"], kind: kinds })).told).toBeUndefined();
  });
});
