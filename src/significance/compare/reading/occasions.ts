/** Ratings of one system given in one batch, session or week and those of the other in another: what people found strict or mild that day
 *  cannot be told from the system, as with raters who saw one system each. What a program measured does not hang on the day: there a warning does
 *  (settings.ts). */

import { type DifferingSetting, goingWithSystem } from "../../../data/settings.ts";
import { asFactor, column, selectRows } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";
import type { Checked, Fault } from "./checks.ts";
import { isRatingScale } from "./scales.ts";

/** When, or with whom, people sat down to rate. */
const OCCASION =
  /(^|[_. -])(batch|session|sitting|wave|shift|day|week|panel|cohort|round|date|slot|hit|form|site|crowd)s?($|[_. -])|(rat|annotat|judg|evaluat|label|submi|start|finish|complet)\w*_(at|on|time|timestamp)$|^(rater|annotator|judge|worker|participant)s?[_. -]/i;

export const isOccasion = ({ name }: DifferingSetting): boolean => OCCASION.test(name);

export function findOccasion({ table, columns, systems }: Checked, scores: readonly number[]): Fault | undefined {
  if (columns.rater === undefined && !isRatingScale(scores)) return undefined;
  const cells = asFactor(column(table, columns.system));
  const compared = selectRows(table, (row) => systems.includes(cells.levels[cells.codes[row]!] ?? ""));
  const { system, item, score, rater = system } = columns;
  const found = goingWithSystem(compared, system, new Set([system, item, score, rater])).find(isOccasion);
  if (found === undefined) return undefined;
  const told = listNames(Object.entries(found.values).map(([name, value]) => `${name} ${value}`));
  return {
    reason: `${found.name} goes with the system (${told}), so stricter ratings in one of them cannot be told from a worse system.`,
    fix: `Rate all systems in every ${found.name}; if it cannot matter, leave the column out of the file.`,
    meansStand: true,
  };
}
