import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { wilsonInterval } from "../../significance/intervals/binomial.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { oneSampleTTest } from "../../significance/tests/t-test.ts";
import { checkJudge } from "./check.ts";

/** A judge that passes half of b's wrong answers and a tenth of a's; and more where the answer is shown first. */
function draw(items: number, seed = "check"): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: items }, (_, i) =>
    ["a", "b"].map((system) => {
      const human = rng.uniform() < 0.6 ? 1 : 0;
      const judge = rng.uniform() < (human === 1 ? 0.95 : system === "a" ? 0.1 : 0.5) ? 1 : 0;
      return {
        item: `q${i}`,
        system,
        human,
        judge,
        length: Math.round(100 * rng.uniform()),
        place: i % 2 === 0 ? "first" : "second",
      };
    }),
  ).flat();
  return makeTable([
    ...(["item", "system", "place"] as const).map(
      (name) => [name, factorColumn(rows.map((row) => row[name]))] as const,
    ),
    ...(["judge", "human", "length"] as const).map(
      (name) => [name, numericColumn(rows.map((row) => row[name]))] as const,
    ),
  ]);
}

const numbers = (table: Table, name: string): Float64Array => {
  const cells = table.columns.get(name)!;
  return cells.kind === "numeric" ? cells.values : new Float64Array(0);
};

describe("a judge against people", () => {
  const table = draw(150);
  const found = checkJudge(table, { drawn: "random", by: ["place", "length"], replicates: 100 });
  const [human, judge] = [numbers(table, "human"), numbers(table, "judge")];

  it("has the sensitivity, specificity and agreement of its counts, with Wilson limits", () => {
    const [all] = found.accuracy;
    const passed = human.reduce((sum, y) => sum + y, 0);
    const both = human.reduce((sum, y, i) => sum + y * judge[i]!, 0);
    expect(all!.labels).toBe(300);
    expect(all!.sensitivity.value).toBeCloseTo(both / passed, 12);
    expect(all!.sensitivity.lower).toBeCloseTo(wilsonInterval(both / passed, passed).lower, 12);
    expect(all!.confusion!.flat().reduce((sum, n) => sum + n, 0)).toBe(300);
    const equal = human.filter((y, i) => y === judge[i]).length;
    expect(all!.agreement.value).toBeCloseTo(equal / 300, 12);
  });

  it("has Cohen's κ of its table", () => {
    const [[a, b], [c, d]] = found.accuracy[0]!.confusion! as [[number, number], [number, number]];
    const n = a + b + c + d;
    const expected = ((a + b) * (a + c) + (c + d) * (b + d)) / (n * n);
    expect(found.agreement.kappa.value).toBeCloseTo(((a + d) / n - expected) / (1 - expected), 12);
  });

  it("favors a system by the paired t test of its errors", () => {
    const gap = Float64Array.from(
      { length: 150 },
      (_, i) => judge[2 * i + 1]! - human[2 * i + 1]! - (judge[2 * i]! - human[2 * i]!),
    );
    const reference = oneSampleTTest(gap);
    const own = found.favors.find(({ what }) => what === "systems")!;
    expect(own.value).toBeCloseTo(reference.effect.value, 12);
    expect(own.p).toBeCloseTo(reference.p, 10);
    expect(own.adjusted).toBeLessThan(0.01);
    expect(found.toString()).toMatch(/The judge scores b \d/);
  });

  it("tests columns too, all adjusted together", () => {
    expect(found.favors.map(({ what }) => what)).toEqual(["systems", "level", "number"]);
    for (const { p, adjusted } of found.favors) expect(adjusted).toBeGreaterThanOrEqual(p);
  });

  it("comes back from its JSON with the same text", () => {
    expect(reviveResult(JSON.stringify(found)).toString()).toBe(found.toString());
  });

  it("needs ten labels", () => {
    expect(() => checkJudge(draw(4))).toThrow(/8 outputs have labels/);
  });
});

describe("a judge that repeats itself, or says one thing", () => {
  const base = Array.from({ length: 40 }, (_, i) => ({ item: `q${i}`, human: i % 3 === 0 ? 0 : 1 }));
  const make = (judge: (i: number, repeat: number) => number): Table => {
    const rows = base.flatMap((row, i) => [0, 1].map((repeat) => ({ ...row, judge: judge(i, repeat) })));
    return makeTable([
      ["item", factorColumn(rows.map(({ item }) => item))],
      ["judge", numericColumn(rows.map((row) => row.judge))],
      ["human", numericColumn(rows.map(({ human }) => human))],
    ]);
  };
  it("is equal on the outputs whose repeats agree", () => {
    // every fourth output gets 0 and 1
    const { consistency } = checkJudge(
      make((i, repeat) => (i % 4 === 0 ? repeat : i % 3 === 0 ? 0 : 1)),
      { replicates: 20 },
    );
    expect(consistency!.outputs).toBe(40);
    expect(consistency!.equal).toBeCloseTo(0.75, 12);
    expect(consistency!.within).toBeGreaterThan(0);
  });
  it("warns where nearly all scores are one", () => {
    const { diagnostics } = checkJudge(
      make(() => 1),
      { replicates: 20 },
    );
    expect(diagnostics.map(({ code }) => code)).toContain("Saturated");
  });
  it("calls labels circular where a model made them", () => {
    const table = make((i) => i % 2);
    const renamed = makeTable(
      [...table.columns].map(([name, cells]) => [name === "human" ? "gpt_label" : name, cells] as const),
    );
    const { diagnostics } = checkJudge(renamed, { human: "gpt_label", replicates: 20 });
    expect(diagnostics.map(({ code }) => code)).toContain("CircularLabels");
  });
});

describe("outputs judged in both orders", () => {
  /** The first twenty pass in one order only, the next five in the other only. */
  const rows = Array.from({ length: 100 }, (_, i) =>
    ["AB", "BA"].map((order, k) => ({
      item: `q${i}`,
      order,
      judge: i < 20 ? 1 - k : i < 25 ? k : i % 2,
      human: i % 2,
    })),
  ).flat();
  const table = (name: string, of = rows): Table =>
    makeTable([
      ["item", factorColumn(of.map(({ item }) => item))],
      [name, factorColumn(of.map(({ order }) => order))],
      ["judge", numericColumn(of.map(({ judge }) => judge))],
      ["human", numericColumn(of.map(({ human }) => human))],
    ]);
  it("have the share of equal scores, and McNemar's mid-p", () => {
    const { order } = checkJudge(table("order"), { drawn: "random", replicates: 20 });
    expect(order).toMatchObject({ column: "order", levels: ["AB", "BA"], outputs: 100 });
    expect(order!.equal).toEqual({ value: 0.75, ...wilsonInterval(0.75, 100) });
    expect(order!.difference.value).toBeCloseTo(-0.15, 12);
    expect(order!.difference.p).toBeCloseTo(mcnemarP(5, 20, { method: "mid-p" }), 12);
  });
  it("are found by the column that is named, and told on the screen", () => {
    expect(checkJudge(table("way"), { drawn: "random", replicates: 20 }).order).toBeUndefined();
    const found = checkJudge(table("way"), { drawn: "random", order: "way", replicates: 20 });
    expect(found.toString()).toMatch(/Swapped order \(way\): scores are equal on 75\.0% of 100 outputs/);
    expect(reviveResult(JSON.parse(JSON.stringify(found))).toString()).toBe(found.toString());
  });
  it("are refused in a line where there are no two orders", () => {
    expect(() => checkJudge(table("way"), { order: "item" })).toThrow(/does not have two levels/);
    expect(() => checkJudge(table("way"), { order: "nowhere" })).toThrow(/nowhere/);
    const few = table("way", rows.slice(0, 12).concat(rows.slice(12).filter(({ order }) => order === "AB")));
    expect(() => checkJudge(few, { order: "way" })).toThrow(/6 outputs were judged in both orders/);
  });
});
