/** Files of several seeds as their names tell them: runs of systems, for texts and for tables of items. */

import { renameColumn } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";
import { mergeImported, type NamedImport, stemOf, withSystem } from "../../../study/merge.ts";
import { readRuns } from "../../../study/run-names.ts";

/** Names of runs by system, in their order; undefined where the names do not say so, or only one system would be left. */
export function groupRuns(names: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const found = readRuns(names);
  if (found === undefined) return undefined;
  const runs = new Map<string, string[]>();
  found.forEach(({ system }, k) => {
    runs.set(system, [...(runs.get(system) ?? []), names[k]!]);
  });
  return runs;
}

interface FilesNamed {
  readonly run?: string | undefined;
  readonly systems?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly byRow?: boolean | undefined;
}

/** Tables of items, a file for each run: those of one system as one table with a column of runs. They stay apart where a column says which run
 *  the rows are of or that they are of several systems, where nothing names the items, and where options name the files. */
export function joinRuns(
  parts: readonly NamedImport[],
  { run, systems = [], baseline, byRow }: FilesNamed,
): readonly NamedImport[] {
  const paths = parts.map(({ path }) => path);
  const stems = paths.map(stemOf);
  const names = new Set(stems).size === stems.length ? stems : paths;
  const found = run === undefined ? groupRuns(paths) : undefined;
  if (found === undefined || [...systems, baseline].some((name) => name !== undefined && names.includes(name)))
    return parts;
  const plain = parts.every(({ imported: { roles } }) => {
    const own = [roles.repeat, roles.opponent, roles.metric];
    const paired = roles.item !== undefined || byRow === true;
    return own.every((name) => name === undefined) && paired;
  });
  const inside = plain ? systemsOf(parts, found) : undefined;
  if (inside === undefined) return parts;
  return [...found].map(([named, files]) => {
    const own = parts.filter(({ path }) => files.includes(path));
    const system = inside.get(named)!;
    const { roles, ...merged } = mergeImported(own.map(withRunInPlaceOfSystem));
    const told = listNames(own.map(({ path }) => names[paths.indexOf(path)]!));
    const { system: _, ...rest } = roles;
    const from = roles.system!;
    const assumptions = [...merged.assumptions, `${told} ${own.length === 1 ? "is a run" : "are runs"} of ${system}.`];
    const table = from === "run" ? merged.table : renameColumn(merged.table, from, "run");
    // the ending is what a path has after the name
    return {
      path: `${system.replaceAll("/", " ")}.csv`,
      imported: { ...merged, table, roles: { ...rest, repeat: "run" }, systems: [], assumptions },
    };
  });
}

/** What each of the systems that the paths tell apart is called: as the files say where they say it and tell them apart too; undefined where a file
 *  holds several systems, or runs of one name are not of one. */
function systemsOf(
  parts: readonly NamedImport[],
  found: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> | undefined {
  const groups = [...found].map(([named, files]) => {
    const own = parts.filter(({ path }) => files.includes(path));
    const levels = own.map(({ imported: { roles, systems } }) => (roles.system === undefined ? [named] : systems));
    return { named, systems: new Set(levels.flat()), single: levels.every((one) => one.length === 1) };
  });
  if (groups.some(({ systems, single }) => systems.size !== 1 || !single)) return undefined;
  const told = new Set(groups.flatMap(({ systems }) => [...systems]));
  return new Map(groups.map(({ named, systems }) => [named, told.size === groups.length ? [...systems][0]! : named]));
}

/** Its one system is what the files of a run have in common; the file's name says which run it is. */
function withRunInPlaceOfSystem({ path, imported }: NamedImport): NamedImport {
  const { system: _, ...roles } = imported.roles;
  return { path, imported: withSystem({ ...imported, roles, systems: [] }, stemOf(path)) };
}
