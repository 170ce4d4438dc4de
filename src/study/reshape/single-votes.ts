/** Votes between two systems, which stand in a long table as two rows each, one from either side, counted once: agreement and
 *  reliability ask about votes, and the two sides of a vote mirror each other.
 *  A vote keeps the row of the side that comes first among the systems; its label is the system preferred, or a tie. */
import type { Roles } from "../../data/imported.ts";
import { asFactor, column, factorColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { note } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import { freshName } from "./reshaped.ts";
import { findVoteColumns, readVotes } from "./votes.ts";

export interface SingleVotes {
  /** One row a vote. */
  readonly table: Table;
  /** The column of the system preferred. */
  readonly label: string;
  /** Which two were shown, where that differs: what was judged is the item and the pair. */
  readonly pair?: string;
  /** How votes were counted. */
  readonly counted: Diagnostic;
}

type VoteRoles = Pick<Roles, "system" | "opponent" | "cluster" | "score">;

/** Undefined where the rows are no votes. */
export function singleVotes(table: Table, { system, opponent, cluster, score }: VoteRoles): SingleVotes | undefined {
  if (system === undefined || opponent === undefined || cluster === undefined || score === undefined) return undefined;
  const shares = table.columns.get(score);
  if (shares?.kind !== "numeric") return undefined;
  const systems = [...new Set([system, opponent].flatMap((name) => asFactor(column(table, name)).levels))].sort();
  const own = asFactor(column(table, system), { levels: systems });
  const other = asFactor(column(table, opponent), { levels: systems });
  const kept = firstSides(asFactor(column(table, cluster)).codes, own.codes);
  const preferred = Array.from({ length: table.rows }, (_, row) => {
    const share = shares.values[row]!;
    if (Number.isNaN(share)) return null;
    return share === 0.5 ? "tie" : (systems[(share > 0.5 ? own : other).codes[row]!] ?? null);
  });
  const pairs = Array.from(own.codes, (code, row) => [systems[code], systems[other.codes[row]!]].sort().join(" / "));
  const label = freshName(table, "preferred");
  const pair = freshName(table, "pair");
  const several = new Set(pairs).size > 1;
  const labelled = withColumn(table, label, factorColumn(preferred));
  const whole = several ? withColumn(labelled, pair, factorColumn(pairs)) : labelled;
  const votes = selectRows(whole, (row) => kept.has(row));
  const as = several ? "the system preferred" : `a preference for ${systems.join(" or ")}`;
  return {
    table: votes,
    label,
    ...(several ? { pair } : {}),
    counted: note(
      "VotesCounted",
      `each of the ${votes.rows} votes counts once, as ${as}, or as a tie.`,
      "Compare the systems for who wins; this asks whether votes agree.",
    ),
  };
}

/** The votes of a table with one row each, if `vote` is the column that names a side: as systems, wherever they stood. */
export function votesOf(table: Table, vote: string): SingleVotes | undefined {
  const columns = findVoteColumns(table);
  if (columns === undefined || !columns.winner.includes(vote)) return undefined;
  const { table: long, hints } = readVotes(
    table,
    columns.raters === undefined ? columns : { ...columns, winner: [vote] },
  );
  return singleVotes(long, Object.fromEntries(hints.map(({ role, column: name }) => [role, name])));
}

/** Rows: of each battle the one whose system comes first. */
function firstSides(battles: Int32Array, systems: Int32Array): ReadonlySet<number> {
  const best = new Map<number, number>();
  battles.forEach((battle, row) => {
    const at = best.get(battle);
    if (at === undefined || systems[row]! < systems[at]!) best.set(battle, row);
  });
  return new Set(best.values());
}
