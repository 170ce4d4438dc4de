/** `gosset validity circularity <data> --label target` */
import { availableParallelism } from "node:os";
import {
  asFactor,
  type CircularityFamily,
  type CircularityOptions,
  column,
  type GamMethod,
  inlineRunner,
  type Runner,
  type SplineBasis,
  StatError,
  type Table,
  testCircularity,
  withColumn,
} from "../../index.ts";
import { threadRunner } from "../../run/threads.ts";
import { type Loaded, loadTable } from "../load.ts";
import { type GlobalOptions, parseCount, parseLevelLists, parseProbability, type ReadOptions } from "../options.ts";
import { printResult } from "../output.ts";
import { makeProgress, type Progress } from "../progress.ts";
import { splitNames } from "../rating-data.ts";

export interface RowOptions extends GlobalOptions, ReadOptions {
  readonly where: readonly string[];
  readonly mutate: readonly string[];
  readonly ordered: readonly string[];
  readonly confidence: string;
}

interface CircularityCommandOptions extends RowOptions {
  readonly label?: string;
  readonly predictions: readonly string[];
  readonly features: readonly string[];
  readonly exclude: readonly string[];
  readonly candidates: string;
  readonly family?: CircularityFamily;
  readonly k: string;
  readonly knots: readonly string[];
  readonly method: GamMethod;
  readonly basis?: SplineBasis;
  readonly closeness: string;
}

export async function circularityCommand(data: string, options: CircularityCommandOptions): Promise<void> {
  const given = libraryOptions(options);
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadRows(data, options, progress);
  const runner = makeRunner(options, table);
  try {
    const result = await testCircularity(table, {
      ...given,
      runner,
      onProgress: (stage, done, total) => progress.update(stage, done, total),
    });
    progress.end();
    printResult(result, options, { reading: diagnostics });
  } finally {
    progress.end();
    await runner.close();
  }
}

/** Checked before the file is read. */
function libraryOptions(options: CircularityCommandOptions): CircularityOptions {
  const predictions = splitNames(options.predictions, "--predictions");
  if (options.label === undefined && predictions.length === 0) {
    throw new StatError("BadOption", "no label is named.", "Write --label column, or --predictions column.");
  }
  const features = splitNames(options.features, "--features");
  return {
    ...(options.label === undefined ? {} : { label: options.label }),
    predictions,
    ...(features.length === 0 ? {} : { features }),
    exclude: splitNames(options.exclude, "--exclude"),
    candidates: parseCount(options.candidates, "--candidates"),
    ...(options.family === undefined ? {} : { family: options.family }),
    k: parseCount(options.k, "--k"),
    knots: parseKnots(options.knots),
    method: options.method,
    ...(options.basis === undefined ? {} : { basis: options.basis }),
    closeness: parseProbability(options.closeness, "--closeness"),
    confidence: parseProbability(options.confidence, "--confidence"),
  };
}

/** `bili=100,asat=20`. */
function parseKnots(texts: readonly string[]): Record<string, number> {
  const knots: Record<string, number> = {};
  for (const part of splitNames(texts, "--knots")) {
    const at = part.lastIndexOf("=");
    if (at < 1) throw new StatError("BadOption", `--knots ${part}: no feature=number.`, "Write --knots bili=100.");
    knots[part.slice(0, at)] = parseCount(part.slice(at + 1), `--knots ${part.slice(0, at)}`);
  }
  return knots;
}

export async function loadRows(data: string, options: RowOptions, progress: Progress): Promise<Loaded> {
  const plain = { ...options, levels: [], factor: [], ordered: [], contrasts: [] };
  const loaded = await loadTable(data, plain, progress);
  let { table } = loaded;
  for (const [name, levels] of parseLevelLists(options.ordered, "--ordered")) {
    table = withColumn(table, name, asFactor(column(table, name), { levels, ordered: true }));
  }
  return { ...loaded, table };
}

/** Below this a search takes less time than the start of a thread. */
const ROWS_FOR_THREADS = 2000;

export function makeRunner({ workers }: GlobalOptions, table: Table): Runner {
  const wanted = workers === undefined ? availableParallelism() : Number(workers);
  return wanted > 1 && (workers !== undefined || table.rows >= ROWS_FOR_THREADS)
    ? threadRunner({ workers: wanted })
    : inlineRunner();
}
