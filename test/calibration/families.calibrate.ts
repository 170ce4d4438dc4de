/** False alarms of a coefficient's test where two systems do not differ: quasi-, negative binomial and beta families of glm, beside the family
 *  that knows no overdispersion. docs/methods/glm.md quotes it. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../src/data/table.ts";
import { fitGlm, type GlmOptions } from "../../src/models/glm/glm.ts";
import { binomialSf } from "../../src/numeric/dist/binomial.ts";
import { poissonQuantile } from "../../src/numeric/dist/poisson.ts";
import { gammaVariate } from "../../src/numeric/rng/gamma.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { testNested } from "../../src/significance/nested/nested.ts";

type FamilyName = NonNullable<GlmOptions["family"]>;

interface Cell {
  readonly name: string;
  /** Rows, half of them of each system. */
  readonly n: number;
  readonly family: FamilyName;
  /** The family that takes the spread for known. */
  readonly plain?: FamilyName;
  /** What the page admits of the Wald test, where that is more than 5 %. */
  readonly admitted?: number;
  draw(rng: Rng): number;
  /** Trials of every share. */
  readonly trials?: number;
}

const counts =
  (theta: number) =>
  (rng: Rng): number =>
    poissonQuantile(rng.uniform(), (4 * gammaVariate(rng, theta)) / theta);
const share = (rng: Rng, mean: number, phi: number): number => {
  const [a, b] = [gammaVariate(rng, mean * phi), gammaVariate(rng, (1 - mean) * phi)];
  return Math.min(1 - Number.EPSILON, Math.max(1e-300, a / (a + b)));
};

const CELLS: readonly Cell[] = [
  ...[50, 200].flatMap((n) =>
    [0.5, 2].map((theta) => ({
      name: `negative binomial, θ = ${theta}, mean 4, n = ${n}`,
      n,
      family: "negative-binomial" as const,
      plain: "poisson" as const,
      ...(n === 50 && theta < 1 ? { admitted: 0.07 } : {}),
      draw: counts(theta),
    })),
  ),
  ...[20, 60].map((n) => ({
    name: `quasi-binomial, ${n} documents of 10 questions each`,
    n,
    family: "quasibinomial" as const,
    plain: "binomial" as const,
    trials: 10,
    draw: (rng: Rng) => rng.binomial(10, share(rng, 0.7, 3)) / 10,
  })),
  ...[50, 200].map((n) => ({
    name: `quasi-Poisson, θ = 2, mean 4, n = ${n}`,
    n,
    family: "quasipoisson" as const,
    plain: "poisson" as const,
    draw: counts(2),
  })),
  ...[30, 100].map((n) => ({
    name: `beta, mean 0.8, φ = 5, n = ${n}`,
    n,
    family: "beta" as const,
    draw: (rng: Rng) => share(rng, 0.8, 5),
  })),
];

const SETS = 2000;

function measure({ name, n, family, plain, draw, trials }: Cell): { wald: number; nested: number; naive: number } {
  const tally = { wald: 0, nested: 0, naive: 0 };
  for (let set = 0; set < SETS; set++) {
    const rng = makeRng(`${name}/${set}`);
    const y = Array.from({ length: n }, () => draw(rng));
    const table = makeTable([
      ["y", numericColumn(y)],
      ["system", factorColumn(y.map((_, i) => (i % 2 === 0 ? "A" : "B")))],
      ["trials", numericColumn(y.map(() => trials ?? 1))],
    ]);
    const own = trials === undefined ? {} : { weights: "trials" };
    const fit = fitGlm("y ~ system", table, { ...own, family });
    const { p, fTest } = testNested(fitGlm("y ~ 1", table, { ...own, family }), fit);
    tally.wald += Number(fit.coefficients[1]!.p < 0.05);
    tally.nested += Number((fTest?.p ?? p) < 0.05);
    if (plain) tally.naive += Number(fitGlm("y ~ system", table, { ...own, family: plain }).coefficients[1]!.p < 0.05);
  }
  return tally;
}

describe.each(CELLS)("$name", (cell) => {
  it("rejects no more often than the page says", () => {
    const { wald, nested, naive } = measure(cell);
    const share = (hits: number): string => `${((100 * hits) / SETS).toFixed(1)} %`;
    const plain = cell.plain ? `, ${cell.plain} ${share(naive)}` : "";
    process.stdout.write(`${cell.name}: coefficient ${share(wald)}, nested test ${share(nested)}${plain}\n`);
    // one-sided binomial test at 0.1 %
    expect(binomialSf(wald - 1, SETS, cell.admitted ?? 0.05), `${wald} of ${SETS}`).toBeGreaterThan(0.001);
  });
});
