/** Training and test rows of the invariance test, whose scaled columns are features. */
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { type LearningColumns, type LearningRows, prepareLearning } from "../learner/rows.ts";
import { checkScales, type Scales } from "./scales.ts";

export interface InvarianceColumns extends LearningColumns {
  readonly scales: Scales;
}

export type InvarianceData = LearningRows;

export function prepareInvariance(train: Table, test: Table, options: InvarianceColumns): InvarianceData {
  checkScales(train, test, options);
  const rows = prepareLearning(train, test, options);
  const missing = Object.keys(options.scales).find((name) => !rows.used.includes(name));
  if (missing === undefined) return rows;
  throw new StatError("NotAFeature", `"${missing}" has a scale but is none of the features.`, "add it to `features`.");
}
