/** docs/calibration-judges.md: the bank's rows as tables. */
import type { Row } from "./bank.ts";

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const ratio = (value: number): string => (Number.isNaN(value) ? "" : value.toFixed(3));

export function fails({ cell, right, width, ppi, warned }: Row): string[] {
  const { least, widest = {}, warned: wanted } = cell;
  return [
    ...(right < least ? ["below the rate"] : []),
    ...(widest.alone !== undefined && width > widest.alone ? ["wider than labels"] : []),
    ...(widest.ppi !== undefined && ppi > widest.ppi ? ["wider than PPI++"] : []),
    ...(wanted !== undefined && warned < wanted ? ["warned too rarely"] : []),
  ];
}

const HEAD: Readonly<Record<string, readonly string[]>> = {
  "0/1 scores": ["cell", "coverage", "width / labels", "width / PPI++", "labels answer alone", "warned", ""],
  grades: ["cell", "coverage", "width / labels", "warned", ""],
  "differences, none true": ["cell", "false verdicts", "by the judge alone", "width / labels", "NONE", ""],
  "looking after every label": ["cell", "ever wrong", ""],
  "labels by a plan": ["cell", "half-width met", "mean width / planned", ""],
  "other draws": ["cell", "coverage", "width / labels", "warned", ""],
};

function cells(row: Row): string[] {
  const { cell, right, none, width, ppi, naive, warned, leftOut } = row;
  const failed = fails(row).join(", ");
  if (cell.group === "0/1 scores")
    return [cell.name, percent(right), ratio(width), ratio(ppi), percent(leftOut), percent(warned), failed];
  if (cell.group === "differences, none true")
    return [cell.name, percent(1 - right), percent(naive), ratio(width), percent(none), failed];
  if (cell.group === "looking after every label") return [cell.name, percent(1 - right), failed];
  if (cell.group === "labels by a plan") return [cell.name, percent(right), ratio(width), failed];
  return [cell.name, percent(right), ratio(width), percent(warned), failed];
}

export function writePage(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ cell }) => cell.group))];
  const failed = rows.filter((row) => fails(row).length > 0);
  const [{ sets }] = rows as readonly [Row];
  const lines = [
    "# Do corrected judges keep their rate?",
    "",
    "Written by `npm run calibrate judge`; not edited by hand. Each row is a design with known truth: 2,000 judged outputs a system, drawn again for every data set",
    "and handed to `correctJudge`, the function behind `gosset judge correct` and the page.",
    "",
    `Data sets a row: ${sets.toLocaleString("en-US")}. The last column names what a row misses; ${failed.length} of ${rows.length} rows miss something.`,
    "",
    "- 0/1 scores: coverage of the 95 % interval, at least 94 % (93.2 % counted, which leaves chance its part), and mean width at most 1.03 times that of the labels alone (Wilson). With 400 labels the width is also compared with PPI++.",
    "- Grades: coverage at least 93.5 %.",
    "- Differences: people would score the two systems alike, and the judge errs differently on them. False verdicts at most 6.4 %.",
    "- Looking after every label: `judge next` ever claims a difference of systems that people score alike, at most 5 %.",
    "- Labels by a plan: the half-width that `judge plan` was asked for is met in at least 80 %.",
    "- Other draws: labels drawn by doubt or by position and called unknown are to be doubted in 90 % of data sets; with their weights coverage is at least 93.5 %.",
    "",
    "`warned` counts warnings: few labels of one kind, a long tail, labels that do not look random. `labels answer alone` counts data sets in which the judge seemed to tell too little.",
    ...groups.flatMap((group) => {
      const head = HEAD[group]!;
      const own = rows.filter(({ cell }) => cell.group === group);
      return [
        "",
        `## ${group.charAt(0).toUpperCase()}${group.slice(1)}`,
        "",
        `| ${head.join(" | ")} |`,
        `| ${head.map((_, j) => (j === 0 || j === head.length - 1 ? "---" : "---:")).join(" | ")} |`,
        ...own.map((row) => `| ${cells(row).join(" | ")} |`),
      ];
    }),
  ];
  return `${lines.join("\n")}\n`;
}
