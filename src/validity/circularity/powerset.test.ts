/** The choice among models, on the D² and edf that mgcv reports for the published searches. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { inlineRunner } from "../../run/inline.ts";
import { allSets, chooseModel, MOST_FOR_CORE, type SearchedModel, searchSets } from "./powerset.ts";
import { circularityModelTask, type ModelFeature, type ModelFrame } from "./powerset-model.ts";

const model = (set: readonly number[], d2: number, edf: number): SearchedModel => ({
  set,
  surfaces: [],
  d2,
  adjusted: d2,
  edf,
  converged: true,
});

describe("choice of the set", () => {
  it("takes two features of the kidney label where the published rule takes three", () => {
    // urine24, crea, artph, bun: mgcv 1.8-41, GCV, k = 10
    const { chosen, equivalents } = chooseModel([
      model([0, 1, 2], 0.89518, 27.365),
      model([0, 1, 3], 0.89803, 27.89),
      model([0, 1, 2, 3], 0.89864, 36.161),
      model([0, 1], 0.89434, 18.993),
      model([0, 3], 0.8391, 18.952),
      model([0], 0.7563, 9.987),
      model([1], 0.489, 9.955),
    ])!;
    expect(chosen.set).toEqual([0, 1]);
    expect(equivalents).toEqual([]);
  });

  it("takes bilirubin alone although further features raise D² a little", () => {
    const models = [model([0, 1, 2, 3, 4], 0.97838, 45.5), model([0, 4], 0.97773, 18.996), model([0], 0.9773, 10)];
    expect(chooseModel(models)!.chosen.set).toEqual([0]);
  });

  it("does not let the edf of superfluous terms decide where D² is 1", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 30, noNaN: true }), { minLength: 3, maxLength: 3 }), (edf) => {
        const full = [
          [0, 1, 2, 3],
          [0, 1, 2, 4],
          [0, 1, 2, 3, 4],
        ].map((set, i) => model(set, 1, edf[i]!));
        const rest = [model([0, 1, 2], 1, 4), model([0, 1, 3, 4], 0.95, 22), model([0, 1], 0.93, 3)];
        expect(chooseModel([...full, ...rest])!.chosen.set).toEqual([0, 1, 2]);
      }),
    );
  });

  it("names sets that do as well, the one with fewer degrees of freedom first", () => {
    const { chosen, equivalents } = chooseModel([model([0], 0.999, 9), model([1], 0.9985, 2), model([0, 1], 1, 11)])!;
    expect(chosen.set).toEqual([1]);
    expect(equivalents.map(({ set }) => set)).toEqual([[0]]);
  });

  it("wants a feature that takes away a fifth of what is unexplained", () => {
    expect(chooseModel([model([0], 0.9, 5), model([0, 1], 0.93, 9)])!.chosen.set).toEqual([0, 1]);
    expect(chooseModel([model([0], 0.9, 5), model([0, 1], 0.91, 9)])!.chosen.set).toEqual([0]);
  });

  it("has no answer where nothing was fitted", () => {
    expect(chooseModel([model([0], Number.NaN, Number.NaN)])).toBeUndefined();
  });
});

describe("search", () => {
  it("lists every non-empty set once", () => {
    expect(new Set(allSets(6).map(String)).size).toBe(63);
  });

  it("finds two of many features best-first with a fraction of the models", async () => {
    const count = MOST_FOR_CORE + 3;
    const rng = makeRng(5);
    const n = 400;
    const x = Array.from({ length: count }, () => Float64Array.from({ length: n }, () => rng.normal()));
    const y = x[3]!.map((value, i) => value + Math.sin(2 * x[9]![i]!));
    const features = x.map(
      (values, j): ModelFeature => ({ name: `f${j}`, column: { kind: "numeric", values }, distinct: n, k: 8 }),
    );
    const frame: ModelFrame = { y, features, family: "gaussian", method: "GCV.Cp", basis: "cr" };
    const { kind, models } = await searchSets({ frame, runner: inlineRunner(), rng });
    expect(kind).toBe("best-first");
    expect(chooseModel(models)!.chosen.set).toEqual([3, 9]);
    expect(models.length).toBeLessThan(150);
  });
});

describe("edf of a search", () => {
  // mgcv 1.8-41, gam(y ~ g + s(x, bs = "cr", k = 8), family = binomial, method = "GCV.Cp"), epsilon 1e-13: 8.40445; without the rows of g: 7.404298
  it("counts a feature that separates two classes as one, whose rows have no weight left", () => {
    const rows = Array.from({ length: 400 }, (_, i) => i);
    const g = Float64Array.from(rows, (i) => Number((i + 1) % 3 === 0));
    const x = Float64Array.from(rows, (i) => i / 399);
    const y = Float64Array.from(rows, (i) =>
      g[i] === 1 ? 1 : Number(Math.sin(7 * x[i]!) + 0.9 * Math.sin(37 * (i + 1)) > 0),
    );
    const score = circularityModelTask.run(
      {
        formula: 'y ~ x0 + s(x1, bs = "cr", k = 8)',
        ...{ y, family: "binomial", method: "GCV.Cp" },
        columns: [
          ["x0", { kind: "numeric", values: g }],
          ["x1", { kind: "numeric", values: x }],
        ],
      },
      makeRng(1),
    );
    expect(score.edf).toBeCloseTo(8.4044, 3);
    expect(score.d2).toBeCloseTo(0.5500341, 5);
  });
});
