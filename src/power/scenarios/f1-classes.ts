/** Macro or micro F1, MCC or accuracy of two classifiers with any number of classes, compared by the randomisation test.
 *  The law is the joint table of (right label, baseline's answer, new system's answer): an experiment draws n items from it, the test swaps the systems'
 *  answers item by item, and items that change the score alike are counted, not drawn (resample/permutation-scores.ts).
 *    macro-f1   mean over the classes that occur (metrics/f1.ts); micro-f1 over all classes but those left out; mcc Gorodkin's R_K
 *  Reference: Card et al. (2020), EMNLP, App. F; Yeh (2000), COLING; Gorodkin (2004), Comput. Biol. Chem. 28.
 *  Oracle:    confusionFigures for the true scores; two classes against f1.ts and accuracy against McNemar's exact power (f1-classes.test.ts).
 *    gain       disagreements lean: of cells (r, x, y) and (r, y, x) with shares p, q the first gets (p + q)/2 + λ(p - q)/2, so that λ = 1 is the table as it
 *               is given, 0 has no difference at the same agreement, and λ is as large as no share below 0 allows at most
 *  Limits:    no closed form. */

import { confusionFigures } from "../../metrics/confusion.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { Rng } from "../../numeric/rng.ts";
import { decidePairedScores } from "../../resample/permutation-scores.ts";
import { StatError } from "../../result/error.ts";
import { leastOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Outcome } from "../scenario.ts";

export const CLASS_METRICS = ["macro-f1", "micro-f1", "mcc", "accuracy"] as const;
export type ClassMetric = (typeof CLASS_METRICS)[number];

/** One kind of item: right label, answers, and how often it occurs. */
export interface Cell {
  readonly right: number;
  readonly baseline: number;
  readonly system: number;
  readonly share: number;
}

export interface CellLaw {
  readonly classes: readonly string[];
  readonly cells: readonly Cell[];
}

/** "pos>pos>neg:12; neg>neg>neg:30": right label > baseline's > new system's : count or share. */
export function parseCells(text: string): CellLaw {
  const rows = text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.lastIndexOf(":");
      const labels = part
        .slice(0, at)
        .split(">")
        .map((label) => label.trim());
      const share = part.slice(at + 1).trim() === "" ? Number.NaN : Number(part.slice(at + 1));
      if (
        at > 0 &&
        labels.length === 3 &&
        labels.every((label) => label !== "") &&
        share >= 0 &&
        share < Number.POSITIVE_INFINITY
      ) {
        return { labels, share };
      }
      throw new StatError(
        "BadParameter",
        `cells: "${part}" is none.`,
        'write "right>baseline>new:count; …", such as "pos>pos>neg:12; neg>neg>neg:30".',
      );
    });
  const classes = [...new Set(rows.flatMap(({ labels }) => labels))].sort();
  const total = rows.reduce((sum, { share }) => sum + share, 0);
  if (classes.length < 2 || total === 0) {
    throw new StatError(
      "BadParameter",
      `cells with ${classes.length} labels and a total of ${total}.`,
      "give at least two labels that occur.",
    );
  }
  const code = (label: string): number => classes.indexOf(label);
  const cells = rows.map(({ labels, share }) => ({
    right: code(labels[0]!),
    baseline: code(labels[1]!),
    system: code(labels[2]!),
    share: share / total,
  }));
  return { classes, cells };
}

/** The text that `parseCells` reads, from labels of the same items. */
export function cellsOf(right: readonly string[], baseline: readonly string[], system: readonly string[]): string {
  const counts = new Map<string, number>();
  right.forEach((label, i) => {
    const key = [label, baseline[i]!, system[i]!].map((own) => own.replace(/[>;:]/g, "_")).join(">");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return [...counts].map(([key, count]) => `${key}:${count}`).join("; ");
}

/** Hits, predicted, true by class. */
const scorer = (metric: ClassMetric, classes: number): ((s: Float64Array) => number) => {
  const [hits, given, right] = [0, classes, 2 * classes];
  const sum = (s: Float64Array, from: number): number => {
    let total = 0;
    for (let k = 0; k < classes; k++) total += s[from + k]!;
    return total;
  };
  if (metric === "macro-f1") {
    return (s) => {
      let [total, occurring] = [0, 0];
      for (let k = 0; k < classes; k++) {
        const of = s[given + k]! + s[right + k]!;
        if (of === 0) continue;
        occurring++;
        total += (2 * s[hits + k]!) / of;
      }
      return total / occurring;
    };
  }
  if (metric !== "mcc") return (s) => sum(s, hits) / sum(s, right);
  return (s) => {
    const n = sum(s, right);
    let [cross, t2, p2] = [0, 0, 0];
    for (let k = 0; k < classes; k++) {
      cross += s[given + k]! * s[right + k]!;
      t2 += s[right + k]! ** 2;
      p2 += s[given + k]! ** 2;
    }
    const spread = (n * n - t2) * (n * n - p2);
    return spread > 0 ? (sum(s, hits) * n - cross) / Math.sqrt(spread) : Number.NaN;
  };
};

/** True score of either system. */
export function trueScores(
  { classes, cells }: CellLaw,
  metric: ClassMetric,
): readonly [baseline: number, system: number] {
  const of = (whose: "baseline" | "system"): number => {
    const table = classes.map(() => classes.map(() => 0));
    for (const cell of cells) table[cell.right]![cell[whose]]! += cell.share;
    const figures = confusionFigures(table);
    if (metric === "macro-f1") return figures.macroF1Occurring;
    return metric === "mcc" ? figures.mcc : figures.accuracy;
  };
  return [of("baseline"), of("system")];
}

/** What both systems answer alike, and each disagreement with its mirror. */
function leaned({ classes, cells }: CellLaw, lambda: number): CellLaw {
  const shares = new Map<string, number>();
  const key = (right: number, a: number, b: number): string => `${right} ${a} ${b}`;
  for (const { right, baseline, system, share } of cells) {
    const own = key(right, baseline, system);
    shares.set(own, (shares.get(own) ?? 0) + share);
    if (!shares.has(key(right, system, baseline))) shares.set(key(right, system, baseline), 0);
  }
  const out = [...shares].map(([name, p]) => {
    const [right, baseline, system] = name.split(" ").map(Number) as [number, number, number];
    const q = shares.get(key(right, system, baseline))!;
    return { right, baseline, system, share: Math.max(0, (p + q) / 2 + (lambda * (p - q)) / 2) };
  });
  return { classes, cells: out };
}

/** λ up to which no share falls below 0; 0 where nothing leans. */
function mostLean({ classes, cells }: CellLaw): number {
  const even = new Map(leaned({ classes, cells }, 0).cells.map((cell) => [keyOf(cell), cell.share]));
  const given = leaned({ classes, cells }, 1).cells;
  const limits = given.map((cell) => {
    const middle = even.get(keyOf(cell))!;
    return cell.share < middle ? middle / (middle - cell.share) : Number.POSITIVE_INFINITY;
  });
  const most = leastOf(limits);
  return Number.isFinite(most) ? most : 0;
}

const keyOf = ({ right, baseline, system }: Cell): string => `${right} ${baseline} ${system}`;

function gainOf(law: CellLaw, metric: ClassMetric): number {
  const [baseline, system] = trueScores(law, metric);
  return system - baseline;
}

/** The largest difference at this agreement; 0 where no answers lean. */
export function largestGain(law: CellLaw, metric: ClassMetric): number {
  return Math.abs(gainOf(leaned(law, mostLean(law)), metric));
}

/** The table leaned until the metric differs by `gain`. */
export function leanTo(law: CellLaw, metric: ClassMetric, gain: number): CellLaw {
  const most = mostLean(law);
  const [largest, end] = [largestGain(law, metric), gainOf(leaned(law, most), metric)];
  if (!(Math.abs(gain) <= largest * (1 + 1e-9))) {
    throw new StatError(
      "Impossible",
      `gain = ${gain}: disagreements that all lean to one system differ by ${formatNumber(largest)} in ${metric}.`,
      `give a gain between -${formatNumber(largest)} and ${formatNumber(largest)}.`,
    );
  }
  const far = Math.sign(gain) === Math.sign(end) ? most : -most;
  if (Math.abs(gain) >= largest) return leaned(law, far);
  const [from, to] = far < 0 ? [far, 0] : [0, far];
  return leaned(law, findRoot((lambda) => gainOf(leaned(law, lambda), metric) - gain, from, to).root);
}

export interface CellTest {
  readonly n: number;
  readonly metric: ClassMetric;
  readonly alpha: number;
  readonly twoSided: boolean;
  readonly effect: number;
}

export function testCells(
  { classes, cells }: CellLaw,
  { n, metric, alpha, twoSided, effect }: CellTest,
  rng: Rng,
): Outcome {
  const K = classes.length;
  const width = 3 * K;
  const counts = new Int32Array(cells.length);
  rng.multinomialInto(
    counts,
    n,
    Float64Array.from(cells, ({ share }) => share),
  );
  const apart = cells.reduce((sum, cell, c) => sum + (cell.baseline === cell.system ? 0 : counts[c]!), 0);
  const ours = new Float64Array(width * (1 + apart));
  const theirs = new Float64Array(width * (1 + apart));
  const add = (
    target: Float64Array,
    at: number,
    { right, answer, times }: { right: number; answer: number; times: number },
  ): void => {
    if (answer === right) target[at + right]! += times;
    target[at + K + answer]! += times;
    target[at + 2 * K + right]! += times;
  };
  let at = width;
  cells.forEach(({ right, baseline, system }, c) => {
    if (baseline === system) {
      add(ours, 0, { right, answer: system, times: counts[c]! });
      add(theirs, 0, { right, answer: baseline, times: counts[c]! });
      return;
    }
    for (let k = 0; k < counts[c]!; k++, at += width) {
      add(ours, at, { right, answer: system, times: 1 });
      add(theirs, at, { right, answer: baseline, times: 1 });
    }
  });
  const alternative = twoSided ? "two-sided" : effect > 0 ? "greater" : "less";
  const { statistic, significant } = decidePairedScores(
    { a: ours, b: theirs, width, scoreOf: scorer(metric, K) },
    { alpha, alternative, rng: rng.stream(0) },
  );
  return { estimate: statistic, significant, failed: Number.isNaN(statistic) };
}
