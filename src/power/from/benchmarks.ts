/** Minimum detectable differences of benchmarks, from their size and best accuracy alone: the columns of Card et al.'s Table 9.
 *    binomial      two separate samples, power.prop.test
 *    lachenbruch   no prior (no-prior.ts)
 *    regression    McNemar with agreement predicted by regression; each test of the family, and the normal approximation.
 *                  The figures published as "exact unconditional" are those of the mid-p test.
 *  Reference: Card et al. (2020), EMNLP, Tables 2 and 9, App. E.
 *  Oracle:    oracle/reference/power.json (R) — 1e-8, and the published digits.
 *  Limits:    a regression may predict more disagreement than the accuracies allow (WNLI); its figures then describe no real pair. */

import { enumerateDiscordant, makeCritical } from "../../significance/tests/mcnemar-power.ts";
import { approximateDiscordant } from "../normal-figures.ts";
import { USUAL_POWER } from "../result.ts";
import { ACCURACY_TESTS } from "../scenarios/accuracy.ts";
import { type OverlapRegression, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { approximateProportions } from "../scenarios/unpaired.ts";
import { firstEffect } from "../solve/mde.ts";
import { lachenbruchMde, PRIOR_BOUNDS, type PriorBound } from "./no-prior.ts";

export interface Benchmark {
  readonly n: number;
  /** Best accuracy so far. */
  readonly baseline: number;
  readonly overlap: OverlapRegression;
}

export interface BenchmarkMde {
  readonly binomial: number;
  readonly lachenbruch: Readonly<Record<PriorBound, number>>;
  /** By test, and "normal"; NaN where no possible gain has the power. */
  readonly regression: Readonly<Record<string, number>>;
}

export interface BenchmarkOptions {
  readonly power?: number | undefined;
  readonly alpha?: number | undefined;
  /** Which McNemar tests; default all. */
  readonly tests?: readonly string[] | undefined;
}

/** Shares, not percent. */
export function benchmarkMde({ n, baseline, overlap }: Benchmark, options: BenchmarkOptions = {}): BenchmarkMde {
  const { power = USUAL_POWER, alpha = 0.05, tests = Object.keys(ACCURACY_TESTS) } = options;
  const range = { from: 0, to: 1 - baseline };
  const law = (delta: number) => {
    const d = 1 - predictOverlap(overlap, baseline, delta);
    return { n, win: (d + delta) / 2, lose: Math.max(0, d - delta) / 2 };
  };
  const side = { alpha, twoSided: true };
  // the critical region is two-sided; the power needs its right side alone
  const byTest = tests.map((test): [string, number] => {
    const critical = makeCritical({ method: ACCURACY_TESTS[test]!, n, ...side });
    return [test, firstEffect(range, power, (delta) => enumerateDiscordant(law(delta), critical, false).power).x];
  });
  const normal = firstEffect(range, power, (delta) => approximateDiscordant(law(delta), side).power).x;
  return {
    binomial: firstEffect(range, power, (delta) => {
      return approximateProportions({ n1: n, n2: n, p1: baseline, p2: baseline + delta }, side).power;
    }).x,
    lachenbruch: Object.fromEntries(
      PRIOR_BOUNDS.map((bound) => [bound, lachenbruchMde(n, baseline, { bound, alpha, power })]),
    ) as Record<PriorBound, number>,
    regression: { ...Object.fromEntries(byTest), normal },
  };
}
