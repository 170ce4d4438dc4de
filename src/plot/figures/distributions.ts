/** Histograms and densities: effects of simulated experiments (Card et al. 2020, Fig. 1), a statistic under the null hypothesis with its
 *  critical region (Riezler & Hagmann, Fig. 4.1-4.3), and the latent scale of ratings with its thresholds (Howcroft & Rieser, Fig. 1). */

import type { MarkedBin } from "../../numeric/histogram.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { RatingSummaryJson } from "../../significance/means/ratings.ts";
import type { LrtJson } from "../../significance/nested/nested.ts";
import type { TestJson } from "../../significance/test-result.ts";
import { CATEGORIES, type Figure, type PanelMark } from "../charts/figure.ts";
import { capital, formatP, join, percentOf, say, titled } from "./words.ts";

type Bars = Extract<PanelMark, { mark: "bars" }>["bars"];

/** The unmarked part of each bin below, the marked part standing on it. */
function stackedBars(bins: readonly MarkedBin[]): readonly [rest: Bars, marked: Bars] {
  return [
    bins.map(({ from, to, count, marked }) => ({ from, to, high: count - marked })),
    bins.map(({ from, to, count, marked }) => ({ from, to, low: count - marked, high: count })),
  ];
}

const binRows = (bins: readonly MarkedBin[]): Figure["data"]["rows"] =>
  bins.map(({ from, to, count, marked }) => [from, to, count, marked]);

interface Simulated {
  readonly effects: readonly MarkedBin[];
  readonly effect: number;
  readonly power: number;
  readonly typeM: number;
  readonly typeS: number;
  readonly title: string;
  readonly alpha: number;
}

/** What is found where something is found: too large. */
export function simulatedEffects({ effects, effect, power, typeM, typeS, title, alpha }: Simulated): Figure[] {
  // a claim about a margin has no effect that experiments find
  if (effects.length < 2 || !Number.isFinite(typeM)) return [];
  const drawn = effects.reduce((sum, { count }) => sum + count, 0);
  const significant = effects.reduce((sum, { marked }) => sum + marked, 0);
  const [rest, marked] = stackedBars(effects);
  const exaggerates = Number.isFinite(typeM) && typeM > 1.005;
  const mean = typeM * effect;
  const wrong = typeS > 0.0005 ? `; ${percentOf(typeS, 1)} of them have the wrong sign` : "";
  const far = exaggerates ? `${say(Number(typeM.toFixed(2)))} times too large on average` : "of about the right size";
  return [
    {
      name: "effects",
      title: `${percentOf(power)} of experiments find the difference; those that do show it ${far}`,
      subtitle: `${capital(title)}: differences in ${say(drawn)} simulated experiments; filled: significant at ${say(alpha)}`,
      description: `Of ${say(drawn)} simulated experiments ${say(significant)} are significant. The true difference is ${say(effect)}; the mean size of significant ones is ${say(Number(typeM.toFixed(3)))} times that${wrong}.`,
      chart: {
        kind: "panels",
        x: { title: "difference found", format: "signed" },
        y: { title: "experiments" },
        panels: [
          {
            marks: [
              { mark: "bars", bars: rest, tone: "k0" },
              { mark: "bars", bars: marked, tone: "k1", strong: true },
              { mark: "rule", axis: "x", at: 0, style: "lead" },
              { mark: "rule", axis: "x", at: effect, style: "zero", label: `true ${say(effect)}` },
              ...(exaggerates
                ? [
                    {
                      mark: "rule",
                      axis: "x",
                      at: mean,
                      style: "ref",
                      label: `significant: ${say(Number(mean.toPrecision(3)))}`,
                      over: true,
                    } as const,
                  ]
                : []),
            ],
          },
        ],
      },
      data: { head: ["from", "to", "experiments", "significant"], rows: binRows(effects) },
    },
  ];
}

/** Where the statistic would lie if the null hypothesis held, and what was seen. */
export function resampledFigure(json: TestJson): Figure[] {
  const { series, statistic, statisticName, p, method, ci, exact, replicates } = json;
  const bins = series?.resampled ?? [];
  if (bins.length < 2) return [];
  const drawn = bins.reduce((sum, { count }) => sum + count, 0);
  const [rest, marked] = stackedBars(bins);
  const [lower, upper] = series?.critical ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const ends = [
    Math.min(leastOf(bins.map(({ from }) => from)), statistic),
    Math.max(mostOf(bins.map(({ to }) => to)), statistic),
  ];
  const air = 0.04 * (ends[1]! - ends[0]!);
  const domain = [ends[0]! - air, ends[1]! + air] as const;
  const zones: PanelMark[] = [
    ...(Number.isFinite(lower) ? [{ mark: "zone", axis: "x", from: domain[0], to: lower } as const] : []),
    ...(Number.isFinite(upper) ? [{ mark: "zone", axis: "x", from: upper, to: domain[1] } as const] : []),
  ];
  const outside = statistic < lower || statistic > upper;
  // p may rest on all arrangements, or on fewer draws
  const drawnAnew = exact === true || (replicates !== undefined && replicates !== drawn);
  const draws = `${drawnAnew ? "the picture has " : ""}${say(drawn)} draws`;
  return [
    {
      name: "resampled",
      title: `${titled(statisticName)} of ${say(statistic)} against what chance gives under the null hypothesis: ${formatP(p)}`,
      subtitle: `${method}; ${draws} under the null hypothesis, filled: at least as far out as what was seen; shaded: the critical region of ${say(Number((1 - ci.level).toPrecision(6)))}`,
      description: `The observed ${statisticName} is ${say(statistic)}, ${outside ? "within" : "outside"} the critical region (${[
        lower,
        upper,
      ]
        .filter(Number.isFinite)
        .map((own) => say(own))
        .join(" and ")}); ${formatP(p)}.`,
      chart: {
        kind: "panels",
        x: { title: statisticName, format: "signed", domain },
        y: { title: "draws" },
        panels: [
          {
            marks: [
              ...zones,
              { mark: "bars", bars: rest, tone: "k0" },
              { mark: "bars", bars: marked, tone: "k1", strong: true },
              { mark: "rule", axis: "x", at: statistic, style: "zero", label: `observed ${say(statistic)}` },
            ],
          },
        ],
      },
      data: { head: ["from", "to", "draws", "as far out"], rows: binRows(bins) },
    },
  ];
}

/** Two nested models: where the statistic would lie if the smaller one held. */
export function lrtFigures({ series, models, compared }: LrtJson): Figure[] {
  if (series === undefined) return [];
  const { statistic, observed, critical, p, law, density } = series;
  const clear = observed > critical;
  // less than rounding leaves is nothing
  const seenAs = say(Math.abs(observed) < 1e-9 ? 0 : Number(observed.toPrecision(4)));
  // a density that rises without bound at 0 is cut where it says nothing of the tail
  const seen = density.filter(([x]) => x > 0.1 * critical).map(([, d]) => d);
  const [most, first] = [mostOf(seen), density[0]![1]];
  const top = first <= 2 * most ? 1.05 * Math.max(first, most) : 1.15 * most;
  const beyond = [[critical, heightAt(density, critical)] as const, ...density.filter(([x]) => x > critical)];
  return [
    {
      name: "statistic",
      title: clear
        ? `What the larger model adds is more than chance gives: ${formatP(p)}`
        : `What the larger model adds is what chance may give: ${formatP(p)}`,
      subtitle: `Nested ${compared}: ${models[0].formula} within ${models[1].formula}; curve: ${law}, filled: its upper 5 %`,
      description: `The statistic is ${seenAs}; under the smaller model (${law}) 5 percent lie above ${say(Number(critical.toPrecision(4)))}; ${formatP(p)}.`,
      chart: {
        kind: "panels",
        x: { title: statistic, domain: [0, density.at(-1)![0]] },
        y: { title: "density", domain: [0, top] },
        height: 200,
        panels: [
          {
            marks: [
              { mark: "band", points: beyond.map(([x, d]) => [x, 0, d]), tone: "k1", strong: true },
              { mark: "line", points: density.filter(([, d]) => d <= top), tone: "k0" },
              {
                mark: "rule",
                axis: "x",
                at: critical,
                style: "ref",
                label: `5 %: ${say(Number(critical.toPrecision(3)))}`,
              },
              {
                mark: "rule",
                axis: "x",
                at: observed,
                style: "zero",
                label: `observed ${seenAs}`,
              },
            ],
          },
        ],
      },
      data: { head: [statistic, "density"], rows: density.map(([x, d]) => [x, d]) },
    },
  ];
}

/** Of a curve between its points, so that what is filled begins at the line that says where. */
function heightAt(curve: readonly (readonly [x: number, height: number])[], at: number): number {
  const next = curve.findIndex(([x]) => x >= at);
  const [[x0, y0], [x1, y1]] = [curve[Math.max(0, next - 1)]!, curve[next]!];
  return x1 > x0 ? y0 + ((y1 - y0) * (at - x0)) / (x1 - x0) : y1;
}

/** Where each system lies on the scale behind the ratings, and where one rating ends and the next begins. */
export function latentFigure(
  { by, systems, series }: RatingSummaryJson["factors"][number],
  response: string,
): Figure[] {
  if (series === undefined || systems.length > CATEGORIES.length) return [];
  const { thresholds, categories, densities } = series;
  const sorted = [...densities]
    .map((own, s) => ({ ...own, latent: systems[s]!.latent }))
    .sort((a, b) => b.latent - a.latent);
  const all = densities.flatMap(({ points }) => points.map(([x]) => x));
  const [low, high] = [leastOf(all), mostOf(all)];
  const top = mostOf(densities.flatMap(({ points }) => points.map(([, d]) => d)));
  const edges = [low, ...thresholds, high];
  const lines = sorted.flatMap(({ level, points }): PanelMark[] => {
    const look = CATEGORIES[systems.findIndex((own) => own.level === level)]!;
    return [{ mark: "line", points, tone: look.tone, ...(look.dash === undefined ? {} : { dash: look.dash }) }];
  });
  return [
    {
      name: `latent-${by}`,
      title: `${response} as cut from a scale: ${sorted[0]!.level} lies highest, ${sorted.at(-1)!.level} lowest`,
      subtitle: `How ratings of each ${by} spread on the latent scale of the model; dashed: thresholds between the ratings`,
      description: `Places on the latent scale: ${sorted.map(({ level, latent }) => `${level} ${say(Number(latent.toFixed(2)))}`).join(", ")}; thresholds at ${join(thresholds.map((own) => say(Number(own.toFixed(2)))))}.`,
      chart: {
        kind: "panels",
        x: { title: "latent scale (units of the error distribution)", domain: [low, high], format: "signed" },
        y: { title: "density", domain: [0, 1.2 * top] },
        legend: systems.map(({ level }, s) => ({
          name: level,
          tone: CATEGORIES[s]!.tone,
          ...(CATEGORIES[s]!.dash === undefined ? {} : { dash: CATEGORIES[s]!.dash! }),
        })),
        panels: [
          {
            marks: [
              ...thresholds.map((at): PanelMark => ({ mark: "rule", axis: "x", at, style: "ref" })),
              ...lines,
              ...categories.map(
                (text, k): PanelMark => ({
                  mark: "label",
                  at: [(edges[k]! + edges[k + 1]!) / 2, 1.2 * top],
                  text,
                  anchor: "middle",
                  bold: true,
                  dy: 12,
                }),
              ),
            ],
          },
        ],
      },
      data: {
        head: [by, "x", "density"],
        rows: densities.flatMap(({ level, points }) => points.map(([x, d]) => [level, x, d])),
      },
    },
  ];
}
