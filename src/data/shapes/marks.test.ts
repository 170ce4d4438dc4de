import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { factorColumn, makeTable } from "../table.ts";
import { findMarks } from "./marks.ts";

const read = (name: string, ...cells: string[]) => {
  const found = findMarks(makeTable([[name, factorColumn(cells)]], cells.length));
  const column = found?.table.columns.get(name);
  return { found, values: column?.kind === "numeric" ? Array.from(column.values) : undefined };
};

describe("numbers with a label, points and stars were no scores", () => {
  it.each([
    ["adequacy", "1 - incomprehensible;2 - hard to follow;3 - fair;5 - flawless", [1, 2, 3, 5]],
    ["fluency", "5 (best);4;3;2;1 (worst)", [5, 4, 3, 2, 1]],
    ["rating", "3: fair;4: good;1: no use", [3, 4, 1]],
    ["q7", "1 = worst;2 = so so;3 = best", [1, 2, 3]],
    ["adequacy", "4/5;1/5;5/5", [4, 1, 5]],
    ["quality", "6 / 10;10 / 10;7.5 / 10", [6, 10, 7.5]],
    ["overall", "★★★☆☆;★☆☆☆☆;★★★★★", [3, 1, 5]],
    ["overall", "⭐⭐;⭐;⭐⭐⭐⭐", [2, 1, 4]],
    ["overall", "***;*;*****", [3, 1, 5]],
  ])("%s: %s", (name, cells, values) => {
    expect(read(name, ...cells.split(";")).values).toEqual(values);
  });

  it("fall where 1 is the best, whatever the column is called", () => {
    expect(read("quality", "1 (best)", "2", "3", "4 (worst)").found!.higherIsBetter!.get("quality")).toBe(false);
    expect(read("quality", "1 (worst)", "2", "4 (best)").found!.higherIsBetter!.get("quality")).toBe(true);
    expect(read("quality", "1: one way", "2: another").found!.higherIsBetter!.has("quality")).toBe(false);
  });

  it("codes of categories, shots, dates, folds and p-values stay what they are", () => {
    expect(read("domain", "1 - news", "2 - law", "3 - sport").found).toBeUndefined();
    expect(read("error_type", "1 - omission", "2 - addition").found).toBeUndefined();
    expect(read("prompting", "0-shot", "5-shot").found).toBeUndefined();
    expect(read("rating", "1: fair", "1: good").found).toBeUndefined();
    expect(read("date", "4/5", "5/5").found).toBeUndefined();
    expect(read("fold", "1/3", "2/3").found).toBeUndefined();
    expect(read("passed", "1/3", "2/4").found).toBeUndefined();
    expect(read("significance", "*", "**", "***").found).toBeUndefined();
  });

  it("kept the warning that their column was read as a factor", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const value = 1 + ((i * 7) % 5);
      return `q${i >> 1},${i % 2 === 0 ? "base" : "ours"},${value === 5 ? "5 (best)" : value}`;
    });
    const bytes = new TextEncoder().encode(["item,system,adequacy", ...rows].join("\n"));
    const found = await importFiles([{ name: "sheet.csv", bytes }]);
    expect(found.roles.score).toBe("adequacy");
    expect(found.assumptions).toContain("The cells of adequacy are read as their numbers: 5 = best.");
    expect(found.diagnostics.map(({ code }) => code)).not.toContain("NotNumeric");
  });
});
