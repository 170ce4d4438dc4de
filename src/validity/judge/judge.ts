/** The scores, and the differences between systems, that people would have given, from a judge's scores of all outputs and people's labels of some.
 *      0/1 by one judge   share of each verdict that people pass, weighted by the judge's verdicts (post-stratified.ts)
 *      others             labels corrected by cross-fitted regression on the judge (rectified.ts, predictions.ts)
 *      difference         the same of D = Y_b - Y_a on G = F_b - F_a, over items of which people labeled both outputs
 *  Next to each: what the judge says alone, and what the labels say alone. Pairs share the error by Bonferroni.
 *  Reference: Angelopoulos et al. (2023), Science 382; Zou & Donner (2008), Statistics in Medicine 27.
 *  Oracle:    the parts' own; coverage and false verdicts of this function in docs/calibration-judges.md.
 *  Limits:    labels are drawn at random or with known probabilities (draw.ts). No answer from fewer than 10 labels, and none of a system without
 *             labels: nothing says that a judge errs alike on two systems. */

import { fingerprint } from "../../data/fingerprint.ts";
import { selectColumns } from "../../data/table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { differenceVerdict, INCONCLUSIVE, NO_VERDICT, type Verdict } from "../../result/verdict.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { wilsonInterval } from "../../significance/intervals/binomial.ts";
import { measureSkewedMean } from "../../significance/tests/skewed-mean.ts";
import { type Judged, type JudgedColumns, type JudgedData, readJudged } from "../../study/judged.ts";
import { isHumanColumn } from "../../study/lexicon/judges.ts";
import { type AuditVerdict, auditPair, checkAuditMargin } from "./audit.ts";
import { displayCorrection } from "./correction-display.ts";
import { type Draw, type Drawn, readDraw } from "./draw.ts";
import { postStratify, WEAK } from "./post-stratified.ts";
import { predictHuman } from "./predictions.ts";
import { raterPart, withRaters } from "./raters.ts";
import { labeledRows, type RectifiedMean, rectifiedMean } from "./rectified.ts";
import { type KnownAccuracy, roganGladen } from "./rogan-gladen.ts";

export interface JudgeOptions extends JudgedColumns {
  /** What people said, in a table of its own. */
  readonly labels?: JudgedData | undefined;
  /** How the labeled outputs were drawn; default: unknown, which is checked. */
  readonly drawn?: Drawn | undefined;
  readonly confidence?: number | undefined;
}

export interface CorrectOptions extends JudgeOptions {
  /** Which systems, in their order; default: all. */
  readonly systems?: readonly string[] | undefined;
  /** Null: not known; verdicts are then HIGHER and LOWER. */
  readonly higherIsBetter?: boolean | null | undefined;
  /** For 0/1 scores of outputs without labels: the system whose labels say how sensitive and specific the judge is, or counts of that. Assumes that
   *  the judge errs alike on them (Rogan and Gladen's correction). */
  readonly carry?: string | KnownAccuracy | undefined;
  /** No verdict on a pair where the judge's error is shown to differ by more than this between its systems. */
  readonly auditMargin?: number | undefined;
}

export interface JudgeEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** How a corrected value came about. */
export type CorrectionMethod = "post-stratified" | "regression" | "labels alone" | "carried" | "none";

export interface CorrectedSystem {
  readonly system: string;
  readonly outputs: number;
  readonly labels: number;
  /** As if the judge were right. */
  readonly judge: JudgeEstimate;
  readonly labelsAlone: JudgeEstimate;
  readonly corrected: JudgeEstimate;
  readonly method: CorrectionMethod;
  /** Labels that alone would give so narrow an interval. */
  readonly worth: number;
  /** Of 0/1 scores: how often the judge passes what people pass, and fails what they fail. */
  readonly sensitivity: number;
  readonly specificity: number;
  /** Why there is no corrected value, or why the judge is left out. */
  readonly reason?: string;
}

export interface CorrectedDifference {
  /** The difference is b - a. */
  readonly a: string;
  readonly b: string;
  /** Items of which the judge scored both outputs, and of which people labeled both. */
  readonly items: number;
  readonly labels: number;
  /** Clusters with a label, where items are clustered. */
  readonly clusters?: number;
  /** Raters whose differences the interval includes: it is about new raters too. */
  readonly raters?: number;
  readonly judge: JudgeEstimate & { readonly verdict: Verdict };
  readonly labelsAlone: JudgeEstimate & { readonly verdict: Verdict };
  /** `se` and `df` of its t interval; NaN where it has none. */
  readonly corrected: JudgeEstimate & {
    readonly se: number;
    readonly df: number;
    readonly p: number;
    readonly verdict: Verdict;
  };
  /** Whether the judge errs alike on both systems, where a margin was given. */
  readonly audit?: AuditVerdict;
  readonly method: CorrectionMethod;
  readonly worth: number;
  readonly reason?: string;
}

export interface JudgeCorrection extends Result<"judge-correction"> {
  readonly columns: Judged["columns"];
  readonly drawn: Drawn;
  readonly scale: "pass" | "score";
  readonly higherIsBetter: boolean | null;
  readonly confidence: number;
  /** Of each difference: 1 - (1 - confidence)/pairs. */
  readonly pairConfidence: number;
  readonly systems: readonly CorrectedSystem[];
  readonly differences: readonly CorrectedDifference[];
}

export type JudgeCorrectionJson = JsonOf<JudgeCorrection>;

/** Fewer labels carry no correction. */
const FEWEST_LABELS = 10;
/** With fewer labels of either kind the interval's measured rate falls to 93 %, as Wilson's does. */
const FEW_OF_A_KIND = 4;
/** Outputs beyond the labels' scores, from which the labels do not speak of them. */
const MOST_OUTSIDE = 0.3;
/** More pairs are not made. */
const MOST_SYSTEMS = 20;

const CORRECT_JUDGE_OPTIONS = {
  systems: true,
  higherIsBetter: true,
  carry: true,
  auditMargin: true,
  labels: true,
  drawn: true,
  confidence: true,
  judge: true,
  human: true,
  item: true,
  system: true,
  cluster: true,
  rater: true,
  pass: true,
} as const satisfies Record<keyof CorrectOptions, true>;

export function correctJudge(data: JudgedData, options: CorrectOptions = {}): JudgeCorrection {
  refuseUnknownNames("correctJudge", options, CORRECT_JUDGE_OPTIONS);
  const { confidence = 0.95, higherIsBetter = true, drawn = "unknown", auditMargin } = options;
  checkConfidence(confidence);
  if (auditMargin !== undefined) checkAuditMargin(auditMargin);
  const judged = readJudged(data, options, options.labels ?? (needsNoLabels(data, options) ? "none" : undefined));
  const draw = readDraw(judged, drawn);
  const carried = options.carry === undefined ? undefined : accuracyToCarry(judged, draw, options.carry);
  const chosen = chooseSystems(judged, options.systems);
  const scale = judged.binary.human ? "pass" : "score";
  const predicted = predictHuman(judged);
  const parts = chosen.map((code) => partOf(judged, code, { predicted, weights: draw.weights }));
  const systems = parts.map((part) => correctSystem(part, { confidence, judged, carried }));
  const pairs = chosen.length > MOST_SYSTEMS ? 0 : (chosen.length * (chosen.length - 1)) / 2;
  const pairConfidence = 1 - (1 - confidence) / Math.max(1, pairs);
  const differences =
    pairs === 0
      ? []
      : allPairs(parts, systems, { judged, carried, confidence: pairConfidence, higherIsBetter, auditMargin });
  const fields = {
    signature: {
      method: "judge correct",
      version: GOSSET_VERSION,
      options: { ...options, labels: undefined, confidence, drawn },
      data: fingerprint(usedColumns(judged)),
    },
    diagnostics: [
      ...judged.diagnostics,
      ...draw.diagnostics,
      ...tellSystems(systems, scale === "pass"),
      ...tellPairs(differences, judged),
      ...parts.flatMap((part, k) => tellSkew(part, systems[k]!)),
      ...(chosen.length > MOST_SYSTEMS ? [tooManySystems(chosen.length)] : []),
    ],
    columns: judged.columns,
    drawn,
    scale: scale as "pass" | "score",
    higherIsBetter,
    ...{ confidence, pairConfidence, systems, differences },
  };
  return makeResult("judge-correction", fields, displayCorrection);
}

/** Counts of a calibration stand for labels. */
const needsNoLabels = (data: JudgedData, { carry, human }: CorrectOptions): boolean =>
  typeof carry === "object" &&
  human === undefined &&
  ![...("table" in data ? data.table : data).columns.keys()].some(isHumanColumn);

/** How often the judge passes what people pass, and fails what they fail: of the labels of one system, or as counted elsewhere. */
function accuracyToCarry(judged: Judged, draw: Draw, carry: string | KnownAccuracy): KnownAccuracy {
  const { binary, judges, cluster, systems, system, human, judge } = judged;
  if (!(binary.human && binary.judge) || judges.length > 1 || cluster !== undefined || draw.weights !== undefined)
    throw new StatError(
      "NotCarried",
      "option `carry` is for the 0/1 scores of one judge, without clusters and weights.",
      "Have people label outputs of every system, or leave option `carry` out.",
    );
  if (typeof carry === "object") {
    const { positives, truePositives, negatives, trueNegatives } = carry;
    const fits = (part: number, whole: number): boolean => whole >= 1 && part >= 0 && part <= whole;
    if (fits(truePositives, positives) && fits(trueNegatives, negatives)) return carry;
    throw new StatError(
      "BadOption",
      `option \`carry\`: ${truePositives}/${positives} and ${trueNegatives}/${negatives} are no counts of right verdicts.`,
      "Write how many of the outputs that people pass the judge passes, and fails of those they fail: 180/200,140/200.",
    );
  }
  const code = systems.indexOf(carry);
  if (code < 0)
    throw new StatError(
      "UnknownSystem",
      `option \`carry: ${carry}\`: there is no such system.`,
      `The systems are ${listNames(systems, 8)}; counts are written as 180/200,140/200.`,
    );
  const found = { positives: 0, truePositives: 0, negatives: 0, trueNegatives: 0 };
  for (const u of labeledRows(human)) {
    if (system[u] !== code) continue;
    found[human[u] === 1 ? "positives" : "negatives"] += 1;
    if (human[u] === judge[u]) found[human[u] === 1 ? "truePositives" : "trueNegatives"] += 1;
  }
  if (found.positives >= 1 && found.negatives >= 1 && found.positives + found.negatives >= FEWEST_LABELS) return found;
  throw new StatError(
    "TooFewLabels",
    `${carry} has ${found.positives} labels that pass and ${found.negatives} that fail; a calibration needs both, and ${FEWEST_LABELS} in all.`,
    "Have people label more of its outputs.",
  );
}

const usedColumns = ({ table, columns }: Judged) => {
  const { judge, human, item, system, cluster } = columns;
  const names = [...judge, ...human, item, system, cluster].filter((name) => name !== undefined);
  return selectColumns(
    table,
    [...new Set(names)].filter((name) => table.columns.has(name)),
  );
};

function chooseSystems({ systems }: Judged, wanted: readonly string[] | undefined): number[] {
  if (wanted === undefined) return systems.map((_, code) => code);
  return wanted.map((name) => {
    const code = systems.indexOf(name);
    if (code >= 0) return code;
    throw new StatError("UnknownSystem", `there is no system "${name}".`, `The systems are ${listNames(systems, 8)}.`);
  });
}

/** The outputs of one system. */
interface Part {
  readonly system: string;
  readonly item: Int32Array;
  readonly human: Float64Array;
  /** The judge's own score, and what it predicts of people's. */
  readonly judge: Float64Array;
  readonly predicted: Float64Array;
  readonly weights?: Float64Array | undefined;
  readonly cluster?: Int32Array | undefined;
  /** What each of several raters said. */
  readonly voices: readonly Float64Array[];
}

function partOf(
  { system, systems, item, human, judge, cluster, outputs, raters }: Judged,
  code: number,
  { predicted, weights }: { readonly predicted: Float64Array; readonly weights: Float64Array | undefined },
): Part {
  let size = 0;
  for (let u = 0; u < outputs; u++) if (system[u] === code) size += 1;
  const rows = new Int32Array(size);
  for (let u = 0, at = 0; u < outputs; u++) if (system[u] === code) rows[at++] = u;
  const numbers = (values: Float64Array): Float64Array => {
    const own = new Float64Array(size);
    for (let k = 0; k < size; k++) own[k] = values[rows[k]!]!;
    return own;
  };
  const codes = (values: Int32Array): Int32Array => {
    const own = new Int32Array(size);
    for (let k = 0; k < size; k++) own[k] = values[rows[k]!]!;
    return own;
  };
  return {
    system: systems[code]!,
    item: codes(item),
    ...{ human: numbers(human), judge: numbers(judge), predicted: numbers(predicted) },
    weights: weights && numbers(weights),
    cluster: cluster && codes(cluster),
    voices: raters.length < 2 ? [] : raters.map(({ values }) => numbers(values)),
  };
}

const UNTESTED = { p: Number.NaN, se: Number.NaN, df: Number.NaN };
const UNKNOWN: JudgeEstimate = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };

interface Setting {
  readonly judged: Judged;
  readonly confidence: number;
  readonly carried: KnownAccuracy | undefined;
}

function correctSystem(part: Part, { judged, confidence, carried }: Setting): CorrectedSystem {
  const { human, judge, weights, cluster } = part;
  const binary = judged.binary.human;
  const stratified =
    binary && judged.binary.judge && judged.judges.length === 1 && cluster === undefined && judged.raters.length === 1;
  const counts = countVerdicts(part);
  const { n } = counts;
  const alone = labelsAlone(part, { binary, confidence, n });
  const about = {
    ...{ system: part.system, outputs: judge.length, labels: n },
    judge: judgeAlone(part, { binary: judged.binary.judge, confidence }),
    labelsAlone: alone,
    sensitivity: binary && judged.binary.judge ? counts.passedBoth / counts.passed : Number.NaN,
    specificity: binary && judged.binary.judge ? counts.failedBoth / counts.failed : Number.NaN,
  };
  const none = (reason: string): CorrectedSystem => ({
    ...about,
    ...{ corrected: UNKNOWN, method: "none", worth: Number.NaN, reason },
  });
  if (n < FEWEST_LABELS && carried !== undefined) {
    const found = roganGladen({ n: judge.length, passed: counts.judged }, carried, confidence);
    const { sensitivity, specificity } = found;
    if (sensitivity + specificity < WEAK)
      return none(
        `sensitivity and specificity add to ${(sensitivity + specificity).toFixed(2)}, below ${WEAK}: they tell too little to be carried over`,
      );
    return {
      ...about,
      ...{ corrected: estimateOf(found), method: "carried", worth: Number.NaN, sensitivity, specificity },
    };
  }
  if (n === 0)
    return none(
      "no output of it is labeled, and a correction learned on others assumes that the judge errs alike on it",
    );
  if (n < FEWEST_LABELS) return none(`${n} labels are too few: ${FEWEST_LABELS} are needed`);
  const instead = (reason: string): CorrectedSystem => ({
    ...about,
    ...{ corrected: alone, method: "labels alone", worth: n, reason },
  });
  if (stratified) {
    const sum = about.sensitivity + about.specificity;
    if (sum <= 2 - WEAK)
      return instead(
        `sensitivity and specificity add to ${sum.toFixed(2)}: the judge runs against people, which option \`pass\` may explain`,
      );
    if (sum < WEAK)
      return instead(
        `sensitivity and specificity add to ${sum.toFixed(2)}, below ${WEAK}: the judge adds nothing to the labels`,
      );
    const found = postStratify(counts.verdicts, { n: judge.length, passed: counts.judged }, confidence);
    return withWorth({ ...about, corrected: estimateOf(found), method: "post-stratified", worth: n });
  }
  const outside = shareOutside(part);
  if (outside > MOST_OUTSIDE)
    return none(
      `${Math.round(100 * outside)} % of the outputs have a score beyond those of the labeled ones, of which the labels say nothing`,
    );
  const plain = rectifiedMean({ human, judge: part.predicted, weights, cluster }, confidence);
  const found = withRaters(plain, raterPart(part.voices), confidence);
  if (Number.isNaN(found.se))
    return instead("the labels do not vary, so that a regression on the judge has no error to estimate");
  const corrected = binary ? shareOf(found, confidence) : estimateOf(found);
  return withWorth({ ...about, corrected, method: "regression", worth: n });
}

const estimateOf = ({ value, lower, upper }: JudgeEstimate): JudgeEstimate => ({ value, lower, upper });

/** A share with an error of its own: Wilson's interval with as many labels as have that error, and the quantile of t. */
function shareOf(found: RectifiedMean, confidence: number): JudgeEstimate {
  const { value, se, df } = found;
  const spread = value * (1 - value);
  if (!(spread > 0) || !(se > 0)) return within(found, true);
  const tail = (1 - confidence) / 2;
  const effective = (spread / se ** 2) * (normalQuantileUpper(tail) / tQuantileUpper(tail, df)) ** 2;
  return { value, ...wilsonInterval(value, effective, confidence) };
}

/** Shares lie between 0 and 1. */
const within = ({ value, lower, upper }: JudgeEstimate, share: boolean): JudgeEstimate =>
  share
    ? { value: Math.min(1, Math.max(0, value)), lower: Math.max(0, lower), upper: Math.min(1, upper) }
    : { value, lower, upper };

const widthOf = ({ lower, upper }: JudgeEstimate): number => upper - lower;

/** Widths fall with the root of the number of labels. */
const withWorth = (own: CorrectedSystem): CorrectedSystem => ({
  ...own,
  worth: own.labels * (widthOf(own.labelsAlone) / widthOf(own.corrected)) ** 2,
});

/** Labels by the judge's verdict, weighted ones as their effective number. */
function countVerdicts({ human, judge, weights }: Part) {
  const sums = [
    { n: 0, w: 0, w2: 0, passed: 0 },
    { n: 0, w: 0, w2: 0, passed: 0 },
  ];
  let [judged, passed, passedBoth, failed, failedBoth] = [0, 0, 0, 0, 0];
  for (let u = 0; u < judge.length; u++) {
    const verdict = judge[u]! > 0 ? 1 : 0;
    judged += verdict;
    const y = human[u]!;
    if (Number.isNaN(y)) continue;
    const w = weights?.[u] ?? 1;
    const own = sums[verdict]!;
    own.n += 1;
    own.w += w;
    own.w2 += w * w;
    own.passed += w * y;
    passed += w * y;
    failed += w * (1 - y);
    if (verdict === 1) passedBoth += w * y;
    else failedBoth += w * (1 - y);
  }
  const verdicts = sums.map(({ w, w2, passed: own }) => {
    const effective = w2 > 0 ? (w * w) / w2 : 0;
    return { n: effective, passed: w > 0 ? (effective * own) / w : 0 };
  }) as unknown as readonly [{ n: number; passed: number }, { n: number; passed: number }];
  return { n: sums[0]!.n + sums[1]!.n, verdicts, judged, passed, passedBoth, failed, failedBoth };
}

function labelsAlone(
  { human, judge, weights, cluster, voices }: Part,
  { binary, confidence, n }: { readonly binary: boolean; readonly confidence: number; readonly n: number },
): JudgeEstimate {
  if (n === 0) return UNKNOWN;
  const mean = rectifiedMean({ human, judge, weights, cluster, labelsAlone: true }, confidence);
  const raters = raterPart(voices);
  if (!binary || raters !== undefined || (cluster !== undefined && mean.se > 0))
    return binary ? shareOf(withRaters(mean, raters, confidence), confidence) : withRaters(mean, raters, confidence);
  let [w, w2, passed] = [0, 0, 0];
  for (const u of labeledRows(human)) {
    const own = weights?.[u] ?? 1;
    w += own;
    w2 += own * own;
    passed += own * human[u]!;
  }
  const effective = (w * w) / w2;
  return { value: passed / w, ...wilsonInterval(passed / w, effective, confidence) };
}

function judgeAlone(
  { judge, cluster }: Part,
  { binary, confidence }: { readonly binary: boolean; readonly confidence: number },
): JudgeEstimate {
  if (binary && cluster === undefined) {
    let passed = 0;
    for (let u = 0; u < judge.length; u++) passed += judge[u]!;
    return { value: passed / judge.length, ...wilsonInterval(passed / judge.length, judge.length, confidence) };
  }
  return within(rectifiedMean({ human: judge, judge, cluster, labelsAlone: true }, confidence), binary);
}

/** Outputs whose score lies beyond those of the labeled outputs. */
function shareOutside({ human, judge }: Part): number {
  let [least, most, outside] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const u of labeledRows(human)) {
    least = Math.min(least, judge[u]!);
    most = Math.max(most, judge[u]!);
  }
  for (let u = 0; u < judge.length; u++) if (judge[u]! < least || judge[u]! > most) outside += 1;
  return outside / judge.length;
}

interface PairSetting extends Setting {
  readonly higherIsBetter: boolean | null;
  readonly auditMargin: number | undefined;
}

function allPairs(
  parts: readonly Part[],
  systems: readonly CorrectedSystem[],
  setting: PairSetting,
): CorrectedDifference[] {
  if (setting.judged.columns.item === undefined) return [];
  const place = new Int32Array(setting.judged.items);
  return parts.flatMap((a, i) => {
    place.fill(-1);
    for (let u = 0; u < a.item.length; u++) place[a.item[u]!] = u;
    return parts
      .slice(i + 1)
      .map((b, k) => correctPair({ a, b, place, own: [systems[i]!, systems[i + 1 + k]!] }, setting));
  });
}

interface Pair {
  readonly a: Part;
  readonly b: Part;
  /** Where a has each item; -1 where it has not. */
  readonly place: Int32Array;
  readonly own: readonly [CorrectedSystem, CorrectedSystem];
}

function correctPair(
  pair: Pair,
  { judged, confidence, higherIsBetter, auditMargin }: PairSetting,
): CorrectedDifference {
  const { a, b, own } = pair;
  const shared = differencesOf(pair, judged);
  const { human, judge, predicted, weights, cluster } = shared;
  const raters = raterPart(shared.voices);
  const decide = (mean: JudgeEstimate): JudgeEstimate & { readonly verdict: Verdict } => ({
    ...estimateOf(mean),
    verdict: verdictOf(mean, higherIsBetter),
  });
  const alone = withRaters(
    rectifiedMean({ human, judge, weights, cluster, labelsAlone: true }, confidence),
    raters,
    confidence,
  );
  const n = labeledRows(human).length;
  const audit = auditMargin === undefined ? undefined : auditPair(judged, [a.system, b.system], auditMargin);
  const about = {
    ...{ a: a.system, b: b.system, items: human.length, labels: n },
    ...(cluster === undefined ? {} : { clusters: alone.clusters }),
    ...(raters === undefined ? {} : { raters: raters.raters }),
    judge: decide(rectifiedMean({ human: judge, judge, cluster, labelsAlone: true }, confidence)),
    labelsAlone: decide(alone),
    ...(audit === undefined ? {} : { audit: audit.verdict }),
  };
  const answer = (
    { p, se, df, ...found }: JudgeEstimate & Pick<RectifiedMean, "p" | "se" | "df">,
    method: CorrectionMethod,
    reason?: string,
  ): CorrectedDifference => ({
    ...about,
    corrected: { ...estimateOf(found), se, df, p, verdict: verdictOf(found, higherIsBetter) },
    method,
    worth: method === "none" ? Number.NaN : n * (widthOf(alone) / widthOf(found)) ** 2,
    ...(reason === undefined ? {} : { reason }),
  });
  const none = (reason: string): CorrectedDifference => answer({ ...UNKNOWN, ...UNTESTED }, "none", reason);
  const lacking = own.find(({ method }) => method === "none");
  const borrowed = own.find(({ method }) => method === "carried");
  if (lacking === undefined && borrowed !== undefined)
    return none(
      `${borrowed.system} has a carried calibration, and a judge may err differently on two systems: only labels of both can compare them`,
    );
  if (n < FEWEST_LABELS && lacking !== undefined) return none(`${lacking.system}: ${lacking.reason}`);
  if (audit?.verdict === "FAIL") return none(audit.reason);
  if (n < FEWEST_LABELS)
    return answer(
      { ...fromParts(own), ...UNTESTED },
      own[0].method,
      `people labeled both outputs of ${n} items: the two corrected values count as independent`,
    );
  const plain = rectifiedMean({ human, judge: predicted, weights, cluster }, confidence);
  const found = withRaters(plain, raters, confidence);
  if (Number.isNaN(found.se)) return none(`the labels of the ${n} items do not differ between the two systems`);
  return answer(found, "regression");
}

const verdictOf = ({ value, lower, upper }: JudgeEstimate, higherIsBetter: boolean | null): Verdict =>
  Number.isNaN(lower)
    ? NO_VERDICT
    : lower > 0 || upper < 0
      ? differenceVerdict(value > 0, higherIsBetter)
      : INCONCLUSIVE;

/** Newcombe's square-and-add of two independent intervals. */
function fromParts([{ corrected: a }, { corrected: b }]: Pair["own"]): JudgeEstimate {
  const value = b.value - a.value;
  return {
    value,
    lower: value - Math.hypot(b.value - b.lower, a.upper - a.value),
    upper: value + Math.hypot(b.upper - b.value, a.value - a.lower),
  };
}

/** Items that both systems answered: differences of labels, of scores and of what scores predict. */
function differencesOf({ a, b, place }: Pair, { cluster }: Judged) {
  let size = 0;
  for (let u = 0; u < b.item.length; u++) if (place[b.item[u]!]! >= 0) size += 1;
  const [human, judge, predicted] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const weights = a.weights === undefined ? undefined : new Float64Array(size);
  const clusters = cluster === undefined ? undefined : new Int32Array(size);
  const voices = a.voices.map(() => new Float64Array(size));
  for (let u = 0, k = 0; u < b.item.length; u++) {
    const v = place[b.item[u]!]!;
    if (v < 0) continue;
    human[k] = b.human[u]! - a.human[v]!;
    judge[k] = b.judge[u]! - a.judge[v]!;
    predicted[k] = b.predicted[u]! - a.predicted[v]!;
    // an item is drawn with all of its outputs, or each by itself: the rarer draw decides
    if (weights !== undefined) weights[k] = Math.max(a.weights![v]!, b.weights![u]!);
    if (clusters !== undefined) clusters[k] = b.cluster![u]!;
    for (const [r, own] of voices.entries()) own[k] = b.voices[r]![u]! - a.voices[r]![v]!;
    k += 1;
  }
  return { human, judge, predicted, weights, cluster: clusters, voices };
}

function tellSystems(systems: readonly CorrectedSystem[], pass: boolean): Diagnostic[] {
  const told: Diagnostic[] = [];
  for (const { system, method, reason, labels, labelsAlone: alone } of systems) {
    const who = systems.length === 1 ? "" : `${system}: `;
    if (method === "carried") {
      const message = `${who}sensitivity and specificity are carried over: the value assumes that the judge errs alike on these outputs, whatever share of them people pass.`;
      told.push(
        warning("CarriedOver", message, "Have people label some of them: `auditJudge` then tests the assumption."),
      );
    }
    if (method === "none")
      told.push(warning("NoCorrection", `${who}${reason}.`, "Have people label a random draw of its outputs."));
    else if (reason !== undefined) told.push(note("JudgeLeftOut", `${who}${reason}.`, ""));
    const kind = Math.min(alone.value, 1 - alone.value) * labels;
    if (pass && method !== "none" && kind < FEW_OF_A_KIND) {
      const message = `${who}${labels} labels with ${Math.round(kind)} of the rarer kind: the 95 % interval may cover less often.`;
      told.push(warning("FewOfAKind", message, "Label more outputs."));
    }
  }
  return told;
}

/** With fewer labeled items, and with raters who prefer one system, up to 7 % of equal systems differ. */
const FEW_ITEMS = 30;

function tellPairs(differences: readonly CorrectedDifference[], { raters }: Judged): Diagnostic[] {
  const found = differences.filter(({ method }) => method !== "none");
  if (found.length === 0) return [];
  const least = Math.min(...found.map(({ labels }) => labels));
  return [
    ...(least >= FEW_ITEMS
      ? []
      : [
          warning(
            "FewLabeledItems",
            `${least} labeled items: the false-positive rate of the difference is up to 7 %.`,
            `Label at least ${FEW_ITEMS} items.`,
          ),
        ]),
    ...(raters.length < 2 || found.every((own) => own.raters !== undefined)
      ? []
      : [
          warning(
            "RatersGiven",
            `the ${raters.length} raters share too few items: the interval is for these raters, and if raters prefer different systems, the false-positive rate is above 5 %.`,
            "Have all raters label at least 10 items in common.",
          ),
        ]),
  ];
}

/** Of grades with a long tail 30 labels rarely show it: the t interval then covers in 90 %. */
const FEW_FOR_TAIL = 50;
const LONG_TAIL = 1;

/** Few labels may lack the tail that the judge's scores of all outputs show. */
function tellSkew({ human, judge }: Part, { system, method }: CorrectedSystem): Diagnostic[] {
  const rows = labeledRows(human);
  if (method !== "regression" || rows.length >= FEW_FOR_TAIL) return [];
  const labels = Float64Array.from(rows, (u) => human[u]!);
  if (![labels, judge].some((values) => Math.abs(measureSkewedMean(values).skewness) > LONG_TAIL)) return [];
  const message = `${system === "all outputs" ? "" : `${system}: `}${rows.length} labels of scores with a long tail: the 95 % interval covers in about 90 % of such data sets.`;
  return [warning("SkewedLabels", message, "Label at least 100 outputs.")];
}

const tooManySystems = (count: number): Diagnostic =>
  note(
    "ManySystems",
    `${count} systems: their differences are left out.`,
    `Name up to ${MOST_SYSTEMS} of them with option \`systems\`.`,
  );
