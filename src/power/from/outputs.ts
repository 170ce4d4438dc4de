/** Plans for a corpus score from the outputs of two systems: the swap model fitted to them, how well it holds, and the power of test sets
 *  of other sizes by the model and by drawing the real sentences again (swap-effects.ts). */

import type { ItemStatistics } from "../../metrics/metric.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import { type Display, NEXT } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { bleuFamily } from "../scenarios/bleu.ts";
import { type SimulateOptions, simulatePower } from "../simulate.ts";
import { callsOf, type NextQuestion, roundPlanned, type WithCommands } from "./next.ts";
import { fitSwapEffects, makeCorpusFamily, type SwapFit } from "./swap-effects.ts";

export interface OutputsOptions extends SimulateOptions {
  readonly systems: readonly [baseline: string, system: string];
  /** Sizes of test sets; default: that of the outputs. */
  readonly sizes?: readonly number[] | undefined;
  readonly alpha?: number | undefined;
}

export interface OutputsResult extends Result<"from-outputs">, Omit<SwapFit, "effects"> {
  readonly metric: string;
  readonly systems: readonly [string, string];
  readonly plans: readonly {
    readonly n: number;
    /** By the fitted law (NaN without one), and by drawing the sentences again. */
    readonly modelPower: number;
    readonly resampledPower: number;
    readonly se: number;
  }[];
  readonly replicates: number;
  /** What to ask next, for other differences; nothing where b0 is undefined. */
  readonly next: readonly NextQuestion[];
}

export type OutputsJson = JsonOf<OutputsResult> & WithCommands;

const REPLICATES = 500;
/** Correlation of net effects with sums of single ones below which the model should not be used. */
const ADDITIVE = 0.98;
/** Distance of distributions from which on the Laplace law is a poor picture of the effects. */
const FAR = 0.1;

const PLAN_FROM_OUTPUTS_OPTIONS = {
  systems: true,
  sizes: true,
  alpha: true,
  rng: true,
  replicates: true,
  precision: true,
  errorRate: true,
  credibility: true,
  runner: true,
  task: true,
  onProgress: true,
  signal: true,
} as const satisfies Record<keyof OutputsOptions, true>;

export async function planFromOutputs(
  first: ItemStatistics,
  second: ItemStatistics,
  options: OutputsOptions,
): Promise<OutputsResult> {
  refuseUnknownNames("planFromOutputs", options, PLAN_FROM_OUTPUTS_OPTIONS);
  const { systems, alpha = 0.05, sizes, replicates = REPLICATES, ...rest } = options;
  const { effects: _, ...fit } = fitSwapEffects(first, second, options.rng.stream(0));
  const { delta, p0, b0 } = fit;
  requireDifference(delta, systems);
  const hasModel = !Number.isNaN(b0);
  const family = makeCorpusFamily(first, second);
  const plans = [];
  for (const [k, n] of (sizes ?? [first.n]).entries()) {
    const modelPower = hasModel ? bleuFamily.make({ n, delta, p0, b0, alpha }).approximatePower!().power : Number.NaN;
    const drawn = await simulatePower(family, { n, alpha }, { ...rest, replicates, rng: options.rng.stream(k + 1) });
    plans.push({ n, modelPower, resampledPower: drawn.power, se: drawn.se });
  }
  const fields: FieldsOf<OutputsResult> = {
    signature: {
      method: "power/from-outputs",
      version: GOSSET_VERSION,
      options: { metric: first.metric.signature, alpha },
      data: "",
      seed: options.rng.seed,
    },
    diagnostics: judge(fit),
    ...fit,
    metric: first.metric.name,
    systems,
    plans,
    replicates,
    next: hasModel ? [nextQuestion(fit, sizes?.[0] ?? fit.n)] : [],
  };
  return makeResult("from-outputs", fields, displayOutputs);
}

const DIGITS = 3;

const nextQuestion = ({ delta, p0, b0 }: Omit<SwapFit, "effects">, n: number): NextQuestion => ({
  ask: "power",
  scenario: "bleu",
  parameters: {
    n,
    delta: roundPlanned(Math.abs(delta), DIGITS),
    p0: roundPlanned(p0, DIGITS),
    b0: roundPlanned(b0, DIGITS),
  },
});

function requireDifference(delta: number, systems: readonly [string, string]): void {
  if (delta !== 0) return;
  throw new StatError(
    "NoEffect",
    `${systems[0]} and ${systems[1]} have the same score: no difference, so none can be found.`,
    "plan for a difference that matters: the scenario bleu with `delta: 1`.",
  );
}

function judge({ additivity, distance, n, p0, b0 }: Omit<SwapFit, "effects">): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (Number.isNaN(b0)) {
    const changed = Math.round(n * (1 - p0));
    found.push(
      warning(
        "NoSpread",
        `${changed} of ${n} sentences ${changed === 1 ? "changes" : "change"} the score when swapped${changed === 1 ? "" : ", all by the same amount"}: that shows no spread, so b0 and the model's power are undefined.`,
        "give outputs that differ in more sentences, or take a b0 from elsewhere (25.8 in Card et al. 2020).",
      ),
    );
  }
  if (!(additivity.correlation > ADDITIVE)) {
    found.push(
      warning(
        "NotAdditive",
        `swapping many sentences does not do what swapping each does (correlation ${formatNumber(additivity.correlation)}).`,
        "trust the power of the sentences drawn again, not the model's.",
      ),
    );
  }
  if (distance > FAR) {
    found.push(
      warning(
        "NotLaplace",
        `the effects of swaps are not Laplace: their distributions are ${formatNumber(distance)} apart.`,
        "trust the power of the sentences drawn again, not the model's.",
      ),
    );
  }
  return found;
}

function displayOutputs(result: FieldsOf<OutputsResult>): Display {
  const { systems, delta, metric, n, p0, b0, distance, additivity, plans, replicates } = result;
  return {
    title: `Power parameters from two systems' outputs: ${metric}`,
    summary: [`${systems[1]} minus ${systems[0]}: ${formatNumber(delta)} on ${formatNumber(n, "integer")} sentences.`],
    tables: [
      {
        caption: "Effects of swapping single sentences",
        head: ["parameter", "value", "meaning"],
        formats: ["text", "number", "text"],
        rows: [
          ["p0", p0, "proportion of sentences whose swap changes nothing"],
          ["b0", b0, "n times the Laplace scale of the others"],
          [
            "additivity",
            additivity.correlation,
            "correlation of net effects with sums of single ones (1: they add up)",
          ],
          ["distance", distance, "between the effects' distribution and the fitted law (0: the same)"],
        ],
      },
      {
        caption: "If this is the true difference",
        head: ["sentences", "power, model", "power, drawn again", "± SE"],
        formats: ["integer", "number", "number", "number"],
        rows: plans.map((plan) => [plan.n, plan.modelPower, plan.resampledPower, plan.se]),
      },
    ],
    notes: [
      `Drawn again: ${formatNumber(replicates, "integer")} test sets of real sentences, each through the randomisation test.`,
      "These outputs showed this difference: plan the next comparison with it, do not judge this one by it.",
    ],
    ...(result.next.length === 0
      ? {}
      : { sections: [{ heading: NEXT, items: [{ text: "With other differences:", code: callsOf(result.next) }] }] }),
  };
}
