/** The screen of pairs: what a sum of two step functions explains does not count, what only both features together explain does. */
import { describe, expect, it } from "vitest";
import { numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { interactionGain, strongestPairs } from "./interaction.ts";
import type { ModelFrame } from "./powerset-model.ts";

describe("interaction gain", () => {
  const bins = Int32Array.from({ length: 360 }, (_, i) => i % 6);
  const other = Int32Array.from({ length: 360 }, (_, i) => Math.floor(i / 6) % 6);

  it("is nothing for a sum, and the whole sum of squares for a product of centred scores", () => {
    const sum = Float64Array.from(bins, (a, i) => 3 * a - other[i]!);
    expect(interactionGain(sum, bins, other)).toBeCloseTo(0, 8);
    const product = Float64Array.from(bins, (a, i) => (a - 2.5) * (other[i]! - 2.5));
    const squares = product.reduce((total, value) => total + value ** 2, 0);
    expect(interactionGain(product, bins, other)).toBeCloseTo(squares, 8);
  });
});

describe("strongest pairs", () => {
  it("finds the product among fifteen pairs, each feature of which says nothing alone", () => {
    const rng = makeRng("pairs");
    const x = Array.from({ length: 6 }, () => Float64Array.from({ length: 400 }, () => rng.normal()));
    const frame: ModelFrame = {
      y: x[2]!.map((value, i) => value * x[5]![i]! + 0.3 * rng.normal()),
      features: x.map((values, j) => ({ name: `x${j}`, column: numericColumn(values), distinct: 400, k: 5 })),
      family: "gaussian",
      method: "GCV.Cp",
      basis: "cr",
    };
    const pairs = x.flatMap((_, a) => x.slice(a + 1).map((_, k): [number, number] => [a, a + 1 + k]));
    expect(strongestPairs(frame, pairs, 1)).toEqual([[2, 5]]);
  });
});
