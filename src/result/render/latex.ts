/** A display as LaTeX: one `table` with booktabs rules for each table; needs \usepackage{booktabs}. */
import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplaySection, DisplayTable } from "../display.ts";
import { UNDEFINED_MARK } from "../number-format.ts";
import type { TextCell } from "./cells.ts";
import { textColumns } from "./cells.ts";
import { neutralise } from "./width.ts";

export interface LatexOptions {
  /** \label of the first table; the others get "-2", "-3" … after it. Letters, digits, ":", "." and "-". */
  readonly label?: string | undefined;
}

export function renderLatex(display: Display, options: LatexOptions = {}): string {
  const summary = (display.summary ?? []).map((text) => `${escapeLatex(text)}\\par`);
  const tables = display.tables.flatMap((table, i) => {
    const label = labelOf(options, i);
    return latexTable(table, { caption: captionOf(display, i), label });
  });
  const title = display.tables.length === 0 ? [`\\textbf{${escapeLatex(display.title)}}\\par`] : [];
  const notes = display.notes.map((text) => `${escapeLatex(text)}\\par`);
  const sections = (display.sections ?? []).flatMap(renderSection);
  const diagnostics = (display.diagnostics ?? []).map((diagnostic) => {
    const fix = diagnostic.fix === "" ? "" : ` \\emph{Fix:} ${escapeLatex(diagnostic.fix)}`;
    return `\\textbf{${severityLabel(diagnostic)}:} ${escapeLatex(diagnostic.message)}${fix}\\par`;
  });
  return `${[...title, ...summary, ...tables, ...notes, ...sections, ...diagnostics].join("\n")}\n`;
}

function renderSection({ heading, items }: DisplaySection): string[] {
  const points = items.flatMap(({ text, code = [] }) => [
    `\\item ${escapeLatex(text)}`,
    ...code.map((line) => `\\par\\texttt{${escapeLatex(line)}}`),
  ]);
  return [`\\textbf{${escapeLatex(heading)}}\\par`, "\\begin{itemize}", ...points, "\\end{itemize}"];
}

/** The title captions the first table; a table's own caption follows it. */
function captionOf(display: Display, i: number): string {
  const own = display.tables[i]!.caption;
  const parts = [...(i === 0 ? [display.title] : []), ...(own === undefined ? [] : [own])];
  return parts.map(escapeLatex).join(": ");
}

function labelOf(options: LatexOptions, i: number): string | undefined {
  const label = options.label?.replace(/[^\w:.-]/g, "-");
  return label === undefined || i === 0 ? label : `${label}-${i + 1}`;
}

export interface LatexTableOptions {
  /** LaTeX already. */
  readonly caption: string;
  readonly label?: string | undefined;
  /** Rows that a rule stands before. */
  readonly rules?: readonly number[] | undefined;
}

export function latexTable(table: DisplayTable, { caption, label, rules = [] }: LatexTableOptions): string[] {
  const columns = textColumns(table);
  if (columns.length === 0) return [];
  const row = (cells: readonly string[]): string => `${cells.join(" & ")} \\\\`;
  return [
    "\\begin{table}",
    "\\centering",
    ...(caption === "" ? [] : [`\\caption{${caption}}`]),
    ...(label === undefined ? [] : [`\\label{${label}}`]),
    `\\begin{tabular}{${columns.map((column) => (column.align === "left" ? "l" : "r")).join("")}}`,
    "\\toprule",
    row(columns.map((column) => escapeLatex(column.head))),
    "\\midrule",
    ...table.rows.flatMap((_, i) => [
      ...(rules.includes(i) ? ["\\midrule"] : []),
      row(columns.map((column) => renderCell(column.cells[i]!))),
    ]),
    "\\bottomrule",
    "\\end{tabular}",
    "\\end{table}",
  ];
}

function renderCell(cell: TextCell): string {
  if (!cell.isNumber) return escapeLatex(cell.text);
  if (cell.text === UNDEFINED_MARK) return "--";
  const body = cell.text
    .replace("%", "\\%")
    .replace(/e(-?\d+)$/, "\\times10^{$1}")
    .replace("Inf", "\\infty")
    .replace(" ", "");
  return /[-<>^f]/.test(body) ? `$${body}$` : body;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  // Shorthand in some languages' babel, so not left bare.
  '"': "\\char34{}",
  "`": "\\textasciigrave{}",
  // After the end of a row "[" opens an optional argument and "*" its starred form.
  "[": "{[}",
  "]": "{]}",
  "*": "{*}",
};

/** Bars of small charts in words, from an eighth of their height to all of it. */
const BARS = "▁▂▃▄▅▆▇█";

/** Letters and signs of statistics that plain pdfLaTeX has in mathematics only. */
const SYMBOLS: Readonly<Record<string, string>> = {
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  ε: "\\varepsilon",
  η: "\\eta",
  θ: "\\theta",
  κ: "\\kappa",
  λ: "\\lambda",
  μ: "\\mu",
  ν: "\\nu",
  π: "\\pi",
  ρ: "\\rho",
  σ: "\\sigma",
  τ: "\\tau",
  φ: "\\varphi",
  χ: "\\chi",
  ψ: "\\psi",
  ω: "\\omega",
  Γ: "\\Gamma",
  Δ: "\\Delta",
  Λ: "\\Lambda",
  Σ: "\\Sigma",
  Φ: "\\Phi",
  ⁿ: "{}^{n}",
  ᵈ: "{}^{d}",
  "√": "\\surd",
  "∞": "\\infty",
  "≤": "\\le",
  "≥": "\\ge",
  "≈": "\\approx",
  "≠": "\\ne",
  "→": "\\to",
  "←": "\\gets",
  "−": "-",
  "×": "\\times",
  "·": "\\cdot",
  "±": "\\pm",
  "¹": "^1",
  "²": "^2",
  "³": "^3",
  "⁻": "^-",
  "₀": "_0",
  "₁": "_1",
  "₂": "_2",
  "½": "\\frac12",
};
const SYMBOL = new RegExp(`[${Object.keys(SYMBOLS).join("")}]`, "gu");

/** One line of text that LaTeX sets as it is. Hyphens and punctuation are kept from joining into ligatures. */
export function escapeLatex(text: string): string {
  return neutralise(text)
    .replace(/[\u2400-\u2421]/g, codeOfPicture)
    .replaceAll("\ufffd", "?")
    .replace(/[\\{}$&#%_^~<>|"`[\]*]/g, (character) => ESCAPES[character]!)
    .replace(/-(?=-)/g, "-{}")
    .replace(/([,'])(?=\1)/g, "$1{}")
    .replaceAll("…", "\\ldots{}")
    .replace(SYMBOL, (character) => `$${SYMBOLS[character]}$`)
    .replace(/[\u2581-\u2588]/g, (bar) => `\\rule{.4em}{${(BARS.indexOf(bar) + 1) / 8}em}`);
}

/** Control pictures are in no LaTeX font: ESC becomes <1b>. */
function codeOfPicture(picture: string): string {
  const code = picture === "\u2421" ? 0x7f : picture.charCodeAt(0) - 0x2400;
  return `<${code.toString(16).padStart(2, "0")}>`;
}
