/** Public data sets as polished R fits give them. */
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import type { GlmmLink } from "../glm/laplace-rows.ts";
import { fitClm } from "../ordinal/clm.ts";
import { fitClmm } from "../ordinal/clmm.ts";
import type { CumulativeLink } from "../ordinal/cumulative-link.ts";
import type { ThresholdKind } from "../ordinal/thresholds.ts";
import { fitGlmm } from "./glmm.ts";

interface Case<Input, Expected> {
  readonly id: string;
  readonly input: Input;
  readonly expected: Expected;
}
interface Estimates {
  readonly names: readonly string[];
  readonly estimate: readonly number[];
  readonly se: readonly number[];
}
/** Cases without a formula compare two others. */
interface OrdinalInput {
  readonly kind: string;
  readonly data: string;
  readonly formula?: string;
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly nagq?: number;
  readonly nominal?: string;
  readonly scale?: string;
}
/** R's answers, by its own names; the last three only with random effects. */
interface OrdinalAnswer {
  readonly coefficients: Estimates;
  readonly loglik: number;
  readonly theta: readonly number[];
  readonly singular: boolean;
  readonly ranef: readonly { readonly group: string; readonly values: readonly (readonly number[])[] }[];
}
interface GlmmInput {
  readonly data: string;
  readonly formula?: string;
  readonly link: GlmmLink;
  readonly nagq: number;
}
interface GlmmAnswer {
  readonly fixef: Estimates;
  readonly loglik: number;
  readonly aic: number;
  readonly bic: number;
  readonly theta: readonly number[];
  readonly fitted_head: readonly number[];
}

describe("ordinal models of public data", () => {
  const reference = readReference<Case<OrdinalInput, OrdinalAnswer>>("ordinal.json");
  for (const { id, input, expected } of reference.cases) {
    // scale and nominal effects are not part of the model
    const { formula, link, threshold, nagq = 1 } = input;
    if (formula === undefined || input.nominal !== undefined || input.scale !== undefined) continue;
    it(id, () => {
      const table = referenceTable(reference, input.data);
      const fit =
        input.kind === "clm"
          ? fitClm(formula, table, { link, threshold })
          : fitClmm(formula, table, { link, threshold, nAGQ: nagq });
      const all = [...fit.thresholds, ...fit.coefficients];
      expect(all.map(({ name }) => name)).toEqual(expected.coefficients.names);
      expect(Math.abs(fit.logLik - expected.loglik)).toBeLessThan(1e-8);
      expect(fit.converged).toBe(true);
      expectClose(
        all.map(({ value }) => value),
        expected.coefficients.estimate,
        { tolerance: 1e-6, floor: 1e-2, label: "estimate" },
      );
      expectClose(
        all.map(({ se }) => se),
        expected.coefficients.se,
        { tolerance: 6e-7, label: "se" },
      );
      if (fit.kind !== "clmm") return;
      expectClose(fit.theta, expected.theta, { tolerance: 1e-6, floor: 1e-2, label: "theta" });
      expect(fit.singular).toBe(expected.singular);
      for (const { group, values } of expected.ranef) {
        const modes = fit.modes[fit.design.random.findIndex((block) => block.group === group)]!;
        const flat = values.flatMap((row, l) => row.map((_, j) => modes.data[l + j * modes.rows]!));
        expectClose(flat, values.flat(), { tolerance: 1e-6, floor: 1e-2, label: group });
      }
    });
  }
});

describe("logistic mixed models of public data", () => {
  const reference = readReference<Case<GlmmInput, GlmmAnswer>>("glmm.json");
  for (const { id, input, expected } of reference.cases) {
    const { formula, link, nagq } = input;
    if (formula === undefined) continue;
    it(id, () => {
      const fit = fitGlmm(formula, referenceTable(reference, input.data), { link, nAGQ: nagq });
      expect(fit.coefficients.map(({ name }) => name)).toEqual(expected.fixef.names);
      expect(Math.abs(fit.logLik - expected.loglik)).toBeLessThan(1e-8);
      expect(fit.aic).toBeCloseTo(expected.aic, 7);
      expect(fit.bic).toBeCloseTo(expected.bic, 7);
      expectClose(
        fit.coefficients.map(({ value }) => value),
        expected.fixef.estimate,
        { tolerance: 1e-6, label: "estimate" },
      );
      expectClose(
        fit.coefficients.map(({ se }) => se),
        expected.fixef.se,
        { tolerance: 6e-7, label: "se" },
      );
      expectClose(fit.theta, expected.theta, { tolerance: 1e-6, floor: 1e-2, label: "theta" });
      expectClose(fit.fitted.subarray(0, 8), expected.fitted_head, { tolerance: 1e-6, label: "fitted" });
    });
  }
});
