/** What a judge and what people said of the same outputs: a table, or a table and one of labels, becomes one unit for each output.
 *      columns   a column is a judge's or people's by the user's word or by a plain name (lexicon/judges.ts); item, system and cluster as elsewhere
 *      values    numbers as they are; of two opposite words the better one counts as 1, of others the one that the user names (`pass`)
 *      repeats   several rows of one output are averaged; each column of a judge, and each rater, is kept beside the average
 *  Limits: a verdict on pairs of systems is a label like any other ("A" against "B"). */
import { groupKeys } from "../data/keys.ts";
import { asFactor, type Column, column, selectColumns, type Table } from "../data/table.ts";
import { note, warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { isHumanColumn, isJudgeColumn, isMadeByModel } from "./lexicon/judges.ts";
import { isWord, positiveOf } from "./lexicon/opposites.ts";
import { readRoles } from "./roles.ts";

export interface JudgedColumns {
  /** Of the judge, or of several judges. */
  readonly judge?: string | readonly string[] | undefined;
  /** Of people: several columns are several raters. */
  readonly human?: string | readonly string[] | undefined;
  readonly item?: string | undefined;
  readonly system?: string | undefined;
  readonly cluster?: string | undefined;
  /** In a file of labels with a row for each rater. */
  readonly rater?: string | undefined;
  /** The label that counts as 1. */
  readonly pass?: string | undefined;
}

/** What one judge or one rater said of each output; NaN where nothing. */
export interface Voice {
  readonly name: string;
  readonly values: Float64Array;
}

export interface Judged {
  readonly outputs: number;
  /** Codes of the items; one item for each output where no column names them. */
  readonly item: Int32Array;
  readonly items: number;
  readonly system: Int32Array;
  readonly systems: readonly string[];
  readonly cluster?: Int32Array;
  /** Mean over judges and repeats, and over raters; NaN where nobody labeled. */
  readonly judge: Float64Array;
  readonly human: Float64Array;
  readonly judges: readonly Voice[];
  readonly raters: readonly Voice[];
  /** Of each output: the spread (variance, divisor k - 1) of the judge's repeats, and how many; absent without repeats. */
  readonly repeats?: { readonly count: Int32Array; readonly variance: Float64Array };
  /** Numbers that the file of labels holds beside them, by output: probabilities of having been drawn. */
  readonly noted: ReadonlyMap<string, Float64Array>;
  /** First row of each output in the table. */
  readonly row: Int32Array;
  /** Numbers that are all 0 or 1. */
  readonly binary: { readonly judge: boolean; readonly human: boolean };
  readonly columns: {
    readonly judge: readonly string[];
    readonly human: readonly string[];
    readonly item?: string;
    readonly system?: string;
    readonly cluster?: string;
    readonly rater?: string;
  };
  /** The table of the outputs, for further columns: strata, weights, slices. */
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

/** A table, or what an importer found. */
export type JudgedData = Table | { readonly table: Table };

const tableOf = (data: JudgedData): Table => ("table" in data ? data.table : data);

const listOf = (names: string | readonly string[] | undefined): readonly string[] =>
  names === undefined ? [] : typeof names === "string" ? [names] : names;

/** `labels`: what people said in a table of its own, joined on item and system; "none" where nobody has said anything yet. */
export function readJudged(data: JudgedData, told: JudgedColumns = {}, labels?: JudgedData | "none"): Judged {
  const table = tableOf(data);
  const names = [...table.columns.keys()];
  const judges = listOf(told.judge).length > 0 ? [...listOf(told.judge)] : names.filter(isJudgeColumn);
  if (judges.length === 0) throw missing("judge", table);
  for (const name of judges) column(table, name);
  const roles = rolesOf(table, told, [...judges, ...names.filter(isHumanColumn)]);
  const outputs = outputsOf(table, roles);
  const pass = told.pass;
  const voices = judges.map((name) => ({
    name,
    values: averageOf(valuesOf(table, name, pass), outputs.group, outputs.count),
  }));
  const judge = voices.length === 1 ? voices[0]!.values : meanOf(voices, outputs.count);
  const lost = judge.findIndex(Number.isNaN);
  if (lost >= 0) {
    const message = `row ${outputs.first[lost]! + 1}: the judge (${listNames(judges)}) has no score there.`;
    throw new StatError("MissingJudgment", message, "Judge every output, or leave such rows out with option `where`.");
  }
  const found =
    labels === "none"
      ? NO_LABELS
      : labels === undefined
        ? labelsBeside(table, told, { outputs, judges })
        : labelsApart(tableOf(labels), told, { table, roles, outputs });
  const human = found.raters.length === 1 ? found.raters[0]!.values : meanOf(found.raters, outputs.count);
  const systemCells = roles.system === undefined ? undefined : asFactor(column(table, roles.system));
  const { item, items } = itemsOf(table, roles, outputs);
  return {
    outputs: outputs.count,
    ...{
      item,
      items,
      judge,
      human,
      judges: voices,
      raters: found.raters,
      noted: found.noted,
      row: outputs.first,
      table,
    },
    system: systemCells === undefined ? new Int32Array(outputs.count) : take(systemCells.codes, outputs.first),
    systems: systemCells === undefined ? ["all outputs"] : systemCells.levels,
    ...(roles.cluster === undefined
      ? {}
      : { cluster: take(groupKeys([column(table, roles.cluster)], table.rows).group, outputs.first) }),
    ...repeatsOf(table, judges, { pass, outputs }),
    binary: { judge: isBinary(judge), human: isBinary(human) },
    columns: {
      judge: judges,
      human: found.columns,
      ...roles,
      ...present({ rater: found.rater }),
    },
    diagnostics: found.diagnostics,
  };
}

/** Columns that a table of outputs would be read by; undefined where it has no judge or nobody's labels. */
export function findJudged(table: Table): { readonly judge: string; readonly human: string } | undefined {
  const names = [...table.columns.keys()];
  const judge = names.find((name) => isJudgeColumn(name) && isScored(table.columns.get(name)!));
  const human = names.find((name) => isHumanColumn(name) && isScored(table.columns.get(name)!));
  return judge === undefined || human === undefined ? undefined : { judge, human };
}

/** Numbers, or two words of which one counts as 1. */
const isScored = (cells: Column): boolean =>
  cells.kind === "numeric" || (cells.levels.length === 2 && positiveOf(cells.levels) !== undefined);

interface Outputs {
  readonly group: Int32Array;
  readonly count: number;
  readonly first: Int32Array;
}

interface FoundRoles {
  readonly item?: string;
  readonly system?: string;
  readonly cluster?: string;
}

function missing(option: "judge" | "human", table: Table): StatError {
  const whose = option === "judge" ? "the judge's scores" : "people's labels";
  const fix = `Name it with option \`${option}\`${option === "human" ? ", or give the labels in a file of their own with option `labels`" : ""}.`;
  const numbers = [...table.columns].filter(([, cells]) => isScored(cells)).map(([name]) => name);
  const names = numbers.length > 0 ? numbers : [...table.columns.keys()];
  return new StatError("NoColumn", `no column is named as ${whose} are (columns: ${listNames(names, 6)}).`, fix);
}

/** Item, system and cluster, by the user's word or by plain names; what judges and people said is none of them. */
function rolesOf(table: Table, told: JudgedColumns, apart: readonly string[]): FoundRoles {
  const rest = [...table.columns.keys()].filter((name) => !apart.includes(name));
  const { roles } = rest.length === 0 ? { roles: {} as FoundRoles } : readRoles(selectColumns(table, rest));
  const own = (name: "item" | "system" | "cluster"): Partial<FoundRoles> => {
    const given = told[name];
    if (given === "none") return {};
    if (given !== undefined) column(table, given);
    const chosen = given ?? roles[name];
    return chosen === undefined ? {} : { [name]: chosen };
  };
  return { ...own("item"), ...own("system"), ...own("cluster") };
}

function outputsOf(table: Table, { item, system }: FoundRoles): Outputs {
  if (item === undefined) {
    const rows = Int32Array.from({ length: table.rows }, (_, row) => row);
    return { group: rows, count: table.rows, first: rows };
  }
  const names = system === undefined ? [item] : [item, system];
  return groupKeys(
    names.map((name) => column(table, name)),
    table.rows,
  );
}

function itemsOf(table: Table, { item }: FoundRoles, outputs: Outputs): { item: Int32Array; items: number } {
  if (item === undefined) return { item: outputs.first, items: outputs.count };
  const { group, count } = groupKeys([column(table, item)], table.rows);
  return { item: take(group, outputs.first), items: count };
}

function take(codes: Int32Array, rows: Int32Array): Int32Array {
  const taken = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = codes[rows[i]!]!;
  return taken;
}

/** Numbers of a column: of words 1 for the one that counts. */
function valuesOf(table: Table, name: string, pass: string | undefined): Float64Array {
  const cells = column(table, name);
  if (cells.kind === "numeric") {
    if (pass === undefined) return cells.values;
    const one = Number(pass);
    return cells.values.map((value) => (Number.isNaN(value) ? Number.NaN : value === one ? 1 : 0));
  }
  const used = cells.levels.filter((_, code) => cells.codes.includes(code));
  const good = pass === undefined ? positiveOf(used) : undefined;
  if (pass === undefined && good === undefined) {
    const words = listNames(used, 4);
    throw new StatError(
      "NoPass",
      `column "${name}" has the labels ${words}: which of them counts as 1 is not known.`,
      "Name it with option `pass`.",
    );
  }
  const ones = cells.levels.map((level) => (good === undefined ? level === pass : isWord(level, good.word)));
  return Float64Array.from(cells.codes, (code) => (code < 0 ? Number.NaN : ones[code] ? 1 : 0));
}

/** Of each output the mean score of the first judge over the rows that hold one level of a column; NaN where there is none. */
export function judgeWithin(judged: Judged, name: string, pass: string | undefined): readonly Voice[] {
  const { table, columns, outputs } = judged;
  const values = valuesOf(table, columns.judge[0]!, pass);
  const { codes, levels } = asFactor(column(table, name));
  const { group } = outputsOf(table, columns);
  return levels.map((level, code) => ({
    name: level,
    values: averageOf(
      values.map((value, row) => (codes[row] === code ? value : Number.NaN)),
      group,
      outputs,
    ),
  }));
}

/** Of each output the mean of its rows. */
function averageOf(values: Float64Array, group: Int32Array, count: number): Float64Array {
  if (count === values.length) return values;
  const sum = new Float64Array(count);
  const size = new Int32Array(count);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    sum[group[row]!]! += value;
    size[group[row]!]! += 1;
  }
  for (let u = 0; u < count; u++) sum[u] = size[u] === 0 ? Number.NaN : sum[u]! / size[u]!;
  return sum;
}

/** Over those who said something. */
function meanOf(voices: readonly Voice[], count: number): Float64Array {
  const mean = new Float64Array(count);
  for (let u = 0; u < count; u++) {
    let [sum, said] = [0, 0];
    for (const { values } of voices) {
      const value = values[u]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      said += 1;
    }
    mean[u] = said === 0 ? Number.NaN : sum / said;
  }
  return mean;
}

function isBinary(values: Float64Array): boolean {
  for (let u = 0; u < values.length; u++) {
    const value = values[u]!;
    if (!Number.isNaN(value) && value !== 0 && value !== 1) return false;
  }
  return true;
}

/** How far the judge's repeats of one output lie apart. */
function repeatsOf(
  table: Table,
  judges: readonly string[],
  { pass, outputs }: { readonly pass: string | undefined; readonly outputs: Outputs },
): Pick<Judged, "repeats"> {
  if (outputs.count === table.rows || judges.length > 1) return {};
  const values = valuesOf(table, judges[0]!, pass);
  const count = new Int32Array(outputs.count);
  const mean = new Float64Array(outputs.count);
  const squares = new Float64Array(outputs.count);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    const u = outputs.group[row]!;
    count[u]! += 1;
    const step = value - mean[u]!;
    mean[u]! += step / count[u]!;
    squares[u]! += step * (value - mean[u]!);
  }
  const variance = squares.map((sum, u) => (count[u]! > 1 ? sum / (count[u]! - 1) : Number.NaN));
  return { repeats: { count, variance } };
}

interface Labels {
  readonly raters: readonly Voice[];
  readonly noted: ReadonlyMap<string, Float64Array>;
  readonly columns: readonly string[];
  readonly rater?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const NO_LABELS: Labels = { raters: [], columns: [], noted: new Map(), diagnostics: [] };

/** Labels in columns of the same table. */
function labelsBeside(
  table: Table,
  told: JudgedColumns,
  { outputs, judges }: { readonly outputs: Outputs; readonly judges: readonly string[] },
): Labels {
  const given = listOf(told.human);
  const names = [...table.columns.keys()];
  const columns = given.length > 0 ? given : names.filter((name) => isHumanColumn(name) && !judges.includes(name));
  if (columns.length === 0) throw missing("human", table);
  const twice = columns.find((name) => judges.includes(name));
  if (twice !== undefined)
    throw new StatError("BadOption", `${twice} is named as the judge's column and as people's.`, "Name it once.");
  const raters = columns.map((name) => ({
    name,
    values: averageOf(valuesOf(table, name, told.pass), outputs.group, outputs.count),
  }));
  const circular = columns.filter(isMadeByModel);
  return { raters, columns, noted: new Map(), diagnostics: circular.length === 0 ? [] : [circularLabels(circular)] };
}

const circularLabels = (names: readonly string[]): Diagnostic =>
  warning(
    "CircularLabels",
    `labels of ${listNames(names)} were made by a model, by its name: they say how far two models agree, not what people think.`,
    "Have people label the drawn outputs.",
  );

interface Joining {
  readonly table: Table;
  readonly roles: FoundRoles;
  readonly outputs: Outputs;
}

/** Labels in a table of their own: one row for each output, or for each output and rater. */
function labelsApart(labels: Table, told: JudgedColumns, { table, roles, outputs }: Joining): Labels {
  if (roles.item === undefined)
    throw new StatError(
      "NoItem",
      "labels in a file of their own are joined on the items, and no column names them.",
      "Name it with option `item`.",
    );
  const names = [...labels.columns.keys()];
  const given = listOf(told.human);
  const found = given.length > 0 ? given : names.filter(isHumanColumn);
  const alone = names.filter((name) => name !== roles.item && name !== roles.system && name !== told.rater);
  const columns = found.length > 0 ? found : alone.length === 1 ? alone : [];
  if (columns.length === 0) throw missing("human", labels);
  const own = rolesOf(labels, { item: sameName(labels, roles.item), system: sameName(labels, roles.system) }, columns);
  const itemName = own.item;
  if (itemName === undefined)
    throw new StatError(
      "NoItem",
      `the file of labels has no column "${roles.item}" (columns: ${listNames(names)}).`,
      "Give both files the same column of items.",
    );
  const rater = told.rater ?? raterOf(labels, [itemName, own.system, ...columns]);
  const units = unitsOf(labels, { item: itemName, system: own.system }, { table, roles, outputs });
  const who = rater === undefined ? undefined : asFactor(column(labels, rater));
  const voices: Voice[] = [];
  for (const name of columns) {
    const values = valuesOf(labels, name, told.pass);
    for (const [code, level] of (who?.levels ?? [name]).entries()) {
      const rows = who === undefined ? undefined : who.codes;
      voices.push({
        name: columns.length > 1 && who !== undefined ? `${level}, ${name}` : level,
        values: spread(values, units, outputs.count, (row) => rows === undefined || rows[row] === code),
      });
    }
  }
  let unmatched = 0;
  for (const unit of units) if (unit < 0) unmatched += 1;
  const circular = [...columns, ...(who?.levels ?? [])].filter(isMadeByModel);
  return {
    raters: voices,
    columns,
    noted: notesOf(labels, [...columns, itemName, own.system, rater], { units, outputs: outputs.count }),
    ...present({ rater }),
    diagnostics: [
      ...(unmatched === 0 ? [] : [unmatchedLabels(unmatched, labels.rows)]),

      ...(circular.length === 0 ? [] : [circularLabels(circular)]),
    ],
  };
}

/** Further columns of numbers. */
function notesOf(
  labels: Table,
  apart: readonly (string | undefined)[],
  { units, outputs }: { readonly units: Int32Array; readonly outputs: number },
): ReadonlyMap<string, Float64Array> {
  const numbers = [...labels.columns].flatMap(([name, cells]) =>
    cells.kind === "numeric" && !apart.includes(name)
      ? [[name, spread(cells.values, units, outputs, () => true)] as const]
      : [],
  );
  return new Map(numbers);
}

const sameName = (table: Table, name: string | undefined): string | undefined =>
  name !== undefined && table.columns.has(name) ? name : undefined;

const unmatchedLabels = (unmatched: number, rows: number): Diagnostic =>
  (unmatched === rows ? warning : note)(
    "UnmatchedLabels",
    `${unmatched} of ${rows} labels belong to no judged output and are left out.`,
    "Compare the names of items and systems in the two files.",
  );

const RATERS = ["rater", "annotator", "labeler", "coder", "worker", "reviewer"];

function raterOf(labels: Table, taken: readonly (string | undefined)[]): string | undefined {
  return [...labels.columns.keys()].find((name) => RATERS.includes(name.toLowerCase()) && !taken.includes(name));
}

/** The outputs that each row of labels is about; -1 for none. */
function unitsOf(
  labels: Table,
  names: { readonly item: string; readonly system: string | undefined },
  { table, roles, outputs }: Joining,
): Int32Array {
  const ownItem = asFactor(column(labels, names.item));
  const ownSystem = names.system === undefined ? undefined : asFactor(column(labels, names.system));
  if (ownSystem === undefined && roles.system !== undefined && distinct(column(table, roles.system)) > 1)
    throw new StatError(
      "NoSystem",
      `the file of labels has no column "${roles.system}", and the judge scored several systems.`,
      "Add the system whose output was labeled to the file of labels.",
    );
  const wanted = new Map<string, number[]>();
  for (let row = 0; row < labels.rows; row++) {
    const key = keyAt(ownItem, ownSystem, row);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, [row]);
    else known.push(row);
  }
  const items = asFactor(column(table, roles.item!));
  const systems = ownSystem === undefined ? undefined : asFactor(column(table, roles.system!));
  const asked = new Set(ownItem.levels);
  const mayMatch = Uint8Array.from(items.levels, (level) => (asked.has(level) ? 1 : 0));
  const units = new Int32Array(labels.rows).fill(-1);
  for (let u = 0; u < outputs.count; u++) {
    const row = outputs.first[u]!;
    if (mayMatch[items.codes[row]!] !== 1) continue;
    for (const own of wanted.get(keyAt(items, systems, row)) ?? []) units[own] = u;
  }
  return units;
}

const distinct = (cells: Column): number =>
  cells.kind === "numeric" ? new Set(cells.values).size : new Set(cells.codes).size;

interface Codes {
  readonly codes: Int32Array;
  readonly levels: readonly string[];
}

const keyAt = (item: Codes, system: Codes | undefined, row: number): string =>
  JSON.stringify([item.levels[item.codes[row]!], system?.levels[system.codes[row]!]]);

/** Of each output the mean of the rows that count. */
function spread(
  values: Float64Array,
  units: Int32Array,
  outputs: number,
  counts: (row: number) => boolean,
): Float64Array {
  const sum = new Float64Array(outputs);
  const size = new Int32Array(outputs);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value) || units[row]! < 0 || !counts(row)) continue;
    sum[units[row]!]! += value;
    size[units[row]!]! += 1;
  }
  for (let u = 0; u < outputs; u++) sum[u] = size[u] === 0 ? Number.NaN : sum[u]! / size[u]!;
  return sum;
}
