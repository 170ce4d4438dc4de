/** MQM error annotations (one row per marked error), as WMT publishes them or under other names of columns (io/detect.ts) → one score per
 *  system, segment and rater.
 *  score = −Σ weight over the errors of the segment; a row that says No-error weighs 0, and so does one without severity and category in a
 *  file that never says No-error. The most specific weight counts:
 *  Major Non-translation 25, Minor Fluency/Punctuation 0.1, Critical 25, Major 5, Minor 1, Neutral 0.
 *  Reference: Freitag et al. (2021), TACL 9, Table 2; weights as mt-metrics-eval applies them. WMT has no Critical: its weight is the default
 *  of MQM's scoring model (Lommel et al. 2024).
 *  Limits: a segment with a severity outside this list has no score and is counted. */

import type { Imported } from "../../data/imported.ts";
import { StatError } from "../../result/error.ts";
import { countOf, MQM_NAMES } from "../detect.ts";
import type { Opened } from "../open.ts";
import { findColumn, RAGGED_ROWS, readTextTable, type TextTable } from "../text-table.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const CRITICAL = 25;
const MAJOR = 5;
const MINOR = 1;
const NON_TRANSLATION = 25;
const MINOR_PUNCTUATION = 0.1;
/** Linguistic conventions is what MQM calls fluency since its second version. */
const PUNCTUATION = /^(fluency|linguistic conventions) ?[/-] ?punctuation$/;
const NO_ERROR = /^no-?error$/i;

/** NaN for a severity without a weight. */
export function mqmWeight(severity: string, category: string): number {
  const level = severity.trim().toLowerCase();
  const kind = category.trim().toLowerCase();
  if (level === "critical") return CRITICAL;
  if (level === "major") return kind.startsWith("non-translation") ? NON_TRANSLATION : MAJOR;
  if (level === "minor") return PUNCTUATION.test(kind) ? MINOR_PUNCTUATION : MINOR;
  return level === "neutral" || NO_ERROR.test(level) || (level === "" && NO_ERROR.test(kind)) ? 0 : Number.NaN;
}

interface Segment {
  readonly system: string;
  readonly doc: string;
  readonly segment: string;
  readonly rater: string;
  readonly source: string;
  penalty: number;
  major: number;
  minor: number;
}

export function importWmtMqm(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const segments = new Map<string, Segment>();
  const counts = opened.map((file) => addRows(segments, readTextTable(file, losses), losses, file.file.name));
  const errors = counts.reduce((sum, own) => sum + own.errors, 0);
  const critical = counts.reduce((sum, own) => sum + own.critical, 0);
  const docsOf = new Map<string, Set<string>>();
  for (const { segment, doc } of segments.values()) docsOf.set(segment, (docsOf.get(segment) ?? new Set()).add(doc));
  const local = [...docsOf.values()].some((docs) => docs.size > 1);
  // every system and rater repeats the sources
  const wordsOf = new Map<string, number>();
  const rows = [...segments.values()].map((segment): LongRow => {
    const words = wordsOf.get(segment.source) ?? segment.source.match(/\S+/g)?.length ?? 0;
    wordsOf.set(segment.source, words);
    return {
      system: segment.system,
      item: local ? `${segment.doc}/${segment.segment}` : segment.segment,
      rater: segment.rater,
      scores: new Map([
        // 0 - x, so that a clean segment scores 0 and not -0.
        ["mqm", 0 - segment.penalty],
        ["major", segment.major],
        ["minor", segment.minor],
      ]),
      properties: new Map<string, string | number>([
        ["doc", segment.doc],
        ...(words > 0 ? [["source_words", words] as const] : []),
      ]),
    };
  });
  const references = [...new Set(rows.map((row) => row.system!))].filter((system) =>
    /^(ref|reference|human)([-_.]?\w)?$/i.test(system),
  );
  return makeLongTable(rows, {
    format: "wmt-mqm",
    files: opened.map((file) => file.file.name),
    summary: `MQM annotations: ${countOf(errors, "marked error")} in ${countOf(rows.length, "rated segment")}.`,
    higherIsBetter: new Map([
      ["mqm", true],
      ["major", false],
      ["minor", false],
    ]),
    mainMetrics: ["mqm"],
    fixedRoles: { cluster: "doc" },
    assumptions: [
      "The score mqm is minus the summed weight of a rater's errors in a segment: Major 5, Minor 1, Neutral 0, Major Non-translation 25, Minor Fluency/Punctuation 0.1; 0 is perfect.",
      ...(critical === 0
        ? []
        : [
            `${countOf(critical, "error")} of severity Critical, which WMT does not have, weigh 25, the default of MQM.`,
          ]),
      ...(references.length > 0
        ? [`${references.join(", ")} reads like a human reference and stands among the systems.`]
        : []),
      ...tellAbsent([...segments.values()]),
      ...(local ? ["Segment numbers start again in each document; items are named document/segment."] : []),
    ],
    diagnostics: losses.diagnostics({
      RaggedRows: RAGGED_ROWS,
      UnknownSeverity: {
        what: "errors have a severity without a weight, which leaves the segment without a score",
        fix: "Use Critical, Major, Minor, Neutral or No-error, or leave such segments out.",
      },
      AttentionChecks: {
        what: "rows are attention checks",
        severity: "note",
        fix: "They were left out; they are not translations of a system.",
      },
    }),
  });
}

/** Where no row is free of errors, segments without any may have none: the means are then over those that have one. */
function tellAbsent(segments: readonly Segment[]): string[] {
  if (segments.some(({ penalty }) => penalty === 0)) return [];
  const count = (key: (segment: Segment) => readonly string[]): number =>
    new Set(segments.map((segment) => JSON.stringify(key(segment)))).size;
  // what a rater saw of one system was to be seen of the others
  const seen = count(({ doc, segment, rater }) => [doc, segment, rater]) * count(({ system }) => [system]);
  const absent = seen - segments.length;
  if (absent <= 0) return [];
  return [
    `No row says No-error, and ${absent} of ${seen} ratings of a segment by a rater are not in the file: whether these were free of errors or not rated it does not say, and the means are over segments with an error.`,
  ];
}

/** Adds the rows of one file; returns the numbers of marked and of critical errors. */
function addRows(
  segments: Map<string, Segment>,
  table: TextTable,
  losses: Losses,
  name: string,
): { readonly errors: number; readonly critical: number } {
  const find = (part: keyof typeof MQM_NAMES): number => findColumn(table.header, ...MQM_NAMES[part]);
  const at = {
    system: find("system"),
    doc: find("doc"),
    segment: find("segment"),
    rater: find("rater"),
    source: findColumn(table.header, "source"),
    category: find("category"),
    severity: find("severity"),
  };
  if (at.system < 0 || at.segment < 0 || at.rater < 0 || at.severity < 0 || at.category < 0) {
    throw new StatError(
      "NotMqm",
      `${name}: an MQM table has the columns system, seg_id, rater, category and severity.`,
      "Name them in the header.",
    );
  }
  let errors = 0;
  let critical = 0;
  const says = table.rows.some(({ cells }) => [at.severity, at.category].some((k) => NO_ERROR.test(cells[k]!.trim())));
  for (const { cells, where } of table.rows) {
    const cell = (column: number): string => (column < 0 ? "" : cells[column]!.trim());
    const clean = !says && cell(at.severity) === "" && cell(at.category) === "";
    if (/hotw/i.test(cell(at.severity)) || /hotw/i.test(cell(at.category))) {
      losses.add("AttentionChecks", where);
      continue;
    }
    const key = JSON.stringify([cell(at.system), cell(at.doc), cell(at.segment), cell(at.rater)]);
    const segment = segments.get(key) ?? {
      system: cell(at.system),
      doc: cell(at.doc),
      segment: cell(at.segment),
      rater: cell(at.rater),
      source: cell(at.source).replace(/<\/?v>/g, ""),
      penalty: 0,
      major: 0,
      minor: 0,
    };
    segments.set(key, segment);
    const weight = clean ? 0 : mqmWeight(cell(at.severity), cell(at.category));
    if (Number.isNaN(weight)) losses.add("UnknownSeverity", `${where}: "${cell(at.severity)}"`);
    segment.penalty += weight;
    const level = cell(at.severity).toLowerCase();
    if (level === "major") segment.major += 1;
    if (level === "minor") segment.minor += 1;
    if (level === "critical") critical += 1;
    if (!clean && !NO_ERROR.test(cell(at.severity))) errors += 1;
  }
  return { errors, critical };
}
