import { expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { fitLm } from "../models/lm/lm.ts";
import { makeRng } from "../numeric/rng.ts";
import { spreadOfMean } from "./mean-spread.ts";

/** The closed form against the general CR2 of a regression on a constant. */
it.each([
  [40, 8],
  [60, 3],
  [25, 25],
  [90, 17],
])("clustered spread of %d items in %d clusters is that of fitLm", (n, groups) => {
  const rng = makeRng(n);
  const values = Float64Array.from({ length: n }, () => rng.normal());
  // every cluster occurs, in unequal sizes
  const clusters = Int32Array.from({ length: n }, (_, i) => (i < groups ? i : Math.floor(rng.uniform() ** 2 * groups)));
  const table = makeTable([
    ["d", numericColumn(values)],
    ["g", factorColumn(Array.from(clusters, (code) => `c${code}`))],
  ]);
  const expected = fitLm("d ~ 1", table, { cluster: "g" }).coefficients[0]!;
  const { se, df } = spreadOfMean(values, clusters);
  expect(se / expected.se).toBeCloseTo(1, 11);
  expect(df / expected.df).toBeCloseTo(1, 9);
});
