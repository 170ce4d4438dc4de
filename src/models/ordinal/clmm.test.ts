import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, selectRows, withColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { fitClm } from "./clm.ts";
import { type ClmmFit, fitClmm } from "./clmm.ts";
import { prepareClmm, solveClmm } from "./clmm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import { simulateClmm } from "./simulate.ts";
import type { ThresholdKind } from "./thresholds.ts";

const oracle = readOracle("r/ordinal.json");
const table = oracleTable(oracle.columns);
const list = (values: number | number[]): number[] => ([] as number[]).concat(values);
const parameters = (fit: ClmmFit) => [...fit.thresholds, ...fit.coefficients];

describe("fitClmm against R", () => {
  for (const { kind, input, expected } of oracle.cases) {
    if (kind !== "clmm") continue;
    const { id, formula, link, threshold, nagq } = input as {
      id: string;
      formula: string;
      link: CumulativeLink;
      threshold: ThresholdKind;
      nagq: number;
    };
    it(`${id}: ${formula}, ${link}`, () => {
      const fit = fitClmm(formula, table, { link, threshold, nAGQ: nagq });
      expect(parameters(fit).map(({ name }) => name)).toEqual(expected.names);
      expect(fit.converged).toBe(true);
      // clmm's own stop is loose: never better than ours by more than its inner iterations are off
      expect(fit.logLik).toBeGreaterThan(expected.clmm.loglik - 1e-4);
      expectClose(
        parameters(fit).map(({ value }) => value),
        list(expected.clmm.estimate),
        { tolerance: 1e-3, floor: 0.1, label: "clmm" },
      );
      expectClose(
        parameters(fit).map(({ se }) => se),
        list(expected.clmm.se),
        { tolerance: 1e-3, label: "clmm se" },
      );
      if (nagq > 1) return;
      expect(fit.logLik).toBeCloseTo(expected.loglik, 8);
      expectClose(fit.theta, list(expected.theta), { tolerance: 1e-5, floor: 0.1, label: "theta" });
      expectClose(
        parameters(fit).map(({ value }) => value),
        list(expected.estimate),
        { tolerance: 1e-6, floor: 0.1, label: "estimate" },
      );
      expectClose(
        parameters(fit).map(({ se }) => se),
        list(expected.se),
        { tolerance: 5e-7, label: "se" },
      );
    });
  }
});

describe("structures and edges", () => {
  it("row order, level names and the order of terms change nothing", () => {
    const fit = fitClmm("rating ~ x + (x | rater) + (1 | item)", table, { link: "probit" });
    const n = table.rows;
    const turned = selectRows(
      table,
      Int32Array.from({ length: n }, (_, i) => n - 1 - i),
    );
    const renamed = withColumn(
      turned,
      "rater",
      factorColumn([...oracle.columns["rater"]!.values].reverse().map((v) => `z${9 - Number(String(v).slice(1))}`)),
    );
    const other = fitClmm("rating ~ x + (1 | item) + (x | rater)", renamed, { link: "probit" });
    expect(other.logLik).toBeCloseTo(fit.logLik, 8);
    expectClose(
      other.coefficients.map(({ se }) => se),
      fit.coefficients.map(({ se }) => se),
      { tolerance: 1e-6 },
    );
  });

  it("independent slopes lie between intercepts and correlated slopes", () => {
    const logLik = (random: string): number => fitClmm(`rating ~ x + ${random}`, table, { link: "probit" }).logLik;
    const [none, independent, correlated] = [logLik("(1 | rater)"), logLik("(x || rater)"), logLik("(x | rater)")];
    expect(independent).toBeGreaterThanOrEqual(none - 1e-8);
    expect(correlated).toBeGreaterThanOrEqual(independent - 1e-8);
  });

  it("ratings without group effects give a variance of 0, the fit of clm, and a warning", () => {
    const rng = makeRng("flat");
    const flat = withColumn(
      table,
      "flat",
      factorColumn(
        Array.from({ length: table.rows }, () => String(1 + rng.int(4))),
        { levels: ["1", "2", "3", "4"] },
      ),
    );
    const groups = Array.from({ length: table.rows }, (_, i) => `g${i % 5}`);
    const spread = withColumn(flat, "g", factorColumn(groups));
    // each group gets nearly the same ratings
    const even = withColumn(
      spread,
      "even",
      factorColumn(
        groups.map((_, i) => String(1 + (Math.floor(i / 5) % 4))),
        { levels: ["1", "2", "3", "4"] },
      ),
    );
    const fit = fitClmm("even ~ x + (1 | g)", even);
    expect(fit.theta[0]).toBe(0);
    expect(fit.singular).toBe(true);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("SingularFit");
    const clm = fitClm("even ~ x", even);
    expect(fit.logLik).toBeCloseTo(clm.logLik, 9);
    expectClose(
      fit.coefficients.map(({ se }) => se),
      clm.coefficients.map(({ se }) => se),
      { tolerance: 1e-5 },
    );
  });

  it("many responses on one design, some without a category", () => {
    const fit = fitClmm("rating ~ system + (1 | rater) + (1 | item)", table, { link: "probit" });
    const problem = prepareClmm(fit.design, fit.levels, { link: "probit" });
    expect(solveClmm(problem, fit.design.y).logLik).toBeCloseTo(fit.logLik, 9);
    const sparse = fit.design.y.map((code) => (code === 2 ? 3 : code));
    const solution = solveClmm(problem, sparse);
    expect(solution.used.levels).toEqual(["1", "2", "4", "5"]);
    expect(solution.converged).toBe(true);
  });

  it("simulated ratings have the shares that the parameters imply, and a refit finds the parameters", () => {
    const fit = fitClmm("rating ~ system + (1 | rater) + (1 | item)", table, { link: "probit" });
    const y = simulateClmm(fit, makeRng("again"));
    expect(y).toEqual(simulateClmm(fit, makeRng("again")));
    const problem = prepareClmm(fit.design, fit.levels, { link: "probit" });
    const replicates = Array.from({ length: 40 }, (_, r) => {
      const solution = solveClmm(problem, simulateClmm(fit, makeRng("refit").stream(r)), { curvature: false });
      return solution.phi[solution.phi.length - 1]!;
    });
    const mean = replicates.reduce((a, b) => a + b, 0) / replicates.length;
    const last = fit.coefficients[fit.coefficients.length - 1]!;
    // four Monte-Carlo standard errors, the estimate's own bias being far below
    expect(Math.abs(mean - last.value)).toBeLessThan((4 * last.se) / Math.sqrt(replicates.length));
  });

  it("separated groups and tiny tables end flagged, never thrown", () => {
    const n = 24;
    const apart = makeTable([
      ["y", factorColumn(Array.from({ length: n }, (_, i) => (i % 2 === 1 ? "3" : String(1 + (i % 3 > 0 ? 1 : 0)))))],
      ["g", factorColumn(Array.from({ length: n }, (_, i) => (i % 2 === 1 ? "b" : "a")))],
      ["item", factorColumn(Array.from({ length: n }, (_, i) => `i${i % 5}`))],
    ]);
    const fit = fitClmm("y ~ g + (1 | item)", apart);
    expect(fit.converged).toBe(false);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("Separation");
    const tiny = makeTable([
      ["y", factorColumn(["1", "2", "2", "3"])],
      ["item", factorColumn(["a", "a", "b", "b"])],
    ]);
    const small = fitClmm("y ~ 1 + (1 | item)", tiny);
    expect(small.converged || small.diagnostics.some(({ severity }) => severity === "warning")).toBe(true);
    expect(small.logLik).toBeGreaterThanOrEqual(fitClm("y ~ 1", tiny).logLik - 1e-9);
  });

  it("complete separation leaves SD and condition undefined, partial separation only the condition", () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ system: "AB"[i % 2]!, item: `i${i >> 1}`, bit: (i * 7) % 5 }));
    const apart = makeTable([
      ["y", factorColumn(rows.map(({ system }) => (system === "B" ? "2" : "1")))],
      ["part", factorColumn(rows.map(({ system, bit }) => (system === "B" || bit > 2 ? "2" : "1")))],
      ["system", factorColumn(rows.map(({ system }) => system))],
      ["item", factorColumn(rows.map(({ item }) => item))],
    ]);
    const all = fitClmm("y ~ system + (1 | item)", apart);
    expect([all.theta[0], all.optimum.condition]).toEqual([Number.NaN, Number.NaN]);
    expect(all.diagnostics.map(({ code }) => code)).toContain("NoInformation");
    expect(() => simulateClmm(all, makeRng("separated"))).toThrow(/not finite/);
    const some = fitClmm("part ~ system + (1 | item)", apart);
    expect(some.diagnostics.map(({ code }) => code)).toContain("Separation");
    expect(some.theta[0]).toBeGreaterThanOrEqual(0);
    expect(some.diagnostics.map(({ code }) => code)).not.toContain("NoInformation");
    expect(some.optimum.condition).toBeNaN();
  });

  it("refuses quadrature with two terms, one level, and a missing random term", () => {
    expect(() => fitClmm("rating ~ x + (1 | item) + (1 | rater)", table, { nAGQ: 5 })).toThrow(/single random term/);
    const one = withColumn(table, "g", factorColumn(Array.from({ length: table.rows }, () => "only")));
    expect(() => fitClmm("rating ~ x + (1 | g)", one)).toThrow(/only one level/);
    expect(() => fitClmm("rating ~ x", table)).toThrow(/no random term/);
    const constant = makeTable([
      ["y", factorColumn(["1", "1", "1", "1"])],
      ["g", factorColumn(["a", "a", "b", "b"])],
    ]);
    expect(() => fitClmm("y ~ 1 + (1 | g)", constant)).toThrow(/every row/);
  });

  it("prints the same after a journey through JSON", () => {
    const fit = fitClmm("rating ~ system + (x | rater)", table, { link: "probit" });
    expect(String(reviveResult(JSON.parse(JSON.stringify(fit))))).toBe(String(fit));
    expect(String(fit)).toMatchSnapshot();
    for (const line of String(fit).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
