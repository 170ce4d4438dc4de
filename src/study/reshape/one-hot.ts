/** A column of 0 and 1 for each system, of which one is 1 in every row → one column that names the system. */
import type { Roles, Told } from "../../data/imported.ts";
import { factorColumn, makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { freshName, hint, type Reshape, type Reshaped, requireNumbers, rowsOf } from "./reshaped.ts";
import { freeNumbers } from "./stacked-columns.ts";

const FEWEST_ROWS = 4;

export const oneHot: Reshape = {
  id: "oneHot",
  /** Neighboring columns that add up to 1 in every row. */
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.system !== undefined || table.rows < FEWEST_ROWS) return undefined;
    const flags = freeNumbers(table, roles).flatMap(({ name, column, values }) =>
      values === "0/1" && column.kind === "numeric" ? [{ name, values: column.values }] : [],
    );
    for (let from = 0; from < flags.length - 1; from += 1) {
      const sums = new Float64Array(table.rows);
      for (let to = from; to < flags.length; to += 1) {
        flags[to]!.values.forEach((value, row) => {
          sums[row]! += value;
        });
        // two columns of which one is 1 are two answers to one question as well
        if (to > from + 1 && sums.every((sum) => sum === 1))
          return { oneHot: flags.slice(from, to + 1).map(({ name }) => name) };
      }
    }
    return undefined;
  },
  apply(table: Table, { oneHot: names = [] }: Told): Reshaped {
    const flags = requireNumbers(table, "oneHot", names);
    const marked = rowsOf(table).map((row) => names.filter((_, k) => flags[k]![row] === 1));
    const odd = marked.findIndex((own) => own.length !== 1);
    if (odd >= 0)
      throw new StatError(
        "BadOption",
        `option \`oneHot\`: ${marked[odd]!.length} of the columns are 1 in row ${odd + 1}.`,
        "Name columns of which one is 1 in every row.",
      );
    const system = freshName(table, "system");
    const kept = [...table.columns].filter(([name]) => !names.includes(name));
    return {
      table: makeTable([...kept, [system, factorColumn(marked.map(([own]) => own!))]], table.rows),
      done: [{ id: "oneHot", columns: names, into: [system] }],
      hints: [hint("system", system)],
    };
  },
};
