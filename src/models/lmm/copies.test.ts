/** A row that stands twice: the residual variance then goes to 0, and what is left of the fixed effects has a closed form. */
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import { fitLmm } from "./lmm.ts";
import { coefficientsOf, factorAt, projectResponse } from "./objective.ts";
import { prepareLmm } from "./problem.ts";
import { summarizeResponse } from "./response.ts";

type Row = readonly [system: string, item: number, rater: string, score: number];

const tableOf = (rows: readonly Row[]): Table =>
  makeTable([
    ["system", factorColumn(rows.map(([system]) => system))],
    ["item", factorColumn(rows.map(([, item]) => `i${item}`))],
    ["rater", factorColumn(rows.map(([, , rater]) => rater))],
    ["score", numericColumn(rows.map(([, , , score]) => score))],
  ]);

function draw(seed: string): Row[] {
  const rng = makeRng(seed);
  return Array.from({ length: 60 }, (_, i) => i).flatMap((i) => {
    const shift = 5 * rng.normal();
    return ["a", "b"].map((system, k): Row => {
      const rater = `r${Math.floor(8 * rng.uniform())}`;
      return [system, i, rater, Math.round(80 + shift + 3 * k + 8 * rng.normal())];
    });
  });
}

describe("one row of a mixed model twice", () => {
  it.each(["1", "2", "3", "4"])("no verdict, and fixed effects right to 6 digits at the θ reached (%s)", (seed) => {
    const rows = draw(seed);
    const fit = fitLmm("score ~ system + (1 | item) + (1 | rater) + (1 | item:system)", tableOf([...rows, rows[10]!]), {
      ddf: "none",
    });
    expect(fit.converged).toBe(false);
    expect(fit.diagnostics.find(({ code }) => code === "NotConverged")!.message).toContain("goes to 0");
    expect(Math.max(...fit.theta)).toBeLessThanOrEqual(1e4 * Math.sqrt(121 / 120));
    // σ² → 0: V is that of the rows without the copy, with item:system in the place of the residuals
    const sd = (group: string): number => fit.variances.find((own) => own.group === group)!.sd[0]!;
    const design = buildDesign("score ~ system + (1 | item) + (1 | rater)", tableOf(rows));
    const problem = prepareLmm(design);
    const response = summarizeResponse(problem, design.y);
    const theta = problem.structure.terms.map(({ group }) => sd(group) / sd("item:system"));
    factorAt(problem, theta);
    projectResponse(problem, response);
    expectClose(
      fit.coefficients.map(({ value }) => value),
      coefficientsOf(problem, response),
      { tolerance: 1e-6 },
    );
  });

  it("a residual that is small but measured is no copy", () => {
    const rng = makeRng("small");
    const rows = draw("5").flatMap(([system, item, rater, score]): Row[] => [
      [system, item, rater, score + 0.01 * rng.normal()],
      [system, item, rater, score + 0.01 * rng.normal()],
    ]);
    const fit = fitLmm("score ~ system + (1 | item) + (1 | rater) + (1 | item:system)", tableOf(rows), { ddf: "none" });
    expect(fit.converged).toBe(true);
    expect(Math.abs(fit.residualSd / 0.01 - 1)).toBeLessThan(4 / Math.sqrt(2 * 120));
  });
});
