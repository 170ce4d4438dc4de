/** A million draws against the exact p values, at n = 2000. */
import { describe, expect, it } from "vitest";
import { labelData } from "../../test/support/label-data.ts";
import { makeRng } from "../numeric/rng.ts";
import { permutePaired } from "./permutation.ts";
import { permutePairedScores } from "./permutation-scores.ts";

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
