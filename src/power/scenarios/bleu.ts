/** BLEU and other corpus scores of two systems on n sentences, compared by the randomisation test (Card et al. 2020, section 4, App. G).
 *
 *  Swapping sentence i between the systems changes the difference of their scores by δ_i, and swapping several by about the sum:
 *      δ_i = 0 with probability P0, else Laplace(μ, b),   μ = -2Δ/(n(1 - P0)),  b = b0/n;   Δ̂ = -Σδ_i/2,  null: Σ ± δ_i/2
 *    approx       null SD s = ½√(n(1-P0)(μ² + 2b²)), SD of Δ̂ √(s² - Δ²/n), power = P(N(Δ, SD²) >= z s); or, instead of the normal
 *                 law, the saddlepoint approximation of Σδ's own:  K(t) = n log(P0 + (1-P0) e^{mt}/(1 - (bt/2)²)),  m = Δ/(n(1-P0))
 *    simulation   draw the δ_i, run the randomisation test on them (Monte Carlo, or with the normal law as null distribution)
 *  Reference: Card et al. (2020), EMNLP, App. G.2; Lugannani & Rice (1980), Adv. Appl. Probab. 12 (saddlepoint).
 *  Oracle:    oracle/papers/card2020.json, bleu-power (scipy): the normal approximation to 1e-9, simulation within its error.
 *  Limits:    P0 and b0 must fit the metric, the systems and the language: see from/swap-effects.ts for estimates from two systems' outputs. */

import { normalPdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { Rng } from "../../numeric/rng.ts";
import { permutePaired } from "../../resample/permutation.ts";
import { StatError } from "../../result/error.ts";
import { normalFigures } from "../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  type Outcome,
  type PowerFigures,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { BLEU } from "../specs.ts";

export const bleuFamily: ScenarioFamily = {
  ...BLEU,
  make: (params) => makeBleuScenario(checkParameters(bleuFamily, params)),
  effectRange: () => ({ from: 0, to: LARGEST_SCORE }),
  smallestSize: 2,
  replicates: 5000,
};

/** Scores end at 100. */
const LARGEST_SCORE = 100;

interface SwapLaw {
  readonly n: number;
  readonly delta: number;
  readonly p0: number;
  readonly b0: number;
}

interface SwapTest {
  readonly alpha: number;
  readonly twoSided: boolean;
  /** Randomisations; 0: the normal law as null distribution. */
  readonly draws: number;
}

function makeBleuScenario(params: ScenarioParameters): Scenario {
  const law: SwapLaw = {
    n: requireNumber(params, "n", "bleu"),
    delta: requireNumber(params, "delta", "bleu"),
    p0: params["p0"] as number,
    b0: params["b0"] as number,
  };
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  requireEffect(law.delta, "delta");
  checkAlpha(alpha);
  if (Math.abs(law.delta) > LARGEST_SCORE) {
    throw new StatError(
      "Impossible",
      `delta = ${law.delta}: scores lie between 0 and ${LARGEST_SCORE}.`,
      `give a delta between -${LARGEST_SCORE} and ${LARGEST_SCORE}, such as 1.`,
    );
  }
  if (law.p0 >= 1) {
    throw new StatError(
      "Impossible",
      `p0 = ${law.p0}: no swap changes anything, so the systems cannot differ.`,
      "give a p0 from 0 to below 1.",
    );
  }
  const draws = params["test"] === "normal" ? 0 : (params["randomisations"] as number);
  checkDraws(draws, alpha);
  const test = { alpha, twoSided, draws };
  const saddlepoint = params["approximation"] === "saddlepoint";
  return {
    name: "bleu",
    title: bleuFamily.title,
    effect: law.delta,
    alpha,
    parameters: [
      { name: "n", value: law.n, meaning: "sentences" },
      { name: "delta", value: law.delta, meaning: "true difference of the scores, new minus baseline" },
      { name: "p0", value: law.p0, meaning: "proportion of sentences whose swap changes nothing" },
      { name: "b0", value: law.b0, meaning: "spread of the other sentences' effects: n times their Laplace scale" },
      { name: "test", value: params["test"] as string, meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: [
      "Swapping sentences changes the difference of the scores by the sum of their single effects, which are 0 or Laplace.",
      "p0 = 0.13 and b0 = 25.8 are the means of four English-German comparisons (Card et al. 2020, Table 3); estimate yours from two systems' outputs.",
    ],
    diagnostics: [],
    analyses: [draws === 0 ? "randomisation (normal null)" : `randomisation (${draws} swaps)`],
    approximatePower: () => (saddlepoint ? saddlepointFigures(law, test) : normalApproximation(law, test)),
    drawn: law.n,
    simulate: (rng) => [testSwaps(law, test, rng)],
  };
}

function checkDraws(draws: number, alpha: number): void {
  if (draws === 0 || 1 / (draws + 1) < alpha) return;
  throw new StatError(
    "BadParameter",
    `randomisations = ${draws}: the smallest p is then ${1 / (draws + 1)}, never below alpha = ${alpha}.`,
    `take at least ${Math.ceil(1 / alpha)}, better 1000.`,
  );
}

/** SDs of the null distribution and of the difference. */
function spreads({ n, delta, p0, b0 }: SwapLaw): { nullSd: number; sd: number } {
  const mu = (-2 * delta) / (n * (1 - p0));
  const b = b0 / n;
  const nullVariance = (n * (1 - p0) * (mu * mu + 2 * b * b)) / 4;
  return { nullSd: Math.sqrt(nullVariance), sd: Math.sqrt(nullVariance - (delta * delta) / n) };
}

function normalApproximation(law: SwapLaw, { alpha, twoSided }: SwapTest): PowerFigures {
  const { nullSd, sd } = spreads(law);
  const threshold = normalQuantileUpper(twoSided ? alpha / 2 : alpha) * nullSd;
  return normalFigures({ effect: law.delta, sd, threshold, twoSided });
}

/** Type-M by the normal law: its mean hardly depends on the tails. */
function saddlepointFigures(given: SwapLaw, test: SwapTest): PowerFigures {
  const law = { ...given, delta: Math.abs(given.delta) };
  const { nullSd } = spreads(law);
  const threshold = normalQuantileUpper(test.twoSided ? test.alpha / 2 : test.alpha) * nullSd;
  const power = differenceTail(law, threshold);
  const wrong = test.twoSided ? 1 - differenceTail(law, -threshold) : 0;
  const { typeM } = normalApproximation(law, test);
  return { power, rejection: power + wrong, typeM, typeS: wrong / (power + wrong) };
}

/** |t|·SD below which Lugannani & Rice's formula loses its digits; the tail is then interpolated across the mean. */
const NEAR_MEAN = 1e-3;

/** P(Δ̂ >= c). */
function differenceTail(law: SwapLaw, c: number): number {
  const { n, delta, p0, b0 } = law;
  const { sd } = spreads(law);
  if (Math.abs(c - delta) < NEAR_MEAN * sd) {
    const step = 2 * NEAR_MEAN * sd;
    return (
      (differenceTail(law, delta - step) + differenceTail(law, delta + step)) / 2 - ((c - delta) / sd) * normalPdf(0)
    );
  }
  const beta = b0 / n / 2;
  const m = delta / (n * (1 - p0));
  /** K, K' and K'' at t. */
  const cgf = (t: number): readonly [number, number, number] => {
    const room = 1 - beta * beta * t * t;
    const q = ((1 - p0) * Math.exp(m * t)) / room;
    const g1 = m + (2 * beta * beta * t) / room;
    const g2 = (2 * beta * beta * (1 + beta * beta * t * t)) / (room * room);
    const share = q / (p0 + q);
    return [n * Math.log(p0 + q), n * share * g1, n * share * (g2 + g1 * g1 * (1 - share))];
  };
  const edge = (1 - 1e-12) / beta;
  const t = findRoot((x) => cgf(x)[1] - c, -edge, edge).root;
  const [k, , k2] = cgf(t);
  const w = Math.sign(t) * Math.sqrt(2 * (t * c - k));
  const u = t * Math.sqrt(k2);
  return normalSf(w) + normalPdf(w) * (1 / u - 1 / w);
}

/** Draws the effects of all swaps, and tests their sum. */
function testSwaps({ n, delta, p0, b0 }: SwapLaw, { alpha, twoSided, draws }: SwapTest, rng: Rng): Outcome {
  const changed = rng.binomial(n, 1 - p0);
  const mu = (-2 * delta) / (n * (1 - p0));
  const effects = new Float64Array(changed);
  let sum = 0;
  let squares = 0;
  for (let k = 0; k < changed; k++) {
    const own = -rng.laplace(mu, b0 / n) / 2;
    effects[k] = own;
    sum += own;
    squares += own * own;
  }
  const right = Math.sign(delta);
  if (draws === 0) {
    const z = sum / Math.sqrt(squares);
    const critical = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
    return { estimate: sum, significant: twoSided ? Math.abs(z) >= critical : right * z >= critical };
  }
  const alternative = twoSided ? "two-sided" : right > 0 ? "greater" : "less";
  const { p } = permutePaired(effects, { alternative, method: "monte-carlo", replicates: draws, rng: rng.stream(0) });
  return { estimate: sum, significant: p < alpha };
}
