/** Published figures redrawn: ours, with what was printed beside it. */
import { describe, expect, it } from "vitest";
import { reportReproductions } from "../../replications/result.ts";
import { measureReliability, table } from "../index.ts";
import type { PanelChart, RowChart } from "./charts/figure.ts";
import { publishedBoxes } from "./figures/published.ts";
import { publishedDistributions, publishedShapes } from "./figures/published-laws.ts";
import { replicatedCurves, replicatedTimeline } from "./figures/replications.ts";
import { plotResult } from "./plot.ts";

const ABOUT = { id: "some-figure", where: "Figure 1", shows: "power" };

describe("curves", () => {
  const [figure] = replicatedCurves(
    {
      ...{ kind: "curves", name: "power", x: "effect", y: "power", percent: true },
      points: [
        { panel: "p", line: "a", x: 2, ours: 0.9, se: 0.1, printed: 0.8 },
        { panel: "p", line: "a", x: 1, ours: 0.2, se: 0.1, printed: 0.25 },
        { panel: "q", line: "b", x: 1, ours: 0.4, se: 0.1 },
      ],
    },
    ABOUT,
  );
  const { panels } = figure!.chart as PanelChart;

  it("lines are ours in order of x, rings what was printed, bands stay between 0 and 1", () => {
    expect(panels.map(({ label }) => label)).toEqual(["p", "q"]);
    const [band, line, rings] = panels[0]!.marks;
    expect(line).toMatchObject({ mark: "line", points: [[1, 0.2], [2, 0.9]] }); // biome-ignore format: one line
    expect(rings).toMatchObject({ mark: "dots", symbol: "ring", points: [[1, 0.25], [2, 0.8]] }); // biome-ignore format: one line
    expect(band).toMatchObject({ points: [expect.anything(), [2, 0.9 - 0.196, 1]] });
    expect(figure!.description).toContain("the largest distance from the published values is 0.1");
  });
});

it("a result within a replication keeps what is no number: shares without intervals are bars, not infinities", () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    ...{ item: `i${i % 10}`, rater: `r${i % 6}`, score: (i % 10) + ((i * 7) % 11) / 4 },
  }));
  const result = measureReliability(table(rows), {
    ...{ score: "score", object: "item", facets: ["rater"], intervals: "none" },
  });
  const reproduction = { ...ABOUT, paper: "card", data: [], reference: "R", run: async () => [] } as const;
  const picture = { kind: "result", name: "ratings", result } as const;
  const answer = reportReproductions([{ reproduction, rows: [], seconds: 1, pictures: [picture] } as never], {
    ...{ leftOut: [], single: false },
  });
  const [figure] = plotResult(answer);
  const chart = figure!.chart as RowChart;
  expect(chart.columns.map(({ title }) => title)).toEqual(["share", "variance"]);
  expect(chart.x.domain![1]).toBeGreaterThan(0.3);
  expect(JSON.stringify(answer.toJSON())).not.toContain("~NaN");
});

it("a timeline joins the records that were shown, up to the last submission", () => {
  const step = (index: number, score: number, record: boolean) => ({ index, score, record, significant: record });
  const steps = [step(1, 0.5, true), step(2, 0.4, false), step(3, 0.7, true), step(4, 0.6, false)];
  const [figure] = replicatedTimeline({ kind: "timeline", name: "records", y: "score", steps }, ABOUT);
  const line = (figure!.chart as PanelChart).panels[0]!.marks.find(({ mark }) => mark === "line");
  expect(line).toMatchObject({ step: true, points: [[1, 0.5], [3, 0.7], [4, 0.7]] }); // biome-ignore format: one line
  expect(figure!.title).toContain("2 of 4 submissions");
});

it("shapes of several models stand side by side, feature by feature, with their heights", () => {
  const curve = (feature: string, height: number) => ({
    ...{ feature, at: [0, 1], effect: [0, height], lower: [-1, height - 1], upper: [1, height + 1] },
  });
  const models = [
    { label: "without", curves: [curve("a", 2), curve("b", 1)] },
    { label: "with", curves: [curve("a", 1e-14), curve("b", 0.5)] },
  ];
  const [figure] = publishedShapes({ kind: "shapes", name: "shapes", effect: "y", models }, ABOUT);
  const chart = figure!.chart as PanelChart;
  expect(chart.across).toBe(2);
  expect(chart.panels.map(({ label, x }) => `${x!.title}: ${label}`)).toEqual([
    "a: without: height 2",
    "a: with: height 0",
    "b: without: height 1",
    "b: with: height 0.5",
  ]);
});

it("a law is filled where it is said to be, and no further", () => {
  const density = [[-2, 0.1], [-1, 0.2], [0, 0.4], [1, 0.2]] as const; // biome-ignore format: one line
  const panel = {
    label: "z",
    x: "z",
    y: "density",
    density,
    filled: [[-2, -1]] as const,
    rules: [{ at: -1, label: "c" }],
  };
  const [figure] = publishedDistributions(
    { kind: "distributions", name: "law", about: "A law", panels: [panel] },
    ABOUT,
  );
  const { marks } = (figure!.chart as PanelChart).panels[0]!;
  expect(marks.find(({ mark }) => mark === "band")).toMatchObject({ points: [[-2, 0, 0.1], [-1, 0, 0.2]] }); // biome-ignore format: one line
  expect(figure!.description).toBe("A law. z: c at −1.");
});

describe("bands", () => {
  const at = [0, 0.5, 1];
  const wide = { at, effect: [-1, 0, 1], lower: [-1e21, -1, 0], upper: [1e21, 1, 2] };

  it("wider than the shapes are cut at the frame, and the subtitle says so", () => {
    const models = [{ label: "m", curves: [{ feature: "a", ...wide }] }];
    const [figure] = publishedShapes({ kind: "shapes", name: "shapes", effect: "y", models }, ABOUT);
    const [panel] = (figure!.chart as PanelChart).panels;
    expect(panel!.y!.domain).toEqual([-3, 3]);
    expect(panel!.marks[1]).toMatchObject({ mark: "band", points: [[0, -3, 3], [0.5, -1, 1], [1, 0, 2]] }); // biome-ignore format: one line
    expect(figure!.subtitle).toContain("bands that leave the frame are cut");
  });

  it("within the frame stay as they are", () => {
    const models = [
      { label: "m", curves: [{ feature: "a", at, effect: [-1, 0, 1], lower: [-2, -1, 0], upper: [0, 1, 2] }] },
    ];
    const [figure] = publishedShapes({ kind: "shapes", name: "shapes", effect: "y", models }, ABOUT);
    expect((figure!.chart as PanelChart).panels[0]!.y!.domain).toEqual([-2, 2]);
    expect(figure!.subtitle).not.toContain("cut");
  });
});

it("a box that its own bar hides is named", () => {
  const box = (system: string, half: number) => ({
    ...{ system, n: 50, mean: 0, sd: 1, min: -2, max: 2, median: 0, lowerQuartile: -half, upperQuartile: half },
  });
  const spread = [box("label 0", 0.001), box("label 1", 0.5)];
  const [figure] = publishedBoxes({ kind: "boxes", name: "scores", measure: "score", by: "label", spread }, ABOUT);
  expect(figure!.subtitle).toContain("the box of label 0 is narrower than its bar");
});
