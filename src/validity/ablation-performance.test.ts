import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { binomialInterval } from "../significance/intervals/binomial.ts";
import { differenceInterval } from "../significance/tests/proportions.ts";
import { measureAblation } from "./ablation.ts";
import { testBias } from "./bias/bias.ts";

const rng = makeRng(5);
const ROWS = Array.from({ length: 400 }, (_, i) => {
  const gold = rng.uniform() < 0.5 ? "yes" : "no";
  const home = i < 200;
  const right = rng.uniform() < (home ? 0.9 : 0.6);
  return {
    gold,
    said: right ? gold : gold === "yes" ? "no" : "yes",
    source: home ? "news" : "web",
    x: rng.normal(),
    doc: `d${i % 40}`,
  };
});
const table = makeTable([
  ...(["gold", "said", "source", "doc"] as const).map(
    (name) => [name, factorColumn(ROWS.map((row) => row[name]))] as const,
  ),
  ["x", numericColumn(ROWS.map(({ x }) => x))] as const,
]);
const OPTIONS = {
  label: "gold",
  predicted: "said",
  domain: "source",
  inDomain: "news",
  features: ["x"],
  replicates: 50,
};
const hits = (source: string): number => ROWS.filter((row) => row.source === source && row.gold === row.said).length;

describe("accuracy in and out of domain", () => {
  it("is the proportion of right predictions, with Wilson's and Newcombe's intervals", () => {
    const { performance } = testBias(table, { ...OPTIONS, cluster: "none" });
    expect(performance!.metric).toBe("accuracy");
    expect(performance!.inDomain).toMatchObject({ domain: "news", n: 200, value: hits("news") / 200 });
    const { lower } = binomialInterval(hits("news"), 200);
    expect(performance!.inDomain.lower).toBe(lower);
    const drop = differenceInterval([hits("news"), hits("web")], [200, 200]);
    expect(performance!.outOfDomain[0]!.differenceLower).toBe(drop.lower);
    expect(performance!.outOfDomain[0]!.difference).toBeCloseTo((hits("news") - hits("web")) / 200, 14);
  });

  it("with clusters of one row the standard error is that of a proportion", () => {
    const alone = makeTable([...table.columns, ["own", factorColumn(ROWS.map((_, i) => `r${i}`))] as const]);
    const { performance } = testBias(alone, { ...OPTIONS, cluster: "own" });
    const p = hits("news") / 200;
    const se = Math.sqrt((p * (1 - p)) / 199);
    expect(performance!.inDomain.lower).toBeCloseTo(p - 1.959963984540054 * se, 10);
  });

  it("is printed, and absent without predictions", () => {
    expect(testBias(table, OPTIONS).toString()).toMatch(/accuracy as estimated in-domain, and as realised/);
    const { predicted: _, ...bare } = OPTIONS;
    expect(testBias(table, bare).performance).toBeUndefined();
  });
});

describe("ablation", () => {
  const y = [1, 2, 3, 4, 5, 6];
  const numbers = makeTable([
    ["y", numericColumn(y)],
    ["before", numericColumn([1.5, 2, 3, 4, 5, 5.5])],
    ["after", numericColumn([3.5, 3.5, 3.5, 3.5, 3.5, 3.5])],
    ["c", factorColumn(["a", "a", "b", "b", "a", "b"])],
    ["all", factorColumn(["a", "a", "a", "a", "a", "a"])],
    ["some", factorColumn(["a", "b", "b", "b", "a", "b"])],
  ]);

  it("of numbers is R², 0 for the mean", () => {
    const own = measureAblation(numbers, { label: "y", predictions: "before", ablated: "after" });
    expect(own).toMatchObject({ metric: "r2", n: 6, floor: 0 });
    expect(own.before).toBeCloseTo(1 - 0.5 / 17.5, 14);
    expect(own.after).toBeCloseTo(0, 14);
  });

  it("of classes is accuracy, beside the commonest label", () => {
    const own = measureAblation(numbers, { label: "c", predictions: "some", ablated: "all" });
    expect(own).toMatchObject({ metric: "accuracy", before: 5 / 6, after: 0.5, floor: 0.5 });
    expect(() => measureAblation(numbers, { label: "nope", predictions: "some", ablated: "all" })).toThrow(/nope/);
  });
});
