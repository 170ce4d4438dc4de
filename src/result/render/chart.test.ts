import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DisplayChart } from "../display.ts";
import { layoutChart } from "./chart.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderText } from "./text.ts";
import { displayWidth } from "./width.ts";

const line = (from: number, to: number, f: (x: number) => number): [number, number][] =>
  Array.from({ length: 5 }, (_, k) => from + (k * (to - from)) / 4).map((x) => [x, f(x)]);

const power: DisplayChart = {
  x: "n",
  y: "power",
  series: [
    { name: "delta = 0.01", points: line(0, 400, (x) => x / 800) },
    { name: "delta = 0.02", points: line(0, 400, (x) => x / 400) },
  ],
  yRange: [0, 1],
  guide: 0.8,
  guideName: "power 0.8",
};

/** Columns and rows of a mark on the canvas, counted from the lower left corner. */
function find(lines: readonly string[], mark: string): [number, number][] {
  const body = lines.filter((text) => text.includes("|")).reverse();
  return body.flatMap((text, row) =>
    Array.from(text.slice(text.indexOf("|") + 1)).flatMap((c, column): [number, number][] =>
      c === mark ? [[column, row]] : [],
    ),
  );
}

describe("layoutChart", () => {
  it("puts every point where the axes say", () => {
    const lines = layoutChart(power, 80);
    // 67 columns, 13 rows: 0, 100, … 400 in columns 0, 16.5, …; 0, 0.25, … 1 in rows 0, 3, …
    expect(find(lines, "x").sort((a, b) => a[0] - b[0])).toEqual([
      [17, 3],
      [33, 6],
      [50, 9],
      [66, 12],
    ]);
    // the lower curve ends at 0.5; where both begin at 0 the first series is shown
    expect(find(lines, "o")).toContainEqual([0, 0]);
    expect(find(lines, "o")).toContainEqual([66, 6]);
    expect(lines.find((text) => text.includes("---"))).toMatch(/^ *0.8 \|-/);
    expect(lines.at(-1)).toBe("o delta = 0.01   x delta = 0.02   -- power 0.8");
    expect(lines.at(-2)).toMatch(/^ +0 +n +400$/);
  });

  it("uses no random replicates where there is no line", () => {
    expect(layoutChart({ x: "n", y: "power", series: [{ name: "", points: [[1, 1]] }] }, 80)).toEqual([]);
    expect(layoutChart({ x: "n", y: "power", series: [] }, 80)).toEqual([]);
  });

  it("keeps within the width, whatever the values, and marks every finite point's cell", () => {
    const value = fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constantFrom(Number.NaN, 0, 1));
    const series = fc.record({ name: fc.string(), points: fc.array(fc.tuple(value, value), { maxLength: 12 }) });
    fc.assert(
      fc.property(fc.array(series, { maxLength: 10 }), fc.integer({ min: 40, max: 120 }), (drawn, width) => {
        const lines = layoutChart({ x: "n", y: "power", series: drawn }, width);
        const longest = Math.max(0, ...drawn.map(({ name }) => displayWidth(name) + 2));
        for (const text of lines) expect(displayWidth(text)).toBeLessThanOrEqual(Math.max(width, longest));
        const finite = drawn.flatMap(({ points }) => points).filter(([x, y]) => Number.isFinite(x + y));
        if (drawn.length <= 8 && finite.length >= 2) expect(lines.length).toBeGreaterThan(13);
      }),
    );
  });
});

describe("renderers", () => {
  const display = { title: "Curve", tables: [], charts: [power], notes: ["note"] };

  it("show charts before the notes", () => {
    const text = renderText(display);
    expect(text.indexOf("power\n")).toBeGreaterThan(0);
    expect(text.indexOf("x delta = 0.02")).toBeLessThan(text.indexOf("note"));
    const markdown = renderMarkdown(display);
    expect(markdown).toContain("```text\npower\n");
    expect(markdown.split("```")).toHaveLength(3);
  });
});
