/** Ablation really run: a learner is fitted with all features, then predicts test rows from which some features were taken.
 *    zero       numbers set to 0 (text: to the commonest of the training rows, as it has no 0)
 *    permute    the features' values of the test rows shuffled together; mean score over shuffles
 *    leave-out  cells left empty; for the built-in learners, which take no gaps, the training rows' mean or commonest text
 *  Scores are those of ../ablation.ts: accuracy of classes, R² of numbers. A learner that does no more than apply a rule of the features loses its score.
 *  Reference: Riezler & Hagmann (2021), section 2.4.3 (ablation of the liver data); Breiman (2001), Mach. Learn. 45 (permutation).
 *  Oracle:    learners whose predictions are known (ablation.test.ts).
 *  Limits:    the learner is run again for every way, on the same training rows: one that is random changes by that, too. */

import { asFactor, type Column, column, selectRows, type Table, withColumn } from "../../data/table.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Ablation } from "../ablation.ts";
import { builtInLearner, type Learner, type LearnerName, type Predictions, type Target } from "./learner.ts";
import { prepareLearning } from "./rows.ts";
import { lossesOf } from "./score.ts";

export const ABLATION_WAYS = ["zero", "permute", "leave-out"] as const;
export type AblationWay = (typeof ABLATION_WAYS)[number];

export interface LearnedAblationOptions {
  readonly label: string;
  /** Those taken away at test time. */
  readonly ablate: readonly string[];
  readonly ways?: readonly AblationWay[] | undefined;
  /** All that the learner sees; default: all columns but the label. */
  readonly features?: readonly string[] | undefined;
  readonly learner?: LearnerName | ((target: Target) => Learner) | undefined;
  readonly learnerName?: string | undefined;
  /** Rows that the learner is tested on; default: a random fifth, which it is then not trained on. */
  readonly test?: Table | undefined;
  readonly rng?: Rng | undefined;
}

export interface LearnedAblations {
  readonly ablations: readonly Ablation[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Shuffles of the test rows; each is a run of the learner. */
const SHUFFLES = 5;
/** Share of the rows that are held out where no test rows are given. */
const HELD_OUT = 0.2;

export async function ablateLearner(table: Table, options: LearnedAblationOptions): Promise<LearnedAblations> {
  const { label, ablate, ways = ABLATION_WAYS, learner = "gam", rng = makeRng("ablation") } = options;
  if (ablate.length === 0) throw new StatError("NoFeatures", "no feature to ablate.", "name one in `ablate`.");
  const [train, test] = options.test === undefined ? holdOut(table, rng.stream(0)) : [table, options.test];
  const rows = prepareLearning(train, test, { label, features: options.features });
  const lost = ablate.find((name) => !rows.used.includes(name));
  if (lost !== undefined)
    throw new StatError("NotAFeature", `"${lost}" is to be ablated and is none of the features.`, "check the names.");
  const own = typeof learner === "function";
  const learn = own ? learner(rows.target) : builtInLearner(learner, rows.used, rows.target);
  const name = own ? (options.learnerName ?? "a learner of its own") : learner;
  const scoreOf = async (given: Table): Promise<number> => score(await learn(rows.train, given), rows.target);
  const before = await scoreOf(rows.test);
  const ablations: Ablation[] = [];
  for (const way of ways) {
    const draws = way === "permute" ? SHUFFLES : 1;
    let sum = 0;
    for (let k = 0; k < draws; k++) {
      const changed = takeAway(rows.test, rows.train, { way, names: ablate, own, rng: rng.stream(1 + k) });
      sum += await scoreOf(changed);
    }
    ablations.push({
      predictions: name,
      ablated: `${WORDS[way]}: ${ablate.join(", ")}`,
      metric: rows.target.kind === "numbers" ? "r2" : "accuracy",
      n: rows.test.rows,
      before,
      after: sum / draws,
      floor: rows.target.kind === "numbers" ? 0 : commonest(rows.target.test),
      way,
    });
  }
  return { ablations, diagnostics: rows.diagnostics };
}

const WORDS: Readonly<Record<AblationWay, string>> = {
  zero: "set to 0",
  permute: "permuted",
  "leave-out": "left out",
};

function holdOut(table: Table, rng: Rng): [Table, Table] {
  const order = Array.from({ length: table.rows }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const cut = Math.round(table.rows * HELD_OUT);
  const pick = (rows: readonly number[]): Table => selectRows(table, Int32Array.from([...rows].sort((a, b) => a - b)));
  return [pick(order.slice(cut)), pick(order.slice(0, cut))];
}

interface Taken {
  readonly way: AblationWay;
  readonly names: readonly string[];
  /** A learner that takes gaps. */
  readonly own: boolean;
  readonly rng: Rng;
}

function takeAway(test: Table, train: Table, { way, names, own, rng }: Taken): Table {
  const order = Array.from({ length: test.rows }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return names.reduce((table, name) => {
    const [cells, known] = [column(test, name), column(train, name)];
    const changed =
      way === "permute"
        ? shuffle(cells, order)
        : way === "zero"
          ? constant(cells, cells.kind === "numeric" ? 0 : commonestText(known))
          : own
            ? gaps(cells)
            : constant(cells, known.kind === "numeric" ? mean(known.values) : commonestText(known));
    return withColumn(table, name, changed);
  }, test);
}

function shuffle(cells: Column, order: readonly number[]): Column {
  if (cells.kind === "numeric") return { ...cells, values: Float64Array.from(order, (i) => cells.values[i]!) };
  return { ...cells, codes: Int32Array.from(order, (i) => cells.codes[i]!) };
}

function constant(cells: Column, value: number | string): Column {
  const rows = cells.kind === "numeric" ? cells.values.length : cells.codes.length;
  if (typeof value === "number") return { kind: "numeric", values: new Float64Array(rows).fill(value) };
  return { kind: "factor", codes: new Int32Array(rows), levels: [value], ordered: false };
}

const gaps = (cells: Column): Column =>
  cells.kind === "numeric"
    ? { ...cells, values: new Float64Array(cells.values.length).fill(Number.NaN) }
    : { ...cells, codes: new Int32Array(cells.codes.length).fill(-1) };

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;

function commonestText(cells: Column): string {
  const { codes, levels } = asFactor(cells);
  const counts = new Int32Array(levels.length);
  for (const code of codes) counts[code]! += 1;
  return levels[counts.indexOf(mostOf(counts))]!;
}

function commonest(codes: Int32Array): number {
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return mostOf(counts.values()) / codes.length;
}

function score(predictions: Predictions, target: Target): number {
  if (target.kind === "classes") return 1 - mean(lossesOf(predictions, target, "error"));
  const middle = mean(target.test);
  const all = target.test.reduce((sum, y) => sum + (y - middle) ** 2, 0);
  return 1 - lossesOf(predictions, target, "squared").reduce((sum, loss) => sum + loss, 0) / all;
}
