/** The table behind the commands on ratings, and which of its columns mean what where the flags do not say. */
import {
  asFactor,
  column,
  type Diagnostic,
  filterRows,
  importFiles,
  mutateTable,
  type Roles,
  StatError,
  type Table,
  withColumn,
} from "../index.ts";
import { readWithCompanions } from "./files.ts";
import { importOptions, loadTable } from "./load.ts";
import { type GlobalOptions, parseLevelLists, type ReadOptions, splitList } from "./options.ts";
import type { Progress } from "./progress.ts";

export interface RatingOptions extends GlobalOptions, ReadOptions {
  readonly where: readonly string[];
  readonly mutate: readonly string[];
  readonly ordered: readonly string[];
  readonly confidence: string;
}

export interface RatingTable {
  readonly table: Table;
  /** Only looked up where a flag is missing. */
  readonly roles: Roles | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** `complete`: every flag is there, so that the file's own roles are not needed. */
export async function loadRatings(
  path: string,
  options: RatingOptions,
  { complete, progress }: { readonly complete: boolean; readonly progress: Progress },
): Promise<RatingTable> {
  if (complete) {
    const plain = { ...options, levels: [], factor: [], contrasts: [] };
    const { table, diagnostics } = await loadTable(path, plain, progress);
    return { table: withOrder(table, options.ordered), roles: undefined, diagnostics };
  }
  const imported = await importFiles(readWithCompanions(path), importOptions(options));
  let { table } = imported;
  for (const text of options.mutate) table = mutateTable(table, text);
  for (const text of options.where) table = filterRows(table, text);
  if (table.rows === 0)
    throw new StatError("NoRows", `${path}: no rows are left.`, "Check the file and the conditions.");
  const diagnostics = imported.diagnostics.filter(({ code }) => code !== "NoScoreFound");
  return { table: withOrder(table, options.ordered), roles: imported.roles, diagnostics };
}

function withOrder(table: Table, texts: readonly string[]): Table {
  let ordered = table;
  for (const [name, levels] of parseLevelLists(texts, "--ordered")) {
    ordered = withColumn(ordered, name, asFactor(column(ordered, name), { levels, ordered: true }));
  }
  return ordered;
}

/** The flag's column, else the file's own of that role. */
export function chosen(flag: string | undefined, own: string | undefined, name: string): string {
  if (flag !== undefined) return flag;
  if (own !== undefined) return own;
  throw new StatError("MissingFlag", `the file does not say which column is the ${name}.`, `Name it with --${name}.`);
}

/** `--facets a,b` or `--facets a --facets b`; a name with a comma stands in quotes. */
export function splitNames(texts: readonly string[], flag: string): string[] {
  return texts.flatMap((text) => {
    const parts = splitList(text);
    if (parts?.every((part) => part !== "")) return parts;
    throw new StatError("BadOption", `${flag} ${text}: not a list of names.`, `Write ${flag} a,b.`);
  });
}

/** true stands for the bare flag; it may be given several times. */
export function parseInteractions(
  given: readonly (string | true)[] | string | true | undefined,
): "all" | "none" | string[] {
  if (given === undefined) return "none";
  const texts = Array.isArray(given) ? given : [given];
  if (texts.some((text) => text === true || text === "all")) return "all";
  if (texts.includes("none")) return "none";
  return splitNames(texts as string[], "--interactions");
}

export function parseNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number.`, `Write for example ${flag} 0.8.`);
}

/** `rater=1-12`, `rater=1,2,5`. */
export function parseNumbers(texts: readonly string[]): Record<string, number[]> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf("=");
      const parts = text.slice(at + 1).split(",");
      const list = parts.flatMap((part) => {
        const range = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
        const [from, to] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])];
        if (at < 1 || range === null || from < 1 || to < from || to - from > MOST_NUMBERS) {
          throw new StatError(
            "BadOption",
            `--n ${text}: not numbers of a facet.`,
            "Write --n rater=1-12 or --n rater=1,2,5.",
          );
        }
        return Array.from({ length: to - from + 1 }, (_, i) => from + i);
      });
      return [text.slice(0, at).trim(), list];
    }),
  );
}

const MOST_NUMBERS = 1000;
