/** Columns that look like another version of the label: predictions of models, labels of another round. They explain the label as
 *  well as a circular feature does and are none.
 *
 *  Nothing but names and values can tell, so the rule is narrow: such a column lies on the label's scale, and either takes
 *  the label's values while its name shares a word with another column that does, or shares a word with such a column and follows it
 *  closely. What is left out is said, and naming a feature overrides it. */
import type { Column, Table } from "../../data/table.ts";
import { correlate } from "../../significance/tests/correlation.ts";

/** Above this many values a scale is not one of marks or classes. */
const MOST_VALUES = 20;
/** A second version of a label follows the first; an honest feature that shares a word of its name rarely does so closely. */
const CLOSE = 0.5;
/** How far, in ranges of the label, a real-valued version of it may go beyond its ends. */
const OVERSHOOT = 0.5;
const GENERIC = new Set(["target", "label", "labels", "gold", "y", "class", "outcome", "truth", "true"]);

export function findLabelVersions(table: Table, declared: readonly string[]): string[] {
  const values = new Map<string, Float64Array>();
  for (const [name, column] of table.columns) if (column.kind === "numeric") values.set(name, column.values);
  const labels = declared.filter((name) => values.has(name));
  if (labels.length === 0) return [];
  const scales = new Map([...values].map(([name, own]) => [name, scaleOf(own)]));
  const found = new Set<string>();
  const known = (): string[] => [...labels, ...found];
  const isVersion = (name: string): boolean => {
    const own = scales.get(name)!;
    const words = wordsOf(name);
    return known().some((other) => {
      const theirs = scales.get(other)!;
      const shared = wordsOf(other).some((word) => words.includes(word));
      if (sharesValues(own, theirs)) {
        return shared || words.some((word) => GENERIC.has(word)) || hasSibling(name, known(), scales);
      }
      const sure = theirs.values !== undefined || labels.includes(other);
      if (!shared || !sure || !liesWithin(own, theirs)) return false;
      return correlate(...paired(values.get(name)!, values.get(other)!)) > CLOSE;
    });
  };
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const name of values.keys()) {
      if (!declared.includes(name) && !found.has(name) && isVersion(name)) found.add(name);
    }
  }
  return [...found].filter((name) => !labels.some((label) => sameColumn(table.columns.get(name)!, values.get(label)!)));
}

interface Scale {
  readonly min: number;
  readonly max: number;
  /** The values, where they are few but not two. */
  readonly values: ReadonlySet<number> | undefined;
}

function scaleOf(values: Float64Array): Scale {
  const distinct = new Set<number>();
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (distinct.size <= MOST_VALUES) distinct.add(value);
  }
  const few = distinct.size > 2 && distinct.size <= MOST_VALUES;
  return { min, max, values: few ? distinct : undefined };
}

/** One scale of marks within the other: a model need not predict every class. */
function sharesValues({ values: a }: Scale, { values: b }: Scale): boolean {
  if (a === undefined || b === undefined) return false;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  return [...small].every((value) => large.has(value));
}

/** Another column with the same values and a shared word, the mark of a family of predictions. */
function hasSibling(name: string, known: readonly string[], scales: ReadonlyMap<string, Scale>): boolean {
  const own = scales.get(name)!;
  const words = wordsOf(name);
  return [...scales].some(
    ([other, scale]) =>
      other !== name &&
      !known.includes(other) &&
      sharesValues(scale, own) &&
      wordsOf(other).some((word) => words.includes(word)),
  );
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

function liesWithin(own: Scale, label: Scale): boolean {
  const room = OVERSHOOT * (label.max - label.min);
  return own.min >= label.min - room && own.max <= label.max + room;
}

function paired(x: Float64Array, y: Float64Array): [Float64Array, Float64Array] {
  const both = Int32Array.from(x.keys()).filter((i) => !Number.isNaN(x[i]!) && !Number.isNaN(y[i]!));
  return [Float64Array.from(both, (i) => x[i]!), Float64Array.from(both, (i) => y[i]!)];
}

/** A copy of the label is no version of it: it is the plainest case of circularity and stays in. */
function sameColumn(column: Column, label: Float64Array): boolean {
  return column.kind === "numeric" && column.values.every((value, i) => Object.is(value, label[i]));
}
