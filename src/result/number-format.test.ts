import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatColumn, formatNumber, formatP } from "./number-format.ts";

describe("a column of numbers", () => {
  it.each<[string, number[], string[]]>([
    ["four digits for the smallest, one number of decimals", [251.405, 10.4673], ["251.41", "10.47"]],
    ["whole numbers stay whole", [12, 3, 1_234_567], ["12", "3", "1234567"]],
    ["shared final zeros go", [0.5, 0.25, 3], ["0.50", "0.25", "3.00"]],
    ["the largest keeps to seven digits", [51_234.5678, 0.25], ["51234.57", "0.25"]],
    ["what would lose its digits gets an exponent", [51_234.5678, 0.012_346], ["51234.57", "1.235e-2"]],
    ["below 1e-4 an exponent", [0.000_012_345, 1.5], ["1.234e-5", "1.5"]],
    ["from 1e-4 none", [0.000_123_45], ["0.0001234"]],
    ["a million and more", [1_234_567.89, -999_999.4], ["1234568", "-999999"]],
    ["a billion and more", [1_234_567_890.5], ["1.235e9"]],
    ["rounding that carries", [9.999_96, 0.999_996], ["10", "1"]],
    ["zero and minus zero", [0, -0, 0.125], ["0.000", "0.000", "0.125"]],
    ["small beside large", [-0.000_000_1, 1000.4], ["-1.000e-7", "1000"]],
    [
      "undefined and infinite",
      [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.5],
      ["–", "Inf", "-Inf", "1.5"],
    ],
  ])("%s", (_, numbers, expected) => {
    expect(formatColumn(numbers, "number")).toEqual(expected);
  });

  it("shows every number to at least two digits and within half a unit of the last place shown", () => {
    const numbers = fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(numbers, (column) => {
        formatColumn(column, "number").forEach((text, i) => {
          const x = column[i]!;
          const [mantissa = "", power = "0"] = text.split("e");
          const decimals = (mantissa.split(".")[1] ?? "").length;
          const unit = 10 ** (Number(power) - decimals);
          expect(Math.abs(Number(text) - x)).toBeLessThanOrEqual(0.5 * unit * (1 + 1e-9) + Math.abs(x) * 1e-15);
          const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "").length;
          expect(x === 0 || digits >= 2 || Math.abs(Number(text) / x - 1) < 5e-4).toBe(true);
          expect(text.length).toBeLessThanOrEqual(17);
        });
      }),
    );
  });

  it("all plain numbers of a column have the same number of decimals", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (column) => {
        const plain = formatColumn(column, "number").filter((text) => !text.includes("e"));
        expect(new Set(plain.map((text) => (text.split(".")[1] ?? "").length)).size).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("other formats", () => {
  it("p is never 0 and never rounds up to 1", () => {
    const p = [0, 1e-300, 0.000_099_9, 0.0001, 0.043_14, 0.999_95, 0.9999, 1, Number.NaN];
    expect(formatColumn(p, "p")).toEqual([
      "< 0.0001",
      "< 0.0001",
      "< 0.0001",
      "0.0001",
      "0.0431",
      "> 0.9999",
      "0.9999",
      "1.0000",
      "–",
    ]);
    expect([formatP(0.043_14), formatP(1e-9), formatP(0.999_99), formatP(Number.NaN)]).toEqual([
      "p = 0.0431",
      "p < 0.0001",
      "p > 0.9999",
      "p = –",
    ]);
  });

  it("statistics have three decimals", () => {
    expect(formatColumn([36.838_22, -0.0001, 1234.5, 2e12], "statistic")).toEqual([
      "36.838",
      "0.000",
      "1234.500",
      "2.000e12",
    ]);
  });

  it("degrees of freedom are plain while whole", () => {
    expect(formatColumn([17, 3, Number.POSITIVE_INFINITY], "df")).toEqual(["17", "3", "Inf"]);
    expect(formatColumn([17, 3.1428], "df")).toEqual(["17.00", "3.14"]);
    expect(formatColumn([117.3, 2500], "df")).toEqual(["117.3", "2500.0"]);
    expect(formatColumn([16.999_999_999_99], "df")).toEqual(["17"]);
  });

  it("percentages are of proportions", () => {
    expect(formatColumn([0.123, 1, 0], "percent")).toEqual(["12.3%", "100.0%", "0.0%"]);
    expect(formatColumn([0.5, 0.0004, 0.000_001, -0.000_001], "percent")).toEqual([
      "50.00%",
      "0.04%",
      "< 0.01%",
      "> -0.01%",
    ]);
  });

  it("integers have no separators", () => {
    expect(formatColumn([1_234_567, 2.4, -0.2, Number.NaN], "integer")).toEqual(["1234567", "2", "0", "–"]);
  });

  it("strings pass, and numbers in a text column stand alone", () => {
    expect(formatColumn(["ref", 0.123_456, 12], "text")).toEqual(["ref", "0.1235", "12"]);
    expect(formatColumn(["ref", 0.123_456, 12], "number")).toEqual(["ref", "0.1235", "12.0000"]);
    expect(formatNumber(0.123_456)).toBe("0.1235");
  });
});
