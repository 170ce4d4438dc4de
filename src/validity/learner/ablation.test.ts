import { describe, expect, it } from "vitest";
import { column, factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { ablateLearner } from "./ablation.ts";
import type { Learner } from "./learner.ts";

const rng = makeRng("ablated");
const n = 200;
const x = Float64Array.from({ length: n }, () => rng.normal() + 3);
const z = Float64Array.from({ length: n }, () => rng.normal());
const table = makeTable([
  ["x", numericColumn(x)],
  ["z", numericColumn(z)],
  ["y", numericColumn(x.map((v, i) => 2 * v + 0.5 * z[i]!))],
  ["side", factorColumn(Array.from(x, (v) => (v > 3 ? "high" : "low")))],
  ["kind", factorColumn(Array.from(x, (v) => (v > 3 ? "a" : "b")))],
]);
const valuesOf = (t: Table, name: string): Float64Array => {
  const cells = column(t, name);
  if (cells.kind !== "numeric") throw new Error("no numbers");
  return cells.values;
};
/** R² of predictions, as it is defined. */
const r2 = (y: Float64Array, said: Float64Array): number => {
  const middle = y.reduce((a, b) => a + b, 0) / y.length;
  let [left, all] = [0, 0];
  y.forEach((v, i) => {
    left += (v - said[i]!) ** 2;
    all += (v - middle) ** 2;
  });
  return 1 - left / all;
};

describe("a learner without some features at test time", () => {
  /** Knows the rule, takes gaps for 1. */
  const seen: Table[] = [];
  const knows = (): Learner => (_, test) => {
    seen.push(test);
    const [a, b] = [valuesOf(test, "x"), valuesOf(test, "z")];
    return { kind: "numbers", values: a.map((v, i) => 2 * (Number.isNaN(v) ? 1 : v) + 0.5 * b[i]!) };
  };

  it("has the score of its own predictions on the rows that it was given", async () => {
    const columns = ["x", "z"];
    const { ablations } = await ablateLearner(table, {
      ...{ label: "y", ablate: ["x"], features: columns, learner: knows, learnerName: "rule", test: table },
    });
    const y = valuesOf(table, "y");
    expect(ablations.map(({ way }) => way)).toEqual(["zero", "permute", "leave-out"]);
    for (const own of ablations) {
      expect(own).toMatchObject({ metric: "r2", n, floor: 0, predictions: "rule" });
      expect(own.before).toBeCloseTo(1, 12);
    }
    expect(ablations[0]!.after).toBeCloseTo(
      r2(
        y,
        z.map((v) => 0.5 * v),
      ),
      12,
    );
    expect(ablations[2]!.after).toBeCloseTo(
      r2(
        y,
        z.map((v) => 2 + 0.5 * v),
      ),
      12,
    );
    // the shuffled rows hold the same values in another order; the score is their mean
    const shuffles = seen.slice(2, 7);
    const scores = shuffles.map((t) =>
      r2(
        y,
        valuesOf(t, "x").map((v, i) => 2 * v + 0.5 * valuesOf(t, "z")[i]!),
      ),
    );
    expect(ablations[1]!.after).toBeCloseTo(scores.reduce((a, b) => a + b, 0) / 5, 12);
    for (const t of shuffles) {
      expect([...valuesOf(t, "x")].sort()).toEqual([...x].sort());
      expect(valuesOf(t, "z")).toEqual(z);
    }
    expect(new Set(scores).size).toBe(5);
  });

  it("built-in learners: linear regression keeps what the other feature explains", async () => {
    const options = { label: "y", ablate: ["x"], features: ["x", "z"], learner: "linear", test: table } as const;
    const { ablations } = await ablateLearner(table, options);
    const middle = x.reduce((a, b) => a + b, 0) / n;
    const [zero, , out] = ablations;
    const y = valuesOf(table, "y");
    expect(zero!.before).toBeCloseTo(1, 9);
    expect(zero!.after).toBeCloseTo(
      r2(
        y,
        z.map((v) => 0.5 * v),
      ),
      6,
    );
    // left out: the mean of the training rows in its place
    expect(out!.after).toBeCloseTo(
      r2(
        y,
        z.map((v) => 2 * middle + 0.5 * v),
      ),
      6,
    );
  });

  it("classes and text: accuracy, and the commonest text in the place of 0", async () => {
    const options = { label: "side", ablate: ["kind"], features: ["kind"], learner: "logistic", test: table } as const;
    const { ablations } = await ablateLearner(table, { ...options, ways: ["zero", "leave-out"] });
    const high = x.filter((v) => v > 3).length / n;
    for (const own of ablations) {
      expect([own.metric, own.before]).toEqual(["accuracy", 1]);
      expect(own.after).toBeCloseTo(Math.max(high, 1 - high), 12);
      expect(own.floor).toBeCloseTo(Math.max(high, 1 - high), 12);
    }
  });

  it("holds a fifth of the rows out where no test rows are given", async () => {
    const { ablations } = await ablateLearner(table, {
      label: "y",
      ablate: ["x"],
      features: ["x", "z"],
      ways: ["zero"],
      learner: "linear",
    });
    expect(ablations[0]!.n).toBe(40);
  });

  it("refuses what cannot be ablated", async () => {
    await expect(ablateLearner(table, { label: "y", ablate: [] })).rejects.toThrow("no feature");
    await expect(ablateLearner(table, { label: "y", ablate: ["w"] })).rejects.toThrow("none of the features");
  });
});
