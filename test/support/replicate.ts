/** The JSON of `gosset replicate`. */
export interface Row {
  readonly name: string;
  readonly published?: string;
  readonly r?: number | "NaN";
  readonly ours: number | "NaN";
  readonly agreesWithR?: boolean;
  readonly agreesWithPrint?: boolean;
  readonly note?: string;
}
export interface Answer {
  readonly agrees: boolean;
  readonly results: readonly { readonly id: string; readonly agrees: boolean; readonly rows: readonly Row[] }[];
}

export const rowsOf = ({ results }: Answer): readonly Row[] => results.flatMap(({ rows }) => rows);
/** Rows of a table that is printed otherwise than computed must say why. */
export const unexplained = (answer: Answer): string[] =>
  answer.results.flatMap(({ id, rows }) =>
    rows.filter((row) => row.agreesWithPrint === false && row.note === undefined).map(({ name }) => `${id}: ${name}`),
  );
