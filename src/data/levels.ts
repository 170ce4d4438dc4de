/** The order of factor levels: numbers as numbers, anything else by code unit.
 *  R sorts text by the locale of the machine; code units give the same order everywhere. */

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number as people and programs write it, with a point: "4", "-.5", "1e-3". */
export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** The finite number that a text denotes, or NaN; hexadecimal, blanks and words are not numbers. */
export function parseDecimal(text: string): number {
  if (!isDecimal(text)) return Number.NaN;
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorted copy: by value when every level is a number ("2" before "10", ties by text), otherwise by code unit. */
export function sortLevels(levels: Iterable<string>): string[] {
  const all = [...levels];
  return Array.from(orderLevels(all), (k) => all[k]!);
}

/** Where the sorted levels stand in the list given. */
export function orderLevels(levels: readonly string[]): Int32Array {
  const order = Int32Array.from(levels, (_, k) => k);
  const values = new Float64Array(levels.length);
  for (const [k, level] of levels.entries()) {
    values[k] = parseDecimal(level);
    if (Number.isNaN(values[k])) return order.sort((a, b) => compareText(levels[a]!, levels[b]!));
  }
  return order.sort((a, b) => values[a]! - values[b]! || compareText(levels[a]!, levels[b]!));
}

export function isSorted(levels: readonly string[]): boolean {
  const sorted = sortLevels(levels);
  return levels.every((level, i) => level === sorted[i]);
}

const NO_VALUES = new Set(["?", "n/a", "na", "ka", "none", "nan", "null", "tbd", "tba", "[]"]);
const DASHES = /^[-–—]{1,3}$/;
/** What a spreadsheet shows for a value that it could not work out, in any language: #N/A, #NV, #DIV/0!, #WERT!, #REF!, #NAME?. */
const SHEET_ERROR = /^#(?:[\p{Lu}/]{2,12}|[\p{Lu}]{2,5}\/0)[!?]?$/u;

/** Whether the text, in a column that otherwise holds numbers, says that there is none. */
export function isNoValue(text: string): boolean {
  const own = text.trim();
  return DASHES.test(own) || NO_VALUES.has(own.replace(/[.\s]/g, "").toLowerCase()) || SHEET_ERROR.test(own);
}
