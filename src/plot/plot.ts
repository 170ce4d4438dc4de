/** One result → its figures → text of a file. Figures read what a result publishes (`toJSON()`, `--json`), so that a stored result draws what
 *  a fresh one does, and nothing is computed here.
 *  Limits: a kind that has nothing to draw has no figures. */

import { StatError } from "../result/error.ts";
import { renderCsv } from "../result/render/csv.ts";
import { reviveResult } from "../result/result.ts";
import { legendOf, shortNames } from "../result/short-names.ts";
import { layOutStored, readStored } from "../result/stored.ts";
import type { Figure } from "./charts/figure.ts";
import { type LayoutOptions, layoutFigure } from "./charts/layout.ts";
import { sceneToPdf } from "./draw/pdf.ts";
import { type SvgOptions, sceneToSvg } from "./draw/svg.ts";
import { sceneToTikz } from "./draw/tikz.ts";
import { agreementFigures, dawidSkeneFigures } from "./figures/agreement.ts";
import { comparisonFigures } from "./figures/comparison.ts";
import { lrtFigures } from "./figures/distributions.ts";
import { bradleyTerryFigures, describeFigures, effectSizeFigures, totalsFigures } from "./figures/forests.ts";
import { circularityFigures, gamFigures } from "./figures/gam.ts";
import { gateCheckFigures, gateFigures } from "./figures/gates.ts";
import { judgeCheckFigures, judgeCorrectionFigures, judgePlanFigures } from "./figures/judges.ts";
import { emmeansFigures } from "./figures/means.ts";
import { fitFigures, lmFigures, lmmFigures, ordinalFigures, ratingsFigures } from "./figures/models.ts";
import {
  devFigures,
  historyFigures,
  mdeFigures,
  noPriorFigures,
  outputsFigures,
  powerFigures,
  sizeFigures,
} from "./figures/plans.ts";
import { curveFigures, designFigures, seedDesignFigures } from "./figures/power.ts";
import { rankingFigures } from "./figures/ranking.ts";
import { budgetFigures, importanceFigures, reliabilityFigures } from "./figures/reliability.ts";
import { type ReplicatedAbout, type ReplicatedPicture, replicatedData } from "./figures/replications.ts";
import { looksFigures } from "./figures/sequential.ts";
import { surveyFigures } from "./figures/survey.ts";
import { scoreFigures, testFigures } from "./figures/tests.ts";
import { auditFigures, biasFigures, invarianceFigures, metricValidityFigures } from "./figures/validity.ts";

/** By the kind of the result. Each function trusts the JSON to be of its kind, as `reviveResult` does. */
const FIGURES: Readonly<Record<string, (json: never) => Figure[]>> = {
  agreement: agreementFigures,
  audit: auditFigures,
  bias: biasFigures,
  budget: budgetFigures,
  "bradley-terry": bradleyTerryFigures,
  circularity: circularityFigures,
  clm: ordinalFigures,
  clmm: ordinalFigures,
  comparison: comparisonFigures,
  curve: curveFigures,
  "dawid-skene": dawidSkeneFigures,
  describe: describeFigures,
  design: designFigures,
  dev: devFigures,
  "effect-sizes": effectSizeFigures,
  emmeans: emmeansFigures,
  "from-outputs": outputsFigures,
  gam: gamFigures,
  gate: gateFigures,
  "gate-check": gateCheckFigures,
  glm: fitFigures,
  glmm: fitFigures,
  history: historyFigures,
  importance: importanceFigures,
  invariance: invarianceFigures,
  "judge-check": judgeCheckFigures,
  "judge-correction": judgeCorrectionFigures,
  "judge-plan": judgePlanFigures,
  "metric-validity": metricValidityFigures,
  lm: lmFigures,
  lmm: lmmFigures,
  looks: looksFigures,
  lrt: lrtFigures,
  mde: mdeFigures,
  "no-prior": noPriorFigures,
  power: powerFigures,
  ranking: rankingFigures,
  ratings: ratingsFigures,
  reliability: reliabilityFigures,
  replicate: replicateFigures,
  score: scoreFigures,
  "seed-design": seedDesignFigures,
  size: sizeFigures,
  survey: surveyFigures,
  test: testFigures,
  totals: totalsFigures,
};

/** Published figures redrawn: those of library results by their own kind. */
function replicateFigures({
  results,
}: {
  readonly results: readonly (ReplicatedAbout & { readonly pictures?: readonly ReplicatedPicture[] })[];
}): Figure[] {
  return results.flatMap(({ pictures = [], ...about }) =>
    pictures.flatMap((picture): Figure[] => {
      if (picture.kind !== "result") return replicatedData(picture, about);
      const figures = FIGURES[String(picture.result["kind"])]?.(picture.result as never) ?? [];
      return figures.map((own) => ({
        ...own,
        name: `${about.id}-${picture.name}-${own.name}`,
        subtitle: `${about.where}, ${picture.name}. ${own.subtitle}`,
      }));
    }),
  );
}

/** Kinds that may have figures. */
export const PLOTTED_KINDS: readonly string[] = Object.keys(FIGURES);

/** All figures of a result, the most important first; empty where there is nothing to draw. */
export function plotResult(result: { toJSON(): object }): Figure[] {
  return plotJson(result.toJSON());
}

/** The same of a stored result: the object or text that `toJSON()` or `--json` gave. */
export function plotJson(json: unknown): Figure[] {
  const revived = reviveResult(json);
  const make = FIGURES[revived.kind];
  return make === undefined ? [] : readStored(revived, (own) => drawable(withShortNames(make, own)));
}

/** Long names of systems leave no room for the drawing, and look alike where they are cut: short ones are drawn, with a legend. The data and
 *  the description keep the names. */
function withShortNames(make: (json: never) => Figure[], json: unknown): Figure[] {
  const full = make(json as never);
  const short = shortNames(systemsIn(json));
  if (short.size === 0) return full;
  return make(renamed(json, short) as never).map((figure, i) => {
    const used = [...short].filter(([name]) => JSON.stringify(full[i]).includes(JSON.stringify(name).slice(1, -1)));
    const { data, description } = full[i]!;
    const legend = used.length === 0 ? "" : `. ${legendOf(new Map(used))}`;
    return { ...figure, data, description, subtitle: `${figure.subtitle}${legend}` };
  });
}

/** Names of systems, wherever a result of several systems has them. */
function systemsIn(json: unknown): string[] {
  const { systems = [], pairs = [] } = json as { readonly systems?: unknown; readonly pairs?: unknown };
  const own = (value: unknown, keys: readonly string[]): unknown[] =>
    Array.isArray(value)
      ? value.flatMap((one: unknown) =>
          typeof one === "object" && one !== null ? keys.map((key) => (one as Record<string, unknown>)[key]) : [one],
        )
      : [];
  const found = [...own(systems, ["name", "system"]), ...own(pairs, ["a", "b"])];
  return [...new Set(found.filter((name) => typeof name === "string"))];
}

/** Texts and keys that are a name, at any depth. */
function renamed(value: unknown, short: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return short.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one: unknown) => renamed(one, short));
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [short.get(key) ?? key, renamed(own, short)]));
}

/** Numbers and names of a stranger's result may be anything. */
function drawable(figures: Figure[]): Figure[] {
  const cells: unknown[] = figures.flatMap(({ data }) => data.rows.flat());
  const odd = cells.find((cell) => !/^(string|number|undefined)$/.test(typeof cell));
  if (odd !== undefined) throw new TypeError(`${odd === null ? "null" : typeof odd} where a number is drawn`);
  const words = figures.flatMap(({ title, subtitle, description, data }) => [title, subtitle, description, data.head]);
  const other = words.flat().find((word) => typeof word !== "string");
  if (other !== undefined) throw new TypeError(`${other === null ? "null" : typeof other} where a name is drawn`);
  return figures;
}

export type PlotOptions = LayoutOptions &
  SvgOptions & {
    /** Prefix of ids, unique on a page. */
    readonly id?: string;
  };

export function renderSvg(figure: Figure, options: PlotOptions = {}): string {
  const { title, description, name } = figure;
  const text = { title, description, id: `${options.id ?? "gosset"}-${name}`, data: figureCsv(figure) };
  return layOutStored(() => sceneToSvg(layoutFigure(figure, options), text, options));
}

export const renderPdf = (figure: Figure, options: LayoutOptions = {}): Uint8Array =>
  layOutStored(() => sceneToPdf(layoutFigure(figure, options), figure));

/** For a paper: the caption says title and subtitle there. */
export const renderTikz = (figure: Figure, options: LayoutOptions = {}): string =>
  layOutStored(() => sceneToTikz(layoutFigure(figure, { width: 600, bare: true, ...options }), figure));

/** The data of a figure; full precision. */
export const figureCsv = ({ data, title }: Figure): string =>
  renderCsv({ title, tables: [{ head: data.head, rows: data.rows }], notes: [] }).replaceAll("\r\n", "\n");

/** The figure of that name, or the first. */
export function chooseFigure(figures: readonly Figure[], name?: string): Figure {
  const found = name === undefined ? figures[0] : figures.find((figure) => figure.name === name);
  if (found !== undefined) return found;
  const names = figures.map((figure) => figure.name).join(", ");
  throw figures.length === 0
    ? new StatError(
        "NoPlot",
        "this result has nothing to draw.",
        "curves, comparisons, models and reliability have plots.",
      )
    : new StatError("NoPlot", `there is no plot "${name}" of this result.`, `choose one of ${names}.`);
}
