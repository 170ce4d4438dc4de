import { describe, expect, it } from "vitest";
import { readCsv } from "../../io/csv/csv.ts";
import { compare } from "./compare.ts";

describe("texts in columns", () => {
  const rows = Array.from({ length: 30 }, (_, i) => {
    const said = `the ${i} quick brown foxes`;
    const heard = said.replace("quick", i % 3 === 0 ? "quack" : "quick");
    return [`clip${i},${said},a,${heard}`, `clip${i},${said},b,the quack ${i}`];
  });
  const read = (lines: readonly string[]) => readCsv(["clip,reference,model,transcript", ...lines].join("\n")).table;
  const options = {
    metric: "wer",
    gold: "reference",
    pred: ["transcript"],
    system: "model",
    item: "clip",
    baseline: "b",
  };

  it("compares by WER, item by item in any order: lower is better", () => {
    const [one, other] = [rows.flat(), rows.flat().reverse()].map((lines) => compare(read(lines), options));
    expect([one!.metric, one!.pairs[0]!.verdict]).toEqual(["WER", "BETTER"]);
    // 10 of 150 words wrong against 4 of 5
    expect(one!.pairs[0]!.difference).toBeCloseTo(1000 / 150 - 80, 10);
    expect(other!.pairs[0]!.difference).toBeCloseTo(one!.pairs[0]!.difference, 12);
  });

  it("refuses systems without the same items, and an item with two texts", () => {
    expect(() => compare(read(rows.flat().slice(0, -1)), options)).toThrow(/clip clip29 is not there for every system/);
    expect(() => compare(read([...rows.flat(), rows[0]![0]!]), options)).toThrow(
      /1 row repeats another in model, clip/,
    );
  });
});
