/** How often the planned test finds a difference where there is none (solve/error-rate-simulate.ts draws it). A test that does so more often
 *  than α says has no power worth the name, and mixed models of few raters are such tests (t > 1.96 with three raters: 19 %).
 *  Reference: Card et al. (2020), EMNLP, section 5.2; Luke (2017), Behav. Res. Methods 49. */
import { warning } from "../result/diagnostic.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";

/** Rejections with nothing to find, as a share of the experiments drawn. */
export interface ErrorRate {
  readonly rate: number;
  /** 0, of 0 replicates, by the approximation. */
  readonly se: number;
  readonly replicates: number;
}

/** Of α: a test that is off by less is not worth a warning. */
const TOLERATED = 1.25;
/** Standard errors by which the rate must lie beyond that. */
const SURE = 2;

export function judgeErrorRate({ rate, se, replicates }: ErrorRate, alpha: number): Diagnostic[] {
  if (rate - SURE * se <= TOLERATED * alpha) return [];
  const found = `the false-positive rate of the test is ${(100 * rate).toFixed(1)} % of`;
  const drawn =
    replicates === 0 ? "experiments by the approximation" : `${formatNumber(replicates, "integer")} experiments`;
  return [
    warning(
      "BadlySizedTest",
      `${found} ${drawn}, not ${formatNumber(100 * alpha)} %: the power is inflated by it.`,
      "plan for more raters (and items), or use a stricter test or alpha.",
    ),
  ];
}

export const errorRateSentence = ({ rate, se, replicates }: ErrorRate): string =>
  replicates === 0
    ? `The false-positive rate is ${rate.toFixed(3)} (approximation).`
    : `The false-positive rate is ${rate.toFixed(3)} ± ${se.toFixed(3)} (${formatNumber(replicates, "integer")} experiments).`;
