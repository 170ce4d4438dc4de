import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../test/support/oracle.ts";
import { makeRng } from "../numeric/rng.ts";
import { bootstrapMean, bootstrapScores, bootstrapStatistic } from "./bootstrap.ts";
import { drawIndicesInto } from "./draw-indices.ts";
import { fastWord, startBits } from "./fast-bits.ts";
import { intervalFromReplicates, medianBias, quantileOf, replicateMoments, summariseReplicates } from "./intervals.ts";
import { multiBootstrap } from "./multi-bootstrap.ts";

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function correlation(pairs: readonly (readonly number[])[]): number {
  const [mx, my] = [mean(pairs.map((p) => p[0]!)), mean(pairs.map((p) => p[1]!))];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xx += (x! - mx) ** 2;
    yy += (y! - my) ** 2;
    xy += (x! - mx) * (y! - my);
  }
  return xy / Math.sqrt(xx * yy);
}

function median(values: readonly number[]): number {
  const s = [...values].sort((a, b) => a - b);
  return (s[(s.length - 1) >> 1]! + s[s.length >> 1]!) / 2;
}

// biome-ignore lint/suspicious/noExplicitAny: numbers or pairs, as stored
type Data = any[];

const STATISTICS: Record<string, (data: Data) => number> = {
  mean,
  median,
  correlation,
  mean_difference: (pairs) => mean(pairs.map((p) => p[0] - p[1])),
};

describe("boot of R with stored indices", () => {
  const { cases } = readOracle("reference/bootstrap.json");
  it.each(cases as Data)("$id", ({ input, expected }) => {
    const statistic = STATISTICS[input.statistic]!;
    const data: Data = input.data;
    const own = bootstrapStatistic(data.length, (items) => statistic(Array.from(items, (i) => data[i])), {
      indices: input.indices_zero_based,
    });
    const { mean: center, sd } = replicateMoments(own.values);
    const tolerance = { tolerance: 1e-10, floor: 1e-3 };
    expectClose([own.estimate, center - own.estimate, sd], [expected.t0, expected.bias, expected.se], tolerance);
    expectClose(own.values.slice(0, 10), expected.replicates_head, tolerance);
    expectClose([medianBias(own), own.jackknife.acceleration], [expected.z0, expected.acceleration], tolerance);
    const { acceleration } = own.jackknife;
    const interval = (
      type: "normal" | "basic" | "percentile" | "bca",
      confidence: number,
      quantile: "normal" | "linear" = "normal",
    ) => {
      const { lower, upper } = intervalFromReplicates({ ...own, acceleration, type, confidence, quantile });
      return [lower, upper];
    };
    for (const type of ["normal", "basic", "percentile", "bca"] as const) {
      expectClose([...interval(type, 0.9), ...interval(type, 0.95)], expected[`boot_${type}_90_95`].flat(), {
        ...tolerance,
        label: type,
      });
    }
    expectClose(interval("percentile", 0.95, "linear"), expected.quantile7_percentile_95, tolerance);
    expectClose(interval("bca", 0.95, "linear"), expected.quantile7_bca_95, tolerance);
    expectClose(
      intervalFromReplicates({ ...own, acceleration, type: "bca" }).levels,
      expected.adjusted_levels_95,
      tolerance,
    );
  });
});

const sample = (n: number, seed: string) => {
  const rng = makeRng(seed);
  return Float64Array.from({ length: n }, () => rng.normal() + 1);
};

describe("bootstrap", () => {
  it("has the standard error of the plug-in distribution", () => {
    const x = sample(60, "se");
    const { values, estimate } = bootstrapMean(x, { replicates: 20_000, rng: makeRng(1) });
    const squares = x.reduce((s, v) => s + (v - estimate) ** 2, 0) / 60;
    // relative standard error of a standard deviation from R draws: 1/√(2R)
    expect(replicateMoments(values).sd / Math.sqrt(squares / 60)).toBeCloseTo(1, 1.6);
  });

  it("gives the same replicates for a mean and for its sums, and for any number asked", () => {
    const x = sample(31, "same");
    const options = { replicates: 100, rng: makeRng(7), studentize: true };
    const own = bootstrapMean(x, options);
    const rows = Float64Array.from([...x].flatMap((v) => [v, 1]));
    const scores = bootstrapScores({ rows, width: 2, scoreOf: (s) => s[0]! / s[1]! }, options);
    const any = bootstrapStatistic(31, (items) => mean(Array.from(items, (i) => x[i]!)), {
      replicates: 100,
      rng: makeRng(7),
    });
    expectClose(scores.values, own.values, { tolerance: 1e-12 });
    expectClose(any.values, own.values, { tolerance: 1e-12 });
    expectClose(scores.standardErrors!, own.standardErrors!, { tolerance: 1e-9 });
    expectClose([scores.jackknife.se], [own.jackknife.se], { tolerance: 1e-12 });
    const few = bootstrapMean(x, { replicates: 40, rng: makeRng(7) });
    expectClose(few.values, own.values.slice(0, 40), { tolerance: 1e-12 });
  });

  it("covers with studentised intervals what it says for a skew sample's mean", () => {
    // 300 samples of 20 exponentials: coverage of 95 % intervals is about .94 (percentile: about .90)
    let covered = 0;
    for (let k = 0; k < 300; k++) {
      const rng = makeRng("cover", k);
      const x = Float64Array.from({ length: 20 }, () => rng.exponential());
      const own = bootstrapMean(x, { replicates: 199, rng, studentize: true });
      const { lower, upper } = intervalFromReplicates({
        ...own,
        se: own.jackknife.se,
        type: "studentized",
        standardErrors: own.standardErrors!,
      });
      if (lower <= 1 && 1 <= upper) covered++;
    }
    expect(covered / 300).toBeGreaterThan(0.905);
    expect(covered / 300).toBeLessThan(0.985);
  });

  it("draws every index alike, in pairs too", () => {
    const n = 7;
    const counts = new Float64Array(n * n);
    const target = new Int32Array(1001);
    const state = startBits(makeRng("pairs"));
    for (let r = 0; r < 100; r++) {
      drawIndicesInto(target, n, state);
      for (let i = 0; i < 1000; i += 2) counts[target[i]! * n + target[i + 1]!]! += 1;
    }
    const expected = 50_000 / 49;
    const chisq = counts.reduce((s, c) => s + (c - expected) ** 2 / expected, 0);
    // 48 df: .9999 quantile 93
    expect(chisq).toBeLessThan(93);
    drawIndicesInto(target, 70_000, state);
    expect(Math.max(...target)).toBeGreaterThan(65_536);
  });
});

describe("fast bits", () => {
  it("are xoshiro128++'s", () => {
    // from the state 1, 2, 3, 4, worked out by the published recurrence in exact integers
    const state = Int32Array.of(1, 2, 3, 4);
    expect(Array.from({ length: 4 }, () => fastWord(state) >>> 0)).toEqual([641, 1573767, 3222811527, 3517856514]);
  });
});

describe("quantiles of replicates", () => {
  it("needs no neighbour where the rank is whole", () => {
    const sorted = Float64Array.from({ length: 999 }, (_, i) => i + 1);
    expect(quantileOf(sorted, 0.025, "normal")).toBe(25);
    expect(quantileOf(sorted, 0.975, "normal")).toBe(975);
    expect(quantileOf(sorted, 0.5, "linear")).toBe(500);
    expect(quantileOf(Float64Array.of(4), 0.3, "linear")).toBe(4);
    expect(intervalFromReplicates({ estimate: 3, values: sorted.slice(0, 9), type: "percentile" }).beyond).toBe(true);
  });
});

describe("multi-bootstrap", () => {
  const rng = makeRng("runs");
  const [runs, items] = [5, 40];
  const runEffect = Array.from({ length: runs }, () => rng.normal());
  const scores = (shift: number) =>
    Float64Array.from({ length: runs * items }, (_, k) => runEffect[Math.floor(k / items)]! + rng.normal() + shift);
  const a = { runs, scores: scores(0.5) };
  const b = { runs, scores: scores(0) };

  it("has the variance of rows and columns drawn independently", () => {
    const { values, estimate } = multiBootstrap(a, b, { replicates: 4000, rng: makeRng(2), pairedRuns: true });
    const d = a.scores.map((v, k) => v - b.scores[k]!);
    expect(estimate).toBeCloseTo(mean([...d]), 12);
    const row = Array.from({ length: runs }, (_, s) => mean([...d.subarray(s * items, (s + 1) * items)]));
    const col = Array.from({ length: items }, (_, i) => mean(row.map((_r, s) => d[s * items + i]!)));
    const spread = (v: readonly number[]) => mean(v.map((x) => (x - mean(v)) ** 2));
    const total = spread([...d]);
    const inner = total - spread(row) - spread(col);
    const variance = spread(row) / runs + spread(col) / items + inner / (runs * items);
    expect(replicateMoments(values).sd / Math.sqrt(variance)).toBeCloseTo(1, 1.3);
  });

  it("is wider when runs are not paired but share their effect", () => {
    const spread = (pairedRuns: boolean) =>
      replicateMoments(multiBootstrap(a, b, { replicates: 1000, rng: makeRng(2), pairedRuns }).values).sd;
    expect(spread(false)).toBeGreaterThan(1.5 * spread(true));
  });
});

describe("reading off replicates", () => {
  it("order statistics where (R + 1)α is whole, between them on the normal scale", () => {
    const sorted = Float64Array.from({ length: 99 }, (_, i) => i + 1);
    expect(quantileOf(sorted, 0.05)).toBe(5);
    expect(quantileOf(sorted, 0.95)).toBe(95);
    // boot:::norm.inter(1:99, c(0.025, 0.975)) in R
    expectClose([quantileOf(sorted, 0.025)], [2.54224949883976], { tolerance: 1e-12 });
    expectClose([quantileOf(sorted, 0.975)], [97.45775050116025], { tolerance: 1e-12 });
    expect(quantileOf(sorted, 0.001)).toBe(1);
    expect(quantileOf(sorted, 0.9999)).toBe(99);
    expect(quantileOf(new Float64Array(0), 0.5)).toBeNaN();
  });

  it("leaves undefined replicates out and counts the rest", () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i === 40 ? Number.NaN : i < 40 ? i + 1 : i));
    const { mean: center, sd, lower, upper, used } = summariseReplicates(values, 0.9);
    expect([center, lower, upper, used]).toEqual([50, 5, 95, 99]);
    expect(sd).toBeCloseTo(Math.sqrt((99 * 100) / 12), 12); // of 1 … 99
  });
});
