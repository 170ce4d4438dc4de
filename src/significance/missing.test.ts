import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../test/support/oracle.ts";
import { makeRng } from "../numeric/rng.ts";
import { boundDifference, boundMean, boundPairs, type OutcomeBounds } from "./missing.ts";

// biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
const cases = readOracle("next/missing-outcomes.json").cases as unknown as { id: string; input: any; expected: any }[];
const of = (start: string) => cases.filter(({ id }) => id.startsWith(start));
const close = (actual: readonly number[], expected: readonly number[], label: string): void =>
  expectClose([...actual], [...expected], { tolerance: 1e-10, floor: 1e-3, label });
const holes = (values: readonly (number | null)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN);

// biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
function compare(own: OutcomeBounds, expected: any): void {
  close(
    [own.lower, own.upper, own.seLower, own.seUpper],
    [expected.lower, expected.upper, expected.se_lower, expected.se_upper],
    "bounds",
  );
  close([own.critical], [expected.imbens_manski_c], "C");
  close([own.ci.lower, own.ci.upper], expected.ci_parameter, "interval of the parameter");
  close([own.ciBounds.lower, own.ciBounds.upper], expected.ci_identified_set, "interval of the bounds");
}

const sample = (right: number, wrong: number, missing: number): Float64Array =>
  Float64Array.from([...Array(right).fill(1), ...Array(wrong).fill(0), ...Array(missing).fill(Number.NaN)]);

describe("bounds under missing outcomes", () => {
  it.each(of("missing"))("$id", ({ input, expected }) => {
    const own = boundPairs(holes(input.first), holes(input.second), input);
    compare(own, expected);
    expect([
      own.items,
      own.bothObserved,
      own.onlyFirstMissing,
      own.onlySecondMissing,
      own.bothMissing,
      own.signKnown,
    ]).toEqual([
      expected.n,
      expected.both_observed,
      expected.only_first_missing,
      expected.only_second_missing,
      expected.both_missing,
      expected.sign_identified,
    ]);
    close(
      [own.completeCases.estimate, own.completeCases.se, own.asLowest],
      [expected.complete_pairs.estimate, expected.complete_pairs.se, expected.missing_counts_as_lowest],
      "completions",
    );
    const { mcnemar_worst_case: worst, mcnemar_best_case: best } = expected;
    expect(own.mcnemar === undefined).toBe(worst === undefined);
    if (own.mcnemar === undefined) return;
    close(
      [own.mcnemar.worst.firstOnly, own.mcnemar.worst.secondOnly, own.mcnemar.worst.p],
      [worst.first_only_right, worst.second_only_right, worst.p_exact],
      "worst",
    );
    close(
      [own.mcnemar.best.firstOnly, own.mcnemar.best.secondOnly, own.mcnemar.best.p],
      [best.first_only_right, best.second_only_right, best.p_exact],
      "best",
    );
  });

  it.each(of("manski-mean"))("$id", ({ input, expected }) => {
    compare(boundMean(sample(input.right, input.wrong, input.missing), input), expected);
  });

  it.each(of("manski-two"))("$id", ({ input, expected }) => {
    const each = (side: string): OutcomeBounds => {
      const [n, right, missing] = ["n", "right", "missing"].map((name) => input[`${name}_${side}`]);
      return boundMean(sample(right, n - right - missing, missing), input);
    };
    compare(boundDifference(each("first"), each("second"), input.level), expected);
  });

  it("the interval covers the parameter at an end of the set as often as it says", () => {
    const rng = makeRng("coverage");
    const sets = 2000;
    let covered = 0;
    for (let s = 0; s < sets; s++) {
      // every missing one would have been right: the truth is the upper bound, .8
      const values = Float64Array.from({ length: 200 }, () => {
        const u = rng.uniform();
        return u < 0.7 ? 1 : u < 0.8 ? Number.NaN : 0;
      });
      const { ci } = boundMean(values);
      if (ci.lower <= 0.8 && ci.upper >= 0.8) covered++;
    }
    expect(Math.abs(covered / sets - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / sets) + 0.005);
  });

  it.each([
    [() => boundPairs([1], [1, 0]), /1 outcomes and 2/],
    [() => boundPairs([1, 3], [1, 0]), /an outcome of 3 is not between 0 and 1/],
    [() => boundMean([1, 0], { lowest: 1, highest: 1 }), /no range/],
    [() => boundMean([1, 0], { level: 1 }), /level 1/],
  ])("bad input %#", (call, message) => {
    expect(call).toThrow(message);
  });
});
