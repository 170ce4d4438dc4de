import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { score } from "../score-found.ts";
import { passOf } from "./pass.ts";

function choices(n: number, k: number): number[][] {
  if (k === 0) return [[]];
  return n < k ? [] : [...choices(n - 1, k), ...choices(n - 1, k - 1).map((own) => [...own, n - 1])];
}

describe("k tries of an item", () => {
  it.each([
    [4, 0],
    [4, 1],
    [5, 3],
    [6, 6],
    [7, 4],
  ])("of %i tries, %i of which passed: as counted over all choices of k", (n, c) => {
    for (let k = 1; k <= n; k++) {
      const all = choices(n, k);
      expect(passOf(n, c, { kind: "^", k })).toBeCloseTo(
        all.filter((own) => own.every((i) => i < c)).length / all.length,
        12,
      );
      expect(passOf(n, c, { kind: "@", k })).toBeCloseTo(
        all.filter((own) => own.some((i) => i < c)).length / all.length,
        12,
      );
    }
    expect(passOf(n, c, { kind: "^", k: n + 1 })).toBeNaN();
  });

  it("a table of repeats is scored by it, with the interval of a mean over items and every k beside it", () => {
    const passed = [1, 1, 1, 1, 0, 0, 1, 0, 1];
    const table = makeTable([
      ["task_id", factorColumn(passed.map((_, i) => `t${Math.floor(i / 3)}`))],
      ["trial", numericColumn(passed.map((_, i) => i % 3))],
      ["reward", numericColumn(passed)],
    ]);
    const twice = score(table, { metric: "pass^2" }).systems[0]!;
    // 3 of 3, 1 of 3, 2 of 3
    expect(twice.score).toBeCloseTo((1 + 0 + 1 / 3) / 3, 12);
    expect(twice.ci!.method).toBe("t");
    const plain = score(table).systems[0]!;
    expect(plain.score).toBeCloseTo(2 / 3, 12);
    expect(plain.details.passAll).toEqual([
      expect.closeTo(2 / 3, 12),
      expect.closeTo(4 / 9, 12),
      expect.closeTo(1 / 3, 12),
    ]);
    expect(() => score(table, { metric: "pass^4" })).toThrow(
      "needs 4 scored tries of every item: 3 of 3 items have fewer",
    );
  });
});
