/** Other prompts under the same id: two runs of different versions of a data set look paired and are not. */

import { asFactor, selectRows } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import { listNames } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isDialogueName, isFingerprintName, isGivenName, isMade, isWantedName } from "../../../study/lexicon/given.ts";
import type { NamedImport } from "../../../study/merge.ts";

/** From this share on the prompts were changed on purpose, and the ids still name the items. */
const ALL = 0.9;
/** Up to this share a text that differs is rather another prompt than another answer. */
const SELDOM = 0.5;

export function keepSamePrompts(parts: readonly NamedImport[]): {
  readonly parts: readonly NamedImport[];
  readonly notes: readonly Diagnostic[];
} {
  for (const name of sharedPrompts(parts)) {
    const found = compareGiven(parts, name);
    if (found !== undefined) return found;
  }
  return { parts, notes: [] };
}

/** undefined where all runs have the same in this column. */
function compareGiven(
  parts: readonly NamedImport[],
  name: string,
): { readonly parts: readonly NamedImport[]; readonly notes: readonly Diagnostic[] } | undefined {
  const seen = new Map<string, Map<string, Set<string>>>();
  parts.forEach(({ imported }, k) => {
    const { item: id, task, system } = imported.roles;
    const [items, texts] = [id!, name].map((own) => asFactor(imported.table.columns.get(own)!));
    const tasks = task === undefined ? undefined : asFactor(imported.table.columns.get(task)!);
    const systems = system === undefined ? undefined : asFactor(imported.table.columns.get(system)!);
    items!.codes.forEach((code, row) => {
      const cell = texts!.levels[texts!.codes[row]!];
      const text = (isDialogueName(name) ? firstAsked(cell) : cell)?.replace(/\s+/g, " ").trim();
      if (code < 0 || text === undefined) return;
      const item = keyOf(items!.levels[code]!, tasks?.levels[tasks.codes[row]!]);
      const bySystem = seen.get(item) ?? new Map<string, Set<string>>();
      const run = `${k}/${systems?.levels[systems.codes[row]!] ?? ""}`;
      seen.set(item, bySystem.set(run, (bySystem.get(run) ?? new Set()).add(text)));
    });
  });
  const clashing = new Set([...seen].flatMap(([item, bySystem]) => (isAlike([...bySystem.values()]) ? [] : [item])));
  if (clashing.size === 0) return undefined;
  // texts that nobody named as given may be what the systems wrote: those agree on few items
  const named =
    [isGivenName, isWantedName, isDialogueName, isFingerprintName].some((is) => is(name)) || isLabel(parts, name);
  if (!named && clashing.size > SELDOM * seen.size) return undefined;
  const some = listNames([...clashing].slice(0, 3));
  if (clashing.size >= ALL * seen.size) {
    const message = `${name} differs between the runs on ${clashing.size} of ${seen.size} items: the systems were not given the same.`;
    return { parts, notes: [warning("OtherPrompts", message, "The difference is one of system and prompt together.")] };
  }
  if (!named) {
    const message = `${name} differs between the runs on ${clashing.size} of ${seen.size} items (${some}, …): if it is what the systems were given, those are not the same items.`;
    return {
      parts,
      notes: [warning("OtherPrompts", message, `Leave them out, or check that ${name} is what the systems wrote.`)],
    };
  }
  const message = `${clashing.size} of ${seen.size} ids stand for another ${name} in each run (${some}, …) and were left out: they are not the same items.`;
  const kept = parts.map(({ imported, ...part }) => {
    const { item: id, task } = imported.roles;
    const items = asFactor(imported.table.columns.get(id!)!);
    const tasks = task === undefined ? undefined : asFactor(imported.table.columns.get(task)!);
    const table = selectRows(
      imported.table,
      (row) => !clashing.has(keyOf(items.levels[items.codes[row]!] ?? "", tasks?.levels[tasks.codes[row]!])),
    );
    return { ...part, imported: { ...imported, table } };
  });
  return { parts: kept, notes: [warning("OtherPrompts", message, "Run both on the same version of the data.")] };
}

/** What the user said first, of a dialogue as a list of turns. */
function firstAsked(cell: string | undefined): string | undefined {
  if (cell?.startsWith("[{") !== true) return undefined;
  try {
    const turns = JSON.parse(cell) as readonly Readonly<Record<string, unknown>>[];
    const turn = turns.find((own) => /^(user|human)$/.test(String(own.role ?? own.from)));
    const said = turn?.content ?? turn?.value;
    return typeof said === "string" ? said : JSON.stringify(said);
  } catch {
    return undefined;
  }
}

/** All systems were given the same texts of an item, however many there are. */
const isAlike = ([first, ...others]: readonly ReadonlySet<string>[]): boolean =>
  others.every((own) => own.size === first!.size && [...own].every((text) => first!.has(text)));

const keyOf = (item: string, task: string | undefined): string => (task === undefined ? item : `${task}/${item}`);

/** What every file takes for the right answer, next to what was predicted. */
const isLabel = (parts: readonly NamedImport[], name: string): boolean =>
  !isMade(name) &&
  // what raters chose is no property of the item
  parts.every(
    ({ imported: { roles } }) => roles.label === name && roles.prediction !== name && roles.rater === undefined,
  );

/** Columns of texts that every file has beside its items: the first of each kind. */
function sharedPrompts(parts: readonly NamedImport[]): string[] {
  const [first] = parts;
  if (parts.some(({ imported }) => imported.roles.item === undefined || imported.format === "text")) return [];
  const isShared = (name: string, texts: boolean): boolean =>
    parts.every(({ imported: { table, roles } }) => {
      const cells = table.columns.get(name);
      const known = cells !== undefined && (!texts || cells.kind === "factor");
      return known && roles.item !== name && roles.system !== name && !roles.metrics.includes(name);
    });
  const all = [...first!.imported.table.columns.keys()];
  const given =
    all.find((name) => isGivenName(name) && /^\p{L}+$/u.test(name) && isShared(name, true)) ??
    all.find((name) => isGivenName(name) && !isMade(name) && isShared(name, true));
  const wanted = all.find((name) => (isWantedName(name) || isLabel(parts, name)) && isShared(name, false));
  const asked = all.find((name) => isDialogueName(name) && isShared(name, true));
  const print = all.find((name) => isFingerprintName(name) && isShared(name, false));
  const texts = all.find(
    (name) => !isMade(name) && isShared(name, true) && parts.every((part) => areTexts(part, name)),
  );
  const known = [given, wanted, asked].filter((name) => name !== undefined);
  // a text that nobody named counts where nothing else says what was given
  const rest = known.length > 0 ? [print] : [print, texts];
  return [...known, ...rest.filter((name) => name !== undefined)];
}

/** Words in every cell, and others for each item. */
function areTexts({ imported: { table } }: NamedImport, name: string): boolean {
  const { levels, codes } = asFactor(table.columns.get(name)!);
  return (
    levels.length >= DISTINCT * table.rows &&
    !codes.includes(-1) &&
    levels.filter((level) => /\S\s+\S+\s+\S/.test(level)).length >= DISTINCT * levels.length
  );
}

const DISTINCT = 0.9;
