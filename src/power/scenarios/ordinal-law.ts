/** Ratings that come about step by step, or by odds of neighbouring points, instead of by cuts of a latent scale.
 *      continuation  P(Y > j | Y >= j) = Φ(α_j + cη)      stopping  P(Y = j | Y >= j) = Φ(α_j - cη)      adjacent  log P(Y=j+1)/P(Y=j) = α_j + cη
 *  α is such that at η = 0 the points have the shares that the thresholds of the cumulative model give them, and c such that there the mean rating
 *  moves as it does by one SD of the latent scale: one effect and one spread are thus planned under every structure. With the probit link stopping
 *  and continuation are the same law.
 *    information   of one rating about η:  Σ_j (dP_j/dη)² / P_j, averaged over the random effects
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 4.1-4.2; Bürkner & Vuorre (2019), Adv. Meth. Pract. Psychol. Sci. 2.
 *  Oracle:    brute-force draws; at η = 0 the cumulative model (ordinal-law.test.ts). */
import { normalCdf, normalPdf, normalQuantile } from "../../numeric/dist/normal.ts";
import { gaussHermite } from "../../numeric/gauss.ts";
import { StatError } from "../../result/error.ts";
import type { RandomSds } from "../published-settings.ts";
import type { RatingStructure } from "../specs.ts";

type StepStructure = Exclude<RatingStructure, "cumulative">;

export interface StepLaw {
  readonly structure: StepStructure;
  /** Of each step. */
  readonly alpha: Float64Array;
  /** c: what one SD of the latent scale is on the structure's own; negative for stopping. */
  readonly unit: number;
}

/** Half the step of the differences below: their error is of its square. */
const STEP = 1e-4;

export function stepLaw(structure: StepStructure, thresholds: Float64Array): StepLaw {
  const P = Float64Array.from({ length: thresholds.length + 1 }, (_, j) => {
    const below = j === 0 ? Number.NEGATIVE_INFINITY : thresholds[j - 1]!;
    const above = thresholds[j] ?? Number.POSITIVE_INFINITY;
    // in the tail in which the difference is small
    return below > 0 ? normalCdf(-below) - normalCdf(-above) : normalCdf(above) - normalCdf(below);
  });
  const alpha = thresholds.map((_, j) => {
    if (structure === "adjacent") return Math.log(P[j + 1]! / P[j]!);
    const left = P.slice(j).reduce((a, b) => a + b, 0);
    return (structure === "stopping" ? 1 : -1) * normalQuantile(P[j]! / left);
  });
  if (!alpha.every(Number.isFinite)) {
    throw new StatError(
      "Impossible",
      "a point of the scale has probability 0 at these thresholds.",
      "give thresholds between -5 and 5, or a cumulative `structure`.",
    );
  }
  const plain: StepLaw = { structure, alpha, unit: structure === "stopping" ? -1 : 1 };
  const slope = (meanAt(plain, STEP) - meanAt(plain, -STEP)) / (2 * STEP);
  const latent = thresholds.reduce((sum, cut) => sum + normalPdf(cut), 0);
  return { ...plain, unit: (plain.unit * latent) / slope };
}

/** Shares of the points at η. */
export function stepProbabilitiesInto(P: Float64Array, { structure, alpha, unit }: StepLaw, eta: number): void {
  const m = alpha.length;
  if (structure !== "adjacent") {
    let left = 1;
    for (let j = 0; j < m; j++) {
      const x = alpha[j]! + unit * eta;
      const stop = normalCdf(structure === "stopping" ? x : -x);
      P[j] = left * stop;
      left -= P[j]!;
    }
    P[m] = left;
    return;
  }
  let [log, top] = [0, 0];
  P[0] = 0;
  for (let j = 0; j < m; j++) {
    log += alpha[j]! + unit * eta;
    P[j + 1] = log;
    top = Math.max(top, log);
  }
  let total = 0;
  for (let j = 0; j <= m; j++) {
    P[j] = Math.exp(P[j]! - top);
    total += P[j]!;
  }
  for (let j = 0; j <= m; j++) P[j]! /= total;
}

function meanAt(law: StepLaw, eta: number): number {
  const P = new Float64Array(law.alpha.length + 1);
  stepProbabilitiesInto(P, law, eta);
  return P.reduce((sum, share, j) => sum + share * j, 0);
}

/** Nodes of the averages over random effects. */
const NODES = 21;

function average(at: number, sd: number, of: (eta: number) => number): number {
  const { nodes, weights } = gaussHermite(NODES, "normal");
  return nodes.reduce((sum, node, k) => sum + weights[k]! * of(at + sd * node), 0);
}

/** True difference between the systems' mean ratings, in points. */
export function stepMeanDifference(law: StepLaw, effect: number, sds: RandomSds): number {
  const baseline = Math.hypot(sds.raterIntercept, sds.itemIntercept);
  const system = Math.hypot(baseline, sds.raterSlope, sds.itemSlope);
  const mean = (eta: number): number => meanAt(law, eta);
  return average(effect, system, mean) - average(0, baseline, mean);
}

/** Mean information of a rating about η, in units of the latent scale. */
export function stepInformation(law: StepLaw, effect: number, sds: RandomSds): number {
  const spread = Math.sqrt(
    sds.raterIntercept ** 2 + sds.itemIntercept ** 2 + (sds.raterSlope ** 2 + sds.itemSlope ** 2) / 2,
  );
  const [P, up, down] = [0, 1, 2].map(() => new Float64Array(law.alpha.length + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return average(effect / 2, spread, (eta) => {
    stepProbabilitiesInto(P, law, eta);
    stepProbabilitiesInto(up, law, eta + STEP);
    stepProbabilitiesInto(down, law, eta - STEP);
    return P.reduce((sum, share, j) => sum + (share > 0 ? ((up[j]! - down[j]!) / (2 * STEP)) ** 2 / share : 0), 0);
  });
}
