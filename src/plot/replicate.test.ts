/** Published figures drawn anew: ours, with what was printed beside it. */
import { describe, expect, it } from "vitest";
import type { PanelChart } from "./charts/figure.ts";
import { replicatedCurves, replicatedTimeline } from "./figures/replications.ts";

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

it("a timeline joins the records that were shown, up to the last submission", () => {
  const step = (index: number, score: number, record: boolean) => ({ index, score, record, significant: record });
  const steps = [step(1, 0.5, true), step(2, 0.4, false), step(3, 0.7, true), step(4, 0.6, false)];
  const [figure] = replicatedTimeline({ kind: "timeline", name: "records", y: "score", steps }, ABOUT);
  const line = (figure!.chart as PanelChart).panels[0]!.marks.find(({ mark }) => mark === "line");
  expect(line).toMatchObject({ step: true, points: [[1, 0.5], [3, 0.7], [4, 0.7]] }); // biome-ignore format: one line
  expect(figure!.title).toContain("2 of 4 submissions");
});
