/** Random permissible transformations of a column, after its scale.
 *    nominal   one-to-one substitution: the codes that occur are permuted, every permutation equally likely
 *    ordinal   strictly increasing map: the sorted values keep their order and range, the gaps between them become random
 *              shares (exponential draws)
 *    interval  a x + b, a log-uniform between 1/10 and 10, b normal with the range of the column as its sd
 *    ratio     a x
 *  Reference: Stevens (1946), Science 103; Riezler & Hagmann (2021), Definition 2.3.
 *  Oracle:    the defining property of each group, tested; uniformity of the permutations by a χ² test.
 *  Limits:    a column of text can only be nominal: its texts are permuted. */
import type { Column } from "../../data/table.ts";
import type { Rng } from "../../numeric/rng.ts";
import type { Scale } from "../../reliability/agreement/weights.ts";

/** Maps a column of training or of test rows; values that were not there when it was drawn stay as they are. */
export type Transformation = (cells: Column) => Column;

const LARGEST_FACTOR = 10;

/** `parts` are the training and the test rows of one column, which must be mapped alike. */
export function drawTransformation(parts: readonly Column[], scale: Scale, rng: Rng): Transformation {
  if (parts.some((part) => part.kind === "factor")) return permuteLevels(parts, rng);
  const values = distinctValues(parts);
  if (scale === "nominal") return mapValues(values, shuffled(values, rng));
  if (scale === "ordinal") return mapValues(values, respaced(values, rng));
  const factor = LARGEST_FACTOR ** (2 * rng.uniform() - 1);
  const range = values.length > 1 ? values[values.length - 1]! - values[0]! : 1;
  const shift = scale === "interval" ? rng.normal() * range : 0;
  return (cells) =>
    cells.kind === "numeric" ? { ...cells, values: cells.values.map((x) => factor * x + shift) } : cells;
}

function distinctValues(parts: readonly Column[]): Float64Array {
  const found = new Set<number>();
  for (const part of parts) if (part.kind === "numeric") for (const value of part.values) found.add(value);
  found.delete(Number.NaN);
  return Float64Array.from(found).sort();
}

function shuffled(values: Float64Array, rng: Rng): Float64Array {
  const target = values.slice();
  rng.shuffleInto(target);
  return target;
}

function respaced(values: Float64Array, rng: Rng): Float64Array {
  const n = values.length;
  if (n < 3) return values.slice();
  const steps = Float64Array.from({ length: n - 1 }, () => rng.exponential());
  const total = steps.reduce((sum, step) => sum + step, 0);
  const [low, high] = [values[0]!, values[n - 1]!];
  const target = values.slice();
  let reached = 0;
  for (let i = 1; i < n - 1; i++) {
    reached += steps[i - 1]!;
    target[i] = low + (high - low) * (reached / total);
    // a gap below the spacing of doubles would merge two values
    if (!(target[i]! > target[i - 1]!)) target[i] = nextUp(target[i - 1]!);
  }
  return target;
}

/** A number just above, far enough to survive arithmetic with the column's other values. */
const nextUp = (value: number): number => value + Math.max(Math.abs(value), Number.MIN_VALUE) * 2 ** -50;

function mapValues(from: Float64Array, to: Float64Array): Transformation {
  const map = new Map<number, number>();
  for (let i = 0; i < from.length; i++) map.set(from[i]!, to[i]!);
  return (cells) => (cells.kind === "numeric" ? { ...cells, values: cells.values.map((x) => map.get(x) ?? x) } : cells);
}

function permuteLevels(parts: readonly Column[], rng: Rng): Transformation {
  const levels = [...new Set(parts.flatMap((part) => (part.kind === "factor" ? part.levels : [])))].sort();
  const order = Int32Array.from(levels, (_, i) => i);
  rng.shuffleInto(order);
  const map = new Map(levels.map((level, i) => [level, levels[order[i]!]!]));
  return (cells) =>
    cells.kind === "factor" ? { ...cells, levels: cells.levels.map((level) => map.get(level) ?? level) } : cells;
}
