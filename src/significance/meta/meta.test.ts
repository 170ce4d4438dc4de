import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { beggTest, eggerTest } from "./asymmetry.ts";
import { funnelOf, trimAndFill } from "./funnel.ts";
import { type PooledEffect, poolEffects, type RandomEffects } from "./pool.ts";

const { cases } = readOracle("next/meta-analysis.json");
const TOLERANCE = 1e-8;

function columns(name: string): { y: number[]; v: number[] } {
  const text = readFileSync(new URL(`../../../oracle/next/data/${name}.csv`, import.meta.url), "utf8");
  const rows = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  return { y: rows.map((row) => Number(row[1])), v: rows.map((row) => Number(row[2])) };
}

/** Tolerance of values near zero, as the oracle's README has it. */
const close = (actual: number | readonly number[], expected: number | readonly number[], label: string): void =>
  expectClose([actual].flat(), [expected].flat(), { tolerance: TOLERANCE, floor: 1e-3, label });

// biome-ignore lint/suspicious/noExplicitAny: metafor's own fields
function comparePooled(own: PooledEffect, expected: any, label: string): void {
  close(own.estimate, expected.estimate, `${label} estimate`);
  close(own.se, expected.se, `${label} se`);
  close(own.statistic, expected.statistic, `${label} statistic`);
  close(own.p, expected.p, `${label} p`);
  close([own.lower, own.upper], expected.ci95, `${label} ci`);
  close(own.weights, expected.weights_percent, `${label} weights`);
  if (expected.df !== undefined) expect(own.df).toBe(expected.df);
}

// biome-ignore lint/suspicious/noExplicitAny: metafor's own fields
function compareRandom(own: RandomEffects, expected: any, label: string): void {
  comparePooled(own, expected, label);
  expectClose([own.tau2], [expected.tau2], { tolerance: TOLERANCE, floor: 1e-6, label: `${label} tau2` });
  expectClose([own.tau2Se], [expected.se_tau2], { tolerance: TOLERANCE, floor: 1e-6, label: `${label} tau2 se` });
  close(own.i2, expected.i2_percent, `${label} I2`);
  close(own.h2, expected.h2, `${label} H2`);
  close([own.prediction.lower, own.prediction.upper], expected.prediction_interval95, `${label} prediction`);
  const { lower, upper } = own.predictionHiggins;
  close([lower, upper], expected.prediction_interval95_t_k_minus_2, `${label} prediction, k - 2`);
  if (expected.loglik !== undefined) close(own.logLik, expected.loglik, `${label} log-likelihood`);
}

const of = (prefix: string) => cases.filter(({ id }) => id.startsWith(prefix)).map((own) => [own.id, own] as const);

describe("against metafor (R)", () => {
  it.each(of("pool-"))("%s", (_, { input, expected }) => {
    const { y, v } = columns(input["data"] as string);
    const own = poolEffects(y, v);
    expect(own.k).toBe(expected.k);
    expect(own.qDf).toBe(expected.q_df);
    close([own.q, own.qP], [expected.q, expected.q_p], "Q");
    comparePooled(own.fixed, expected.fixed, "fixed");
    compareRandom(own.dl, expected.dl, "DL");
    compareRandom(own.dlKnappHartung, expected.dl_knapp_hartung, "DL, Knapp-Hartung");
    compareRandom(own.reml, expected.reml, "REML");
    compareRandom(own.remlKnappHartung, expected.reml_knapp_hartung, "REML, Knapp-Hartung");
    const interval = { tolerance: TOLERANCE, floor: 1e-6, label: "Q-profile" };
    expectClose([own.tau2.lower, own.tau2.upper], expected.tau2_ci95_q_profile, interval);
  });

  it.each(of("begg-"))("%s", (_, { input, expected }) => {
    const { y, v } = columns(input["data"] as string);
    const own = beggTest(y, v);
    expect(own.s).toBe(expected.s);
    expect(own.ties).toBe(expected.ties);
    close(own.tau, expected.tau_b, "tau");
    close(own.standardised, expected.standardized_effect, "standardised");
    close([own.z, own.zCorrected], [expected.z_normal, expected.z_normal_continuity], "z");
    close([own.pNormal, own.pCorrected], [expected.p_normal, expected.p_normal_continuity], "p of z");
    expectClose([own.p], [expected.p_metafor], { tolerance: own.exact ? 1e-12 : TOLERANCE, label: "p" });
    expect(own.exact).toBe(expected.p_exact !== undefined);
  });

  it.each(of("egger-"))("%s", (_, { input, expected }) => {
    const { y, v } = columns(input["data"] as string);
    const own = eggerTest(y, v);
    const { classical, mixed_effects_reml: mixed, fixed_effects: fixed } = expected;
    expect(own.df).toBe(classical.df);
    close([own.intercept, own.se, own.t, own.p], [classical.bias, classical.bias_se, classical.t, classical.p], "bias");
    close([own.limit.estimate, own.limit.se], [classical.limit_estimate, classical.limit_se], "limit");
    close([own.limit.lower, own.limit.upper], classical.limit_ci95, "limit's interval");
    close(own.residualSd, classical.residual_sd, "residual SD");
    close(
      [own.mixed.slope, own.mixed.se, own.mixed.z, own.mixed.p],
      [mixed.slope, mixed.slope_se, mixed.z, mixed.p],
      "REML",
    );
    close(own.mixed.limit.estimate, mixed.limit_estimate, "REML limit");
    close([own.mixed.limit.lower, own.mixed.limit.upper], mixed.limit_ci95, "REML limit's interval");
    expectClose([own.mixed.tau2], [mixed.tau2], { tolerance: TOLERANCE, floor: 1e-6, label: "REML tau2" });
    close([own.fixed.z, own.fixed.p, own.fixed.limit], [fixed.z, fixed.p, fixed.limit_estimate], "fixed");
  });

  it.each(of("funnel-"))("%s", (_, { input, expected }) => {
    const { y, v } = columns(input["data"] as string);
    const own = funnelOf(y, v);
    close(own.centre, expected.centre, "centre");
    close(
      own.points.map(({ effect }) => effect),
      expected.x,
      "effects",
    );
    close(
      own.points.map(({ se }) => se),
      expected.y_standard_error,
      "standard errors",
    );
    close(
      own.limits.map(({ se }) => se),
      expected.pseudo_limits.standard_error,
      "heights",
    );
    [90, 95, 99].forEach((level, b) => {
      const ends = (end: "lower" | "upper"): number[] => own.limits.map(({ bands }) => bands[b]![end]);
      close(ends("lower"), expected.pseudo_limits[`lower${level}`], `lower ${level}`);
      close(ends("upper"), expected.pseudo_limits[`upper${level}`], `upper ${level}`);
    });
    for (const [name, method, estimator] of [
      ["trim_fill_fixed_l0", "fixed", "L0"],
      ["trim_fill_fixed_r0", "fixed", "R0"],
      ["trim_fill_dl_l0", "dl", "L0"],
    ] as const) {
      const found = trimAndFill(y, v, { method, estimator });
      const wanted = expected[name];
      expect([found.side, found.missing]).toEqual([wanted.side, wanted.k0]);
      close([found.estimate, found.se], [wanted.estimate, wanted.se], name);
      close(
        found.filled.map(({ effect }) => effect),
        wanted.filled_yi,
        `${name} effects`,
      );
      close(
        found.filled.map(({ variance }) => variance),
        wanted.filled_vi,
        `${name} variances`,
      );
    }
  });
});

describe("closed forms", () => {
  it("two effects of one variance: the mean, and tau2 = (y1 - y2)²/2 - v by either method", () => {
    const { fixed, dl, reml, q } = poolEffects([0.3, 0.1], [0.005, 0.005]);
    expect(fixed.estimate).toBeCloseTo(0.2, 14);
    expect(q).toBeCloseTo(0.04 / 2 / 0.005, 12);
    expect(dl.tau2).toBeCloseTo(0.015, 14);
    expect(reml.tau2).toBeCloseTo(0.015, 12);
  });

  it("scaling effects scales means and SEs, and leaves tests alone", () => {
    const { y, v } = columns("meta2");
    const own = poolEffects(y, v);
    const percent = poolEffects(
      y.map((x) => 100 * x),
      v.map((x) => 1e4 * x),
    );
    close(percent.reml.estimate, 100 * own.reml.estimate, "estimate");
    close(percent.reml.tau2, 1e4 * own.reml.tau2, "tau2");
    close(percent.reml.statistic, own.reml.statistic, "z");
  });

  it("turning the effects round turns the side of trim and fill", () => {
    const { y, v } = columns("meta2");
    const own = trimAndFill(y, v);
    const turned = trimAndFill(
      y.map((x) => -x),
      v,
    );
    expect([turned.side, turned.missing]).toEqual(["right", own.missing]);
    close(turned.estimate, -own.estimate, "estimate");
  });
});

describe("wrong input", () => {
  it.each([
    [[0.1], [0.1], "too few"],
    [[0.1, 0.2], [0.1], "2 effects against 1"],
    [[0.1, 0.2], [0.1, 0], "variance of 0"],
    [[0.1, Number.NaN], [0.1, 0.2], "is NaN"],
  ])("pool %j with %j", (y, v, message) => {
    expect(() => poolEffects(y, v)).toThrow(message);
  });

  it("Egger's test needs standard errors that differ", () => {
    expect(() => eggerTest([0.1, 0.2, 0.3], [0.01, 0.01, 0.01])).toThrow("same standard error");
    expect(() => eggerTest([0.3, 0.1 + 0.2, 0.3], [0.01, 0.02, 0.03])).toThrow("all effects are equal");
    expect(() => poolEffects([0.1, 0.2], [1e-110, 0.1])).toThrow("1/standard errors");
  });

  it("has no Knapp-Hartung test of effects that are all equal", () => {
    const { dlKnappHartung, fixed } = poolEffects([0.5, 0.5, 0.5], [0.01, 0.02, 0.03]);
    expect([dlKnappHartung.estimate, dlKnappHartung.statistic, dlKnappHartung.p]).toEqual([
      0.5,
      Number.NaN,
      Number.NaN,
    ]);
    expect(fixed.p).toBeGreaterThan(0);
  });
});
