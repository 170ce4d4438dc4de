/** WMT direct assessment as Appraise exports it, with or without a header:
 *  UserID, SystemID, SegmentID, Type, SrcLang, TgtLang, Score, [DocID, Unk, [spans,]] start, end.
 *  Only real outputs (type TGT) and references (REF) are scores; BAD and CHK check the rater and are counted apart. */

import type { Imported } from "../../data/imported.ts";
import { StatError } from "../../result/error.ts";
import { countOf } from "../detect.ts";
import type { Opened } from "../open.ts";
import { findColumn, RAGGED_ROWS, readTextTable, type TextTable } from "../text-table.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const EXPORT_HEADER = [
  "UserID",
  "SystemID",
  "SegmentID",
  "Type",
  "SrcLang",
  "TgtLang",
  "Score",
  "DocID",
  "Unk",
  "start",
  "end",
];
/** Items that train the raters stand under a name of their own in the system's place. */
const TUTORIAL = /tutorial/i;
/** A document that a rater did not finish, or saw once more, is marked so, and is the same document. */
function withoutMarks(name: string): string {
  const [own, ...marks] = name.split("#");
  const kept = marks.findLastIndex((mark) => !/^[a-z]+$/i.test(mark)) + 1;
  return [own, ...marks.slice(0, kept)].join("#");
}
const TYPES = new Set(["TGT", "REF", "BAD", "CHK"]);

export function importWmtDa(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const rows = opened.flatMap((file) =>
    readRows(withHeader(readTextTable(file, losses), file.file.name), losses, file.file.name),
  );
  const tasks = new Set(rows.map((row) => row.task));
  return makeLongTable(tasks.size > 1 ? rows : rows.map(({ task: _, ...row }) => row), {
    format: "wmt-da",
    files: opened.map((file) => file.file.name),
    summary: `Direct assessment (WMT, Appraise): ${countOf(rows.length, "rating")}${tasks.size === 1 && rows[0]?.task ? ` of ${rows[0].task}` : ""}.`,
    higherIsBetter: new Map([["score", true]]),
    fixedRoles: rows.some(({ content }) => content !== undefined) ? { cluster: "doc" } : {},
    assumptions: ["Scores are as given, 0 to 100; they are not standardised within raters."],
    diagnostics: losses.diagnostics({
      RaggedRows: RAGGED_ROWS,
      QualityControl: {
        what: "rows are quality control (type BAD or CHK)",
        severity: "note",
        fix: "They were left out of the scores; use them to judge the raters.",
      },
      TutorialItems: {
        what: "rows are tutorial items, which train the raters",
        severity: "note",
        fix: "They were left out: a tutorial is not a system.",
      },
      Copies: {
        what: "rows repeat another row in every field, times included",
        severity: "note",
        fix: "They were left out: a copy is not a second rating.",
      },
      UnscoredRatings: { what: "ratings have no number as score", fix: "They are missing, not 0." },
    }),
  });
}

/** Appraise's own export starts with data. */
function withHeader(table: TextTable, name: string): TextTable {
  if (!TYPES.has((table.header[3] ?? "").toUpperCase())) return table;
  const { length } = table.header;
  // error span annotation has the spans before the times; single segments have no document
  const names =
    length > EXPORT_HEADER.length
      ? EXPORT_HEADER.toSpliced(9, 0, "spans")
      : length === EXPORT_HEADER.length - 2 && table.header.slice(7).every(isTime)
        ? EXPORT_HEADER.toSpliced(7, 2)
        : EXPORT_HEADER;
  return {
    header: names.slice(0, table.header.length),
    rows: [{ cells: table.header, where: `${name}, row 1` }, ...table.rows],
  };
}

/** Seconds since 1970. */
const isTime = (cell: string): boolean => /^\d{9,10}(\.\d+)?$/.test(cell.trim());

function readRows(table: TextTable, losses: Losses, name: string): LongRow[] {
  const at = {
    rater: findColumn(table.header, "userid", "user"),
    system: findColumn(table.header, "systemid", "system"),
    segment: findColumn(table.header, "segmentid", "itemid", "segid"),
    type: findColumn(table.header, "type", "itemtype"),
    from: findColumn(table.header, "srclang", "sourcelanguage"),
    to: findColumn(table.header, "tgtlang", "trglang", "targetlanguage"),
    score: findColumn(table.header, "score"),
    doc: findColumn(table.header, "docid", "documentid", "doc"),
  };
  const timed = ["start", "end", "starttime", "endtime"].some((name) => findColumn(table.header, name) >= 0);
  if (at.rater < 0 || at.system < 0 || at.segment < 0 || at.score < 0) {
    throw new StatError(
      "NotDirectAssessment",
      `${name}: the columns UserID, SystemID, SegmentID and Score are needed.`,
      "Name them in the header.",
    );
  }
  const seen = new Set<string>();
  return table.rows.flatMap(({ cells, where }): LongRow[] => {
    const whole = JSON.stringify(cells);
    // an export has the time of every rating: the same in every field is the same rating, not another one
    if (timed && seen.has(whole)) {
      losses.add("Copies", where);
      return [];
    }
    seen.add(whole);
    const cell = (column: number): string | undefined => (column < 0 ? undefined : cells[column]?.trim() || undefined);
    const type = (cell(at.type) ?? "TGT").toUpperCase();
    if (type === "BAD" || type === "CHK") {
      losses.add("QualityControl", where);
      return [];
    }
    if (TUTORIAL.test(cell(at.system) ?? "")) {
      losses.add("TutorialItems", where);
      return [];
    }
    const text = cell(at.score);
    const score = text === undefined ? Number.NaN : Number(text);
    if (Number.isNaN(score)) losses.add("UnscoredRatings", where);
    const marked = cell(at.doc);
    const doc = marked === undefined ? undefined : withoutMarks(marked);
    const segment = cell(at.segment) ?? "";
    const pair = [cell(at.from), cell(at.to)].filter((part) => part !== undefined).join("-");
    return [
      {
        system: cell(at.system) ?? "system",
        item: segment,
        rater: cell(at.rater),
        ...(pair === "" ? {} : { task: pair }),
        ...(doc === undefined ? {} : { content: doc }),
        scores: new Map([["score", score]]),
        properties: new Map([
          ...(doc === undefined ? [] : ([["doc", doc]] as const)),
          ...(type === "REF" ? ([["type", "REF"]] as const) : []),
        ]),
      },
    ];
  });
}
