/** How an additive model reads in a terminal: what was fitted, how well, the parametric part, and one line per smooth;
 *  and its JSON. */

import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import type { Published } from "../../result/result.ts";
import { FAMILIES } from "../family.ts";
import { coefficientTable, type FieldsOf, rowsSentence } from "../fit.ts";
import { fitJson, NOTHING_RANDOM, type RegressionJson } from "../fit-json.ts";
import type { GamFit, GamTerm } from "./gam.ts";
import type { GamShape } from "./shapes.ts";

/** Characters of a curve drawn in a table. */
const WIDTH = 20;
const BARS = "▁▂▃▄▅▆▇█";

export function displayGam(fit: FieldsOf<GamFit>): Display {
  const known = FAMILIES[fit.family].knownDispersion;
  const statistic = (value: number): string => formatNumber(value, "statistic");
  const tables: DisplayTable[] = [];
  if (fit.coefficients.length > 0) {
    tables.push({
      caption: "Parametric terms",
      ...coefficientTable(fit.coefficients, known ? "z" : "t", { confidence: fit.confidence, ownDf: false }),
    });
  }
  if (fit.smooths.length > 0) tables.push(smoothTable(fit, known ? "χ²" : "F"));
  const curves = fit.shapes.some(({ kind }) => kind === "curve");
  return {
    title: `Additive model (${fit.family}, ${fit.link} link): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Deviance explained ${formatNumber(100 * fit.devianceExplained)}%, R² (adjusted) ${formatNumber(fit.adjustedRSquared)}.`,
      `Smoothing by ${fit.method}: ${fit.criterion.name} ${statistic(fit.criterion.value)}; ${formatNumber(fit.edf, "df")} effective degrees of freedom${known ? "" : `, scale ${formatNumber(fit.scale)}`}.`,
      `Log-likelihood ${statistic(fit.logLik)} on ${formatNumber(fit.df, "df")} df, AIC ${statistic(fit.aic)}.`,
    ],
    tables,
    notes: curves ? ["Curves run over the range of the covariate, each on its own height."] : [],
  };
}

function smoothTable(fit: FieldsOf<GamFit>, statistic: string): DisplayTable {
  const drawn = new Map(
    fit.shapes.filter(({ kind }) => kind === "curve").map((shape) => [shape.term, sparkline(shape)]),
  );
  return {
    caption: "Smooth terms",
    head: ["term", "edf", "ref. df", statistic, "p", ...(drawn.size > 0 ? ["shape"] : [])],
    formats: ["text", "df", "df", "statistic", "p", ...(drawn.size > 0 ? (["text"] as const) : [])],
    rows: fit.smooths.map(({ term, edf, refDf, statistic: value, p }) => [
      term,
      edf,
      refDf,
      value,
      p,
      ...(drawn.size > 0 ? [drawn.get(term) ?? ""] : []),
    ]),
  };
}

/** The curve in eight heights; a flat one stays at the bottom. */
function sparkline({ effect, se }: GamShape): string {
  const low = effect.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = effect.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const noise = se.reduce((a, b) => Math.max(a, b), 0);
  const span = high - low;
  if (!(span > 1e-6 * noise)) return BARS[0]!.repeat(WIDTH);
  return Array.from({ length: WIDTH }, (_, c) => {
    const at = Math.round((c * (effect.length - 1)) / (WIDTH - 1));
    return BARS[Math.min(BARS.length - 1, Math.floor(((effect[at]! - low) / span) * BARS.length))]!;
  }).join("");
}

export interface GamJson extends RegressionJson<"gam"> {
  readonly method: GamFit["method"];
  readonly family: GamFit["family"];
  readonly link: GamFit["link"];
  readonly criterion: GamFit["criterion"];
  readonly nullDeviance: number;
  readonly devianceExplained: number;
  readonly adjustedRSquared: number;
  readonly edf: number;
  readonly scale: number;
  readonly smooths: readonly SmoothJson[];
  readonly shapes: readonly ShapeJson[];
  readonly iterations: number;
}

/** One value of `sp` and `edge`, or one for each penalty. */
export interface SmoothJson {
  readonly term: string;
  readonly edf: number;
  readonly refDf: number;
  readonly statistic: number;
  readonly p: number;
  readonly sp: number | readonly number[];
  readonly edge: GamTerm["edges"][number] | GamTerm["edges"];
  readonly columns: number;
}

/** A fitted curve with its band, for plots. */
export interface ShapeJson {
  readonly term: string;
  readonly kind: GamShape["kind"];
  readonly at: { readonly [covariate: string]: readonly (number | string)[] };
  readonly effect: readonly number[];
  readonly se: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly rug?: readonly number[];
  readonly points?: readonly (readonly [number, number])[];
}

export function gamJson(fit: FieldsOf<GamFit>): Published<GamJson> {
  return {
    ...fitJson(fit),
    ...NOTHING_RANDOM,
    method: fit.method,
    family: fit.family,
    link: fit.link,
    criterion: fit.criterion,
    deviance: fit.deviance,
    nullDeviance: fit.nullDeviance,
    devianceExplained: fit.devianceExplained,
    adjustedRSquared: fit.adjustedRSquared,
    edf: fit.edf,
    dfResidual: fit.residualDf,
    sigma: Math.sqrt(fit.scale),
    scale: fit.scale,
    smooths: fit.smooths.map(smoothJson),
    shapes: fit.shapes.map(shapeJson),
    iterations: fit.iterations,
  };
}

function smoothJson({ term, edf, refDf, statistic, p, sp, edges, size }: GamTerm): SmoothJson {
  const [one, edge] = [sp[0]!, edges[0]!];
  return {
    term,
    edf,
    refDf,
    statistic,
    p,
    sp: sp.length === 1 ? one : sp,
    edge: edges.length === 1 ? edge : edges,
    columns: size,
  };
}

function shapeJson({ term, kind, at, effect, se, lower, upper, rug, points }: GamShape): ShapeJson {
  return {
    term,
    kind,
    at: Object.fromEntries(at.map(({ name, values }) => [name, values])),
    effect: Array.from(effect),
    se: Array.from(se),
    lower: Array.from(lower),
    upper: Array.from(upper),
    ...present({ rug, points }),
  };
}
