/** What surrounds the one function of a command, alike in all of them: files become tables, `--where` and `--mutate` choose rows, progress
 *  goes to stderr, simulations get their threads, and one answer is printed, with what the reading of files had to say and took for granted. */

import { availableParallelism } from "node:os";
import {
  type Diagnostic,
  type Imported,
  inlineRunner,
  type Result,
  type RowChoice,
  type Runner,
  type Table,
} from "../index.ts";
import { threadRunner } from "../run/threads.ts";
import { loadImported, loadTable } from "./load.ts";
import type { GlobalOptions, ReadOptions } from "./options.ts";
import { type Printing, pageOf, printResult } from "./output.ts";
import { makeProgress, type Progress } from "./progress.ts";

export interface Context<O extends GlobalOptions> {
  readonly options: O;
  readonly progress: Progress;
  /** The table behind a path, after --mutate and --where; `other` stands for flags unlike those of the command. */
  load(path: string, other?: Partial<ReadOptions & RowChoice>): Promise<Table>;
  /** The same with what the importer found out: roles, metrics, systems. Several files are one import. */
  import(paths: string | readonly string[], other?: Partial<ReadOptions & RowChoice>): Promise<Imported>;
  /** Further things that were noticed while reading. */
  note(diagnostics: readonly Diagnostic[]): void;
  /** Threads for simulations: --workers, else `threads`, else one for each processor. Closed at the end. */
  runner(wanted?: { readonly threads?: number | undefined; readonly module?: string | undefined }): Runner;
  /** One answer, with what was noticed while reading before its own. */
  print(result: Result<string>, printing?: Printing): void;
}

export async function withContext<O extends GlobalOptions>(
  options: O,
  run: (context: Context<O>) => Promise<void>,
): Promise<void> {
  const progress = makeProgress(options.quiet === true);
  const runners: Runner[] = [];
  const html = pageOf(options);
  const drawing = options.plot !== undefined || html !== undefined;
  const pictures = drawing ? await import("./pictures.ts") : undefined;
  const printed: object[] = [];
  try {
    pictures?.checkPicturePaths(options);
    await run(makeContext(options, { progress, runners, printed, pictures }));
    await pictures?.writeDrawings(printed, { ...options, ...(html === undefined ? {} : { html }) });
  } finally {
    progress.end();
    for (const runner of runners) await runner.close();
  }
}

interface Surroundings {
  readonly progress: Progress;
  readonly runners: Runner[];
  /** The JSON of each answer, where pictures are to be drawn of it. */
  readonly printed: object[];
  readonly pictures: typeof import("./pictures.ts") | undefined;
}

function makeContext<O extends GlobalOptions>(options: O, surroundings: Surroundings): Context<O> {
  const { progress, runners, printed, pictures } = surroundings;
  const reading = options as O & Partial<ReadOptions & RowChoice> as ReadOptions & RowChoice;
  const found: Diagnostic[] = [];
  const assumed = new Set<string>();
  return {
    options,
    progress,
    async load(path, other = {}) {
      const { table, diagnostics } = await loadTable(path, { ...reading, ...other }, progress);
      found.push(...diagnostics);
      return table;
    },
    async import(paths, other = {}) {
      const imported = await loadImported(typeof paths === "string" ? [paths] : paths, { ...reading, ...other });
      found.push(...imported.diagnostics);
      for (const sentence of imported.assumptions) assumed.add(sentence);
      return imported;
    },
    note: (diagnostics) => void found.push(...diagnostics),
    runner({ threads, module } = {}) {
      const workers = options.workers === undefined ? (threads ?? availableParallelism()) : Number(options.workers);
      const runner =
        workers > 1 ? threadRunner({ workers, ...(module === undefined ? {} : { module }) }) : inlineRunner();
      runners.push(runner);
      return runner;
    },
    print(result, printing = {}) {
      progress.end();
      pictures?.checkFigureName(result.toJSON(), options);
      const told = {
        reading: [...found, ...(printing.reading ?? [])],
        assumed: [...assumed, ...(printing.assumed ?? [])],
      };
      const whole = printResult(result, options, { ...printing, ...told });
      if (options.plot !== undefined || pageOf(options) !== undefined) printed.push(whole.toJSON());
    },
  };
}
