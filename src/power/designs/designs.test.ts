import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemBounds, raterBounds } from "./bounds.ts";
import { isEstimable, layOutDesign, planDesign, type RatingDesign, ratingCount } from "./designs.ts";

/** Everything that a design promises, counted. */
function count(design: RatingDesign) {
  const { item, rater, system } = layOutDesign(design);
  const texts = new Map<string, Set<number>>();
  const meetings = new Map<string, Set<number>>();
  const loads = new Map<number, number>();
  item.forEach((i, k) => {
    const text = `${i} ${system[k]}`;
    const meeting = `${rater[k]} ${i}`;
    texts.set(text, (texts.get(text) ?? new Set()).add(rater[k]!));
    meetings.set(meeting, (meetings.get(meeting) ?? new Set()).add(system[k]!));
    loads.set(rater[k]!, (loads.get(rater[k]!) ?? 0) + 1);
  });
  return { rows: item.length, texts, meetings, loads };
}

describe("paired designs", () => {
  it("cross every rater with every item and system", () => {
    const { rows, texts, loads } = count(planDesign({ items: 5, raters: 3 }));
    expect(rows).toBe(30);
    expect([...texts.values()].every((raters) => raters.size === 3)).toBe(true);
    expect([...loads.values()]).toEqual([10, 10, 10]);
  });

  it("give every item k different raters, who rate both systems, with loads that differ by one item at most", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (items, raters, k) => {
          fc.pre(k <= raters);
          if (raters > items * k) {
            expect(() => planDesign({ items, raters, ratings: k, design: "k-of-m" })).toThrow(/raters for/);
            return;
          }
          const design = planDesign({ items, raters, ratings: k, design: "k-of-m" });
          const { texts, meetings, loads, rows } = count(design);
          expect(rows).toBe(ratingCount(design));
          expect(texts.size).toBe(2 * items);
          for (const own of texts.values()) expect(own.size).toBe(k);
          for (const systems of meetings.values()) expect(systems.size).toBe(2);
          const all = Array.from({ length: raters }, (_, w) => loads.get(w) ?? 0);
          expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it("keep the cap on texts per rater", () => {
    const design = planDesign({ items: 100, ratings: 3, perRater: 25, design: "k-of-m" });
    const { loads } = count(design);
    expect(Math.max(...loads.values())).toBeLessThanOrEqual(25);
  });
});

describe("lists", () => {
  it("rate every text k times, no rater meeting an item twice, both systems balanced within a rater", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 2, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        (items, panel, k) => {
          const design = planDesign({ items, raters: panel * k, ratings: k, design: "lists" });
          const { texts, meetings, loads, rows } = count(design);
          expect(rows).toBe(2 * items * k);
          expect(texts.size).toBe(2 * items);
          for (const own of texts.values()) expect(own.size).toBe(k);
          for (const systems of meetings.values()) expect(systems.size).toBe(1);
          expect(meetings.size).toBe(rows);
          const all = Array.from({ length: panel * k }, (_, w) => loads.get(w) ?? 0);
          expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it.each([
    [50, 3, 15],
    [100, 10, 100],
    [500, 3, 150],
  ])("of four texts make Howcroft's design of %i items with %i ratings", (items, ratings, raters) => {
    const design = planDesign({ items, ratings, raters, listLength: 4, design: "lists" });
    const { texts, meetings, loads, rows } = count(design);
    expect(rows).toBe(2 * items * ratings);
    for (const own of texts.values()) expect(own.size).toBe(ratings);
    for (const systems of meetings.values()) expect(systems.size).toBe(1);
    expect(loads.size).toBe(raters);
    // about 20 texts each
    expect(Math.min(...loads.values())).toBeGreaterThanOrEqual(16);
    expect(Math.max(...loads.values())).toBeLessThanOrEqual(24);
  });

  it("take as many raters as the cap needs", () => {
    const design = planDesign({ items: 50, ratings: 3, perRater: 25 });
    expect(design).toEqual({ kind: "lists", items: 50, ratings: 3, raters: 12 });
    expect(Math.max(...count(design).loads.values())).toBeLessThanOrEqual(25);
  });
});

describe("designs that cannot be built say what can", () => {
  it.each([
    [{ items: 1, raters: 3 }, "at least 2"],
    [{ items: 10, raters: 1 }, "at least 2"],
    [{ items: 10, raters: 3, ratings: 5 }, "1 to 3"],
    [{ items: 10, raters: 3, ratings: 2, design: "crossed" }, "k-of-m"],
    [{ items: 100, raters: 3, perRater: 20 }, "at most 10 items"],
    [{ items: 100, raters: 10, ratings: 5, perRater: 20, design: "k-of-m" }, "at least 50 raters"],
    [{ items: 10, raters: 7, ratings: 3, design: "lists" }, "multiple of 3"],
    [{ items: 10, raters: 3, ratings: 3, design: "lists" }, "at least 6"],
    [{ items: 100, raters: 6, ratings: 3, perRater: 25, design: "lists" }, "at least 24 raters"],
    [{ items: 20, raters: 5, ratings: 1, listLength: 4, design: "lists" }, "both systems"],
    [{ items: 10 }, "`raters: 3`"],
    [{ items: 5, raters: 20, ratings: 2 }, "at most 10 raters"],
    [{ items: 5, raters: 20, ratings: 2, perRater: 1, design: "k-of-m" }, "at least 2"],
  ] as const)("%j", (request, words) => {
    expect(() => planDesign(request)).toThrow(expect.objectContaining({ code: "ImpossibleDesign" }));
    try {
      planDesign(request);
    } catch (error) {
      const { message, fix } = error as { message: string; fix: string };
      expect(`${message} ${fix}`).toContain(words);
    }
  });
});

describe("bounds on items and raters are what can be built, number by number", () => {
  const builds = (request: Parameters<typeof planDesign>[0], residual: boolean): boolean => {
    try {
      const design = planDesign(request);
      return !residual || isEstimable(design);
    } catch {
      return false;
    }
  };
  const request = fc.record({
    design: fc.constantFrom("crossed", "k-of-m", "lists"),
    other: fc.integer({ min: 2, max: 24 }),
    ratings: fc.integer({ min: 2, max: 4 }),
    perRater: fc.option(fc.integer({ min: 2, max: 40 }), { nil: undefined }),
    residual: fc.boolean(),
  });
  const UP_TO = 120;

  it("items for given raters", () => {
    fc.assert(
      fc.property(request, ({ design, other, ratings: k, perRater, residual }) => {
        const raters = design === "lists" ? k * other : other;
        const ratings = design === "crossed" ? raters : k;
        fc.pre(ratings <= raters);
        const { least, most, step } = itemBounds(
          { items: 2, raters, ratings, perRater, design },
          { fewest: 2, residual },
        );
        expect(step).toBe(1);
        for (let items = 2; items <= UP_TO; items++) {
          const inside = items >= least && items <= most;
          expect(builds({ items, raters, ratings, perRater, design }, residual), `${items}`).toBe(inside);
        }
      }),
    );
  });

  it("raters for given items", () => {
    fc.assert(
      fc.property(request, ({ design, other: items, ratings: k, perRater, residual }) => {
        const ratings = design === "crossed" ? undefined : k;
        // not all can be rated at all
        fc.pre(design !== "crossed" || ((perRater ?? 2 * items) >= 2 * items && (!residual || items > 2)));
        const { least, most, step } = raterBounds({ items, ratings, perRater, design }, residual);
        for (let raters = 2; raters <= UP_TO; raters++) {
          const inside = raters >= least && raters <= most && raters % step === 0;
          expect(builds({ items, raters, ratings, perRater, design }, residual), `${raters}`).toBe(inside);
        }
      }),
    );
  });
});
