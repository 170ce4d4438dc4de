import { describe, expect, it } from "vitest";
import { findMde } from "../solve/mde.ts";
import { findSize } from "../solve/size.ts";
import { computePower } from "../solve/solve.ts";
import { accuracyFamily } from "./accuracy.ts";

const stated = (name: string, result: { parameters: readonly { name: string; value: number | string }[] }) =>
  result.parameters.find((own) => own.name === name)!.value;

describe("odds ratio and discordant share (Card et al., eq. 3)", () => {
  it("say the same as difference and agreement", () => {
    // (d + Δ)/(d - Δ) = .12/.08 with d = .1, Δ = .02
    const own = computePower(accuracyFamily, { n: 500, oddsRatio: 1.5, discordant: 0.1 });
    const same = computePower(accuracyFamily, { n: 500, delta: 0.02, agreement: 0.9 });
    expect(own.power).toBeCloseTo(same.power, 12);
    expect(own.effect).toBeCloseTo(0.02, 14);
  });

  it("are printed whatever was given", () => {
    const own = computePower(accuracyFamily, { n: 500, delta: 0.02, agreement: 0.9 });
    expect(stated("odds ratio", own)).toBeCloseTo(1.5, 12);
    expect(stated("discordant", own)).toBeCloseTo(0.1, 12);
  });

  it("below 1 is a difference below 0, with the mirrored power", () => {
    const params = { n: 300, discordant: 0.2 };
    const up = computePower(accuracyFamily, { ...params, oddsRatio: 1.8 });
    const down = computePower(accuracyFamily, { ...params, oddsRatio: 1 / 1.8 });
    expect(down.effect).toBeCloseTo(-up.effect, 14);
    expect(down.power).toBeCloseTo(up.power, 12);
  });

  it("are what size and mde take", async () => {
    const one = await findSize(accuracyFamily, { oddsRatio: 1.5, discordant: 0.1 }, {});
    const other = await findSize(accuracyFamily, { delta: 0.02, agreement: 0.9 }, {});
    expect(one.n).toBe(other.n);
    const mde = await findMde(accuracyFamily, { n: 500, discordant: 0.1 }, {});
    expect(mde.mde).toBe((await findMde(accuracyFamily, { n: 500, agreement: 0.9 }, {})).mde);
    expect(Number(stated("odds ratio", mde))).toBeGreaterThan(1.5);
  });

  it.each([
    [{ oddsRatio: 1.5 }, "does not give the difference"],
    [{ oddsRatio: 1.5, discordant: 0.1, delta: 0.1 }, "both given"],
    [{ delta: 0.02, discordant: 0.1, agreement: 0.9 }, "both given"],
    [{ oddsRatio: 1, discordant: 0.1 }, "delta = 0"],
    [{ oddsRatio: 0, discordant: 0.1 }, "oddsRatio = 0"],
    [{ oddsRatio: 1.5, discordant: 1.1 }, "discordant = 1.1"],
  ])("refuses %j", (params, message) => {
    expect(() => computePower(accuracyFamily, { n: 500, ...params })).toThrow(message);
  });
});

describe("credibility of a significant result", () => {
  it("follows of the power and a prior", () => {
    const params = { n: 500, delta: 0.02, agreement: 0.9 };
    const own = computePower(accuracyFamily, params, "exact", { credibility: { prior: 0.2, bias: 0.1, teams: 3 } });
    const R = 0.25;
    const [found, wrong] = [(own.power + 0.1 * (1 - own.power)) * R, 0.05 + 0.1 * 0.95];
    expect(own.ppv!.ppv).toBeCloseTo(found / (found + wrong), 12);
    expect(own.toString()).toContain("If 20 % of the ideas tried are true gains");
    expect(computePower(accuracyFamily, params).ppv).toBeUndefined();
  });
});
