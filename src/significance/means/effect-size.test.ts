import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { fitGlm } from "../../models/glm/glm.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { noncentralTCdf } from "../../numeric/dist/noncentral-t.ts";
import { reviveResult } from "../../result/result.ts";
import { hedgesCorrection, noncentralityInterval } from "../standardised.ts";
import { effectSizes } from "./effect-size.ts";
import { marginalModelOf } from "./marginal-model.ts";

const oracle = readOracle("r/emmeans.json");
const ratings = oracleTable(oracle.columns);

describe.each(oracle.cases.filter((c) => c.kind === "effect"))("$id equals R", ({ input, expected: e }) => {
  const fit = fitLm(input["formula"] as string, ratings);
  const by = input["by"] as string;
  const result = effectSizes(fit, { by });

  it("effects and their SEs (eff_size)", () => {
    const close = { tolerance: 1e-9, floor: 0.01 };
    const j = result.correction;
    expectClose([j], e.j, close);
    expectClose(
      result.effects.map(({ d }) => d),
      e.d,
      close,
    );
    expectClose(
      result.effects.map(({ g }) => g),
      e.d.map((d: number) => j * d),
      close,
    );
    expectClose(
      result.effects.map(({ se }) => se),
      e.se.map((se: number) => j * se),
      close,
    );
  });

  it("exact intervals (pt with ncp, inverted)", () => {
    const close = { tolerance: 1e-10, floor: 0.1 };
    expectClose(
      result.effects.map(({ lower }) => lower),
      e.lower,
      close,
    );
    expectClose(
      result.effects.map(({ upper }) => upper),
      e.upper,
      close,
    );
  });

  it("approximate intervals (eff_size) for a model without an exact one", () => {
    const model = marginalModelOf(fit);
    const residual = { ...model.effectSd!.residual, scalesSe: false };
    const { effects, correction } = effectSizes({ ...model, effectSd: { residual } }, { by });
    expectClose(
      effects.map(({ lower }) => lower / correction),
      e.lower_delta,
      { tolerance: 1e-9, floor: 0.1 },
    );
    expectClose(
      effects.map(({ upper }) => upper / correction),
      e.upper_delta,
      { tolerance: 1e-9, floor: 0.1 },
    );
  });
});

describe("closed form", () => {
  it("two groups: Cohen's d by the pooled SD, Hedges' g", () => {
    const y = [1, 2, 3, 4, 3, 5, 7];
    const table = makeTable([
      ["y", numericColumn(y)],
      ["g", factorColumn([..."aaaabbb"])],
    ]);
    const [effect] = effectSizes(fitLm("y ~ g", table), { by: "g" }).effects;
    const pooled = Math.sqrt((5 + 8) / 5);
    expect(effect!.d).toBeCloseTo((2.5 - 5) / pooled, 13);
    expect(effect!.g).toBeCloseTo(((2.5 - 5) / pooled) * hedgesCorrection(5), 13);
  });

  it("J(ν) for whole df: 2/√(2π)·… at 2, √(2/π)·… at 3, near 1 - 3/(4ν - 1) far out", () => {
    expect(hedgesCorrection(2)).toBeCloseTo(1 / Math.sqrt(Math.PI), 14); // Γ(1)/Γ(1/2)
    expect(hedgesCorrection(3)).toBeCloseTo(Math.sqrt(Math.PI / 6), 14); // Γ(3/2)/(√1.5 Γ(1))
    expect(hedgesCorrection(400)).toBeCloseTo(1 - 3 / 1599, 6);
    expect(hedgesCorrection(Number.POSITIVE_INFINITY)).toBe(1);
    expect(hedgesCorrection(1)).toBeNaN();
  });

  it("the interval of the noncentrality has the observed t at both tails", () => {
    for (const [t, df] of [
      [0, 5],
      [2.5, 7],
      [-8, 30],
      [30, 12],
    ] as const) {
      const [lower, upper] = noncentralityInterval(t, df, 0.9);
      expect(noncentralTCdf(t, df, lower)).toBeCloseTo(0.95, 10);
      expect(noncentralTCdf(t, df, upper)).toBeCloseTo(0.05, 10);
    }
  });

  it("a logit contrast is measured in the SD of the logistic distribution", () => {
    const fit = fitGlm("correct ~ system", ratings, { family: "binomial" });
    const { effects, sd } = effectSizes(fit, { by: "system" });
    expect(sd.sd).toBeCloseTo(Math.PI / Math.sqrt(3), 15);
    expect(effects[0]!.g).toBeCloseTo(-fit.coefficients[1]!.value / sd.sd, 10);
  });
});

describe("the SD to measure in", () => {
  const fit = fitLm("score ~ system * length", ratings);

  it("may be given", () => {
    const { effects } = effectSizes(fit, { by: "system", within: "length", sd: 2 });
    const own = effectSizes(fit, { by: "system", within: "length" });
    expect(effects.map((e) => e.within!["length"]).slice(0, 4)).toEqual(["short", "short", "short", "mid"]);
    expect(effects[3]!.g).toBeCloseTo((own.effects[3]!.d * own.sd.sd) / 2, 12);
  });

  it("a total SD needs a model that has one", () => {
    expect(() => effectSizes(fit, { by: "system", sd: "total" })).toThrow(/no total SD/);
    const model = marginalModelOf(fit);
    const total = { sd: 3, df: 20, name: "total SD", scalesSe: false };
    const { effects } = effectSizes(
      { ...model, effectSd: { ...model.effectSd!, total } },
      { by: "system", sd: "total" },
    );
    const own = effectSizes(fit, { by: "system" });
    expect(effects[0]!.d).toBeCloseTo((own.effects[0]!.d * own.sd.sd) / 3, 12);
  });

  it("is by default that of a new observation where a model has random effects", () => {
    const mixed = fitLmm("score ~ system + (1 | item)", ratings);
    const { sd, effects } = effectSizes(mixed, { by: "system" });
    const item = mixed.variances.find(({ group }) => group === "item")!.sd[0]!;
    expect(item).toBeGreaterThan(0);
    expect(sd.sd).toBeCloseTo(Math.hypot(item, mixed.residualSd), 8);
    expect(effects[0]!.d).toBeCloseTo(-mixed.coefficients[1]!.value / sd.sd, 10);
    expect(effectSizes(mixed, { by: "system", sd: "residual" }).sd.sd).toBe(mixed.residualSd);
  });

  it("must be positive, and a Poisson model has none", () => {
    expect(() => effectSizes(fit, { by: "system", sd: 0 })).toThrow(/not a positive number/);
    const counts = fitGlm("errors ~ system", ratings, { family: "poisson" });
    expect(() => effectSizes(counts, { by: "system" })).toThrow(/no residual SD/);
  });
});

it("prints as stored", () => {
  const result = effectSizes(fitLm("score ~ system", ratings), { by: "system" });
  expect(result.toString()).toMatchInlineSnapshot(`
    "Standardised contrasts: score ~ system

    contrast                g      SE  95% from       to
    ----------------------------------------------------
    base - new        -0.7081  0.1884   -1.0818  -0.3394
    base - (x-large)  -0.9019  0.2224   -1.3432  -0.4669
    new - (x-large)   -0.1938  0.2260   -0.6397   0.2509

    In units of the residual SD, 1.019 on 147 df (Hedges' correction 0.9949).
    Intervals of g are exact (noncentral t distribution), for each contrast alone."
  `);
  expect(reviveResult(JSON.parse(JSON.stringify(result))).toString()).toBe(result.toString());
});
