import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Comparison, compare, fitGam, fitLmm, importFiles, makeTable, numericColumn } from "../index.ts";
import { accuracyFamily, tracePower } from "../power.ts";
import type { PanelChart, RowChart } from "./charts/figure.ts";
import { layoutFigure } from "./charts/layout.ts";
import { spread } from "./charts/line-names.ts";
import { chooseFigure, figureCsv, plotJson, plotResult, renderPdf, renderSvg, renderTikz } from "./plot.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";

async function ratings(rename: (text: string) => string = (text) => text): Promise<Comparison> {
  const text = rename(readFileSync("examples/data/summaries.csv", "utf8"));
  const imported = await importFiles([{ name: "summaries.csv", bytes: new TextEncoder().encode(text) }]);
  return compare([{ path: "summaries.csv", imported }], { metric: "rating", margin: 0.5 });
}

describe("a comparison", () => {
  it("is a forest with one row a pair, its zero line, and the margin as a zone", async () => {
    const result = await ratings();
    const forest = chooseFigure(plotResult(result), "pairs");
    const chart = forest.chart as RowChart;
    expect(chart.rows).toHaveLength(3);
    expect(chart.zero).toBe(0);
    expect(chart.zone).toMatchObject({ from: -0.5, to: 0.5 });
    const drawn = chart.rows.map(({ label, marks }) => [label, marks![0]]);
    for (const { a, b, difference, ci, verdict } of result.pairs) {
      const tone =
        { BETTER: "v-better", WORSE: "v-worse", EQUIVALENT: "v-equivalent" }[verdict as string] ?? "v-inconclusive";
      expect(drawn).toContainEqual([
        `${b} − ${a}`,
        expect.objectContaining({ value: difference, lower: ci.lower, upper: ci.upper, tone }),
      ]);
      // what is said to those who do not see it
      expect(forest.description).toContain(
        `${b} − ${a}: ${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(2)}`,
      );
    }
    expect(figureCsv(forest).split("\n")).toHaveLength(5);
  });

  it("counts the items of the differences as the flips do", async () => {
    const result = await ratings();
    const { differences } = (
      result.toJSON() as { series: { differences: { from: number; to: number; count: number }[] } }
    ).series;
    const { gained, lost, tied } = result.main.flips!;
    const of = (sign: number): number =>
      differences
        .filter(({ from, to }) => Math.sign(Math.round(1e9 * (from + to))) === sign)
        .reduce((sum, { count }) => sum + count, 0);
    expect([of(1), of(-1), of(0)]).toEqual([gained, lost, tied]);
    expect(chooseFigure(plotResult(result), "differences").title).toContain(
      `better on ${gained}, worse on ${lost}, alike on ${tied} of 40`,
    );
  });

  it("draws short names for long ones, all different, with a legend; the data keep the names", async () => {
    const long = (name: string): string => `provider/a-model-with-a-long-name-20241022-${name}`;
    const result = await ratings((text) =>
      ["baseline", "retrieval", "rank-loss"].reduce((all, name) => all.replaceAll(name, long(name)), text),
    );
    const forest = chooseFigure(plotResult(result), "pairs");
    const { rows } = forest.chart as RowChart;
    expect(rows.map(({ label }) => label).sort()).toEqual(
      (await ratings()).pairs.map(({ a, b }) => `${b} − ${a}`).sort(),
    );
    for (const name of ["baseline", "retrieval", "rank-loss"]) {
      expect(forest.subtitle).toContain(`${name}: ${long(name)}`);
      expect(figureCsv(forest)).toContain(long(name));
      expect(forest.description).toContain(long(name));
    }
    const letters = await ratings((text) =>
      text.replaceAll("retrieval", "a model whose name is longer than the plot is wide"),
    );
    const labels = (chooseFigure(plotResult(letters), "pairs").chart as RowChart).rows.map(({ label }) => label);
    expect(new Set(labels).size).toBe(3);
    expect(labels.filter((label) => /\bA\b/.test(label))).toHaveLength(2);
  });

  it("keeps names as text in every format", async () => {
    const result = await ratings((text) => text.replaceAll("retrieval", HOSTILE));
    for (const figure of plotResult(result)) {
      expect(renderSvg(figure)).not.toContain("<img");
      expect(renderTikz(figure).replace(/^%.*$/gm, "")).not.toContain("<img");
      expect(renderPdf(figure).length).toBeGreaterThan(1000);
    }
  });

  it("draws the same from its JSON text as from itself", async () => {
    const result = await ratings();
    const stored = plotJson(JSON.stringify(result)).map((figure) => renderSvg(figure));
    expect(stored).toEqual(plotResult(result).map((figure) => renderSvg(figure)));
  });
});

describe("power curves", () => {
  const curve = () =>
    tracePower(
      accuracyFamily,
      { agreement: 0.9 },
      {
        axes: [
          { name: "n", values: [500, 1000, 2000] },
          { name: "delta", values: [0.01, 0.03] },
        ],
      },
    );

  it("have one line for each value, over all of the grid, with the target", async () => {
    const result = await curve();
    const figure = chooseFigure(plotResult(result), "power");
    const chart = figure.chart as PanelChart;
    expect(chart.x.domain).toEqual([500, 2000]);
    expect(chart.y.domain).toEqual([0, 1]);
    expect(chart.panels).toHaveLength(1);
    const lines = chart.panels[0]!.marks.filter((mark) => mark.mark === "line");
    expect(lines.map(({ name }) => name)).toEqual(["difference 0.01", "difference 0.03"]);
    expect(lines[1]!.points).toEqual(
      result.points.filter(({ at }) => at["delta"] === 0.03).map(({ at, power }) => [at["n"], power]),
    );
    expect(chart.panels[0]!.marks).toContainEqual({ mark: "rule", axis: "y", at: 0.8, style: "ref" });
  });

  it("say where the target is kept, and where not", async () => {
    const result = await curve();
    const power = (n: number, delta: number): number =>
      result.points.find(({ at }) => at["n"] === n && at["delta"] === delta)!.power;
    // the sentence rests on these
    expect(power(500, 0.03) < 0.8 && power(1000, 0.03) >= 0.8 && power(2000, 0.01) < 0.8).toBe(true);
    const { title, description } = chooseFigure(plotResult(result), "power");
    expect(title).toBe("80 % power is reached by 1 of 2 curves");
    expect(description).toContain("With difference 0.03 it is at least 80 percent from 1000 items on.");
    expect(description).toContain(
      `With difference 0.01 it does not keep to 80 percent: at most ${(100 * power(2000, 0.01)).toFixed(1)} %, at 2000 items.`,
    );
  });
});

describe("models", () => {
  it("a mixed model shows its coefficients without the intercept, and its spread largest first", async () => {
    const imported = await importFiles([
      { name: "s.csv", bytes: new Uint8Array(readFileSync("examples/data/summaries.csv")) },
    ]);
    const fit = fitLmm("rating ~ system + (1 | article) + (1 | rater)", imported.table);
    const [coefficients, spreads] = plotResult(fit);
    const rows = (coefficients!.chart as RowChart).rows;
    expect(rows.map(({ label }) => label)).toEqual(["systemrank-loss", "systemretrieval"]);
    const bars = (spreads!.chart as RowChart).rows.map(
      ({ label, marks }) => [label, (marks![0] as { to: number }).to] as const,
    );
    expect(bars.map(([label]) => label)).toEqual(["residual", "article", "rater"]);
    expect(bars[0]![1]).toBe(fit.residualSd);
    expect(bars[0]![1] > bars[1]![1] && bars[1]![1] > bars[2]![1]).toBe(true);
  });

  it("a smooth runs over the range of its covariate, inside its band", () => {
    const x = Float64Array.from({ length: 200 }, (_, i) => i / 20);
    const table = makeTable([
      ["x", numericColumn(x)],
      ["y", numericColumn(x.map((v, i) => Math.sin(v) + 0.1 * Math.cos(97 * i)))],
    ]);
    const [figure] = plotResult(fitGam("y ~ s(x)", table));
    const [panel] = (figure!.chart as PanelChart).panels;
    expect(panel!.x!.domain).toEqual([0, 9.95]);
    const line = panel!.marks.find((mark) => mark.mark === "line")!;
    const band = panel!.marks.find((mark) => mark.mark === "band")!;
    for (const [k, [at, effect]] of line.points.entries()) {
      const [same, lower, upper] = band.points[k]!;
      expect(same).toBe(at);
      expect(lower < effect && effect < upper).toBe(true);
    }
  });
});

describe("layout", () => {
  it("pushes labels apart and keeps their order", () => {
    expect(spread([10, 11, 12], 15, [0, 100])).toEqual([10, 25, 40]);
    expect(spread([98, 99, 97], 15, [0, 100])).toEqual([85, 100, 70]);
  });

  it("shortens long names and keeps the whole for those who ask", async () => {
    const [one, two] = ["checkpoint-of-january-1", "checkpoint-of-february"];
    const result = await ratings((text) => text.replaceAll("rank-loss", one).replaceAll("retrieval", two));
    const { shapes } = layoutFigure(plotResult(result)[0]!, { width: 358 });
    const cut = shapes.filter((shape) => shape.type === "text" && shape.whole?.includes(one));
    expect(cut.length).toBeGreaterThan(0);
  });
});

it("a result without pictures says so", () => {
  expect(() => chooseFigure([])).toThrow(/nothing to draw/);
});

it("a stored result with an object where a number is drawn is refused, which was an internal error", async () => {
  const json = JSON.parse(JSON.stringify(await ratings())) as { pairs: { ci: { upper: unknown } }[] };
  json.pairs[0]!.ci.upper = {};
  expect(() => plotJson(json).map((figure) => renderSvg(figure))).toThrow(/not a stored result/);
});
