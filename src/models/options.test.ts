/** Options of the fits: a name that a fit does not know is refused, and not ignored. */
import { expect, it } from "vitest";
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

it.each(Object.entries({ fitLm, fitGlm, fitLmm, fitGlmm, fitClm, fitClmm, fitOrdinal, fitGam }))(
  "%s refuses an option that it does not have",
  (name, fit) => {
    const wrong = { confidense: 0.9 } as object;
    expect(() => fit("y ~ g", table, wrong)).toThrow(new RegExp(`there is no option \`confidense\` of ${name}`));
  },
);

it("fitLmm has no option reml", () => {
  expect(() => fitLmm("y ~ 1 + (1 | g)", table, { reml: false } as object)).toThrow(/there is no option `reml`/);
});
