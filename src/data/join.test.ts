import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JoinKind, join } from "./join.ts";
import { column, factorColumn, makeTable, numericColumn, sortBy, type Table } from "./table.ts";

interface Rows {
  readonly id: number[];
  readonly a: string[];
  readonly b: string[];
}
const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/table-operations.json", import.meta.url), "utf8")) as {
  joins: Record<"inner" | "left" | "full", Rows>;
};

const LEFT = makeTable([
  ["id", numericColumn([4, 2, 9, 2, 1])],
  ["a", factorColumn(["p", "q", "r", "s", "t"])],
]);
const RIGHT = makeTable([
  ["id", numericColumn([1, 2, 3, 4])],
  ["b", numericColumn([10, 20, 30, 40])],
]);

function texts(table: Table, name: string): string[] {
  const found = column(table, name);
  if (found.kind === "numeric")
    return Array.from(found.values, (value) => (Number.isNaN(value) ? "NA" : String(value)));
  return Array.from(found.codes, (code) => found.levels[code] ?? "NA");
}

describe("join", () => {
  it.each(["inner", "left", "full"] as const)("%s agrees with R's merge", (kind) => {
    const { table } = join(LEFT, RIGHT, { by: ["id"], kind });
    const sorted = sortBy(table, ["id", "a"]);
    expect(texts(sorted, "id")).toEqual(oracle.joins[kind].id.map(String));
    expect(texts(sorted, "a")).toEqual(oracle.joins[kind].a);
    expect(texts(sorted, "b")).toEqual(oracle.joins[kind].b);
  });

  it("keeps the order of the left table and counts and names what did not match", () => {
    const { table, matched, leftOnly, rightOnly } = join(LEFT, RIGHT, { by: ["id"] });
    expect(texts(table, "a")).toEqual(["p", "q", "s", "t"]);
    expect(matched).toBe(4);
    expect(leftOnly).toEqual({ count: 1, rows: Int32Array.of(2), first: ["id = 9"] });
    expect(rightOnly).toEqual({ count: 1, rows: Int32Array.of(2), first: ["id = 3"] });
    expect(texts(join(LEFT, RIGHT, { by: ["id"], kind: "anti" }).table, "a")).toEqual(["r"]);
  });

  it("names a duplicate key and its rows, on the side that must be unique", () => {
    expect(() => join(RIGHT, LEFT, { by: ["id"] })).toThrow("id = 2 occurs in rows 2 and 4 of the right table.");
    expect(() => join(LEFT, RIGHT, { by: ["id"], relation: "one-to-one" })).toThrow("of the left table.");
    expect(join(LEFT, LEFT, { by: ["id"], relation: "many-to-many" }).matched).toBe(7);
  });

  it("never matches a missing key", () => {
    const a = makeTable([["k", factorColumn([null, "x"])]]);
    const { table, leftOnly } = join(a, a, { by: ["k"], relation: "one-to-one" });
    expect(texts(table, "k")).toEqual(["x"]);
    expect(leftOnly.first).toEqual(["k = NA"]);
  });

  it("matches a number with the level of the same text, and levels in any order", () => {
    const numbers = makeTable([["k", numericColumn([1, 2])]]);
    const levels = makeTable([
      ["key", factorColumn(["2", "1", "x"], { levels: ["x", "2", "1"] })],
      ["v", factorColumn(["b", "a", "c"])],
    ]);
    expect(texts(join(numbers, levels, { by: [["k", "key"]] }).table, "v")).toEqual(["a", "b"]);
  });

  it("marks columns that both tables have", () => {
    const { table } = join(RIGHT, RIGHT, { by: ["id"], relation: "one-to-one" });
    expect([...table.columns.keys()]).toEqual(["id", "b.x", "b.y"]);
  });

  it("agrees with nested loops on random tables, for every kind", () => {
    const key = fc.constantFrom("__proto__", "constructor", "toString", "1", null);
    const side = fc.array(fc.tuple(key, fc.constantFrom(0, 1)), { maxLength: 12 });
    const kinds: JoinKind[] = ["inner", "left", "full", "anti"];
    fc.assert(
      fc.property(side, side, fc.constantFrom(...kinds), (left, right, kind) => {
        const table = (rows: typeof left, name: string) =>
          makeTable([
            ["k", factorColumn(rows.map(([k]) => k))],
            ["n", numericColumn(rows.map(([, n]) => n))],
            [name, numericColumn(rows.map((_, i) => i))],
          ]);
        const joined = join(table(left, "i"), table(right, "j"), { by: ["k", "n"], kind, relation: "many-to-many" });
        const same = (i: number, j: number) =>
          left[i]![0] !== null && left[i]![0] === right[j]![0] && left[i]![1] === right[j]![1];
        const expected: string[] = [];
        left.forEach((_, i) => {
          const partners = right.flatMap((_, j) => (same(i, j) ? [j] : []));
          if (kind === "anti") expected.push(...(partners.length === 0 ? [`${i}`] : []));
          else if (partners.length === 0 && kind !== "inner") expected.push(`${i} NA`);
          else expected.push(...partners.map((j) => `${i} ${j}`));
        });
        const alone = right.flatMap((_, j) => (left.some((_, i) => same(i, j)) ? [] : [`NA ${j}`]));
        if (kind === "full") expected.push(...alone);
        const i = texts(joined.table, "i");
        expect(kind === "anti" ? i : i.map((text, row) => `${text} ${texts(joined.table, "j")[row]}`)).toEqual(
          expected,
        );
      }),
    );
  });
});
