/** Prodigy annotations (JSON lines) → one row per input, question and annotator.
 *  accepted is 1 for "accept" and 0 for "reject"; "ignore" is no answer. A choice is kept as the label, and as the number
 *  rating where every choice is a number. */

import type { Imported } from "../../data/imported.ts";
import { present } from "../../result/present.ts";
import { SYSTEM_NAMES } from "../../study/lexicon/names.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { asArray, asObject, asText, getPath, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { readRecords, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const MAX_PROPERTY_LENGTH = 100;

export function importProdigy(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const records = opened.flatMap((file) => readRecords(file, losses));
  const choices = records.map(({ value }) =>
    Array.isArray(value["accept"]) ? value["accept"].flatMap((part) => asText(part) ?? []) : undefined,
  );
  const isChoice = choices.some((list) => list !== undefined);
  const numeric =
    isChoice &&
    choices.every(
      (list) => list === undefined || list.every((part) => Number.isFinite(Number(part)) && list.length < 2),
    );
  const rows = records.flatMap(({ value, where }, i): LongRow[] => {
    const item = asText(value["_input_hash"]) ?? asText(value["_task_hash"]);
    const rater = asText(value["_annotator_id"]) ?? asText(value["_session_id"]);
    if (item === undefined) {
      losses.add("NoItem", where);
      return [];
    }
    const answer = asText(value["answer"]);
    const ignored = answer === "ignore" || answer === undefined;
    if (ignored) losses.add("Ignored", where);
    const list = ignored ? undefined : choices[i];
    const scores = new Map<string, number>();
    if (numeric) scores.set("rating", list?.[0] === undefined ? Number.NaN : Number(list[0]));
    else if (!isChoice) scores.set("accepted", ignored ? Number.NaN : Number(answer === "accept"));
    const system = readSystem(value);
    const label = list === undefined ? undefined : [...list].sort().join("+") || "none";
    return [
      {
        item,
        ...present({ system, rater }),
        scores,
        properties: readProperties(value, isChoice ? ["choice", label] : undefined),
      },
    ];
  });
  return makeLongTable(rows, {
    format: "prodigy",
    files: opened.map((file) => file.file.name),
    summary: `Prodigy annotations: ${countOf(rows.length, "answer")} on ${countOf(new Set(rows.map((row) => row.item)).size, "input")}.`,
    fixedRoles: isChoice ? { label: "choice" } : {},
    assumptions: [
      isChoice
        ? "Several accepted choices count as one label, joined by +."
        : 'accepted is 1 for "accept" and 0 for "reject".',
      ...(rows.some((row) => row.rater !== undefined)
        ? []
        : ["No annotator or session is named, so agreement cannot be judged."]),
    ],
    diagnostics: losses.diagnostics({
      UnreadableRecords: UNREADABLE_RECORDS,
      Ignored: { what: "answers are ignored or empty", fix: "They are missing, not rejections." },
      NoItem: { what: "records have no _input_hash", fix: "They were left out: without it they cannot be matched." },
    }),
  });
}

/** Who wrote what is judged, under a name of systems in meta or beside the text. */
function readSystem(value: JsonObject): string | undefined {
  const own = [...Object.entries(asObject(getPath(value, "meta"))), ...Object.entries(value)];
  const named = own.find(([key, part]) => isSystemKey(key) && asText(part) !== undefined);
  return named === undefined ? undefined : asText(named[1]);
}

const isSystemKey = (key: string): boolean => SYSTEM_NAMES.includes(splitWords(key).join("_"));

function readProperties(value: JsonObject, choice: [string, string | undefined] | undefined): Map<string, Cell> {
  const properties = new Map<string, Cell>(choice === undefined ? [] : [choice]);
  const label = asText(value["label"]);
  if (label !== undefined) properties.set("label", label);
  for (const [key, part] of Object.entries(asObject(getPath(value, "meta")))) {
    const short = typeof part === "string" && part.length <= MAX_PROPERTY_LENGTH;
    if (isSystemKey(key)) continue;
    if (short || typeof part === "number" || typeof part === "boolean") properties.set(key, part);
  }
  const spans = asArray(value["spans"]).length;
  if (spans > 0) properties.set("spans", spans);
  return properties;
}
