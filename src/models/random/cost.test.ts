import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fromTriplets, type Sparse } from "../../numeric/linalg/sparse.ts";
import { analyze, analyzeWithin, factorWork } from "../../numeric/linalg/symbolic.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { fitGlmm } from "../glmm/glmm.ts";
import { fitLmm } from "../lmm/lmm.ts";
import { fitClmm } from "../ordinal/clmm.ts";
import { DEFAULT_MAX_MEMORY, refuseStep } from "./cost.ts";

/** Every row a level of a, in turn, and a level of b at random: what is left of b without a is full. */
function crossed(a: number, b: number, rows: number): Table {
  const rng = makeRng("crossed");
  const own = Array.from({ length: rows }, (_, i) => [i % a, rng.int(b)] as const);
  const y = own.map(([i, j]) => (i % 7) / 5 + (j % 5) / 4 + rng.normal());
  return makeTable([
    ["y", numericColumn(y)],
    ["z", numericColumn(y.map((value) => (value > 1 ? 1 : 0)))],
    ["o", factorColumn(y.map((value) => (value > 2 ? "c" : value > 1 ? "b" : "a")))],
    ["a", factorColumn(own.map(([i]) => `a${i}`))],
    ["b", factorColumn(own.map(([, j]) => `b${j}`))],
  ]);
}

function refusal(run: () => unknown): StatError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("not refused");
}

describe("crossed random effects that cost too much", () => {
  const table = crossed(900, 300, 2700);

  it("are refused with their cost before the search, and fitted where there is room", () => {
    const error = refusal(() => fitLmm("y ~ 1 + (1 | a) + (1 | b)", table, { maxMemory: 2 ** 20 }));
    expect(error.code).toBe("TooCostly");
    // 7 matrices of order 300; 300³ / 3 and what takes 900 levels out
    expect(error.message).toMatch(
      /^the random effects of a and b meet in so many ways that every step of the fit would take 0\.0047 GB and 9\.0e\+6 multiplications; there is room for 0\.00098 GB and 6\.1e\+5 multiplications\.$/,
    );
    expect(error.fix).toBe(
      "Leave the term of b out, average the rows over it, fit a sample of its levels, or raise `maxMemory`.",
    );
    expect(fitLmm("y ~ 1 + (1 | a) + (1 | b)", table, { ddf: "none" }).converged).toBe(true);
  });

  it("are refused by the generalised models too", () => {
    for (const fit of [
      () => fitGlmm("z ~ 1 + (1 | a) + (1 | b)", table, { maxMemory: 2 ** 20 }),
      () =>
        fitClmm("o ~ 1 + (1 | a) + (1 | b)", table, { ordered: new Map([["o", ["a", "b", "c"]]]), maxMemory: 2 ** 20 }),
    ]) {
      expect(refusal(fit).message).toMatch(/^the random effects of a and b meet .*there is room for 0\.00098 GB/);
    }
  });

  it("of 100,000 by 5,000 levels are beyond the default, those of 20,000 by 3,000 are not", () => {
    const cost = (order: number) => ({ numbers: 7 * order ** 2, multiplications: order ** 3 / 3 });
    const groups = { eliminated: "a", left: ["b"], maxMemory: DEFAULT_MAX_MEMORY };
    expect(refusal(() => refuseStep(cost(5000), groups)).message).toMatch(/1\.3 GB and 4\.2e\+10 multiplications;/);
    expect(() => refuseStep(cost(3000), groups)).not.toThrow();
  });
});

describe("the count of a factor", () => {
  /** A grid of so many points a side, each joined to its neighbours. */
  function grid(side: number): Sparse {
    const [i, j]: [number[], number[]] = [[], []];
    for (let k = 0; k < side * side; k++) {
      i.push(k);
      j.push(k);
      if ((k + 1) % side !== 0) i.push(k + 1) && j.push(k);
      if (k + side < side * side) i.push(k + side) && j.push(k);
    }
    const n = side * side;
    return fromTriplets(n, n, { i: Int32Array.from(i), j: Int32Array.from(j), x: new Float64Array(i.length).fill(1) });
  }

  it("stops where it is allowed to", () => {
    const A = grid(20);
    const { size } = analyze(A);
    expect(analyzeWithin(A, { most: size })?.size).toBe(size);
    expect(analyzeWithin(A, { most: size / 4 })).toBeUndefined();
    const work = factorWork(analyzeWithin(A, { most: size })!);
    expect(analyzeWithin(A, { most: size, mostWork: work })?.size).toBe(size);
    expect(analyzeWithin(A, { most: size, mostWork: work / 4 })).toBeUndefined();
  });

  it("gives the multiplications of a full matrix", () => {
    const n = 12;
    const pairs = Array.from({ length: n * n }, (_, k) => [k % n, Math.floor(k / n)] as const).filter(
      ([r, c]) => r >= c,
    );
    const A = fromTriplets(n, n, {
      i: Int32Array.from(pairs, ([r]) => r),
      j: Int32Array.from(pairs, ([, c]) => c),
      x: new Float64Array(pairs.length).fill(1),
    });
    expect(factorWork(analyze(A))).toBe((n * (n + 1) * (2 * n + 1)) / 6);
  });
});
