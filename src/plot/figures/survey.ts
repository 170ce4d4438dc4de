/** A survey of claims: the funnel of gains by their standard errors (Card et al. 2020, Fig. 5), what each benchmark can show beside what is
 *  claimed on it, and records by time. */

import type { SurveyJson } from "../../power/survey/result.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Figure, PanelMark } from "../charts/figure.ts";
import { timelineFigure } from "./replications.ts";
import { count, percentOf, say, styleFor, write } from "./words.ts";

const MOST_ROWS = 60;
const MOST_DATES = 12;

export function surveyFigures(json: SurveyJson): Figure[] {
  return [...funnelFigure(json), ...taskFigure(json), ...recordFigures(json)];
}

function funnelFigure({ series, trimAndFill, egger, percent }: SurveyJson): Figure[] {
  const funnel = series?.funnel;
  if (funnel === undefined || funnel.points.length < 3) return [];
  const { centre, points, limits } = funnel;
  const filled = trimAndFill?.filled ?? [];
  const levels = limits[0]?.bands.map(({ level }) => level) ?? [];
  // the widest first, so that each band lies on the one before
  const edges = [...levels]
    .sort((a, b) => b - a)
    .flatMap((level): PanelMark[] => {
      const side = (pick: "lower" | "upper"): PanelMark => ({
        mark: "line",
        points: limits.map(({ se, bands }) => [bands.find((own) => own.level === level)![pick], se]),
        tone: "k0",
        thin: true,
        ...(level === 0.95 ? {} : { dash: "dash3" as const }),
      });
      return [side("lower"), side("upper")];
    });
  const most = mostOf(limits.map(({ se }) => se));
  const tested =
    egger === undefined
      ? ""
      : `; Egger’s test of asymmetry: p ${egger.p < 0.0001 ? "< 0.0001" : `= ${egger.p.toFixed(4)}`}`;
  return [
    {
      name: "funnel",
      title:
        filled.length === 0
          ? "No claims seem to be missing from the funnel"
          : `${count(filled.length, "claims")} seem to be missing from the funnel`,
      subtitle: `${count(points.length, "claims")} by standard error, the most precise at the top; solid: 95 % limits around the pooled gain, dotted: 90 and 99 %${tested}${filled.length === 0 ? "" : "; hollow: claims that trim and fill adds"}`,
      description: `The pooled gain is ${say(Number(centre.toPrecision(3)))}; ${count(points.length, "claims")} with standard errors from ${say(Number(leastOf(points.map(({ se }) => se)).toPrecision(3)))} to ${say(Number(mostOf(points.map(({ se }) => se)).toPrecision(3)))}; ${filled.length} seem to be missing.`,
      chart: {
        kind: "panels",
        x: { title: `gain${percent ? ", points" : ""}`, format: "signed" },
        y: { title: "standard error (most precise at the top)", domain: [0, most * 1.02], reversed: true },
        height: 280,
        panels: [
          {
            marks: [
              {
                mark: "rule",
                axis: "x",
                at: centre,
                style: "zero",
                label: `pooled ${say(Number(centre.toPrecision(3)))}`,
              },
              ...edges,
              { mark: "dots", points: points.map(({ effect, se }) => [effect, se]), tone: "k1", size: 3.2 },
              {
                mark: "dots",
                points: filled.map(({ effect, variance }) => [effect, Math.sqrt(variance)]),
                tone: "k2",
                symbol: "ring",
                size: 3.2,
              },
            ],
          },
        ],
      },
      data: {
        head: ["effect", "se", "added"],
        rows: [
          ...points.map(({ effect, se }) => [effect, se, 0]),
          ...filled.map(({ effect, variance }) => [effect, Math.sqrt(variance), 1]),
        ],
      },
    },
  ];
}

/** The smallest gain that a benchmark can show, and what is usually claimed on it. */
function taskFigure({ tasks, target, percent, alpha }: SurveyJson): Figure[] {
  const known = tasks.filter(({ mde, typicalGain }) => Number.isFinite(mde) && Number.isFinite(typicalGain));
  if (known.length === 0 || known.length > MOST_ROWS) return [];
  const able = known.filter(({ verdict }) => verdict === "can show").length;
  const style = styleFor(known.map(({ mde }) => mde / 4));
  const unit = percent ? " points" : "";
  return [
    {
      name: "benchmarks",
      title: `${able} of ${count(known.length, "benchmarks")} can show gains of the usual size`,
      subtitle: `Hollow: smallest gain found with ${percentOf(target)} power at ${say(alpha)}; filled: median of the claimed gains (circle: large enough to be shown, diamond: not)`,
      description: `What can be shown beside what is claimed. ${known.map(({ task, mde, typicalGain, verdict }) => `${task}: ${write(mde, style)}${unit} can be shown, ${write(typicalGain, style)} are usual, ${verdict}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: `gain${percent ? ", points" : ""}` },
        zero: 0,
        columns: [{ title: "can show" }, { title: "usual" }, { title: "items" }, { title: "claims" }],
        rows: known.map(({ task, mde, typicalGain, verdict, n, claims }) => {
          const tone = verdict === "can show" ? "k1" : "v-worse";
          return {
            label: task,
            marks: [
              { mark: "spread", from: mde, to: typicalGain, tone: "k0" },
              { mark: "estimate", value: mde, tone: "k0", symbol: "ring" },
              { mark: "estimate", value: typicalGain, tone, symbol: verdict === "can show" ? "circle" : "diamond" },
            ],
            cells: [
              { text: write(mde, style), bold: true },
              { text: write(typicalGain, style) },
              { text: Number.isNaN(n) ? "–" : say(n) },
              { text: say(claims) },
            ],
          };
        }),
      },
      data: {
        head: ["task", "mde", "typicalGain", "n", "claims", "verdict"],
        rows: tasks.map((own) => [own.task, own.mde, own.typicalGain, own.n, own.claims, own.verdict]),
      },
    },
  ];
}

function recordFigures({ records, percent }: SurveyJson): Figure[] {
  return records.map(({ task, steps, claimed, shown, n }) =>
    timelineFigure({
      name: `records-${task}`,
      title: `${task}: ${shown} of ${count(claimed, "claimed records")} could be shown`,
      about: `Submissions in order of time, ${count(n, "test items")}`,
      x:
        steps.length <= MOST_DATES
          ? { title: "date", names: steps.map(({ date }) => date), domain: [-0.5, steps.length - 0.5] }
          : { title: "submissions in order of time" },
      y: percent ? "score, %" : "score",
      steps: steps.map(({ score, claimed: is, shown: was }, at) => ({ at, score, claimed: is, shown: was })),
    }),
  );
}
