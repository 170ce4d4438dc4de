/** What was seen on pictures and must not come back: names on lines and bars, ends of axes without a number, names that only colour tells
 *  apart. */
import { describe, expect, it } from "vitest";
import type { PathShape, Scene, TextShape } from "../draw/scene.ts";
import { textWidth } from "../draw/text-width.ts";
import type { PanelChart, PanelMark } from "./figure.ts";
import { layoutPanels } from "./panels.ts";

const chartOf = (panels: readonly (readonly PanelMark[])[], more: Partial<PanelChart> = {}): PanelChart => ({
  ...{ kind: "panels", x: { title: "x" }, y: { title: "y" } },
  panels: panels.map((marks) => ({ marks })),
  ...more,
});

const textOf = ({ shapes }: Scene, text: string): TextShape =>
  shapes.find((shape): shape is TextShape => shape.type === "text" && shape.text === text)!;

function extent({ x, text, size = 12, bold, anchor = "start" }: TextShape): readonly [number, number] {
  const width = textWidth(text, size, bold);
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
  return [left, left + width];
}

const uprights = ({ shapes }: Scene): PathShape[] =>
  shapes.filter(
    (shape): shape is PathShape =>
      shape.type === "path" &&
      ["zero", "ref"].includes(shape.style) &&
      shape.lines.every(([from, to]) => from![0] === to![0]),
  );

describe("names of upright lines", () => {
  const bars: PanelMark = {
    mark: "bars",
    bars: Array.from({ length: 20 }, (_, k) => ({ from: k, to: k + 1, high: 100 - k })),
    tone: "k1",
  };
  const rule = (at: number, label: string, style: "zero" | "ref"): PanelMark => ({
    ...{ mark: "rule", axis: "x", at, label, style },
  });

  it.each([
    ["far apart", [3, 15]],
    ["closer than a name is wide", [10, 10.6]],
    ["two pixels apart", [10, 10.05]],
    ["at the right edge", [18.5, 19.9]],
    ["three together", [10, 10.5, 11]],
  ])("stand above all bars and on no other line: %s", (_, places) => {
    const labels = places.map((_, k) => `line number ${k}`);
    const rules = places.map((at, k) => rule(at, labels[k]!, k === 0 ? "zero" : "ref"));
    const scene = layoutPanels(chartOf([[bars, ...rules]]), 600);
    const top = Math.min(...scene.shapes.flatMap((shape) => (shape.type === "rect" ? [shape.y] : [])));
    const names = labels.map((label) => textOf(scene, label));
    for (const [k, name] of names.entries()) {
      expect(name.y).toBeLessThan(top);
      const [from, to] = extent(name);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(600);
      const crossing = uprights(scene).filter(({ lines }) =>
        lines.some(
          ([a, b]) =>
            a![0] > from && a![0] < to && Math.min(a![1], b![1]) < name.y && Math.max(a![1], b![1]) > name.y - 8,
        ),
      );
      expect(crossing).toEqual([]);
      for (const other of names.slice(k + 1)) {
        const [a, b] = extent(other);
        expect(Math.abs(other.y - name.y) > 10 || b < from || a > to).toBe(true);
      }
    }
  });

  it("dashes over filled bars have a rim of paper below them", () => {
    const { shapes } = layoutPanels(chartOf([[bars, { ...rule(5, "mean", "ref"), over: true } as PanelMark]]), 600);
    const styles = shapes.flatMap((shape) => (shape.type === "path" ? [shape.style] : []));
    expect(styles.indexOf("rim")).toBeGreaterThanOrEqual(0);
    expect(styles.indexOf("rim")).toBeLessThan(styles.indexOf("ref"));
  });
});

describe("names of lines", () => {
  const line = (name: string, ys: readonly number[], dash?: "dash2"): PanelMark => ({
    ...{ mark: "line", name, tone: "k1", symbol: "circle", points: ys.map((y, k) => [k, y] as const) },
    ...(dash === undefined ? {} : { dash }),
  });
  const keysBeside = (scene: Scene, name: string): number => {
    const { x, y } = textOf(scene, name);
    return scene.shapes.filter(
      (shape) =>
        shape.type === "path" &&
        shape.style === "ln" &&
        shape.lines.every((points) => points.every(([a, b]) => a > x - 30 && a < x && Math.abs(b - y) < 8)),
    ).length;
  };

  it("carry the line's mark where they had to move from its end, and only there", () => {
    const together = layoutPanels(
      chartOf([[line("a", [0, 1]), line("b", [0.5, 1], "dash2"), line("c", [0.7, 1])]]),
      600,
    );
    for (const name of ["a", "b", "c"]) expect(keysBeside(together, name)).toBe(1);
    const apart = layoutPanels(chartOf([[line("a", [0, 1]), line("b", [0, 0.5], "dash2")]]), 600);
    for (const name of ["a", "b"]) expect(keysBeside(apart, name)).toBe(0);
  });

  it("of lines that end together stand in the order in which the lines run", () => {
    const scene = layoutPanels(chartOf([[line("low", [0, 0.3, 1]), line("high", [0.6, 0.9, 0.99999])]]), 600);
    expect(textOf(scene, "high").y).toBeLessThan(textOf(scene, "low").y);
  });
});

describe("numbers of the x axis", () => {
  it("stand at both ends, in every panel, and do not meet", () => {
    const dots: PanelMark = { mark: "dots", tone: "k1", points: [[0.005, 1], [0.04, 2]] }; // biome-ignore format: one line
    const chart = chartOf([[dots], [dots]], { x: { title: "delta", domain: [0.005, 0.04] } });
    const scene = layoutPanels(chart, 860);
    const labels = scene.shapes.filter(
      (shape): shape is TextShape => shape.type === "text" && /^0\.0\d\d$/.test(shape.text),
    );
    expect(labels.filter(({ text }) => text === "0.005")).toHaveLength(2);
    expect(labels.filter(({ text }) => text === "0.040")).toHaveLength(2);
    const ends = labels.map(extent).sort((a, b) => a[0] - b[0]);
    for (const [k, [from]] of ends.slice(1).entries()) expect(from).toBeGreaterThan(ends[k]![1]);
  });
});

it("of effects that are all but nothing the axis says how small they are", () => {
  const smooth: PanelMark = { mark: "line", tone: "k1", points: [[0, -4e-15], [1, 2.4e-14]] }; // biome-ignore format: one line
  const zero: PanelMark = { mark: "rule", axis: "y", at: 0, style: "zero" };
  const { shapes } = layoutPanels(chartOf([[zero, smooth]], { y: { title: "effect", format: "signed" } }), 600);
  const texts = shapes.filter((shape): shape is TextShape => shape.type === "text");
  expect(texts.map(({ text }) => text)).toContain("+1e−14");
  expect(texts.filter(({ bold }) => bold).map(({ text }) => text)).toEqual(["0"]);
});
