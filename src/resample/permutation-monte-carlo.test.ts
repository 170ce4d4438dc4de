/** A million draws against the exact p values, at n = 2000. */
import { describe, expect, it } from "vitest";
import { labelData } from "../../test/support/label-data.ts";
import { makeRng } from "../numeric/rng.ts";
import { permutePaired } from "./permutation.ts";
import { decidePairedScores, permutePairedScores } from "./permutation-scores.ts";

const draws = 1_000_000;

/** Within four standard errors of the exact p. */
const agree = (exact: number, drawn: { p: number; monteCarloSe: number }) =>
  expect(Math.abs(drawn.p - exact)).toBeLessThan(4 * drawn.monteCarloSe);

describe("exact permutation tests and a million draws", () => {
  it("agrees with the exact p at n = 2000 for 0/1 and Likert differences", () => {
    const rng = makeRng("n2000");
    const binary = Float64Array.from({ length: 2000 }, () =>
      rng.uniform() < 0.1 ? (rng.uniform() < 0.57 ? 1 : -1) : 0,
    );
    const likert = Float64Array.from({ length: 2000 }, () => rng.int(5) - rng.int(5) + (rng.uniform() < 0.05 ? 1 : 0));
    for (const d of [binary, likert]) {
      const exact = permutePaired(d);
      expect(exact.method).toBe("exact");
      agree(exact.p, permutePaired(d, { method: "monte-carlo", replicates: draws, rng: makeRng("mc") }));
    }
  });

  it("agrees with Monte Carlo for F1 at n = 2000", () => {
    const data = labelData(2000, "long");
    const exact = permutePairedScores(data);
    expect(exact.method).toBe("exact");
    agree(exact.p, permutePairedScores(data, { method: "monte-carlo", replicates: draws, rng: makeRng("f1") }));
  });
});

describe("a decision without doubt", () => {
  /** Statistics of one table with five kinds of difference: hits, answers and labels of three classes. */
  const table = (n: number, lean: number, seed: string) => {
    const rng = makeRng(seed);
    const [a, b] = [new Float64Array(9 * n), new Float64Array(9 * n)];
    for (let i = 0; i < n; i++) {
      const right = rng.int(3);
      const answer = (share: number): number => (rng.uniform() < share ? right : rng.int(3));
      for (const [target, own] of [
        [a, answer(0.6 + lean)],
        [b, answer(0.6)],
      ] as const) {
        if (own === right) target[9 * i + right] = 1;
        target[9 * i + 3 + own] = 1;
        target[9 * i + 6 + right] = 1;
      }
    }
    const scoreOf = (s: Float64Array): number =>
      [0, 1, 2].reduce((sum, k) => sum + (2 * s[k]!) / Math.max(1, s[3 + k]! + s[6 + k]!), 0) / 3;
    return { a, b, width: 9, scoreOf };
  };

  it("is that of the whole test wherever its p is not within drawing error of α", () => {
    let [near, wrong, found] = [0, 0, 0];
    for (let k = 0; k < 60; k++) {
      const data = table(120, k % 3 === 0 ? 0 : 0.12, `table ${k}`);
      const whole = permutePairedScores(data, {
        rng: makeRng(`whole ${k}`),
        method: "monte-carlo",
        replicates: 10_000,
      });
      const { statistic, significant } = decidePairedScores(data, { alpha: 0.05, rng: makeRng(`decided ${k}`) });
      expect(statistic).toBe(whole.statistic);
      if (significant) found++;
      if (Math.abs(whole.p - 0.05) < 0.01) near++;
      else if (significant !== whole.p < 0.05) wrong++;
    }
    expect(wrong).toBe(0);
    expect(near).toBeLessThan(15);
    expect(found).toBeGreaterThan(5);
  });

  it("is none where the systems do not differ or the score is undefined", () => {
    const { a, scoreOf } = table(20, 0, "same");
    const same = { a, b: a.slice(), width: 9, scoreOf };
    expect(decidePairedScores(same, { alpha: 0.05, rng: makeRng(1) })).toEqual({ statistic: 0, significant: false });
    const undefined_ = { ...same, scoreOf: () => Number.NaN };
    expect(decidePairedScores(undefined_, { alpha: 0.05, rng: makeRng(1) }).significant).toBe(false);
  });
});
