/** Columns of 0 and 1 of which exactly one is 1 in every row (gpt4, llama, mathwell) → one column with their names.
 *  The same of a vote (winner_model_a, winner_model_b, winner_tie; A_better, B_better, tie) → one column with who won.
 *  Buttons of one question, a column each (Answer.q.1 … Answer.q.5), of which at most one is true in a row → one column with what was chosen. */
import { isDecimal } from "../levels.ts";
import { SYSTEM_LEVEL } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table } from "../table.ts";
import { freshName, type Reshaped } from "./reshaped.ts";
import { isTie } from "./votes.ts";

const FEWEST = 3;
const MOST = 60;
/** Share of the names that must read like systems. */
const TELLING = 0.3;

export function findOneHot(table: Table): Reshaped | undefined {
  const names = [...table.columns].map(([name, cells]) => (isIndicator(cells) ? name : undefined));
  for (const run of runsOf(names)) {
    if (!onePerRow(table, run)) continue;
    const telling = run.filter((name) => SYSTEM_LEVEL.test(name)).length / run.length;
    if (telling >= TELLING) return collapse(table, run, telling);
  }
  return undefined;
}

function isIndicator(cells: Column): boolean {
  if (cells.kind !== "numeric") return false;
  let ones = 0;
  for (const value of cells.values) {
    if (value !== 0 && value !== 1) return false;
    ones += value;
  }
  return ones > 0 && ones < cells.values.length;
}

/** Parts of runs of neighbouring indicators, long ones first. */
function runsOf(names: readonly (string | undefined)[]): string[][] {
  const found: string[][] = [];
  for (let from = 0; from < names.length; from += 1) {
    for (let to = from; to < names.length && to - from < MOST && names[to] !== undefined; to += 1) {
      if (to - from + 1 >= FEWEST) found.push(names.slice(from, to + 1) as string[]);
    }
  }
  return found.sort((a, b) => b.length - a.length);
}

function onePerRow(table: Table, names: readonly string[]): boolean {
  const columns = names.map((name) => (table.columns.get(name) as { values: Float64Array }).values);
  for (let row = 0; row < table.rows; row += 1) {
    let sum = 0;
    for (const values of columns) sum += values[row]!;
    if (sum !== 1) return false;
  }
  return true;
}

function collapse(table: Table, names: readonly string[], telling: number): Reshaped {
  const columns = names.map((name) => (table.columns.get(name) as { values: Float64Array }).values);
  const chosen = Array.from(
    { length: table.rows },
    (_, row) => names[columns.findIndex((values) => values[row] === 1)]!,
  );
  const gone = new Set(names);
  const kept = [...table.columns].filter(([name]) => !gone.has(name));
  const system = freshName(makeTable(kept, table.rows), "system");
  return {
    table: makeTable([[system, factorColumn(chosen)], ...kept], table.rows),
    reading: [
      `Exactly one of ${names.join(", ")} is 1 in every row: they name the system and became column ${system}.`,
    ],
    hints: [
      {
        role: "system",
        column: system,
        reason: `exactly one of ${names.join(", ")} is 1 in every row, and ${Math.round(100 * telling)} % of the names read like systems`,
        confidence: 0.9,
      },
    ],
  };
}

const WON = /^(?<who>.+?)[_. -](?:is[_. -])?(?:better|wins?|won|preferred|chosen)$/i;
const VOTED = /^(?:winner|win|won|preferred|preference|pref|vote|choice|chosen|better)[_. -](?<who>.+)$/i;

/** Marks of a vote: two that say who won, and one for a tie unless there were none. Without a tie two columns of 0 and 1 that are never alike may be
 *  any yes and no, so the sides must then stand in columns of their own. */
export function findVoteMarks(table: Table): Reshaped | undefined {
  const marks = [...table.columns].flatMap(([name, cells]) => {
    if (cells.kind !== "numeric" || !cells.values.every((value) => value === 0 || value === 1)) return [];
    const who = (VOTED.exec(name) ?? WON.exec(name))?.groups?.["who"] ?? (isTie(name) ? name : undefined);
    return who === undefined ? [] : [{ name, who: isTie(who) ? "tie" : who }];
  });
  const [one, two, ...more] = marks.filter(({ who }) => who !== "tie");
  if (one === undefined || two === undefined || more.length > 0 || marks.length > FEWEST) return undefined;
  const sided = [one, two].every(({ who }) => table.columns.has(who));
  if (
    (marks.length < FEWEST && !sided) ||
    !onePerRow(
      table,
      marks.map(({ name }) => name),
    )
  )
    return undefined;
  const columns = marks.map(({ name }) => (table.columns.get(name) as { values: Float64Array }).values);
  const chosen = Array.from(
    { length: table.rows },
    (_, row) => marks[columns.findIndex((values) => values[row] === 1)]!.who,
  );
  const gone = new Set(marks.map(({ name }) => name));
  const kept = [...table.columns].filter(([name]) => !gone.has(name));
  const vote = freshName(makeTable(kept, table.rows), sided ? "winner" : "preference");
  return {
    table: makeTable([...kept, [vote, factorColumn(chosen)]], table.rows),
    reading: [
      `Exactly one of ${[...gone].join(", ")} is 1 in every row: they are one vote, and became column ${vote}.`,
    ],
    hints: [],
  };
}

const MOST_BUTTONS = 20;
/** In fewer rows exactly one may be true by chance. */
const FEWEST_ROWS = 8;
/** Share of the rows that may be left without an answer. */
const MOST_EMPTY = 0.1;

interface Buttons {
  readonly stem: string;
  readonly columns: readonly string[];
  readonly choices: readonly string[];
}

export function findRadio(table: Table): Reshaped | undefined {
  if (table.rows < FEWEST_ROWS) return undefined;
  let found: Reshaped | undefined;
  for (const buttons of listButtons(table)) {
    const own = found?.table ?? table;
    const chosen = chooseOne(own, buttons.columns);
    if (chosen === undefined) continue;
    const next = collapseButtons(own, buttons, chosen);
    found = {
      ...next,
      reading: [...(found?.reading ?? []), ...next.reading],
      hints: [...(found?.hints ?? []), ...next.hints],
    };
  }
  return found;
}

/** Columns of true and false whose names differ behind the last point alone. */
function listButtons(table: Table): Buttons[] {
  const groups = new Map<string, string[]>();
  for (const [name, cells] of table.columns) {
    const stem = /^(.+)\.[^.]+$/.exec(name)?.[1];
    if (stem !== undefined && isLogical(cells)) groups.set(stem, [...(groups.get(stem) ?? []), name]);
  }
  return [...groups]
    .filter(([, columns]) => columns.length >= FEWEST && columns.length <= MOST_BUTTONS)
    .map(([stem, columns]) => ({ stem, columns, choices: columns.map((name) => name.slice(stem.length + 1)) }));
}

const isLogical = (cells: Column): boolean =>
  cells.kind === "factor" &&
  cells.levels.length > 0 &&
  cells.levels.every((level) => /^(true|false)$/i.test(level.trim()));

/** The place of the one that is true, -1 where none is; undefined where two are, or too many rows have none. */
function chooseOne(table: Table, columns: readonly string[]): Int32Array | undefined {
  const chosen = new Int32Array(table.rows).fill(-1);
  for (const [k, name] of columns.entries()) {
    const cells = table.columns.get(name)!;
    if (cells.kind !== "factor") return undefined;
    const yes = cells.levels.map((level) => /^true$/i.test(level.trim()));
    for (let row = 0; row < table.rows; row += 1) {
      if (yes[cells.codes[row]!] !== true) continue;
      if (chosen[row]! >= 0) return undefined;
      chosen[row] = k;
    }
  }
  const empty = chosen.filter((at) => at < 0).length;
  return empty > MOST_EMPTY * table.rows || new Set(chosen).size < 2 ? undefined : chosen;
}

function collapseButtons(table: Table, { stem, columns, choices }: Buttons, chosen: Int32Array): Reshaped {
  const kept = [...table.columns].filter(([name]) => !columns.includes(name));
  const name = freshName(makeTable(kept, table.rows), stem);
  const numbers = choices.every((choice) => isDecimal(choice));
  const cells = numbers
    ? numericColumn(Array.from(chosen, (at) => (at < 0 ? Number.NaN : Number(choices[at]))))
    : factorColumn(Array.from(chosen, (at) => (at < 0 ? null : choices[at]!)));
  const empty = chosen.filter((at) => at < 0).length;
  const [most, where] =
    empty === 0 ? ["Exactly one", "every row"] : ["At most one", `a row (none in ${empty} of ${table.rows})`];
  const reason = `at most one of ${columns[0]} … ${columns.at(-1)} is true in a row`;
  return {
    table: makeTable([...kept, [name, cells]], table.rows),
    reading: [
      `${most} of ${columns[0]} … ${columns.at(-1)} is true in ${where}: they are the choices of one question, and became column ${name}.`,
    ],
    hints: numbers ? [{ role: "score", column: name, reason, confidence: 0.85 }] : [],
  };
}
