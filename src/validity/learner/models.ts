/** Linear, logistic and additive models as learners: the columns of the matrix under plain names, so that any file will do. */

import { makeTable, type Table } from "../../data/table.ts";
import { fitGam } from "../../models/gam/gam.ts";
import { predictGam } from "../../models/gam/predict.ts";
import { fitGlm } from "../../models/glm/glm.ts";
import { predictFixed } from "../../models/glm/predict.ts";

import { fitLm } from "../../models/lm/lm.ts";
import type { Encoded, LearnerName } from "./learner.ts";

/** Knots of a spline, and the fewest different values that it is worth. */
const KNOTS = 10;
const FEWEST_VALUES = 5;

export function predictModel(
  name: Exclude<LearnerName, "knn" | "stumps">,
  columns: readonly Encoded[],
  target: Float64Array,
  binary: boolean,
): Float64Array {
  const used = columns.filter(({ train, reference }) => !reference && train.some((value) => value !== train[0]));
  const rows = columns[0]?.test.length ?? 0;
  const table = (which: "train" | "test", y?: Float64Array): Table =>
    makeTable(
      [
        ...(y === undefined ? [] : [["y", { kind: "numeric" as const, values: y }] as const]),
        ...used.map((own, j) => [`x${j}`, { kind: "numeric" as const, values: own[which] }] as const),
      ],
      which === "train" ? target.length : rows,
    );
  const [train, test] = [table("train", target), table("test")];
  const linear = `y ~ ${used.length === 0 ? "1" : used.map((_, j) => `x${j}`).join(" + ")}`;
  const family = { family: binary ? ("binomial" as const) : ("gaussian" as const) };
  if (name === "linear") return predictFixed(fitLm(linear, train), test).value;
  if (name === "logistic") return predictFixed(fitGlm(linear, train, family), test).value;
  const terms = used.map((own, j) => gamTerm(`x${j}`, own));
  if (!terms.some((term) => term.startsWith("s("))) return predictFixed(fitGlm(linear, train, family), test).value;
  return predictGam(fitGam(`y ~ ${terms.join(" + ")}`, train, family), test).value;
}

function gamTerm(name: string, { train, indicator }: Encoded): string {
  const values = new Set(train).size;
  return indicator || values < FEWEST_VALUES ? name : `s(${name}, k = ${Math.min(KNOTS, values)})`;
}
