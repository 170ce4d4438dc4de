/** Draws that are made one after the other on this thread, as those of a bootstrap that fits a model each time, kept in a journal: pieces of 50
 *  rows of numbers, under a set that is named by all that they depend on. The same rows come back bit for bit; a row that cannot be is drawn again. */
import { type Journal, openBook } from "./journal-runner.ts";
import type { DrawKeeper, Keeping, KeptDrawing, Place } from "./task.ts";

/** As many draws are one line of a journal. */
export const DRAWS_A_PIECE = 50;

const TASK = "resample/draws";

export function journalDraws(journal: Journal): DrawKeeper {
  const bookOf = (drawing: KeptDrawing) => openBook(journal, TASK, keepingOf(drawing));
  return {
    recall(drawing, places) {
      const known = bookOf(drawing).recall(places);
      if (known.size < places.length) journal.open(); // before anything is drawn for it
      return known;
    },
    keep: (drawing, place, rows) => bookOf(drawing).keep([place], undefined)(0, rows),
  };
}

function keepingOf({ scenario, params, seed, width, sound }: KeptDrawing): Keeping<Place, readonly Float64Array[]> {
  return {
    about: () => ({ scenario, params: { ...params, width }, seed }),
    place: (place) => place,
    write: (rows) => rows.map((row) => Array.from(row, writeNumber)),
    read(value, { count }) {
      if (!Array.isArray(value) || value.length !== count) return undefined;
      const rows = value.map((row: unknown) => readRow(row, width));
      return rows.every((row) => row !== undefined && sound(row)) ? (rows as Float64Array[]) : undefined;
    },
    blank: () => [],
  };
}

/** JSON has no word for these, and writes -0 as 0. */
const OTHERS: readonly string[] = ["NaN", "Infinity", "-Infinity", "-0"];
const writeNumber = (value: number): number | string =>
  Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);

function readRow(row: unknown, width: number): Float64Array | undefined {
  if (!Array.isArray(row) || row.length !== width) return undefined;
  const known = row.every((value) => (typeof value === "number" ? true : OTHERS.includes(value as string)));
  return known ? Float64Array.from(row, Number) : undefined;
}
