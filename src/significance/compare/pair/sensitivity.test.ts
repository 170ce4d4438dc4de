import { describe, expect, it } from "vitest";
import { binomialSf } from "../../../numeric/dist/binomial.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { ACCURACY_TESTS, accuracyFamily } from "../../../power/scenarios/accuracy.ts";
import { findMde } from "../../../power/solve/mde.ts";
import { measureSkewedMean, skewedMeanTails } from "../../tests/skewed-mean.ts";
import { canDetect, detectableDifference, detectableShare, exaggerationAt, itemsForShare } from "./sensitivity.ts";

describe("detectable difference", () => {
  it.each([
    // power.t.test(n, sd, power = 0.8, type = "paired", strict = FALSE, tol = 1e-13)$delta in R 4.2.2
    [20, 1, 0.660442409819],
    [500, 2.5, 0.313831183179],
    [7, 0.3, 0.381770213875],
  ])("equals R's power.t.test for n = %i", (n, sd, delta) => {
    expect(detectableDifference(sd / Math.sqrt(n), n - 1)).toBeCloseTo(delta, 9);
  });

  it("is (z.975 + z.8) SE for a normal estimate", () => {
    expect(detectableDifference(2, Number.POSITIVE_INFINITY)).toBeCloseTo(
      2 * (1.959963984540054 + 0.8416212335729143),
      12,
    );
  });

  it("of the skewness-adjusted test is found by it in 80 of 100 samples", () => {
    const [n, runs] = [30, 2000];
    let found = 0;
    for (let i = 0; i < runs; i++) {
      const rng = makeRng("adjusted mde").stream(i);
      const draw = (): Float64Array => Float64Array.from({ length: n }, () => rng.normal());
      const { se, df, skewness } = measureSkewedMean(draw());
      // the first sample states what the second one should find; its se varies about the true one, which costs next to nothing
      const mde = detectableDifference(se, df, { skewness });
      const tails = skewedMeanTails(measureSkewedMean(draw().map((v) => v + mde)));
      found += Number(2 * tails.upper < 0.05);
    }
    expect(Math.abs(found / runs - 0.8)).toBeLessThan(4 * Math.sqrt((0.8 * 0.2) / runs));
    expect(detectableDifference(1, 29, { skewness: 0 })).toBeCloseTo(detectableDifference(1, 29), 12);
    expect(detectableDifference(1, 29, { skewness: -1.5 })).toBe(detectableDifference(1, 29, { skewness: 1.5 }));
  });

  it("did not end where levels agree to rounding, and a difference is 1e18 standard errors", () => {
    expect(canDetect(1.15, { se: 6e-19, df: 100_072 })).toBe(true);
    expect(canDetect(1.15, { se: 1e-3, df: 2 })).toBe(true);
    // the bound agrees with the integral where both are computed
    for (const df of [1, 2, 5, 40])
      for (const size of [9, 11, 14, 30, 60, 90])
        expect(canDetect(size, { se: 1, df })).toBe(size >= detectableDifference(1, df));
  });

  it("is undefined without spread or df", () => {
    expect(detectableDifference(0, 10)).toBeNaN();
    expect(detectableDifference(1, Number.NaN)).toBeNaN();
  });
});

describe("exaggeration", () => {
  it.each([
    [0.5, 1],
    [1.5, 1],
    [3, 1],
    [-0.02, 0.01],
  ])("agrees with simulation at δ = %d, se = %d", (delta, se) => {
    const rng = makeRng("exaggeration");
    const R = 400_000;
    let right = 0;
    let wrong = 0;
    let size = 0;
    let squares = 0;
    for (let i = 0; i < R; i++) {
      const x = Math.abs(delta) + se * rng.normal();
      if (Math.abs(x) <= 1.959963984540054 * se) continue;
      if (x > 0) right += 1;
      else wrong += 1;
      size += Math.abs(x);
      squares += x * x;
    }
    const hits = right + wrong;
    const { power, typeM, typeS } = exaggerationAt(delta, se);
    const sdOfSize = Math.sqrt(squares / hits - (size / hits) ** 2);
    expect(Math.abs(power - right / R)).toBeLessThan(4 * Math.sqrt((power * (1 - power)) / R));
    expect(Math.abs(typeM - size / hits / Math.abs(delta))).toBeLessThan(
      (4 * sdOfSize) / Math.abs(delta) / Math.sqrt(hits),
    );
    expect(Math.abs(typeS - wrong / hits)).toBeLessThan(4 * Math.sqrt((typeS * (1 - typeS)) / hits) + 1e-9);
  });
});

describe("right and wrong answers", () => {
  it.each([
    [60, 0.3, "exact"],
    [200, 0.1, "exact"],
    [200, 0.3, "mid-p"],
    [120, 0.25, "asymptotic"],
    [300, 0.2, "corrected"],
  ] as const)("n = %i, discordance %f, %s: the limit of `mde accuracy` at that agreement", async (n, d, method) => {
    const mde = detectableShare({ n, discordance: d, method });
    const test = Object.entries(ACCURACY_TESTS).find(([, name]) => name === method)![0];
    const found = await findMde(accuracyFamily, { n, agreement: 1 - d, test });
    expect(found.mde).toBeCloseTo(mde, 6);
    expect(found.power).toBeCloseTo(0.8, 6);
  });

  it("without disagreement: six gains of six are significant, five are not", () => {
    const mde = detectableShare({ n: 100, discordance: 0, method: "exact" });
    expect(binomialSf(5, 100, mde)).toBeCloseTo(0.8, 5);
  });

  it("where all items differ, as votes do: the sign test of wins against losses", () => {
    const mde = detectableShare({ n: 30, discordance: 1, method: "exact" });
    expect(binomialSf(20, 30, (1 + mde) / 2)).toBeCloseTo(0.8, 5); // 21 of 30 is significant, 20 is not
  });

  it("too few items show nothing", () => {
    expect(detectableShare({ n: 5, discordance: 0.2, method: "exact" })).toBe(Number.POSITIVE_INFINITY);
  });

  it("the items that a difference takes are those whose mde it is", () => {
    for (const [d, delta] of [
      [0.1, 0.09],
      [0.4, 0.15],
      [0, 0.05],
    ] as const) {
      const n = itemsForShare({ discordance: d, method: "exact" }, delta);
      expect(detectableShare({ n, discordance: d, method: "exact" })).toBeLessThanOrEqual(delta + 1e-6);
      expect(detectableShare({ n: n - 1, discordance: d, method: "exact" })).toBeGreaterThan(delta - 1e-6);
    }
  });
});

it("a difference can be detected exactly from the smallest detectable one on", () => {
  for (const df of [1, 3, 17.4, 200, Number.POSITIVE_INFINITY]) {
    for (const skewness of df === Number.POSITIVE_INFINITY ? [undefined] : [undefined, 0.6]) {
      const mde = detectableDifference(0.3, df, { skewness });
      expect(canDetect(mde * (1 + 1e-9), { se: 0.3, df }, { skewness })).toBe(true);
      expect(canDetect(mde * (1 - 1e-9), { se: 0.3, df }, { skewness })).toBe(false);
    }
  }
  expect(canDetect(1, { se: 0, df: 5 })).toBe(false);
});
