/** Files of several seeds by their names: base.seed1, base.seed2, new.seed1, … are runs of base and of new. */
import { mergeImported, type NamedImport, stemOf } from "../../../data/merge.ts";
import { renameColumn } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";

const MARK = "seed|run|rep|repeat|trial|replicate|init";
const PATTERNS = [
  new RegExp(`^(?<system>.*?)[._-]?(?:${MARK})[._=-]?(?<run>\\d+)$`, "i"),
  new RegExp(`^(?:${MARK})[._=-]?(?<run>\\d+)[._-](?<system>.+)$`, "i"),
  // a letter alone needs its separator
  /^(?<system>.*?)[._-](?:s|r)(?<run>\d+)$/i,
];

/** Names of runs by system, in their order; undefined where the names do not say so, or only one system would be left. */
export function groupRuns(names: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const stems = withoutEnding(names);
  for (const pattern of PATTERNS) {
    const found = stems.map((name) => pattern.exec(name)?.groups);
    if (found.some((groups) => groups === undefined || groups["system"] === "")) continue;
    const runs = new Map<string, string[]>();
    found.forEach((groups, k) => {
      const system = groups!["system"]!.replace(/(?<![._-])[._-]+$/, "");
      runs.set(system, [...(runs.get(system) ?? []), names[k]!]);
    });
    const several = [...runs.values()].some((own) => own.length > 1);
    return runs.size > 1 && several ? runs : undefined;
  }
  return undefined;
}

/** Without the language or format that all of them end with: base.seed1.de, new.seed1.de. */
function withoutEnding(names: readonly string[]): readonly string[] {
  const endings = new Set(names.map((name) => /\.[A-Za-z]{2,8}$/.exec(name)?.[0]));
  const [ending] = endings;
  return endings.size === 1 && ending !== undefined ? names.map((name) => name.slice(0, -ending.length)) : names;
}

interface FilesNamed {
  readonly repeat?: string | undefined;
  readonly systems?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}

/** Tables of items, a file for each run: those of one system as one table with a column of runs. They stay apart where a column says whose
 *  the rows are or which run, where nothing names the items, and where options name the files. */
export function joinRuns(
  parts: readonly NamedImport[],
  { repeat, systems = [], baseline }: FilesNamed,
): readonly NamedImport[] {
  const names = parts.map(({ path }) => stemOf(path));
  const runs = repeat === undefined && new Set(names).size === names.length ? groupRuns(names) : undefined;
  if (runs === undefined || [...systems, baseline].some((name) => name !== undefined && names.includes(name)))
    return parts;
  const plain = parts.every(({ imported: { roles } }) => {
    const own = [roles.system, roles.repeat, roles.opponent, roles.metric];
    return own.every((name) => name === undefined) && roles.wide.length === 0 && roles.item !== undefined;
  });
  if (!plain) return parts;
  return [...runs].map(([system, files]) => {
    const own = parts.filter((_, k) => files.includes(names[k]!));
    const { roles, ...merged } = mergeImported(own);
    const { system: _, ...rest } = roles;
    const from = roles.system!;
    const assumptions = [...merged.assumptions, `${listNames(files)} are runs of ${system}`];
    const table = from === "run" ? merged.table : renameColumn(merged.table, from, "run");
    // the ending is what a path has after the name
    return {
      path: `${system}.csv`,
      imported: { ...merged, table, roles: { ...rest, repeat: "run" }, systems: [], assumptions },
    };
  });
}
