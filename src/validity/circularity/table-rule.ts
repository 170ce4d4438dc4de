/** Labels that are looked up: the same combination of a few features always has the same label.
 *
 *  For every set of up to three features of few values: the share of the rows whose label is the commonest among the *other* rows of
 *  the same combination. A row alone in its combination counts as not given, so that a table with a cell for each row gives none.
 *  Oracle:    planted tables, rules.test.ts.
 *  Limits:    features of more than thirty values are left to thresholds; combinations of four or more are not sought. */
import { beyondNext, type FoundRule, holdOut, type RuleFeature } from "./found-rule.ts";
import type { LabelScale } from "./label-scale.ts";

const MOST_VALUES = 30;
const MOST_FEATURES = 12;
const LARGEST_SET = 3;
/** Rows that a combination needs on average. */
const ROWS_PER_CELL = 4;
/** A further feature must give this share of the rows more. */
const GAIN = 0.01;

interface TableRequest {
  readonly features: readonly RuleFeature[];
  readonly scale: LabelScale;
}

export function findTableRule(
  label: string,
  y: Float64Array,
  { features, scale }: TableRequest,
): FoundRule | undefined {
  const coded = features.flatMap((feature) => codesOf(feature) ?? []).slice(0, MOST_FEATURES);
  let best: { set: Coded[]; share: number } | undefined;
  for (const set of setsOf(coded, LARGEST_SET)) {
    const share = leaveOneOut(y, set);
    if (best === undefined ? share > 0 : share > best.share + (set.length > best.set.length ? GAIN : 0))
      best = { set, share };
  }
  if (best === undefined) return undefined;
  const { set, share } = best;
  const cells = cellsOf(y, set);
  const told = Float64Array.from(y, (_, i) => commonest(cells.get(keyOf(set, i))!));
  const names = set.map(({ name }) => name);
  return {
    kind: "table",
    features: names,
    words: [
      `${label} is read from a table of ${names.join(" and ")} (${cells.size} ${set.length === 1 ? "values" : "combinations"} in these rows).`,
    ],
    share: told.reduce((sum, value, i) => sum + (value === y[i] ? 1 : 0), 0) / y.length,
    heldOutShare: share,
    heldOutD2: holdOut(y, scale, (from, to) => tell(y, set, { from, to })).heldOutD2,
    scatter: beyondNext(y, told, scale),
    scatterBy: "values",
  };
}

interface Coded {
  readonly name: string;
  readonly codes: Int32Array;
  readonly count: number;
}

function codesOf({ name, column }: RuleFeature): Coded | undefined {
  const values = column.kind === "numeric" ? column.values : column.codes;
  const places = new Map<number, number>();
  const codes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let code = places.get(values[i]!);
    if (code === undefined) {
      code = places.size;
      places.set(values[i]!, code);
      if (places.size > MOST_VALUES) return undefined;
    }
    codes[i] = code;
  }
  return { name, codes, count: places.size };
}

/** Small sets first. */
function setsOf(coded: readonly Coded[], largest: number): Coded[][] {
  const made: Coded[][] = [];
  let level: { set: Coded[]; last: number }[] = [{ set: [], last: -1 }];
  for (let size = 1; size <= largest; size++) {
    level = level.flatMap(({ set, last }) =>
      coded.slice(last + 1).map((one, k) => ({ set: [...set, one], last: last + 1 + k })),
    );
    made.push(...level.map(({ set }) => set));
  }
  return made;
}

const keyOf = (set: readonly Coded[], i: number): number =>
  set.reduce((key, { codes, count }) => key * count + codes[i]!, 0);

/** How often each label occurs in a combination. */
type Cell = Map<number, number>;

/** The smaller of two that are equally common. */
function commonest(cell: Cell): number {
  let [found, most] = [Number.NaN, 0];
  for (const [value, count] of cell) {
    if (count > most || (count === most && value < found)) [found, most] = [value, count];
  }
  return found;
}

function cellsOf(y: Float64Array, set: readonly Coded[], rows?: Int32Array): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  const visit = (i: number): void => {
    const key = keyOf(set, i);
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = new Map();
      cells.set(key, cell);
    }
    cell.set(y[i]!, (cell.get(y[i]!) ?? 0) + 1);
  };
  if (rows === undefined) for (let i = 0; i < y.length; i++) visit(i);
  else rows.forEach(visit);
  return cells;
}

function leaveOneOut(y: Float64Array, set: readonly Coded[]): number {
  const cells = cellsOf(y, set);
  if (cells.size * ROWS_PER_CELL > y.length) return 0;
  let given = 0;
  for (const cell of cells.values()) {
    const [first, second = 0] = [...cell.values()].sort((a, b) => b - a);
    // without itself a row of the commonest label must still find it in front
    if (first! - 1 > second) given += first!;
  }
  return given / y.length;
}

function tell(
  y: Float64Array,
  set: readonly Coded[],
  { from, to }: { readonly from: Int32Array; readonly to: Int32Array },
): Float64Array {
  const cells = cellsOf(y, set, from);
  return Float64Array.from(to, (i) => {
    const cell = cells.get(keyOf(set, i));
    return cell === undefined ? Number.NaN : commonest(cell);
  });
}
