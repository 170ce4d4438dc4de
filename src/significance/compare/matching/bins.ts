/** A numeric property as a factor of a few ordered classes: at given limits, or at its terciles.
 *  A limit belongs to the class below it: cut at 15 and 55 gives "<= 15", "15 - 55" and "> 55". */
import type { Column, FactorColumn } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";

/** As many different numbers may stand for themselves. */
const MOST_OWN_LEVELS = 8;
const CLASSES = 3;

export function classify(cells: Column, name: string, cuts?: readonly number[]): FactorColumn {
  if (cells.kind === "factor") {
    if (cuts === undefined) return cells;
    throw new StatError("NotNumeric", `${name} is not numeric and cannot be cut.`, "Leave option `cut` out.");
  }
  const known = cells.values.filter((v) => !Number.isNaN(v)).sort();
  const different = known.filter((v, i) => i === 0 || v !== known[i - 1]);
  if (cuts === undefined && different.length <= MOST_OWN_LEVELS) return asLevels(cells.values, different);
  const limits = cuts === undefined ? terciles(known) : [...cuts].sort((a, b) => a - b);
  const labels = limits.map((limit, k) => (k === 0 ? `<= ${limit}` : `${limits[k - 1]} - ${limit}`));
  labels.push(`> ${limits.at(-1)}`);
  const codes = Int32Array.from(cells.values, (v) =>
    Number.isNaN(v) ? -1 : limits.filter((limit) => v > limit).length,
  );
  return { kind: "factor", levels: labels, codes, ordered: false };
}

function asLevels(values: Float64Array, different: Float64Array): FactorColumn {
  const place = new Map(Array.from(different, (v, k) => [v, k]));
  const codes = Int32Array.from(values, (v) => (Number.isNaN(v) ? -1 : place.get(v)!));
  return { kind: "factor", levels: Array.from(different, String), codes, ordered: false };
}

/** Limits between equally large classes; fewer where many values are equal. */
function terciles(sorted: Float64Array): number[] {
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  const limits = Array.from({ length: CLASSES - 1 }, (_, k) => at((k + 1) / CLASSES));
  return [...new Set(limits)].filter((limit) => limit < sorted.at(-1)!);
}
