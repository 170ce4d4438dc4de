/** Several independent samples: one-way analysis of variance, Welch's form for unequal variances, Kruskal & Wallis' rank test, and Tukey's
 *  honest differences of all pairs (Kramer's form for unequal sizes).
 *    F = (SSB/(k-1))/(SSW/(N-k));   Tukey: p = P(Q_{k,N-k} > |x̄_i - x̄_j| / √(MSW/2 (1/n_i + 1/n_j)))
 *  Reference: Fisher (1925); Welch (1951), Biometrika 38; Kruskal & Wallis (1952), J. Am. Stat. Assoc. 47; Tukey (1953), Kramer (1956).
 *  Oracle:    aov, oneway.test, kruskal.test, TukeyHSD (R), scipy.stats.tukey_hsd, oracle/reference/classical.json — 1e-8.
 *  Limits:    samples are independent; systems on the same items belong into friedmanTest or a mixed model. */
import { lessCenter } from "../../numeric/center.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { studentizedRangeQuantileUpper, studentizedRangeSf } from "../../numeric/dist/studentized-range.ts";
import { settleTies } from "../../numeric/ties.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { completeSample, meanOf, varianceOf } from "../samples.ts";
import { makeTest, type TestResult } from "../test-result.ts";
import { midRanks } from "./ranks.ts";

export type OneWayMethod = "fisher" | "welch" | "kruskal";

export interface OneWayOptions {
  readonly names?: readonly string[] | undefined;
  readonly confidence?: number | undefined;
  readonly method?: OneWayMethod | undefined;
}

export interface TukeyDifference {
  readonly pair: string;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
}

export interface OneWayTest extends TestResult {
  /** Between groups, within groups. */
  readonly sumsOfSquares: readonly [number, number];
  readonly differences: readonly TukeyDifference[];
}

interface Groups {
  readonly samples: readonly Float64Array[];
  readonly means: readonly number[];
  readonly N: number;
  readonly between: number;
  readonly within: number;
}

export function oneWayTest(groups: readonly ArrayLike<number>[], options: OneWayOptions = {}): OneWayTest {
  const { method = "fisher", confidence = 0.95 } = options;
  const samples = groups.map((group) => completeSample(group).values);
  if (samples.length < 2 || samples.some((s) => s.length === 0)) {
    throw new StatError("TooFew", "one-way tests need at least two samples with values.", "give two or more groups.");
  }
  const names = options.names ?? samples.map((_, i) => `group ${i + 1}`);
  const parts = sumSquares(lessCenter(...samples));
  const { statistic, statisticName, df, p } = { fisher: fisherF, welch: welchF, kruskal: kruskalH }[method](parts);
  const differences = tukeyDifferences(parts, names, confidence);
  const flat = !(parts.within > 0) && method !== "kruskal";
  const eta = parts.between / (parts.between + parts.within);
  return makeTest(
    {
      test: "one-way",
      method: {
        fisher: "One-way analysis of variance",
        welch: "One-way analysis of variance (Welch)",
        kruskal: "Kruskal-Wallis rank test",
      }[method],
      hypothesis: method === "kruskal" ? "all samples come from the same distribution" : "all means are equal",
      sided: false,
      confidence,
      statistic,
      statisticName,
      df,
      p,
      effect: { name: "eta squared", value: eta, lower: Number.NaN, upper: Number.NaN, interval: "none" },
      n: parts.N,
      tables: [
        {
          caption: "Means",
          head: ["group", "n", "mean"],
          formats: ["text", "integer", "number"],
          rows: samples.map((s, i) => [names[i]!, s.length, meanOf(s)]),
        },
        {
          caption: "Tukey's honest differences",
          head: ["pair", "difference", "from", "to", "p"],
          formats: ["text", "number", "number", "number", "p"],
          rows: differences.map((d) => [d.pair, d.difference, d.lower, d.upper, d.p]),
        },
      ],
      diagnostics: flatNotes(parts, method, flat),
      options: { method, names },
      data: samples,
    },
    { sumsOfSquares: [parts.between, parts.within] as const, differences },
  );
}

/** What does not vary leaves something undefined, and which it is depends on the method. */
function flatNotes({ between, within }: Groups, method: OneWayMethod, flat: boolean): Diagnostic[] {
  if (method !== "kruskal")
    return flat ? [warning("NoSpread", "values do not vary within groups: F is undefined.", "check the scores.")] : [];
  if (within > 0) return [];
  return between > 0
    ? [note("NoSpread", "values do not vary within groups: Tukey's p is undefined.", "check the scores.")]
    : [note("AllTied", "all values are equal: p = 1.", "check the scores.")];
}

function sumSquares(samples: readonly Float64Array[]): Groups {
  const means = samples.map(meanOf);
  const N = samples.reduce((sum, s) => sum + s.length, 0);
  const grand = samples.reduce((sum, s, i) => sum + s.length * means[i]!, 0) / N;
  const between = samples.reduce((sum, s, i) => sum + s.length * (means[i]! - grand) ** 2, 0);
  const within = samples.reduce((sum, s, i) => sum + s.reduce((w, v) => w + (v - means[i]!) ** 2, 0), 0);
  return { samples, means, N, between, within };
}

interface Found {
  readonly statistic: number;
  readonly statisticName: string;
  readonly df: number | readonly number[];
  readonly p: number;
}

function fisherF({ samples, N, between, within }: Groups): Found {
  const [df1, df2] = [samples.length - 1, N - samples.length];
  const F = within > 0 ? between / df1 / (within / df2) : Number.NaN;
  return { statistic: F, statisticName: "F", df: [df1, df2], p: fSf(F, df1, df2) };
}

const welchF = ({ samples }: Groups): Found => ({ statisticName: "F", ...welchOneWay(samples) });

/** Welch's F of samples that each spread. */
export function welchOneWay(samples: readonly Float64Array[]): {
  readonly statistic: number;
  readonly df: readonly [number, number];
  readonly p: number;
} {
  const k = samples.length;
  const means = lessCenter(...samples).map(meanOf);
  const weights = samples.map((s) => s.length / varianceOf(s));
  const total = weights.reduce((a, b) => a + b, 0);
  const center = weights.reduce((sum, w, i) => sum + w * means[i]!, 0) / total;
  const spread = weights.reduce((sum, w, i) => sum + w * (means[i]! - center) ** 2, 0) / (k - 1);
  const lambda = weights.reduce((sum, w, i) => sum + (1 - w / total) ** 2 / (samples[i]!.length - 1), 0) / (k * k - 1);
  const F = spread / (1 + 2 * (k - 2) * lambda);
  const df2 = 1 / (3 * lambda);
  return { statistic: F, df: [k - 1, df2], p: fSf(F, k - 1, df2) };
}

function kruskalH({ samples, N }: Groups): Found {
  const { ranks, tieSum } = midRanks(Float64Array.from(settleTies(...samples).flatMap((s) => [...s])));
  let at = 0;
  let sum = 0;
  for (const s of samples) {
    const own = ranks.subarray(at, at + s.length).reduce((a, b) => a + b, 0);
    sum += own ** 2 / s.length;
    at += s.length;
  }
  const scale = 1 - tieSum / (N ** 3 - N);
  const H = scale > 0 ? ((12 * sum) / (N * (N + 1)) - 3 * (N + 1)) / scale : 0;
  return {
    statistic: H,
    statisticName: "chi-square",
    df: samples.length - 1,
    p: scale > 0 ? chiSquareSf(H, samples.length - 1) : 1,
  };
}

/** Later group less earlier one, as TukeyHSD writes them. */
function tukeyDifferences(
  { samples, means, N, within }: Groups,
  names: readonly string[],
  confidence: number,
): TukeyDifference[] {
  const k = samples.length;
  const df = N - k;
  const mean = within / df;
  const q = df > 0 ? studentizedRangeQuantileUpper(1 - confidence, k, df) : Number.NaN;
  return samples.flatMap((own, i) =>
    samples.slice(i + 1).map((other, step) => {
      const j = i + 1 + step;
      const difference = means[j]! - means[i]!;
      const se = Math.sqrt((mean / 2) * (1 / own.length + 1 / other.length));
      return {
        pair: `${names[j]!} - ${names[i]!}`,
        difference,
        lower: se > 0 ? difference - q * se : Number.NaN,
        upper: se > 0 ? difference + q * se : Number.NaN,
        p: se > 0 ? studentizedRangeSf(Math.abs(difference) / se, k, df) : Number.NaN,
      };
    }),
  );
}
