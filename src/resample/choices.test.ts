import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { CHUNK } from "./byte-tables.ts";
import { makeChoices } from "./choices.ts";

/** Powers of two as values: the sum of a choice names its members. */
const NAMES = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => 2 ** i);

function draw(n: number, chosen: number, chunks: number, seed = "choices"): number[] {
  const add = makeChoices(NAMES(n), chosen);
  const out: number[] = [];
  for (let c = 0; c < chunks; c++) {
    const sums = new Float64Array(CHUNK);
    add(sums, makeRng(seed).stream(c));
    out.push(...sums);
  }
  return out;
}

const size = (choice: number): number => choice.toString(2).replaceAll("0", "").length;

describe("random choices", () => {
  // 12 of 24 and 14 of 26 by bits, 3 of 20 and 18 of 20 by shuffle
  it.each([
    [24, 12],
    [26, 14],
    [40, 19],
    [20, 3],
    [20, 18],
  ])("of %i values have %i members", (n, chosen) => {
    for (const choice of draw(n, chosen, 2)) expect(size(choice)).toBe(chosen);
  });

  it.each([
    [12, 6],
    [12, 7],
    [10, 2],
  ])("of %i values, %i of them: all choices are equally likely, by chi-square over the enumeration", (n, chosen) => {
    const counts = new Map<number, number>();
    for (let choice = 0; choice < 2 ** n; choice++) if (size(choice) === chosen) counts.set(choice, 0);
    const drawn = draw(n, chosen, 200);
    for (const choice of drawn) counts.set(choice, counts.get(choice)! + 1);
    const expected = drawn.length / counts.size;
    const chisq = [...counts.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
    const df = counts.size - 1;
    expect(Math.abs(chisq - df)).toBeLessThan(4 * Math.sqrt(2 * df));
  });

  it("depend on the stream alone, not on what was drawn before", () => {
    const add = makeChoices(NAMES(30), 15);
    const [first, again] = [new Float64Array(CHUNK), new Float64Array(CHUNK)];
    add(first, makeRng(3).stream(5));
    add(new Float64Array(CHUNK), makeRng(3).stream(6));
    add(again, makeRng(3).stream(5));
    expect(again).toEqual(first);
  });
});
