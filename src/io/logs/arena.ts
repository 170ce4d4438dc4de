/** Arena battles (FastChat, Chatbot Arena; records in JSON, or a table with the columns model_a, model_b, winner) → two rows per battle, one from each model's side.
 *  score is 1 for a win, 0.5 for a tie (also "both bad"), 0 for a loss; the two rows of a battle sum to 1, so a model of
 *  the rows must treat a battle as a cluster. */

import type { Imported } from "../../data/imported.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES } from "../../study/lexicon/names.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { asNumber, asObject, asText, getPath, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { RAGGED_ROWS, readTextTable, type TextRow } from "../text-table.ts";
import { type LogRecord, readRecords, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const WINNERS = new Map([
  ["model_a", 1],
  ["model_b", 0],
  ["tie", 0.5],
  ["tie (bothbad)", 0.5],
  ["bothbad", 0.5],
  ["both_bad", 0.5],
  ["a", 1],
  ["b", 0],
]);

/** Names of the prompt's and the voter's field, the first that is there: what a table calls its items, then what was asked; an id of the
 *  battle itself comes last. */
const BATTLE_IDS = ["conversation_id", "uid", "key", "id"];
const PROMPTS = [
  ...["question_id", "prompt_id"],
  ...ITEM_NAMES.filter((name) => !BATTLE_IDS.includes(name)),
  ...INPUT_NAMES,
  ...BATTLE_IDS,
  "task",
];

const KNOWN = new Set("model_a model_b winner battle opponent position system score language turn".split(" "));

export function importArena(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const records = opened.flatMap((file): BattleRecord[] =>
    file.kind === "table" ? readTableRecords(file, losses) : readRecords(file, losses),
  );
  const counts = new Map<string, number>();
  for (const { value } of records) for (const name of Object.keys(value)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fields = [...counts.keys()];
  const rater = fieldCalled(RATER_NAMES, fields);
  const prompt = fieldCalled(PROMPTS, fields);
  const rows = records.flatMap((record, i) => readBattle(record, i + 1, { prompt, rater }, losses));
  const votes = countOf(rows.length / 2, "vote");
  const questions = new Set(rows.map(({ item }) => item)).size;
  return makeLongTable(rows, {
    format: "arena",
    files: opened.map((file) => file.file.name),
    summary: `Battles between two models: ${votes}${prompt === undefined ? "" : ` on ${countOf(questions, "prompt")}`}.`,
    higherIsBetter: new Map([["score", true]]),
    mainMetrics: ["score"],
    fixedRoles: { opponent: "opponent", cluster: "battle" },
    assumptions: [
      "Each battle gives two rows, one per model: score 1 for a win, 0.5 for a tie, 0 for a loss; rows of one battle belong together.",
      ...(prompt === undefined ? [NO_PROMPT] : []),
    ],
    diagnostics: losses.diagnostics(LOSSES),
  });
}

const NO_PROMPT = "No column names the prompts: each vote counts as its own prompt.";

/** The first of the names that a field has, whatever its spelling: "Prompt ID", "promptId". */
function fieldCalled(names: readonly string[], fields: readonly string[]): string | undefined {
  const called = new Map(fields.map((field) => [splitWords(field).join("_"), field]));
  return names.map((name) => called.get(name)).find((field) => field !== undefined);
}

const LOSSES = {
  UnreadableRecords: UNREADABLE_RECORDS,
  RaggedRows: RAGGED_ROWS,
  NoWinner: {
    what: "battles have no known winner",
    fix: "They were left out; winner is model_a, model_b, tie or tie (bothbad).",
  },
  SameModel: {
    what: "battles pit a model against itself",
    severity: "note",
    fix: "They were left out: they say nothing about a difference.",
  },
  Duplicates: {
    what: "battles are marked as duplicates (dedup_tag)",
    severity: "note",
    fix: "They are kept; leave them out if the prompts were repeated to game the vote.",
  },
} as const;

interface BattleRecord extends LogRecord {
  /** Columns of a table that say neither who met nor who won. */
  readonly others?: ReadonlyMap<string, Cell>;
}

/** The columns of a table as the fields of records. */
function readTableRecords(file: Opened, losses: Losses): BattleRecord[] {
  const { header, rows } = readTextTable(file, losses);
  const names = header.map((name) => name.toLowerCase().replaceAll(" ", "_"));
  const called = new Set([PROMPTS, RATER_NAMES].map((own) => fieldCalled(own, names)));
  const others = header.flatMap((name, j) => {
    if (KNOWN.has(names[j]!) || called.has(names[j]!)) return [];
    const numeric = rows.every(({ cells }) => Number.isFinite(Number(cells[j])));
    return [{ name, read: ({ cells }: TextRow): Cell => readCell(cells[j]!.trim(), numeric) }];
  });
  return rows.map((row) => ({
    value: Object.fromEntries(names.map((name, j) => [name, row.cells[j]!.trim()])),
    where: row.where,
    others: new Map(others.map(({ name, read }) => [name, read(row)])),
  }));
}

const readCell = (cell: string, numeric: boolean): Cell => (cell === "" ? null : numeric ? Number(cell) : cell);

interface Named {
  readonly prompt: string | undefined;
  readonly rater: string | undefined;
}

const textOf = (value: JsonObject, field: string | undefined): string | undefined => {
  const text = field === undefined ? undefined : asText(value[field]);
  return text === "" ? undefined : text;
};

function readBattle(
  { value, where, others = new Map() }: BattleRecord,
  number: number,
  named: Named,
  losses: Losses,
): LongRow[] {
  const a = asText(value["model_a"]);
  const b = asText(value["model_b"]);
  const winner = asText(value["winner"]) ?? "";
  const won = winner === a ? 1 : winner === b ? 0 : WINNERS.get(winner.toLowerCase());
  if (!a || !b || won === undefined) {
    losses.add("NoWinner", where);
    return [];
  }
  if (a === b) {
    losses.add("SameModel", where);
    return [];
  }
  if (getPath(value, "dedup_tag", "sampled") === false) losses.add("Duplicates", where);
  const shared = { item: textOf(value, named.prompt) ?? String(number), rater: textOf(value, named.rater) };
  const side = (position: "a" | "b", system: string, opponent: string, score: number): LongRow => ({
    ...shared,
    system,
    scores: new Map([["score", score]]),
    properties: new Map<string, Cell>([
      ["battle", String(number)],
      ["opponent", opponent],
      ["position", position],
      ...readProperties(value, position),
      ...others,
    ]),
  });
  return [side("a", a, b, won), side("b", b, a, 1 - won)];
}

/** Language and turn of the battle, and the style of this side's answer. */
function readProperties(value: JsonObject, position: "a" | "b"): [string, Cell][] {
  const list: [string, Cell][] = [];
  for (const name of ["language", "turn"]) {
    const text = asText(value[name]);
    if (text !== undefined) list.push([name, text]);
  }
  for (const [key, part] of Object.entries(asObject(value["conv_metadata"]))) {
    if (!key.endsWith(`_${position}`)) continue;
    // Counts of list or header kinds come as an object of counts.
    const total =
      typeof part === "number"
        ? part
        : Object.values(asObject(part)).reduce<number>((sum, count) => sum + (asNumber(count) || 0), 0);
    list.push([key.slice(0, -2), total]);
  }
  return list;
}
