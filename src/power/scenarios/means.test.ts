import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { binomialPmf } from "../../numeric/dist/binomial.ts";
import { chiSquarePdf } from "../../numeric/dist/chi-square.ts";
import { normalCdf, normalPdf, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { boschlooTails } from "../../significance/tests/boschloo.ts";
import { fisherTest } from "../../significance/tests/fisher.ts";
import { proportionsTest } from "../../significance/tests/proportions.ts";
import { rankSumTest } from "../../significance/tests/rank-sum.ts";
import { wilcoxonTest } from "../../significance/tests/wilcoxon.ts";
import { simulatePower } from "../simulate.ts";
import { findMde } from "../solve/mde.ts";
import { findSize } from "../solve/size.ts";
import { computePower } from "../solve/solve.ts";
import { tFigures } from "../t-figures.ts";
import { meansFamily } from "./means.ts";
import { rankEfficiency } from "./means-efficiency.ts";
import { criticalRankSum, criticalSignedRank } from "./means-ranks.ts";
import type { MeansLaw } from "./means-simulate.ts";
import { unpairedFamily } from "./unpaired.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/reference/power.json", import.meta.url), "utf8"));

/** What is asked of the other tool and what it reports, by its own names. */
interface OracleCases {
  readonly "power.t.test": {
    readonly input: {
      readonly n?: number;
      readonly delta?: number;
      readonly sd: number;
      readonly power?: number;
      readonly type?: string;
      readonly alternative?: string;
      readonly strict?: boolean;
    };
    readonly expected: Readonly<Record<"n" | "delta" | "sd" | "sig_level" | "power", number>>;
  };
  readonly "pwr.t2n.test": {
    readonly input: { readonly n1: number; readonly n2: number; readonly d: number };
    readonly expected: { readonly power: number };
  };
  readonly "power.prop.test": {
    readonly input: {
      readonly n?: number;
      readonly p1: number;
      readonly p2?: number;
      readonly power?: number;
      readonly alternative?: string;
    };
    readonly expected: Readonly<Record<"n" | "p1" | "p2" | "sig_level" | "power", number>>;
  };
}

const cases = <Kind extends keyof OracleCases>(kind: Kind): (OracleCases[Kind] & { readonly id: string })[] =>
  oracle.cases.filter((c: { kind: string }) => c.kind === kind);

const DESIGNS: Record<string, string> = { paired: "paired", "one.sample": "one-sample" };

describe("power of the t test", () => {
  it("equals power.t.test: power, effect and the whole size above R's fraction", async () => {
    expect(cases("power.t.test")).toHaveLength(6);
    for (const { id, input, expected } of cases("power.t.test")) {
      const design = DESIGNS[input.type ?? ""] ?? "two-sample";
      const oneSided = input.alternative === "one.sided";
      const params = { design, oneSided, sd: input.sd, alpha: expected.sig_level };
      if (input.n === undefined) {
        const { n } = await findSize(meansFamily, { ...params, delta: input.delta }, { power: input.power! });
        expect(n, id).toBe(Math.ceil(expected.n));
      } else if (input.delta === undefined) {
        const { mde } = await findMde(meansFamily, { ...params, n: input.n }, { power: input.power! });
        // R's own root finder stops at 1e-4 relative
        expectClose([mde], [expected.delta], { tolerance: 1e-6, label: id });
      } else {
        const own = computePower(meansFamily, { ...params, n: input.n, delta: input.delta });
        expectClose([input.strict ? own.rejection : own.power], [expected.power], { tolerance: 1e-10, label: id });
      }
    }
  });

  it("equals pwr.t2n.test with unequal samples, which counts both signs", () => {
    const { input, expected } = cases("pwr.t2n.test")[0]!;
    const own = computePower(meansFamily, { design: "two-sample", n: input.n1, n2: input.n2, delta: input.d });
    expectClose([own.rejection], [expected.power], { tolerance: 1e-9 });
  });

  it.each([1, 2, 5, 40, 1e6])("has the Type-M of quadrature over the scale, df = %d", (df) => {
    for (const ncp of [0.3, 2.5]) {
      const own = tFigures({ ncp, df, alpha: 0.05, twoSided: true });
      const c = tQuantileUpper(0.025, df);
      // E over S of the normal's partial means, by a fine sum over log χ²
      let [size, mass] = [0, 0];
      const sd = Math.sqrt(2 * df);
      const [from, to] = df > 1000 ? [df - 12 * sd, df + 12 * sd] : [1e-14, df + 60 * sd];
      const steps = 40_000;
      const ratio = Math.log(to / from) / steps;
      for (let i = 0; i <= steps; i++) {
        const x = from * Math.exp(i * ratio);
        const weight = chiSquarePdf(x, df) * x * ratio * (i === 0 || i === steps ? 0.5 : 1);
        const limit = c * Math.sqrt(x / df);
        const [above, below] = [normalSf(limit - ncp), normalCdf(-limit - ncp)];
        mass += weight * (above + below);
        size += weight * (ncp * above + normalPdf(limit - ncp) + normalPdf(-limit - ncp) - ncp * below);
      }
      expectClose([own.rejection, own.typeM], [mass, size / mass / ncp], { tolerance: 2e-6, label: `ncp ${ncp}` });
    }
  });

  it("treats clusters as a smaller sample with the design effect", () => {
    // ICC 1: a cluster is one observation
    const one = computePower(meansFamily, { n: 60, delta: 0.5, clusterSize: 3, icc: 1 });
    expect(one.power).toBeCloseTo(computePower(meansFamily, { n: 20, delta: 0.5 }).power, 12);
    // ICC 0: only degrees of freedom are lost
    const none = computePower(meansFamily, { n: 60, delta: 0.5, clusterSize: 3, icc: 0 });
    expect(none.power).toBeCloseTo(
      tFigures({ ncp: 0.5 * Math.sqrt(60), df: 19, alpha: 0.05, twoSided: true }).power,
      12,
    );
  });

  it("makes the sd of differences from the systems' correlation", () => {
    const own = computePower(meansFamily, { n: 30, delta: 0.3, sd: 2, correlation: 0.875 });
    expect(own.power).toBe(computePower(meansFamily, { n: 30, delta: 0.3, sd: 1 }).power);
  });

  it("agrees with simulation in every design, clusters included", async () => {
    for (const params of [
      { n: 25, delta: 0.5 },
      { n: 20, n2: 35, delta: 0.7, design: "two-sample", oneSided: true },
      { n: 40, delta: 0.5, clusterSize: 4, icc: 0.3 },
      { n: 15, delta: 0.6, design: "one-sample", test: "z" },
    ]) {
      const exact = computePower(meansFamily, params);
      const drawn = await simulatePower(meansFamily, params, { rng: makeRng(3), replicates: 4000 });
      expect(Math.abs(drawn.power - exact.power), JSON.stringify(params)).toBeLessThan(4 * drawn.se);
      expect(Math.abs(drawn.typeM - exact.typeM), JSON.stringify(params)).toBeLessThan(4 * drawn.typeMSe);
    }
  });

  it("refuses what has no degree of freedom, no whole clusters, or contradicts its design", () => {
    const refuses = (params: Record<string, number | string>, text: RegExp): void => {
      expect(() => computePower(meansFamily, { delta: 1, ...params })).toThrow(text);
    };
    refuses({ n: 1 }, /n = 1 leaves no degree/);
    refuses({ n: 10, clusterSize: 3 }, /not a multiple of the cluster size/);
    refuses({ n: 10, sd: -1 }, /sd = -1/);
    refuses({ n: 10, n2: 5 }, /n2 = 5/);
    refuses({ n: 10, correlation: 1 }, /correlation = 1/);
  });
});

describe("power of the rank tests", () => {
  it("approximates the simulated power of the signed-rank and the rank-sum test", async () => {
    for (const params of [
      { n: 60, delta: 0.4, test: "wilcoxon" },
      { n: 60, delta: 0.4, test: "wilcoxon", shape: "laplace" },
      { n: 60, delta: 0.5, test: "wilcoxon", design: "two-sample" },
    ]) {
      const approx = computePower(meansFamily, params, "approx");
      const drawn = await simulatePower(meansFamily, params, { rng: makeRng(5), replicates: 3000 });
      expect(Math.abs(drawn.power - approx.power), JSON.stringify(params)).toBeLessThan(0.03 + 3 * drawn.se);
    }
  });

  it("rejects where the tests reject", () => {
    const rng = makeRng(11);
    for (let k = 0; k < 30; k++) {
      const [n1, n2] = [6 + (k % 9), 5 + (k % 7)];
      const x = Float64Array.from({ length: n1 }, () => rng.normal());
      const y = Float64Array.from({ length: n2 }, () => rng.normal() + 1);
      const d = Float64Array.from({ length: n1 }, () => rng.normal() + 0.7);
      const U = n1 * n2 - x.reduce((sum, a) => sum + y.filter((b) => b < a).length, 0);
      const sided = U >= criticalRankSum(n1, n2, 0.025) || n1 * n2 - U >= criticalRankSum(n1, n2, 0.025);
      expect(sided).toBe(rankSumTest(x, y, { method: "exact" }).p <= 0.05);
      const order = [...d].sort((a, b) => Math.abs(a) - Math.abs(b));
      const W = order.reduce((sum, v, i) => sum + Math.sign(v) * (i + 1), 0);
      expect(Math.abs(W) >= criticalSignedRank(n1, 0.025)).toBe(
        wilcoxonTest(d, new Float64Array(n1), { method: "exact" }).p <= 0.05,
      );
    }
  });
});

interface Cells {
  readonly a: number;
  readonly b: number;
  readonly n1: number;
  readonly n2: number;
}

function pOf(test: string, { a, b, n1, n2 }: Cells, alternative: "two-sided" | "greater" | "less"): number {
  if (test === "fisher")
    return fisherTest(
      [
        [b, n2 - b],
        [a, n1 - a],
      ],
      { alternative },
    ).p;
  const half = alternative === "two-sided" ? 1 : 0.5;
  if (test === "boschloo") {
    const { more, less } = boschlooTails({ successes: [a, b], trials: [n1, n2] });
    return 2 * half * Math.min(more, less);
  }
  return half * proportionsTest([b, a], [n2, n1], { correct: test === "z-cc" }).p;
}

describe("power of two proportions", () => {
  it("equals power.prop.test by the approximation: power, size and effect", async () => {
    expect(cases("power.prop.test")).toHaveLength(4);
    for (const { id, input, expected } of cases("power.prop.test")) {
      const params = { baseline: input.p1, oneSided: input.alternative === "one.sided" };
      if (input.n === undefined) {
        const found = await findSize(
          unpairedFamily,
          { ...params, delta: input.p2! - input.p1 },
          { power: input.power!, method: "approx" },
        );
        expect(found.n, id).toBe(Math.ceil(expected.n));
      } else if (input.p2 === undefined) {
        const { mde } = await findMde(
          unpairedFamily,
          { ...params, n: input.n },
          { power: input.power!, method: "approx" },
        );
        expectClose([input.p1 + mde], [expected.p2], { tolerance: 1e-5, label: id });
      } else {
        const own = computePower(unpairedFamily, { ...params, n: input.n, delta: input.p2 - input.p1 }, "approx");
        expectClose([own.power], [expected.power], { tolerance: 1e-10, label: id });
      }
    }
  });

  it.each(["boschloo", "fisher", "z", "z-cc"])(
    "%s: equals the sum over all tables, gain and loss, both sides and one",
    (test) => {
      for (const [n1, n2, p1, p2] of [
        [12, 17, 0.4, 0.8],
        [15, 9, 0.9, 0.35],
      ] as const) {
        for (const oneSided of [false, true]) {
          let [right, wrong, size] = [0, 0, 0];
          for (let a = 0; a <= n1; a++) {
            for (let b = 0; b <= n2; b++) {
              const sign = Math.sign(b / n2 - a / n1);
              const pooled = (a + b) / (n1 + n2);
              if (sign === 0 || pooled === 0 || pooled === 1) continue;
              const own = sign === Math.sign(p2 - p1);
              if (oneSided && !own) continue;
              if (pOf(test, { a, b, n1, n2 }, oneSided ? (b / n2 > a / n1 ? "greater" : "less") : "two-sided") > 0.05)
                continue;
              const mass = binomialPmf(a, n1, p1) * binomialPmf(b, n2, p2);
              if (own) right += mass;
              else wrong += mass;
              size += (mass * Math.abs(b / n2 - a / n1)) / Math.abs(p2 - p1);
            }
          }
          const own = computePower(unpairedFamily, { n: n1, n2, baseline: p1, delta: p2 - p1, test, oneSided });
          expectClose([own.power, own.rejection, own.typeM], [right, right + wrong, size / (right + wrong)], {
            tolerance: 1e-9,
            label: `${n1} ${oneSided}`,
          });
        }
      }
    },
  );

  it("agrees with its own simulation", async () => {
    const params = { n: 200, n2: 150, baseline: 0.7, delta: 0.1 };
    const drawn = await simulatePower(unpairedFamily, params, { rng: makeRng(2), replicates: 5000 });
    const exact = computePower(unpairedFamily, params);
    expect(Math.abs(drawn.power - exact.power)).toBeLessThan(4 * drawn.se);
    expect(Math.abs(drawn.typeM - exact.typeM)).toBeLessThan(4 * drawn.typeMSe);
  });
});

describe("efficiency of the rank tests", () => {
  const law = { sd: 2, clusterSize: 1, icc: 0 } as MeansLaw;

  it("has its known values for single scores, and that of the normal for the means of many", () => {
    expect(rankEfficiency({ ...law, shape: "normal" })).toBeCloseTo(3 / Math.PI, 9);
    expect(rankEfficiency({ ...law, shape: "logistic" })).toBeCloseTo(Math.PI ** 2 / 9, 9);
    expect(rankEfficiency({ ...law, shape: "laplace" })).toBeCloseTo(1.5, 9);
    expect(rankEfficiency({ ...law, shape: "laplace", clusterSize: 4000 })).toBeCloseTo(3 / Math.PI, 3);
    // all of the deviation is shared: as single scores
    expect(rankEfficiency({ ...law, shape: "laplace", clusterSize: 8, icc: 1 })).toBeCloseTo(1.5, 9);
  });

  it.each([
    { n: 100, delta: 0.5, icc: 0.1 },
    { n: 200, delta: 0.25, icc: 0 },
  ])("of clusters of ten Laplace scores agrees with simulation: %j", async (own) => {
    const params = { ...own, shape: "laplace", test: "wilcoxon", clusterSize: 10 };
    const { power } = computePower(meansFamily, params, "approx");
    const drawn = await simulatePower(meansFamily, params, { rng: makeRng("clusters"), replicates: 4000 });
    expect(Math.abs(power - drawn.power)).toBeLessThan(4 * drawn.se + 0.02);
  });
});
