/** `gosset fit gam "<formula>" <data>` */

import {
  type Column,
  type Diagnostic,
  type DisplayTable,
  fitGam,
  StatError,
  type Table,
  warnOfRepeats,
} from "../../index.ts";
import { writeCsv } from "../../io.ts";
import {
  type GamFit,
  type GamMethod,
  type GamOptions,
  type PlainFamilyName,
  predictGam,
  warnOfMixedMetrics,
} from "../../models.ts";
import { parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { writeOutput } from "../files.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { ModelOptions } from "../options.ts";

interface FitGamOptions extends ModelOptions<PlainFamilyName> {
  readonly confidence: string;
  readonly method?: GamMethod;
  readonly select?: boolean;
  readonly gamma?: string;
  readonly shapes?: string;
  readonly predict?: string;
}

export async function run(context: Context<FitGamOptions>, formula: string, data: string): Promise<void> {
  const { options, progress } = context;
  const gamOptions = readOptions(options);
  const table = await loadVariables(context, data, [formula]);
  context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfRepeats(table, [formula], false)]);
  progress.update("Fitting", 0, 0);
  const onProgress = (iteration: number): void => progress.update(`Smoothing, step ${iteration + 1}`, 0, 0);
  const fit = fitGam(formula, table, { ...gamOptions, onProgress });
  const extra = options.predict === undefined ? undefined : await predictions(fit, options.predict, context);
  if (options.shapes !== undefined) writeOutput(options.shapes, writeCsv(shapeTable(fit)));
  const tables = extra === undefined ? [] : [extra.table];
  context.print(fit, {
    reading: extra?.diagnostics ?? [],
    tables,
    ...(extra === undefined ? {} : { published: { predictions: extra.rows } }),
    // CSV holds one table: the one that was asked for, else the smooths
    csv: [...fit.display().tables, ...tables].slice(-1),
  });
}

function readOptions(options: FitGamOptions): GamOptions {
  const { method, select, gamma } = options;
  const size = gamma === undefined ? undefined : Number(gamma);
  if (size !== undefined && !(size > 0 && Number.isFinite(size))) {
    throw new StatError(
      "BadOption",
      `--gamma ${gamma} is not a positive number.`,
      "Use 1, or 1.4 for smoother curves.",
    );
  }
  return {
    ...libraryOptions(options),
    confidence: parseProbability(options.confidence, "--confidence"),
    ...(method === undefined ? {} : { method }),
    ...(select === undefined ? {} : { select }),
    ...(size === undefined ? {} : { gamma: size }),
  };
}

/** New data need not have what the response was computed from. */
async function predictions(
  fit: GamFit,
  path: string,
  { options, load }: Context<FitGamOptions>,
): Promise<{ table: DisplayTable; rows: object[]; diagnostics: readonly Diagnostic[] }> {
  const label = fit.design.schema.formula.responseLabel;
  const mutate = options.mutate.filter((text) => text.split("=")[0]!.trim() !== label);
  const table = await load(path, { where: [], mutate });
  const made = predictGam(fit, table, { confidence: fit.confidence });
  const cells = Array.from({ length: table.rows }, (_, row) => [row + 1, Number.NaN, Number.NaN, Number.NaN]);
  made.rows.forEach((row, i) => {
    cells[row] = [row + 1, made.value[i]!, made.lower[i]!, made.upper[i]!];
  });
  return {
    table: {
      caption: `Predictions for ${path}`,
      head: ["row", "predicted", "from", "to"],
      formats: ["integer", "number", "number", "number"],
      rows: cells,
    },
    rows: cells.map(([row, estimate, lower, upper]) => ({ row, estimate, lower, upper })),
    diagnostics: made.diagnostics,
  };
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
