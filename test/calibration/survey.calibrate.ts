/** Tests of asymmetry and intervals of pooled gains in literatures without asymmetry (docs/methods/survey.md). */
import { describe, expect, it } from "vitest";
import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng } from "../../src/numeric/rng.ts";
import { beggTest, eggerTest } from "../../src/significance/meta/asymmetry.ts";
import { type MetaInterval, poolEffects } from "../../src/significance/meta/pool.ts";

const RUNS = 2000;
const GAIN = 0.02;
const DISAGREEMENT = 0.12;

function measure(k: number, tau: number): Record<string, number> {
  const count: Record<string, number> = { egger: 0, mixed: 0, begg: 0, fixed: 0, reml: 0, knappHartung: 0 };
  const hit = (name: string, is: boolean): void => {
    count[name]! += Number(is);
  };
  const covers = ({ lower, upper }: MetaInterval): boolean => lower <= GAIN && GAIN <= upper;
  for (let r = 0; r < RUNS; r++) {
    const rng = makeRng(`cal-${k}-${tau}`).stream(r);
    const v = Array.from({ length: k }, () => DISAGREEMENT / (100 * Math.exp(3 * rng.uniform())));
    const y = v.map((own) => GAIN + tau * rng.normal() + Math.sqrt(own) * rng.normal());
    const pooled = poolEffects(y, v);
    const egger = eggerTest(y, v);
    hit("egger", egger.p < 0.05);
    hit("mixed", egger.mixed.p < 0.05);
    hit("begg", beggTest(y, v).p < 0.05);
    hit("fixed", covers(pooled.fixed));
    hit("reml", covers(pooled.reml));
    hit("knappHartung", covers(pooled.remlKnappHartung));
  }
  return count;
}

describe.each([
  [10, 0],
  [10, 0.02],
  [30, 0],
  [30, 0.02],
])("%i claims, tau %d", (k, tau) => {
  it("Egger's test and Knapp and Hartung's interval keep their level; the others as the page says", () => {
    const found = measure(k, tau);
    // a right method fails once in a thousand choices of seeds
    expect(binomialSf(found["egger"]! - 1, RUNS, 0.05)).toBeGreaterThan(0.001);
    expect(binomialSf(found["begg"]! - 1, RUNS, 0.05)).toBeGreaterThan(0.001);
    expect(binomialCdf(found["knappHartung"]!, RUNS, 0.95)).toBeGreaterThan(0.001);
    if (tau === 0) expect(binomialCdf(found["fixed"]!, RUNS, 0.95)).toBeGreaterThan(0.001);
  }, 600_000);
});
