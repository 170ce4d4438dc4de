import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { makeRng, type Rng } from "../../../numeric/rng.ts";
import { permutePaired } from "../../../resample/permutation.ts";
import { pairedEquivalenceTest } from "../../tests/equivalence.ts";
import { measureSkewedMean, skewedMeanInterval, skewedMeanTest, withMoreCarriers } from "../../tests/skewed-mean.ts";
import { pairedTTest } from "../../tests/t-test.ts";
import { compareTable } from "../table.ts";

const columns = { system: "system", item: "item", score: "score" };
const options = { systems: ["a", "b"] };

function tableOf(a: readonly number[], b: readonly number[]): Table {
  const items = a.map((_, i) => i);
  return makeTable([
    ["system", factorColumn([...a.map(() => "a"), ...b.map(() => "b")])],
    ["item", numericColumn([...items, ...items])],
    ["score", numericColumn([...a, ...b])],
    ["group", factorColumn([...items, ...items].map((i) => `g${i % 15}`))],
  ]);
}

/** Scores whose differences are exponential about `mean`. */
function skewed(rng: Rng, n: number, mean: number): readonly [number[], number[]] {
  const a = Array.from({ length: n }, () => rng.normal());
  return [a, a.map((v) => v + mean + rng.exponential() - 1)];
}

describe("scores that are no 0 and 1", () => {
  it("are compared by t with Hall's correction, by default", () => {
    const [a, b] = skewed(makeRng("default"), 30, 0.5);
    const { main, testChoice } = compareTable(tableOf(a, b), columns, options);
    const alone = skewedMeanTest(b, a);
    expect(main.test.name).toBe("skewness-adjusted-t");
    expect([main.p, main.ci.lower, main.ci.upper]).toEqual([
      expect.closeTo(alone.p, 12),
      expect.closeTo(alone.ci.lower, 12),
      expect.closeTo(alone.ci.upper, 12),
    ]);
    expect(main.skewness).toBeCloseTo(alone.figures!["skewness"] as number, 12);
    expect(testChoice).toContain("adjusted for the skewness");
  });

  it("of symmetric differences have the p and the interval of t", () => {
    const gains = [-3, -2, -1, 0, 1, 2, 3].flatMap((v) => [v + 0.5, 0.5 - v]);
    const a = gains.map((_, i) => i / 7);
    const b = gains.map((v, i) => a[i]! + v);
    const { main } = compareTable(tableOf(a, b), columns, options);
    const t = pairedTTest(b, a);
    expect([main.p, main.ci.lower, main.ci.upper]).toEqual([
      expect.closeTo(t.p, 10),
      expect.closeTo(t.ci.lower, 10),
      expect.closeTo(t.ci.upper, 10),
    ]);
  });

  it("have verdict, interval and EQUIVALENT that agree", () => {
    for (let k = 0; k < 60; k++) {
      const [a, b] = skewed(makeRng(`agree ${k}`), 25, 0.4);
      const { main, diagnostics } = compareTable(tableOf(a, b), columns, { ...options, margin: 0.8 });
      expect(main.ci.lower > 0 || main.ci.upper < 0).toBe(main.p < 0.05);
      const gains = Float64Array.from(b, (v, i) => v - a[i]!);
      const { lower, upper } = skewedMeanInterval(withMoreCarriers(measureSkewedMean(gains), gains, [a, b]), 0.9);
      expect(main.verdict === "EQUIVALENT").toBe(lower > -0.8 && upper < 0.8);
      const alone = pairedEquivalenceTest(b, a, { margin: 0.8, skewed: true });
      expect(main.equivalence!.p).toBeCloseTo(alone.p, 10);
      expect(diagnostics.map(({ code }) => code)).not.toContain("AtTheBorder");
    }
  });

  it("keep the test that was asked for", () => {
    const [a, b] = skewed(makeRng("asked"), 30, 0.5);
    const swapped = compareTable(tableOf(a, b), columns, { ...options, test: "permutation", margin: 1 });
    const gains = Float64Array.from(b, (v, i) => v - a[i]!);
    expect(swapped.main.p).toBe(permutePaired(gains).p);
    expect([swapped.main.ci.method, swapped.main.skewness]).toEqual(["t", undefined]);
    expect(swapped.testChoice).toContain("the default here is the skewness-adjusted t test");
    const plain = compareTable(tableOf(a, b), columns, { ...options, test: "t", margin: 1 });
    expect(plain.main.p).toBeCloseTo(pairedTTest(b, a).p, 12);
    const equal = pairedEquivalenceTest(b, a, { margin: 1 }).p;
    for (const { main } of [swapped, plain]) expect(main.equivalence!.p).toBeCloseTo(equal, 12);
  });

  it("in clusters are not for it", () => {
    const [a, b] = skewed(makeRng("clusters"), 30, 0.5);
    const clustered = { ...columns, cluster: "group" };
    expect(compareTable(tableOf(a, b), clustered, options).main.test.name).toBe("permutation");
    expect(() => compareTable(tableOf(a, b), clustered, { ...options, test: "skewness-adjusted-t" })).toThrow(
      "assumes independent items",
    );
  });

  it("that are equal throughout have p = 1", () => {
    const a = [0.2, 0.4, 0.1, 0.3];
    const { main } = compareTable(tableOf(a, a), columns, options);
    expect([main.p, main.verdict]).toEqual([1, "INCONCLUSIVE"]);
  });
});

describe("a claim that rests on one item", () => {
  // one item of forty gains 20, the others next to nothing
  const a = Array.from({ length: 40 }, () => 0);
  const b = a.map((_, i) => (i === 0 ? 20 : 0.01 * Math.sin(i)));
  const codesOf = (margin: number): string[] =>
    compareTable(tableOf(a, b), columns, { ...options, margin }).diagnostics.map(({ code }) => code);

  it("is warned of, and no claim is not", () => {
    expect(codesOf(30)).toContain("FewCarryAll");
    expect(codesOf(0.5)).not.toContain("FewCarryAll");
  });
});
