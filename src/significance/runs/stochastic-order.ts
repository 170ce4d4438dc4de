/** Almost stochastic order: are nearly all quantiles of the scores of A above those of B?   F⁻¹, G⁻¹: quantile functions of the two samples
 *      ε = ∫_{F⁻¹ < G⁻¹} (F⁻¹ - G⁻¹)² / ∫ (F⁻¹ - G⁻¹)²       0: A is above everywhere, 1: below everywhere, ½: neither
 *      σ̂² = Var* of √(nm/(n+m)) ε*, over samples redrawn from both;   upper bound ε_min = ε + √((n+m)/nm) σ̂ Φ⁻¹(confidence)
 *  A is almost stochastically larger where ε_min < threshold; p is that of ε >= threshold.
 *  Reference: Dror, Shlomov & Reichart (2019), ACL; del Barrio, Cuesta-Albertos & Matrán (2018), Ann. Inst. H. Poincaré 54.
 *  Oracle:    oracle/reference/cv-seeds.json, to 1e-12: both quantile functions are left-continuous steps, integrated exactly (deepsig sums
 *             on a grid and leaves out its first point, and differs in the second or third digit).
 *  Limits:    asymptotic in the number of runs; where both systems have the same law ε has no limit, and the paper's threshold of 0.5 calls
 *             one in five pairs of equal systems different, whatever the number of runs; 0.2, the default here, 3 to 6 in a hundred. Measured error rates: docs/methods/runs.md. */
import { checkSize } from "../../data/size.ts";
import { normalCdf, normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { settleTies } from "../../numeric/ties.ts";
import { drawIndicesInto } from "../../resample/draw-indices.ts";
import { startBits } from "../../resample/fast-bits.ts";
import { checkReplicates, eachReplicate } from "../../resample/replicates.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { completeSample, differenceOfMeans, meanOf } from "../samples.ts";
import { makeTest, type TestResult } from "../test-result.ts";

export interface StochasticOrderOptions {
  /** Of the upper bound. */
  readonly confidence?: number | undefined;
  /** ε from which on there is no order. */
  readonly threshold?: number | undefined;
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface OrderViolation {
  /** ∫ (F⁻¹ - G⁻¹)², the squared Wasserstein-2 distance. */
  readonly distance: number;
  /** Its part where A is below B. */
  readonly violation: number;
  /** violation / distance; NaN where both samples are the same. */
  readonly epsilon: number;
}

export interface StochasticOrderTest extends TestResult, OrderViolation {
  /** Upper confidence bound of ε (ε_min of Dror et al.). */
  readonly epsilonMin: number;
  readonly epsilonSe: number;
  /** The violation ratio of the claim that B is above A. */
  readonly epsilonReverse: number;
  readonly threshold: number;
  /** Every quantile of A is at least that of B, and some are above. */
  readonly dominates: boolean;
  /** Difference of means. */
  readonly estimate: number;
}

/** Exact: the integrand is constant between the steps of either function. */
export function violationRatio(a: ArrayLike<number>, b: ArrayLike<number>): OrderViolation {
  checkSize(a, "a");
  checkSize(b, "b");
  const [x, y] = settleTies(Float64Array.from(a), Float64Array.from(b)) as [Float64Array, Float64Array];
  return violationOfSorted(x.sort(), y.sort());
}

function violationOfSorted(x: Float64Array, y: Float64Array): OrderViolation {
  const [n, m] = [x.length, y.length];
  let [i, j, at] = [0, 0, 0];
  let [distance, violation] = [0, 0];
  // positions in units of 1/(nm) are whole numbers
  while (i < n && j < m) {
    const next = Math.min((i + 1) * m, (j + 1) * n);
    const gap = x[i]! - y[j]!;
    const part = gap * gap * (next - at);
    distance += part;
    if (gap < 0) violation += part;
    at = next;
    if ((i + 1) * m === next) i++;
    if ((j + 1) * n === next) j++;
  }
  return { distance: distance / (n * m), violation: violation / (n * m), epsilon: violation / distance };
}

/** Keeps the share of equal systems that are called ordered near 5 %. */
const THRESHOLD = 0.2;
const LOOSE = 0.3;
/** Where the bound is known to be too sure. */
const FEW_RUNS = 10;

/** Scores of runs (seeds, splits) of two systems, larger being better. */
export function stochasticOrderTest(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: StochasticOrderOptions = {},
): StochasticOrderTest {
  const { confidence = 0.95, threshold = THRESHOLD, replicates = 1000, rng = makeRng(1) } = options;
  if (!(threshold > 0 && threshold <= 0.5))
    throw new StatError("BadOption", `a threshold of ${threshold} is not in (0, 0.5].`, "give for example 0.2.");
  checkReplicates(replicates);
  const [first, second] = [completeSample(a, "a"), completeSample(b, "b")];
  const [x, y] = settleTies(first.values, second.values) as [Float64Array, Float64Array];
  if (x.length === 0 || y.length === 0)
    throw new StatError(
      "NoValues",
      `${x.length} scores against ${y.length}.`,
      "give at least one score of each system.",
    );
  const found = violationOfSorted(x.sort(), y.sort());
  const drawn = bootstrapEpsilon(x, y, { replicates, rng, onProgress: options.onProgress });
  const se = spreadAround(drawn.values, found.epsilon);
  const epsilonMin = Math.min(1, found.epsilon + normalQuantileUpper(1 - confidence) * se);
  const own = {
    ...found,
    epsilonMin,
    epsilonSe: se,
    epsilonReverse: 1 - found.epsilon,
    threshold,
    dominates: found.violation === 0 && found.distance > 0,
    estimate: differenceOfMeans(x, y),
  };
  return makeTest(
    {
      test: "aso",
      method: "Almost stochastic order (Dror et al.)",
      hypothesis: `the violation ratio ε is ${threshold} or more`,
      sided: false,
      confidence,
      statistic: found.epsilon,
      statisticName: "ε",
      p: pOf(found.epsilon, threshold, { se, replicates }),
      effect: {
        name: "violation ratio ε",
        value: found.epsilon,
        se,
        lower: 0,
        upper: epsilonMin,
        interval: `bootstrap, one-sided: ε_min is the upper end; below ${threshold} the first is almost stochastically larger`,
      },
      n: x.length + y.length,
      figures: {
        "W2 squared": found.distance,
        "difference of means": own.estimate,
        "ε the other way": own.epsilonReverse,
        replicates,
      },
      diagnostics: [...first.diagnostics, ...second.diagnostics, ...orderDiagnostics(own, x, y, drawn.undefined)],
      options: { threshold, replicates },
      data: [x, y],
      seed: rng.seed,
    },
    own,
  );
}

interface Drawn {
  readonly values: Float64Array;
  /** Replicates in which both samples were the same. */
  readonly undefined: number;
}

function bootstrapEpsilon(x: Float64Array, y: Float64Array, options: Parameters<typeof eachReplicate>[0]): Drawn {
  const [n, m] = [x.length, y.length];
  const [atX, atY] = [new Int32Array(n), new Int32Array(m)];
  const [ownX, ownY] = [new Float64Array(n), new Float64Array(m)];
  const values = new Float64Array(options.replicates);
  eachReplicate(options, { start: startBits }, (state, r) => {
    drawIndicesInto(atX, n, state);
    drawIndicesInto(atY, m, state);
    // the samples are sorted, so that sorted numbers of rows are sorted values
    atX.sort();
    atY.sort();
    for (let i = 0; i < n; i++) ownX[i] = x[atX[i]!]!;
    for (let j = 0; j < m; j++) ownY[j] = y[atY[j]!]!;
    values[r] = violationOfSorted(ownX, ownY).epsilon;
  });
  const known = values.filter((v) => !Number.isNaN(v));
  return { values: known, undefined: values.length - known.length };
}

/** √Var* of the replicates around their mean; the factor √(nm/(n+m)) cancels. */
function spreadAround(values: Float64Array, estimate: number): number {
  if (values.length < 2 || Number.isNaN(estimate)) return Number.NaN;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1));
}

/** A standard error of so many replicates shows no smaller p than one in them, whether they vary or not. */
function pOf(epsilon: number, threshold: number, { se, replicates }: { se: number; replicates: number }): number {
  if (Number.isNaN(epsilon) || Number.isNaN(se)) return Number.NaN;
  const least = 1 / (replicates + 1);
  if (se > 0) return Math.max(least, normalCdf((epsilon - threshold) / se));
  return epsilon < threshold ? least : 1;
}

function orderDiagnostics(
  own: OrderViolation & { epsilonSe: number; threshold: number },
  x: Float64Array,
  y: Float64Array,
  lost: number,
): Diagnostic[] {
  if (own.distance === 0)
    return [
      warning("SameSamples", "both samples are the same: ε is 0/0, undefined.", "compare runs of different systems."),
    ];
  const few = Math.min(x.length, y.length);
  return [
    ...(few < FEW_RUNS
      ? [
          warning(
            "FewRuns",
            `${few} score${few === 1 ? "" : "s"} of a system: the bootstrap sees too little of the spread of runs, and the bound is too low.`,
            "run more seeds, or use the rank-sum or permutation test of the runs.",
          ),
        ]
      : []),
    ...(own.threshold > LOOSE
      ? [
          warning(
            "LooseThreshold",
            `a threshold of ${own.threshold} finds an order between about one in five pairs of equal systems.`,
            "use 0.2.",
          ),
        ]
      : []),
    ...(own.epsilonSe === 0
      ? [
          warning(
            "NoSpread",
            "every bootstrap sample gives the same ε: its standard error of 0 says that the samples do not overlap, not that ε is known.",
            "report the order and the number of runs.",
          ),
        ]
      : []),
    ...(lost > 0
      ? [
          warning(
            "SameDraws",
            `${lost} bootstrap samples of both systems were the same and were left out.`,
            "run more seeds.",
          ),
        ]
      : []),
  ];
}
