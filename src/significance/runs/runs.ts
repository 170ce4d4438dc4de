/** Several runs (seeds, optimiser restarts) of two systems on the same items: the permutation test that shuffles what the runs of both systems
 *  made of an item.   δ = mean(A) - mean(B);  under the null hypothesis the R_A + R_B outputs of an item may change places.
 *      items   within every item, independently, R_A of the outputs become A's: exact where scores take few values, else drawn
 *      runs    whole runs change systems: all C(R_A + R_B, R_A) ways, where they are few
 *  The first holds for these runs on new items: a run that is better on all items at once breaks the independence that it takes for granted.
 *  The second holds for new runs. Both p are given.
 *  Reference: Clark, Dyer, Lavie & Smith (2011), ACL; Riezler & Hagmann (2021), 4.2.2; Noreen (1989).
 *  Oracle:    enumeration of all shuffles; one run each is the sign-flip test of pairs.
 *  Limits:    mean scores; three runs a system cannot give p below 0.1 by whole runs. MultEval draws the outputs of B by the inverse of the
 *             shuffle of A, so that an output may count twice; here every output counts once. */

import { checkSize } from "../../data/size.ts";
import { lessCenter } from "../../numeric/center.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import { permuteTwoSample } from "../../resample/permutation-two-sample.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { leastOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import { meanOf } from "../samples.ts";
import { makeTest, type TestOptions, type TestResult } from "../test-result.ts";
import { pairedTTest } from "../tests/t-test.ts";

export interface RunsPermutationOptions extends TestOptions {
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface RunsPermutationTest extends TestResult {
  readonly estimate: number;
  /** Runs of A and of B. */
  readonly runs: readonly [number, number];
  /** Of whole runs that change systems. */
  readonly pRuns: number;
  readonly exact: boolean;
  readonly replicates: number;
  readonly monteCarloSe: number;
}

export function runsPermutationTest(
  a: RunScores,
  b: RunScores,
  options: RunsPermutationOptions = {},
): RunsPermutationTest {
  const { alternative = "two-sided", confidence = 0.95, replicates = 10000, rng = makeRng(1) } = options;
  if (!Number.isInteger(replicates) || replicates < 1)
    throw new StatError("BadOption", `${replicates} replicates.`, "give a whole number above 0.");
  const items = checkRuns(a, b);
  checkSize(a.scores, "the first system");
  checkSize(b.scores, "the second system");
  const [first, second] = centeredRuns(a, b);
  const means = [itemMeans(first, items), itemMeans(second, items)] as const;
  const estimate = meanOf(first.scores) - meanOf(second.scores);
  const drawing = { alternative, rng, replicates, onProgress: options.onProgress };
  const found = permuteTwoSample(first.scores, second.scores, {
    ...drawing,
    strata: [itemCodes(a, items), itemCodes(b, items)],
  });
  const { p } = found;
  const whole = permuteTwoSample(runMeans(first, items), runMeans(second, items), drawing);
  const t = pairedTTest(means[0], means[1], { alternative, confidence });
  const own = {
    estimate,
    runs: [a.runs, b.runs] as const,
    pRuns: whole.p,
    exact: found.method === "exact",
    replicates: found.replicates,
    monteCarloSe: found.monteCarloSe,
  };
  return makeTest(
    {
      test: "clark",
      method: "Permutation of outputs between systems and runs (Clark et al.)",
      hypothesis: "the outputs of both systems' runs on an item may change places",
      alternative,
      confidence,
      statistic: estimate,
      statisticName: "difference",
      p,
      effect: {
        name: "mean difference",
        value: estimate,
        se: t.effect.se,
        lower: t.ci.lower,
        upper: t.ci.upper,
        interval: "t distribution of the items' mean differences, these runs",
      },
      n: items,
      figures: {
        "runs of the first": a.runs,
        "runs of the second": b.runs,
        "p, whole runs permuted": whole.p,
        ...(own.exact ? {} : { replicates }),
      },
      diagnostics: runsDiagnostics(own, p, 1 - confidence),
      options: { replicates },
      data: [a.scores, b.scores],
      seed: rng.seed,
    },
    own,
  );
}

function checkRuns(a: RunScores, b: RunScores): number {
  const [items, other] = [a.scores.length / a.runs, b.scores.length / b.runs];
  if (!Number.isInteger(items) || items !== other || items < 1)
    throw new StatError(
      "UnpairedLengths",
      `${a.runs} runs of ${items} items against ${b.runs} of ${other}.`,
      "give every run of both systems the same items.",
    );
  for (const { scores } of [a, b]) {
    const wrong = scores.findIndex((v) => !Number.isFinite(v));
    if (wrong >= 0)
      throw new StatError(
        "NotFinite",
        `run ${Math.floor(wrong / items) + 1} has the score ${scores[wrong]} on item ${(wrong % items) + 1}.`,
        "give every run a score on every item.",
      );
  }
  return items;
}

function centeredRuns(a: RunScores, b: RunScores): [RunScores, RunScores] {
  const [own, other] = lessCenter(a.scores, b.scores) as [Float64Array, Float64Array];
  return [
    { runs: a.runs, scores: own },
    { runs: b.runs, scores: other },
  ];
}

const itemMeans = ({ runs, scores }: RunScores, items: number): Float64Array =>
  Float64Array.from({ length: items }, (_, k) => {
    let sum = 0;
    for (let s = 0; s < runs; s++) sum += scores[s * items + k]!;
    return sum / runs;
  });

const itemCodes = ({ scores }: RunScores, items: number): Int32Array => Int32Array.from(scores, (_, i) => i % items);

const runMeans = ({ runs, scores }: RunScores, items: number): Float64Array =>
  Float64Array.from(
    { length: runs },
    (_, s) => scores.subarray(s * items, (s + 1) * items).reduce((sum, v) => sum + v, 0) / items,
  );

/** Fewer whole runs than this say little about new ones. */
const FEW_RUNS = 5;

function runsDiagnostics(
  { pRuns, runs }: RunsPermutationTest | Pick<RunsPermutationTest, "pRuns" | "runs">,
  p: number,
  alpha: number,
): Diagnostic[] {
  const few = leastOf(runs);
  if (p < alpha && pRuns >= alpha && few > 1) {
    const message = `the difference holds for these runs on new items (${formatP(p)}), not for new runs (whole runs permuted: ${formatP(pRuns)}).`;
    return [
      warning(
        "NotForNewRuns",
        message,
        few < FEW_RUNS ? "train more runs, at least five a system." : "claim it for these runs only, or train more.",
      ),
    ];
  }
  if (few < FEW_RUNS) {
    const message = `${few} run${few === 1 ? "" : "s"} of a system say${few === 1 ? "s" : ""} little about new runs; p is about these runs on new items.`;
    return [note("FewRuns", message, `train at least ${formatNumber(FEW_RUNS)}.`)];
  }
  return [];
}
