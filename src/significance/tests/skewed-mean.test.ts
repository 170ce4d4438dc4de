import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { makeRng } from "../../numeric/rng.ts";
import { pairedEquivalenceTest } from "./equivalence.ts";
import {
  measureSkewedMean,
  skewedMeanInterval,
  skewedMeanTails,
  skewedMeanTest,
  withMoreCarriers,
} from "./skewed-mean.ts";
import { pairedTTest } from "./t-test.ts";

const { cases } = JSON.parse(readFileSync(new URL("../../../oracle/r/skewed-mean.json", import.meta.url), "utf8"));
const zeros = (n: number): number[] => Array(n).fill(0);

describe("Student's and Hall's t together, from the formulae in R", () => {
  it.each(cases as { id: string; x: number[] }[])("$id", (stored) => {
    const { x, mean, skewness, mus, tails, ends95, ends90 } = stored as unknown as Record<string, never>;
    const of = measureSkewedMean(Float64Array.from(x as number[]));
    expectClose([of.mean, of.skewness], [mean, skewness], { tolerance: 1e-12, floor: 1e-3 });
    (mus as number[]).forEach((mu, k) => {
      const { lower, upper } = skewedMeanTails(of, mu);
      expectClose([lower, upper], (tails as number[][])[k]!, { tolerance: 1e-9, label: `mu ${mu}` });
    });
    for (const [level, want] of [
      [0.95, ends95],
      [0.9, ends90],
    ] as const) {
      const { lower, upper } = skewedMeanInterval(of, level);
      expectClose([lower, upper], want as number[], { tolerance: 1e-9, floor: 1e-2 });
    }
  });
});

describe("a test of skewed differences", () => {
  const rng = makeRng("skewed");
  const skewed = Array.from({ length: 40 }, () => rng.exponential() ** 2);
  const none = zeros(40);

  it("is the t test where the differences are symmetric", () => {
    const even = [-3, -1, -0.5, 0.5, 1, 3].map((d) => d + 0.8);
    const [ours, plain] = [skewedMeanTest(even, zeros(6)), pairedTTest(even, zeros(6))];
    expectClose([ours.p, ours.ci.lower, ours.ci.upper], [plain.p, plain.ci.lower, plain.ci.upper], { tolerance: 1e-9 });
  });

  it("has an interval that excludes a mean exactly if p says so", () => {
    for (const confidence of [0.8, 0.95, 0.99]) {
      const { ci } = skewedMeanTest(skewed, none, { confidence });
      for (const [end, side] of [
        [ci.lower, -1],
        [ci.upper, 1],
      ] as const) {
        const p = (mu: number): number => skewedMeanTest(skewed, none, { mu }).p;
        expect(p(end)).toBeCloseTo(1 - confidence, 9);
        expect(p(end + side * 1e-6)).toBeLessThan(1 - confidence);
        expect(p(end - side * 1e-6)).toBeGreaterThan(1 - confidence);
      }
      const one = skewedMeanTest(skewed, none, { confidence, alternative: "greater" });
      expect(skewedMeanTest(skewed, none, { mu: one.ci.lower, alternative: "greater" }).p).toBeCloseTo(
        1 - confidence,
        9,
      );
    }
  });

  it("is never surer than t, and doubts on the side of the tail", () => {
    const [ours, plain] = [skewedMeanTest(skewed, none), pairedTTest(skewed, none)];
    expect(ours.ci.lower).toBe(plain.ci.lower);
    expect(ours.ci.upper).toBeGreaterThan(plain.ci.upper);
  });

  it("turns with the sign, and stays with scale and order", () => {
    const own = skewedMeanTest(skewed, none);
    const turned = skewedMeanTest(none, skewed);
    expectClose([turned.p, -turned.ci.upper, -turned.ci.lower], [own.p, own.ci.lower, own.ci.upper], {
      tolerance: 1e-10,
    });
    const scaled = skewedMeanTest(skewed.map((v) => 1000 * v).reverse(), none);
    expectClose([scaled.p, scaled.ci.upper / 1000], [own.p, own.ci.upper], { tolerance: 1e-10 });
  });

  it("says where one item carries all, and where nothing varies", () => {
    const codes = (x: number[]): string[] => skewedMeanTest(x, zeros(x.length)).diagnostics.map(({ code }) => code);
    expect(codes([...zeros(19), 1])).toEqual(["FewCarryAll"]);
    expect(codes(skewed)).toEqual([]);
    expect(codes([2, 2, 2])).toEqual(["NoSpread"]);
    expect(skewedMeanTest([2, 2, 2], zeros(3)).p).toBeNaN();
    expect(skewedMeanTest([1], [0]).p).toBeNaN();
  });

  it("makes an equivalence test: inside the margin exactly if the 1 - 2α interval is", () => {
    const { ci } = skewedMeanTest(skewed, none, { confidence: 0.9 });
    const at = (margin: number): number => pairedEquivalenceTest(skewed, none, { margin, skewed: true }).p;
    expect(at(ci.upper)).toBeCloseTo(0.05, 9);
    expect(at(ci.upper + 1e-6)).toBeLessThan(0.05);
    expect(at(ci.upper - 1e-6)).toBeGreaterThan(0.05);
    const result = pairedEquivalenceTest(skewed, none, { margin: 9, skewed: true });
    expectClose([result.ci.lower, result.ci.upper], [ci.lower, ci.upper], { tolerance: 1e-12 });
  });
});

describe("few items that carry the difference", () => {
  const rng = makeRng("carriers");
  // 4 of 60 items of the first system have a large loss
  const a = Array.from({ length: 60 }, (_, i) => (i % 15 === 7 ? 2 + i / 10 : 0));
  const b = Array.from({ length: 60 }, () => rng.exponential());
  const gains = Float64Array.from(b, (v, i) => v - a[i]!);
  const of = withMoreCarriers(measureSkewedMean(gains), gains, [a, b]);
  const mean = b.reduce((sum, v) => sum + v, 0) / 60;

  it("tails and interval are the widest of the sample and of one with two more of the largest loss", () => {
    const one = mean - Math.max(...a);
    const more = { ...measureSkewedMean(Float64Array.from([...gains, one, one])), df: 59 };
    const [own, plain, added] = [of, measureSkewedMean(gains), more].map((sample) => skewedMeanTails(sample));
    expect(own).toEqual({ lower: Math.max(plain!.lower, added!.lower), upper: Math.max(plain!.upper, added!.upper) });
    expect(own!.upper).toBeGreaterThan(3 * plain!.upper);
    const ends = [measureSkewedMean(gains), more].map((sample) => skewedMeanInterval(sample));
    expect(skewedMeanInterval(of)).toEqual({
      lower: Math.min(...ends.map(({ lower }) => lower)),
      upper: Math.max(...ends.map(({ upper }) => upper)),
    });
  });

  it("p agrees with the interval, turns with the sign, and a note beside a claim tells of it", () => {
    const test = skewedMeanTest(b, a);
    const level = 1 - test.p;
    expect(skewedMeanTest(b, a, { confidence: level }).ci.lower).toBeCloseTo(0, 9);
    expect(skewedMeanTest(a, b).p).toBeCloseTo(test.p, 12);
    expect(test.diagnostics.map(({ code }) => code)).toEqual(["FewCarriers"]);
  });

  it("many such items, or one usual score throughout, add nothing", () => {
    const many = a.map((v, i) => (i % 5 === 0 ? 1 + i / 10 : v));
    const [some, none] = [many, a.map(() => 0)].map((own) => {
      const differences = Float64Array.from(b, (v, i) => v - own[i]!);
      return withMoreCarriers(measureSkewedMean(differences), differences, [own, b]).further;
    });
    expect([some, none]).toEqual([undefined, undefined]);
  });
});
