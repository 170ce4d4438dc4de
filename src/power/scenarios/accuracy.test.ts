import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { binomialPmf } from "../../numeric/dist/binomial.ts";
import { makeRng } from "../../numeric/rng.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import type { PowerFigures } from "../scenario.ts";
import { simulatePower } from "../simulate.ts";
import { computePower } from "../solve/solve.ts";
import { ACCURACY_TESTS, accuracyFamily } from "./accuracy.ts";
import { preferenceFamily } from "./preference.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/reference/power.json", import.meta.url), "utf8"));

const figures = (
  params: Record<string, number | string | boolean>,
  method: "exact" | "approx" = "exact",
): PowerFigures => computePower(accuracyFamily, params, method);

describe("power of McNemar's test", () => {
  it("equals the enumeration of appendix C for four tests: power, rejection, Type-M and Type-S", () => {
    const names = { exact: "mcnemar-exact", midp: "mcnemar-midp", chi2: "mcnemar", chi2cc: "mcnemar-cc" } as const;
    for (const { id, n, p_only_new: win, p_only_old: lose, tests } of oracle.card.appendixC) {
      for (const [name, test] of Object.entries(names)) {
        const own = figures({ n, delta: win - lose, agreement: 1 - win - lose, test });
        const want = tests[name];
        expectClose(
          [own.power, own.rejection, own.typeM, own.typeS],
          [want.power, want.rejection_any_sign, want.type_m, want.type_s],
          { tolerance: 1e-9, floor: 1e-6, label: `${id} ${name}` },
        );
      }
    }
  });

  it("equals the enumeration behind Fig. 3, 7 and 8", () => {
    expect(oracle.card.figures378).toHaveLength(110);
    for (const { agreement, n, delta, power, type_m, type_s } of oracle.card.figures378) {
      const own = figures({ n, delta, agreement, test: "mcnemar-exact" });
      expectClose([own.power, own.typeM, own.typeS], [power, type_m, type_s], {
        tolerance: 1e-9,
        floor: 1e-6,
        label: `${n} ${delta}`,
      });
    }
  });

  it("equals the classical cases, where both signs count", () => {
    const names = { exact: "mcnemar-exact", midp: "mcnemar-midp", chisq: "mcnemar", chisq_cc: "mcnemar-cc" } as const;
    const cases = oracle.cases.filter((c: { kind: string }) => c.kind.startsWith("mcnemar"));
    expect(cases).toHaveLength(4);
    for (const { id, input, expected } of cases) {
      for (const [name, test] of Object.entries(names)) {
        const { n_pairs: n, p_first_only: win, p_second_only: lose, alpha } = input;
        const own = figures({ n, delta: win - lose, agreement: 1 - win - lose, test, alpha });
        expect(Math.abs(own.rejection - expected[name]), `${id} ${name}`).toBeLessThan(1e-11);
      }
    }
  });

  it.each(Object.entries(ACCURACY_TESTS))(
    "%s equals the sum over all tables of 14 items, one- and two-sided",
    (test, method) => {
      const n = 14;
      for (const [win, lose] of [
        [0.3, 0.1],
        [0.05, 0.6],
      ] as const) {
        for (const oneSided of [false, true]) {
          const own = figures({ n, delta: win - lose, agreement: 1 - win - lose, test, oneSided, alpha: 0.07 });
          const want = allTables({ n, win, lose }, (b, c) => {
            const alternative = oneSided ? (win > lose ? "greater" : "less") : "two-sided";
            return mcnemarP(b, c, { method, alternative, n }) <= 0.07 * (1 + 1e-12);
          });
          expectClose(Object.values(pick(own)), Object.values(pick(want)), {
            tolerance: 1e-11,
            floor: 1e-3,
            label: `${test} ${win} ${oneSided}`,
          });
        }
      }
    },
  );

  it("counts a p value that equals α as significant", () => {
    // five of five: p = 2/32
    const own = figures({ n: 5, delta: 1, agreement: 0, alpha: 0.0625, test: "mcnemar-exact" });
    expect(own.power).toBe(1);
    expect(figures({ n: 5, delta: 1, agreement: 0, alpha: 0.0624, test: "mcnemar-exact" }).power).toBe(0);
  });

  it("has no Type-M where nothing can be significant, and says so", () => {
    const none = computePower(accuracyFamily, { n: 5, delta: 0.5, agreement: 0.5, test: "mcnemar-exact" });
    expect([none.power, none.typeM]).toEqual([0, Number.NaN]);
    expect(none.diagnostics.map(({ code }) => code)).toEqual(["NothingSignificant"]);
  });

  it("has an unconditional test that keeps its level and is more powerful than the exact one at n = 500", () => {
    const at = (test: string) => figures({ n: 500, delta: 0.02, agreement: 0.9, test }).power;
    expect(at("mcnemar-unconditional")).toBeGreaterThan(at("mcnemar-exact"));
    // hardly any effect: the rejection rate is the type-I error
    for (const agreement of [0.5, 0.9, 0.99]) {
      const null_ = figures({ n: 500, delta: 1e-12, agreement, test: "mcnemar-unconditional" });
      expect(null_.rejection).toBeLessThanOrEqual(0.05 + 1e-9);
    }
  });

  it("answers at n = 390,965 with every test, near the approximation", () => {
    const approx = figures({ n: 390_965, delta: 0.001, agreement: 0.94 }, "approx").power;
    for (const test of Object.keys(ACCURACY_TESTS)) {
      const { power } = figures({ n: 390_965, delta: 0.001, agreement: 0.94, test });
      expect(Math.abs(power - approx), test).toBeLessThan(0.006);
    }
  });

  it("is the same for a loss as for a gain", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0.01, max: 0.4, noNaN: true }), (n, delta) => {
        const up = figures({ n, delta, agreement: 0.55 });
        const down = figures({ n, delta: -delta, agreement: 0.55 });
        expect(up.power).toBeCloseTo(down.power, 12);
      }),
      { numRuns: 40 },
    );
  });

  it("agrees with its own simulation within four standard errors", async () => {
    for (const test of Object.keys(ACCURACY_TESTS)) {
      const params = { n: 300, delta: 0.03, agreement: 0.9, test };
      const exact = figures(params);
      const drawn = await simulatePower(accuracyFamily, params, { rng: makeRng(7), replicates: 4000 });
      expect(Math.abs(drawn.power - exact.power), test).toBeLessThan(4 * drawn.se);
      expect(Math.abs(drawn.typeM - exact.typeM), test).toBeLessThan(4 * drawn.typeMSe);
    }
  });
});

describe("parameters of an accuracy scenario", () => {
  const refuses = (params: Record<string, number | string>, text: RegExp): void => {
    expect(() => figures(params)).toThrow(text);
  };

  it("predicts agreement from the baseline by the GLUE regression", () => {
    const { power } = figures({ n: 1821, delta: 0.0102, baseline: 0.972, test: "mcnemar-midp" });
    const agreement = 0.41422307 + 0.58187475 * 0.972 - 0.46624237 * 0.0102;
    expect(power).toBe(figures({ n: 1821, delta: 0.0102, agreement, test: "mcnemar-midp" }).power);
  });

  it("warns where the regression contradicts the accuracies", () => {
    const result = computePower(accuracyFamily, { n: 147, delta: 0.0526, baseline: 0.945 });
    expect(result.diagnostics.map((d) => d.code)).toContain("OverlapContradicts");
  });

  it("refuses what cannot be, with the admissible range", () => {
    refuses({ n: 100, delta: 0.2, agreement: 0.9 }, /agreement = 0.9 with delta = 0.2 cannot be/);
    try {
      figures({ n: 100, delta: 0.2, agreement: 0.9 });
    } catch (error) {
      expect((error as { fix: string }).fix).toBe("agreement can lie between 0 and 0.8.");
    }
    refuses({ n: 100, delta: 0.1, agreement: 0.5, baseline: 0.85 }, /on a baseline of 0.85 cannot be/);
    refuses({ n: 100, delta: 0.2, baseline: 0.9 }, /delta = 0.2 on a baseline of 0.9/);
    refuses({ n: 0, delta: 0.02, agreement: 0.9 }, /n = 0/);
    refuses({ n: 100, delta: 0, agreement: 0.9 }, /delta = 0/);
    refuses({ n: 100, delta: 0.02 }, /needs the proportion/);
    refuses({ n: 100, delta: 0.02, agreement: 1.2 }, /agreement = 1.2/);
    refuses({ n: 100, delta: 0.02, agreement: 0.9, tset: "x" }, /no parameter "tset"/);
  });
});

describe("power of preferences", () => {
  it("equals the enumeration of Fig. 1", () => {
    for (const [n, want] of Object.entries<Record<string, number>>(oracle.card.figure1)) {
      const own = computePower(preferenceFamily, { n: Number(n), win: 0.65 });
      expectClose([own.power, own.typeM, own.typeS], [want["power"]!, want["type_m"]!, want["type_s"]!], {
        tolerance: 1e-10,
        floor: 1e-6,
      });
    }
  });

  it("leaves ties out: as many decided judgements as a binomial gives", () => {
    const [n, win, tie] = [40, 0.5, 0.25];
    const own = computePower(preferenceFamily, { n, win, tie });
    const want = allTables({ n, win, lose: 0.25 }, (b, c) => mcnemarP(b, c, { method: "exact" }) <= 0.05);
    expectClose(Object.values(pick(own)), Object.values(pick(want)), { tolerance: 1e-11, floor: 1e-3 });
  });

  it("refuses shares above 1 and a tie of wins and losses", () => {
    expect(() => computePower(preferenceFamily, { n: 10, win: 0.7, tie: 0.4 })).toThrow(/add up to more than 1/);
    expect(() => computePower(preferenceFamily, { n: 10, win: 0.4, tie: 0.2 })).toThrow(/as many wins as losses/);
  });
});

const pick = ({ power, rejection, typeM, typeS }: PowerFigures) => ({ power, rejection, typeM, typeS });

/** Every (wins, losses) of n items. */
function allTables(
  { n, win, lose }: { n: number; win: number; lose: number },
  rejects: (b: number, c: number) => boolean,
): PowerFigures {
  let right = 0;
  let wrong = 0;
  let size = 0;
  for (let b = 0; b <= n; b++) {
    for (let c = 0; b + c <= n; c++) {
      if (b === c || !rejects(b, c)) continue;
      const mass = binomialPmf(b, n, win) * binomialPmf(c, n - b, lose / (1 - win));
      if (Math.sign(b - c) === Math.sign(win - lose)) right += mass;
      else wrong += mass;
      size += (mass * Math.abs(b - c)) / n / Math.abs(win - lose);
    }
  }
  return { power: right, rejection: right + wrong, typeM: size / (right + wrong), typeS: wrong / (right + wrong) };
}

describe("simulated figures", () => {
  it("state an error of Type-S even where no wrong sign was drawn", async () => {
    const params = { n: 100, delta: 0.08, agreement: 0.7 };
    const exact = computePower(accuracyFamily, params).typeS;
    let within = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { typeS, typeSSe } = await simulatePower(accuracyFamily, params, { rng: makeRng(seed), replicates: 500 });
      if (Math.abs(typeS - exact) <= 1.96 * typeSSe) within += 1;
    }
    expect(within).toBeGreaterThanOrEqual(35);
  });
});
