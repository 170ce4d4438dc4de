import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { fitGlm } from "../../models/glm/glm.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { fromRows } from "../../numeric/linalg/matrix.ts";
import { type MarginalModel, marginalModelOf } from "./marginal-model.ts";
import { marginalMeans } from "./means.ts";
import { IDENTITY_SCALE } from "./response-scale.ts";

const reference = readReference("lmm.json");

/** A mixed model as its own code will hand it over: lme4's coefficients and covariance, lmerTest's or pbkrtest's df. */
function modelOf({ input, expected: e }: OracleCase, ddf: "satterthwaite" | "kenward_roger"): MarginalModel {
  const table = referenceTable(reference, input["data"] as string);
  const contrasts = input["contrasts"] as Record<string, "sum"> | undefined;
  const design = buildDesign(input["formula"] as string, table, {
    ...(contrasts === undefined ? {} : { contrasts }),
  });
  expect(design.names).toEqual(e.fixef.names);
  const { means, pairs } = e.emmeans[ddf];
  const df = [...means.df, ...pairs.df] as number[];
  let asked = 0;
  return {
    kind: "marginal",
    design,
    kept: Int32Array.from(design.names.keys()),
    beta: Float64Array.from(e.fixef.estimate),
    vcov: fromRows(ddf === "satterthwaite" ? e.vcov : e.kenward_roger.vcov_adjusted),
    // contrasts are tested first
    dfFor: () => df[(asked++ + means.df.length) % df.length]!,
    scale: IDENTITY_SCALE,
    nobs: design.rowsUsed.length,
    signature: { method: "lmm", version: "", options: {}, data: "" },
    diagnostics: [],
  };
}

const withMeans = reference.cases.filter((c) => c.expected?.emmeans !== undefined);

describe("mixed models of lme4", () => {
  for (const ddf of ["satterthwaite", "kenward_roger"] as const) {
    it.each(withMeans.filter((c) => c.expected.emmeans[ddf] !== undefined))(`$id, ${ddf}`, (c) => {
      const { of, [ddf]: want } = c.expected.emmeans;
      const { means, contrasts } = marginalMeans(modelOf(c, ddf), { by: of });
      expect(means.map((m) => m.name)).toEqual(want.means.level);
      expect(contrasts.map((x) => x.contrast)).toEqual(want.pairs.contrast);
      const close = { tolerance: 1e-9, floor: 0.1 };
      const theirs = {
        means: [want.means.emmean, want.means.se, want.means.lower95, want.means.upper95].flat(),
        pairs: [want.pairs.estimate, want.pairs.se, want.pairs.lower95_tukey, want.pairs.upper95_tukey].flat(),
      };
      const columns = ["estimate", "se", "lower", "upper"] as const;
      expectClose(
        columns.flatMap((key) => means.map((m) => m[key])),
        theirs.means,
        { ...close, label: "means" },
      );
      expectClose(
        columns.flatMap((key) => contrasts.map((x) => x[key])),
        theirs.pairs,
        { ...close, label: "pairs" },
      );
      expectClose(
        contrasts.map((x) => x.p),
        want.pairs.p_tukey,
        { tolerance: 1e-7, floor: 1e-12, label: "p" },
      );
    });
  }
});

const table = makeTable([
  ["y", numericColumn([1, 3, 2, 5, 4, 6])],
  ["ok", numericColumn([0, 1, 0, 1, 1, 0])],
  ["g", factorColumn([..."ababab"])],
  ["unit", factorColumn([..."uuvvww"])],
]);

describe("degrees of freedom", () => {
  const x = Float64Array.of(0, 1);
  it("of lm are residual, of a glm infinite unless its dispersion is estimated", () => {
    expect(marginalModelOf(fitLm("y ~ g", table)).dfFor(x)).toBe(4);
    expect(marginalModelOf(fitGlm("ok ~ g", table, { family: "binomial" })).dfFor(x)).toBe(Number.POSITIVE_INFINITY);
    expect(marginalModelOf(fitGlm("y ~ g", table, { family: "gaussian" })).dfFor(x)).toBe(4);
  });

  it("of CR1 are clusters - 1, of HC3 residual", () => {
    expect(marginalModelOf(fitLm("y ~ g", table, { cluster: "unit", robust: "CR1" })).dfFor(x)).toBe(2);
    expect(marginalModelOf(fitLm("y ~ g", table, { robust: "HC3" })).dfFor(x)).toBe(4);
  });

  it("of CR2 for a single coefficient are the coefficient's", () => {
    const fit = fitLm("y ~ g", table, { cluster: "unit" });
    const { dfFor } = marginalModelOf(fit, table);
    expect(dfFor(x)).toBeCloseTo(fit.coefficients[1]!.df, 10);
    expect(dfFor(Float64Array.of(3, 0))).toBeCloseTo(fit.coefficients[0]!.df, 10);
    expect(dfFor(Float64Array.of(0, 0))).toBeNaN();
  });
});
