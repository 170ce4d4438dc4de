import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { rankSystems } from "./ranks.ts";

type Score = (item: number, system: number) => number;

function boardOf(items: number, systems: number, score: Score, more: Record<string, (item: number) => string> = {}) {
  const at = Array.from({ length: items * systems }, (_, k) => [Math.floor(k / systems), k % systems] as const);
  return makeTable([
    ["system", factorColumn(at.map(([, s]) => `s${s}`))],
    ["item", factorColumn(at.map(([i]) => `q${i}`))],
    ["accuracy", numericColumn(at.map(([i, s]) => score(i, s)))],
    ...Object.entries(more).map(([name, of]) => [name, factorColumn(at.map(([i]) => of(i)))] as const),
  ]);
}
const noise = (seed: string) => {
  const rng = makeRng(seed);
  const drawn = Float64Array.from({ length: 100_000 }, () => rng.normal());
  return (i: number, s: number) => drawn[(i * 97 + s * 31_337) % drawn.length]!;
};
const setsOf = (result: ReturnType<typeof rankSystems>) =>
  Object.fromEntries(result.systems.map(({ name, lower, upper }) => [name, [lower, upper]]));

describe("rankSystems", () => {
  it("ranks systems that are far apart, one rank each", () => {
    const n = noise("apart");
    const result = rankSystems(boardOf(100, 4, (i, s) => 3 * s + n(i, s)));
    expect(setsOf(result)).toEqual({ s3: [1, 1], s2: [2, 2], s1: [3, 3], s0: [4, 4] });
    expect(result.top.surely).toEqual(["s3"]);
    expect(result.groups.map(({ systems }) => systems)).toEqual([["s3"], ["s2"], ["s1"], ["s0"]]);
    expect(result.separated).toEqual({ pairs: 6, of: 6 });
    expect(result.display().title).toMatch(/^s3 is the best of 4 systems/);
  });

  it("turns ranks round where lower is better", () => {
    const n = noise("down");
    const scores = boardOf(100, 3, (i, s) => 3 * s + n(i, s));
    const up = rankSystems(scores, { higherIsBetter: true });
    const down = rankSystems(scores, { higherIsBetter: false });
    expect(down.systems.map(({ name }) => name)).toEqual(["s0", "s1", "s2"]);
    expect(down.systems.map(({ score }) => score).reverse()).toEqual(up.systems.map(({ score }) => score));
  });

  it("does not depend on the order of rows or on names", () => {
    const n = noise("rows");
    const table = boardOf(60, 5, (i, s) => 0.3 * s + n(i, s));
    const turned = makeTable([
      ["system", factorColumn([...Array(300).keys()].map((k) => `s${4 - (k % 5)}`))],
      ["item", factorColumn([...Array(300).keys()].map((k) => `q${59 - Math.floor(k / 5)}`))],
      [
        "accuracy",
        numericColumn([...Array(300).keys()].map((k) => 0.3 * (4 - (k % 5)) + n(59 - Math.floor(k / 5), 4 - (k % 5)))),
      ],
    ]);
    expect(setsOf(rankSystems(turned))).toEqual(setsOf(rankSystems(table)));
  });

  it("ties the same rows entered under two names, and says so", () => {
    const n = noise("twice");
    const result = rankSystems(boardOf(80, 3, (i, s) => 2 * Math.min(s, 1) + n(i, Math.min(s, 1))));
    expect(setsOf(result)).toEqual({ s1: [1, 2], s2: [1, 2], s0: [3, 3] });
    expect(result.systems.map(({ rank }) => rank)).toEqual([1, 1, 3]);
    expect(result.diagnostics.map(({ code }) => code)).toContain("SameScores");
  });

  it("separates a constant difference only where enough units show it", () => {
    const n = noise("constant");
    const constant = (items: number) => rankSystems(boardOf(items, 2, (i, s) => s + n(i, 0)));
    expect(setsOf(constant(8))).toEqual({ s1: [1, 2], s0: [1, 2] });
    expect(setsOf(constant(100))).toEqual({ s1: [1, 1], s0: [2, 2] });
    expect(constant(100).diagnostics.map(({ code }) => code)).toContain("ConstantDifference");
  });

  it("widens sets where the items of a cluster go together", () => {
    const n = noise("clusters");
    const more = { document: (i: number) => `d${i % 10}` };
    const score: Score = (i, s) => 0.5 * s + n(i, s) + 1.5 * n(50_000 + (i % 10), s);
    const table = boardOf(200, 4, score, more);
    const size = (result: ReturnType<typeof rankSystems>) =>
      result.systems.reduce((sum, { lower, upper }) => sum + upper - lower, 0);
    const alone = rankSystems(table, { cluster: "none" });
    const together = rankSystems(table, { cluster: "document" });
    expect(together.clusters).toBe(10);
    expect(together.law).toBe("flips");
    expect(size(together)).toBeGreaterThan(size(alone));
  });

  it("counts tasks alike, names items that a system lacks, and refuses other populations", () => {
    const n = noise("tasks");
    const more = { task: (i: number) => (i < 20 ? "small" : "large") };
    const table = boardOf(100, 2, (i, s) => (i < 20 ? 1 - s : s) * 2 + 0.1 * n(i, s), more);
    // 0.2 and 0.8 of the items, but half of the tasks
    expect(rankSystems(table, { task: "none" }).separated.pairs).toBe(1);
    const macro = rankSystems(table, { task: "task" });
    expect(macro.tasks).toEqual(["large", "small"]);
    expect(Math.abs(macro.neighbors[0]!.difference)).toBeLessThan(0.2);

    const scores: Score = (i, s) => (s === 1 && i < 5 ? Number.NaN : s + n(i, s));
    const missing = rankSystems(boardOf(50, 3, scores));
    expect(missing.itemsLost).toBe(5);
    expect(missing.missing).toEqual([{ system: "s1", items: 5, unscored: 5 }]);
    const other: Score = (i, s) => ((s === 1) === i < 40 ? Number.NaN : s + n(i, s));
    expect(() => rankSystems(boardOf(100, 2, (i, s) => (i >= 95 ? s + n(i, s) : other(i, s))))).toThrow(
      /different items/,
    );
  });

  it("asks for the direction, and refuses more best systems than there are", () => {
    const n = noise("ask");
    const table = boardOf(30, 3, (i, s) => s + n(i, s));
    const unnamed = makeTable([...table.columns].map(([name, cells]) => [name === "accuracy" ? "zeal" : name, cells]));
    expect(() => rankSystems(unnamed, { score: "zeal" })).toThrow(/higher or a lower zeal better/);
    expect(() => rankSystems(table, { top: 4 })).toThrow(/there are 3 systems/);
  });

  it("gives intervals of neighbors that leave out 0 only where the first step separates them", () => {
    const n = noise("neighbors");
    const result = rankSystems(boardOf(60, 8, (i, s) => 0.25 * s + n(i, s)));
    for (const { lower, separated, resolution, needed } of result.neighbors) {
      if (lower > 0) expect(separated).toBe(true);
      expect(needed).toBe(Math.ceil(60 / resolution));
    }
  });

  it("names the items that carry the first place, and the tasks where tasks count alike", () => {
    // s1 leads by two items of ten, whatever the others
    const table = boardOf(10, 2, (i, s) => (i < 3 ? s : i === 3 ? 1 - s : 0));
    const { fragility, neighbors } = rankSystems(table);
    expect(fragility!.top).toMatchObject({ count: 3, proportion: 0.3, overtaken: "s1", by: "s0" });
    expect([...fragility!.top!.units].sort()).toEqual(["q0", "q1", "q2"]);
    // three of ten are those three in one of 120 choices
    expect(fragility!.top!.atRandom).toBeLessThan(0.05);
    expect(neighbors[0]!.dropped).toBe(3);
    const tasks = boardOf(12, 2, (i, s) => (i < 8 ? s : 1 - s), { task: (i) => `t${i % 3 === 0 ? 0 : i < 8 ? 1 : 2}` });
    const found = rankSystems(tasks, { task: "task" }).fragility!;
    expect(found.units).toBe("tasks");
    expect(found.top).toMatchObject({ count: 1, units: ["t1"] });
    const always = rankSystems(boardOf(10, 2, (_, s) => s));
    expect(always.fragility!.top).toBeNull();
  });

  it("prints the same text after its JSON", () => {
    const n = noise("json");
    const result = rankSystems(
      boardOf(40, 4, (i, s) => 0.5 * s + n(i, s)),
      { top: 2 },
    );
    expect(String(reviveResult(JSON.parse(JSON.stringify(result))))).toBe(String(result));
  });

  it("ranks totals by their own standard errors, with the degrees of freedom of runs", () => {
    const totals = (more: Record<string, number[]>) =>
      makeTable([
        ["model", factorColumn(["a", "b", "c"])],
        ["accuracy", numericColumn([0.9, 0.8, 0.5])],
        ...Object.entries(more).map(([name, values]) => [name, numericColumn(values)] as const),
      ]);
    const many = rankSystems(totals({ accuracy_stderr: [0.04, 0.04, 0.04] }));
    expect(many.of).toBe("totals");
    expect(setsOf(many)).toEqual({ a: [1, 2], b: [1, 2], c: [3, 3] });
    // z = 7.1, of three runs is a t of 4 degrees of freedom
    const runs = rankSystems(totals({ accuracy_std: [0.0693, 0.0693, 0.0693], n_seeds: [3, 3, 3] }));
    expect(setsOf(runs).a).toEqual([1, 2]);
    expect(runs.separated.pairs).toBe(2);
  });
});

describe("what separates the first from the second", () => {
  it("counts the repeats that would do as well as items: their errors, with so many repeats, have the wanted size", () => {
    const rng = makeRng("repeats");
    const [items, runs, S] = [80, 4, 2];
    const rows = Array.from({ length: items }, (_, i) => {
      const hard = rng.normal();
      return Array.from({ length: S * runs }, (_r, k) => ({
        i,
        s: k % S,
        run: Math.floor(k / S),
        y: hard + 0.15 * (k % S) + rng.normal(),
      }));
    }).flat();
    const table = makeTable([
      ["system", factorColumn(rows.map(({ s }) => `s${s}`))],
      ["item", factorColumn(rows.map(({ i }) => `q${i}`))],
      ["run", numericColumn(rows.map(({ run }) => run))],
      ["accuracy", numericColumn(rows.map(({ y }) => y))],
    ]);
    const [pair] = rankSystems(table).neighbors;
    // two independent runs of each system: the difference of an item has variance 2/m, and nothing else
    const critical = (pair!.upper - pair!.difference) / pair!.se;
    const wanted = Math.abs(pair!.difference) / (critical + 0.8416212335729143);
    const cells = new Map<string, number[]>();
    for (const { i, s, y } of rows) cells.set(`${i}/${s}`, [...(cells.get(`${i}/${s}`) ?? []), y]);
    const noiseOf = [...cells.values()].reduce((sum, own) => {
      const mean = own.reduce((a, b) => a + b, 0) / runs;
      return sum + own.reduce((a, b) => a + (b - mean) ** 2, 0) / (runs - 1) / items;
    }, 0);
    const left = wanted ** 2 - (pair!.se ** 2 - noiseOf / runs / items);
    expect(pair!.repeats).toBe(left > 0 ? Math.ceil(noiseOf / items / left) : Number.POSITIVE_INFINITY);
    expect(rankSystems(boardOf(30, 3, (i, s) => s + Math.sin(i * s))).neighbors[0]!.repeats).toBeNull();
  });

  it("names items that all systems solve, and items on which better systems do worse, where asked", () => {
    const n = noise("odd");
    const table = boardOf(40, 8, (i, s) => (i === 3 ? 1 : i === 5 ? -s : s + 0.5 * n(i, s)));
    expect(rankSystems(table).oddItems).toBeUndefined();
    const found = rankSystems(table, { oddItems: true });
    expect(found.oddItems!.dead).toEqual({ count: 1, items: ["q3"] });
    expect(found.oddItems!.inverted.items.map(({ item }) => item)).toEqual(["q5"]);
    expect(String(found)).toMatch(/On 1 other better\s+systems\s+score\s+lower/);
  });

  it("ranks over new tasks next to the macro mean", () => {
    const n = noise("over tasks");
    const table = boardOf(240, 3, (i, s) => 0.6 * s + n(i, s), { task: (i) => `t${i % 24}` });
    const found = rankSystems(table);
    expect(found.overTasks!.systems.map(({ name }) => name)).toEqual(["s2", "s1", "s0"]);
    expect(found.overTasks!.systems[0]).toMatchObject({ rank: 1, lower: 1, upper: 1 });
    for (const { newTask } of found.overTasks!.systems) expect(newTask.upper).toBeLessThanOrEqual(3);
    expect(found.neighbors[0]!.tasksWon).toBeGreaterThan(0);
    expect(String(reviveResult(found.toJSON()))).toBe(String(found));
  });
});
