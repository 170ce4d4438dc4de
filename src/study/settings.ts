/** What runs were done with beside the model (temperature, shots, solver, version of the task, prompt): where two systems differ in it,
 *  the difference between them is that of the settings too. */
import type { RunSettings } from "../data/imported.ts";
import { asFactor, type FactorColumn, type Table } from "../data/table.ts";
import {
  isAttribute,
  isJudgedAt,
  isMeasuredIn,
  isSetting,
  isSystemsOwn,
  withoutNumber,
} from "./lexicon/circumstances.ts";

/** A setting in which systems differ. */
export interface DifferingSetting {
  readonly name: string;
  /** By system, in their order; "default" where the log says nothing. */
  readonly values: Readonly<Record<string, string>>;
}

/** Share of a system's rows from which on they have one value but for a few. */
const NEARLY = 0.85;

/** The value that nearly all rows of each system have, and in how many; undefined where a system has none. */
interface Usual {
  readonly code: number;
  readonly share: number;
}

function usualValues(codes: Int32Array, own: Int32Array, systems: number): (Usual | undefined)[] {
  const counts = Array.from({ length: systems }, () => new Map<number, number>());
  codes.forEach((code, row) => {
    if (code >= 0) counts[code]!.set(own[row]!, (counts[code]!.get(own[row]!) ?? 0) + 1);
  });
  return counts.map((met) => {
    const rows = [...met.values()].reduce((sum, n) => sum + n, 0);
    const [most] = [...met].sort(([, a], [, b]) => b - a);
    return most === undefined || most[0] < 0 || most[1] < NEARLY * rows
      ? undefined
      : { code: most[0], share: most[1] / rows };
  });
}

/** Of columns that have one value for each system, or one in nearly all of its rows and not the same everywhere; those with another role are left alone. */
export function settingsInColumns(table: Table, system: string, taken: ReadonlySet<string>): RunSettings[] {
  const { levels, codes } = asFactor(table.columns.get(system)!);
  const columns = [...table.columns.keys()]
    .filter((name) => isSetting(name) && !taken.has(name))
    .map((name) => {
      const cells = asFactor(table.columns.get(name)!);
      const usual = usualValues(codes, cells.codes, levels.length);
      const alike = new Set(usual.map((own) => own?.code)).size < 2;
      return { name, values: usual.map((own) => own && (own.share === 1 || !alike) && tellUsual(own, cells.levels)) };
    });
  return levels.flatMap((level, own) => {
    const values = columns.flatMap(({ name, values: told }) => (told[own] ? [[name, told[own]] as const] : []));
    return values.length === 0 ? [] : [{ system: level, values: Object.fromEntries(values) }];
  });
}

/** "0.7", "0.7 in 95 % of its rows". */
const tellUsual = ({ code, share }: Usual, levels: readonly string[]): string =>
  share === 1 ? levels[code]! : `${levels[code]} in ${Math.floor(100 * share)} % of its rows`;

/** Fewer rows of a system show nothing constant. */
const FEWEST_ROWS = 5;

/** Columns of words, days or seeds with one value for each system and not the same for all: batch, session, language, the day of rating. Of those
 *  that `circumstance` knows by name one value in nearly all of its rows is enough, and each system may have several that no other has. */
export function goingWithSystem(
  table: Table,
  system: string,
  {
    taken,
    circumstance = () => false,
  }: { readonly taken: ReadonlySet<string>; readonly circumstance?: (name: string) => boolean },
): DifferingSetting[] {
  const { levels, codes } = asFactor(table.columns.get(system)!);
  const sizes = new Int32Array(levels.length);
  for (const code of codes) if (code >= 0) sizes[code]! += 1;
  if (levels.length < 2 || sizes.some((n) => n < FEWEST_ROWS)) return [];
  return [...table.columns].flatMap(([name, cells]) => {
    const plain = withoutNumber(name);
    const known = circumstance(name);
    if (taken.has(name) || isSetting(name) || (!known && isAttribute(plain)) || isSystemsOwn(plain)) return [];
    if (cells.kind === "numeric" && !known && !isMeasuredIn(plain)) return [];
    const plainCells = asFactor(cells);
    const own = plainCells.levels.length > levels.length && isJudgedAt(plain) ? byDay(plainCells) : plainCells;
    const usual = usualValues(codes, own.codes, levels.length);
    const apart = known ? ownValues(codes, own, levels) : undefined;
    if (usual.some((one) => one === undefined)) return apart === undefined ? [] : [{ name, values: apart }];
    if (new Set(usual.map((one) => one!.code)).size < 2 || (!known && usual.some((one) => one!.share < 1))) return [];
    const values = Object.fromEntries(levels.map((level, s) => [level, tellUsual(usual[s]!, own.levels)]));
    // the system by another name
    return levels.some((level) => values[level]!.toLowerCase().includes(level.toLowerCase()) && level.length > 1)
      ? []
      : [{ name, values }];
  });
}

/** Times of a day are that day. */
function byDay(cells: FactorColumn): FactorColumn {
  if (!cells.levels.every((level) => /^\d{4}-\d\d-\d\d[T ]\d/.test(level))) return cells;
  const days = cells.levels.map((level) => level.slice(0, 10));
  const levels = [...new Set(days)];
  const place = new Map(levels.map((day, k) => [day, k]));
  return { ...cells, levels, codes: cells.codes.map((code) => (code < 0 ? code : place.get(days[code]!)!)) };
}

/** Fewer rows under one value are no batch; where there are more values, each is rather one item than many; days may be more. */
const FEWEST_TOGETHER = 5;
const MOST_APART = 12;
const MOST_DAYS = 60;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** "1, 2, 3" of one system and "4, 5, 6" of the other: several values each, none of which is nearly shared. */
function ownValues(
  codes: Int32Array,
  { codes: own, levels: values }: FactorColumn,
  systems: readonly string[],
): Record<string, string> | undefined {
  const counts = values.map(() => new Map<number, number>());
  let rows = 0;
  codes.forEach((code, row) => {
    if (code < 0 || own[row]! < 0) return;
    rows += 1;
    counts[own[row]!]!.set(code, (counts[own[row]!]!.get(code) ?? 0) + 1);
  });
  const met = counts.map((all) => [...all].sort(([, a], [, b]) => b - a)[0]);
  const seen = met.filter((one) => one !== undefined);
  if (seen.length > (values.every((value) => DAY.test(value)) ? MOST_DAYS : MOST_APART)) return undefined;
  if (seen.length * FEWEST_TOGETHER > rows || seen.reduce((sum, [, n]) => sum + n, 0) < NEARLY * rows) return undefined;
  const of = systems.map((_, s) => values.filter((_, k) => met[k]?.[0] === s));
  if (of.some((list) => list.length === 0)) return undefined;
  const told = of.map((list) =>
    list.length > MOST_VALUES ? `${list.slice(0, MOST_VALUES).join("/")}/…` : list.join("/"),
  );
  return Object.fromEntries(systems.map((name, s) => [name, told[s]!]));
}

const MOST_VALUES = 3;

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
