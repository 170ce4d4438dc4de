import { describe, expect, it } from "vitest";
import { readOracle } from "../../../test/support/oracle.ts";
import { nestedCvTest } from "./nested.ts";

interface NestedCase {
  readonly id: string;
  readonly mu: number;
  readonly confidence?: number;
  readonly expected: Readonly<Record<string, number>>;
}
const oracle = readOracle("r/nested-cv.json") as unknown as {
  readonly columns: Readonly<Record<string, number[]>>;
  readonly cases: readonly NestedCase[];
};
const { rep, fold, left, ...losses } = oracle.columns as Record<string, number[]>;
const lossesOf = (id: string): Float64Array =>
  id === "difference"
    ? Float64Array.from(losses["avg"]!, (v, i) => v - losses["ols"]![i]!)
    : Float64Array.from(losses[id]!);
const inputOf = (id: string) => ({ losses: lossesOf(id), fold: fold!, left: left!, repeat: rep! });

describe("nested cross-validation", () => {
  it.each(oracle.cases)("$id: as an implementation of its own", ({ id, mu, confidence = 0.95, expected: e }) => {
    const own = nestedCvTest(inputOf(id), { mu, confidence });
    const got = [own.nested, own.ordinary, own.mse, own.inflation, own.bias, own.estimate, own.effect.se];
    [e["nested"], e["ordinary"], e["mse"], e["inflation"], e["bias"], e["estimate"], e["se"]].forEach((value, k) => {
      expect(got[k]! / value!).toBeCloseTo(1, 9);
    });
    expect(own.statistic).toBeCloseTo(e["z"]!, 9);
    expect(own.p).toBeCloseTo(e["p"]!, 10);
    expect([own.ci.lower, own.ci.upper].map((v) => v.toFixed(9))).toEqual(
      [e["lower"]!, e["upper"]!].map((v) => v.toFixed(9)),
    );
    expect(nestedCvTest(inputOf(id), { mu, alternative: "greater" }).p).toBeCloseTo(e["p_greater"]!, 10);
    expect(nestedCvTest(inputOf(id), { mu, alternative: "less" }).p).toBeCloseTo(e["p_less"]!, 10);
    expect([own.folds, own.repetitions, own.n]).toEqual([6, 3, 36]);
  });

  it("does not hang on the order of rows, the names of folds or the sign", () => {
    const own = nestedCvTest(inputOf("avg"), { mu: 0 });
    const order = fold!.map((_, i) => (i * 97) % fold!.length);
    const pick = <T>(values: ArrayLike<T>): T[] => order.map((i) => values[i]!);
    const { losses: given } = inputOf("avg");
    const mixed = nestedCvTest(
      {
        losses: Float64Array.from(pick(given), (v) => -v),
        fold: pick(fold!).map((k) => 17 - k),
        left: pick(left!).map((k) => 17 - k),
        repeat: pick(rep!),
      },
      { mu: 0 },
    );
    expect(mixed.estimate).toBeCloseTo(-own.estimate, 12);
    expect(mixed.effect.se).toBeCloseTo(own.effect.se, 12);
  });

  it("one learner is estimated, not tested, and few repetitions are said", () => {
    const own = nestedCvTest(inputOf("ols"));
    expect(own.p).toBeNaN();
    expect(own.diagnostics.map(({ code }) => code)).toEqual(["FewRepetitions", "NoHypothesis"]);
    expect(nestedCvTest(inputOf("difference"), { difference: true }).p).toBeLessThan(0.05);
  });

  it("losses that are all alike have no interval", () => {
    const same = { ...inputOf("ols"), losses: new Float64Array(fold!.length).fill(0.5) };
    const own = nestedCvTest(same, { mu: 0 });
    expect(own.estimate).toBeCloseTo(0.5, 12);
    expect(own.effect.se).toBeNaN();
    expect(own.diagnostics[0]!.code).toBe("NoSpread");
  });

  const few = (keep: (i: number) => boolean) => {
    const rows = fold!.map((_, i) => i).filter(keep);
    const pick = (values: ArrayLike<number>): number[] => rows.map((i) => values[i]!);
    return {
      losses: Float64Array.from(pick(losses["ols"]!)),
      fold: pick(fold!),
      left: pick(left!),
      repeat: pick(rep!),
    };
  };

  it.each([
    ["no ordinary losses", few((i) => fold![i] !== left![i]), "trained without that fold alone"],
    ["a pair of folds missing", few((i) => !(fold![i] === 2 && left![i] === 5)), "0 losses of a fold of 6"],
    ["one row missing", few((i) => i !== 40), "5 losses of a fold of 6"],
    ["two folds", few((i) => fold![i]! < 3 && left![i]! < 3), "2 folds"],
    [
      "other folds in one repetition",
      few((i) => rep![i] !== 2 || (fold![i]! < 6 && left![i]! < 6)),
      "repetitions of 6",
    ],
    ["nothing", few(() => false), "no losses"],
    [
      "a loss missing",
      { ...inputOf("ols"), losses: Float64Array.from(losses["ols"]!, (v, i) => (i === 3 ? Number.NaN : v)) },
      "row 4",
    ],
    ["other lengths", { ...inputOf("ols"), fold: [1, 2] }, "differ in length"],
  ] as const)("refuses %s", (_, input, message) => {
    expect(() => nestedCvTest(input)).toThrow(message);
  });
});
