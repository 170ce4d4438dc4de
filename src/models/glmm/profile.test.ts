import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../data/table.ts";
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { fitGlm } from "../glm/glm.ts";
import { profile } from "../models.ts";
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

describe("profile intervals of a glm", () => {
  const families = readOracle("r/families.json");
  const rows = oracleTable(families.columns);
  const named = { nb: "negative-binomial" } as Record<string, "negative-binomial">;
  const cases = families.cases.filter(({ kind }) => kind === "profile");

  it.each(cases)("$id: roots of the deviance found in R, and confint's interpolation", ({ input, expected: e }) => {
    const { formula, family, level, offset } = input as Record<string, string> & { level: number };
    const fit = fitGlm(formula!, rows, {
      family: named[family!] ?? (family as "binomial"),
      ...(offset ? { offset } : {}),
    });
    const intervals = profile(fit, { confidence: level });
    expect(intervals.map(({ name, kind }) => [name, kind])).toEqual(e.names.map((name: string) => [name, "fixed"]));
    for (const key of ["lower", "upper"] as const) {
      const ends = intervals.map((interval) => interval[key]);
      // R's optimiser of beta's likelihood has no gradient
      expectClose(ends, e[key], { tolerance: family === "beta" ? 1e-6 : 2e-8, floor: 0.1, label: key });
      if (e.spline) expectClose(ends, e.spline[key], { tolerance: 3e-4, floor: 0.1, label: `confint ${key}` });
    }
  });

  it("one group of counts: the roots of the Poisson likelihood", () => {
    const fit = fitGlm("y ~ 1", makeTable([["y", numericColumn([2, 0, 5, 1])]]), { family: "poisson" });
    const [interval] = profile(fit);
    const logLik = (eta: number): number => 8 * eta - 4 * Math.exp(eta);
    for (const end of [interval!.lower, interval!.upper]) {
      expect(2 * (logLik(Math.log(2)) - logLik(end))).toBeCloseTo(chiSquareQuantile(0.95, 1), 8);
    }
  });

  it("separation: infinite on one side, finite on the other", () => {
    const y = [1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    const separated = makeTable([
      ["y", numericColumn(y)],
      ["g", factorColumn(y.map((_, i) => (i < 5 ? "a" : "b")))],
    ]);
    const [a, b] = profile(fitGlm("y ~ g", separated, { family: "binomial" }));
    expect([b!.estimate, b!.upper]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    // all of b right: -2ℓ is that of a alone, and rises by the cut where b's log-odds are a's best ones plus the end
    expect(b!.lower).toBeGreaterThan(-1);
    expect(b!.lower).toBeLessThan(3);
    expect(a!.lower < Math.log(1.5) && Math.log(1.5) < a!.upper && Number.isFinite(a!.upper - a!.lower)).toBe(true);
    const all = fitGlm("y ~ 1", makeTable([["y", numericColumn(y.map(() => 1))]]), { family: "binomial" });
    const [only] = profile(all);
    // 12 log(1 + e^-x) = χ²/2
    expect(only!.upper).toBe(Number.POSITIVE_INFINITY);
    expect(24 * Math.log1p(Math.exp(-only!.lower))).toBeCloseTo(chiSquareQuantile(0.95, 1), 6);
  });

  it("columns that others determine have no interval", () => {
    const twice = withColumn(rows, "double", numericColumn(numbers(rows, "length").map((v) => 2 * v)));
    const once = profile(fitGlm("right ~ length", rows, { family: "binomial" }));
    const doubled = profile(fitGlm("right ~ length + double", twice, { family: "binomial" }));
    expect(doubled.map(({ name }) => name)).toEqual(["(Intercept)", "length"]);
    expectClose([doubled[1]!.lower, doubled[1]!.upper], [once[1]!.lower, once[1]!.upper], { tolerance: 1e-9 });
  });

  it("refuses what has no such likelihood, in one line", () => {
    const fit = (options: Parameters<typeof fitGlm>[2], formula = "right ~ length") => fitGlm(formula, rows, options);
    expect(() => profile(fit({ family: "quasipoisson" }, "count ~ system"))).toThrow(
      /dispersion of the quasipoisson family is estimated/,
    );
    expect(() => profile(fit({ family: "gaussian" }))).toThrow(/dispersion of the gaussian family/);
    expect(() => profile(fit({ family: "binomial", firth: true }))).toThrow(/already/);
    expect(() => profile(fit({ family: "binomial", cluster: "doc" }))).toThrow(/CR2/);
  });

  function numbers(table: Table, name: string): Float64Array {
    const cells = table.columns.get(name)!;
    return cells.kind === "numeric" ? cells.values : new Float64Array();
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
