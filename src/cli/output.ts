/** One answer to stdout or a file, in the format asked for; warnings to stderr where the format does not carry them. */
import { type Diagnostic, type Display, describeDiagnostic, render } from "../index.ts";
import { writeOutput } from "./files.ts";
import { nameFlags, withFlags } from "./option-names.ts";
import type { GlobalOptions } from "./options.ts";

/** What a command has to say: for people (`display`) and for programs (`contract`). */
export interface Answer {
  readonly display: Display;
  readonly contract: object;
  readonly diagnostics: readonly Diagnostic[];
}

const RENDERERS = { text: "text", md: "markdown", latex: "latex", csv: "csv", html: "html" } as const;
const WIDEST = 120;
const NARROWEST = 40;

export function printAnswer(answer: Answer, options: GlobalOptions): void {
  const text = options.json ? jsonText(answer.contract) : rendered(withFlagNames(answer.display), options);
  const complete = text.endsWith("\n") ? text : `${text}\n`;
  // csv and JSON carry data only; the other formats print the diagnostics with the result
  if (!options.quiet && (options.json || options.format === "csv")) warn(answer.diagnostics);
  if (options.out === undefined) process.stdout.write(complete);
  else writeOutput(options.out, complete);
}

/** Sentences only: cells and captions hold the user's own words. */
function withFlagNames(display: Display): Display {
  const { summary, diagnostics, sections } = display;
  return {
    ...display,
    notes: display.notes.map(nameFlags),
    ...(summary === undefined ? {} : { summary: summary.map(nameFlags) }),
    ...(sections === undefined
      ? {}
      : {
          sections: sections.map((section) => ({
            ...section,
            items: section.items.map((item) => ({ ...item, text: nameFlags(item.text) })),
          })),
        }),
    ...(diagnostics === undefined ? {} : { diagnostics: diagnostics.map(withFlags) }),
  };
}

function warn(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "warning")
      process.stderr.write(`gosset: ${nameFlags(describeDiagnostic(diagnostic))}\n`);
  }
}

function rendered(display: Display, options: GlobalOptions): string {
  const terminal = options.out === undefined && process.stdout.isTTY === true;
  const color = terminal && options.color && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";
  const columns = terminal ? process.stdout.columns || 80 : 80;
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns));
  const text = render(display, RENDERERS[options.format], { width, color, page: true });
  return options.format === "csv" ? withLineFeeds(text) : text;
}

/** Lines end as shells and diffs expect; a line break within a quoted cell is data and stays. */
function withLineFeeds(csv: string): string {
  return csv.replace(/"(?:[^"]|"")*"|\r\n/g, (part) => (part === "\r\n" ? "\n" : part));
}

/** JSON has no NaN and no infinity: they are written as strings, which Number() reads back. */
function jsonText(contract: object): string {
  return JSON.stringify(contract, (_, value) => {
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
    return value;
  });
}
