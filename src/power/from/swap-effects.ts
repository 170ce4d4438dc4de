/** Power parameters of a corpus score from the outputs of two systems (Card et al. 2020, App. G).
 *    δ_i = change of the difference (second minus first system) when sentence i is swapped, all others left as they are
 *    P0 = share of δ_i = 0;   μ̂ = median, b̂ = mean |δ_i - μ̂| of the others (maximum likelihood of the Laplace law),  b0 = n b̂
 *  Two checks of the model: the net effect of swapping random halves against the sum of the single effects (Fig. 15), and the largest
 *  distance between the distribution of the δ_i and the fitted law (Fig. 16).
 *  Where real sentences are at hand, `makeCorpusFamily` needs no such model: it draws n of them with replacement and runs the
 *  randomisation test on their statistics.
 *  Reference: Card et al. (2020), EMNLP, App. G, Table 3, Fig. 15 and 16.
 *  Oracle:    data drawn from the law itself; swaps by brute force. */
import { type ItemStatistics, sumRows } from "../../metrics/metric.ts";
import { laplaceCdf } from "../../numeric/dist/laplace.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { permutePairedScores } from "../../resample/permutation-scores.ts";
import { StatError } from "../../result/error.ts";
import { Fingerprint } from "../../result/fingerprint.ts";
import { checkAlpha, checkParameters, requireEffect, requireNumber, type ScenarioFamily } from "../scenario.ts";

export interface SwapFit {
  readonly n: number;
  /** Score of the second system minus that of the first. */
  readonly delta: number;
  readonly p0: number;
  /** NaN where the effects that are not 0 are all the same, as a single one is. */
  readonly b0: number;
  /** Location of the effects that are not 0; -2 delta/(n(1 - p0)) under the model. */
  readonly mu: number;
  /** Largest distance of distributions, effects that are not 0 against the fitted law; NaN without one. */
  readonly distance: number;
  /** Correlation and mean ratio of net effects with sums of single effects, random halves swapped. */
  readonly additivity: { readonly correlation: number; readonly slope: number };
  readonly effects: Float64Array;
}

/** Random halves that are swapped to see whether effects add up. */
const HALVES = 200;

export function fitSwapEffects(first: ItemStatistics, second: ItemStatistics, rng: Rng = makeRng(1)): SwapFit {
  const { metric, n, width } = checkPair(first, second);
  const a = sumRows(first);
  const b = sumRows(second);
  const delta = metric.scoreOf(b) - metric.scoreOf(a);
  const moved = new Float64Array(width);
  const sumsA = new Float64Array(width);
  const sumsB = new Float64Array(width);
  const netEffect = (): number => {
    for (let c = 0; c < width; c++) {
      sumsA[c] = a[c]! + moved[c]!;
      sumsB[c] = b[c]! - moved[c]!;
    }
    return metric.scoreOf(sumsB) - metric.scoreOf(sumsA) - delta;
  };
  const add = (i: number): void => {
    for (let c = 0; c < width; c++) moved[c]! += second.data[i * width + c]! - first.data[i * width + c]!;
  };
  const effects = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    moved.fill(0);
    add(i);
    effects[i] = moved.some((value) => value !== 0) ? netEffect() : 0;
  }
  const pairs = Array.from({ length: HALVES }, (_, h) => {
    const own = rng.stream(h);
    moved.fill(0);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      if (own.uniform() < 0.5) continue;
      add(i);
      sum += effects[i]!;
    }
    return [sum, netEffect()] as const;
  });
  return { n, delta, ...fitDeltaLaplace(effects), additivity: relate(pairs), effects };
}

/** Change relative to the largest effect below which a swap changes nothing but the rounding of the score. */
const NO_CHANGE = 1e-10;

/** The mixture of 0 and a Laplace law. */
export function fitDeltaLaplace(effects: Float64Array): Pick<SwapFit, "p0" | "b0" | "mu" | "distance"> {
  const n = effects.length;
  const largest = effects.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  const changed = effects.filter((value) => Math.abs(value) > NO_CHANGE * largest).sort();
  const m = changed.length;
  if (m === 0) {
    throw new StatError(
      "NoDifference",
      "no sentence changes the score when it is swapped.",
      "give the outputs of two different systems.",
    );
  }
  const mu = m % 2 === 1 ? changed[(m - 1) / 2]! : (changed[m / 2 - 1]! + changed[m / 2]!) / 2;
  const b = changed.reduce((sum, value) => sum + Math.abs(value - mu), 0) / m;
  // one changed sentence, or several that change alike, show no spread
  if (b <= NO_CHANGE * largest) return { p0: (n - m) / n, b0: Number.NaN, mu, distance: Number.NaN };
  let distance = 0;
  changed.forEach((value, k) => {
    const F = laplaceCdf((value - mu) / b);
    distance = Math.max(distance, F - k / m, (k + 1) / m - F);
  });
  return { p0: (n - m) / n, b0: n * b, mu, distance };
}

function relate(pairs: readonly (readonly [number, number])[]): SwapFit["additivity"] {
  const mean = (k: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [mx, my] = [mean(0), mean(1)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [x, y] of pairs) {
    xx += (x - mx) ** 2;
    yy += (y - my) ** 2;
    xy += (x - mx) * (y - my);
  }
  return { correlation: xy / Math.sqrt(xx * yy), slope: xy / xx };
}

function checkPair(first: ItemStatistics, second: ItemStatistics): ItemStatistics {
  if (first.n === second.n && first.metric.signature === second.metric.signature && first.n > 1) return first;
  throw new StatError(
    "NotPaired",
    `${first.n} sentences by ${first.metric.signature} against ${second.n} by ${second.metric.signature}.`,
    "score the outputs of both systems for the same sentences with the same metric.",
  );
}

/** Power by drawing n of the real sentences with replacement. Runs on this thread: the sentences do not travel to workers. */
export function makeCorpusFamily(first: ItemStatistics, second: ItemStatistics): ScenarioFamily {
  const { metric, width } = checkPair(first, second);
  const effect = metric.scoreOf(sumRows(second)) - metric.scoreOf(sumRows(first));
  // the sentences are no parameter, and a journal must not take other ones for these
  const data = new Fingerprint().update(metric.signature).update(first.data).update(second.data).digest();
  const name = `corpus ${data}`;
  const family: ScenarioFamily = {
    name,
    title: `${metric.name} of two systems, real sentences drawn again (randomisation test)`,
    effect: "delta",
    size: "n",
    parameters: [
      { name: "n", kind: "count", meaning: "sentences drawn" },
      { name: "randomisations", kind: "count", meaning: "swaps drawn by the test", default: 1000 },
      { name: "alpha", kind: "share", meaning: "error rate of the test", default: 0.05 },
    ],
    make(given) {
      const params = checkParameters(family, given);
      const n = requireNumber(params, "n", "corpus");
      const alpha = params["alpha"] as number;
      const replicates = params["randomisations"] as number;
      checkAlpha(alpha);
      requireEffect(effect, "difference of the scores");
      return {
        name,
        title: family.title,
        effect,
        alpha,
        parameters: [
          { name: "n", value: n, meaning: `sentences, drawn from ${first.n}` },
          {
            name: "delta",
            value: effect,
            meaning: `difference in ${metric.name} on all sentences, taken as the truth`,
          },
        ],
        assumptions: ["The sentences at hand stand for those to come, and the difference on them for the true one."],
        diagnostics: [],
        analyses: [`randomisation (${replicates} swaps)`],
        simulate(rng) {
          const a = new Float64Array(n * width);
          const b = new Float64Array(n * width);
          for (let i = 0; i < n; i++) {
            const from = rng.int(first.n) * width;
            a.set(first.data.subarray(from, from + width), i * width);
            b.set(second.data.subarray(from, from + width), i * width);
          }
          const scoreOf = (sums: Float64Array): number => metric.scoreOf(sums);
          const { statistic, p } = permutePairedScores(
            { a: b, b: a, width, scoreOf },
            { method: "monte-carlo", replicates, rng: rng.stream(0) },
          );
          return [{ estimate: statistic, significant: p < alpha, failed: Number.isNaN(p) }];
        },
      };
    },
    effectRange: () => ({ from: 0, to: Math.abs(effect) }),
    smallestSize: 2,
  };
  return family;
}
