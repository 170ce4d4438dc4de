/** Text as a terminal sees it: made harmless, measured in columns, wrapped and padded.
 *
 *  Width counts what terminals count: 0 for combining marks, 2 for East Asian wide characters and emoji (also joined
 *  ones and flags, which newer terminals draw as one), 1 for the rest. */

/** C0, DEL and C1 controls, line and paragraph separators, direction overrides and isolates, lone surrogates. */
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Build servers act on `##name[` wherever it stands in a line of their log. */
const LOG_COMMAND = /#(?=#\w*\[)/g;
/** Latin, Greek, Cyrillic, punctuation, arrows and signs of mathematics: a column each, and none joins its neighbour. Most texts need no segmenter. */
const SINGLE_WIDTH =
  /^[\x20-\x7e\u00a0-\u02ff\u0388-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u257f]*$/;
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff])$/u;
/** Format characters that are drawn: the soft hyphen and the Arabic number signs. */
const VISIBLE_FORMAT = /^[\u00ad\u0600-\u0605\u06dd\u070f\u08e2]$/;
const PICTOGRAPH = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f?\u20e3|\p{RI}\p{RI}/u;

/** Blocks of Unicode's East Asian Width W and F (UAX #11), pictographs apart; gaps within a block count as wide. */
const WIDE_RANGES: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** One line without anything that could move a cursor, change colors or reorder the line: white space becomes a space,
 *  other controls their visible picture (ESC is "␛") or the replacement character. What a build server would act on gets a space. */
export function neutralise(text: string): string {
  const plain = text.replace(LOG_COMMAND, "# ");
  if (PRINTABLE_ASCII.test(plain)) return plain;
  return plain.replace(/\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g, " ").replace(HARMFUL, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Longer texts are segmented in pieces, since the segmenter's time grows with their square. */
const PIECE = 1024;

/** Characters as they are seen, in order. */
function* clustersOf(text: string): Iterable<string> {
  if (SINGLE_WIDTH.test(text)) {
    yield* text;
    return;
  }
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    // never between the halves of a pair
    const cut = end < text.length && /[\udc00-\udfff]/.test(text[end]!) ? end + 1 : end;
    for (const { segment } of segmenter.segment(text.slice(at, cut))) yield segment;
    at = cut;
  }
}

export function displayWidth(text: string): number {
  if (SINGLE_WIDTH.test(text)) return text.length;
  let width = 0;
  for (const cluster of clustersOf(text)) width += clusterWidth(cluster);
  return width;
}

function clusterWidth(cluster: string): number {
  if (PICTOGRAPH.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (VISIBLE_FORMAT.test(character)) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  const code = character.codePointAt(0)!;
  return WIDE_RANGES.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Where a word that is too long for a line is broken first: "retrieval-", "augmented". */
const JOINT = /(?<=[\p{L}\p{N}][-_/:@])(?=[\p{L}\p{N}])|(?<=\p{L}[.,])(?=\p{L})/u;

/** Lines of at most `width` columns (at least 2, so that any character fits), broken at spaces where there are any;
 *  `hanging` is how much narrower every line but the first is. */
export function wrap(text: string, width: number, hanging = 0): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const room = (): number => Math.max(2, lines.length === 0 ? width : width - hanging);
  const flush = (): void => {
    lines.push(line);
    line = "";
    used = 0;
  };
  for (const word of text.split(/ +/)) {
    if (word === "") continue;
    const wordWidth = displayWidth(word);
    if (used > 0 && used + 1 + wordWidth > room()) flush();
    if (used > 0) {
      line += " ";
      used += 1;
    }
    if (used + wordWidth <= room()) {
      line += word;
      used += wordWidth;
      continue;
    }
    for (const part of word.split(JOINT)) {
      if (used > 0 && used + displayWidth(part) > room()) flush();
      for (const cluster of clustersOf(part)) {
        const w = clusterWidth(cluster);
        if (used > 0 && used + w > room()) flush();
        line += cluster;
        used += w;
      }
    }
  }
  if (line !== "" || lines.length === 0) flush();
  return lines;
}
