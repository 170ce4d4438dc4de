/** Options of the fits: a name that a fit does not know is refused, and not ignored. */
import { describe, expect, it } from "vitest";
import { makeTable, numericColumn } from "../data/table.ts";
import { fitGam } from "./gam/gam.ts";
import { fitGlm } from "./glm/glm.ts";
import { fitGlmm } from "./glmm/glmm.ts";
import { fitLm } from "./lm/lm.ts";
import { fitLmm } from "./lmm/lmm.ts";
import { fitClm } from "./ordinal/clm.ts";
import { fitClmm } from "./ordinal/clmm.ts";
import { fitOrdinal } from "./ordinal/structured.ts";

const table = makeTable([
  ["y", numericColumn([1, 2, 3, 2, 1, 3])],
  ["g", numericColumn([1, 1, 2, 2, 3, 3])],
]);

describe.each([fitLm, fitGlm, fitLmm, fitGlmm, fitClm, fitClmm, fitOrdinal, fitGam])("$name", (fit) => {
  it("refuses an option that it does not have, and names the one that was meant", () => {
    const wrong = { confidense: 0.9 } as object;
    expect(() => fit("y ~ g", table, wrong)).toThrow(
      /there is no option `confidense` of fit\w+\..*Did you mean `confidence`/s,
    );
  });
});

it("fitLmm has no option reml", () => {
  expect(() => fitLmm("y ~ 1 + (1 | g)", table, { reml: false } as object)).toThrow(/there is no option `reml`/);
});
