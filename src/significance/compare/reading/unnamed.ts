/** Ratings whose raters the file does not name, listed in a cell ([4, 5, 3]) or counted by label: the k-th of every list may be the same person's.
 *  Lists of one length are analysed as if it were, since a few raters who judge everything make the items dependent and an analysis over items
 *  alone would promise too much. Lists of several lengths, or in the order of their values, say nothing about who is who. */

import { groupKeys } from "../../../data/keys.ts";
import { asFactor, column } from "../../../data/table.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";
import type { NamedImport } from "../../../study/merge.ts";
import { scoreNumbers } from "../../../study/score-facts.ts";

export function placeUnnamed(
  parts: readonly NamedImport[],
  { rater: given }: { readonly rater?: string | undefined },
): { readonly parts: readonly NamedImport[]; readonly notes: readonly Diagnostic[] } {
  const unnamed = parts.filter(({ imported }) => imported.unnamedRaters === true);
  if (unnamed.length === 0 || given !== undefined) return { parts, notes: [] };
  const sizes = new Set(unnamed.map(placesOf));
  const [places] = sizes;
  if (unnamed.length === parts.length && sizes.size === 1 && places !== undefined) {
    const told = `Every list has ${places} ratings: the k-th rating of each list counts as the same rater's.`;
    const message = `No column names the raters of the ${places} ratings in a list, so their places count as raters.`;
    const fix = "Option `rater: none` analyses by items alone, as if every rating had a rater of its own.";
    return { parts: parts.map((part) => withAssumption(part, told)), notes: [note("PlacesAsRaters", message, fix)] };
  }
  const message =
    "the file does not say who gave which rating: the analysis is by items alone, and if the same few people rated them all the result is about these people only.";
  const told = warning("UnnamedRaters", message, "A column that names the rater of each rating settles it.");
  return { parts: parts.map(withoutRater), notes: [told] };
}

const withAssumption = ({ path, imported }: NamedImport, told: string): NamedImport => ({
  path,
  imported: { ...imported, assumptions: [...imported.assumptions, told] },
});

/** Their numbers mean nothing across items: the ratings are repeats. */
function withoutRater(part: NamedImport): NamedImport {
  if (part.imported.unnamedRaters !== true) return part;
  const { rater: _, ...roles } = part.imported.roles;
  return { ...part, imported: { ...part.imported, roles } };
}

/** The one length of all lists; undefined where it differs, or where the lists are sorted. */
function placesOf({ imported: { table, roles } }: NamedImport): number | undefined {
  if (roles.rater === undefined || roles.score === undefined) return undefined;
  const places = asFactor(column(table, roles.rater));
  const counts = new Int32Array(places.levels.length);
  for (const code of places.codes) if (code >= 0) counts[code]! += 1;
  const used = counts.filter((count) => count > 0);
  if (used.length < 2 || used.some((count) => count !== used[0]) || isSorted(table, roles)) return undefined;
  return used.length;
}

type Part = NamedImport["imported"];

/** Fewer lists than this may be in order by chance. */
const FEWEST_LISTS = 5;

/** Every list rises, or every list falls, and several have different values: counted by label, or put in order afterwards. */
function isSorted(table: Part["table"], { system, item, task, repeat, score }: Part["roles"]): boolean {
  const names = [system, item, task, repeat].filter((name) => name !== undefined);
  if (names.length === 0) return false;
  const cells = column(table, score!);
  const values = cells.kind === "factor" ? Float64Array.from(cells.codes) : scoreNumbers(table, score!);
  const { group, count } = groupKeys(
    names.map((name) => column(table, name)),
    table.rows,
  );
  const last = new Float64Array(count).fill(Number.NaN);
  const [rises, falls] = [new Set<number>(), new Set<number>()];
  group.forEach((own, row) => {
    const value = values[row]!;
    if (value > last[own]!) rises.add(own);
    if (value < last[own]!) falls.add(own);
    if (!Number.isNaN(value)) last[own] = value;
  });
  return (rises.size === 0 || falls.size === 0) && rises.size + falls.size >= FEWEST_LISTS;
}
