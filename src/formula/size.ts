/** How large a model matrix may be, asked before it is allocated: a formula of twenty letters can ask for more columns
 *  than any machine has room for, and a factor with a level per row needs levels² numbers for its coding alone. */
import { StatError } from "../result/error.ts";

/** The coding of a factor is a matrix of its levels; what has more of them is a random effect. */
export const MOST_COLUMNS = 2000;
/** Rows times columns: 512 MB. */
const MOST_CELLS = 2 ** 26;
/** A decomposition takes rows times squared columns, and an inverse the columns' cube: ten seconds together. */
const MOST_WORK = 1e10;

/** Columns that fit into memory and time. */
function mostColumns(rows: number): number {
  let most = Math.min(MOST_COLUMNS, Math.floor(MOST_CELLS / Math.max(1, rows)));
  while ((rows + most) * most ** 2 > MOST_WORK) most -= 1;
  return most;
}

/** `what` is the term or the model; `fix` says what to write instead. Without rows (0) only the columns count. */
export function refuseColumns(what: string, columns: number, rows: number, fix: string): void {
  const most = mostColumns(rows);
  if (columns <= most) return;
  throw new StatError(
    "TooManyColumns",
    `${what} has ${columns} columns${rows === 0 ? "" : ` on ${rows} rows`}; there is room for ${most}.`,
    fix,
  );
}

/** Variances and covariances of random terms: each is a dimension of the search, and a step of it costs more with their square. */
const MOST_VARIANCES = 200;

/** `columns` of each random term, asked before the next one is built. */
export function refuseVariances(terms: readonly { readonly columns: number; readonly correlated: boolean }[]): void {
  const of = ({ columns, correlated }: (typeof terms)[number]): number =>
    correlated ? (columns * (columns + 1)) / 2 : columns;
  const variances = terms.reduce((sum, term) => sum + of(term), 0);
  if (variances <= MOST_VARIANCES) return;
  throw new StatError(
    "TooManyVariances",
    `the first ${terms.length} random terms have ${variances} variances and covariances; there is room for ${MOST_VARIANCES}.`,
    "Keep the terms that matter, and write (x || group) where slopes need not be correlated.",
  );
}

/** What to write instead of a factor, or of factors together, with very many levels. */
export function asRandomEffect(labels: readonly string[]): string {
  return `Write (1 | ${labels.join(":")}) to make it a random effect, or merge levels.`;
}
