/** Friedman's test of k systems on n data sets (or items), and Nemenyi's pairwise comparison of mean ranks.
 *    χ² = Σ_j (R_j - n(k+1)/2)² · 12 / (n k (k+1) - Σ(t³-t)/(k-1))   on k-1 df, R_j rank sums, t ties within a data set
 *    Iman-Davenport F = (n-1) χ²/(n(k-1) - χ²) on k-1 and (k-1)(n-1) df;   Kendall's W = χ²/(n(k-1))
 *    Nemenyi: p = P(Q_k > √2 |R̄_i - R̄_j| / √(k(k+1)/6n)), Q the studentized range with infinite df
 *  For scores 0/1 the same χ² is Cochran's Q.
 *  Reference: Friedman (1937), J. Am. Stat. Assoc. 32; Iman & Davenport (1980), Commun. Stat. 9; Demšar (2006), JMLR 7; Cochran (1950), Biometrika 37.
 *  Oracle:    friedman.test (R), scipy.stats.friedmanchisquare, statsmodels cochrans_q, oracle/reference/classical.json — 1e-9.
 *  Limits:    χ² is coarse for n < 10 or k < 4: the p given is F's, χ²'s stands beside it. Rank 1 is the smallest score. */

import { checkSize } from "../../data/size.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { studentizedRangeQuantileUpper, studentizedRangeSf } from "../../numeric/dist/studentized-range.ts";
import { settleTies } from "../../numeric/ties.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { makeTest, type TestResult } from "../test-result.ts";
import { midRanks } from "./ranks.ts";

export interface FriedmanOptions {
  readonly confidence?: number | undefined;
  readonly names?: readonly string[] | undefined;
  /** Which p is the result's: Friedman's χ² (default, as R) or Iman & Davenport's F. */
  readonly method?: "chi-square" | "f" | undefined;
}

export interface FriedmanTest extends TestResult {
  readonly meanRanks: readonly number[];
  /** Difference of mean ranks that Nemenyi's test takes for real at 1 - confidence. */
  readonly criticalDifference: number;
  /** Nemenyi p of every pair of systems. */
  readonly pairwise: readonly (readonly number[])[];
}

/** Rows are data sets or items, columns systems. */
export function friedmanTest(scores: readonly ArrayLike<number>[], options: FriedmanOptions = {}): FriedmanTest {
  const { confidence = 0.95, method = "chi-square" } = options;
  const { n, k } = checkBlocks(scores);
  const names = options.names ?? Array.from({ length: k }, (_, j) => `system ${j + 1}`);
  const sums = new Float64Array(k);
  let ties = 0;
  for (const row of scores) {
    const { ranks, tieSum } = midRanks(settleTies(Float64Array.from(row))[0]!);
    ties += tieSum;
    for (let j = 0; j < k; j++) sums[j]! += ranks[j]!;
  }
  const spread = sums.reduce((sum, r) => sum + (r - (n * (k + 1)) / 2) ** 2, 0);
  const scale = n * k * (k + 1) - ties / (k - 1);
  const chisq = scale > 0 ? (12 * spread) / scale : 0;
  const left = n * (k - 1) - chisq;
  const F = left > 0 ? ((n - 1) * chisq) / left : Number.POSITIVE_INFINITY;
  const [df1, df2] = [k - 1, (k - 1) * (n - 1)];
  const pF = left > 0 ? fSf(F, df1, df2) : 0;
  const pChi = chiSquareSf(chisq, k - 1);
  const meanRanks = Array.from(sums, (r) => r / n);
  const unit = Math.sqrt((k * (k + 1)) / (6 * n));
  const pairwise = meanRanks.map((r, i) =>
    meanRanks.map((s, j) =>
      i === j ? 1 : studentizedRangeSf((Math.SQRT2 * Math.abs(r - s)) / unit, k, Number.POSITIVE_INFINITY),
    ),
  );
  const criticalDifference =
    (studentizedRangeQuantileUpper(1 - confidence, k, Number.POSITIVE_INFINITY) / Math.SQRT2) * unit;
  const allTied = scale <= 0;
  return makeTest(
    {
      test: "friedman",
      method: method === "f" ? "Friedman test, Iman-Davenport F" : "Friedman test",
      hypothesis: "all systems rank alike",
      sided: false,
      confidence,
      statistic: method === "f" ? F : chisq,
      statisticName: method === "f" ? "F" : "chi-square",
      df: method === "f" ? [df1, df2] : k - 1,
      p: allTied ? 1 : method === "f" ? pF : pChi,
      effect: {
        name: "Kendall's W",
        value: allTied ? Number.NaN : chisq / (n * (k - 1)),
        lower: Number.NaN,
        upper: Number.NaN,
        interval: "none",
      },
      n,
      figures: {
        "chi-square": chisq,
        "p of chi-square": pChi,
        "Iman-Davenport F": F,
        "p of F": pF,
        "critical difference of ranks": criticalDifference,
      },
      tables: [
        {
          caption: "Mean ranks (1 = smallest score)",
          head: ["system", "mean rank"],
          rows: meanRanks.map((r, j) => [names[j]!, r]),
        },
        {
          caption: "Nemenyi: p of every pair",
          head: ["pair", "rank difference", "p"],
          formats: ["text", "number", "p"],
          rows: pairwise.flatMap((row, i) =>
            row.slice(0, i).map((p, j) => [`${names[j]!} - ${names[i]!}`, meanRanks[j]! - meanRanks[i]!, p]),
          ),
        },
      ],
      diagnostics: allTied ? [note("AllTied", "all systems tie everywhere: p = 1.", "collect finer scores.")] : [],
      options: { method, names },
      data: scores.map((row) => Float64Array.from(row)),
    },
    { meanRanks, criticalDifference, pairwise },
  );
}

/** Cochran's Q: k systems' right and wrong answers on the same items. */
export function cochranTest(
  answers: readonly ArrayLike<number>[],
  options: { readonly names?: readonly string[] } = {},
): TestResult {
  const { n, k } = checkBlocks(answers);
  const columns = new Float64Array(k);
  let total = 0;
  let squares = 0;
  answers.forEach((row, i) => {
    let hits = 0;
    for (let j = 0; j < k; j++) {
      if (row[j] !== 0 && row[j] !== 1) {
        throw new StatError(
          "NotBinary",
          `row ${i + 1} holds ${row[j]}: Cochran's Q takes 0 and 1.`,
          "use the friedman test for other scores.",
        );
      }
      hits += row[j]!;
      columns[j]! += row[j]!;
    }
    total += hits;
    squares += hits * hits;
  });
  const scale = k * total - squares;
  const spread = columns.reduce((sum, c) => sum + (c - total / k) ** 2, 0);
  const Q = scale > 0 ? (k * (k - 1) * spread) / scale : 0;
  const names = options.names ?? Array.from({ length: k }, (_, j) => `system ${j + 1}`);
  return makeTest({
    test: "cochran",
    method: "Cochran's Q test",
    hypothesis: "all systems have the same chance of being right",
    sided: false,
    confidence: 0.95,
    statistic: Q,
    statisticName: "Q",
    df: k - 1,
    p: scale > 0 ? chiSquareSf(Q, k - 1) : 1,
    effect: {
      name: "range of shares right",
      value: (mostOf(columns) - leastOf(columns)) / n,
      lower: Number.NaN,
      upper: Number.NaN,
      interval: "none",
    },
    n,
    tables: [{ head: ["system", "share right"], rows: names.map((name, j) => [name, columns[j]! / n]) }],
    diagnostics:
      scale > 0
        ? []
        : [note("AllTied", "every item is right for all systems or for none: p = 1.", "collect more items.")],
    options: { names },
    data: answers.map((row) => Float64Array.from(row)),
  });
}

function checkBlocks(scores: readonly ArrayLike<number>[]): { n: number; k: number } {
  const n = scores.length;
  const k = scores[0]?.length ?? 0;
  if (n < 2 || k < 2) {
    throw new StatError(
      "TooFew",
      `${n} rows of ${k} systems.`,
      "give at least two data sets (or items) and two systems.",
    );
  }
  scores.forEach((row, i) => {
    if (row.length !== k)
      throw new StatError(
        "RaggedRows",
        `row ${i + 1} has ${row.length} scores, row 1 has ${k}.`,
        "give every system a score in each row.",
      );
    for (let j = 0; j < k; j++) {
      if (!Number.isFinite(row[j]!)) {
        throw new StatError(
          "MissingScore",
          `row ${i + 1}, system ${j + 1} is ${row[j]}.`,
          "leave incomplete rows out.",
        );
      }
    }
  });
  checkSize(
    scores.flatMap((row) => Array.from(row)),
    "the scores",
  );
  return { n, k };
}
