import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { type3Lmm } from "../nested/type3-mixed.ts";
import { effectSizes } from "./effect-size.ts";
import { marginalMeans } from "./means.ts";

interface MixedCase {
  readonly id: string;
  readonly input: { data: string; formula: string; reml: boolean; contrasts?: Record<string, "sum"> };
  /** emmeans' answers, by its own names. */
  readonly expected: {
    readonly emmeans?: {
      readonly of: string;
      readonly satterthwaite?: MeansAnswer;
      readonly kenward_roger?: MeansAnswer;
    };
  };
}
/** R writes a list of one as its element. */
type Numbers = number | readonly number[];
interface MeansAnswer {
  readonly means: Readonly<Record<"emmean" | "se" | "df", Numbers>>;
  readonly pairs: Readonly<Record<"estimate" | "df" | "p_tukey", Numbers>>;
}

/** Complete blocks: differences of means, and the df of the ANOVA, in closed form. */
function blocks(): Table {
  const y = [1.2, 2.9, 3.1, 2.0, 3.8, 4.4, 0.4, 1.1, 2.9, 1.5, 2.2, 3.0];
  const system = y.map((_, i) => ["A", "B", "C"][i % 3]!);
  const item = y.map((_, i) => `i${Math.floor(i / 3)}`);
  return makeTable([
    ["y", numericColumn(y)],
    ["system", factorColumn(system)],
    ["item", factorColumn(item)],
  ]);
}

describe.each(["satterthwaite", "kenward-roger"] as const)("marginal means of complete blocks (%s)", (ddf) => {
  const fit = fitLmm("y ~ system + (1 | item)", blocks(), { ddf });
  const result = marginalMeans(fit, { by: ["system"] });

  it("are the means of the systems, their differences tested on (a-1)(b-1) df", () => {
    expectClose(
      result.means.map((m) => m.estimate),
      [1.275, 2.5, 3.35],
      { tolerance: 1e-9 },
    );
    expectClose(
      result.contrasts.map((c) => c.estimate),
      [-1.225, -2.075, -0.85],
      { tolerance: 1e-8 },
    );
    expectClose(
      result.contrasts.map((c) => c.df),
      [6, 6, 6],
      { tolerance: 1e-6 },
    );
  });

  it("agree with the F test of the term", () => {
    const [test] = type3Lmm(fit);
    expect([test!.df1, Math.round(test!.df2 * 1e6) / 1e6]).toEqual([2, 6]);
  });

  it("come in units of the residual or of the total SD", () => {
    const residual = effectSizes(fit, { by: ["system"], sd: "residual" });
    const total = effectSizes(fit, { by: ["system"], sd: "total" });
    const variance = fit.variances[0]!.cov.data[0]!;
    expect(total.effects[0]!.g / residual.effects[0]!.g).toBeCloseTo(
      fit.residualSd / Math.sqrt(variance + fit.residualSd ** 2),
      6,
    );
  });
});

describe("marginal means of fitted mixed models equal emmeans", () => {
  const reference = readReference<MixedCase>("lmm.json");
  const cases = reference.cases.filter((c) => c.expected.emmeans !== undefined);

  it.each(cases)("$id", ({ input, expected }) => {
    const { of, satterthwaite, kenward_roger } = expected.emmeans!;
    for (const [ddf, e] of [
      ["satterthwaite", satterthwaite],
      ["kenward-roger", kenward_roger],
    ] as const) {
      if (!e) continue;
      const options = {
        criterion: input.reml ? "REML" : "ML",
        ddf,
        ...(input.contrasts ? { contrasts: input.contrasts } : {}),
      } as const;
      const fit = fitLmm(input.formula, referenceTable(reference, input.data), options);
      const { means, contrasts } = marginalMeans(fit, { by: [of] });
      const close = { tolerance: 1e-6, floor: 1e-6 };
      expectClose(
        means.map((m) => m.estimate),
        [e.means.emmean].flat(),
        { ...close, label: "mean" },
      );
      expectClose(
        means.map((m) => m.se),
        [e.means.se].flat(),
        { ...close, label: "se" },
      );
      expectClose(
        means.map((m) => m.df),
        [e.means.df].flat(),
        { tolerance: 1e-5, label: "df" },
      );
      expectClose(
        contrasts.map((c) => c.estimate),
        [e.pairs.estimate].flat(),
        { ...close, label: "difference" },
      );
      expectClose(
        contrasts.map((c) => c.df),
        [e.pairs.df].flat(),
        { tolerance: 1e-5, label: "df of differences" },
      );
      expectClose(
        contrasts.map((c) => c.p),
        [e.pairs.p_tukey].flat(),
        { tolerance: 1e-5, floor: 1e-10, label: "p" },
      );
    }
  });
});
