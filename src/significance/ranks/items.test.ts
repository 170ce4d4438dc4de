import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { oddItems } from "./items.ts";

const boardOf = (rows: readonly (readonly number[])[]) => ({
  systems: rows[0]!.map((_, s) => `s${s}`),
  scores: Float64Array.from(rows[0]!.flatMap((_, s) => rows.map((row) => row[s]!))),
  items: rows.length,
});

function correlation(x: readonly number[], y: readonly number[]): number {
  const [a, b] = [x, y].map((own) => own.map((v) => v - own.reduce((sum, w) => sum + w / own.length, 0))) as [
    number[],
    number[],
  ];
  const dot = (u: number[], v: number[]): number => u.reduce((sum, w, i) => sum + w * v[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const orders = (n: number): number[][] =>
  n === 0 ? [[]] : orders(n - 1).flatMap((own) => Array.from({ length: n }, (_, at) => own.toSpliced(at, 0, n - 1)));

describe("items that tell systems apart the wrong way", () => {
  const rng = makeRng("items");
  /** Six systems of growing strength on eight items; one of them is turned around, one is solved by all. */
  const rows = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 6 }, (_s, s) => (i === 6 ? 1 : (i === 7 ? -1 : 1) * (s + 0.3 * rng.normal()))),
  );

  it("are found, with the p value of all orders", () => {
    const found = oddItems(boardOf(rows), { alpha: 0.05, replicates: 20_000, rng: makeRng(1) });
    expect(found.dead).toEqual([6]);
    expect(found.inverted.map(({ item }) => item)).toEqual([7]);
    const rest = rows.map((_, i) =>
      rows[0]!.map((_v, s) => rows.reduce((sum, row, h) => sum + (h === i ? 0 : row[s]!), 0)),
    );
    expect(found.inverted[0]!.correlation).toBeCloseTo(correlation(rows[7]!, rest[7]!), 12);
    const live = [0, 1, 2, 3, 4, 5, 7];
    const least = orders(6).map((order) =>
      Math.min(
        ...live.map((i) =>
          correlation(
            order.map((at) => rows[i]![at]!),
            rest[i]!,
          ),
        ),
      ),
    );
    const exact = least.filter((own) => own <= found.inverted[0]!.correlation + 1e-12).length / least.length;
    expect(Math.abs(found.inverted[0]!.p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000) + 1e-4);
  });

  it("are rarely named where no item is one", () => {
    let named = 0;
    for (let k = 0; k < 200; k++) {
      const own = rng.stream(k);
      const none = Array.from({ length: 12 }, () => Array.from({ length: 8 }, () => own.normal()));
      named += Number(
        oddItems(boardOf(none), { alpha: 0.05, replicates: 199, rng: own.stream(0) }).inverted.length > 0,
      );
    }
    // 0.1 % above 5 % of 200
    expect(named).toBeLessThanOrEqual(21);
  });

  it("need more than four systems", () => {
    const four = rows.map((row) => row.slice(0, 4));
    expect(oddItems(boardOf(four), { alpha: 0.04, replicates: 999, rng: makeRng(1) }).inverted).toEqual([]);
  });
});
