import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign, type Design } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import { foldedCovariance, foldedObjective, foldedObjectiveAndGradientInto, foldLmm, foldResponse } from "./fold.ts";
import { lmmObjectiveAndGradientInto } from "./gradient.ts";
import { fixedCovariance, lmmObjective } from "./objective.ts";
import { type Criterion, prepareLmm } from "./problem.ts";
import { summarizeResponse } from "./response.ts";
import { solveLmm } from "./solve.ts";

/** Panels of three raters who share 12 items among them; the last panel lacks its third rater, so that classes differ in size. Items
 *  come in copies too, three kinds of them. */
function panels(count: number, formula: string): Design {
  const rng = makeRng("panels");
  const rows: { item: number; rater: number; x: number; y: number }[] = [];
  const effect = { item: new Float64Array(24), rater: new Float64Array(6 * count) };
  rng.fillNormal(effect.item);
  rng.fillNormal(effect.rater);
  for (let panel = 0; panel < count; panel++) {
    for (let item = 0; item < 12; item++) {
      for (const x of [0, 1]) {
        const place = (item + 5 * x) % 3;
        if (panel === count - 1 && place === 2) continue;
        const rater = 3 * panel + place;
        const slopes = x * (0.3 + 0.5 * effect.item[2 * item + 1]! + 0.4 * effect.rater[2 * rater + 1]!);
        const y = slopes + effect.item[2 * item]! + 0.6 * effect.rater[2 * rater]! + rng.normal();
        rows.push({ item, rater, x, y });
      }
    }
  }
  const column = (key: "x" | "y") => numericColumn(Float64Array.from(rows, (row) => row[key]));
  const names = (key: "item" | "rater") => factorColumn(rows.map((row) => `${key}${row[key]}`));
  return buildDesign(
    formula,
    makeTable([
      ["y", column("y")],
      ["x", column("x")],
      ["item", names("item")],
      ["rater", names("rater")],
    ]),
  );
}

const FORMULAS = [
  "y ~ x + (1 + x | rater) + (1 + x | item)",
  "y ~ x + (1 + x || item) + (1 + x || rater)",
  "y ~ x + (1 | item) + (1 + x | rater)",
];
const CASES = FORMULAS.flatMap((formula) =>
  (["ML", "REML"] as const).flatMap((criterion): [string, Criterion, number][] => [
    [formula, criterion, 3],
    [formula, criterion, 9],
  ]),
);

describe.each(CASES)("%s by %s, %i panels, folded", (formula, criterion, count) => {
  const design = panels(count, formula);
  const problem = prepareLmm(design, { criterion });
  const fold = foldLmm(problem)!;
  const size = problem.structure.term.length;

  it("criterion, gradient and covariance are those of the whole, at any θ", () => {
    const rng = makeRng("theta");
    const response = summarizeResponse(problem, design.y);
    const folded = foldResponse(fold, design.y);
    expect(fold.problem.X.rows).toBeLessThan(design.X.rows / 2);
    for (let draw = 0; draw < 6; draw++) {
      const theta = Float64Array.from({ length: size }, (_, k) => {
        const value = rng.normal();
        return problem.structure.lower[k] === 0 ? (draw === 0 ? 0 : Math.abs(value)) : value;
      });
      const [whole, less] = [new Float64Array(size), new Float64Array(size)];
      const f = lmmObjectiveAndGradientInto(whole, problem, theta, response);
      expect(Math.abs(foldedObjectiveAndGradientInto(less, fold, theta, folded) / f - 1)).toBeLessThan(1e-12);
      const scale = whole.reduce((most, v) => Math.max(most, Math.abs(v)), 1);
      for (let k = 0; k < size; k++) expect(Math.abs(less[k]! - whole[k]!) / scale).toBeLessThan(1e-11);
      expect(foldedObjective(fold, theta, folded)).toBeCloseTo(lmmObjective(problem, theta, response), 9);
      const [own, other] = [fixedCovariance(problem, theta).data, foldedCovariance(fold, theta).data];
      for (let k = 0; k < own.length; k++) expect(Math.abs(other[k]! - own[k]!) / own[0]!).toBeLessThan(1e-11);
    }
  });

  it("the search ends at the same θ, β and σ", () => {
    const whole = solveLmm(problem, design.y);
    const less = solveLmm(problem, design.y, { fold });
    expect(less.converged).toBe(whole.converged);
    for (let k = 0; k < size; k++) expect(Math.abs(less.theta[k]! - whole.theta[k]!)).toBeLessThan(1e-6);
    for (let j = 0; j < 2; j++) expect(Math.abs(less.beta[j]! - whole.beta[j]!)).toBeLessThan(1e-8);
    expect(Math.abs(less.sigma / whole.sigma - 1)).toBeLessThan(1e-7);
    expect(less.objective).toBeCloseTo(whole.objective, 8);
  });
});

describe("nothing is folded", () => {
  it("where levels are no copies, or the model has weights or one factor", () => {
    const design = panels(3, FORMULAS[0]!);
    const unlike = { ...design.X, data: design.X.data.map((v, i) => (i >= design.X.rows ? v + i / 1000 : v)) };
    expect(foldLmm(prepareLmm({ ...design, X: unlike }))).toBeUndefined();
    const weights = new Float64Array(design.X.rows).fill(2);
    expect(foldLmm(prepareLmm({ ...design, weights }))).toBeUndefined();
    expect(foldLmm(prepareLmm(panels(3, "y ~ x + (1 | item)")))).toBeUndefined();
  });
});
