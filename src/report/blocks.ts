/** Parts of a report: the sign of a verdict, a picture at two widths, a table. */
import type { Figure } from "../plot/charts/figure.ts";
import { withMinus } from "../plot/figures/words.ts";
import { figureCsv, renderSvg } from "../plot/plot.ts";
import type { DisplayTable } from "../result/display.ts";
import { UNDEFINED_MARK } from "../result/number-format.ts";
import { type TextCell, textColumns } from "../result/render/cells.ts";
import { escapeHtml } from "../result/render/html.ts";
import type { ResultJson } from "../result/result.ts";
import { isInconclusive, isVerdict, markOf, tagOf, verdictOfWord } from "../result/verdict.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";

export interface Verdict {
  readonly word: string;
  readonly sentence: string;
}

/** Of a comparison, in the sentence that its screen begins with; other results have none. */
export function verdictOf(json: ResultJson): Verdict | undefined {
  if (json.kind !== "comparison") return undefined;
  const { verdict, headline, reason } = json as unknown as ComparisonJson;
  if (isInconclusive(verdict) && reason !== undefined) return { word: verdict, sentence: `Coverage: ${headline}` };
  return { word: verdict, sentence: headline.replace(/^no /, "No ") };
}

const LINE = '<path class="zero" d="M7 2V18"/>';
/** The interval where it lies, with the mark that forests have. */
const SIGNS: Readonly<Record<string, string>> = {
  circle: `${LINE}<path class="iv" d="M13 10H34"/><circle class="fi" cx="23.5" cy="10" r="4.2"/>`,
  diamond:
    '<path class="zero" d="M29 2V18"/><path class="iv" d="M2 10H23"/><path class="fi" d="M12.5 4.6L17.9 10L12.5 15.4L7.1 10z"/>',
  square:
    '<path class="cap" d="M9 3H5V17H9M27 3H31V17H27"/><path class="iv" d="M9 10H27"/><rect class="fi" x="14" y="6" width="8" height="8"/>',
  ring: '<path class="zero" d="M15 2V18"/><path class="iv" d="M4 10H32"/><circle class="ho" cx="20" cy="10" r="4.2"/>',
  right: `${LINE}<path class="iv" d="M13 10H34"/><path class="ho" d="M20 5L28 10L20 15z"/>`,
  left: '<path class="zero" d="M29 2V18"/><path class="iv" d="M2 10H23"/><path class="ho" d="M16 5L8 10L16 15z"/>',
};

export function tag(word: string): string {
  const verdict = verdictOfWord(word);
  if (!isVerdict(verdict)) return `<span class="tag">${escapeHtml(tagOf(word))}</span>`;
  const { symbol, tone } = markOf(verdict);
  return `<span class="tag ${tone}"><svg class="gp ${tone}" viewBox="0 0 36 20" aria-hidden="true">${SIGNS[symbol]}</svg><span>${escapeHtml(word)}</span></span>`;
}

const WIDE = 772;
const NARROW = 358;

/** A number keeps its per cent sign. */
export const unbroken = (text: string): string => text.replace(/(\d) %/g, "$1\u00a0%");

/** Text with flags of the command line, within which a browser would break the line after a hyphen. */
export const escapeFlags = (text: string): string =>
  escapeHtml(text).replace(/(^|[\s(])(--[a-z][\w-]*)/g, '$1<span class="flag">$2</span>');

/** Drawn twice, since text must not shrink on a phone; a reader of the page hears of one of them. */
export function figureSection(figure: Figure, id: string, number: number): string {
  const wide = renderSvg(figure, { width: WIDE, bare: true, inline: true, id: `${id}-w` });
  const narrow = renderSvg(figure, { width: NARROW, bare: true, inline: true, id: `${id}-n` });
  const csv = `data:text/csv;charset=utf-8,${encodeURIComponent(figureCsv(figure))}`;
  return [
    `<figure class="chart"><figcaption>Figure ${number}. ${escapeHtml(unbroken(figure.title))}</figcaption><p>${escapeHtml(unbroken(figure.subtitle))}.</p>`,
    `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`,
    `<p class="src screen-only"><a download="${escapeHtml(figure.name.replace(/[^\w.-]+/g, "-"))}.csv" href="${escapeHtml(csv)}">Data of figure ${number} (CSV)</a></p></figure>`,
  ].join("\n");
}

/** Letters of a cell that is more than a word or two. */
const SENTENCE = 24;
/** Heights of a curve as a terminal draws them. */
const BLOCKS = /^[\u2581-\u2588]*$/;
/** Rows of a table that print keeps on one page, with its caption. */
const WHOLE = 15;

export function tableSection(table: DisplayTable, index: number): string {
  // a picture in letters is for a terminal: here a figure draws it
  const columns = textColumns(table).filter(
    ({ cells }) => !cells.every(({ text }) => BLOCKS.test(text)) || cells.every(({ text }) => text === ""),
  );
  if (columns.length === 0) return "";
  const side = (align: "left" | "right"): string => (align === "right" ? ' class="num"' : "");
  // a header without words would be read out as one
  const header = (text: string, scope: string, align: "left" | "right"): string =>
    text === "" ? "<td></td>" : `<th scope="${scope}"${side(align)}>${text}</th>`;
  const head = columns.map((column) => header(escapeHtml(withMinus(column.head)), "col", column.align)).join("");
  // on a phone a column of sentences would be a column of words
  const sentences = columns.map(({ cells }) => cells.some(({ text, isNumber }) => !isNumber && text.length > SENTENCE));
  const rows = table.rows.map((_, i) => {
    const cells = columns.map((column, j) => {
      const text = cellText(column.cells[i]!, DIFFERENCES.test(column.head));
      if (j === 0 && column.align === "left") return header(text, "row", "left");
      return `<td${sentences[j] ? ' class="long"' : side(column.align)}>${text}</td>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const named = / by /.test(table.caption ?? "") ? withMinus(table.caption!) : table.caption;
  const caption = named === undefined ? "" : `<caption><span>${escapeHtml(named)}</span></caption>`;
  const whole = table.rows.length <= WHOLE ? " whole" : "";
  return `<div class="scroll${whole}" tabindex="0" role="region" aria-label="${escapeHtml(table.caption ?? `Table ${index + 1}`)}"><table>${caption}<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Heads of columns in which one name is less another. */
const DIFFERENCES = /^(pair|contrast|difference|b - a)$/;

/** Numbers of ours and differences get true signs; any other text is the user's. */
function cellText({ text, isNumber }: TextCell, difference: boolean): string {
  if (!isNumber) return escapeHtml(unbroken(difference ? withMinus(text) : text));
  if (text === UNDEFINED_MARK) return '<abbr title="undefined">–</abbr>';
  return escapeHtml(text)
    .replace(/e(-?\d+)$/, "×10<sup>$1</sup>")
    .replace("Inf", "∞")
    .replaceAll("-", "−");
}
