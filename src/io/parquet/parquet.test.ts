import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { isParquet, readParquet } from "./parquet.ts";
import { formatDate, formatInstant } from "./source.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/duckdb/parquet.json", import.meta.url), "utf8")) as {
  typed: Record<string, string | null>[];
  files: Record<string, string>;
};

function file(name: string): Uint8Array {
  return Uint8Array.from(atob(oracle.files[name]!), (c) => c.charCodeAt(0));
}

function cells(column: Column): (number | string | null)[] {
  if (column.kind === "numeric") return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
  return Array.from(column.codes, (code) => column.levels[code] ?? null);
}

function show(table: Table): [string, unknown[]][] {
  return [...table.columns].map(([name, column]) => [name, cells(column)]);
}

async function fault(reading: Promise<unknown>): Promise<StatError> {
  const error = await reading.then(
    () => new Error("no error was thrown"),
    (reason: unknown) => reason,
  );
  if (error instanceof StatError) return error;
  throw error;
}

describe("readParquet against DuckDB", () => {
  const codecs = Object.keys(oracle.files).filter((name) => name.startsWith("typed"));
  const texts = ["huge", "u", "b", "s", "ts", "ms", "ns", "day", "id", "mood"];

  it.each(codecs)("reads every type of %s", async (name) => {
    const { table } = await readParquet(file(name));
    expect([...table.columns.keys()]).toEqual(Object.keys(oracle.typed[0]!));
    for (const [column, found] of table.columns) {
      const expected = oracle.typed
        .map((row) => row[column]!)
        .map((text) => (text === "0045-03-15 (BC)" ? "-0044-03-15" : text));
      if (texts.includes(column)) {
        expect(found.kind).toBe("factor");
        const iso = expected.map((text) =>
          ["ts", "ms", "ns"].includes(column) && text !== null ? text.replace(" ", "T") : text,
        );
        expect(cells(found)).toEqual(iso);
      } else {
        const numbers = expected.map((text) =>
          text === null || text === "nan" ? null : text === "inf" ? Infinity : Number(text),
        );
        expect(cells(found)).toEqual(numbers);
      }
    }
  });

  it("leaves out bytes that are not text, and says so", async () => {
    const { diagnostics } = await readParquet(file("typed-snappy"));
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["BinaryColumn", "column bytes holds bytes that are not text and was left out."],
    ]);
  });

  it("flattens structs and keeps lists, maps and deeper structs as JSON text", async () => {
    const { table, diagnostics } = await readParquet(file("nested-zstd"));
    expect(show(table)).toEqual([
      ["st.a", [1, null, null]],
      ["st.b", ["x", "y", null]],
      ["list", ["[1,2]", "[]", null]],
      ["m", ['{"k":5}', "{}", null]],
      ["n.in", ['{"deep":1.5}', null, null]],
      ["js", ['{"j": 1}', null, "[1]"]],
      ["biglist", ['["9007199254740993"]', "[1]", null]],
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["NestedValue", "NestedValue", "NestedValue", "NestedValue"]);
  });

  it("joins row groups in order, and reads chosen columns in the order asked", async () => {
    const { table } = await readParquet(file("long-zstd"), { columns: ["score", "constructor"] });
    expect([...table.columns.keys()]).toEqual(["score", "constructor"]);
    const expected = Array.from({ length: 5000 }, (_, i) => i);
    expect(cells(table.columns.get("score")!)).toEqual(expected.map((i) => i / 8));
    expect(cells(table.columns.get("constructor")!)).toEqual(expected.map((i) => `sys${i % 3}`));
  });
});

describe("faults", () => {
  it("offers the nearest name for an unknown column", async () => {
    const error = await fault(readParquet(file("long-zstd"), { columns: ["scores"], name: "r.parquet" }));
    expect(error.message).toBe('r.parquet: no column "scores" in the file (columns: item, constructor, score).');
    expect(error.fix).toBe('did you mean "score"?');
  });

  it("refuses other files and truncated ones", async () => {
    expect((await fault(readParquet(new TextEncoder().encode("item,score\n1,2\n")))).code).toBe("NotParquet");
    expect(isParquet(new Uint8Array(0))).toBe(false);
    const whole = file("typed-gzip");
    for (const length of [12, 100, whole.length - 1]) {
      expect((await fault(readParquet(whole.subarray(0, length)))).code).toBe("BrokenParquet");
    }
  });

  it("gives a table or a StatError for damaged files", async () => {
    const names = ["typed-uncompressed", "typed-zstd", "nested-zstd", "typed-brotli"];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (name, damage) => {
          const bytes = file(name);
          for (const [at, value] of damage) bytes[4 + (at % (bytes.length - 8))] = value;
          await readParquet(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(StatError));
        },
      ),
      // A fixed seed: a damaged run length can make the reader fill an array of any size before it is refused.
      { numRuns: 300, seed: 1 },
    );
  });
});

describe("times", () => {
  it("agrees with the engine's calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 }), (millis) => {
        const expected = new Date(millis).toISOString();
        const [instant, fraction] = expected.slice(0, -1).split(".") as [string, string];
        const decimals = fraction.replace(/0+$/, "");
        expect(formatInstant(BigInt(millis), 3)).toBe(decimals === "" ? instant : `${instant}.${decimals}`);
        expect(formatDate(Math.floor(millis / 86_400_000))).toBe(expected.slice(0, 10));
      }),
    );
  });
});
