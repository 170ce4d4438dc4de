import { expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { scoreNumbers } from "../score-facts.ts";
import { understandTable } from "../understand.ts";
import { positiveOf } from "./opposites.ts";

const table = (name: string, bad: string, good: string) =>
  makeTable(
    [
      ["model", factorColumn(Array.from({ length: 40 }, (_, i) => (i < 20 ? "a" : "b")))],
      ["id", numericColumn(Array.from({ length: 40 }, (_, i) => i % 20))],
      [name, factorColumn(Array.from({ length: 40 }, (_, i) => (i % 3 ? good : bad)))],
    ],
    40,
  );

it.each([
  ["outcome", "❌", "✅", true],
  ["verdict", "hallucinated", "faithful", true],
  ["score", "I", "C", true],
])("%s of %s and %s is a score, and its direction is that of its words", (name, bad, good, higher) => {
  const data = table(name, bad, good);
  const { metrics } = understandTable(data);
  expect(metrics).toMatchObject([{ name, higherIsBetter: higher }]);
  expect(scoreNumbers(data, name).filter((v) => v === 1)).toHaveLength(26);
});

it("words that are no opposites of each other are none", () => {
  for (const levels of [["yes", "right"], ["true", "no"], ["c"], ["good"], ["no", "No"], ["safe", "unsafe", "n/a"]])
    expect(positiveOf(levels)).toBeUndefined();
});
