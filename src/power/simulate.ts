/** Power by simulation: draw experiments, run the planned test on each, count (Card et al. 2020, Fig. 2 and App. B).
 *
 *  Experiment i is drawn from rng.stream(i) alone and the tallies are added in the order of i, so that the figures are the same
 *  bits on one worker and on many, and after a crash and a resume. The work is cut into pieces of a few experiments, each one
 *  input of a `Runner`.
 *    power  p̂ = right/R,  SE √(p̂(1-p̂)/R)    Type-M  mean of |ê/e*| over significant results,  SE sd/√k    Type-S  wrong/k
 *  Where all experiments agree the SE of a share would be 0; the one of (right + 2)/(R + 4) is given instead.
 *  Reference: Card et al. (2020), EMNLP; Gelman & Carlin (2014), Perspect. Psychol. Sci. 9; Agresti & Coull (1998), Am. Stat. 52.
 *  Oracle:    the exact scenarios. */
import { makeRng, type Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { inlineRunner } from "../run/inline.ts";
import type { Runner, Task } from "../run/task.ts";
import type { ErrorRate } from "./error-rate.ts";
import { drawOutcomes } from "./guard.ts";
import { type AnalysisPower, type Credibility, makePowerResult, type PowerResult } from "./result.ts";
import {
  checkParameters,
  type Outcome,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "./scenario.ts";
import { binEffects, type DrawnEffects, MOST_DRAWN } from "./series.ts";
import { keepTallies } from "./tallies.ts";

/** Counts of one analysis; plain data. */
export interface Tally {
  readonly right: number;
  readonly wrong: number;
  readonly failed: number;
  /** Σ |ê/e*| and Σ |ê/e*|² over the significant results. */
  readonly sum: number;
  readonly squares: number;
  /** Of the first experiments, for pictures. */
  readonly drawn?: DrawnEffects;
}

/** The counts of a piece, one per analysis. */
export type PieceTally = readonly Tally[];

export interface Piece {
  readonly scenario: string;
  readonly params: ScenarioParameters;
  readonly seed: string;
  readonly from: number;
  readonly count: number;
}

export type ReplicateTask = Task<Piece, PieceTally>;

/** Experiments per piece: long enough to outweigh a message, short enough to resume from and to share out. */
const PIECE = 50;
const DEFAULT_REPLICATES = 10_000;
/** The first round towards a wanted precision. */
const FIRST_ROUND = 1000;
const MOST_REPLICATES = 10_000_000;

export interface SimulateOptions {
  readonly rng: Rng;
  /** Experiments to draw; default 10,000. */
  readonly replicates?: number | undefined;
  /** Instead: draw until the standard error of the power is at most this. */
  readonly precision?: number | undefined;
  /** Of the same experiments without an effect, as found before (solve/error-rate-simulate.ts); goes into the result. */
  readonly errorRate?: ErrorRate | undefined;
  /** Gives the share of significant results that would be true. */
  readonly credibility?: Credibility | undefined;
  readonly runner?: Runner | undefined;
  /** The task by which workers know the family; needed only where `runner` has threads. */
  readonly task?: ReplicateTask | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The task that draws the experiments of the given families; export it where workers are to find it. */
export function makeReplicateTask(families: readonly ScenarioFamily[], name = "power/replicates"): ReplicateTask {
  // the same scenario comes many times in a row, and its critical values can be costly
  let last: { readonly key: string; readonly scenario: Scenario } | undefined;
  const scenarioOf = ({ scenario: wanted, params }: Piece): Scenario => {
    const key = JSON.stringify([wanted, params]);
    if (last?.key !== key) {
      const family = families.find((f) => f.name === wanted);
      if (family === undefined) {
        throw new StatError("UnknownScenario", `there is no scenario "${wanted}".`, "export the task that knows it.");
      }
      last = { key, scenario: family.make(params) };
    }
    return last.scenario;
  };
  return {
    name,
    run(piece, _, mark) {
      checkPiece(piece);
      return drawPiece(scenarioOf(piece), makeRng(piece.seed), { ...piece, mark });
    },
    keeping: keepTallies((piece) => scenarioOf(piece).analyses.length),
  };
}

/** A piece may come from a queue that others write to; a count of 1e15 would hold a worker for good. */
function checkPiece(piece: unknown): void {
  const { scenario, params, seed, from, count } = (piece ?? {}) as Partial<Record<keyof Piece, unknown>>;
  const isWhole = (value: unknown, least: number, most: number): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  const isSound =
    typeof scenario === "string" &&
    typeof params === "object" &&
    params !== null &&
    typeof seed === "string" &&
    isWhole(from, 0, MOST_REPLICATES) &&
    isWhole(count, 1, PIECE);
  if (isSound) return;
  throw new StatError(
    "BadPiece",
    `this is not a piece of a simulation: ${JSON.stringify(piece)?.slice(0, 100)}.`,
    `a piece has a scenario, params, a seed, from, and a count of at most ${PIECE}.`,
  );
}

interface PieceRange {
  readonly from: number;
  readonly count: number;
  /** Told of each experiment before it is drawn. */
  readonly mark: ((step: number) => void) | undefined;
}

function drawPiece(scenario: Scenario, rng: Rng, { from, count, mark }: PieceRange): PieceTally {
  if (scenario.simulate === undefined) {
    throw new StatError("NoSimulation", `${scenario.name} cannot be simulated.`, "use its exact answer.");
  }
  refuseLarge(scenario);
  let tallies = scenario.analyses.map(() => EMPTY);
  const significant: number[] = [];
  const others: number[] = [];
  for (let i = from; i < from + count; i++) {
    mark?.(i);
    const outcomes = drawOutcomes(scenario, i, () => scenario.simulate!(rng.stream(i)));
    tallies = tallies.map((tally, k) => addOutcome(tally, outcomes[k]!, scenario.effect));
    const [first] = outcomes;
    if (!first!.failed && i < MOST_DRAWN) (first!.significant ? significant : others).push(first!.estimate);
  }
  return from < MOST_DRAWN
    ? tallies.map((own, k) => (k === 0 ? { ...own, drawn: { significant, others } } : own))
    : tallies;
}

/** Items of an experiment: some hundred megabytes, and seconds for each experiment. */
const MOST_ITEMS = 5_000_000;

function refuseLarge({ name, drawn = 0, exactPower, approximatePower }: Scenario): void {
  if (drawn <= MOST_ITEMS) return;
  const other = exactPower !== undefined ? "exact" : approximatePower !== undefined ? "approx" : undefined;
  throw new StatError(
    "TooLarge",
    `${name}: ${drawn} items are more than can be simulated.`,
    `at most ${MOST_ITEMS} are${other === undefined ? "." : `; use \`method: ${other}\`.`}`,
  );
}

const EMPTY: Tally = { right: 0, wrong: 0, failed: 0, sum: 0, squares: 0 };

function addOutcome(tally: Tally, { estimate, significant, failed }: Outcome, effect: number): Tally {
  if (failed) return { ...tally, failed: tally.failed + 1 };
  if (!significant) return tally;
  const ratio = estimate / effect;
  const right = ratio > 0;
  return {
    right: tally.right + (right ? 1 : 0),
    wrong: tally.wrong + (right ? 0 : 1),
    failed: tally.failed,
    sum: tally.sum + Math.abs(ratio),
    squares: tally.squares + ratio * ratio,
  };
}

export async function simulatePower(
  family: ScenarioFamily,
  given: ScenarioParameters,
  options: SimulateOptions,
): Promise<PowerResult> {
  const { rng, replicates, precision, runner = inlineRunner() } = options;
  if (precision !== undefined && !(precision > 0)) {
    throw new StatError("BadOption", `a precision of ${precision}.`, "give a standard error above 0, such as 0.005.");
  }
  if (replicates !== undefined && !(replicates <= MOST_REPLICATES)) {
    throw new StatError("BadOption", `${replicates} experiments.`, `ask for at most ${MOST_REPLICATES}.`);
  }
  const params = checkParameters(family, given);
  const scenario = family.make(params);
  const task = options.task ?? makeReplicateTask([family]);
  // of earlier rounds
  const known = new Map<number, PieceTally>();
  let wanted = replicates ?? (precision === undefined ? (family.replicates ?? DEFAULT_REPLICATES) : FIRST_ROUND);
  for (;;) {
    const pieces = await drawUpTo(wanted, { scenario, params, options, runner, task, known });
    const analyses = scenario.analyses.map((name, k) =>
      summarize(
        name,
        pieces.map((piece) => piece[k]!),
        wanted,
      ),
    );
    const more = precision === undefined ? wanted : replicatesFor(analyses[0]!, precision, wanted);
    if (more <= wanted) {
      const { errorRate } = options;
      return makePowerResult(scenario, {
        method: "simulation",
        params,
        analyses,
        replicates: wanted,
        seed: rng.seed,
        series: { effects: binEffects(pieces.flatMap(([first]) => first?.drawn ?? [])) },
        errorRate,
        credibility: options.credibility,
      });
    }
    wanted = more;
  }
}

interface Round {
  readonly scenario: Scenario;
  readonly params: ScenarioParameters;
  readonly options: SimulateOptions;
  readonly runner: Runner;
  readonly task: ReplicateTask;
  readonly known: Map<number, PieceTally>;
}

/** Pieces 0, 1, … up to `replicates` experiments; those known are not drawn again. A short last piece is never remembered. */
async function drawUpTo(replicates: number, round: Round): Promise<readonly PieceTally[]> {
  const { scenario, params, options, runner, task, known } = round;
  const inputs: Piece[] = [];
  for (let from = 0; from < replicates; from += PIECE) {
    inputs.push({
      scenario: scenario.name,
      params,
      seed: options.rng.seed,
      from,
      count: Math.min(PIECE, replicates - from),
    });
  }
  const whole = new Map([...known].filter(([i]) => inputs[i]?.count === PIECE));
  return runner.map(task, inputs, options.rng, {
    known: whole,
    onResult(i, tally) {
      if (inputs[i]!.count < PIECE) return;
      known.set(i, tally);
    },
    ...(options.onProgress === undefined ? {} : { onProgress: countExperiments(options.onProgress, replicates) }),
    signal: options.signal,
  });
}

const countExperiments =
  (tell: (done: number, total: number) => void, replicates: number) =>
  (done: number): void =>
    tell(Math.min(done * PIECE, replicates), replicates);

/** Experiments that the wanted standard error takes, judged by those drawn. */
function replicatesFor({ power }: AnalysisPower, precision: number, drawn: number): number {
  const share = (power * drawn + 2) / (drawn + 4);
  const needed = Math.ceil((share * (1 - share)) / (precision * precision));
  if (needed > MOST_REPLICATES) {
    throw new StatError(
      "TooPrecise",
      `a standard error of ${precision} takes ${needed} experiments.`,
      `ask for at least ${Math.sqrt((share * (1 - share)) / MOST_REPLICATES).toPrecision(2)}.`,
    );
  }
  return Math.ceil(needed / PIECE) * PIECE;
}

function summarize(name: string, tallies: readonly Tally[], replicates: number): AnalysisPower {
  const total = tallies.reduce(addTallies, EMPTY);
  const { right, wrong, sum, squares, failed } = total;
  const significant = right + wrong;
  const power = right / replicates;
  const typeM = sum / significant;
  const typeS = wrong / significant;
  const spread = Math.max(0, squares / significant - typeM * typeM);
  return {
    name,
    power,
    rejection: significant / replicates,
    typeM,
    typeS,
    se: shareSe(right, replicates),
    typeMSe: significant > 1 ? Math.sqrt(spread / (significant - 1)) : Number.NaN,
    typeSSe: significant > 0 ? shareSe(wrong, significant) : Number.NaN,
    failed,
  };
}

/** Standard error of the share count/of. */
function shareSe(count: number, of: number): number {
  const even = count === 0 || count === of;
  const share = even ? (count + 2) / (of + 4) : count / of;
  return Math.sqrt((share * (1 - share)) / (even ? of + 4 : of));
}

const addTallies = (a: Tally, b: Tally): Tally => ({
  right: a.right + b.right,
  wrong: a.wrong + b.wrong,
  failed: a.failed + b.failed,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
});
