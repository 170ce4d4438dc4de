/** A scene as TikZ: a `tikzpicture` to \input, in the fonts of the paper; needs \usepackage{tikz}. One pixel of the scene is 0.75 bp, as on
 *  screen; colours are literal, so that nothing has to be defined in the preamble. */
import { escapeLatex } from "../../result/render/latex.ts";
import { neutralise } from "../../result/render/width.ts";
import type { Scene, Shape, TextShape } from "./scene.ts";
import { HALO, paintOf, textColour } from "./style.ts";
import { round } from "./svg.ts";
import { LIGHT } from "./tokens.ts";

export function sceneToTikz(
  scene: Scene,
  { title, description }: { readonly title: string; readonly description: string },
): string {
  const colours = new Map<string, string>();
  const nameOf = (hex: string): string => {
    const known = colours.get(hex);
    if (known !== undefined) return known;
    const name = `gosset${String.fromCharCode(97 + Math.floor(colours.size / 26))}${String.fromCharCode(97 + (colours.size % 26))}`;
    colours.set(hex, name);
    return name;
  };
  const body = scene.shapes.map((shape) => (shape.type === "text" ? textNode(shape, nameOf) : draw(shape, nameOf)));
  return [
    ...[title, description].map((line) => `% ${neutralise(line)}`),
    "% \\usepackage{tikz} in the preamble",
    "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,line cap=butt]",
    ...[...colours].map(([hex, name]) => `\\definecolor{${name}}{HTML}{${hex.slice(1).toUpperCase()}}`),
    `\\useasboundingbox (0,0) rectangle (${round(scene.width)},${round(scene.height)});`,
    ...body,
    "\\end{tikzpicture}",
    "",
  ].join("\n");
}

type Namer = (hex: string) => string;

function draw(shape: Exclude<Shape, TextShape>, nameOf: Namer): string {
  const paint = paintOf(shape, LIGHT, "light");
  const width = (pixels: number): string => `${round(0.75 * pixels)}bp`;
  const options = [
    ...(paint.fill === undefined ? [] : [`fill=${nameOf(paint.fill)}`]),
    ...(paint.fill !== undefined && paint.fillOpacity < 1 ? [`fill opacity=${paint.fillOpacity}`] : []),
    ...(paint.stroke === undefined ? [] : [`draw=${nameOf(paint.stroke)}`, `line width=${width(paint.strokeWidth)}`]),
    ...(paint.stroke !== undefined && paint.strokeOpacity < 1 ? [`draw opacity=${paint.strokeOpacity}`] : []),
    ...(paint.dash.length === 0 ? [] : [`dash pattern=${dashPattern(paint.dash)}`]),
    ...(paint.round ? ["line join=round", "line cap=round"] : []),
  ];
  return `\\path[${options.join(",")}] ${outline(shape)};`;
}

const dashPattern = (dash: readonly number[]): string =>
  dash.map((length, k) => `${k % 2 === 0 ? "on" : "off"} ${round(0.75 * length)}bp`).join(" ");

const at = (x: number, y: number): string => `(${round(x)},${round(y)})`;

function outline(shape: Exclude<Shape, TextShape>): string {
  if (shape.type === "circle") return `${at(shape.x, shape.y)} circle[radius=${round(0.75 * shape.r)}bp]`;
  if (shape.type === "rect")
    return `${at(shape.x, shape.y)} rectangle ${at(shape.x + shape.width, shape.y + shape.height)}`;
  const lines = shape.lines.map((points) => points.map(([x, y]) => at(x, y)).join("--"));
  return lines.map((line) => (shape.closed ? `${line}--cycle` : line)).join(" ");
}

const ANCHORS = { start: "base west", middle: "base", end: "base east" } as const;
const SIZES = { 11: "\\fontsize{8}{9.6}", 12: "\\fontsize{9}{10.8}", 13: "\\fontsize{9.8}{11.8}" } as const;

function textNode(shape: TextShape, nameOf: Namer): string {
  const { x, y, text, style, tone, bold, size = 12, anchor = "start", halo } = shape;
  const weight = bold || style === "t1" ? "\\bfseries" : "";
  // TikZ cannot draw a rim around letters: a ground of paper that lets a little through, around text at the same place
  const rim = (0.75 * HALO) / 2;
  const shift = { start: -rim, middle: 0, end: rim }[anchor];
  const ground = halo
    ? `fill=${nameOf(LIGHT.paper)},fill opacity=0.85,text opacity=1,inner sep=${rim}bp${shift === 0 ? "" : `,xshift=${shift}bp`}`
    : "inner sep=0";
  const options = `anchor=${ANCHORS[anchor]},${ground},text=${nameOf(LIGHT[textColour(style, tone)])},font=${SIZES[size]}\\selectfont${weight}`;
  return `\\node[${options}] at ${at(x, y)} {${escapeLatex(spaced(text))}};`;
}

/** Spaces that plain LaTeX has under other names. */
const spaced = (text: string): string => text.replace(/[\u202f\u2009\u00a0]/g, " ");
