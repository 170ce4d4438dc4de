/** Votes between two systems that always stood in the same places: a preference for a place looks like one for a system. */
import { asFactor, type Table } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";

/** Fewer battles are in one order by chance: of six drawn at random, in 3 % of cases. */
const FEWEST_BATTLES = 6;
const MOST_NAMED = 3;

/** `position`, which the importers of votes write, is "a" in the row of a battle's first side and "b" in that of the second. */
export function warnOfPositions(
  table: Table,
  columns: { readonly system: string; readonly opponent: string; readonly score: string },
  systems: readonly string[],
): Diagnostic[] {
  const told = table.columns.get("position");
  const score = table.columns.get(columns.score);
  if (told?.kind !== "factor" || score?.kind !== "numeric") return [];
  const [system, opponent] = [columns.system, columns.opponent].map((name) => asFactor(table.columns.get(name)!)) as [
    ReturnType<typeof asFactor>,
    ReturnType<typeof asFactor>,
  ];
  const met = new Map<string, number>();
  const keyOf = (first: string, second: string): string => JSON.stringify([first, second]);
  for (let row = 0; row < table.rows; row += 1) {
    if (told.levels[told.codes[row]!] !== "a" || Number.isNaN(score.values[row]!)) continue;
    const [own, other] = [system.levels[system.codes[row]!], opponent.levels[opponent.codes[row]!]];
    if (own === undefined || other === undefined) continue;
    met.set(keyOf(own, other), (met.get(keyOf(own, other)) ?? 0) + 1);
  }
  const fixed = systems.flatMap((first) =>
    systems.flatMap((second) => {
      const battles = met.get(keyOf(first, second)) ?? 0;
      return battles < FEWEST_BATTLES || met.has(keyOf(second, first)) ? [] : [{ first, second, battles }];
    }),
  );
  if (fixed.length === 0) return [];
  const named = fixed
    .slice(0, MOST_NAMED)
    .map(({ first, second, battles }) => `${first} has the first place in all ${battles} battles with ${second}`);
  const more = fixed.length > MOST_NAMED ? `, and so in ${fixed.length - MOST_NAMED} further pairs` : "";
  return [
    warning(
      "PositionConfounded",
      `${named.join(", ")}${more}: if they were shown in this order, a preference for a place would look like one for the system.`,
      "Collect votes in both orders, or draw the order of each battle at random.",
    ),
  ];
}
