import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { compare } from "./compare.ts";
import type { Comparison } from "./comparison.ts";

const SYSTEMS = ["a", "b", "c", "d"];

/** Scores of four systems on n items, of which c and d are better; `group` puts items into clusters of unequal size. */
function tableOf(n: number, { seed = "together", binary = false, copies = false } = {}): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: n }, (_, i) => {
    const base = rng.normal();
    let last = 0;
    return SYSTEMS.map((system, s) => {
      const score = base + 0.25 * s + 0.5 * rng.normal();
      last = copies && s === 1 ? last : binary ? Number(score > 0) : score;
      return { system, item: `i${i}`, score: last, group: `g${Math.floor(Math.sqrt(4 * i))}` };
    });
  }).flat();
  return makeTable([
    ["system", factorColumn(rows.map((row) => row.system))],
    ["item", factorColumn(rows.map((row) => row.item))],
    ["score", numericColumn(rows.map((row) => row.score))],
    ["group", factorColumn(rows.map((row) => row.group))],
  ]);
}

const options = { higherIsBetter: true, cluster: "none" } as const;
const widths = ({ pairs }: Comparison): number[] => pairs.map(({ ci }) => ci.upper - ci.lower);

describe("all pairs together", () => {
  it("have intervals that leave out 0 exactly where the adjusted p is below 5 %", () => {
    for (const seed of ["1", "2", "3"])
      for (const [table, own] of [
        [tableOf(40, { seed }), {}],
        [tableOf(80, { seed, binary: true }), {}],
        [tableOf(60, { seed }), { cluster: "group" }],
        [tableOf(60, { seed }), { baseline: "a" }],
        [tableOf(60, { seed }), { unpaired: true }],
        [tableOf(60, { seed }), { adjust: "bonferroni", test: "t" }],
      ] as const) {
        const result = compare(table, { ...options, ...own });
        for (const { ci, p, test, verdict } of result.pairs) {
          expect(p).toBeGreaterThanOrEqual(test.p);
          expect(verdict === "BETTER" || verdict === "WORSE").toBe(p < 0.05);
          if (result.simultaneous) expect(ci.lower > 0 || ci.upper < 0, `${JSON.stringify(own)} p ${p}`).toBe(p < 0.05);
          expect(ci.level).toBe(0.95);
        }
        if (!("adjust" in own)) expect([result.adjust, result.simultaneous]).toEqual(["max-t", true]);
      }
  });

  it("have narrower intervals than Bonferroni's and wider ones than a pair alone", () => {
    const table = tableOf(60);
    const joint = widths(compare(table, options));
    const alone = widths(compare(table, { ...options, adjust: "none" }));
    const bonferroni = widths(compare(table, { ...options, adjust: "none", confidence: 1 - 0.05 / 6 }));
    joint.forEach((width, k) => {
      expect(width).toBeGreaterThan(alone[k]!);
      expect(width).toBeLessThan(bonferroni[k]!);
    });
  });

  it("leave p = 1 where two systems are the same", () => {
    const { pairs } = compare(tableOf(60, { copies: true }), options);
    expect(pairs.find(({ a, b }) => a === "a" && b === "b")!.p).toBe(1);
    expect(pairs.every(({ p }) => p >= 0 && p <= 1)).toBe(true);
  });

  it("of a baseline are Dunnett's", () => {
    // independent systems of equal size: Dunnett's 5 % point of three differences, infinite df, is 2.349
    const rng = makeRng("dunnett");
    const rows = Array.from({ length: 4000 }, (_, i) => ({
      system: SYSTEMS[i % 4]!,
      item: `i${i}`,
      score: rng.normal(),
    }));
    const table = makeTable([
      ["system", factorColumn(rows.map((row) => row.system))],
      ["item", factorColumn(rows.map((row) => row.item))],
      ["score", numericColumn(rows.map((row) => row.score))],
    ]);
    const result = compare(table, { ...options, unpaired: true, baseline: "a", test: "t" });
    for (const { ci, se } of result.pairs) expect(Math.abs((ci.upper - ci.lower) / 2 / se - 2.349)).toBeLessThan(0.03);
  });
});
