/** Rounding for people. A column is rounded as a whole, so that its decimal points line up.
 *
 *  number     where the table says its decimals, those; else four significant digits for its smallest element, as long as the largest needs no more than seven; final
 *             zeros that the whole column shares are dropped. An element that would keep fewer than two digits, or lies
 *             below 1e-4 or above 1e9, is written with an exponent: 1.235e-5. Whole numbers stay whole.
 *  statistic  three decimals.
 *  df         whole numbers plain; as soon as one is fractional, two decimals (one if all are above 100).
 *  p          four decimals; below 0.0001 "< 0.0001", above 0.9999 "> 0.9999" unless it is 1; never 0.
 *  percent    the cell is a proportion: 0.123 is 12.3%; two decimals if one is below 0.1%, then "< 0.01%".
 *  integer    rounded to a whole number, no thousands separators.
 *  text       a number in a text column stands alone, as under "number".
 *
 *  Undefined (NaN) is "–", infinity "Inf". Minus is ASCII here; renderers with better signs replace it. CSV and JSON do
 *  not come here: they never round. */
import type { CellFormat } from "./display.ts";

export const UNDEFINED_MARK = "–";
const INFINITY_MARK = "Inf";

const SIGNIFICANT = 4;
/** Most digits that a column's largest element shows before its smallest must give way. */
const WIDEST = 7;
const SMALLEST_PLAIN = 1e-4;
const LARGEST_PLAIN = 1e9;
/** Whole numbers are exact well beyond, but no count in a table is that long. */
const LARGEST_WHOLE = 1e15;
const SMALLEST_P = 1e-4;
const P_DECIMALS = 4;
const STATISTIC_DECIMALS = 3;

/** Every cell of a column as text; strings pass through. */
export function formatColumn(cells: readonly (string | number)[], format: CellFormat, decimals?: number): string[] {
  const numbers = cells.filter((cell): cell is number => typeof cell === "number");
  const write = numberWriter(numbers, format, decimals);
  return cells.map((cell) => (typeof cell === "string" ? cell : write(cell)));
}

/** One number, as it would stand in a column of its own: for sentences. */
export function formatNumber(value: number, format: CellFormat = "number"): string {
  return numberWriter([value], format)(value);
}

/** `p = 0.0431`, `p < 0.0001`. */
export function formatP(p: number): string {
  const text = formatNumber(p, "p");
  return /^[<>]/.test(text) ? `p ${text}` : `p = ${text}`;
}

function numberWriter(column: readonly number[], format: CellFormat, decimals?: number): (value: number) => string {
  const finite = column.filter(Number.isFinite);
  const write = format === "number" && decimals !== undefined ? fixedWriter(decimals) : finiteWriter(finite, format);
  return (value) => {
    if (Number.isNaN(value)) return UNDEFINED_MARK;
    if (!Number.isFinite(value)) return value < 0 ? `-${INFINITY_MARK}` : INFINITY_MARK;
    return write(value);
  };
}

function finiteWriter(finite: readonly number[], format: CellFormat): (value: number) => string {
  switch (format) {
    case "integer":
      return (value) => fixed(value, 0);
    case "statistic":
      return (value) => (Math.abs(value) < LARGEST_PLAIN ? fixed(value, STATISTIC_DECIMALS) : exponential(value));
    case "df":
      return dfWriter(finite);
    case "p":
      return formatProbability;
    case "percent":
      return percentWriter(finite);
    case "text":
      return (value) => generalWriter([value])(value);
    case "number":
      return generalWriter(finite);
  }
}

function generalWriter(finite: readonly number[]): (value: number) => string {
  const decimals = commonDecimals(finite.filter((x) => !needsExponent(x)));
  return (value) => {
    if (needsExponent(value) || losesDigits(value, decimals)) return exponential(value);
    return fixed(value, decimals);
  };
}

/** So many decimals for all, whatever the column holds, but no number without a digit of its own. */
const fixedWriter =
  (decimals: number) =>
  (value: number): string =>
    Math.abs(value) >= LARGEST_PLAIN || (value !== 0 && Math.abs(value) < SMALLEST_PLAIN && decimals > 4)
      ? exponential(value)
      : fixed(value, decimals);

function needsExponent(x: number): boolean {
  const size = Math.abs(x);
  if (Number.isInteger(x)) return size >= LARGEST_WHOLE;
  return size < SMALLEST_PLAIN || size >= LARGEST_PLAIN;
}

/** Fewer than two significant digits would be left, and there are more to show. */
function losesDigits(x: number, decimals: number): boolean {
  return x !== 0 && Math.abs(x) < 10 ** (1 - decimals) && usefulDecimals(x) > decimals;
}

function commonDecimals(numbers: readonly number[]): number {
  let wanted = 0;
  let allowed = Number.POSITIVE_INFINITY;
  for (const x of numbers) {
    wanted = Math.max(wanted, usefulDecimals(x));
    if (x !== 0) allowed = Math.min(allowed, Math.max(0, WIDEST - 1 - exponentOf(x, WIDEST)));
  }
  return Math.min(wanted, allowed);
}

/** Decimals of x rounded to four significant digits, without final zeros. */
function usefulDecimals(x: number): number {
  if (x === 0) return 0;
  const [mantissa = "", power = "0"] = x.toExponential(SIGNIFICANT - 1).split("e");
  const digits = mantissa.replace(/^-?\d\.?/, "").replace(/(?<!0)0+$/, "").length;
  return Math.max(0, digits - Number(power));
}

/** Exponent of x after rounding to so many significant digits: 9.9996 counts as 10.00. */
function exponentOf(x: number, significant: number): number {
  return Number(x.toExponential(significant - 1).split("e")[1]);
}

function dfWriter(finite: readonly number[]): (value: number) => string {
  const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-9 * Math.max(1, Math.abs(x));
  if (finite.every(isWhole)) return (value) => fixed(value, 0);
  const decimals = finite.every((x) => x >= 100) ? 1 : 2;
  return (value) => (Math.abs(value) < LARGEST_PLAIN ? fixed(value, decimals) : exponential(value));
}

function formatProbability(p: number): string {
  if (p < SMALLEST_P && p >= 0) return `< ${fixed(SMALLEST_P, P_DECIMALS)}`;
  if (p < 1 && p > 1 - SMALLEST_P) return `> ${fixed(1 - SMALLEST_P, P_DECIMALS)}`;
  return fixed(p, P_DECIMALS);
}

function percentWriter(finite: readonly number[]): (value: number) => string {
  const isTiny = (x: number): boolean => x !== 0 && Math.abs(x) < 0.001;
  const decimals = finite.some(isTiny) ? 2 : 1;
  return (value) => {
    const text = fixed(value * 100, decimals);
    if (value !== 0 && Number(text) === 0) return value < 0 ? "> -0.01%" : "< 0.01%";
    return `${text}%`;
  };
}

function exponential(x: number): string {
  return x.toExponential(SIGNIFICANT - 1).replace("e+", "e");
}

/** toFixed without "-0.00". */
function fixed(x: number, decimals: number): string {
  const text = x.toFixed(decimals);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}
