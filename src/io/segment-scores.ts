/** Lines of a system and a score without a header, as shared tasks on metrics publish them (sysA 0.31): as many lines for each system, one after the
 *  other, so that the k-th line of each is the same segment. */

/** The letter that makes it a name is looked for ahead: with an open end on either side every place in a long line would be tried. */
const LINE =
  /^(?=[\d.+-]*[^\t\d.+-])(?<system>[^\t]+)\t(?<score>[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|none|na)\s*$/i;
const FEWEST_SEGMENTS = 2;

/** The same lines with a header and the number of each segment. Part of a file must have come to its second system. */
export function numberSegments(
  text: string,
  whole: boolean,
): { readonly text: string; readonly reading: string } | undefined {
  const lines = text.split(/\r?\n/);
  if (!whole) lines.pop();
  const read = lines.filter((line) => line.trim() !== "").map((line) => LINE.exec(line)?.groups);
  if (read.length < 2 * FEWEST_SEGMENTS || read.some((line) => line === undefined)) return undefined;
  const counts: { system: string; count: number }[] = [];
  const rows = read.map((line) => {
    const { system, score } = line as { system: string; score: string };
    if (counts.at(-1)?.system !== system) counts.push({ system, count: 0 });
    counts.at(-1)!.count += 1;
    return `${system}\t${counts.at(-1)!.count}\t${/^(nan|none|na)$/i.test(score) ? "NA" : score}`;
  });
  const full = whole ? counts : counts.slice(0, -1);
  const alike = new Set(full.map(({ count }) => count)).size === 1;
  const once = new Set(counts.map(({ system }) => system)).size === counts.length;
  if (counts.length < 2 || !alike || !once || full[0]!.count < FEWEST_SEGMENTS) return undefined;
  return {
    text: ["system\tsegment\tvalue", ...rows].join("\n"),
    reading: `The file has no header: each line is taken as a system and its score, and lines are numbered within each system (column segment), ${full[0]!.count} for each.`,
  };
}
