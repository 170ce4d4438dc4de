/** Two shares on different items by Cohen's h, the difference of their arcsines: h = 2 asin √p₂ - 2 asin √p₁.
 *    approx   Φ(|h| √(n₁n₂/(n₁+n₂)) - z)
 *  For two accuracies that are known, `unpaired` has the exact answer; h is for effects taken from the literature.
 *  Reference: Cohen (1988), Statistical Power Analysis, ch. 6.
 *  Oracle:    R's pnorm (the formula of pwr.2p.test and pwr.2p2n.test), oracle/r/power-classical.json — 1e-9. */

import { normalQuantileUpper } from "../../../numeric/dist/normal.ts";
import { StatError } from "../../../result/error.ts";
import { normalFigures } from "../../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../../scenario.ts";
import { COHENS_H } from "./specs.ts";

export const cohensHFamily: ScenarioFamily = {
  ...COHENS_H,
  make: (params) => makeScenario(checkParameters(cohensHFamily, params)),
  effectRange: () => ({ from: 0, to: Math.PI }),
  sizeBounds: ({ n2 }) => ({
    least: 1,
    most: Number.POSITIVE_INFINITY,
    step: 1,
    ...(n2 === undefined ? {} : { held: { parameter: "n2", value: n2 as number, step: 1, noun: NOUN, why: WHY } }),
  }),
};

const NOUN = "items of the second sample";
const WHY = "the share among these stays uncertain";

function makeScenario(params: ScenarioParameters): Scenario {
  const n = requireNumber(params, "n", "cohens-h");
  const n2 = (params["n2"] as number | undefined) ?? n;
  const h = requireNumber(params, "h", "cohens-h");
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  requireEffect(h, "h");
  checkAlpha(alpha);
  if (Math.abs(h) > Math.PI) throw new StatError("BadParameter", `h = ${h}.`, "it lies between -π and π.");
  const sd = Math.sqrt(1 / n + 1 / n2);
  const threshold = normalQuantileUpper(twoSided ? alpha / 2 : alpha) * sd;
  return {
    name: "cohens-h",
    title: cohensHFamily.title,
    effect: h,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items of the first sample" },
      { name: "n2", value: n2, meaning: "items of the second sample, none of them the same" },
      { name: "h", value: h, meaning: "difference of the arcsines of the true shares" },
      { name: "test", value: "z", meaning: twoSided ? "two-sided, on arcsines" : "one-sided, on arcsines" },
    ],
    assumptions: ["The two samples have different items, all of them independent, and neither share is near 0 or 1."],
    diagnostics: [],
    analyses: ["z"],
    approximatePower: () => normalFigures({ effect: h, sd, threshold, twoSided }),
  };
}
