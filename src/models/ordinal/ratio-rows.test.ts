import { describe, expect, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { readOracle } from "../../../test/support/oracle.ts";
import { asFactor, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { laplaceLogLik } from "../laplace/laplace.ts";
import { prepareClmm, solveClmm } from "./clmm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { RatioStructure } from "./ratios.ts";

const oracle = readOracle("r/ratio-mixed.json") as unknown as Record<string, never>;
const columns = oracle["columns"] as Record<string, number[]>;
const factor = (name: string) => asFactor(numericColumn(Float64Array.from(columns[name]!)));
const table = makeTable([
  ["y", numericColumn(Float64Array.from(columns["y"]!, (v) => v - 1))],
  ["system", numericColumn(Float64Array.from(columns["system"]!))],
  ["rater", factor("rater")],
  ["item", factor("item")],
]);
const levels = ["1", "2", "3", "4"];

const prepare = (formula: string, structure: RatioStructure, link: CumulativeLink) =>
  prepareClmm(buildDesign(formula, table), levels, { structure, link });

interface Known {
  readonly logLik: number;
  readonly beta: readonly number[];
  readonly se: readonly number[];
  readonly sd_rater: number;
  readonly sd_item: number;
}

describe("mixed ratio models", () => {
  it.each([
    ["stopping", 1e-6, 2e-3],
    ["continuation", 1e-6, 2e-3],
    ["adjacent", 1e-6, 1e-5],
  ] as const)("%s: as glmer of the stacked trials, or a Laplace approximation of its own", (structure, close, ofSe) => {
    const known = oracle[structure] as Known;
    const problem = prepare("y ~ system + (1 | rater) + (1 | item)", structure, "logit");
    const { phi, theta, vcov, logLik } = solveClmm(problem, problem.frame.design.y, { exact: true });
    expect(logLik / known.logLik).toBeCloseTo(1, 8);
    const size = phi.length;
    known.beta.forEach((value, k) => {
      expect(Math.abs(phi[k]! - value), `parameter ${k}`).toBeLessThan(20 * close);
      // glmer's own Hessian is a difference of its deviances
      expect(Math.abs(Math.sqrt(vcov.data[k * (size + 1)]!) / known.se[k]! - 1), `SE ${k}`).toBeLessThan(ofSe);
    });
    const sds = problem.system.structure.terms.map(({ group }, k) => [group, Math.abs(theta[k]!)] as const);
    for (const [group, sd] of sds)
      expect(Math.abs(sd - (group === "rater" ? known.sd_rater : known.sd_item))).toBeLessThan(20 * close);
  });

  it("adjacent: the log-likelihood at given parameters", () => {
    const { at, logLik_at } = oracle["adjacent"] as { at: number[]; logLik_at: number };
    const problem = prepare("y ~ system + (1 | rater) + (1 | item)", "adjacent", "logit");
    const { state } = solveClmm(problem, problem.frame.design.y, { curvature: false });
    const [rater, item, ...phi] = at as [number, number, ...number[]];
    const theta = problem.system.structure.terms.map(({ group }) => (group === "rater" ? rater : item));
    expect(laplaceLogLik(state, Float64Array.of(...theta, ...phi))).toBeCloseTo(logLik_at, 9);
  });

  it.each([
    ["adjacent", "logit"],
    ["continuation", "probit"],
    ["stopping", "cloglog"],
  ] as const)("%s, %s: the gradient with a slope and a crossed factor", (structure, link) => {
    const problem = prepare("y ~ system + (system | rater) + (1 | item)", structure, link);
    const { state, theta, phi } = solveClmm(problem, problem.frame.design.y, { curvature: false });
    const psi = Float64Array.of(...theta, ...phi).map((value, k) => value + 0.05 * Math.cos(k));
    const gradient = new Float64Array(psi.length);
    laplaceLogLik(state, psi, gradient);
    const expected = estimateGradient((x) => laplaceLogLik(state, x), psi);
    const scale = expected.reduce((a, b) => Math.max(a, Math.abs(b)), 1);
    gradient.forEach((value, k) => {
      expect(Math.abs(value - expected[k]!) / scale, `element ${k}`).toBeLessThan(1e-8);
    });
  });

  it("with the probit link stopping is continuation with the signs turned", () => {
    const [up, down] = (["continuation", "stopping"] as const).map((structure) => {
      const problem = prepare("y ~ system + (1 | rater) + (1 | item)", structure, "probit");
      return solveClmm(problem, problem.frame.design.y, { curvature: false });
    });
    expect(up!.logLik).toBeCloseTo(down!.logLik, 8);
    up!.phi.forEach((value, k) => {
      expect(value).toBeCloseTo(-down!.phi[k]!, 5);
    });
  });
});
