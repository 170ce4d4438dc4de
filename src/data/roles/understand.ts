/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction. */

import type { Diagnostic } from "../../result/result.ts";
import { declaredDirections } from "../declared.ts";
import { isNumberedByReader, looksHeaderless } from "../header.ts";
import type { Imported, ImportedMetric, Roles } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import { isWord, positiveOf } from "../opposites.ts";
import type { Table } from "../table.ts";
import { metricDirection, namesAttack } from "./direction.ts";
import { weighDirections } from "./direction-evidence.ts";
import { explainNoScore, tellUnread } from "./hints.ts";
import { measureDesign } from "./layout.ts";
import { splitWords } from "./names.ts";
import { type GuessedRoles, guessRoles } from "./roles.ts";

export type Understood = Omit<Imported, "format" | "files" | "summary">;

/** `shaped` has directions that the shape of the file gave away. */
export function understandTable(
  table: Table,
  { roles, assumptions, guesses, undirected = [] }: GuessedRoles = guessRoles(table),
  shaped: ReadonlyMap<string, boolean> = new Map(),
): Understood {
  const told = withDeclared(table, roles, shaped);
  const { systems, items, repeats } = measureDesign(table, roles);
  const harm = isAboutHarm(table);
  const named = roles.metrics
    .map((name) => (undirected.includes(name) ? { name, label: name } : makeMetric(table, name, told.get(name))))
    .map((metric) => (harm && !told.has(metric.name) && isPlainName(metric.name) ? withoutDirection(metric) : metric));
  const weighed = weighDirections(table, named);
  const headerless = looksHeaderless(table) || (isNumberedByReader(table) && !isJudged(roles));
  return {
    table,
    roles,
    systems,
    items,
    repeats,
    metrics: weighed.metrics,
    assumptions: [
      ...assumptions,
      ...weighed.assumptions,
      ...roles.metrics.flatMap((name) => tellVerdicts(table, name)),
    ],
    ...(guesses === undefined ? {} : { guesses }),
    diagnostics: [
      // what the columns lack cannot be told by names that are data
      ...(headerless ? [NO_HEADER] : []),
      ...(headerless || isJudged(roles) ? [] : [explainNoScore(table, roles)]),
      ...(isLeaderboard(table, roles) ? [TOTALS] : []),
      ...(headerless ? [] : tellUnread(table, roles)),
      ...weighed.diagnostics,
    ],
  };
}

/** What the table says of its only score. */
function withDeclared(
  table: Table,
  { metrics, metric }: Roles,
  told: ReadonlyMap<string, boolean>,
): ReadonlyMap<string, boolean> {
  const [only, ...others] = metrics;
  if (only === undefined || others.length > 0 || metric !== undefined || told.has(only)) return told;
  const declared = declaredDirections(table).get("");
  return declared === undefined ? told : new Map([...told, [only, declared]]);
}

/** There are scores, predictions, or labels that raters gave. */
const isJudged = ({ metrics, prediction, label, rater }: Roles): boolean =>
  metrics.length > 0 || prediction !== undefined || (label !== undefined && rater !== undefined);

/** "score" beside stereo_antistereo or bias_type may count what nobody wants: nothing is asserted. */
function isAboutHarm(table: Table): boolean {
  return [...table.columns.keys()].some((name) => splitWords(name).some((word) => HARM.test(word)));
}

const HARM =
  /^(anti)?stereo(type|typed|types|typical)?$|^bias(es|ed)?$|^toxic|^jailbreak|^harm(ful|fulness)?$|^misinformation$/;
const isPlainName = (name: string): boolean => splitWords(name).every((word) => PLAIN.test(word));
const PLAIN = /^(score|scores|value|rating|result|raw|final|mean|avg|average|total|overall)$/;

function withoutDirection({ higherIsBetter: _, ...metric }: ImportedMetric): ImportedMetric {
  return metric;
}

/** The same import with other rows: what is said of the rows is said of these. */
export function withRows<I extends Imported>(imported: I, table: Table): I {
  if (table.rows === imported.table.rows) return { ...imported, table };
  const { roles, metrics } = imported;
  const told = new Map(
    metrics.flatMap(({ name, higherIsBetter: up }) => (up === undefined ? [] : [[name, up] as const])),
  );
  const known = { ...roles, metrics: roles.metrics.filter((name) => table.columns.has(name)) };
  const fresh = understandTable(table, { roles: known, assumptions: [] }, told).diagnostics;
  const still = new Set(fresh.map(({ code }) => code));
  const ofRows = new Set(["TotalsOnly", "NoHeader", "DirectionInDoubt"]);
  const diagnostics = imported.diagnostics.filter(({ code }) => !ofRows.has(code) || still.has(code));
  return { ...imported, table, diagnostics };
}

const NO_HEADER: Diagnostic = {
  code: "NoHeader",
  severity: "warning",
  message: "the first line looks like data, not like names of columns.",
  fix: "Add a first line that names the columns, such as system,item,score.",
};

const TOTALS: Diagnostic = {
  code: "TotalsOnly",
  severity: "note",
  message: "each system has one row, or one for each task: totals, not the results of single items.",
  fix: "Systems can be compared by their standard errors, intervals or counts if the file has them; items would allow a paired test.",
};

/** A leaderboard: one row a system, or one a system and task (for each metric), with scores and nothing that repeats. */
function isLeaderboard(table: Table, roles: Roles): boolean {
  const { system, task, item, rater, repeat, opponent, label, metric } = roles;
  const repeats = [item, rater, repeat, opponent, label].some((name) => name !== undefined);
  if (system === undefined || repeats || roles.metrics.length === 0 || roles.parameters.length > 0 || table.rows < 2)
    return false;
  const columns = [system, task, metric].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  return groupKeys(columns, table.rows).count === table.rows;
}

/** Which of two verdicts counts as 1, where that is the reader's and not the file's. */
function tellVerdicts(table: Table, name: string): string[] {
  const cells = table.columns.get(name);
  const one = cells?.kind === "factor" ? positiveOf(cells.levels) : undefined;
  if (cells?.kind !== "factor" || one?.praises !== true || cells.levels.length < 2) return [];
  const [good, other] = [...cells.levels].sort((a, b) => Number(isWord(b, one.word)) - Number(isWord(a, one.word)));
  return [`In ${name} ${good} counts as 1 and ${other} as 0.`];
}

/** Verdicts that praise (pass, correct) tell the direction whatever the column is called; yes and true do not. */
function makeMetric(table: Table, name: string, told: boolean | undefined): ImportedMetric {
  const cells = table.columns.get(name);
  const one = cells?.kind === "factor" ? positiveOf(cells.levels) : undefined;
  // labels without an order have no better end, whatever they are called
  const nominal = cells?.kind === "factor" && !cells.ordered && one === undefined;
  // whose success an attack's is the name leaves open
  const named = nominal ? undefined : metricDirection(name);
  const praised = one?.praises === true && !namesAttack(name) && !(one.mark && named === false);
  const direction = told ?? (praised ? true : named);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}
