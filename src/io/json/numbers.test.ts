import { describe, expect, it } from "vitest";
import { readJson } from "./json.ts";
import { readJsonl } from "./lines.ts";

describe("numbers that JSON cannot hold", () => {
  const lines = '{"id": 9007199254740993, "x": 1e400}\n{"id": 7, "x": 2}\n{"id": -9007199254740995, "x": -1e999}\n';
  const expected = [
    "column id: 2 of 3 cells are integers beyond 2^53, such as -9007199254740995; the column was read as a factor, so that no digit is lost.",
    "column x: 2 of 3 cells are infinite, as written or because the number is beyond 1.8e308.",
  ];

  it("are noted in JSON lines, records and columns", () => {
    const records = `[${lines.trim().split("\n").join(",")}]`;
    const columns = '{"id": [9007199254740993, 7, -9007199254740995], "x": [1e400, 2, -1e999]}';
    for (const { diagnostics } of [readJsonl(lines), readJson(records), readJson(columns)]) {
      expect(diagnostics.map(({ message }) => message)).toEqual(expected);
    }
  });

  it("are not seen in names", () => {
    expect(readJsonl('{"id": "a9007199254740993"}\n{"id": "9007199254740993"}\n').diagnostics).toEqual([]);
  });
});
