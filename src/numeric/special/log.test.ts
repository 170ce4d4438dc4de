import { describe, expect, it } from "vitest";
import { readOracle, worstError } from "../../../test/support/oracle-grid.ts";
import { log1mexp, log1pmx, logAddExp } from "./log.ts";

const mpmath = readOracle("python/distributions.json");

describe("log1pmx and log1mexp", () => {
  it("match mpmath", () => {
    const a = worstError(mpmath("log1pmx"), ["x"], "value", log1pmx);
    expect(a.error, a.at).toBeLessThan(3e-15);
    const b = worstError(mpmath("log1mexp"), ["x"], "value", log1mexp);
    expect(b.error, b.at).toBeLessThan(1e-15);
  });

  it("reach their limits", () => {
    expect(log1pmx(0)).toBeCloseTo(0, 300);
    expect(log1pmx(-1)).toBe(Number.NEGATIVE_INFINITY);
    expect(log1mexp(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(log1mexp(Number.NEGATIVE_INFINITY)).toBe(-0);
    expect(log1mexp(1e-9)).toBeNaN();
  });
});

describe("logAddExp", () => {
  it("adds without overflow or underflow", () => {
    expect(logAddExp(1000, 1000)).toBeCloseTo(1000 + Math.LN2, 12);
    expect(logAddExp(-2000, -2001)).toBeCloseTo(-2000 + Math.log1p(Math.exp(-1)), 11);
  });

  it("treats -Infinity as an empty summand", () => {
    expect(logAddExp(Number.NEGATIVE_INFINITY, 3)).toBe(3);
    expect(logAddExp(3, Number.NEGATIVE_INFINITY)).toBe(3);
    expect(logAddExp(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("passes infinity and NaN on", () => {
    expect(logAddExp(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(logAddExp(Number.NaN, 1)).toBeNaN();
  });
});
