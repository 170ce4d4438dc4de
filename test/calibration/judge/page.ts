/** docs/calibration-judges.md: the bank's rows as tables. */
import { type Cell, type Row, SETS } from "./bank.ts";

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const ratio = (value: number): string => (Number.isNaN(value) ? "" : value.toFixed(3));

/** PPI++ is as wide as it should be only where it covers. */
const PPI_COVERS = 0.932;

export function fails({ cell, right, width, ppi, ppiRight, warned }: Row): string[] {
  const { least, widest = {}, warned: wanted } = cell;
  return [
    ...(right < least ? ["below the rate"] : []),
    ...(widest.alone !== undefined && width > widest.alone ? ["wider than labels"] : []),
    ...(widest.ppi !== undefined && ppi > widest.ppi && ppiRight >= PPI_COVERS ? ["wider than PPI++"] : []),
    ...(wanted !== undefined && warned < wanted ? ["warned too rarely"] : []),
  ];
}

const HEAD: Readonly<Record<string, readonly string[]>> = {
  "0/1 scores": [
    "cell",
    "coverage",
    "width / labels",
    "width / PPI++",
    "PPI++ covers",
    "labels answer alone",
    "warned",
    "",
  ],
  grades: ["cell", "coverage", "width / labels", "warned", ""],
  "differences, none true": ["cell", "false verdicts", "by the judge alone", "width / labels", "NONE", "warned", ""],
  "several judges": ["cell", "coverage", "width / labels", "warned", ""],
  "looking after every label": ["cell", "ever wrong", ""],
  "labels by a plan": ["cell", "half-width met", "mean width / planned", ""],
  "other draws": ["cell", "coverage", "width / labels", "warned", ""],
};

function cellsOf(row: Row): string[] {
  const { cell, right, none, width, ppi, ppiRight, naive, warned, leftOut } = row;
  const failed = fails(row).join(", ");
  if (cell.group === "0/1 scores")
    return [
      ...[cell.name, percent(right), ratio(width), ratio(ppi), Number.isNaN(ppi) ? "" : percent(ppiRight)],
      ...[percent(leftOut), percent(warned), failed],
    ];
  if (cell.group === "differences, none true")
    return [cell.name, percent(1 - right), percent(naive), ratio(width), percent(none), percent(warned), failed];
  if (cell.group === "looking after every label") return [cell.name, percent(1 - right), failed];
  if (cell.group === "labels by a plan") return [cell.name, percent(right), ratio(width), failed];
  return [cell.name, percent(right), ratio(width), percent(warned), failed];
}

const GROUPS = Object.keys(HEAD);

const titleOf = (group: string): string => `${group.charAt(0).toUpperCase()}${group.slice(1)}`;

/** The rows that a page has, by group and name. */
function rowsOf(page: string): Map<string, string> {
  const known = new Map<string, string>();
  let group: string | undefined;
  for (const line of page.split("\n")) {
    if (line.startsWith("## ")) group = GROUPS.find((own) => titleOf(own) === line.slice(3));
    const name = /^\| (?!cell |---)(.*?) \|/.exec(line)?.[1];
    if (group !== undefined && name !== undefined) known.set(`${group}: ${name}`, line);
  }
  return known;
}

/** The page with these rows renewed; those of other cells stay as they are, and the replays too. */
export function writePage(rows: readonly Row[], cells: readonly Cell[], page: string): string {
  const known = rowsOf(page);
  for (const row of rows) known.set(`${row.cell.group}: ${row.cell.name}`, `| ${cellsOf(row).join(" | ")} |`);
  const lines = new Map(
    GROUPS.map((group) => [
      group,
      cells.filter((own) => own.group === group).flatMap(({ name }) => known.get(`${group}: ${name}`) ?? []),
    ]),
  );
  const all = [...lines.values()].flat();
  const failed = all.filter((line) => !/\|\s*\|$/.test(line));
  const head = [
    "# Do corrected judges keep their rate?",
    "",
    "Written by `npm run calibrate judge`; not edited by hand. Each row is a design with known truth: 2,000 judged outputs a system, drawn again for every data set",
    "and handed to `correctJudge`, the function behind `gosset judge correct`, `compare --labels` and the page. What is drawn depends on the design alone, so a row can be measured again by itself (`CELLS=raters npm run calibrate judge`).",
    "",
    `Data sets a row: ${SETS.toLocaleString("en-US")}. The last column names what a row misses; ${failed.length} of ${all.length} rows miss something.`,
    "",
    "- 0/1 scores: coverage of the 95 % interval, at least 94 % (93.2 % counted, which leaves chance its part), and mean width at most 1.03 times that of the labels alone (Wilson). With 400 labels the width is also compared with PPI++, where that covers at least 93.2 %.",
    "- Grades, and several judges: coverage at least 93.5 %.",
    "- Differences: people would score the two systems alike, and the judge errs differently on them. False verdicts at most 6.4 %.",
    "- Looking after every label: `judge next` ever claims a difference of systems that people score alike, at most 5 %.",
    "- Labels by a plan: the half-width that `judge plan` was asked for is met in at least 80 %.",
    "- Other draws: labels drawn by doubt or by position and called unknown are to be doubted in 90 % of data sets; with their weights coverage is at least 93.5 %.",
    "",
    "`warned` counts warnings: few labels of one kind, a long tail, few labeled items, labels that do not look random. `labels answer alone` counts data sets in which the judge seemed to tell too little.",
  ];
  const tables = GROUPS.flatMap((group) => [
    "",
    `## ${titleOf(group)}`,
    "",
    `| ${HEAD[group]!.join(" | ")} |`,
    `| ${HEAD[group]!.map((_, j) => (j === 0 || j === HEAD[group]!.length - 1 ? "---" : "---:")).join(" | ")} |`,
    ...lines.get(group)!,
  ]);
  return `${[...head, ...tables].join("\n")}\n${replaysOf(page)}`;
}

/** Published data of which all labels but some were hidden. */
export interface Replay {
  readonly name: string;
  /** Draws whose interval holds the value of all labels: corrected, and of the visible labels alone. */
  readonly coverage: number;
  readonly alone: number;
  readonly width: number;
}

const REPLAYS = "\n## Replays of published data\n";

/** The page with its replays renewed. */
export function withReplays(page: string, rows: readonly Replay[]): string {
  return `${page.split(REPLAYS)[0]!.trimEnd()}
${REPLAYS}
Data whose human labels are complete. All labels but some were hidden, 1,000 times; the value of all labels, the visible ones among them, is to lie in the interval in at least 93 % of draws.
JudgeBench panel: the verdicts of four models on 500 pairs of answers, and which answer is right. FRANK: 1,100 summaries by five systems, the proportion of raters who call a summary factual, and automatic metrics of factuality.

| replay | coverage | by the labels alone | width / labels |  |
| --- | ---: | ---: | ---: | --- |
${rows.map(({ name, coverage, alone, width }) => `| ${name} | ${percent(coverage)} | ${percent(alone)} | ${ratio(width)} | ${coverage < 0.93 ? "below the rate" : ""} |`).join("\n")}
`;
}

/** The replays that a page has, for one that is written again. */
const replaysOf = (page: string): string => (page.includes(REPLAYS) ? `${REPLAYS}${page.split(REPLAYS)[1]}` : "");
