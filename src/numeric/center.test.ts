import { describe, expect, it } from "vitest";
import { centerOf, lessCenter } from "./center.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

describe("values less their center", () => {
  it("are the same values where they are not far from 0", () => {
    const [x, y] = [of(0.1, 0.2), of(1000.5, -3)];
    expect(lessCenter(x, y)).toEqual([x, y]);
    expect(lessCenter(x)[0]).toBe(x);
    expect([centerOf(), centerOf(of()), centerOf(of(0, 0)), centerOf(of(1e6, 1e6 + 1))]).toEqual([0, 0, 0, 0]);
  });

  it("keep every digit of their differences, across samples", () => {
    expect(lessCenter(of(1e15 + 1, 1e15 + 4), of(1e15 + 2)).map((own) => [...own])).toEqual([[0, 3], [1]]);
    expect([...lessCenter(of(-1e15 - 1, -1e15 + 2))[0]!]).toEqual([0, 3]);
  });

  it("are 0 where all are equal", () => {
    expect([...lessCenter(of(0.1, 0.1, 0.1))[0]!]).toEqual([0, 0, 0]);
    expect([...lessCenter(of(0.1 + 0.2, 0.3, 0.3))[0]!]).toEqual([0, 0, 0]);
  });

  it("tie as they did", () => {
    const [x] = lessCenter(of(1e7 + 0.1 + 0.2, 1e7 + 0.3 - 2e-9, 1e7 + 0.7));
    expect(x![0]).toBe(x![1]);
  });
});
