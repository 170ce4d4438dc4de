/** The least-squares line through points with its pointwise band, for pictures.
 *    y = a + b x,   half-width t(n - 2) s √(1/n + (x - x̄)²/Sxx)
 *  Reference: Draper & Smith (1998), Applied Regression Analysis, 1.4 and 3.2.
 *  Oracle:    predict(lm, interval = "confidence") (R). */
import { tQuantileUpper } from "./dist/t.ts";
import { type CellCounts, countCells } from "./histogram.ts";

/** Value and limits at one x. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
  readonly lower: number;
  readonly upper: number;
}

/** What a scatter plot draws. */
export interface Scatter {
  /** Beyond 5,000 counted in cells. */
  readonly points?: readonly (readonly [x: number, y: number])[];
  readonly density?: CellCounts;
  /** The least-squares line. */
  readonly line?: readonly LinePoint[];
}

const MOST_POINTS = 5000;

/** With its line where a confidence is given. */
export function scatterOf(x: Float64Array, y: Float64Array, confidence?: number): Scatter {
  return {
    ...(x.length > MOST_POINTS
      ? { density: countCells(x, y) }
      : { points: Array.from(x, (value, i) => [value, y[i]!] as const) }),
    ...(confidence === undefined ? {} : { line: straightLine(x, y, confidence) }),
  };
}

const POINTS = 25;

/** Over the range of x; empty where no line is determined. */
export function straightLine(x: Float64Array, y: Float64Array, confidence: number): LinePoint[] {
  const n = x.length;
  if (n < 3) return [];
  const [meanX, meanY] = [average(x), average(y)];
  let [sxx, sxy, syy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    sxx += dx * dx;
    sxy += dx * dy;
    syy += dy * dy;
  }
  if (!(sxx > 0)) return [];
  const slope = sxy / sxx;
  const s = Math.sqrt(Math.max(0, syy - slope * sxy) / (n - 2));
  const t = tQuantileUpper((1 - confidence) / 2, n - 2);
  const [low, high] = x.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  return Array.from({ length: POINTS }, (_, k) => {
    const at = low + ((high - low) * k) / (POINTS - 1);
    const value = meanY + slope * (at - meanX);
    const half = t * s * Math.sqrt(1 / n + (at - meanX) ** 2 / sxx);
    return { x: at, y: value, lower: value - half, upper: value + half };
  });
}

const average = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
