/** McNemar's test where items come in clusters (questions of one document, turns of one dialogue).
 *  For cluster k with n_k items let δ_k = b_k - c_k.
 *    obuchowski   χ² = (K-1)/K (Σ δ_k)² / Σ δ_k²             weights every item alike
 *    durkalski    χ² = (Σ δ_k/n_k)² / Σ (δ_k/n_k)²           weights every cluster alike
 *  Reference: Obuchowski (1998), Stat. Med. 17, 1495; Durkalski, Palesch, Lipsitz & Rust (2003), Stat. Med. 22, 2417.
 *  Oracle:    closed forms; with one item a cluster Durkalski's is McNemar's χ².
 *  Limits:    asymptotic in the number of clusters: below about 20 use the clustered permutation test. */

import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { normalCdf, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { pairedTable } from "../paired-table.ts";
import { clustersOf, pairedSample } from "../samples.ts";
import { makeTest, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";

export interface ClusteredMcnemarOptions extends TestOptions {
  readonly method?: "obuchowski" | "durkalski" | undefined;
}

/** Too few clusters for a χ² distribution. */
const FEW_CLUSTERS = 20;

export function clusteredMcnemarTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  { clusters, ...options }: ClusteredMcnemarOptions & { readonly clusters: Int32Array },
): TestResult {
  const { method = "obuchowski", alternative = "two-sided", confidence = 0.95 } = options;
  pairedTable(x, y); // refuses anything but 0 and 1
  const pairs = pairedSample(x, y);
  const codes = clustersOf(clusters, x.length, pairs.kept)!;
  const { deltas, sizes } = byCluster(pairs.values, codes);
  const K = deltas.length;
  const n = pairs.values.length;
  const scores = method === "durkalski" ? deltas.map((d, k) => d / sizes[k]!) : deltas;
  const sum = scores.reduce((a, b) => a + b, 0);
  const squares = scores.reduce((a, b) => a + b * b, 0);
  const chisq = squares === 0 ? 0 : ((method === "durkalski" ? 1 : (K - 1) / K) * sum * sum) / squares;
  const z = Math.sign(sum) * Math.sqrt(chisq);
  const p =
    squares === 0 ? 1 : { "two-sided": chiSquareSf(chisq, 1), greater: normalSf(z), less: normalCdf(z) }[alternative];
  const difference = deltas.reduce((a, b) => a + b, 0) / n;
  const se = Math.sqrt(
    ((K / (K - 1)) * deltas.reduce((s, d, k) => s + (d - difference * sizes[k]!) ** 2, 0)) / (n * n),
  );
  const diagnostics = [
    ...pairs.diagnostics,
    ...(squares === 0
      ? [note("NoDiscordantPairs", "no cluster differs between the systems: p = 1.", "collect more items.")]
      : []),
    ...(K < FEW_CLUSTERS
      ? [warning("FewClusters", `${K} clusters are few for a χ² distribution.`, "use the clustered permutation test.")]
      : []),
  ];
  return makeTest({
    test: "mcnemar",
    method: `McNemar's test for clustered items (${method === "durkalski" ? "Durkalski" : "Obuchowski"})`,
    hypothesis: "both systems have the same chance of being right",
    alternative,
    confidence,
    statistic: chisq,
    statisticName: "chi-square",
    df: 1,
    p,
    effect: {
      name: "difference in share right",
      value: difference,
      se,
      ...withinOne(
        waldInterval(difference, se, { alternative, confidence, critical: (a) => tQuantileUpper(a, K - 1) }),
      ),
      interval: "cluster-robust, t distribution on clusters - 1 df",
    },
    n: K,
    figures: { items: n, clusters: K },
    diagnostics,
    options: { method },
    data: [pairs.x, pairs.y, codes],
  });
}

/** A difference of shares lies between -1 and 1. */
function withinOne({ lower, upper }: { lower: number; upper: number }): { lower: number; upper: number } {
  return { lower: Math.max(-1, lower), upper: Math.min(1, upper) };
}

function byCluster(values: Float64Array, codes: Int32Array): { deltas: Float64Array; sizes: Float64Array } {
  const index = new Map<number, number>();
  for (const code of codes) if (!index.has(code)) index.set(code, index.size);
  const deltas = new Float64Array(index.size);
  const sizes = new Float64Array(index.size);
  codes.forEach((code, i) => {
    const k = index.get(code)!;
    deltas[k]! += values[i]!;
    sizes[k]! += 1;
  });
  return { deltas, sizes };
}
