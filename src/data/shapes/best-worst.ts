/** Best-worst scaling: 1 for the best, -1 for the worst, 0 for the others. Beside columns that list what was shown (side-by-side.ts) there are
 *    ada, bob, cob, doe = best, worst or nothing; 1, -1 or 0      a column for each system
 *    best, worst                                                  the systems that were named
 *  → one row for each system.
 *  Reference: Louviere, Flynn & Marley (2015), Best-Worst Scaling. */
import type { RoleGuess } from "../imported.ts";
import { SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table, takeCells, withColumn } from "../table.ts";
import type { NameGrid } from "./name-grid.ts";
import { findTrial } from "./ranks.ts";
import { cellText, freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";

const FEWEST = 3;
/** More were hardly all shown at once. */
const MOST_NAMED = 6;

export function findBestWorst(table: Table): Reshaped | undefined {
  if ([...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  return findMarked(table) ?? findNamed(table);
}

const NONE = /^(0|none|neither|-|–)$/;

/** 1, -1, 0, and nothing: NaN where the cell is no mark at all. */
function markOf(text: string | null): number | undefined {
  if (text === null) return 0;
  const plain = text.trim().toLowerCase();
  if (BEST.test(plain)) return 1;
  if (WORST.test(plain)) return -1;
  return NONE.test(plain) ? 0 : undefined;
}

/** A column for each system, and in every row one best and one worst. */
function findMarked(table: Table): Reshaped | undefined {
  const marks = new Map<string, readonly number[]>();
  for (const [name, cells] of table.columns) {
    const own = Array.from({ length: table.rows }, (_, row) =>
      cells.kind === "numeric"
        ? [-1, 0, 1].includes(cells.values[row]!)
          ? cells.values[row]!
          : undefined
        : markOf(cellText(cells, row)),
    );
    if (own.every((mark) => mark !== undefined) && (own.includes(1) || own.includes(-1))) marks.set(name, own);
  }
  const systems = [...marks.keys()];
  const once = (row: number, mark: number): boolean =>
    systems.filter((name) => marks.get(name)![row] === mark).length === 1;
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  if (systems.length < FEWEST || !rows.every((row) => once(row, 1) && once(row, -1))) return undefined;
  const numbered = makeTable(
    [...table.columns].map(([name, cells]): [string, Column] => {
      const own = marks.get(name);
      return [name, own === undefined ? cells : numericColumn(own)];
    }),
    table.rows,
  );
  const [system, score] = [freshName(table, "system"), freshName(table, "best_worst")];
  const long = stackFamilies(numbered, systems, { families: [{ name: score, columns: systems }], keyName: system });
  return tell(table, long, {
    system,
    score,
    told: `${systems.join(", ")} have one best and one worst in every row and are taken as what was judged: ${MEANS(score)}`,
  });
}

/** Of few names each is called best in some row or worst in another. */
function findNamed(table: Table): Reshaped | undefined {
  const factors = [...table.columns].filter(([, cells]) => cells.kind === "factor").map(([name]) => name);
  const [best, otherBest] = factors.filter(isBest);
  const [worst, otherWorst] = factors.filter(isWorst);
  if (best === undefined || worst === undefined || otherBest !== undefined || otherWorst !== undefined)
    return undefined;
  const [ups, downs] = [table.columns.get(best)!, table.columns.get(worst)!];
  const names = [...new Set([ups, downs].flatMap(usedLevels))].sort();
  if (names.length < FEWEST || names.length > MOST_NAMED || names.length * 2 > table.rows) return undefined;
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  if (rows.some((row) => cellText(ups, row) !== null && cellText(ups, row) === cellText(downs, row))) return undefined;
  const source = Int32Array.from({ length: table.rows * names.length }, (_, i) => Math.floor(i / names.length));
  const nameAt = (i: number): string => names[i % names.length]!;
  const values = Array.from(source, (row, i) => {
    const [up, down] = [cellText(ups, row), cellText(downs, row)];
    if (up === null || down === null) return Number.NaN;
    return up === nameAt(i) ? 1 : down === nameAt(i) ? -1 : 0;
  });
  const [system, score] = [freshName(table, "system"), freshName(table, "best_worst")];
  const long = makeTable(
    [
      ...[...table.columns].map(([name, cells]): [string, Column] => [name, takeCells(cells, source)]),
      [system, factorColumn(Array.from(source, (_, i) => nameAt(i)))],
      [score, numericColumn(values)],
    ],
    source.length,
  );
  return tell(table, long, {
    system,
    score,
    told: `${best} and ${worst} name ${names.join(", ")}, which are taken as shown in every row, as the file does not say what was: ${MEANS(score)}`,
    votes: [best, worst],
  });
}

const MEANS = (score: string): string =>
  `${score} is 1 for the best, -1 for the worst and 0 for the others; its mean is the share of best minus the share of worst.`;

function tell(
  before: Table,
  table: Table,
  { system, score, told, votes = [] }: { system: string; score: string; told: string; votes?: readonly string[] },
): Reshaped {
  const hint = (role: string, column: string, reason: string): RoleGuess => ({
    role,
    column,
    reason,
    confidence: 0.95,
  });
  return {
    table,
    reading: [told],
    hints: [
      hint("system", system, "what was called best and worst"),
      hint("score", score, "best and worst were counted"),
      ...votes.map((name) => hint("identifier", name, "the vote itself")),
      ...findTrial(before),
    ],
    higherIsBetter: new Map([[score, true]]),
  };
}

interface BestWorst {
  readonly best: string;
  readonly worst?: string | undefined;
}

export const BEST = /^(best|winner|preferred|most|beste|bester|meilleur|mejor)$/;
export const WORST = /^(worst|least|schlechteste|schlechtester|pire|peor)$/;
/** "best", "BestItem", "worst_of_four". */
export const isBest = (name: string): boolean => splitWords(name).some((word) => BEST.test(word));
export const isWorst = (name: string): boolean => splitWords(name).some((word) => WORST.test(word));

/** Columns called best and worst (or winner) whose values are names or places of the row. */
export function findListed(table: Table, grid: NameGrid, stem: string): BestWorst | undefined {
  const columns = grid.stems.get(stem)!;
  const fits = (name: string): boolean => {
    const cells = table.columns.get(name)!;
    let known = 0;
    let present = 0;
    for (let row = 0; row < table.rows; row += 1) {
      const text = cellText(cells, row);
      if (text === null) continue;
      present += 1;
      if (
        placeOf(
          text,
          grid.keys,
          columns.map((own) => cellText(table.columns.get(own)!, row)),
        ) >= 0
      )
        known += 1;
    }
    return present > 0 && known === present;
  };
  const names = [...table.columns.keys()];
  const best = names.find((name) => isBest(name) && fits(name));
  const worst = names.find((name) => isWorst(name) && fits(name));
  return best === undefined ? undefined : { best, worst };
}

/** The place that a vote names: by the system's name, else by its number. */
function placeOf(vote: string, keys: readonly string[], names: readonly (string | null)[]): number {
  const byName = names.indexOf(vote);
  if (byName >= 0) return byName;
  const number = /(?<!\d)(\d+)$/.exec(vote)?.[1];
  return number === undefined ? -1 : keys.indexOf(number);
}

export function scoreBestWorst(
  table: Table,
  columns: BestWorst & { name: string; place: string; keys: readonly string[] },
  sofar: { reading: readonly string[]; hints: readonly RoleGuess[] },
): Reshaped {
  const [system, place] = [columns.name, columns.place].map((name) => table.columns.get(name)!) as [
    ReturnType<Table["columns"]["get"]> & object,
    ReturnType<Table["columns"]["get"]> & object,
  ];
  const isVote = (name: string | undefined, row: number): boolean => {
    if (name === undefined) return false;
    const vote = cellText(table.columns.get(name)!, row);
    if (vote === null) return false;
    return vote === cellText(system, row) || /(?<!\d)(\d+)$/.exec(vote)?.[1] === cellText(place, row);
  };
  const values = Array.from({ length: table.rows }, (_, row) =>
    cellText(table.columns.get(columns.best)!, row) === null
      ? Number.NaN
      : isVote(columns.best, row)
        ? 1
        : isVote(columns.worst, row)
          ? -1
          : 0,
  );
  const score = freshName(table, columns.worst === undefined ? "best_share" : "best_worst");
  const told =
    columns.worst === undefined
      ? `${score} is 1 for the one called best (${columns.best}) and 0 for the others.`
      : `${score} is 1 for the best (${columns.best}), -1 for the worst (${columns.worst}) and 0 for the others; its mean is the share of best minus the share of worst.`;
  return {
    table: withColumn(table, score, numericColumn(values)),
    reading: [...sofar.reading, told],
    hints: [
      ...sofar.hints,
      { role: "score", column: score, reason: "best and worst were counted", confidence: 0.95 },
      ...[columns.best, columns.worst].flatMap((column) =>
        column === undefined ? [] : [{ role: "identifier", column, reason: "the vote itself", confidence: 0.95 }],
      ),
    ],
    higherIsBetter: new Map([[score, true]]),
  };
}
