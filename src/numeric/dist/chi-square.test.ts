import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  chiSquareCdf,
  chiSquareLogCdf,
  chiSquareLogPdf,
  chiSquareLogSf,
  chiSquarePdf,
  chiSquareQuantile,
  chiSquareQuantileLog,
  chiSquareQuantileLogUpper,
  chiSquareQuantileUpper,
  chiSquareSf,
} from "./chi-square.ts";
import { normalLogSf, normalQuantile, normalSf } from "./normal.ts";

const reference = readOracle("reference/distributions-core.json");

describe("chi-square distribution", () => {
  it.each([
    ["lower", chiSquareCdf],
    ["upper", chiSquareSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pchisq"), ["x", "df"], column, f);
    expect(worst.error, worst.at).toBeLessThan(2e-13);
  });

  it("quantiles of the shared reference", () => {
    const worst = worstError(reference("qchisq"), ["p", "df"], "value", chiSquareQuantile);
    expect(worst.error, worst.at).toBeLessThan(5e-15);
  });

  it("is a squared normal for df = 1 and exponential for df = 2", () => {
    for (const z of [1e-5, 0.4, 1.99, 2.01, 7, 30]) {
      expect(relativeError(chiSquareSf(z * z, 1), 2 * normalSf(z))).toBeLessThan(2e-13);
      const log = Math.LN2 + normalLogSf(z);
      expect(Math.abs(chiSquareLogSf(z * z, 1) - log)).toBeLessThan(1e-15 * (1 + 10 * Math.abs(log)));
      expect(relativeError(chiSquareSf(z * z, 2), Math.exp(-0.5 * z * z))).toBeLessThan(2e-13);
      expect(
        relativeError(chiSquareLogCdf(z, 2), z > 1 ? Math.log1p(-Math.exp(-0.5 * z)) : Math.log(-Math.expm1(-0.5 * z))),
      ).toBeLessThan(1e-14);
      expect(relativeError(chiSquarePdf(z, 2), 0.5 * Math.exp(-0.5 * z))).toBeLessThan(1e-14);
      expect(relativeError(chiSquareLogPdf(z, 4), Math.log(z / 4) - 0.5 * z)).toBeLessThan(1e-13);
    }
    expect(relativeError(chiSquareQuantile(0.95, 1), normalQuantile(0.975) ** 2)).toBeLessThan(1e-14);
    expect(relativeError(chiSquareQuantileUpper(1e-200, 2), 400 * Math.LN10)).toBeLessThan(1e-14);
    expect(relativeError(chiSquareQuantileLogUpper(-5e4, 2), 1e5)).toBeLessThan(1e-14);
    expect(relativeError(chiSquareQuantileLog(-40, 2), -2 * Math.log1p(-Math.exp(-40)))).toBeLessThan(1e-14);
  });

  it("is undefined for df that are not positive", () => {
    expect([chiSquareCdf(1, 0), chiSquareSf(1, -2), chiSquareQuantile(0.5, 0), chiSquarePdf(1, NaN)]).toEqual(
      Array(4).fill(NaN),
    );
  });
});
