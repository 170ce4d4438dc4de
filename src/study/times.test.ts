import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { findTimes } from "./times.ts";

const texts = (name: string, values: readonly string[]) => makeTable([[name, factorColumn([...values])]]);
const numbers = (name: string, values: readonly number[]) => makeTable([[name, numericColumn([...values])]]);

describe("times of rows", () => {
  it.each([
    ["started_at", ["2025-01-01T00:00:00Z", "2025-01-01T02:30:00Z"], 2.5],
    ["createdAt", ["2025-01-01T00:00:00+02:00", "2025-01-01T00:00:00Z"], 2],
    ["sample.timestamp", ["2025-01-01 00:00:00.123456", "2025-01-01 01:00:00.123999"], 1],
    ["run_date", ["2025-01-01", "2025-01-02"], 24],
  ])("%s: dates, with or without a zone", (name, values, hours) => {
    const found = findTimes(texts(name, values))!;
    expect(found.column).toBe(name);
    expect(Math.max(...found.hours) - Math.min(...found.hours)).toBeCloseTo(hours, 6);
  });
  it("days are those of the calendar", () => {
    for (const [from, to, days] of [
      ["2024-02-28", "2024-03-01", 2],
      ["2023-02-28", "2023-03-01", 1],
      ["1999-12-31", "2000-03-01", 61],
      ["1970-01-01", "2025-06-15", 20_254],
    ] as const)
      expect(findTimes(texts("run_date", [from, to]))!.hours[1]).toBe(24 * days);
    expect(Date.parse("2025-06-15") / 86_400_000).toBe(20_254);
    expect(findTimes(texts("run_date", ["2024-13-01", "2024-00-01"]))).toBeUndefined();
  });
  it("seconds and milliseconds since 1970", () => {
    expect([...findTimes(numbers("ts", [1.7e9, 1.7e9 + 3600]))!.hours]).toEqual([0, 1]);
    expect([...findTimes(numbers("ts", [1.7e12, 1.7e12 + 3.6e6]))!.hours]).toEqual([0, 1]);
  });
  it("takes neither durations nor numbers of another name for times", () => {
    expect(findTimes(numbers("time", [0.4, 1.2, 30]))).toBeUndefined();
    expect(findTimes(numbers("end_time", [12, 13]))).toBeUndefined();
    expect(findTimes(numbers("score", [1.7e9, 1.7e9 + 3600]))).toBeUndefined();
    expect(findTimes(texts("run_date", ["Monday", "Tuesday"]))).toBeUndefined();
    const published = texts("date", ["2025-01-01", "2025-01-02"]);
    expect(findTimes(published)).toBeUndefined();
    expect(findTimes(published, "date")!.hours[1]).toBe(24);
  });
  it("prefers the start to the end, obeys a name, and refuses a column without times", () => {
    const table = makeTable([
      ["completed_at", numericColumn([1.7e9, 1.7e9 + 7200])],
      ["started_at", numericColumn([1.7e9, 1.7e9 + 3600])],
      ["id", factorColumn(["a", "b"])],
    ]);
    expect(findTimes(table)!.column).toBe("started_at");
    expect(findTimes(table, "completed_at")!.hours[1]).toBe(2);
    expect(findTimes(table, "none")).toBeUndefined();
    expect(() => findTimes(table, "id")).toThrow(/column id does not hold times/);
  });
});
