import { describe, expect, it } from "vitest";
import { correlationTest } from "./correlation.ts";
import { concordanceTails, kendallTail, oneOrder } from "./rank-correlation-law.ts";

/** All n! orders. */
function ordersOf(values: readonly number[]): number[][] {
  if (values.length <= 1) return [[...values]];
  return values.flatMap((v, i) => ordersOf(values.toSpliced(i, 1)).map((rest) => [v, ...rest]));
}

/** d(y|x) as Somers defines it. */
function somersOf(x: readonly number[], y: readonly number[]): number {
  let [S, untied] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      S += Math.sign(x[i]! - x[j]!) * Math.sign(y[i]! - y[j]!);
      untied += x[i] === x[j] ? 0 : 1;
    }
  }
  return S / untied;
}

const SAMPLES: readonly (readonly [x: number[], y: number[]])[] = [
  [
    [1, 2, 3],
    [2, 5, 9],
  ],
  [
    [1, 2, 3, 4],
    [4, 1, 3, 2],
  ],
  [
    [1, 1, 2, 3, 3],
    [2, 1, 2, 5, 4],
  ],
  [
    [0, 0, 0, 1, 1, 1],
    [0, 0, 1, 1, 1, 1],
  ],
  [
    [1, 2, 2, 3, 4, 5, 6],
    [1, 3, 2, 2, 5, 4, 4],
  ],
  [
    [3, 1, 4, 1.5, 5, 9, 2, 6],
    [2, 7, 1, 8, 2.5, 8.5, 1.5, 3],
  ],
];

describe("Somers' d of few rows", () => {
  it.each(SAMPLES)("%j, %j: p is that of all orders", (x, y) => {
    const observed = somersOf(x, y);
    const all = ordersOf(y).map((order) => somersOf(x, order));
    const share = (far: (d: number) => boolean): number => all.filter(far).length / all.length;
    const [upper, lower] = [share((d) => d >= observed - 1e-9), share((d) => d <= observed + 1e-9)];
    const own = correlationTest(x, y, { kind: "somers" });
    expect(own.effect.value).toBeCloseTo(observed, 12);
    expect(own.p).toBeCloseTo(Math.min(1, 2 * Math.min(upper, lower)), 12);
    expect(correlationTest(x, y, { kind: "somers", alternative: "greater" }).p).toBeCloseTo(upper, 12);
    expect(correlationTest(x, y, { kind: "somers", alternative: "less" }).p).toBeCloseTo(lower, 12);
    expect(Number.isFinite(own.statistic)).toBe(true);
    // τ_b has the same S and so the same p
    expect(correlationTest(x, y, { kind: "kendall" }).p).toBeCloseTo(own.p, 12);
  });

  it.each([3, 4, 5, 6, 7, 8])("of all orders of %i values at most 5 in 100 have p < 0.05", (n) => {
    const x = Array.from({ length: n }, (_, i) => i);
    // p depends on the number of discordant pairs alone, whose law is known: one order of each number is enough
    let rejected = 0;
    for (let T = 0, before = 0; T <= (n * (n - 1)) / 2; T++) {
      const below = kendallTail(T, n, "lower");
      if (correlationTest(x, orderWith(T, n), { kind: "somers" }).p < 0.05) rejected += below - before;
      before = below;
    }
    expect(rejected).toBeLessThanOrEqual(0.05);
  });

  it("is tested as Kendall's tau between 10 and 49 rows with ties, and by its own variance from 50 on", () => {
    const x = Array.from({ length: 30 }, (_, i) => i % 4);
    const y = Array.from({ length: 30 }, (_, i) => (i * 7) % 5);
    const kendall = correlationTest(x, y, { kind: "kendall" });
    expect(correlationTest(x, y, { kind: "somers" }).p).toBeCloseTo(kendall.p, 12);
    const half = Array.from({ length: 60 }, (_, i) => (i < 30 ? 0 : 1));
    const perfect = correlationTest(half, half, { kind: "somers" });
    expect(perfect.statistic).toBeCloseTo(Math.sqrt(59), 10);
    expect(perfect.p).toBeGreaterThan(0);
  });
});

/** T concordant pairs with 0 … n - 1. */
function orderWith(T: number, n: number): number[] {
  const order: number[] = [];
  let left = T;
  for (let k = 0; k < n; k++) {
    const concordant = Math.min(left, k);
    order.splice(concordant, 0, k);
    left -= concordant;
  }
  return order.map((_, i) => order.indexOf(i));
}

describe("Spearman's ρ of few rows", () => {
  /** Mid-ranks less their mean, times each other. */
  const productOf = (x: readonly number[], y: readonly number[]): number => {
    const ranks = (v: readonly number[]) =>
      v.map((own) => v.filter((o) => o < own).length + (v.filter((o) => o === own).length - v.length) / 2);
    const [a, b] = [ranks(x), ranks(y)];
    return a.reduce((sum, rank, i) => sum + rank * b[i]!, 0);
  };

  it.each(SAMPLES)("%j, %j: p is that of all orders, with ties too", (x, y) => {
    const observed = productOf(x, y);
    const all = ordersOf(y).map((order) => productOf(x, order));
    const share = (far: (product: number) => boolean): number => all.filter(far).length / all.length;
    const [upper, lower] = [share((v) => v >= observed), share((v) => v <= observed)];
    const own = correlationTest(x, y, { kind: "spearman" });
    expect(own.p).toBeCloseTo(Math.min(1, 2 * Math.min(upper, lower)), 12);
    expect(correlationTest(x, y, { kind: "spearman", alternative: "greater" }).p).toBeCloseTo(upper, 12);
    expect(correlationTest(x, y, { kind: "spearman", alternative: "less" }).p).toBeCloseTo(lower, 12);
  });

  it("has R's p next to the exact one where ties make R approximate", () => {
    // cor.test(x, y, method = "spearman"): p-value = 0.03141392225, "Cannot compute exact p-value with ties"
    const [x, y] = SAMPLES[4]!;
    const own = correlationTest(x, y, { kind: "spearman" });
    const asR = correlationTest(x, y, { kind: "spearman", method: "asymptotic" });
    expect(asR.p).toBeCloseTo(0.03141392225, 10);
    expect([own.statisticName, asR.statisticName, own.figures?.["p of t"]]).toEqual(["S", "t", asR.p]);
  });
});

describe("laws of rank correlations", () => {
  it("with ties and without agree", () => {
    const x = Float64Array.of(1, 2, 3, 4, 5, 6);
    const y = Float64Array.of(2, 1, 4, 3, 6, 5);
    const S = 15 - 2 * 3;
    const { upper, lower } = concordanceTails(x, y, S);
    expect(upper).toBeCloseTo(kendallTail(12, 6, "upper"), 14);
    expect(lower).toBeCloseTo(kendallTail(12, 6, "lower"), 14);
  });

  it("one order of 0, 0, 1, 1, 1 is one in ten", () => {
    expect(oneOrder([2, 3])).toBeCloseTo(0.1, 14);
  });

  it("a perfect Spearman correlation has the p of its one order, with ties and beyond nine rows", () => {
    const tied = [0, 0, 1, 1, 1];
    const own = correlationTest(tied, tied, { kind: "spearman" });
    expect([own.effect.value, own.p, own.statistic]).toEqual([1, expect.closeTo(0.2, 12), expect.closeTo(0, 12)]);
    const ten = Array.from({ length: 10 }, (_, i) => i);
    expect(correlationTest(ten, ten, { kind: "spearman" }).p).toBeCloseTo(2 / 3628800, 14);
    expect(correlationTest(ten, ten.toReversed(), { kind: "spearman" }).p).toBeCloseTo(2 / 3628800, 14);
  });

  it("points on a straight line have no t, which is said", () => {
    const own = correlationTest([0.1, 0.2, 0.3, 0.7], [1.3, 1.6, 1.9, 3.1], { kind: "pearson" });
    expect([own.effect.value, own.statistic, own.p]).toEqual([1, Number.NaN, Number.NaN]);
    expect(own.diagnostics.map(({ code }) => code)).toEqual(["PerfectCorrelation"]);
  });
});
