/** Mixed models of stored reference cases, at the parameters that the other tool reports or at our own optimum. */
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { buildDesign } from "../../src/formula/design.ts";
import type { LmmPoint } from "../../src/models/lmm/information.ts";
import { type LmmProblem, prepareLmm } from "../../src/models/lmm/problem.ts";
import { summarizeResponse } from "../../src/models/lmm/response.ts";
import { type OracleCase, oracleTable, readOracle } from "./oracle.ts";

const oracle = readOracle("r/lmm-inference.json");
export const inferenceTable = oracleTable(oracle.columns);
export const inferenceCases = (kind: string): OracleCase[] => oracle.cases.filter((c) => c.kind === kind);

export interface ReferenceModel {
  readonly problem: LmmProblem;
  /** The other tool's estimates. */
  readonly at: LmmPoint;
}

/** Contrasts as R names them: "contr.sum" or "sum". */
function contrastsOf(given: unknown): Record<string, "sum"> {
  return Object.fromEntries(Object.keys((given ?? {}) as object).map((name) => [name, "sum" as const]));
}

export function referenceModel({ input, expected }: OracleCase, table: Table = inferenceTable): ReferenceModel {
  const text = (name: string) => (typeof input[name] === "string" ? { [name]: input[name] as string } : {});
  const design = buildDesign(input["formula"] as string, table, {
    ...text("weights"),
    ...text("offset"),
    contrasts: contrastsOf(input["contrasts"]),
  });
  const problem = prepareLmm(design, { criterion: input["reml"] ? "REML" : "ML" });
  const theta = Float64Array.from([expected.theta].flat() as number[]);
  return { problem, at: { theta, sigma: expected.sigma, response: summarizeResponse(problem, design.y) } };
}

/** Models in which every path is taken: one factor, several, slopes, merged terms, weights, more than 200 other effects, a sparse
 *  Schur complement with and without a θ that has an inverse. */
export const inferenceModels: readonly { formula: string; theta: number[]; weights?: string; table?: Table }[] = [
  { formula: "score ~ system + (1 | rater)", theta: [0.8] },
  { formula: "score ~ system + (system | rater) + (1 | item)", theta: [0.7, 0.8, 0.1, -0.2, 0.4, 0.3, 0.5] },
  { formula: "score ~ length + (1 + length || item) + (length | rater)", theta: [0.3, 0.02, 0.9, 0.01, 0.03] },
  { formula: "score ~ system + (1 | rater) + (1 | item)", theta: [0, 0.6], weights: "w" },
  { formula: "score ~ 1 + (1 | item:rater) + (1 | item:system) + (1 | rater)", theta: [0.5, 0.7, 0.4] },
  { formula: "y ~ x + (1 | item) + (x | worker)", theta: [0.6, 0.8, 0.1, 0.4], table: listRatings(110) },
  { formula: "y ~ x + (1 | item) + (x | worker)", theta: [0.6, 0.8, 0.1, 0], table: listRatings(80) },
];

/** Items in a row, each rated by a few workers next to it. */
function listRatings(workers: number): Table {
  const rows = Array.from({ length: 8 * workers }, (_, i) => i);
  return makeTable([
    ["y", numericColumn(rows.map((i) => Math.sin(3 * i) + Math.cos(i * i)))],
    ["x", numericColumn(rows.map((i) => Math.sin(i * i)))],
    ["item", factorColumn(rows.map((i) => `i${Math.floor(i / 3)}`))],
    ["worker", factorColumn(rows.map((i) => `w${(Math.floor(i / 8) + (i % 2)) % workers}`))],
  ]);
}

export function setUpModel({ formula, theta, weights, table = inferenceTable }: (typeof inferenceModels)[number]) {
  const design = buildDesign(formula, table, weights === undefined ? {} : { weights });
  const problem = prepareLmm(design);
  const response = summarizeResponse(problem, design.y);
  return { problem, response, theta: Float64Array.from(theta) };
}
