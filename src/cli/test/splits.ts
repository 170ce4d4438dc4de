/** `gosset test cv|5x2cv|nested|aso|clark|multi-bootstrap …`: systems compared over splits, seeds and runs. */
import { asFactor, column, StatError, type Table } from "../../index.ts";
import type { RunScores } from "../../resample.ts";
import {
  correctedResampledTest,
  fiveByTwoTest,
  multiBootstrapTest,
  nestedCvTest,
  runsPermutationTest,
  stochasticOrderTest,
} from "../../tests.ts";
import { codesOf, numbersOf, parseNumbers, type TestOptions } from "./data.ts";
import { type Answer, bad, choose, needsItem, type Request, resampling } from "./request.ts";

/** One difference a split: given as such, or of two systems' scores on the same splits. */
function differencesOf(request: Request): Float64Array {
  const { samples, name } = request;
  const [first] = samples.values;
  if (first === undefined)
    throw bad(`${name} needs differences.`, "Give --x with one difference a split, or --x and --y.");
  if (samples.table !== undefined && !samples.paired)
    throw bad("the splits of the two learners must be matched.", "Add --item <column of splits>.");
  if (samples.diagnostics?.some(({ code }) => code === "RepeatsAveraged"))
    throw bad(
      `${request.options.item} uses one name for several splits: fold 1 of one repeat is not fold 1 of another.`,
      'Name each split, as in --mutate "split = 1000 * repeat + fold" --item split.',
    );
  if (samples.values.length === 1) return first;
  const [x, y] = request.pair();
  if (x.length !== y.length) throw bad(`${x.length} splits against ${y.length}.`, "Give both systems the same splits.");
  return x.map((v, i) => v - y[i]!);
}

export function runCv(request: Request): Answer {
  const { options, common } = request;
  const size = (n: number | undefined, flag: string): number => {
    if (n === undefined) throw bad(`cv needs ${flag}.`, "Write --n-train 900 --n-test 100: the items of each split.");
    return n;
  };
  const [trainSize, testSize] = [size(options.nTrain, "--n-train"), size(options.nTest, "--n-test")];
  return correctedResampledTest(differencesOf(request), { ...common, trainSize, testSize });
}

/** Five repetitions of two folds: `a,b/c,d/…` on the command line, ten rows in a file. */
export function runFiveByTwo(request: Request): Answer {
  const { options, common, samples } = request;
  const method = choose(options.method, ["t", "f"], "--method");
  const rows = samples.table === undefined ? fiveRowsOfFlags(options) : inTwos(differencesOf(request));
  return fiveByTwoTest(rows, { ...common, method });
}

function fiveRowsOfFlags({ x, y }: TestOptions): number[][] {
  if (x === undefined) throw bad("5x2cv needs differences.", "Write --x .02,.01/.03,.02/.01,.04/.02,.02/.03,.01.");
  const rows = (text: string, flag: string): number[][] => text.split("/").map((row) => parseNumbers(row, flag));
  const first = rows(x, "--x");
  if (y === undefined) return first;
  const second = rows(y, "--y");
  if (first.length !== second.length || first.some((row, i) => row.length !== second[i]!.length))
    throw bad("--x and --y differ in their repetitions or folds.", "Give five pairs of scores each: a,b/c,d/….");
  return first.map((row, i) => row.map((v, j) => v - second[i]![j]!));
}

function inTwos(values: Float64Array): number[][] {
  if (values.length !== 10)
    throw bad(
      `${values.length} differences.`,
      "5x2cv takes ten rows: two folds of the first repetition, then of the second, ….",
    );
  return [0, 2, 4, 6, 8].map((at) => [values[at]!, values[at + 1]!]);
}

/** Losses of one learner (`--x`), or of two (`--x`, `--y`: their difference), a row each. */
export function runNested({ options, common, samples }: Request): Answer {
  const { table, names, values } = samples;
  const { fold, left, run } = options;
  if (table === undefined || options.score !== undefined)
    throw bad("nested reads a file with a row for each loss.", "Name its columns: --x loss --fold fold --left other.");
  if (fold === undefined || left === undefined)
    throw bad(`nested needs ${fold === undefined ? "--fold" : "--left"}.`, "Write --fold fold --left other.");
  const [x, y] = values;
  if (values.length > 2) throw bad(`nested compares two learners, not ${names.join(", ")}.`, "Give --x and --y.");
  values.forEach((own, i) => {
    if (own.length === 0) throw bad(`${names[i]} has no numbers.`, "Name a column of losses.");
  });
  const [folds, lefts] = sharedCodes(table, fold, left);
  const mu = options.mu;
  return nestedCvTest(
    {
      losses: y === undefined ? x! : x!.map((v, i) => v - y[i]!),
      fold: folds,
      left: lefts,
      repeat: run === undefined ? undefined : codesOf(column(table, run)),
    },
    { ...common, difference: y !== undefined, mu },
  );
}

/** Codes of two columns with the same names; a missing second one is the first's: nothing else was left out. */
function sharedCodes(table: Table, first: string, second: string): [Int32Array, Int32Array] {
  const [own, other] = [first, second].map((name) => asFactor(column(table, name)));
  const places = new Map(own!.levels.map((level, k) => [level, k]));
  for (const level of other!.levels) if (!places.has(level)) places.set(level, places.size);
  return [
    own!.codes,
    Int32Array.from(other!.codes, (code, i) => (code < 0 ? own!.codes[i]! : places.get(other!.levels[code]!)!)),
  ];
}

export function runAso(request: Request): Answer {
  const { options, common } = request;
  if (common.alternative !== "two-sided")
    throw bad(
      `--alternative ${common.alternative}: aso asks whether the first is larger.`,
      "Leave it out, or swap --x and --y.",
    );
  const { replicates, rng, onProgress } = resampling(request);
  const threshold = options.threshold;
  const [x, y] = request.pair();
  return stochasticOrderTest(x, y, {
    confidence: common.confidence,
    replicates,
    rng,
    onProgress,
    threshold,
  });
}

export function runClark(request: Request): Answer {
  const [a, b] = readRuns(request);
  const { clusters: _, ...drawing } = resampling(request);
  return runsPermutationTest(a, b, drawing);
}

export function runMultiBootstrap(request: Request): Answer {
  const { options } = request;
  const [a, b] = readRuns(request);
  const interval = choose(options.interval, ["percentile", "basic", "normal"], "--interval");
  const { clusters: _, ...drawing } = resampling(request);
  const pairedRuns = options.paired === true;
  if (pairedRuns && a.runs !== b.runs)
    throw bad(`--paired: ${a.runs} runs against ${b.runs}.`, "Paired seeds are the same seeds of both systems.");
  return multiBootstrapTest(a, b, { ...drawing, pairedRuns, interval });
}

/** Runs of two systems on the same items: `--x` and `--y` with one run a group (1,0,1/1,1,0), or a long file with `--run`. */
function readRuns({ name, options, samples }: Request): [RunScores, RunScores] {
  const { x, y, score, by, item, run } = options;
  if (samples.table !== undefined) {
    if (score === undefined || by === undefined)
      throw bad(`${name} reads long files.`, "Give --score, --by, --item and --run.");
    if (item === undefined) throw needsItem();
    if (run === undefined) throw bad(`${name} needs the runs.`, "Add --run <column of seeds or runs>.");
    return runsOfTable(samples.table, { score, by, item, run, names: samples.names });
  }
  if (x === undefined || y === undefined)
    throw bad(`${name} needs runs of two systems.`, "Write --x 1,0,1/1,1,1 --y 0,0,1/1,0,1, or a file with --run.");
  return [runsOfText(x, "--x"), runsOfText(y, "--y")];
}

function runsOfText(text: string, flag: string): RunScores {
  const runs = text.split("/").map((own) => parseNumbers(own, flag));
  const wrong = runs.find((own) => own.length !== runs[0]!.length);
  if (wrong !== undefined)
    throw bad(
      `${flag}: runs of ${runs[0]!.length} and of ${wrong.length} items.`,
      "Give every run a score on every item.",
    );
  return { runs: runs.length, scores: Float64Array.from(runs.flat()) };
}

interface RunColumns {
  readonly score: string;
  readonly by: string;
  readonly item: string;
  readonly run: string;
  readonly names: readonly string[];
}

/** Runs in the order of their names, so that the same seeds of both systems meet. */
function runsOfTable(table: Table, { score, by, item, run: runColumn, names }: RunColumns): [RunScores, RunScores] {
  if (names.length !== 2)
    throw bad(`two systems are compared, not ${names.join(", ")}.`, "Name two with --systems a,b.");
  const scores = numbersOf(table, score);
  const [systems, items, repeats] = [by, item, runColumn].map((name) => asFactor(column(table, name)));
  const found = names.map(() => new Map<number, Float64Array>());
  for (let i = 0; i < table.rows; i++) {
    const at = names.indexOf(systems!.levels[systems!.codes[i]!] ?? "");
    const [run, own] = [repeats!.codes[i]!, items!.codes[i]!];
    if (at < 0 || run < 0 || own < 0) continue;
    const row = found[at]!.get(run) ?? new Float64Array(items!.levels.length).fill(Number.NaN);
    found[at]!.set(run, row);
    if (!Number.isNaN(row[own]!))
      throw new StatError(
        "RepeatedCell",
        `run ${repeats!.levels[run]} of ${names[at]} has two scores on item ${items!.levels[own]}.`,
        "Check --item and --run.",
      );
    row[own] = scores[i]!;
  }
  const present = items!.levels.map((_, k) =>
    found.some((runs) => [...runs.values()].some((row) => !Number.isNaN(row[k]!))),
  );
  const kept = present.flatMap((here, k) => (here ? [k] : []));
  return found.map((runs, at) => {
    const codes = [...runs.keys()].sort((a, b) => a - b);
    for (const code of codes) {
      const lost = kept.find((k) => Number.isNaN(runs.get(code)![k]!));
      if (lost !== undefined)
        throw new StatError(
          "IncompleteRun",
          `run ${repeats!.levels[code]} of ${names[at]} has no score on item ${items!.levels[lost]}.`,
          "Give every run of both systems the same items, or leave incomplete items out with --where.",
        );
    }
    return {
      runs: codes.length,
      scores: Float64Array.from(codes.flatMap((code) => kept.map((k) => runs.get(code)![k]!))),
    };
  }) as [RunScores, RunScores];
}
