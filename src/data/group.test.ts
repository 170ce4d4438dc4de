import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatError } from "../result/error.ts";
import { aggregate, groupBy, type Summary } from "./group.ts";
import { column, factorColumn, makeTable, numericColumn, selectRows } from "./table.ts";

interface Grouped {
  readonly g: string[];
  readonly h: number[];
  readonly value: string[];
}
const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/table-operations.json", import.meta.url), "utf8")) as {
  aggregates: Record<Summary, Grouped>;
  two: Grouped;
  offset: { mean: string; sd: string };
};
const R = (text: string) => (text === "NA" ? Number.NaN : Number(text));

const TABLE = makeTable([
  ["g", factorColumn(["b", "a", "b", null, "a", "c", "b", "a", "c", "a"])],
  ["h", numericColumn([2, 1, 1, 2, 2, 1, 2, 1, 1, 1])],
  ["x", numericColumn([3.25, Number.NaN, -1.5, 1e6 + 0.1, 7, 7, 0.001, 2, Number.NaN, 12.75])],
]);

function values(table: ReturnType<typeof aggregate>, name: string): number[] {
  const found = column(table, name);
  return found.kind === "numeric" ? [...found.values] : [];
}

describe("aggregate", () => {
  it.each(Object.keys(oracle.aggregates) as Summary[])("%s agrees with R's aggregate", (summary) => {
    const table = aggregate(TABLE, ["g"], [{ column: "x", summary }]);
    // R drops the missing key, which here forms the last group.
    const found = values(table, `x_${summary}`).slice(0, 3);
    const expected = oracle.aggregates[summary].value.map(R);
    found.forEach((value, i) => {
      if (Number.isNaN(expected[i]!)) expect(value).toBeNaN();
      else expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-14 * Math.abs(expected[i]!));
    });
    expect(column(table, "g")).toMatchObject({ codes: Int32Array.of(0, 1, 2, -1) });
  });

  it("agrees with R on two keys, sorted by the first and then the second", () => {
    const table = aggregate(TABLE, ["g", "h"], [{ column: "x", summary: "mean", as: "m" }]);
    const complete = selectRows(table, (row) => !Number.isNaN(values(table, "m")[row]!) && row < 5);
    expect(values(complete, "h")).toEqual(oracle.two.h);
    values(complete, "m").forEach((value, i) => {
      expect(value).toBeCloseTo(R(oracle.two.value[i]!), 14);
    });
  });

  it("keeps its digits far from zero", () => {
    const far = makeTable([["x", numericColumn([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])]]);
    const table = aggregate(
      far,
      [],
      [
        { column: "x", summary: "mean" },
        { column: "x", summary: "sd" },
      ],
    );
    expect(values(table, "x_mean")).toEqual([R(oracle.offset.mean)]);
    expect(values(table, "x_sd")).toEqual([R(oracle.offset.sd)]);
  });

  it("gives NaN for a group without values, and counts 0", () => {
    const table = makeTable([["x", numericColumn([Number.NaN])]]);
    const summaries: Summary[] = ["mean", "sum", "count", "min", "max", "sd", "median"];
    const all = aggregate(
      table,
      [],
      summaries.map((summary) => ({ column: "x", summary })),
    );
    expect(summaries.map((summary) => values(all, `x_${summary}`)[0])).toEqual([NaN, NaN, 0, NaN, NaN, NaN, NaN]);
  });

  it("counts a factor and refuses its mean", () => {
    expect(values(aggregate(TABLE, [], [{ column: "g", summary: "count" }]), "g_count")).toEqual([9]);
    expect(() => aggregate(TABLE, [], [{ column: "g", summary: "mean" }])).toThrow(StatError);
  });
});

describe("groupBy", () => {
  it("splits every row into exactly the group of its key", () => {
    const key = fc.constantFrom("__proto__", "constructor", "a", null);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.constantFrom(0, 1, 5, Number.NaN))), (rows) => {
        const table = makeTable([
          ["g", factorColumn(rows.map(([g]) => g))],
          ["n", numericColumn(rows.map(([, n]) => n))],
        ]);
        const { keys, group, rows: parts } = groupBy(table, ["g", "n"]);
        expect(new Set(rows.map(([g, n]) => `${g} ${n}`)).size).toBe(keys.rows);
        const g = column(keys, "g");
        const n = column(keys, "n");
        if (g.kind !== "factor" || n.kind !== "numeric") throw new Error("wrong kinds");
        rows.forEach(([text, number], row) => {
          const id = group[row]!;
          expect(g.codes[id]! < 0 ? null : g.levels[g.codes[id]!]).toBe(text);
          expect(n.values[id]).toBe(number);
          expect(parts[id]).toContain(row);
        });
        expect(parts.reduce((sum, part) => sum + part.length, 0)).toBe(rows.length);
      }),
    );
  });
});
