/** What two systems' development results say about a study to come: difference, agreement or spread, and the parameters of the
 *  scenario that fits them.
 *    right and wrong answers    accuracy: delta, agreement
 *    scores                     means: delta, sd of the item-wise differences
 *    items in clusters          means, with clusters of the mean size m and the ICC that gives the design effect seen,
 *                               D = (clustered SE / SE of independent items)² = 1 + (m - 1) ICC
 *    several raters             likert: the difference alone; its spread takes a mixed model of the ratings (pilot.ts)
 *  Reference: Card et al. (2020), EMNLP, section 3.2; Kish (1965), Survey Sampling, 5.4; Bell & McCaffrey (2002), CR2.
 *  Limits:    clusters of unequal size are planned with their mean size. */

import { binomialInterval } from "../../significance/intervals/binomial.ts";
import { pairedProportionInterval } from "../../significance/intervals/paired-proportions.ts";
import { pairedTable } from "../../significance/paired-table.ts";

import { pairedTTest } from "../../significance/tests/t-test.ts";
import type { ScenarioParameters } from "../scenario.ts";

export interface DevFigure {
  readonly name: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface DevFindings {
  readonly scenario: "accuracy" | "means" | "likert";
  readonly figures: readonly DevFigure[];
  readonly params: ScenarioParameters;
  readonly delta: number;
  /** Of right and wrong answers: both, only the new system, only the baseline, neither. */
  readonly counts?: readonly [both: number, onlyNew: number, onlyOld: number, neither: number];
  /** Where items come in clusters: how many there are, and the factor by which they raise the variance. */
  readonly clusters?: { readonly count: number; readonly size: number; readonly designEffect: number };
}

export interface DevShape {
  /** Cluster of each item. */
  readonly clusters?: Int32Array;
  readonly hasRaters: boolean;
}

export function findDevFigures(a: Float64Array, b: Float64Array, { clusters, hasRaters }: DevShape): DevFindings {
  const clustered = clusters === undefined ? undefined : clusterFindings(a, b, clusters);
  if (hasRaters)
    return { ...raterFindings(a, b), ...(clustered === undefined ? {} : { clusters: clustered.clusters! }) };
  if (clustered !== undefined) return clustered;
  const isRight = (v: number): boolean => v === 0 || v === 1;
  return a.every(isRight) && b.every(isRight) ? accuracyFindings(a, b) : scoreFindings(a, b);
}

function accuracyFindings(a: Float64Array, b: Float64Array): DevFindings {
  const [both, onlyNew, onlyOld, neither] = pairedTable(b, a);
  const n = a.length;
  const delta = (onlyNew - onlyOld) / n;
  const agreement = (both + neither) / n;
  const share = (count: number): { lower: number; upper: number } => binomialInterval(count, n, { method: "wilson" });
  const figures: DevFigure[] = [
    { name: "accuracy, baseline", value: (both + onlyOld) / n, ...ends(share(both + onlyOld)) },
    { name: "accuracy, new", value: (both + onlyNew) / n, ...ends(share(both + onlyNew)) },
    {
      name: "delta",
      value: delta,
      ...ends(pairedProportionInterval([both, onlyNew, onlyOld, neither], { method: "tango", confidence: 0.95 })),
    },
    { name: "agreement", value: agreement, ...ends(share(both + neither)) },
  ];
  const counts = [both, onlyNew, onlyOld, neither] as const;
  return { scenario: "accuracy", figures, params: { delta, agreement }, delta, counts };
}

const ends = ({ lower, upper }: { lower: number; upper: number }) => ({ lower, upper });

const withoutEnds = (name: string, value: number): DevFigure => ({
  name,
  value,
  lower: Number.NaN,
  upper: Number.NaN,
});

/** The t test leaves the error of equal differences undefined; their spread is 0. */
const spreadOf = (se: number, n: number): number => (Number.isNaN(se) ? 0 : se * Math.sqrt(n));

function scoreFindings(a: Float64Array, b: Float64Array): DevFindings {
  const { effect, ci } = pairedTTest(b, a);
  const delta = effect.value;
  const sd = spreadOf(effect.se, a.length);
  const figures = [{ name: "delta", value: delta, ...ends(ci) }, withoutEnds("sd of differences", sd)];
  return { scenario: "means", figures, params: { delta, sd }, delta };
}

/** The interval of the difference is cluster-robust; a design effect below 1 is taken for chance, and beyond m (unequal clusters) it
 *  goes into the sd. */
function clusterFindings(a: Float64Array, b: Float64Array, clusters: Int32Array): DevFindings {
  const plain = pairedTTest(b, a).effect;
  const { effect, ci } = pairedTTest(b, a, { clusters });
  const delta = effect.value;
  const sd = spreadOf(plain.se, a.length);
  const count = new Set(clusters).size;
  const size = Math.max(1, Math.round(a.length / count));
  const ratio = (effect.se / plain.se) ** 2;
  const designEffect = Number.isFinite(ratio) ? Math.max(1, ratio) : 1;
  const icc = size === 1 ? 0 : Math.min(1, (designEffect - 1) / (size - 1));
  const planned = sd * Math.sqrt(designEffect / (1 + (size - 1) * icc));
  return {
    scenario: "means",
    figures: [
      { name: "delta", value: delta, ...ends(ci) },
      withoutEnds("sd of differences", sd),
      withoutEnds("design effect of clusters", designEffect),
    ],
    params: { delta, sd: planned, ...(size === 1 ? {} : { clusterSize: size, icc }) },
    delta,
    clusters: { count, size, designEffect },
  };
}

function raterFindings(a: Float64Array, b: Float64Array): DevFindings {
  const delta = b.reduce((sum, v, i) => sum + v - a[i]!, 0) / a.length;
  return { scenario: "likert", figures: [withoutEnds("delta", delta)], params: { effect: delta }, delta };
}
