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

const DEFAULT = "default";

/** Settings that are not the same for all systems on some task. */
export function differingSettings(runs: readonly RunSettings[], systems: readonly string[]): DifferingSetting[] {
  const own = runs.filter(({ system }) => systems.includes(system));
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
  const models = new Set(runs.filter(({ system }) => systems.includes(system)).map(({ model }) => model));
  return models.size === 1 && !models.has(undefined);
}
