import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { f1, labelData } from "../../test/support/label-data.ts";
import { binomialCdf } from "../numeric/dist/binomial.ts";
import { hypergeometricSf } from "../numeric/dist/hypergeometric.ts";
import { makeRng } from "../numeric/rng.ts";
import { findLattice } from "./lattice.ts";
import { type Alternative, permutePaired } from "./permutation.ts";
import { type PairedStatistics, permutePairedScores } from "./permutation-scores.ts";
import { permuteTwoSample } from "./permutation-two-sample.ts";

const SIDES: readonly Alternative[] = ["two-sided", "greater", "less"];

const isExtreme = (t: number, t0: number, alternative: Alternative, tie: number): boolean =>
  alternative === "greater"
    ? t >= t0 - tie
    : alternative === "less"
      ? t <= t0 + tie
      : Math.abs(t) >= Math.abs(t0) - tie;

/** All 2^n sign vectors, by a Gray code. */
function enumerateFlips(d: readonly number[], alternative: Alternative): number {
  const signs = d.map(() => 1);
  const observed = d.reduce((a, b) => a + b, 0);
  const tie = 1e-11 * d.reduce((a, b) => a + Math.abs(b), 0);
  let sum = observed;
  let count = 0;
  const all = 2 ** d.length;
  for (let k = 1; k <= all; k++) {
    if (isExtreme(sum, observed, alternative, tie)) count++;
    const at = Math.min(31 - Math.clz32(k & -k), d.length - 1);
    signs[at] = -signs[at]!;
    sum += 2 * signs[at]! * d[at]!;
  }
  return count / all;
}

describe("paired permutation, exact", () => {
  const lattice = fc.oneof(
    fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 14 }),
    fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 14 }),
    fc.array(
      fc.integer({ min: -300, max: 300 }).map((k) => k / 100),
      { minLength: 1, maxLength: 14 },
    ),
    fc.array(
      fc.integer({ min: -9, max: 9 }).map((k) => k / 3),
      { minLength: 1, maxLength: 14 },
    ),
  );
  // numbers without a coarse unit, and not so far apart that the smaller ones are within the tolerance for ties
  const real = fc.array(
    fc.integer({ min: -1e8, max: 1e8 }).map((k) => k * Math.PI * 1e-8),
    { minLength: 1, maxLength: 14 },
  );

  it("is the proportion of all sign vectors, on lattices and for any numbers", () => {
    fc.assert(
      fc.property(fc.oneof(lattice, real), fc.constantFrom(...SIDES), (d, alternative) => {
        const own = permutePaired(Float64Array.from(d), { alternative });
        expect(own.method).toBe("exact");
        expect(own.p).toBeCloseTo(enumerateFlips(d, alternative), 12);
      }),
      { numRuns: 150 },
    );
  });

  it("is the proportion of all sign vectors for n = 20", () => {
    const rng = makeRng("twenty");
    const likert = Array.from({ length: 20 }, () => rng.int(9) - 3);
    const scores = Array.from({ length: 20 }, () => rng.normal() + 0.3);
    for (const d of [likert, scores]) {
      for (const alternative of SIDES) {
        expect(permutePaired(Float64Array.from(d), { alternative }).p).toBeCloseTo(enumerateFlips(d, alternative), 12);
      }
    }
  });

  it("is the binomial test for 0/1 differences, with all digits in the far tail", () => {
    for (const [b, c] of [
      [1400, 600],
      [60, 40],
      [1010, 990],
      [3, 0],
    ] as const) {
      const d = Float64Array.from({ length: b + c + 500 }, (_, i) => (i < b ? 1 : i < b + c ? -1 : 0));
      const p = 2 * binomialCdf(c, b + c, 0.5);
      expect(permutePaired(d).p / p).toBeCloseTo(1, 9);
    }
    // 10,000 items go through transforms
    const many = Float64Array.from({ length: 10_000 }, (_, i) => (i < 6000 ? 1 : -1));
    expect(permutePaired(many).p / (2 * binomialCdf(4000, 10_000, 0.5))).toBeCloseTo(1, 8);
  });

  it("swaps whole clusters", () => {
    const d = Float64Array.of(1, 2, -1, 3, 0.5, 0.5, -2);
    const clusters = Int32Array.of(7, 7, 3, 3, 9, 9, 1);
    expect(permutePaired(d, { clusters }).p).toBeCloseTo(enumerateFlips([3, 2, 1, -2], "two-sided"), 12);
  });

  it("has p = 1 without differences and NaN without items", () => {
    expect(permutePaired(new Float64Array(5)).p).toBe(1);
    expect(permutePaired(new Float64Array(0)).p).toBeNaN();
    expect(permutePaired(Float64Array.of(2)).p).toBe(1);
  });
});

describe("findLattice", () => {
  it.each([
    [[0.1, 0.2, 0.30000000000000004, -0.7], 0.1],
    [[1 / 3, -2 / 3, 1], 1 / 3],
    [[0.25, 0.5, -1.75], 0.25],
    [[6, -9, 15], 3],
  ])("%j has the unit %d", (values, unit) => {
    const lattice = findLattice(Float64Array.from(values))!;
    expect(lattice.unit).toBeCloseTo(unit, 12);
    expect(Array.from(lattice.steps)).toEqual(values.map((v) => Math.round(v / unit)));
  });

  it("finds none for measured numbers", () => {
    const rng = makeRng(4);
    expect(findLattice(Float64Array.from({ length: 50 }, () => rng.normal()))).toBeNull();
  });
});

describe("paired permutation, Monte Carlo", () => {
  it("draws replicate i from (seed, i) alone", () => {
    const rng = makeRng(8);
    const d = Float64Array.from({ length: 300 }, () => rng.normal());
    const p = (replicates: number) => permutePaired(d, { method: "monte-carlo", replicates, rng: makeRng(3) }).p;
    const count = (replicates: number) => Math.round(p(replicates) * (replicates + 1)) - 1;
    // the first 640 of 1000 are the same 640
    expect(count(1000)).toBeGreaterThanOrEqual(count(640));
    expect(count(640)).toBeGreaterThanOrEqual(count(130));
    expect(p(1000)).toBe(p(1000));
  });
});

function enumerateSwaps({ a, b, width, scoreOf }: PairedStatistics, alternative: Alternative): number {
  const n = a.length / width;
  const at = (mask: number): number => {
    const sums = [new Float64Array(width), new Float64Array(width)];
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < width; c++) {
        sums[(mask >> i) & 1]![c]! += a[i * width + c]!;
        sums[1 - ((mask >> i) & 1)]![c]! += b[i * width + c]!;
      }
    }
    return scoreOf(sums[0]!) - scoreOf(sums[1]!);
  };
  const observed = at(0);
  let count = 0;
  for (let mask = 0; mask < 2 ** n; mask++) {
    const t = at(mask);
    if (Number.isNaN(t) || isExtreme(t, observed, alternative, 1e-9)) count++;
  }
  return count / 2 ** n;
}

describe("paired permutation of a score of sums", () => {
  it("is the proportion of all swaps for F1 at n = 12", () => {
    for (const seed of ["a", "b", "c", "d"]) {
      const data = labelData(12, seed);
      for (const alternative of SIDES) {
        const own = permutePairedScores(data, { alternative });
        expect(own.method).toBe("exact");
        expect(own.p).toBeCloseTo(enumerateSwaps(data, alternative), 12);
      }
    }
  });

  it("counts a box of sums where items differ in many ways", () => {
    const rng = makeRng("micro");
    const n = 11;
    const make = () => Float64Array.from({ length: 3 * n }, () => rng.int(4));
    const data = { a: make(), b: make(), width: 3, scoreOf: f1 };
    expect(permutePairedScores(data).p).toBeCloseTo(enumerateSwaps(data, "two-sided"), 12);
    // the same through the box alone: 60 items of many kinds
    const long = (k: number) => Float64Array.from({ length: 2 * k }, () => rng.int(4));
    const ratio = { a: long(60), b: long(60), width: 2, scoreOf: (s: Float64Array) => s[0]! / s[1]! };
    const exact = permutePairedScores(ratio);
    expect(exact.method).toBe("exact");
    const drawn = permutePairedScores(ratio, { method: "monte-carlo", replicates: 200_000, rng: makeRng(2) });
    expect(Math.abs(drawn.p - exact.p)).toBeLessThan(4 * drawn.monteCarloSe);
  });

  it("is the test of means for the mean of one column", () => {
    const rng = makeRng("mean");
    const x = Float64Array.from({ length: 200 }, () => rng.int(5));
    const y = Float64Array.from({ length: 200 }, () => rng.int(5));
    const clusters = Int32Array.from(x, (_, i) => i % 40);
    const own = permutePairedScores({ a: x, b: y, width: 1, scoreOf: (s) => s[0]! / 200 }, { clusters });
    expect(own.p).toBeCloseTo(
      permutePaired(
        x.map((v, i) => v - y[i]!),
        { clusters },
      ).p,
      10,
    );
  });
});

describe("two-sample permutation", () => {
  it("is Fisher's exact test for 0/1 values", () => {
    const x = Float64Array.from({ length: 30 }, (_, i) => Number(i < 21));
    const y = Float64Array.from({ length: 50 }, (_, i) => Number(i < 20));
    expect(permuteTwoSample(x, y, { alternative: "greater" }).p).toBeCloseTo(hypergeometricSf(20, 41, 39, 30), 13);
  });

  it("is the proportion of all choices, and of all choices within strata", () => {
    const choices = (values: number[], k: number): number[] =>
      k === 0 ? [0] : values.flatMap((v, i) => choices(values.slice(i + 1), k - 1).map((s) => s + v));
    const [x, y] = [
      [3, 5, 5, 1.5],
      [2, 2, 4, 0, 1],
    ];
    const sums = choices([...x, ...y], 4);
    const share = sums.filter((s) => s >= 14.5).length / sums.length;
    expect(permuteTwoSample(Float64Array.from(x), Float64Array.from(y), { alternative: "greater" }).p).toBeCloseTo(
      share,
      13,
    );
    const strata = [Int32Array.of(0, 0, 1, 1), Int32Array.of(0, 0, 0, 1, 1)] as const;
    const first = choices([3, 5, 2, 2, 4], 2);
    const second = choices([5, 1.5, 0, 1], 2);
    const both = first.flatMap((s) => second.map((t) => s + t));
    const within = both.filter((s) => s >= 14.5).length / both.length;
    expect(
      permuteTwoSample(Float64Array.from(x), Float64Array.from(y), { alternative: "greater", strata }).p,
    ).toBeCloseTo(within, 13);
  });

  it("draws what it cannot count, within its own error", () => {
    const rng = makeRng("two");
    const x = Float64Array.from({ length: 40 }, () => rng.int(7));
    const y = Float64Array.from({ length: 60 }, () => rng.int(6));
    const exact = permuteTwoSample(x, y);
    expect(exact.method).toBe("exact");
    const drawn = permuteTwoSample(x, y, { method: "monte-carlo", replicates: 40_000, rng: makeRng(5) });
    expect(Math.abs(drawn.p - exact.p)).toBeLessThan(4 * drawn.monteCarloSe);
  });
});

describe("an exact p that cannot be had", () => {
  it("is refused, not replaced", () => {
    const rng = makeRng("refuse");
    const d = Float64Array.from({ length: 60 }, () => rng.normal());
    expect(() => permutePaired(d, { method: "exact" })).toThrow(/too many different sums/);
    expect(() =>
      permuteTwoSample(
        d,
        d.map((v) => v + rng.normal()),
        { method: "exact" },
      ),
    ).toThrow(/too many/);
    const scores = { a: d, b: d.map((v) => v + rng.normal()), width: 1, scoreOf: (s: Float64Array) => s[0]! };
    expect(() => permutePairedScores(scores, { method: "exact" })).toThrow(/too many/);
  });
});
