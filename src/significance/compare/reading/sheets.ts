/** Files of one study that hold the same systems and items: a sheet for each rater (anna.csv, ben.csv), a benchmark each (gsm8k.csv, mmlu.csv), a
 *  metric each (bleu.csv, ter.csv), a run of everything (day1.csv, day2.csv), or each system on each task (base_de.csv, new_fr.csv) or by each
 *  metric. What A got in one sheet and B in another are not two systems. */

import { groupKeys } from "../../../data/keys.ts";
import { mergeSheets, type NamedImport, stackWide, stemOf } from "../../../data/merge.ts";
import { isMeasure, saysWhatIsGood } from "../../../data/roles/direction.ts";
import { isRatingScale } from "../../../data/roles/evidence.ts";
import { isLanguageCode, isTaskLevel } from "../../../data/roles/names.ts";
import { areRaters } from "../../../data/roles/people.ts";
import { profileColumn } from "../../../data/roles/profile.ts";
import { FEWEST_DATA_SETS } from "../../../data/roles/totals.ts";
import { readRuns } from "../../../data/run-names.ts";
import { freshName } from "../../../data/shapes/reshaped.ts";
import { asFactor, column, withColumn } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";

interface Named {
  readonly rater?: string | undefined;
  readonly repeat?: string | undefined;
  readonly system?: string | undefined;
  readonly systems?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly task?: string | undefined;
}

/** Files as one table with a column that says whose sheet a row is from; as they are where options say otherwise. */
export function joinSheets(parts: readonly NamedImport[], options: Named): readonly NamedImport[] {
  if (parts.length < 2 || options.rater !== undefined || options.repeat !== undefined) return parts;
  const stems = parts.map(({ path }) => stemOf(path));
  if (new Set(stems).size < stems.length) return parts;
  const long = parts.map(({ path, imported }) => ({ path, imported: stackWide(imported) }));
  const designs = long.map(designOf);
  const [first] = designs;
  if (first === undefined || designs.some((own) => own === undefined || !hasSameSystems(own, first)))
    return areOfPeople(parts, stems) ? [joinPeople(parts, stems)] : parts;
  const tasks = apartIn(stems).every(isTaskLevel);
  const others = designs.some((own) => !sharesItems(own!, first));
  if (others && areOfPeople(parts, stems)) return [joinPeople(parts, stems)];
  const { systems = [], baseline } = options;
  if ([...systems, baseline].some((name) => name !== undefined && !first.systems.has(name))) return parts;
  const role = tasks || others ? "task" : designs.every((own) => own!.rated) ? "rater" : "repeat";
  const merged = mergeSheets(parts, { role, names: stems });
  const same = role === "task" ? (tasks ? "systems" : "systems and other items") : "systems and items";
  const told = `${listNames(stems)} hold the same ${same}, so the files are taken as ${PLURAL[role]}.`;
  return [{ path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } }];
}

function joinPeople(parts: readonly NamedImport[], stems: readonly string[]): NamedImport {
  const merged = mergeSheets(parts, { role: "rater", names: stems });
  const told = `${listNames(stems)} are named after people, so the files are taken as raters.`;
  return { path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } };
}

/** Ratings in files that name their systems and are named after people, whichever systems each of them saw. */
function areOfPeople(parts: readonly NamedImport[], stems: readonly string[]): boolean {
  if (!areRaters(stems) && !areRaters(apartIn(stems))) return false;
  const rated = parts.map(({ imported: { table, roles } }) => {
    const { system, item, score, rater, repeat, opponent, metric, task } = roles;
    if (system === undefined || item === undefined || score === undefined) return undefined;
    if ([rater, repeat, opponent, metric, task].some((name) => name !== undefined)) return undefined;
    return isRatingScale(profileColumn(score, column(table, score)))
      ? JSON.stringify([system, item, score])
      : undefined;
  });
  return rated[0] !== undefined && new Set(rated).size === 1;
}

/** bleu.csv and ter.csv with a column score each, or old_bleu.csv … new_ter.csv: what was measured stands in the name of the file. */
export function joinMetrics(parts: readonly NamedImport[], options: Named): readonly NamedImport[] {
  const plain = parts.every(
    ({ imported: { roles, metrics } }) =>
      roles.metric === undefined && metrics.length === 1 && !saysWhatIsGood(metrics[0]!.name),
  );
  if (parts.length < 2 || !plain || new Set(parts.map(({ imported }) => imported.metrics[0]!.name)).size > 1)
    return parts;
  const stems = parts.map(({ path }) => stemOf(path));
  const measures = apartIn(stems);
  const designs = parts.map(designOf);
  const [first] = designs;
  const sheets =
    new Set(measures).size === measures.length &&
    measures.every(isMeasure) &&
    designs.every((own) => own !== undefined && hasSameSystems(own, first!));
  if (!sheets) return joinGrid(parts, options, { role: "metric", fits: isMeasure });
  const merged = mergeSheets(withoutFilesDoubt(parts), { role: "metric", names: measures });
  const told = `${listNames(stems)} hold the same systems, so the files are taken as metrics.`;
  return [{ path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } }];
}

/** Each file's rows are of its own measure: what its name left open is open no more. */
const withoutFilesDoubt = (parts: readonly NamedImport[]): NamedImport[] =>
  parts.map(({ path, imported }) => ({
    path,
    imported: {
      ...imported,
      assumptions: imported.assumptions.filter((text) => !text.startsWith("The file is called after ")),
    },
  }));

/** A file for each system, or for each of its runs, with one number for each data set: those are what is paired. */
export function pairDataSets(parts: readonly NamedImport[]): readonly NamedImport[] {
  const fewest = readRuns(parts.map(({ path }) => path)) === undefined ? FEWEST_DATA_SETS : 2;
  const fits = parts.every(({ imported: { table, roles } }) => {
    const { task, item, system, rater, opponent, wide } = roles;
    if (task === undefined || [item, system, rater, opponent].some((name) => name !== undefined) || wide.length > 0)
      return false;
    return table.rows >= fewest && groupKeys([column(table, task)], table.rows).count === table.rows;
  });
  if (!fits || parts.length < 2) return parts;
  return parts.map(({ path, imported }) => {
    const { task, ...roles } = imported.roles;
    return { path, imported: { ...imported, roles: { ...roles, item: task! } } };
  });
}

/** Names without the words that all of them have. */
function apartIn(stems: readonly string[]): string[] {
  const words = stems.map((stem) => stem.split(/[_. -]+/));
  const own = words.map((all) => all.filter((word) => !words.every((other) => other.includes(word))).join("_"));
  return own.includes("") ? [...stems] : own;
}

const PLURAL = { rater: "raters", repeat: "runs", task: "tasks" } as const;

/** base_de, base_fr, new_de, new_fr: each system on each task, by the names of the files. */
export const joinTasks = (parts: readonly NamedImport[], options: Named): readonly NamedImport[] =>
  options.task === undefined ? joinGrid(parts, options, { role: "task", fits: isTaskLevel }) : parts;

function joinGrid(
  parts: readonly NamedImport[],
  { systems = [], baseline }: Named,
  { role, fits }: { readonly role: "task" | "metric"; readonly fits: (name: string) => boolean },
): readonly NamedImport[] {
  const stems = parts.map(({ path }) => stemOf(path));
  const found = parts.length < 4 ? undefined : readCells(parts, fits);
  if (found === undefined || [...systems, baseline].some((name) => name !== undefined && stems.includes(name)))
    return parts;
  const names = [...new Set(found.map(({ system }) => system))];
  const tasks = [...new Set(found.map(({ task }) => task))];
  const cells = new Set(found.map(({ system, task }) => JSON.stringify([system, task])));
  if (names.length < 2 || tasks.length < 2 || cells.size < names.length * tasks.length) return parts;
  const plain = parts.every(({ imported: { roles } }) => {
    const own = [roles.system, roles.task, roles.opponent, roles.metric];
    return own.every((name) => name === undefined) && roles.wide.length === 0 && roles.item !== undefined;
  });
  if (!plain) return parts;
  return names.map((system) => {
    const own = parts.flatMap((part, k) => (found[k]!.system === system ? [{ part, task: found[k]!.task }] : []));
    const files = own.map(({ part: { imported } }) => ({ path: `${system}.csv`, imported }));
    const given = role === "metric" ? withoutFilesDoubt(files) : files;
    const merged = mergeSheets(given, { role, names: own.map((one) => one.task) });
    const on = role === "task" ? "on" : "by";
    const told = `${listNames(own.map(({ part }) => stemOf(part.path)))} are ${system} ${on} ${listNames(tasks)}.`;
    const whole = tasks.every(isLanguageCode) ? keepTranslations(merged) : merged;
    return { path: `${system}.csv`, imported: { ...whole, assumptions: [...whole.assumptions, told] } };
  });
}

interface Cell {
  readonly system: string;
  readonly task: string;
}

/** The system and the task of each file: base_de.csv, base/de.csv or de/base.csv; undefined where some name says neither. Of folders that hold files
 *  of the same names each is a system, whatever the files are called. */
function readCells(parts: readonly NamedImport[], fits: (name: string) => boolean): readonly Cell[] | undefined {
  const places = parts.map(({ path }) => ({ folder: path.split(/[\\/]+/).at(-2) ?? "", stem: stemOf(path) }));
  const cut = places.map(({ stem }) => /^(?<system>.+)[._-](?<task>[^._-]+)$/.exec(stem)?.groups);
  const readings: (readonly (Cell | undefined)[])[] = [
    cut.map((own) => (own === undefined ? undefined : { system: own["system"]!, task: own["task"]! })),
    places.map(({ folder, stem }) => ({ system: folder, task: stem })),
    places.map(({ folder, stem }) => ({ system: stem, task: folder })),
  ];
  const named = readings.find((cells) =>
    cells.every((own) => own !== undefined && own.system !== "" && fits(own.task)),
  );
  const again = new Set(places.map(({ stem }) => stem)).size * 2 <= places.length;
  const apart = places.every(({ folder }) => folder !== "");
  return (named ?? (fits === isTaskLevel && again && apart ? readings[1] : undefined)) as readonly Cell[] | undefined;
}

/** The same id in another language is most likely the same item, translated: they hang together. */
function keepTranslations(merged: NamedImport["imported"]): NamedImport["imported"] {
  const { table, roles } = merged;
  const name = freshName(table, "id");
  return { ...merged, table: withColumn(table, name, column(table, roles.item!)), roles: { ...roles, cluster: name } };
}

interface Design {
  readonly systems: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
  /** Whole numbers on a rating scale. */
  readonly rated: boolean;
}

/** Of a file with several systems and one row for each of them and each item. */
function designOf({ imported: { table, roles } }: NamedImport): Design | undefined {
  const { system, item, score, rater, repeat, opponent, metric, task } = roles;
  if (system === undefined || item === undefined || score === undefined) return undefined;
  if ([rater, repeat, opponent, metric, task].some((name) => name !== undefined)) return undefined;
  const systems = usedOf(table, system);
  if (systems.size < 2) return undefined;
  return { systems, items: usedOf(table, item), rated: isRatingScale(profileColumn(score, column(table, score))) };
}

function usedOf(table: NamedImport["imported"]["table"], name: string): Set<string> {
  const { levels, codes } = asFactor(column(table, name));
  return new Set([...new Set(codes)].filter((code) => code >= 0).map((code) => levels[code]!));
}

const hasSameSystems = (own: Design, first: Design): boolean =>
  own.systems.size === first.systems.size && [...own.systems].every((name) => first.systems.has(name));

/** Runs and raters of one study share most of their items; files that do not are of other tasks. */
function sharesItems(own: Design, first: Design): boolean {
  const shared = [...own.items].filter((item) => first.items.has(item)).length;
  return shared * 2 >= Math.max(own.items.size, first.items.size);
}
