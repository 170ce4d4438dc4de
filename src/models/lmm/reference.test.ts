/** Public data sets as R gives them. */
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { buildDesign } from "../../formula/design.ts";
import { lmmGradient } from "./gradient.ts";
import { fitLmm, type LmmFit, type LmmOptions } from "./lmm.ts";
import { lmmObjective } from "./objective.ts";
import { prepareLmm } from "./problem.ts";
import { solveLmm } from "./solve.ts";

interface Modes {
  readonly levels: readonly string[];
  readonly terms: readonly string[];
  readonly values: readonly (readonly number[])[];
  readonly cond_sd?: readonly (readonly number[])[];
}
interface LmmCase {
  readonly id: string;
  readonly input: {
    data: string;
    formula?: string;
    reml: boolean;
    weights?: string;
    offset?: string;
    contrasts?: Record<string, "sum">;
  };
  /** lme4's answers, by its own names. */
  readonly expected: {
    readonly theta: readonly number[];
    readonly theta_names: readonly string[];
    readonly criterion: { readonly value: number };
    readonly fixef: { readonly estimate: readonly number[]; readonly se: readonly number[] };
    readonly sigma: number;
    readonly aic: number;
    readonly bic: number;
    readonly dropped_columns: readonly string[];
    readonly singular: boolean;
    readonly varcorr: readonly { readonly sd: readonly number[] }[];
    readonly fitted_head: readonly number[];
    readonly ranef: Readonly<Record<string, Modes>>;
  };
}

const lmm = readReference<LmmCase>("lmm.json");
const optionsOf = ({ input }: LmmCase): LmmOptions => ({
  criterion: input.reml ? "REML" : "ML",
  ddf: "none",
  ...(input.weights ? { weights: input.weights } : {}),
  ...(input.offset ? { offset: input.offset } : {}),
  ...(input.contrasts ? { contrasts: input.contrasts } : {}),
});

describe("R's public data sets", () => {
  const cases = lmm.cases.filter(({ input }) => input.formula !== undefined);

  it.each(cases)("$id: criterion at lme4's theta", (c) => {
    const design = buildDesign(c.input.formula!, referenceTable(lmm, c.input.data), optionsOf(c));
    const problem = prepareLmm(design, { criterion: c.input.reml ? "REML" : "ML" });
    expect(problem.structure.thetaNames).toEqual(c.expected.theta_names);
    expectClose([lmmObjective(problem, c.expected.theta, design.y)], [c.expected.criterion.value], {
      tolerance: 1e-13,
    });
  });

  it.each(cases)("$id: never worse than lme4", (c) => {
    const fit = fitLmm(c.input.formula!, referenceTable(lmm, c.input.data), optionsOf(c));
    expect(fit.deviance).toBeLessThanOrEqual(c.expected.criterion.value + 1e-9);
    expect(fit.converged).toBe(true);
  });

  it.each(cases)("$id: fit", (c) => {
    const fit = fitLmm(c.input.formula!, referenceTable(lmm, c.input.data), optionsOf(c));
    const e = c.expected;
    const close = { tolerance: 1e-9, floor: 1e-9 };
    expectClose(fit.theta, e.theta, { ...close, floor: 0.1, label: "theta" });
    expectClose(
      fit.coefficients.map(({ value }) => value),
      e.fixef.estimate,
      { ...close, label: "fixef" },
    );
    expectClose(
      fit.coefficients.map(({ se }) => se),
      e.fixef.se,
      { ...close, label: "se" },
    );
    expectClose([fit.residualSd, fit.aic, fit.bic], [e.sigma, e.aic, e.bic], { ...close, label: "sigma, AIC, BIC" });
    expect(fit.dropped).toEqual(e.dropped_columns);
    expect(fit.singular).toBe(e.singular);
    fit.variances.forEach(({ sd }, t) => {
      expectClose(sd, e.varcorr[t]!.sd, { tolerance: 1e-8, floor: 1e-3, label: "sd" });
    });
    expectClose(fit.fitted.subarray(0, e.fitted_head.length), e.fitted_head, { tolerance: 1e-9, label: "fitted" });
    expectModes(fit, e.ranef);
  });
});

function expectModes(fit: LmmFit, ranef: Readonly<Record<string, Modes>>): void {
  for (const [group, { levels, terms, values, cond_sd }] of Object.entries(ranef)) {
    for (const { block, names } of fit.variances.filter((v) => v.group === group)) {
      const rows = fit.design.random[block]!.levels;
      names.forEach((name, j) => {
        const k = terms.indexOf(name);
        levels.forEach((level, l) => {
          const at = rows.indexOf(level) + j * rows.length;
          const close = { tolerance: 1e-7, floor: 0.01, label: `${group} ${level}` };
          expectClose([fit.modes[block]!.data[at]!], [values[l]![k]!], close);
          // lme4 gives none for terms split by ||
          if (cond_sd !== undefined) expectClose([fit.modeSds[block]!.data[at]!], [cond_sd[l]![k]!], close);
        });
      });
    }
  }
}

describe("InstEval: 73,421 rows, three crossed factors", () => {
  const reference = readReference<LmmCase>("lmm-insteval.json");

  it.each(reference.cases)(
    "$id",
    (c) => {
      const { expected: e } = c;
      const design = buildDesign(c.input.formula!, referenceTable(reference, "InstEval"));
      const problem = prepareLmm(design, { criterion: c.input.reml ? "REML" : "ML" });
      expect(lmmObjective(problem, e.theta, design.y)).toBeCloseTo(e.criterion.value, 6);
      // curvatures are of the order of 1e4, so theta is good to 1e-8 or so
      for (const slope of lmmGradient(problem, e.theta, design.y)) expect(Math.abs(slope)).toBeLessThan(2e-5);
      if (!c.input.reml) return; // the search is the same, and takes seconds
      const solution = solveLmm(problem, design.y, { start: Float64Array.from(e.theta, (t) => 1.01 * t) });
      expect(solution.objective).toBeLessThanOrEqual(e.criterion.value + 1e-6);
      expectClose(solution.theta, e.theta, { tolerance: 1e-5, label: "theta" });
      expectClose(solution.beta, e.fixef.estimate, { tolerance: 1e-6, label: "fixef" });
    },
    60_000,
  );
});
