/** How the labeled outputs were drawn, which decides what the labels stand for.
 *      random           each output was as likely as any other
 *      strata:COLUMN    at random within each level of a column: weights N_h/n_h
 *      weights:COLUMN   with known probabilities, which the column holds: weights 1/π
 *      unknown          taken as random, and held against what a random draw looks like: the judge's scores and their distance from the middle,
 *                       every other column, and the order of the rows
 *  Reference: Horvitz & Thompson (1952); Wald & Wolfowitz (1940), the runs test.
 *  Oracle:    closed form; the warnings' rates in test/calibration/judge.calibrate.ts.
 *  Limits:    a check finds what shows in the columns of the file; a draw by something else passes it. */
import { asFactor, column } from "../../data/table.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { normalCdf, normalSf } from "../../numeric/dist/normal.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Judged } from "../../study/judged.ts";
import { labeledRows } from "./rectified.ts";

export type Drawn = "random" | "unknown" | `strata:${string}` | `weights:${string}`;

export interface Draw {
  readonly drawn: Drawn;
  /** Of each output, to be scaled; absent where all are alike. */
  readonly weights?: Float64Array;
  /** What a random draw would not show: "the judge's score", "the order of the rows", names of columns. */
  readonly unlike: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Together the checks doubt this share of random draws; where the user says that the draw was random, fewer. */
const ALPHA = { unknown: 0.1, random: 0.001 };

export function readDraw(judged: Judged, drawn: Drawn = "unknown"): Draw {
  if (drawn === "random" || drawn === "unknown") {
    const unlike = findUnlike(judged, ALPHA[drawn]);
    return { drawn, unlike, diagnostics: tellDraw(drawn, unlike) };
  }
  const [kind, ...rest] = drawn.split(":");
  const name = rest.join(":");
  if ((kind !== "strata" && kind !== "weights") || name === "")
    throw new StatError(
      "BadOption",
      `option \`drawn: ${drawn}\`: there is no such way of drawing labels.`,
      "Write random, strata:COLUMN, weights:COLUMN or unknown.",
    );
  const weights = kind === "strata" ? strataWeights(judged, name) : columnWeights(judged, name);
  return { drawn, weights, unlike: [], diagnostics: lightLabels(judged, weights) };
}

/** Outputs of a stratum over its labels. */
function strataWeights({ table, row, human, outputs }: Judged, name: string): Float64Array {
  const { codes, levels } = asFactor(column(table, name));
  const all = new Float64Array(levels.length + 1);
  const labeled = new Float64Array(levels.length + 1);
  for (let u = 0; u < outputs; u++) {
    const code = codes[row[u]!]! + 1;
    all[code]! += 1;
    if (!Number.isNaN(human[u]!)) labeled[code]! += 1;
  }
  const empty = levels.filter((_, code) => all[code + 1]! > 0 && labeled[code + 1] === 0);
  if (empty.length > 0) {
    const message = `${name} has levels without a label (${listNames(empty)}): nothing is known of their outputs.`;
    throw new StatError("EmptyStratum", message, "Label some outputs of each, or leave them out with option `where`.");
  }
  return Float64Array.from({ length: outputs }, (_, u) => {
    const code = codes[row[u]!]! + 1;
    return all[code]! / labeled[code]!;
  });
}

/** Probabilities of being drawn: a column of the outputs, or of the file of labels. */
function columnWeights({ table, row, human, outputs, noted }: Judged, name: string): Float64Array {
  const own = noted.get(name);
  const cells = own === undefined ? column(table, name) : undefined;
  if (cells !== undefined && cells.kind !== "numeric")
    throw new StatError(
      "NotNumeric",
      `column "${name}" holds no probabilities.`,
      "Name the column of the probabilities with which outputs were drawn.",
    );
  const weights = new Float64Array(outputs).fill(1);
  for (let u = 0; u < outputs; u++) {
    if (Number.isNaN(human[u]!)) continue;
    const chance = own === undefined ? cells!.values[row[u]!]! : own[u]!;
    if (!(chance > 0 && chance <= 1))
      throw new StatError(
        "OutOfRange",
        `row ${row[u]! + 1}: ${name} is ${chance}, and a probability of being drawn lies above 0 and is at most 1.`,
        "Give each labeled output the probability with which it was drawn.",
      );
    weights[u] = 1 / chance;
  }
  return weights;
}

/** A label that stands for many others decides much by itself. */
const MOST_WEIGHT = 0.2;

function lightLabels({ human }: Judged, weights: Float64Array): Diagnostic[] {
  let [sum, most] = [0, 0];
  for (const u of labeledRows(human)) {
    sum += weights[u]!;
    most = Math.max(most, weights[u]!);
  }
  if (!(most / sum > MOST_WEIGHT)) return [];
  const message = `one label has ${Math.round((100 * most) / sum)} % of the weight: the answer rests on it, and its interval is rough.`;
  return [warning("HeavyLabel", message, "Draw with less unequal probabilities.")];
}

function tellDraw(drawn: "random" | "unknown", unlike: readonly string[]): Diagnostic[] {
  if (unlike.length > 0) {
    const message = `the labeled outputs do not look like a random draw: they differ from the others in ${listNames(unlike, 4)}. The corrected values may be biased.`;
    return [
      warning(
        "LabelsNotRandom",
        message,
        "Say how they were drawn with option `drawn: strata:COLUMN` or `drawn: weights:COLUMN`, or label a random draw (`sampleJudge`).",
      ),
    ];
  }
  if (drawn === "random") return [];
  return [
    note(
      "DrawUnknown",
      "how the labeled outputs were drawn is unknown: Gosset treats them as a random draw, and nothing in the file speaks against it.",
      "Say it with option `drawn: random`, `drawn: strata:COLUMN` or `drawn: weights:COLUMN`.",
    ),
  ];
}

interface Check {
  readonly what: string;
  readonly p: number;
  /** Drawing by doubt is what labelers do most: its check has most of the error. */
  readonly doubt?: true;
}

const DOUBT = 0.8;
const FEWEST = 10;
const MOST_LEVELS = 12;

/** In what the labeled outputs differ from the others more than a random draw does. */
function findUnlike(judged: Judged, alpha: number): string[] {
  const { human, judge, table, row, outputs, columns, repeats } = judged;
  const rows = labeledRows(human);
  const n = rows.length;
  if (n < FEWEST || outputs - n < FEWEST) return [];
  const isLabeled = new Uint8Array(outputs);
  for (const u of rows) isLabeled[u] = 1;
  const middle = middleOf(judge);
  const checks: Check[] = [
    { what: "the judge's score", p: differentMeans(judge, isLabeled) },
    ...(judged.binary.judge
      ? []
      : [
          {
            what: "how far the judge's score is from the middle of its range",
            doubt: true as const,
            p: differentMeans(
              judge.map((value) => Math.abs(value - middle)),
              isLabeled,
              nearer,
            ),
          },
        ]),
    ...(repeats === undefined
      ? []
      : [{ what: "how far the judge's repeats lie apart", p: differentMeans(repeats.variance, isLabeled) }]),
    { what: "the order of the rows", p: inRuns(judged, isLabeled) },
    { what: "the position in the file", p: differentMeans(placeOf(judged), isLabeled) },
  ];
  const known = new Set([...columns.judge, ...columns.human, columns.item, columns.system, columns.rater]);
  for (const [name, cells] of table.columns) {
    if (known.has(name)) continue;
    if (cells.kind === "numeric") {
      const values = Float64Array.from(row, (at) => cells.values[at]!);
      checks.push({ what: name, p: differentMeans(values, isLabeled) });
    } else if (cells.levels.length > 1 && cells.levels.length <= MOST_LEVELS) {
      checks.push({ what: name, p: differentShares(cells.codes, cells.levels.length, { row, isLabeled }) });
    }
  }
  const tried = checks.filter(({ p }) => !Number.isNaN(p));
  const doubts = tried.filter(({ doubt }) => doubt).length;
  const share = (doubt: true | undefined): number =>
    doubts === 0 ? 1 / tried.length : doubt ? DOUBT / doubts : (1 - DOUBT) / (tried.length - doubts);
  return tried.filter(({ p, doubt }) => p < alpha * share(doubt)).map(({ what }) => what);
}

/** Where a judge is least sure. */
function middleOf(judge: Float64Array): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let u = 0; u < judge.length; u++) {
    least = Math.min(least, judge[u]!);
    most = Math.max(most, judge[u]!);
  }
  return (least + most) / 2;
}

/** Items in the order of the file. */
function placeOf({ item, outputs }: Judged): Float64Array {
  const place = new Float64Array(outputs);
  for (let u = 0; u < outputs; u++) place[u] = item[u]!;
  return place;
}

/** Doubt draws nearer to the middle, never further from it. */
const nearer = (z: number): number => normalCdf(z);

/** Mean of the labeled against that of all, drawn without replacement; two-sided unless told otherwise. */
function differentMeans(
  values: Float64Array,
  isLabeled: Uint8Array,
  tail = (z: number): number => 2 * normalSf(Math.abs(z)),
): number {
  let [all, sum, squares, n, own] = [0, 0, 0, 0, 0];
  for (let u = 0; u < values.length; u++) {
    const value = values[u]!;
    if (!Number.isFinite(value)) continue;
    all += 1;
    const step = value - sum;
    sum += step / all;
    squares += step * (value - sum);
    if (isLabeled[u] === 1) {
      n += 1;
      own += value;
    }
  }
  if (n < FEWEST || all - n < FEWEST || !(squares > 0)) return Number.NaN;
  const variance = (squares / (all - 1)) * (1 / n - 1 / all);
  return tail((own / n - sum) / Math.sqrt(variance));
}

/** Labels on items that follow each other: too few runs of labeled and unlabeled items. */
function inRuns({ item, items, outputs }: Judged, isLabeled: Uint8Array): number {
  const seen = new Uint8Array(items);
  for (let u = 0; u < outputs; u++) if (isLabeled[u] === 1) seen[item[u]!] = 1;
  let [n, runs] = [0, 1];
  for (let i = 0; i < items; i++) {
    n += seen[i]!;
    if (i > 0 && seen[i] !== seen[i - 1]) runs += 1;
  }
  const rest = items - n;
  if (n < FEWEST || rest < FEWEST) return Number.NaN;
  const mean = (2 * n * rest) / items + 1;
  const variance = ((mean - 1) * (mean - 2)) / (items - 1);
  return normalCdf((runs + 0.5 - mean) / Math.sqrt(variance));
}

/** Pearson's test of the levels of a column among the labeled and the others. */
function differentShares(
  codes: Int32Array,
  levels: number,
  { row, isLabeled }: { readonly row: Int32Array; readonly isLabeled: Uint8Array },
): number {
  const counts = new Float64Array(2 * levels);
  const totals = [0, 0];
  for (let u = 0; u < row.length; u++) {
    const code = codes[row[u]!]!;
    if (code < 0) continue;
    const side = isLabeled[u]!;
    counts[side * levels + code]! += 1;
    totals[side]! += 1;
  }
  const [other, own] = totals as [number, number];
  if (own < FEWEST || other < FEWEST) return Number.NaN;
  let [chi, used] = [0, 0];
  for (let code = 0; code < levels; code++) {
    const both = counts[code]! + counts[levels + code]!;
    // rare levels have no chi-square distribution
    if ((both * own) / (own + other) < 1) continue;
    used += 1;
    for (const side of [0, 1]) {
      const expected = (both * totals[side]!) / (own + other);
      chi += (counts[side * levels + code]! - expected) ** 2 / expected;
    }
  }
  return used < 2 ? Number.NaN : chiSquareSf(chi, used - 1);
}
