import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { fitLm } from "../lm/lm.ts";
import { fitGam } from "./gam.ts";
import { predictGam } from "./predict.ts";

/** Smooth truth, five covariates of different scales. */
function simulate(n: number, seed = "gam"): Table {
  const rng = makeRng(seed);
  const x = Float64Array.from({ length: n }, () => rng.uniform());
  const z = Float64Array.from({ length: n }, () => rng.uniform());
  const g = Array.from({ length: n }, () => "abc"[rng.int(3)]!);
  const y = x.map((v, i) => Math.sin(6 * v) + z[i]! + 0.3 * rng.normal());
  return makeTable([
    ["x", numericColumn(x)],
    ["z", numericColumn(z)],
    ["g", factorColumn(g)],
    ["y", numericColumn(y)],
  ]);
}

describe("closed forms", () => {
  const data = simulate(120);

  it("λ → ∞ is the straight line, λ = 0 the regression spline", () => {
    const line = fitGam("y ~ s(x, k = 8) + z", data, { family: "gaussian", sp: [1e12] });
    const lm = fitLm("y ~ x + z", data);
    expectClose(line.fitted, lm.fitted, { tolerance: 1e-7, floor: 1 });
    expect(line.edf).toBeCloseTo(3, 7);
    const spline = fitGam("y ~ s(x, k = 8, bs = 'cr')", data, { family: "gaussian", sp: [0] });
    const fixed = fitGam("y ~ s(x, k = 8, bs = 'cr', fx = TRUE)", data, { family: "gaussian" });
    expectClose(spline.fitted, fixed.fitted, { tolerance: 1e-8, floor: 1 });
    expect(spline.edf).toBeCloseTo(8, 7);
    expect(fixed.smooths[0]!.edf).toBeCloseTo(7, 9);
  });

  it("a random intercept is the balanced one-way model", () => {
    const n = 60;
    const rng = makeRng("one-way");
    const group = Array.from({ length: n }, (_, i) => `g${i % 6}`);
    const y = Float64Array.from({ length: n }, (_, i) => 2 * Math.sin(i % 6) + rng.normal());
    const balanced = makeTable([
      ["g", factorColumn(group)],
      ["y", numericColumn(y)],
    ]);
    const means = Array.from({ length: 6 }, (_, k) => y.filter((_, i) => i % 6 === k).reduce((a, b) => a + b, 0) / 10);
    const grand = means.reduce((a, b) => a + b, 0) / 6;
    const between = (10 * means.reduce((sum, m) => sum + (m - grand) ** 2, 0)) / 5;
    const within = y.reduce((sum, v, i) => sum + (v - means[i % 6]!) ** 2, 0) / (n - 6);
    const fit = fitGam("y ~ s(g, bs = 're')", balanced, { family: "gaussian" });
    // REML has the ANOVA estimates: σ² = MSW, τ² = (MSB - MSW)/10, and sp = σ²/τ²
    expect(fit.scale).toBeCloseTo(within, 8);
    expect(fit.smooths[0]!.sp[0]! / (within / ((between - within) / 10))).toBeCloseTo(1, 6);
    expect(fit.coefficients[0]!.value).toBeCloseTo(grand, 10);
  });
});

describe("invariance", () => {
  const data = simulate(150);
  const formula = "y ~ g + s(x, by = g, k = 6) + s(z, bs = 'cr', k = 6)";
  const base = fitGam(formula, data, { family: "gaussian" });

  it("does not see the order of the rows", () => {
    const order = Int32Array.from({ length: 150 }, (_, i) => (i * 77) % 150);
    const other = fitGam(formula, selectRows(data, order), { family: "gaussian" });
    expectClose(
      other.smooths.map(({ edf }) => edf),
      base.smooths.map(({ edf }) => edf),
      { tolerance: 1e-6 },
    );
    expectClose(
      other.fitted,
      Float64Array.from(order, (row) => base.fitted[row]!),
      { tolerance: 1e-7, floor: 1 },
    );
  });

  it("follows a rescaled response and a rescaled covariate", () => {
    const y = data.columns.get("y")!;
    const z = data.columns.get("z")!;
    if (y.kind !== "numeric" || z.kind !== "numeric") throw new Error("numeric columns");
    const larger = withColumn(data, "y", numericColumn(y.values.map((v) => 1000 * v + 5)));
    const moved = withColumn(larger, "z", numericColumn(z.values.map((v) => 1e4 * v - 3e5)));
    const other = fitGam(formula, moved, { family: "gaussian" });
    expectClose(
      other.smooths.map(({ edf }) => edf),
      base.smooths.map(({ edf }) => edf),
      { tolerance: 1e-5 },
    );
    expectClose(
      other.fitted.map((v) => (v - 5) / 1000),
      base.fitted,
      { tolerance: 1e-6, floor: 1 },
    );
    expectClose(
      other.smooths.map(({ p }) => p),
      base.smooths.map(({ p }) => p),
      { tolerance: 1e-5, floor: 1e-6 },
    );
  });

  it("survives JSON with its print", () => {
    const again = reviveResult(JSON.stringify(base));
    expect(String(again)).toBe(String(base));
    expect(String(base)).toMatch(/Smooth terms[\s\S]*s\(x\):ga/);
    for (const line of String(base).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("predicts its own rows as fitted, and drops rows with a missing covariate", () => {
    const made = predictGam(base, data);
    expectClose(made.value, base.fitted, { tolerance: 1e-10, floor: 1 });
    const x = data.columns.get("x")!;
    if (x.kind !== "numeric") throw new Error("a numeric column");
    const holes = withColumn(data, "x", numericColumn(x.values.map((v, i) => (i < 4 ? Number.NaN : v))));
    expect(predictGam(base, holes).rows).toHaveLength(146);
    const fit = fitGam(formula, holes, { family: "gaussian" });
    expect([fit.nobs, fit.design.dropped.rows]).toEqual([146, 4]);
  });

  it("says which rows lie far outside the data, and nothing of those within or just beyond", () => {
    expect(predictGam(base, data).diagnostics).toEqual([]);
    const z = data.columns.get("z")!;
    if (z.kind !== "numeric") throw new Error("a numeric column");
    const [low, high] = [Math.min(...z.values), Math.max(...z.values)];
    const at = (value: number) =>
      predictGam(base, withColumn(data, "z", numericColumn(z.values.map((v, i) => (i < 2 ? value : v))))).diagnostics;
    expect(at(high + 0.09 * (high - low))).toEqual([]);
    expect(at(high + 0.5 * (high - low)).map(({ code, severity }) => [code, severity])).toEqual([
      ["OutsideData", "note"],
    ]);
    expect(at(low - 3 * (high - low))[0]!.message).toMatch(/^2 of 150 rows lie far outside the data: z is/);
  });

  it("centres every curve over the rows, and covers it with its band", () => {
    const shape = base.shapes.find(({ term }) => term === "s(z)")!;
    expect(shape.kind).toBe("curve");
    expect(shape.at[0]!.name).toBe("z");
    expect(Array.from(shape.effect, (v, i) => v > shape.lower[i]! && v < shape.upper[i]!)).not.toContain(false);
    const effects = predictGam(base, data, { terms: true }).terms.find(({ term }) => term === "s(z)")!.effect;
    expect(effects.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 8);
  });
});

describe("bad input", () => {
  const data = simulate(60);
  const refuses = (formula: string, code: string, options = {}): void => {
    expect(() => fitGam(formula, data, { family: "gaussian", ...options })).toThrow(expect.objectContaining({ code }));
  };

  it("says what is wrong before it fits", () => {
    const constant = withColumn(data, "c", numericColumn(new Float64Array(60).fill(2)));
    expect(() => fitGam("y ~ s(c)", constant)).toThrow(expect.objectContaining({ code: "ConstantCovariate" }));
    const few = withColumn(data, "c", numericColumn(Float64Array.from({ length: 60 }, (_, i) => i % 5)));
    expect(() => fitGam("y ~ s(c)", few)).toThrow(/5 distinct values.*k = 10/);
    refuses("y ~ s(x) + (1 | g)", "UnsupportedTerm");
    refuses("y ~ s(x) + s(x)", "NotIdentifiable");
    refuses("y ~ s(x, k = 40) + s(z, k = 40)", "TooManyCoefficients");
    refuses("y ~ s(x)", "ResponseOutOfRange", { family: "poisson" });
    refuses("y ~ s(x)", "BadOption", { sp: [1, 2] });
    refuses("y ~ s(x, id = 1)", "UnsupportedSmooth");
    refuses("g ~ s(x)", "WrongFamily");
    refuses("y ~ s(x)", "BadOption", { confidence: 2 });
  });

  it("keeps a perfectly separated response finite and says so", () => {
    const x = data.columns.get("x")!;
    if (x.kind !== "numeric") throw new Error("a numeric column");
    const right = withColumn(data, "right", numericColumn(x.values.map((v) => Number(v > 0.5))));
    const fit = fitGam("right ~ s(x, k = 5)", right, { family: "binomial" });
    expect(fit.diagnostics.map(({ code }) => code)).toContain("Separation");
    expect(fit.deviance).toBeLessThan(1e-3);
    expect(fit.linearPredictor.every((eta) => Number.isFinite(eta))).toBe(true);
    expect(Number.isFinite(fit.smooths[0]!.edf)).toBe(true);
  });

  it("explains an exactly linear target wholly, whatever its noise", () => {
    const x = data.columns.get("x")!;
    const z = data.columns.get("z")!;
    if (x.kind !== "numeric" || z.kind !== "numeric") throw new Error("numeric columns");
    const copied = withColumn(data, "copy", numericColumn(x.values.map((v, i) => 3 * v - z.values[i]!)));
    const fit = fitGam("copy ~ s(x) + s(z)", copied, { family: "gaussian" });
    expect(fit.devianceExplained).toBeCloseTo(1, 12);
  });

  it("gives a straight term the same AIC on every scale of its covariate", () => {
    const many = simulate(2000);
    const z = many.columns.get("z")!;
    if (z.kind !== "numeric") throw new Error("a numeric column");
    const moved = withColumn(many, "z", numericColumn(z.values.map((v) => 0.37 * v + 1.2)));
    const [a, b] = [many, moved].map((table) => fitGam("y ~ s(x, bs = 'cr') + s(z, bs = 'cr', k = 30)", table));
    expect(a!.smooths[1]!.edges).toEqual(["null"]);
    // λ is 1e15 and more here: what rounding left in S would be multiplied by it
    expect(Math.abs(a!.df - b!.df)).toBeLessThan(1e-9);
  });

  it("counts an unpenalised coefficient as one degree of freedom, also where its covariate separates the answers", () => {
    const rng = makeRng("separated");
    const rows = Array.from({ length: 400 }, () => ({
      x: rng.uniform(),
      z: rng.uniform() < 0.1 ? 1 : 0,
      u: rng.uniform(),
    }));
    const table = makeTable([
      ["x", numericColumn(rows.map(({ x }) => x))],
      ["z", numericColumn(rows.map(({ z }) => z))],
      [
        "y",
        numericColumn(rows.map(({ x, z, u }) => (z === 1 || u < 1 / (1 + Math.exp(-2 * Math.sin(6 * x))) ? 1 : 0))),
      ],
    ]);
    const fit = fitGam("y ~ s(x) + z", table, { family: "binomial" });
    expect(fit.edf - fit.smooths[0]!.edf).toBeCloseTo(2, 9);
  });
});
