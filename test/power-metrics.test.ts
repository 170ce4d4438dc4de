import { describe, expect, it } from "vitest";
import { confusionFigures } from "../src/metrics/confusion.ts";
import { positivePredictiveValue } from "../src/power/ppv.ts";
import { pairedOddsRatio } from "../src/significance/intervals/paired-odds-ratio.ts";
import { mcnemarP } from "../src/significance/tests/mcnemar.ts";
import { expectClose, readOracle } from "./support/oracle.ts";

const { cases } = readOracle("next/power-metrics.json");
const of = (prefix: string) => cases.filter(({ id }) => id.startsWith(prefix)).map((own) => [own.id, own] as const);
const close = (own: readonly number[], wanted: readonly (number | string | null)[], label: string, tolerance = 1e-12) =>
  expectClose(
    own,
    wanted.map((value) => value ?? Number.NaN),
    { tolerance, label },
  );

describe("positive predictive value against the published table and exact fractions", () => {
  it.each(of("ppv-"))("%s", (_, { input, expected }) => {
    const { power, alpha, prior_odds: priorOdds, bias, teams } = input as Record<string, number>;
    const own = positivePredictiveValue({ power: power!, alpha, priorOdds, bias, teams });
    close(
      [own.ppv, own.falseReports, own.claimed, own.truePositive, own.falsePositive, own.prior],
      [
        expected.ppv,
        expected.false_report_probability,
        expected.claimed_positive,
        expected.true_positive,
        expected.false_positive,
        expected.prior_probability,
      ],
      "ppv",
    );
    if (expected.ppv_several_teams_no_bias !== undefined) {
      close([own.ppvSeveralTeams], [expected.ppv_several_teams_no_bias], "several teams");
    }
  });

  it("odds and proportion of the prior say the same", () => {
    const input = { power: 0.7, alpha: 0.05 };
    close(
      [positivePredictiveValue({ ...input, prior: 0.2 }).ppv],
      [positivePredictiveValue({ ...input, priorOdds: 0.25 }).ppv],
      "prior",
    );
  });

  it.each([
    [{ power: 1.2, prior: 0.5 }, "power = 1.2"],
    [{ power: 0.5 }, "neither"],
    [{ power: 0.5, prior: 0.5, priorOdds: 1 }, "both"],
    [{ power: 0.5, prior: 1 }, "prior = 1"],
    [{ power: 0.5, prior: 0.5, teams: 0 }, "teams = 0"],
  ])("refuses %j", (input, message) => {
    expect(() => positivePredictiveValue(input)).toThrow(message);
  });
});

describe("figures of a confusion table against exact fractions", () => {
  it.each(of("confusion-"))("%s", (_, { input, expected }) => {
    const exclude = input["excluded_classes"] as number[] | undefined;
    const own = confusionFigures(input["confusion"] as number[][], exclude === undefined ? {} : { exclude });
    close(own.precision, expected.precision, "precision");
    close(own.recall, expected.recall, "recall");
    close(own.f1, expected.f1, "f1");
    close(
      [own.accuracy, own.macroPrecision, own.macroRecall, own.macroF1, own.macroF1Occurring, own.macroF1OfAverages],
      [
        expected.accuracy,
        expected.macro_precision,
        expected.macro_recall,
        expected.macro_f1,
        expected.macro_f1_over_classes_that_occur,
        expected.macro_f1_of_averaged_precision_recall,
      ],
      "averages",
    );
    close(
      [own.weightedF1, own.microF1, own.balancedAccuracy, own.mcc, own.kappa],
      [expected.weighted_f1, expected.micro_f1, expected.balanced_accuracy, expected.mcc, expected.kappa],
      "whole table",
    );
    if (expected.micro_without_excluded === undefined) return;
    const { precision, recall, f1 } = expected.micro_without_excluded;
    const { microPrecision, microRecall, microF1, macroF1 } = own.without!;
    close(
      [microPrecision, microRecall, microF1, macroF1],
      [precision, recall, f1, expected.macro_f1_without_excluded],
      "without",
    );
  });

  it.each([
    [[[1, 2]], "is not one of true"],
    [
      [
        [1, -2],
        [0, 1],
      ],
      "is not one of true",
    ],
    [
      [
        [0, 0],
        [0, 0],
      ],
      "empty",
    ],
  ])("refuses %j", (table, message) => {
    expect(() => confusionFigures(table)).toThrow(message);
  });
});

describe("odds ratio of a paired table against exact fractions", () => {
  it.each(of("mcnemar-or-"))("%s", (_, { input, expected }) => {
    const { both_right: a, first_only: b, second_only: c, both_wrong: d, level } = input as Record<string, number>;
    const own = pairedOddsRatio([a!, b!, c!, d!], { confidence: level! });
    close([own.oddsRatio, own.difference], [expected.odds_ratio, expected.difference], "ratio");
    close([own.exact.lower, own.exact.upper], expected.ci_exact, "exact", 1e-10);
    close([own.proportion.lower, own.proportion.upper], expected.ci_proportion, "proportion", 1e-10);
    close([own.midP.lower, own.midP.upper], expected.ci_mid_p, "mid-p", 1e-10);
    close(
      [
        mcnemarP(b!, c!, { method: "exact" }),
        mcnemarP(b!, c!, { method: "mid-p" }),
        mcnemarP(b!, c!, { method: "exact", alternative: "greater" }),
      ],
      [expected.p_exact, expected.p_mid, expected.p_one_sided_first_better],
      "p",
    );
  });
});
