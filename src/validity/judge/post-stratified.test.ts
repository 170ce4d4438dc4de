import { describe, expect, it } from "vitest";
import { binomialInterval } from "../../significance/intervals/binomial.ts";
import { postStratify } from "./post-stratified.ts";

describe("a pass rate weighted by the judge's verdicts", () => {
  it("is the formula of square-and-add", () => {
    const found = postStratify(
      [
        { n: 20, passed: 4 },
        { n: 30, passed: 27 },
      ],
      { n: 2000, passed: 1300 },
    );
    const [p, m0, m1] = [0.65, 0.2, 0.9];
    const [w0, w1, wp] = [binomialInterval(4, 20), binomialInterval(27, 30), binomialInterval(1300, 2000)];
    const theta = (1 - p) * m0 + p * m1;
    expect(found.value).toBeCloseTo(theta, 14);
    const down = ((1 - p) * (m0 - w0.lower)) ** 2 + (p * (m1 - w1.lower)) ** 2 + ((m1 - m0) * (p - wp.lower)) ** 2;
    const up = ((1 - p) * (w0.upper - m0)) ** 2 + (p * (w1.upper - m1)) ** 2 + ((m1 - m0) * (wp.upper - p)) ** 2;
    expect(found.lower).toBeCloseTo(theta - Math.sqrt(down), 14);
    expect(found.upper).toBeCloseTo(theta + Math.sqrt(up), 14);
  });

  it("is mirrored where people pass what the judge fails", () => {
    const found = postStratify(
      [
        { n: 20, passed: 4 },
        { n: 30, passed: 27 },
      ],
      { n: 2000, passed: 1300 },
    );
    const turned = postStratify(
      [
        { n: 30, passed: 27 },
        { n: 20, passed: 4 },
      ],
      { n: 2000, passed: 700 },
    );
    expect(turned.value).toBeCloseTo(found.value, 14);
    expect(turned.lower).toBeCloseTo(found.lower, 14);
    expect(turned.upper).toBeCloseTo(found.upper, 14);
  });

  it("knows nothing of a verdict without labels", () => {
    const found = postStratify(
      [
        { n: 0, passed: 0 },
        { n: 30, passed: 27 },
      ],
      { n: 1000, passed: 900 },
    );
    expect(found.empty).toEqual([0]);
    expect(found.shares[0]).toBe(0.5);
    expect(found.value).toBeCloseTo(0.1 * 0.5 + 0.9 * 0.9, 14);
    expect(
      postStratify(
        [
          { n: 0, passed: 0 },
          { n: 30, passed: 27 },
        ],
        { n: 1000, passed: 1000 },
      ).empty,
    ).toEqual([]);
  });
});
