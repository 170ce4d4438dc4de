/** One display, any format. */
import type { Display } from "../display.ts";
import { StatError } from "../error.ts";
import { didYouMean } from "../suggest.ts";
import type { CsvOptions } from "./csv.ts";
import { renderCsv } from "./csv.ts";
import type { HtmlOptions } from "./html.ts";
import { renderHtml } from "./html.ts";
import type { LatexOptions } from "./latex.ts";
import { renderLatex } from "./latex.ts";
import type { MarkdownOptions } from "./markdown.ts";
import { renderMarkdown } from "./markdown.ts";
import type { TextRenderOptions } from "./text.ts";
import { renderText } from "./text.ts";

export type RenderFormat = "text" | "markdown" | "latex" | "csv" | "html";
export interface RenderOptions extends TextRenderOptions, MarkdownOptions, LatexOptions, CsvOptions, HtmlOptions {}

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
