import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { withTold } from "../understand.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
const rows = ({ table }: Awaited<ReturnType<typeof csv>>): string[] => {
  const cells = ["item", "system", "best_worst"].map((name) => table.columns.get(name)!);
  return rowsOf(table).map((row) => cells.map((own) => cellText(own, row)).join(" "));
};

describe("best-worst scaling", () => {
  it("is proposed by columns called best and worst", async () => {
    const given = await csv("item,option1,option2,option3,best,worst", "q1,A,B,C,A,C", "q2,B,D,A,D,B");
    expect(given.asks![0]!.answers[0]).toEqual({ best: "best", worst: "worst" });
  });

  it("scores what was shown: 1 for the best, -1 for the worst, 0 for the others", async () => {
    const given = await csv("item,option1,option2,option3,best,worst", "q1,A,B,C,A,C", "q2,B,D,A,D,B", "q3,A,B,D,,A");
    const found = withTold(given, { best: "best", worst: "worst" });
    expect(rows(found)).toEqual([
      ...["q1 A 1", "q1 B 0", "q1 C -1", "q2 B -1", "q2 D 1", "q2 A 0", "q3 A ", "q3 B ", "q3 D "],
    ]);
    expect(found.metrics[0]).toMatchObject({ name: "best_worst", higherIsBetter: true });
    expect(found.asks).toEqual([]);
  });

  it("takes everything that is named as shown where no columns list it, and says so", async () => {
    const found = withTold(await csv("item,best,worst", "q1,A,C", "q2,B,A"), { best: "best", worst: "worst" });
    expect(rows(found)).toEqual(["q1 A 1", "q1 B 0", "q1 C -1", "q2 A -1", "q2 B 1", "q2 C 0"]);
    expect(found.assumptions.at(-1)).toContain("The file does not say what was shown: A, B, C are assumed to be shown");
  });
});
