/** Type III F tests of every fixed term of a mixed model, with the degrees of freedom that the fit was told to use.
 *  Reference: Kuznetsova, Brockhoff & Christensen (2017), J. Stat. Softw. 82(13); contrasts in type3.ts.
 *  Oracle:    anova(type = 3) of lmerTest (R), ddf "Satterthwaite" and "Kenward-Roger". */

import { kenwardRogerF, prepareKenwardRoger } from "../../models/lmm/kenward-roger.ts";
import type { LmmFit } from "../../models/lmm/lmm.ts";
import { reopenLmm } from "../../models/lmm/lmm.ts";
import { prepareSatterthwaite, satterthwaiteF } from "../../models/lmm/satterthwaite.ts";
import { StatError } from "../../result/error.ts";
import { type TermTest, type3Tests } from "./type3.ts";

export function type3Lmm(fit: LmmFit): TermTest[] {
  if (fit.ddf === "none") {
    throw new StatError(
      "NoDf",
      'F tests need degrees of freedom, and the model was fitted with ddf "none".',
      "Use satterthwaite or kenward-roger.",
    );
  }
  const { problem, solution } = reopenLmm(fit);
  if (fit.ddf === "kenward-roger") {
    const prepared = prepareKenwardRoger(problem, solution);
    return type3Tests(fit.design, fit.kept, (L) => kenwardRogerF(prepared, L));
  }
  const prepared = prepareSatterthwaite(problem, solution);
  return type3Tests(fit.design, fit.kept, (L) => satterthwaiteF(prepared, L));
}
