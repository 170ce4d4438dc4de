/** Non-inferiority: the new system is worse than the old by less than a margin, shown by a one-sided test of Δ ≤ -margin.
 *    means, paired or two samples   exact, one-sided t: noncentral t with δ = (margin + Δ)/se
 *    accuracies on different items  approx, z: se² = p₁(1-p₁)/n₁ + p₂(1-p₂)/n₂ with p₂ = p₁ + Δ
 *    accuracies on the same items   approx, z: se² = (ψ - Δ²)/n, ψ the share of items on which one system alone is right
 *  Significant: the lower end of the one-sided interval lies above -margin. The effect is the distance margin + Δ of the truth from the
 *  margin, which nobody estimates: results of a claim have no Type-M and Type-S (result.ts).
 *  Reference: Chow, Shao, Wang & Lokhnygina (2017), Sample Size Calculations in Clinical Research, 3.1, 4.1; Nam (1997), Biometrics 53.
 *  Oracle:    R's pt with ncp and pnorm, oracle/r/power-classical.json — 1e-9; simulation of the tests.
 *  Limits:    z tests have an error rate of their own where counts are few: see the simulated figures. */

import { checkMargin, SHARE_BOUNDS } from "../../../metrics/range.ts";
import { normalQuantileUpper } from "../../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import type { Rng } from "../../../numeric/rng.ts";
import { StatError } from "../../../result/error.ts";
import { normalFigures } from "../../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  type Outcome,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type StatedParameter,
} from "../../scenario.ts";
import { tFigures } from "../../t-figures.ts";
import { type MarginDesign, NON_INFERIORITY } from "./specs.ts";

type Design = MarginDesign;

/** Nothing larger needs a power analysis. */
const LARGEST_MARGIN_SD = 1000;
/** A margin of 1 lets every loss of a share through. */
const LARGEST_SHARE = 1 - Number.EPSILON;

export const nonInferiorityFamily: ScenarioFamily = {
  ...NON_INFERIORITY,
  make: (params) => makeScenario(checkParameters(nonInferiorityFamily, params)),
  effectRange: ({ design, sd, delta }) => {
    const from = Math.max(0, -((delta as number | undefined) ?? 0));
    const isShare = design === "proportions" || design === "paired-accuracy";
    return { from, to: isShare ? LARGEST_SHARE : LARGEST_MARGIN_SD * ((sd as number | undefined) ?? 1) };
  },
  smallestSize: 2,
};

interface Law {
  readonly n: number;
  readonly margin: number;
  readonly delta: number;
  readonly design: Design;
  readonly sd: number;
  /** Of the estimated difference. */
  readonly se: number;
  readonly baseline: number;
  readonly discordance: number;
  readonly alpha: number;
}

function makeScenario(params: ScenarioParameters): Scenario {
  const law = readLaw(params);
  const { n, margin, delta, design, se, alpha } = law;
  const effect = margin + delta;
  const isT = design === "paired" || design === "two-sample";
  const threshold = normalQuantileUpper(alpha) * se;
  return {
    name: "non-inferiority",
    title: `${nonInferiorityFamily.title}, ${design}`,
    effect,
    effectWords: `margin of ${margin} at a true difference of ${delta}`,
    claim: `With a true difference of ${delta}, a one-sided test shows that less than the margin of ${margin} is lost`,
    alpha,
    parameters: [
      {
        name: "n",
        value: n,
        meaning: design === "paired" || design === "paired-accuracy" ? "items" : "items of each system",
      },
      { name: "margin", value: margin, meaning: "largest loss that would not matter" },
      { name: "delta", value: delta, meaning: "true difference, new minus old" },
      ...spread(law),
      { name: "test", value: isT ? "one-sided t" : "one-sided z", meaning: "of a loss of the margin or more" },
    ],
    assumptions: ["Items are independent. The margin was fixed before the data were seen."],
    diagnostics: [],
    analyses: [isT ? "t" : "z"],
    ...(isT
      ? { exactPower: () => tFigures({ ncp: effect / se, df: dfOf(law), alpha, twoSided: false }) }
      : { approximatePower: () => normalFigures({ effect, sd: se, threshold, twoSided: false }) }),
    drawn: isT ? law.n : 0,
    simulate: (rng) => [isT ? drawMeans(law, rng) : drawShares(law, rng)],
  };
}

const dfOf = ({ design, n }: Law): number => (design === "two-sample" ? 2 * n - 2 : n - 1);

function spread({ design, sd, baseline, discordance }: Law): StatedParameter[] {
  if (design === "proportions")
    return [{ name: "baseline", value: baseline, meaning: "true accuracy of the old system" }];
  if (design === "paired-accuracy") {
    return [
      { name: "discordance", value: discordance, meaning: "proportion of items that one system alone gets right" },
    ];
  }
  return [{ name: "sd", value: sd, meaning: design === "paired" ? "of the item-wise differences" : "of the scores" }];
}

function readLaw(params: ScenarioParameters): Law {
  const p = params as unknown as Omit<Law, "se"> & { readonly baseline?: number; readonly discordance?: number };
  const { design, sd, delta, alpha } = p;
  const n = requireNumber(params, "n", "non-inferiority");
  const margin = requireNumber(params, "margin", "non-inferiority");
  checkAlpha(alpha);
  if (design === "proportions" || design === "paired-accuracy") checkMargin(margin, SHARE_BOUNDS);
  if (n < 2) throw new StatError("BadParameter", `n = ${n}.`, "it must be at least 2.");
  if (!(margin + delta > 0)) {
    const message = `delta = ${delta} is a loss of the margin of ${margin} or more: the new system is inferior.`;
    throw new StatError("Impossible", message, "give a delta above -margin.");
  }
  const baseline = design === "proportions" ? requireNumber(params, "baseline", "non-inferiority") : Number.NaN;
  const discordance =
    design === "paired-accuracy" ? requireNumber(params, "discordance", "non-inferiority") : Number.NaN;
  if (design === "proportions" && !(baseline + delta >= 0 && baseline + delta <= 1)) {
    throw new StatError(
      "Impossible",
      `delta = ${delta} on a baseline of ${baseline} cannot be.`,
      "accuracy ends at 0 and 1.",
    );
  }
  if (design === "paired-accuracy" && !(discordance > 0 && discordance >= Math.abs(delta))) {
    const message = `discordance = ${discordance} with delta = ${delta}.`;
    throw new StatError("Impossible", message, "it must be above 0 and at least as large as delta.");
  }
  return {
    n,
    margin,
    delta,
    design,
    sd,
    se: errorOf({ ...p, n, baseline, discordance }),
    baseline,
    discordance,
    alpha,
  };
}

function errorOf({ design, sd, n, baseline, delta, discordance }: Omit<Law, "se" | "margin" | "alpha">): number {
  if (design === "paired") return sd / Math.sqrt(n);
  if (design === "two-sample") return sd * Math.sqrt(2 / n);
  if (design === "paired-accuracy") return Math.sqrt((discordance - delta * delta) / n);
  const other = baseline + delta;
  return Math.sqrt((baseline * (1 - baseline) + other * (1 - other)) / n);
}

function drawMeans(law: Law, rng: Rng): Outcome {
  const { n, margin, delta, sd, design, alpha } = law;
  const sample = (): { mean: number; squares: number } => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const x = sd * rng.normal();
      sum += x;
      squares += x * x;
    }
    return { mean: sum / n, squares: squares - (sum * sum) / n };
  };
  const a = sample();
  const b = design === "two-sample" ? sample() : { mean: 0, squares: 0 };
  const estimate = margin + delta + a.mean - b.mean;
  const df = dfOf(law);
  const variance = (a.squares + b.squares) / df;
  const se = Math.sqrt((variance * (design === "two-sample" ? 2 : 1)) / n);
  return { estimate, significant: estimate / se > tQuantileUpper(alpha, df) };
}

function drawShares({ n, margin, delta, design, baseline, discordance, alpha }: Law, rng: Rng): Outcome {
  let [difference, variance] = [0, 0];
  if (design === "proportions") {
    const p1 = rng.binomial(n, baseline) / n;
    const p2 = rng.binomial(n, baseline + delta) / n;
    difference = p2 - p1;
    variance = (p1 * (1 - p1) + p2 * (1 - p2)) / n;
  } else {
    const apart = rng.binomial(n, discordance);
    const gains = rng.binomial(apart, (1 + delta / discordance) / 2);
    difference = (2 * gains - apart) / n;
    variance = (apart / n - difference * difference) / n;
  }
  const estimate = difference + margin;
  return { estimate, significant: estimate > normalQuantileUpper(alpha) * Math.sqrt(variance) };
}
