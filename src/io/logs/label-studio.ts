/** Label Studio exports → one row per task and annotator, one column per question (`from_name`).
 *  Ratings and numbers are scores, choices are labels. Cancelled annotations are counted and left out; so are predictions,
 *  which no person made. The flat "JSON-MIN" export is a plain table and is read as one. */

import type { Imported } from "../../data/imported.ts";
import { SYSTEM_NAMES } from "../../study/lexicon/names.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { asArray, asNumber, asObject, asText, getPath } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type LogRecord, readRecords, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const MAX_PROPERTY_LENGTH = 60;

export function importLabelStudio(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const records = opened.flatMap((file) => readRecords(file, losses));
  const questions = new Map<string, "number" | "label">();
  const rows = records.flatMap((record) => readTask(record, questions, losses));
  const labels = [...questions].filter(([, kind]) => kind === "label").map(([name]) => name);
  return makeLongTable(rows, {
    format: "label-studio",
    files: opened.map((file) => file.file.name),
    summary: `Label Studio annotations: ${rows.length} by ${countOf(new Set(rows.map((row) => row.rater)).size, "annotator")} on ${countOf(records.length, "task")}; questions: ${[...questions.keys()].join(", ") || "none"}.`,
    fixedRoles: labels[0] === undefined ? {} : { label: labels[0] },
    assumptions: [
      ...(labels.length > 0
        ? [`Several choices in one answer count as one label, joined by + (${labels.join(", ")}).`]
        : []),
      ...(rows.some((row) => row.system !== undefined) ? ["The tasks' own data names the system."] : []),
    ],
    diagnostics: losses.diagnostics({
      UnreadableRecords: UNREADABLE_RECORDS,
      Cancelled: { what: "annotations were cancelled or skipped", fix: "They were left out; they are no judgements." },
      GroundTruth: {
        what: "annotations are marked as ground truth",
        severity: "note",
        fix: "They are kept; leave their annotator out of agreement if they are the key.",
      },
      Predictions: {
        what: "predictions were not read",
        severity: "note",
        fix: "They are not annotations; export them apart to compare them.",
      },
      OtherResults: {
        what: "results are neither choices, ratings, numbers nor pairwise votes",
        severity: "note",
        fix: "They have no score and were left out.",
      },
      NotAnnotated: { what: "tasks have no annotation", severity: "note", fix: "They are missing, not negative." },
    }),
  });
}

function readTask({ value, where }: LogRecord, questions: Map<string, "number" | "label">, losses: Losses): LongRow[] {
  const id = asText(value["id"]) ?? where;
  for (const _ of asArray(value["predictions"])) losses.add("Predictions", `task ${id}`);
  const data = asObject(value["data"]);
  const system = Object.entries(data).find(([key]) => SYSTEM_NAMES.includes(splitWords(key).join("_")));
  const annotations = asArray(value["annotations"]);
  if (annotations.length === 0) losses.add("NotAnnotated", `task ${id}`);
  return annotations.flatMap((annotation): LongRow[] => {
    if (getPath(annotation, "was_cancelled") === true) {
      losses.add("Cancelled", `task ${id}`);
      return [];
    }
    if (getPath(annotation, "ground_truth") === true) losses.add("GroundTruth", `task ${id}`);
    const by = getPath(annotation, "completed_by");
    const rater = asText(by) ?? asText(getPath(by, "email")) ?? asText(getPath(by, "id")) ?? "unknown";
    const { scores, labels } = readAnswers(asArray(getPath(annotation, "result")), questions, () =>
      losses.add("OtherResults", `task ${id}`),
    );
    const properties = new Map<string, Cell>([...labels, ...shortData(data, system?.[0])]);
    return [{ item: id, rater, ...(system === undefined ? {} : { system: asText(system[1]) }), scores, properties }];
  });
}

function readAnswers(
  results: readonly unknown[],
  questions: Map<string, "number" | "label">,
  onOther: () => void,
): { scores: Map<string, number>; labels: Map<string, string> } {
  const scores = new Map<string, number>();
  const labels = new Map<string, string>();
  for (const result of results) {
    const name = asText(getPath(result, "from_name")) ?? "answer";
    const value = getPath(result, "value");
    const number = asNumber(getPath(value, "rating") ?? getPath(value, "number"));
    const choices = asArray(getPath(value, "choices")).flatMap((choice) => asText(choice) ?? []);
    const selected = asText(getPath(value, "selected"));
    if (!Number.isNaN(number)) {
      scores.set(name, number);
      questions.set(name, "number");
    } else if (choices.length > 0 || selected !== undefined) {
      labels.set(name, selected ?? [...choices].sort().join("+"));
      questions.set(name, "label");
    } else onOther();
  }
  return { scores, labels };
}

function shortData(data: object, except: string | undefined): [string, Cell][] {
  return Object.entries(data).filter(
    ([key, value]) =>
      key !== except &&
      ((typeof value === "string" && value.length <= MAX_PROPERTY_LENGTH) || typeof value === "number"),
  );
}
