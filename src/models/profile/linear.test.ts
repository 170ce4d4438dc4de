import { describe, expect, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { inferenceCases, inferenceTable } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { StatError } from "../../result/error.ts";
import { prepareLmm } from "../lmm/problem.ts";
import { solveLmm } from "../lmm/solve.ts";
import { profileLmm } from "./linear.ts";
import { constrainDeviance, type ProfileTarget } from "./linear-target.ts";

function fitted(formula: string, table: Table, criterion: "REML" | "ML" = "ML") {
  const design = buildDesign(formula, table);
  const problem = prepareLmm(design, { criterion });
  return { problem, solution: solveLmm(problem, design.y) };
}

describe("profile intervals equal root finding on dense matrices", () => {
  it.each(inferenceCases("profile"))("$id", (c) => {
    const { problem, solution } = fitted(c.input["formula"] as string, inferenceTable);
    const got = profileLmm(problem, solution);
    expect(got.map(({ name }) => name)).toEqual(c.expected.names);
    // R's inner minimisation is by BFGS with numerical gradients
    expectClose(got.map((i) => i.lower), c.expected.lower, { tolerance: 1e-6, floor: 1e-2, label: "lower" }); // biome-ignore format: one line each
    expectClose(got.map((i) => i.upper), c.expected.upper, { tolerance: 1e-6, floor: 1e-2, label: "upper" }); // biome-ignore format: one line each
  });
});

describe("profile intervals of the reference models", () => {
  const reference = readReference("lmm-profile.json");

  it.each(reference.cases)("$id", (c) => {
    const table = referenceTable(reference, c.input["data"] as string);
    for (const criterion of ["ML", "REML"] as const) {
      const { problem, solution } = fitted(c.input["formula"] as string, table, criterion);
      const got = profileLmm(problem, solution);
      expect(got.map(({ name }) => name)).toEqual(c.expected.parameter);
      expectClose(got.map((i) => i.estimate), c.expected.estimate, { tolerance: 1e-5 }); // biome-ignore format: one line each
      expectClose(got.map((i) => i.lower), c.expected.exact_lower, { tolerance: 1e-8 }); // biome-ignore format: one line each
      expectClose(got.map((i) => i.upper), c.expected.exact_upper, { tolerance: 1e-8 }); // biome-ignore format: one line each
    }
  });
});

describe("the balanced one-way layout, whose likelihood is explicit", () => {
  const groups = [
    [3.1, 4.0, 3.6],
    [5.2, 6.1, 5.5],
    [1.9, 2.2, 3.0],
    [4.4, 4.1, 5.0],
    [7.3, 6.4, 6.9],
  ];
  const table = makeTable([
    ["g", factorColumn(groups.flatMap((own, g) => own.map(() => `g${g}`)))],
    ["y", numericColumn(groups.flat())],
  ]);
  const { problem, solution } = fitted("y ~ 1 + (1 | g)", table);
  const [sd, sigma, mean] = profileLmm(problem, solution, { confidence: 0.9 });
  const [k, n] = [groups.length, 3];
  const N = k * n;
  const means = groups.map((own) => own.reduce((a, b) => a + b, 0) / n);
  const grand = means.reduce((a, b) => a + b, 0) / k;
  const between = n * means.reduce((sum, m) => sum + (m - grand) ** 2, 0);
  const within = groups.reduce((sum, own, g) => sum + own.reduce((s, v) => s + (v - means[g]!) ** 2, 0), 0);
  const cut = chiSquareQuantile(0.9, 1);
  // with λ = σ² + nτ²: D = (N - k) log σ² + k log λ + within/σ² + (between + N(ȳ - µ)²)/λ
  const D = (s2: number, lambda: number, shift = 0) =>
    (N - k) * Math.log(s2) + k * Math.log(lambda) + within / s2 + (between + N * shift ** 2) / lambda;
  const least = D(within / (N - k), between / k);

  it("µ: the between sum of squares alone decides", () => {
    const half = Math.sqrt((between * (Math.exp(cut / k) - 1)) / N);
    expectClose([mean!.estimate, mean!.lower, mean!.upper], [grand, grand - half, grand + half], { tolerance: 1e-9 });
  });

  it("σ: the within sum of squares alone decides, as λ can follow freely", () => {
    for (const end of [sigma!.lower, sigma!.upper]) {
      expectClose([D(end ** 2, between / k) - least], [cut], { tolerance: 1e-8 });
    }
  });

  it("τ: the deviance rises by the cut-off once σ is as good as it can be", () => {
    for (const end of [sd!.lower, sd!.upper]) {
      let best = Number.POSITIVE_INFINITY;
      for (let s2 = 0.05; s2 < 5; s2 *= 1.00002) best = Math.min(best, D(s2, s2 + n * end ** 2));
      expectClose([best - least], [cut], { tolerance: 1e-6 });
    }
  });
});

describe("coordinates with one parameter held fixed", () => {
  const { problem, solution } = fitted("score ~ length + (1 + system | rater) + (1 | item)", inferenceTable);
  const term = problem.structure.terms.findIndex(({ size }) => size === 3);
  const targets: [ProfileTarget, number][] = [
    [{ kind: "sd", term, j: 0 }, 0.6],
    [{ kind: "sd", term, j: 2 }, 0.3],
    [{ kind: "cor", term, j: 0, k: 2 }, -0.4],
    [{ kind: "cor", term, j: 1, k: 2 }, 0.3],
    [{ kind: "sigma" }, 0.7],
    [{ kind: "fixed", l: Float64Array.of(1, -2) }, 0.4],
  ];

  it.each(targets)("%o: gradient by differences", (target, psi) => {
    const deviance = constrainDeviance(problem, solution.response, target);
    const x = deviance.start(solution.theta, solution.sigma).map((v, i) => v + 0.05 * (1 + (i % 3)));
    const gradient = new Float64Array(x.length);
    const { byTarget } = deviance.evaluate(x, psi, gradient);
    const scratch = new Float64Array(x.length);
    const value = (at: Float64Array, p: number) => deviance.evaluate(at, p, scratch).value;
    expectClose(
      gradient,
      estimateGradient((at) => value(at, psi), x, { step: 0.01 }),
      { tolerance: 1e-7, floor: 1 },
    );
    const [slope] = estimateGradient(([p]) => value(x, p!), [psi], { step: 0.01 });
    expectClose([byTarget], [slope!], { tolerance: 1e-7, floor: 1 });
  });

  it.each(targets)("%o: the optimum is kept when the parameter is at its estimate", (target) => {
    const deviance = constrainDeviance(problem, solution.response, target);
    const factor = target.kind === "sd" || target.kind === "cor" ? solution.theta : undefined;
    if (factor === undefined) return;
    const x = deviance.start(solution.theta, solution.sigma);
    const estimates = profileNames(target);
    expectClose([deviance.evaluate(x, estimates, new Float64Array(x.length)).value], [solution.objective], {
      tolerance: 1e-11,
    });
  });

  function profileNames(target: ProfileTarget): number {
    if (target.kind !== "sd" && target.kind !== "cor") return Number.NaN;
    const { thetaStart } = problem.structure.terms[term]!;
    const T = [0, 1, 2, 1, 3, 4, 2, 4, 5].map((k) => solution.theta[thetaStart + k]!);
    const row = (i: number) => [0, 1, 2].map((c) => (c <= i ? T[i + 3 * c]! : 0));
    const dot = (a: number[], b: number[]) => a.reduce((s, v, i) => s + v * b[i]!, 0);
    const sd = (i: number) => Math.sqrt(dot(row(i), row(i)));
    if (target.kind === "sd") return solution.sigma * sd(target.j);
    return dot(row(target.j), row(target.k)) / (sd(target.j) * sd(target.k));
  }
});

describe("ends on the boundary, and what was asked for", () => {
  it("an SD of 0 has lower end 0 and a finite upper end", () => {
    const { problem, solution } = fitted("none ~ 1 + (1 | rater)", inferenceTable);
    const [sd] = profileLmm(problem, solution, { parameters: ["sd_(Intercept)|rater"] });
    expect(sd!.estimate).toBe(0);
    expect(sd!.lower).toBe(0);
    expect(sd!.upper).toBeGreaterThan(0);
    expect(sd!.upper).toBeLessThan(1);
  });

  it("a correlation that the data leave open ends at ±1", () => {
    const { problem, solution } = fitted("none ~ length + (1 + length | rater)", inferenceTable);
    const cor = profileLmm(problem, solution).find(({ kind }) => kind === "cor")!;
    expect([cor.lower, cor.upper]).toEqual([-1, 1]);
  });

  it("a higher level is a wider interval around the same estimate; progress counts the parameters", () => {
    const { problem, solution } = fitted("score ~ 1 + (1 | rater)", inferenceTable);
    const seen: string[] = [];
    const narrow = profileLmm(problem, solution, { confidence: 0.8 });
    const wide = profileLmm(problem, solution, {
      confidence: 0.99,
      onProgress: (done, total, name) => seen.push(`${done}/${total} ${name}`),
    });
    narrow.forEach((own, i) => {
      expect(wide[i]!.lower).toBeLessThan(own.lower);
      expect(wide[i]!.upper).toBeGreaterThan(own.upper);
    });
    expect(seen).toEqual(["1/3 sd_(Intercept)|rater", "2/3 sigma", "3/3 (Intercept)"]);
  });

  it("an unknown name or level is refused", () => {
    const { problem, solution } = fitted("score ~ 1 + (1 | rater)", inferenceTable);
    expect(() => profileLmm(problem, solution, { parameters: ["tau"] })).toThrow(StatError);
    expect(() => profileLmm(problem, solution, { confidence: 95 })).toThrow(/not between 0 and 1/);
  });
});
