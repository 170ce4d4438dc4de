/** A column of 0 and 1 for each system, of which one is 1 in every row → one column that names the system. */
import type { Roles, Told } from "../../data/imported.ts";
import { factorColumn, makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { freeNumbers } from "../facts.ts";
import { findSum } from "./counts.ts";
import { freshName, hint, type Reshape, type Reshaped, requireNumbers, rowsOf } from "./reshaped.ts";

/** Two columns of which one is 1 are two answers to one question as well. */
const FEWEST_SYSTEMS = 3;

export const oneHot: Reshape = {
  id: "oneHot",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.system !== undefined) return undefined;
    const flags = freeNumbers(table, roles).filter(({ values }) => values === "0/1");
    const found = findSum(flags, new Float64Array(table.rows).fill(1), FEWEST_SYSTEMS);
    return found === undefined ? undefined : { oneHot: found };
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
