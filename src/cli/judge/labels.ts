/** --labels: a table of its own, of which no row is left out and no column computed. */
import type { Table } from "../../index.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

export const loadLabels = async (
  { load }: Context<DataOptions>,
  path: string | undefined,
): Promise<Table | undefined> => (path === undefined ? undefined : load(path, { where: [], mutate: [] }));
