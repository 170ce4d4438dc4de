/** One display, any format. */
import type { Display } from "./display.ts";
import { StatError } from "./error.ts";
import type { CsvOptions } from "./render-csv.ts";
import { renderCsv } from "./render-csv.ts";
import type { HtmlOptions } from "./render-html.ts";
import { renderHtml } from "./render-html.ts";
import type { LatexOptions } from "./render-latex.ts";
import { renderLatex } from "./render-latex.ts";
import type { MarkdownOptions } from "./render-markdown.ts";
import { renderMarkdown } from "./render-markdown.ts";
import type { TextOptions } from "./render-text.ts";
import { renderText } from "./render-text.ts";
import { didYouMean } from "./suggest.ts";

export type RenderFormat = "text" | "markdown" | "latex" | "csv" | "html";
export interface RenderOptions extends TextOptions, MarkdownOptions, LatexOptions, CsvOptions, HtmlOptions {}

const RENDERERS: Readonly<Record<RenderFormat, (display: Display, options: RenderOptions) => string>> = {
  text: renderText,
  markdown: renderMarkdown,
  latex: renderLatex,
  csv: renderCsv,
  html: renderHtml,
};

export const RENDER_FORMATS = Object.keys(RENDERERS) as readonly RenderFormat[];

export function render(display: Display, format: RenderFormat, options: RenderOptions = {}): string {
  if (!Object.hasOwn(RENDERERS, format)) {
    throw new StatError(
      "UnknownFormat",
      `there is no output format "${format}" (formats: ${RENDER_FORMATS.join(", ")}).`,
      didYouMean(format, RENDER_FORMATS) || "choose one of these.",
    );
  }
  return RENDERERS[format](display, options);
}
