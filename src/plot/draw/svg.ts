/** A scene as SVG text. With `theme` the colours are literal, as renderers without style sheets need them; without, they are CSS variables
 *  that follow the reader's light or dark setting. Numbers have one decimal, nothing is random: same scene, same bytes. */
import { escapeHtml } from "../../result/render/html.ts";
import type { Scene, Shape, TextShape } from "./scene.ts";
import { HALO, paintOf, standaloneCss, type Theme, textColour } from "./style.ts";
import { DARK, LIGHT, type Palette } from "./tokens.ts";

export interface SvgText {
  /** What it is, and what it shows in a sentence. */
  readonly title: string;
  readonly description: string;
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  /** The data drawn, as CSV. */
  readonly data?: string;
}

export interface SvgOptions {
  /** Literal colours of this theme. */
  readonly theme?: Theme | undefined;
  /** Within a page that has the style sheet. */
  readonly inline?: boolean | undefined;
}

export function sceneToSvg(scene: Scene, text: SvgText, { theme, inline = false }: SvgOptions = {}): string {
  const { width, height } = scene;
  const palette = theme === "dark" ? DARK : LIGHT;
  const write = theme === undefined ? withClasses : (shape: Shape) => withPaint(shape, palette, theme);
  const id = text.id.replace(/[^\w-]/g, "-");
  const ground = theme !== undefined ? palette.paper : inline ? undefined : "var(--paper)";
  return [
    `<svg class="gp" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-labelledby="${id}-t ${id}-d">`,
    `<title id="${id}-t">${escapeHtml(text.title)}</title>`,
    `<desc id="${id}-d">${escapeHtml(text.description)}</desc>`,
    ...(text.data === undefined || inline ? [] : [`<metadata>${escapeLines(text.data)}</metadata>`]),
    ...(theme === undefined && !inline ? [`<style>${standaloneCss(LIGHT, DARK)}</style>`] : []),
    ...(ground === undefined ? [] : [`<rect width="${round(width)}" height="${round(height)}" fill="${ground}"/>`]),
    ...scene.shapes.map(write),
    "</svg>",
  ].join("\n");
}

/** Line by line, as escaping makes one line of several. */
const escapeLines = (text: string): string => text.split("\n").map(escapeHtml).join("\n");

export const round = (value: number): string => String(Math.round(10 * value) / 10 || 0);

function withClasses(shape: Shape): string {
  if (shape.type === "text") return textElement(shape, `class="${textClasses(shape)}"`);
  const classes = [shape.tone, shape.style, shape.dash].filter((name) => name !== undefined).join(" ");
  return element(shape, `class="${classes}"`);
}

function textClasses({ style, tone, bold, size = 12, anchor = "start", halo }: TextShape): string {
  return [
    style === "t2" && tone !== undefined ? undefined : style,
    tone,
    bold && style !== "t1" ? "b" : undefined,
    { 11: "s", 12: undefined, 13: "h" }[size],
    { start: undefined, middle: "m", end: "e" }[anchor],
    halo ? "halo" : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ");
}

function withPaint(shape: Shape, palette: Palette, theme: Theme): string {
  if (shape.type === "text") return textElement(shape, textPaint(shape, palette));
  const paint = paintOf(shape, palette, theme);
  return element(
    shape,
    [
      `fill="${paint.fill ?? "none"}"`,
      ...(paint.fill !== undefined && paint.fillOpacity < 1 ? [`fill-opacity="${paint.fillOpacity}"`] : []),
      ...(paint.stroke === undefined ? [] : [`stroke="${paint.stroke}" stroke-width="${paint.strokeWidth}"`]),
      ...(paint.stroke !== undefined && paint.strokeOpacity < 1 ? [`stroke-opacity="${paint.strokeOpacity}"`] : []),
      ...(paint.dash.length === 0 ? [] : [`stroke-dasharray="${paint.dash.join(" ")}"`]),
      ...(paint.round ? ['stroke-linejoin="round" stroke-linecap="round"'] : []),
    ].join(" "),
  );
}

/** Faces that a machine without a desktop is likely to have come first: a renderer takes the first that it finds. */
const LITERAL_FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, Noto Sans, DejaVu Sans, sans-serif";

function textPaint({ style, tone, bold, size = 12, anchor = "start", halo }: TextShape, palette: Palette): string {
  return [
    `fill="${palette[textColour(style, tone)]}" font-family="${LITERAL_FONTS}" font-size="${size}"`,
    ...(bold || style === "t1" ? ['font-weight="600"'] : []),
    ...(anchor === "start" ? [] : [`text-anchor="${anchor}"`]),
    ...(halo ? [`paint-order="stroke" stroke="${palette.paper}" stroke-width="${HALO}" stroke-linejoin="round"`] : []),
  ].join(" ");
}

function textElement(shape: TextShape, attributes: string): string {
  const whole = shape.whole === undefined ? "" : `<title>${escapeHtml(shape.whole)}</title>`;
  return `<text x="${round(shape.x)}" y="${round(shape.y)}" ${attributes}>${whole}${escapeHtml(shape.text)}</text>`;
}

function element(shape: Exclude<Shape, TextShape>, attributes: string): string {
  if (shape.type === "circle") {
    return `<circle ${attributes} cx="${round(shape.x)}" cy="${round(shape.y)}" r="${round(shape.r)}"/>`;
  }
  if (shape.type === "rect") {
    const { x, y, width, height } = shape;
    return `<rect ${attributes} x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`;
  }
  const lines = shape.lines.map((points) => {
    const [first, ...rest] = points.map(([x, y]) => `${round(x)} ${round(y)}`);
    return `M${first}${rest.map((point) => `L${point}`).join("")}${shape.closed ? "z" : ""}`;
  });
  return `<path ${attributes} d="${lines.join("")}"/>`;
}
