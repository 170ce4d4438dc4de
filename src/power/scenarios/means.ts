/** Means of scores: one system's differences to another on the same items (paired), two samples, or one against a fixed value.
 *  Clusters of m items with intraclass correlation ρ are tested by their means: Var = σ²(1 + (m - 1)ρ)/m, the design effect over m,
 *  with as many degrees of freedom as there are clusters.
 *    exact    noncentral t (power/t-figures.ts) for normal scores; the normal law for the z test
 *    approx   rank tests and other shapes: the t test with n times the relative efficiency of the rank test
 *             (means-efficiency.ts: 3/π normal, π²/9 logistic, 3/2 Laplace)
 *  Reference: Cohen (1988), Statistical Power Analysis, ch. 2; Kish (1965), Survey Sampling, 5.4; Hollander & Wolfe (1999), 3.11.
 *  Oracle:    power.t.test, pwr.t2n.test (R), oracle/reference/power.json — 1e-10; simulation for the others.
 *  Limits:    equal variances and, in clusters, equal sizes. */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";
import { normalFigures } from "../normal-figures.ts";
import {
  checkAlpha,
  checkParameters,
  type PowerFigures,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type StatedParameter,
} from "../scenario.ts";
import { MEANS } from "../specs.ts";
import { tFigures } from "../t-figures.ts";
import { rankEfficiency } from "./means-efficiency.ts";
import { type MeansLaw, simulateMeans, unitSd } from "./means-simulate.ts";

/** Effects are searched up to this many standard deviations; nothing larger needs a power analysis. */
const LARGEST_EFFECT_SD = 1000;

/** Why more items in the other sample do not help. */
const HELD_SAMPLE = "the mean of these stays uncertain";

export const meansFamily: ScenarioFamily = {
  ...MEANS,
  make: (params) => makeMeansScenario(checkParameters(meansFamily, params)),
  effectRange: (params) => ({ from: 0, to: LARGEST_EFFECT_SD * ((params["sd"] as number | undefined) ?? 1) }),
  sizeStep: (params) => (params["clusterSize"] as number | undefined) ?? 1,
  smallestSize: 2,
  sizeBounds: ({ n2, clusterSize }) => {
    const step = (clusterSize as number | undefined) ?? 1;
    const noun = "items in the second sample";
    const bounds = { least: 2 * step, most: Number.POSITIVE_INFINITY, step };
    if (n2 === undefined) return bounds;
    return { ...bounds, held: { parameter: "n2", value: n2 as number, step, noun, why: HELD_SAMPLE } };
  },
};

function makeMeansScenario(params: ScenarioParameters): Scenario {
  const law = readLaw(params);
  const { delta, test, shape, design } = law;
  const exact = shape === "normal" && test !== "wilcoxon";
  return {
    name: "means",
    title: `mean scores, ${design}`,
    effect: delta,
    alpha: law.alpha,
    parameters: statedParameters(params, law),
    assumptions: [
      law.clusterSize > 1
        ? "Clusters are independent and of one size; the test uses their means."
        : "Items are independent; clustered items (several per document) need `clusterSize` and `icc`.",
    ],
    diagnostics: [],
    analyses: [test],
    ...(exact ? { exactPower: () => figures(law) } : { approximatePower: () => figures(law) }),
    drawn: (law.units + (law.design === "two-sample" ? law.units2 : 0)) * law.clusterSize,
    simulate: simulateMeans(law),
  };
}

function figures(law: MeansLaw): PowerFigures {
  const { design, test, units, units2, delta, alpha, twoSided } = law;
  const isTwoSample = design === "two-sample";
  const se = unitSd(law) * Math.sqrt(isTwoSample ? 1 / units + 1 / units2 : 1 / units);
  if (test === "z") {
    const threshold = normalQuantileUpper(twoSided ? alpha / 2 : alpha) * se;
    return normalFigures({ effect: delta, sd: se, threshold, twoSided });
  }
  const efficiency = test === "wilcoxon" ? rankEfficiency(law) : 1;
  const df = isTwoSample ? units + units2 - 2 : units - 1;
  return tFigures({ ncp: (delta / se) * Math.sqrt(efficiency), df, alpha, twoSided });
}

function readLaw(params: ScenarioParameters): MeansLaw {
  const n = requireNumber(params, "n", "means");
  const delta = requireNumber(params, "delta", "means");
  const p = params as unknown as Omit<MeansLaw, "delta" | "units" | "units2" | "twoSided"> & {
    readonly n2?: number;
    readonly correlation?: number;
  };
  // without clusters there is none
  const { design, clusterSize, icc = 0, alpha, correlation } = p;
  requireEffect(delta, "delta");
  checkAlpha(alpha);
  if (p.n2 !== undefined && design !== "two-sample") {
    throw new StatError(
      "BadParameter",
      `n2 = ${p.n2} with the design ${design}.`,
      "leave it out, or use `design: two-sample`.",
    );
  }
  return {
    design,
    test: p.test,
    delta,
    sd: correlation === undefined ? p.sd : p.sd * differenceFactor(correlation, design),
    units: wholeClusters(n, clusterSize, "n"),
    units2: wholeClusters(p.n2 ?? n, clusterSize, "n2"),
    clusterSize,
    icc,
    shape: p.shape,
    alpha,
    twoSided: params["oneSided"] !== true,
  };
}

/** sd of a difference of two scores, in units of one score's. */
function differenceFactor(correlation: number, design: string): number {
  if (design !== "paired") {
    throw new StatError(
      "BadParameter",
      `correlation = ${correlation} with the design ${design}.`,
      "leave it out: only paired scores correlate.",
    );
  }
  if (correlation >= -1 && correlation < 1) return Math.sqrt(2 * (1 - correlation));
  throw new StatError("BadParameter", `correlation = ${correlation}.`, "it must be at least -1 and below 1.");
}

function wholeClusters(n: number, clusterSize: number, name: string): number {
  const units = n / clusterSize;
  if (!Number.isInteger(units)) {
    const below = Math.floor(units) * clusterSize;
    throw new StatError(
      "BadParameter",
      `${name} = ${n} is not a multiple of the cluster size ${clusterSize}.`,
      `give ${below > clusterSize ? `${below} or ` : ""}${below + clusterSize}.`,
    );
  }
  if (units >= 2) return units;
  const what = clusterSize > 1 ? `is ${units} cluster` : "leaves no degree of freedom";
  throw new StatError("BadParameter", `${name} = ${n} ${what}.`, `it must be at least ${2 * clusterSize}.`);
}

function statedParameters(params: ScenarioParameters, law: MeansLaw): StatedParameter[] {
  const { design, sd, clusterSize, icc } = law;
  const isTwoSample = design === "two-sample";
  const correlation = params["correlation"] as number | undefined;
  return [
    { name: "n", value: params["n"] as number, meaning: isTwoSample ? "items of the first sample" : "items" },
    ...(isTwoSample ? [{ name: "n2", value: law.units2 * clusterSize, meaning: "items of the second sample" }] : []),
    { name: "delta", value: law.delta, meaning: "true difference of means" },
    {
      name: "sd",
      value: sd,
      meaning: isTwoSample
        ? "of the scores in each sample"
        : design === "paired"
          ? "of the item-wise differences"
          : "of the scores",
    },
    ...(correlation === undefined
      ? []
      : [{ name: "correlation", value: correlation, meaning: "of the two systems' scores; it made the sd above" }]),
    { name: "d", value: law.delta / sd, meaning: "delta in standard deviations" },
    ...(clusterSize > 1
      ? [
          { name: "cluster size", value: clusterSize, meaning: "items per cluster" },
          { name: "icc", value: icc, meaning: "variance that a cluster's items have in common" },
          {
            name: "design effect",
            value: 1 + (clusterSize - 1) * icc,
            meaning: "factor by which clusters raise the variance",
          },
        ]
      : []),
    { name: "shape", value: law.shape, meaning: "distribution of the deviations" },
    { name: "test", value: law.test, meaning: law.twoSided ? "two-sided" : "one-sided" },
  ];
}
