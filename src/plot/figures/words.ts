/** Numbers and names as figures write them: a true minus, one number of decimals a column, intervals with "to". */
import { leastOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { writeFixed } from "../charts/scale.ts";

/** How numbers of one kind are written: shares in percent, differences of shares in points, everything else in its own unit. */
export interface NumberStyle {
  readonly percent: boolean;
  readonly decimals: number;
}

/** Decimals that show two digits of the widths given: the precision that the data have. */
export function styleFor(widths: readonly number[], percent = false): NumberStyle {
  const finite = widths
    .filter((width) => Number.isFinite(width) && width > 0)
    .map((width) => (percent ? 100 * width : width));
  const smallest = finite.length === 0 ? 1 : leastOf(finite);
  return { percent, decimals: Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(smallest)))) };
}

export const write = (value: number, { percent, decimals }: NumberStyle, signed = false): string =>
  writeFixed(percent ? 100 * value : value, decimals, signed);

export const interval = (lower: number, upper: number, style: NumberStyle, signed = false): string =>
  Number.isNaN(lower) && Number.isNaN(upper) ? "–" : `${write(lower, style, signed)} to ${write(upper, style, signed)}`;

/** "0.0123", "< 0.0001", without "p". */
export const pText = (p: number): string => formatNumber(p, "p");
export { formatP };

/** A number in a sentence, with a true minus. */
export const say = (value: number): string => formatNumber(value).replaceAll("-", "\u2212");

/** A share that is not quite nothing or all is not written as if it were. */
export function percentOf(share: number, decimals = 0): string {
  const least = 10 ** -decimals;
  if (share < 1 && 100 * share >= 100 - least / 2) return `> ${writeFixed(100 - least, decimals)} %`;
  if (share > 0 && 100 * share < least / 2) return `< ${writeFixed(least, decimals)} %`;
  return `${writeFixed(100 * share, decimals)} %`;
}

/** "a", "a and b", "a, b and c". */
export function join(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A difference by its name, "a - b", with a true minus; where a name has one of its own, it stays as it is spelt. */
export function withMinus(difference: string): string {
  const parts = difference.split(" - ");
  return parts.length === 2 ? parts.join(" \u2212 ") : difference;
}

/** As a sentence begins. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "1 item", "3 items". */
export const count = (n: number, plural: string): string =>
  `${writeFixed(n, 0)} ${n === 1 ? plural.replace(/ies$/, "y").replace(/s$/, "") : plural}`;

/** As a title begins: a word of ours is a capital, a symbol stays. */
export const titled = (name: string): string => (/^[a-z]{3}/.test(name) ? capital(name) : name);

export const level = (confidence: number): string => `${formatNumber(100 * confidence)} %`;
