/** Figures of published work redrawn: curves with the printed values beside ours, and a leaderboard by time. What a library result draws
 *  is drawn by its own kind. */
import { mostOf } from "../../result/extremes.ts";
import { CATEGORIES, type Figure, type Panel, type PanelMark } from "../charts/figure.ts";
import {
  publishedBoxes,
  publishedMeans,
  publishedScatter,
  type ReplicatedBoxes,
  type ReplicatedMeans,
  type ReplicatedScatter,
  rangeOf,
} from "./published.ts";
import {
  publishedDistributions,
  publishedShapes,
  type ReplicatedDistributions,
  type ReplicatedShapes,
} from "./published-laws.ts";
import { count, join, percentOf, say, titled } from "./words.ts";

/** One curve of a figure is the points of one panel and one line. */
export interface ReplicatedCurves {
  readonly kind: "curves";
  readonly name: string;
  readonly x: string;
  readonly y: string;
  /** Shares between 0 and 1. */
  readonly percent: boolean;
  readonly points: readonly {
    readonly panel: string;
    readonly line: string;
    readonly x: number;
    readonly ours: number;
    /** Monte-Carlo standard error. */
    readonly se?: number;
    readonly printed?: number;
  }[];
}

/** Submissions in order of time, and the record that each was held against. */
export interface ReplicatedTimeline {
  readonly kind: "timeline";
  readonly name: string;
  readonly y: string;
  readonly steps: readonly {
    readonly index: number;
    readonly score: number;
    readonly record: boolean;
    /** Better by enough to be shown on the test set. */
    readonly significant: boolean;
  }[];
}

/** Beside the JSON of a result, which its own kind draws. */
export type ReplicatedPicture =
  | ReplicatedCurves
  | ReplicatedTimeline
  | ReplicatedScatter
  | ReplicatedBoxes
  | ReplicatedMeans
  | ReplicatedShapes
  | ReplicatedDistributions
  | { readonly kind: "result"; readonly name: string; readonly result: { readonly [field: string]: unknown } };

/** What is said of the published result. */
export interface ReplicatedAbout {
  readonly id: string;
  readonly where: string;
  readonly shows: string;
}

/** Figures of data that no library result draws. */
export function replicatedData(
  picture: Exclude<ReplicatedPicture, { readonly kind: "result" }>,
  about: ReplicatedAbout,
): Figure[] {
  switch (picture.kind) {
    case "curves":
      return replicatedCurves(picture, about);
    case "timeline":
      return replicatedTimeline(picture, about);
    case "scatter":
      return publishedScatter(picture, about);
    case "boxes":
      return publishedBoxes(picture, about);
    case "means":
      return publishedMeans(picture, about);
    case "shapes":
      return publishedShapes(picture, about);
    case "distributions":
      return publishedDistributions(picture, about);
  }
}

const MOST_LINES = 6;

export function replicatedCurves({ points, x, y, percent, name }: ReplicatedCurves, about: ReplicatedAbout): Figure[] {
  const lines = [...new Set(points.map(({ line }) => line))].slice(0, MOST_LINES);
  const printed = points.some((own) => own.printed !== undefined);
  const simulated = points.some(({ se = 0 }) => se > 0);
  const clip = (value: number): number => (percent ? Math.max(0, Math.min(1, value)) : value);
  const panels = [...new Set(points.map(({ panel }) => panel))].map((panel): Panel => {
    const marks = lines.flatMap((line, k): PanelMark[] => {
      const own = points.filter((one) => one.panel === panel && one.line === line).sort((a, b) => a.x - b.x);
      if (own.length === 0) return [];
      const { tone, dash, symbol } = CATEGORIES[k]!;
      return [
        ...(simulated
          ? [
              {
                mark: "band",
                points: own.map(
                  (one) =>
                    [one.x, clip(one.ours - 1.96 * (one.se ?? 0)), clip(one.ours + 1.96 * (one.se ?? 0))] as const,
                ),
                tone,
              } as const,
            ]
          : []),
        {
          mark: "line",
          points: own.map((one) => [one.x, one.ours]),
          tone,
          ...(printed ? {} : { symbol }),
          ...(dash === undefined ? {} : { dash }),
          ...(line === "" ? {} : { name: line }),
        },
        ...(printed
          ? [
              {
                mark: "dots",
                points: own.flatMap((one) => (one.printed === undefined ? [] : [[one.x, one.printed] as const])),
                tone,
                symbol: "ring",
                size: 3.5,
              } as const,
            ]
          : []),
      ];
    });
    return { ...(panel === "" ? {} : { label: panel }), marks };
  });
  const far = points.flatMap((own) => (own.printed === undefined ? [] : [Math.abs(own.ours - own.printed)]));
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: `${titled(y)} by ${x}, recomputed${simulated ? " with 95 % Monte-Carlo bands" : ""}${printed ? "; rings: as published" : "; the paper gives no numbers"}`,
      description: `${lines.map((line) => `${line === "" ? y : line} runs from ${rangeOf(points.filter((own) => own.line === line).map(({ ours }) => ours))}`).join("; ")}; ${count(points.length, "points")} in ${count(panels.length, "panels")}${far.length === 0 ? "" : `; the largest distance from the published values is ${say(Number(mostOf(far).toPrecision(2)))}`}.`,
      chart: {
        kind: "panels",
        x: { title: x },
        y: percent ? { title: y, domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" } : { title: y },
        panels,
      },
      data: {
        head: ["panel", "line", x, "ours", "se", "printed"],
        rows: points.map((own) => [own.panel, own.line, own.x, own.ours, own.se ?? 0, own.printed ?? Number.NaN]),
      },
    },
  ];
}

export function replicatedTimeline({ steps, y, name }: ReplicatedTimeline, about: ReplicatedAbout): Figure[] {
  const records = steps.filter(({ record }) => record);
  return [
    timelineFigure({
      name: `${about.id}-${name}`,
      title: `${about.where}: ${records.length} of ${count(steps.length, "submissions")} are records that the test set could show`,
      about: about.shows,
      x: { title: "submissions in order of time" },
      y,
      steps: steps.map(({ index, score, record, significant }) => ({
        at: index,
        score,
        shown: record,
        claimed: significant,
      })),
    }),
  ];
}

interface Timeline {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly x: {
    readonly title: string;
    readonly names?: readonly string[];
    readonly domain?: readonly [number, number];
  };
  readonly y: string;
  readonly steps: readonly {
    readonly at: number;
    readonly score: number;
    /** A step up that the test set could show; one that was better than all before or significant. */
    readonly shown: boolean;
    readonly claimed: boolean;
  }[];
}

/** Submissions by time with the records that were shown joined by steps (Card et al. 2020, Fig. 10). */
export function timelineFigure({ name, title, about, x, y, steps }: Timeline): Figure {
  const dots = (
    own: Timeline["steps"],
    more: Pick<Extract<PanelMark, { mark: "dots" }>, "tone" | "symbol" | "faint" | "size">,
  ): PanelMark => ({
    mark: "dots",
    points: own.map(({ at, score }) => [at, score]),
    ...more,
  });
  const shown = steps.filter((own) => own.shown);
  const claimed = steps.filter((own) => own.claimed && !own.shown);
  const last = steps.at(-1);
  const line = shown.map(({ at, score }) => [at, score] as const);
  return {
    name,
    title,
    subtitle: `${titled(about)}; filled and joined: records that were shown; rings: claimed or significant without being shown; pale: the others`,
    description: `${count(steps.length, "submissions")}${shown.length === 0 ? ", none of them a record that was shown" : `; the record, from the first on as far as it was shown: ${join(shown.slice(0, 20).map(({ score }) => (score <= 1 ? percentOf(score, 1) : say(score))))}`}.`,
    chart: {
      kind: "panels",
      x,
      y: { title: y, ...(steps.every(({ score }) => score >= 0 && score <= 1) ? { format: "percent" as const } : {}) },
      panels: [
        {
          marks: [
            dots(
              steps.filter((own) => !own.shown && !own.claimed),
              { tone: "k0", faint: true, size: 2.5 },
            ),
            dots(claimed, { tone: "k2", symbol: "ring", size: 3.5 }),
            ...(line.length === 0 || last === undefined
              ? []
              : [{ mark: "line", points: [...line, [last.at, line.at(-1)![1]]], tone: "k1", step: true } as const]),
            dots(shown, { tone: "k1", size: 4 }),
          ],
        },
      ],
    },
    data: {
      head: ["at", "score", "shown", "claimed"],
      rows: steps.map((own) => [own.at, own.score, Number(own.shown), Number(own.claimed)]),
    },
  };
}
