/** Order and drift: the z against all permutations, its size under no drift, and what is said of designs with a known order. */
import { describe, expect, it } from "vitest";
import { asFactor, factorColumn, makeTable, numericColumn, withColumn } from "../../../data/table.ts";
import { makeRng, type Rng } from "../../../numeric/rng.ts";
import { compare } from "../compare.ts";
import { checkOrder, type OrderCheck, testDrift } from "./order.ts";

interface OrderDesign {
  readonly items: number;
  readonly repeats: number;
  /** apart: A wholly before B; mixed: all rows in one random order. */
  readonly order: "apart" | "mixed";
  /** Lost from the first row to the last, of a probability. */
  readonly drift: number;
  /** Both systems run the items in the order of the file. */
  readonly sameOrder?: boolean;
}

function draw({ items, repeats, order, drift, sameOrder = false }: OrderDesign, rng: Rng) {
  const rows = Array.from({ length: 2 * items * repeats }, (_, k) => ({
    system: k < items * repeats ? "A" : "B",
    item: k % items,
    place: rng.uniform(),
  }));
  rows.forEach((row, k) => {
    if (sameOrder) row.place = (k % (items * repeats)) / (items * repeats);
    if (order === "apart") row.place = (row.place + (row.system === "B" ? 1 : 0)) / 2;
  });
  const ability = Array.from({ length: items }, () => 0.3 + 0.5 * rng.uniform());
  return makeTable([
    ["model", factorColumn(rows.map(({ system }) => system))],
    ["id", factorColumn(rows.map(({ item }) => `q${item}`))],
    ["started_at", numericColumn(rows.map(({ place }) => 1.7e9 + 36_000 * place))],
    ["correct", numericColumn(rows.map(({ item, place }) => (rng.uniform() < ability[item]! - drift * place ? 1 : 0)))],
  ]);
}

const orderIn = (design: OrderDesign, rng: Rng): { order: OrderCheck; codes: string[] } => {
  const result = compare(draw(design, rng), { run: "none" });
  const { order } = result.toJSON() as unknown as { order: OrderCheck };
  return { order, codes: result.diagnostics.map(({ code }) => code) };
};

function permutations<T>(list: readonly T[]): T[][] {
  return list.length === 0
    ? [[]]
    : list.flatMap((own, i) => permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [own, ...rest]));
}

describe("drift", () => {
  it("has the variance of all orders within each group", () => {
    const groups = [
      { x: [1, 2, 3], y: [1, 0, 0] },
      { x: [1, 2, 3, 4], y: [0.5, 0.2, 0.9, 0.1] },
    ];
    const centred = ({ x, y }: { x: number[]; y: number[] }): number =>
      x.reduce((sum, own, i) => sum + (own - x.reduce((a, b) => a + b) / x.length) * y[i]!, 0);
    const sums = permutations([0, 1, 2]).flatMap((p) =>
      permutations([0, 1, 2, 3]).map(
        (q) =>
          centred({ x: groups[0]!.x, y: p.map((i) => groups[0]!.y[i]!) }) +
          centred({ x: groups[1]!.x, y: q.map((i) => groups[1]!.y[i]!) }),
      ),
    );
    const variance = sums.reduce((total, own) => total + own * own, 0) / sums.length;
    const many = Array.from({ length: 10 }, () => groups).flat();
    const found = testDrift(
      many.map(({ x, y }) => ({ x: Float64Array.from(x), y: Float64Array.from(y) })),
      "repeats",
    )!;
    const z = (10 * groups.reduce((sum, own) => sum + centred(own), 0)) / Math.sqrt(10 * variance);
    expect(found.n).toBe(20);
    expect(found.z).toBeCloseTo(z, 12);
  });

  it.each([
    { items: 60, repeats: 1, order: "apart", drift: 0 },
    { items: 40, repeats: 3, order: "apart", drift: 0 },
  ] as const)("$items items, $repeats repeats: calls no drift one in about 1 of 100", (design) => {
    const sets = 1000;
    const columns = { system: "model", item: "id", score: "correct" };
    let found = 0;
    for (let k = 0; k < sets; k++)
      if (checkOrder(draw(design, makeRng("drift", k)), columns, { systems: ["A", "B"] })!.confounded) found += 1;
    expect(found / sets).toBeLessThan(0.01 + 4 * Math.sqrt((0.01 * 0.99) / sets));
  });

  it("finds a drift by repeats and by pairs, and says that the order is mixed up with the systems", () => {
    for (const repeats of [1, 3]) {
      const { order, codes } = orderIn({ items: 400, repeats, order: "apart", drift: 0.6 }, makeRng("d", repeats));
      expect(order.drift!.by).toBe(repeats === 1 ? "pairs" : "repeats");
      expect(order.drift!.z).toBeLessThan(-3);
      expect([order.earlier, order.confounded]).toEqual([1, true]);
      expect(codes).toContain("OrderConfounded");
    }
  });

  it("in a random order it is told as noise", () => {
    const { order, codes } = orderIn({ items: 400, repeats: 3, order: "mixed", drift: 0.6 }, makeRng("m"));
    expect([order.apart, order.confounded]).toEqual([false, false]);
    expect(codes).toContain("ScoresDrift");
  });

  it("one order of items and no repeats: nothing is claimed about drift", () => {
    const design = { items: 200, repeats: 1, order: "apart", drift: 0.6, sameOrder: true } as const;
    const { order, codes } = orderIn(design, makeRng("s"));
    expect(order.drift).toBeUndefined();
    expect(codes).toContain("RunApart");
    expect(codes).not.toContain("OrderConfounded");
  });

  it("one moment for all rows of a system is no order of running", () => {
    const table = draw({ items: 60, repeats: 2, order: "apart", drift: 0 }, makeRng("r"));
    const systems = asFactor(table.columns.get("model")!);
    const released = numericColumn(Array.from(systems.codes, (code) => 1.7e9 + 86_400 * code));
    expect(compare(withColumn(table, "started_at", released), { run: "none" }).toJSON()).not.toHaveProperty("order");
  });

  it("is not looked for where nobody has times, or nobody wants it", () => {
    const table = draw({ items: 30, repeats: 1, order: "apart", drift: 0 }, makeRng("n"));
    expect(compare(table, { time: "none" }).toJSON()).not.toHaveProperty("order");
    expect(() => compare(table, { time: "id" })).toThrow(/does not hold times/);
  });
});
