import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { asFactor, column, factorColumn, makeTable, numericColumn, type Table, withColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { fitGam } from "./gam/gam.ts";
import { fitGlm } from "./glm/glm.ts";
import { fitGlmm } from "./glmm/glmm.ts";
import { fitLm } from "./lm/lm.ts";
import { fitLmm } from "./lmm/lmm.ts";
import { type AnyFit, predict, simulate } from "./models.ts";
import { fitClm } from "./ordinal/clm.ts";
import { fitClmm } from "./ordinal/clmm.ts";

type Columns = Record<string, (string | number)[]>;
const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/predict-mixed.json", import.meta.url), "utf8")) as {
  data: Columns;
  new: Columns;
  lmm: { population: number[]; conditional: number[]; se: number[] };
  glmm: { population: number[]; conditional: number[] };
};
const tableOf = (columns: Columns): Table =>
  makeTable(
    Object.entries(columns).map(([name, values]) => [
      name,
      typeof values[0] === "number" ? numericColumn(values as number[]) : factorColumn(values as string[]),
    ]),
  );
const rows = tableOf(oracle.data);
const fresh = tableOf(oracle.new);
const rounded = withColumn(rows, "grade", {
  ...asFactor(numericColumn(Array.from(scores(), (v) => Math.min(4, Math.max(1, Math.round(v)))))),
  ordered: true,
});

function scores(): Float64Array {
  const cells = column(rows, "score");
  return cells.kind === "numeric" ? cells.values : new Float64Array();
}

describe("predict of mixed models is lme4's, levels that the fit has not seen included", () => {
  const lmm = fitLmm("score ~ system + length + (1 | item) + (1 + system | rater)", rows);
  const glmm = fitGlmm("right ~ system + (1 | item)", rows, { family: "binomial" });

  it("linear", () => {
    const population = predict(lmm, fresh);
    expectClose(population.value, oracle.lmm.population, { tolerance: 1e-6 });
    expectClose(population.se, oracle.lmm.se, { tolerance: 1e-4 });
    expectClose(predict(lmm, fresh, { effects: "conditional" }).value, oracle.lmm.conditional, { tolerance: 2e-5 });
  });

  it("logistic", () => {
    expectClose(predict(glmm, fresh).value, oracle.glmm.population, { tolerance: 1e-5 });
    expectClose(predict(glmm, fresh, { effects: "conditional" }).value, oracle.glmm.conditional, { tolerance: 1e-4 });
  });

  it("on the rows of the fit the conditional prediction is the fitted value", () => {
    expectClose(predict(lmm, rows, { effects: "conditional" }).value, lmm.fitted, { tolerance: 1e-10, floor: 1 });
  });

  it("ordinal: modes of 0 leave the population's probabilities", () => {
    const fit = fitClmm("grade ~ system + (1 | item)", rounded);
    const unseen = withColumn(fresh, "item", factorColumn(["u", "v", "w", "x", "y"]));
    const wanted = predict(fit, unseen).probabilities.data;
    expectClose(predict(fit, unseen, { effects: "conditional" }).probabilities.data, wanted, { tolerance: 1e-12 });
    const known = predict(fit, fresh, { effects: "conditional" });
    const shift = known.eta[0]! - predict(fit, fresh).eta[0]!;
    expectClose([shift], [fit.modes[0]!.data[fit.design.random[0]!.levels.indexOf("i01")]!], { tolerance: 1e-10 });
  });
});

describe("simulate draws what was fitted", () => {
  const fits: Record<string, AnyFit> = {
    lm: fitLm("score ~ system + length", rows),
    glm: fitGlm("right ~ system", rows, { family: "binomial" }),
    gam: fitGam("score ~ system + s(length)", rows),
    clm: fitClm("grade ~ system", rounded),
  };
  const DRAWS = 400;

  it.each(Object.keys(fits))("%s: the mean of many draws is the fitted mean", (kind) => {
    const fit = fits[kind]!;
    const rng = makeRng(kind);
    const n = fit.design.y.length;
    const [sum, squares] = [new Float64Array(n), new Float64Array(n)];
    for (let k = 0; k < DRAWS; k++)
      simulate(fit, rng.stream(k)).forEach((v, i) => {
        sum[i]! += v / DRAWS;
        squares[i]! += (v * v) / DRAWS;
      });
    const wanted = fit.kind === "clm" ? meanCodes(fit) : (fit as Extract<AnyFit, { kind: "lm" }>).fitted;
    for (let i = 0; i < n; i += 13) {
      const se = Math.sqrt((squares[i]! - sum[i]! ** 2) / DRAWS);
      expect(Math.abs(sum[i]! - wanted[i]!) / se, `row ${i}`).toBeLessThan(4);
    }
  });

  function meanCodes(fit: Extract<AnyFit, { kind: "clm" }>): Float64Array {
    const { probabilities } = predict(fit, rounded);
    return Float64Array.from({ length: probabilities.rows }, (_, i) => {
      let mean = 0;
      for (let j = 0; j < probabilities.cols; j++) mean += j * probabilities.data[i + j * probabilities.rows]!;
      return mean;
    });
  }

  it("the spread of a linear model's draws is its residual SD", () => {
    const fit = fits["lm"] as Extract<AnyFit, { kind: "lm" }>;
    const rng = makeRng("spread");
    let [sum, count] = [0, 0];
    for (let k = 0; k < 50; k++)
      simulate(fit, rng.stream(k)).forEach((v, i) => {
        sum += (v - fit.fitted[i]!) ** 2;
        count++;
      });
    const ratio = sum / count / fit.residualSd ** 2;
    expect(Math.abs(ratio - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
  });
});
