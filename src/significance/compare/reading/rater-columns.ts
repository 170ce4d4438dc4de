/** Option `rater: a,b,c`: a sheet with a column for each rater, whose ratings are put under one another. */

import type { NamedImport } from "../../../data/merge.ts";
import { pivotLonger } from "../../../data/reshape.ts";
import { guessRoles } from "../../../data/roles/roles.ts";
import { understandTable } from "../../../data/roles/understand.ts";
import { freshName } from "../../../data/shapes/reshaped.ts";
import { isMissing, selectRows } from "../../../data/table.ts";

/** The file with a column of raters and its name; as it is where the option names no such columns. */
export function withRaterColumns(
  part: NamedImport,
  option: string | undefined,
): { readonly part: NamedImport; readonly rater: string | undefined } {
  const { imported } = part;
  const names = (option ?? "").split(",").map((name) => name.trim());
  const { table } = imported;
  if (option === undefined || names.length < 2 || table.columns.has(option)) return { part, rater: option };
  if (new Set(names).size < names.length || !names.every((name) => table.columns.has(name)))
    return { part, rater: option };
  const [rater, rating] = [freshName(table, "rater"), freshName(table, "rating")];
  const long = pivotLonger(table, { columns: names, namesTo: rater, valuesTo: rating });
  const cells = long.columns.get(rating)!;
  const filled = selectRows(long, (row) => !isMissing(cells, row));
  const known = [
    { role: "rater", column: rater, reason: "the option names their columns", confidence: 1 },
    { role: "score", column: rating, reason: "what stands in the raters' columns", confidence: 1 },
  ];
  const understood = understandTable(filled, guessRoles(filled, known));
  return { part: { ...part, imported: { ...imported, ...understood } }, rater };
}
