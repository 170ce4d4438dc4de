/** Standard problems with known answers, given to every optimiser that can take them.
 *  Sources: Moré, Garbow & Hillstrom (1981), ACM TOMS 7(1); Powell (2009), DAMTP 2009/NA06 (points in a square). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { minimizeBobyqa } from "./bobyqa.ts";
import { minimizeNewton } from "./newton.ts";
import { minimizeQuasiNewton } from "./quasi-newton.ts";

interface Problem {
  readonly name: string;
  readonly start: readonly number[];
  readonly f: (x: Float64Array, g?: Float64Array) => number;
  readonly lower?: readonly number[];
  readonly upper?: readonly number[];
  readonly value: number;
  /** Where the minimum is; absent where it is not unique. */
  readonly x?: readonly number[];
  /** Looser x where the Hessian is singular at the minimum. */
  readonly xTolerance?: number;
}

function rosenbrock(x: Float64Array, g?: Float64Array): number {
  g?.fill(0);
  let f = 0;
  for (let i = 0; i + 1 < x.length; i++) {
    const a = x[i + 1]! - x[i]! ** 2;
    const b = 1 - x[i]!;
    f += 100 * a * a + b * b;
    if (g) {
      g[i]! += -400 * a * x[i]! - 2 * b;
      g[i + 1]! += 200 * a;
    }
  }
  return f;
}

function powellSingular(x: Float64Array, g?: Float64Array): number {
  const [a, b, c, d] = x as unknown as [number, number, number, number];
  const t1 = a + 10 * b;
  const t2 = c - d;
  const t3 = b - 2 * c;
  const t4 = a - d;
  g?.set([2 * t1 + 40 * t4 ** 3, 20 * t1 + 4 * t3 ** 3, 10 * t2 - 8 * t3 ** 3, -10 * t2 - 40 * t4 ** 3]);
  return t1 ** 2 + 5 * t2 ** 2 + t3 ** 4 + 10 * t4 ** 4;
}

function wood(x: Float64Array, g?: Float64Array): number {
  const [a, b, c, d] = x as unknown as [number, number, number, number];
  g?.set([
    400 * a * (a * a - b) + 2 * (a - 1),
    -200 * (a * a - b) + 20.2 * (b - 1) + 19.8 * (d - 1),
    2 * (c - 1) + 360 * c * (c * c - d),
    -180 * (c * c - d) + 20.2 * (d - 1) + 19.8 * (b - 1),
  ]);
  const valleys = 100 * (a * a - b) ** 2 + (a - 1) ** 2 + (c - 1) ** 2 + 90 * (c * c - d) ** 2;
  return valleys + 10.1 * ((b - 1) ** 2 + (d - 1) ** 2) + 19.8 * (b - 1) * (d - 1);
}

function beale(x: Float64Array, g?: Float64Array): number {
  const [a, b] = x as unknown as [number, number];
  let f = 0;
  g?.fill(0);
  [1.5, 2.25, 2.625].forEach((y, k) => {
    const r = y - a * (1 - b ** (k + 1));
    f += r * r;
    if (g) {
      g[0]! -= 2 * r * (1 - b ** (k + 1));
      g[1]! += 2 * r * a * (k + 1) * b ** k;
    }
  });
  return f;
}

function helicalValley(x: Float64Array, g?: Float64Array): number {
  const [a, b, c] = x as unknown as [number, number, number];
  const angle = Math.atan2(b, a) / (2 * Math.PI);
  const r = Math.hypot(a, b);
  const u = 10 * (c - 10 * angle);
  const v = 10 * (r - 1);
  const turn = 100 / (2 * Math.PI * r * r);
  g?.set([2 * u * turn * b + (20 * v * a) / r, -2 * u * turn * a + (20 * v * b) / r, 20 * u + 2 * c]);
  return u * u + v * v + c * c;
}

function freudensteinRoth(x: Float64Array, g?: Float64Array): number {
  const [a, b] = x as unknown as [number, number];
  const u = -13 + a + ((5 - b) * b - 2) * b;
  const v = -29 + a + ((b + 1) * b - 14) * b;
  g?.set([2 * u + 2 * v, 2 * u * (10 * b - 3 * b * b - 2) + 2 * v * (3 * b * b + 2 * b - 14)]);
  return u * u + v * v;
}

function chained(x: Float64Array, g?: Float64Array): number {
  let f = 0;
  for (let i = 0; i < x.length; i++) {
    f += (i + 1) * (x[i]! - i / 10) ** 2 + (i > 0 ? 0.5 * x[i]! * x[i - 1]! : 0);
    if (g) g[i] = 2 * (i + 1) * (x[i]! - i / 10) + 0.5 * ((x[i - 1] ?? 0) + (x[i + 1] ?? 0));
  }
  return f;
}

/** Minimum of `chained` over x >= 0: x_0 is held at 0, the others solve a tridiagonal system (checked below). */
function solveChained(n: number): number[] {
  const diagonal = Array.from({ length: n }, (_, i) => 2 * (i + 1));
  const rhs = Array.from({ length: n }, (_, i) => (2 * (i + 1) * i) / 10);
  for (let i = 2; i < n; i++) {
    const factor = 0.5 / diagonal[i - 1]!;
    diagonal[i]! -= factor * 0.5;
    rhs[i]! -= factor * rhs[i - 1]!;
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 1; i--) x[i] = (rhs[i]! - 0.5 * (x[i + 1] ?? 0)) / diagonal[i]!;
  return x;
}

const alternating = (n: number) => Array.from({ length: n }, (_, i) => (i % 2 === 0 ? -1.2 : 1));
const chainedX = solveChained(8);
// u + v = 0 gives a = 21 + 8b - 3b², then f = 2u² with u = 8 + 6b + 2b² - b³ is stationary at b = (2 - √22)/3.
const rothB = (2 - Math.sqrt(22)) / 3;
const rothU = 8 + 6 * rothB + 2 * rothB ** 2 - rothB ** 3;
const problems: readonly Problem[] = [
  { name: "rosenbrock2", start: alternating(2), f: rosenbrock, value: 0, x: [1, 1] },
  { name: "rosenbrock5", start: alternating(5), f: rosenbrock, value: 0, x: [1, 1, 1, 1, 1] },
  {
    name: "rosenbrock2 bounded",
    start: alternating(2),
    f: rosenbrock,
    lower: [-2, -2],
    upper: [0.5, 2],
    value: 0.25,
    x: [0.5, 0.25],
  },
  { name: "powell singular", start: [3, -1, 0, 1], f: powellSingular, value: 0, x: [0, 0, 0, 0], xTolerance: 1e-2 },
  { name: "wood", start: [-3, -1, -3, -1], f: wood, value: 0, x: [1, 1, 1, 1] },
  { name: "beale", start: [1, 1], f: beale, value: 0, x: [3, 0.5] },
  { name: "helical valley", start: [-1, 0, 0], f: helicalValley, value: 0, x: [1, 0, 0] },
  {
    name: "freudenstein roth, local",
    start: [0.5, -2],
    f: freudensteinRoth,
    value: 2 * rothU ** 2,
    x: [21 + 8 * rothB - 3 * rothB ** 2, rothB],
  },
  {
    name: "chained8",
    start: new Array(8).fill(1),
    f: chained,
    lower: new Array(8).fill(0),
    value: chained(Float64Array.from(chainedX)),
    x: chainedX,
  },
];

function expectSolved(
  problem: Problem,
  found: { x: Float64Array; value: number; converged: boolean },
  x: number,
): void {
  expect(found.converged).toBe(true);
  expect(Math.abs(found.value - problem.value)).toBeLessThanOrEqual(1e-11 * Math.max(1, problem.value));
  const tolerance = problem.xTolerance ?? x;
  problem.x?.forEach((xi, i) => {
    expect(Math.abs(found.x[i]! - xi)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(xi)));
  });
}

const boundsOf = (p: Problem) => ({ ...(p.lower && { lower: p.lower }), ...(p.upper && { upper: p.upper }) });
const withGradient = (p: Problem) => (x: Float64Array, g: Float64Array) => p.f(x, g);

/** Evaluations measured when written, with a fifth to spare: a change that costs more is a regression. */
const budgets: Record<string, { quasiNewton: number; newton?: number }> = {
  rosenbrock2: { quasiNewton: 58, newton: 36 },
  rosenbrock5: { quasiNewton: 87 }, // Newton goes to the other local minimum, 3.93
  "rosenbrock2 bounded": { quasiNewton: 33 },
  "powell singular": { quasiNewton: 80 },
  wood: { quasiNewton: 57, newton: 65 },
  beale: { quasiNewton: 23, newton: 11 },
  "helical valley": { quasiNewton: 39, newton: 30 },
  "freudenstein roth, local": { quasiNewton: 28, newton: 10 },
  chained8: { quasiNewton: 23 },
};

describe("the problems themselves", () => {
  it.each(problems)("$name: gradient agrees with extrapolated differences", (problem) => {
    const at = Float64Array.from(problem.start, (v, i) => v + 0.137 * Math.cos(i));
    const g = new Float64Array(at.length);
    problem.f(at, g);
    const estimated = estimateGradient((x) => problem.f(x), at);
    const scale = Math.max(...g.map(Math.abs));
    g.forEach((gi, i) => {
      expect(Math.abs(gi - estimated[i]!)).toBeLessThanOrEqual(1e-9 * scale);
    });
  });

  it("chained8: the answer solved by hand satisfies the Kuhn-Tucker conditions", () => {
    const g = new Float64Array(8);
    chained(Float64Array.from(chainedX), g);
    expect(g[0]).toBeGreaterThan(0);
    for (let i = 1; i < 8; i++) {
      expect(chainedX[i]).toBeGreaterThan(0);
      expect(Math.abs(g[i]!)).toBeLessThan(1e-14);
    }
  });
});

describe("minimizeQuasiNewton", () => {
  it.each(problems)("$name", (problem) => {
    const found = minimizeQuasiNewton(withGradient(problem), problem.start, boundsOf(problem));
    expectSolved(problem, found, 1e-8);
    expect(found.projectedGradient).toBeLessThanOrEqual(1e-9);
    expect(found.evaluations).toBeLessThanOrEqual(budgets[problem.name]!.quasiNewton);
  });
});

describe("minimizeNewton", () => {
  const smooth = problems.filter((p) => budgets[p.name]!.newton !== undefined);
  it.each(smooth)("$name", (problem) => {
    const hessianInto = (H: Float64Array, x: Float64Array): void => {
      const at = (y: Float64Array) => {
        const g = new Float64Array(y.length);
        problem.f(y, g);
        return g;
      };
      // Differences of the analytic gradient: accurate to 1e-8, which is enough for superlinear convergence.
      const h = 1e-5;
      for (let j = 0; j < x.length; j++) {
        const y = Float64Array.from(x);
        y[j]! += h;
        const up = at(y);
        y[j]! -= 2 * h;
        const down = at(y);
        for (let i = 0; i < x.length; i++) H[i * x.length + j] = (up[i]! - down[i]!) / (2 * h);
      }
    };
    const found = minimizeNewton({ evaluate: withGradient(problem), hessianInto }, problem.start);
    expectSolved(problem, found, 1e-9);
    expect(found.positiveDefinite).toBe(true);
    expect(found.evaluations).toBeLessThanOrEqual(budgets[problem.name]!.newton!);
  });
});

interface MinqaRun {
  readonly name: string;
  readonly value: number;
  readonly evaluations: number;
}
const minqa: { problems: MinqaRun[] } = JSON.parse(
  readFileSync(new URL("../../../oracle/r/bobyqa.json", import.meta.url), "utf8"),
);

/** Reciprocal distances between m points in the square [-1, 1]². */
function pointsInSquare(x: Float64Array): number {
  let f = 0;
  for (let i = 2; i < x.length; i += 2)
    for (let j = 0; j < i; j += 2)
      f += 1 / Math.sqrt(Math.max((x[i]! - x[j]!) ** 2 + (x[i + 1]! - x[j + 1]!) ** 2, 1e-6));
  return f;
}

describe("minimizeBobyqa", () => {
  it.each(problems)("$name", (problem) => {
    const found = minimizeBobyqa((x) => problem.f(x), problem.start, { ...boundsOf(problem), initialRadius: 0.5 });
    expectSolved(problem, found, 3e-7);
  });

  const shared = problems.filter((p) => minqa.problems.some((r) => r.name === p.name));
  it.each(shared)("$name: no more evaluations than minqa needs, give or take a quarter", (problem) => {
    const oracle = minqa.problems.find((r) => r.name === problem.name)!;
    const options = { ...boundsOf(problem), initialRadius: 0.5, finalRadius: 1e-8 };
    const found = minimizeBobyqa((x) => problem.f(x), problem.start, options);
    expect(found.evaluations).toBeLessThanOrEqual(1.25 * oracle.evaluations);
  });

  it.each([5, 10])("%i points in a square: value of minqa, with as many evaluations", (m) => {
    const oracle = minqa.problems.find((r) => r.name === `points${m}`)!;
    const start = new Float64Array(2 * m);
    for (let j = 0; j < m; j++) {
      start[2 * j] = Math.cos((2 * Math.PI * (j + 1)) / m);
      start[2 * j + 1] = Math.sin((2 * Math.PI * (j + 1)) / m);
    }
    const found = minimizeBobyqa(pointsInSquare, start, {
      lower: new Array(2 * m).fill(-1),
      upper: new Array(2 * m).fill(1),
      initialRadius: 0.1,
      finalRadius: 1e-6,
    });
    expect(Math.abs(found.value / oracle.value - 1)).toBeLessThan(1e-11);
    expect(found.evaluations).toBeLessThanOrEqual(1.25 * oracle.evaluations);
  });

  it("rosenbrock10 and chained16: n = 10 and 16", () => {
    const found = minimizeBobyqa(rosenbrock, alternating(10), { initialRadius: 0.5 });
    expect(found.value).toBeLessThan(1e-12);
    const x = solveChained(16);
    const quadratic = minimizeBobyqa(chained, new Array(16).fill(1), { lower: new Array(16).fill(0) });
    expect(Math.abs(quadratic.value / chained(Float64Array.from(x)) - 1)).toBeLessThan(1e-12);
    expect(quadratic.active[0]).toBe(-1);
  });
});
