import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allocateCalibration, roganGladen, roganGladenDifference } from "./rogan-gladen.ts";

interface Case {
  readonly id: string;
  readonly input: Readonly<Record<string, number>>;
  // biome-ignore lint/suspicious/noExplicitAny: each method has an answer of its own shape
  readonly expected: any;
}
const CASES: readonly Case[] = JSON.parse(
  readFileSync(new URL("../../../oracle/next/judges.json", import.meta.url), "utf8"),
).cases;

const accuracyOf = (input: Case["input"]) => ({
  positives: input["n_positive"]!,
  truePositives: input["true_positive"]!,
  negatives: input["n_negative"]!,
  trueNegatives: input["true_negative"]!,
});

describe("the corrected pass rate", () => {
  const cases = CASES.filter(({ id }) => /^rogan-gladen-\d/.test(id));
  it.each(cases)("$id agrees with the reference", ({ input, expected }) => {
    const found = roganGladen({ n: input["n"]!, passed: input["judge_positive"]! }, accuracyOf(input), input["level"]);
    if (expected.estimate === null) {
      expect(found.value).toBeNaN();
      return;
    }
    expect(found.uncut).toBeCloseTo(expected.estimate_unclipped, 10);
    expect(found.value).toBeCloseTo(expected.estimate, 10);
    expect(found.se).toBeCloseTo(expected.se_delta, 10);
    expect(found.lower).toBeCloseTo(expected.lang_reiczigel.ci[0], 10);
    expect(found.upper).toBeCloseTo(expected.lang_reiczigel.ci[1], 10);
  });

  it("agrees with Lee et al.'s example", () => {
    const accuracy = { positives: 200, truePositives: 180, negatives: 200, trueNegatives: 140 };
    const found = roganGladen({ n: 1000, passed: 400 }, accuracy);
    expect(found.value).toBeCloseTo(1 / 6, 12);
    expect(found.lower).toBeCloseTo(0.056351, 6);
    expect(found.upper).toBeCloseTo(0.262733, 6);
  });
});

describe("the corrected difference", () => {
  const cases = CASES.filter(({ id }) => id.startsWith("rogan-gladen-difference"));
  it.each(cases)("$id agrees with the reference", ({ input, expected }) => {
    const a = { n: input["n_a"]!, passed: input["judge_positive_a"]! };
    const b = { n: input["n_b"]!, passed: input["judge_positive_b"]! };
    // the reference is a - b
    const found = roganGladenDifference(b, a, accuracyOf(input), input["level"]);
    expect(found.value).toBeCloseTo(expected.estimate, 10);
    expect(found.se).toBeCloseTo(expected.se, 10);
    expect(found.p).toBeCloseTo(expected.p, 10);
    expect(found.lower).toBeCloseTo(expected.ci[0], 10);
    expect(found.upper).toBeCloseTo(expected.ci[1], 10);
  });
});

it("spends 136 of 200 labels on outputs that people fail in Lee et al.'s example, with a pilot of 10 and 10", () => {
  const pilot = { positives: 10, truePositives: 9, negatives: 10, trueNegatives: 7 };
  expect(allocateCalibration(200, 0.4, pilot)).toEqual({ negatives: 136, positives: 64 });
});
