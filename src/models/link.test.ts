import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { LINKS } from "./link.ts";

const { log, logit, probit, cloglog } = LINKS;
const close = { tolerance: 1e-14 };

describe("links in closed form", () => {
  it("at values known by hand", () => {
    expectClose([logit.eta(3 / 4), logit.mu(Math.log(3)), logit.slope(0)], [Math.log(3), 3 / 4, 1 / 4], close);
    expectClose([log.mu(2), log.slope(2)], [Math.E ** 2, Math.E ** 2], close);
    expectClose(
      [cloglog.mu(0), cloglog.complement(0), cloglog.slope(0)],
      [1 - 1 / Math.E, 1 / Math.E, 1 / Math.E],
      close,
    );
    expectClose([probit.mu(0), probit.slope(0)], [1 / 2, 1 / Math.sqrt(2 * Math.PI)], close);
  });

  it("the complement keeps its digits where 1 - μ has none left", () => {
    // 1 / (1 + e⁴⁰), Φ(-9) of mpmath, exp(-e³)
    expectClose(
      [logit.complement(40), probit.complement(9), cloglog.complement(3.5)],
      [1 / (1 + Math.exp(40)), 1.12858840595384e-19, Math.exp(-Math.exp(3.5))],
      { tolerance: 1e-13 },
    );
    for (const link of [logit, probit]) expect(1 - link.mu(40)).toBe(0);
  });

  it.each([logit, probit, cloglog, log])("$name: η(μ(η)) = η, and the slope is the derivative of μ", (link) => {
    for (const eta of [-3.2, -1, -0.1, 0.4, 1.3]) {
      expect(link.eta(link.mu(eta))).toBeCloseTo(eta, 12);
      const h = 1e-4;
      const fifth =
        (8 * (link.mu(eta + h) - link.mu(eta - h)) - (link.mu(eta + 2 * h) - link.mu(eta - 2 * h))) / (12 * h);
      expectClose([link.slope(eta)], [fifth], { tolerance: 1e-10 });
    }
  });
});
