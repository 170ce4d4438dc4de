import { afterEach, describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { allowWasm } from "../../numeric/linalg/wasm.ts";
import { makeRng } from "../../numeric/rng.ts";
import { lmmGradient } from "./gradient.ts";
import { usesRoots } from "./inverse.ts";
import { conditionalModes } from "./modes.ts";
import { lmmObjective } from "./objective.ts";
import { prepareLmm } from "./problem.ts";
import { solveLmm } from "./solve.ts";

/** Items rated by workers who almost all meet through some item: the Schur complement over the workers is dense. */
function denseRatings(rows: number, items: number, workers: number) {
  const rng = makeRng("dense ratings");
  const row = Array.from({ length: rows }, (_, i) => i);
  const worker = row.map((i) => (i * i * 7 + 13 * (i % 23)) % workers);
  const x = row.map(() => rng.normal());
  const effects = row.map(() => rng.normal());
  const y = x.map((v, i) => v + effects[i % items]! + (0.5 + 0.3 * v) * effects[worker[i]!]! + rng.normal());
  return makeTable([
    ["y", numericColumn(y)],
    ["x", numericColumn(x)],
    ["item", factorColumn(row.map((i) => `i${i % items}`))],
    ["worker", factorColumn(worker.map((w) => `w${w}`))],
  ]);
}

const cases = [
  { formula: "y ~ x + (1 | item) + (1 | worker)", table: denseRatings(3120, 260, 211) },
  { formula: "y ~ x + (x | item) + (x | worker)", table: denseRatings(690, 115, 103) },
];

afterEach(() => {
  allowWasm(true);
});

describe.each(cases)("$formula", ({ formula, table }) => {
  const design = buildDesign(formula, table);
  const evaluate = (wasm: boolean) => {
    allowWasm(wasm);
    const problem = prepareLmm(design, { criterion: "REML" });
    const theta = problem.structure.lower.map((lower) => (lower === 0 ? 0.7 : -0.2));
    const value = lmmObjective(problem, theta, design.y);
    expect(usesRoots(problem)).toBe(true);
    const gradient = lmmGradient(problem, theta, design.y);
    const { sd } = conditionalModes(problem, solveLmm(problem, design.y));
    return { value, gradient, sd };
  };

  it("has the same gradient and conditional SDs with and without WebAssembly", () => {
    const [fast, plain] = [evaluate(true), evaluate(false)];
    expectClose([fast.value], [plain.value], { tolerance: 1e-13 });
    expectClose(fast.gradient, plain.gradient, { tolerance: 1e-10, floor: 1 });
    fast.sd.forEach((sd, t) => {
      expectClose(sd.data, plain.sd[t]!.data, { tolerance: 1e-7 });
    });
  });
});
