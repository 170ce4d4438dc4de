/** Pictures of what results carry for them: counts and places are those of the result. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  compare,
  fitClm,
  fitGam,
  importFiles,
  makeRng,
  makeTable,
  marginalMeans,
  numericColumn,
  testNestedFormulas,
} from "../index.ts";
import { accuracyFamily, analysePower, computePower, findMde, findSize, ordinalFamily, tracePower } from "../power.ts";
import { fisherTest, oneSampleTTest, permutationTest, twoSampleEquivalenceTest } from "../tests.ts";
import type { PanelChart, RowChart } from "./charts/figure.ts";
import { chooseFigure, plotResult } from "./plot.ts";

const marksOf = (chart: PanelChart | RowChart) => (chart as PanelChart).panels.flatMap(({ marks }) => marks);
const PARAMS = { n: 200, delta: 0.05, agreement: 0.85 };

describe("power", () => {
  it("simulated effects: as many as were drawn, the filled ones are the significant ones", async () => {
    const result = await analysePower(accuracyFamily, PARAMS, {
      method: "simulation",
      replicates: 900,
      rng: makeRng(1),
    });
    const effects = result.series!.effects!;
    expect(effects.reduce((sum, { count }) => sum + count, 0)).toBe(900);
    expect(effects.reduce((sum, { marked }) => sum + marked, 0)).toBe(Math.round(900 * result.rejection));
    const { chart, data } = chooseFigure(plotResult(result), "effects");
    const rules = marksOf(chart).filter((own) => own.mark === "rule" && own.axis === "x");
    expect(rules.map((own) => (own as { at: number }).at)).toEqual([0, 0.05, 0.05 * result.typeM]);
    expect(data.rows).toHaveLength(effects.length);
  });

  it("more than 5,000 experiments are drawn by the first 5,000", async () => {
    const result = await analysePower(accuracyFamily, PARAMS, {
      method: "simulation",
      replicates: 5100,
      rng: makeRng(1),
    });
    expect(result.series!.effects!.reduce((sum, { count }) => sum + count, 0)).toBe(5000);
  });

  it("the curve around a size has the power of each size", () => {
    const result = computePower(accuracyFamily, PARAMS);
    const { series } = result.toJSON() as { series: { curve: { at: number; power: number }[] } };
    expect(series.curve.find(({ at }) => at === 200)!.power).toBe(result.power);
    for (const { at, power } of series.curve)
      expect(computePower(accuracyFamily, { ...PARAMS, n: at }).power).toBe(power);
    expect(marksOf(chooseFigure(plotResult(result), "power").chart)).toContainEqual(
      expect.objectContaining({ mark: "dots", points: [[200, result.power]] }),
    );
  });

  it("mde and size mark their answer on the curve", async () => {
    const mde = await findMde(accuracyFamily, { n: 200, agreement: 0.85 });
    expect(mde.series.curve!.some(({ at }) => at === mde.mde)).toBe(true);
    const size = await findSize(accuracyFamily, { delta: 0.05, agreement: 0.85 });
    expect(size.series.curve!.find(({ at }) => at === size.n)!.power).toBe(size.power);
    for (const result of [mde, size]) expect(plotResult(result).map(({ name }) => name)).toEqual(["power"]);
    const drawn = await findSize(
      accuracyFamily,
      { delta: 0.05, agreement: 0.85 },
      { method: "simulation", replicates: 1000, rng: makeRng(1) },
    );
    expect(drawn.series.tried!.reduce((sum, { replicates }) => sum + replicates, 0)).toBe(drawn.replicates);
  });
});

describe("ranks and boxes of a comparison", async () => {
  const bytes = new Uint8Array(readFileSync("examples/data/summaries.csv"));
  const imported = await importFiles([{ name: "summaries.csv", bytes }]);
  const result = compare([{ path: "summaries.csv", imported }], { metric: "rating", by: "domain" });

  it("a rank has as many below it as systems were shown to be better", () => {
    const won = (name: string): number =>
      result.pairs.filter(
        ({ a, b, verdict }) => (a === name && verdict === "WORSE") || (b === name && verdict === "BETTER"),
      ).length;
    const lost = (name: string): number =>
      result.pairs.filter(
        ({ a, b, verdict }) => (a === name && verdict === "BETTER") || (b === name && verdict === "WORSE"),
      ).length;
    for (const { system, rank, from, to } of result.series!.ranks!) {
      expect([from, to]).toEqual([1 + lost(system), 3 - won(system)]);
      expect(rank).toBeGreaterThanOrEqual(from);
      expect(rank).toBeLessThanOrEqual(to);
    }
  });

  it("classes part the items: their means, weighted, are the mean of all", () => {
    const spread = result.series!.spread!;
    for (const { name } of result.systems) {
      const own = spread.filter(({ system }) => system === name);
      const whole = own.find(({ column }) => column === undefined)!;
      const parts = own.filter(({ column }) => column === "domain");
      expect(parts.reduce((sum, { n }) => sum + n, 0)).toBe(whole.n);
      expect(parts.reduce((sum, { n, mean }) => sum + n * mean, 0) / whole.n).toBeCloseTo(whole.mean, 12);
    }
    const { chart } = chooseFigure(plotResult(result), "boxes-domain");
    expect((chart as RowChart).rows.filter(({ heading }) => heading)).toHaveLength(2);
  });
});

describe("laws of statistics", () => {
  it("a permutation test: the draws, and the share as far out as what was seen", () => {
    const x = Array.from({ length: 30 }, (_, i) => Math.sin(i) + 0.3);
    const y = Array.from({ length: 30 }, (_, i) => Math.cos(2 * i) / 2);
    const result = permutationTest(x, y);
    const { resampled, critical } = result.series!;
    const drawn = resampled!.reduce((sum, { count }) => sum + count, 0);
    const share = resampled!.reduce((sum, { marked }) => sum + marked, 0) / drawn;
    expect(Math.abs(share - result.p)).toBeLessThan(4 * Math.sqrt((result.p * (1 - result.p)) / drawn));
    expect(critical![0]).toBeLessThan(0);
    expect(result.p < 0.05).toBe(result.statistic < critical![0] || result.statistic > critical![1]);
    expect(plotResult(result).map(({ name }) => name)).toEqual(["resampled", "effect"]);
  });

  it("nested models: p below 0.05 is a statistic beyond the critical value", async () => {
    const bytes = new Uint8Array(readFileSync("examples/data/summaries.csv"));
    const { table } = await importFiles([{ name: "summaries.csv", bytes }]);
    const result = testNestedFormulas(["rating ~ 1", "rating ~ system"], table);
    const { observed, critical, p } = result.series!;
    expect([observed, p]).toEqual([result.fTest!.statistic, result.fTest!.p]);
    expect(observed > critical).toBe(p < 0.05);
    expect(plotResult(result).map(({ name }) => name)).toEqual(["statistic"]);
  });
});

describe("a surface", () => {
  it("had two colours around the mean, which print in grey made one, and lines without their level", () => {
    const rng = makeRng(3);
    const at = Array.from({ length: 300 }, () => [rng.uniform(), rng.uniform()] as const);
    const table = makeTable([
      ["x", numericColumn(at.map(([x]) => x))],
      ["z", numericColumn(at.map(([, z]) => z))],
      ["y", numericColumn(at.map(([x, z]) => 4 * (x - 0.5) * (z - 0.5) + 0.1 * rng.normal()))],
    ]);
    const figure = plotResult(fitGam("y ~ te(x, z, k = 4)", table)).find(({ name }) => name.startsWith("surface-"))!;
    const marks = marksOf(figure.chart as PanelChart);
    const height = new Map(figure.data.rows.map(([x, z, effect]) => [`${x} ${z}`, effect as number]));
    const tiles = marks.flatMap((mark) => (mark.mark === "tiles" ? mark.tiles : []));
    const sorted = [...tiles].sort((a, b) => height.get(`${a.x} ${a.y}`)! - height.get(`${b.x} ${b.y}`)!);
    const steps = sorted.map(({ tone }) => tone);
    expect(steps).toEqual([...steps].sort());
    expect([...new Set(steps)]).toEqual(["s1", "s2", "s3", "s4", "s5"]);
    const lines = marks.flatMap((mark) => (mark.mark === "line" ? [mark] : []));
    const labels = marks.flatMap((mark) => (mark.mark === "label" ? [mark] : []));
    // a saddle has two pieces at most of its levels, and each says its own
    expect(labels).toHaveLength(lines.filter(({ points }) => points.length >= 6).length);
    expect(new Set(labels.map(({ text }) => text)).size).toBeLessThan(labels.length);
    const below = labels.filter(({ text }) => text.startsWith("−")).length;
    expect(lines.filter(({ dash, points }) => dash !== undefined && points.length >= 6)).toHaveLength(below);
  });
});

const effectOf = (result: Parameters<typeof plotResult>[0]): { readonly title: string; readonly chart: RowChart } => {
  const { title, chart } = plotResult(result).find(({ name }) => name === "effect")!;
  return { title, chart: chart as RowChart };
};

describe("the effect of a test", () => {
  it("a ratio had a sign and no line at 1", () => {
    const { title, chart } = effectOf(fisherTest([[8, 1], [2, 5]])); // biome-ignore format: a table
    expect(title).toMatch(/^Odds ratio: 15 \(1 to 1060\)/);
    expect([chart.zero, chart.x.kind, chart.x.format]).toEqual([1, "log", "plain"]);
  });

  it("a mean was held against 0 where the hypothesis says 25", () => {
    expect(effectOf(oneSampleTTest([14, 15, 17, 12, 20], { mu: 25 })).chart.zero).toBe(25);
  });

  it("a margin was not drawn", () => {
    const [x, y] = [
      [1, 2, 3.5, 5, 7],
      [2, 3, 4, 4.5, 9],
    ];
    expect(effectOf(twoSampleEquivalenceTest(x!, y!, { margin: 2 })).chart.zone).toMatchObject({ from: -2, to: 2 });
  });
});

describe("marginal probabilities", () => {
  it("were called the mean rating", () => {
    const rating = Float64Array.from({ length: 60 }, (_, i) => 1 + ((i * 7) % 3));
    const system = { kind: "factor", codes: Int32Array.from(rating, (_, i) => i % 2), levels: ["a", "b"], ordered: false } as const; // biome-ignore format: one line
    const fit = fitClm("rating ~ system", makeTable([["rating", numericColumn(rating)], ["system", system]])); // biome-ignore format: one line
    const [means] = plotResult(marginalMeans(fit, { by: ["system"], type: "prob" }));
    expect([means!.title, means!.chart.kind === "panels" && means!.chart.y.title]).toEqual([
      "Probability of each rating, by system",
      "probability of each rating",
    ]);
  });
});

describe("a shape", () => {
  it("with many rows and little height is not in the headline as the others are", () => {
    const n = 4000;
    const u = Float64Array.from({ length: n }, (_, i) => ((i * 7919) % n) / n);
    const v = Float64Array.from({ length: n }, (_, i) => ((i * 104729) % n) / n);
    const y = u.map((x, i) => Math.sin(6 * x) + 0.02 * v[i]! + 0.05 * Math.sin(997 * i));
    const fit = fitGam(
      "y ~ s(u) + s(v)",
      makeTable([
        ["y", numericColumn(y)],
        ["u", numericColumn(u)],
        ["v", numericColumn(v)],
      ]),
    );
    const [figure] = plotResult(fit);
    expect(figure!.title).toMatch(/^s\(u\) is clear of a flat line; s\(v\) too, with a height of 0\.0\d+ against 2/);
  });
});

describe("the axis of a latent effect", () => {
  it.each([
    ["sd", "true difference (SDs of the latent scale)"],
    ["steps", "true difference (mean distances of the thresholds)"],
  ])("counted in %s says so", async (effectUnit, title) => {
    const params = { items: 40, raters: 6, setting: "howcroft-general", effectUnit };
    const axes = [{ name: "effect", values: [0.2, 0.4, 0.6] }];
    const curve = await tracePower(ordinalFamily, params, { axes, method: "approx" });
    expect((chooseFigure(plotResult(curve), "power").chart as PanelChart).x.title).toBe(title);
  });
});
