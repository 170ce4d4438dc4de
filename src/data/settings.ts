/** What runs were done with beside the model (temperature, shots, solver, version of the task, prompt): where two systems differ in it,
 *  the difference between them is that of the settings too. */
import { asFactor, type Table } from "./table.ts";

/** One run as its log describes it. */
export interface RunSettings {
  readonly system: string;
  /** The model behind it, where several systems may share one. */
  readonly model?: string | undefined;
  readonly task?: string | undefined;
  /** Name of a setting → its value in words; absent is the tool's default. */
  readonly values: Readonly<Record<string, string>>;
}

/** A setting in which systems differ. */
export interface DifferingSetting {
  readonly name: string;
  /** By system, in their order; "default" where the log says nothing. */
  readonly values: Readonly<Record<string, string>>;
}

/** Columns of a plain table that say how a system was run. */
const SETTING =
  /^(temperature|temp|top_?[pk]|(n_?|num_?)?(few_?)?shots?|num_fewshot|solver|scaffold|(task|prompt|harness|dataset)_?version|version|(prompt|chat)_?template|template|prompt_?(style|format|variant|name)|system_?prompt|max_(new_|output_)?tokens|decoding|beam_?size|quanti[sz]ation|dtype|precision|reasoning_?effort)$/i;

/** Of columns that have one value for each system; those with another role are left alone. */
export function settingsInColumns(table: Table, system: string, taken: ReadonlySet<string>): RunSettings[] {
  const { levels, codes } = asFactor(table.columns.get(system)!);
  const names = [...table.columns.keys()].filter((name) => SETTING.test(name) && !taken.has(name));
  const columns = names.map((name) => ({ name, cells: asFactor(table.columns.get(name)!) }));
  return levels.flatMap((level, own) => {
    const values = columns.flatMap(({ name, cells }) => {
      const met = new Set(cells.codes.filter((_, row) => codes[row] === own));
      const [code] = met;
      return met.size === 1 && code! >= 0 ? [[name, cells.levels[code!]!] as const] : [];
    });
    return values.length === 0 ? [] : [{ system: level, values: Object.fromEntries(values) }];
  });
}

/** What a system is, not how it was measured: these go with it by their nature. */
const ATTRIBUTE =
  /(^|[_. -])(model|system|sys|llm|engine|agent|team|author|vendor|provider|company|org|organi[sz]ation|affiliation|institution|family|size|params?|parameters|base|backbone|arch|architecture|checkpoint|revision|commit|sha|hash|path|file|filename|url|link|uri|id|ids|uuid|name|alias|display|label|color|colour|api|endpoint|release|released|licen[cs]e|context|window|price|pricing|cost|tier|type|kind|class|category|open|open_?source|notes?|comments?|description|method|approach|algorithm|strategy|optimi[sz]er|loss|training|train|pretrained|finetuned|tokeni[sz]er|rank|place|status|error|gold|reference|answer|output|response|prediction)s?($|[_. -])/i;
/** Fewer rows of a system show nothing constant. */
const FEWEST_ROWS = 5;

/** Columns of words, days or seeds with one value for each system and not the same for all: batch, session, language, the day of rating. */
export function goingWithSystem(table: Table, system: string, taken: ReadonlySet<string>): DifferingSetting[] {
  const { levels, codes } = asFactor(table.columns.get(system)!);
  const sizes = new Int32Array(levels.length);
  const firstRows = new Int32Array(levels.length);
  codes.forEach((code, row) => {
    if (code >= 0 && sizes[code]!++ === 0) firstRows[code] = row;
  });
  if (levels.length < 2 || sizes.some((n) => n < FEWEST_ROWS)) return [];
  return [...table.columns].flatMap(([name, cells]) => {
    const plain = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2");
    if (taken.has(name) || SETTING.test(name) || ATTRIBUTE.test(plain)) return [];
    if (cells.kind === "numeric" && !MEASURED_IN.test(plain)) return [];
    const own = asFactor(cells);
    const first = Array.from(firstRows, (row) => own.codes[row]!);
    if (first.some((code) => code < 0) || new Set(first).size < 2) return [];
    if (own.codes.some((code, row) => codes[row]! >= 0 && code !== first[codes[row]!])) return [];
    const values = Object.fromEntries(levels.map((level, s) => [level, own.levels[first[s]!]!]));
    // the system by another name
    return levels.some((level) => values[level]!.toLowerCase().includes(level.toLowerCase()) && level.length > 1)
      ? []
      : [{ name, values }];
  });
}

/** Numbers that say when or where something was measured; others describe the system. */
const MEASURED_IN =
  /(^|[_. -])(batch|session|group|round|wave|phase|day|week|month|block|list|seed|form|panel|cohort|site)s?($|[_. -])/i;

const DEFAULT = "default";

/** Settings that are not the same for all systems on some task. */
export function differingSettings(runs: readonly RunSettings[], systems: readonly string[]): DifferingSetting[] {
  const wanted = new Set(systems);
  const own = runs.filter(({ system }) => wanted.has(system));
  const known = systems.filter((name) => own.some(({ system }) => system === name));
  if (known.length < 2) return [];
  const names = [...new Set(own.flatMap(({ values }) => Object.keys(values)))];
  return names.flatMap((name) => {
    const values = Object.fromEntries(known.map((system) => [system, toldOf(own, system, name)]));
    return differs(own, known, name) ? [{ name, values }] : [];
  });
}

/** All values that a system has over its tasks and runs. */
function toldOf(runs: readonly RunSettings[], system: string, name: string): string {
  const own = runs.filter((run) => run.system === system).map(({ values }) => values[name] ?? DEFAULT);
  return [...new Set(own)].join(" or ");
}

/** Within a task, since tasks have settings of their own. */
function differs(runs: readonly RunSettings[], systems: readonly string[], name: string): boolean {
  const tasks = new Set(runs.map(({ task }) => task));
  return [...tasks].some((task) => {
    const here = runs.filter((run) => run.task === task);
    const met = systems.filter((system) => here.some((run) => run.system === system));
    return new Set(met.map((system) => toldOf(here, system, name))).size > 1;
  });
}

/** "temperature (A 0, B 0.7)" for each. */
export function tellDiffering(settings: readonly DifferingSetting[]): string[] {
  return settings.map(({ name, values }) => {
    const told = Object.entries(values).map(([system, value]) => `${system} ${value}`);
    const more = told.length > MOST_TOLD ? [...told.slice(0, MOST_TOLD), "…"] : told;
    return `${name} (${more.join(", ")})`;
  });
}

const MOST_TOLD = 4;

/** Whether all systems run one model, so that the settings are what is compared. */
export function shareModel(runs: readonly RunSettings[], systems: readonly string[]): boolean {
  const wanted = new Set(systems);
  const models = new Set(runs.filter(({ system }) => wanted.has(system)).map(({ model }) => model));
  return models.size === 1 && !models.has(undefined);
}
