/** Best-worst scaling: which of those shown was the best, which the worst → one row for each shown: 1 for the best, -1 for the worst, 0 for the
 *  others. Shown is what stands in numbered columns that hold the names (option1, option2, …), else everything that is ever named.
 *  Reference: Louviere, Flynn & Marley (2015), Best-Worst Scaling. */
import type { Roles, Told } from "../../data/imported.ts";
import { type Column, factorColumn, numericColumn, requireColumns, type Table } from "../../data/table.ts";
import { listValues } from "../facts.ts";
import { plainName } from "../lexicon/words.ts";
import { cellText, freshName, hint, type Reshape, type Reshaped, repeatRows, rowsOf } from "./reshaped.ts";
import { findStubs } from "./stubs.ts";

export const bestWorst: Reshape = {
  id: "best",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.system !== undefined) return undefined;
    const called = (word: string): string | undefined =>
      [...table.columns].find(([name, { kind }]) => plainName(name) === word && kind === "factor")?.[0];
    const [best, worst] = [called("best"), called("worst")];
    return best === undefined || worst === undefined ? undefined : { best, worst };
  },
  apply(table: Table, { best = "", worst }: Told): Reshaped {
    const names = worst === undefined ? [best] : [best, worst];
    for (const [k, name] of names.entries()) requireColumns(table, k === 0 ? "best" : "worst", [name]);
    const votes = names.map((name) => table.columns.get(name)!) as [Column, Column?];
    const listed = findStubs(table).find(({ columns }) =>
      rowsOf(table).every((row) => votes.every((own) => isAmong(cellText(own!, row), namesIn(table, columns, row)))),
    );
    const everything = [...new Set(votes.flatMap((own) => listValues(own!)))].sort();
    const shown = rowsOf(table).map((row) => (listed === undefined ? everything : namesIn(table, listed.columns, row)));
    const source = Int32Array.from(shown.flatMap((list, row) => list.map(() => row)));
    const systems = shown.flat();
    const values = Array.from(source, (row, i) => {
      const [up, down] = votes.map((own) => cellText(own!, row));
      if (up === null || down === null) return Number.NaN;
      return Number(systems[i] === up) - Number(systems[i] === down);
    });
    const [system, score] = [freshName(table, "system"), freshName(table, "best_worst")];
    const added = Object.entries({ [system]: factorColumn(systems), [score]: numericColumn(values) });
    return {
      table: repeatRows(table, source, { added, drop: listed?.columns ?? [] }),
      done: [{ id: "bestWorst", columns: names, into: [system, score], words: listed === undefined ? everything : [] }],
      hints: [hint("system", system), hint("score", score), ...names.map((name) => hint("identifier", name))],
      higherIsBetter: new Map([[score, true]]),
    };
  },
};

const namesIn = (table: Table, columns: readonly string[], row: number): string[] =>
  columns.flatMap((name) => cellText(table.columns.get(name)!, row) ?? []);
const isAmong = (vote: string | null, names: readonly string[]): boolean => vote === null || names.includes(vote);
