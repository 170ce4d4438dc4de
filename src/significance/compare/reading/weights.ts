/** A column of weights that nothing uses: whoever weighted the items would take the answer for a weighted one. */
import type { Table } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";

/** What stands before the word, where anything does. */
const KINDS = new Set(["", "sample", "item", "row", "survey", "test", "case", "inverse probability"]);

const isWeights = (name: string): boolean => {
  const [whole, before] = /^(.{0,30})weights?$/i.exec(name) ?? [];
  return whole !== undefined && KINDS.has(before!.toLowerCase().replaceAll(/[_-]/g, " ").trim());
};

interface Said {
  readonly by?: string | undefined;
  readonly slice?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  readonly mutate?: readonly string[] | undefined;
}

/** `used`: columns that have a part in the comparison. */
export function tellWeights(
  table: Table,
  used: readonly unknown[],
  { by, slice = [], where = [], mutate = [] }: Said,
): Diagnostic[] {
  const said = [...where, ...mutate].join(" ");
  const named = [...table.columns].find(
    ([name, cells]) =>
      cells.kind === "numeric" &&
      isWeights(name) &&
      new Set(cells.values).size > 1 &&
      !used.includes(name) &&
      ![by, ...slice].includes(name) &&
      !said.includes(name),
  );
  if (named === undefined) return [];
  const message = `${named[0]} looks like weights, which a comparison does not use: every item counts alike.`;
  return [warning("WeightsUnused", message, "For a weighted mean fit a linear model with option `weights`.")];
}
