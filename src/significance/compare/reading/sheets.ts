/** Files that all hold the same systems and items: a sheet for each rater (anna.csv, ben.csv), or a run of everything (day1.csv, day2.csv). What A got
 *  in one sheet and B in another are not two systems. */
import { mergeImported, type NamedImport, stackWide, stemOf } from "../../../data/merge.ts";
import { isRatingScale } from "../../../data/roles/evidence.ts";
import { profileColumn } from "../../../data/roles/profile.ts";
import { asFactor, column } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";

interface Named {
  readonly rater?: string | undefined;
  readonly repeat?: string | undefined;
  readonly system?: string | undefined;
  readonly systems?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}

/** Files as one table with a column that says whose sheet a row is from; as they are where options say otherwise. */
export function joinSheets(parts: readonly NamedImport[], options: Named): readonly NamedImport[] {
  if (parts.length < 2 || options.rater !== undefined || options.repeat !== undefined) return parts;
  const stems = parts.map(({ path }) => stemOf(path));
  if (new Set(stems).size < stems.length) return parts;
  const long = parts.map(({ path, imported }) => ({ path, imported: stackWide(imported) }));
  const designs = long.map(designOf);
  const [first] = designs;
  if (first === undefined || designs.some((own) => own === undefined || !isSame(own, first))) return parts;
  const { systems = [], baseline } = options;
  if ([...systems, baseline].some((name) => name !== undefined && !first.systems.has(name))) return parts;
  const sheet = designs.every((own) => own!.rated) ? "rater" : "repeat";
  const merged = mergeImported(parts, undefined, sheet);
  const what = sheet === "rater" ? "raters" : "runs";
  const told = `${listNames(stems)} hold the same systems and items, so the files are taken as ${what}`;
  return [{ path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } }];
}

interface Design {
  readonly systems: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
  /** Whole numbers on a rating scale. */
  readonly rated: boolean;
}

/** Of a file with several systems and one row for each of them and each item. */
function designOf({ imported: { table, roles } }: NamedImport): Design | undefined {
  const { system, item, score, rater, repeat, opponent, metric } = roles;
  if (system === undefined || item === undefined || score === undefined) return undefined;
  if ([rater, repeat, opponent, metric].some((name) => name !== undefined)) return undefined;
  const systems = usedOf(table, system);
  if (systems.size < 2) return undefined;
  return { systems, items: usedOf(table, item), rated: isRatingScale(profileColumn(score, column(table, score))) };
}

function usedOf(table: NamedImport["imported"]["table"], name: string): Set<string> {
  const { levels, codes } = asFactor(column(table, name));
  return new Set([...new Set(codes)].filter((code) => code >= 0).map((code) => levels[code]!));
}

/** Sheets of one study share their systems, and most of their items. */
function isSame(own: Design, first: Design): boolean {
  if (own.systems.size !== first.systems.size || [...own.systems].some((name) => !first.systems.has(name)))
    return false;
  const shared = [...own.items].filter((item) => first.items.has(item)).length;
  return shared * 2 >= Math.max(own.items.size, first.items.size);
}
