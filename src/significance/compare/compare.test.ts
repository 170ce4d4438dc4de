import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { normalCdf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { pairedProportionInterval } from "../intervals/paired-proportions.ts";
import { bootstrapTest } from "../tests/bootstrap-test.ts";
import { mcnemarP } from "../tests/mcnemar.ts";
import { compareLabels } from "./labels.ts";
import { splitVariance } from "./pair/spread.ts";
import { decide, planNextStep, testEquivalence, testEquivalenceOfShares } from "./pair/verdict.ts";
import { comparePreferences } from "./preferences.ts";
import { compareTable } from "./table.ts";
import { compareTexts } from "./texts.ts";

const columns = { system: "system", item: "item", score: "score" };

/** Scores of systems on items 1 … n, in long form. */
function longTable(
  scores: Readonly<Record<string, readonly number[]>>,
  more: (item: number) => string = () => "x",
): Table {
  const rows = Object.entries(scores).flatMap(([system, values]) =>
    values.map((score, i) => ({ system, item: i + 1, score })),
  );
  return makeTable([
    ["system", factorColumn(rows.map((r) => r.system))],
    ["item", numericColumn(rows.map((r) => r.item))],
    ["score", numericColumn(rows.map((r) => r.score))],
    ["group", factorColumn(rows.map((r) => more(r.item)))],
  ]);
}

/** n items: both right, only b, only a, neither. */
const answers = (both: number, onlyB: number, onlyA: number, neither: number) => ({
  a: [...Array(both).fill(1), ...Array(onlyB).fill(0), ...Array(onlyA).fill(1), ...Array(neither).fill(0)],
  b: [...Array(both).fill(1), ...Array(onlyB).fill(1), ...Array(onlyA).fill(0), ...Array(neither).fill(0)],
});

describe("two systems with right and wrong answers", () => {
  const result = compareTable(longTable(answers(60, 20, 5, 15)), columns, {
    systems: ["a", "b"],
    higherIsBetter: true,
  });

  it("is McNemar's mid-p test", () => {
    expect(result.main.test.p).toBeCloseTo(mcnemarP(20, 5, { method: "mid-p" }), 12);
    expect(result.main.test.replicates).toBe(0);
    expect(result.main.difference).toBeCloseTo(0.15, 12);
    expect(result.main.verdict).toBe("BETTER");
  });

  it("has the standard error of the mean difference", () => {
    // differences: 20 times 1, 5 times -1, 75 times 0
    const variance = (25 - 100 * 0.15 ** 2) / 99;
    expect(result.main.se).toBeCloseTo(Math.sqrt(variance / 100), 12);
  });

  it("turns with the order of the systems and with the direction of the score", () => {
    const turned = compareTable(longTable(answers(60, 20, 5, 15)), columns, {
      systems: ["b", "a"],
      higherIsBetter: true,
    });
    expect(turned.main.difference).toBeCloseTo(-0.15, 12);
    expect(turned.main.verdict).toBe("WORSE");
    expect(turned.main.ci.lower).toBeCloseTo(-result.main.ci.upper, 10);
    const lower = compareTable(longTable(answers(60, 20, 5, 15)), columns, {
      systems: ["a", "b"],
      higherIsBetter: false,
    });
    expect(lower.main.verdict).toBe("WORSE");
  });

  it("names the items that flipped", () => {
    expect(result.main.flips).toMatchObject({ gained: 20, lost: 5, tied: 75 });
    expect(result.main.flips!.largestLosses[0]).toEqual({ item: "81", scoreA: 1, scoreB: 0 });
  });

  it("names those furthest apart first where scores are no 0 and 1, equal ones in the order of the items", () => {
    const table = longTable({ a: [0.5, 0.9, 0.9, 0.2, 0.9], b: [0.7, 0.5, 0.6, 0.9, 0.5] });
    const { flips } = compareTable(table, columns, { systems: ["a", "b"] }).main;
    expect(flips!.largestGains.map(({ item }) => item)).toEqual(["4", "1"]);
    expect(flips!.largestLosses.map(({ item }) => item)).toEqual(["2", "5", "3"]);
  });

  it("tells the story in one paragraph that survives JSON", () => {
    expect(result.main.statement).toMatchInlineSnapshot(
      `"b scores 80.0 % and a 65.0 % on the same 100 items: a difference of +15.0 points (95 % CI +5.2 to +24.3), p = 0.0025 (McNemar's test, mid-p). The minimum detectable effect (80 % power) is 13.7 points."`,
    );
    expect(reviveResult(JSON.parse(JSON.stringify(result))).toString()).toBe(result.toString());
  });

  it("does not read absence of evidence as equality", () => {
    const open = compareTable(longTable(answers(60, 12, 10, 18)), columns, { systems: ["a", "b"] });
    expect(open.main.verdict).toBe("INCONCLUSIVE");
    expect(open.main.statement).toContain("this is not evidence that the systems are equally good");
    expect(open.main.advice).toMatch(/you need about \d+ items in all/);
  });

  it("warns of identical runs and of few items", () => {
    const same = compareTable(longTable({ a: [1, 0, 1], b: [1, 0, 1] }), columns, { systems: ["a", "b"] });
    expect(same.main.p).toBe(1);
    expect(same.diagnostics.map((d) => d.code)).toEqual(["FewItems", "NoDifference"]);
  });
});

describe("several systems, clusters and slices", () => {
  const rng = makeRng("several");
  const n = 60;
  const base = Array.from({ length: n }, () => rng.normal());
  const scores = {
    low: base.map((v) => v + 0.3 * rng.normal()),
    mid: base.map((v) => v + 0.5 + 0.3 * rng.normal()),
    high: base.map((v) => v + 0.55 + 0.3 * rng.normal()),
  };
  const table = longTable(scores, (item) => `g${item % 20}`);

  it("adjusts p over the pairs (Holm) and tells of the two best", () => {
    const result = compareTable(table, columns, {
      systems: ["low", "mid", "high"],
      adjust: "holm",
      rng: makeRng("1"),
    });
    const plain = result.pairs.map(({ test }) => test.p).sort((x, y) => x - y);
    const holm = [
      3 * plain[0]!,
      Math.max(3 * plain[0]!, 2 * plain[1]!),
      Math.max(3 * plain[0]!, 2 * plain[1]!, plain[2]!),
    ];
    expect(result.pairs.map(({ p }) => p).sort((x, y) => x - y)).toEqual(holm.map((p) => Math.min(1, p)));
    expect([result.main.a, result.main.b].sort()).toEqual(["high", "mid"]);
    expect(result.omnibus!.p).toBeLessThan(1e-6);
  });

  it("uses the cluster-robust t test where clusters are few, and swaps clusters where they are many", () => {
    const many = compareTable(table, { ...columns, cluster: "group" }, { systems: ["low", "mid"] });
    expect([many.clusters, many.main.test.name]).toEqual([20, "permutation"]);
    const few = longTable(scores, (item) => `g${item % 5}`);
    const result = compareTable(few, { ...columns, cluster: "group" }, { systems: ["low", "mid"] });
    expect([result.clusters, result.main.test.name]).toEqual([5, "t"]);
    // with clusters of equal size the mean of cluster means has the classical standard error
    const means = Array.from({ length: 5 }, (_, g) => {
      const own = scores.mid.flatMap((v, i) => ((i + 1) % 5 === g ? [v - scores.low[i]!] : []));
      return own.reduce((sum, v) => sum + v, 0) / own.length;
    });
    const center = means.reduce((sum, v) => sum + v, 0) / 5;
    const se = Math.sqrt(means.reduce((sum, v) => sum + (v - center) ** 2, 0) / 4 / 5);
    expect(result.main.se).toBeCloseTo(se, 10);
    expect(result.main.df).toBeCloseTo(4, 8);
  });

  it("compares within slices and adjusts for looking at many", () => {
    const sliced = longTable(scores, (item) => (item <= 30 ? "first" : "second"));
    const result = compareTable(
      sliced,
      { ...columns, slices: ["group"] },
      { systems: ["low", "mid"], rng: makeRng("1") },
    );
    const [part] = result.slices;
    expect(part!.slices.map(({ name, n: size }) => [name, size])).toEqual([
      ["first", 30],
      ["second", 30],
    ]);
    const first = scores.mid.slice(0, 30).map((v, i) => v - scores.low[i]!);
    expect(part!.slices[0]!.difference).toBeCloseTo(first.reduce((sum, v) => sum + v, 0) / 30, 12);
    expect(part!.slices.every(({ p, adjusted }) => adjusted >= p)).toBe(true);
    expect(part!.atLeast).toBe(2);
  });

  it("has the p of bootstrapTest with the same seed, whichever other systems are compared", () => {
    const { mid, high } = scores;
    const rng = makeRng("7");
    const { p } = bootstrapTest(high, mid, { rng, replicates: 700 });
    const options = { test: "bootstrap" as const, replicates: 700, rng };
    expect(compareTable(table, columns, { ...options, systems: ["mid", "high"] }).main.p).toBe(p);
    const all = compareTable(table, columns, { ...options, systems: ["low", "mid", "high"], adjust: "none" });
    expect(all.pairs.find(({ a, b }) => a === "mid" && b === "high")!.p).toBe(p);
  });

  it("gives the same digits for the same seed", () => {
    const run = (seed: string) =>
      compareTable(table, columns, { systems: ["mid", "high"], test: "bootstrap", rng: makeRng(seed) });
    expect(run("7").main.p).toBe(run("7").main.p);
    expect(run("7").main.p).not.toBe(run("8").main.p);
  });
});

describe("verdict", () => {
  const measured = { difference: 0.01, se: 0.004, df: 99 };

  it("is EQUIVALENT where both one-sided tests reject, even if the difference is real", () => {
    const equivalence = testEquivalence(measured, 0.03, true);
    // t = 0.02 / 0.004 = 5 on 99 df is the weaker of the two
    expect(equivalence.p).toBeCloseTo(1.240698e-6, 11);
    expect(decide({ difference: 0.01, p: 0.014, alpha: 0.05, higherIsBetter: true, equivalence })).toBe("EQUIVALENT");
    expect(decide({ difference: 0.01, p: 0.014, alpha: 0.05, higherIsBetter: true })).toBe("BETTER");
    expect(decide({ difference: 0.01, p: Number.NaN, alpha: 0.05, higherIsBetter: true })).toBe("INCONCLUSIVE");
  });

  it("of shares is Tango's score: the 1 - 2α interval lies within the margin exactly if p < α", () => {
    const n = 200;
    const table = [150, 9, 6, 35] as const;
    const { lower, upper } = pairedProportionInterval(table, { confidence: 0.9 });
    for (const margin of [0.01, 0.03, 0.05, 0.06, 0.1]) {
      const { p } = testEquivalenceOfShares({ gained: 9, lost: 6, n }, margin, true);
      expect(p < 0.05, `margin ${margin}`).toBe(lower > -margin && upper < margin);
    }
    // three equal answers prove nothing
    expect(testEquivalenceOfShares({ gained: 0, lost: 0, n: 3 }, 0.05, true).p).toBeGreaterThan(0.3);
    expect(testEquivalence({ difference: 0, se: 0, df: 2 }, 0.05, true).p).toBeNaN();
  });

  it("plans the items that give 80 % power, as R's power.t.test does", () => {
    // power.t.test(delta = 0.2, sd = 1, power = 0.8, type = "paired")$n = 198.1513
    const step = planNextStep({
      items: 50,
      repeats: 1,
      measured: { difference: 0.2, se: 1 / Math.sqrt(50), df: 49 },
      target: 0.2,
      given: false,
      alpha: 0.05,
    });
    expect(step.items).toBe(199);
    expect(step.repeats).toBeNaN();
  });

  it("plans repeats beside items, and says when no number is enough", () => {
    const measured2 = { difference: 0.1, se: Math.sqrt((0.02 + 1) / 100), df: 99 };
    const noisy = { items: 0.02, repeatA: 0.5, repeatB: 0.5 };
    const step = planNextStep({
      items: 100,
      repeats: 1,
      measured: measured2,
      parts: noisy,
      target: 0.1,
      given: false,
      alpha: 0.05,
    });
    expect([step.items, step.repeats]).toEqual([803, 10]);
    const steady = { items: 1, repeatA: 0.01, repeatB: 0.01 };
    expect(
      planNextStep({
        items: 100,
        repeats: 1,
        measured: measured2,
        parts: steady,
        target: 0.1,
        given: false,
        alpha: 0.05,
      }).repeats,
    ).toBe(Number.POSITIVE_INFINITY);
  });

  it("plans the items with which two one-sided tests of equal systems have 80 % power", () => {
    const measured2 = { difference: 0, se: Math.sqrt(1.02 / 100), df: 99 };
    const step = planNextStep({ items: 100, repeats: 1, measured: measured2, target: 0.1, given: true, alpha: 0.05 });
    const powerAt = (n: number): number => 2 * normalCdf(0.1 / Math.sqrt(1.02 / n) - tQuantileUpper(0.05, n - 1)) - 1;
    expect(powerAt(step.items)).toBeCloseTo(0.8, 2);
    expect(powerAt(step.items - 10)).toBeLessThan(0.8);
  });
});

describe("variance of repeated scores", () => {
  it("recovers the parts that the scores were made of", () => {
    const rng = makeRng("parts");
    const n = 4000;
    const k = 4;
    const differences = new Float64Array(n);
    const [withinA, withinB] = [new Float64Array(n), new Float64Array(n)];
    for (let i = 0; i < n; i++) {
      const own = 0.5 * rng.normal();
      const draw = (sd: number, target: Float64Array): number => {
        const values = Array.from({ length: k }, () => sd * rng.normal());
        const mean = values.reduce((sum, v) => sum + v, 0) / k;
        target[i] = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
        return mean;
      };
      differences[i] = own + draw(1, withinB) - draw(2, withinA);
    }
    const counts = new Int32Array(n).fill(k);
    const parts = splitVariance({ differences, countsA: counts, countsB: counts, withinA, withinB });
    expect(Math.abs(parts.repeatA - 4)).toBeLessThan(4 * 4 * Math.sqrt(2 / (3 * n)));
    expect(Math.abs(parts.repeatB - 1)).toBeLessThan(4 * Math.sqrt(2 / (3 * n)));
    expect(Math.abs(parts.items - 0.25)).toBeLessThan(4 * 1.5 * Math.sqrt(2 / n));
  });
});

describe("texts", () => {
  const reference = ["the cat sat on the mat", "a dog barked", "it rains in the city", "we like tea"];
  const good = ["the cat sat on the mat", "a dog barked", "it rains in a city", "we like tea"];
  const bad = ["cat on mat", "dogs bark", "raining city", "tea is liked by us"];

  it("scores the whole set again for every swap: exact for few sentences", () => {
    const result = compareTexts({ bad, good }, [reference], { text: { metric: "chrf" } });
    expect(result.main.test.label).toBe("exact permutation test");
    expect(result.main.p).toBe(2 / 2 ** 4); // only the observed swap and its mirror image are as extreme
    expect(result.metricSignature).toContain("nrefs:1");
  });
});

describe("preferences", () => {
  /** Wins of `first`, ties, losses. */
  const battles = (pairs: readonly (readonly [string, string, number, number, number])[]): Table => {
    const rows: { system: string; opponent: string; battle: string; score: number }[] = [];
    let id = 0;
    for (const [first, second, wins, ties, losses] of pairs) {
      for (const [count, score] of [
        [wins, 1],
        [ties, 0.5],
        [losses, 0],
      ] as const) {
        for (let k = 0; k < count; k++) {
          id += 1;
          rows.push({ system: first, opponent: second, battle: `b${id}`, score });
          rows.push({ system: second, opponent: first, battle: `b${id}`, score: 1 - score });
        }
      }
    }
    return makeTable([
      ["system", factorColumn(rows.map((r) => r.system))],
      ["opponent", factorColumn(rows.map((r) => r.opponent))],
      ["battle", factorColumn(rows.map((r) => r.battle))],
      ["score", numericColumn(rows.map((r) => r.score))],
    ]);
  };
  const names = { system: "system", opponent: "opponent", battle: "battle", score: "score" };

  it("is the sign test of wins against losses", () => {
    const result = comparePreferences(battles([["x", "y", 5, 3, 15]]), names, { systems: ["x", "y"] });
    expect(result.main.p).toBeCloseTo(mcnemarP(15, 5, { method: "exact" }), 12);
    expect(result.n).toBe(23);
    expect(result.systems[1]!.score).toBeCloseTo((15 + 1.5) / 23, 12);
  });

  it("ranks more than two by Bradley and Terry's strengths", () => {
    const table = battles([
      ["x", "y", 10, 0, 30],
      ["y", "z", 10, 0, 30],
      ["x", "z", 5, 0, 45],
    ]);
    const result = comparePreferences(table, names, { systems: ["x", "y", "z"] });
    expect([...result.systems].sort((p, q) => q.score - p.score).map(({ name }) => name)).toEqual(["z", "y", "x"]);
    expect(result.pairs).toHaveLength(3);
    expect([result.main.a, result.main.b].sort()).toEqual(["y", "z"]);
  });

  it("compared all pairs of votes where a baseline was named, and adjusted for them", () => {
    const table = battles([
      ["x", "y", 10, 0, 30],
      ["y", "z", 10, 0, 30],
      ["z", "w", 20, 0, 20],
    ]);
    const all = comparePreferences(table, names, { systems: ["y", "x", "z", "w"], adjust: "bonferroni" });
    const own = comparePreferences(table, names, {
      systems: ["y", "x", "z", "w"],
      adjust: "bonferroni",
      pairs: "baseline",
    });
    expect(own.pairs.map(({ a, b }) => [a, b])).toEqual([
      ["y", "x"],
      ["y", "z"],
    ]);
    expect(own.pairs[0]!.p * 3).toBeCloseTo(all.pairs[0]!.p * 2, 12);
    expect(own.systems.map(({ score }) => score)).toEqual(all.systems.map(({ score }) => score));
    const away = { systems: ["w", "x", "y"], pairs: "baseline" } as const;
    expect(() => comparePreferences(table, names, away)).toThrow("w met none of the others");
  });
});

describe("accuracy from labels", () => {
  it("is compared by right and wrong answers, not as a metric of the whole set", () => {
    const scores = answers(60, 20, 5, 15);
    const rows = (["a", "b"] as const).flatMap((system) =>
      scores[system].map((right, i) => ({ system, item: `${i}`, right })),
    );
    const table = makeTable([
      ["system", factorColumn(rows.map((r) => r.system))],
      ["item", factorColumn(rows.map((r) => r.item))],
      ["gold", factorColumn(rows.map(() => "yes"))],
      ["pred", factorColumn(rows.map((r) => (r.right === 1 ? "yes" : "no")))],
    ]);
    const labels = { system: "system", item: "item", gold: "gold", predicted: "pred" };
    const result = compareLabels(table, labels, { systems: ["a", "b"], metric: { kind: "labels", name: "accuracy" } });
    expect(result.main.test.p).toBeCloseTo(mcnemarP(20, 5, { method: "mid-p" }), 12);
    expect(result.main.ci.method).toBe("mid-p (Fay & Lumbard)");
  });
});
