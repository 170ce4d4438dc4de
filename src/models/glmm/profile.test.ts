import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { type ClmFit, fitClm } from "../ordinal/clm.ts";
import { fitClmm } from "../ordinal/clmm.ts";
import type { CumulativeLink } from "../ordinal/cumulative-link.ts";
import { fitGlmm } from "./glmm.ts";
import { type CategoricalFit, profileCategorical } from "./profile.ts";

const oracle = readOracle("r/categorical-inference.json");
const table = oracleTable(oracle.columns);

function fitCase({ model, formula, link = "logit" }: { model: string; formula: string; link?: CumulativeLink }) {
  if (model === "clm") return fitClm(formula, table, { link });
  return model === "clmm" ? fitClmm(formula, table, { link }) : fitGlmm(formula, table, { link });
}

describe("profile intervals against R", () => {
  for (const { kind, input, expected } of oracle.cases) {
    if (kind !== "profile") continue;
    const own = input as { model: string; formula: string; link?: CumulativeLink };
    it(`${own.model}: ${own.formula}, ${own.link ?? "logit"}`, () => {
      const intervals = profileCategorical(fitCase(own));
      const byName = new Map(intervals.map((interval) => [interval.name, interval]));
      const take = (key: "estimate" | "lower" | "upper") =>
        expected.exact.names.map((name: string) => byName.get(name)![key]);
      // nlminb has no gradient: where the likelihood is flat (an SD near 0) its optimum has few digits, its roots have more
      expectClose(take("estimate"), expected.exact.estimate, { tolerance: 5e-5, floor: 0.1, label: "estimate" });
      for (const key of ["lower", "upper"] as const) {
        expectClose(take(key), expected.exact[key], { tolerance: 1e-6, floor: 0.1, label: key });
      }
      if (!expected.spline) return;
      const { names, ends } = expected.spline as { names: string[]; ends: number[][] };
      names.forEach((name, i) => {
        const { lower, upper } = byName.get(name)!;
        // confint interpolates a few points of the profile by splines
        expectClose([lower, upper], ends[i]!, { tolerance: 1e-3, floor: 0.5, label: `confint ${name}` });
      });
    });
  }
});

describe("what the ends of an interval are", () => {
  it("a threshold of two categories without covariates: the roots of the binomial likelihood", () => {
    const [hits, n] = [13, 40];
    const y = Array.from({ length: n }, (_, i) => (i < hits ? "low" : "high"));
    const fit = fitClm("y ~ 1", makeTable([["y", factorColumn(y, { levels: ["low", "high"] })]]));
    const [interval] = profileCategorical(fit, { confidence: 0.9 });
    const logLik = (tau: number): number => hits * tau - n * Math.log1p(Math.exp(tau));
    const least = logLik(Math.log(hits / (n - hits)));
    for (const end of [interval!.lower, interval!.upper]) {
      expect(2 * (least - logLik(end))).toBeCloseTo(chiSquareQuantile(0.9, 1), 8);
    }
  });

  it("the same whatever the coding: a difference of two levels, either one the reference", () => {
    const of = (levels: readonly string[], name: string) => {
      const fit = fitClmm("rating ~ system + (1 | item)", table, { levels: { system: levels } });
      return profileCategorical(fit, { parameters: [name] })[0]!;
    };
    const forth = of(["A", "B", "C"], "systemB");
    const back = of(["B", "A", "C"], "systemA");
    expectClose([forth.estimate, forth.lower, forth.upper], [-back.estimate, -back.upper, -back.lower], {
      tolerance: 1e-6,
    });
  });

  it("of equidistant thresholds too: the spacing scales with the ends in order", () => {
    const fit = fitClm("rating ~ system", table, { threshold: "equidistant" });
    const intervals = profileCategorical(fit);
    expect(intervals.map(({ name, kind }) => [name, kind])).toEqual([
      ["threshold.1", "threshold"],
      ["spacing", "threshold"],
      ["systemB", "fixed"],
      ["systemC", "fixed"],
    ]);
    for (const { lower, estimate, upper } of intervals) expect(lower < estimate && estimate < upper).toBe(true);
    // where the likelihood is nearly quadratic the Wald interval is near
    const wald = [...fit.thresholds, ...fit.coefficients];
    expectClose(
      intervals.map(({ lower }) => lower),
      wald.map(({ lower }) => lower),
      { tolerance: 0.05, floor: 1 },
    );
  });

  it("the end of the range of an SD that is not told from 0", () => {
    const y = Array.from({ length: 60 }, (_, i) => Number(i % 5 < 2));
    const item = y.map((_, i) => `i${i % 6}`);
    const flat = makeTable([
      ["y", numericColumn(y)],
      ["item", factorColumn(item)],
    ]);
    const fit = fitGlmm("y ~ 1 + (1 | item)", flat);
    const [sd] = profileCategorical(fit, { parameters: ["sd_(Intercept)|item"] });
    expect(sd!.lower).toBe(0);
    expect(sd!.upper).toBeGreaterThan(fit.theta[0]! + 0.05);
  });

  it("infinite where the data are separated, finite on the other side", () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({ system: i < 12 ? "A" : "B", y: i < 12 ? 1 + (i % 3) : 3 }));
    const separated = makeTable([
      ["system", factorColumn(rows.map(({ system }) => system))],
      [
        "y",
        factorColumn(
          rows.map(({ y }) => String(y)),
          { levels: ["1", "2", "3"] },
        ),
      ],
    ]);
    const fit = fitClm("y ~ system", separated);
    const [effect] = profileCategorical(fit, { parameters: ["systemB"] });
    expect(effect!.upper).toBe(Number.POSITIVE_INFINITY);
    expect(effect!.lower).toBeGreaterThan(0);
    expect(effect!.lower).toBeLessThan(5);
  });

  it("with adaptive quadrature: ends at which that likelihood has fallen by the cut", () => {
    const fit = fitGlmm("correct ~ system + (1 | item)", table, { nAGQ: 7 });
    const [sd, ...others] = profileCategorical(fit, { parameters: ["sd_(Intercept)|item", "systemC"] });
    const laplace = profileCategorical(fitGlmm("correct ~ system + (1 | item)", table), {
      parameters: ["sd_(Intercept)|item"],
    });
    expect(sd!.upper).not.toBeCloseTo(laplace[0]!.upper, 6);
    expect(sd!.upper).toBeCloseTo(laplace[0]!.upper, 1);
    expect(others[0]!.lower).toBeLessThan(fit.coefficients[2]!.value);
  });

  it("reports progress, and refuses names and levels that do not exist", () => {
    const fit: CategoricalFit = fitClm("rating ~ system", table) as ClmFit;
    const seen: string[] = [];
    profileCategorical(fit, {
      parameters: ["systemB", "2|3"],
      onProgress: (done, of, name) => seen.push(`${done}/${of} ${name}`),
    });
    expect(seen).toEqual(["1/2 systemB", "2/2 2|3"]);
    expect(() => profileCategorical(fit, { parameters: ["systemZ"] })).toThrow(/no parameter "systemZ"/);
    expect(() => profileCategorical(fit, { confidence: 1 })).toThrow(/confidence/);
  });
});
