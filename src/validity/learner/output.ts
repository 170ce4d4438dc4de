/** What an outside learner wrote, checked cell by cell before it counts as predictions.
 *  The file has a header and one row per test row, in their order. The predictions stand in the column "prediction", in one named like
 *  the label, or in the only one. Of a label 0/1 a number from 0 to 1 is the probability of 1; of other classes a prediction must be
 *  one of the classes; of a numeric label it must be a finite number. */
import { asFactor, type Column, isMissing, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Predictions, Target } from "./learner.ts";

export interface OutputContext {
  readonly rows: number;
  readonly label: string;
  readonly target: Target;
}

export function readPredictions(output: Table, { rows, label, target }: OutputContext): Predictions {
  const cells = predictionColumn(output, label);
  if (output.rows !== rows) {
    throw refused(
      `it wrote ${output.rows} prediction${output.rows === 1 ? "" : "s"} for ${rows} test rows`,
      "write one row per test row, in their order.",
    );
  }
  for (let row = 0; row < rows; row++) {
    if (isMissing(cells, row))
      throw refused(`its prediction in row ${row + 1} is missing or NaN`, "predict every test row.");
  }
  if (target.kind === "numbers") return { kind: "numbers", values: numbersOf(cells) };
  const binary = target.levels.length === 2 && target.levels[0] === "0" && target.levels[1] === "1";
  return binary && cells.kind === "numeric" ? probabilitiesOf(cells.values) : labelsOf(cells, target.levels);
}

const refused = (what: string, fix: string): StatError =>
  new StatError("ComputationFailed", `the learner failed: ${what}.`, fix);

function predictionColumn(output: Table, label: string): Column {
  const { columns } = output;
  const named = columns.get("prediction") ?? columns.get(label);
  if (named !== undefined) return named;
  const only = [...columns.values()];
  if (only.length === 1) return only[0]!;
  const found = columns.size === 0 ? "no column" : `the columns ${[...columns.keys()].slice(0, 6).join(", ")}`;
  throw refused(
    `its output has ${found}, and none is called "prediction"`,
    'write a header "prediction" and one row per test row.',
  );
}

function numbersOf(cells: Column): Float64Array {
  if (cells.kind === "numeric") {
    const wrong = cells.values.findIndex((value) => !Number.isFinite(value));
    if (wrong < 0) return cells.values;
    throw refused(`its prediction in row ${wrong + 1} is ${cells.values[wrong]}`, "predict finite numbers.");
  }
  const text = cells.levels[cells.codes[0]!] ?? "";
  throw refused(`its predictions are text ("${text.slice(0, 40)}"), and the label is a number`, "predict numbers.");
}

function probabilitiesOf(values: Float64Array): Predictions {
  const wrong = values.findIndex((value) => !(value >= 0 && value <= 1));
  if (wrong < 0) return { kind: "probabilities", values };
  throw refused(
    `its prediction in row ${wrong + 1} is ${values[wrong]}, and the label is 0 or 1`,
    "predict 0, 1 or the probability of 1.",
  );
}

function labelsOf(cells: Column, levels: readonly string[]): Predictions {
  const factor = asFactor(cells);
  const place = factor.levels.map((level) => levels.indexOf(level));
  const codes = factor.codes.map((code) => place[code]!);
  const wrong = codes.findIndex((code) => code < 0);
  if (wrong < 0) return { kind: "labels", codes };
  const text = factor.levels[factor.codes[wrong]!]!;
  throw refused(
    `its prediction in row ${wrong + 1}, "${text.slice(0, 40)}", is none of the classes`,
    `predict one of ${levels.slice(0, 6).join(", ")}.`,
  );
}
