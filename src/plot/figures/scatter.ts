/** Clouds of points with their line: of correlations, of linear models of one covariate, and of published figures. */

import type { Scatter } from "../../numeric/straight-line.ts";
import { mostOf } from "../../result/extremes.ts";
import type { PanelMark } from "../charts/figure.ts";
import type { Tone } from "../draw/style.ts";

/** Above this dots are smaller; up to that they do not hide each other. */
const MANY = 500;
const FEW = 50;

/** Points, or beyond 5,000 of them counts in cells; then the line with its band. */
export function scatterMarks({ points = [], density, line = [] }: Scatter): PanelMark[] {
  const cloud: PanelMark =
    density === undefined
      ? points.length <= FEW
        ? { mark: "dots", points, tone: "k1", size: 4 }
        : { mark: "dots", points, tone: "k1", faint: true, size: points.length > MANY ? 2 : 3 }
      : densityTiles(density);
  if (line.length === 0) return [cloud];
  return [
    cloud,
    { mark: "band", points: line.map((own) => [own.x, own.lower, own.upper]), tone: "ki" },
    { mark: "line", points: line.map((own) => [own.x, own.y]), tone: "ki" },
  ];
}

export const scatterData = ({ points = [], density }: Scatter, x: string, y: string) =>
  density === undefined
    ? { head: [x, y], rows: points.map(([a, b]) => [a, b]) }
    : { head: [x, y, "points"], rows: density.cells.map((cell) => [...cell]) };

/** By the logarithm of the count, so that single points stay visible. */
function densityTiles({ cells, halfWidth, halfHeight }: NonNullable<Scatter["density"]>): PanelMark {
  const most = mostOf(cells.map(([, , count]) => count));
  const shade = (count: number): Tone =>
    `s${1 + Math.round((6 * Math.log(count)) / Math.log(Math.max(2, most)))}` as Tone;
  return { mark: "tiles", tiles: cells.map(([x, y, count]) => ({ x, y, tone: shade(count) })), halfWidth, halfHeight };
}
