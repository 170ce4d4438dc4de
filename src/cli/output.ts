/** One answer to stdout or a file, in the format asked for; warnings to stderr where the format does not carry them. */
import {
  type Addition,
  addToResult,
  type Diagnostic,
  type Display,
  type DisplayTable,
  describeDiagnostic,
  type Result,
  render,
} from "../index.ts";
import { jsonText, neutralise } from "../text.ts";
import { writeOutput } from "./files.ts";
import { nameFlags } from "./option-names.ts";
import type { GlobalOptions } from "./options.ts";

/** What the command adds to a result, and what CSV shows of it where that is not the first table. */
export interface Printing extends Addition {
  readonly csv?: readonly DisplayTable[] | undefined;
  /** Writes what --paper asks for. */
  readonly paper?: ((json: object) => string) | undefined;
}

const RENDERERS = { text: "text", markdown: "markdown", tex: "latex", csv: "csv" } as const;
const WIDEST = 120;
const NARROWEST = 40;

/** How the rows were chosen and computed, which the signature tells. */
type Options = GlobalOptions & { readonly where?: readonly string[]; readonly mutate?: readonly string[] };

/** `--json` is the JSON of the result itself, with the words that run it again. Gives what was printed: the result with what the command
 *  added. */
export function printResult(
  result: Result<string>,
  options: Options,
  { csv, paper, ...added }: Printing = {},
): Result<string> {
  const { where = [], mutate = [] } = options;
  const command = ["gosset", ...process.argv.slice(2)];
  const whole = addToResult(result, { ...added, where, mutate, command, wording: nameFlags });
  // a picture on stdout stands alone, and a report is written when all is known
  if ((options.plot === "-" && options.out === undefined) || options.format === "html") return whole;
  const text = paper === undefined ? written(whole, options, csv) : paperText(paper(whole.toJSON()), whole, options);
  // csv, JSON and what goes into a paper carry data only; the other formats print the diagnostics with the result
  if (!options.quiet && (options.json || options.format === "csv" || paper !== undefined)) warn(whole.diagnostics);
  writeText(withLineEnd(text), options);
  return whole;
}

/** A result that --json stored, as text: it carries what its command added. What to ask next needs the data, which may be gone. */
export function printStored(result: Result<string>, options: GlobalOptions): void {
  const display = result.display();
  const screen = isOneScreen(display, options);
  const told = screen ? { ...onOneScreen(result, display), notes: [identity(result)] } : display;
  writeText(withLineEnd(rendered(told, options)), options);
}

const withLineEnd = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** Whoever pastes the sentence into a paper sees what speaks against it. */
function paperText(text: string, { diagnostics }: Result<string>, { format }: Options): string {
  if (format === "json") return text;
  const told = diagnostics.filter(({ severity }) => severity === "warning").map(describeDiagnostic);
  return [...told.map((own) => `% ${neutralise(nameFlags(own)).replace(/(?<!\s)\s*\n\s*/g, " ")}\n`), text].join("");
}

function written(whole: Result<string>, options: Options, csv: Printing["csv"]): string {
  if (options.format === "json") return jsonText(whole);
  return rendered(shown(whole, options, csv), options);
}

/** What is printed may go into the log of a build server, which takes some lines for commands to itself: `::stop-commands::x` at the start of
 *  a line, after white space too (GitHub, Gitea), `##vso[…]` anywhere (Azure, TeamCity, GitHub's older form). A system or a column may be
 *  called so: a space makes text of it. Files are written as they are. */
export function printOut(text: string): void {
  process.stdout.write(text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, "$1: ").replace(/#(?=#\w*\[)/g, "# "));
}

export function writeText(text: string, { out }: GlobalOptions): void {
  if (out === undefined) printOut(text);
  else writeOutput(out, text);
}

function shown(whole: Result<string>, options: GlobalOptions, csv: Printing["csv"]): Display {
  const display = whole.display();
  if (options.format === "csv" && csv !== undefined) return { ...display, tables: csv };
  return isOneScreen(display, options) ? onOneScreen(whole, display) : display;
}

const isOneScreen = ({ screen }: Display, options: GlobalOptions): boolean =>
  screen !== undefined && !showsDetails(options);

/** Whether an answer is printed with all that stands beside it; pictures and papers are made of its JSON. */
export const showsAll = (options: GlobalOptions): boolean =>
  showsDetails(options) || options.paper === true || options.plot !== undefined || options.html !== undefined;

const showsDetails = ({ format, details }: GlobalOptions): boolean => format !== "text" || details === true;

/** Beside the answer only warnings, what to ask next, and what identifies the run. */
function onOneScreen(whole: Result<string>, display: Display): Display {
  // only systems that share items have some that differ
  const flips = Array.isArray((whole as { readonly items?: unknown }).items) ? "  --flips items.csv" : "";
  const { diagnostics = [] } = display;
  const { systems } = whole as { readonly systems?: unknown };
  const many = flips !== "" && Array.isArray(systems) && systems.length > 2;
  const told = diagnostics
    .filter(({ severity, code }) => severity === "warning" || CHANGES.has(code))
    .map((own) => (CHANGES.has(own.code) ? own : { ...own, fix: "" }));
  return {
    ...display,
    diagnostics: told,
    notes: [
      `More: --details${flips}  --paper  --html report.html`,
      ...(many ? ["Rank confidence sets of all of them: gosset rank, with the same files"] : []),
      identity(whole),
    ],
  };
}

function identity({ signature: { seed, version, data } }: Result<string>): string {
  const parts = [
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    `gosset ${version}`,
    ...(data === "" ? [] : [`data ${data.slice(0, 8)}`]),
  ];
  return parts.join(" · ");
}

/** Notes that change what one does. */
const CHANGES = new Set([
  "AsPlanned",
  "PlanNotLocked",
  "TiesLeftOut",
  "DirectionUnknown",
  "OtherScores",
  "SpellingsMatched",
  "OnlyScore",
  "SettingsDiffer",
  "GroupsCompared",
  "NoSpaces",
  "Underpowered",
  "WrongSign",
]);

function warn(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "warning")
      process.stderr.write(`gosset: ${neutralise(nameFlags(describeDiagnostic(diagnostic)))}\n`);
  }
}

function rendered(display: Display, options: GlobalOptions): string {
  const terminal = options.out === undefined && process.stdout.isTTY === true;
  const color = terminal && options.color && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";
  const columns = terminal ? process.stdout.columns || 80 : 80;
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns));
  const format = options.format as keyof typeof RENDERERS;
  // the line of the prompt stands below
  const height = terminal ? (process.stdout.rows || 0) - 1 : 0;
  const text = render(display, RENDERERS[format], { width, height, color, screen: isOneScreen(display, options) });
  return options.format === "csv" ? withLineFeeds(text) : text;
}

/** Lines end as shells and diffs expect; a line break within a quoted cell is data and stays. */
function withLineFeeds(csv: string): string {
  return csv.replace(/"(?:[^"]|"")*"|\r\n/g, (part) => (part === "\r\n" ? "\n" : part));
}
