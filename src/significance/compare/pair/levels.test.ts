import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { noncentralTSf } from "../../../numeric/dist/noncentral-t.ts";
import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { compare } from "../compare.ts";
import type { FacetPart } from "./facets.ts";
import { type Growth, levelsNeeded, testsAt } from "./levels.ts";

/** Runs of each system on the same items; answers are right by chance. */
function epochs({ items = 200, runs = 2, gain = 0.04, seed = "epochs" }): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: items }, (_, i) => {
    const easy = 0.2 + 0.6 * rng.uniform();
    return ["A", "B"].flatMap((system) =>
      Array.from({ length: runs }, (_r, r) => {
        const right = rng.uniform() < easy + (system === "B" ? gain : 0);
        return { system, item: `i${i}`, epoch: `${r + 1}`, correct: right ? 1 : 0 };
      }),
    );
  }).flat();
  return makeTable([
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["epoch", factorColumn(rows.map(({ epoch }) => epoch))],
    ["correct", numericColumn(rows.map(({ correct }) => correct))],
  ]);
}

const options = { run: "epoch", runKind: "trainings", score: "correct", higherIsBetter: true } as const;

const power = (size: number, { se, df }: { readonly se: number; readonly df: number }): number =>
  noncentralTSf(tQuantileUpper(0.025, df), df, size / se);

const least = (growth: Growth, count: number, size: number): number =>
  Math.min(...testsAt(growth, count).map((own) => power(size, own)));

describe("runs of each system, on items whose own part stays", () => {
  // 300 items, 2 epochs each: by hand 7 epochs of each system have 77 % power for 3.5 points
  const runs: FacetPart = { facet: "runs", levels: 4, each: 2, se: 0.011393, df: 2 };
  const items: FacetPart = { facet: "items", levels: 300, se: 0.021349, df: 299 };
  const growth: Growth = { part: runs, other: items, noise: { se: Math.sqrt(0.2431 / 600), df: 578 } };

  it("are those now where nothing grows", () => {
    const [alone, own] = testsAt(growth, 2);
    expect(alone).toEqual({ se: expect.closeTo(0.011393, 12), df: 2 });
    expect(own!.se).toBeCloseTo(0.021349, 12);
  });

  it("are the fewest with which every test has 80 % power", () => {
    const needed = levelsNeeded(growth, 0.035, { alpha: 0.05, power: 0.8 });
    expect(needed).toBe(8);
    expect(least(growth, 8, 0.035)).toBeGreaterThanOrEqual(0.8);
    expect(least(growth, 7, 0.035)).toBeCloseTo(0.77, 2);
    expect(least(growth, 3, 0.035)).toBeLessThan(0.55);
  });

  it("are never enough where the items differ too much", () => {
    const noisy = { ...growth, other: { ...items, se: 0.03 } };
    expect(levelsNeeded(noisy, 0.035, { alpha: 0.05, power: 0.8 })).toBe(Number.POSITIVE_INFINITY);
  });

  it("are not told of systems with unequal numbers of them", () => {
    const { each: _, ...uneven } = runs;
    expect(levelsNeeded({ ...growth, part: uneven }, 0.035, { alpha: 0.05, power: 0.8 })).toBeNaN();
  });
});

it("raters by themselves need the power of the t test over them", () => {
  const part: FacetPart = { facet: "raters", levels: 3, se: 0.2, df: 2 };
  const growth: Growth = { part, noise: { se: 0, df: 0 } };
  const needed = levelsNeeded(growth, 0.3, { alpha: 0.05, power: 0.8 });
  const at = (count: number): number => power(0.3, { se: 0.2 * Math.sqrt(3 / count), df: count - 1 });
  expect([at(needed) >= 0.8, at(needed - 1) < 0.8]).toEqual([true, true]);
});

describe("what a comparison of few runs says", () => {
  const found = Array.from({ length: 8 }, (_, k) =>
    compare(epochs({ seed: `s${k}`, gain: 0.02 }), { ...options, margin: 0.1 }),
  );

  it("asks for no more runs where these can show equivalence", () => {
    const six = Array.from({ length: 8 }, (_, k) => {
      const table = epochs({ seed: `six ${k}`, gain: 0.05, runs: 6, items: 100 });
      return compare(table, { ...options, margin: 1.06 * compare(table, options).main.mde80 });
    });
    const open = [...found, ...six].filter(({ main }) => main.verdict === "INCONCLUSIVE" && main.facets !== undefined);
    const seen = open.filter(({ main }) => 1.06 * main.mde80 <= main.equivalence!.margin + 1e-9);
    expect([open.length > 0, seen.length > 0]).toEqual([true, true]);
    for (const { main } of seen) expect(main.advice).toMatch(/^$|As many items show equivalence/);
    for (const { main } of open.filter((own) => !seen.includes(own)))
      expect(main.advice).toMatch(
        /about \d+ (such runs of each system on these \d+ items\.|items in all)|alone cannot detect|out of reach/,
      );
  });

  it("asks for as many runs whether or not the difference is also looked at by class", () => {
    const file = (seed: string): Table => {
      const table = epochs({ seed, gain: 0.02, runs: 3, items: 80 });
      const items = (table.columns.get("item") as { codes: Int32Array }).codes;
      const topic = factorColumn(Array.from(items, (i) => (i % 2 === 0 ? "law" : "medicine")));
      return makeTable([...table.columns, ["topic", topic]]);
    };
    const told = Array.from({ length: 6 }, (_, k) => file(`topics ${k}`)).map((table) => [
      compare(table, options).main,
      compare(table, { ...options, by: "topic" }).main,
    ]);
    const open = told.filter((both) =>
      both.every(({ verdict, advice }) => verdict === "INCONCLUSIVE" && advice !== ""),
    );
    expect(open.length).toBeGreaterThan(2);
    for (const [plain, byTopic] of open) expect(byTopic!.nextStep!.levels).toEqual(plain!.nextStep!.levels);
  });

  it("names the interval's method where that of p is another", () => {
    const apart = found.filter(({ main: { facets = [], test, ci } }) => {
      const most = [test, ...facets].reduce((x, y) => (y.p > x.p ? y : x));
      return most === test && ci.method === "t over 2 runs of each system";
    });
    expect(apart.length).toBeGreaterThan(0);
    for (const { main, display } of apart) {
      expect(main.statement).toContain(`, t over 2 runs of each system), p = `);
      const { screen } = display();
      const row = JSON.stringify(screen!.tables);
      expect(row.includes(main.test.label) && !row.includes(main.ci.method)).toBe(false);
      expect(JSON.stringify(screen)).toContain(`p by ${main.test.label}, interval by t over 2 runs of each system`);
    }
  });

  it("calls items right only with a system where each has one answer", () => {
    const headings = (table: Table): string[] =>
      compare(table, options)
        .display()
        .sections!.map(({ heading }) => heading!.replace(/^\d+ /, ""));
    expect(headings(epochs({}))).toEqual([
      "items score higher with B, furthest apart first",
      "items score higher with A, furthest apart first",
    ]);
    expect(headings(epochs({ runs: 1 }))).toEqual(["items right only with B", "items right only with A"]);
  });
});
