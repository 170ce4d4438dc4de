/** Decimal commas ("1,5") and thousands separators ("1,234.5"), judged over whole columns: one cell that does not fit
 *  leaves the column text, because half a conversion would be worse than none. */

/** "comma": 1.234,5 — "point": 1,234.5 — "either": 1,234 in every cell, which may mean both. */
export type DecimalStyle = "comma" | "point" | "either";

const COMMA = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(\.\d{3})+|(?=,))(,\d+)?(e[+-]?\d+)?$/i;
const POINT = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+|(?=\.))(\.\d*)?(e[+-]?\d+)?$/i;

/** The style in which every text is a number, if there is one and a comma occurs. */
export function findStyle(texts: readonly string[]): DecimalStyle | undefined {
  let comma = true;
  let point = true;
  let commas = false;
  for (const padded of texts) {
    const text = padded.trim();
    comma &&= COMMA.test(text);
    point &&= POINT.test(text);
    if (!comma && !point) return undefined;
    commas ||= text.includes(",");
  }
  if (!commas) return undefined;
  return comma && point ? "either" : comma ? "comma" : "point";
}

const FEWEST_PAIRS = 10;

/** "4,5", "3,3", "5,4" in every cell, with the same few digits before and behind the comma: tenths would have others too. */
export function areTwoRatings(texts: readonly string[], cells: number): boolean {
  const parts = texts.map((text) => /^([0-5]),([0-5])$/.exec(text.trim()));
  if (cells < FEWEST_PAIRS || parts.includes(null)) return false;
  const before = new Set(parts.map((part) => part![1]));
  const behind = new Set(parts.map((part) => part![2]));
  return behind.size >= 3 && behind.size === before.size && [...behind].every((digit) => before.has(digit));
}

/** Whether the text holds a comma and is a number in one of the styles. */
export function hasNumericComma(padded: string): boolean {
  const text = padded.trim();
  return text.includes(",") && (COMMA.test(text) || POINT.test(text));
}

/** The number that the text denotes in this style, or NaN. Integers beyond 2^53 are refused as everywhere in CSV. */
export function parseStyled(padded: string, style: "comma" | "point"): number {
  const text = padded.trim();
  if (!(style === "comma" ? COMMA : POINT).test(text)) return Number.NaN;
  const plain = style === "comma" ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  const value = Number(plain);
  const integer = /^[+-]?\d+$/.test(plain);
  return Number.isFinite(value) && !(integer && Math.abs(value) > Number.MAX_SAFE_INTEGER) ? value : Number.NaN;
}
