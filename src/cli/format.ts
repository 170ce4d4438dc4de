/** How an answer is written: what --format or --json says, else what the name of --out ends in. */
import { StatError } from "../index.ts";
import { suggest } from "../text.ts";
import type { GivenOptions, GlobalOptions, OutputFormat } from "./options.ts";

const FORMATS: readonly OutputFormat[] = ["text", "json", "markdown", "tex", "csv", "html"];
const ALIASES: Readonly<Record<string, OutputFormat>> = { md: "markdown", latex: "tex" };
const ENDINGS: Readonly<Record<string, OutputFormat>> = {
  md: "markdown",
  markdown: "markdown",
  tex: "tex",
  json: "json",
  html: "html",
  htm: "html",
  csv: "csv",
};

/** The options with their format, where nothing contradicts anything else. */
export function settleFormat<O extends GivenOptions>(options: O): O & GlobalOptions {
  const asked = options.format === undefined ? undefined : parseFormat(options.format);
  if (options.json && asked !== undefined && asked !== "json") {
    throw conflict(`--json and --format ${options.format}`);
  }
  const said = options.json ? "json" : asked;
  const ending = endingOf(options.out);
  if (said === undefined && ending === undefined) refuseUnknownEnding(options.out);
  if (said !== undefined && ending !== undefined && said !== ending) {
    throw conflict(`--${options.json ? "json" : `format ${options.format}`} and --out ${options.out}`);
  }
  const format = said ?? ending ?? "text";
  if (options.plot === "-" && options.out === undefined && (said !== undefined || options.paper)) {
    throw conflict(
      `--plot - and ${options.paper ? "--paper" : options.json ? "--json" : `--format ${options.format}`}`,
    );
  }
  checkCompany(options, format);
  return { ...options, json: format === "json", format };
}

function parseFormat(text: string): OutputFormat {
  const found = ALIASES[text] ?? FORMATS.find((format) => format === text);
  if (found !== undefined) return found;
  const names = [...FORMATS, ...Object.keys(ALIASES)];
  const fix = suggest(text, names, `Choose one of ${FORMATS.join(", ")}.`);
  throw new StatError("BadOption", `--format ${text}: no such format.`, fix);
}

const endingOf = (path: string | undefined): OutputFormat | undefined =>
  path === undefined ? undefined : ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];

/** A name that ends in what nothing here writes; .txt, or none at all as in the name of a device, holds any of them. */
function refuseUnknownEnding(path = ""): void {
  const [ending] = /\.[a-z]\w*$/i.exec(path) ?? [];
  if (ending === undefined || /^\.te?xt$/i.test(ending)) return;
  throw new StatError(
    "BadOption",
    `--out ${path}: no format ends in ${ending}.`,
    "Let it end in .md, .tex, .json, .html, .csv or .txt, or say --format.",
  );
}

const conflict = (both: string): StatError =>
  new StatError("BadOption", `${both} contradict each other.`, "Leave one of them out.");

/** Flags that do nothing without another one. */
function checkCompany(
  { figure, plot, includeText, html, flips, comment, table, paper }: GivenOptions,
  format: OutputFormat,
): void {
  const refuse = (message: string, fix: string): never => {
    throw new StatError("BadOption", message, fix);
  };
  if (figure !== undefined && plot === undefined)
    refuse(`--figure ${figure} without --plot has no effect.`, "Add --plot figure.svg.");
  if (
    includeText &&
    html === undefined &&
    format !== "html" &&
    flips === undefined &&
    comment === undefined &&
    table !== "flips"
  )
    refuse("--include-text without a report, --flips or --comment has no effect.", "Add --html report.html.");
  if (paper && format !== "text" && format !== "tex" && format !== "json")
    refuse(`--paper and ${format}: output for a paper is LaTeX.`, "Use --out paper.tex, or --json for its parts.");
}
