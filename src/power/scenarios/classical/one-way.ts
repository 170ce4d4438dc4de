/** Means of k groups of n items each, compared by the F test of a one-way analysis of variance.
 *    exact    P(F > c),  F noncentral with k - 1 and k(n - 1) df and λ = k n f²
 *  f is Cohen's: the SD of the true group means (divided by k) over the SD within groups. The estimate f̂ = √((k-1)F/(kn)) is what
 *  Type-M is about; it has no sign.
 *  Reference: Cohen (1988), Statistical Power Analysis, ch. 8.
 *  Oracle:    power.anova.test (R), oracle/r/power-classical.json — 1e-9; simulation.
 *  Limits:    equal numbers and one variance. Simulation spreads the group means evenly; power depends on f alone. */
import { fQuantileUpper } from "../../../numeric/dist/f.ts";
import { noncentralFPdf, noncentralFSf } from "../../../numeric/dist/noncentral-f.ts";
import { integrate } from "../../../numeric/quadrature.ts";
import type { Rng } from "../../../numeric/rng.ts";
import { StatError } from "../../../result/error.ts";
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
import { ONE_WAY } from "./specs.ts";

/** Nothing larger needs a power analysis. */
const LARGEST_F = 50;

export const oneWayFamily: ScenarioFamily = {
  ...ONE_WAY,
  make: (params) => makeOneWayScenario(checkParameters(oneWayFamily, params)),
  effectRange: () => ({ from: 0, to: LARGEST_F }),
  smallestSize: 2,
};

interface OneWayLaw {
  readonly n: number;
  readonly groups: number;
  readonly f: number;
  readonly alpha: number;
}

function makeOneWayScenario(params: ScenarioParameters): Scenario {
  const law = {
    n: requireNumber(params, "n", "anova"),
    groups: params["groups"] as number,
    f: requireNumber(params, "f", "anova"),
    alpha: params["alpha"] as number,
  };
  const { n, groups, f, alpha } = law;
  requireEffect(f, "f");
  checkAlpha(alpha);
  if (groups < 2) throw new StatError("BadParameter", `groups = ${groups}.`, "it must be at least 2.");
  if (n < 2) throw new StatError("BadParameter", `n = ${n} leaves no degree of freedom.`, "it must be at least 2.");
  return {
    name: "anova",
    title: oneWayFamily.title,
    effect: f,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items in each group" },
      { name: "groups", value: groups, meaning: "groups that are compared" },
      { name: "f", value: f, meaning: "SD of the true group means over the SD within groups" },
      { name: "eta squared", value: (f * f) / (1 + f * f), meaning: "proportion of the variance between groups" },
      { name: "test", value: "F", meaning: "on the group means, without a direction" },
    ],
    assumptions: ["Items are independent, normal within groups, and spread alike in all of them."],
    diagnostics: [],
    analyses: ["F"],
    exactPower: () => fFigures(law),
    drawn: n * groups,
    simulate: (rng) => [drawGroups(law, rng)],
  };
}

function fFigures({ n, groups, f, alpha }: OneWayLaw): PowerFigures {
  const [df1, df2] = [groups - 1, groups * (n - 1)];
  const ncp = groups * n * f * f;
  const cut = fQuantileUpper(alpha, df1, df2);
  const power = noncentralFSf(cut, df1, df2, ncp);
  // in u = 1/(1 + F/cut) the range above the cut is finite
  const size = integrate(
    (u) => {
      const x = cut * (1 / u - 1);
      return u <= 0 ? 0 : (Math.sqrt((df1 * x) / (groups * n)) * noncentralFPdf(x, df1, df2, ncp) * cut) / (u * u);
    },
    0,
    0.5,
    { relativeTolerance: 1e-9 },
  ).value;
  return { power, rejection: power, typeM: size / power / f, typeS: 0 };
}

function drawGroups({ n, groups, f, alpha }: OneWayLaw, rng: Rng): Outcome {
  // evenly spaced means with an SD of f
  const spacing = f / Math.sqrt((groups * groups - 1) / 12);
  let [between, within, grand] = [0, 0, 0];
  const means: number[] = [];
  for (let g = 0; g < groups; g++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const x = rng.normal();
      sum += x;
      squares += x * x;
    }
    within += squares - (sum * sum) / n;
    means.push(spacing * (g - (groups - 1) / 2) + sum / n);
    grand += means[g]! / groups;
  }
  for (const mean of means) between += n * (mean - grand) ** 2;
  const F = between / (groups - 1) / (within / (groups * (n - 1)));
  const significant = F > fQuantileUpper(alpha, groups - 1, groups * (n - 1));
  return { estimate: Math.sqrt(((groups - 1) * F) / (groups * n)), significant };
}
