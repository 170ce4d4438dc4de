import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import type { LearnerName, Target } from "../learner/learner.ts";
import { randomisationP } from "./feature-test.ts";
import { type InvarianceOptions, testInvariance } from "./invariance.ts";
import { parseScales } from "./scales.ts";
import { drawTransformation } from "./transform.ts";

/** The patient-id case: ids were given out by hospital, and hospitals differ in their share of malignant cases. */
function patients(n: number, leakage: boolean, rng: Rng): Table {
  const id: number[] = [];
  const label: number[] = [];
  const size: number[] = [];
  for (let i = 0; i < n; i++) {
    const hospital = rng.int(5);
    const rate = leakage ? [0.9, 0.1, 0.1, 0.9, 0.1][hospital]! : 0.42;
    const y = rng.uniform() < rate ? 1 : 0;
    id.push(1000 * hospital + rng.int(1000));
    label.push(y);
    size.push(y + 1.5 * rng.normal());
  }
  return makeTable([
    ["id", numericColumn(id)],
    ["size", numericColumn(size)],
    ["malignant", numericColumn(label)],
  ]);
}

const options: InvarianceOptions = { label: "malignant", scales: { id: "nominal" } };

describe("a patient id", () => {
  for (const learner of ["gam", "stumps", "knn"] as const) {
    it(`that carries leakage is caught (${learner})`, async () => {
      const [train, test] = [patients(200, true, makeRng(1)), patients(150, true, makeRng(2))];
      const { features, verdict } = await testInvariance(train, test, { ...options, learner });
      expect(verdict.violated).toEqual(["id"]);
      expect(features[0]!.p).toBe(1 / 21);
      expect(features[0]!.lower).toBeGreaterThan(0);
      expect(features[0]!.pairedP).toBeLessThan(0.001);
    });

    it(`that is harmless is not (${learner})`, async () => {
      const [train, test] = [patients(200, false, makeRng(3)), patients(150, false, makeRng(4))];
      const { features, verdict } = await testInvariance(train, test, { ...options, learner });
      expect(verdict.violated).toEqual([]);
      expect(features[0]!.p).toBeGreaterThan(1 / 21);
    });
  }
});

/** x matters through its square, g is a text with an effect, y is a number, c a class of three. */
function mixed(n: number, rng: Rng): Table {
  const rows = Array.from({ length: n }, () => {
    const x = 1 + 4 * rng.uniform();
    const g = ["red", "green", "blue"][rng.int(3)]!;
    const y = (x - 3) ** 2 + (g === "blue" ? 1 : 0) + 0.3 * rng.normal();
    return { x, g, y, c: y > 2 ? "high" : y > 0.7 ? "middle" : "low" };
  });
  return makeTable([
    ["x", numericColumn(rows.map(({ x }) => x))],
    ["g", factorColumn(rows.map(({ g }) => g))],
    ["y", numericColumn(rows.map(({ y }) => y))],
    ["c", factorColumn(rows.map(({ c }) => c))],
  ]);
}

describe("learners have the invariances that they should have", () => {
  const [train, test] = [mixed(100, makeRng(5)), mixed(60, makeRng(6))];
  const statusOf = async (learner: LearnerName, scales: InvarianceOptions["scales"], label = "y") => {
    const given = { label, scales, learner, features: ["x", "g"], transforms: 3 };
    const { features } = await testInvariance(train, test, given);
    return features.map(({ status }) => status);
  };

  it("text features may be renamed under every learner", async () => {
    for (const learner of ["linear", "gam", "knn", "stumps"] as const) {
      expect([learner, ...(await statusOf(learner, { g: "nominal" }))]).toEqual([learner, "invariant"]);
    }
    expect(await statusOf("logistic", { g: "nominal" }, "c")).toEqual(["invariant"]);
  });

  it("units may be changed under every learner", async () => {
    for (const learner of ["linear", "gam", "knn", "stumps"] as const) {
      expect([learner, ...(await statusOf(learner, { x: "interval" }))]).toEqual([learner, "invariant"]);
      expect([learner, ...(await statusOf(learner, { x: "ratio" }))]).toEqual([learner, "invariant"]);
    }
  });

  it("only stumps are invariant under increasing maps", async () => {
    expect(await statusOf("stumps", { x: "ordinal" })).toEqual(["invariant"]);
    expect(await statusOf("stumps", { x: "ordinal" }, "c")).toEqual(["invariant"]);
    expect(await statusOf("linear", { x: "ordinal" })).not.toEqual(["invariant"]);
    expect(await statusOf("knn", { x: "ordinal" })).not.toEqual(["invariant"]);
  });

  it("classes of three are learned better than by guessing", async () => {
    for (const learner of ["gam", "knn", "stumps"] as const) {
      const given = { label: "c", scales: { x: "ratio" }, learner, features: ["x", "g"], transforms: 1 } as const;
      const { baseline } = await testInvariance(train, test, { ...given, loss: "error" });
      expect([learner, baseline < 0.5]).toEqual([learner, true]);
    }
  });
});

describe("learners of one's own", () => {
  const [train, test] = [patients(60, false, makeRng(8)), patients(40, false, makeRng(9))];
  const shares = (target: Target, wobble: () => number) => () => ({
    kind: "probabilities" as const,
    values: Float64Array.from(target.test, () => 0.5 + wobble()),
  });

  it("a random learner is recognised, and its noise is not taken for a violation", async () => {
    const rng = makeRng(10);
    const learner = (target: Target) => shares(target, () => 0.1 * (rng.uniform() - 0.5));
    const result = await testInvariance(train, test, { label: "malignant", scales: { size: "interval" }, learner });
    expect(result.randomLearner).toBe(true);
    expect(result.features[0]!.test).toBe("re-runs");
    expect(result.verdict.violated).toEqual([]);
  });

  it("one that ignores its input is invariant", async () => {
    const learner = (target: Target) => shares(target, () => 0);
    const result = await testInvariance(train, test, { ...options, learner });
    expect([result.randomLearner, result.features[0]!.status, result.features[0]!.p]).toEqual([false, "invariant", 1]);
    expect(result.baseline).toBe(0.25);
  });

  it("never sees the labels of the test rows", async () => {
    const seen: string[][] = [];
    const learner = (target: Target) => (own: Table, other: Table) => {
      seen.push([...own.columns.keys()], [...other.columns.keys()]);
      return shares(target, () => 0)();
    };
    await testInvariance(train, test, { ...options, learner, transforms: 1 });
    expect(seen[0]).toEqual(["id", "size", "malignant"]);
    expect(seen[1]).toEqual(["id", "size"]);
  });
});

describe("transformations", () => {
  const values = numericColumn([5, 1, 3, 3, 9]);
  const mapped = (scale: "nominal" | "ordinal" | "interval" | "ratio", seed: number): number[] => {
    const own = drawTransformation([values], scale, makeRng(seed))(values);
    return own.kind === "numeric" ? [...own.values] : [];
  };

  it("nominal: one to one on the same codes, all permutations equally likely", () => {
    const counts = new Map<string, number>();
    const draws = 2400;
    for (let seed = 0; seed < draws; seed++) {
      const [a, b, c, d, e] = mapped("nominal", seed);
      expect(c).toBe(d);
      expect([a, b, c, e].sort((u, v) => u! - v!)).toEqual([1, 3, 5, 9]);
      const key = `${a} ${b} ${c} ${e}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const expected = draws / 24;
    let statistic = 0;
    for (const count of counts.values()) statistic += (count - expected) ** 2 / expected;
    expect(counts.size).toBe(24);
    expect(chiSquareSf(statistic, 23)).toBeGreaterThan(0.001);
  });

  it("ordinal keeps order and range, interval is affine with a positive slope, ratio keeps quotients", () => {
    for (let seed = 0; seed < 50; seed++) {
      const [five, one, three, again, nine] = mapped("ordinal", seed);
      expect([one, nine, again]).toEqual([1, 9, three]);
      expect(one! < three! && three! < five! && five! < nine!).toBe(true);
      const [p, q, r, , s] = mapped("interval", seed);
      expect((p! - q!) / (s! - r!)).toBeCloseTo(4 / 6, 10);
      expect(s!).toBeGreaterThan(p!);
      const [t, u] = mapped("ratio", seed);
      expect(t! / u!).toBeCloseTo(5, 10);
    }
  });

  it("thousands of values stay apart under an increasing map", () => {
    const many = numericColumn(Array.from({ length: 5000 }, (_, i) => i));
    const own = drawTransformation([many], "ordinal", makeRng(1))(many);
    const target = own.kind === "numeric" ? own.values : new Float64Array();
    expect(target.every((value, i) => i === 0 || value > target[i - 1]!)).toBe(true);
  });

  it("training and test rows are mapped alike", () => {
    const parts = [factorColumn(["a", "b", "a"]), factorColumn(["c", "b"])] as const;
    const map = drawTransformation(parts, "nominal", makeRng(4));
    const [x, y] = parts.map(map);
    const text = (cells: typeof x, row: number) => (cells!.kind === "factor" ? cells!.levels[cells!.codes[row]!] : "");
    expect(text(x, 1)).toBe(text(y, 1));
    expect(new Set([text(x, 0), text(x, 1), text(y, 0)]).size).toBe(3);
  });

  it("the randomisation p counts ties against the original", () => {
    expect(randomisationP(1, [2, 3, 1, 0.5])).toBe(3 / 5);
    expect(randomisationP(1, [2, 3, 4])).toBe(1 / 4);
  });
});

describe("bad input", () => {
  const [train, test] = [patients(60, false, makeRng(8)), patients(40, false, makeRng(9))];
  const refused = (own: Partial<InvarianceOptions>, a = train, b = test) =>
    expect(testInvariance(a, b, { ...options, learner: "stumps", ...own })).rejects;
  const withX = (table: Table, values: (number | null)[]) =>
    makeTable([...table.columns, ["x", numericColumn(values)]]);

  it("columns and scales", async () => {
    await refused({ scales: { age: "ratio" } }).toThrow(/no column "age"/);
    await refused({ scales: {} }).toThrow("no scale is declared.");
    await refused({ scales: { malignant: "nominal" } }).toThrow('"malignant" is the label, not a feature.');
    await refused({ scales: { size: "ratio" } }).toThrow(/a ratio scale begins at 0/);
    const text = makeTable([...train.columns, ["g", factorColumn(new Array(60).fill("a").fill("b", 30))]]);
    await refused(
      { scales: { g: "ordinal" } },
      text,
      makeTable([...test.columns, ["g", factorColumn(new Array(40).fill("a"))]]),
    ).toThrow(/holds text: a scale that is ordinal needs numbers/);
    expect(() => parseScales("id=nominl")).toThrow('"nominl" is not a scale (column "id").');
    expect(() => parseScales("id")).toThrow('"id" declares no scale.');
    expect(parseScales("id=nominal, age = ratio")).toEqual({ id: "nominal", age: "ratio" });
  });

  it("a feature that is constant, empty or the label itself", async () => {
    const constant = withX(train, new Array(60).fill(2));
    await refused({ scales: { x: "ratio" } }, constant, withX(test, new Array(40).fill(2))).toThrow(
      /the same value in every row/,
    );
    const empty = withX(train, new Array(60).fill(null));
    await refused({ scales: { x: "ratio" } }, empty, withX(test, new Array(40).fill(null))).toThrow(
      /no value in any row/,
    );
    const labelOf = (table: Table) => [...(table.columns.get("malignant") as { values: Float64Array }).values];
    const copy = (table: Table) =>
      withX(
        table,
        labelOf(table).map((y) => 7 - y),
      );
    const result = await testInvariance(copy(train), copy(test), { ...options, learner: "stumps", transforms: 2 });
    expect(result.diagnostics.find(({ code }) => code === "FeatureIsLabel")?.message).toBe(
      "x: a copy of the label under other names.",
    );
  });

  it("too few transformations for the number of nominal features are said to be too few", async () => {
    const result = await testInvariance(train, test, { ...options, learner: "stumps", transforms: 10 });
    expect(result.diagnostics.map(({ code }) => code)).toContain("TooFewTransforms");
    expect(String(reviveResult(JSON.parse(JSON.stringify(result))))).toBe(String(result));
  });
});
