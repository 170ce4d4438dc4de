/** How a linear mixed model prints (the random part, the fixed part, and the fit in three lines), and its JSON. */

import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Published } from "../../result/result.ts";
import { coefficientTable, type FieldsOf, rowsSentence } from "../fit.ts";
import { fitJson, type MixedFitJson, type ProfileJson } from "../json.ts";
import { randomJson, randomTable } from "../random/parts.ts";
import type { BootstrapInterval } from "./bootstrap.ts";
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

export interface LmmJson extends MixedFitJson<"lmm"> {
  readonly method: LmmFit["criterion"];
  readonly ddf: LmmFit["ddf"];
  readonly sigma: number;
  readonly residualSd: number;
  readonly rSquared: LmmFit["rSquared"];
  readonly optimum: LmmFit["optimum"];
  /** Type III F tests. */
  readonly terms?: readonly TermTestJson[];
  readonly profile?: readonly ProfileJson[];
  readonly bootstrap?: BootstrapJson;
  readonly modes?: readonly ModeJson[];
}

/** The F test of one term. */
interface TermTestJson {
  readonly term: string;
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

interface BootstrapJson {
  readonly replicates: number;
  readonly singular: number;
  readonly notConverged: number;
  readonly intervals: readonly BootstrapInterval[];
}

/** A conditional mode (BLUP) with its conditional SD. */
interface ModeJson {
  readonly group: string;
  readonly level: string;
  readonly term: string;
  readonly mode: number;
  readonly sd: number;
}

export function lmmJson(fit: FieldsOf<LmmFit>): Published<LmmJson> {
  return {
    ...fitJson(fit),
    method: fit.criterion,
    ddf: fit.ddf,
    deviance: fit.deviance,
    sigma: fit.residualSd,
    theta: Array.from(fit.theta),
    thetaNames: fit.thetaNames,
    random: randomJson(fit.variances),
    residualSd: fit.residualSd,
    rSquared: fit.rSquared,
    optimum: fit.optimum,
    singular: fit.singular,
  };
}
