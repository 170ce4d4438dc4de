/** Small sheets of ratings, and their agreement without a bootstrap. */
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { type AgreementResult, measureAgreement } from "../../src/reliability/agreement/agreement.ts";

export type Cell = number | string | null;

/** Rows are raters, columns items. */
export function longTable(ratings: readonly (readonly Cell[])[]): Table {
  const cells = ratings.flatMap((row, r) => row.map((label, i) => ({ item: `i${i}`, rater: `r${r}`, label })));
  const numeric = cells.every(({ label }) => label === null || typeof label === "number");
  return makeTable([
    ["item", factorColumn(cells.map(({ item }) => item))],
    ["rater", factorColumn(cells.map(({ rater }) => rater))],
    [
      "label",
      numeric
        ? numericColumn(cells.map(({ label }) => label as number | null))
        : factorColumn(cells.map(({ label }) => (label === null ? null : String(label)))),
    ],
  ]);
}

export const COLUMNS = { item: "item", rater: "rater", label: "label" } as const;
export const measure = (ratings: readonly (readonly Cell[])[], more: object = {}): AgreementResult =>
  measureAgreement(longTable(ratings), { ...COLUMNS, replicates: 0, ...more });

/** Rows of counts per category → ratings of as many raters. */
export function fromCounts(counts: readonly (readonly number[])[]): string[][] {
  const rows = counts.map((row) => row.flatMap((n, c) => Array.from({ length: n }, () => `c${c}`)));
  return rows[0]!.map((_, r) => rows.map((row) => row[r]!));
}
