/** Votes between two systems that always stood in the same places: a preference for a place looks like one for a system. */
import { asFactor, type Table } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";
import type { Fault } from "./checks.ts";

/** Battles in one order, by chance where every order is drawn at random: of six in 3 % of cases. */
const BY_CHANCE = 0.05;
const MOST_NAMED = 3;

export interface FixedPositions {
  readonly fault: Fault;
  /** Whether these two always stood in the same places. */
  isFixed(a: string, b: string): boolean;
}

/** `position`, which the importers of votes write, is "a" in the row of a battle's first side and "b" in that of the second. */
export function findFixedPositions(
  table: Table,
  columns: { readonly system: string; readonly opponent: string; readonly score: string },
  systems: readonly string[],
): FixedPositions | undefined {
  const told = table.columns.get("position");
  const score = table.columns.get(columns.score);
  if (told?.kind !== "factor" || score?.kind !== "numeric") return undefined;
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
  const compared = new Set(systems);
  const pairs = [...met]
    .map(([key, battles]) => ({ names: JSON.parse(key) as [string, string], battles }))
    .filter(({ names }) => names.every((name) => compared.has(name)));
  const fixed = pairs.filter(
    ({ names: [first, second], battles }) =>
      !met.has(keyOf(second, first)) && pairs.length * 2 ** (1 - battles) < BY_CHANCE,
  );
  if (fixed.length === 0) return undefined;
  const named = fixed
    .slice(0, MOST_NAMED)
    .map(
      ({ names: [first, second], battles }) => `${first} has the first place in all ${battles} battles with ${second}`,
    );
  const more = fixed.length > MOST_NAMED ? `, and so in ${fixed.length - MOST_NAMED} further pairs` : "";
  const keys = new Set(fixed.map(({ names }) => keyOf(...names)));
  return {
    fault: {
      reason: `${named.join(", ")}${more}, so a preference for a place would look like a better system.`,
      fix: "Collect votes in both orders, or draw the order of each battle at random.",
      meansStand: true,
    },
    isFixed: (a, b) => keys.has(keyOf(a, b)) || keys.has(keyOf(b, a)),
  };
}

/** Where systems are ranked by all of their battles, of which some pairs' have no verdict. */
export function warnOfPositions(...votes: Parameters<typeof findFixedPositions>): Diagnostic[] {
  const found = findFixedPositions(...votes);
  return found === undefined ? [] : [warning("PositionConfounded", found.fault.reason, found.fault.fix)];
}
