/** Tables of several files as one: what the paths say (system, run, task), and which rows of two files are about the same item. */

import type { Decision, Done, JoinedFiles } from "../data/imported.ts";
import { asFactor, concatRows, type FactorColumn, type Table, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { leastOf } from "../result/extremes.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { joinOnKeys, whyNoKey } from "../study/join-on-keys.ts";
import { INPUT_NAMES, ITEM_NAMES, SYSTEM_NAMES } from "../study/lexicon/names.ts";
import { isRightName, isRunPart } from "../study/lexicon/others.ts";
import { splitWords } from "../study/lexicon/words.ts";
import { differing, readRuns } from "../study/run-names.ts";
import type { Failures } from "./json/json.ts";
import { stemOf } from "./logs/lines.ts";

export interface Reading {
  readonly name: string;
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to make a table of the content. */
  readonly reading?: readonly string[];
  readonly failures?: readonly Failures[];
  readonly settings?: Readonly<Record<string, string>>;
}

export interface JoinedTables {
  readonly table: Table;
  readonly done: readonly Done[];
  readonly hints: readonly Decision[];
  /** Columns that say from which file a row is. */
  readonly fileColumns: readonly string[];
  /** Where rows of several files were put beside each other. */
  readonly joined?: JoinedFiles;
}

/** So many of the columns must be common before tables are put under one another. */
const COMMON = 0.5;

export function joinTables(readings: readonly Reading[]): JoinedTables {
  const [first, ...others] = readings;
  if (first === undefined) throw new StatError("NoFile", "no file was given.", "Name a file or a folder.");
  if (others.length === 0) return { table: first.table, done: [], hints: [], fileColumns: [] };
  const beside = joinOnKeys(readings);
  if (beside !== undefined) {
    const { table, done, by, parts } = beside;
    return { table, done, hints: [], fileColumns: [], joined: { by, parts } };
  }
  const uneven = requireAlike(readings);
  const parts = readPaths(readings.map(({ name }) => name));
  const taken = new Set(readings.flatMap(({ table }) => [...table.columns.keys()]));
  const named = parts.map((part) => ({ ...part, column: freeOf(taken, part.column) }));
  const tables = readings.map(({ table }, i) =>
    named.reduce((own, { column, labels }) => withColumn(own, column, repeatLevel(labels[i]!, own.rows)), table),
  );
  const joined = concatRows(tables);
  const paired = pairByRow(readings.map(({ table }) => table));
  const [file] = named;
  const within = named.filter(({ role }) => role !== "system");
  const row = freeOf(new Set([...taken, ...named.map(({ column }) => column)]), "row");
  const numbers = tables.flatMap(({ rows }) => Array.from({ length: rows }, (_, i) => i + 1));
  return {
    table:
      paired === undefined ? joined : withColumn(joined, row, { kind: "numeric", values: Float64Array.from(numbers) }),
    done: [
      { id: "stacked", columns: [], into: [file!.column], count: uneven },
      ...within.map(
        ({ column, role }): Done => ({
          id: role === "task" ? "pathTask" : "pathRun",
          columns: [],
          into: [column],
        }),
      ),
      ...(uneven === 0 ? [] : [{ id: "uneven", columns: [], count: uneven } satisfies Done]),
      ...(paired === undefined ? [] : [{ id: "sameRows", columns: [paired], into: [row] } satisfies Done]),
    ],
    hints: [
      ...within.map(
        ({ column, role }): Decision => ({
          role,
          column,
          by: "file",
        }),
      ),
      ...(paired === undefined ? [] : [{ role: "item", column: row, by: "file" } satisfies Decision]),
    ],
    fileColumns: named.map(({ column }) => column),
  };
}

/** How many columns are not in every file, and whether that is few enough to put the files under one another. */
function countUneven(readings: readonly Reading[]): { readonly uneven: number; readonly alike: boolean } {
  const counts = new Map<string, number>();
  for (const { table } of readings)
    for (const name of table.columns.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count === readings.length).length;
  const uneven = counts.size - common;
  const smallest = leastOf(readings.map(({ table }) => table.columns.size));
  return { uneven, alike: uneven === 0 || common >= COMMON * smallest };
}

function requireAlike(readings: readonly Reading[]): number {
  const { uneven, alike } = countUneven(readings);
  if (alike) return uneven;
  const [first, ...others] = readings as [Reading, ...Reading[]];
  const names = [...first.table.columns.keys()];
  const other = others.find(({ table }) => !names.every((name) => table.columns.has(name))) ?? others[0]!;
  const why = whyNoKey(readings);
  throw new StatError(
    "DifferentTables",
    `${readings.length} tables with different columns: ${first.name} has ${listNames(names, 4)}; ${other.name} has ${listNames([...other.table.columns.keys()], 4)}${why === undefined ? "" : `; ${why}`}.`,
    "Give one of them at a time, tables with the same columns, or two with the same names of items and systems, which are joined on them.",
  );
}

function freeOf(taken: ReadonlySet<string>, wanted: string): string {
  let name = wanted;
  for (let k = 2; taken.has(name); k += 1) name = `${wanted}_${k}`;
  return name;
}

export interface PathPart {
  readonly column: string;
  readonly role: "system" | "repeat" | "task";
  readonly labels: readonly string[];
}

/** a/1/results.json, a/2/results.json beside b/results.json: b has one run, and no folder for it. */
function withOneRun(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const depths = [...new Set(paths.map((path) => path.length))].sort((x, y) => x - y);
  const [short, long] = depths;
  const sameName = new Set(paths.map((path) => path.at(-1))).size === 1;
  if (depths.length !== 2 || long !== short! + 1 || short! < 2 || !sameName) return paths;
  const folders = (length: number): Set<string> =>
    new Set(paths.filter((path) => path.length === length).map((path) => path.slice(0, short! - 1).join("/")));
  const deep = folders(long);
  if ([...folders(short!)].some((folder) => deep.has(folder))) return paths;
  return paths.map((path) => (path.length === long ? path : [...path.slice(0, -1), "run", path.at(-1)!]));
}

/** The folders that differ: the outermost is the system; one within it that differs too is the run, or the task where every system has the same. */
export function readPaths(names: readonly string[]): PathPart[] {
  const runs = readRuns(names);
  if (runs !== undefined)
    return [
      system(runs.map((own) => own.system)),
      { column: "run", role: "repeat", labels: runs.map(({ run }) => (run === "" ? "1" : run)) },
    ];
  const paths = withOneRun(names.map((name) => name.split(/[/\\]/)));
  const depth = paths[0]!.length;
  const stems = names.map(stemOf);
  const flat = new Set(stems).size === stems.length ? stems : [...names];
  if (depth === 1 || paths.some((path) => path.length !== depth)) return [system(flat)];
  const whole = paths.map((path, i) => [...path.slice(0, -1), stems[i]!]);
  const varying = Array.from({ length: depth }, (_, k) => k).filter(
    (k) => new Set(whole.map((path) => path[k])).size > 1,
  );
  const [outer, inner] = varying;
  if (outer === undefined) return [system([...names])];
  const outerLabels = whole.map((path) => path[outer]!);
  const task = (labels: readonly string[]): PathPart => ({ column: "task", role: "task", labels });
  if (inner === undefined) return [system(outerLabels)];
  const innerLabels = whole.map((path) =>
    varying
      .slice(1)
      .map((k) => path[k]!)
      .join("/"),
  );
  const groups = new Map<string, string[]>();
  for (const [i, label] of outerLabels.entries()) {
    const own = groups.get(label);
    if (own === undefined) groups.set(label, [innerLabels[i]!]);
    else own.push(innerLabels[i]!);
  }
  if ([...groups.values()].every((list) => list.length < 2)) return [system(outerLabels)];
  const lists = [...groups.values()].map((list) => JSON.stringify([...list].sort()));
  const crossed = groups.size > 1 && new Set(lists).size === 1 && !innerLabels.every((label) => isRunPart(label));
  return [system(outerLabels), crossed ? task(innerLabels) : { column: "run", role: "repeat", labels: innerLabels }];
}

const system = (labels: readonly string[]): PathPart => ({ column: "file", role: "system", labels: differing(labels) });

/** The column that has the same values in the same order in every file, where nothing else names the items. */
function pairByRow(tables: readonly Table[]): string | undefined {
  const [first, ...others] = tables as [Table, ...Table[]];
  if (others.some(({ rows }) => rows !== first.rows) || first.rows < 2) return undefined;
  // totals of tasks with their errors are no items
  if ([...first.columns.keys()].some((name) => /_stderr\b/.test(name))) return undefined;
  const known = [...first.columns.keys()].map((name) => splitWords(name).join("_"));
  if (known.some((name) => ITEM_NAMES.includes(name) || INPUT_NAMES.includes(name))) return undefined;
  for (const [name, cells] of first.columns) {
    // the same systems in every file are what is compared, not what they were given
    if (SYSTEM_NAMES.includes(splitWords(name).join("_"))) continue;
    const own = asFactor(cells);
    const distinct = new Set(own.codes).size;
    // right answers, or texts that are mostly unlike each other: what a system made may agree by chance or by design
    const given = isRightName(name) || (cells.kind === "factor" && distinct > first.rows / 2);
    if (distinct < 2 || !given) continue;
    const same = others.every((table) => {
      const other = table.columns.get(name);
      if (other === undefined || other.kind !== cells.kind) return false;
      const factor = asFactor(other);
      return own.codes.every((code, row) => own.levels[code] === factor.levels[factor.codes[row]!]);
    });
    if (same) return name;
  }
  return undefined;
}

function repeatLevel(level: string, rows: number): FactorColumn {
  return { kind: "factor", codes: new Int32Array(rows), levels: [level], ordered: false };
}
