/** What `gosset replicate` prints: the list, one result in full, or many in a line each. */
import type { Display, DisplaySection, DisplayTable } from "../src/index.ts";
import {
  agreesWithPrint,
  agreesWithR,
  PAPERS,
  type Paper,
  type Reproduction,
  type ReproductionRow,
  sourceOf,
} from "./reproduction.ts";
import type { LeftOut, Reproduced } from "./result.ts";

const fileName = (path: string): string => path.slice(path.indexOf("/") + 1);

export function displayCatalogue(reproductions: readonly Reproduction[]): Display {
  const papers = Object.keys(PAPERS) as Paper[];
  return {
    title: "Published results that can be computed anew",
    tables: papers.map((paper) => ({
      caption: PAPERS[paper],
      head: ["id", "what it shows", "data", "s"],
      formats: ["text", "text", "text", "integer"],
      rows: reproductions
        .filter((own) => own.paper === paper)
        .map(({ id, where, shows, data, seconds }) => [
          id,
          `${where}: ${shows}`,
          data.length === 0 ? "none" : data.map(fileName).join(", "),
          seconds,
        ]),
    })),
    notes: [
      "s: about how many seconds it takes. gosset replicate <id> shows one, gosset replicate --all every one; --data names the folder with the papers' data.",
    ],
  };
}

const DIFFERS = " ≠";

/** Marks of figures that stand elsewhere than in the paper. */
const FROM: Readonly<Record<string, string>> = { notebook: " ⁿ", "data file": " ᵈ" };
const FROM_NOTES: Readonly<Record<string, string>> = {
  notebook: "ⁿ: of the authors' notebook, not printed in the paper.",
  "data file": "ᵈ: of the authors' data file, not printed in the paper.",
};

const fromNotes = (rows: readonly ReproductionRow[]): string[] =>
  Object.entries(FROM_NOTES).flatMap(([source, note]) => (rows.some((row) => sourceOf(row) === source) ? [note] : []));

const SOURCES = [
  ["paper", "printed in the papers"],
  ["notebook", "of the authors' notebooks"],
  ["data file", "of their data files"],
  ["derived", "derived from their data or formulas"],
] as const;

/** How many figures stand where. */
function sourceCounts(rows: readonly ReproductionRow[]): string {
  const parts = SOURCES.map(([source, words]) => `${countOf(rows, (row) => sourceOf(row) === source)} ${words}`);
  return `Of ${rows.length} figures ${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}.`;
}

/** Enough digits to see where two figures part, few enough to read. */
const DIGITS = 6;
const SMALLEST_PLAIN = 1e-4;

function writeFigure(value: number | string | undefined): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  if (Number.isNaN(value)) return "none";
  if (value !== 0 && Math.abs(value) < SMALLEST_PLAIN) return value.toExponential(DIGITS - 2);
  return String(Number(value.toPrecision(DIGITS)));
}

function writeDifference({ r, ours }: ReproductionRow): string {
  if (typeof r !== "number" || typeof ours !== "number" || Number.isNaN(r)) return "";
  return ours === r ? "0" : (ours - r).toExponential(0);
}

function rowsTable(rows: readonly ReproductionRow[]): DisplayTable {
  return {
    head: ["", "published", "R", "ours", "ours - R", ""],
    formats: ["text", "number", "number", "number", "number", "text"],
    rows: rows.map((row) => [
      row.name,
      row.published === undefined
        ? ""
        : row.published + (agreesWithPrint(row) ? "" : DIFFERS) + (FROM[sourceOf(row)] ?? ""),
      writeFigure(row.r),
      writeFigure(row.ours),
      writeDifference(row),
      row.r === undefined ? "" : agreesWithR(row) ? "ok" : "OFF",
    ]),
  };
}

/** The line that a row's note belongs to: indented rows are named with the row above them. */
function fullName(rows: readonly ReproductionRow[], k: number): string {
  const own = rows[k]!.name;
  if (!own.startsWith(" ")) return own;
  let above = k;
  while (above > 0 && rows[above]!.name.startsWith(" ")) above--;
  return `${rows[above]!.name}, ${own.trim()}`;
}

/** One sentence for all rows that share it. */
function explanations(rows: readonly ReproductionRow[]): string[] {
  const byNote = new Map<string, string[]>();
  rows.forEach(({ note }, k) => {
    if (note !== undefined) byNote.set(note, [...(byNote.get(note) ?? []), fullName(rows, k)]);
  });
  return [...byNote].map(([note, names]) => `${names.join("; ")}: ${note}`);
}

const countOf = (rows: readonly ReproductionRow[], is: (row: ReproductionRow) => boolean): number =>
  rows.filter(is).length;

export function displayReproduced({ reproduction, rows }: Reproduced): Display {
  const { id, paper, where, shows, reference, lessons = [] } = reproduction;
  const printed = rows.filter((row) => row.published !== undefined);
  const compared = rows.filter((row) => row.r !== undefined);
  const asPrinted = countOf(printed, (row) => agreesWithPrint(row) === true);
  const notes = explanations(rows);
  const said = [
    `R: ${reference}. ${countOf(compared, agreesWithR)} of ${compared.length} figures agree with it${
      printed.length === 0 ? "; the paper prints no numbers." : `, ${asPrinted} of ${printed.length} with the print.`
    }`,
  ];
  const sections: DisplaySection[] =
    notes.length + lessons.length === 0
      ? []
      : [{ heading: "What differs, and why", items: [...notes, ...lessons].map((text) => ({ text })) }];
  return {
    title: `${id}: ${where}, ${shows}`,
    summary: [PAPERS[paper]],
    tables: [rowsTable(rows)],
    notes: [...said, ...fromNotes(rows)],
    sections,
  };
}

export function displayMany(results: readonly Reproduced[], leftOut: readonly LeftOut[]): Display {
  const all = results.flatMap(({ rows }) => rows);
  const compared = all.filter(({ r }) => r !== undefined);
  const printed = all.filter(({ published }) => published !== undefined);
  return {
    title: `${results.length} published results computed anew`,
    tables: [
      {
        head: ["", "what it shows", "figures", "as in R", "as printed", "s"],
        formats: ["text", "text", "integer", "text", "text", "number"],
        rows: results.map(({ reproduction, rows, seconds }) => [
          reproduction.id,
          reproduction.shows,
          rows.length,
          shareText(rows, ({ r }) => r !== undefined, agreesWithR),
          shareText(
            rows,
            ({ published }) => published !== undefined,
            (row) => agreesWithPrint(row) === true,
          ),
          Number(seconds.toFixed(1)),
        ]),
      },
    ],
    notes: [
      `${countOf(compared, agreesWithR)} of ${compared.length} figures agree with R, ${countOf(printed, (row) => agreesWithPrint(row) === true)} of ${printed.length} with the print.`,
      sourceCounts(all),
      ...offNotes(results),
    ],
    sections: [...manySections(results), ...leftOutSection(leftOut)],
  };
}

function shareText(
  rows: readonly ReproductionRow[],
  has: (row: ReproductionRow) => boolean,
  is: (row: ReproductionRow) => boolean,
): string {
  const those = rows.filter(has);
  return those.length === 0 ? "" : `${countOf(those, is)} of ${those.length}`;
}

function offNotes(results: readonly Reproduced[]): string[] {
  return results.flatMap(({ reproduction, rows }) =>
    rows.flatMap((row, k) => {
      if (agreesWithR(row)) return [];
      return [`OFF: ${reproduction.id}, ${fullName(rows, k)}: ours ${writeFigure(row.ours)}, R ${writeFigure(row.r)}.`];
    }),
  );
}

function manySections(results: readonly Reproduced[]): DisplaySection[] {
  return results.flatMap(({ reproduction, rows }) => {
    const items = [...explanations(rows), ...(reproduction.lessons ?? [])].map((text) => ({ text }));
    return items.length === 0 ? [] : [{ heading: `${reproduction.id}: what differs, and why`, items }];
  });
}

function leftOutSection(leftOut: readonly LeftOut[]): DisplaySection[] {
  if (leftOut.length === 0) return [];
  const items = leftOut.map(({ reproduction, why }) => ({ text: `${reproduction.id}: ${why}` }));
  return [{ heading: "Left out", items }];
}
