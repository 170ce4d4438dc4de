import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../../test/support/oracle.ts";
import { integrate } from "../../../numeric/quadrature.ts";
import { makeRng } from "../../../numeric/rng.ts";
import type { ScenarioFamily, ScenarioParameters } from "../../scenario.ts";
import { simulatePower } from "../../simulate.ts";
import { findMde } from "../../solve/mde.ts";
import { findSize } from "../../solve/size.ts";
import { computePower } from "../../solve/solve.ts";
import { findScenario } from "../scenarios.ts";
import { hotellingDensity } from "./correlation.ts";

const oracle = readOracle("r/power-classical.json");

describe.each(oracle.cases)("$id equals R", ({ kind, input, expected }) => {
  const family = findScenario(kind);
  const params = input as ScenarioParameters;
  const isExact = family.make(params).exactPower !== undefined;

  it("power", () => {
    const found = computePower(family, params, isExact ? "exact" : "approx");
    // R's noncentral F is good to 2e-9, its integral over χ² to 1e-8
    const tolerance = { correlation: 1e-7, anova: 1e-8 }[kind as string] ?? 1e-9;
    expectClose([found.power], [expected.power], { tolerance });
    if (expected.rejection !== undefined) expectClose([found.rejection], [expected.rejection], { tolerance });
  });

  if (expected.approx !== undefined)
    it("Fisher's z", () => {
      const { rejection } = computePower(family, params, "approx");
      expectClose([rejection], [expected.approx], { tolerance: 1e-10 });
    });
});

describe("a plan to show that little is lost", () => {
  it("names its one-sided test and claims no exaggeration of an effect", () => {
    const result = computePower(findScenario("non-inferiority"), { n: 200, margin: 0.05 });
    expect(result.power).toBeLessThan(0.8);
    const text = String(result).replace(/\s+/g, " ");
    expect(text).toContain(
      "With a true difference of 0, a one-sided test shows that less than the margin of 0.05 is lost",
    );
    expect(text).not.toMatch(/times too large|Type-M|Type-S/);
  });
});

describe("by simulation of the test itself", () => {
  const cells: readonly (readonly [string, ScenarioParameters])[] = [
    ["correlation", { n: 20, rho: 0.5 }],
    ["correlation", { n: 12, rho: -0.3 }],
    ["anova", { n: 10, groups: 4, f: 0.3 }],
    ["non-inferiority", { n: 30, margin: 0.4, delta: 0.05 }],
    ["non-inferiority", { n: 30, margin: 0.5, design: "two-sample" }],
    ["non-inferiority", { n: 2000, margin: 0.03, design: "proportions", baseline: 0.8 }],
    ["non-inferiority", { n: 2000, margin: 0.02, delta: -0.002, design: "paired-accuracy", discordance: 0.15 }],
  ];
  it.each(cells)("%s %o", async (name, params) => {
    const family = findScenario(name);
    const exact = family.make(params).exactPower !== undefined;
    const want = computePower(family, params, exact ? "exact" : "approx");
    const drawn = await simulatePower(family, params, { rng: makeRng(name), replicates: 4000 });
    expect(Math.abs(drawn.power - want.power)).toBeLessThan(4 * drawn.se + (exact ? 0 : 0.005));
    // what shows that a margin is kept has no effect to overstate
    if (name === "non-inferiority") expect([drawn.typeM, want.typeM, want.typeS]).toEqual([NaN, NaN, NaN]);
    else expect(Math.abs(drawn.typeM - want.typeM)).toBeLessThan(4 * drawn.typeMSe + (exact ? 1e-9 : 0.005));
  });
});

describe("solvers", () => {
  const solvable: readonly (readonly [string, ScenarioParameters, ScenarioParameters])[] = [
    ["correlation", { rho: 0.3 }, { n: 84 }],
    ["anova", { f: 0.25, groups: 4 }, { n: 45 }],
    ["chi-square", { w: 0.3, df: 1 }, { n: 88 }],
    ["cohens-h", { h: 0.3 }, { n: 175 }],
    ["non-inferiority", { margin: 0.3 }, { n: 71 }],
    ["non-inferiority", { margin: 0.04, design: "paired-accuracy", discordance: 0.1 }, { n: 387 }],
    ["non-inferiority", { margin: 0.05, design: "proportions", baseline: 0.8 }, { n: 792 }],
  ];
  it.each(solvable)("size of %s %o, and the effect that this size can see", async (name, params, { n }) => {
    const family: ScenarioFamily = findScenario(name);
    const method = family.make({ ...params, n }).exactPower === undefined ? "approx" : "exact";
    const at = (size: number) => computePower(family, { ...params, n: size }, method).power;
    expect(at(n as number)).toBeGreaterThanOrEqual(0.8);
    expect(at((n as number) - 1)).toBeLessThan(0.8);
    const size = await findSize(family, params, { power: 0.8, method });
    expect(size.n).toBe(n);
    const { [family.effect]: wanted, ...others } = params;
    const { mde: effect } = await findMde(family, { ...others, n }, { power: 0.8, method });
    expect(effect).toBeLessThanOrEqual(wanted as number);
    expect(effect).toBeGreaterThan(0.97 * (wanted as number));
  });

  it("the margin of a share is found without looking at one as wide as the scale, which is refused", async () => {
    const params = { n: 387, design: "paired-accuracy", discordance: 0.1 };
    const { mde, method } = await findMde(findScenario("non-inferiority"), params, { rng: makeRng(1) });
    expect(method).toBe("simulation");
    // by the normal law the same size sees 0.04
    expect(Math.abs(mde - 0.04)).toBeLessThan(0.004);
  });
});

describe("Hotelling's density", () => {
  it("integrates to 1, and is Student's at no correlation", () => {
    const whole = integrate((r) => hotellingDensity(r, 0.7, 12), -1, 1).value;
    expect(whole).toBeCloseTo(1, 9);
    // n = 4: uniform where ρ = 0
    expect(hotellingDensity(0.3, 0, 4)).toBeCloseTo(0.5, 12);
  });

  it("gives the test's own error rate where there is nothing to find", () => {
    const { rejection } = computePower(findScenario("correlation"), { n: 15, rho: 1e-9 }, "exact");
    expect(rejection).toBeCloseTo(0.05, 8);
  });
});

describe("bad input", () => {
  it.each([
    ["correlation", { n: 20, rho: 1 }, "BadParameter"],
    ["correlation", { n: 3, rho: 0.5 }, "BadParameter"],
    ["anova", { n: 10, groups: 1, f: 0.3 }, "BadParameter"],
    ["non-inferiority", { n: 20, margin: 0.1, delta: -0.2 }, "Impossible"],
    ["non-inferiority", { n: 20, margin: 0.1, design: "proportions" }, "MissingParameter"],
    ["non-inferiority", { n: 20, margin: 0.1, delta: 0.3, design: "paired-accuracy", discordance: 0.1 }, "Impossible"],
    ["cohens-h", { n: 20, h: 4 }, "BadParameter"],
    ["cohens-h", { n: 20, h: 0 }, "NoEffect"],
  ] as const)("%s %o", (name, params, code) => {
    expect(() => findScenario(name).make(params)).toThrow(expect.objectContaining({ code }));
  });
});
