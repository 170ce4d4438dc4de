/** A scene as a PDF of one page, in the fonts that every reader has (Helvetica and Symbol): text stays text, nothing is embedded, no date
 *  is written, so that the same scene gives the same bytes. Limits: letters that these fonts lack are refused by name. */
import { StatError } from "../../result/error.ts";
import { neutralise } from "../../result/render/width.ts";
import type { Scene, Shape, TextShape } from "./scene.ts";
import { HALO, paintOf, textColour } from "./style.ts";
import { textWidth } from "./text-width.ts";
import { LIGHT } from "./tokens.ts";

/** Points of a pixel. */
const POINT = 0.75;
/** A circle of four Bézier arcs. */
const ARC = 0.5522847498;

export function sceneToPdf(
  scene: Scene,
  { title, description }: { readonly title: string; readonly description: string },
): Uint8Array {
  const opacities = new Map<string, string>();
  const drawn = scene.shapes.map((shape) => (shape.type === "text" ? drawText(shape) : drawShape(shape, opacities)));
  const content = `${number(POINT)} 0 0 ${number(-POINT)} 0 ${number(scene.height * POINT)} cm\n${drawn.join("\n")}\n`;
  const states = [...opacities].map(([key, name]) => {
    const [fill, stroke] = key.split(" ");
    return `/${name} << /ca ${fill} /CA ${stroke} >>`;
  });
  const box = `[0 0 ${number(scene.width * POINT)} ${number(scene.height * POINT)}]`;
  return writeObjects([
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents 4 0 R /Resources << /Font << /F 5 0 R /B 6 0 R /S 7 0 R >> /ExtGState << ${states.join(" ")} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}endstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
    `<< /Title ${hexText(title)} /Subject ${hexText(description)} /Producer (gosset) >>`,
  ]);
}

const INFO = 8;

function writeObjects(objects: readonly string[]): Uint8Array {
  let file = "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n";
  const offsets = objects.map((object, k) => {
    const at = file.length;
    file += `${k + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${INFO} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}

const number = (value: number): string => String(Math.round(1000 * value) / 1000 || 0);

/** UTF-16 with its mark: any script. */
function hexText(text: string): string {
  const codes = Array.from({ length: text.length }, (_, k) => text.charCodeAt(k).toString(16).padStart(4, "0"));
  return `<feff${codes.join("")}>`;
}

function rgb(hex: string, operator: "rg" | "RG"): string {
  const part = (from: number): string => number(Number.parseInt(hex.slice(from, from + 2), 16) / 255);
  return `${part(1)} ${part(3)} ${part(5)} ${operator}`;
}

function drawShape(shape: Exclude<Shape, TextShape>, opacities: Map<string, string>): string {
  const paint = paintOf(shape, LIGHT, "light");
  const key = `${paint.fillOpacity} ${paint.strokeOpacity}`;
  const state = opacities.get(key) ?? `G${opacities.size}`;
  opacities.set(key, state);
  const cap = paint.round ? 1 : 0;
  return [
    "q",
    `/${state} gs`,
    ...(paint.fill === undefined ? [] : [rgb(paint.fill, "rg")]),
    ...(paint.stroke === undefined
      ? []
      : [rgb(paint.stroke, "RG"), `${number(paint.strokeWidth)} w ${cap} J ${cap} j`]),
    ...(paint.dash.length === 0 ? [] : [`[${paint.dash.join(" ")}] 0 d`]),
    outline(shape),
    paint.fill === undefined ? "S" : paint.stroke === undefined ? "f" : "B",
    "Q",
  ].join("\n");
}

function outline(shape: Exclude<Shape, TextShape>): string {
  if (shape.type === "rect") return `${[shape.x, shape.y, shape.width, shape.height].map(number).join(" ")} re`;
  if (shape.type === "path") {
    const lines = shape.lines.map((points) => {
      const steps = points.map(([x, y], k) => `${number(x)} ${number(y)} ${k === 0 ? "m" : "l"}`);
      return [...steps, ...(shape.closed ? ["h"] : [])].join("\n");
    });
    return lines.join("\n");
  }
  const { x, y, r } = shape;
  const k = ARC * r;
  const arc = (...at: number[]): string => `${at.map(number).join(" ")} c`;
  return [
    `${number(x + r)} ${number(y)} m`,
    arc(x + r, y + k, x + k, y + r, x, y + r),
    arc(x - k, y + r, x - r, y + k, x - r, y),
    arc(x - r, y - k, x - k, y - r, x, y - r),
    arc(x + k, y - r, x + r, y - k, x + r, y),
  ].join("\n");
}

/** The page is turned upside down, so each text turns back. */
function drawText(shape: TextShape): string {
  const { style, tone, size = 12, anchor = "start" } = shape;
  const bold = shape.bold === true || style === "t1";
  const text = neutralise(shape.text);
  const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * textWidth(text, size, bold);
  const runs = runsOf(text).map(({ symbol, bytes }) => `/${symbol ? "S" : bold ? "B" : "F"} ${size} Tf (${bytes}) Tj`);
  const place = `1 0 0 -1 ${number(shape.x - shift)} ${number(shape.y)} Tm`;
  // the outlines of the letters in paper first: a rim, as SVG has it
  const rim = shape.halo
    ? ["q", rgb(LIGHT.paper, "RG"), `${HALO} w 1 J 1 j`, "BT", "1 Tr", place, ...runs, "ET", "Q"]
    : [];
  return [...rim, "BT", rgb(LIGHT[textColour(style, tone)], "rg"), place, ...runs, "ET"].join("\n");
}

/** Where Windows' code page departs from Latin-1. */
const WINDOWS_CODES = [
  128, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 142, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154,
  155, 156, 158, 159,
];
const WINDOWS = new Map([..."€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"].map((character, k) => [character, WINDOWS_CODES[k]!]));
const GREEK = "αβχδεφγηικλμνοπθρστυωξψζ";
const GREEK_CODES = "abcdefghiklmnopqrstuwxyz";
const SYMBOLS = new Map<string, number>([
  ...[...GREEK].map((letter, k) => [letter, GREEK_CODES.charCodeAt(k)] as const),
  ...[..."ΔΓΛΣΦΨΩΘΠΞ"].map((letter, k) => [letter, "DGLSFYWQPX".charCodeAt(k)] as const),
  ["−", 0x2d],
  ["≤", 0xa3],
  ["∞", 0xa5],
  ["←", 0xac],
  ["→", 0xae],
  ["≥", 0xb3],
  ["≠", 0xb9],
  ["≈", 0xbb],
  ["√", 0xd6],
]);

function runsOf(text: string): { readonly symbol: boolean; readonly bytes: string }[] {
  const runs: { symbol: boolean; bytes: string }[] = [];
  for (const character of text) {
    const [symbol, code] = codeOf(character);
    const last = runs.at(-1);
    const byte = /[()\\]/.test(String.fromCharCode(code))
      ? `\\${String.fromCharCode(code)}`
      : String.fromCharCode(code);
    if (last !== undefined && last.symbol === symbol) last.bytes += byte;
    else runs.push({ symbol, bytes: byte });
  }
  return runs;
}

function codeOf(character: string): readonly [symbol: boolean, code: number] {
  const code = character.codePointAt(0)!;
  if ((code >= 32 && code <= 126) || (code >= 161 && code <= 255)) return [false, code];
  // narrow and no-break spaces
  if (code === 0x202f || code === 0x2009 || code === 0xa0) return [false, 32];
  const windows = WINDOWS.get(character);
  if (windows !== undefined) return [false, windows];
  const symbol = SYMBOLS.get(character);
  if (symbol !== undefined) return [true, symbol];
  throw new StatError(
    "NoGlyph",
    `the fonts of a plain PDF have no "${character}" (U+${code.toString(16).toUpperCase().padStart(4, "0")}), which a label needs.`,
    "write an .svg or .png instead, which take the machine's fonts.",
  );
}
