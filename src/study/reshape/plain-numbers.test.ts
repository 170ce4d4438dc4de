import { describe, expect, it } from "vitest";
import { factorColumn, makeTable } from "../../data/table.ts";
import { findPlainNumbers } from "./plain-numbers.ts";

const read = (...cells: string[]) => {
  const found = findPlainNumbers(makeTable([["acc", factorColumn(cells)]]));
  const valuesOf = (name: string): number[] | undefined => {
    const own = found?.table.columns.get(name);
    return own?.kind === "numeric" ? Array.from(own.values) : undefined;
  };
  return { values: valuesOf("acc"), beside: valuesOf("acc_pm"), done: found?.done.map(({ id }) => id) };
};

describe("numbers that a table for readers dresses up", () => {
  it("a dash among numbers is a missing value", () => {
    expect(read("61.2", "-", "85", "n.a.")).toEqual({
      values: [61.2, Number.NaN, 85, Number.NaN],
      beside: undefined,
      done: ["noValue"],
    });
  });

  it("a sign of percent goes with numbers above 1, and with no others", () => {
    expect(read("85%", "61.2 %")).toMatchObject({ values: [85, 61.2], done: ["percent"] });
    expect(read("85%", "61.2").values).toEqual([85, 61.2]);
    expect(read("85%", "0.61").values).toBeUndefined();
  });

  it.each(["85.2 ± 0.4", "85.2 +/- 0.4", "85.2% (± 0.4%)", "$85.2_{\\pm 0.4}$", "$85.2 \\pm 0.4$"])("%s", (cell) => {
    expect(read(cell, "80 ± 0.5")).toEqual({ values: [85.2, 80], beside: [0.4, 0.5], done: ["plusMinus"] });
  });

  it("bold type and footnotes are no part of a number", () => {
    expect(read("**85.2**", "80.1†", "79")).toMatchObject({ values: [85.2, 80.1, 79], done: ["marks"] });
  });

  it("zeros in front of few cells are zeros, of many they make codes", () => {
    const numbers = Array.from({ length: 30 }, (_, k) => String(k + 1));
    expect(read("00", ...numbers).values).toEqual([0, ...numbers.map(Number)]);
    expect(read("001", "002", "003").values).toBeUndefined();
  });

  it("names, numbers that a reader kept as texts, and long cells stay", () => {
    expect(read("gpt-4", "85.2", "80").values).toBeUndefined();
    expect(read("1", "2").values).toBeUndefined();
    expect(read("1%", "2%", `3${" ".repeat(200)}%`).values).toBeUndefined();
  });
});
