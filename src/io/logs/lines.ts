/** The records of a log, from JSON lines or a JSON list, each with its place in the file for messages.
 *  A line that is no record (a run that was killed ends in half a line) is counted, not fatal: the rest is still there. */
import { StatError } from "../../result/error.ts";
import { decodeText } from "../encoding.ts";
import { type JsonPlace, parseJson } from "../json/parse.ts";
import { isObject, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import type { Losses, LossText } from "./losses.ts";

export interface LogRecord {
  readonly value: JsonObject;
  /** "samples.jsonl, line 3" */
  readonly where: string;
}

export const UNREADABLE_RECORDS: LossText = {
  what: "records could not be read",
  fix: "They were left out; the file may be cut off or damaged. Copy or write it again.",
};

export function readRecords(opened: Opened, losses: Losses): LogRecord[] {
  const { name } = opened.file;
  if (opened.kind === "json") {
    const list = Array.isArray(opened.value) ? opened.value : [opened.value];
    return list.flatMap((value, i) => keep(value, `${name}, record ${i + 1}`, losses));
  }
  if (opened.kind !== "jsonl") {
    throw new StatError("NotALog", `${name}: no JSON records.`, "Give the JSON or JSONL file as the tool wrote it.");
  }
  const records: LogRecord[] = [];
  decodeText(opened.file.bytes, name)
    .split("\n")
    .forEach((line, i) => {
      if (line.trim() !== "")
        records.push(...keep(tryParse(line, { name, budget: opened.budget }), `${name}, line ${i + 1}`, losses));
    });
  return records;
}

function keep(value: unknown, where: string, losses: Losses): LogRecord[] {
  if (isObject(value)) return [{ value, where }];
  losses.add("UnreadableRecords", where);
  return [];
}

function tryParse(line: string, where: JsonPlace): unknown {
  try {
    return parseJson(line, where);
  } catch (error) {
    if (error instanceof StatError && error.code !== "OverBudget") return undefined;
    throw error;
  }
}

/** Folder of a relative name, "" at the top. */
export function folderOf(name: string): string {
  const cut = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\"));
  return cut < 0 ? "" : name.slice(0, cut);
}

/** Name without folders. */
export function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}

/** Several at the end, from the first of them on. */
const EXTENSIONS =
  /(?<!\.(jsonl|json|csv|tsv|txt|gz|zst|eval|parquet))(\.(jsonl|json|csv|tsv|txt|gz|zst|eval|parquet))+$/i;

/** Name without folders and without extensions such as .jsonl or .txt. */
export function stemOf(name: string): string {
  return baseName(name).replace(EXTENSIONS, "");
}

/** A name for each file: its stem, or where the tool calls every such file and folder the same (`own`), the nearest folder above that it
 *  does not. Where two would have one name, the whole path. */
export function namesByPath(names: readonly string[], own: RegExp): string[] {
  const labels = names.map((name) => {
    const parts = [...folderOf(name).split(/[/\\]/), stemOf(name)];
    return parts.findLast((part) => part !== "" && part !== "." && !own.test(part)) ?? stemOf(name);
  });
  const paths = new Map<string, Set<string>>();
  for (const [i, label] of labels.entries()) paths.set(label, (paths.get(label) ?? new Set()).add(names[i]!));
  return labels.map((label, i) => (paths.get(label)!.size > 1 ? names[i]! : label));
}
