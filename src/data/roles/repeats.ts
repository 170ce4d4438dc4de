/** Rows that share an item or a rater which a model does not know: its standard errors take them for independent. */

import { warning } from "../../result/diagnostic.ts";
import { quoteName } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Table } from "../table.ts";
import { joined } from "./guess.ts";
import { ITEM_NAMES, RATER_NAMES } from "./names.ts";
import { isUnique, profileTable } from "./profile.ts";

const WORD = /`([^`]+)`|[\p{L}.][\p{L}\p{N}._]*/gu;
/** Fewer levels are conditions, not a sample of items or raters. */
const FEWEST_LEVELS = 3;

/** `formulas` without random effects; `cluster` is what the errors are robust to, false where the model has no such option.
 *  Standard errors are too small for what differs between items or raters and too large for what varies within them: p may err either way. */
export function warnOfRepeats(table: Table, formulas: readonly string[], cluster?: string | false): Diagnostic[] {
  const used = new Set([...formulas.flatMap(namesIn), cluster]);
  const ignored = profileTable(table).filter(
    (profile) =>
      [...ITEM_NAMES, ...RATER_NAMES].includes(joined(profile)) &&
      !used.has(profile.name) &&
      profile.values !== "real" &&
      profile.distinct >= FEWEST_LEVELS &&
      !isUnique(profile),
  );
  if (ignored.length === 0) return [];
  const told = ignored.map(({ name, distinct }) => `${name} (${distinct} levels)`).join(" and ");
  const random = ignored.map(({ name }) => `(1 | ${quoteName(name)})`).join(" + ");
  return [
    warning(
      "RepeatsIgnored",
      `the ${table.rows} rows repeat ${told}, which the model does not know: it takes the rows for independent, so p may be too small or too large.`,
      `Add ${random} and fit a mixed model (lmm, glmm, clmm)${ignored.length === 1 && cluster === undefined ? `, or name option \`cluster: ${ignored[0]!.name}\` where there is one` : ""}.`,
    ),
  ];
}

const namesIn = (formula: string): string[] => [...formula.matchAll(WORD)].map(([word, quoted]) => quoted ?? word);
