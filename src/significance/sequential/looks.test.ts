import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findBoundaries, parseSpending, type Sides, type Spending } from "./boundaries.ts";
import { conditionalPower, futilityBounds } from "./futility.ts";
import { designLooks } from "./looks.ts";
import { judgeStopped } from "./stopped.ts";
import { exitsOf } from "./walk.ts";

const SPENDING: Readonly<Record<string, Spending>> = {
  OF: "obrien-fleming",
  P: "pocock",
  asOF: "lan-demets-of",
  asP: "lan-demets-pocock",
  asHSD: "hsd:-4",
};

interface DesignCase {
  readonly id: string;
  readonly input: { type: string; alpha: number; sided: Sides; information: number[]; drifts: number[]; power: number };
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly expected: any;
}
interface StoppedCase {
  readonly id: string;
  readonly input: { type: string; alpha: number; sided: Sides; information: number[]; stage: number; z: number };
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly expected: any;
}

const cases = readOracle("next/group-sequential.json").cases as unknown as (DesignCase & StoppedCase)[];
const designs = cases.filter(({ id }) => id.startsWith("gsd"));
const stopped = cases.filter(({ id }) => id.startsWith("stopped"));
const close = (actual: number | readonly number[], expected: number | readonly number[], label: string): void =>
  expectClose([actual].flat(), [expected].flat(), { tolerance: 1e-9, floor: 1e-3, label });

describe("group-sequential designs of another integration and of rpact", () => {
  it("are all there", () => expect([designs.length, stopped.length]).toEqual([20, 10]));

  it.each(designs)("$id", ({ input, expected }) => {
    const { alpha, sided: sides, information, power } = input;
    const spending = SPENDING[input.type]!;
    const own = designLooks({ information, alpha, sides, spending, power });
    close(own.z, expected.critical_values, "z");
    close(
      own.p.map((p) => p / sides),
      expected.stage_levels_one_sided,
      "levels",
    );
    close(own.spent, expected.cumulative_alpha_spent, "spent");
    for (const at of expected.power) {
      const found = designLooks({ information, alpha, sides, spending, power, drift: at.drift });
      close(found.exits!.upper, at.upper_exit, `upper exits at ${at.drift}`);
      close(found.exits!.lower, at.lower_exit, `lower exits at ${at.drift}`);
      close(found.power!.at(-1)!, at.power_total, `power at ${at.drift}`);
      close(found.expectedInformation!, at.expected_information, `information at ${at.drift}`);
    }
    const size = expected.sample_size;
    close(own.driftMax, size.drift_max, "largest drift");
    close(own.inflation, size.inflation_factor, "inflation");
    close(own.expectedSize.effect, size.expected_n_h1_over_fixed, "size at the effect");
    close(own.expectedSize.half, size.expected_n_halfway_over_fixed, "size at half of it");
    close(own.expectedSize.none, size.expected_n_h0_over_fixed, "size at none");
  });

  it.each(stopped)("$id", ({ input, expected }) => {
    const { alpha, sided: sides, information, stage: look, z } = input;
    const own = judgeStopped({ information, alpha, sides, spending: SPENDING[input.type]!, look, z });
    expect(own.rejected).toBe(expected.rejected);
    close(own.pUpper, expected.p_one_sided_upper, "p");
    if (sides === 2) close(own.p, expected.p_two_sided, "two-sided p");
    close(own.drift.estimate, expected.drift_median_unbiased, "median");
    close([own.drift.lower, own.drift.upper], expected.drift_interval, "interval");
    close(own.level, expected.interval_level, "level");
    close(own.drift.naive, expected.drift_naive, "naive");
  });
});

describe("looks", () => {
  it("once are the test without looks", () => {
    const { z, inflation, spent } = designLooks({ looks: 1 });
    close(z, normalQuantileUpper(0.025), "z");
    close(inflation, 1, "inflation");
    close(spent, 0.05, "spent");
  });

  it("keep the whole error with a hundred of them", () => {
    const { spent, z } = designLooks({ looks: 100, spending: "pocock" });
    close(spent.at(-1)!, 0.05, "spent");
    // Jennison & Turnbull's table 2.1 ends at 20 looks with 2.672; more looks need more
    expect(z[0]).toBeGreaterThan(2.672);
  });

  it("of a spending function do not depend on what comes later", () => {
    const first = designLooks({ information: [0.3, 0.6, 1] }).z;
    const other = designLooks({ information: [0.3, 0.6, 0.7, 0.95, 1] }).z;
    close(other.slice(0, 2), first.slice(0, 2), "bounds");
  });

  it("are symmetric: the lower exits at -drift are the upper ones at drift", () => {
    const bounds = findBoundaries({ information: [0.4, 1], alpha: 0.05, sides: 2, spending: "pocock" });
    close(exitsOf(bounds, -2).lower, exitsOf(bounds, 2).upper, "exits");
  });

  it.each([
    [{ looks: 0 }, /whole number from 1/],
    [{ looks: 2.5 }, /whole number/],
    [{ looks: 3, information: [0.5, 1] }, /at once/],
    [{ information: [0.5, 0.4, 1] }, /must rise/],
    [{ information: [0.5, 0.9] }, /must rise from above 0 to 1/],
    [{ information: [] }, /must rise/],
    [{ alpha: 0 }, /alpha 0/],
    [{ alpha: Number.NaN }, /alpha NaN/],
    [{ sides: 3 }, /1 or 2/],
    [{ power: 1 }, /power 1/],
    [{ power: 0.01 }, /below the error rate/],
    [{ drift: Number.NaN }, /drift NaN/],
    [{ spending: "haybittle" }, /no spending "haybittle"/],
    [{ spending: "hsd:" }, /no spending/],
  ])("%j are refused", (options, message) => {
    expect(() => designLooks(options)).toThrow(message);
  });

  it("of γ = 0 spend evenly", () => {
    expect(parseSpending("hsd:0")).toBe("hsd:0");
    close(designLooks({ looks: 4, spending: "hsd:0" }).spent, [0.0125, 0.025, 0.0375, 0.05], "spent");
  });
});

describe("giving up", () => {
  it("conditional power is that of the rest of the walk, and the bound its root", () => {
    const [t, drift, bound] = [0.4, 2.8, 2.0];
    // S(1) = S(t) + N(drift (1 - t), 1 - t)
    const chance = conditionalPower({ z: 1.1, t, bound, drift });
    const rest = exitsOf(
      {
        information: [1 - t],
        lower: [Number.NEGATIVE_INFINITY],
        upper: [(bound - 1.1 * Math.sqrt(t)) / Math.sqrt(1 - t)],
      },
      drift,
    );
    expect(chance).toBeCloseTo(rest.upper[0]!, 9);
    const design = { information: [0.4, 1], alpha: 0.05, sides: 2, spending: "pocock" } as const;
    const found = futilityBounds({ ...design, drift, least: 0.4 });
    const last = findBoundaries(design).upper[1]!;
    expect(conditionalPower({ z: found.z[0]!, t, bound: last, drift })).toBeCloseTo(0.4, 9);
  });

  it("is not binding: the bounds for rejection are those without it, and power is lost only", () => {
    const design = { information: [0.5, 0.75, 1], alpha: 0.05, sides: 1, spending: "obrien-fleming" } as const;
    const { power, unbounded, stoppedNone, stoppedEffect } = futilityBounds({ ...design, drift: 2.6, least: 0.15 });
    const free = exitsOf(findBoundaries(design), 2.6).upper.reduce((sum, own) => sum + own, 0);
    expect(unbounded.at(-1)).toBeCloseTo(free, 9);
    expect(power.at(-1)).toBeLessThan(free);
    expect(stoppedNone[1]).toBeGreaterThan(stoppedEffect[1]!);
  });
});
