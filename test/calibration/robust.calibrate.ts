import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../src/data/table.ts";
import { fitLm } from "../../src/models/lm/lm.ts";
import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng } from "../../src/numeric/rng.ts";

/** Items with a shared effect and a shared slope, rated under two systems by three raters: no difference on average. */
function simulate(clusters: number, seed: string): { robust: boolean; plain: boolean } {
  const rng = makeRng(seed);
  const [y, system, item] = [[] as number[], [] as string[], [] as string[]];
  for (let g = 0; g < clusters; g++) {
    const level = rng.normal();
    const slope = 0.7 * rng.normal();
    for (const name of ["A", "B"]) {
      for (let r = 0; r < 3; r++) {
        y.push(level + (name === "B" ? slope : 0) + rng.normal());
        system.push(name);
        item.push(`i${g}`);
      }
    }
  }
  const table = makeTable([
    ["y", numericColumn(y)],
    ["system", factorColumn(system)],
    ["item", factorColumn(item)],
  ]);
  const p = (fit: ReturnType<typeof fitLm>): number => fit.coefficients[1]!.p;
  return {
    robust: p(fitLm("y ~ system", table, { cluster: "item" })) < 0.05,
    plain: p(fitLm("y ~ system", table)) < 0.05,
  };
}

const RUNS = 4000;
/** Two-sided binomial test of the nominal rate at 0.1 %. */
const isNominal = (hits: number): boolean =>
  binomialCdf(hits, RUNS, 0.05) > 0.0005 && binomialSf(hits - 1, RUNS, 0.05) > 0.0005;

describe.each([10, 20, 60])("CR2 with %i clusters", (clusters) => {
  it("rejects a true null hypothesis in 5 % of the data sets", () => {
    let robust = 0;
    let plain = 0;
    for (let i = 0; i < RUNS; i++) {
      const run = simulate(clusters, `cr2/${clusters}/${i}`);
      robust += Number(run.robust);
      plain += Number(run.plain);
    }
    process.stdout.write(
      `${clusters} clusters: CR2 rejects ${((100 * robust) / RUNS).toFixed(2)} %, classical ${((100 * plain) / RUNS).toFixed(2)} %\n`,
    );
    expect(isNominal(robust), `${robust} of ${RUNS}`).toBe(true);
  });
});
