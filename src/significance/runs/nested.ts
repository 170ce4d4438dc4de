/** Nested cross-validation: the expected loss of a learner trained on this data, or the difference of two, with an interval that is wide enough.
 *  Losses of cross-validation are correlated, so that sd/√n is too small; nested folds show by how much. For repetition r and fold k let
 *      e_out  losses of fold k by the model trained without fold k                       (ordinary cross-validation)
 *      e_in   losses of every other fold j by the model trained without folds j and k    (cross-validation within the rest)
 *      a = mean(e_in) - mean(e_out),   b = var(e_out)/|fold k|,   MSE = mean over r, k of (a² - b)
 *    estimate   Err_NCV - bias,  Err_NCV the mean of all e_in,  bias = (1 + (K - 2)/K)(Err_NCV - Err_CV): both train on fewer items than there are
 *    se         s · sd(e_in)/√n,   s = √MSE / (sd(e_in)/√(n(K - 1)/K)), at least 1 and at most √K
 *  Reference: Bates, Hastie & Tibshirani (2024), JASA 119(546), section 4; their package nestedcv (R), which has ((K - 2)/K)^1.5 in the bias.
 *  Oracle:    an implementation of its own in R, oracle/r/nested-cv.R — 1e-10. Coverage: docs/methods/cross-validation.md.
 *  Limits:    the losses come from the user: K(K - 1)/2 + K models a repetition; few repetitions leave MSE noisy. */

import { checkSize } from "../../data/size.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { meanOf, varianceOf } from "../samples.ts";
import { makeTest, type TestOptions, type TestResult } from "../test-result.ts";
import { normalInference } from "../tests/z-test.ts";

/** One loss: of an item of `fold`, by a model trained without `fold` and `left`; ordinary cross-validation where they are the same. */
export interface NestedLosses {
  /** Losses, or differences of two learners' losses on the same rows. */
  readonly losses: Float64Array;
  readonly fold: ArrayLike<number>;
  readonly left: ArrayLike<number>;
  /** Repetition with folds of its own; default: one. */
  readonly repeat?: ArrayLike<number> | undefined;
}

export interface NestedOptions extends TestOptions {
  /** Expected loss under the null hypothesis; without it a single learner's loss is not tested. */
  readonly mu?: number | undefined;
  /** Whether the losses are differences of two learners; `mu` is then 0 unless given. */
  readonly difference?: boolean | undefined;
}

export interface NestedTest extends TestResult {
  readonly estimate: number;
  /** Err_NCV and Err_CV, neither corrected. */
  readonly nested: number;
  readonly ordinary: number;
  readonly bias: number;
  /** As it was found, before it is bounded; it may be negative. */
  readonly mse: number;
  /** s: by how much the plain standard error is too small. */
  readonly inflation: number;
  readonly plainSe: number;
  readonly folds: number;
  readonly repetitions: number;
}

/** Fewer leave the inflation to chance. */
const FEW_REPETITIONS = 10;

export function nestedCvTest(input: NestedLosses, options: NestedOptions = {}): NestedTest {
  const { alternative = "two-sided", confidence = 0.95, difference = false } = options;
  const mu = options.mu ?? (difference ? 0 : undefined);
  const { folds: K, repetitions, items } = readFolds(input);
  const pivots = repetitions.flatMap(pivotsOf);
  const mse = meanOf(Float64Array.from(pivots, ({ a, b }) => a * a - b));
  const inner = Float64Array.from(repetitions.flatMap((own) => own.flatMap((fold) => fold.inner)));
  const outer = Float64Array.from(repetitions.flatMap((own) => own.flatMap((fold) => fold.outer)));
  const [nested, ordinary, sd] = [meanOf(inner), meanOf(outer), Math.sqrt(varianceOf(inner))];
  const bias = (1 + (K - 2) / K) * (nested - ordinary);
  const within = Math.floor((items * (K - 1)) / K);
  const inflation = Math.max(1, Math.min(Math.sqrt(K), Math.sqrt(Math.max(0, mse)) / (sd / Math.sqrt(within))));
  const plainSe = sd / Math.sqrt(items);
  const [estimate, se] = [nested - bias, sd > 0 ? inflation * plainSe : Number.NaN];
  const what = difference ? "difference in expected loss" : "expected loss";
  const inference = normalInference({ estimate, se, mu: mu ?? Number.NaN }, { alternative, confidence, of: what });
  return makeTest(
    {
      test: "nested",
      method: "Nested cross-validation (Bates, Hastie & Tibshirani)",
      hypothesis: mu === undefined ? "none: the interval is the answer" : `the ${what} is ${mu}`,
      ...inference,
      effect: { ...inference.effect, interval: "normal distribution, MSE of nested folds" },
      n: items,
      figures: {
        folds: K,
        repetitions: repetitions.length,
        "nested, uncorrected": nested,
        "ordinary cross-validation": ordinary,
        "SE without inflation": plainSe,
        inflation,
      },
      diagnostics: judge({ repetitions: repetitions.length, sd, mu }),
      options: { difference, mu },
      data: [input.losses, Float64Array.from(input.fold), Float64Array.from(input.left)],
    },
    { estimate, nested, ordinary, bias, mse, inflation, plainSe, folds: K, repetitions: repetitions.length },
  );
}

function judge({ repetitions, sd, mu }: { repetitions: number; sd: number; mu: number | undefined }): Diagnostic[] {
  if (!(sd > 0)) return [warning("NoSpread", "all losses are alike: there is no interval.", "check the losses.")];
  const few = "the inflation is estimated from few folds and changes from one run to the next.";
  return [
    ...(repetitions < FEW_REPETITIONS
      ? [
          warning(
            "FewRepetitions",
            `${repetitions === 1 ? "one repetition" : `${repetitions} repetitions`}: ${few}`,
            `repeat with other folds, ${FEW_REPETITIONS} times or more.`,
          ),
        ]
      : []),
    ...(mu === undefined
      ? [
          note(
            "NoHypothesis",
            "one learner's loss is estimated, not tested.",
            "give `mu`, or the losses of a second learner.",
          ),
        ]
      : []),
  ];
}

/** Losses of one fold: of its items, and of all others with this fold left out too. */
interface FoldLosses {
  readonly outer: readonly number[];
  readonly inner: readonly number[];
}

function pivotsOf(folds: readonly FoldLosses[]): { readonly a: number; readonly b: number }[] {
  return folds.map(({ outer, inner }) => {
    const [out, within] = [Float64Array.from(outer), Float64Array.from(inner)];
    return { a: meanOf(within) - meanOf(out), b: varianceOf(out) / out.length };
  });
}

interface FoldedLosses {
  readonly folds: number;
  readonly items: number;
  readonly repetitions: readonly (readonly FoldLosses[])[];
}

const wrong = (message: string, fix: string): StatError => new StatError("BadShape", message, fix);

function readFolds({ losses, fold, left, repeat }: NestedLosses): FoldedLosses {
  const n = losses.length;
  if (fold.length !== n || left.length !== n || (repeat !== undefined && repeat.length !== n))
    throw wrong("losses, folds and repetitions differ in length.", "give one of each a row.");
  const lost = losses.findIndex((loss, i) => !Number.isFinite(loss) || fold[i]! < 0 || left[i]! < 0);
  if (lost >= 0) throw wrong(`row ${lost + 1} lacks a loss or a fold.`, "give every row all of them.");
  checkSize(losses, "losses");
  const runs = new Map<number, Map<number, Map<number, number[]>>>();
  const at = <V>(map: Map<number, V>, key: number, make: () => V): V => {
    if (!map.has(key)) map.set(key, make());
    return map.get(key)!;
  };
  for (let i = 0; i < n; i++) {
    const run = at(runs, repeat?.[i] ?? 0, () => new Map<number, Map<number, number[]>>());
    const byFold = at(run, left[i]!, () => new Map<number, number[]>());
    at(byFold, fold[i]!, (): number[] => []).push(losses[i]!);
  }
  const found = [...runs.values()].map(readRun);
  const first = found[0];
  if (first === undefined) throw wrong("no losses.", "give losses of nested cross-validation.");
  const other = found.find(({ folds, items }) => folds !== first.folds || items !== first.items);
  if (other !== undefined)
    throw wrong(
      `repetitions of ${first.folds} folds and ${first.items} items, and of ${other.folds} and ${other.items}.`,
      "give every repetition the same items in as many folds.",
    );
  return { folds: first.folds, items: first.items, repetitions: found.map(({ losses: own }) => own) };
}

/** By fold left out, then by the fold of the items. */
function readRun(run: ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>): {
  readonly folds: number;
  readonly items: number;
  readonly losses: FoldLosses[];
} {
  const names = [...new Set([...run.keys(), ...[...run.values()].flatMap((own) => [...own.keys()])])].sort(
    (a, b) => a - b,
  );
  if (names.length < 3) throw wrong(`${names.length} folds.`, "nested cross-validation takes at least 3.");
  const size = new Map(names.map((k) => [k, run.get(k)?.get(k)?.length ?? 0]));
  const single = names.find((k) => size.get(k)! < 2);
  if (single !== undefined)
    throw wrong(
      size.get(single) === 0
        ? "a fold has no losses of the model trained without that fold alone."
        : "a fold of one item has no spread.",
      "give rows whose left-out fold is their own, two or more of each fold.",
    );
  const losses = names.map((k): FoldLosses => {
    const inner = names
      .filter((j) => j !== k)
      .flatMap((j) => {
        const own = run.get(k)?.get(j) ?? [];
        if (own.length === size.get(j)!) return own;
        throw wrong(
          `${own.length} losses of a fold of ${size.get(j)} items where another fold is left out too.`,
          "give, for every two folds, the losses of both by the model trained without them.",
        );
      });
    return { outer: run.get(k)!.get(k)!, inner };
  });
  return { folds: names.length, items: [...size.values()].reduce((a, b) => a + b, 0), losses };
}
