import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { withTold } from "../understand.ts";
import { oneHot } from "./one-hot.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
const ROWS = ["1,1,0,1,0,0", "2,0,1,0,1,0", "3,1,1,0,0,1", "4,0,0,1,0,0"];

describe("a column of 0 and 1 for each system", () => {
  it("is proposed where one of three or more is 1 in every row", async () => {
    const given = await csv("case_id,good,fractions,gpt,llama,qwen", ...ROWS);
    expect(given.asks![0]!.answers[0]).toEqual({ oneHot: ["gpt", "llama", "qwen"] });
    const other = await csv("case_id,good,yes,no", "1,1,1,0", "2,0,0,1", "3,0,1,0", "4,1,1,0");
    expect(oneHot.find(other.table, other.roles)).toBeUndefined();
  });

  it("becomes one column that names the system", async () => {
    const given = await csv("case_id,good,fractions,gpt,llama,qwen", ...ROWS);
    const found = withTold(given, { oneHot: ["gpt", "llama", "qwen"] });
    expect(found.table.columns.get("system")).toMatchObject({ levels: ["gpt", "llama", "qwen"] });
    expect(Array.from((found.table.columns.get("system") as { codes: Int32Array }).codes)).toEqual([0, 1, 2, 0]);
    expect(found.asks![0]).toMatchObject({ id: "score" });
  });

  it("is refused where a row has none or two", async () => {
    const given = await csv("id,gpt,llama", "1,1,0", "2,1,1");
    expect(() => withTold(given, { oneHot: ["gpt", "llama"] })).toThrow("2 of the columns are 1 in row 2");
  });
});
