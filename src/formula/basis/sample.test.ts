import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampleAsR } from "./sample.ts";

const { draws } = JSON.parse(readFileSync("oracle/r/basis.json", "utf8")) as {
  draws: { n: number; size: number; drawn: number[] }[];
};

describe("sampleAsR", () => {
  it.each(draws)("draws $size of $n as R does", ({ n, size, drawn }) => {
    expect([...sampleAsR(n, size, 1)]).toEqual(drawn);
  });

  it("draws every number once when all are drawn", () => {
    expect([...sampleAsR(1000, 1000, 7)].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });
});
