/** Judges the bank by binomial tests and writes docs/calibration.md. */
import { binomialCdf, binomialSf } from "../../../src/numeric/dist/binomial.ts";
import { CELLS, type Cell } from "./cells.ts";
import type { Tally } from "./measure.ts";

const NOMINAL = 0.05;
const POWER = 0.8;
/** A cell that keeps its level is flagged this often. */
const STRICTNESS = 0.001;

export type Judgement = "kept" | "cautious" | "refused" | "too many" | "reached" | "too little power";

export function judge({ asks }: Cell, { sets, counted, none }: Tally, strictness = STRICTNESS): Judgement {
  if (none === sets) return "refused";
  if (asks === "mde") return binomialCdf(counted, sets - none, POWER) < strictness ? "too little power" : "reached";
  if (binomialSf(counted - 1, sets, NOMINAL) < strictness) return "too many";
  return binomialCdf(counted, sets, NOMINAL) < strictness ? "cautious" : "kept";
}

/** Data sets a row that the page has; the fewest first. */
const SIZES = [200, 400, 1000];

/** The counts from which on, or up to which, a row of so many data sets is judged otherwise. */
function criticalCounts(sets: number) {
  const counts = Array.from({ length: sets + 1 }, (_, k) => k);
  return {
    sets,
    cautious: counts.findLastIndex((k) => binomialCdf(k, sets, NOMINAL) < STRICTNESS),
    tooMany: counts.findIndex((k) => binomialSf(k - 1, sets, NOMINAL) < STRICTNESS),
    tooLittle: counts.findLastIndex((k) => binomialCdf(k, sets, POWER) < STRICTNESS),
  };
}

const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`;

/** `before`: the page as it stands, whose rows stay where a cell has no tally. */
export function writeReport(tallies: ReadonlyMap<string, Tally>, version: string, before = ""): string {
  const groups = [...new Set(CELLS.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const rows = CELLS.filter((cell) => cell.group === group).flatMap((cell) => {
      const tally = tallies.get(cell.id);
      return tally === undefined ? findRow(before, cell) : [row(cell, tally)];
    });
    return rows.length === 0 ? "" : `\n## ${group}\n\n${HEAD}\n${rows.join("\n")}\n`;
  });
  return `${INTRODUCTION.replace("VERSION", version).replace("CRITICAL", CRITICAL)}${sections.join("")}`;
}

/** The row of a cell on a page that was written before, if it has one. */
export function findRow(page: string, { group, words }: Cell): string[] {
  const section = page.split("\n## ").find((text) => text.startsWith(`${group}\n`)) ?? "";
  return section.split("\n").filter((line) => line.startsWith(`| ${words} |`));
}

function row(cell: Cell, tally: Tally): string {
  const { sets, counted, covered, inconclusive, none, warned } = tally;
  const warnings = Object.entries(warned)
    .filter(([, count]) => count >= sets / 100)
    .map(([code, count]) => `${code} ${percent(count, sets)}`);
  const cells = [
    cell.words,
    String(sets),
    `${percent(counted, sets)} (${counted})`,
    cell.asks === "null" || cell.asks === "ranks" ? percent(covered, sets) : "",
    percent(inconclusive, sets),
    percent(none, sets),
    judge(cell, tally),
    warnings.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

const HEAD = `| design | data sets | counted | coverage | inconclusive | none or refused | judged | warnings (from 1 %) |
| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |`;

const CRITICAL = [
  "| data sets | cautious up to | kept up to | too many from | too little power up to |",
  "| ---: | ---: | ---: | ---: | ---: |",
  ...SIZES.map(criticalCounts).map(({ sets, cautious, tooMany, tooLittle }) => {
    const counts = [cautious, tooMany - 1, tooMany, tooLittle].map((k) => `${k} (${percent(k, sets)})`);
    return `| ${[sets, ...counts].join(" | ")} |`;
  }),
].join("\n");

const INTRODUCTION = `# Do the verdicts keep their error rate?

Written by \`npm run calibrate compare\` (version VERSION); not edited by hand. Each row is a design with known truth, redrawn for every data set and handed to
\`compare\` without further options (\`unpaired\`, \`margin\` and others where the row says so), the very function that the command and the page call.

**Counted** are, where the systems do not differ: verdicts that say they do (of any pair, where there are several systems); at the margin of equivalence: EQUIVALENT;
at the stated \`mde80\`: effects of that size that were found. The first two should be 5 % or less, the third 80 % or more. **Coverage** is that of the 95 % interval of the main pair; of several
systems that is the two best, or the best and the baseline, chosen after the fact. Their intervals are simultaneous, so that each single one covers in more than 95 %.
**Judged** by one-sided binomial tests at 0.1 %:

- *kept*: no breach was shown: a rate of 5 % is not rejected. This does not show that the rate is 5 % or less, and admits the counts below;
- *cautious*: a rate of 5 % is rejected from below: fewer false verdicts than stated;
- *too many*: a rate of 5 % is rejected from above: a defect of the method. The last column tells how often a warning reports it;
- *refused*: every such data set got NONE with its reason;
- *reached*: a power of 80 % at the stated \`mde80\` is not rejected;
- *too little power*: it is rejected from below. With few clusters or runs a standard error is itself uncertain, so effects of the stated \`mde80\` are found somewhat less often.

CRITICAL

Under **Ranks** each data set goes through \`rank\`. Counted are boards on which a simultaneous set misses a rank that its system has; systems of equal strength have all ranks
from the best to the worst of them. Coverage is that of the set of systems that may be among the three best; inconclusive are boards on which no two systems are separated.

A column of inconclusive at 100 % means that the data cannot carry a verdict. A row is of the last time that its design was measured, which may be an earlier version of the method. What is drawn depends on the design alone, so that measuring again shows what a change did.

The same of judges corrected by people's labels: [calibration of judges](calibration-judges.md).
`;
