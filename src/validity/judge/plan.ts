/** How many labels to buy, and how many outputs to judge, for an interval that is narrow enough: the cheapest mix for the prices.
 *      half-width ≈ z √(v/n + w/N),  v = (1-p)μ₀(1-μ₀) + pμ₁(1-μ₁),  w = (μ₁-μ₀)²p(1-p):   cheapest at n/N = √(v c_N/(w c_n))
 *      then n and N are raised together until the interval of post-stratified.ts, drawn again, is narrow enough in `assurance` of the draws
 *  Labels of each verdict by Neyman: n_v ∝ share_v √(μ_v(1-μ_v)); of a calibration that is carried over by Lee et al. (rogan-gladen.ts).
 *  Reference: Cochran (1977), Sampling Techniques, 5.5 and 12 (two-phase sampling); Neyman (1934).
 *  Oracle:    replays in test/calibration/judge.calibrate.ts; closed form.
 *  Limits:    one system's pass rate by one judge of 0/1. Pass rate, sensitivity and specificity are taken as said. */
import type { FieldsOf } from "../../models/fit.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import type { Display } from "../../result/display.ts";
import { checkShare, StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { wilsonInterval } from "../../significance/intervals/binomial.ts";
import { postStratify, WEAK } from "./post-stratified.ts";
import { splitCalibration } from "./rogan-gladen.ts";

export interface PlanJudgeOptions {
  /** Of people. */
  readonly passRate: number;
  readonly sensitivity: number;
  readonly specificity: number;
  /** Half the width of the interval. */
  readonly halfWidth: number;
  /** Price of one label, and of one judgment. Default 1 and 0.01. */
  readonly labelCost?: number | undefined;
  readonly judgmentCost?: number | undefined;
  /** Outputs that there are to judge; default: as many as wanted. */
  readonly outputs?: number | undefined;
  readonly confidence?: number | undefined;
  /** Share of draws in which the interval is narrow enough. Default .8. */
  readonly assurance?: number | undefined;
  readonly rng?: Rng | undefined;
}

export interface JudgeMix {
  readonly labels: number;
  readonly outputs: number;
  readonly cost: number;
}

export interface JudgePlan extends Result<"judge-plan"> {
  readonly passRate: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly halfWidth: number;
  readonly confidence: number;
  readonly assurance: number;
  readonly labelCost: number;
  readonly judgmentCost: number;
  readonly cheapest: JudgeMix;
  /** Without a judge. */
  readonly labelsAlone: JudgeMix;
  /** Of the cheapest mix: labels among outputs that the judge fails, and that it passes. */
  readonly allocation: { readonly failed: number; readonly passed: number };
  /** As many labels for a calibration that is carried over: of outputs that people fail, and that they pass (Lee et al.). */
  readonly carried: { readonly negatives: number; readonly positives: number };
  /** Mixes of equal half-width, by their outputs. */
  readonly curve: readonly JudgeMix[];
}

export type JudgePlanJson = JsonOf<JudgePlan>;

const DRAWS = 400;
const MOST_LABELS = 100_000;
const CURVE = [0.25, 0.5, 1, 2, 4];

export function planJudge(options: PlanJudgeOptions): JudgePlan {
  const { passRate, sensitivity, specificity, halfWidth, labelCost = 1, judgmentCost = 0.01 } = options;
  const { outputs: limit = Number.POSITIVE_INFINITY, confidence = 0.95, assurance = 0.8, rng = makeRng(1) } = options;
  for (const [what, value] of Object.entries({ "pass rate": passRate, confidence, assurance }))
    checkShare(what, value, 0.8);
  if (!(halfWidth > 0 && halfWidth < 0.5))
    throw new StatError("BadOption", `a half-width of ${halfWidth} is not between 0 and 0.5.`, "Use for example 0.05.");
  if (!(labelCost > 0 && judgmentCost >= 0))
    throw new StatError("BadOption", "prices are not above 0.", "Give the price of a label and of a judgment.");
  const rates = ratesOf(passRate, sensitivity, specificity);
  const setting: Setting = { rates, halfWidth, confidence, assurance, rng };
  const cost = (labels: number, outputs: number): JudgeMix => ({
    labels,
    outputs,
    cost: labels * labelCost + outputs * judgmentCost,
  });
  const alone = fewestAlone(passRate, setting);
  const ratio = idealRatio(rates, judgmentCost / labelCost);
  const at = (own: number): JudgeMix | undefined => {
    const labels = fewestLabels(own, limit, setting);
    return labels === undefined ? undefined : cost(labels.labels, labels.outputs);
  };
  const curve = CURVE.map((factor) => at(ratio * factor)).filter((own) => own !== undefined);
  const labelsAlone = { labels: alone, outputs: 0, cost: alone * labelCost };
  const cheapest = [...curve, labelsAlone].reduce((best, own) => (own.cost < best.cost ? own : best));
  const { p, low, high } = rates;
  const [weak, strong] = [(1 - p) * Math.sqrt(low * (1 - low)), p * Math.sqrt(high * (1 - high))];
  const failed =
    weak + strong > 0 ? Math.round((cheapest.labels * weak) / (weak + strong)) : Math.round(cheapest.labels * (1 - p));
  const fields = {
    signature: {
      method: "judge plan",
      version: GOSSET_VERSION,
      options: { ...options, rng: undefined, labelCost, judgmentCost, confidence, assurance },
      data: "",
      seed: rng.seed,
    },
    diagnostics: [],
    ...{ passRate, sensitivity, specificity, halfWidth, confidence, assurance, labelCost, judgmentCost },
    ...{ cheapest, labelsAlone, curve },
    allocation: { failed, passed: cheapest.labels - failed },
    carried: splitCalibration(cheapest.labels, { passed: p, sensitivity, specificity }),
  };
  return makeResult("judge-plan", fields, displayPlan);
}

interface JudgeRates {
  /** Share that the judge passes, and what people pass of those it fails and passes. */
  readonly p: number;
  readonly low: number;
  readonly high: number;
}

function ratesOf(theta: number, se: number, sp: number): JudgeRates {
  if (!(se >= 0 && se <= 1 && sp >= 0 && sp <= 1))
    throw new StatError(
      "BadOption",
      `a sensitivity of ${se} or a specificity of ${sp} is not between 0 and 1.`,
      "Use for example 0.9 and 0.7.",
    );
  const p = theta * se + (1 - theta) * (1 - sp);
  if (!(p > 0 && p < 1))
    throw new StatError(
      "BadOption",
      "such a judge gives all outputs one verdict.",
      "Give a sensitivity and a specificity between 0 and 1.",
    );
  return { p, low: (theta * (1 - se)) / (1 - p), high: (theta * se) / p };
}

/** Labels an output. */
function idealRatio({ p, low, high }: JudgeRates, price: number): number {
  const v = (1 - p) * low * (1 - low) + p * high * (1 - high);
  const w = (high - low) ** 2 * p * (1 - p);
  return w > 0 && v > 0 ? Math.min(1, Math.max(1e-4, Math.sqrt((v * Math.max(price, 1e-6)) / w))) : 1;
}

interface Setting {
  readonly rates: JudgeRates;
  readonly halfWidth: number;
  readonly confidence: number;
  readonly assurance: number;
  readonly rng: Rng;
}

/** With so many outputs a label, or all that there are: the fewest labels whose interval is narrow enough often enough. */
function fewestLabels(ratio: number, limit: number, setting: Setting): { labels: number; outputs: number } | undefined {
  const outputs = (labels: number): number => Math.min(limit, Math.max(labels, Math.round(labels / ratio)));
  const enough = (labels: number): boolean => labels <= outputs(labels) && isNarrow(labels, outputs(labels), setting);
  const labels = smallest(enough);
  return labels === undefined ? undefined : { labels, outputs: outputs(labels) };
}

const fewestAlone = (theta: number, { halfWidth, confidence, assurance, rng }: Setting): number => {
  const enough = (n: number): boolean => {
    const own = rng.stream(n);
    let met = 0;
    for (let k = 0; k < DRAWS; k++) {
      const { lower, upper } = wilsonInterval(drawBinomial(own, n, theta) / n, n, confidence);
      if (upper - lower <= 2 * halfWidth) met += 1;
    }
    return met >= DRAWS * (assurance + SPARE * Math.sqrt((assurance * (1 - assurance)) / DRAWS));
  };
  return smallest(enough) ?? Number.POSITIVE_INFINITY;
};

/** By doubling, then halving; undefined where no number is enough. */
function smallest(enough: (n: number) => boolean): number | undefined {
  let high = 10;
  while (!enough(high)) {
    high *= 2;
    if (high > MOST_LABELS) return undefined;
  }
  let low = high === 10 ? 1 : high / 2;
  while (high - low > Math.max(1, high / 200)) {
    const middle = Math.round((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Draws beyond the assurance, in their own standard errors: what was planned is met. */
const SPARE = 2;

/** As `correctJudge` answers: where the drawn labels show a weak judge, they answer alone. */
function isNarrow(labels: number, outputs: number, { rates, halfWidth, confidence, assurance, rng }: Setting): boolean {
  const own = rng.stream(labels);
  const { p, low, high } = rates;
  let met = 0;
  for (let k = 0; k < DRAWS; k++) {
    const n1 = drawBinomial(own, labels, p);
    const passed1 = drawBinomial(own, n1, high);
    const passed0 = drawBinomial(own, labels - n1, low);
    const passed = passed0 + passed1;
    const sum = passed1 / passed + (labels - n1 - passed0) / (labels - passed);
    const judged = { n: outputs, passed: n1 + drawBinomial(own, outputs - labels, p) };
    const found =
      sum < WEAK
        ? wilsonInterval(passed / labels, labels, confidence)
        : postStratify(
            [
              { n: labels - n1, passed: passed0 },
              { n: n1, passed: passed1 },
            ],
            judged,
            confidence,
          );
    if (found.upper - found.lower <= 2 * halfWidth) met += 1;
  }
  return met >= DRAWS * (assurance + SPARE * Math.sqrt((assurance * (1 - assurance)) / DRAWS));
}

/** Beyond this a normal draw is as good. */
const COUNTED = 200;

function drawBinomial(rng: Rng, n: number, p: number): number {
  if (n > COUNTED && n * p * (1 - p) > 25)
    return Math.min(n, Math.max(0, Math.round(n * p + Math.sqrt(n * p * (1 - p)) * rng.normal())));
  let count = 0;
  for (let i = 0; i < n; i++) if (rng.uniform() < p) count += 1;
  return count;
}

function displayPlan(fields: FieldsOf<JudgePlan>): Display {
  const { cheapest, labelsAlone, allocation, carried, curve, halfWidth, assurance, labelCost, judgmentCost } = fields;
  const percent = (value: number): string => formatNumber(value, "percent");
  const alone = cheapest === labelsAlone || cheapest.outputs === 0;
  const title = alone
    ? `${cheapest.labels} labels without a judge are cheapest for ± ${percent(halfWidth)}: cost ${formatNumber(cheapest.cost)}.`
    : `${cheapest.labels} labels and ${cheapest.outputs} judged outputs are cheapest for ± ${percent(halfWidth)}: cost ${formatNumber(cheapest.cost)}.`;
  return {
    title,
    summary: [
      ...(alone
        ? []
        : [`Without the judge ${labelsAlone.labels} labels are needed: cost ${formatNumber(labelsAlone.cost)}.`]),
      ...(alone
        ? []
        : [
            `Labels drawn by verdict: ${allocation.failed} of outputs that the judge fails, ${allocation.passed} of those that it passes (Neyman).`,
            `For a calibration that other outputs borrow (\`judge correct --carry\`): ${carried.negatives} of outputs that people fail, ${carried.positives} of those that they pass (Lee et al.).`,
          ]),
    ],
    tables: [
      {
        caption: `Mixes of half-width ${percent(halfWidth)}`,
        head: ["labels", "judged outputs", "cost"],
        formats: ["integer", "integer", "number"],
        rows: [...curve, labelsAlone].map((own) => [own.labels, own.outputs, own.cost]),
      },
    ],
    notes: [
      `A label costs ${formatNumber(labelCost)}, a judgment ${formatNumber(judgmentCost)}; the half-width is met in ${percent(assurance)} of simulated draws (${DRAWS} a mix).`,
    ],
  };
}
