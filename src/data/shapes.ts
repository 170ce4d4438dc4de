/** The shapes of tables that an option names, each once: what the option takes and means, and the sentence that reports it. Types, flags,
 *  readings, names of columns and sentences are made of these lines. A new shape is a line here, its file in `study/reshape`, and its place in
 *  the lists of `reshape.ts` there. */
import { listNames } from "../result/quote.ts";

export interface ShapeApplied {
  readonly columns: readonly string[];
  readonly into: readonly string[];
}

interface ShapeSpec {
  readonly takes: "list" | "text" | "choice";
  readonly choices?: readonly string[];
  /** What help calls the value. */
  readonly value: string;
  readonly help: string;
  /** Kinds of data that have no use for it, where they are not the usual ones. */
  readonly not?: readonly string[];
  /** Its values are no names of columns. */
  readonly others?: true;
  /** The sentence of `Done` of this name; some shapes have several of their own in study/tell.ts. */
  readonly told?: (done: ShapeApplied) => string;
}

export const SHAPES = {
  /** Columns of a wide table, one for each rater. */
  raters: {
    takes: "list",
    value: "a,b,c",
    help: "one column of scores or labels for each rater",
    not: ["texts", "labels"],
    told: ({ columns, into: [rater] }) =>
      `${listNames(columns)}: one column for each rater; each became a row, and column ${rater} says which.`,
  },
  /** One for each item, where each row is a system. */
  items: {
    takes: "list",
    value: "a,b,c",
    help: "one row for each system, one column for each item",
    told: ({ columns, into: [item] }) =>
      `${listNames(columns)}: one column for each item; each became a row, and column ${item} says which.`,
  },
  /** Columns that count the raters who chose each label. */
  counts: {
    takes: "list",
    value: "a,b,c",
    help: "columns that count the raters who chose each label",
    told: ({ columns, into: [rater, label] }) =>
      `${listNames(columns)} count the raters who chose each label: each choice became a row (column ${label}), and column ${rater} numbers the raters of an item.`,
  },
  /** Columns of ranks, one for each system, or of the systems at each rank; one column where each row is a system. */
  ranks: {
    takes: "list",
    value: "a,b,c",
    help: "columns of ranks, 1 the best: one for each system, or the system at each rank",
    told: ({ columns, into: [, rank] }) =>
      `${listNames(columns)} hold the ranks of the systems (column ${rank}): 1 is the best.`,
  },
  /** Which of those shown was the best, and the worst. */
  best: { takes: "text", value: "col", help: "best-worst scaling: the column of the best (with --worst)" },
  worst: { takes: "text", value: "col", help: "best-worst scaling: the column of the worst" },
  /** Names that go on with the same numbers: sys and quality of sys1, quality1, sys2, quality2. */
  stubs: {
    takes: "list",
    value: "a,b",
    help: "columns with the same numbers belong together: sys,quality of sys1, quality1, sys2, quality2",
    others: true,
    told: ({ columns, into: [place, ...stacked] }) =>
      `${listNames(columns)}: each number became a row (columns ${listNames(stacked)}), and column ${place} says which.`,
  },
  /** Columns of which one is 1 in every row: it is the system. */
  oneHot: {
    takes: "list",
    value: "a,b,c",
    help: "columns of 0 and 1: the one that is 1 is the system",
    told: ({ columns, into: [system] }) =>
      `One of ${listNames(columns)} is 1 in every row: it is the system (column ${system}).`,
  },
  /** What the elements of lists in cells are. */
  lists: {
    takes: "choice",
    choices: ["systems", "raters", "runs", "items"],
    value: "what",
    help: "what the elements of lists in cells are",
    others: true,
    told: ({ columns, into: [rater] }) =>
      `${listNames(columns)}: each cell lists the judgments of raters whom the file does not name; each became a row. Column ${rater} is the place in the list, which need not be the same person in every row.`,
  },
} as const satisfies Readonly<Record<string, ShapeSpec>>;

type Shapes = typeof SHAPES;
export type ShapeName = keyof Shapes;

type ValueOf<S> = S extends { readonly choices: readonly (infer C)[] }
  ? C
  : S extends { readonly takes: "list" }
    ? readonly string[]
    : string;

/** What was done that its shape has a sentence for. */
export type ShapeDone = { [K in ShapeName]: Shapes[K] extends { readonly told: unknown } ? K : never }[ShapeName];

type Named = { readonly [K in ShapeName]?: ValueOf<Shapes[K]> | undefined };

/** The shape of a table that is not long, as the user says it. */
export interface ShapeOptions extends Named {
  /** Columns of a wide table, one for each system. */
  readonly systems?: readonly string[] | undefined;
}

const NAMES = Object.keys(SHAPES) as ShapeName[];
export const SHAPE_OPTIONS: readonly (keyof ShapeOptions)[] = ["systems", ...NAMES];

const specOf = (name: ShapeName): ShapeSpec => SHAPES[name];

/** Those whose values are names of columns. */
export const COLUMN_SHAPES: readonly (keyof ShapeOptions)[] = [
  "systems",
  ...NAMES.filter((name) => specOf(name).others !== true),
];

export const SHAPE_SENTENCES = Object.fromEntries(
  NAMES.flatMap((name) => {
    const { told } = specOf(name);
    return told === undefined ? [] : [[name, told]];
  }),
) as Readonly<Record<ShapeDone, (done: ShapeApplied) => string>>;
