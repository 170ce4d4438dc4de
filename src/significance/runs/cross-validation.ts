/** Two learners compared over the splits of one data set. Scores of overlapping training sets are correlated, so that the plain t test of the
 *  splits rejects far too often; these tests allow for it.
 *      Nadeau-Bengio  J splits, differences d_j:   t = d̄ / √( s² (1/J + n_test/n_train) )   on J - 1 df
 *      5x2cv t        five times two folds, differences p_i1, p_i2, s_i² = Σ (p_ij - p̄_i)²:   t = p_11 / √( Σ s_i² / 5 )   on 5 df
 *      5x2cv F        F = Σ p_ij² / (2 Σ s_i²)   on (10, 5) df; does not hang on which difference comes first
 *  Reference: Nadeau & Bengio (2003), Mach. Learn. 52; Bouckaert & Frank (2004), PAKDD (repeated k-fold);
 *             Dietterich (1998), Neural Comput. 10; Alpaydın (1999), Neural Comput. 11.
 *  Oracle:    oracle/reference/cv-seeds.json, to 1e-12.
 *  Limits:    no variance of cross-validation can be estimated without bias (Bengio & Grandvalet 2004): the correction takes the correlation
 *             of two splits as n_test/(n_train + n_test). Measured error rates: docs/methods/cross-validation.md. */
import { checkSize } from "../../data/size.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { tCdf, tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { completeSample, isConstant, meanOf, varianceOf } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";

export interface ResampledTestOptions extends TestOptions {
  /** Items in each training set and in each test set. */
  readonly trainSize: number;
  readonly testSize: number;
}

export interface ResampledTest extends TestResult {
  /** Mean difference over the splits. */
  readonly estimate: number;
  /** Of the differences. */
  readonly variance: number;
  /** 1/J + n_test/n_train, by which the variance is multiplied. */
  readonly correction: number;
  /** What a t test of independent splits would have said. */
  readonly naive: { readonly statistic: number; readonly p: number };
}

/** `differences`: of the two learners' scores, one a split. */
export function correctedResampledTest(differences: ArrayLike<number>, options: ResampledTestOptions): ResampledTest {
  const { trainSize, testSize, alternative = "two-sided", confidence = 0.95 } = options;
  checkItems(trainSize, "trainSize");
  checkItems(testSize, "testSize");
  const { values, diagnostics } = completeSample(differences, "differences");
  const J = values.length;
  const df = J - 1;
  const [mean, variance] = [meanOf(values), isConstant(values) ? 0 : varianceOf(values)];
  const correction = 1 / J + testSize / trainSize;
  const se = variance > 0 ? Math.sqrt(variance * correction) : Number.NaN;
  const p = (t: number): number => pFromTails({ lower: tCdf(t, df), upper: tSf(t, df) }, alternative);
  const [t, naive] = [mean / se, mean / Math.sqrt(variance / J)];
  return makeTest(
    {
      test: "cv",
      method: "Corrected resampled t test (Nadeau & Bengio)",
      hypothesis: "the two learners have the same expected score",
      alternative,
      confidence,
      statistic: t,
      statisticName: "t",
      df,
      p: p(t),
      effect: {
        name: "mean difference over splits",
        value: mean,
        se,
        ...waldInterval(mean, se, { alternative, confidence, critical: (a) => tQuantileUpper(a, df) }),
        interval: "t distribution, corrected variance",
      },
      n: J,
      figures: {
        splits: J,
        "training items": trainSize,
        "test items": testSize,
        "t without correction": naive,
        "p, without": p(naive),
      },
      diagnostics: [...diagnostics, ...undefinedSpread(J, variance)],
      options: { trainSize, testSize },
      data: [values],
    },
    { estimate: mean, variance, correction, naive: { statistic: naive, p: p(naive) } },
  );
}

function checkItems(size: number, name: string): void {
  if (Number.isInteger(size) && size > 0) return;
  throw new StatError("BadOption", `${name} of ${size} is not a number of items.`, "give a whole number above 0.");
}

function undefinedSpread(J: number, variance: number): Diagnostic[] {
  if (J < 2)
    return [
      warning(
        "FewSplits",
        `${J === 1 ? "one split has" : "no splits have"} no spread: t is undefined.`,
        "give at least two splits.",
      ),
    ];
  if (variance > 0) return [];
  return [
    warning("NoSpread", "the differences do not vary over the splits, so that t is undefined.", "check the scores."),
  ];
}

export interface FiveByTwoOptions extends TestOptions {
  /** Which of the two decides; both are in the result. */
  readonly method?: "t" | "f" | undefined;
}

export interface FiveByTwoTest extends TestResult {
  /** Mean of the ten differences. */
  readonly estimate: number;
  /** s_i² of the five repetitions. */
  readonly variances: readonly number[];
  readonly t: { readonly statistic: number; readonly df: number; readonly p: number };
  readonly f: { readonly statistic: number; readonly df: readonly [number, number]; readonly p: number };
}

/** Five rows, one a repetition, of two differences, one a fold. */
export function fiveByTwoTest(
  differences: readonly (readonly number[])[],
  options: FiveByTwoOptions = {},
): FiveByTwoTest {
  const { alternative = "two-sided", confidence = 0.95, method = "t" } = options;
  checkFiveByTwo(differences);
  if (method === "f" && alternative !== "two-sided")
    throw new StatError(
      "BadOption",
      `F has no direction, and ${alternative} asks for one.`,
      "leave `alternative` out, or take `method` t.",
    );
  const values = Float64Array.from(differences.flat());
  const variances = differences.map(([a, b]) => (a! - b!) ** 2 / 2);
  const sum = isConstant(values) ? 0 : variances.reduce((total, v) => total + v, 0);
  const se = sum > 0 ? Math.sqrt(sum / 5) : Number.NaN;
  const squares = values.reduce((total, v) => total + v * v, 0);
  const [t, F] = [values[0]! / se, squares / (2 * se * se * 5)];
  const own = {
    estimate: meanOf(values),
    variances,
    t: { statistic: t, df: 5, p: pFromTails({ lower: tCdf(t, 5), upper: tSf(t, 5) }, alternative) },
    f: { statistic: F, df: [10, 5] as const, p: fSf(F, 10, 5) },
  };
  const chosen = method === "t" ? own.t : own.f;
  const other = method === "t" ? own.f : own.t;
  return makeTest(
    {
      test: "5x2cv",
      method: method === "t" ? "5x2cv paired t test (Dietterich)" : "Combined 5x2cv F test (Alpaydın)",
      hypothesis: "the two learners have the same expected score",
      alternative,
      sided: method === "t",
      confidence,
      statistic: chosen.statistic,
      statisticName: method === "t" ? "t" : "F",
      df: chosen.df,
      p: chosen.p,
      effect: {
        name: "mean difference of the ten folds",
        value: own.estimate,
        lower: Number.NaN,
        upper: Number.NaN,
        interval: "",
      },
      n: 10,
      figures: { [method === "t" ? "F" : "t"]: other.statistic, [`p of ${method === "t" ? "F" : "t"}`]: other.p },
      diagnostics:
        sum > 0
          ? []
          : [warning("NoSpread", "both folds agree in every repetition: t and F are undefined.", "check the scores.")],
      options: { method },
      data: [values],
    },
    own,
  );
}

function checkFiveByTwo(differences: readonly (readonly number[])[]): void {
  const wide = differences.find((row) => row.length !== 2);
  if (differences.length !== 5 || wide !== undefined) {
    const found =
      wide === undefined ? `${differences.length} repetitions` : `${wide.length} differences in a repetition`;
    throw new StatError(
      "BadShape",
      `${found}: 5x2cv is five repetitions of two folds.`,
      "give five rows of two differences.",
    );
  }
  const wrong = differences.flat().find((v) => !Number.isFinite(v));
  if (wrong !== undefined)
    throw new StatError("NotFinite", `a difference is ${wrong}.`, "give ten finite differences.");
  checkSize(differences.flat(), "differences");
}
