/** What `--predict` adds to a fit: one line for each row of the new data, NaN where a value is missing. */
import type { Table } from "../../index.ts";
import type { GamFit, GlmFit, LmFit, Prediction } from "../../models.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import type { Part } from "./profiles.ts";

export async function predictions<M extends Prediction>(
  fit: LmFit | GlmFit | GamFit,
  path: string,
  { options, load }: Context<DataOptions>,
  predict: (table: Table) => M,
): Promise<Part & { readonly made: M }> {
  // new data need not have what the response was computed from
  const label = fit.design.schema.formula.responseLabel;
  const mutate = options.mutate.filter((text) => text.split("=")[0]!.trim() !== label);
  const table = await load(path, { where: [], mutate });
  const made = predict(table);
  const rows = Array.from({ length: table.rows }, (_, row) => [row + 1, Number.NaN, Number.NaN, Number.NaN]);
  made.rows.forEach((row, i) => {
    rows[row] = [row + 1, made.value[i]!, made.lower[i]!, made.upper[i]!];
  });
  return {
    made,
    tables: [
      {
        caption: `Predictions for ${path}`,
        head: ["row", "predicted", "from", "to"],
        formats: ["integer", "number", "number", "number"],
        rows,
      },
    ],
    published: { predictions: rows.map(([row, estimate, lower, upper]) => ({ row, estimate, lower, upper })) },
  };
}
