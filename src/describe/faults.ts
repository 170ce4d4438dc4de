/** What compare would refuse or warn of is said before anybody compares, by the same checks (../significance/compare/reading/checks.ts): codes for
 *  "no answer" among scores, shares beside percent, raters who each saw one system, rows that ended in an error. */
import type { Imported } from "../data/imported.ts";
import { column, numericColumn, withColumn } from "../data/table.ts";
import { note, warning } from "../result/diagnostic.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { type Checked, findFault, warnOfRatersApart } from "../significance/compare/reading/checks.ts";
import { type Errored, findErrored } from "../significance/compare/reading/errors.ts";
import { isTotals } from "./offers/question.ts";

export interface Faults {
  /** Without the cells that hold a code. */
  readonly imported: Imported;
  /** Words that commands need so that they leave these cells out too. */
  readonly flags: readonly string[];
  /** Why a comparison will give no verdict. */
  readonly note?: string;
  /** Whether means of the scores as they stand mean something. */
  readonly meansStand: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function findFaults(imported: Imported): Faults {
  const none = { imported, flags: [], meansStand: true, diagnostics: [] };
  // one total a system shows no scale of its own: 0.9 % beside 52 % is no share beside percent
  if (isTotals(imported)) return none;
  const checked = checkedRows(imported);
  if (checked === undefined) return none;
  const { table, columns, systems } = checked;
  const fault = findFault(checked);
  const errored = fault === undefined ? findErrored(table, columns, systems) : undefined;
  const diagnostics = [
    ...(errored === undefined ? [] : [tellErrors(errored)]),
    ...(fault === undefined ? warnOfRatersApart(checked) : []),
  ];
  if (fault === undefined) return { ...none, diagnostics };
  const { code, reason, fix, meansStand } = fault;
  const told = warning("NoVerdict", `a comparison gives no verdict: ${reason}`, fix);
  if (code === undefined)
    return { imported, flags: [], note: "no verdict: see the warning below", meansStand, diagnostics: [told] };
  return {
    imported: withoutCode(imported, columns.score, code),
    flags: ["--missing", String(code)],
    note: `with ${code} left out`,
    meansStand,
    diagnostics: [told],
  };
}

/** Scores of several systems by one metric; votes and single systems have nothing to check. */
function checkedRows({ table, roles, systems }: Imported): Checked | undefined {
  const { system, score, rater, task, item = "" } = roles;
  if (system === undefined || score === undefined || systems.length < 2) return undefined;
  if (roles.opponent !== undefined || roles.metric !== undefined || !table.columns.has(system)) return undefined;
  if (table.columns.get(score)?.kind !== "numeric") return undefined;
  return {
    table,
    systems,
    columns: {
      system,
      item,
      score,
      rater,
      task,
    },
  };
}

function withoutCode(imported: Imported, score: string, code: number): Imported {
  const cells = column(imported.table, score);
  if (cells.kind !== "numeric") return imported;
  const values = numericColumn(cells.values.map((value) => (value === code ? Number.NaN : value)));
  return { ...imported, table: withColumn(imported.table, score, values) };
}

const SCORED = { failures: "scored 0", missing: "without a score", mixed: "some scored 0, some without a score" };

function tellErrors({ ended, column: name, systems, scored }: Errored): Diagnostic {
  const who = listNames([...systems].map(([system, rows]) => `${rows} of ${system}`));
  return note(
    "ErrorRows",
    `rows ended ${ended} (${name}: ${who}), ${SCORED[scored]}; a mean uses them as they are.`,
    "Compare shows the difference with them as failures and without them.",
  );
}
