/** Columns from cells whose type is not known in advance, as importers of JSON-like records meet them.
 *  All numbers → numeric; all booleans → factor "false", "true"; anything else → factor, a number as its shortest text.
 *  Names live in Maps, so that "__proto__" or "constructor" is a name like any other. */
import { orderLevels } from "../data/levels.ts";
import { type Column, makeTable, type Table } from "../data/table.ts";
import { ImportBudget, refuseLongName, refuseLongText } from "./budget.ts";

/** null, undefined and NaN are missing. */
export type Cell = number | string | boolean | null | undefined;

const FIRST_CAPACITY = 64;

/** Numbers are kept as numbers until the first text or boolean arrives; from then on cells are codes into a dictionary. */
export class ColumnBuilder {
  #rows = 0;
  #values: Float64Array | undefined = new Float64Array(FIRST_CAPACITY);
  #codes = new Int32Array(0);
  #dictionary = new Map<string, number>();
  #onlyBooleans = true;
  readonly #budget: ImportBudget;
  readonly #file: string;

  /** `file` is its name, for messages. Cells that come from memory hold their texts already: without a budget these are not limited. */
  constructor(budget: ImportBudget = new ImportBudget({ limits: { texts: Number.POSITIVE_INFINITY } }), file = "") {
    this.#budget = budget;
    this.#file = file;
  }

  get rows(): number {
    return this.#rows;
  }

  add(cell: Cell): void {
    const missing = cell === null || cell === undefined || Number.isNaN(cell);
    if (typeof cell === "boolean" || typeof cell === "string") this.#turnToText();
    if (!missing && typeof cell !== "boolean") this.#onlyBooleans = false;
    this.#grow();
    const row = this.#rows++;
    if (this.#values !== undefined) this.#values[row] = missing ? Number.NaN : (cell as number);
    else this.#codes[row] = missing ? -1 : this.#code(String(cell));
  }

  /** Missing cells until the column has this many rows. */
  padTo(rows: number): void {
    while (this.#rows < rows) this.add(null);
  }

  finish(): Column {
    if (this.#values !== undefined) return { kind: "numeric", values: this.#values.slice(0, this.#rows) };
    const found = [...this.#dictionary.keys()];
    // A boolean column has both levels even if only one occurs: "all correct" is still a share of correct answers.
    const both = this.#onlyBooleans ? ["false", "true"] : undefined;
    const order = orderLevels(found);
    const levels = both ?? Array.from(order, (k) => found[k]!);
    const place = new Int32Array(found.length);
    order.forEach((from, to) => {
      place[from] = both === undefined ? to : both.indexOf(found[from]!);
    });
    const codes = this.#codes.slice(0, this.#rows);
    for (let i = 0; i < codes.length; i += 1) if (codes[i]! >= 0) codes[i] = place[codes[i]!]!;
    return { kind: "factor", codes, levels, ordered: false };
  }

  #turnToText(): void {
    const values = this.#values;
    if (values === undefined) return;
    this.#values = undefined;
    this.#codes = new Int32Array(values.length);
    for (let i = 0; i < this.#rows; i += 1)
      this.#codes[i] = Number.isNaN(values[i]!) ? -1 : this.#code(String(values[i]!));
  }

  #code(text: string): number {
    let code = this.#dictionary.get(text);
    if (code === undefined) {
      refuseLongText(text.length, this.#file);
      this.#budget.takeText(this.#file);
      code = this.#dictionary.size;
      this.#dictionary.set(text, code);
    }
    return code;
  }

  #grow(): void {
    if (this.#values !== undefined && this.#rows === this.#values.length) {
      const grown = new Float64Array(2 * this.#rows);
      grown.set(this.#values);
      this.#values = grown;
    } else if (this.#values === undefined && this.#rows === this.#codes.length) {
      const grown = new Int32Array(2 * this.#rows);
      grown.set(this.#codes);
      this.#codes = grown;
    }
  }
}

/** Rows of named cells; a row may lack columns (missing there) or bring new ones. Columns stand in order of first appearance. */
export class TableBuilder {
  #rows = 0;
  #columns = new Map<string, ColumnBuilder>();
  readonly #budget: ImportBudget;
  readonly #name: string;

  /** `name` is the file's, for messages. */
  constructor(budget: ImportBudget = new ImportBudget({ limits: { texts: Number.POSITIVE_INFINITY } }), name = "") {
    this.#budget = budget;
    this.#name = name;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Refuses a table of this size before its rows are made. */
  expect(rows: number, columns: number): void {
    this.#budget.checkTable(rows, columns, this.#name);
  }

  /** One row. If a name comes twice in one record the last cell counts, as in JSON. */
  add(record: Iterable<readonly [string, Cell]>): void {
    const row = record instanceof Map ? record : new Map(record);
    for (const [name, cell] of row) {
      let builder = this.#columns.get(name);
      if (builder === undefined) {
        refuseLongName(name, this.#name);
        this.#budget.checkTable(this.#rows + 1, this.#columns.size + 1, this.#name);
        builder = new ColumnBuilder(this.#budget, this.#name);
        this.#columns.set(name, builder);
      }
      builder.padTo(this.#rows);
      builder.add(cell);
    }
    this.#rows += 1;
    this.#budget.checkTable(this.#rows, this.#columns.size, this.#name);
  }

  /** One row from a plain object; only its own enumerable properties count. */
  addRow(record: Readonly<Record<string, Cell>>): void {
    this.add(Object.entries(record));
  }

  finish(): Table {
    const entries = [...this.#columns].map(([name, builder]) => {
      builder.padTo(this.#rows);
      return [name, builder.finish()] as const;
    });
    return makeTable(entries, this.#rows);
  }
}
