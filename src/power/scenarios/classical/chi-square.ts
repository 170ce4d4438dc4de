/** Counts in categories: the χ² test of independence or of given shares.
 *    approx   P(χ² > c),  noncentral χ² on df and λ = n w²
 *  w is Cohen's: √Σ (p - p₀)²/p₀ over the cells, true shares p against those of no association p₀; the estimate is ŵ = √(χ²/n).
 *  Reference: Cohen (1988), Statistical Power Analysis, ch. 7.
 *  Oracle:    R's pchisq with ncp (the formula of pwr.chisq.test), oracle/r/power-classical.json — 1e-9.
 *  Limits:    the law of large counts: expected counts of 5 or more in most cells. */
import { chiSquareQuantileUpper } from "../../../numeric/dist/chi-square.ts";
import { noncentralChiSquarePdf, noncentralChiSquareSf } from "../../../numeric/dist/noncentral-chi-square.ts";
import { integrate } from "../../../numeric/quadrature.ts";
import {
  checkAlpha,
  checkParameters,
  type PowerFigures,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../../scenario.ts";
import { CHI_SQUARE } from "./specs.ts";

/** √(k - 1) for a hundred equally likely categories of which one occurs. */
const LARGEST_W = 10;

export const chiSquareFamily: ScenarioFamily = {
  ...CHI_SQUARE,
  make: (params) => makeChiSquareScenario(checkParameters(chiSquareFamily, params)),
  effectRange: () => ({ from: 0, to: LARGEST_W }),
};

function makeChiSquareScenario(params: ScenarioParameters): Scenario {
  const n = requireNumber(params, "n", "chi-square");
  const w = requireNumber(params, "w", "chi-square");
  const df = params["df"] as number;
  const alpha = params["alpha"] as number;
  requireEffect(w, "w");
  checkAlpha(alpha);
  return {
    name: "chi-square",
    title: chiSquareFamily.title,
    effect: w,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items counted" },
      { name: "w", value: w, meaning: "Cohen's w" },
      { name: "df", value: df, meaning: "degrees of freedom" },
      { name: "test", value: "chi-square", meaning: "without a direction" },
    ],
    assumptions: ["Items are independent, and most cells expect five of them or more."],
    diagnostics: [],
    analyses: ["chi-square"],
    approximatePower: () => chiSquareFigures({ n, w, df, alpha }),
  };
}

function chiSquareFigures({ n, w, df, alpha }: { n: number; w: number; df: number; alpha: number }): PowerFigures {
  const ncp = n * w * w;
  const cut = chiSquareQuantileUpper(alpha, df);
  const power = noncentralChiSquareSf(cut, df, ncp);
  // χ has tails like a normal with an SD of 1
  const end = Math.sqrt(Math.max(cut, ncp + df)) + 40;
  const size = integrate(
    (x) => (x / Math.sqrt(n)) * noncentralChiSquarePdf(x * x, df, ncp) * 2 * x,
    Math.sqrt(cut),
    end,
    {
      relativeTolerance: 1e-9,
    },
  ).value;
  return { power, rejection: power, typeM: size / power / w, typeS: 0 };
}
