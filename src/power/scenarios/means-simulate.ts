/** One simulated comparison of scores. Items in clusters share a part √ICC of their deviation; the test sees the cluster means. */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import type { Rng } from "../../numeric/rng.ts";
import { midRanks } from "../../significance/tests/ranks.ts";
import type { Outcome } from "../scenario.ts";
import { criticalRankSum, criticalSignedRank } from "./means-ranks.ts";

export type Shape = "normal" | "laplace" | "logistic";

export interface MeansLaw {
  readonly design: "paired" | "two-sample" | "one-sample";
  readonly test: "t" | "z" | "wilcoxon";
  readonly delta: number;
  /** Of the differences (paired, one-sample) or of the scores (two-sample). */
  readonly sd: number;
  /** Clusters (items where the cluster size is 1) of the first and the second sample. */
  readonly units: number;
  readonly units2: number;
  readonly clusterSize: number;
  readonly icc: number;
  readonly shape: Shape;
  readonly alpha: number;
  readonly twoSided: boolean;
}

/** Standard deviation of one cluster mean: √(design effect / cluster size). */
export const unitSd = ({ sd, icc, clusterSize: m }: MeansLaw): number => sd * Math.sqrt((1 + (m - 1) * icc) / m);

export function simulateMeans(law: MeansLaw): (rng: Rng) => readonly Outcome[] {
  const isTwoSample = law.design === "two-sample";
  const favours = isTwoSample ? judgeTwoSamples(law) : judgeDifferences(law);
  let x = new Float64Array(0);
  let y = new Float64Array(0);
  return (rng) => {
    // only where experiments are drawn: the exact answer is for any number of items
    if (y.length === 0) {
      x = new Float64Array(isTwoSample ? law.units : 0);
      y = new Float64Array(isTwoSample ? law.units2 : law.units);
    }
    fillUnits(x, 0, { law, rng });
    fillUnits(y, law.delta, { law, rng });
    const estimate = mean(y) - (isTwoSample ? mean(x) : 0);
    const direction = favours(x, y);
    const significant = law.twoSided ? direction !== 0 : direction === Math.sign(law.delta);
    return [{ estimate, significant }];
  };
}

function fillUnits(target: Float64Array, centre: number, { law, rng }: { law: MeansLaw; rng: Rng }): void {
  const { sd, icc, clusterSize, shape } = law;
  const between = sd * Math.sqrt(icc);
  const within = sd * Math.sqrt(1 - icc);
  for (let i = 0; i < target.length; i++) {
    let sum = 0;
    const shared = icc > 0 ? between * draw(rng, shape) : 0;
    for (let j = 0; j < clusterSize; j++) sum += within * draw(rng, shape);
    target[i] = centre + shared + sum / clusterSize;
  }
}

/** Mean 0 and variance 1. */
function draw(rng: Rng, shape: Shape): number {
  if (shape === "normal") return rng.normal();
  if (shape === "laplace") return rng.laplace(0, Math.SQRT1_2);
  const u = rng.uniform();
  return (Math.log(u / (1 - u)) * Math.sqrt(3)) / Math.PI;
}

type Judge = (x: Float64Array, y: Float64Array) => number;

/** 1 or -1 where the differences in y are significantly above or below 0. */
function judgeDifferences(law: MeansLaw): Judge {
  const { test, units: n, alpha, twoSided } = law;
  const tail = twoSided ? alpha / 2 : alpha;
  if (test === "wilcoxon") {
    const critical = criticalSignedRank(n, tail);
    return (_, y) => beyond(signedRankSum(y), critical);
  }
  const critical = test === "z" ? normalQuantileUpper(tail) : tQuantileUpper(tail, n - 1);
  const known = test === "z" ? unitSd(law) ** 2 : Number.NaN;
  return (_, y) => beyond(mean(y) / Math.sqrt((test === "z" ? known : squares(y) / (n - 1)) / n), critical);
}

/** 1 or -1 where y is significantly above or below x. */
function judgeTwoSamples(law: MeansLaw): Judge {
  const { test, units: n1, units2: n2, alpha, twoSided } = law;
  const tail = twoSided ? alpha / 2 : alpha;
  if (test === "wilcoxon") {
    const critical = criticalRankSum(n1, n2, tail);
    return (x, y) => {
      const above = pairsAbove(x, y);
      return above >= critical ? 1 : n1 * n2 - above >= critical ? -1 : 0;
    };
  }
  const critical = test === "z" ? normalQuantileUpper(tail) : tQuantileUpper(tail, n1 + n2 - 2);
  const known = unitSd(law) ** 2;
  return (x, y) => {
    const variance = test === "z" ? known : (squares(x) + squares(y)) / (n1 + n2 - 2);
    return beyond((mean(y) - mean(x)) / Math.sqrt(variance * (1 / n1 + 1 / n2)), critical);
  };
}

const beyond = (statistic: number, critical: number): number =>
  Math.abs(statistic) >= critical ? Math.sign(statistic) : 0;

function mean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** Σ (v - mean)² */
function squares(values: Float64Array): number {
  const centre = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! - centre) ** 2;
  return sum;
}

function signedRankSum(d: Float64Array): number {
  const { ranks } = midRanks(d.map(Math.abs));
  let sum = 0;
  for (let i = 0; i < d.length; i++) sum += Math.sign(d[i]!) * ranks[i]!;
  return sum;
}

/** U: pairs with y above x. */
function pairsAbove(x: Float64Array, y: Float64Array): number {
  const all = new Float64Array(x.length + y.length);
  all.set(x);
  all.set(y, x.length);
  const { ranks } = midRanks(all);
  let sum = 0;
  for (let i = x.length; i < all.length; i++) sum += ranks[i]!;
  return sum - (y.length * (y.length + 1)) / 2;
}
