/** Widths of text without a browser: those of Helvetica (Adobe's font metrics, thousandths of an em), which Arial and Liberation Sans share
 *  and the other faces of the family stay close to. Layout needs no more: labels get a little air. */
import { displayWidth } from "../../result/render/width.ts";

/** From the space to the tilde. */
const REGULAR = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];
const BOLD = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
  556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
  280, 389, 584,
];
const USUAL = 556;
const MINUS = 584;

export function textWidth(text: string, size = 12, bold = false): number {
  let units = 0;
  for (const character of text) units += unitsOf(character, bold);
  return (units / 1000) * size;
}

/** Thousandths of an em. */
function unitsOf(character: string, bold: boolean): number {
  const code = character.codePointAt(0)!;
  if (code >= 32 && code <= 126) return (bold ? BOLD : REGULAR)[code - 32]!;
  if (code === 0x2212 || code === 0x00d7) return MINUS;
  const columns = displayWidth(character);
  return columns * (columns > 1 ? 500 : USUAL);
}

/** Not before a per cent sign, nor on either side of what "=", "<" or ">" joins: 80 %, p = 0.02. */
const UNBROKEN = /(?<![=<>]) (?![%=<>])/;

/** Lines of at most `width` pixels, broken at spaces, and within words that are longer. */
export function wrapText(text: string, width: number, { size = 12, bold = false } = {}): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(UNBROKEN).flatMap((own) => breakWord(own, width, { size, bold }))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size, bold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function breakWord(word: string, width: number, { size, bold }: { size: number; bold: boolean }): string[] {
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part !== "" && textWidth(part + character, size, bold) > width) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}

/** Within `width` pixels: the middle gives way, since names differ at their ends. */
export function shorten(text: string, width: number, { size = 12, bold = false } = {}): string {
  if (textWidth(text, size, bold) <= width) return text;
  const characters = [...text];
  // up to each character, so that a name of a whole page costs no more than reading it
  const before = new Float64Array(characters.length + 1);
  for (const [i, character] of characters.entries()) before[i + 1] = before[i]! + unitsOf(character, bold);
  const dots = unitsOf("…", bold);
  for (let kept = characters.length - 1; kept > 2; kept--) {
    const head = Math.ceil(kept / 2);
    const tail = characters.length - (kept - head);
    const units = before[head]! + dots + before[characters.length]! - before[tail]!;
    if ((units / 1000) * size > width) continue;
    return `${characters.slice(0, head).join("")}…${characters.slice(tail).join("")}`;
  }
  return "…";
}

/** Where the middle of a text has to lie so that none of it leaves the picture. */
export function centreWithin(x: number, text: string, width: number, size = 12): number {
  const half = textWidth(text, size) / 2;
  return half > width / 2 ? width / 2 : Math.max(half, Math.min(width - half, x));
}
