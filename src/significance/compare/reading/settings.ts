/** Runs that differ in more than the system: told once, in one block. */

import type { Imported, Roles } from "../../../data/imported.ts";
import { asFactor, selectRows, type Table } from "../../../data/table.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { listNames } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isRefused } from "../../../result/verdict.ts";
import { type DifferingSetting, differingSettings, shareModel, tellDiffering } from "../../../study/settings.ts";
import { findGoingWith, isOccasion } from "./occasions.ts";

export interface ComparedSettings {
  readonly notes: readonly Diagnostic[];
  /** For the JSON; nothing where the runs are alike. */
  readonly published: { readonly settings?: readonly DifferingSetting[] };
}

/** Of a comparison: who was compared, and with which verdict. */
interface ComparedVerdict {
  readonly systems: readonly { readonly name: string }[];
  readonly main: { readonly verdict: string };
}

export function compareSettings(
  { settings: runs = [], roles }: Pick<Imported, "settings" | "roles">,
  { systems, main }: ComparedVerdict,
  table: Table,
): ComparedSettings {
  const names = systems.map(({ name }) => name);
  const settings = differingSettings(runs, names);
  const beside = tellBeside(roles, names, { table, refused: isRefused(main.verdict) });
  if (settings.length === 0) return { notes: beside, published: {} };
  const message = `the runs differ in ${listNames(tellDiffering(settings), MOST_SETTINGS)}.`;
  const told = shareModel(runs, names)
    ? note("SettingsDiffer", message, "They run one model: the difference is that of these settings together.")
    : warning(
        "SettingsDiffer",
        message,
        "The systems differ in these settings too. Run them with the same settings, or report it with the result.",
      );
  return { notes: [told, ...beside], published: { settings } };
}

/** What nobody set, but every row of a system has the same of: where it matters, it is indistinguishable from the system. */
function tellBeside(
  roles: Roles,
  names: readonly string[],
  { table, refused }: { readonly table: Table; readonly refused: boolean },
): Diagnostic[] {
  if (roles.system === undefined || !table.columns.has(roles.system) || roles.opponent !== undefined) return [];
  const { system, item, rater, cluster, task, label, prediction } = roles;
  const taken = new Set(
    [system, item, rater, cluster, task, label, prediction, ...roles.metrics].filter((n) => n !== undefined),
  );
  const cells = asFactor(table.columns.get(system)!);
  const wanted = new Set(names);
  const compared = selectRows(table, (row) => wanted.has(cells.levels[cells.codes[row]!] ?? ""));
  // an occasion that took the verdict away has been told
  const found = findGoingWith(compared, system, taken).filter((own) => !(refused && isOccasion(own)));
  if (found.length === 0) return [];
  const told = listNames(tellDiffering(found), MOST_SETTINGS);
  return [
    warning(
      "GoesWithSystem",
      `${told} ${found.length === 1 ? "is" : "are"} confounded with system: the scores cannot separate the two effects.`,
      "Measure all systems in the same way, or report it with the result.",
    ),
  ];
}

/** Settings that the text names; the JSON has all. */
const MOST_SETTINGS = 6;
