import { describe, expect, it } from "vitest";
import { asFactor, column, withColumn } from "../../data/table.ts";
import { table } from "../../io/table.ts";
import { fitClm } from "../../models/ordinal/clm.ts";
import { describeRatings } from "./ratings.ts";

const rows = Array.from({ length: 240 }, (_, i) => ({
  system: ["a", "b", "c"][i % 3]!,
  rating: 1 + ((i * 7 + (i % 3) * (i % 2)) % 4),
}));

const plain = table(rows);
const ordered = withColumn(plain, "rating", { ...asFactor(column(plain, "rating")), ordered: true });

describe("the latent scale of a picture", () => {
  const fit = fitClm("rating ~ system", ordered);
  const { factors } = describeRatings(fit);
  const [{ series, systems }] = factors as [(typeof factors)[number]];

  it("areas between thresholds are the predicted shares", () => {
    const { thresholds, densities } = series;
    densities.forEach(({ points }, s) => {
      const width = points[1]![0] - points[0]![0];
      const total = points.reduce((sum, [, d]) => sum + d * width, 0);
      expect(total).toBeGreaterThan(0.95);
      // cells that a threshold cuts count by their part below it
      const below = (limit: number): number =>
        points.reduce((sum, [x, d]) => sum + d * Math.max(0, Math.min(width, limit - (x - width / 2))), 0);
      const shares = systems[s]!.probabilities.map(({ estimate }) => estimate);
      const first = thresholds.map((limit) => below(limit));
      const middle = shares.slice(1, -1);
      middle.forEach((share, k) => {
        expect(Math.abs(first[k + 1]! - first[k]! - share)).toBeLessThan(0.005);
      });
    });
  });

  it("places differ by the latent differences", () => {
    const [{ pairs }] = factors as [(typeof factors)[number]];
    const place = new Map(systems.map(({ level, latent }) => [level, latent]));
    for (const { first, second, latent } of pairs)
      expect(place.get(second)! - place.get(first)!).toBeCloseTo(latent, 10);
  });
});
