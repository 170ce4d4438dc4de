import { expect, it } from "vitest";
import { positiveOf } from "../study/lexicon/opposites.ts";
import { guessRoles } from "../study/roles.ts";
import { scoreNumbers } from "../study/score-facts.ts";
import { understandTable } from "../study/understand.ts";
import { explainTextScore } from "./roles/hints.ts";
import { factorColumn, makeTable, numericColumn } from "./table.ts";

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
  ["bestanden", "FALSCH", "WAHR", true],
  ["richtig", "nein", "ja", true],
  ["réussi", "faux", "vrai", true],
  ["acierto", "no", "sí", true],
  ["Halluzination", "nein", "ja", false],
  ["outcome", "❌", "✅", true],
  ["verdict", "hallucinated", "faithful", true],
  ["status", "failure", "success", true],
  ["score", "I", "C", true],
  ["toxicity_check", "FAIL", "PASS", true],
])("%s of %s and %s was no score, or the wrong way round", (name, bad, good, higher) => {
  const data = table(name, bad, good);
  const { metrics } = understandTable(data);
  expect(metrics).toMatchObject([{ name, higherIsBetter: higher }]);
  expect(scoreNumbers(data, name).filter((v) => v === 1)).toHaveLength(26);
});

it("of two words that nobody knows the hint counted one as right", () => {
  const data = table("score", "bof", "chouette");
  const { fix } = explainTextScore(data, guessRoles(data).roles)!;
  expect(fix).toContain("score == 'bof'");
  expect(fix).toContain("score == 'chouette'");
});

it("words that are no opposites of each other are none", () => {
  for (const levels of [["yes", "right"], ["true", "no"], ["c"], ["good"], ["no", "No"], ["safe", "unsafe", "n/a"]])
    expect(positiveOf(levels)).toBeUndefined();
});
