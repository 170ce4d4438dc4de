/** What a policy would do, before anyone trusts it: the whole gate run on data sets drawn from pilot logs, with no change, with every task at
 *  its margin, at twice its margin, and with one task alone there.
 *    no change     both sides of an item (or of a cluster) are dealt again from its scores of both, so that the truth is 0 whatever the pilot shows
 *    a loss of δ   0/1: each right answer of the candidate turns wrong with probability δ/p; other scores: δ is taken away
 *    n items       items, or whole clusters, drawn with replacement; rows without a score stay without one
 *  The decision is that of the gate itself (gate.ts, judge.ts); how many items are needed: needed.ts.
 *  Oracle:    simulated runs of `gate` from a known law; docs/methods/gate.md.
 *  Limits:    the pilot stands for what is to come; tasks are drawn independently. */

import { makeRng, type Rng } from "../../numeric/rng.ts";
import { GATE } from "../../question/gate.ts";
import { refuseUnknown } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { listNames } from "../../result/quote.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { displayCheck } from "./check-display.ts";
import { type GateFiles, gatherEvidence } from "./evidence.ts";
import { columnsOf, type GateOptions, judgePrepared, type Prepared, prepareTask, tellHeldFacets } from "./gate.ts";
import { joinOutcomes } from "./judge.ts";
import { findNeeded, type GateNeed } from "./needed.ts";
import { drawTask, LEVELS, makePilot, type Pilot, type PilotTask } from "./pilot.ts";
import type { Tier } from "./policy.ts";

export interface GateCheckOptions extends Omit<GateOptions, "inconclusive"> {
  readonly replicates?: number | undefined;
  /** Items of each task; default: as many as the pilot has. */
  readonly items?: number | undefined;
  /** Runs of each item and side; default: as in the pilot. */
  readonly repeats?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface GateScenario {
  /** "no change", "all at the margin", "all at twice the margin", or one task alone. */
  readonly scenario: string;
  /** The task that loses, where it is one alone. */
  readonly task?: string;
  /** How many margins are lost, and the true difference where all margins are the same (NaN otherwise). */
  readonly margins: number;
  readonly difference: number;
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  /** Of the least certain of the three. */
  readonly se: number;
}

export interface CheckedTask {
  readonly task: string;
  readonly tier: Tier;
  readonly n: number;
  readonly margin: number;
  /** The task for itself, without correction over others: the chance that it passes unchanged, and fails at twice the margin. */
  readonly passes: number;
  readonly fails: number;
}

export interface GateCheckResult extends Result<"gate-check"> {
  readonly alpha: number;
  readonly power: number;
  readonly replicates: number;
  readonly scenarios: readonly GateScenario[];
  readonly tasks: readonly CheckedTask[];
  readonly needed: readonly GateNeed[];
}

export type GateCheckJson = JsonOf<GateCheckResult>;

const REPLICATES = 1000;

export function checkGate(files: GateFiles, options: GateCheckOptions): GateCheckResult {
  refuseUnknown(GATE, options);
  const { policy, replicates = REPLICATES, rng = makeRng("1"), items, repeats, onProgress } = options;
  const { replicates: _r, items: _i, repeats: _k, rng: _g, onProgress: _p, ...rest } = options;
  const evidence = gatherEvidence(files, { ...columnsOf(rest), by: policy.by, unscored: policy.unscored });
  if (!(Number.isInteger(replicates) && replicates >= 10))
    throw new StatError(
      "BadOption",
      `replicates ${replicates} is not a whole number from 10.`,
      "Give for example 1000.",
    );
  for (const [name, value] of Object.entries({ items, repeats }))
    if (value !== undefined && !(Number.isInteger(value) && value >= (name === "items" ? 2 : 1)))
      throw new StatError("BadOption", `${name} ${value} is not a whole number.`, "Give a number of them.");
  const pilot = makePilot(evidence, policy);
  const sizes = pilot.tasks.map(({ own }) => items ?? own.items);
  refuseImpossible(pilot, sizes);
  const counts = runScenarios(pilot, { sizes, repeats, replicates, rng, onProgress });
  const fields = {
    alpha: policy.alpha,
    power: policy.power,
    replicates,
    scenarios: tellScenarios(pilot, counts, replicates),
    tasks: pilot.tasks.map(({ own, rule, loss }, k) => ({
      task: own.task,
      tier: rule.tier,
      n: sizes[k]!,
      margin: loss,
      passes: counts.alone[k]!.passes / replicates,
      fails: counts.alone[k]!.fails / replicates,
    })),
    needed: findNeeded(pilot, { repeats, rng: rng.stream(1), onProgress }),
    signature: {
      method: "gate-check",
      version: GOSSET_VERSION,
      options: { policy, replicates, items, repeats },
      data: evidence.data,
      seed: rng.seed,
    },
    diagnostics: [...evidence.diagnostics, ...tellHeldFacets(evidence), ...tellPilot(pilot)],
  };
  return makeResult("gate-check", fields, displayCheck);
}

interface Simulation {
  readonly sizes: readonly number[];
  readonly repeats: number | undefined;
  readonly replicates: number;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

interface Counts {
  /** pass, fail, inconclusive of all tasks at 0, 1 and 2 margins. */
  readonly together: readonly [number, number, number][];
  /** The same with one task alone at 1 and 2 margins. */
  readonly single: readonly (readonly [number, number, number][])[];
  readonly alone: readonly { passes: number; fails: number }[];
}

const OUTCOMES = ["pass", "fail", "inconclusive"] as const;

function runScenarios(pilot: Pilot, { sizes, repeats, replicates, rng, onProgress }: Simulation): Counts {
  const { tasks, policy, sign } = pilot;
  const none = (): [number, number, number] => [0, 0, 0];
  const together = LEVELS.map(none);
  const single = tasks.map(() => [none(), none()]);
  const alone = tasks.map(() => ({ passes: 0, fails: 0 }));
  const count = (into: [number, number, number], prepared: readonly Prepared[]): void => {
    const outcomes = judgePrepared(prepared, policy).map((own, k) => ({ ...own, tier: prepared[k]!.tier }));
    into[OUTCOMES.indexOf(joinOutcomes(outcomes).outcome)]! += 1;
  };
  for (let draw = 0; draw < replicates; draw++) {
    const stream = rng.stream(draw);
    const levels = tasks.map((task, k) =>
      drawTask(task, stream.stream(k), { size: sizes[k]!, repeats, sign }).map((own) =>
        prepareTask(own, task.rule, pilot),
      ),
    );
    for (const level of LEVELS)
      count(
        together[level]!,
        levels.map((own) => own[level]!),
      );
    tasks.forEach((_, k) => {
      for (const level of [1, 2])
        count(
          single[k]![level - 1]!,
          levels.map((own, j) => own[j === k ? level : 0]!),
        );
      if (judgePrepared([levels[k]![0]!], policy)[0]!.outcome === "pass") alone[k]!.passes += 1;
      if (judgePrepared([levels[k]![2]!], policy)[0]!.outcome === "fail") alone[k]!.fails += 1;
    });
    onProgress?.(draw + 1, replicates);
  }
  return { together, single, alone };
}

const NAMES = ["no change", "all at the margin", "all at twice the margin"] as const;

function tellScenarios({ tasks, sign }: Pilot, { together, single }: Counts, replicates: number): GateScenario[] {
  const rates = (counts: readonly number[]) => {
    const [pass, fail, inconclusive] = counts.map((own) => own / replicates);
    const se = mostOf([pass!, fail!, inconclusive!].map((p) => Math.sqrt((p * (1 - p)) / replicates)));
    return { pass: pass!, fail: fail!, inconclusive: inconclusive!, se };
  };
  const losses = new Set(tasks.map(({ loss }) => loss));
  const common = losses.size === 1 ? [...losses][0]! : Number.NaN;
  const suite = together.map((counts, level) => ({
    scenario: NAMES[level]!,
    margins: level,
    difference: level === 0 ? 0 : -sign * level * common,
    ...rates(counts),
  }));
  const apart =
    tasks.length === 1
      ? []
      : tasks.flatMap(({ own, loss }, k) =>
          single[k]!.map((counts, at) => ({
            scenario: `${own.task} alone at ${at === 0 ? "the margin" : "twice the margin"}`,
            task: own.task,
            margins: at + 1,
            difference: -sign * (at + 1) * loss,
            ...rates(counts),
          })),
        );
  return [...suite, ...apart];
}

/** A gate that no record can pass, or none can fail, is no gate. */
function refuseImpossible(pilot: Pilot, sizes: readonly number[]): void {
  const { tasks, policy, evidence, sign } = pilot;
  const [low, high] = evidence.range;
  const [best, worst] = sign > 0 ? [high, low] : [low, high];
  const extreme = (task: PilotTask, k: number, [baseline, candidate]: readonly [number, number]): Prepared => {
    const n = sizes[k]!;
    const offsets = Int32Array.from({ length: 2 * n + 1 }, (_, i) => i);
    const scores = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? baseline : candidate));
    const codes =
      task.clusters &&
      Int32Array.from({ length: n }, (_, i) => Math.floor((i * task.clusters!.length) / task.own.items));
    const own = {
      task: task.own.task,
      items: n,
      offsets,
      scores,
      runs: new Int32Array(2 * n),
      ...(codes ? { clusters: codes } : {}),
    };
    return prepareTask(own, task.rule, pilot);
  };
  const passing = judgePrepared(
    tasks.map((task, k) => extreme(task, k, [worst, best])),
    policy,
  );
  const never = tasks
    .filter(({ rule }, k) => rule.tier === "critical" && passing[k]!.outcome !== "pass")
    .map(({ own }) => own.task);
  if (never.length > 0)
    throw new StatError(
      "NeverPasses",
      `no record could ever pass: on ${listNames(never)} not even a candidate that is right throughout shows enough (${listNames([...new Set(passing.flatMap(({ reason }) => reason ?? []))])}).`,
      "Ask for more items, a wider margin, or fewer items in the policy.",
    );
  const failing = judgePrepared(
    tasks.map((task, k) => extreme(task, k, [best, worst])),
    policy,
  );
  if (!tasks.some(({ rule }, k) => rule.tier !== "advisory" && failing[k]!.outcome === "fail"))
    throw new StatError(
      "NeverFails",
      "no record could ever fail: not even a candidate that is wrong throughout shows a loss.",
      "Ask for more items.",
    );
}

function tellPilot({ tasks }: Pilot): Diagnostic[] {
  const capped = tasks.filter(({ binary, flip }) => binary && flip >= 0.5).map(({ own }) => own.task);
  const below = tasks
    .filter(({ rule, loss }) => rule.allowance.kind === "floor" && loss === 0)
    .map(({ own }) => own.task);
  return [
    ...(capped.length === 0
      ? []
      : [
          warning(
            "LargeMargin",
            `the margin of ${listNames(capped)} is half of the score or more: twice that is all there is to lose.`,
            "Give a smaller margin.",
          ),
        ]),
    ...(below.length === 0
      ? []
      : [
          warning(
            "BelowFloor",
            `the pilot itself does not reach the score that ${listNames(below)} must reach: an unchanged candidate would not pass.`,
            "Lower no-worse-than, or improve the baseline first.",
          ),
        ]),
  ];
}
