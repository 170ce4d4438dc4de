/** Williams' test of two dependent correlations that share a variable: does metric 2 or metric 3 follow the human scores (1) better?
 *    t = (r12 - r13) √( (n-1)(1+r23) / (2 K (n-1)/(n-3) + r̄² (1-r23)³) ) on n-3 df,
 *    K = 1 - r12² - r13² - r23² + 2 r12 r13 r23,   r̄ = (r12 + r13)/2
 *  Reference: Williams (1959), Regression Analysis; Steiger (1980), Psych. Bull. 87; Graham & Baldwin (2014), EMNLP.
 *             Interval: Zou (2007), Psychol. Methods 12, from the Fisher intervals of both.
 *  Oracle:    psych::r.test (R), oracle/reference/classical.json — 1e-10.
 *  Limits:    normal data; n >= 4. */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tCdf, tSf } from "../../numeric/dist/t.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { completeSample } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult } from "../test-result.ts";
import { correlate } from "./correlation.ts";

export interface DependentCorrelations {
  readonly n: number;
  readonly r12: number;
  readonly r13: number;
  readonly r23: number;
}

export function williamsTest(input: DependentCorrelations, options: TestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  const { n, r12, r13, r23 } = input;
  const K = checkCorrelations(input);
  const mean = (r12 + r13) / 2;
  const t = (r12 - r13) * Math.sqrt(((n - 1) * (1 + r23)) / ((2 * K * (n - 1)) / (n - 3) + mean ** 2 * (1 - r23) ** 3));
  return makeTest({
    test: "williams",
    method: "Williams' test of two dependent correlations",
    hypothesis: "both correlate equally with the shared variable",
    alternative,
    confidence,
    statistic: t,
    statisticName: "t",
    df: n - 3,
    p: pFromTails({ lower: tCdf(t, n - 3), upper: tSf(t, n - 3) }, alternative),
    effect: {
      name: "difference of correlations",
      value: r12 - r13,
      ...zouInterval(input, confidence),
      interval: "Zou, from Fisher's z",
    },
    n,
    figures: { r12, r13, r23 },
    diagnostics: perfectNotes(input, t),
    options: {},
    data: [Float64Array.of(n, r12, r13, r23)],
  });
}

/** A perfect correlation leaves nothing to compare, or no interval by Fisher's z. */
function perfectNotes({ r12, r13, r23 }: DependentCorrelations, t: number): Diagnostic[] {
  if (Number.isNaN(t)) {
    const message = `the correlations ${r12}, ${r13} and ${r23} are perfect: t is 0/0, undefined.`;
    return [warning("PerfectCorrelation", message, "compare columns that are not functions of each other.")];
  }
  if (Math.abs(r12) < 1 && Math.abs(r13) < 1) return [];
  const message = "a correlation of 1 or -1 has no interval by Fisher's z, nor has the difference.";
  return [note("PerfectCorrelation", message, "check that the column is not a copy.")];
}

/** From three columns: the shared one first. */
export function williamsOfColumns(
  columns: readonly [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>],
  options: TestOptions = {},
): TestResult {
  const [a, b, c] = columns.map((column) => completeSample(column).values) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  if (a.length !== b.length || a.length !== c.length) {
    throw new StatError(
      "UnpairedLengths",
      `columns of ${a.length}, ${b.length} and ${c.length} values.`,
      "give complete columns of the same rows.",
    );
  }
  [a, b, c].forEach((values, i) => {
    if (values.length > 0 && values.every((v) => v === values[0]))
      throw new StatError(
        "NoSpread",
        `column ${i + 1} of 3 is ${values[0]} in every row: it has no correlation.`,
        "give columns that vary.",
      );
  });
  return williamsTest({ n: a.length, r12: correlate(a, b), r13: correlate(a, c), r23: correlate(b, c) }, options);
}

function checkCorrelations({ n, r12, r13, r23 }: DependentCorrelations): number {
  const K = 1 - r12 ** 2 - r13 ** 2 - r23 ** 2 + 2 * r12 * r13 * r23;
  if (!(n >= 4) || !Number.isInteger(n)) throw new StatError("TooFew", `n = ${n} rows.`, "give at least four.");
  if ([r12, r13, r23].some((r) => !(Math.abs(r) <= 1)) || K < 0) {
    throw new StatError(
      "BadCorrelation",
      `r12 = ${r12}, r13 = ${r13}, r23 = ${r23} cannot occur together.`,
      "check the three correlations.",
    );
  }
  return K;
}

function zouInterval(
  { n, r12, r13, r23 }: DependentCorrelations,
  confidence: number,
): { lower: number; upper: number } {
  const half = normalQuantileUpper((1 - confidence) / 2) / Math.sqrt(n - 3);
  const ends = (r: number) => [Math.tanh(Math.atanh(r) - half), Math.tanh(Math.atanh(r) + half)] as const;
  const [l1, u1] = ends(r12);
  const [l2, u2] = ends(r13);
  const c =
    ((r23 - (r12 * r13) / 2) * (1 - r12 ** 2 - r13 ** 2 - r23 ** 2) + r23 ** 3) / ((1 - r12 ** 2) * (1 - r13 ** 2));
  const join = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x + y * y - 2 * c * x * y));
  return { lower: r12 - r13 - join(r12 - l1, u2 - r13), upper: r12 - r13 + join(u1 - r12, r13 - l2) };
}
