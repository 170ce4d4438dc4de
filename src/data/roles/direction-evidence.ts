/** Which way is better, where names leave it open or mislead: by how a score goes with scores whose names are clear.
 *    open      a judgement that goes with all the judgements that are known takes their direction ("Overall" beside "Fluent", "Relevant";
 *              "value" that falls with r2 and rises with mae)
 *    in doubt  a column called errors that rises with quality may count sentences without them: then nothing is asserted
 *  What a run costs is never judged by this: larger systems are slower and better. */

import type { Diagnostic } from "../../result/result.ts";
import type { ImportedMetric } from "../imported.ts";
import type { Table } from "../table.ts";
import { isCost, namedAsScore } from "./evidence.ts";
import { profileColumn } from "./profile.ts";
import { scoreNumbers } from "./score-facts.ts";

export interface DirectedMetrics {
  readonly metrics: readonly ImportedMetric[];
  readonly assumptions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Correlations below this say nothing either way, nor do those that chance gives so few rows. */
const WEAK = 0.3;
const weakOf = (rows: number): number => Math.max(WEAK, 2 / Math.sqrt(rows));
/** More metrics than this are not held against each other. */
const MOST_METRICS = 60;
const FEWEST_ROWS = 8;

export function weighDirections(table: Table, metrics: readonly ImportedMetric[]): DirectedMetrics {
  const none = { metrics, assumptions: [], diagnostics: [] };
  if (metrics.length < 2 || metrics.length > MOST_METRICS || table.rows < FEWEST_ROWS) return none;
  const parts = metrics.map((metric) => {
    const profile = profileColumn(metric.name, table.columns.get(metric.name)!);
    return { metric, profile, values: scoreNumbers(table, metric.name), cost: isCost(profile) };
  });
  const good = parts.filter(({ metric, cost }) => metric.higherIsBetter === true && !cost);
  const bad = parts.filter(({ metric, cost }) => metric.higherIsBetter === false && !cost);
  if (good.length + bad.length === 0) return none;
  const assumptions: string[] = [];
  const doubted: { name: string; with: string; r: number }[] = [];
  const weighed = parts.map(({ metric, profile, values, cost }) => {
    if (cost || metric.higherIsBetter === true) return metric;
    const all = good
      .map((other) => ({ other, r: correlate(values, other.values) }))
      .filter(({ r }) => !Number.isNaN(r));
    const [strongest] = [...all].sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
    if (metric.higherIsBetter === false) {
      if (strongest === undefined || strongest.r < weakOf(table.rows) || !sameRange(profile, strongest.other.profile))
        return metric;
      doubted.push({ name: metric.name, with: strongest.other.metric.name, r: strongest.r });
      const { higherIsBetter: _, ...open } = metric;
      return open;
    }
    if (namedAsScore(profile) === 0) return metric;
    const found = lean(values, good, bad, weakOf(table.rows));
    if (found === undefined) return metric;
    assumptions.push(tell(metric.name, found));
    return { ...metric, higherIsBetter: found.more };
  });
  return { metrics: weighed, assumptions, diagnostics: doubted.length === 0 ? [] : [doubt(doubted)] };
}

interface Part {
  readonly metric: ImportedMetric;
  readonly values: Float64Array;
}

interface Lean {
  /** Whether more is better. */
  readonly more: boolean;
  readonly known: number;
  readonly other: string;
  /** Its correlation with the score as it stands. */
  readonly r: number;
  readonly bad: boolean;
}

/** The direction that at least two scores of known direction agree on; undefined where they are few, weak or at odds. */
function lean(values: Float64Array, good: readonly Part[], bad: readonly Part[], weak: number): Lean | undefined {
  const all = [...good, ...bad]
    .map((other) => ({ other, r: correlate(values, other.values), sign: good.includes(other) ? 1 : -1 }))
    .filter(({ r }) => !Number.isNaN(r));
  const [strongest] = [...all].sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
  if (strongest === undefined || all.length < 2) return undefined;
  const more = strongest.r * strongest.sign > 0;
  if (all.some(({ r, sign }) => r * sign > 0 !== more)) return undefined;
  if (all.reduce((sum, { r }) => sum + Math.abs(r), 0) / all.length < weak) return undefined;
  const { other, r, sign } = strongest;
  return { more, known: all.length, other: other.metric.name, r, bad: sign < 0 };
}

function tell(name: string, { more, known, other, r, bad }: Lean): string {
  const told = `(${other}: r = ${r.toFixed(2)})`;
  if (more && !bad)
    return `${name} rises with ${known} scores of which more is better ${told}, so more of it is taken as better.`;
  const what = more ? "more" : "less";
  return `${name} goes with ${known} scores whose names tell the direction ${told}, so ${what} of it is taken as better.`;
}

function doubt(list: readonly { name: string; with: string; r: number }[]): Diagnostic {
  const [first] = list as [{ name: string; with: string; r: number }];
  const others = list.length === 1 ? "" : ` (and ${list.length - 1} more)`;
  return {
    code: "DirectionInDoubt",
    severity: "warning",
    message: `${first.name}${others} sounds like faults but rises with ${first.with} (r = ${first.r.toFixed(2)}): perhaps a high value means that there are none. Which way is better is left open.`,
    fix: "Say it with `higherIsBetter` when you compare by it.",
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const sameRange = (a: Range, b: Range): boolean => a.min >= 0 && b.min >= 0 && a.max === b.max;

/** Pearson's, over rows that have both. */
function correlate(x: Float64Array, y: Float64Array): number {
  let [n, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    const [a, b] = [x[i]!, y[i]!];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    syy += b * b;
    sxy += a * b;
  }
  const spread = (sxx - (sx * sx) / n) * (syy - (sy * sy) / n);
  return n < FEWEST_ROWS || !(spread > 0) ? Number.NaN : (sxy - (sx * sy) / n) / Math.sqrt(spread);
}
