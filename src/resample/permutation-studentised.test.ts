import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { makeRng } from "../numeric/rng.ts";
import { twoSamplePermutationTest } from "../significance/tests/permutation-test.ts";
import { permuteStudentised } from "./permutation-studentised.ts";

const path = new URL("../../oracle/r/permutation-studentised.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(path, "utf8"));
const of = (values: readonly number[]): Float64Array => Float64Array.from(values);

describe("every deal of two small samples, as R counts them", () => {
  it.each(cases as { id: string }[])("$id", (stored) => {
    const { x, y, t, difference, se, p, greater, less, ends90 } = stored as unknown as Record<string, never>;
    const found = permuteStudentised(of(x), of(y), { confidence: 0.9 });
    expect(found.method).toBe("exact");
    expectClose([found.statistic, found.difference, found.se], [t, difference, se], { tolerance: 1e-10 });
    expectClose([found.p], [p], { tolerance: 1e-12 });
    expectClose([found.lower, found.upper], ends90, { tolerance: 1e-10 });
    expectClose([permuteStudentised(of(x), of(y), { alternative: "greater" }).p], [greater], { tolerance: 1e-12 });
    expectClose([permuteStudentised(of(x), of(y), { alternative: "less" }).p], [less], { tolerance: 1e-12 });
    const random = permuteStudentised(of(x), of(y), {
      method: "monte-carlo",
      rng: makeRng("deal"),
      replicates: 20_000,
    });
    expect(Math.abs(random.p - p)).toBeLessThan(4 * random.monteCarloSe);
    // the larger group may be dealt by its complement
    const turned = permuteStudentised(of(y), of(x), {
      method: "monte-carlo",
      rng: makeRng("deal"),
      replicates: 20_000,
    });
    expect(Math.abs(turned.p - p)).toBeLessThan(4 * turned.monteCarloSe);
  });
});

describe("studentised two-sample permutation", () => {
  const rng = makeRng("two");
  const sample = (n: number, sd: number): Float64Array => Float64Array.from({ length: n }, () => sd * rng.normal());

  it("leaves 0 out of its interval exactly if p says so", () => {
    for (let k = 0; k < 60; k++) {
      const [x, y] = [sample(12, 2).map((v) => v + 1.2), sample(30, 1)];
      for (const alternative of ["two-sided", "greater", "less"] as const) {
        const { p, lower, upper } = permuteStudentised(x, y, { alternative, replicates: 399, rng: rng.stream(k) });
        expect(lower > 0 || upper < 0).toBe(p <= 0.05);
      }
    }
  });

  it("keeps its level where the smaller sample varies more, which the plain test does not", () => {
    const data = Array.from({ length: 200 }, () => [sample(20, 3), sample(200, 1)] as const);
    const rejected = (studentised: boolean): number =>
      data.filter(
        ([x, y], k) => twoSamplePermutationTest(x, y, { studentised, replicates: 199, rng: rng.stream(k) }).p <= 0.05,
      ).length;
    // 5 % of 200 within four standard errors; the plain test rejects a third
    expect(rejected(true)).toBeLessThan(10 + 4 * Math.sqrt(200 * 0.05 * 0.95));
    expect(rejected(false)).toBeGreaterThan(45);
  });

  it("does not depend on origin, scale or order", () => {
    const [x, y] = [sample(6, 2), sample(7, 1)];
    const own = permuteStudentised(x, y);
    const moved = permuteStudentised(
      x.map((v) => 1e6 + 1000 * v).reverse(),
      y.map((v) => 1e6 + 1000 * v),
    );
    expect(moved.p).toBe(own.p);
    expect(moved.statistic).toBeCloseTo(own.statistic, 7);
    expect(permuteStudentised(y, x).p).toBe(own.p);
  });

  it("is undefined without spread or with one value, and refuses what cannot be counted", () => {
    expect(permuteStudentised(of([1, 1, 1]), of([1, 1])).p).toBeNaN();
    expect(permuteStudentised(of([1]), of([1, 2, 3])).p).toBeNaN();
    expect(() => permuteStudentised(sample(30, 1), sample(30, 1), { method: "exact" })).toThrow("too many");
    // too few deals for the confidence: no bound
    expect(permuteStudentised(of([1, 2]), of([3, 5]), { confidence: 0.95 }).lower).toBeLessThan(-3);
  });

  it("is a result with its own interval", () => {
    const result = twoSamplePermutationTest([1, 4, 2, 6], [0, 1, 1, 2, 3], { studentised: true });
    expect([result.statisticName, result.ci.method]).toEqual(["t", "permuted t"]);
    expect(result.effect.value).toBeCloseTo(13 / 4 - 7 / 5, 12);
    const strata = [Int32Array.of(0, 0, 1, 1), Int32Array.of(0, 1, 1, 0, 1)] as const;
    expect(() => twoSamplePermutationTest([1, 4, 2, 6], [0, 1, 1, 2, 3], { studentised: true, strata })).toThrow(
      "strata",
    );
  });
});
