/** Pearson's correlation of two scores over items, tested against 0 by its t test.
 *    exact    ∫ of Hotelling's density of r̂ beyond the critical value r_c = t/√(t² + n - 2), both scores normal:
 *               f(r) = (n-2) Γ(n-1) (1-ρ²)^{(n-1)/2} (1-r²)^{(n-4)/2} / (√(2π) Γ(n-½) (1-ρr)^{n-3/2}) · ₂F₁(½, ½; n-½; (1+ρr)/2)
 *    approx   Φ((z_ρ - z_c)√(n-3)),   z_ρ = atanh ρ + ρ/(2(n-1)),   z_c = atanh r_c      (Fisher's z, as pwr.r.test)
 *  Reference: Hotelling (1953), J. R. Stat. Soc. B 15, eq. 25; Cohen (1988), Statistical Power Analysis, ch. 3.
 *  Oracle:    Fisher's z in R's own functions and the noncentral t averaged over χ², oracle/r/power-classical.json; simulation.
 *  Limits:    n of 4 or more. */

import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { integrate } from "../../../numeric/quadrature.ts";
import type { Rng } from "../../../numeric/rng.ts";
import { logGammaDelta } from "../../../numeric/special/gamma.ts";
import { StatError } from "../../../result/error.ts";
import { normalFigures } from "../../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  type Outcome,
  type PowerFigures,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../../scenario.ts";
import { CORRELATION } from "./specs.ts";

export const correlationFamily: ScenarioFamily = {
  ...CORRELATION,
  make: (params) => makeCorrelationScenario(checkParameters(correlationFamily, params)),
  effectRange: () => ({ from: 0, to: LARGEST_RHO }),
  smallestSize: 4,
};

/** A correlation of 1 has no sampling distribution. */
const LARGEST_RHO = 0.999999;

interface CorrelationLaw {
  readonly n: number;
  readonly rho: number;
  readonly alpha: number;
  readonly twoSided: boolean;
}

function makeCorrelationScenario(params: ScenarioParameters): Scenario {
  const n = requireNumber(params, "n", "correlation");
  const rho = requireNumber(params, "rho", "correlation");
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  requireEffect(rho, "rho");
  checkAlpha(alpha);
  if (!(Math.abs(rho) < 1)) throw new StatError("BadParameter", `rho = ${rho}.`, "it must lie between -1 and 1.");
  if (n < 4) throw new StatError("BadParameter", `n = ${n}.`, "it must be at least 4.");
  const law = { n, rho, alpha, twoSided };
  return {
    name: "correlation",
    title: correlationFamily.title,
    effect: rho,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items with both scores" },
      { name: "rho", value: rho, meaning: "true correlation" },
      { name: "test", value: "t", meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: ["Items are independent, and both scores are normal."],
    diagnostics: [],
    analyses: ["t"],
    exactPower: () => exactFigures(law),
    approximatePower: () => fisherFigures(law),
    drawn: n,
    simulate: (rng) => [drawCorrelation(law, rng)],
  };
}

function criticalCorrelation({ n, alpha, twoSided }: CorrelationLaw): number {
  const t = tQuantileUpper(twoSided ? alpha / 2 : alpha, n - 2);
  return t / Math.sqrt(t * t + n - 2);
}

function exactFigures(law: CorrelationLaw): PowerFigures {
  const rho = Math.abs(law.rho);
  const cut = criticalCorrelation(law);
  // r = tanh z spreads the peak near 1 over a range that the rule sees
  const part = (from: number, to: number, sign: 1 | -1, moment: 0 | 1): number =>
    integrate(
      (z) => {
        const r = Math.tanh(z);
        if (r >= 1) return 0; // rounded: nothing is left beyond
        const slope = 1 / Math.cosh(z) ** 2;
        return r ** moment * slope * hotellingDensity(sign * r, rho, law.n);
      },
      Math.atanh(from),
      to,
      { relativeTolerance: 1e-11 },
    ).value;
  // beyond this the density in z is below 1e-30 of its peak
  const end = Math.max(Math.atanh(rho), Math.atanh(cut)) + Math.max(1, 40 / Math.sqrt(law.n));
  const power = part(cut, end, 1, 0);
  const wrong = law.twoSided ? part(cut, end, -1, 0) : 0;
  const size = part(cut, end, 1, 1) + (law.twoSided ? part(cut, end, -1, 1) : 0);
  const rejection = power + wrong;
  return { power, rejection, typeM: size / rejection / rho, typeS: wrong / rejection };
}

/** Terms of the series until one is below rounding; they fall at least as fast as powers of (1 + ρr)/2. */
const MOST_TERMS = 10_000;

export function hotellingDensity(r: number, rho: number, n: number): number {
  const x = (1 + rho * r) / 2;
  let [term, series] = [1, 1];
  for (let k = 0; k < MOST_TERMS && term > 1e-17 * series; k++) {
    term *= ((0.5 + k) * (0.5 + k) * x) / ((n - 0.5 + k) * (k + 1));
    series += term;
  }
  const log =
    Math.log(n - 2) -
    logGammaDelta(n - 1, 0.5) +
    ((n - 1) / 2) * Math.log1p(-rho * rho) +
    ((n - 4) / 2) * Math.log1p(-r * r) -
    (n - 1.5) * Math.log1p(-rho * r);
  return (Math.exp(log) / Math.sqrt(2 * Math.PI)) * series;
}

/** On the scale of Fisher's z; Type-M there is that of z. */
function fisherFigures(law: CorrelationLaw): PowerFigures {
  const { n, twoSided } = law;
  const rho = Math.abs(law.rho);
  const effect = Math.atanh(rho) + rho / (2 * (n - 1));
  return normalFigures({
    effect,
    sd: 1 / Math.sqrt(n - 3),
    threshold: Math.atanh(criticalCorrelation(law)),
    twoSided,
  });
}

function drawCorrelation(law: CorrelationLaw, rng: Rng): Outcome {
  const { n, rho } = law;
  const rest = Math.sqrt(1 - rho * rho);
  let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = rng.normal();
    const y = rho * x + rest * rng.normal();
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  const r = (sxy - (sx * sy) / n) / Math.sqrt((sxx - (sx * sx) / n) * (syy - (sy * sy) / n));
  const cut = criticalCorrelation(law);
  const significant = law.twoSided ? Math.abs(r) > cut : Math.sign(rho) * r > cut;
  return { estimate: r, significant };
}
