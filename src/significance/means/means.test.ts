import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { asFactor, column, factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../data/table.ts";
import { fitGlm, type GlmFit, type GlmOptions } from "../../models/glm/glm.ts";
import { fitLm, type LmFit } from "../../models/lm/lm.ts";
import { identity } from "../../numeric/linalg/matrix.ts";
import { reviveResult } from "../../result/result.ts";
import type { Adjustment } from "../multiplicity.ts";
import { marginalModelOf } from "./marginal-model.ts";
import { type EmmeansResult, type MarginalMeansOptions, marginalMeans } from "./means.ts";

const oracle = readOracle("r/emmeans.json");
const ratings = oracleTable(oracle.columns);

type Input = Readonly<Record<string, unknown>>;

function fitCase(input: Input): LmFit | GlmFit {
  const pass = ["weights", "offset", "contrasts", "family", "link", "cluster"];
  const options = Object.fromEntries(Object.entries(input).filter(([key]) => pass.includes(key))) as GlmOptions;
  const formula = input["formula"] as string;
  return input["family"] === undefined ? fitLm(formula, ratings, options) : fitGlm(formula, ratings, options);
}

function optionsOf(input: Input): MarginalMeansOptions {
  const { method = "pairwise", custom, by, grid_weights, ref, at } = input;
  const pass = Object.fromEntries(
    Object.entries(input).filter(([key]) => ["within", "slopes", "type", "regrid"].includes(key)),
  );
  const values = Object.entries((at ?? {}) as Record<string, unknown>).map(([name, v]) => [name, [v].flat()]);
  return {
    by: by as string[],
    contrasts: (method === "custom" ? custom : method) as NonNullable<MarginalMeansOptions["contrasts"]>,
    at: Object.fromEntries(values) as Record<string, number[]>,
    ...(grid_weights === undefined ? {} : { weights: grid_weights as "proportional" }),
    ...(ref === undefined ? {} : { reference: "new" }),
    ...pass,
  };
}

const of = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number[] =>
  rows.map((r) => r[key]);
/** Relative, with a floor well below the size of any SE here. */
const close = { tolerance: 1e-10, floor: 0.01 };

describe.each(oracle.cases.filter((c) => c.kind === "emmeans"))("$id equals emmeans", ({ input, expected: e }) => {
  const fit = fitCase(input);
  const estimate = (adjust: Adjustment): EmmeansResult => marginalMeans(fit, { ...optionsOf(input), adjust });

  it("means", () => {
    const { means, by, within } = estimate("none");
    for (const name of [...by, ...within]) expect(means.map((m) => m.levels[name])).toEqual(e.means.levels[name]);
    for (const key of ["estimate", "se", "df", "lower", "upper"] as const) {
      expectClose(of(means, key), e.means[key], { ...close, label: key });
    }
  });

  if (e.contrasts)
    it("contrasts", () => {
      const { contrasts, within } = estimate("none");
      expect(contrasts.map((c) => c.contrast)).toEqual(e.contrasts.name);
      for (const name of within) expect(contrasts.map((c) => c.within![name])).toEqual(e.contrasts.within[name]);
      for (const key of ["estimate", "se", "df", "statistic"] as const) {
        expectClose(of(contrasts, key), e.contrasts[key], { ...close, label: key });
      }
    });

  it.each(Object.keys(e.contrasts?.adjusted ?? {}) as Adjustment[])("adjusted by %s", (adjust) => {
    const { contrasts } = estimate(adjust);
    const want = e.contrasts.adjusted[adjust];
    // R's ptukey is good to some 1e-9 at these df, its qtukey to 1e-7
    const tukey = adjust === "tukey" && contrasts.length > 1;
    // and its Sidak subtracts from 1
    const p = tukey ? { tolerance: 1e-8, floor: 1 } : { tolerance: 1e-9, floor: 1e-6 };
    expectClose(of(contrasts, "p"), want.p, p);
    const ends = tukey ? { tolerance: 1e-6, floor: 0.1 } : close;
    expectClose(of(contrasts, "lower"), want.lower, { ...ends, label: "lower" });
    expectClose(of(contrasts, "upper"), want.upper, { ...ends, label: "upper" });
  });
});

describe.each(oracle.cases.filter((c) => c.kind === "cluster"))("$id equals clubSandwich", ({ input, expected: e }) => {
  const fit = fitCase(input);

  it("estimates, SEs and the df of each function", () => {
    const { means, contrasts } = marginalMeans(fit, { by: input["by"] as string, data: ratings });
    for (const key of ["estimate", "se", "df"] as const) {
      expectClose(of(means, key), e.means[key], { ...close, label: `means ${key}` });
      expectClose(of(contrasts, key), e.contrasts[key], { ...close, label: `contrasts ${key}` });
    }
  });

  it("without the table takes smaller df and says so", () => {
    const result = marginalMeans(fit, { by: input["by"] as string });
    expect(result.diagnostics.map((d) => d.code)).toContain("ApproximateDf");
    const least = Math.min(...fit.coefficients.map((c) => c.df));
    for (const { df } of result.contrasts) expect(df).toBeGreaterThanOrEqual(least);
  });
});

it("refuses a table that was not fitted", () => {
  const fit = fitLm("score ~ system", ratings, { cluster: "item" });
  const other = selectRows(ratings, (row) => row > 10);
  expect(() => marginalMeans(fit, { by: "system", data: other })).toThrow(/not the table/);
});

describe.each(oracle.cases.filter((c) => c.kind === "slopes"))(
  "$id equals the derivative",
  ({ input, expected: e }) => {
    it("slopes", () => {
      const { means } = marginalMeans(fitCase(input), optionsOf(input));
      expectClose(of(means, "estimate"), e.estimate, { tolerance: 1e-11 });
      expectClose(of(means, "se"), e.se, { tolerance: 1e-11 });
    });
  },
);

describe("one-way ANOVA with TukeyHSD", () => {
  const { cases } = readOracle("reference/classical.json");
  it.each(cases.filter((c) => c.id.startsWith("aov-")))("$id", ({ input, expected }) => {
    const { y, group } = input as { y: number[]; group: string[] };
    const table = makeTable([
      ["y", numericColumn(y)],
      ["group", factorColumn(group)],
    ]);
    const result = marginalMeans(fitLm("y ~ group", table), { by: "group", contrasts: "revpairwise" });
    const hsd = expected.tukey_hsd;
    const order = result.contrasts.map((c) => hsd.pair.indexOf(c.contrast.replace(" - ", "-")));
    const inOrder = (values: number[]): number[] => order.map((i) => values[i]!);
    expectClose(of(result.contrasts, "estimate"), inOrder(hsd.diff), { tolerance: 1e-12, floor: 0.1 });
    expectClose(of(result.contrasts, "p"), inOrder(hsd.p), { tolerance: 1e-8, floor: 1 });
    expectClose(of(result.contrasts, "lower"), inOrder(hsd.lower95), { tolerance: 1e-6, floor: 0.1 });
    expectClose(of(result.contrasts, "upper"), inOrder(hsd.upper95), { tolerance: 1e-6, floor: 0.1 });
  });
});

const small = makeTable([
  ["y", numericColumn([1, 2, 3, 5, 6, 10, 4, 8])],
  ["g", factorColumn(["a", "a", "a", "b", "b", "c", "c", "c"])],
  ["h", factorColumn(["u", "v", "u", "u", "v", "u", "v", "v"])],
]);

describe("closed form", () => {
  it("the means of a one-way layout are the cell means, their SEs s/√n", () => {
    const fit = fitLm("y ~ g", small);
    const { means } = marginalMeans(fit, { by: "g" });
    expectClose(of(means, "estimate"), [2, 5.5, 22 / 3], { tolerance: 1e-13 });
    expectClose(
      of(means, "se"),
      [3, 2, 3].map((n) => fit.residualSd / Math.sqrt(n)),
      { tolerance: 1e-13 },
    );
  });

  it("equal weights average cell means, proportional weights give the raw mean of an additive balanced factor", () => {
    const fit = fitLm("y ~ g * h", small);
    const cells = marginalMeans(fit, { by: ["g", "h"], contrasts: "none" }).means;
    const average = marginalMeans(fit, { by: "g", contrasts: "none" }).means;
    const value = (g: string, h: string) => cells.find((m) => m.levels["g"] === g && m.levels["h"] === h)!.estimate;
    for (const m of average) {
      expect(m.estimate).toBeCloseTo((value(m.levels["g"]!, "u") + value(m.levels["g"]!, "v")) / 2, 12);
    }
    const overall = marginalMeans(fit, { by: [], weights: "proportional", contrasts: "none" }).means[0]!;
    expect(overall.name).toBe("overall");
    expect(overall.estimate).toBeCloseTo(39 / 8, 12); // frequencies of cells weigh cell means
  });

  it("regridded logit means are shares, and their differences the differences of shares", () => {
    const table = makeTable([
      ["s", factorColumn([..."aaaabbbbbb"])],
      ["ok", numericColumn([1, 0, 0, 0, 1, 1, 1, 1, 0, 0])],
    ]);
    const { means, contrasts } = marginalMeans(fitGlm("ok ~ s", table, { family: "binomial" }), {
      by: "s",
      regrid: true,
    });
    expectClose(of(means, "estimate"), [1 / 4, 4 / 6], { tolerance: 1e-10 });
    expectClose(of(means, "se"), [Math.sqrt(3 / 16 / 4), Math.sqrt(8 / 36 / 6)], { tolerance: 1e-9 });
    expect(contrasts[0]!.estimate).toBeCloseTo(1 / 4 - 4 / 6, 10);
    expect(contrasts[0]!.se).toBeCloseTo(Math.hypot(means[0]!.se, means[1]!.se), 9);
  });

  it("a model with its own df and further parameters is asked for them", () => {
    const fit = marginalModelOf(fitLm("y ~ g", small));
    const asked: number[][] = [];
    const model = {
      ...fit,
      beta: Float64Array.of(...fit.beta, 10),
      constants: Float64Array.of(-0.5),
      vcov: identity(4),
      dfFor: (x: Float64Array) => {
        asked.push(Array.from(x, (v) => v + 0));
        return 7;
      },
    };
    const { means, contrasts } = marginalMeans(model, { by: "g", contrasts: "consecutive" });
    expectClose(of(means, "estimate"), [2 - 5, 5.5 - 5, 22 / 3 - 5], { tolerance: 1e-12 });
    expectClose(of(means, "se"), [Math.sqrt(1.25), 1.5, 1.5], { tolerance: 1e-14 });
    expect(new Set([...of(means, "df"), ...of(contrasts, "df")])).toEqual(new Set([7]));
    expect(asked).toContainEqual([0, -1, 1, 0]); // thresholds leave contrasts alone
  });
});

describe("invariance", () => {
  const wanted: MarginalMeansOptions = { by: "system", within: "length" };
  const numbers = (result: EmmeansResult) => result.contrasts.flatMap((c) => [c.estimate, c.se, c.statistic, c.p]);
  const formula = "score ~ system * length + log(tokens)";
  const before = marginalMeans(fitLm(formula, ratings), wanted);

  it("to the coding of factors", () => {
    for (const contrasts of ["sum", "helmert", "poly"] as const) {
      expectClose(numbers(marginalMeans(fitLm(formula, ratings, { contrasts }), wanted)), numbers(before), {
        tolerance: 1e-9,
        floor: 0.01,
      });
    }
  });

  it("to the order of rows", () => {
    const turned = selectRows(
      ratings,
      Int32Array.from({ length: ratings.rows }, (_, i) => ratings.rows - 1 - i),
    );
    expectClose(numbers(marginalMeans(fitLm(formula, turned), wanted)), numbers(before), {
      tolerance: 1e-9,
      floor: 0.01,
    });
  });

  it("to the reference level, up to the order of the means", () => {
    const fit = fitLm(formula, ratings, { reference: { system: "x-large" } });
    const means = (result: EmmeansResult) => new Map(result.means.map((m) => [m.name, m.estimate]));
    const after = means(marginalMeans(fit, wanted));
    for (const [name, value] of means(before)) expect(after.get(name)).toBeCloseTo(value, 10);
  });

  it("scales with the response", () => {
    const cells = column(ratings, "score") as { values: Float64Array };
    const scaled = makeTable(
      new Map(ratings.columns).set("score", numericColumn(cells.values.map((v) => 100 * v))),
      ratings.rows,
    );
    const after = marginalMeans(fitLm(formula, scaled), wanted);
    expectClose(
      of(after.contrasts, "estimate"),
      of(before.contrasts, "estimate").map((v) => 100 * v),
      { tolerance: 1e-9, floor: 1 },
    );
    expectClose(of(after.contrasts, "p"), of(before.contrasts, "p"), { tolerance: 1e-8 });
  });
});

describe("what cannot be estimated", () => {
  const codes = (result: EmmeansResult): string[] => result.diagnostics.map((d) => d.code);

  it("is NaN, does not count in the family, and is named", () => {
    const fit = fitLm("holey ~ system * domain", ratings);
    const result = marginalMeans(fit, { by: "system" });
    expect(result.contrasts[1]!.p).toBeNaN();
    expect(result.families).toEqual([{ tests: 1, means: 2 }]);
    const unadjusted = marginalMeans(fit, { by: "system", adjust: "none" });
    expect(result.contrasts[0]!.p).toBeCloseTo(unadjusted.contrasts[0]!.p, 12); // two means are left
    const lost = result.diagnostics.find((d) => d.code === "NotEstimable")!;
    expect(lost.message).toMatch(/mean of x-large and the contrasts base - \(x-large\)/);
  });

  it("a contrast may be estimable though its means are not", () => {
    // a copy of a covariate: no mean is determined by the data, differences at equal values are
    const cells = column(ratings, "tokens") as { values: Float64Array };
    const table = makeTable(new Map(ratings.columns).set("twin", numericColumn(cells.values.slice())), ratings.rows);
    const result = marginalMeans(fitLm("score ~ system + tokens + twin", table), { by: "system", at: { twin: [3] } });
    expect(of(result.means, "estimate").every(Number.isNaN)).toBe(true);
    const plain = marginalMeans(fitLm("score ~ system + tokens", table), { by: "system" });
    expectClose(of(result.contrasts, "p"), of(plain.contrasts, "p"), { tolerance: 1e-9 });
  });

  it("says which factors are nested, and leaves a crossed design with an empty cell as it is", () => {
    const nested = marginalMeans(fitLm("score ~ area/sub", ratings), { by: "area" });
    expect(nested.diagnostics.find(({ code }) => code === "Nested")?.message).toMatch(/^sub is nested in area: only/);
    expect(nested.diagnostics.map(({ code }) => code)).not.toContain("NotEstimable");
    const holey = marginalMeans(fitLm("holey ~ system * domain", ratings), { by: "system" });
    expect(holey.diagnostics.map(({ code }) => code)).not.toContain("Nested");
    expect(holey.means[2]!.estimate).toBeNaN();
  });

  it("the mean over a nested factor is the plain mean of the cells that occur", () => {
    const rows = ["a1", "a1", "a2", "b1", "b2", "b2", "b3"];
    const y = [1, 3, 7, 2, 4, 6, 12];
    const table = makeTable([
      ["y", numericColumn(y)],
      ["outer", factorColumn(rows.map((r) => r[0]!))],
      ["inner", factorColumn(rows.map((r) => r[1]!))],
    ]);
    const { means } = marginalMeans(fitLm("y ~ outer/inner", table), { by: "outer" });
    expectClose(of(means, "estimate"), [(2 + 7) / 2, (2 + 5 + 12) / 3], { tolerance: 1e-12 });
  });

  it("separated cells give infinite means without tests, the others stay finite", () => {
    const table = makeTable([
      ["s", factorColumn([..."aaaabbbbcccc"])],
      ["ok", numericColumn([0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1])],
    ]);
    const fit = fitGlm("ok ~ s", table, { family: "binomial" });
    const { means, contrasts } = marginalMeans(fit, { by: "s", type: "response" });
    expect(of(means, "estimate")[0]).toBe(0);
    expect(means[0]!.se).toBeNaN();
    expectClose(of(means, "estimate").slice(1), [0.5, 0.75], { tolerance: 1e-8 });
    expect(contrasts[2]!.estimate).toBeCloseTo(1 / 3, 8);
    expect(contrasts[0]!.p).toBeNaN();
  });

  it("slopes that cannot differ are said to be 0 by design", () => {
    const result = marginalMeans(fitLm("score ~ system + tokens", ratings), { by: "system", slopes: "tokens" });
    expect(codes(result)).toContain("ZeroByDesign");
    expect(of(result.contrasts, "estimate")).toEqual([0, 0, 0]);
    expect(result.contrasts[0]!.p).toBeNaN();
  });

  it("an average over an interaction is pointed out, within its levels it is not", () => {
    const fit = fitLm("score ~ system * length", ratings);
    expect(codes(marginalMeans(fit, { by: "system" }))).toContain("AveragedInteraction");
    expect(codes(marginalMeans(fit, { by: "system", within: "length" }))).not.toContain("AveragedInteraction");
    expect(codes(marginalMeans(fit, { by: ["system", "length"] }))).not.toContain("AveragedInteraction");
  });
});

describe("wrong requests", () => {
  const fit = fitLm("score ~ system * length + tokens", ratings);
  const ask = (options: MarginalMeansOptions) => () => marginalMeans(fit, options);

  it.each<[string, MarginalMeansOptions, RegExp]>([
    ["an unknown factor", { by: "sytem" }, /do not use "sytem"/],
    ["an unknown covariate", { by: "system", at: { token: [1] } }, /at gives values for "token"/],
    ["an unknown level", { by: "system", at: { length: ["longer"] } }, /level "longer"/],
    ["text for a number", { by: "system", at: { tokens: ["many"] } }, /value "many"/],
    ["the slope of a factor", { by: "system", slopes: "length" }, /is a factor/],
    ["the slope of nothing", { by: "system", slopes: "tokns" }, /do not use "tokns"/],
    ["an unknown reference", { by: "system", contrasts: "treatment", reference: "bse" }, /"bse" is none/],
    ["too few weights", { by: "system", contrasts: { odd: [1, -1] } }, /2 weights for 3 means/],
    ["slopes on the response scale", { by: "system", slopes: "tokens", regrid: true }, /linear predictor/],
    ["an impossible level of confidence", { by: "system", confidence: 95 }, /95/],
  ])("%s", (_, options, message) => {
    expect(ask(options)).toThrow(message);
  });

  it("a term that is undefined at the mean", () => {
    const cells = column(ratings, "tokens") as { values: Float64Array };
    const table: Table = makeTable(
      new Map(ratings.columns).set("odd", numericColumn(cells.values.map((v) => (v > 40 ? v : -9 * v)))),
      ratings.rows,
    );
    const wild = fitLm("score ~ system + sqrt(abs(odd)) + I(log(odd * odd))", table);
    expect(marginalMeans(wild, { by: "system" }).means[0]!.estimate).toBeTypeOf("number");
    expect(() => marginalMeans(wild, { by: "system", at: { odd: [0] } })).toThrow(/-Infinity|undefined/);
  });

  it("Tukey for other contrasts becomes Sidak, with a note", () => {
    const result = marginalMeans(fit, { by: "system", contrasts: "consecutive", adjust: "tukey" });
    expect(result.adjust).toBe("sidak");
    expect(result.diagnostics.map((d) => d.code)).toContain("TukeyNeedsPairs");
  });

  it("a factor with too many levels", () => {
    const many = makeTable([
      ["y", numericColumn(Array.from({ length: 600 }, (_, i) => (i * 37) % 101))],
      ["g", asFactor(numericColumn(Array.from({ length: 600 }, (_, i) => i % 300)))],
    ]);
    expect(() => marginalMeans(fitLm("y ~ g", many), { by: "g" })).toThrow(/300 means have 44850 pairs/);
  });
});

it("the signature holds the request, maps as plain objects, and not the table", () => {
  const fit = fitLm("score ~ system * tokens", ratings);
  const { signature } = marginalMeans(fit, {
    by: "system",
    at: new Map([["tokens", [30]]]),
    contrasts: new Map([["new vs base", [-1, 1, 0]]]),
    data: ratings,
  });
  expect(JSON.parse(JSON.stringify(signature.options))).toEqual({
    model: "lm",
    formula: "score ~ system * tokens",
    means: { by: "system", at: { tokens: [30] }, contrasts: { "new vs base": [-1, 1, 0] } },
  });
});

describe("print", () => {
  it("as stored, also after a journey through JSON", () => {
    const result = marginalMeans(fitLm("score ~ system * length + tokens", ratings), {
      by: "system",
      within: "length",
    });
    expect(result.toString()).toMatchInlineSnapshot(`
      "Marginal means of system within length: score ~ system * length + tokens

      150 rows.

      system   length   mean      SE   df  95% from     to
      ----------------------------------------------------
      base     short   2.320  0.2019  140     1.921  2.719
      new      short   2.886  0.2146  140     2.461  3.310
      x-large  short   3.625  0.2593  140     3.112  4.137
      base     mid     2.019  0.2319  140     1.560  2.477
      new      mid     3.094  0.2593  140     2.581  3.607
      x-large  mid     3.048  0.4495  140     2.160  3.937
      base     long    2.683  0.2108  140     2.266  3.100
      new      long    3.286  0.2625  140     2.767  3.805
      x-large  long    2.946  0.3064  140     2.340  3.551

                                                                         95%
      contrast        length  estimate      SE   df       t       p     from        to
      --------------------------------------------------------------------------------
      base - new      short   -0.56559  0.2957  140  -1.913  0.1389  -1.2661   0.13491
      base -          short   -1.30437  0.3284  140  -3.972  0.0003  -2.0823  -0.52644
        (x-large)
      new -           short   -0.73878  0.3368  140  -2.193  0.0758  -1.5367   0.05917
        (x-large)
      base - new      mid     -1.07528  0.3480  140  -3.090  0.0068  -1.8996  -0.25098
      base -          mid     -1.02987  0.5068  140  -2.032  0.1083  -2.2304   0.17068
        (x-large)
      new -           mid      0.04541  0.5189  140   0.088  0.9958  -1.1839   1.27467
        (x-large)
      base - new      long    -0.60268  0.3337  140  -1.806  0.1714  -1.3933   0.18794
      base -          long    -0.26254  0.3749  140  -0.700  0.7637  -1.1507   0.62558
        (x-large)
      new -           long     0.34014  0.4082  140   0.833  0.6831  -0.6269   1.30722
        (x-large)

      Covariates at tokens = 48.57.
      p values and intervals adjusted by Tukey for 3 means, within each length
        separately."
    `);
    expect(reviveResult(JSON.parse(JSON.stringify(result))).toString()).toBe(result.toString());
  });

  it("levels that are fractions with the digits that tell them apart, and whole numbers as they are", () => {
    const rates = ["0.30000000000000004", "0.3333333333333333", "0.33333411", "12345678"];
    const table = makeTable([
      ["y", numericColumn([1, 2, 4, 3, 5, 9, 2, 2])],
      ["lr", factorColumn(Array.from({ length: 8 }, (_, i) => rates[i % 4]!))],
    ]);
    const result = marginalMeans(fitLm("y ~ lr", table), { by: ["lr"] });
    const text = String(result);
    for (const label of ["0.3 ", "0.333333 ", "0.333334 ", "12345678 ", "lr0.3 - lr0.333333 "])
      expect(text).toContain(label);
    expect(text).not.toMatch(/0\.300000|0\.3333333/);
    // the result itself keeps the data's own names
    expect(result.means.map(({ name }) => name).sort()).toEqual(rates);
  });

  it("odds ratios", () => {
    const fit = fitGlm("correct ~ system + domain + tokens", ratings, { family: "binomial" });
    const result = marginalMeans(fit, { by: "system", type: "response", adjust: "holm" });
    expect(result.toString()).toMatchInlineSnapshot(`
      "Marginal means of system: correct ~ system + domain + tokens

      150 rows.

      system   probability       SE  95% from      to
      -----------------------------------------------
      base          0.6690  0.06363    0.5351  0.7802
      new           0.7897  0.05834    0.6535  0.8820
      x-large       0.4599  0.09595    0.2854  0.6448

      contrast          odds ratio      SE       z       p  95% from      to
      ----------------------------------------------------------------------
      base / new            0.5383  0.2397  -1.391  0.1642    0.1854   1.563
      base / (x-large)      2.3738  1.0899   1.883  0.1194    0.7908   7.125
      new / (x-large)       4.4097  2.2857   2.863  0.0126    1.2750  15.251

      Averaged over domain, each combination of levels with the same weight.
      Covariates at tokens = 48.57.
      Tests are made on the logit scale; a ratio of 1 means no difference.
      p values adjusted by Holm for 3 tests; intervals: Bonferroni."
    `);
  });
});
