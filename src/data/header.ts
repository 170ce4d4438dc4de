/** A table whose first line was data: its names are values of its own columns. */
import type { Table } from "./table.ts";

const NUMBER = /^[+-]?\d+([.,]\d+)?%?$/;

/** Every name is a number over numbers or a value that its column has again, and at least one is a number. */
export function looksHeaderless({ columns, rows }: Table): boolean {
  const names = [...columns.keys()];
  if (rows < 2 || names.length < 2 || !names.some((name) => NUMBER.test(name.trim()))) return false;
  return [...columns].every(([name, cells]) => {
    // a second column of the same name was renamed
    const own = name.trim().replace(/_\d+$/, "");
    if (cells.kind === "numeric") return NUMBER.test(name.trim()) || NUMBER.test(own);
    return (
      cells.levels.includes(name) ||
      cells.levels.includes(own) ||
      isNextOf(own, cells.levels) ||
      isSentence(name) ||
      isCodeLike(own, cells.levels)
    );
  });
}

/** The reader found values in the first line and numbered the columns: nothing is known of them by name. */
export function isNumberedByReader({ columns }: Table): boolean {
  return columns.size > 1 && [...columns.keys()].every((name, k) => name === `column${k + 1}`);
}

/** A name of a column has no full stop within a line of words. */
const isSentence = (name: string): boolean => name.trim().split(/\s+/).length >= 5 && /[.!?]/.test(name);

/** One of many codes of the same length, with digits: the id of the first row. */
function isCodeLike(name: string, levels: readonly string[]): boolean {
  const alike = levels.filter((level) => level.length === name.length && /^[a-z\d]+$/i.test(level)).length;
  return (
    levels.length >= 10 &&
    /^[a-z\d]{5,}$/i.test(name) &&
    levels.some((level) => /\d/.test(level)) &&
    alike > 0.9 * levels.length
  );
}

/** q0 before q1, q2, …: ids that occur once. */
function isNextOf(name: string, levels: readonly string[]): boolean {
  const stem = /^(.*?)(?<!\d)\d+$/.exec(name)?.[1];
  return stem !== undefined && levels.every((level) => /\d$/.test(level) && level.startsWith(stem));
}
