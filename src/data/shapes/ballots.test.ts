import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { compare } from "../../significance/compare/compare.ts";

const read = (header: string, rows: readonly string[]) =>
  importFiles([{ name: "votes.csv", bytes: new TextEncoder().encode([header, ...rows].join("\n")) }]);

/** Of 48 votes 30 for the second, 12 for the first and 6 ties. */
const votes = (tie: string): string[] =>
  Array.from({ length: 48 }, (_, i) => {
    const k = (i * 7) % 8;
    return `p${Math.floor(i / 3)},r${i % 3},${k < 5 ? "0,1" : k < 7 ? "1,0" : tie}`;
  });

describe("votes as two columns of 0 and 1 that are named as the systems", () => {
  it("were compared as if they were two scores", async () => {
    const named = await read(
      "prompt,rater,model_a,model_b,winner",
      votes("tie").map((row) =>
        row.replace(
          /(0,1|1,0|tie)$/,
          (vote) => `gpt,llama,${vote === "0,1" ? "llama" : vote === "1,0" ? "gpt" : "tie"}`,
        ),
      ),
    );
    const expected = compare(named, { baseline: "gpt" });
    for (const tie of ["0.5,0.5", "0,0"]) {
      const found = await read("prompt,rater,gpt,llama", votes(tie));
      expect(found.roles).toMatchObject({ system: "system", opponent: "opponent", item: "prompt", rater: "rater" });
      const { main } = compare(found, { baseline: "gpt" });
      expect(main.p).toBe(expected.main.p);
      expect(main.verdict).toBe(expected.main.verdict);
      expect(main.difference).toBe(expected.main.difference);
    }
  });

  it("are seen without ties and under A and B, and have no place of their own", async () => {
    const found = await read(
      "prompt,A,B",
      Array.from({ length: 20 }, (_, i) => `p${i},${i % 5 === 0 ? "1,0" : "0,1"}`),
    );
    expect(found.systems).toEqual(["A", "B"]);
    expect(found.roles.opponent).toBe("opponent");
    expect(found.table.columns.has("position")).toBe(false);
  });

  it("are not seen in verdicts on two answers, nor in two labels of which one holds", async () => {
    const verdicts = Array.from({ length: 40 }, (_, i) => `q${i},${i % 3 === 0 ? 1 : 0},${i % 2}`);
    expect((await read("item,gpt,llama", verdicts)).roles.opponent).toBeUndefined();
    // two weak systems are rarely right together
    const weak = Array.from({ length: 40 }, (_, i) => `q${i},${i === 3 ? 1 : 0},${i === 9 ? 1 : 0}`);
    expect((await read("item,gpt,llama", weak)).roles.opponent).toBeUndefined();
    const labels = Array.from({ length: 40 }, (_, i) => `q${i},r${i % 4},${i % 3 === 0 ? "1,0" : "0,1"}`);
    expect((await read("item,rater,toxic,harmless", labels)).roles.opponent).toBeUndefined();
  });
});
