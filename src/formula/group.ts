/** Grouping factors of random terms: the combinations of one or more factors that occur, in R's order for a:b
 *  (the first factor varies slowest), named "a1:b1". */
import { StatError } from "../result/error.ts";
import { codeOnto } from "./coding.ts";
import { toFactor } from "./evaluate/value.ts";
import type { Frame } from "./frame.ts";
import { printExpression } from "./parse/print.ts";
import type { RandomTerm } from "./term.ts";

export interface Group {
  readonly label: string;
  /** The factors, in order, and their levels. */
  readonly variables: readonly string[];
  readonly componentLevels: readonly (readonly string[])[];
  /** Combinations that occur, ascending, each as one number: codes in a mixed radix, the first factor highest. */
  readonly keys: Float64Array;
  readonly levels: readonly string[];
}

/** Up to this many possible combinations a plain table replaces the Map. */
const DENSE_KEYS = 1 << 22;

export function learnGroup(term: RandomTerm, frame: Frame, source: string): Group {
  const variables = term.grouping.map(printExpression);
  const factors = term.grouping.map((expression, i) => {
    const value = frame.values.get(variables[i]!)!;
    return toFactor(value, `the grouping factor ${variables[i]!}`, { source, at: expression.at });
  });
  const componentLevels = factors.map(({ levels }) => levels);
  const possible = componentLevels.reduce((product, levels) => product * levels.length, 1);
  if (possible > Number.MAX_SAFE_INTEGER) {
    throw new StatError(
      "TooManyGroups",
      `${term.groupLabel} has ${possible} possible combinations.`,
      "group by fewer columns.",
    );
  }
  const codes = factors.map(({ codes: all }) => all);
  const rowKeys = combineCodes(codes, componentLevels, frame.rowsUsed);
  const keys = possible <= DENSE_KEYS ? keysSeen(rowKeys, possible) : Float64Array.from(new Set(rowKeys)).sort();
  const levels = Array.from(keys, (key) => nameOf(key, componentLevels));
  return { label: term.groupLabel, variables, componentLevels, keys, levels };
}

/** The different keys, ascending. */
function keysSeen(keys: Float64Array, possible: number): Float64Array {
  const seen = new Uint8Array(possible + 1); // -1, of a missing value, comes first
  for (let i = 0; i < keys.length; i++) seen[keys[i]! + 1] = 1;
  let count = 0;
  for (let k = 0; k <= possible; k++) count += seen[k]!;
  const out = new Float64Array(count);
  for (let k = possible; k >= 0; k--) if (seen[k] === 1) out[--count] = k - 1;
  return out;
}

function combineCodes(
  codes: readonly Int32Array[],
  levels: readonly (readonly string[])[],
  rows: Int32Array,
): Float64Array {
  const keys = new Float64Array(rows.length);
  codes.forEach((factor, f) => {
    const radix = levels[f]!.length;
    // A level unknown to the schema makes the whole combination unknown.
    for (let i = 0; i < rows.length; i += 1) {
      const code = factor[rows[i]!]!;
      keys[i] = code >= radix || keys[i]! < 0 ? -1 : keys[i]! * radix + code;
    }
  });
  return keys;
}

function nameOf(key: number, levels: readonly (readonly string[])[]): string {
  const parts: string[] = [];
  let rest = key;
  for (let f = levels.length - 1; f >= 0; f -= 1) {
    const radix = levels[f]!.length;
    parts.unshift(levels[f]![rest % radix]!);
    rest = Math.floor(rest / radix);
  }
  return parts.join(":");
}

/** The group of each used row; -1 for a combination that the schema has not seen. */
export function indexGroup(group: Group, frame: Frame, source: string): Int32Array {
  const codes = group.variables.map((variable, f) => {
    const value = toFactor(frame.values.get(variable)!, `the grouping factor ${variable}`, { source, at: 0 });
    return codeOnto(value, group.componentLevels[f]!).codes;
  });
  const rowKeys = combineCodes(codes, group.componentLevels, frame.rowsUsed);
  const possible = group.componentLevels.reduce((product, levels) => product * levels.length, 1);
  const index = new Int32Array(rowKeys.length);
  if (possible <= DENSE_KEYS) {
    const place = new Int32Array(possible).fill(-1);
    group.keys.forEach((key, i) => {
      place[key] = i;
    });
    for (let i = 0; i < index.length; i += 1) index[i] = rowKeys[i]! < 0 ? -1 : place[rowKeys[i]!]!;
    return index;
  }
  const place = new Map(Array.from(group.keys, (key, i) => [key, i]));
  for (let i = 0; i < index.length; i += 1) index[i] = place.get(rowKeys[i]!) ?? -1;
  return index;
}
