/** The reference cases of mgcv, and the additive models behind the liver, kidney and patent examples of Riezler & Hagmann. */

import { describe, expect, it } from "vitest";
import {
  expectAsMgcv,
  expectLikelihoodDf,
  expectPredictions,
  fitCase,
  type GamCase,
  gamTable,
} from "../../../test/support/gam.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";

/** The target is an exact function of the covariates: only D² and the fitted values mean anything. */
const EXACT = "circular-target-cr-REML";

describe("mgcv's reference cases", () => {
  const reference = readReference<GamCase>("gam.json");
  for (const one of reference.cases) {
    it(one.id, () => {
      const fit = fitCase(referenceTable(reference, one.input.data), one);
      if (one.id === EXACT) {
        expect(fit.devianceExplained).toBeCloseTo(1, 12);
        return;
      }
      expectAsMgcv(fit, one);
      if (one.input["engine"] === "gam") expectLikelihoodDf(fit, one);
      const { newdata } = one.expected.predictions;
      const columns = reference.datasets[one.input.data]!.columns;
      const given = Object.fromEntries(Object.keys(newdata).map((name) => [name, columns[name]!]));
      expectPredictions(fit, gamTable(newdata, given), one);
    });
  }
});
