/** What several files are to each other. A file that holds one system, or none, is a system; files of the same systems are raters, runs or
 *  tasks, which their names say plainly (rater1.csv, seed2.csv) or the user does. */
import type { Imported } from "../data/imported.ts";
import { asFactor, column } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import { RATER_STEMS, RUN_NAMES } from "./lexicon/names.ts";
import { splitWords } from "./lexicon/words.ts";
import { mergeSheets, type NamedImport, stemOf } from "./merge.ts";

export type FilesAre = "systems" | "raters" | "runs" | "tasks";

interface Named {
  readonly files?: FilesAre | undefined;
  readonly rater?: string | undefined;
  readonly repeat?: string | undefined;
}

const ROLES = { raters: "rater", runs: "repeat", tasks: "task" } as const;

/** What files of several systems are, by plain words of their names; undefined where these do not say it. */
export function roleOfFiles(stems: readonly string[]): "rater" | "repeat" | undefined {
  if (stems.every((stem) => namesOne(stem, RATER_STEMS))) return "rater";
  return stems.every((stem) => namesOne(stem, RUN_NAMES)) ? "repeat" : undefined;
}

/** Files that are not systems as one, with a column that says which file a row is from. */
export function joinFiles(parts: readonly NamedImport[], { files, rater, repeat }: Named): readonly NamedImport[] {
  if (parts.length < 2 || files === "systems" || rater !== undefined || repeat !== undefined) return parts;
  const stems = parts.map(({ path }) => stemOf(path));
  if (files !== undefined) return [joinAs(parts, stems, ROLES[files])];
  const role = roleOfFiles(stems);
  if (role === "rater") return [joinAs(parts, stems, role)];
  if (areCrossed(parts)) throw crossedFiles(parts.map(({ path }) => path));
  if (!haveSameSystems(parts)) return parts;
  if (role !== undefined) return [joinAs(parts, stems, role)];
  throw new StatError(
    "AskFiles",
    `${listNames(stems)} hold the same systems: is each file a rater, a run or a task?`,
    "Say option `files: raters`, option `files: runs` or option `files: tasks`.",
  );
}

/** "rater1", "annotator_anna", "seed-3": a plain word, and which. */
function namesOne(stem: string, words: readonly string[]): boolean {
  const [first = "", ...rest] = splitWords(stem);
  const [, word = "", number = ""] = /^(\p{L}+)(\d*)$/u.exec(first) ?? [];
  return words.includes(word) && (number !== "" || rest.length > 0);
}

/** Files of the same names in several folders, each of one system: old/arc.csv, old/gsm8k.csv, new/arc.csv, new/gsm8k.csv. */
function areCrossed(parts: readonly NamedImport[]): boolean {
  if (parts.some(({ imported: { roles } }) => roles.system !== undefined)) return false;
  const stems = new Set(parts.map(({ path }) => stemOf(path)));
  const folders = new Set(parts.map(({ path }) => path.slice(0, path.length - path.split(/[\\/]/).at(-1)!.length)));
  return stems.size > 1 && folders.size > 1 && parts.length === stems.size * folders.size;
}

function crossedFiles(paths: readonly string[]): StatError {
  return new StatError(
    "AskFiles",
    `${listNames(paths)}: folders and names of files cross, and one of them may be tasks.`,
    "Say option `files: systems` if each file is a system; otherwise put the tasks of a system into one file with a column `task`.",
  );
}

function joinAs(
  parts: readonly NamedImport[],
  stems: readonly string[],
  role: "rater" | "repeat" | "task",
): NamedImport {
  const merged = mergeSheets(parts, { role, names: stems });
  return { path: parts[0]!.path, imported: merged };
}

/** Several systems, the same ones in every file, and nothing in the files that says what they are to each other. */
function haveSameSystems(parts: readonly NamedImport[]): boolean {
  const lists = parts.map(({ imported }) => systemsOf(imported));
  const [first] = lists;
  return first !== undefined && first !== "" && lists.every((list) => list === first);
}

function systemsOf({ table, roles }: Imported): string {
  const { system, item, rater, repeat, task, opponent } = roles;
  if (system === undefined || item === undefined) return "";
  if ([rater, repeat, task, opponent].some((name) => name !== undefined)) return "";
  const { levels, codes } = asFactor(column(table, system));
  const used = new Set(codes);
  const names = levels.filter((_, code) => used.has(code));
  return names.length < 2 ? "" : JSON.stringify(names.sort());
}
