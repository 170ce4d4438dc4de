/** promptfoo results, file versions 1, 2, 3 and JSON lines → one row per system, test and repeat.
 *  System = provider and prompt. Item = the variables and the rest of the test case; `testIdx` counts repeats too and is no
 *  identity, so repeats are recovered by counting equal tests.
 *  A result that ended in an error has no score; one without any assertion passes whatever the output, which is reported. */

import type { Imported, RunSettings } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { shorten } from "../../study/facts.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { flattenSettings } from "../json/nested-settings.ts";
import {
  asArray,
  asNumber,
  asObject,
  asText,
  canonicalText,
  getPath,
  isObject,
  type JsonObject,
} from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type LogRecord, readRecords, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable, makeSummaryTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const NAME_LENGTH = 40;
/** promptfoo's failureReason for a provider that gave no answer. */
const FAILED_BY_ERROR = 2;

export function importPromptfoo(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const readings = opened.map((file) => ({ name: file.file.name, records: readResults(file, losses) }));
  const records = readings.flatMap((reading) => reading.records);
  const nameAll = (list: typeof readings): string[] => list.map((reading) => reading.name);
  if (records.length === 0) return importTotals(opened, nameAll(readings));
  const files = nameAll(readings.filter((reading) => reading.records.length > 0));
  const hollow = nameAll(readings.filter((reading) => reading.records.length === 0));
  const systems = nameSystems(records);
  const items = nameItems(records);
  const graded = findGraded(opened, records);
  const repeats = new Map<string, number>();
  const rows = records.map(({ value, where }, i): LongRow => {
    const key = JSON.stringify([systems[i], items[i]]);
    const repeat = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, repeat);
    if (!graded[i]) losses.add("NoAssertions", where);
    return {
      system: systems[i]!,
      item: items[i]!,
      repeat,
      scores: readScores(value, where, losses),
      properties: readProperties(value),
    };
  });
  const most = [...repeats.values()].reduce((a, b) => Math.max(a, b), 0);
  return makeLongTable(most > 1 ? rows : rows.map(({ repeat: _, ...row }) => row), {
    format: "promptfoo",
    files,
    summary: `Results of promptfoo: ${countOf(new Set(systems).size, "combination")} of provider and prompt on ${countOf(new Set(items).size, "test")}.`,
    higherIsBetter: new Map([
      ["pass", true],
      ["score", true],
    ]),
    mainMetrics: ["pass", "score"],
    settings: settingsOf(opened, records, systems),
    assumptions: [
      "A system is a provider with a prompt; tests with the same variables, assertions and metadata are the same item.",
      ...(most > 1 ? [`Equal tests are repeats, numbered in order of appearance (up to ${most}).`] : []),
    ],
    diagnostics: [
      ...noteTotals(hollow),
      ...losses.diagnostics({
        UnreadableRecords: UNREADABLE_RECORDS,
        ErroredResults: {
          what: "results ended in an error",
          fix: "Their scores are missing, not failures of the prompt. Rerun them.",
        },
        NoAssertions: {
          what: "results passed without any assertion",
          fix: "A pass then says nothing about the output: add assertions to the tests.",
        },
      }),
    ],
  });
}

/** Totals do not add up with single results. */
function noteTotals(files: readonly string[]): Diagnostic[] {
  if (files.length === 0) return [];
  const hold =
    files.length === 1 ? "1 file holds totals only and was" : `${files.length} files hold totals only and were`;
  return [
    {
      code: "TotalsLeftOut",
      severity: "note",
      message: `${hold} left out (${listNames(files)}).`,
      fix: "Give it apart to see its totals, or write it again with the single results.",
    },
  ];
}

function readResults(opened: Opened, losses: Losses): LogRecord[] {
  if (opened.kind !== "json") return readRecords(opened, losses);
  const outer = getPath(opened.value, "results");
  const list = Array.isArray(outer)
    ? outer
    : isObject(outer)
      ? asArray(outer["results"])
      : Array.isArray(opened.value)
        ? opened.value
        : [];
  return list.flatMap((value, i) => {
    const where = `${opened.file.name}, result ${i + 1}`;
    if (isObject(value)) return [{ value, where }];
    losses.add("UnreadableRecords", where);
    return [];
  });
}

/** The provider where prompts do not differ, the prompt where providers do not, else both. */
function nameSystems(records: readonly LogRecord[]): string[] {
  const providers = records.map(({ value }) => {
    const provider = value["provider"];
    return asText(getPath(provider, "label")) ?? asText(getPath(provider, "id")) ?? asText(provider) ?? "";
  });
  const keys = records.map(({ value }) => asText(value["promptIdx"]) ?? asText(value["promptId"]) ?? promptText(value));
  const texts = new Map<string, string>();
  records.forEach(({ value }, i) => {
    if (!texts.has(keys[i]!)) texts.set(keys[i]!, promptText(value));
  });
  // promptIdx counts provider and prompt together, so equal texts under several indices are one prompt.
  const prompts = [...new Set(texts.values())];
  const starts = prompts.map((text) => shorten(text, NAME_LENGTH));
  const counts = new Map<string, number>();
  for (const start of starts) counts.set(start, (counts.get(start) ?? 0) + 1);
  const labels = new Map(
    prompts.map((text, i) => [text, counts.get(starts[i]!)! > 1 ? `prompt ${i + 1}: ${starts[i]}` : starts[i]!]),
  );
  const severalProviders = new Set(providers).size > 1;
  return records.map((_, i) => {
    const prompt = labels.get(texts.get(keys[i]!)!)!;
    if (prompts.length === 1) return providers[i] || prompt;
    return severalProviders ? `${providers[i] || "unknown provider"} | ${prompt}` : prompt;
  });
}

/** Of each provider, as the configuration of the file has them. */
function settingsOf(
  opened: readonly Opened[],
  records: readonly LogRecord[],
  systems: readonly string[],
): RunSettings[] {
  const configs = new Map<string, Record<string, string>>();
  for (const file of opened) {
    const providers = file.kind === "json" ? getPath(file.value, "config", "providers") : undefined;
    for (const provider of asArray(providers)) {
      for (const key of [getPath(provider, "label"), getPath(provider, "id")]) {
        const name = asText(key);
        if (name !== undefined) configs.set(name, flattenSettings(getPath(provider, "config")));
      }
    }
  }
  if (configs.size === 0) return [];
  const seen = new Map(records.map(({ value }, i) => [systems[i]!, value["provider"]]));
  return [...seen].map(([system, provider]) => {
    const names = [getPath(provider, "label"), getPath(provider, "id"), provider].flatMap((name) => asText(name) ?? []);
    const own = names.find((name) => configs.has(name));
    const model = asText(getPath(provider, "id")) ?? asText(provider);
    return { system, model, values: own === undefined ? {} : configs.get(own)! };
  });
}

function promptText(value: JsonObject): string {
  const prompt = value["prompt"];
  return (
    asText(getPath(prompt, "label")) ??
    asText(getPath(prompt, "display")) ??
    asText(getPath(prompt, "raw")) ??
    asText(prompt) ??
    "prompt"
  );
}

function nameItems(records: readonly LogRecord[]): string[] {
  const keys = records.map(({ value }) => {
    const { description, assert, metadata } = asObject(value["testCase"]);
    return canonicalText([
      value["vars"] ?? getPath(value, "testCase", "vars"),
      description ?? null,
      assert ?? [],
      metadata ?? {},
    ]);
  });
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  records.forEach(({ value }, i) => {
    if (names.has(keys[i]!)) return;
    const vars = Object.values(asObject(value["vars"])).map((part) => asText(part) ?? canonicalText(part));
    const plain = shorten(asText(getPath(value, "testCase", "description")) ?? vars.join(", "), NAME_LENGTH) || "test";
    let name = plain;
    for (let k = numbers.get(plain) ?? 2; taken.has(name); k += 1) {
      name = `${plain} (${k})`;
      numbers.set(plain, k + 1);
    }
    taken.add(name);
    names.set(keys[i]!, name);
  });
  return keys.map((key) => names.get(key)!);
}

/** Whether something judged each result: assertions listed, components graded, or (version 1) a verdict in the table. */
function findGraded(opened: readonly Opened[], records: readonly LogRecord[]): boolean[] {
  const verdicts = opened.some((file) => {
    const body = asArray(
      file.kind === "json"
        ? (getPath(file.value, "table", "body") ?? getPath(file.value, "results", "table", "body"))
        : [],
    );
    return body.some((row) =>
      asArray(getPath(row, "outputs")).some((output) =>
        /^\[(PASS|FAIL)\]/.test(asText(output) ?? asText(getPath(output, "text")) ?? ""),
      ),
    );
  });
  return records.map(({ value }) => {
    const grading = value["gradingResult"];
    if (isObject(grading)) {
      return asArray(grading["componentResults"]).length > 0 || (asText(grading["reason"]) ?? "") !== "No assertions";
    }
    return asArray(getPath(value, "testCase", "assert")).length > 0 || verdicts || value["success"] === false;
  });
}

function readScores(value: JsonObject, where: string, losses: Losses): Map<string, number> {
  const scores = new Map<string, number>();
  const failed =
    asNumber(value["failureReason"]) === FAILED_BY_ERROR ||
    (value["failureReason"] === undefined &&
      asText(value["error"]) !== undefined &&
      value["gradingResult"] == null &&
      value["success"] !== true);
  if (failed) losses.add("ErroredResults", where);
  const pass = failed ? Number.NaN : asNumber(value["success"] ?? getPath(value, "gradingResult", "pass"));
  const score = failed ? Number.NaN : asNumber(value["score"] ?? getPath(value, "gradingResult", "score"));
  scores.set("pass", pass);
  if (!Number.isNaN(score)) scores.set("score", score);
  for (const [name, part] of Object.entries(asObject(value["namedScores"])))
    scores.set(name, failed ? Number.NaN : asNumber(part));
  return scores;
}

function readProperties(value: JsonObject): Map<string, Cell> {
  const properties = new Map<string, Cell>();
  for (const [name, part] of Object.entries(asObject(value["vars"]))) {
    if (
      (typeof part === "string" && part.length <= NAME_LENGTH) ||
      typeof part === "number" ||
      typeof part === "boolean"
    ) {
      properties.set(name, part);
    }
  }
  for (const name of ["latencyMs", "cost"]) {
    if (typeof value[name] === "number") properties.set(name, value[name]);
  }
  return properties;
}

/** A file whose results were not loaded still counts passes and failures of each prompt. */
function importTotals(opened: readonly Opened[], files: readonly string[]): Imported {
  const prompts = opened.flatMap((file) =>
    file.kind === "json" ? asArray(getPath(file.value, "prompts") ?? getPath(file.value, "results", "prompts")) : [],
  );
  const records: LogRecord[] = prompts
    .filter(isObject)
    .map((value) => ({ value: { ...value, prompt: { label: value["label"] ?? value["raw"] } }, where: "" }));
  const systems = nameSystems(records);
  const count = (value: unknown, name: string): Cell => asNumber(getPath(value, "metrics", name));
  const rows = records.map(
    ({ value }, i) =>
      new Map<string, Cell>([
        ["system", systems[i]!],
        ["passed", count(value, "testPassCount")],
        ["failed", count(value, "testFailCount")],
        ["errors", count(value, "testErrorCount")],
      ]),
  );
  return makeSummaryTable(rows, {
    format: "promptfoo",
    files,
    summary: `A promptfoo file without single results: passes and failures of ${countOf(rows.length, "combination")} of provider and prompt (${listNames(systems, 2)}).`,
    roles: { ...(rows.length > 0 ? { system: "system" } : {}), covariates: rows.length > 0 ? ["errors"] : [] },
    metrics:
      rows.length === 0
        ? []
        : [
            { name: "passed", label: "testPassCount", higherIsBetter: true },
            { name: "failed", label: "testFailCount", higherIsBetter: false },
          ],
    assumptions: [],
    diagnostics: [],
  });
}
