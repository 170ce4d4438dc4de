import { describe, expect, it } from "vitest";
import { normalCdf, normalPdf } from "../../numeric/dist/normal.ts";
import { makeRng } from "../../numeric/rng.ts";
import { simulatePower } from "../simulate.ts";
import { computePower } from "../solve/solve.ts";
import { ordinalFamily } from "./ordinal.ts";
import { stepInformation, stepLaw, stepMeanDifference, stepProbabilitiesInto } from "./ordinal-law.ts";

const cuts = Float64Array.of(-1.3, -0.5, 0.3, 1.1);
const sds = { raterIntercept: 0.3, raterSlope: 0.2, itemIntercept: 0.4, itemSlope: 0.3 };
const STRUCTURES = ["adjacent", "continuation", "stopping"] as const;
const base = { items: 25, raters: 8, effect: 0.5, thresholds: "-1.3,-0.5,0.3,1.1", ...sds };

const sharesAt = (law: ReturnType<typeof stepLaw>, eta: number): Float64Array => {
  const P = new Float64Array(5);
  stepProbabilitiesInto(P, law, eta);
  return P;
};
const meanOf = (P: Float64Array): number => P.reduce((sum, share, j) => sum + j * share, 0);

describe.each(STRUCTURES)("ratings by the %s structure", (structure) => {
  const law = stepLaw(structure, cuts);

  it("have the proportions of the cumulative model without an effect, and move their mean as it does", () => {
    const below = [0, ...Array.from(cuts, (cut) => normalCdf(cut)), 1];
    sharesAt(law, 0).forEach((share, j) => {
      expect(share).toBeCloseTo(below[j + 1]! - below[j]!, 12);
    });
    const slope = (meanOf(sharesAt(law, 1e-3)) - meanOf(sharesAt(law, -1e-3))) / 2e-3;
    expect(slope).toBeCloseTo(
      cuts.reduce((sum, cut) => sum + normalPdf(cut), 0),
      6,
    );
  });

  it("have the model's ratios", () => {
    const P = sharesAt(law, 0.7);
    for (let j = 0; j < 4; j++) {
      const reached = P.slice(j).reduce((a, b) => a + b, 0);
      const x = law.alpha[j]! + 0.7 * law.unit;
      if (structure === "adjacent") expect(Math.log(P[j + 1]! / P[j]!)).toBeCloseTo(x, 10);
      else expect(P[j]! / reached).toBeCloseTo(normalCdf(structure === "stopping" ? x : -x), 10);
    }
  });

  it("have the mean difference and the information of ratings that are drawn", () => {
    const rng = makeRng(`draws ${structure}`);
    const n = 15_000;
    let [sum, squares, scores] = [0, 0, 0];
    const [level, slope] = [Math.hypot(0.3, 0.4), Math.hypot(0.2, 0.3)];
    const h = 1e-4;
    for (let k = 0; k < n; k++) {
      const start = level * rng.normal();
      const [a, b] = [start + 0.5 + slope * rng.normal(), start];
      const d = meanOf(sharesAt(law, a)) - meanOf(sharesAt(law, b));
      sum += d;
      squares += d * d;
      // the squared score of one rating at a random level
      const eta = 0.25 + Math.sqrt(level ** 2 + slope ** 2 / 2) * rng.normal();
      const P = sharesAt(law, eta);
      let u = rng.uniform();
      let y = 0;
      while (y < 4 && u >= P[y]!) u -= P[y++]!;
      scores += ((Math.log(sharesAt(law, eta + h)[y]!) - Math.log(sharesAt(law, eta - h)[y]!)) / (2 * h)) ** 2;
    }
    const se = Math.sqrt((squares / n - (sum / n) ** 2) / n);
    expect(Math.abs(sum / n - stepMeanDifference(law, 0.5, sds))).toBeLessThan(4 * se);
    expect(Math.abs(scores / n / stepInformation(law, 0.5, sds) - 1)).toBeLessThan(0.07);
  });

  it("are planned: the approximation is near simulated experiments, fitted by their own model", async () => {
    const params = { ...base, structure, analysis: "clmm" };
    const { power, analyses } = await simulatePower(ordinalFamily, params, { rng: makeRng("own"), replicates: 30 });
    const approx = computePower(ordinalFamily, params, "approx").power;
    expect(analyses[0]!.name).toBe(`${structure}/wald`);
    expect(Math.abs(power - approx)).toBeLessThan(4 * Math.sqrt((approx * (1 - approx)) / 30) + 0.05);
  });
});

describe("one experiment under every model", () => {
  it("all fits each ordinal structure, its own first, then the linear model", async () => {
    const params = { ...base, items: 15, structure: "adjacent", analysis: "all" };
    const { analyses } = await simulatePower(ordinalFamily, params, { rng: makeRng("all"), replicates: 10 });
    expect(analyses.map(({ name }) => name)).toEqual([
      ...["adjacent/wald", "clmm/wald", "continuation/wald", "stopping/wald"],
      "lmm/satterthwaite",
    ]);
    expect(analyses[2]!.power).toBe(analyses[3]!.power);
  });

  it("refuses points that have no share", () => {
    const far = { ...base, thresholds: "-45,-0.5,0.3,1.1", structure: "adjacent" };
    expect(() => computePower(ordinalFamily, far, "approx")).toThrow("has probability 0");
  });
});
