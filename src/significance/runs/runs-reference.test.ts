import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase } from "../../../test/support/oracle.ts";
import { readReference } from "../../../test/support/reference.ts";
import { makeRng } from "../../numeric/rng.ts";
import { correctedResampledTest, fiveByTwoTest } from "./cross-validation.ts";
import { stochasticOrderTest, violationRatio } from "./stochastic-order.ts";

const { cases } = readReference("cv-seeds.json");
const close = { tolerance: 1e-12 };
const of = (start: string): readonly OracleCase[] => cases.filter(({ id }) => id.startsWith(start));

describe.each(of("nadeau"))("$id", ({ input, expected: e }) => {
  const differences = input["differences"] as number[];
  const sizes = { trainSize: input["n_train"] as number, testSize: input["n_test"] as number };
  const own = correctedResampledTest(differences, sizes);

  it("equals the reference", () => {
    const got = [own.estimate, own.variance, own.correction, own.effect.se, own.statistic, own.df as number, own.p];
    expectClose(got, [e.mean, e.variance, e.correction, e.se, e.t, e.df, e.p], close);
    expectClose(
      [own.ci.lower, own.ci.upper, own.naive.statistic, own.naive.p],
      [...e.ci95, e.naive_t, e.naive_p],
      close,
    );
    const greater = correctedResampledTest(differences, { ...sizes, alternative: "greater" });
    expectClose([greater.p], [e.p_one_sided_greater], close);
  });
});

describe.each(of("5x2cv"))("$id", ({ input, expected: e }) => {
  const differences = input["differences"] as number[][];
  const own = fiveByTwoTest(differences);

  it("equals the reference", () => {
    expectClose(own.variances, e.variances, close);
    expectClose([own.t.statistic, own.t.p, own.f.statistic, own.f.p], [e.t, e.t_p, e.f, e.f_p], close);
    expect([own.t.df, own.f.df]).toEqual([e.t_df, e.f_df]);
    expectClose([own.estimate], [e.mean], { tolerance: 1e-12 });
    expect([own.statistic, own.p]).toEqual([own.t.statistic, own.t.p]);
    const combined = fiveByTwoTest(differences, { method: "f" });
    expect([combined.statistic, combined.p, combined.df]).toEqual([own.f.statistic, own.f.p, own.f.df]);
  });
});

describe.each(of("aso"))("$id", ({ input, expected: e }) => {
  const [a, b] = [input["scores_a"] as number[], input["scores_b"] as number[]];
  const own = stochasticOrderTest(a, b, { rng: makeRng(1), replicates: 200 });

  it("equals the reference", () => {
    const undefinedAsNaN = (v: number | null): number => v ?? Number.NaN;
    const want = [e.wasserstein2_squared, e.violation_integral, undefinedAsNaN(e.violation_ratio)];
    expectClose([own.distance, own.violation, own.epsilon], want, { tolerance: 1e-12, floor: 1e-15 });
    expectClose([own.epsilonReverse], [undefinedAsNaN(e.violation_ratio_b_over_a)], { tolerance: 1e-12 });
    expectClose([own.estimate], [e.mean_difference], { tolerance: 1e-12, floor: 1e-15 });
    expect(own.dominates).toBe(e.stochastically_dominates);
    expect(violationRatio(a, b).epsilon).toBe(own.epsilon);
  });
});
