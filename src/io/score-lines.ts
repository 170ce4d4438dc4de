/** Scores of a metric as WMT's metrics task and mt-metrics-eval keep them: lines without a header, told by their fields.
 *    BLEU.sys.score   metric, language pair, test set, [[domain,] reference,] system, score           (2019; 2020; 2022)
 *    BLEU.doc.score   metric, language pair, test set, reference, system, document, score
 *    BLEU.seg.score   metric, language pair, test set, [reference,] system, [document,] segment, score (2019; 2020)
 *                     metric, language pair, test set, domain, document, reference, system, segment, score (2022)
 *    en-de.mqm.seg.score   system, score: a block of lines for each system, in the order of the segments
 *  In 2019 two fields about the metric follow the score.
 *  Reference: the task pages of WMT 2019 to 2023; google-research/mt-metrics-eval, README. */

export type ScoreField =
  | "metric"
  | "pair"
  | "testset"
  | "domain"
  | "reference"
  | "system"
  | "document"
  | "segment"
  | "score";
export type ScoreLevel = "sys" | "doc" | "seg";

export interface ScoreLayout {
  readonly level: ScoreLevel;
  readonly fields: readonly ScoreField[];
}

const HEAD = ["metric", "pair", "testset"] as const;
const LAYOUTS: Readonly<Record<ScoreLevel, readonly (readonly ScoreField[])[]>> = {
  sys: [
    [...HEAD, "system", "score"],
    [...HEAD, "reference", "system", "score"],
    [...HEAD, "domain", "reference", "system", "score"],
  ],
  doc: [[...HEAD, "reference", "system", "document", "score"]],
  seg: [
    [...HEAD, "system", "segment", "score"],
    [...HEAD, "reference", "system", "segment", "score"],
    [...HEAD, "reference", "system", "document", "segment", "score"],
    [...HEAD, "domain", "document", "reference", "system", "segment", "score"],
  ],
};
const PAIR = /^[a-z]{2,3}-[a-z]{2,3}$/i;
const SCORE = /^([+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|none|na)$/i;
const MOST_AFTER = 2;
const FEWEST_SEGMENTS = 2;

/** "seg" of en-de.mqm.seg.score. */
export const levelByName = (name: string): ScoreLevel | undefined =>
  /\.(sys|doc|seg)\.score(\.gz|\.zst)?$/i.exec(name)?.[1]?.toLowerCase() as ScoreLevel | undefined;

export const scoreFields = (line: string): string[] =>
  (line.includes("\t") ? line.split("\t") : line.trim().split(/\s+/)).map((field) => field.trim());

/** What the fields are, if every line has them; part of a file must have come to its second system. */
export function sniffScoreLines(head: string, whole: boolean, name: string): ScoreLayout | undefined {
  const lines = head.split(/\r?\n/);
  if (!whole) lines.pop();
  const rows = lines.filter((line) => line.trim() !== "").map(scoreFields);
  const [first] = rows;
  if (first === undefined || rows.some((row) => row.length !== first.length)) return undefined;
  if (first.length === 2) return sniffPairs(rows, whole, levelByName(name));
  if (!rows.every((row) => PAIR.test(row[1]!))) return undefined;
  const score = first.findLastIndex((_, k) => rows.every((row) => SCORE.test(row[k]!)));
  if (score < first.length - 1 - MOST_AFTER) return undefined;
  const numbered = rows.every((row) => /^\d+$/.test(row[score - 1] ?? ""));
  const level = levelByName(name) ?? (numbered ? "seg" : "sys");
  if ((level === "seg") !== numbered) return undefined;
  const fields = LAYOUTS[level].find((layout) => layout.length === score + 1);
  return fields === undefined ? undefined : { level, fields };
}

/** A name and a number in each line: one line a system under the name of such a file, or as many lines for each system, one after the other. */
function sniffPairs(
  rows: readonly (readonly string[])[],
  whole: boolean,
  named: ScoreLevel | undefined,
): ScoreLayout | undefined {
  if (!rows.every(([system, score]) => SCORE.test(score!) && !SCORE.test(system!))) return undefined;
  const counts: { system: string; count: number }[] = [];
  for (const [system] of rows) {
    if (counts.at(-1)?.system !== system) counts.push({ system: system!, count: 0 });
    counts.at(-1)!.count += 1;
  }
  const once = new Set(counts.map(({ system }) => system)).size === counts.length;
  const full = whole ? counts : counts.slice(0, -1);
  const [own] = full;
  if (counts.length < 2 || own === undefined || !once || full.some(({ count }) => count !== own.count))
    return undefined;
  if (named === undefined && own.count < FEWEST_SEGMENTS) return undefined;
  if (named === "sys" && own.count > 1) return undefined;
  return { level: named ?? "seg", fields: ["system", "score"] };
}
