import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOutDesign, planDesign, type RatingDesign, ratingCount } from "./designs.ts";

/** Everything that a design promises, counted. */
function count(design: RatingDesign) {
  const { item, worker, system } = layOutDesign(design);
  const texts = new Map<string, Set<number>>();
  const meetings = new Map<string, Set<number>>();
  const loads = new Map<number, number>();
  item.forEach((i, k) => {
    const text = `${i} ${system[k]}`;
    const meeting = `${worker[k]} ${i}`;
    texts.set(text, (texts.get(text) ?? new Set()).add(worker[k]!));
    meetings.set(meeting, (meetings.get(meeting) ?? new Set()).add(system[k]!));
    loads.set(worker[k]!, (loads.get(worker[k]!) ?? 0) + 1);
  });
  return { rows: item.length, texts, meetings, loads };
}

describe("paired designs", () => {
  it("cross every worker with every item and system", () => {
    const { rows, texts, loads } = count(planDesign({ items: 5, workers: 3 }));
    expect(rows).toBe(30);
    expect([...texts.values()].every((workers) => workers.size === 3)).toBe(true);
    expect([...loads.values()]).toEqual([10, 10, 10]);
  });

  it("give every item k different workers, who rate both systems, with loads that differ by one item at most", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (items, workers, k) => {
          fc.pre(k <= workers);
          const design = planDesign({ items, workers, ratings: k, design: "k-of-m" });
          const { texts, meetings, loads, rows } = count(design);
          expect(rows).toBe(ratingCount(design));
          expect(texts.size).toBe(2 * items);
          for (const own of texts.values()) expect(own.size).toBe(k);
          for (const systems of meetings.values()) expect(systems.size).toBe(2);
          const all = Array.from({ length: workers }, (_, w) => loads.get(w) ?? 0);
          expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it("keep the cap on texts per worker", () => {
    const design = planDesign({ items: 100, ratings: 3, perWorker: 25, design: "k-of-m" });
    const { loads } = count(design);
    expect(Math.max(...loads.values())).toBeLessThanOrEqual(25);
  });
});

describe("lists", () => {
  it("rate every text k times, no worker meeting an item twice, both systems balanced within a worker", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 2, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        (items, panel, k) => {
          const design = planDesign({ items, workers: panel * k, ratings: k, design: "lists" });
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
  ])("of four texts make Howcroft's design of %i items with %i ratings", (items, ratings, workers) => {
    const design = planDesign({ items, ratings, workers, listLength: 4, design: "lists" });
    const { texts, meetings, loads, rows } = count(design);
    expect(rows).toBe(2 * items * ratings);
    for (const own of texts.values()) expect(own.size).toBe(ratings);
    for (const systems of meetings.values()) expect(systems.size).toBe(1);
    expect(loads.size).toBe(workers);
    // about 20 texts each
    expect(Math.min(...loads.values())).toBeGreaterThanOrEqual(16);
    expect(Math.max(...loads.values())).toBeLessThanOrEqual(24);
  });

  it("take as many workers as the cap needs", () => {
    const design = planDesign({ items: 50, ratings: 3, perWorker: 25 });
    expect(design).toEqual({ kind: "lists", items: 50, ratings: 3, workers: 12 });
    expect(Math.max(...count(design).loads.values())).toBeLessThanOrEqual(25);
  });
});

describe("designs that cannot be built say what can", () => {
  it.each([
    [{ items: 1, workers: 3 }, "at least 2"],
    [{ items: 10, workers: 1 }, "at least 2"],
    [{ items: 10, workers: 3, ratings: 5 }, "1 to 3"],
    [{ items: 10, workers: 3, ratings: 2, design: "crossed" }, "k-of-m"],
    [{ items: 100, workers: 3, perWorker: 20 }, "at most 10 items"],
    [{ items: 100, workers: 10, ratings: 5, perWorker: 20, design: "k-of-m" }, "at least 50 workers"],
    [{ items: 10, workers: 7, ratings: 3, design: "lists" }, "multiple of 3"],
    [{ items: 10, workers: 3, ratings: 3, design: "lists" }, "at least 6"],
    [{ items: 100, workers: 6, ratings: 3, perWorker: 25, design: "lists" }, "at least 24 workers"],
    [{ items: 20, workers: 5, ratings: 1, listLength: 4, design: "lists" }, "both systems"],
    [{ items: 10 }, "workers"],
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
