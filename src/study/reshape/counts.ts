/** How many raters chose each label, one column a label → one row for each choice, of raters whom the file does not name. */
import type { Roles, Told } from "../../data/imported.ts";
import { factorColumn, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { plainName } from "../lexicon/words.ts";
import { freshName, hint, type Reshape, type Reshaped, repeatRows, requireNumbers, rowsOf } from "./reshaped.ts";
import { freeNumbers } from "./stacked-columns.ts";

const TOTALS = new Set("count n total raters annotators num_annotators n_annotators n_raters votes".split(" "));
const MOST_RATERS = 1000;
const MOST_ROWS = 5_000_000;

export const counts: Reshape = {
  id: "counts",
  /** Neighboring columns of whole numbers that add up to the column of totals. */
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.rater !== undefined) return undefined;
    const whole = freeNumbers(table, roles).flatMap(({ name, column, min, values: kind }) =>
      column.kind === "numeric" && kind !== "real" && min >= 0 ? [{ name, values: column.values }] : [],
    );
    const total = [...table.columns].find(([name, { kind }]) => kind === "numeric" && TOTALS.has(plainName(name)));
    const sums = total?.[1].kind === "numeric" ? total[1].values : undefined;
    if (sums === undefined) return undefined;
    const labels = whole.filter(({ name }) => name !== total![0]);
    for (let from = 0; from < labels.length - 1; from += 1) {
      const left = Float64Array.from(sums);
      for (let to = from; to < labels.length; to += 1) {
        labels[to]!.values.forEach((value, row) => {
          left[row]! -= value;
        });
        if (to > from && left.every((rest) => rest === 0))
          return { counts: labels.slice(from, to + 1).map(({ name }) => name) };
      }
    }
    return undefined;
  },
  apply(table: Table, { counts: names = [] }: Told): Reshaped {
    const numbers = requireNumbers(table, "counts", names);
    const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MOST_RATERS;
    const odd = numbers.flatMap((values) => [...values]).find((value) => !Number.isNaN(value) && !isCount(value));
    if (odd !== undefined)
      throw new StatError("BadOption", `option \`counts\`: ${odd} is no number of raters.`, "Name columns of counts.");
    const chosen = rowsOf(table).map((row) =>
      names.flatMap((name, k) => new Array<string>(numbers[k]![row] || 0).fill(name)),
    );
    const source = Int32Array.from(chosen.flatMap((list, row) => list.map(() => row)));
    if (source.length > MOST_ROWS)
      throw new StatError("TooManyRows", `option \`counts\`: ${source.length} choices.`, "Sample the items.");
    const [rater, label] = [freshName(table, "rater"), freshName(table, "label")];
    const who = factorColumn(chosen.flatMap((list) => list.map((_, i) => String(i + 1))));
    return {
      table: repeatRows(table, source, {
        added: [
          [rater, who],
          [label, factorColumn(chosen.flat())],
        ],
        drop: names,
      }),
      done: [{ id: "counts", columns: names, into: [rater, label] }],
      hints: [hint("rater", rater), hint("label", label)],
      unnamedRaters: true,
    };
  },
};
