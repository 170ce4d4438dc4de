import { expect, it } from "vitest";
import { readOracle } from "../../test/support/oracle.ts";
import { scoresTell } from "./same-items.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "./table.ts";

interface Case {
  readonly seed: number;
  readonly tells: string;
  readonly y: readonly number[];
}

const COLUMNS = { system: "system", part: "part", item: "id", score: "score" };
const { cases } = readOracle("r/same-items.json") as unknown as { cases: readonly Case[] };

/** As expand.grid of R: ids first, then parts, then systems. */
function layOut(y: readonly number[], scale = 1): Table {
  const level = (size: number, every: number) =>
    factorColumn(y.map((_, row) => String(Math.floor(row / every) % size)));
  return makeTable([
    ["id", level(8, 1)],
    ["part", level(6, 8)],
    ["system", level(3, 48)],
    ["score", numericColumn(y.map((value) => scale * value))],
  ]);
}

it.each(cases)("next to a border the scores tell what R's F tests do: seed $seed, $tells", ({ y, tells }) => {
  expect(scoresTell(layOut(y), COLUMNS) ?? "neither").toBe(tells);
  expect(scoresTell(layOut(y, -7), COLUMNS) ?? "neither").toBe(tells);
});

it("without noise: equal scores under every part are the same items, constant ones tell nothing", () => {
  const rows = Array.from({ length: 144 }, (_, row) => row);
  expect(scoresTell(layOut(rows.map((row) => row % 8)), COLUMNS)).toBe("same");
  expect(scoresTell(layOut(rows.map(() => 1)), COLUMNS)).toBeUndefined();
});
