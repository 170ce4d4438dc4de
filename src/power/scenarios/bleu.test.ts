import { describe, expect, it } from "vitest";
import { computeFigure4, computeFigure17 } from "../../../replications/bleu-figures.ts";
import { readPaper } from "../../../test/support/oracle.ts";
import { type ItemStatistics, type Metric, makeStatistics, sumRows } from "../../metrics/metric.ts";
import { makeRng } from "../../numeric/rng.ts";
import { planFromOutputs } from "../from/outputs.ts";
import { fitDeltaLaplace, fitSwapEffects, makeCorpusFamily } from "../from/swap-effects.ts";
import { simulatePower } from "../simulate.ts";
import { bleuFamily } from "./bleu.ts";

const main = { n: 2000, delta: 1, p0: 0.13, b0: 25.8 };

describe("power of BLEU from (Δ, P0, b0)", () => {
  it("is that of Card et al., section 4 and G.2 (normal approximation, scipy)", () => {
    const figures = bleuFamily.make(main).approximatePower!();
    expect(figures.power).toBeCloseTo(0.7466969109213907, 10);
    expect(figures.typeM).toBeCloseTo(1.1630974400297471, 10);
    expect(figures.typeS).toBeCloseTo(2.956411942434637e-6, 12);
    expect(bleuFamily.make({ ...main, p0: 0.2, b0: 26 }).approximatePower!().power).toBeCloseTo(0.7748165875312735, 10);
  });

  it("matches the whole reference grid", () => {
    const entries = readPaper("card2020") as {
      id: string;
      r: { normal_approximation_grid: { n: number; delta: number; power: number; type_m: number }[] };
    }[];
    const grid = entries.find(({ id }) => id === "bleu-power")!.r.normal_approximation_grid;
    expect(grid.length).toBeGreaterThan(20);
    for (const { n, delta, power, type_m } of grid) {
      const ours = bleuFamily.make({ ...main, n, delta }).approximatePower!();
      expect(ours.power).toBeCloseTo(power, 10);
      expect(ours.typeM).toBeCloseTo(type_m, 8);
    }
  });

  it("is the same by simulation: randomisations, or their normal limit (10^5 draws of another program: 0.7475)", async () => {
    const normal = await simulatePower(
      bleuFamily,
      { ...main, test: "normal" },
      { rng: makeRng("bleu"), replicates: 4000 },
    );
    expect(Math.abs(normal.power - 0.7475)).toBeLessThan(4 * normal.se);
    const drawn = await simulatePower(
      bleuFamily,
      { ...main, randomisations: 500 },
      { rng: makeRng("bleu"), replicates: 400 },
    );
    expect(Math.abs(drawn.power - 0.7475)).toBeLessThan(4 * drawn.se);
    expect(Math.abs(normal.typeM - 1.1624)).toBeLessThan(4 * normal.typeMSe);
  });

  it("has saddlepoint tails of the true law: a fixed threshold, few sentences", () => {
    const params = { n: 12, delta: 6, p0: 0.3, b0: 20, approximation: "saddlepoint" };
    const law = { mu: (-2 * 6) / (12 * 0.7), b: 20 / 12 };
    const nullSd = Math.sqrt((12 * 0.7 * (law.mu ** 2 + 2 * law.b ** 2)) / 4);
    const rng = makeRng("tails");
    const n = 200_000;
    let above = 0;
    for (let r = 0; r < n; r++) {
      let sum = 0;
      for (let i = 0; i < 12; i++) if (rng.uniform() >= 0.3) sum -= rng.laplace(law.mu, law.b) / 2;
      if (sum >= 1.959964 * nullSd) above++;
    }
    const p = above / n;
    const { power } = bleuFamily.make(params).approximatePower!();
    expect(Math.abs(power - p)).toBeLessThan(0.01);
    // the normal law is further off
    const plain = bleuFamily.make({ ...params, approximation: "normal" }).approximatePower!().power;
    expect(Math.abs(power - p)).toBeLessThan(Math.abs(plain - p));
  });

  it("does not depend on the sign of the difference, and rises with n and P0", () => {
    expect(bleuFamily.make({ ...main, delta: -1 }).approximatePower!().power).toBeCloseTo(
      bleuFamily.make(main).approximatePower!().power,
      12,
    );
    const figure = computeFigure17([0.05, 0.5], [13, 52]);
    const at = (p0: number, b0: number, n: number) =>
      figure.find((cell) => cell.p0 === p0 && cell.b0 === b0 && cell.n === n && cell.delta === 1)!.power;
    expect(at(0.5, 25.8, 2000)).toBeGreaterThan(at(0.05, 25.8, 2000));
    expect(at(0.13, 13, 2000)).toBeGreaterThan(at(0.13, 52, 2000));
    expect(computeFigure4().find((cell) => cell.n === 2000 && cell.delta === 1)!.power).toBeCloseTo(0.7467, 4);
  });

  it.each([
    [{ p0: 1 }, "Impossible"],
    [{ b0: 0 }, "BadParameter"],
    [{ n: 0 }, "BadParameter"],
    [{ delta: 0 }, "NoEffect"],
    [{ randomisations: 10 }, "BadParameter"],
  ])("refuses %j", (params, code) => {
    expect(() => bleuFamily.make({ ...main, ...params })).toThrow(expect.objectContaining({ code }));
  });
});

/** 100 Σx/Σy: a corpus score that is no mean of sentences. */
const ratio: Metric = {
  name: "ratio",
  higherIsBetter: true,
  width: 2,
  scoreOf: (sums, at = 0) => (100 * sums[at]!) / sums[at + 1]!,
  signature: "ratio",
  isMean: false,
};

function systems(n: number, gain: number): [ItemStatistics, ItemStatistics] {
  const rng = makeRng("systems");
  const [a, b] = [makeStatistics(ratio, n), makeStatistics(ratio, n)];
  for (let i = 0; i < n; i++) {
    const length = 10 + rng.int(20);
    const same = rng.uniform() < 0.2;
    const right = rng.binomial(length, 0.5);
    a.data.set([right, length], 2 * i);
    b.data.set(same ? [right, length] : [rng.binomial(length, 0.5 + gain), length + rng.int(3)], 2 * i);
  }
  return [a, b];
}

describe("parameters from two systems' outputs", () => {
  it("find the law that effects were drawn from", () => {
    const rng = makeRng("laplace");
    const n = 20_000;
    const effects = Float64Array.from({ length: n }, () => (rng.uniform() < 0.13 ? 0 : rng.laplace(-0.001, 25.8 / n)));
    const { p0, b0, mu, distance } = fitDeltaLaplace(effects);
    expect(Math.abs(p0 - 0.13)).toBeLessThan(4 * Math.sqrt((0.13 * 0.87) / n));
    expect(Math.abs(b0 - 25.8)).toBeLessThan((4 * 25.8) / Math.sqrt(0.87 * n));
    expect(Math.abs(mu + 0.001)).toBeLessThan((4 * 25.8) / n / Math.sqrt(0.87 * n));
    expect(distance).toBeLessThan(0.015);
  });

  it("have no spread, rather than one of 0, where a single sentence changes, and the sentences drawn again still answer", async () => {
    const [a] = systems(40, 0);
    const b = makeStatistics(ratio, 40);
    b.data.set(a.data);
    b.data[6]! += 8;
    const { b0, p0 } = fitSwapEffects(a, b);
    expect(b0).toBeNaN();
    expect(p0).toBeCloseTo(39 / 40, 12);
    const plan = await planFromOutputs(a, b, { systems: ["a", "b"], rng: makeRng(1), replicates: 20 });
    expect(plan.plans[0]!.modelPower).toBeNaN();
    expect(plan.plans[0]!.resampledPower).toBeGreaterThanOrEqual(0);
    expect(plan.next).toEqual([]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain("NoSpread");
    expect(plan.toString().replace(/\s+/g, " ")).toContain("1 of 40 sentences changes the score when swapped");
    const same = { systems: ["a", "b"], rng: makeRng(1) } as const;
    b.data.set(a.data);
    await expect(planFromOutputs(a, b, same)).rejects.toThrow(/no sentence changes/);
    // two sentences whose changes cancel
    b.data[0]! += 2;
    b.data[2]! -= 2;
    await expect(planFromOutputs(a, b, same)).rejects.toThrow(/a and b have the same score/);
  });

  it("are effects of swaps as brute force has them, which nearly add up", () => {
    const [a, b] = systems(60, 0.05);
    const fit = fitSwapEffects(a, b);
    const swapped = (i: number): number => {
      const [x, y] = [sumRows(a), sumRows(b)];
      for (let c = 0; c < 2; c++) {
        x[c]! += b.data[2 * i + c]! - a.data[2 * i + c]!;
        y[c]! -= b.data[2 * i + c]! - a.data[2 * i + c]!;
      }
      return ratio.scoreOf(y) - ratio.scoreOf(x);
    };
    for (const i of [0, 17, 59]) expect(fit.effects[i]).toBeCloseTo(swapped(i) - fit.delta, 10);
    expect(fit.additivity.correlation).toBeGreaterThan(0.999);
    expect(Math.abs(fit.additivity.slope - 1)).toBeLessThan(0.05);
    // swapping all turns the difference round
    expect(fit.effects.reduce((sum, value) => sum + value, 0)).toBeCloseTo(-2 * fit.delta, 1);
  });

  it("give about the power that drawing the real sentences again gives", async () => {
    const [a, b] = systems(400, 0.03);
    const { n, delta, p0, b0 } = fitSwapEffects(a, b);
    const corpus = await simulatePower(
      makeCorpusFamily(a, b),
      { n, randomisations: 400 },
      { rng: makeRng("corpus"), replicates: 200 },
    );
    const model = bleuFamily.make({ n, delta, p0, b0 }).approximatePower!().power;
    expect(corpus.effect).toBeCloseTo(delta, 12);
    expect(Math.abs(corpus.power - model)).toBeLessThan(4 * corpus.se + 0.05);
  });

  it("are refused for systems that do not differ or are not paired", () => {
    const [a, b] = systems(20, 0);
    expect(() => fitSwapEffects(a, a)).toThrow(expect.objectContaining({ code: "NoDifference" }));
    expect(() => fitSwapEffects(a, systems(21, 0)[1])).toThrow(expect.objectContaining({ code: "NotPaired" }));
    expect(b.n).toBe(20);
  });
});
