/** How a linear mixed model prints: the random part, the fixed part, and the fit in three lines. */
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { coefficientTable, type FieldsOf, rowsSentence } from "../fit.ts";
import { randomTable } from "../random/parts.ts";
import type { LmmFit } from "./lmm.ts";

export function displayLmm(fit: FieldsOf<LmmFit>): Display {
  const groups = fit.groups.map(({ group, levels }) => `${levels} ${group}`).join(", ");
  const statistic = (value: number): string => formatNumber(value, "statistic");
  return {
    title: `Linear mixed model (${fit.criterion}): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Levels: ${groups}.`,
      `${fit.criterion === "REML" ? "REML criterion" : "Deviance"} ${statistic(fit.deviance)}, log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      `R² ${formatNumber(fit.rSquared.marginal)} by the fixed effects, ${formatNumber(fit.rSquared.conditional)} with the random effects.`,
    ],
    tables: [
      randomTable(fit.variances, fit.residualSd),
      {
        ...coefficientTable(fit.coefficients, "t", { confidence: fit.confidence, ownDf: true }),
        caption: "Fixed effects",
      },
    ],
    notes: [ddfNote(fit.ddf)],
  };
}

function ddfNote(ddf: LmmFit["ddf"]): string {
  if (ddf === "none") return "No degrees of freedom: intervals use the normal distribution, and p is undefined.";
  return ddf === "kenward-roger"
    ? "Standard errors and df after Kenward and Roger."
    : "Degrees of freedom after Satterthwaite.";
}
