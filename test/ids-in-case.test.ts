/** Ids are names: q1 and Q1 are two items, whoever asks. */
import { describe, expect, it } from "vitest";
import { answerComparison, type Imported, importFiles } from "../src/index.ts";
import { gate, readPolicy } from "../src/plan.ts";

const file = (name: string, id: (i: number) => string): Promise<Imported> => {
  const rows = Array.from({ length: 40 }, (_, i) => `${id(i)},${(i * 7) % 10 < 6 ? 1 : 0}`);
  return importFiles([{ name, bytes: new TextEncoder().encode(["item,correct", ...rows].join("\n")) }]);
};
const lower = () => file("base.csv", (i) => `q${i}`);

describe("ids that differ in case", () => {
  it("are not paired by compare and not by a gate", async () => {
    const parts = [
      { path: "base.csv", imported: await lower() },
      { path: "new.csv", imported: await file("new.csv", (i) => `Q${i}`) },
    ] as const;
    expect(() => answerComparison(parts)).toThrow("no item has a score from every system");
    expect(() => gate({ baseline: [parts[0]], candidate: [parts[1]] }, { policy: readPolicy("margin: 0.1") })).toThrow(
      "no item in common (of 80: baseline has q0, q1; candidate has Q0, Q1)",
    );
  });

  it("are paired by both where they are spelled alike", async () => {
    const parts = [
      { path: "base.csv", imported: await lower() },
      { path: "new.csv", imported: await file("new.csv", (i) => `q${i}`) },
    ] as const;
    const compared = answerComparison(parts);
    expect("n" in compared && compared.n).toBe(40);
    const judged = gate({ baseline: [parts[0]], candidate: [parts[1]] }, { policy: readPolicy("margin: 0.1") });
    expect(judged.tasks[0]!.coverage.shared).toBe(40);
  });
});
