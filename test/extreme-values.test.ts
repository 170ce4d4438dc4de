/** Every test and interval of scores, on scores of any size and far from 0: the unit of the scores changes no p, no constant added to all of
 *  them changes a p that does not depend on it, and what numbers cannot hold is refused or NaN with its reason. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, factorColumn, makeTable, measureAgreement, numericColumn, StatError } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import {
  bootstrapMean,
  intervalFromReplicates,
  maxTP,
  permuteMaxT,
  permutePaired,
  permuteStudentised,
  permuteTwoSample,
} from "../src/resample.ts";
import * as tests from "../src/tests.ts";

/** What a function says: p values; numbers without a unit; numbers in the unit of the scores; and whether it gives a reason. */
interface Answer {
  readonly p: readonly number[];
  readonly free?: readonly number[];
  readonly scores?: readonly number[];
  readonly told: boolean;
}

interface Scores {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
  /** 1 in the unit of the scores. */
  readonly one: number;
}

interface Row {
  readonly name: string;
  readonly of: (scores: Scores) => Answer;
  /** Whether a constant added to all scores leaves p as it is. */
  readonly shifts: boolean;
  /** The smallest p that n rows can show; absent: any p above 0. */
  readonly least?: (n: number) => number;
  /** The tail of a normal or chi-square statistic is 0 in numbers where it is below 1e-323. */
  readonly underflows?: true;
}

const REPLICATES = 99;
const drawn = () => ({ replicates: REPLICATES, rng: makeRng(1) });

/** Of a test whose effect has the unit of the scores, or none. */
const ofTest = (own: tests.TestResult, effect: "scores" | "free" = "scores"): Answer => {
  const numbers = [own.effect.value, own.effect.se, own.ci.lower, own.ci.upper];
  return {
    p: [own.p],
    free: [...(own.statisticName === "difference" ? [] : [own.statistic]), ...(effect === "free" ? numbers : [])],
    scores: effect === "scores" ? numbers : [],
    told: own.diagnostics.length > 0,
  };
};

/** Of two one-sided tests that reject alike the statistic is that of either. */
const ofEquivalence = (own: tests.TestResult): Answer => ({ ...ofTest(own), free: [Math.abs(own.statistic)] });

const signs = (n: number): number => 2 ** -(n - 1);
const orders = (n: number): number => {
  let all = 1;
  for (let k = 2; k <= n; k++) all *= k;
  return 2 / all;
};
const deals = (n: number): number => {
  let all = 1;
  for (let k = 1; k <= n; k++) all *= (n + k) / k;
  return 1 / all;
};

const clusters = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i >> 1);
const runsOf = (x: readonly number[], y: readonly number[]) => ({ runs: 2, scores: Float64Array.from([...x, ...y]) });
const floats = (values: readonly number[]): Float64Array => Float64Array.from(values);

const TABLE: readonly Row[] = [
  { name: "oneSampleTTest", of: ({ x }) => ofTest(tests.oneSampleTTest(x)), shifts: false },
  { name: "pairedTTest", of: ({ x, y }) => ofTest(tests.pairedTTest(x, y)), shifts: true },
  {
    name: "pairedTTest, clusters",
    of: ({ x, y }) => ofTest(tests.pairedTTest(x, y, { clusters: clusters(x.length) })),
    shifts: true,
  },
  { name: "twoSampleTTest", of: ({ x, y }) => ofTest(tests.twoSampleTTest(x, y)), shifts: true },
  {
    name: "twoSampleTTest, equal variances",
    of: ({ x, y }) => ofTest(tests.twoSampleTTest(x, y, { variances: "equal" })),
    shifts: true,
  },
  { name: "zTest", of: ({ x, y }) => ofTest(tests.zTest(x, y)), shifts: true },
  { name: "zTest, paired", of: ({ x, y }) => ofTest(tests.zTest(x, y, { paired: true })), shifts: true },
  {
    name: "zTest, known sd",
    of: ({ x, y, one }) => ofTest(tests.zTest(x, y, { sd: one })),
    shifts: true,
    underflows: true,
  },
  {
    name: "zTestOfSummaries",
    of: ({ x, y, one }) =>
      ofTest(
        tests.zTestOfSummaries([
          { mean: x[0]!, n: 20, sd: 3 * one },
          { mean: y[0]!, n: 30, sd: one },
        ]),
      ),
    shifts: true,
    underflows: true,
  },
  { name: "skewedMeanTest", of: ({ x, y }) => ofTest(tests.skewedMeanTest(x, y)), shifts: true },
  { name: "wilcoxonTest", of: ({ x, y }) => ofTest(tests.wilcoxonTest(x, y)), shifts: true, least: signs },
  {
    name: "wilcoxonTest, pratt",
    of: ({ x, y }) => ofTest(tests.wilcoxonTest(x, y, { zeros: "pratt" })),
    shifts: true,
    least: signs,
  },
  {
    name: "wilcoxonTest, normal",
    of: ({ x, y }) => ofTest(tests.wilcoxonTest(x, y, { method: "normal" })),
    shifts: true,
  },
  { name: "signTest", of: ({ x, y }) => ofTest(tests.signTest(x, y)), shifts: true, least: signs },
  { name: "permutationTest", of: ({ x, y }) => ofTest(tests.permutationTest(x, y)), shifts: true, least: signs },
  { name: "bootstrapTest", of: ({ x, y }) => ofTest(tests.bootstrapTest(x, y, drawn())), shifts: true },
  { name: "rankSumTest", of: ({ x, y }) => ofTest(tests.rankSumTest(x, y)), shifts: true, least: deals },
  {
    name: "twoSamplePermutationTest",
    of: ({ x, y }) => ofTest(tests.twoSamplePermutationTest(x, y, drawn())),
    shifts: true,
    least: deals,
  },
  {
    name: "twoSamplePermutationTest, studentised",
    of: ({ x, y }) => ofTest(tests.twoSamplePermutationTest(x, y, { studentised: true, ...drawn() })),
    shifts: true,
    least: deals,
  },
  { name: "brunnerMunzelTest", of: ({ x, y }) => ofTest(tests.brunnerMunzelTest(x, y), "free"), shifts: true },
  {
    name: "kolmogorovSmirnovTest",
    of: ({ x, y }) => ofTest(tests.kolmogorovSmirnovTest(x, y), "free"),
    shifts: true,
    least: deals,
  },
  { name: "shapiroTest", of: ({ x }) => ofTest(tests.shapiroTest(x), "free"), shifts: true },
  ...(["fisher", "welch", "kruskal"] as const).map(
    (method): Row => ({
      name: `oneWayTest, ${method}`,
      of: ({ x, y, z }) => {
        const own = tests.oneWayTest([x, y, z], { method });
        return {
          p: [own.p, ...own.differences.map(({ p }) => p)],
          free: [own.statistic, own.effect.value],
          scores: own.differences.flatMap(({ difference, lower, upper }) => [difference, lower, upper]),
          told: own.diagnostics.length > 0,
        };
      },
      shifts: true,
    }),
  ),
  {
    name: "friedmanTest",
    of: ({ x, y, z }) => ofTest(tests.friedmanTest(x.map((v, i) => [v, y[i]!, z[i]!])), "free"),
    shifts: true,
  },
  ...tests.CORRELATIONS.map(
    (kind): Row => ({
      name: `correlationTest, ${kind}`,
      of: ({ x, y }) => ofTest(tests.correlationTest(x, y, { kind }), "free"),
      shifts: true,
      ...(kind === "spearman" || kind === "somers" ? { least: (n: number) => orders(n) } : {}),
    }),
  ),
  { name: "williamsOfColumns", of: ({ x, y, z }) => ofTest(tests.williamsOfColumns([x, y, z]), "free"), shifts: true },
  ...([false, true] as const).map(
    (skewed): Row => ({
      name: `pairedEquivalenceTest${skewed ? ", skewed" : ""}`,
      of: ({ x, y, one }) => ofEquivalence(tests.pairedEquivalenceTest(x, y, { margin: 0.75 * one, skewed })),
      shifts: true,
    }),
  ),
  {
    name: "twoSampleEquivalenceTest",
    of: ({ x, y, one }) => ofEquivalence(tests.twoSampleEquivalenceTest(x, y, { margin: 0.75 * one })),
    shifts: true,
  },
  {
    name: "correctedResampledTest",
    of: ({ x }) => ofTest(tests.correctedResampledTest(x, { trainSize: 90, testSize: 10 })),
    shifts: false,
  },
  {
    name: "fiveByTwoTest",
    of: ({ x, y }) => {
      const own = tests.fiveByTwoTest(Array.from({ length: 5 }, (_, i) => [x[i]!, y[i]!]));
      return { ...ofTest(own), p: [own.t.p, own.f.p], free: [own.t.statistic, own.f.statistic] };
    },
    shifts: false,
  },
  {
    name: "nestedCvTest",
    of: ({ x, y, z }) => {
      const losses = floats([...x.slice(0, 6), ...y.slice(0, 6), ...z.slice(0, 6)]);
      const fold = [...losses.keys()].map((i) => (i % 6) >> 1);
      return ofTest(
        tests.nestedCvTest({ losses, fold, left: [...losses.keys()].map((i) => Math.floor(i / 6)) }, { mu: 0 }),
      );
    },
    shifts: false,
    underflows: true,
  },
  {
    name: "runsPermutationTest",
    of: ({ x, y, z }) => {
      const own = tests.runsPermutationTest(runsOf(x, y), runsOf(z, y), drawn());
      return { ...ofTest(own), p: [own.p, own.pRuns] };
    },
    shifts: true,
  },
  {
    name: "multiBootstrapTest",
    of: ({ x, y, z }) => ofTest(tests.multiBootstrapTest(runsOf(x, y), runsOf(z, x), drawn())),
    shifts: true,
  },
  {
    name: "stochasticOrderTest",
    of: ({ x, y }) => ofTest(tests.stochasticOrderTest(x, y, drawn()), "free"),
    shifts: true,
  },
  {
    name: "oneWayIntraclass",
    of: ({ x, y, z }) => {
      const own = tests.oneWayIntraclass(
        [...x, ...y, ...z],
        [...x, ...y, ...z].map((_, i) => i % x.length),
      );
      return { p: [own.p], free: [own.f, own.icc1, own.icc1Lower, own.icc1Upper], told: true };
    },
    shifts: true,
  },
  {
    name: "measureAgreement",
    of: ({ x, y, z }) => {
      const items = x.map((_, i) => `item ${i}`);
      const table = makeTable([
        ["item", factorColumn([...items, ...items, ...items])],
        ["rater", factorColumn([x, y, z].flatMap((own, k) => own.map(() => `rater ${k}`)))],
        ["label", numericColumn([...x, ...y, ...z])],
      ]);
      const own = measureAgreement(table, {
        item: "item",
        rater: "rater",
        label: "label",
        scale: "interval",
        replicates: 0,
      });
      const { coefficients, intraclass } = own;
      return {
        p: intraclass === undefined ? [] : [intraclass.icc[2]!.p],
        free: [coefficients.alpha.value, ...(intraclass === undefined ? [] : [intraclass.icc[2]!.f])],
        told: true,
      };
    },
    shifts: true,
  },
  {
    name: "measureConsistency",
    of: ({ x, y, z }) => {
      const own = tests.measureConsistency([x, y, z]);
      return { p: [], free: [own.alpha, own.lambda2], told: true };
    },
    shifts: true,
  },
  {
    name: "skewedMeanInterval",
    of: ({ x }) => {
      const own = tests.measureSkewedMean(floats(x));
      const { lower, upper } = tests.skewedMeanInterval(own);
      return { p: [], free: [own.skewness], scores: [own.mean, own.se, lower, upper], told: true };
    },
    shifts: false,
  },
  {
    name: "poolEffects",
    of: ({ x, one }) => {
      const own = tests.poolEffects(
        x,
        x.map((_, i) => (1 + (i % 3)) * one * one),
      );
      return {
        p: [own.qP, own.fixed.p, own.reml.p, own.dlKnappHartung.p],
        free: [own.q],
        scores: [own.fixed.estimate, own.fixed.se, own.reml.estimate, own.reml.se, Math.sqrt(own.reml.tau2)],
        told: true,
      };
    },
    shifts: false,
    underflows: true,
  },
  {
    name: "eggerTest",
    of: ({ x, one }) => {
      const own = tests.eggerTest(
        x,
        x.map((_, i) => (1 + (i % 3)) * one * one),
      );
      return { p: [own.p], free: [own.t], told: false };
    },
    shifts: true,
  },
  {
    name: "beggTest",
    of: ({ x, one }) => {
      const own = tests.beggTest(
        x,
        x.map((_, i) => (1 + (i % 3)) * one * one),
      );
      return { p: [own.p], free: [own.tau], told: true };
    },
    shifts: true,
  },
  {
    name: "permutePaired",
    of: ({ x, y }) => {
      const own = permutePaired(floats(x.map((v, i) => v - y[i]!)));
      return { p: [own.p], scores: [own.statistic], told: true };
    },
    shifts: true,
    least: signs,
  },
  {
    name: "permuteTwoSample",
    of: ({ x, y }) => {
      const own = permuteTwoSample(floats(x), floats(y));
      return { p: [own.p], scores: [own.statistic], told: true };
    },
    shifts: true,
    least: deals,
  },
  {
    name: "permuteStudentised",
    of: ({ x, y }) => {
      const own = permuteStudentised(floats(x), floats(y), drawn());
      return { p: [own.p], free: [own.statistic], scores: [own.difference, own.lower, own.upper], told: true };
    },
    shifts: true,
    least: deals,
  },
  {
    name: "permuteMaxT",
    of: ({ x, y, z }) => {
      const pairs = [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const;
      const own = permuteMaxT(floats([...x, ...y, ...z]), x.length, { pairs });
      return {
        p: [...own.statistics].map((t) => maxTP(own, t)),
        free: [...own.statistics],
        scores: [...own.differences, ...own.standardErrors],
        told: true,
      };
    },
    shifts: true,
    least: signs,
  },
  {
    name: "bootstrapMean",
    of: ({ x }) => {
      const { estimate, values } = bootstrapMean(floats(x), drawn());
      const { lower, upper } = intervalFromReplicates({ estimate, values });
      return { p: [], scores: [estimate, lower, upper], told: true };
    },
    shifts: false,
  },
  {
    name: "compare",
    of: ({ x, y, one }) => {
      const items = x.map((_, i) => `item ${i}`);
      const table = makeTable([
        ["item", factorColumn([...items, ...items])],
        ["system", factorColumn([...x.map(() => "a"), ...y.map(() => "b")])],
        // no scores of -1, 0 and 1, which are read as votes and answers
        ["score", numericColumn([...x, ...y].map((v) => v + 40 * one))],
      ]);
      const own = compare(table, { rng: makeRng(1) });
      const pair = own.pairs[0]!;
      return {
        p: [pair.p],
        scores: [pair.difference, pair.ci.lower, pair.ci.upper],
        told: true,
      };
    },
    shifts: true,
  },
];

type Outcome = Answer | "refused";
function answer(row: Row, scores: Scores): Outcome {
  try {
    return row.of(scores);
  } catch (error) {
    if (error instanceof StatError) return "refused";
    throw error;
  }
}

/** Whole numbers with ties, and decimals that tie by rounding alone. */
const whole = fc.integer({ min: -4, max: 9 });
const decimal = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(0, 1, 2)).map(([k, way]) => {
  if (way === 0) return k / 10;
  if (way === 1) return Array.from({ length: k }, () => 0.1).reduce((a, b) => a + b, 0);
  return (k + 2) / 10 - 0.2;
});
const ordinary = fc.double({ min: -100, max: 100, noNaN: true }).filter((v) => v === 0 || Math.abs(v) > 1e-3);
const samples = (value: fc.Arbitrary<number>) =>
  fc.integer({ min: 6, max: 9 }).chain((n) => {
    const one = fc.array(value, { minLength: n, maxLength: n });
    return fc.tuple(one, one, one);
  });
/** Of very different sizes, some of them equal. */
const wide = fc.tuple(whole, fc.integer({ min: -60, max: 60 })).map(([v, k]) => v * 2 ** k);
/** Columns that are copies, mirror images or multiples of each other, or constant. */
const related = fc
  .tuple(samples(fc.oneof(whole, decimal)), fc.constantFrom(0, 1, 2, 3, 4), fc.constantFrom(0, 1, 2, 3, 4))
  .map(([[x], first, second]): [number[], number[], number[]] => {
    const copy = [
      (v: number) => v,
      (v: number) => -v,
      (v: number) => 2 * v + 0.7,
      () => 0.3,
      (v: number, i: number) => (i < 3 ? v : 1),
    ];
    return [x, x.map(copy[first]!), x.map(copy[second]!)];
  });
const anything = fc.oneof(samples(whole), samples(decimal), samples(ordinary), samples(wide), related);

const times = ([x, y, z]: readonly [number[], number[], number[]], one: number): Scores => ({
  x: x.map((v) => v * one),
  y: y.map((v) => v * one),
  z: z.map((v) => v * one),
  one,
});
const plus = ([x, y, z]: readonly [number[], number[], number[]], by: number): Scores => ({
  x: x.map((v) => v + by),
  y: y.map((v) => v + by),
  z: z.map((v) => v + by),
  one: 1,
});

const close = (a: number, b: number, tolerance: number, size: number): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b), size);

const listed = (own: Outcome): string => JSON.stringify(own, (_, v) => (typeof v === "number" ? String(v) : v));

function expectSame(seen: Outcome, base: Outcome, { one, tolerance }: { one: number; tolerance: number }): void {
  if (seen === "refused") return;
  const context = `${listed(seen)} for ${listed(base)}`;
  expect(base, context).not.toBe("refused");
  const own = base as Answer;
  const same = (a: readonly number[], b: readonly number[]): void => {
    a.forEach((v, i) => {
      expect(close(v, b[i]!, tolerance, tolerance) || (Number.isNaN(v) && seen.told), context).toBe(true);
    });
  };
  same(seen.p, own.p);
  same(seen.free ?? [], own.free ?? []);
  same(
    (seen.scores ?? []).map((v) => v / one),
    own.scores ?? [],
  );
}

/** What no answer may hold. */
function expectSound(row: Row, scores: Scores): void {
  const seen = answer(row, scores);
  if (seen === "refused") return;
  const context = listed(seen);
  for (const p of seen.p) {
    if (Number.isNaN(p)) expect(seen.told, context).toBe(true);
    else {
      const least = row.underflows ? 0 : (row.least?.(scores.x.length) ?? Number.MIN_VALUE);
      expect(p, context).toBeGreaterThanOrEqual(least * (1 - 1e-9));
      expect(p, context).toBeLessThanOrEqual(1);
    }
  }
  if (seen.p.some((p) => !Number.isNaN(p)))
    for (const v of seen.free ?? []) expect(Math.abs(v), context).not.toBe(Number.POSITIVE_INFINITY);
}

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 40) };

describe.each(TABLE.map((row) => [row.name, row] as const))("%s", (_name, row) => {
  it("does not change with the unit of the scores", () => {
    fc.assert(
      fc.property(
        anything,
        fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -1074, max: 950 })),
        (own, k) => {
          const one = 2 ** k;
          expectSame(answer(row, times(own, one)), answer(row, times(own, 1)), { one, tolerance: 1e-9 });
        },
      ),
      RUNS,
    );
  });

  it.runIf(row.shifts)("does not change with a constant added to all scores", () => {
    const offset = fc.constantFrom(-7, 1e3, 1e6, 1e9, 1e12, 1e14, -1e15, 1e15);
    fc.assert(
      fc.property(samples(whole), offset, (own, by) => {
        expectSame(answer(row, plus(own, by)), answer(row, plus(own, 0)), { one: 1, tolerance: 1e-6 });
      }),
      RUNS,
    );
  });

  it("has no p of 0 and no infinite statistic beside a p, of any numbers", () => {
    const any = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(
        0,
        5e-324,
        1e-320,
        -1e-310,
        1e-160,
        1e160,
        1e308,
        -Number.MAX_VALUE,
        1e15,
        1e15 + 1,
        0.3,
        0.1 + 0.2,
      ),
    );
    fc.assert(
      fc.property(fc.oneof(samples(any), anything), fc.constantFrom(1e-320, 1e-200, 1, 1e15), ([x, y, z], one) => {
        expectSound(row, { x, y, z, one });
      }),
      RUNS,
    );
  });
});
