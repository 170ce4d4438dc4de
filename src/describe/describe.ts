/** What a file is and which questions it can answer: the object behind `gosset describe`, and its display. */

import { fingerprint } from "../data/fingerprint.ts";
import type { Ask, Decision, Format, Imported, ImportedMetric, Roles, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { column, isMissing, type Table } from "../data/table.ts";
import { leastOf, mostOf } from "../result/extremes.ts";
import { lookAlikes } from "../result/look-alikes.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result, type Signature } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { farValues, kindsOfRows, unevenMissing } from "../study/checks/odd-scores.ts";
import { type ColumnProfile, listValues, profileTable } from "../study/facts.ts";
import { type Design, measureDesign } from "../study/layout.ts";
import { metricsInRows } from "../study/metric-column.ts";
import {
  levelOf,
  meansBySystem,
  measureScore,
  type ScoreFacts,
  type SystemMean,
  scoreNumbers,
} from "../study/score-facts.ts";
import { withTold } from "../study/understand.ts";
import { type DisplayContext, displayDescription } from "./description-display.ts";
import { findFaults } from "./faults.ts";
import type { Answer } from "./offers/command.ts";
import { listAnswers } from "./offers/offers.ts";
import { isTotals, MIN_ROWS } from "./offers/question.ts";

export interface DescribedColumn {
  readonly name: string;
  readonly type: "numeric" | "factor";
  /** "0/1", "integer", "real", "category", "text", "constant" or "empty". */
  readonly values: string;
  /** null where the column has no known meaning. */
  readonly role: string | null;
  readonly missing: number;
  readonly distinct: number;
  /** Levels of a factor, if there are not too many to list. */
  readonly levels?: readonly string[];
  /** Of a numeric column. */
  readonly min?: number;
  readonly max?: number;
}

export interface DescribeFields {
  readonly format: Format;
  readonly files: readonly string[];
  readonly summary: string;
  readonly rows: number;
  readonly columns: readonly DescribedColumn[];
  readonly systems: readonly string[];
  readonly items: number;
  readonly repeats: number;
  /** Score columns, the main one first. */
  readonly metrics: readonly string[];
  readonly metricDetails: readonly ImportedMetric[];
  /** Mean of every metric for every system, missing scores counted. */
  readonly scores: readonly SystemMean[];
  readonly answers: readonly Answer[];
  readonly assumptions: readonly string[];
  /** What decided each role of a plain table; empty where the format says it. */
  readonly decisions: readonly Decision[];
  /** What a comparison would have to ask. */
  readonly asks: readonly Ask[];
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
}

export type Description = Result<"describe"> & DescribeFields;

export type DescribeJson = JsonOf<Description>;

export interface DescribeImportedOptions {
  /** The path as the user typed it; commands are printed with it. */
  readonly target: string;
  /** Where several files were given that are one table; `target` then names them all. */
  readonly paths?: readonly string[] | undefined;
  /** How the user starts the program, "npx --no-install gosset" for example; commands are printed with it. */
  readonly program?: string | undefined;
  /** Words that commands which read the file need too, such as "--delimiter", ":". */
  readonly flags?: readonly string[] | undefined;
  /** What the user says of the rows; commands that read rows carry it as flags. */
  readonly roles?: Told | undefined;
}

/** Lists above this length are counted, not listed. */
const MAX_LEVELS = 50;
const MAX_SCORED_SYSTEMS = 100;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function describeImported(given: Imported, options: DescribeImportedOptions): Description {
  const imported = withTold(given, options.roles ?? {});
  const { table, roles } = imported;
  const profiles = profileTable(table);
  const design = measureDesign(table, roles);
  const faults = findFaults(imported);
  const facts = roles.score === undefined ? undefined : measureScore(faults.imported, roles.score);
  const { target, paths, program = "gosset" } = options;
  const { score: _score, metric: _metric, higherIsBetter: up, ...told } = options.roles ?? {};
  const named = { ...told, direction: up === undefined ? undefined : up ? "higher" : "lower" };
  const roleFlags = Object.entries(named).flatMap(([role, name]) =>
    name === undefined || typeof name === "boolean" ? [] : [`--${kebab(role)}`, [name].flat().join(",")],
  );
  const flags = [...(options.flags ?? []), ...faults.flags];
  const few = imported.systems.length <= MAX_SCORED_SYSTEMS;
  // metrics one below the other are what the score column holds
  const inRows = metricsInRows(imported);
  const metrics = inRows.length > 1 ? inRows : imported.metrics;
  const fields: DescribeFields = {
    format: imported.format,
    files: imported.files,
    summary: imported.summary,
    rows: table.rows,
    columns: profiles.map((profile) => describeColumn(profile, roles)),
    systems: imported.systems,
    items: imported.items,
    repeats: imported.repeats,
    metrics: metrics.map((metric) => metric.name),
    metricDetails: metrics,
    scores:
      few && roles.metric === undefined && faults.meansStand
        ? imported.metrics.flatMap((metric) => meansBySystem(table, roles, metric.name))
        : [],
    answers: listAnswers(faults.imported, {
      ...{ design, facts, profiles, target, paths, program, flags, roleFlags },
    }).map((answer) => ({ ...answer, ...noteOfFault(answer, faults.note) })),
    assumptions: imported.assumptions,
    decisions: imported.decisions ?? [],
    asks: imported.asks ?? [],
    signature: {
      method: "describe",
      version: GOSSET_VERSION,
      options: { target },
      data: fingerprint(table),
    },
    diagnostics: [
      ...imported.diagnostics,
      ...lookAlikes(imported.systems, "systems"),
      ...faults.diagnostics,
      ...judgeDesign(imported, design, facts),
      ...(facts === undefined || isTotals(imported) ? [] : judgeScores(imported, facts)),
    ],
  };
  return makeResult("describe", fields, (own) =>
    displayDescription(own, { profiles, design, roles, target, totals: isTotals(imported), ...sizesOf(imported) }),
  );
}

/** Where systems are set against each other. */
function noteOfFault({ command, note }: Answer, fault: string | undefined): { note?: string } {
  if (fault === undefined || !/ (compare|fit) /.test(command)) return {};
  return { note: note === undefined ? fault : `${fault}; ${note}` };
}

/** What the paragraph says beside the design. */
function sizesOf({
  table,
  roles,
  unnamedRaters,
}: Imported): Pick<DisplayContext, "unnamed" | "runs" | "systemsOfTask"> {
  const { item, system, task, repeat } = roles;
  const runs = repeat === undefined ? 0 : listValues(column(table, repeat)).length;
  const systemsOfTask = task === undefined || system === undefined ? [] : countSystems(table, task, system);
  if (unnamedRaters !== true || item === undefined) return { runs, systemsOfTask };
  const unit = [item, ...(system === undefined ? [] : [system])].map((name) => column(table, name));
  const { count, group } = groupKeys(unit, table.rows);
  const sizes = new Int32Array(count);
  for (const own of group) sizes[own]! += 1;
  const [least, most] = [leastOf(sizes), mostOf(sizes)];
  return {
    runs,
    systemsOfTask,
    unnamed: `${least === most ? most : `${least} to ${most}`} ratings an item by raters whom the file does not name`,
  };
}

/** Of each task, in the order of tasks. */
function countSystems(table: Table, task: string, system: string): { task: string; systems: number }[] {
  const [own, other] = [column(table, task), column(table, system)];
  const { first } = groupKeys([own, other], table.rows);
  const counts = new Map<string, number>();
  for (const row of first) {
    if (isMissing(own, row) || isMissing(other, row)) continue;
    const name = levelOf(own, row);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return listValues(own).map((name) => ({ task: name, systems: counts.get(name) ?? 0 }));
}

/** The meaning of a column, in one word. */
export function roleOf(roles: Roles, name: string): string | null {
  const single = [
    "system",
    "item",
    "rater",
    "repeat",
    "cluster",
    "task",
    "metric",
    "label",
    "prediction",
    "probability",
    "opponent",
    "perturbation",
    "text",
    "reference",
  ] as const;
  const found = single.find((role) => roles[role] === name);
  if (found !== undefined) return found;
  if (roles.metrics.includes(name)) return "score";
  if (roles.parameters.includes(name)) return "setting";
  if (roles.covariates.includes(name)) return "covariate";
  return null;
}

function describeColumn(profile: ColumnProfile, roles: Roles): DescribedColumn {
  const numeric = profile.column.kind === "numeric";
  return {
    name: profile.name,
    type: profile.column.kind,
    values: profile.values,
    role: roleOf(roles, profile.name),
    missing: profile.missing,
    distinct: profile.distinct,
    ...(!numeric && profile.distinct <= MAX_LEVELS ? { levels: listValues(profile.column) } : {}),
    ...(numeric && profile.distinct > 0 ? { min: profile.min, max: profile.max } : {}),
  };
}

function judgeScores({ table, metrics }: Imported, { name, means }: ScoreFacts): Diagnostic[] {
  return [
    ...farValues(name, scoreNumbers(table, name)),
    ...unevenMissing(means),
    ...kindsOfRows(
      table,
      metrics.map((metric) => metric.name),
    ),
  ];
}

/** What the design does not allow, said before somebody tries. */
function judgeDesign(imported: Imported, design: Design, facts: ScoreFacts | undefined): Diagnostic[] {
  const { roles } = imported;
  const list: Diagnostic[] = [];
  const warn = (code: string, message: string, fix: string): void => {
    list.push({ code, severity: "warning", message, fix });
  };
  if (facts !== undefined && facts.table.rows === 0) {
    warn("NoScores", `no row has a value of ${facts.name}.`, "Score the outputs, then import again.");
  } else if (facts !== undefined && facts.table.rows < MIN_ROWS && !isTotals(imported)) {
    const rows = facts.table.rows === 1 ? "one row has" : `${facts.table.rows} rows have`;
    warn(
      "TooFewRows",
      `only ${rows} a value of ${facts.name}: nothing can be estimated.`,
      "Give the results of more items.",
    );
  } else if (facts?.constant === true && facts.table.rows > 1) {
    const value = facts.means.find((entry) => entry.n > 0)?.mean ?? Number.NaN;
    warn(
      "ConstantScore",
      `every one of the ${facts.table.rows} values of ${facts.name} is ${value}: nothing varies, so nothing can be estimated.`,
      "Use harder or easier items, a finer score, or more of them.",
    );
  }
  if (design.raters > 1 && design.multiplyRated === 0 && roles.opponent === undefined && roles.item !== undefined) {
    warn(
      "NoOverlap",
      roles.system === undefined
        ? "no item was rated by two raters: agreement cannot be estimated, and a strict rater would look like hard items."
        : "no system's output of an item was rated by two raters: agreement on the same output cannot be estimated.",
      "Have some of them rated by two raters if agreement matters.",
    );
  }
  if (imported.items > 0 && facts !== undefined && facts.design.systems.length > 1 && facts.design.pairedItems === 0) {
    warn(
      "NoSharedItems",
      "no item was scored on two systems: the systems cannot be compared item by item.",
      "Run the systems on the same items.",
    );
  }
  return list;
}
