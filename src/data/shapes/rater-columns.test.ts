import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";

const LEVELS = ["poor", "fair", "good"];

async function read(names: readonly string[], cell: (i: number, k: number) => unknown) {
  const rows = Array.from({ length: 24 }, (_, i) => ({
    text_id: 1 + (i >> 1),
    system: i % 2 === 0 ? "old" : "new",
    ...Object.fromEntries(names.map((name, k) => [name, cell(i, k)])),
  }));
  const bytes = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n"));
  return importFiles([{ name: "wide.jsonl", bytes }]);
}

describe("a column for each rater, named in the header", () => {
  it("becomes one row for each judgement, not one metric per rater; empty cells are none", async () => {
    for (const stem of ["rater", "annotator", "Gutachter"]) {
      const names = ["anna", "ben", "chloe"].map((who) => `${stem}_${who}`);
      const { table, roles } = await read(names, (i, k) => (i === 3 && k === 1 ? null : 1 + ((i * (k + 2)) % 4)));
      expect(roles).toMatchObject({ item: "text_id", system: "system", rater: "rater", score: "rating" });
      expect(roles.metrics).toEqual(["rating"]);
      expect(table.rows).toBe(24 * 3 - 1);
    }
  });

  it("does so with words too", async () => {
    const { roles } = await read(["rater_anna", "rater_ben"], (i, k) => LEVELS[(i * (k + 2)) % 3]);
    expect(roles).toMatchObject({ item: "text_id", rater: "rater", metrics: ["rating"] });
  });

  it("leaves what is known about raters alone", async () => {
    const { table } = await read(["rater_id", "rater_age", "rater_confidence"], (i, k) => 1 + ((i + k) % 4));
    expect(table.columns.has("rater_age")).toBe(true);
    expect(table.rows).toBe(24);
  });

  it("was not seen where the header has the first names alone, or the raters' number in German", async () => {
    for (const names of [
      ["Anna", "Ben", "Clara"],
      ["Anna", "Qadira", "Zoë"],
      ["Bewerter 1", "Bewerter 2"],
    ]) {
      const { table, roles } = await read(names, (i, k) => 1 + ((i * (k + 2)) % 4));
      expect(roles).toMatchObject({ item: "text_id", system: "system", rater: "rater", metrics: ["rating"] });
      expect(table.rows).toBe(24 * names.length);
    }
  });

  it("is not seen in criteria, nor in numbers that are no steps of a scale", async () => {
    for (const names of [
      ["Tone", "Wit", "Anna"],
      ["Fluency", "Adequacy"],
      ["Tone", "Style"],
    ]) {
      const { roles } = await read(names, (i, k) => 1 + ((i * (k + 2)) % 4));
      expect(roles.rater).toBeUndefined();
    }
    const { roles } = await read(["Anna", "Ben"], (i, k) => 0.137 * i + k);
    expect(roles.rater).toBeUndefined();
  });
});
