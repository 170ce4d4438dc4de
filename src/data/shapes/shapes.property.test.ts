/** A long table put into each shape and read back gives the same long rows, or is left as it was; never other numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { tableFromJson } from "../../io/json/json.ts";
import { table as makeRows } from "../../io/table.ts";
import type { Table } from "../table.ts";
import { cellText } from "./reshaped.ts";
import { reshapeTable } from "./shapes.ts";

interface Score {
  readonly item: string;
  readonly by: string;
  readonly value: number;
}

const RUNS = 30;
/** Values may be so few that a shape is rightly left alone. */
const MOSTLY = 0.7;
const ITEMS = fc.integer({ min: 3, max: 8 });
const VALUES = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 64, maxLength: 64 });

/** Every item by every one of these, with values that are not all alike. */
function grid(items: number, by: readonly string[], values: readonly number[]): Score[] {
  const own = values.map((value, i) => (i === 0 ? 1 : i === 1 ? 5 : value));
  return Array.from({ length: items }, (_, i) => i).flatMap((i) =>
    by.map((name, k) => ({ item: `q${i}`, by: name, value: own[(i * by.length + k) % own.length]! })),
  );
}

const key = ({ item, by, value }: Score): string => `${item}/${by}/${value}`;

function readBack(table: Table, [item, by, value]: readonly [string, string, string]): string[] {
  const columns = [item, by, value].map((name) => table.columns.get(name)!);
  return Array.from({ length: table.rows }, (_, row) => columns.map((cells) => cellText(cells, row)).join("/")).sort();
}

const wide = (scores: readonly Score[], items: number, row: (own: readonly Score[], i: number) => object): object[] =>
  Array.from({ length: items }, (_, i) =>
    row(
      scores.filter(({ item }) => item === `q${i}`),
      i,
    ),
  );

const numbered = (own: readonly Score[], name: string, value: (score: Score) => unknown): object =>
  Object.fromEntries(own.map((score, k) => [`${name}${k + 1}`, value(score)]));

const SYSTEMS = ["gpt-x", "llama-y", "base-z"];
const RATERS = ["ann1", "ann2", "ann3"];

describe("a long table in another shape, read back, has the same rows", () => {
  const same = (
    by: readonly string[],
    row: (own: readonly Score[], i: number) => object,
    columns: readonly [string, string, string],
  ): void => {
    let seen = 0;
    fc.assert(
      fc.property(ITEMS, VALUES, (items, values) => {
        const scores = grid(items, by, values);
        const table = tableFromJson(JSON.parse(JSON.stringify(wide(scores, items, row)))).table;
        const found = reshapeTable(table);
        if (found === undefined) return;
        seen += 1;
        expect(readBack(found.table, columns)).toEqual(scores.map(key).sort());
      }),
      { numRuns: RUNS, seed: 7 },
    );
    expect(seen).toBeGreaterThan(MOSTLY * RUNS);
  };

  it("systems side by side", () =>
    same(
      SYSTEMS,
      (own, i) => ({
        item: `q${i}`,
        ...numbered(own, "sys", ({ by }) => by),
        ...numbered(own, "quality", ({ value }) => value),
      }),
      ["item", "sys", "quality"],
    ));

  it("raters side by side", () =>
    same(
      RATERS,
      (own, i) => ({
        item: `q${i}`,
        ...numbered(own, "rater", ({ by }) => by),
        ...numbered(own, "score", ({ value }) => value),
      }),
      ["item", "rater", "score"],
    ));

  it("one column a rater", () =>
    same(RATERS, (own, i) => ({ item: `q${i}`, ...Object.fromEntries(own.map(({ by, value }) => [by, value])) }), [
      "item",
      "rater",
      "rating",
    ]));

  it("a suffix a rater", () =>
    same(
      RATERS,
      (own, i) => ({
        item: `q${i}`,
        ...Object.fromEntries(own.flatMap(({ by, value }) => [[`fluency_${by}`, value]])),
      }),
      ["item", "rater", "fluency"],
    ));

  it("a prefix a system", () =>
    same(
      ["gpt", "claude"],
      (own, i) => ({
        item: `q${i}`,
        ...Object.fromEntries(
          own.flatMap(({ by, value }) => [
            [`${by}_answer`, `t${i}`],
            [`${by}_score`, value],
          ]),
        ),
      }),
      ["item", "system", "score"],
    ));

  it("lists in cells beside the raters' names", () =>
    same(
      RATERS,
      (own, i) => ({ item: `q${i}`, annotations: own.map(({ value }) => value), annotators: own.map(({ by }) => by) }),
      ["item", "rater", "annotations"],
    ));

  it("lists as text between commas", () =>
    same(
      RATERS,
      (own, i) => ({
        item: `q${i}`,
        labels: own.map(({ value }) => value).join(","),
        annotators: own.map(({ by }) => by).join(","),
      }),
      ["item", "rater", "labels"],
    ));

  it("an object of labels by rater", () =>
    same(
      RATERS,
      (own, i) => ({ item: `q${i}`, ratings: Object.fromEntries(own.map(({ by, value }) => [by, value])) }),
      ["item", "rater", "ratings"],
    ));

  it("lists of raters whom nobody named", () =>
    same(["1", "2", "3"], (own, i) => ({ item: `q${i}`, ratings: own.map(({ value }) => value) }), [
      "item",
      "rater",
      "ratings",
    ]));
});

describe("texts", () => {
  const check = (
    by: readonly string[],
    make: (scores: readonly Score[], items: number) => string,
    columns: readonly [string, string, string],
  ) =>
    fc.assert(
      fc.asyncProperty(ITEMS, VALUES, async (items, values) => {
        const scores = grid(items, by, values);
        const bytes = new TextEncoder().encode(make(scores, items));
        const { table } = await importFiles([{ name: "d.csv", bytes }]);
        // refused or left as it was is right, other numbers never are
        if (columns.some((name) => !table.columns.has(name))) return;
        expect(readBack(table, columns)).toEqual(scores.map(key).sort());
      }),
      { numRuns: RUNS, seed: 11 },
    );
  const lines = (scores: readonly Score[], items: number, cells: (own: readonly Score[]) => string): string[] =>
    Array.from({ length: items }, (_, i) => `q${i},${cells(scores.filter(({ item }) => item === `q${i}`))}`);
  const valuesOf = (own: readonly Score[]): string => own.map(({ value }) => value).join(",");

  it("two header rows, systems above", () =>
    check(
      ["System A", "System B"],
      (scores, items) =>
        [
          "item,System A,,System B,",
          ",fluency,words,fluency,words",
          ...lines(scores, items, (own) => own.map(({ value }) => `${value},${value * 7}`).join(",")),
        ].join("\n"),
      ["item", "system", "fluency"],
    ));

  it("two header rows, systems below", () =>
    check(
      ["gpt-x", "llama-y"],
      (scores, items) => [",fluency,fluency", "item,gpt-x,llama-y", ...lines(scores, items, valuesOf)].join("\n"),
      ["item", "system", "fluency"],
    ));

  it("one-hot systems", () =>
    check(
      SYSTEMS,
      (scores) =>
        [
          `item,${SYSTEMS.join(",")},score`,
          ...scores.map(
            ({ item, by, value }) => `${item},${SYSTEMS.map((name) => Number(name === by)).join(",")},${value}`,
          ),
        ].join("\n"),
      ["item", "system", "score"],
    ));

  it("one row a system, the scores of all items in a cell", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: 60 }), VALUES, async (items, values) => {
        const scores = grid(items, SYSTEMS, values).map((score) => ({
          ...score,
          item: String(Number(score.item.slice(1)) + 1),
        }));
        const row = (name: string): string =>
          `${name},"[${scores.flatMap(({ by, value }) => (by === name ? [value] : [])).join(", ")}]"`;
        const bytes = new TextEncoder().encode(["system,coherence", ...SYSTEMS.map(row)].join("\n"));
        const { table } = await importFiles([{ name: "d.csv", bytes }]);
        expect(readBack(table, ["item", "system", "coherence"])).toEqual(scores.map(key).sort());
      }),
      { numRuns: RUNS, seed: 13 },
    );
  });

  it("fields between single spaces", () =>
    check(
      SYSTEMS,
      (scores) => ["item system rating", ...scores.map(({ item, by, value }) => `${item} ${by} ${value}`)].join("\n"),
      ["item", "system", "rating"],
    ));
});

it("counts per label are as many raters: their numbers add up to what was counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
        minLength: 4,
        maxLength: 12,
      }),
      async (pairs) => {
        const rows = [
          [3, 0, 0],
          [0, 2, 1],
          ...pairs.map(([a, b]) => [a, Math.min(b, 3 - a), 3 - a - Math.min(b, 3 - a)]),
        ];
        const text = ["item,count,hate,offensive,neither", ...rows.map((row, i) => `q${i},3,${row.join(",")}`)].join(
          "\n",
        );
        const { table, roles, unrolled } = await importFiles([
          { name: "d.csv", bytes: new TextEncoder().encode(text) },
        ]);
        if (unrolled !== true) return;
        const [label, item] = [roles.label ?? roles.score, roles.item].map((name) => table.columns.get(name!)!);
        const found = new Map<string, number>();
        for (let row = 0; row < table.rows; row += 1) {
          const cell = `${cellText(item!, row)}/${cellText(label!, row)}`;
          found.set(cell, (found.get(cell) ?? 0) + 1);
        }
        const expected = rows.flatMap((row, i) =>
          ["hate", "offensive", "neither"].flatMap((name, k) =>
            row[k]! > 0 ? [[`q${i}/${name}`, row[k]!] as const] : [],
          ),
        );
        expect([...found].sort()).toEqual([...expected].sort());
      },
    ),
    { numRuns: 20, seed: 12 },
  );
});

describe("documents", () => {
  const check = (make: (scores: readonly Score[]) => unknown, columns: readonly [string, string, string]): void =>
    fc.assert(
      fc.property(ITEMS, VALUES, (items, values) => {
        const scores = grid(items, SYSTEMS, values);
        const { table } = tableFromJson(JSON.parse(JSON.stringify(make(scores))));
        expect(readBack(table, columns)).toEqual(scores.map(key).sort());
      }),
      { numRuns: 30, seed: 8 },
    );
  const nest = (scores: readonly Score[], outer: "item" | "by", inner: (own: Score) => unknown): object => {
    const found: Record<string, unknown[]> = {};
    for (const score of scores) found[score[outer]] = [...(found[score[outer]] ?? []), inner(score)];
    return found;
  };

  it("lists of records by item", () =>
    check(
      (scores) => ({ eval: nest(scores, "item", ({ by, value }) => ({ model: by, value })) }),
      ["key", "model", "value"],
    ));
  it("lists of records by system", () =>
    check((scores) => nest(scores, "by", ({ item, value }) => ({ item, value })), ["item", "key", "value"]));
  it("numbers by system and item", () =>
    check(
      (scores) => {
        const found: Record<string, Record<string, number>> = {};
        for (const { by, item, value } of scores) found[by] = { ...found[by], [item]: value };
        return found;
      },
      ["key_2", "key", "value"],
    ));
  it("records under a name, beside other things", () =>
    check(
      (scores) => ({ meta: { n: 1 }, data: scores.map(({ item, by, value }) => ({ item, by, value })) }),
      ["item", "by", "value"],
    ));
  it("columns and rows apart", () =>
    check(
      (scores) => ({ columns: ["item", "by", "value"], data: scores.map(({ item, by, value }) => [item, by, value]) }),
      ["item", "by", "value"],
    ));
});

describe("votes", () => {
  it("give each side what it won, whatever the sides and the votes are called", () => {
    const NAMES = [
      ["model_a", "model_b", "winner", "model_a", "model_b", "tie"],
      ["left", "right", "choice", "left", "right", "tie"],
      ["system1", "system2", "preferred", "1", "2", "tie"],
      ["generator_1", "generator_2", "preference", 1, 2, 1.5],
      ["Input.system1", "Input.system2", "Answer.best", "system1", "system2", "no preference"],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.array(fc.constantFrom(0, 1, 2), { minLength: 6, maxLength: 20 }),
        (names, votes) => {
          const [a, b, winner, first, second, tie] = names;
          const all = [0, 1, 2, ...votes];
          const table = makeRows(
            all.map((vote, i) => ({
              item: `q${i}`,
              [a]: i % 2 ? "A" : "B",
              [b]: i % 2 ? "B" : "A",
              [winner]: [first, second, tie][vote]!,
            })),
          );
          const found = reshapeTable(table)!;
          const expected = all.flatMap((vote, i) => {
            const [x, y] = i % 2 ? ["A", "B"] : ["B", "A"];
            const share = [1, 0, 0.5][vote]!;
            return [`q${i}/${x}/${share}`, `q${i}/${y}/${1 - share}`];
          });
          expect(readBack(found.table, ["item", "system", "score"])).toEqual(expected.sort());
        },
      ),
      { numRuns: 50, seed: 9 },
    );
  });
});

describe("a table that is long already", () => {
  it("is left as it is", () => {
    fc.assert(
      fc.property(ITEMS, VALUES, (items, values) => {
        const scores = grid(items, SYSTEMS, values);
        const table = makeRows(
          scores.map(({ item, by, value }) => ({ item, system: by, rater: "r1", score: value, words: value * 3 })),
        );
        expect(reshapeTable(table)).toBeUndefined();
      }),
      { numRuns: 20, seed: 10 },
    );
  });
});
