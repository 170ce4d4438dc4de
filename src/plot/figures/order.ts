/** When the systems were run, and what they scored then. */
import type { OrderCheck } from "../../significance/compare/reading/order.ts";
import type { Figure } from "../charts/figure.ts";
import { lookOf } from "./spread.ts";
import { join, type NumberStyle, write } from "./words.ts";

export function orderFigure(order: OrderCheck | undefined, metric: string, style: NumberStyle): Figure[] {
  if (order === undefined) return [];
  const { series, a, b, earlier, apart, drift, column } = order;
  const [first, second] = earlier >= 0.5 ? [a, b] : [b, a];
  const share = Math.max(earlier, 1 - earlier);
  const when = apart
    ? `${first} was run before ${second}${share === 1 ? "" : ", but for a few rows"}`
    : `${first} was run before ${second} in ${Math.round(100 * share)} % of pairs of rows`;
  const shown =
    drift === undefined
      ? "whether scores drift cannot be seen here"
      : `scores against time: z = ${drift.z.toFixed(2)} (${drift.by === "repeats" ? "repeats of the same items" : "items in different orders"})`;
  return [
    {
      name: "order",
      title: when,
      subtitle: `Mean ${metric} of consecutive rows by ${column}; ${shown}`,
      description: `${when}. ${join(series.map(({ system, points }) => `${system}: ${metric} ${write(points[0]!.mean, style)} at first, ${write(points.at(-1)!.mean, style)} at last`))}.`,
      chart: {
        kind: "panels",
        x: { title: "hours since the first row" },
        y: { title: metric, ...(style.percent ? { format: "percent" as const } : {}) },
        panels: [
          {
            marks: series.map(({ system, points }, s) => ({
              mark: "line" as const,
              points: points.map(({ hours, mean }) => [hours, mean] as const),
              ...lookOf(s),
              name: system,
            })),
          },
        ],
      },
      data: {
        head: ["system", "hours", "mean", "rows"],
        rows: series.flatMap(({ system, points }) => points.map(({ hours, mean, n }) => [system, hours, mean, n])),
      },
    },
  ];
}
