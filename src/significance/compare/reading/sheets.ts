/** Files of one study that hold the same systems and items: a sheet for each rater (anna.csv, ben.csv), a benchmark each (gsm8k.csv, mmlu.csv), a run of
 *  everything (day1.csv, day2.csv), or each system on each task (base_de.csv, new_fr.csv). What A got in one sheet and B in another are not two
 *  systems. */
import { mergeSheets, type NamedImport, stackWide, stemOf } from "../../../data/merge.ts";
import { isRatingScale } from "../../../data/roles/evidence.ts";
import { BENCHMARK_NAMES } from "../../../data/roles/names.ts";
import { profileColumn } from "../../../data/roles/profile.ts";
import { areRaters } from "../../../data/shapes/first-names.ts";
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
  if (first === undefined || designs.some((own) => own === undefined || !isSame(own, first)))
    return areOfPeople(parts, stems) ? [joinPeople(parts, stems)] : parts;
  const { systems = [], baseline } = options;
  if ([...systems, baseline].some((name) => name !== undefined && !first.systems.has(name))) return parts;
  const role = stems.every(isTask) ? "task" : designs.every((own) => own!.rated) ? "rater" : "repeat";
  const merged = mergeSheets(parts, { role, names: stems });
  const same = role === "task" ? "systems" : "systems and items";
  const told = `${listNames(stems)} hold the same ${same}, so the files are taken as ${PLURAL[role]}`;
  return [{ path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } }];
}

function joinPeople(parts: readonly NamedImport[], stems: readonly string[]): NamedImport {
  const merged = mergeSheets(parts, { role: "rater", names: stems });
  const told = `${listNames(stems)} are named after people, so the files are taken as raters`;
  return { path: parts[0]!.path, imported: { ...merged, assumptions: [...merged.assumptions, told] } };
}

/** Ratings in files that name their systems and are named after people, whichever systems each of them saw. */
function areOfPeople(parts: readonly NamedImport[], stems: readonly string[]): boolean {
  const words = stems.map((stem) => stem.split(/[_. -]+/));
  const own = words.map((all) => all.filter((word) => !words.every((other) => other.includes(word))).join("_"));
  if (!areRaters(stems) && !areRaters(own)) return false;
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

const PLURAL = { rater: "raters", repeat: "runs", task: "tasks" } as const;

/** A benchmark, or a language: "gsm8k", "en-de", "zh". */
const isTask = (name: string): boolean =>
  BENCHMARK_NAMES.has(name.toLowerCase().replace(/[^a-z0-9]/g, "")) || isLanguage(name);
const isLanguage = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/[-_>]+/)
    .every((word) => LANGUAGES.has(word));
const LANGUAGES = new Set(
  (
    "en de fr es it pt nl pl cs ru uk zh ja ko ar he hi bn tr fa sv da no fi is hu ro bg el et lv lt sk sl hr sr vi th id ms sw ta te ur eng deu fra spa ita por rus " +
    "zho jpn kor ara hin ces pol ukr tur swa"
  ).split(" "),
);

/** base_de, base_fr, new_de, new_fr: each system on each task, by the names of the files. */
export function joinTasks(
  parts: readonly NamedImport[],
  { systems = [], baseline, task }: Named,
): readonly NamedImport[] {
  const stems = parts.map(({ path }) => stemOf(path));
  const found = stems.map((stem) => /^(?<system>.+)[._-](?<task>[^._-]+)$/.exec(stem)?.groups);
  if (parts.length < 4 || task !== undefined || found.some((own) => own === undefined || !isTask(own["task"]!)))
    return parts;
  if ([...systems, baseline].some((name) => name !== undefined && stems.includes(name))) return parts;
  const names = [...new Set(found.map((own) => own!["system"]!))];
  const tasks = [...new Set(found.map((own) => own!["task"]!))];
  if (names.length < 2 || tasks.length < 2 || new Set(stems).size < names.length * tasks.length) return parts;
  const plain = parts.every(({ imported: { roles } }) => {
    const own = [roles.system, roles.task, roles.opponent, roles.metric];
    return own.every((name) => name === undefined) && roles.wide.length === 0 && roles.item !== undefined;
  });
  if (!plain) return parts;
  return names.map((system) => {
    const own = parts.flatMap((part, k) =>
      found[k]!["system"] === system ? [{ part, task: found[k]!["task"]! }] : [],
    );
    const files = own.map(({ part: { imported } }) => ({ path: `${system}.csv`, imported }));
    const merged = mergeSheets(files, { role: "task", names: own.map((one) => one.task) });
    const told = `${listNames(own.map(({ part }) => stemOf(part.path)))} are ${system} on ${listNames(tasks)}`;
    const whole = tasks.every(isLanguage) ? keepTranslations(merged) : merged;
    return { path: `${system}.csv`, imported: { ...whole, assumptions: [...whole.assumptions, told] } };
  });
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

/** Sheets of one study share their systems, and most of their items. */
function isSame(own: Design, first: Design): boolean {
  if (own.systems.size !== first.systems.size || [...own.systems].some((name) => !first.systems.has(name)))
    return false;
  const shared = [...own.items].filter((item) => first.items.has(item)).length;
  return shared * 2 >= Math.max(own.items.size, first.items.size);
}
