/** Parameters from history: a table of earlier comparisons, one row each, with the accuracies of the baseline and of the new system,
 *  and where known the share of items on which both agreed and the task.
 *    agreement ~ lower accuracy + |difference|      (Card et al., Tables 5 and 6)
 *    difference ~ baseline + task                   (Tables 7 and 8)
 *  Reference: Card et al. (2020), EMNLP, section 3.2 and App. E.2.
 *  Oracle:    oracle/papers/card2020.json, Tables 7 and 8 (R's lm) — 1e-9.
 *  Limits:    published comparisons are mostly those that went well: the predicted difference is optimistic. */

import { fingerprint } from "../../data/fingerprint.ts";
import { asNumeric, column, makeTable, numericColumn, type Table, withColumn } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import type { FixedJson } from "../../models/fit-json.ts";
import { predictFixed } from "../../models/glm/predict.ts";
import { fitLm, type LmFit } from "../../models/lm/lm.ts";
import type { LinePoint } from "../../numeric/straight-line.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { type Display, type DisplayTable, NEXT } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { PowerResult } from "../result.ts";
import type { ScenarioParameters } from "../scenario.ts";
import { accuracyFamily } from "../scenarios/accuracy.ts";
import { type OverlapRegression, parseOverlap, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { computePower } from "../solve/solve.ts";
import { callsOf, type NextQuestion, roundPlanned, type WithCommands } from "./next.ts";

export interface HistoryColumns {
  /** Accuracy of the baseline, and of the new system. */
  readonly baseline: string;
  readonly candidate: string;
  readonly agreement?: string;
  readonly task?: string;
}

export interface HistoryOptions {
  /** Accuracy of the baseline to be beaten, and its task. */
  readonly at: number;
  readonly task?: string | undefined;
  /** Items of the test set to come. */
  readonly n?: number | undefined;
  /** Where the table has no agreement: "glue", "squad" or coefficients. */
  readonly overlap?: string | undefined;
  readonly test?: string | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
}

export interface HistoryResult extends Result<"history"> {
  readonly comparisons: number;
  /** Whether the accuracies of the table were percentages. */
  readonly percent: boolean;
  readonly effectFit: LmFit;
  readonly overlapFit?: LmFit;
  readonly overlap: OverlapRegression;
  /** Predicted difference with its prediction interval, and agreement; shares. */
  readonly delta: { readonly value: number; readonly lower: number; readonly upper: number };
  readonly agreement: number;
  /** For pictures: earlier differences by the baseline, and what is predicted from it with prediction limits; shares. */
  readonly series: HistorySeries;
  readonly power?: PowerResult;
  /** What to ask next. */
  readonly next: readonly NextQuestion[];
}

export interface HistorySeries {
  /** Up to 5,000. */
  readonly points: readonly (readonly [baseline: number, difference: number])[];
  readonly line: readonly LinePoint[];
}

export type HistoryJson = JsonOf<Omit<HistoryResult, "effectFit" | "overlapFit">> &
  WithCommands & {
    readonly effectFit: ShortFitJson;
    readonly overlapFit?: ShortFitJson;
  };

/** A regression cut down to what planning needs. */
export interface ShortFitJson {
  readonly coefficients: readonly Pick<FixedJson, "term" | "estimate" | "se" | "p">[];
  readonly rSquared: number;
  readonly residualSd: number;
  readonly residualDf: number;
}

/** Accuracies above this are percentages. */
const LARGEST_SHARE = 1;
const USUAL_ALPHA = 0.05;

/** `difference ~ baseline + task` in the units of the table. */
export function fitEffectHistory(table: Table, { baseline, candidate, task }: HistoryColumns): LmFit {
  const before = asNumeric(column(table, baseline), baseline).values;
  const after = asNumeric(column(table, candidate), candidate).values;
  const own = makeTable([
    ["effect", numericColumn(after.map((v, i) => v - before[i]!))],
    ["baseline", numericColumn(before)],
    ...(task === undefined ? [] : [["task", column(table, task)] as const]),
  ]);
  return fitLm(task === undefined ? "effect ~ baseline" : "effect ~ baseline + task", own);
}

/** `agreement ~ lower accuracy + |difference|`, all as shares or all as percentages. */
export function fitOverlapHistory(table: Table, columns: HistoryColumns & { readonly agreement: string }): LmFit {
  const before = asNumeric(column(table, columns.baseline), columns.baseline).values;
  const after = asNumeric(column(table, columns.candidate), columns.candidate).values;
  const own = makeTable([
    ["agreement", asNumeric(column(table, columns.agreement), columns.agreement)],
    ["lower", numericColumn(before.map((v, i) => Math.min(v, after[i]!)))],
    ["difference", numericColumn(after.map((v, i) => Math.abs(v - before[i]!)))],
  ]);
  return fitLm("agreement ~ lower + difference", own);
}

const PLAN_FROM_HISTORY_OPTIONS = {
  at: true,
  task: true,
  n: true,
  overlap: true,
  test: true,
  alpha: true,
  confidence: true,
} as const satisfies Record<keyof HistoryOptions, true>;

export function planFromHistory(given: Table, columns: HistoryColumns, options: HistoryOptions): HistoryResult {
  refuseUnknownNames("planFromHistory", options, PLAN_FROM_HISTORY_OPTIONS);
  const { at, task, n, test, alpha, confidence = 0.95 } = options;
  if (options.overlap !== undefined && columns.agreement !== undefined)
    throw new StatError(
      "BadOption",
      "option `overlap` has no effect beside `agreement`, of which it is fitted.",
      "Leave one of them out.",
    );
  const percent = isPercent(given, columns);
  const table = percent ? asShares(given, columns) : given;
  const base = percent && at > LARGEST_SHARE ? at / 100 : at;
  if (!(base > 0 && base < 1)) {
    throw new StatError(
      "BadParameter",
      `the baseline to be beaten is ${at}.`,
      `give an accuracy between 0 and ${percent ? 100 : 1}.`,
    );
  }
  const effectFit = fitEffectHistory(table, columns);
  requireComparisons(effectFit);
  const delta = predictEffect(effectFit, { base, task, column: columns.task, confidence });
  const agreementColumn = columns.agreement;
  const overlapFit =
    agreementColumn === undefined ? undefined : fitOverlapHistory(table, { ...columns, agreement: agreementColumn });
  if (overlapFit !== undefined && options.overlap !== undefined)
    throw new StatError(
      "BadOption",
      "option `overlap` has no effect beside a column of the agreement, whose regression is fitted.",
      "Leave one of them out.",
    );
  const overlap = overlapFit === undefined ? parseOverlap(options.overlap ?? "glue") : coefficientsOf(overlapFit);
  const agreement = predictOverlap(overlap, base, delta.value);
  const coefficients = [overlap.intercept, overlap.accuracy, overlap.difference]
    .map((c) => Number(c.toPrecision(8)))
    .join(",");
  const params: ScenarioParameters = {
    delta: delta.value,
    baseline: base,
    overlap: coefficients,
    test,
    alpha,
  };
  const power = n === undefined || !(delta.value > 0) ? undefined : computePower(accuracyFamily, { ...params, n });
  const fields: FieldsOf<HistoryResult> = {
    signature: {
      method: "power/from-history",
      version: GOSSET_VERSION,
      options: { ...columns, ...options },
      data: fingerprint(table),
    },
    diagnostics: judge(delta, overlapFit === undefined),
    comparisons: effectFit.design.y.length,
    percent,
    effectFit,
    ...present({ overlapFit }),
    overlap,
    delta,
    agreement,
    series: historySeries(effectFit, table, columns, { base, task, column: columns.task, confidence }),
    ...present({ power }),
    next: nextQuestions(params, n),
  };
  return makeResult("history", fields, { display: displayHistory, json: historyJson });
}

function requireComparisons({ design, residualDf }: LmFit): void {
  if (residualDf >= 1) return;
  const rows = design.y.length;
  throw new StatError(
    "TooFewRows",
    `${rows} ${rows === 1 ? "comparison is" : "comparisons are"} too few for a regression on the baseline${design.names.length > 2 ? " and the task" : ""}.`,
    `give a table of at least ${Math.max(3, rows - residualDf + 1)} comparisons whose baselines differ.`,
  );
}

function isPercent(table: Table, { baseline, candidate }: HistoryColumns): boolean {
  const values = [baseline, candidate].flatMap((name) => [...asNumeric(column(table, name), name).values]);
  const wrong = values.find((v) => v < 0 || v > 100);
  if (wrong !== undefined) {
    throw new StatError(
      "BadParameter",
      `${wrong} in the columns ${baseline} and ${candidate} is not an accuracy.`,
      "they must hold proportions from 0 to 1, or percentages from 0 to 100.",
    );
  }
  return values.some((v) => v > LARGEST_SHARE);
}

function asShares(table: Table, columns: HistoryColumns): Table {
  let out = table;
  for (const name of [columns.baseline, columns.candidate, columns.agreement]) {
    if (name === undefined) continue;
    const { values } = asNumeric(column(table, name), name);
    // agreement may be a share beside accuracies in percent
    const divisor = values.some((v) => v > LARGEST_SHARE) ? 100 : 1;
    out = withColumn(out, name, numericColumn(values.map((v) => v / divisor)));
  }
  return out;
}

interface Wanted {
  readonly base: number;
  readonly task: string | undefined;
  readonly column: string | undefined;
  readonly confidence: number;
}

const MOST_POINTS = 5000;
const LINE_POINTS = 21;

function historySeries(fit: LmFit, table: Table, columns: HistoryColumns, wanted: Wanted): HistorySeries {
  const before = asNumeric(column(table, columns.baseline), columns.baseline).values;
  const after = asNumeric(column(table, columns.candidate), columns.candidate).values;
  const points = Array.from(before, (value, i) => [value, after[i]! - value] as const).filter(
    ([x, y]) => Number.isFinite(x) && Number.isFinite(y),
  );
  const xs = [...points.map(([x]) => x), wanted.base];
  const [low, high] = xs.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [1, 0]);
  const line = Array.from({ length: LINE_POINTS }, (_, k) => {
    const x = low + ((high - low) * k) / (LINE_POINTS - 1);
    const { value, lower, upper } = predictEffect(fit, { ...wanted, base: x });
    return { x, y: value, lower, upper };
  });
  return { points: points.slice(0, MOST_POINTS), line };
}

function predictEffect(fit: LmFit, { base, task, column: name, confidence }: Wanted) {
  const rows: [string, ReturnType<typeof numericColumn>][] = [["baseline", numericColumn([base])]];
  if (name === undefined) return only(predictFixed(fit, makeTable(rows), { interval: "prediction", confidence }));
  const learned = fit.design.schema.columns.get("task");
  const levels = learned?.kind === "factor" ? learned.levels : [];
  if (task === undefined || !levels.includes(task)) {
    throw new StatError(
      "UnknownTask",
      task === undefined ? "the table has tasks, and none is named." : `no task "${task}" in the table.`,
      `choose one of ${levels.join(", ")}.`,
    );
  }
  const code = levels.indexOf(task);
  const factor = { kind: "factor" as const, codes: Int32Array.of(code), levels, ordered: false };
  return only(predictFixed(fit, makeTable([...rows, ["task", factor]]), { interval: "prediction", confidence }));
}

const only = ({ value, lower, upper }: { value: Float64Array; lower: Float64Array; upper: Float64Array }) => ({
  value: value[0]!,
  lower: lower[0]!,
  upper: upper[0]!,
});

function coefficientsOf({ coefficients }: LmFit): OverlapRegression {
  const of = (name: string): number => coefficients.find((c) => c.name === name)?.value ?? 0;
  return { intercept: of("(Intercept)"), accuracy: of("lower"), difference: of("difference") };
}

function nextQuestions(params: ScenarioParameters, n: number | undefined): NextQuestion[] {
  const { delta, alpha, baseline, ...others } = params;
  const size = n === undefined ? {} : { n };
  const rest = {
    baseline: roundPlanned(baseline as number),
    ...others,
    ...(alpha === undefined || alpha === USUAL_ALPHA ? {} : { alpha }),
  };
  const mde: NextQuestion = { ask: "mde", scenario: "accuracy", parameters: { ...size, ...rest } };
  if (!((delta as number) > 0)) return [mde];
  const parameters = { ...size, delta: roundPlanned(delta as number), ...rest };
  return [{ ask: "power", scenario: "accuracy", parameters }, mde];
}

function judge(delta: { value: number; lower: number }, borrowed: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (!(delta.value > 0)) {
    found.push(
      warning(
        "NoImprovementPredicted",
        `history predicts no improvement over this baseline (${formatNumber(delta.value)}).`,
        "plan for the difference that matters to you (`mde`).",
      ),
    );
  } else if (delta.lower <= 0) {
    found.push(note("WideHistory", "the prediction interval of the difference includes 0.", "do not lean on it."));
  }
  if (borrowed) {
    found.push(
      note(
        "BorrowedOverlap",
        "agreement is predicted by Card et al.'s regression, not by this table.",
        "name a column with `agreement`.",
      ),
    );
  }
  return found;
}

function displayHistory(result: FieldsOf<HistoryResult>): Display {
  const { delta, agreement, effectFit, overlapFit, power, comparisons } = result;
  const table = (caption: string, fit: LmFit): DisplayTable => ({
    caption: `${caption} (R² ${formatNumber(fit.rSquared)}, residual sd ${formatNumber(fit.residualSd)})`,
    head: ["term", "estimate", "SE", "p"],
    formats: ["text", "number", "number", "p"],
    rows: fit.coefficients.map((c) => [c.name, c.value, c.se, c.p]),
  });
  return {
    title: "What earlier comparisons predict",
    summary: [
      `${comparisons} earlier comparisons${result.percent ? ", percentages read as shares" : ""}.` +
        (power === undefined
          ? ""
          : ` Power with ${formatNumber(power.parameters[0]!.value as number, "integer")} items: ${formatNumber(power.power)}.`),
    ],
    tables: [
      {
        head: ["predicted", "value", "95% from", "to"],
        rows: [
          ["difference", delta.value, delta.lower, delta.upper],
          ["agreement", agreement, "", ""],
        ],
      },
      table("difference ~ baseline" + (effectFit.coefficients.length > 2 ? " + task" : ""), effectFit),
      ...(overlapFit === undefined ? [] : [table("agreement ~ lower accuracy + |difference|", overlapFit)]),
    ],
    notes: ["Published comparisons are mostly those that went well: take the predicted difference for the upper end."],
    sections: [{ heading: NEXT, items: [{ text: "With these predictions:", code: callsOf(result.next) }] }],
  };
}

function historyJson({
  signature: _,
  diagnostics: __,
  effectFit,
  overlapFit,
  ...own
}: FieldsOf<HistoryResult>): object {
  const fits = {
    effectFit: shortFit(effectFit),
    ...(overlapFit === undefined ? {} : { overlapFit: shortFit(overlapFit) }),
  };
  return { ...own, ...fits };
}

function shortFit({ coefficients, rSquared, residualSd, residualDf }: LmFit): ShortFitJson {
  return {
    coefficients: coefficients.map(({ name, value, se, p }) => ({ term: name, estimate: value, se, p })),
    rSquared,
    residualSd,
    residualDf,
  };
}
