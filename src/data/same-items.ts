/** Whether ids that come again under every value of a column (the part) are the same items, as scores tell.
 *  y of system s, part p and id i, the mean of its rows, less the mean of its system and part:
 *      ids     F = MS(id) / MS(part × id)                     the same items are easy or hard under every part
 *      cells   F = MS(part × id) / MS(part × id × system)     items of any kind are easy or hard for every system
 *  The same where ids differ (p < 0.01); others where cells do (p < 0.001) and ids hold less than half of what items differ by, by the upper
 *  95 % limit of their variance (exact for the mean square ratio of a balanced layout) over the variance that systems share.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, 3.6 (limits of a ratio).
 *  Oracle:    anova of lm (R), oracle/r/same-items.json: layouts next to the borders of the rule.
 *  Limits:    ids that lack a part under some system are not looked at. */
import { fQuantile, fSf } from "../numeric/dist/f.ts";
import { asFactor, column, dropUnusedLevels, type Table } from "./table.ts";

const DIFFER = 0.01;
const DIFFER_SURELY = 0.001;
/** Of what items differ by: more may be the same items, easy under one part and hard under another. */
const SMALL_SHARE = 0.5;
const LIMIT = 0.05;
/** Fewer have no spread to speak of. */
const FEWEST_IDS = 3;

export interface NumberedColumns {
  readonly system: string;
  readonly part: string;
  readonly item: string;
  readonly score: string;
}

/** Undefined where the scores do not tell. */
export function scoresTell(table: Table, columns: NumberedColumns): "same" | "others" | undefined {
  const { y, ids, parts, systems } = fullCells(table, columns);
  if (ids < FEWEST_IDS || parts < 2 || systems < 2) return undefined;
  // within each system and part
  for (let block = 0; block < parts * systems; block += 1) centre(y.subarray(block * ids, (block + 1) * ids));
  const at = (s: number, p: number, i: number): number => y[(s * parts + p) * ids + i]!;
  const over = (n: number, of: (k: number) => number): number => {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += of(k);
    return sum / n;
  };
  let [ofIds, ofCells, ofRest] = [0, 0, 0];
  for (let i = 0; i < ids; i += 1) {
    const id = over(systems, (s) => over(parts, (p) => at(s, p, i)));
    const bySystem = Float64Array.from({ length: systems }, (_, s) => over(parts, (p) => at(s, p, i)));
    ofIds += parts * systems * id ** 2;
    for (let p = 0; p < parts; p += 1) {
      const cell = over(systems, (s) => at(s, p, i)) - id;
      ofCells += systems * cell ** 2;
      for (let s = 0; s < systems; s += 1) ofRest += (at(s, p, i) - bySystem[s]! - cell) ** 2;
    }
  }
  const [df1, df2, df3] = [ids - 1, (ids - 1) * (parts - 1), (ids - 1) * (parts - 1) * (systems - 1)];
  const [id, cell, rest] = [ofIds / df1, ofCells / df2, ofRest / df3];
  if (!(cell > 0)) return id > 0 ? "same" : undefined;
  const f = id / cell;
  if (fSf(f, df1, df2) < DIFFER) return "same";
  if (rest > 0 && fSf(cell / rest, df2, df3) >= DIFFER_SURELY) return undefined;
  const ratio = Math.max(0, (f / fQuantile(LIMIT, df1, df2) - 1) / parts);
  const shared = 1 - rest / cell;
  return ratio / (1 + ratio) < SMALL_SHARE * shared ? "others" : undefined;
}

/** Means of the ids that every system has under every part, systems outermost. */
function fullCells(
  table: Table,
  columns: NumberedColumns,
): { readonly y: Float64Array; readonly ids: number; readonly parts: number; readonly systems: number } {
  const scores = column(table, columns.score);
  const [item, part, system] = [columns.item, columns.part, columns.system].map((name) =>
    dropUnusedLevels(asFactor(column(table, name))),
  );
  const [ids, parts, systems] = [item!.levels.length, part!.levels.length, system!.levels.length];
  // where fewer cells than these have a row, hardly an id is everywhere
  if (scores.kind !== "numeric" || ids * parts * systems > 2 * table.rows)
    return { y: new Float64Array(0), ids: 0, parts, systems };
  const sum = new Float64Array(ids * parts * systems);
  const count = new Int32Array(ids * parts * systems);
  scores.values.forEach((value, row) => {
    const codes = [system!.codes[row]!, part!.codes[row]!, item!.codes[row]!] as const;
    if (Number.isNaN(value) || codes.some((code) => code < 0)) return;
    const cell = (codes[0] * parts + codes[1]) * ids + codes[2];
    sum[cell]! += value;
    count[cell]! += 1;
  });
  const isFull = (i: number): boolean => {
    for (let block = 0; block < parts * systems; block += 1) if (count[block * ids + i] === 0) return false;
    return true;
  };
  const full = Array.from({ length: ids }, (_, i) => i).filter(isFull);
  const y = new Float64Array(full.length * parts * systems);
  for (let block = 0; block < parts * systems; block += 1)
    full.forEach((i, k) => {
      y[block * full.length + k] = sum[block * ids + i]! / count[block * ids + i]!;
    });
  return { y, ids: full.length, parts, systems };
}

function centre(values: Float64Array): void {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  for (let i = 0; i < values.length; i += 1) values[i]! -= mean;
}

/** Under each value of `part` ids run from 0 or 1 without gaps: to the same end, or counted anew to another. */
export function countIds(table: Table, part: string, item: string): "alike" | "anew" | undefined {
  const parts = asFactor(column(table, part));
  const ids = asFactor(column(table, item));
  const numbers = ids.levels.map((id) => Number(/(?<!\d)(\d+)$/.exec(id)?.[1] ?? Number.NaN));
  const seen = parts.levels.map(() => new Set<number>());
  parts.codes.forEach((code, row) => {
    if (code >= 0 && ids.codes[row]! >= 0) seen[code]!.add(numbers[ids.codes[row]!]!);
  });
  const ranges = seen
    .filter(({ size }) => size > 0)
    .map((own) => [...own].reduce(widen, [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, own.size] as const));
  const [first] = ranges;
  if (!ranges.every(([low, high, size]) => low === first![0] && low <= 1 && high - low + 1 === size)) return undefined;
  return new Set(ranges.map(([, high]) => high)).size > 1 ? "anew" : "alike";
}

type Range = readonly [low: number, high: number, size: number];
const widen = ([low, high, size]: Range, number: number): Range => [
  Math.min(low, number),
  Math.max(high, number),
  size,
];

/** Rows with the same value follow one another: once, or once for each of two systems or so. */
export function standsInBlocks(table: Table, name: string): boolean {
  const { codes, levels } = dropUnusedLevels(asFactor(column(table, name)));
  let blocks = 1;
  for (let row = 1; row < codes.length; row += 1) if (codes[row] !== codes[row - 1]) blocks += 1;
  return levels.length < codes.length / 2 && blocks <= MOST_TIMES * levels.length;
}
const MOST_TIMES = 2;
