/** Agreement of metrics with people at three levels, and which metrics differ from the best one.
 *    system   the means of the systems: does the metric rank systems as people do? Items are redrawn, the systems stay
 *    item     within each item over its systems, averaged over items (group-by-item): does it tell the better answer to the same task?
 *    output   all outputs together: does a higher value mean a better output, whichever item it answers?
 *  Pairs of metrics are swapped within items (PERM-INPUTS): at the item level that flips the sign of a difference.
 *  Reference: Deutsch, Dror & Roth (2021), TACL 9 (resampling for metrics); Kocmi et al. (2021), WMT (pairwise accuracy);
 *             Graham & Baldwin (2014), EMNLP (Williams' test).
 *  Oracle:    cor, t.test and enumeration in R (oracle/r/metric-validity.json); psych::r.test for Williams.
 *  Limits:    an item that people score alike for all systems says nothing and is left out; a metric that is constant there counts as 0. */
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import type { Rng } from "../../numeric/rng.ts";
import { settleTies } from "../../numeric/ties.ts";
import { intervalFromReplicates } from "../../resample/intervals.ts";
import { permutePaired } from "../../resample/permutation.ts";
import { permutePairedScores } from "../../resample/permutation-scores.ts";
import { countDrawsInto, eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import { isConstant, meanOf } from "../../significance/samples.ts";
import { correlate, correlationTest, rankConcordance } from "../../significance/tests/correlation.ts";
import { midRanks } from "../../significance/tests/ranks.ts";
import { williamsTest } from "../../significance/tests/williams.ts";
import { associate, COEFFICIENTS, type Coefficient, clusteredError } from "./association.ts";
import type { Cells } from "./cells.ts";

export type { Coefficient };

export interface AgreementFigure {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface MetricAgreement extends Readonly<Record<Coefficient, AgreementFigure>> {
  readonly metric: string;
  /** Share of pairs (of systems, or of answers to one item) that the metric orders as people do; their ties are left out. */
  readonly accuracy: AgreementFigure;
  /** p of the difference from the best metric by the chosen coefficient, and adjusted for all pairs of metrics; NaN for the best itself. */
  readonly p: number;
  readonly adjusted: number;
  /** Difference of the coefficient from the best metric's. */
  readonly behind: number;
  /** p of Williams' test of the same pair, which takes the systems as drawn; NaN where it does not apply. */
  readonly williams: number;
}

export interface LevelResult {
  readonly level: "system" | "item" | "output";
  /** Systems, items or outputs that the coefficients are of. */
  readonly n: number;
  /** Items (or clusters of them) that were drawn or counted together; 0 where the systems are the sample. */
  readonly units: number;
  readonly best: string;
  /** The best first. */
  readonly metrics: readonly MetricAgreement[];
}

export interface LevelOptions {
  readonly coefficient: Coefficient;
  readonly confidence: number;
  readonly replicates: number;
  readonly rng: Rng;
}

type Own = Omit<MetricAgreement, "metric" | "p" | "adjusted" | "behind" | "williams">;
type Compare = (best: number, other: number) => { readonly p: number; readonly williams?: number };

const NONE: AgreementFigure = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };

export function coefficientOf(kind: Coefficient, x: Float64Array, y: Float64Array): number {
  if (kind === "kendall") return rankConcordance(x, y).tau;
  if (kind === "pearson") return correlate(x, y);
  return correlate(midRanks(x).ranks, midRanks(y).ranks);
}

/** Right and counted pairs. */
function pairsInOrder(human: Float64Array, metric: Float64Array): readonly [right: number, pairs: number] {
  let [right, pairs] = [0, 0];
  for (let i = 0; i < human.length; i++) {
    for (let j = 0; j < i; j++) {
      const order = Math.sign(human[i]! - human[j]!);
      if (order === 0) continue;
      pairs += 1;
      if (Math.sign(metric[i]! - metric[j]!) === order) right += 1;
    }
  }
  return [right, pairs];
}

function rankLevel(
  cells: Cells,
  options: LevelOptions,
  own: readonly Own[],
  compare: Compare,
): Pick<LevelResult, "best" | "metrics"> {
  const { coefficient } = options;
  const order = [...own.keys()].sort((a, b) => own[b]![coefficient].value - own[a]![coefficient].value || a - b);
  const best = order[0]!;
  const tests = order.slice(1).map((k) => ({ k, ...compare(best, k) }));
  const adjusted = adjustForAllPairs(
    tests.map(({ p }) => p),
    own.length,
  );
  return {
    best: cells.metrics[best]!.name,
    metrics: order.map((k, place) => ({
      metric: cells.metrics[k]!.name,
      ...own[k]!,
      behind: own[best]![coefficient].value - own[k]![coefficient].value,
      p: place === 0 ? Number.NaN : tests[place - 1]!.p,
      adjusted: place === 0 ? Number.NaN : adjusted[place - 1]!,
      williams: place === 0 ? Number.NaN : (tests[place - 1]!.williams ?? Number.NaN),
    })),
  };
}

/** Holm's steps as if these were the smallest p of all pairs: the best was chosen by the same data, so that every pair could have been it. */
function adjustForAllPairs(p: readonly number[], metrics: number): Float64Array {
  const pairs = (metrics * (metrics - 1)) / 2;
  const order = [...p.keys()].sort((a, b) => p[a]! - p[b]!);
  const adjusted = new Float64Array(p.length).fill(Number.NaN);
  let least = 0;
  order.forEach((k, step) => {
    if (Number.isNaN(p[k]!)) return;
    least = Math.max(least, Math.min(1, (pairs - step) * p[k]!));
    adjusted[k] = least;
  });
  return adjusted;
}

export function measureOutputs(cells: Cells, options: LevelOptions): LevelResult {
  const { confidence, coefficient } = options;
  const df = cells.units - 1;
  const found = cells.metrics.map(({ values }) => COEFFICIENTS.map((kind) => associate(kind, cells.human, values)));
  const own = found.map((list): Own => {
    const figures = list.map(({ value, influence }) =>
      fisher(value, clusteredError(influence, cells.unit, cells.units), tQuantileUpper((1 - confidence) / 2, df)),
    );
    return { pearson: figures[0]!, spearman: figures[1]!, kendall: figures[2]!, accuracy: NONE };
  });
  const at = COEFFICIENTS.indexOf(coefficient);
  const compare: Compare = (best, other) => {
    const [a, b] = [found[best]![at]!, found[other]![at]!];
    const se = clusteredError(
      a.influence.map((v, i) => v - b.influence[i]!),
      cells.unit,
      cells.units,
    );
    if (a.value === b.value) return { p: 1 };
    return { p: se > 0 ? 2 * tSf(Math.abs(a.value - b.value) / se, df) : Number.NaN };
  };
  return { level: "output", n: cells.rows, units: cells.units, ...rankLevel(cells, options, own, compare) };
}

/** On the scale of Fisher's z, where the spread of a correlation depends little on its size. */
function fisher(value: number, se: number, quantile: number): AgreementFigure {
  const half = (quantile * se) / (1 - value * value);
  return { value, lower: Math.tanh(Math.atanh(value) - half), upper: Math.tanh(Math.atanh(value) + half) };
}

/** Undefined where no item has two systems that people tell apart. */
export function measureItems(cells: Cells, options: LevelOptions): LevelResult | undefined {
  const groups = groupByItem(cells);
  if (groups.length < 2) return undefined;
  const take = (values: Float64Array, rows: readonly number[]): Float64Array =>
    Float64Array.from(rows, (i) => values[i]!);
  const humans = groups.map((rows) => take(cells.human, rows));
  const unit = Int32Array.from(groups, (rows) => cells.unit[rows[0]!]!);
  const perItem = cells.metrics.map(({ values }) => {
    const own = groups.map((rows) => take(values, rows));
    const each = (kind: Coefficient): Float64Array =>
      Float64Array.from(own, (metric, g) => (isConstant(metric) ? 0 : coefficientOf(kind, humans[g]!, metric)));
    return {
      pearson: each("pearson"),
      spearman: each("spearman"),
      kendall: each("kendall"),
      pairs: own.map((metric, g) => pairsInOrder(humans[g]!, metric)),
    };
  });
  const own = perItem.map(({ pearson, spearman, kendall, pairs }): Own => {
    const ones = new Float64Array(groups.length).fill(1);
    return {
      pearson: ratioFigure(pearson, ones, unit, options.confidence),
      spearman: ratioFigure(spearman, ones, unit, options.confidence),
      kendall: ratioFigure(kendall, ones, unit, options.confidence),
      accuracy: ratioFigure(
        Float64Array.from(pairs, ([right]) => right),
        Float64Array.from(pairs, ([, all]) => all),
        unit,
        options.confidence,
      ),
    };
  });
  const compare: Compare = (best, other) => {
    const [a, b] = [perItem[best]![options.coefficient], perItem[other]![options.coefficient]];
    const differences = a.map((v, g) => v - b[g]!);
    return { p: permutePaired(differences, { clusters: unit, rng: options.rng }).p };
  };
  const units = new Set(unit).size;
  return { level: "item", n: groups.length, units, ...rankLevel(cells, options, own, compare) };
}

function groupByItem(cells: Cells): (readonly number[])[] {
  const groups = Array.from({ length: cells.items }, (): number[] => []);
  for (let i = 0; i < cells.rows; i++) groups[cells.item[i]!]!.push(i);
  return groups.filter((rows) => rows.some((i) => cells.human[i] !== cells.human[rows[0]!]));
}

/** Σ y / Σ x with its clustered error; with x = 1 and clusters of one the t interval of a mean. */
function ratioFigure(y: Float64Array, x: Float64Array, unit: Int32Array, confidence: number): AgreementFigure {
  const value = meanOf(y) / meanOf(x);
  const codes = new Map([...new Set(unit)].map((code, k) => [code, k]));
  const own = unit.map((code) => codes.get(code)!);
  const influence = y.map((v, i) => (v - value * x[i]!) / meanOf(x));
  const half = tQuantileUpper((1 - confidence) / 2, codes.size - 1) * clusteredError(influence, own, codes.size);
  return { value, lower: value - half, upper: value + half };
}

/** Undefined with fewer than three systems. */
export function measureSystems(cells: Cells, options: LevelOptions): LevelResult | undefined {
  const S = cells.systems.length;
  if (S < 3) return undefined;
  const rows = [cells.human, ...cells.metrics.map(({ values }) => values)].map((values) => sumBySystem(cells, values));
  const counts = sumBySystem(cells, new Float64Array(cells.rows).fill(1));
  const means = rows.map((own) => meansOf(columnSums(own, S), columnSums(counts, S)));
  if (isConstant(means[0]!)) return undefined;
  const single = cells.rows === S;
  const own = single ? drawnSystems(means, options) : drawnItems({ rows, counts, means, S }, options);
  const compare: Compare = (best, other) => {
    const williams = williamsP(means[0]!, means[best + 1]!, means[other + 1]!);
    if (single) return { p: williams, williams };
    const statistics = (metric: Float64Array): Float64Array => beside([rows[0]!, metric, counts], S);
    const scoreOf = (sums: Float64Array): number => {
      const n = sums.subarray(2 * S);
      const [human, metric] = [meansOf(sums.subarray(0, S), n), meansOf(sums.subarray(S, 2 * S), n)];
      return coefficientOf(options.coefficient, human, metric);
    };
    const data = { a: statistics(rows[best + 1]!), b: statistics(rows[other + 1]!), width: 3 * S, scoreOf };
    return { p: permutePairedScores(data, { method: "monte-carlo", rng: options.rng }).p, williams };
  };
  return { level: "system", n: S, units: single ? 0 : cells.units, ...rankLevel(cells, options, own, compare) };
}

/** One row for each unit, one column for each system. */
function sumBySystem(cells: Cells, values: Float64Array): Float64Array {
  const S = cells.systems.length;
  const sums = new Float64Array(cells.units * S);
  for (let i = 0; i < cells.rows; i++) sums[cells.unit[i]! * S + cells.system[i]!]! += values[i]!;
  return sums;
}

function columnSums(rows: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let k = 0; k < rows.length; k++) sums[k % width]! += rows[k]!;
  return sums;
}

/** Means that differ by rounding alone are equal. */
const meansOf = (sums: Float64Array, counts: Float64Array): Float64Array =>
  settleTies(sums.map((sum, s) => sum / counts[s]!))[0]!;

function beside(parts: readonly Float64Array[], width: number): Float64Array {
  const units = parts[0]!.length / width;
  const all = new Float64Array(units * width * parts.length);
  for (let u = 0; u < units; u++) {
    for (const [k, part] of parts.entries())
      all.set(part.subarray(u * width, (u + 1) * width), (u * parts.length + k) * width);
  }
  return all;
}

const KINDS = [...COEFFICIENTS, "accuracy"] as const;

function figuresOf(human: Float64Array, metric: Float64Array): Record<(typeof KINDS)[number], number> {
  const [right, pairs] = pairsInOrder(human, metric);
  return {
    pearson: coefficientOf("pearson", human, metric),
    spearman: coefficientOf("spearman", human, metric),
    kendall: coefficientOf("kendall", human, metric),
    accuracy: right / pairs,
  };
}

interface SystemSums {
  /** Human scores first, then each metric. */
  readonly rows: readonly Float64Array[];
  readonly counts: Float64Array;
  readonly means: readonly Float64Array[];
  readonly S: number;
}

/** Items drawn with replacement; a system that a draw leaves without items is left out of that draw. */
function drawnItems({ rows, counts, means, S }: SystemSums, { replicates, rng, confidence }: LevelOptions): Own[] {
  const drawn = rows.slice(1).map(() => KINDS.map(() => new Float64Array(replicates)));
  const times = new Float64Array(counts.length / S);
  eachReplicate({ replicates, rng }, OWN_STREAM, (stream, r) => {
    countDrawsInto(times, stream);
    const n = weightedSums(counts, times, S);
    const there = [...n.keys()].filter((s) => n[s]! > 0);
    const [human, ...metrics] = rows.map((own) => {
      const sums = weightedSums(own, times, S);
      return settleTies(Float64Array.from(there, (s) => sums[s]! / n[s]!))[0]!;
    });
    metrics.forEach((metric, k) => {
      const found = figuresOf(human!, metric);
      KINDS.forEach((kind, c) => {
        drawn[k]![c]![r] = found[kind];
      });
    });
  });
  return drawn.map((list, k) => {
    const found = figuresOf(means[0]!, means[k + 1]!);
    const figures = KINDS.map((kind, c): AgreementFigure => {
      const values = list[c]!.filter((v) => !Number.isNaN(v));
      const { lower, upper } = intervalFromReplicates({ estimate: found[kind], values, confidence });
      return { value: found[kind], lower, upper };
    });
    return { pearson: figures[0]!, spearman: figures[1]!, kendall: figures[2]!, accuracy: figures[3]! };
  });
}

function weightedSums(rows: Float64Array, times: Float64Array, S: number): Float64Array {
  const sums = new Float64Array(S);
  for (let u = 0; u < times.length; u++) {
    const t = times[u]!;
    if (t === 0) continue;
    for (let s = 0; s < S; s++) sums[s]! += t * rows[u * S + s]!;
  }
  return sums;
}

/** One row for each system: the systems are the sample. */
function drawnSystems(means: readonly Float64Array[], { confidence }: LevelOptions): Own[] {
  const [human, ...metrics] = means;
  return metrics.map((metric) => {
    const [pearson, spearman, kendall] = COEFFICIENTS.map((kind): AgreementFigure => {
      const { value, lower, upper } = correlationTest(human!, metric, { kind, confidence }).effect;
      return { value, lower, upper };
    }) as [AgreementFigure, AgreementFigure, AgreementFigure];
    return { pearson, spearman, kendall, accuracy: { ...NONE, value: figuresOf(human!, metric).accuracy } };
  });
}

/** Williams (1959) takes the systems as drawn from others. */
function williamsP(human: Float64Array, best: Float64Array, other: Float64Array): number {
  if (human.length < 4 || [best, other].some((own) => isConstant(own))) return Number.NaN;
  const [r12, r13, r23] = [correlate(human, best), correlate(human, other), correlate(best, other)];
  return williamsTest({ n: human.length, r12, r13, r23 }).p;
}
