import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { makeTable, numericColumn } from "../../data/table.ts";
import { fitGam } from "./gam.ts";

interface RoundingCase {
  readonly x: readonly string[];
  readonly y: readonly number[];
  readonly k: number;
  readonly distinct: number;
  readonly knots: number;
  readonly gcv: number;
  readonly edf: number;
  readonly deviance: number;
}

const { cases }: { cases: RoundingCase[] } = JSON.parse(
  readFileSync(new URL("../../../oracle/r/basis-rounding.json", import.meta.url), "utf8"),
);

describe("values that differ by rounding only (mgcv)", () => {
  it("are there, and some of them fall together once centred", () => {
    expect(cases.some(({ knots, distinct }) => knots < distinct)).toBe(true);
    for (const { x, distinct } of cases) expect(new Set(x.map(Number)).size).toBe(distinct);
  });

  it.each(cases.map((one): [string, RoundingCase] => [`${one.distinct} values, ${one.knots} centers`, one]))(
    "%s: the fit at a given smoothing parameter",
    (_, { x, y, k, gcv, edf, deviance }) => {
      const table = makeTable([
        ["x", numericColumn(x.map(Number))],
        ["y", numericColumn(y)],
      ]);
      const fit = fitGam(`y ~ s(x, k = ${k}, sp = 0.01)`, table, { method: "GCV.Cp" });
      expectClose([fit.criterion.value, fit.edf, fit.deviance], [gcv, edf, deviance], {
        tolerance: 1e-8,
        label: "GCV, edf, deviance",
      });
    },
  );
});
