/** What several files are to each other. A file that holds one system, or none, is a system; files of the same systems are raters, runs or
 *  tasks, which their names say plainly (rater1.csv, seed2.csv) or the user does. */
import type { Ask, Decision, FilesAre, Imported, Told } from "../data/imported.ts";
import { asFactor, column, concatRows, factorColumn, selectColumns, type Table, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import { joinOnKeys } from "./join-on-keys.ts";
import { RATER_STEMS, RUN_NAMES } from "./lexicon/names.ts";
import { isPeoplesFile } from "./lexicon/people.ts";
import { plainName, splitWords } from "./lexicon/words.ts";
import { mergeImported, mergeSheets, type NamedImport, stemOf } from "./merge.ts";
import { freshName } from "./reshape/reshaped.ts";
import { differing } from "./run-names.ts";
import { Question, tellDone } from "./tell.ts";
import { understandTable, withTold } from "./understand.ts";

/** A file, or several as one, with what the user says of the rows. */
export function readStudy(data: Imported | readonly NamedImport[], told: Told = {}): Imported {
  if (!Array.isArray(data)) return withTold(data as Imported, told);
  return withTold(mergeImported(joinFiles(data, told)), told);
}

interface Named {
  readonly files?: FilesAre | undefined;
  readonly rater?: string | undefined;
  readonly run?: string | undefined;
}

const ROLES = { raters: "rater", runs: "repeat", tasks: "task" } as const;

/** What files of several systems are, by plain words of their names; undefined where these do not say it. */
export function roleOfFiles(stems: readonly string[]): "rater" | "repeat" | undefined {
  if (stems.every((stem) => namesOne(stem, RATER_STEMS))) return "rater";
  return stems.every((stem) => namesOne(stem, RUN_NAMES)) ? "repeat" : undefined;
}

/** Files that are not systems as one, with a column that says which file a row is from. */
export function joinFiles(parts: readonly NamedImport[], { files, rater, run }: Named): readonly NamedImport[] {
  if (parts.length < 2 || files === "systems" || rater !== undefined || run !== undefined) return parts;
  const stems = parts.map(({ path }) => stemOf(path));
  if (files !== undefined) return [joinAs(parts, stems, ROLES[files])];
  const role = roleOfFiles(stems);
  if (role === "rater") return [joinAs(parts, stems, role)];
  if (areCrossed(parts)) throw crossedFiles(parts.map(({ path }) => path));
  if (mayBeRaters(parts, stems)) throw new Question(askFiles(stems, ["systems", "raters"]));
  if (!haveSameSystems(parts)) return parts;
  if (role !== undefined) return [joinAs(parts, stems, role)];
  throw new Question(askFiles(stems, ["raters", "runs", "tasks"]));
}

const askFiles = (columns: readonly string[], answers: readonly FilesAre[]): Ask => ({
  id: "files",
  columns,
  answers: answers.map((files) => ({ files })),
});

/** Ratings in files that are named after somebody or something (ratings_anna, ratings_gpt4), and no column says who rated. */
function mayBeRaters(parts: readonly NamedImport[], stems: readonly string[]): boolean {
  if (!stems.every(isPeoplesFile) || parts.some(({ imported: { roles } }) => roles.rater !== undefined)) return false;
  const isNamed = (stem: string, systems: readonly string[]): boolean =>
    systems.some((name) => `_${plainName(stem)}_`.includes(`_${plainName(name)}_`));
  return !parts.every(({ imported }, k) => imported.roles.system !== undefined && isNamed(stems[k]!, imported.systems));
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
    "Set option `files: systems` if each file is a system; otherwise put the tasks of a system into one file with a column `task`.",
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

/** Files that measure the same outputs by different scores (metrics.csv, human.csv) as one table; undefined where they are not. */
export function joinHalves(parts: readonly NamedImport[]): NamedImport | undefined {
  const [first, ...others] = parts.map(({ imported }) => imported);
  if (first === undefined || others.length === 0) return undefined;
  const isPlain = ({ decisions, unrolled }: Imported): boolean => decisions !== undefined && unrolled !== true;
  const isShared = ({ name }: { readonly name: string }): boolean =>
    others.every(({ metrics }) => metrics.some((own) => own.name === name));
  if (![first, ...others].every(isPlain) || first.metrics.some(isShared)) return undefined;
  const found = joinOnKeys(parts.map(({ path, imported: { table } }) => ({ name: baseName(path), table })));
  if (found === undefined) return undefined;
  const { table, done, by, parts: columns } = found;
  return asOne(parts, table, { assumptions: done.map(tellDone), joined: { by, parts: columns } });
}

/** Files with one number for each system and no items as one table with a row for each; undefined where they are not. */
export function joinTotals(parts: readonly NamedImport[]): NamedImport | undefined {
  if (parts.length < 2 || !parts.every(({ imported: { roles } }) => isWithoutItems(roles))) return undefined;
  const stems = differing(parts.map(({ path }) => stemOf(path)));
  const tables = parts.map(({ imported: { table, roles } }) => ({ table, system: roles.system }));
  const [first] = tables;
  const shared = [...first!.table.columns].flatMap(([name, { kind }]) =>
    tables.every(({ table }) => table.columns.get(name)?.kind === kind) ? [name] : [],
  );
  const named = tables.every(({ system }) => system !== undefined && shared.includes(system));
  const system = named ? first!.system! : freshName(first!.table, "system");
  const rows = tables.map(({ table }, k): Table => {
    const own = selectColumns(table, shared);
    return named ? own : withColumn(own, system, factorColumn(new Array<string>(table.rows).fill(stems[k]!)));
  });
  const whole = asOne(parts, concatRows(rows), { known: [{ role: "system", column: system, by: "file" }] });
  return whole.imported.kind === "totals" ? whole : undefined;
}

const isWithoutItems = ({ item, rater }: Imported["roles"]): boolean => item === undefined && rater === undefined;

interface Whole extends Partial<Pick<Imported, "assumptions" | "joined">> {
  readonly known?: readonly Decision[];
}

function asOne(parts: readonly NamedImport[], table: Table, { known = [], ...more }: Whole): NamedImport {
  const [first] = parts;
  const own = understandTable(table, known);
  const assumptions = [...parts.flatMap(({ imported }) => imported.assumptions), ...(more.assumptions ?? [])];
  const files = parts.flatMap(({ imported }) => imported.files);
  return {
    path: parts.map(({ path }) => path).join(" "),
    imported: { ...own, ...more, assumptions, files, format: first!.imported.format, summary: "" },
  };
}

const baseName = (path: string): string => path.replace(/^.*[\\/]/, "");
