import { describe, expect, it } from "vitest";
import {
  column,
  factorColumn,
  makeTable,
  type NumericColumn,
  numericColumn,
  type Table,
  withColumn,
} from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { planFromDev } from "./dev-files.ts";

/** Items of their own difficulty, R tries of each by two systems. */
function drawTries(items: number, R: number, seed: string): Table {
  const rng = makeRng(seed);
  const rows: { system: string; item: string; run: number; score: number }[] = [];
  for (let i = 0; i < items; i++) {
    const p = rng.uniform();
    const own = { a: p, b: Math.min(1, Math.max(0, p + 0.1 * rng.normal())) };
    for (const [system, chance] of Object.entries(own))
      for (let t = 0; t < R; t++) rows.push({ system, item: `q${i}`, run: t, score: rng.uniform() < chance ? 1 : 0 });
  }
  return makeTable([
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["epoch", numericColumn(rows.map(({ run }) => run))],
    ["correct", numericColumn(rows.map(({ score }) => score))],
  ]);
}

describe("repeats against items", () => {
  it.each([undefined, "pass@2"])("what 6 repeats say of 2 is what 2 repeats show (%s)", (metric) => {
    const [of6, of2] = [6, 2].map((R) => planFromDev(drawTries(1500, R, "7"), { metric, n: 100 }));
    const predicted = of6!.repeats!.find(({ repeats }) => repeats === 2)!;
    const shown = of2!.repeats!.find(({ repeats }) => repeats === 2)!;
    // an SD from 1,500 items is known to about 2.5 %
    expect(Math.abs(predicted.sd / shown.sd - 1)).toBeLessThan(4 * 0.025 * Math.SQRT2);
    expect(predicted.items).toBeGreaterThan(1500);
    expect(predicted.runs).toBe(2 * predicted.items);
    expect(of6!.repeats!.find(({ repeats }) => repeats === 6)).toMatchObject({ items: 1500, runs: 9000 });
  });

  it("a run that failed leaves the design at hand what it is", () => {
    const whole = drawTries(300, 2, "3");
    const score = column(whole, "correct") as NumericColumn;
    const lost = numericColumn(score.values.map((v, row) => (row % 100 === 1 ? Number.NaN : v)));
    const found = planFromDev(withColumn(whole, "correct", lost), { n: 100 });
    expect(found.repeats!.find(({ repeats }) => repeats === 2)).toMatchObject({ items: 300, runs: 600 });
    expect(found.repeats!.find(({ repeats }) => repeats === 1)!.items).toBeGreaterThan(300);
    expect(String(found).replace(/\s+/g, " ")).toContain("standard error of 300 items with 2 repeats each");
  });

  it("is planned by the items' numbers", () => {
    const found = planFromDev(drawTries(200, 5, "1"), { metric: "pass@3", n: 400 });
    expect(found.scenario).toBe("means");
    expect(found.power!.power).toBeGreaterThan(0);
    expect(String(found)).toContain("Repeats against items");
  });
});
