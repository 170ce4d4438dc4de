import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../test/support/oracle.ts";
import { adjustP, adjustTests, criticalValue, type PAdjustment, tukeyP } from "./multiplicity.ts";

const oracle = readOracle("reference/multiplicity.json");
const METHODS: readonly PAdjustment[] = ["bonferroni", "holm", "hochberg", "hommel", "BH", "BY"];

describe.each(oracle.cases.filter((c) => c.kind === "adjust"))("$id equals p.adjust", ({ input, expected }) => {
  it.each(METHODS)("%s", (method) => {
    expectClose(adjustP(input["p"] as number[], method), expected[method], { tolerance: 1e-14 });
  });
});

describe.each(oracle.cases.filter((c) => c.kind === "tukey"))("all pairs of $id", ({ input, expected: e }) => {
  const { means, estimate, se, df, t } = input as Record<string, number[]> & { means: number };

  it("Tukey p values equal the exact ones, and R's to its accuracy", () => {
    const p = adjustTests(t!, df!, { method: "tukey", means });
    expectClose(p, e.p_tukey, { tolerance: 1e-8, floor: 1e-14 });
    expectClose(p, e.printed_tukey, { tolerance: 1e-4, floor: 1 });
  });

  it("Tukey intervals", () => {
    const half = df!.map((v) => criticalValue({ method: "tukey", tests: t!.length, means }, v, 0.95));
    expectClose(
      half.map((h, i) => estimate![i]! - h * se![i]!),
      e.lower,
      { tolerance: 1e-8, floor: 0.1 },
    );
    expectClose(
      half.map((h, i) => estimate![i]! + h * se![i]!),
      e.upper,
      { tolerance: 1e-8, floor: 0.1 },
    );
  });

  it("Holm", () => {
    expectClose(adjustTests(t!, df!, { method: "holm", means }), e.p_holm, { tolerance: 1e-9 });
    expectClose(adjustTests(t!, df!, { method: "none", means }), e.p, { tolerance: 1e-9 });
  });
});

/** All sets of tests, by the closure principle: test i is rejected when every set that holds it is. */
function closedTest(p: readonly number[], local: (set: number[]) => number): number[] {
  const adjusted = p.map(() => 0);
  for (let bits = 1; bits < 1 << p.length; bits++) {
    const members = p.map((_, i) => i).filter((i) => bits & (1 << i));
    const value = local(members.map((i) => p[i]!).sort((a, b) => a - b));
    for (const i of members) adjusted[i] = Math.max(adjusted[i]!, value);
  }
  return adjusted.map((v) => Math.min(1, v));
}

const simes = (set: number[]): number => Math.min(...set.map((v, i) => (set.length * v) / (i + 1)));
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 7 });

describe("closed testing by enumeration", () => {
  it("with Simes tests is Hommel", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        expectClose(adjustP(p, "hommel"), closedTest(p, simes), { tolerance: 1e-13 });
      }),
    );
  });

  it("with Bonferroni tests is Holm", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        expectClose(
          adjustP(p, "holm"),
          closedTest(p, (set) => set.length * set[0]!),
          { tolerance: 1e-13 },
        );
      }),
    );
  });
});

describe("Holm-Sidak", () => {
  it("is the closed test with Sidak's tests", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        expectClose(
          adjustP(p, "holm-sidak"),
          closedTest(p, (set) => -Math.expm1(set.length * Math.log1p(-set[0]!))),
          { tolerance: 1e-13 },
        );
      }),
    );
  });

  it("keeps the digits of tiny p values and stays below Holm", () => {
    // cummax(1 - (1 - p)^(4:1)) in R for p = .01, .02, .03, .9
    expectClose(adjustP([0.03, 0.01, 0.9, 0.02], "holm-sidak"), [0.0591, 0.03940399, 0.9, 0.058808], {
      tolerance: 1e-12,
    });
    expect(adjustP([1e-20, 0.5], "holm-sidak")[0]).toBeCloseTo(2e-20, 33);
  });
});

describe("adjustments", () => {
  it("stand in their known order and never fall below p", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const of = (method: PAdjustment) => adjustP(p, method);
        const [bonferroni, sidak, holm, hochberg, hommel, bh] = [
          of("bonferroni"),
          of("sidak"),
          of("holm"),
          of("hochberg"),
          of("hommel"),
          of("BH"),
        ];
        const slack = 1e-12;
        p.forEach((v, i) => {
          const chain = [v, bh[i]!, hommel[i]!, hochberg[i]!, holm[i]!, bonferroni[i]!];
          for (let k = 1; k < chain.length; k++) expect(chain[k]!).toBeGreaterThanOrEqual(chain[k - 1]! * (1 - slack));
          expect(sidak[i]!).toBeLessThanOrEqual(bonferroni[i]! * (1 + slack));
          expect(sidak[i]!).toBeGreaterThanOrEqual(v * (1 - slack));
        });
      }),
    );
  });

  it("follow the order of the tests", () => {
    const p = [0.04, 0.001, 0.3, 0.012];
    const back = [3, 2, 1, 0];
    for (const method of METHODS) {
      const turned = adjustP(
        back.map((i) => p[i]!),
        method,
      );
      expect(back.map((i) => turned[i]!)).toEqual([...adjustP(p, method)]);
    }
  });

  it("keep Sidak's digits for tiny p", () => {
    expectClose(adjustP([1e-20, 0.5], "sidak"), [2e-20, 0.75], { tolerance: 1e-14 });
  });

  it("leave missing p values out of the family", () => {
    expect([...adjustP([Number.NaN, 0.01, 0.02], "bonferroni")]).toEqual([Number.NaN, 0.02, 0.04]);
  });

  it("refuse what is no p value", () => {
    expect(() => adjustP([0.1, 1.2], "holm")).toThrow(/1.2 is not a p value/);
  });

  it("of a single test change nothing", () => {
    for (const method of METHODS) expect(adjustP([0.03], method)[0]).toBeCloseTo(0.03, 15);
  });
});

describe("Tukey", () => {
  it.each([2, 7.5, 40, Number.POSITIVE_INFINITY])("with two means is the t test (df %d)", (df) => {
    expectClose([tukeyP(2.1, 2, df)], [adjustTests([2.1], [df], { method: "none", means: 2 })[0]!], {
      tolerance: 1e-11,
    });
    const family = { tests: 2, means: 2 };
    expectClose(
      [criticalValue({ method: "tukey", ...family }, df, 0.9)],
      [criticalValue({ method: "none", ...family }, df, 0.9)],
      { tolerance: 1e-10 },
    );
  });

  it("uses each test's own df", () => {
    const p = adjustTests([2.5, 2.5], [5, 50], { method: "tukey", means: 4 });
    expect(p[0]).toBe(tukeyP(2.5, 4, 5));
    expect(p[1]).toBe(tukeyP(2.5, 4, 50));
  });
});

describe("critical values", () => {
  it("give intervals that touch 0 where the adjusted p is alpha", () => {
    for (const method of ["none", "bonferroni", "sidak", "tukey"] as const) {
      const t = criticalValue({ method, tests: 6, means: 4 }, 17, 0.95);
      const p = adjustTests([t, 0, 0, 0, 0, 0], new Array(6).fill(17), { method, means: 4 })[0]!;
      expect(p, method).toBeCloseTo(0.05, 11);
    }
  });

  it("of Holm and BH are Bonferroni's", () => {
    const of = (method: "holm" | "BH" | "bonferroni") => criticalValue({ method, tests: 6, means: 4 }, 17, 0.95);
    expect(of("holm")).toBe(of("bonferroni"));
    expect(of("BH")).toBe(of("bonferroni"));
  });
});
