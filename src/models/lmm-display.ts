/** How a linear mixed model prints: the random part, the fixed part, and the fit in three lines. */
import type { CellFormat, Display, DisplayTable } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import { coefficientTable, type FieldsOf, rowsSentence } from "./fit.ts";
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
      randomTable(fit),
      {
        ...coefficientTable(fit.coefficients, "t", { confidence: fit.confidence, ownDf: true }),
        caption: "Fixed effects",
      },
    ],
    notes: [ddfNote(fit.ddf)],
  };
}

/** More correlations than this do not fit on a line; the result has them all. */
const MOST_CORRELATIONS = 4;

function randomTable({ variances, residualSd }: FieldsOf<LmmFit>): DisplayTable {
  const most = Math.max(...variances.map(({ names }) => names.length - 1));
  const shown = Math.min(most, MOST_CORRELATIONS);
  const rows = variances.flatMap(({ group, names, sd, cov, corr }) =>
    names.map((name, i): (string | number)[] => [
      i === 0 ? group : "",
      name,
      sd[i]!,
      cov.data[i * (cov.rows + 1)]!,
      ...Array.from({ length: shown }, (_, j) => (j < i ? corr.data[i + j * corr.rows]! : "")),
    ]),
  );
  rows.push(["residual", "", residualSd, residualSd * residualSd, ...Array.from({ length: shown }, () => "")]);
  const head = ["group", "term", "SD", "variance", ...Array.from({ length: shown }, (_, j) => (j === 0 ? "corr" : ""))];
  const formats: CellFormat[] = [
    "text",
    "text",
    "number",
    "number",
    ...Array.from({ length: shown }, () => "number" as const),
  ];
  return { caption: "Random effects", head, formats, rows };
}

function ddfNote(ddf: LmmFit["ddf"]): string {
  if (ddf === "none") return "No degrees of freedom: intervals use the normal distribution, and p is undefined.";
  return ddf === "kenward-roger"
    ? "Standard errors and df after Kenward and Roger."
    : "Degrees of freedom after Satterthwaite.";
}
