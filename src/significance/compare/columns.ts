/** Which columns hold systems, items and scores: as the options say, otherwise as the importer found. */

import { isNumberedByReader, looksHeaderless } from "../../data/header.ts";
import type { Imported, ImportedMetric } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { mergeImported, type NamedImport } from "../../data/merge.ts";
import { matchMetric, matchNumber } from "../../data/metric-column.ts";
import { metricDirection } from "../../data/roles/direction.ts";
import { refuseUnsureScore } from "../../data/roles/evidence.ts";
import { explainCrossed, explainTextScore } from "../../data/roles/hints.ts";
import { columnsOfLabels } from "../../data/roles/predictions.ts";
import { scoreNumbers } from "../../data/roles/score-facts.ts";
import { withItemColumns } from "../../data/roles/told.ts";
import { understandTable } from "../../data/roles/understand.ts";
import { SETTINGS_IN } from "../../data/settings.ts";
import { findSignedVotes } from "../../data/shapes/votes.ts";
import { asFactor, selectRows, type Table } from "../../data/table.ts";
import { askTries } from "../../metrics/catalogue.ts";
import { findTries, type TriesChoice } from "../../metrics/tries/tries.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { quoteName } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import type { CompareOptions } from "./comparison.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import type { Direction } from "./pair/verdict.ts";
import { tellCopies } from "./reading/copies.ts";
import { withErrorColumns } from "./reading/errors.ts";
import { withNamedRoles } from "./reading/named.ts";
import { explainNoItem, refuseRowsOfRuns } from "./reading/no-item.ts";
import { keepSamePrompts } from "./reading/prompts.ts";
import { refuseOutputProperty } from "./reading/properties.ts";
import { withRaterColumns } from "./reading/rater-columns.ts";
import { findMetricNamed, readOneMetric } from "./reading/reading.ts";
import { joinMetrics, joinSheets, joinTasks, pairDataSets } from "./reading/sheets.ts";
import { joinRuns } from "./reading/text-runs.ts";
import { placeUnnamed } from "./reading/unnamed.ts";

/** The files as one table, and as they were. */
export interface Merged extends Imported {
  readonly parts: readonly NamedImport[];
  /** Metrics that stand in rows of their own, beside those that are columns. */
  readonly otherMetrics?: readonly ImportedMetric[];
  /** What was noticed while the files were put together. */
  readonly notes?: readonly Diagnostic[];
}

/** What an importer found, one or several of them (a file each, by the path that names it), or a table. */
export type ComparedFiles = Imported | NamedImport | readonly (Imported | NamedImport)[] | Table;

const isTable = (data: Imported | Table): data is Table => !("roles" in data);

function nameFiles(data: ComparedFiles): NamedImport[] {
  const several: readonly (Imported | NamedImport | Table)[] = Array.isArray(data) ? data : [data];
  return several.map((part): NamedImport => {
    if ("imported" in part) return part;
    if (!isTable(part)) return { path: part.files[0] ?? "system", imported: part };
    return { path: "table", imported: { ...understandTable(part), format: "csv", files: [], summary: "" } };
  });
}

/** One file whose raters have a column each. */
function stackRaters(data: ComparedFiles, given: CompareOptions): { data: ComparedFiles; given: CompareOptions } {
  const [file, ...others] = given.rater?.includes(",") === true ? nameFiles(data) : [];
  if (file === undefined || others.length > 0) return { data, given };
  const { part, rater } = withRaterColumns(file, given.rater);
  return { data: part, given: { ...given, rater } };
}

export function gather(data: ComparedFiles, options: CompareOptions): Merged {
  const named = nameFiles(data).map((part) => ({ ...part, imported: withItemColumns(part.imported, options.item) }));
  const { parts: known, notes: unnamed } = placeUnnamed(named, options);
  const whole = withNamedRoles(known.length === 1 ? [withNamedColumns(known[0]!, options)] : known, options);
  const { parts: read, others } = readOneMetric(joinMetrics(whole, options), options);
  const { parts: same, notes } = keepSamePrompts(withErrorColumns(read));
  const parts = joinSheets(joinTasks(joinRuns(pairDataSets(same), options), options), options);
  return {
    ...mergeImported(parts, options.time === "none" ? undefined : options.time),
    parts,
    otherMetrics: others,
    // who names what hangs together has looked
    notes: [...unnamed, ...notes, ...(options.cluster === undefined ? tellCopies(same) : [])],
  };
}

/** The files, and pass@k or its like where that is asked for and no column has the name; `rest` then names the score that the tries have. */
export function gatherTries(
  files: ComparedFiles,
  asked: CompareOptions,
): { readonly read: Merged; readonly tries: TriesChoice | undefined; readonly rest: CompareOptions } {
  const { data, given } = stackRaters(files, asked);
  const { metric } = given;
  const tries = metric === undefined ? undefined : findTries(metric);
  if (tries === undefined) return { read: gather(data, given), tries, rest: given };
  const { table, metrics, otherMetrics = [] } = gather(data, { ...given, metric: undefined });
  if (table.columns.has(metric!) || matchMetric(metric!, [...metrics, ...otherMetrics]).length > 0)
    return { read: gather(data, given), tries: undefined, rest: given };
  if (tries.kind === "bayes@")
    throw new StatError(
      "BadMetric",
      "Bayes@N is a score of one system: of as many tries its items rank as their means do.",
      "Compare the means (leave option `metric` out), or pass@k.",
    );
  const rest = { ...given, metric: tries.of };
  return { read: gather(data, rest), tries, rest };
}

/** A metric that the joining of two files put beside several raters' rows is the same in each: it was measured once, and the raters say nothing
 *  about it. In a file of its own equal ratings are ratings. */
export function leaveIdleRatersOut(
  { parts }: Merged,
  { columns, table }: { readonly columns: ComparisonColumns; readonly table: Table },
  { rater: given }: CompareOptions,
): { readonly columns: ComparisonColumns; readonly table: Table; readonly notes: readonly Diagnostic[] } {
  const { rater, ...rest } = columns;
  const same = { columns, table, notes: [] };
  if (rater === undefined || given !== undefined) return same;
  if (!parts.some(({ imported }) => imported.joined !== undefined)) return same;
  const names = [rest.system, rest.item, rest.task, rest.repeat].filter((name) => name !== undefined);
  const { group, first, count } = groupKeys(
    names.map((name) => table.columns.get(name)!),
    table.rows,
  );
  const values = scoreNumbers(table, rest.score);
  if (count === table.rows || !group.every((own, row) => Object.is(values[row], values[first[own]!]))) return same;
  const message = `${rest.score} is the same for every ${rater} of an output: it counts once, and the raters are left out.`;
  const fix = `Option \`rater: ${rater}\` takes each row for a judgement of its own.`;
  return { columns: rest, table: selectRows(table, first.slice().sort()), notes: [note("IdleRaters", message, fix)] };
}

export function chooseColumns(merged: Merged, table: Table, options: CompareOptions): ComparisonColumns {
  refuseSigned(merged, options);
  const score = chooseScore(merged, table, options.metric);
  const { slice = [], by } = options;
  for (const name of slice) requireColumn(table, "slice", name);
  if (by !== undefined) requireColumn(table, "by", by);
  const units = chooseUnits(merged, table, options);
  if (by !== undefined) refuseOutputProperty(table, units, by);
  if (slice.includes(units.item)) {
    const message = `option \`slice: ${units.item}\`: each ${units.item} is one item here, and one item is no slice.`;
    throw new StatError("BadOption", message, "Name a column that groups items, or other items with option `item`.");
  }
  return { ...units, score, slices: slice };
}

/** The columns that the importer found, unless an option names another; "none" takes a guess back. */
export function chooseUnits(
  { roles, parts }: Merged,
  table: Table,
  options: CompareOptions,
): Omit<ComparisonColumns, "score" | "slices"> {
  const pick = (role: "system" | "item" | "rater" | "repeat" | "cluster" | "task"): string | undefined => {
    const given = options[role];
    if (given === "none") return undefined;
    if (given !== undefined) requireColumn(table, role, given);
    return given ?? roles[role];
  };
  const [system, item] = [pick("system"), pick("item")];
  askIfUnsure(parts, { system, item }, options);
  if (system !== undefined && item === undefined && isTotalsOnly(table, system)) throw totalsOnly(system);
  if (system === undefined)
    throw new StatError(
      "NoSystemColumn",
      "no column could be recognised as the system.",
      `Name it with option \`system\`; the columns are ${ownColumns(parts, table).join(", ")}.`,
    );
  if (item === undefined) {
    const found = { roles, system, score: options.metric ?? roles.score, columns: ownColumns(parts, table) };
    throw explainNoItem(table, found);
  }
  if (options.item === undefined) refuseRowsOfRuns(item, parts[0]?.imported.roles.wide ?? [], ownColumns(parts, table));
  const optional = Object.fromEntries(
    (["rater", "repeat", "cluster", "task"] as const).flatMap((role) => {
      const name = pick(role);
      return name === undefined ? [] : [[role, name]];
    }),
  );
  if (options.repeat !== undefined && options.repeat !== "none") refuseProperty(table, options.repeat, item);
  return { system, item, ...optional };
}

/** What is the same in all rows of an item repeats nothing: it groups items, which are not to be taken for one another's repeats. */
function refuseProperty(table: Table, repeat: string, item: string): void {
  const count = (...names: string[]): number =>
    groupKeys(
      names.map((name) => table.columns.get(name)!),
      table.rows,
    ).count;
  if (count(repeat) < 2 || !table.columns.has(item) || count(item, repeat) > count(item)) return;
  throw new StatError(
    "BadOption",
    `option \`repeat: ${repeat}\`: every item has one ${repeat} only, so that nothing is repeated by it.`,
    `If items of one ${repeat} hang together, use option \`cluster: ${repeat}\`; otherwise leave it out.`,
  );
}

/** A guess below this is put to the user as a question. */
const SURE = 0.6;

/** Which column a role has was guessed, and the guess is none to answer upon. */
function askIfUnsure(
  parts: readonly NamedImport[],
  chosen: Readonly<Partial<Record<"system" | "item", string | undefined>>>,
  options: CompareOptions,
): void {
  for (const role of ["system", "item"] as const) {
    const unsure = parts
      .flatMap(({ imported }) => imported.guesses ?? [])
      .find((guess) => guess.role === role && guess.column === chosen[role] && guess.confidence < SURE);
    if (unsure === undefined || options[role] !== undefined) continue;
    throw new StatError(
      "UnsureColumn",
      `is ${unsure.column} the ${role}? ${unsure.reason.charAt(0).toUpperCase()}${unsure.reason.slice(1)}; nothing else says so.`,
      `Say so with option \`${role}: ${unsure.column}\`, or name another column${role === "item" ? ", or several that name it together" : ""}.`,
    );
  }
}

/** One number for two systems, of which nothing says whom it prefers. */
function refuseSigned({ parts, roles }: Merged, { metric, system }: CompareOptions): void {
  if (system !== undefined || roles.opponent !== undefined) return;
  for (const { imported } of parts) {
    const { roles: own, table } = imported;
    const signed = own.opponent === undefined ? findSignedVotes(table) : undefined;
    if (signed === undefined || (metric ?? own.score) !== signed.vote) continue;
    const { vote, min, max, sides } = signed;
    if (sides !== undefined)
      throw new StatError(
        "SignedVotes",
        `${vote} runs from ${min} to ${max} between ${sides[0]} and ${sides[1]}, and nothing says whom more than 0 prefers.`,
        `Write a column with a, b or tie in its place: a where it prefers ${sides[0]}, b where it prefers ${sides[1]}.`,
      );
    if (own.system !== undefined || parts.length > 1) continue;
    throw new StatError(
      "SignedVotes",
      `${vote} runs from ${min} to ${max}: it weighs two systems against each other in one number, and no column names them.`,
      `Ask \`fitLmm\` for its mean, which is 0 where neither is preferred: ${JSON.stringify(`${quoteName(vote)} ~ 1${[own.item, own.rater].map((name) => (name === undefined ? "" : ` + (1 | ${quoteName(name)})`)).join("")}`)}.`,
    );
  }
}

function chooseScore({ roles, metrics, parts }: Merged, table: Table, metric: string | undefined): string {
  if (metric !== undefined) {
    if (table.columns.has(metric)) return metric;
    const found = findMetricNamed(metric, metrics) ?? metrics.find((own) => own.column === metric)?.name;
    if (found !== undefined) return found;
    const tries = askTries(metric);
    if (tries !== undefined) throw tries;
    const number = matchNumber(metric, table);
    if (number === undefined) requireColumn(table, "metric", metric);
    return number ?? metric;
  }
  const found = roles.score ?? metrics[0]?.name;
  if (found === undefined) throw explainMissingScore(parts, table);
  for (const { imported } of parts) {
    const { system, wide, metrics: own } = imported.roles;
    const crossed = system || wide.length > 0 ? undefined : explainCrossed(imported.table, parts.length > 1 ? [] : own);
    if (crossed !== undefined) throw new StatError("UnsureColumn", `${crossed.why}.`, crossed.fix);
    refuseUnsureScore(imported, found);
  }
  return found;
}

/** Each system has one row: a leaderboard, not results. */
const isTotalsOnly = (table: Table, system: string): boolean =>
  table.rows > 1 && inOrder(table, system).length === table.rows;

const totalsOnly = (system: string): StatError =>
  new StatError(
    "TotalsOnly",
    `one row for each ${system}: totals, which say nothing about how far chance goes.`,
    "Give the scores of single items: a row for each system and item.",
  );

/** What the files hold instead of scores: texts, labels, or scores that are no numbers. */
function explainMissingScore(files: readonly NamedImport[], table: Table): StatError {
  const headless = files.find(({ imported: { table } }) => looksHeaderless(table) || isNumberedByReader(table));
  if (headless !== undefined) throw noHeader(headless);
  const { system } = files[0]?.imported.roles ?? {};
  if (system !== undefined && table.columns.has(system) && isTotalsOnly(table, system)) return totalsOnly(system);
  if (files.every(({ imported }) => imported.format === "text")) {
    const names = files.map(({ path }) => path).join(" and ");
    return new StatError(
      "NoReference",
      `${names} ${files.length === 1 ? "holds" : "hold"} texts, which can only be compared by a reference.`,
      "Add option `references`, one sentence a line.",
    );
  }
  for (const { path, imported } of files) {
    const where = files.length === 1 ? "" : `${path}: `;
    const judged = imported.diagnostics.find(({ code }) => code === "NoSystems" || code === "NoMeasures");
    if (judged !== undefined) return new StatError("NoScoreFound", `${where}${judged.message}`, judged.fix);
    const hint = explainTextScore(imported.table, imported.roles);
    if (hint !== undefined) {
      const fix = hint.makes === undefined ? hint.fix : hint.fix.replace(/\.$/, ` option \`metric: ${hint.makes}\`.`);
      return new StatError("NoScoreFound", `${where}no score: ${hint.why}.`, fix);
    }
    const { label, covariates, identifiers, prediction, rater } = imported.roles;
    if (label !== undefined && rater !== undefined) {
      const message = `${where}no score: ${label} holds what ${rater} chose, and no system is named.`;
      return new StatError(
        "NoScoreFound",
        message,
        "Agreement asks whether raters chose alike; `compare` needs systems and scores.",
      );
    }
    if (label !== undefined) {
      const message = `${where}no score, but ${label} looks like the right labels.`;
      const found = columnsOfLabels(imported.table, label, [...covariates, ...identifiers]);
      const likely = found.length > 0 ? found : covariates.slice(0, MOST_NAMED);
      const told = prediction ?? (likely.length === 0 ? "predicted" : likely.join(","));
      const numbers = found.filter((name) => numericColumns({ path, imported }).includes(name));
      const scores =
        numbers.length < 2
          ? ""
          : ` If ${numbers.join(", ")} say how well each did, they are systems: option \`systems: ${numbers.join(",")}\`.`;
      return new StatError(
        "NoScoreFound",
        message,
        `Say which columns predict it: options \`gold: ${label}\` \`pred: ${told}\`.${scores}`,
      );
    }
  }
  const alone = files.length === 1 && files[0]!.imported.roles.system === undefined ? files[0]! : undefined;
  const named = Object.values(alone?.imported.roles ?? {});
  const numbers =
    alone === undefined ? [] : numericColumns(alone).filter((name) => !SETTINGS_IN.test(name) && !named.includes(name));
  if (numbers.length > 1) {
    const told = numbers.slice(0, MOST_NAMED).join(",");
    return new StatError(
      "NoScoreFound",
      "no column could be recognised as a score.",
      `Name it with option \`metric\`; if each column is a system, name them: option \`systems: ${told}\`.`,
    );
  }
  const columns = ownColumns(files, table).join(", ");
  return new StatError(
    "NoScoreFound",
    "no column could be recognised as a score.",
    `Name it with option \`metric\`; the columns are ${columns}.`,
  );
}

const NAME_COLUMNS = "Add a first line that names the columns, such as system,item,score.";

function noHeader({ path, imported: { table } }: NamedImport): StatError {
  const names = [...table.columns.keys()].join(", ");
  const told = isNumberedByReader(table)
    ? `the first line looks like data, not like names of columns, which are called ${names} here.`
    : `the first line (${names}) looks like data, not like names of columns.`;
  return new StatError("NoHeader", `${path}: ${told}`, NAME_COLUMNS);
}

const MOST_NAMED = 4;

const numericColumns = ({ imported: { table } }: NamedImport): string[] =>
  [...table.columns].flatMap(([name, { kind }]) => (kind === "numeric" ? [name] : []));

/** Columns of numbers that are named as systems are systems of a wide table, whatever the importer made of them. */
function withNamedColumns(part: NamedImport, { systems: named = [] }: CompareOptions): NamedImport {
  const { imported } = part;
  const { score: _, ...roles } = imported.roles;
  const numbers = numericColumns(part);
  if (roles.system !== undefined || named.length < 2 || !named.every((name) => numbers.includes(name))) return part;
  return { ...part, imported: { ...imported, roles: { ...roles, wide: named, metrics: named } } };
}

/** Columns that the files have; the merged table has some of our making. */
function ownColumns(files: readonly NamedImport[], table: Table): string[] {
  const found = new Set(files.flatMap(({ imported }) => [...imported.table.columns.keys()]));
  return found.size === 0 ? [...table.columns.keys()] : [...found];
}

export function requireColumn(table: Table, option: string, name: string): void {
  if (table.columns.has(name)) return;
  const names = [...table.columns.keys()];
  const near = nearest(name, names);
  throw new StatError(
    "UnknownColumn",
    `option \`${option}\` ${name}: no such column.`,
    near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
  );
}

/** Systems as they first occur in the data. */
function inOrder(table: Table, system: string): string[] {
  const cells = asFactor(table.columns.get(system)!);
  return [...new Set(cells.codes)].filter((code) => code >= 0).map((code) => cells.levels[code]!);
}

export function chooseSystems(
  table: Table,
  { system, options }: { system: string; options: CompareOptions },
): readonly string[] {
  const all = options.systems ?? inOrder(table, system);
  const seen = new Set<string>();
  const twice = all.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) {
    throw new StatError("BadOption", `option \`systems\` ${all.join(",")}: ${twice} twice.`, "Name each system once.");
  }
  const { baseline } = options;
  if (baseline === undefined) return all;
  if (!all.includes(baseline)) {
    const known = inOrder(table, system).includes(baseline);
    if (known) {
      const message = `option \`baseline\` ${baseline}: it is not among option \`systems\` ${all.join(",")}.`;
      throw new StatError("BadOption", message, "Name it there too, or leave one of them out.");
    }
    const near = nearest(baseline, all);
    throw new StatError(
      "UnknownSystem",
      `option \`baseline\` ${baseline}: no such system.`,
      near === undefined ? `The systems are ${all.join(", ")}.` : `Did you mean "${near}"?`,
    );
  }
  return [baseline, ...all.filter((name) => name !== baseline)];
}

/** Systems without a single score are left out, unless they were named or fewer than two would be left. */
export function leaveUnscoredOut(
  systems: readonly string[],
  table: Table,
  { columns, options }: { columns: ComparisonColumns; options: CompareOptions },
): { readonly systems: readonly string[]; readonly notes: readonly Diagnostic[] } {
  const score = table.columns.get(columns.score)!;
  if (options.systems !== undefined || score.kind !== "numeric") return { systems, notes: [] };
  const { codes, levels } = asFactor(table.columns.get(columns.system)!);
  const scored = new Set<string>();
  codes.forEach((code, row) => {
    if (code >= 0 && !Number.isNaN(score.values[row]!)) scored.add(levels[code]!);
  });
  const kept = systems.filter((name) => scored.has(name));
  if (kept.length === systems.length || kept.length < 2) return { systems, notes: [] };
  const lost = systems.filter((name) => !scored.has(name));
  const message = `${lost.join(", ")} ${lost.length === 1 ? "has" : "have"} no ${columns.score} at all and ${lost.length === 1 ? "was" : "were"} left out.`;
  const fix = "Score the outputs, or name another score with option `metric`.";
  return { systems: kept, notes: [{ code: "NoScores", severity: "warning", message, fix }] };
}

/** By option, by what the file says, by the metric's name; otherwise nobody knows. */
export function direction(merged: Imported, score: string, { higherIsBetter }: CompareOptions): Direction {
  const own = merged.metrics.find(({ name }) => name === score);
  return higherIsBetter ?? (own === undefined ? metricDirection(score) : own.higherIsBetter) ?? null;
}
