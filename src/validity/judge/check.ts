/** Is the judge any good? Agreement with people, whom it favors, whether it repeats itself, and whether it could stand in for one of them.
 *      accuracy       sensitivity, specificity and raw agreement with Wilson limits, κ and α next to the share that people pass
 *      error          the judge's score minus people's, with its t interval; of pairs of systems paired by item, adjusted by Holm
 *      slices         the error within each level of a column against the other levels (Welch), along a number its rank correlation; Holm
 *      repeats        how often all repeats of an output agree, and their share of the variance
 *      order          outputs that were judged in both orders: how often the scores are equal, and which order scores higher
 *      annotators     the alternative annotator test (alternative-annotator.ts)
 *  Reference: Krippendorff (2004); Calderon, Reichart & Dror (2025), ACL.
 *  Oracle:    the parts' own.
 *  Limits:    labels are a random draw of the outputs; slices describe, and do not say why. */
import { fingerprint } from "../../data/fingerprint.ts";
import { asFactor, column, factorColumn, makeTable, selectColumns } from "../../data/table.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { measureAgreement } from "../../reliability/agreement/agreement.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { wilsonInterval } from "../../significance/intervals/binomial.ts";
import { adjustP } from "../../significance/multiplicity.ts";
import { correlationTest } from "../../significance/tests/correlation.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { twoSampleTTest } from "../../significance/tests/t-test.ts";
import { type Judged, type JudgedData, judgeWithin, readJudged, type Voice } from "../../study/judged.ts";
import { type AlternativeAnnotators, testAlternativeAnnotators } from "./alternative-annotator.ts";
import { displayCheck } from "./check-display.ts";
import { type Drawn, readDraw } from "./draw.ts";
import type { JudgeEstimate, JudgeOptions } from "./judge.ts";
import { labeledRows, rectifiedMean } from "./rectified.ts";

export interface CheckJudgeOptions extends JudgeOptions {
  /** Columns whose levels may be judged differently: position, length, topic. */
  readonly by?: readonly string[] | undefined;
  /** Column of two levels: in which order the judge saw what it judged. Default: one named order, position or swapped, where outputs were judged in both. */
  readonly order?: string | undefined;
  /** Of the alternative annotator test. */
  readonly epsilon?: number | undefined;
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
}

export interface JudgeAccuracy {
  /** A system, or "all". */
  readonly of: string;
  readonly labels: number;
  /** People's and the judge's means; shares where both are 0/1. */
  readonly human: number;
  readonly judge: number;
  readonly agreement: JudgeEstimate;
  readonly sensitivity: JudgeEstimate;
  readonly specificity: JudgeEstimate;
  /** Judge minus people. */
  readonly error: JudgeEstimate;
  /** People's label by the judge's verdict, where both are 0/1: rows people 0, 1; columns judge 0, 1. */
  readonly confusion?: readonly (readonly [number, number])[];
}

export interface JudgeFavor {
  /** What was compared: systems, a level of a column against the others, a column of numbers. */
  readonly what: "systems" | "level" | "number" | "family";
  readonly name: string;
  readonly against: string;
  readonly n: number;
  /** Difference of the judge's errors; of numbers the rank correlation. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly adjusted: number;
}

export interface JudgeConsistency {
  readonly outputs: number;
  /** Share of repeated outputs on which all repeats are equal, and the repeats' share of the variance of scores. */
  readonly equal: number;
  readonly within: number;
}

/** The same outputs judged in both orders. */
export interface JudgeOrder {
  readonly column: string;
  readonly levels: readonly [string, string];
  /** Outputs judged in both, and the share of them with equal scores. */
  readonly outputs: number;
  readonly equal: JudgeEstimate;
  /** Score in the second level's order minus the first's; p by McNemar's mid-p of 0/1 scores, else paired t. */
  readonly difference: JudgeEstimate & { readonly p: number };
}

export interface JudgeCheck extends Result<"judge-check"> {
  readonly columns: Judged["columns"];
  readonly drawn: Drawn;
  readonly scale: "pass" | "score";
  readonly confidence: number;
  readonly accuracy: readonly JudgeAccuracy[];
  readonly agreement: Readonly<Record<"alpha" | "kappa" | "ac1", JudgeEstimate>>;
  readonly favors: readonly JudgeFavor[];
  readonly consistency?: JudgeConsistency;
  readonly order?: JudgeOrder;
  readonly annotators?: AlternativeAnnotators;
}

export type JudgeCheckJson = JsonOf<JudgeCheck>;

const NONE: JudgeEstimate = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };
const FEWEST_LABELS = 10;
const REPLICATES = 500;
/** Systems of which all pairs are tested. */
const MOST_SYSTEMS = 10;
const MOST_LEVELS = 12;

export function checkJudge(data: JudgedData, options: CheckJudgeOptions = {}): JudgeCheck {
  const { confidence = 0.95, drawn = "unknown", by = [], epsilon, replicates = REPLICATES, rng = makeRng(1) } = options;
  checkConfidence(confidence);
  const judged = readJudged(data, options, options.labels);
  const draw = readDraw(judged, drawn);
  const rows = labeledRows(judged.human);
  if (rows.length < FEWEST_LABELS)
    throw new StatError(
      "TooFewLabels",
      `${rows.length} outputs have labels; ${FEWEST_LABELS} are needed to check a judge.`,
      "Have people label a random draw of the outputs.",
    );
  const binary = judged.binary.human && judged.binary.judge;
  const used = judged.systems.map((_, code) => code).filter((code) => rows.some((u) => judged.system[u] === code));
  const accuracy = [
    accuracyOf("all", rows, judged, confidence),
    ...(used.length < 2
      ? []
      : used.map((code) =>
          accuracyOf(
            judged.systems[code]!,
            rows.filter((u) => judged.system[u] === code),
            judged,
            confidence,
          ),
        )),
  ];
  const favors = adjusted([
    ...systemFavors(judged, used, confidence),
    ...familyFavor(judged, confidence),
    ...by.flatMap((name) => sliceFavors(judged, rows, name)),
  ]);
  const annotators =
    judged.raters.length < 2
      ? undefined
      : testAlternativeAnnotators(judged.judge, judged.raters, { epsilon, numeric: !binary, cluster: judged.cluster });
  const consistency = consistencyOf(judged);
  const order = orderOf(judged, options, confidence);
  const fields = {
    signature: {
      method: "judge check",
      version: GOSSET_VERSION,
      options: { ...options, labels: undefined, rng: undefined, confidence, drawn, replicates },
      data: fingerprint(
        selectColumns(
          judged.table,
          [...new Set([...judged.columns.judge, ...judged.columns.human])].filter((name) =>
            judged.table.columns.has(name),
          ),
        ),
      ),
      seed: rng.seed,
    },
    diagnostics: [
      ...judged.diagnostics,
      ...draw.diagnostics,
      ...tellJudge(judged),
      ...(annotators === undefined ? [] : tellAnnotators(judged, annotators)),
    ],
    columns: judged.columns,
    drawn,
    scale: (binary ? "pass" : "score") as "pass" | "score",
    confidence,
    accuracy,
    agreement: agreementOf(judged, rows, { replicates, confidence, rng, binary }),
    favors,
    ...present({ consistency, order, annotators }),
  };
  return makeResult("judge-check", fields, displayCheck);
}

/** One label of several raters that disagree counts as passed from ½ on. */
function accuracyOf(of: string, rows: Int32Array, judged: Judged, confidence: number): JudgeAccuracy {
  const { human, judge, cluster, binary } = judged;
  const both = binary.human && binary.judge;
  const counts = [
    [0, 0],
    [0, 0],
  ] as [[number, number], [number, number]];
  let [people, model] = [0, 0];
  const error = new Float64Array(rows.length);
  const equal = new Float64Array(rows.length);
  for (const [k, u] of rows.entries()) {
    people += human[u]! / rows.length;
    model += judge[u]! / rows.length;
    error[k] = judge[u]! - human[u]!;
    equal[k] = judge[u] === human[u] ? 1 : 0;
    if (both) counts[human[u] as 0 | 1][judge[u] as 0 | 1] += 1;
  }
  const share = (k: number, n: number): JudgeEstimate =>
    n === 0 ? NONE : { value: k / n, ...wilsonInterval(k / n, n, confidence) };
  const clusters = cluster === undefined ? undefined : Int32Array.from(rows, (u) => cluster[u]!);
  const { value, lower, upper } = rectifiedMean(
    { human: error, judge: error, cluster: clusters, labelsAlone: true },
    confidence,
  );
  const [[failed, missed], [lost, passed]] = counts;
  return {
    ...{ of, labels: rows.length, human: people, judge: model },
    agreement: share(
      equal.reduce((sum, own) => sum + own, 0),
      rows.length,
    ),
    sensitivity: both ? share(passed, lost + passed) : NONE,
    specificity: both ? share(failed, failed + missed) : NONE,
    error: { value, lower, upper },
    ...(both ? { confusion: counts } : {}),
  };
}

/** Judge and people as two raters. */
function agreementOf(
  { human, judge }: Judged,
  rows: Int32Array,
  { replicates, confidence, rng, binary }: { replicates: number; confidence: number; rng: Rng; binary: boolean },
): JudgeCheck["agreement"] {
  const items = Array.from(rows, (_, k) => `o${k}`);
  const table = makeTable([
    ["item", factorColumn([...items, ...items])],
    ["rater", factorColumn([...items.map(() => "judge"), ...items.map(() => "people")])],
    [
      "label",
      {
        kind: "numeric",
        values: Float64Array.from([...rows].map((u) => judge[u]!).concat([...rows].map((u) => human[u]!))),
      },
    ],
  ]);
  const scale = binary ? "nominal" : "interval";
  const { coefficients } = measureAgreement(table, {
    item: "item",
    rater: "rater",
    label: "label",
    scale,
    replicates,
    confidence,
    rng,
  });
  const { alpha, cohen, ac1 } = coefficients;
  const part = ({ value, lower, upper }: JudgeEstimate): JudgeEstimate => ({ value, lower, upper });
  return { alpha: part(alpha), kappa: part(cohen), ac1: part(ac1) };
}

type Untested = Omit<JudgeFavor, "adjusted">;

const adjusted = (favors: readonly Untested[]): JudgeFavor[] => {
  const p = adjustP(
    favors.map((own) => own.p),
    "holm",
  );
  return favors.map((own, k) => ({ ...own, adjusted: p[k]! }));
};

/** The judge's error on b minus that on a, item by item. */
function systemFavors(judged: Judged, used: readonly number[], confidence: number): Untested[] {
  if (judged.columns.item === undefined || used.length < 2 || used.length > MOST_SYSTEMS) return [];
  const errors = new Map(used.map((code) => [code, new Float64Array(judged.items).fill(Number.NaN)]));
  const cluster = judged.cluster === undefined ? undefined : new Int32Array(judged.items);
  for (let u = 0; u < judged.outputs; u++) {
    if (cluster !== undefined) cluster[judged.item[u]!] = judged.cluster![u]!;
    const own = errors.get(judged.system[u]!);
    if (own !== undefined) own[judged.item[u]!] = judged.judge[u]! - judged.human[u]!;
  }
  return used.flatMap((a, i) =>
    used.slice(i + 1).flatMap((b) => {
      const [first, second] = [errors.get(a)!, errors.get(b)!];
      const gap = second.map((value, i) => value - first[i]!);
      const { value, lower, upper, p, n } = rectifiedMean(
        { human: gap, judge: gap, cluster, labelsAlone: true },
        confidence,
      );
      if (n < FEWEST_LABELS) return [];
      return [
        {
          what: "systems" as const,
          name: judged.systems[b]!,
          against: judged.systems[a]!,
          n,
          value,
          lower,
          upper,
          p: Number.isNaN(p) ? 1 : p,
        },
      ];
    }),
  );
}

const FAMILIES = ["gpt", "claude", "gemini", "llama", "mistral", "qwen", "deepseek", "grok"];
const familyOf = (name: string): string | undefined => FAMILIES.find((family) => name.toLowerCase().includes(family));

/** Systems of the judge's own family against the others. */
function familyFavor(judged: Judged, confidence: number): Untested[] {
  const families = new Set(judged.columns.judge.map(familyOf).filter((own) => own !== undefined));
  if (families.size !== 1) return [];
  const [family] = families as unknown as readonly [string];
  const own = judged.systems.map((name) => familyOf(name) === family);
  const groups = [own.indexOf(true), own.indexOf(false)];
  if (groups.includes(-1)) return [];
  const rows = labeledRows(judged.human);
  const pick = (inside: boolean): Float64Array =>
    Float64Array.from(
      rows.filter((u) => own[judged.system[u]!] === inside),
      (u) => judged.judge[u]! - judged.human[u]!,
    );
  return welch({ what: "family", name: family, against: "others" }, pick(true), pick(false), confidence);
}

function welch(
  about: Pick<Untested, "what" | "name" | "against">,
  x: Float64Array,
  y: Float64Array,
  confidence: number,
): Untested[] {
  if (x.length < FEWEST_LABELS || y.length < FEWEST_LABELS) return [];
  const { effect, p } = twoSampleTTest(x, y, { confidence });
  const defined = !Number.isNaN(p);
  return [
    {
      ...about,
      n: x.length + y.length,
      value: effect.value,
      lower: effect.lower,
      upper: effect.upper,
      p: defined ? p : 1,
    },
  ];
}

function sliceFavors({ table, row, judge, human }: Judged, rows: Int32Array, name: string): Untested[] {
  const cells = column(table, name);
  const error = (u: number): number => judge[u]! - human[u]!;
  const levels =
    cells.kind === "numeric" ? new Set(Array.from(rows, (u) => cells.values[row[u]!]!)).size : cells.levels.length;
  if (cells.kind === "numeric" && levels > MOST_LEVELS) {
    const known = rows.filter((u) => Number.isFinite(cells.values[row[u]!]!));
    const x = Float64Array.from(known, (u) => cells.values[row[u]!]!);
    const { effect, p } = correlationTest(x, Float64Array.from(known, error), { kind: "spearman" });
    return [
      {
        what: "number",
        name,
        against: "",
        n: known.length,
        value: effect.value,
        lower: effect.lower,
        upper: effect.upper,
        p: Number.isNaN(p) ? 1 : p,
      },
    ];
  }
  if (levels > MOST_LEVELS)
    throw new StatError(
      "TooManyLevels",
      `option \`by\` ${name}: ${levels} levels are too many to test.`,
      `Name a column of at most ${MOST_LEVELS} levels, or of numbers.`,
    );
  const factor = asFactor(cells);
  const shown = levels === 2 ? factor.levels.slice(0, 1) : factor.levels;
  return shown.flatMap((level) => {
    const code = factor.levels.indexOf(level);
    const inside = rows.filter((u) => factor.codes[row[u]!] === code);
    const outside = rows.filter((u) => factor.codes[row[u]!] !== code && factor.codes[row[u]!]! >= 0);
    const against = levels === 2 ? factor.levels[1]! : "the others";
    return welch(
      { what: "level", name: `${name} ${level}`, against },
      Float64Array.from(inside, error),
      Float64Array.from(outside, error),
      0.95,
    );
  });
}

function consistencyOf({ repeats, judge }: Judged): JudgeConsistency | undefined {
  if (repeats === undefined) return undefined;
  let [outputs, equal, within] = [0, 0, 0];
  let [mean, squares] = [0, 0];
  for (let u = 0; u < judge.length; u++) {
    if (!(repeats.count[u]! > 1)) continue;
    outputs += 1;
    if (repeats.variance[u] === 0) equal += 1;
    within += repeats.variance[u]!;
    const step = judge[u]! - mean;
    mean += step / outputs;
    squares += step * (judge[u]! - mean);
  }
  if (outputs < 2) return undefined;
  const inner = within / outputs;
  const total = squares / (outputs - 1) + inner;
  return { outputs, equal: equal / outputs, within: total > 0 ? inner / total : Number.NaN };
}

const ORDERS = ["order", "position", "swapped", "swap", "presentation_order"];

function orderOf(judged: Judged, { order, pass }: CheckJudgeOptions, confidence: number): JudgeOrder | undefined {
  const name =
    order ?? (judged.repeats && ORDERS.find((own) => judged.table.columns.has(own) && isTwofold(judged.table, own)));
  if (name === undefined) return undefined;
  column(judged.table, name);
  if (!isTwofold(judged.table, name))
    throw new StatError(
      "NotTwoOrders",
      `option \`order: ${name}\`: the column does not have two levels.`,
      "Name a column that says in which of two orders the judge saw each output.",
    );
  const [first, second] = judgeWithin(judged, name, pass).filter(({ values }) => !values.every(Number.isNaN)) as [
    Voice,
    Voice,
  ];
  const rows = Int32Array.from({ length: judged.outputs }, (_, u) => u).filter(
    (u) => !Number.isNaN(first.values[u]! + second.values[u]!),
  );
  if (rows.length < FEWEST_LABELS) {
    if (order === undefined) return undefined;
    throw new StatError(
      "FewInBothOrders",
      `option \`order: ${name}\`: ${rows.length} outputs were judged in both orders; ${FEWEST_LABELS} are needed.`,
      "Give a row for each order, with the same item and system.",
    );
  }
  const gap = Float64Array.from(rows, (u) => second.values[u]! - first.values[u]!);
  const cluster = judged.cluster && Int32Array.from(rows, (u) => judged.cluster![u]!);
  const { value, lower, upper, p } = rectifiedMean({ human: gap, judge: gap, cluster, labelsAlone: true }, confidence);
  const count = (test: (own: number) => boolean): number => gap.reduce((sum, own) => sum + (test(own) ? 1 : 0), 0);
  const [equal, up, down] = [count((own) => own === 0), count((own) => own > 0), count((own) => own < 0)];
  const whole = judged.cluster === undefined && gap.every((own) => own === 0 || Math.abs(own) === 1);
  return {
    column: name,
    levels: [first.name, second.name],
    outputs: rows.length,
    equal: { value: equal / rows.length, ...wilsonInterval(equal / rows.length, rows.length, confidence) },
    difference: { value, lower, upper, p: whole ? mcnemarP(up, down, { method: "mid-p" }) : p },
  };
}

const isTwofold = (table: Judged["table"], name: string): boolean => {
  const { codes } = asFactor(column(table, name));
  return new Set(codes.filter((code) => code >= 0)).size === 2;
};

/** A judge whose scores are nearly all alike. */
const SATURATED = 0.98;

function tellJudge({ judge }: Judged): Diagnostic[] {
  const counts = new Map<number, number>();
  for (const value of judge) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [value, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  if (most < SATURATED * judge.length) return [];
  const message = `the judge gives ${value} to ${Math.floor((1000 * most) / judge.length) / 10} % of the outputs: it hardly distinguishes them.`;
  return [warning("Saturated", message, "Ask for finer grades, or use another judge.")];
}

function tellAnnotators({ raters }: Judged, { annotators }: AlternativeAnnotators): Diagnostic[] {
  const advice = "The authors advise at least 3 annotators and 50 to 100 items.";
  if (annotators.length === 0)
    return [
      note(
        "FewForAnnotators",
        "no annotator labeled 30 outputs together with another: the alternative annotator test is left out.",
        advice,
      ),
    ];
  if (raters.length >= 3) return [];
  return [
    note(
      "TwoAnnotators",
      "two annotators: the alternative annotator test compares the judge with one person at a time.",
      advice,
    ),
  ];
}
