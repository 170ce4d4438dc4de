/** From the results that a log holds, one row for each system, item, repeat and rater, to the long table.
 *  Items are the same if task and id are the same and so is their content, where the log tells it: two runs that number
 *  different questions alike must not be paired. */

import type { RunSettings } from "../../data/imported.ts";
import { type Format, type Imported, type ImportedMetric, NO_ROLES, type Roles } from "../../data/imported.ts";
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { profileTable } from "../../study/facts.ts";
import { measureDesign } from "../../study/layout.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import { isClusterName } from "../../study/lexicon/names.ts";
import { isCovariate } from "../../study/roles.ts";
import { type Cell, TableBuilder } from "../columns.ts";

export interface LongRow {
  readonly system?: string | undefined;
  readonly item: string;
  readonly task?: string | undefined;
  readonly repeat?: string | number | undefined;
  readonly rater?: string | undefined;
  /** Anything that differs when the content of the item differs. */
  readonly content?: string | undefined;
  /** Value of each metric; NaN is "not scored", which is not 0. */
  readonly scores: ReadonlyMap<string, number>;
  /** Other known properties of the row. */
  readonly properties?: ReadonlyMap<string, Cell> | undefined;
}

export interface LongSpec {
  readonly format: Format;
  readonly files: readonly string[];
  readonly summary: string;
  /** Name of the repeat column: "epoch", "seed", "run", "trial". */
  readonly repeatName?: string;
  /** By the metric's name in the log. */
  readonly higherIsBetter?: ReadonlyMap<string, boolean>;
  /** Metrics that come first, the main one foremost. */
  readonly mainMetrics?: readonly string[];
  /** Properties (by name) with a fixed meaning. */
  readonly fixedRoles?: Partial<Pick<Roles, "cluster" | "perturbation" | "opponent" | "text" | "reference" | "label">>;
  readonly settings?: readonly RunSettings[];
  readonly assumptions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const RESERVED = ["system", "task", "item", "rater"];

export function makeLongTable(rows: readonly LongRow[], spec: LongSpec): Imported {
  if (rows.length === 0) throw noRows(spec.format, spec.files, spec.diagnostics);
  const repeatName = spec.repeatName ?? "repeat";
  const names = new ColumnNames([...RESERVED, repeatName]);
  const labels = orderMetrics(rows, spec.mainMetrics ?? []);
  const others = listProperties(rows, spec.fixedRoles ?? {});
  const builder = new TableBuilder();
  builder.expect(rows.length, labels.length + others.length);
  const metrics = labels.map((label) => ({ label, name: names.claim(label) }));
  const properties = others.map((label) => ({ label, name: names.claim(label) }));
  const items = nameItems(rows);
  const has = {
    system: rows.some((row) => row.system !== undefined),
    task: rows.some((row) => row.task !== undefined),
    repeat: rows.some((row) => row.repeat !== undefined),
    rater: rows.some((row) => row.rater !== undefined),
  };
  rows.forEach((row, i) => {
    const cells = new Map<string, Cell>();
    if (has.system) cells.set("system", row.system);
    if (has.task) cells.set("task", row.task);
    cells.set("item", items.names[i]);
    if (has.repeat) cells.set(repeatName, row.repeat);
    if (has.rater) cells.set("rater", row.rater);
    for (const { label, name } of metrics) cells.set(name, row.scores.get(label) ?? Number.NaN);
    for (const { label, name } of properties) cells.set(name, row.properties?.get(label));
    builder.add(cells);
  });
  const table = builder.finish();
  const found = new Map(properties.map(({ label, name }) => [label, name]));
  const fixed = Object.entries(spec.fixedRoles ?? {}).flatMap(([role, label]) => {
    const name = found.get(label);
    return name === undefined ? [] : [[role, name] as const];
  });
  const fixedNames = new Set(fixed.map(([, name]) => name));
  const free = properties.map(({ name }) => name).filter((name) => !fixedNames.has(name));
  const sorted = sortProperties(table, free, { clusterTaken: "cluster" in (spec.fixedRoles ?? {}) });
  const metricNames = metrics.map(({ name }) => name);
  const roles: Roles = {
    ...(has.system ? { system: "system" } : {}),
    item: "item",
    ...(metricNames[0] === undefined ? {} : { score: metricNames[0] }),
    ...(has.task ? { task: "task" } : {}),
    ...(has.repeat ? { repeat: repeatName } : {}),
    ...(has.rater ? { rater: "rater" } : {}),
    ...sorted,
    ...Object.fromEntries(fixed),
    metrics: metricNames,
    parameters: [],
  };
  const design = measureDesign(table, roles);
  return {
    format: spec.format,
    files: spec.files,
    summary: spec.summary,
    table,
    roles,
    systems: design.systems,
    items: design.items,
    repeats: design.repeats,
    metrics: metrics.map(({ label, name }) => describeMetric(label, name, spec)),
    assumptions: [...spec.assumptions, ...items.assumptions],
    ...(spec.settings === undefined || spec.settings.length === 0 ? {} : { settings: spec.settings }),
    diagnostics: [
      ...spec.diagnostics,
      ...items.diagnostics,
      ...(spec.fixedRoles?.opponent === undefined ? reportGaps(rows, items.names) : []),
    ],
  };
}

/** Properties beyond the design of a log: which one groups items, which may explain scores, which only name. */
function sortProperties(
  table: Table,
  columns: readonly string[],
  { clusterTaken }: { readonly clusterTaken: boolean },
): Pick<Roles, "cluster" | "covariates" | "identifiers"> {
  const own = profileTable(table).filter(({ name }) => columns.includes(name));
  const cluster = clusterTaken
    ? undefined
    : own.find(
        ({ name, values, distinct, rows }) =>
          isClusterName(name) && values !== "text" && distinct > 1 && distinct < rows,
      );
  const rest = own.filter((profile) => profile !== cluster);
  return {
    ...(cluster === undefined ? {} : { cluster: cluster.name }),
    covariates: rest.filter(isCovariate).map(({ name }) => name),
    identifiers: rest.filter((profile) => !isCovariate(profile)).map(({ name }) => name),
  };
}

function describeMetric(label: string, name: string, spec: LongSpec): ImportedMetric {
  const direction = spec.higherIsBetter?.get(label) ?? metricDirection(label);
  return { name, label, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}

/** Column names that a formula can use as they are: letters, digits, dots and underscores, each once. */
class ColumnNames {
  #taken: Set<string>;

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  claim(label: string): string {
    const plain = label.replace(/[^\p{L}\p{N}_.]+/gu, "_").replace(/^_+|(?<!_)_+$/g, "") || "value";
    let name = /^[\p{L}.]/u.test(plain) && !/^\.\d/.test(plain) ? plain : `x${plain}`;
    for (let i = 2; this.#taken.has(name); i += 1) name = `${plain}_${i}`;
    this.#taken.add(name);
    return name;
  }
}

function orderMetrics(rows: readonly LongRow[], first: readonly string[]): string[] {
  const found = new Set<string>();
  for (const row of rows) for (const label of row.scores.keys()) found.add(label);
  const foremost = new Set(first.filter((label) => found.has(label)));
  return [...foremost, ...[...found].filter((label) => !foremost.has(label))];
}

/** A text property with more values than this is content; a category repeats. */
const MAX_TEXT_VALUES = 50;

/** Names of the properties worth a column: numbers, categories, and whatever has a meaning by its name or by the format. */
function listProperties(rows: readonly LongRow[], fixed: object): string[] {
  const texts = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const [label, cell] of row.properties ?? []) {
      if (cell === null || cell === undefined) continue;
      counts.set(label, (counts.get(label) ?? 0) + 1);
      const seen = texts.get(label) ?? new Set();
      texts.set(label, seen);
      if (typeof cell === "string") seen.add(cell);
    }
  }
  const kept = new Set(Object.values(fixed));
  return [...counts.keys()].filter((label) => {
    const values = texts.get(label)!.size;
    if (kept.has(label) || values === 0) return true;
    const groups = isClusterName(label) && values < counts.get(label)!;
    return groups || (values <= MAX_TEXT_VALUES && (values < counts.get(label)! || rows.length === 1));
  });
}

interface NamedItems {
  /** Item of each row. */
  readonly names: readonly string[];
  readonly assumptions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The id alone where that is unique; with the task where two tasks share an id; with a number where contents differ. */
function nameItems(rows: readonly LongRow[]): NamedItems {
  const tasksOf = new Map<string, Set<string>>();
  const contentsOf = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const task = row.task ?? "";
    tasksOf.set(row.item, (tasksOf.get(row.item) ?? new Set()).add(task));
    if (row.content === undefined) continue;
    const key = JSON.stringify([task, row.item]);
    const contents = contentsOf.get(key) ?? new Map<string, number>();
    if (!contents.has(row.content)) contents.set(row.content, contents.size + 1);
    contentsOf.set(key, contents);
  }
  const shared = [...tasksOf.values()].some((tasks) => tasks.size > 1);
  const clashing = [...contentsOf].filter(([, contents]) => contents.size > 1);
  const names = rows.map((row) => {
    const id = shared && row.task !== undefined ? `${row.task}/${row.item}` : row.item;
    if (clashing.length === 0) return id;
    const contents = contentsOf.get(JSON.stringify([row.task ?? "", row.item]));
    if (contents === undefined || contents.size < 2 || row.content === undefined) return id;
    return `${id} (${contents.get(row.content)!})`;
  });
  const ids = clashing.map(([key]) => String((JSON.parse(key) as string[])[1]));
  return {
    names,
    assumptions: shared ? ["The same item id occurs in several tasks; items are named task/id."] : [],
    diagnostics:
      clashing.length === 0
        ? []
        : [
            {
              code: "SameIdOtherContent",
              severity: "warning",
              message: `${clashing.length} item ${clashing.length === 1 ? "id stands" : "ids stand"} for different contents in different places (${listNames(ids)}).`,
              fix: "They are kept apart as different items and not paired; check that the runs used the same data set.",
            },
          ],
  };
}

/** Items that some systems have and others lack, per task: a missing item is neither passed nor failed. */
function reportGaps(rows: readonly LongRow[], items: readonly string[]): Diagnostic[] {
  const tasks = new Map<string, Map<string, Set<string>>>();
  rows.forEach((row, i) => {
    if (row.system === undefined) return;
    const systems = tasks.get(row.task ?? "") ?? new Map<string, Set<string>>();
    tasks.set(row.task ?? "", systems);
    systems.set(row.system, (systems.get(row.system) ?? new Set()).add(items[i]!));
  });
  const list: Diagnostic[] = [];
  for (const [task, systems] of tasks) {
    if (systems.size < 2) continue;
    const sets = [...systems.values()];
    const all = new Set(sets.flatMap((set) => [...set]));
    const shared = [...all].filter((item) => sets.every((set) => set.has(item)));
    if (shared.length === all.size) continue;
    const lacking = [...systems].filter(([, set]) => set.size < all.size);
    const parts = lacking.map(([system, set]) => `${system} lacks ${all.size - set.size}`);
    list.push({
      code: "UnmatchedItems",
      severity: "warning",
      message: `${task === "" ? "" : `${task}: `}${shared.length} of ${all.size} items were run on every system (${listNames(parts, 4)}).`,
      fix: "A model is fitted to all rows, so the systems' means rest on different items. Run the missing items, or keep the shared ones for a paired comparison.",
    });
  }
  return list;
}

/** The file is of a known format but nothing in it is a result. */
export function noRows(format: Format, files: readonly string[], diagnostics: readonly Diagnostic[]): StatError {
  const why = diagnostics[0];
  return new StatError(
    "NoRows",
    `${listNames(files)}: read as ${format}, but it holds no usable row${why === undefined ? "." : `; ${why.message}`}`,
    why?.fix ?? "Check that the run wrote its results.",
  );
}

/** Totals without items: what a tool reports about a run when the single results are not in the file. */
export function makeSummaryTable(
  records: readonly ReadonlyMap<string, Cell>[],
  spec: Pick<LongSpec, "format" | "files" | "summary" | "assumptions" | "diagnostics"> & {
    readonly roles: Partial<Roles>;
    readonly metrics: readonly ImportedMetric[];
  },
): Imported {
  if (records.length === 0) throw noRows(spec.format, spec.files, spec.diagnostics);
  const builder = new TableBuilder();
  for (const record of records) builder.add(record);
  const table = builder.finish();
  const roles: Roles = { ...NO_ROLES, ...spec.roles, metrics: spec.metrics.map((metric) => metric.name) };
  const { systems } = measureDesign(table, roles);
  const note: Diagnostic = {
    code: "TotalsOnly",
    severity: "warning",
    message: "the file holds totals, not the results of single items.",
    fix: "Differences between systems need item results: export or log the samples and import them.",
  };
  const { format, files, summary, metrics, assumptions } = spec;
  const diagnostics = [note, ...spec.diagnostics];
  return {
    ...{ format, files, summary, table, roles, systems, items: 0, repeats: 0, metrics, assumptions, diagnostics },
    kind: "totals",
  };
}
