import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { predictionPowered, predictionPoweredTest } from "./prediction-powered.ts";

interface Case {
  readonly id: string;
  readonly input: { readonly data: string; readonly level: number; readonly null?: number };
  // biome-ignore lint/suspicious/noExplicitAny: each method has an answer of its own shape
  readonly expected: any;
}
const url = (name: string): URL => new URL(`../../../oracle/next/${name}`, import.meta.url);
const CASES: readonly Case[] = JSON.parse(readFileSync(url("judges.json"), "utf8")).cases;
const starting = (start: string): Case[] => CASES.filter(({ id }) => id.startsWith(start));

function readColumns(name: string): Record<string, string[]> {
  const [head, ...rows] = readFileSync(url(`data/${name}.csv`), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return Object.fromEntries(head!.map((column, j) => [column, rows.map((row) => row[j]!)]));
}
const numbers = (cells: readonly string[]): Float64Array =>
  Float64Array.from(cells, (cell) => (cell === "NA" ? Number.NaN : Number(cell)));

const TOLERANCE = 10;
interface Expected {
  readonly lam: number;
  readonly estimate: number;
  readonly se: number;
  readonly ci: readonly [number, number];
  readonly z: number;
  readonly p: number;
}

function expectSame(
  human: Float64Array,
  judge: Float64Array,
  { expected, level, lambda, null_ }: { expected: Expected; level: number; lambda?: number; null_?: number },
): void {
  const found = predictionPowered(human, judge, { confidence: level, lambda });
  expect(found.lambda).toBeCloseTo(expected.lam, TOLERANCE);
  expect(found.value).toBeCloseTo(expected.estimate, TOLERANCE);
  expect(found.se).toBeCloseTo(expected.se, TOLERANCE);
  expect(found.lower).toBeCloseTo(expected.ci[0], TOLERANCE);
  expect(found.upper).toBeCloseTo(expected.ci[1], TOLERANCE);
  const { z, p } = predictionPoweredTest(found, null_);
  expect(z).toBeCloseTo(expected.z, 8);
  expect(p).toBeCloseTo(expected.p, TOLERANCE);
}

const LAMBDAS = { classical: 0, ppi: 1, ppi_plus_plus: undefined } as const;

describe("prediction-powered means", () => {
  it.each(starting("ppi-mean"))("$id agrees with the reference", ({ input, expected }) => {
    const { human, judge } = readColumns(input.data);
    for (const [name, lambda] of Object.entries(LAMBDAS)) {
      const how = {
        expected: expected[name],
        level: input.level,
        null_: input.null!,
        ...(lambda === undefined ? {} : { lambda }),
      };
      expectSame(numbers(human!), numbers(judge!), how);
    }
  });

  it.each(starting("ppi-paired"))("$id: a paired difference is the mean of differences", ({ input, expected }) => {
    const all = readColumns(input.data);
    const minus = (a: string, b: string): Float64Array => {
      const [first, second] = [numbers(all[a]!), numbers(all[b]!)];
      return first.map((value, i) => value - second[i]!);
    };
    const [human, judge] = [minus("human_a", "human_b"), minus("judge_a", "judge_b")];
    for (const [name, lambda] of Object.entries(LAMBDAS)) {
      const how = {
        expected: expected.on_differences[name],
        level: input.level,
        ...(lambda === undefined ? {} : { lambda }),
      };
      expectSame(human, judge, how);
    }
    for (const system of ["a", "b"]) {
      const own = [numbers(all[`human_${system}`]!), numbers(all[`judge_${system}`]!)] as const;
      expectSame(...own, { expected: expected[`system_${system}`], level: input.level });
    }
  });

  it("two independent samples have the root of the sum of squared errors", () => {
    const [{ expected }] = starting("ppi-two-sample") as [Case];
    const { system, human, judge } = readColumns("ppitwo1");
    const own = (name: string) => {
      const keep = (cells: readonly string[]): Float64Array => numbers(cells.filter((_, i) => system![i] === name));
      return predictionPowered(keep(human!), keep(judge!));
    };
    const [a, b] = [own("a"), own("b")];
    expect(a.value - b.value).toBeCloseTo(expected.ppi_plus_plus.estimate, TOLERANCE);
    expect(Math.hypot(a.se, b.se)).toBeCloseTo(expected.ppi_plus_plus.se, TOLERANCE);
  });
});

describe("the documented examples of GLIDE, whose variances divide by n - 1", () => {
  const nan = Number.NaN;
  const options = { divisor: 1, cut: false } as const;
  it("tunes λ by the variance of all scores", () => {
    const found = predictionPowered(Float64Array.of(5, 6, nan, nan), Float64Array.of(4.9, 6.1, 5.2, 6.1), options);
    expect(found.lambda).toBeCloseTo(0.6 / 0.765, 12);
    expect([found.value, found.lower, found.upper].map((value) => value.toFixed(3))).toEqual([
      "5.618",
      "4.923",
      "6.312",
    ]);
  });
  it("weights strata by their size", () => {
    const human = Float64Array.of(1, 2, nan, nan, 4, 5, nan, nan);
    const judge = Float64Array.of(1.1, 2.2, 1.5, 1.8, 3.9, 5.1, 4.5, 4.8);
    const found = predictionPowered(human, judge, { ...options, stratum: Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1) });
    expect([found.value, found.lower, found.upper].map((value) => value.toFixed(3))).toEqual([
      "3.086",
      "2.720",
      "3.452",
    ]);
  });
  it("takes clusters by their means", () => {
    const human = Float64Array.of(1, 2, 3, 4, nan, nan, nan, nan);
    const judge = Float64Array.of(1.1, 2.2, 3.1, 3.9, 1.5, 1.8, 4.5, 4.8);
    const found = predictionPowered(human, judge, { ...options, cluster: Int32Array.of(0, 0, 1, 1, 2, 2, 3, 3) });
    expect([found.value, found.lower, found.upper].map((value) => value.toFixed(3))).toEqual([
      "2.744",
      "1.020",
      "4.468",
    ]);
  });
});
