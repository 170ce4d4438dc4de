/** A chart as Weights & Biases exports it: "run - metric", "run - metric__MIN", "run - metric__MAX" over the steps → the last value of each run.
 *  Steps of one run are no sample: what a run came to is one number. */
import { factorColumn, isMissing, makeTable, numericColumn, type Table } from "../table.ts";
import { freshName, type Reshaped } from "./reshaped.ts";

const LINE = /^(?<run>.+?) - (?<metric>.+?)(?<end>__(MIN|MAX))?$/;

export function findChart(table: Table): Reshaped | undefined {
  const [step, ...names] = [...table.columns.keys()];
  const lines = names.map((name) => ({ name, ...LINE.exec(name)?.groups }) as Line);
  const own = lines.filter(({ run, end }) => run !== undefined && end === undefined);
  const drawn = own.every(({ name }) => table.columns.has(`${name}__MIN`) && table.columns.has(`${name}__MAX`));
  if (step === undefined || own.length < 2 || own.length * 3 !== names.length || !drawn) return undefined;
  const runs = [...new Set(own.map(({ run }) => run!))];
  const metrics = [...new Set(own.map(({ metric }) => metric!))].filter((metric) => metric !== "_step");
  if (runs.length < 2 || metrics.length === 0) return undefined;
  const key = freshName(table, "run_name");
  const last = (run: string, metric: string): number => lastValue(table, `${run} - ${metric}`);
  return {
    table: makeTable(
      [
        [key, factorColumn(runs)],
        ...metrics.map((metric) => [metric, numericColumn(runs.map((run) => last(run, metric)))] as const),
      ],
      runs.length,
    ),
    reading: [
      `A chart of ${runs.length} runs over ${step}: of each run the last value is kept, since the steps of one run are no sample.`,
    ],
    hints: [
      { role: "system", column: key, reason: "the names before the dash", confidence: 0.85 },
      ...metrics.map((column) => ({ role: "score", column, reason: "drawn for every run", confidence: 0.8 })),
    ],
  };
}

interface Line {
  readonly name: string;
  readonly run?: string;
  readonly metric?: string;
  readonly end?: string;
}

function lastValue(table: Table, name: string): number {
  const cells = table.columns.get(name);
  if (cells?.kind !== "numeric") return Number.NaN;
  for (let row = table.rows - 1; row >= 0; row -= 1) if (!isMissing(cells, row)) return cells.values[row]!;
  return Number.NaN;
}
