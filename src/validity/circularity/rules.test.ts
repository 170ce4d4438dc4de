/** Rules planted in simulated labels are found, with their features and words; signals with noise have none. A slice of the bank that
 *  test/calibration counts through. */
import { describe, expect, it } from "vitest";
import { type LabelSpec, RULE_KINDS, SIGNAL_KINDS, simulateLabel } from "../../../test/support/label-bank.ts";
import { factorColumn, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { halves, numericScatter } from "./found-rule.ts";
import { halfUnit, scaleOfLabel } from "./label-scale.ts";
import { chooseRule, type Reproduction } from "./reproduction.ts";
import { fitRobustly } from "./robust-fit.ts";
import { findRules } from "./rules.ts";

const numeric = (name: string, values: ArrayLike<number>) => ({
  name,
  column: numericColumn(Float64Array.from(values)),
});

function judge(y: Float64Array, features: Parameters<typeof findRules>[2]["features"]): Reproduction | undefined {
  const { rules, scale } = findRules("y", y, { features, sets: [] });
  return chooseRule(rules, scale)?.reproduction;
}

function judgeSpec(spec: LabelSpec): Reproduction | undefined {
  const table = simulateLabel(spec, "quick");
  const label = table.columns.get("label")!;
  if (label.kind !== "numeric") throw new Error("the label is a number");
  const features = [...table.columns].filter(([name]) => name !== "label").map(([name, column]) => ({ name, column }));
  return judge(label.values, features);
}

describe("the bank, 300 rows and 5 features", () => {
  it.each(RULE_KINDS)("a rule by %s is found whole", (kind) => {
    expect(judgeSpec({ truth: "rule", kind, replaced: 0, rows: 300, features: 5 })!.extent).toBe("whole");
  });

  it.each(["threshold", "steps", "sum", "product", "max", "lookup"] as const)(
    "a rule by %s with every twentieth row replaced is found in part, with the proportion of the rows that it gives",
    (kind) => {
      const found = judgeSpec({ truth: "rule", kind, replaced: 0.05, rows: 400, features: 5 })!;
      expect(found.extent).toBe("part");
      expect(found.share).toBeGreaterThan(0.9);
      expect(found.share).toBeLessThan(0.98);
    },
  );

  it.each(SIGNAL_KINDS.flatMap((kind) => [0.9, 0.99].map((r2) => [kind, r2] as const)))(
    "a signal of the kind %s with R² %d is no rule",
    (kind, r2) => {
      expect(judgeSpec({ truth: "signal", kind, r2, rows: 300, features: 5 })?.extent ?? "none").toBe("none");
    },
  );
});

describe("rules in words", () => {
  const rng = makeRng("words");
  const n = 200;
  const draw = (): Float64Array => Float64Array.from({ length: n }, () => rng.normal());
  const [a, b, c] = [draw(), draw(), draw()];
  const features = [numeric("a", a), numeric("b", b), numeric("c", c)];

  it.each([
    ["a sum", (i: number) => 2 * a[i]! - b[i]! + 3, "y = 2 a - b + 3."],
    ["a product", (i: number) => a[i]! * b[i]!, "y = a × b."],
    ["a square", (i: number) => 1 + c[i]! ** 2, "y = c² + 1."],
    ["a ratio", (i: number) => a[i]! / c[i]!, "y = a × c^-1."],
    ["the largest", (i: number) => Math.max(a[i]!, c[i]!), "y is the largest of a, c."],
    ["the smallest", (i: number) => Math.min(a[i]!, b[i]!, c[i]!), "y is the smallest of a, b, c."],
    ["a copy", (i: number) => b[i]!, "y is b."],
  ])("%s", (_, label, words) => {
    const found = judge(
      Float64Array.from({ length: n }, (_, i) => label(i)),
      features,
    )!;
    expect(found.words).toEqual([words]);
    expect([found.extent, found.share, found.heldOutShare]).toEqual(["whole", 1, 1]);
  });

  it("points by class and a sum", () => {
    const group = factorColumn(Array.from({ length: n }, (_, i) => ["u", "v", "w"][i % 3]!));
    const y = a.map((value, i) => 0.5 * value + [0, 2, 7][i % 3]!);
    const found = judge(y, [...features, { name: "g", column: group }])!;
    expect(found.words).toEqual(["y = 0.5 a + 2 [g = v] + 7 [g = w]."]);
    expect([...found.features].sort()).toEqual(["a", "g"]);
  });
});

describe("what a rule must not claim", () => {
  const rng = makeRng("claims");
  const n = 600;
  const x = Float64Array.from({ length: n }, () => rng.normal());
  const z = Float64Array.from({ length: n }, () => rng.normal());

  it("the commonest label of a rare class is no rule", () => {
    const y = x.map(() => (rng.uniform() < 0.04 ? 1 : 0));
    expect(judge(y, [numeric("x", x), numeric("z", z)])?.extent ?? "none").toBe("none");
  });

  it("classes of a strong signal are missed near the step, those of a rule with exceptions anywhere", () => {
    const honest = judge(
      x.map((value) => Number(value + 0.25 * rng.normal() > 0)),
      [numeric("x", x), numeric("z", z)],
    )!;
    const flipped = judge(
      x.map((value) => Number(value > 0 !== rng.uniform() < 0.07)),
      [numeric("x", x), numeric("z", z)],
    )!;
    expect(honest.share).toBeGreaterThan(0.88);
    expect([honest.extent, flipped.extent]).toEqual(["none", "part"]);
    expect(flipped.scatter).toBeGreaterThan(honest.scatter);
  });

  it("a number that two columns of one decimal share by chance is no copy", () => {
    const rounded = x.map((value) => Math.round(10 * value) / 10);
    const y = x.map((value) => Math.round(10 * (value + 0.05 * rng.normal())) / 10);
    expect(judge(y, [numeric("x", rounded), numeric("z", z)])?.extent ?? "none").toBe("none");
  });

  it("a table with a cell for each row gives none", () => {
    const many = Float64Array.from({ length: n }, (_, i) => i % 30);
    const more = Float64Array.from({ length: n }, (_, i) => Math.floor(i / 30));
    const y = x.map(() => rng.int(2));
    expect(judge(y, [numeric("many", many), numeric("more", more)])?.extent ?? "none").toBe("none");
  });

  it("does not depend on the order of rows or features, nor on the units of the label", () => {
    const y = x.map((value, i) => 3 * value - 2 * z[i]!);
    const plain = judge(y, [numeric("x", x), numeric("z", z)])!;
    const turned = judge(y.map((value) => 100 * value - 7).reverse(), [
      numeric("z", z.slice().reverse()),
      numeric("x", x.slice().reverse()),
    ])!;
    expect([turned.extent, turned.share, [...turned.features].sort()]).toEqual([
      plain.extent,
      plain.share,
      [...plain.features].sort(),
    ]);
  });
});

describe("parts", () => {
  it("coefficients are recovered though three rows in ten follow another rule", () => {
    const rng = makeRng("robust");
    const x = Float64Array.from({ length: 300 }, () => rng.normal());
    const y = x.map((value) => (rng.uniform() < 0.3 ? 5 * rng.normal() : 4 - 2.5 * value));
    const fit = fitRobustly([x], y, 1e-6)!;
    expect(fit.intercept).toBeCloseTo(4, 8);
    expect(fit.slopes[0]).toBeCloseTo(-2.5, 8);
  });

  it("halves part all rows, and the last decimal is that of the numbers", () => {
    const [a, b] = halves(11);
    expect([...a, ...b].sort((u, v) => u - v)).toEqual(Array.from({ length: 11 }, (_, i) => i));
    expect(
      [
        [1, 2],
        [0.5, 2],
        [0.12, 3.4],
        [Math.PI, 1],
      ].map((values) => halfUnit(Float64Array.from(values))),
    ).toEqual([0.5, 0.05, 0.005, 0]);
  });

  it("misses just beyond the rounding are the tail of noise, others are exceptions", () => {
    const y = Float64Array.from({ length: 200 }, (_, i) => i / 10 + (i % 7) / 1000);
    const scale = { ...scaleOfLabel(y), tolerance: 1 };
    expect(
      numericScatter(
        y,
        y.map((value, i) => value + (i % 10 === 0 ? 2 : 0)),
        scale,
      ),
    ).toBe(0);
    expect(
      numericScatter(
        y,
        y.map((value, i) => value + (i % 10 === 0 ? 9 : 0)),
        scale,
      ),
    ).toBe(1);
  });
});
