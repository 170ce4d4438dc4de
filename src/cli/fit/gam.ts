/** `gosset fit gam "<formula>" <data>` */

import { type Column, fitGam, type Table, warnOfRepeats } from "../../index.ts";
import { writeCsv } from "../../io.ts";
import { type GamFit, predictGam, warnOfMixedMetrics } from "../../models.ts";
import { FIT, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import { writeOutput } from "../files.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { DataOptions } from "../options.ts";
import { predictions } from "./predictions.ts";

export async function run(context: Context<DataOptions>, formula: string, data: string): Promise<void> {
  const { progress } = context;
  const given = parseOptions(FIT.gam, context.options);
  const table = await loadVariables(context, data, [formula], given);
  context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfRepeats(table, [formula], false)]);
  progress.update("Fitting", 0, 0);
  const { confidence, method, select, gamma, shapes } = given;
  const onProgress = (iteration: number): void => progress.update(`Smoothing, step ${iteration + 1}`, 0, 0);
  const fit = fitGam(formula, table, { ...libraryOptions(given), confidence, method, select, gamma, onProgress });
  const predict = (rows: Table) => predictGam(fit, rows, { confidence: fit.confidence });
  const extra = given.predict === undefined ? undefined : await predictions(fit, given.predict, context, predict);
  if (shapes !== undefined) writeOutput(shapes, writeCsv(shapeTable(fit)));
  const tables = extra?.tables ?? [];
  context.print(fit, {
    ...{ reading: extra?.made.diagnostics ?? [], tables, published: extra?.published },
    // CSV holds one table: the one that was asked for, else the smooths
    csv: [...fit.display().tables, ...tables].slice(-1),
  });
}

/** One line per point of every curve: term, place, effect, SE, band. */
function shapeTable({ shapes }: GamFit): Table {
  const lines = shapes.flatMap(({ term, at, effect, se, lower, upper }) =>
    Array.from(effect, (value, i) => ({
      term,
      x: at[0] === undefined ? "" : String(at[0].values[i]!),
      z: at[1] === undefined ? "" : String(at[1].values[i]!),
      numbers: [value, se[i]!, lower[i]!, upper[i]!],
    })),
  );
  const text = (values: readonly string[]): Column => {
    const levels = [...new Set(values)];
    const place = new Map(levels.map((level, code) => [level, code]));
    const codes = Int32Array.from(values, (value) => (value === "" ? -1 : place.get(value)!));
    return { kind: "factor", codes, levels, ordered: false };
  };
  const number = (c: number): Column => ({
    kind: "numeric",
    values: Float64Array.from(lines, ({ numbers }) => numbers[c]!),
  });
  return {
    rows: lines.length,
    columns: new Map<string, Column>([
      ["term", text(lines.map(({ term }) => term))],
      ["x", text(lines.map(({ x }) => x))],
      ["z", text(lines.map(({ z }) => z))],
      ["effect", number(0)],
      ["se", number(1)],
      ["lower", number(2)],
      ["upper", number(3)],
    ]),
  };
}
