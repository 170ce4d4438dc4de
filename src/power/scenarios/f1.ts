/** F1, precision, recall, MCC or accuracy of two binary classifiers on the same items, compared by the randomisation test
 *  (Card et al. 2020, App. F).
 *
 *  For each class a 2×2 table says how often both systems, only the baseline, only the new one or neither call an item positive:
 *      positives   both = recall - only baseline,   only new, only baseline = (disagreement ± gain in recall)/2,   neither = the rest
 *      negatives   the same with false-positive rates
 *  An experiment draws n labels, then the tables; the test swaps the systems' answers item by item. Its p is exact: items that
 *  change the score alike are counted, not drawn (resample/permutation-scores.ts).
 *  Reference: Card et al. (2020), EMNLP, App. F and Table 11; Yeh (2000), COLING (randomisation test of F1).
 *  Oracle:    accuracy by McNemar's exact power where the metric is accuracy and only positives differ; brute force in the tests.
 *  Limits:    two classes; any number of them: f1-classes.ts. No closed form. */

import type { Rng } from "../../numeric/rng.ts";
import { permutePairedScores } from "../../resample/permutation-scores.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import {
  checkAlpha,
  checkParameters,
  type Outcome,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { type ClassifierMetric, F1 } from "../specs.ts";
import {
  CLASS_METRICS,
  type ClassMetric,
  largestGain,
  leanTo,
  parseCells,
  testCells,
  trueScores,
} from "./f1-classes.ts";

type BinaryMetric = Exclude<ClassifierMetric, "macro-f1" | "micro-f1">;

/** True positives, false positives, false negatives, true negatives → score. */
const METRICS: Readonly<Record<BinaryMetric, (tp: number, fp: number, fn: number, tn: number) => number>> = {
  f1: (tp, fp, fn) => (2 * tp) / (2 * tp + fp + fn),
  precision: (tp, fp) => tp / (tp + fp),
  recall: (tp, _, fn) => tp / (tp + fn),
  mcc: (tp, fp, fn, tn) => (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
  accuracy: (tp, fp, fn, tn) => (tp + tn) / (tp + fp + fn + tn),
};

export const f1Family: ScenarioFamily = {
  ...F1,
  make: (params) => makeF1Scenario(checkParameters(f1Family, params)),
  effectRange: (params) => ({
    from: 0,
    to: Math.min(
      1 - ((params["recall"] as number | undefined) ?? 0),
      (params["positiveDisagreement"] as number | undefined) ?? 1,
    ),
  }),
  variant: (params) => (params["cells"] === undefined ? f1Family : cellsFamily),
  smallestSize: 2,
  replicates: 5000,
};

/** With a joint table the difference in the metric itself is looked for, at the agreement of the table. */
const cellsFamily: ScenarioFamily = {
  ...f1Family,
  effect: "gain",
  effectRange: (params) => ({
    from: 0,
    to: largestGain(parseCells(params["cells"] as string), classMetric(params)),
  }),
};

/** What a joint table says already. */
const SAID_BY_CELLS = [
  ...["positive", "recall", "fpr", "positiveDisagreement", "negativeDisagreement", "positiveTable", "negativeTable"],
  ...["recallGain", "fprGain"],
];

function refuseBesideCells(params: ScenarioParameters): void {
  const name = SAID_BY_CELLS.find((key) => params[key] !== undefined && params[key] !== 0);
  if (name === undefined) return;
  throw new StatError(
    "BadParameter",
    `${name} = ${params[name]} beside cells, which say all of it.`,
    `leave \`${name}\` or \`cells\` out.`,
  );
}

function classMetric(params: ScenarioParameters): ClassMetric {
  const metric = (params["metric"] ?? "f1") as ClassMetric;
  if ((CLASS_METRICS as readonly string[]).includes(metric)) return metric;
  throw new StatError(
    "BadParameter",
    `${metric} with cells of several classes.`,
    `choose ${CLASS_METRICS.join(", ")}.`,
  );
}

/** Shares of a class that both, only the baseline, only the new system or neither call positive. */
type ClassTable = readonly [both: number, onlyBaseline: number, onlyNew: number, neither: number];

const SHARE_ROUNDING = 1e-9;
/** Rounding of a score. */
const SAME_SCORE = 1e-12;

function tableFrom(params: ScenarioParameters, which: "positive" | "negative"): ClassTable {
  const text = params[`${which}Table`] as string | undefined;
  if (text !== undefined) return parseTable(text, `${which}Table`);
  const rateName = which === "positive" ? "recall" : "fpr";
  const rate = requireNumber(params, rateName, "f1");
  const gain = params[`${rateName}Gain`] as number;
  const disagreement = requireNumber(params, `${which}Disagreement`, "f1");
  const onlyNew = (disagreement + gain) / 2;
  const onlyBaseline = (disagreement - gain) / 2;
  const table: ClassTable = [rate - onlyBaseline, onlyBaseline, onlyNew, 1 - rate - onlyNew];
  if (table.every((share) => share >= -SHARE_ROUNDING)) return clean(table);
  // disagreement >= |gain|, and neither `both` nor `neither` below 0
  const most = Math.min(2 * rate + gain, 2 * (1 - rate) - gain);
  const range = (least: number, largest: number): string =>
    `between ${formatNumber(least)} and ${formatNumber(largest)}`;
  throw new StatError(
    "Impossible",
    `${rateName} = ${rate}, ${rateName}-gain = ${gain} and ${which}-disagreement = ${disagreement} contradict each other.`,
    most >= Math.abs(gain)
      ? `with this gain, ${which}-disagreement can lie ${range(Math.abs(gain), most)}.`
      : `with this ${rateName}, ${rateName}-gain can lie ${range(-rate, 1 - rate)}.`,
  );
}

const clean = (table: ClassTable): ClassTable => table.map((share) => Math.max(0, share)) as unknown as ClassTable;

function parseTable(text: string, name: string): ClassTable {
  const shares = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const sum = shares.reduce((a, b) => a + b, 0);
  if (shares.length === 4 && shares.every((share) => share >= 0) && Math.abs(sum - 1) < 1e-6) {
    return clean(shares.map((share) => share / sum) as unknown as ClassTable);
  }
  throw new StatError(
    "BadParameter",
    `${name.replace("Table", "-table")} = ${text}.`,
    "give four shares that sum to 1: both,only baseline,only new,neither, such as 0.7,0.05,0.1,0.15.",
  );
}

/** Any number of classes, from their joint table. */
function makeClassesScenario(params: ScenarioParameters, cells: string): Scenario {
  const n = requireNumber(params, "n", "f1");
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  const metric = classMetric(params);
  refuseBesideCells(params);
  checkAlpha(alpha);
  const gain = params["gain"] as number | undefined;
  const given = parseCells(cells);
  const law = gain === undefined ? given : leanTo(given, metric, gain);
  const [baseline, system] = trueScores(law, metric);
  const effect = system - baseline;
  if (!(Math.abs(effect) >= SAME_SCORE)) {
    throw new StatError(
      "NoEffect",
      `the two systems' ${metric} is ${formatNumber(baseline)} and ${formatNumber(system)}: no difference to find.`,
      "give cells in which the systems differ.",
    );
  }
  const apart = law.cells.reduce((sum, cell) => sum + (cell.baseline === cell.system ? 0 : cell.share), 0);
  return {
    name: "f1",
    title: f1Family.title,
    effect,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items" },
      { name: "classes", value: law.classes.join(", "), meaning: `${law.classes.length} labels` },
      {
        name: metric,
        value: `${formatNumber(baseline)} → ${formatNumber(system)}`,
        meaning: "baseline and new system, true values",
      },
      { name: "disagreement", value: apart, meaning: "proportion of items that the systems answer differently" },
    ],
    assumptions: [
      "Items are independent; their joint table of labels and answers holds for items to come.",
      `The effect is the difference in ${metric}.`,
      ...(gain === undefined
        ? []
        : ["Disagreements are leaned until they give this difference; how often the systems agree stays."]),
    ],
    diagnostics: [],
    analyses: ["randomisation"],
    drawn: n,
    simulate: (rng) => [testCells(law, { n, metric, alpha, twoSided, effect }, rng)],
  };
}

function makeF1Scenario(params: ScenarioParameters): Scenario {
  const cells = params["cells"] as string | undefined;
  if (cells !== undefined) return makeClassesScenario(params, cells);
  if (params["gain"] !== undefined) {
    throw new StatError("BadParameter", "gain belongs to cells.", "give `cells`, or `recallGain` and `fprGain`.");
  }
  if (params["metric"] === "macro-f1" || params["metric"] === "micro-f1") {
    throw new StatError(
      "MissingParameter",
      `${params["metric"]} needs the joint table of labels and answers.`,
      "give `cells`, or take them from predictions (`cellsOf`).",
    );
  }
  const n = requireNumber(params, "n", "f1");
  const positive = requireNumber(params, "positive", "f1");
  const metric = params["metric"] as BinaryMetric;
  const alpha = params["alpha"] as number;
  const twoSided = params["oneSided"] !== true;
  if (positive === 0) {
    throw new StatError(
      "Impossible",
      "positive = 0: no item has the label.",
      "give a proportion that is not 0, up to 1.",
    );
  }
  const ofPositives = tableFrom(params, "positive");
  const ofNegatives = tableFrom(params, "negative");
  checkAlpha(alpha);
  const score = METRICS[metric];
  const scoreOfSystem = (own: 1 | 2): number => {
    const tp = positive * (ofPositives[0] + ofPositives[own]);
    const fp = (1 - positive) * (ofNegatives[0] + ofNegatives[own]);
    return score(tp, fp, positive - tp, 1 - positive - fp);
  };
  const baseline = scoreOfSystem(1);
  const effect = scoreOfSystem(2) - baseline;
  if (Number.isNaN(effect)) {
    throw new StatError(
      "Impossible",
      `${metric} is undefined with positive = ${positive} and these tables.`,
      "both labels must occur, and positive answers too.",
    );
  }
  if (Math.abs(effect) < SAME_SCORE) {
    throw new StatError(
      "NoEffect",
      `both systems have the same ${metric}: no difference, so none can be found.`,
      "give a `recallGain` or `fprGain` other than 0, or tables in which the systems differ.",
    );
  }
  const law = { n, positive, ofPositives, ofNegatives };
  const share = (value: number): string => formatNumber(value);
  return {
    name: "f1",
    title: f1Family.title,
    effect,
    alpha,
    parameters: [
      { name: "n", value: n, meaning: "items" },
      { name: "positive", value: positive, meaning: "proportion of items whose label is positive" },
      {
        name: metric,
        value: `${share(baseline)} → ${share(baseline + effect)}`,
        meaning: "baseline and new system, true values",
      },
      {
        name: "positives",
        value: ofPositives.map(share).join(" "),
        meaning: "both, only baseline, only new, neither find it",
      },
      {
        name: "negatives",
        value: ofNegatives.map(share).join(" "),
        meaning: "both, only baseline, only new, neither take it for positive",
      },
    ],
    assumptions: [
      "Items are independent; the shares hold for every item of a class.",
      `The effect is the difference in ${metric}.`,
    ],
    diagnostics: [],
    analyses: ["randomisation"],
    drawn: law.n,
    simulate: (rng) => [testTables(law, { score, alpha, twoSided, effect }, rng)],
  };
}

interface TableLaw {
  readonly n: number;
  readonly positive: number;
  readonly ofPositives: ClassTable;
  readonly ofNegatives: ClassTable;
}

interface TableTest {
  readonly score: (tp: number, fp: number, fn: number, tn: number) => number;
  readonly alpha: number;
  readonly twoSided: boolean;
  readonly effect: number;
}

/** Only items on which the systems disagree can be swapped to any effect: the others are one row of sums. */
function testTables({ n, positive, ofPositives, ofNegatives }: TableLaw, test: TableTest, rng: Rng): Outcome {
  const positives = rng.binomial(n, positive);
  const P = new Int32Array(4);
  const N = new Int32Array(4);
  rng.multinomialInto(P, positives, ofPositives);
  rng.multinomialInto(N, n - positives, ofNegatives);
  const rows = 1 + P[1]! + P[2]! + N[1]! + N[2]!;
  const ours = new Float64Array(4 * rows);
  const theirs = new Float64Array(4 * rows);
  const common = [P[0]!, N[0]!, P[3]!, N[3]!];
  ours.set(common);
  theirs.set(common);
  let at = 4;
  /** `count` items that fall into one column for the new system and into another for the baseline. */
  const add = (count: number, ofNew: number, ofBaseline: number): void => {
    for (let k = 0; k < count; k++, at += 4) {
      ours[at + ofNew] = 1;
      theirs[at + ofBaseline] = 1;
    }
  };
  add(P[1]!, 2, 0);
  add(P[2]!, 0, 2);
  add(N[1]!, 3, 1);
  add(N[2]!, 1, 3);
  const alternative = test.twoSided ? "two-sided" : test.effect > 0 ? "greater" : "less";
  const scoreOf = (s: Float64Array): number => test.score(s[0]!, s[1]!, s[2]!, s[3]!);
  const { statistic, p } = permutePairedScores(
    { a: ours, b: theirs, width: 4, scoreOf },
    { alternative, rng: rng.stream(0) },
  );
  return { estimate: statistic, significant: p < test.alpha, failed: Number.isNaN(p) };
}
