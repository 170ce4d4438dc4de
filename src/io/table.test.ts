import { expect, it } from "vitest";
import { asFactor, column } from "../data/table.ts";
import { table } from "./table.ts";

const values = (made: ReturnType<typeof table>, name: string) => {
  const cells = column(made, name);
  return cells.kind === "numeric" ? Array.from(cells.values) : Array.from(cells.codes, (code) => cells.levels[code]);
};

it("rows, columns and text give the same table", () => {
  const rows = table([
    { system: "a", score: 1 },
    { system: "b", score: 2.5 },
  ]);
  for (const other of [table({ system: ["a", "b"], score: [1, 2.5] }), table("system,score\na,1\nb,2.5\n")]) {
    expect(values(other, "system")).toEqual(values(rows, "system"));
    expect(values(other, "score")).toEqual(values(rows, "score"));
  }
});

it("takes a missing cell for missing, and true and false for 1 and 0", () => {
  const made = table([{ x: 1, ok: true }, { x: null, ok: false }, { ok: true }]);
  expect(values(made, "x")).toEqual([1, Number.NaN, Number.NaN]);
  expect(values(made, "ok")).toEqual([1, 0, 1]);
  expect(asFactor(column(table([{ s: "u" }, {}]), "s")).codes[1]).toBe(-1);
});

it("refuses nothing in one line", () => {
  expect(() => table([])).toThrow(/no column/);
});
