/** What the command line's `from-dev` decides, asked of the library. */
import { describe, expect, it } from "vitest";
import { makeTable, numericColumn, table } from "../../index.ts";
import { compare } from "../../significance/compare/compare.ts";
import { planFromDev } from "./dev-files.ts";

const rows = (count: number, make: (i: number, system: string) => object) =>
  table(Array.from({ length: count }, (_, i) => ["old", "new"].map((system) => make(i, system))).flat() as never);

describe("planFromDev", () => {
  const scores = rows(60, (i, system) => ({
    item: `q${i}`,
    system,
    score: ((i * 7) % 11) / 10 + (system === "new" ? (i % 5) / 10 : 0),
  }));

  it("finds the difference that compare finds", () => {
    const plan = planFromDev(scores, { n: 200 });
    const { main } = compare(scores);
    expect([plan.scenario, plan.systems, plan.items]).toEqual(["means", ["old", "new"], 60]);
    expect(plan.params["delta"]).toBeCloseTo(main.difference, 12);
    expect(plan.next.map(({ ask }) => ask)).toEqual(["power", "mde", "size"]);
    expect(plan.next[0]!.parameters["n"]).toBe(200);
  });

  it("scores labels side by side, also those that `mutate` makes", () => {
    const labels = table(
      Array.from({ length: 120 }, (_, i) => ({
        id: `d${i}`,
        gold: i % 3 ? "a" : "b",
        one: i % 4 ? (i % 3 ? "a" : "b") : "c",
        two: i % 9 ? (i % 3 ? "a" : "b") : "c",
      })),
    );
    const options = { gold: "gold", pred: ["one", "two"] };
    const plan = planFromDev(labels, options);
    expect([plan.scenario, plan.systems, plan.items]).toEqual(["accuracy", ["one", "two"], 120]);
    // wrong: every 4th and every 9th, both at once every 36th
    expect(plan.params["delta"]).toBeCloseTo(30 / 120 - 14 / 120, 12);
    expect(plan.params["agreement"]).toBeCloseTo(1 - (30 + 14 - 2 * 4) / 120, 12);
    expect(() => planFromDev(labels, { gold: "gold" })).toThrow(/option `pred` is missing/);
    expect(() => planFromDev(labels, { ...options, metric: "f1" })).toThrow(/planned for by accuracy/);
    const made = planFromDev(labels, { gold: "right", pred: ["one", "two"], mutate: ["right = gold"] });
    expect(made.params).toEqual(plan.params);
  });

  it("takes several raters for a pilot, in words of the library", () => {
    const rated = table(
      Array.from({ length: 240 }, (_, k) => ({
        item: `i${k % 20}`,
        system: k % 40 < 20 ? "old" : "new",
        rater: `r${Math.floor(k / 40)}`,
        rating: 1 + ((k * 13 + Math.floor(k / 40)) % 4) + (k % 40 < 20 ? 0 : k % 2),
      })),
    );
    const plan = planFromDev(rated, { n: 50 });
    expect([plan.scenario, plan.power]).toEqual(["likert", undefined]);
    expect(plan.next[0]!.pilot).toEqual({
      score: "rating",
      system: "system",
      rater: "rater",
      item: "item",
      systems: ["old", "new"],
    });
    expect(plan.toString()).toContain('parametersFromPilot("likert", ratings, {');
    expect(plan.toString()).not.toMatch(/--[a-z]|gosset /);
  });

  it("refuses in words of the library", () => {
    const apart = table(Array.from({ length: 40 }, (_, i) => ({ item: i, system: i < 20 ? "a" : "b", score: i % 7 })));
    expect(() => planFromDev(apart)).toThrow(
      expect.objectContaining({ fix: expect.stringContaining("`power.unpaired`") }),
    );
    const three = table(Array.from({ length: 60 }, (_, i) => ({ item: i % 20, system: "abc"[i % 3]!, score: i % 7 })));
    expect(() => planFromDev(three)).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('systems: ["a","b"]') }),
    );
    expect(() => planFromDev(makeTable([["x", numericColumn([1, 2])]]))).toThrow(/names the systems/);
  });
});
