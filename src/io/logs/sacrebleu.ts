/** sacreBLEU's JSON output: scores of whole test sets, with the signature that says how they were computed. */

import type { Imported } from "../../data/imported.ts";
import type { Cell } from "../columns.ts";
import { asNumber, asText, getPath, hasKeys, isObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { stemOf } from "./lines.ts";
import { makeSummaryTable } from "./long-table.ts";

export function importSacrebleu(opened: readonly Opened[]): Imported {
  const signatures = new Set<string>();
  const records = opened.flatMap((file) =>
    file.kind === "json" ? readScores(file.value, stemOf(file.file.name), signatures) : [],
  );
  const systems = new Set(records.map((record) => record.get("system")));
  return makeSummaryTable(records, {
    format: "sacrebleu",
    files: opened.map((file) => file.file.name),
    summary: `Scores by sacreBLEU: ${records.length} of ${systems.size} ${systems.size === 1 ? "system" : "systems"}.`,
    roles: records.length === 0 ? {} : { system: "system", metric: "metric", score: "score", covariates: [] },
    metrics: records.length === 0 ? [] : [{ name: "score", label: "score" }],
    assumptions: [...signatures].map((signature) => `The signature of the scores is ${signature}.`),
    diagnostics: [],
  });
}

function readScores(value: unknown, fileName: string, signatures: Set<string>): Map<string, Cell>[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => {
    const signature = asText(getPath(entry, "signature"));
    if (signature !== undefined) signatures.add(`${asText(getPath(entry, "name")) ?? ""} ${signature}`.trim());
    if (hasKeys(entry, "name", "score")) return [makeRecord(fileName, asText(entry["name"]), entry)];
    const system = asText(getPath(entry, "system")) ?? fileName;
    const metrics = Object.entries(isObject(entry) ? entry : {}).filter(([, part]) => hasKeys(part, "score"));
    return metrics.map(([metric, part]) => makeRecord(system, metric, part));
  });
}

function makeRecord(system: string, metric: string | undefined, part: unknown): Map<string, Cell> {
  const record = new Map<string, Cell>([
    ["system", system],
    ["metric", metric],
    ["score", asNumber(getPath(part, "score"))],
  ]);
  for (const name of ["mean", "ci", "p_value"]) {
    const number = asNumber(getPath(part, name));
    if (!Number.isNaN(number)) record.set(name, number);
  }
  return record;
}
