/** Column names from the first record of a CSV file. */
import { parseDecimal } from "../../data/levels.ts";
import type { Diagnostic } from "../../result/result.ts";
import { makeDecoder, notText, place } from "../encoding.ts";
import { DOUBLED, QUOTED, type RecordView } from "./scan.ts";

export function decodeHeader(record: RecordView, file: string): string[] {
  const decoder = makeDecoder("utf-8");
  return Array.from({ length: record.count }, (_, k) => {
    const bytes = record.bytes.subarray(record.base + record.starts[k]!, record.base + record.ends[k]!);
    try {
      const text = decoder.decode(bytes);
      if ((record.flags[k]! & QUOTED) === 0) return text.trim();
      return (record.flags[k]! & DOUBLED) === 0 ? text : text.replaceAll('""', '"');
    } catch {
      throw notText(place(file, record.line), "utf-8");
    }
  });
}

/** Distinct names in place of empty and repeated ones, with a word on each change. */
export function nameColumns(texts: readonly string[], diagnostics: Diagnostic[]): string[] {
  const taken = new Set(texts);
  const used = new Set<string>();
  const names = texts.map((text, k) => {
    if (text !== "" && !used.has(text)) {
      used.add(text);
      return text;
    }
    const name = freeName(text === "" ? `column${k + 1}` : text, text === "" ? 1 : 2, taken);
    taken.add(name);
    used.add(name);
    diagnostics.push({
      code: text === "" ? "UnnamedColumn" : "DuplicateColumn",
      severity: text === "" ? "note" : "warning",
      message:
        text === ""
          ? `column ${k + 1} has no name in the header; it is called "${name}".`
          : `column ${k + 1} is another "${text}"; it is called "${name}".`,
      fix: "give every column a name of its own in the file.",
    });
    return name;
  });
  if (texts.length > 0 && texts.every((text) => !Number.isNaN(parseDecimal(text)))) {
    diagnostics.push({
      code: "HeaderIsNumeric",
      severity: "warning",
      message: `the first line holds only numbers (${texts.slice(0, 3).join(", ")}${texts.length > 3 ? ", …" : ""}) and was taken for the header.`,
      fix: "if the file has no header, pass header: false.",
    });
  }
  return names;
}

function freeName(stem: string, first: number, taken: ReadonlySet<string>): string {
  for (let k = first; ; k += 1) {
    const name = k === 1 ? stem : `${stem}_${k}`;
    if (!taken.has(name)) return name;
  }
}
