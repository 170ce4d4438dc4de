/** What the library makes of the files of one case: the calls behind `gosset describe` and `gosset compare`, in process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  answerComparison,
  type CompareOptions,
  type Description,
  describeImported,
  type Imported,
  type ImportOptions,
  importFiles,
  type NamedImport,
  prepareTable,
  StatError,
  withRows,
} from "../../src/index.ts";

/** One path of the command line: a file, or a folder with all its files. */
export interface Part {
  /** As the user writes it; it may name a system. */
  readonly path: string;
  /** The name that the library sees → the file of the corpus, relative to the case's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Options of `importFiles` and of `compare` that say how to read. */
export type Told = Pick<ImportOptions, (typeof OF_IMPORT)[number]> & Pick<CompareOptions, (typeof OF_COMPARE)[number]>;

/** As cases store it. */
export type StoredTold = Omit<Told, "run"> & { readonly repeat?: string };

const OF_IMPORT = [
  "format",
  "delimiter",
  "decimal",
  "missing",
  "encoding",
  "quote",
  "unroll",
  "badRows",
  "votes",
] as const satisfies readonly (keyof ImportOptions)[];

const ROLES = ["system", "item", "rater", "run", "cluster", "task", "time", "metric", "gold", "pred"] as const;

const OF_COMPARE = [
  ...ROLES,
  "byRow",
  "positive",
  "where",
  "mutate",
  "systems",
  "baseline",
  "errors",
  "unscored",
  "unpaired",
  "higherIsBetter",
] as const satisfies readonly (keyof CompareOptions)[];

/** What the rows mean: names and numbers of levels. What the data do not have is 0, [] or null; a case may leave out what it does not state. */
export interface Reading {
  readonly kind?: "scores" | "ratings" | "votes" | "labels" | "totals" | "table";
  readonly systems?: readonly string[];
  readonly items?: number;
  readonly raters?: number;
  readonly runs?: number;
  readonly clusters?: number;
  readonly tasks?: number;
  readonly score?: string | null;
  /** null: not known. */
  readonly higherIsBetter?: boolean | null;
}

export interface ReadPair {
  readonly a: string;
  readonly b: string;
  readonly difference?: number;
  readonly verdict?: string;
}

export interface Compared {
  readonly metric?: string;
  readonly higherIsBetter?: boolean | null;
  /** Items behind the verdict. */
  readonly n?: number;
  readonly pairs: readonly ReadPair[];
}

/** The code of an error. */
export interface Refused {
  readonly refused: string;
}

export interface Found {
  readonly reading: Reading | Refused;
  readonly compare: Compared | Refused;
}

/** Of more pairs only the main one is stored. */
const MOST_PAIRS = 15;
const DIGITS = 6;

export async function readCase(folder: string, parts: readonly Part[], stored: StoredTold = {}): Promise<Found> {
  const { repeat, ...others } = stored;
  const told: Told = repeat === undefined ? others : { ...others, run: repeat };
  const read = parts.map(({ path, files }) => ({
    path,
    files: Object.entries(files).map(([name, at]) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, at))) })),
  }));
  const keep = ROLES.flatMap((role) => told[role] ?? []).flatMap((name) => [name, ...name.split(",")]);
  const reading: ImportOptions = { ...pick(told, OF_IMPORT), keep };
  const all = read.flatMap(({ files }) => files);
  const together = attempt(() => importFiles(all, reading));
  const loaded = async (): Promise<NamedImport[]> => {
    if (read.length === 1) return [{ path: read[0]!.path, imported: answered(await together) }];
    const own: NamedImport[] = [];
    for (const { path, files } of read) own.push({ path, imported: await importFiles(files, reading) });
    return own;
  };
  const imported = await together;
  const described = "refused" in imported ? imported : await attempt(() => describeCase(imported, parts, told));
  const compared = await attempt(async () => compareParts(await loaded(), told));
  return {
    reading: "refused" in described ? { refused: described.refused } : described,
    compare: "refused" in compared ? { refused: compared.refused } : compared,
  };
}

interface Failed extends Refused {
  readonly error: StatError;
}

/** Errors of the library are answers; all others are faults, which end the test. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    return { refused: error.code, error };
  }
}

function answered<T extends object>(outcome: T | Failed): T {
  if ("refused" in outcome) throw outcome.error;
  return outcome;
}

function describeCase(imported: Imported, parts: readonly Part[], told: Told): Reading {
  const { system, item, rater, run, cluster, task, metric, where = [], mutate = [] } = told;
  const chosen = withRows(imported, prepareTable(imported.table, { where, mutate }));
  const description = describeImported(chosen, {
    roles: { system, item, rater, run, cluster, task, score: metric },
    target: parts.map(({ path }) => path).join(" "),
  });
  return readingOf(description, imported);
}

function readingOf(description: Description, imported: Imported): Reading {
  const { systems, items, columns, metricDetails } = description;
  const countOf = (role: string): number => columns.find((own) => own.role === role)?.distinct ?? 0;
  const has = (role: string): boolean => columns.some((own) => own.role === role);
  const [main] = metricDetails;
  const kind =
    imported.kind === "totals"
      ? "totals"
      : has("opponent")
        ? "votes"
        : main === undefined
          ? has("label") && has("prediction")
            ? "labels"
            : "table"
          : has("rater")
            ? "ratings"
            : "scores";
  return {
    ...{ kind, systems, items },
    raters: countOf("rater"),
    runs: countOf("repeat"),
    clusters: countOf("cluster"),
    tasks: countOf("task"),
    score: main?.name ?? null,
    higherIsBetter: main?.higherIsBetter ?? null,
  };
}

function compareParts(parts: readonly NamedImport[], told: Told): Compared {
  const options: CompareOptions = { ...pick(told, OF_COMPARE), details: false };
  const result = answerComparison(parts, options);
  if (result.kind === "totals") {
    const { metric, higherIsBetter, pairs } = result;
    return { metric, higherIsBetter, pairs: pairs.slice(0, MOST_PAIRS).map(toPair) };
  }
  const { metric, higherIsBetter, n, pairs, main } = result;
  return { metric, higherIsBetter, n, pairs: (pairs.length > MOST_PAIRS ? [main] : pairs).map(toPair) };
}

/** A difference that is not a number is left out. */
const toPair = ({ a, b, difference, verdict }: Required<ReadPair>): ReadPair => ({
  ...{ a, b },
  ...(Number.isFinite(difference) ? { difference: Number(difference.toPrecision(DIGITS)) } : {}),
  verdict,
});

const pick = <K extends keyof Told>(told: Told, keys: readonly K[]): Pick<Told, K> =>
  Object.fromEntries(keys.flatMap((key) => (told[key] === undefined ? [] : [[key, told[key]]]))) as Pick<Told, K>;
