/** Lists of a human evaluation, counted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { colorEquitably } from "./equitable.ts";
import { listRatings } from "./lists.ts";
import type { PlannedRatings } from "./plan.ts";

const SYSTEMS = ["base", "new", "other", "fourth"];
const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => `q${i}`);
const ratings = (own: Partial<PlannedRatings> & Pick<PlannedRatings, "raters" | "design" | "perItem">) => ({
  checks: 0,
  ...own,
});
const lists = (k: number, n: number, own: Parameters<typeof ratings>[0], seed = 1) =>
  listRatings({ systems: SYSTEMS.slice(0, k), ratings: ratings(own) }, ids(n), makeRng(seed));

const tally = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

describe("an equitable coloring", () => {
  it("has colors that differ by at most one at every vertex, of any bipartite graph", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ left: fc.nat(7), right: fc.nat(5) }), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 2, max: 5 }),
        (edges, k) => {
          const colors = colorEquitably(edges, k);
          for (const side of ["left", "right"] as const)
            for (const at of new Set(edges.map((edge) => edge[side]))) {
              const own = Array.from(
                { length: k },
                (_, c) => edges.filter((edge, e) => edge[side] === at && colors[e] === c).length,
              );
              expect(Math.max(...own) - Math.min(...own)).toBeLessThanOrEqual(1);
            }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("lists of raters", () => {
  it.each([
    [2, 30, { raters: 6, design: "crossed", perItem: 6 }],
    [3, 20, { raters: 5, design: "crossed", perItem: 5 }],
    [2, 50, { raters: 12, design: "k-of-m", perItem: 3 }],
    [3, 41, { raters: 7, design: "k-of-m", perItem: 2 }],
    [2, 40, { raters: 4, design: "lists", perItem: 2 }],
    [3, 31, { raters: 3, design: "lists", perItem: 1 }],
    [3, 37, { raters: 11, design: "lists", perItem: 2 }],
    [4, 26, { raters: 9, design: "lists", perItem: 1 }],
  ] as const)("of %i systems and %i items, %o, are balanced", (k, n, own) => {
    const { tasks, balance } = lists(k, n, own);
    expect(tasks).toHaveLength(n * k * own.perItem);
    const texts = tally(tasks.map(({ item, system }) => `${item}/${system}`));
    expect(texts.size).toBe(n * k);
    expect(new Set(texts.values())).toEqual(new Set([own.perItem]));
    // nobody rates a text twice, and in lists not even an item
    const met = tasks.map(({ rater, item, system }) =>
      own.design === "lists" ? `${rater}/${item}` : `${rater}/${item}/${system}`,
    );
    expect(new Set(met).size).toBe(met.length);
    for (const rater of new Set(tasks.map((task) => task.rater))) {
      const mine = tasks.filter((task) => task.rater === rater);
      const counts = SYSTEMS.slice(0, k).map((name) => mine.filter(({ system }) => system === name).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(mine.map(({ position }) => position)).toEqual(mine.map((_, p) => p + 1));
    }
    const longest = Math.max(...tasks.map(({ position }) => position));
    const whole = Math.min(...[...tally(tasks.map(({ rater }) => rater)).values()]);
    const uneven = Array.from({ length: longest }, (_, p) => {
      const here = tasks.filter(({ position }) => position === p + 1);
      const counts = SYSTEMS.slice(0, k).map((name) => here.filter(({ system }) => system === name).length);
      return Math.max(...counts) - Math.min(...counts);
    });
    // at every place of a whole block of systems; what is left over is reported
    expect(Math.max(...uneven.slice(0, whole - (whole % k)))).toBeLessThanOrEqual(1);
    expect(balance.positions).toBe(Math.max(...uneven));
    expect(balance.systems).toBeLessThanOrEqual(1);
  });

  it("k of m raters share items as evenly as a balanced incomplete design where the numbers allow one", () => {
    // 7 raters, 3 an item: every pair shares λ = 70 · 3 · 2 / (7 · 6) = 10 of 70 items
    const { balance } = lists(2, 70, { raters: 7, design: "k-of-m", perItem: 3 });
    expect(balance.perRater).toEqual([60, 60]);
    expect(balance.shared[1] - balance.shared[0]).toBeLessThanOrEqual(2);
  });

  it("come from the seed alone", () => {
    const own = { raters: 5, design: "k-of-m", perItem: 2 } as const;
    expect(lists(2, 20, own)).toEqual(lists(2, 20, own));
    expect(lists(2, 20, own, 2).tasks).not.toEqual(lists(2, 20, own).tasks);
  });

  it("do not return to an item before the others were seen", () => {
    const { balance } = lists(2, 24, { raters: 4, design: "crossed", perItem: 4 });
    expect(balance.apart).toBeGreaterThanOrEqual(10);
  });

  it("have attention checks at the same places, with an answer on the scale", () => {
    const { tasks } = lists(2, 20, { raters: 3, design: "crossed", perItem: 3, checks: 2, points: 5 });
    const checks = tasks.filter(({ system }) => system === "");
    expect(checks).toHaveLength(6);
    expect(checks.every(({ check }) => Number.isInteger(check) && check >= 1 && check <= 5)).toBe(true);
    expect(new Set(checks.map(({ position }) => position)).size).toBe(2);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  });

  it.each([
    [{ raters: 3, design: "lists", perItem: 2 }, /take 4 raters where nobody meets it twice, and there are 3/],
    [{ raters: 3, design: "k-of-m", perItem: 4 }, /4 ratings of an item from 3 raters/],
    [{ raters: 2, design: "crossed", perItem: 2, perRater: 10 }, /40 texts a rater, who rates at most 10/],
  ] as const)("%o cannot be made", (own, message) => {
    expect(() => lists(2, 20, own)).toThrow(message);
  });
});
