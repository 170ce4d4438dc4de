/** Mixed models of stored reference cases, at the parameters that the other tool reports or at our own optimum. */
import type { Table } from "../../src/data/table.ts";
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
