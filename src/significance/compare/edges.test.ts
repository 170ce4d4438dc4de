/** What a comparison says where there is little to say: borders of the test, ends of the scale, no spread, copies. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { tSf } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { compareTableByModel } from "./by-model.ts";
import { compare } from "./compare.ts";
import { compareTable } from "./table.ts";
import { compareTexts } from "./texts.ts";
import { compareUnpaired } from "./unpaired.ts";

const columns = { system: "system", item: "item", score: "score" };
const options = { systems: ["a", "b"] };

function tableOf(rows: readonly (readonly [system: string, item: number, score: number, rater?: string])[]): Table {
  return makeTable([
    ["system", factorColumn(rows.map(([system]) => system))],
    ["item", numericColumn(rows.map(([, item]) => item))],
    ["score", numericColumn(rows.map(([, , score]) => score))],
    ["rater", factorColumn(rows.map(([, , , rater = "r"]) => rater))],
  ]);
}

const pairs = (scores: readonly (readonly [number, number])[]): Table =>
  tableOf(scores.flatMap(([a, b], i) => [["a", i, a] as const, ["b", i, b] as const]));

/** Items that both, only b, only a and neither got right. */
const answers = (both: number, onlyB: number, onlyA: number, neither: number): Table =>
  pairs([
    ...Array<[number, number]>(both).fill([1, 1]),
    ...Array<[number, number]>(onlyB).fill([0, 1]),
    ...Array<[number, number]>(onlyA).fill([1, 0]),
    ...Array<[number, number]>(neither).fill([0, 0]),
  ]);

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }): string[] =>
  diagnostics.map(({ code }) => code);

describe("verdict and interval of right and wrong answers", () => {
  it.each(["permutation", "sign", "mcnemar-exact", "mcnemar-midp", "mcnemar"] as const)(
    "agree with --test %s",
    (test) => {
      for (const [gained, lost] of [
        [7, 1],
        [9, 2],
        [12, 3],
        [30, 16],
      ] as const) {
        const { main, diagnostics } = compareTable(answers(20, gained, lost, 30), columns, {
          ...options,
          test,
          higherIsBetter: true,
        });
        expect(main.ci.lower > 0, `${gained} against ${lost}`).toBe(main.verdict === "BETTER");
        expect(diagnostics.map(({ code }) => code)).not.toContain("AtTheBorder");
      }
    },
  );

  it("7 against 1 of 21 are inconclusive by the exact test, and so is its interval", () => {
    const { main } = compareTable(answers(1, 7, 1, 12), columns, { ...options, test: "mcnemar-exact" });
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(main.p).toBeCloseTo(0.0703125, 10);
    expect(main.ci.lower).toBeCloseTo(-0.0204495, 6);
    expect(main.ci.upper).toBeCloseTo(0.5454988, 6);
  });
});

describe("the ends of the scale", () => {
  it("no interval of BLEU leaves 0 to 100, however few the sentences", () => {
    const systems = {
      a: ["the dog ran in the park", "good morning my old friend"],
      b: ["the dog ran in a park", "good morning dear friend"],
    };
    const result = compareTexts(systems, [["the dog ran in the park", "good morning to you my friend"]]);
    for (const { lower, upper } of result.systems) {
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(upper).toBeLessThanOrEqual(100);
    }
    expect(result.main.statement).toContain("cannot detect any difference with 80 % power, not even one of 100");
    expect(result.toString()).toContain("BLEU lies between 0 and 100");
  });

  it("a difference of averaged shares stays within 100 points, and a named score within its scale", () => {
    const half = tableOf([
      ["a", 1, 0],
      ["a", 1, 0],
      ["a", 2, 0],
      ["a", 2, 1],
      ["b", 1, 1],
      ["b", 1, 1],
      ["b", 2, 0],
      ["b", 2, 1],
    ]);
    const shares = compareTable(half, columns, options);
    expect(shares.main.ci).toMatchObject({
      lower: -1,
      upper: 1,
      method: "skewness-adjusted t, cut at the ends of the scale",
    });
    const scores = pairs([
      [0.5, 0.9],
      [0.1, 0.3],
    ]);
    const named = compareTable(scores, columns, { ...options, metric: "f1" });
    for (const { lower, upper } of named.systems) expect([lower! >= 0, upper! <= 1]).toEqual([true, true]);
    const free = compareTable(scores, columns, { ...options, metric: "reward" });
    expect(free.systems[0]!.lower).toBeLessThan(0);
    expect(compareUnpaired(scores, columns, { ...options, metric: "f1" }).main.ci.lower).toBeGreaterThanOrEqual(-1);
  });
});

describe("scores without spread", () => {
  it("a constant difference has no interval, no limit of sight and a reason", () => {
    const result = compareTable(pairs(Array.from({ length: 40 }, (_, i) => [i / 40, i / 40 + 0.25])), columns, options);
    expect(result.main.statement).toBe(
      "b scores 0.74 and a 0.49 on the same 40 items: a difference of +0.25 (95 % CI undefined), p undefined (skewness-adjusted t test).",
    );
    expect(result.main.verdict).toBe("INCONCLUSIVE");
    expect(result.main.mde80).toBeNaN();
    expect(codes(result)).toEqual(["ConstantDifference"]);
  });

  it("a system whose scores are all the same has no interval of width 0", () => {
    const result = compareTable(
      pairs([
        [0.5, 0.7],
        [0.5, 0.9],
        [0.5, 0.4],
      ]),
      columns,
      options,
    );
    expect(result.systems[0]!.lower).toBeNaN();
    expect(codes(result)).toContain("NoSpread");
  });

  it("scores whose squares are no numbers are refused, small ones are no shares", () => {
    expect(() =>
      compareTable(
        pairs([
          [1e300, 2e300],
          [1e300, 3e300],
        ]),
        columns,
        options,
      ),
    ).toThrow(/3.0e300/);
    expect(() =>
      compareTable(
        pairs([
          [1e-300, 2e-300],
          [1e-300, 3e-300],
        ]),
        columns,
        options,
      ),
    ).toThrow(/3.0e-300/);
    const small = compareTable(
      pairs([
        [1e-12, 2e-12],
        [3e-12, 3e-12],
        [2e-12, 5e-12],
      ]),
      columns,
      options,
    );
    expect(small.style.percent).toBe(false);
    expect(small.main.statement).toContain("3.333e-12");
  });
});

describe("rows and models", () => {
  it("copies of rows are warned of; repeats that meet by chance are not", () => {
    const once = [
      ["a", 1, 0.5],
      ["b", 1, 0.7],
      ["a", 2, 0.4],
      ["b", 2, 0.3],
    ] as const;
    expect(codes(compareTable(tableOf([...once, ...once]), columns, options))).toContain("DuplicateRows");
    expect(codes(compareTable(tableOf(once), columns, options))).not.toContain("DuplicateRows");
    const coarse = [
      ["a", 1, 1],
      ["a", 1, 1],
      ["a", 1, 0],
      ["b", 1, 1],
      ["a", 2, 0],
      ["b", 2, 0],
    ] as const;
    expect(codes(compareTable(tableOf(coarse), columns, options))).not.toContain("DuplicateRows");
  });

  it("some rows pasted twice among those of several raters were not warned of", () => {
    const rng = makeRng("pasted");
    const rows = Array.from({ length: 30 }, (_, i) => i).flatMap((i) =>
      ["a", "b"].flatMap((system) =>
        ["r1", "r2", "r3"].map((rater) => [system, i, 1 + Math.floor(5 * rng.uniform()), rater] as const),
      ),
    );
    const withRater = { ...columns, rater: "rater" };
    const alone = compareTableByModel(tableOf(rows), withRater, options);
    const pasted = compareTableByModel(tableOf([...rows, ...rows.slice(0, 40)]), withRater, options);
    expect(codes(alone)).not.toContain("DuplicateRows");
    expect(pasted.diagnostics.find(({ code }) => code === "DuplicateRows")!.message).toContain(
      "40 rows repeat another",
    );
    expect(pasted.main.difference).toBeCloseTo(alone.main.difference, 9);
  });

  it("(nearly) equal repeats of a few outputs are copies, and the difference is that of the rows without them", () => {
    const rng = makeRng("copies");
    const rows = Array.from({ length: 60 }, (_, i) => i).flatMap((i) => {
      const shift = 5 * rng.normal();
      return ["a", "b"].map((system, k) => {
        const rater = `r${Math.floor(8 * rng.uniform())}`;
        return [system, i, Math.round(80 + shift + 3 * k + 8 * rng.normal()), rater] as const;
      });
    });
    const [system, item, score, rater] = rows[10]!;
    const withRater = { ...columns, rater: "rater" };
    const alone = compareTableByModel(tableOf(rows), withRater, options);
    for (const extra of [0, 1e-4]) {
      const twice = compareTableByModel(tableOf([...rows, [system, item, score + extra, rater]]), withRater, options);
      expect(twice.main.difference).toBeCloseTo(alone.main.difference, 9);
      expect(twice.main.verdict).toBe(alone.main.verdict);
      expect(codes(twice)).toContain(extra === 0 ? "DuplicateRows" : "RepeatsAlike");
    }
  });

  it("model means are called so, with the raw means where they differ", () => {
    const rows = Array.from({ length: 48 }, (_, i) => {
      const [system, item, rater] = [i % 2 === 0 ? "a" : "b", (i >> 1) % 8, `r${Math.floor(i / 16)}`];
      return [system, item, 1 + ((i * i * 7 + item) % 5), rater] as const;
    });
    const withRater = { ...columns, rater: "rater" };
    const whole = compareTableByModel(tableOf(rows), withRater, options);
    expect(whole.toString()).toContain("here equal the raw means");
    const uneven = compareTableByModel(tableOf(rows.slice(5)), withRater, options);
    const own = rows.slice(5).filter(([system]) => system === "a");
    expect(uneven.systems[0]!.rawMean).toBeCloseTo(own.reduce((sum, [, , score]) => sum + score, 0) / own.length, 12);
    expect(uneven.toString()).toContain("raw mean");
  });
});

describe("a mixed model that did not converge", () => {
  /** One score a system, item and rater, and one more of the first cell. */
  const withRepeat = (apart: number): Table => {
    const rng = makeRng("settles");
    const rows = Array.from({ length: 40 }, (_, i) =>
      (["a", "b"] as const).map((system) => [system, i, 10 * rng.normal(), `r${i % 5}`] as const),
    ).flat();
    const [system, item, score, rater] = rows[0]!;
    return tableOf([...rows, [system, item, score + apart, rater]]);
  };

  it("carries no verdict, and the cause is said", () => {
    // what a rater thinks of a system is all that the scores are made of
    const rng = makeRng("whims");
    const rows = Array.from({ length: 5 }, (_, r) => r).flatMap((r) =>
      (["a", "b"] as const).flatMap((system) => {
        const whim = rng.normal();
        return Array.from({ length: 8 }, (_, i) => [system, i, whim + 1e-9 * rng.normal(), `r${r}`] as const);
      }),
    );
    const result = compare(tableOf(rows));
    expect(result.model!.fit.converged).toBe(false);
    expect(result.main.verdict).toBe("NONE");
    expect(result.main.reason).toMatch(/did not converge/);
    expect(result.main.statement).toContain("No verdict on b against a");
    expect(result.toString()).toMatch(/^NONE: b against a/);
    expect(codes(result)).toContain("NotConverged");
  });

  it("is none where the only repeat is a copy, which tells nothing of noise", () => {
    const [copied, plain] = [compare(withRepeat(0), { run: "none" }), compare(withRepeat(Number.NaN), { run: "none" })];
    const near = compare(withRepeat(1e-7), { run: "none" });
    expect([near.main.difference, near.main.p]).toEqual([plain.main.difference, plain.main.p]);
    expect(codes(near)).toContain("RepeatsAlike");
    expect(copied.model!.formula).toBe("score ~ system + (1 | item) + (1 + d || rater)");
    expect(copied.model!.fit.converged).toBe(true);
    expect([copied.main.difference, copied.main.p]).toEqual([plain.main.difference, plain.main.p]);
  });
});

describe("few groups that were found and not named", () => {
  const grouped = (groups: number): Table => {
    const rng = makeRng("groups");
    const rows = Array.from({ length: 60 }, (_, i) =>
      ["a", "b"].map((s) => [s, `q${i}`, `d${i % groups}`, rng.int(2)]),
    ).flat();
    return makeTable([
      ["system", factorColumn(rows.map(([s]) => String(s)))],
      ["item", factorColumn(rows.map(([, i]) => String(i)))],
      ["document", factorColumn(rows.map(([, , d]) => String(d)))],
      ["correct", numericColumn(rows.map(([, , , y]) => Number(y)))],
    ]);
  };

  it("are asked about below twenty, and clusters by themselves from there on", () => {
    for (const groups of [4, 5, 9])
      expect(() => compare(grouped(groups))).toThrow(
        expect.objectContaining({ code: "AskCluster", fix: expect.stringContaining("`cluster: none`") }),
      );
    const [found, named] = [compare(grouped(20)), compare(grouped(20), { cluster: "document" })];
    expect([found.clusters, found.main.p]).toEqual([20, named.main.p]);
  });
});

describe("many items", () => {
  it("leave the difference the degrees of freedom of its three raters", () => {
    const rng = makeRng("large");
    const leaning = { r1: -0.3, r2: 0.1, r3: 0.5 };
    const rows = Array.from({ length: 5_700 }, (_, i) => ({ i, level: rng.normal() })).flatMap(({ i, level }) =>
      (["a", "b"] as const).flatMap((system) =>
        (["r1", "r2", "r3"] as const).map((rater) => {
          const own = (system === "b" ? leaning[rater] : 0) + rng.normal();
          return [system, i, level + own, rater] as const;
        }),
      ),
    );
    const withRater = { ...columns, rater: "rater" };
    const found = compareTableByModel(tableOf(rows), withRater, { ...options, details: false });
    expect(codes(found)).not.toContain("NormalTest");
    const mean = (system: string, rater: string): number => {
      const own = rows.filter((row) => row[0] === system && row[3] === rater);
      return own.reduce((sum, [, , score]) => sum + score, 0) / own.length;
    };
    // of a crossed design without gaps: the t test of three differences
    const gains = ["r1", "r2", "r3"].map((rater) => mean("b", rater) - mean("a", rater));
    const centre = gains.reduce((sum, gain) => sum + gain, 0) / 3;
    const se = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - centre) ** 2, 0) / 6);
    const { p, difference, verdict } = found.pairs[0]!;
    expect(difference).toBeCloseTo(centre, 8);
    // or of the model, whose df are hardly more
    expect(p).toBeCloseTo(2 * tSf(Math.abs(centre) / se, 2), 4);
    expect(verdict).toBe("INCONCLUSIVE");
  });
});

describe("a difference that no rounding of its scores gives", () => {
  it("stood beside them without a word: 72.7, 45.5 and +27.3", () => {
    const rounded = ({ display }: { display(): { screen?: { facts: readonly { label: string }[] } } }): boolean =>
      display().screen!.facts.some(({ label }) => label === "Rounded");
    expect(rounded(compareTable(answers(15, 9, 0, 9), columns, options))).toBe(true);
    expect(rounded(compareTable(answers(15, 9, 0, 16), columns, options))).toBe(false);
  });
});

describe("the bootstrap on few items", () => {
  const scores = (n: number): Table =>
    pairs(Array.from({ length: n }, (_, i) => [i % 7, (i % 7) + ((i * 5) % 11) / 10] as const));
  const asked = (table: Table, n: number) =>
    compareTable(table, columns, { ...options, test: "bootstrap", replicates: 99 + n });

  it("gave a p that is too small without a word: the measured rate is said", () => {
    const { diagnostics } = asked(scores(50), 50);
    const found = diagnostics.find(({ code }) => code === "FewUnits");
    expect(found).toMatchObject({ severity: "warning" });
    expect(found?.message).toMatch(/^50 items are few for the bootstrap.* 6\.7 % with 50/);
    expect(codes(compareTable(scores(50), columns, options))).not.toContain("FewUnits");
  });

  it("is let be where it keeps its level: many items, or 0 and 1", () => {
    expect(codes(asked(scores(120), 120))).not.toContain("FewUnits");
    expect(codes(asked(answers(20, 5, 5, 20), 50))).not.toContain("FewUnits");
  });
});

describe("equivalence of differences with a long tail", () => {
  const tailed = (tail: number): Table =>
    pairs(Array.from({ length: 60 }, (_, i) => [5, 5 + 0.1 * (i % 5) - 0.2 + (i % 30 === 0 ? tail : 0)] as const));

  it("rests on one side of a skewed mean, and says so", () => {
    const { main, diagnostics } = compareTable(tailed(4), columns, { ...options, margin: 1 });
    expect(main.verdict).toBe("EQUIVALENT");
    expect(diagnostics.map(({ code }) => code)).toContain("SkewedDifferences");
    expect(codes(compareTable(tailed(0), columns, { ...options, margin: 1 }))).not.toContain("SkewedDifferences");
  });
});

it("an interval beyond all ratings asks for the scale, and ends there where the column names it", () => {
  const rated = (name: string) => {
    const rows = Array.from({ length: 10 }, (_, i) => [i, i % 5 === 0 ? (i > 0 ? 3 : 2) : 5] as const);
    return compare(
      makeTable([
        ["system", factorColumn(rows.flatMap(() => ["a", "b"]))],
        ["item", factorColumn(rows.flatMap(([i]) => [`q${i}`, `q${i}`]))],
        [name, numericColumn(rows.flatMap(([i, v]) => [v, i === 5 ? 5 : v]))],
      ]),
      { system: "system", item: "item", metric: name, higherIsBetter: true },
    );
  };
  const told = ({ diagnostics }: ReturnType<typeof compare>) => diagnostics.find(({ code }) => code === "BeyondScale");
  const open = rated("rating");
  expect(Math.max(...open.systems.map(({ upper }) => upper!))).toBeGreaterThan(5);
  expect(told(open)).toMatchObject({
    message: expect.stringMatching(/beyond the largest rating seen, 5/),
    fix: expect.stringContaining('"rating (2-5)"'),
  });
  const named = rated("rating (1-5)");
  expect(Math.max(...named.systems.map(({ upper }) => upper!))).toBe(5);
  expect(told(named)).toBeUndefined();
});

it("F1 without a hit has no interval of the difference, and the headline says why", () => {
  const label = (i: number, own: readonly number[]): string => (own.includes(i) ? "spam" : "ham");
  const rows = Array.from({ length: 80 }, (_, i) => [label(i, [0, 1, 2]), label(i, [20]), label(i, [22, 30])] as const);
  const table = makeTable([
    ["id", factorColumn(rows.map((_, i) => `q${i}`))],
    ["gold", factorColumn(rows.map(([gold]) => gold))],
    ["x", factorColumn(rows.map(([, x]) => x))],
    ["y", factorColumn(rows.map(([, , y]) => y))],
  ]);
  const result = compare(table, { item: "id", gold: "gold", pred: ["x", "y"], metric: "f1", positive: "spam" });
  expect([result.main.difference, result.main.ci.lower, result.main.ci.upper, result.main.mde80]).toEqual([
    0,
    NaN,
    NaN,
    NaN,
  ]);
  expect(result.toJSON()).toMatchObject({ headline: expect.stringContaining("the interval is undefined") });
});

it("macro F1 over many rare classes has a warning with the coverage of its intervals", () => {
  const warned = (classes: number) => {
    const rows = Array.from({ length: 120 }, (_, i) => [
      i % classes,
      (i * 7) % 3 ? i % classes : 0,
      (i * 5) % 4 ? i % classes : 1,
    ]);
    const column = (k: number) => factorColumn(rows.map((row) => `c${row[k]}`));
    const table = makeTable([
      ["id", factorColumn(rows.map((_, i) => `q${i}`))],
      ["gold", column(0)],
      ["x", column(1)],
      ["y", column(2)],
    ]);
    const { diagnostics } = compare(table, { item: "id", gold: "gold", pred: ["x", "y"], metric: "macro-f1" });
    return diagnostics.find(({ code }) => code === "RareClasses")?.message;
  };
  expect(warned(20)).toMatch(/^20 of 20 classes have fewer than 10 items each.*covered 92\.3 %/);
  expect(warned(4)).toBeUndefined();
});

it("clusters whose means differ alike say so of the clusters, and not of their items", () => {
  const rows = Array.from({ length: 24 }, (_, doc) =>
    [0.2, 0.8, 0.4, 0.6].flatMap((gain, i) => [
      { system: "A", item: `d${doc}-${i}`, doc: `d${doc}`, score: 0.7 * i },
      { system: "B", item: `d${doc}-${i}`, doc: `d${doc}`, score: 0.7 * i + gain },
    ]),
  ).flat();
  const found = compare(rows, { cluster: "doc", higherIsBetter: true });
  const told = found.diagnostics.map(({ message }) => message).join(" ");
  expect(told).toContain("differ by the same 0.500 on average in every cluster");
  expect(told).not.toContain("on every item");
  // each system's cluster means are equal as well, up to rounding
  expect(found.systems.map(({ lower }) => lower)).toEqual([Number.NaN, Number.NaN]);
});
