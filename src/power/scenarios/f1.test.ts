import { describe, expect, it } from "vitest";
import { f1Statistics } from "../../metrics/f1.ts";
import { scoreOf } from "../../metrics/metric.ts";
import { makeRng } from "../../numeric/rng.ts";
import { simulatePower } from "../simulate.ts";
import { accuracyFamily } from "./accuracy.ts";
import { f1Family } from "./f1.ts";

const typical = {
  n: 1000,
  positive: 0.2,
  recall: 0.8,
  fpr: 0.05,
  recallGain: 0.05,
  positiveDisagreement: 0.15,
  negativeDisagreement: 0.04,
};

describe("power of F1 and its kin", () => {
  it("has the true difference of the metric as effect, as the metric itself computes it", () => {
    const { effect } = f1Family.make(typical);
    // 200 positives of 1000, 160 and 170 found; 40 false positives each
    const labels = (found: number) => [
      ...Array.from({ length: 200 }, (_, i) => (i < found ? 1 : 0)),
      ...Array.from({ length: 800 }, (_, i) => (i < 40 ? 1 : 0)),
    ];
    const gold = Array.from({ length: 1000 }, (_, i) => (i < 200 ? 1 : 0));
    const f1 = (found: number) => scoreOf(f1Statistics(gold, labels(found), { positive: 1 }));
    const scale = f1(160) > 1 ? 100 : 1;
    expect(effect).toBeCloseTo((f1(170) - f1(160)) / scale, 12);
  });

  it("takes tables instead of rates", () => {
    const byTable = f1Family.make({
      n: 1000,
      positive: 0.2,
      positiveTable: "0.75,0.05,0.1,0.1",
      negativeTable: "0.03,0.02,0.02,0.93",
    });
    expect(byTable.effect).toBeCloseTo(f1Family.make(typical).effect, 12);
  });

  it("is McNemar's exact power where the metric is accuracy", async () => {
    const params = {
      n: 300,
      metric: "accuracy",
      positive: 1,
      recall: 0.8,
      fpr: 0,
      recallGain: 0.05,
      positiveDisagreement: 0.11,
      negativeDisagreement: 0,
    };
    const { power, se, typeM, typeMSe } = await simulatePower(f1Family, params, {
      rng: makeRng("accuracy"),
      replicates: 2000,
    });
    const exact = accuracyFamily.make({ n: 300, delta: 0.05, agreement: 0.89, test: "mcnemar-exact" }).exactPower!();
    expect(Math.abs(power - exact.power)).toBeLessThan(4 * se);
    expect(Math.abs(typeM - exact.typeM)).toBeLessThan(4 * typeMSe);
  });

  it("keeps its error rate for every metric", async () => {
    for (const metric of ["f1", "precision", "recall", "mcc"]) {
      const params = { ...typical, n: 400, metric, recallGain: 1e-9 };
      const rejection = (
        await simulatePower(f1Family, { ...params, fprGain: -1e-9 }, { rng: makeRng(metric), replicates: 600 })
      ).rejection;
      expect(rejection).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / 600));
      expect(rejection).toBeGreaterThan(0.01);
    }
  });

  it("rises with n", async () => {
    const power = async (n: number) =>
      (await simulatePower(f1Family, { ...typical, n }, { rng: makeRng("n"), replicates: 200 })).power;
    expect(await power(4000)).toBeGreaterThan((await power(1000)) + 0.2);
  });

  it.each([
    [{ positiveDisagreement: 0.02 }, "between 0.05 and"],
    [{ recallGain: 0.3 }, "between -0.8 and 0.2"],
    [
      {
        positiveTable: "0.5,0.5,0.5,0",
        ...{ recall: undefined, recallGain: undefined, positiveDisagreement: undefined },
      },
      "sum to 1",
    ],
    [{ positive: 0 }, "not 0"],
  ])("refuses %j with what is possible", (params, words) => {
    expect.assertions(1);
    try {
      f1Family.make({ ...typical, ...params });
    } catch (error) {
      expect((error as { fix: string }).fix).toContain(words);
    }
  });
});
