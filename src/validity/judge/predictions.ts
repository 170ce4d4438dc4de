/** What a judge's score predicts of people's: the number that the correction regresses on.
 *      one judge       its own score; a bent scale is straightened by isotonic regression where that predicts left-out labels better
 *      several judges  least squares of the labels on all of them
 *  A labeled output is predicted without its own label, so that the correction stays unbiased.
 *  Reference: Zrnic & Candès (2024), PNAS 121 (cross-fitting); Ayer et al. (1955) (pool adjacent violators).
 *  Oracle:    closed form; coverage in test/calibration/judge.calibrate.ts.
 *  Limits:    isotonic regression from 50 labels on; it is left alone where it gains less than twice its own error. */
import { cholesky, cholInverse } from "../../numeric/linalg/cholesky.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import type { Judged } from "../../study/judged.ts";
import { labeledRows } from "./rectified.ts";

/** With fewer labels steps are noise: coverage of the corrected mean falls to 88 % where the judge says nothing. */
const FEWEST_FOR_STEPS = 50;
/** Standard errors by which steps must predict better than a line. */
const SURE = 2;
/** Distinct scores beyond which neighbors are taken together. */
const MOST_STEPS = 200;
/** Of several judges: with fewer labels a coefficient their mean is regressed on. */
const FEWEST_PER_JUDGE = 10;

export function predictHuman({
  human,
  judge,
  judges,
  binary,
}: Pick<Judged, "human" | "judge" | "judges" | "binary">): Float64Array {
  const rows = labeledRows(human);
  if (judges.length > 1 && rows.length >= FEWEST_PER_JUDGE * (judges.length + 1)) {
    const complete = judges.every(({ values }) => !values.some(Number.isNaN));
    if (complete)
      return (
        fromJudges(
          human,
          judges.map(({ values }) => values),
          rows,
        ) ?? judge
      );
  }
  if (binary.judge || rows.length < FEWEST_FOR_STEPS) return judge;
  return straighten(human, judge, rows) ?? judge;
}

/** Isotonic regression of the labels on the score, where it predicts labels that it has not seen better than a line does. */
function straighten(human: Float64Array, judge: Float64Array, rows: Int32Array): Float64Array | undefined {
  const order = Array.from(rows).sort((a, b) => judge[a]! - judge[b]!);
  const f = order.map((u) => judge[u]!);
  const y = order.map((u) => human[u]!);
  const steps = stepsOf(f);
  if (steps.count < 3) return undefined;
  const left = new Float64Array(order.length);
  for (let k = 0; k < order.length; k++) left[k] = valueAt(poolViolators(y, steps, k), steps.of[k]!);
  if (!predictsBetter(f, y, left)) return undefined;
  const whole = poolViolators(y, steps, -1);
  const predicted = new Float64Array(judge.length);
  for (let u = 0; u < judge.length; u++) predicted[u] = valueAt(whole, stepAt(steps.end, judge[u]!));
  for (let k = 0; k < order.length; k++) predicted[order[k]!] = left[k]!;
  return predicted;
}

interface Steps {
  readonly count: number;
  /** Step of each sorted label, and the largest score of each step. */
  readonly of: Int32Array;
  readonly end: Float64Array;
}

/** Equal scores are one step; many scores are cut into equal numbers of labels. */
function stepsOf(f: readonly number[]): Steps {
  const distinct = new Set(f).size;
  const size = distinct > MOST_STEPS ? f.length / MOST_STEPS : 0;
  const of = new Int32Array(f.length);
  const end: number[] = [];
  let start = 0;
  for (let k = 0; k < f.length; k++) {
    if (k > 0 && f[k] !== f[k - 1] && k - start >= size) {
      end.push(f[k - 1]!);
      start = k;
    }
    of[k] = end.length;
  }
  end.push(f.at(-1)!);
  return { count: end.length, of, end: Float64Array.from(end) };
}

function stepAt(end: Float64Array, score: number): number {
  let [low, high] = [0, end.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (score <= end[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Blocks {
  /** Last step of each block, and its mean. */
  readonly last: number[];
  readonly mean: number[];
}

function poolViolators(y: readonly number[], { count, of }: Steps, without: number): Blocks {
  const sum = new Float64Array(count);
  const size = new Float64Array(count);
  for (let k = 0; k < y.length; k++) {
    if (k === without) continue;
    sum[of[k]!]! += y[k]!;
    size[of[k]!]! += 1;
  }
  const [last, mean, weight]: [number[], number[], number[]] = [[], [], []];
  for (let step = 0; step < count; step++) {
    if (size[step] === 0) continue;
    let [own, w] = [sum[step]! / size[step]!, size[step]!];
    while (mean.length > 0 && mean.at(-1)! >= own) {
      const [m, n] = [mean.pop()!, weight.pop()!];
      last.pop();
      own = (own * w + m * n) / (w + n);
      w += n;
    }
    last.push(step);
    mean.push(own);
    weight.push(w);
  }
  return { last, mean };
}

function valueAt({ last, mean }: Blocks, step: number): number {
  let [low, high] = [0, last.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (step <= last[middle]!) high = middle;
    else low = middle + 1;
  }
  return mean[low]!;
}

/** Squared errors of labels left out: of a line against the steps. */
function predictsBetter(f: readonly number[], y: readonly number[], steps: Float64Array): boolean {
  const n = f.length;
  const [mf, my] = [f, y].map((values) => values.reduce((sum, own) => sum + own, 0) / n) as [number, number];
  let [ff, fy] = [0, 0];
  for (let k = 0; k < n; k++) {
    ff += (f[k]! - mf) ** 2;
    fy += (f[k]! - mf) * (y[k]! - my);
  }
  if (!(ff > 0)) return false;
  const slope = fy / ff;
  let [sum, squares] = [0, 0];
  for (let k = 0; k < n; k++) {
    const leverage = 1 / n + (f[k]! - mf) ** 2 / ff;
    const line = (y[k]! - my - slope * (f[k]! - mf)) / (1 - leverage);
    const gain = line * line - (y[k]! - steps[k]!) ** 2;
    sum += gain;
    squares += gain * gain;
  }
  const mean = sum / n;
  const variance = (squares / n - mean * mean) / (n - 1);
  return mean > 0 && mean * mean > SURE * SURE * variance;
}

/** Least squares on several judges; undefined where they are collinear. */
function fromJudges(human: Float64Array, judges: readonly Float64Array[], rows: Int32Array): Float64Array | undefined {
  const k = judges.length + 1;
  const at = (u: number, j: number): number => (j === 0 ? 1 : judges[j - 1]![u]!);
  const gram = zeros(k, k);
  const right = new Float64Array(k);
  for (const u of rows) {
    for (let i = 0; i < k; i++) {
      right[i]! += at(u, i) * human[u]!;
      for (let j = 0; j < k; j++) gram.data[i + j * k]! += at(u, i) * at(u, j);
    }
  }
  const factor = cholesky(gram);
  if (factor === undefined) return undefined;
  for (let i = 0; i < k; i++) if (factor.data[i + i * k]! ** 2 < SINGULAR * gram.data[i + i * k]!) return undefined;
  const inverse = cholInverse(factor).data;
  const beta = Float64Array.from({ length: k }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += inverse[i * k + j]! * right[j]!;
    return sum;
  });
  const predicted = new Float64Array(human.length);
  for (let u = 0; u < human.length; u++) for (let j = 0; j < k; j++) predicted[u]! += beta[j]! * at(u, j);
  for (const u of rows) {
    let leverage = 0;
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) leverage += at(u, i) * inverse[i * k + j]! * at(u, j);
    // the fit without this label
    if (leverage < 1) predicted[u] = human[u]! - (human[u]! - predicted[u]!) / (1 - leverage);
  }
  return predicted;
}

/** A judge that is the others' sum up to rounding. */
const SINGULAR = 1e-10;
