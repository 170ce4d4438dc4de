/** Scores of WMT's metrics task (io/score-lines.ts) → one row a system and segment with a column for each metric, or totals of systems.
 *  A metric with several references has a column for each (BLEU-refA). Segments that are numbered within documents are named
 *  document/segment. Of a folder with several levels the finest is read.
 *  An error rate is published with or without its sign turned: where no score of it is above 0, higher is better. */

import type { Imported, ImportedMetric } from "../../data/imported.ts";
import { note } from "../../result/diagnostic.ts";
import { present } from "../../result/present.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { decodeText } from "../encoding.ts";
import type { Opened } from "../open.ts";
import { levelByName, type ScoreField, type ScoreLevel, scoreFields } from "../score-lines.ts";
import { baseName, folderOf } from "./lines.ts";
import { type LongRow, makeLongTable, makeSummaryTable } from "./long-table.ts";

type ScoresFile = Extract<Opened, { kind: "scores" }>;

/** One line: what it is about, and its score. */
interface Line extends Partial<Record<Exclude<ScoreField, "score">, string>> {
  readonly metric: string;
  readonly system: string;
  readonly score: number;
}

const FINEST: readonly ScoreLevel[] = ["seg", "doc", "sys"];
const ITEMS: Readonly<Record<ScoreLevel, string>> = { seg: "segment", doc: "document", sys: "system" };

export function importWmtMetrics(opened: readonly Opened[]): Imported {
  const files = opened.filter((file): file is ScoresFile => file.kind === "scores");
  const level = FINEST.find((own) => files.some(({ layout }) => layout.level === own)) ?? "sys";
  const used = files.filter(({ layout }) => layout.level === level);
  const lines = used.flatMap(readLines);
  const varies = (field: "pair" | "testset" | "reference"): boolean =>
    new Set(lines.map((line) => line[field])).size > 1;
  const label = varies("reference")
    ? ({ metric, reference }: Line): string => (reference === undefined ? metric : `${metric}-${reference}`)
    : ({ metric }: Line): string => metric;
  const parts = (["pair", "testset"] as const).filter(varies);
  const taskOf = (line: Line): string | undefined =>
    parts.length === 0 ? undefined : parts.map((part) => line[part] ?? "").join(" ");
  const rows = joinMetrics(lines, { label, taskOf });
  const metrics = [...new Set(lines.map(label))];
  const directions = directionsOf(lines, label);
  const about = (["pair", "testset"] as const)
    .filter((part) => !varies(part))
    .flatMap((part) => lines[0]?.[part] ?? []);
  const spec = {
    format: "wmt-metrics" as const,
    files: used.map(({ file }) => file.name),
    summary: `Scores of the WMT metrics task${about.length === 0 ? "" : ` (${about.join(", ")})`}: ${listNames(metrics)} of ${countOf(new Set(lines.map(({ system }) => system)).size, "system")}, one for each ${ITEMS[level]}.`,
    assumptions: [
      `The file has no header: its fields are ${used[0]!.layout.fields.join(", ")}.`,
      ...(varies("reference") ? ["Each metric with each reference is a score of its own."] : []),
    ],
    diagnostics: noteOthers(files, used, level),
  };
  if (level === "sys") return totals(rows, { ...spec, metrics, directions, tasks: parts.length > 0 });
  const documents = rows.some(({ line }) => line.document !== undefined && level === "seg");
  return makeLongTable(
    rows.map(
      ({ line, task, scores }): LongRow => ({
        system: line.system,
        item: nameItem(line),
        ...present({ task }),
        scores,
        ...(documents ? { properties: new Map([["document", line.document]]) } : {}),
      }),
    ),
    {
      ...spec,
      higherIsBetter: directions,
      mainMetrics: metrics,
      ...(documents ? { fixedRoles: { cluster: "document" } } : {}),
    },
  );
}

function readLines({ file, layout: { fields } }: ScoresFile): Line[] {
  const own = byName(file.name);
  const counts = new Map<string, number>();
  return decodeText(file.bytes, file.name)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((text): Line => {
      const cells = scoreFields(text);
      const told = Object.fromEntries(fields.map((field, k) => [field, cells[k]!])) as Record<ScoreField, string>;
      const number = Number(told.score);
      const score = told.score === "" || Number.isNaN(number) ? Number.NaN : number;
      if (fields.length > 2) return { ...told, score };
      const segment = (counts.get(told.system) ?? 0) + 1;
      counts.set(told.system, segment);
      return { ...own, system: told.system, segment: String(segment), score };
    });
}

/** human-scores/en-de.mqm.seg.score, metric-scores/en-de/BLEU-refA.seg.score */
function byName(name: string): { readonly metric: string; readonly pair?: string } {
  if (levelByName(name) === undefined) return { metric: "score" };
  const stem = baseName(name).replace(/\.(sys|doc|seg)\.score(\.gz|\.zst)?$/i, "");
  const [, pair, metric] = /^([a-z]{2,3}-[a-z]{2,3})\.(.+)$/i.exec(stem) ?? [];
  if (pair !== undefined) return { metric: metric!, pair };
  const folder = baseName(folderOf(name));
  return { metric: stem, ...(/^[a-z]{2,3}-[a-z]{2,3}$/i.test(folder) ? { pair: folder } : {}) };
}

/** The segment, the document, or both. */
const nameItem = (line: Line): string => [line.document, line.segment].filter((part) => part !== undefined).join("/");

interface Joined {
  readonly line: Line;
  readonly task: string | undefined;
  readonly scores: Map<string, number>;
}

/** The scores of one translation by all metrics, side by side. */
function joinMetrics(
  lines: readonly Line[],
  { label, taskOf }: { label: (line: Line) => string; taskOf: (line: Line) => string | undefined },
): Joined[] {
  const rows = new Map<string, Joined>();
  for (const line of lines) {
    const task = taskOf(line);
    const key = JSON.stringify([task, line.system, line.document, line.segment]);
    const row = rows.get(key) ?? { line, task, scores: new Map<string, number>() };
    rows.set(key, row);
    row.scores.set(label(line), line.score);
  }
  return [...rows.values()];
}

function directionsOf(lines: readonly Line[], label: (line: Line) => string): Map<string, boolean> {
  const positive = new Set(lines.filter(({ score }) => score > 0).map(label));
  return new Map(
    lines.flatMap((line) => {
      const direction = metricDirection(line.metric);
      return direction === undefined ? [] : [[label(line), direction || !positive.has(label(line))] as const];
    }),
  );
}

function totals(
  rows: readonly Joined[],
  {
    metrics,
    directions,
    tasks,
    ...spec
  }: Omit<Parameters<typeof makeSummaryTable>[1], "roles" | "metrics"> & {
    readonly metrics: readonly string[];
    readonly directions: ReadonlyMap<string, boolean>;
    readonly tasks: boolean;
  },
): Imported {
  const records = rows.map(
    ({ line, task, scores }) =>
      new Map<string, Cell>([
        ["system", line.system],
        ...(tasks ? [["task", task] as const] : []),
        ...metrics.map((metric) => [metric, scores.get(metric) ?? Number.NaN] as const),
      ]),
  );
  const told = metrics.map((name): ImportedMetric => {
    const direction = directions.get(name);
    return { name, label: name, ...present({ higherIsBetter: direction }) };
  });
  const roles = { system: "system", score: metrics[0]!, ...(tasks ? { task: "task" } : {}) };
  return makeSummaryTable(records, { ...spec, roles, metrics: told });
}

function noteOthers(files: readonly ScoresFile[], used: readonly ScoresFile[], level: ScoreLevel): Diagnostic[] {
  const others = files.filter((file) => !used.includes(file)).map(({ file }) => file.name);
  if (others.length === 0) return [];
  return [
    note(
      "OtherLevels",
      `${listNames(others)} ${others.length === 1 ? "holds" : "hold"} scores of another level than the ${ITEMS[level]}s.`,
      "They were left out; give them apart.",
    ),
  ];
}
