/** Arena battles (FastChat, Chatbot Arena) → two rows per battle, one from each model's side.
 *  score is 1 for a win, 0.5 for a tie (also "both bad"), 0 for a loss; the two rows of a battle sum to 1, so a model of
 *  the rows must treat a battle as a cluster. */
import type { Cell } from "./columns.ts";
import { countOf } from "./detect.ts";
import type { Imported } from "./imported.ts";
import { asNumber, asObject, asText, getPath, type JsonObject } from "./json-value.ts";
import { type LogRecord, readRecords, UNREADABLE_RECORDS } from "./log-lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";
import type { Opened } from "./open-file.ts";

const WINNERS = new Map([
  ["model_a", 1],
  ["model_b", 0],
  ["tie", 0.5],
  ["tie (bothbad)", 0.5],
  ["bothbad", 0.5],
  ["both_bad", 0.5],
]);

export function importArena(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const records = opened.flatMap((file) => readRecords(file, losses));
  const ids = records.map(
    ({ value }, i) => asText(value["question_id"]) ?? asText(value["conversation_id"]) ?? String(i + 1),
  );
  const rows = records.flatMap((record, i) => readBattle(record, i + 1, ids[i]!, losses));
  const questions = new Set(ids).size;
  return makeLongTable(rows, {
    format: "arena",
    files: opened.map((file) => file.file.name),
    summary: `Battles between two models: ${countOf(rows.length / 2, "vote")} on ${countOf(questions, "prompt")}.`,
    higherIsBetter: new Map([["score", true]]),
    mainMetrics: ["score"],
    fixedRoles: { opponent: "opponent", cluster: "battle" },
    assumptions: [
      "Each battle gives two rows, one per model: score 1 for a win, 0.5 for a tie, 0 for a loss; rows of one battle belong together.",
    ],
    diagnostics: losses.diagnostics({
      UnreadableRecords: UNREADABLE_RECORDS,
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
    }),
  });
}

function readBattle({ value, where }: LogRecord, number: number, question: string, losses: Losses): LongRow[] {
  const a = asText(value["model_a"]);
  const b = asText(value["model_b"]);
  const won = WINNERS.get((asText(value["winner"]) ?? "").toLowerCase());
  if (a === undefined || b === undefined || won === undefined) {
    losses.add("NoWinner", where);
    return [];
  }
  if (a === b) {
    losses.add("SameModel", where);
    return [];
  }
  if (getPath(value, "dedup_tag", "sampled") === false) losses.add("Duplicates", where);
  const shared = { item: question, rater: asText(value["judge"]) ?? asText(value["evaluation_session_id"]) };
  const side = (position: "a" | "b", system: string, opponent: string, score: number): LongRow => ({
    ...shared,
    system,
    scores: new Map([["score", score]]),
    properties: new Map<string, Cell>([
      ["battle", String(number)],
      ["opponent", opponent],
      ["position", position],
      ...readProperties(value, position),
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
