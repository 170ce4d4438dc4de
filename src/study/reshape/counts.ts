/** How many raters chose each label, one column a label → one row for each choice, of raters whom the file does not name. */
import type { Roles, Told } from "../../data/imported.ts";
import { factorColumn, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { type ColumnProfile, freeNumbers } from "../facts.ts";
import { plainName } from "../lexicon/words.ts";
import { freshName, hint, type Reshape, type Reshaped, repeatRows, requireNumbers, rowsOf } from "./reshaped.ts";

const TOTALS = new Set("count n total raters annotators num_annotators n_annotators n_raters votes".split(" "));
const MOST_RATERS = 1000;
const MOST_ROWS = 5_000_000;

/** Neighboring columns, so many or more, that add up to the totals in every row. */
export function findSum(own: readonly ColumnProfile[], totals: Float64Array, fewest = 2): string[] | undefined {
  const numbers = own.flatMap(({ name, column }) =>
    column.kind === "numeric" ? [{ name, values: column.values }] : [],
  );
  for (let from = 0; from + fewest <= numbers.length; from += 1) {
    const left = Float64Array.from(totals);
    for (let to = from; to < numbers.length; to += 1) {
      for (const [row, value] of numbers[to]!.values.entries()) left[row]! -= value;
      if (left.some((rest) => rest < 0)) break;
      if (to - from + 1 >= fewest && left.every((rest) => rest === 0))
        return numbers.slice(from, to + 1).map(({ name }) => name);
    }
  }
  return undefined;
}

export const counts: Reshape = {
  id: "counts",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.rater !== undefined) return undefined;
    const isTotal = (name: string): boolean => TOTALS.has(plainName(name));
    const whole = freeNumbers(table, roles).filter(({ values, min }) => values !== "real" && min >= 0);
    const [total] = [...table.columns].filter(([name]) => isTotal(name)).map(([, cells]) => cells);
    const labels = whole.filter(({ name }) => !isTotal(name));
    const found = total?.kind === "numeric" ? findSum(labels, total.values) : undefined;
    return found === undefined ? undefined : { counts: found };
  },
  apply(table: Table, { counts: names = [] }: Told): Reshaped {
    const numbers = requireNumbers(table, "counts", names);
    const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MOST_RATERS;
    const odd = numbers.flatMap((values) => [...values]).find((value) => !Number.isNaN(value) && !isCount(value));
    if (odd !== undefined)
      throw new StatError(
        "BadOption",
        `option \`counts\`: ${odd} is not a number of raters.`,
        "Name columns of counts.",
      );
    const sum = numbers.flatMap((values) => [...values]).reduce((all, value) => all + (value || 0), 0);
    if (sum > MOST_ROWS) throw new StatError("TooManyRows", `option \`counts\`: ${sum} choices.`, "Sample the items.");
    const chosen = rowsOf(table).map((row) =>
      names.flatMap((name, k) => new Array<string>(numbers[k]![row] || 0).fill(name)),
    );
    const source = Int32Array.from(chosen.flatMap((list, row) => list.map(() => row)));
    const [rater, label] = [freshName(table, "rater"), freshName(table, "label")];
    const who = factorColumn(chosen.flatMap((list) => list.map((_, i) => String(i + 1))));
    const added = Object.entries({ [rater]: who, [label]: factorColumn(chosen.flat()) });
    return {
      table: repeatRows(table, source, { added, drop: names }),
      done: [{ id: "counts", columns: names, into: [rater, label] }],
      hints: [hint("rater", rater), hint("label", label)],
      unnamedRaters: true,
    };
  },
};
