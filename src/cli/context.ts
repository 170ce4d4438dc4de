/** What surrounds the one function of a command, alike in all of them: files become tables, `--where` and `--mutate` choose rows, progress
 *  goes to stderr, simulations get their threads, and one answer is printed, with what the reading of files had to say before its own. */
import { availableParallelism } from "node:os";
import {
  type Diagnostic,
  type Display,
  type DisplayTable,
  type Imported,
  inlineRunner,
  type Runner,
  type Table,
} from "../index.ts";
import { threadRunner } from "../run/threads.ts";
import { loadImported, loadTable, type RowOptions } from "./load.ts";
import { withFlags } from "./option-names.ts";
import type { GlobalOptions, ReadOptions } from "./options.ts";
import { printAnswer } from "./output.ts";
import { makeProgress, type Progress } from "./progress.ts";

/** A result of the library, as far as printing needs it. */
export interface Printable {
  readonly diagnostics: readonly Diagnostic[];
  display(): Display;
}

export interface Printing {
  /** The JSON object; all diagnostics, those of reading first. */
  contract(diagnostics: readonly Diagnostic[]): object;
  /** Beside the tables and notes of the result. */
  readonly tables?: readonly DisplayTable[];
  readonly notes?: readonly string[];
  /** What the command itself has to say, before and after the result. */
  readonly before?: readonly Diagnostic[];
  readonly after?: readonly Diagnostic[];
  /** The last word on what is shown. */
  reshape?(display: Display): Display;
}

export interface Context<O extends GlobalOptions> {
  readonly options: O;
  readonly progress: Progress;
  /** The table behind a path, after --mutate and --where; `other` stands for flags unlike those of the command. */
  load(path: string, other?: Partial<ReadOptions & RowOptions>): Promise<Table>;
  /** The same with what the importer found out: roles, metrics, systems. Several files are one import. */
  import(paths: string | readonly string[], other?: Partial<ReadOptions & RowOptions>): Promise<Imported>;
  /** Further things that were noticed while reading. */
  note(diagnostics: readonly Diagnostic[]): void;
  /** Threads for simulations: --workers, else `threads`, else one for each processor. Closed at the end. */
  runner(wanted?: { readonly threads?: number | undefined; readonly module?: string | undefined }): Runner;
  print(result: Printable, printing: Printing): void;
}

export async function withContext<O extends GlobalOptions>(
  options: O,
  run: (context: Context<O>) => Promise<void>,
): Promise<void> {
  const progress = makeProgress(options.quiet === true);
  const runners: Runner[] = [];
  try {
    await run(makeContext(options, progress, runners));
  } finally {
    progress.end();
    for (const runner of runners) await runner.close();
  }
}

function makeContext<O extends GlobalOptions>(options: O, progress: Progress, runners: Runner[]): Context<O> {
  const reading = options as O & Partial<ReadOptions & RowOptions> as ReadOptions & RowOptions;
  const found: Diagnostic[] = [];
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
    print(result, { contract, tables = [], notes = [], before = [], after = [], reshape = (display) => display }) {
      progress.end();
      const own = result.display();
      const display: Display = {
        ...own,
        tables: [...own.tables, ...tables],
        notes: [...own.notes, ...notes],
        diagnostics: [...found, ...before, ...(own.diagnostics ?? []), ...after],
      };
      const diagnostics = [...found, ...before, ...result.diagnostics, ...after].map(withFlags);
      printAnswer({ display: reshape(display), contract: contract(diagnostics), diagnostics }, options);
    },
  };
}
