import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { testNested } from "../../significance/nested/nested.ts";
import { fitGlm } from "./glm.ts";

const oracle = readOracle("r/firth.json") as ReturnType<typeof readOracle> & { readonly small: never };
const tables = { d: oracleTable(oracle.columns), small: oracleTable(oracle.small) };

describe.each(oracle.cases)("$id equals R", ({ input, expected: e }) => {
  const table = tables[input["data"] as "d" | "small"];
  const fit = fitGlm(input["formula"] as string, table, { family: "binomial", firth: true });
  const of = (key: "value" | "se" | "lower" | "upper" | "p") => fit.coefficients.map((c) => c[key]);

  it("estimates and standard errors", () => {
    expect(fit.coefficients.map(({ name }) => name)).toEqual(e.names);
    expect([fit.converged, fit.diagnostics]).toEqual([true, []]);
    // brglm stops at a score of 1e-13, R's optimiser where differences of the likelihood end
    expectClose(of("value"), e.estimate, { tolerance: 1e-7, floor: 1e-2, label: "estimate" });
    expectClose(of("se"), e.se, { tolerance: 1e-7, label: "se" });
  });

  it("penalised likelihood ratios and profile intervals", () => {
    expectClose(
      of("p"),
      e.ratio.map((ratio: number) => chiSquareSf(ratio, 1)),
      { tolerance: 1e-5, label: "p" },
    );
    expectClose(of("lower"), e.lower, { tolerance: 1e-5, floor: 0.1, label: "lower" });
    expectClose(of("upper"), e.upper, { tolerance: 1e-5, floor: 0.1, label: "upper" });
  });
});

describe("Firth's regression", () => {
  it("adds half an answer to each cell of a 2 x 2 table", () => {
    const cells = makeTable([
      ["hits", numericColumn([7, 0])],
      ["misses", numericColumn([3, 9])],
      ["g", factorColumn(["a", "b"])],
    ]);
    const { coefficients } = fitGlm("cbind(hits, misses) ~ g", cells, { family: "binomial", firth: true });
    expect(coefficients[0]!.value).toBeCloseTo(Math.log(7.5 / 3.5), 10);
    expect(coefficients[1]!.value).toBeCloseTo(Math.log(0.5 / 9.5) - Math.log(7.5 / 3.5), 10);
  });

  it("counts equal the same trials row by row", () => {
    const y = [1, 1, 0, 1, 0, 0, 0, 1];
    const x = [1, 1, 1, 2, 2, 2, 3, 3];
    const rows = makeTable([
      ["y", numericColumn(y)],
      ["x", numericColumn(x)],
    ]);
    const grouped = makeTable([
      ["hits", numericColumn([2, 1, 1])],
      ["misses", numericColumn([1, 2, 1])],
      ["x", numericColumn([1, 2, 3])],
    ]);
    const one = fitGlm("y ~ x", rows, { family: "binomial", firth: true });
    const other = fitGlm("cbind(hits, misses) ~ x", grouped, { family: "binomial", firth: true });
    for (const key of ["value", "se", "lower", "upper", "p"] as const) {
      expectClose(
        other.coefficients.map((c) => c[key]),
        one.coefficients.map((c) => c[key]),
        { tolerance: 1e-8, floor: 1e-3 },
      );
    }
  });

  it("is finite where every answer is right, and shrinks a fit that has a maximum", () => {
    const all = makeTable([["y", numericColumn(new Array(30).fill(1))]]);
    const [intercept] = fitGlm("y ~ 1", all, { family: "binomial", firth: true }).coefficients;
    expect(intercept!.value).toBeCloseTo(Math.log(30.5 / 0.5), 10);
    expect(intercept!.upper).toBeGreaterThan(intercept!.value);
    const plain = fitGlm("cbind(hits, misses) ~ x", tables.d, { family: "binomial" });
    const firth = fitGlm("cbind(hits, misses) ~ x", tables.d, { family: "binomial", firth: true });
    expect(Math.abs(firth.coefficients[1]!.value)).toBeLessThan(Math.abs(plain.coefficients[1]!.value));
  });

  it("refuses other families, links and robust errors, and comparison by its likelihood", () => {
    expect(() => fitGlm("y ~ x", tables.d, { family: "poisson", firth: true })).toThrow(/logistic/);
    expect(() => fitGlm("y ~ x", tables.d, { family: "binomial", link: "probit", firth: true })).toThrow(/logistic/);
    expect(() => fitGlm("y ~ x", tables.d, { family: "binomial", cluster: "g", firth: true })).toThrow(/robust/);
    const fits = ["y ~ 1", "y ~ x"].map((f) => fitGlm(f, tables.d, { family: "binomial", firth: true }));
    expect(() => testNested(fits[0]!, fits[1]!)).toThrow(/not comparable/);
  });
});
