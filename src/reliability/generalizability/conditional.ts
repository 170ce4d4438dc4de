/** The same analysis within each class of a data property (length, domain, difficulty): where is the score unreliable?
 *
 *  A property with few values keeps them; a numeric one with many is cut into three parts of equal numbers of rows. */
import { asFactor, column, isMissing, selectRows, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { ReliabilityResult, VarianceShare } from "./generalizability.ts";

export interface ConditionalReliability {
  readonly level: string;
  readonly nobs: number;
  readonly phi: ReliabilityResult["phi"];
  readonly relative: ReliabilityResult["relative"];
  readonly verdict: string;
  readonly components: readonly VarianceShare[];
  /** Why the class could not be analysed. */
  readonly problem?: string;
}

/** Classes of a property at most. */
const MOST_CLASSES = 12;
/** A numeric property with more values than this is cut. */
const MOST_VALUES = 6;

export function conditionalTables(
  table: Table,
  by: string,
  analyse: (part: Table, i: number) => ReliabilityResult,
): ConditionalReliability[] {
  return propertyClasses(table, by).map(({ level, rows }, i) => {
    try {
      const { nobs, phi, relative, verdict, components } = analyse(selectRows(table, rows), i);
      return { level, nobs, phi, relative, verdict, components };
    } catch (error) {
      if (!(error instanceof StatError)) throw error;
      const none = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };
      return {
        level,
        nobs: rows.length,
        phi: none,
        relative: none,
        verdict: "undefined",
        components: [],
        problem: error.message,
      };
    }
  });
}

export function propertyClasses(table: Table, by: string): { level: string; rows: Int32Array }[] {
  const cells = column(table, by);
  const present: number[] = [];
  for (let i = 0; i < table.rows; i++) if (!isMissing(cells, i)) present.push(i);
  if (cells.kind === "numeric" && new Set(cells.values.filter((value) => !Number.isNaN(value))).size > MOST_VALUES) {
    return cutInThree(cells.values, present);
  }
  const { codes, levels } = asFactor(cells);
  const classes = levels
    .map((level, l) => ({ level, rows: Int32Array.from(present.filter((i) => codes[i] === l)) }))
    .filter(({ rows }) => rows.length > 0);
  if (classes.length < 2 || classes.length > MOST_CLASSES) {
    throw new StatError(
      "BadProperty",
      `the property ${by} has ${classes.length} classes.`,
      `Name a property with 2 to ${MOST_CLASSES} classes, or a numeric one, which is cut into three.`,
    );
  }
  return classes;
}

function cutInThree(values: Float64Array, present: readonly number[]): { level: string; rows: Int32Array }[] {
  const sorted = Float64Array.from(present, (i) => values[i]!).sort();
  const cut = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  const [low, high] = [cut(1 / 3), cut(2 / 3)];
  const parts = [
    { level: `≤ ${formatNumber(low)}`, test: (v: number) => v <= low },
    { level: `${formatNumber(low)} – ${formatNumber(high)}`, test: (v: number) => v > low && v <= high },
    { level: `> ${formatNumber(high)}`, test: (v: number) => v > high },
  ];
  return parts
    .map(({ level, test }) => ({ level, rows: Int32Array.from(present.filter((i) => test(values[i]!))) }))
    .filter(({ rows }) => rows.length > 0);
}
