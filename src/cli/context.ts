/** What surrounds the one function of a command, alike in all of them: files become tables, `--where` and `--mutate` choose rows, progress
 *  goes to stderr, simulations get their threads, and one answer is printed, with what the reading of files had to say and took for granted. */

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  type Diagnostic,
  type Imported,
  inlineRunner,
  type Result,
  type RowChoice,
  type Runner,
  StatError,
  type Table,
  type Told,
} from "../index.ts";
import { type FolderJournal, type FolderOptions, openFolder, type ThreadOptions, threadRunner } from "../runners.ts";
import { neutralise } from "../text.ts";
import { withinScreen } from "./failure.ts";
import { checkOutput, hashFile } from "./files.ts";
import { type Interruption, watchSignals } from "./interruption.ts";
import { loadImported, loadStudy, loadTable } from "./load.ts";
import { type GlobalOptions, type ReadOptions, type RoleOptions, toldOf } from "./options.ts";
import { type Printing, printResult } from "./output.ts";
import { makeProgress, type Progress } from "./progress.ts";
import type { Applied } from "./reading.ts";

export interface Context<O extends GlobalOptions> {
  readonly options: O;
  readonly progress: Progress;
  /** The table behind a path, after --mutate and --where; `other` stands for flags unlike those of the command. */
  load(path: string, other?: Partial<ReadOptions & RowChoice>): Promise<Table>;
  /** What the rows are, as the file and the flags on columns say it. Several files are one study. */
  study(paths: string | readonly string[], told?: Told): Promise<Imported>;
  /** The same with what the importer found out: roles, metrics, systems. Several files are one import. */
  import(paths: string | readonly string[], other?: Partial<ReadOptions & RowChoice>): Promise<Imported>;
  /** Refuses these flags where one was given on the command line: "--beta does nothing with TER." */
  refuse(flags: readonly string[], why: string): void;
  /** Further things that were noticed while reading. */
  note(diagnostics: readonly Diagnostic[]): void;
  /** Threads for simulations: --workers, else `threads`, else one for each processor. Closed at the end. */
  runner(wanted?: WantedRunner): Runner;
  /** A runner of another kind, ended by signals and closed at the end like those. */
  heed(runner: Runner): Runner;
  /** Aborted when the user or a scheduler ends the program. */
  ended(): AbortSignal;
  /** A journal of what is drawn; opened once, closed at the end. */
  journal(folder: string, options?: Omit<FolderOptions, "build">): FolderJournal;
  /** One answer, with what was noticed while reading before its own. */
  print(result: Result<string>, printing?: Printing): void;
}

export interface WantedRunner extends Pick<ThreadOptions, "stepLimit" | "heap"> {
  readonly threads?: number | undefined;
  /** The user's own code: never on this thread, where it could not be stopped. */
  readonly module?: string | undefined;
}

/** How the command was called: the flags on the line, and the reading of columns that was taken beside them. */
export interface Called {
  readonly given: ReadonlySet<string>;
  readonly reading?: Applied | undefined;
}

export async function withContext<O extends GlobalOptions>(
  options: O,
  called: Called,
  run: (context: Context<O>) => Promise<void>,
): Promise<void> {
  const progress = makeProgress(options);
  const runners: Runner[] = [];
  const journals: FolderJournal[] = [];
  const interruption = watchSignals();
  const pictures = isDrawn(options) ? await import("./pictures.ts") : undefined;
  const paper = options.paper ? await import("../report.ts") : undefined;
  const printed: object[] = [];
  try {
    pictures?.checkPicturePaths(options);
    checkPlaces(options);
    await run(makeContext(options, { progress, runners, journals, interruption, printed, pictures, paper, ...called }));
    await pictures?.writeDrawings(printed, options);
    for (const journal of journals) journal.close();
  } catch (error) {
    closeAnyway(journals);
    throw interruption.explain(error, journals.at(-1)?.folder);
  } finally {
    progress.end();
    interruption.end();
    for (const runner of runners) await runner.close();
    if (!options.quiet) for (const journal of journals) tell(journal.notes());
  }
}

/** Flags that name a file to be written; "-" is the terminal. */
const PLACES = [
  "out",
  "plot",
  "html",
  "flips",
  "shapes",
  "comment",
  "junit",
  "to",
  "export",
  "save",
  "certify",
] as const;

function checkPlaces(
  options: GlobalOptions & { readonly [place in (typeof PLACES)[number]]?: string | undefined },
): void {
  for (const place of PLACES) {
    const path = options[place];
    if (path !== undefined && path !== "-") checkOutput(path, `--${place}`);
  }
}

/** After a failure: that of closing adds nothing. */
function closeAnyway(journals: readonly FolderJournal[]): void {
  for (const journal of journals) {
    try {
      journal.close();
    } catch {}
  }
}

/** A task of Slurm sees the whole machine and owns part of it. */
export function ownProcessors(): number {
  const owned = Number(process.env["SLURM_CPUS_PER_TASK"]);
  return Number.isInteger(owned) && owned > 0 ? owned : availableParallelism();
}

/** More threads than processors gain nothing, and each takes a dozen megabytes; the digits do not depend on them. */
function threadsFor(workers: string): number {
  return Math.min(Number(workers), Math.max(16, 4 * ownProcessors()));
}

function tell(sentences: readonly string[]): void {
  for (const sentence of sentences) process.stderr.write(`gosset: ${withinScreen(neutralise(sentence))}\n`);
}

/** Of the code that computes: the worker's file names all others by their content. Undefined where the program is not bundled. */
export function hashBuild(): string | undefined {
  const worker = new URL("./worker.js", import.meta.url);
  return existsSync(worker) ? hashFile(worker) : undefined;
}

const isDrawn = ({ plot, html, format }: GlobalOptions): boolean =>
  plot !== undefined || html !== undefined || format === "html";

interface Surroundings {
  readonly progress: Progress;
  readonly runners: Runner[];
  readonly journals: FolderJournal[];
  readonly interruption: Interruption;
  /** The JSON of each answer, where pictures are to be drawn of it. */
  readonly printed: object[];
  readonly given: ReadonlySet<string>;
  readonly reading?: Applied | undefined;
  /** Where they are asked for. */
  readonly pictures: typeof import("./pictures.ts") | undefined;
  readonly paper: typeof import("../report.ts") | undefined;
}

function makeContext<O extends GlobalOptions>(options: O, around: Surroundings): Context<O> {
  const { progress, runners, journals, interruption, printed, pictures, paper, given, reading: applied } = around;
  const reading = options as O & Partial<ReadOptions & RowChoice> as ReadOptions & RowChoice;
  const found: Diagnostic[] = [];
  const assumed = new Set<string>();
  const keep = (imported: Imported): Imported => {
    found.push(...imported.diagnostics);
    for (const sentence of imported.assumptions) assumed.add(sentence);
    return imported;
  };
  return {
    options,
    progress,
    study: async (paths, told = toldOf(options as O & RoleOptions)) =>
      keep(await loadStudy(typeof paths === "string" ? [paths] : paths, reading, told)),
    async load(path, other = {}) {
      const { table, diagnostics } = await loadTable(path, { ...reading, ...other }, progress);
      found.push(...diagnostics);
      return table;
    },
    async import(paths, other = {}) {
      return keep(await loadImported(typeof paths === "string" ? [paths] : paths, { ...reading, ...other }));
    },
    refuse(flags, why) {
      const found = flags.find((flag) => given.has(flag));
      if (found === undefined) return;
      throw new StatError("BadOption", `${found} has no effect ${why}.`, `Leave ${found} out.`);
    },
    note: (diagnostics) => void found.push(...diagnostics),
    runner({ threads, module, ...limits } = {}) {
      const workers = options.workers === undefined ? (threads ?? ownProcessors()) : threadsFor(options.workers);
      const own = module === undefined ? {} : { module };
      const inline = workers <= 1 && module === undefined;
      const runner = inline ? inlineRunner() : threadRunner({ workers, ...own, ...limits });
      runners.push(runner);
      return interruption.heeding(runner);
    },
    heed(runner) {
      runners.push(runner);
      return interruption.heeding(runner);
    },
    ended: interruption.signal,
    journal(folder, more = {}) {
      const journal = openFolder(folder, { ...more, build: hashBuild() });
      journals.push(journal);
      return journal;
    },
    print(result, printing = {}) {
      progress.end();
      if (applied !== undefined && !options.quiet) tell([`read as ${applied.path} says: ${applied.told}.`]);
      const told = {
        reading: [...found, ...(printing.reading ?? [])],
        assumed: [...assumed, ...(printing.assumed ?? [])],
      };
      // what cannot be drawn is refused before anything is printed
      if (options.plot !== undefined) pictures!.requireFigure(result.toJSON(), options);
      const write = paper && ((json: object) => paper.writePaper(json, options.format === "json" ? "json" : "tex"));
      const whole = printResult(result, options, { ...printing, ...told, paper: write });
      if (pictures !== undefined) printed.push(whole.toJSON());
    },
  };
}
