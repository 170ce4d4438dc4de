/** Labels that raters gave to items, as agreement needs them: one list of (rater, category) per item, missing cells left out.
 *
 *  An item is one combination of the item columns. A rater counts once per item: a second label of the same rater for the
 *  same item says nothing on agreement between raters, so that the first is kept and the others are counted; labels of several criteria are
 *  asked about.
 *  Limits: categories are compared as they are written; a numeric label column has its distinct numbers as categories. */
import { groupKeys } from "../../data/keys.ts";
import { parseDecimal } from "../../data/levels.ts";
import { asFactor, column, dropUnusedLevels, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { METRIC_NAMES } from "../../study/lexicon/names.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import { Question } from "../../study/tell.ts";

export interface RatingColumns {
  /** One or more columns that together name what was rated. */
  readonly item: string | readonly string[];
  readonly rater: string;
  readonly label: string;
  /** Items that belong together (documents) and are resampled as a whole. */
  readonly cluster?: string | undefined;
  /** All categories, in order; default: those that occur, numbers as numbers. */
  readonly categories?: readonly string[] | undefined;
}

export interface Ratings {
  readonly items: number;
  readonly raters: readonly string[];
  readonly categories: readonly string[];
  /** The categories as numbers; NaN where a category is none. */
  readonly values: Float64Array;
  readonly ordered: boolean;
  /** The ratings of item u stand at start[u] … start[u + 1] - 1. */
  readonly start: Int32Array;
  readonly rater: Int32Array;
  readonly code: Int32Array;
  /** Cluster of each item, where there are clusters. */
  readonly cluster?: Int32Array;
  readonly diagnostics: readonly Diagnostic[];
}

const LISTED = 5;
const listed = (names: readonly string[]): string =>
  names.length > LISTED ? `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more` : names.join(", ");

export function collectRatings(table: Table, columns: RatingColumns): Ratings {
  const names = typeof columns.item === "string" ? [columns.item] : columns.item;
  const labels = labelFactor(table, columns);
  const raterFactor = asFactor(column(table, columns.rater));
  const keys = names.map((name) => column(table, name));
  const groups = groupKeys(keys, table.rows);
  const named = itemsNamed(keys, groups.first);
  const clusterOf = columns.cluster === undefined ? undefined : asFactor(column(table, columns.cluster)).codes;
  const usable = (row: number): boolean =>
    labels.codes[row]! >= 0 && raterFactor.codes[row]! >= 0 && named[groups.group[row]!] === 1;
  const packed = pack(table.rows, groups, { usable, raters: raterFactor.codes, labels: labels.codes });
  const heard = new Set(packed.rater);
  const silent = raterFactor.levels.filter((_, r) => !heard.has(r));
  const kept = raterFactor.levels.flatMap((_, r) => (heard.has(r) ? [r] : []));
  const place = new Int32Array(raterFactor.levels.length).fill(-1);
  kept.forEach((r, at) => {
    place[r] = at;
  });
  refuseCriteria(table, packed.contradicted, { names, rater: columns.rater, label: columns.label });
  refuseTooFew(packed, kept.length, { ...columns, item: names.join(", ") }, raterFactor.levels[kept[0] ?? -1]);
  return {
    items: packed.items,
    raters: kept.map((r) => raterFactor.levels[r]!),
    categories: labels.levels,
    values: Float64Array.from(labels.levels, parseDecimal),
    ordered: labels.ordered,
    start: packed.start,
    rater: packed.rater.map((r) => place[r]!),
    code: packed.code,
    ...(clusterOf === undefined ? {} : { cluster: packed.first.map((row) => clusterOf[row]!) }),
    diagnostics: ratingNotes({
      silent,
      repeats: packed.repeats,
      unused: table.rows - packed.used,
      rater: columns.rater,
    }),
  };
}

function labelFactor(table: Table, { label, categories }: RatingColumns) {
  const cells = column(table, label);
  if (categories !== undefined) return asFactor(cells, { levels: categories, ordered: true });
  return dropUnusedLevels(asFactor(cells));
}

/** Items whose name is missing are none. */
function itemsNamed(keys: readonly ReturnType<typeof column>[], first: Int32Array): Uint8Array {
  return Uint8Array.from(first, (row) =>
    keys.every((cells) => (cells.kind === "numeric" ? !Number.isNaN(cells.values[row]!) : cells.codes[row]! >= 0))
      ? 1
      : 0,
  );
}

interface Cells {
  usable(row: number): boolean;
  readonly raters: Int32Array;
  readonly labels: Int32Array;
}

interface Packed {
  readonly items: number;
  readonly start: Int32Array;
  readonly rater: Int32Array;
  readonly code: Int32Array;
  /** First row of each item. */
  readonly first: Int32Array;
  readonly repeats: number;
  /** Repeats with another label than the first. */
  readonly contradicted: number;
  readonly used: number;
}

/** Labels of several criteria are not repeats of one another: where a column by the name of a criterion tells them apart, it is part of the
 *  item or one of its levels is chosen, and that is for the caller to say. */
function refuseCriteria(table: Table, count: number, { names, rater, label }: AskedColumns): void {
  if (count === 0) return;
  const criterion = [...table.columns].find(
    ([name, cells]) =>
      ![...names, rater, label].includes(name) &&
      METRIC_NAMES.includes(splitWords(name).join("_")) &&
      groupKeys([cells], table.rows).count > 1,
  )?.[0];
  if (criterion === undefined) return;
  throw new Question({
    id: "repeats",
    columns: [criterion],
    key: [...names, rater],
    rows: count,
    answers: [{ item: [...names, criterion].join(",") }],
  });
}

interface AskedColumns {
  readonly names: readonly string[];
  readonly rater: string;
  readonly label: string;
}

/** Ratings item by item, in order of first appearance; repeats of a rater on an item are counted and left out. */
function pack(rows: number, { group, count, first }: ReturnType<typeof groupKeys>, cells: Cells): Packed {
  const sizes = new Int32Array(count);
  for (let i = 0; i < rows; i++) if (cells.usable(i)) sizes[group[i]!]! += 1;
  const begin = new Int32Array(count + 1);
  for (let g = 0; g < count; g++) begin[g + 1] = begin[g]! + sizes[g]!;
  const order = new Int32Array(begin[count]!);
  const filled = begin.slice();
  for (let i = 0; i < rows; i++) if (cells.usable(i)) order[filled[group[i]!]!++] = i;
  const raters = cells.raters.reduce((most, code) => Math.max(most, code), -1) + 1;
  const seen = new Int32Array(raters).fill(-1);
  const said = new Int32Array(raters);
  let contradicted = 0;
  const start: number[] = [0];
  const firsts: number[] = [];
  const [rater, code] = [new Int32Array(order.length), new Int32Array(order.length)];
  let n = 0;
  for (let g = 0; g < count; g++) {
    for (let k = begin[g]!; k < begin[g + 1]!; k++) {
      const row = order[k]!;
      if (seen[cells.raters[row]!] === g) {
        if (said[cells.raters[row]!] !== cells.labels[row]) contradicted += 1;
        continue;
      }
      seen[cells.raters[row]!] = g;
      said[cells.raters[row]!] = cells.labels[row]!;
      rater[n] = cells.raters[row]!;
      code[n++] = cells.labels[row]!;
    }
    if (n === start[start.length - 1]) continue;
    start.push(n);
    firsts.push(first[g]!);
  }
  return {
    items: firsts.length,
    start: Int32Array.from(start),
    rater: rater.slice(0, n),
    code: code.slice(0, n),
    first: Int32Array.from(firsts),
    repeats: order.length - n,
    contradicted,
    used: order.length,
  };
}

function refuseTooFew(
  { items, start }: Packed,
  raters: number,
  { item, rater, label }: { item: string; rater: string; label: string },
  only: string | undefined,
): void {
  if (items === 0) {
    throw new StatError(
      "NoRatings",
      `no row has an item (${item}), a rater (${rater}) and a label (${label}).`,
      "Check the names of the columns and the missing values.",
    );
  }
  if (raters < 2) {
    throw new StatError(
      "OneRater",
      `all labels come from one rater (${rater} = ${only}): agreement is between raters.`,
      "Let a second rater label some of the items, or name the right `rater` column.",
    );
  }
  const shared = countShared(start);
  if (shared === 0) {
    throw new StatError(
      "NoSharedItems",
      `none of the ${items} items was labelled by two raters.`,
      "Agreement needs items with at least two labels: check which columns name the item.",
    );
  }
  if (shared < 2) {
    throw new StatError(
      "OneItem",
      "only one item was labelled by two or more raters: one item cannot show agreement beyond chance.",
      "Label more items twice.",
    );
  }
}

function countShared(start: Int32Array): number {
  let shared = 0;
  for (let u = 0; u + 1 < start.length; u++) if (start[u + 1]! - start[u]! > 1) shared++;
  return shared;
}

function ratingNotes(found: {
  silent: readonly string[];
  repeats: number;
  unused: number;
  rater: string;
}): Diagnostic[] {
  const out: Diagnostic[] = [];
  if (found.silent.length > 0) {
    const one = found.silent.length === 1;
    out.push(
      warning(
        "SilentRater",
        `${one ? "a rater" : `${found.silent.length} raters`} gave no label and ${one ? "takes" : "take"} no part (${listed(found.silent)}).`,
        "Check whether the labels are lost.",
      ),
    );
  }
  if (found.repeats > 0) {
    out.push(
      warning(
        "RepeatedRatings",
        `${found.repeats} labels repeat a rater on an item; the first is kept.`,
        "Name all columns that make an item, such as item,system; for repeats of one rater use reliability.",
      ),
    );
  }
  if (found.unused > 0) {
    out.push(note("MissingCells", `${found.unused} rows lack an item, rater or label and are left out.`, ""));
  }
  return out;
}
