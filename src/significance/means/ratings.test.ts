import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, withColumn } from "../../data/table.ts";
import { fitClm } from "../../models/ordinal/clm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import { predictClm } from "../../models/ordinal/probabilities.ts";
import { checkProportionalOdds } from "../../models/ordinal/proportional-odds.ts";
import { reviveResult } from "../../result/result.ts";
import { marginalMeans } from "./means.ts";
import { describeRatings } from "./ratings.ts";

const oracle = readOracle("r/categorical-inference.json");
const table = oracleTable(oracle.columns);

describe("describeRatings", () => {
  it("counts pairs of ratings as by hand, in each cell of the other factors", () => {
    const fit = fitClm("rating ~ system * length", table);
    const cell = (system: string, length: string): number[] => {
      const row = makeTable([
        ["system", factorColumn([system], { levels: ["A", "B", "C"] })],
        ["length", factorColumn([length], { levels: ["short", "long"] })],
      ]);
      return Array.from(predictClm(fit, row).probabilities.data);
    };
    const above = (length: string): number => {
      const [a, c] = [cell("A", length), cell("C", length)];
      return c.reduce((sum, pc, j) => sum + pc * a.slice(0, j).reduce((s, pa) => s + pa, 0), 0);
    };
    const { factors } = describeRatings(fit, { by: "system" });
    const pair = factors[0]!.pairs.find(({ first, second }) => first === "A" && second === "C")!;
    expect(pair.above).toBeCloseTo((above("short") + above("long")) / 2, 12);
    expect(pair.above + pair.equal + pair.below).toBeCloseTo(1, 12);
  });

  it("measures the latent difference in mean distances of thresholds", () => {
    const fit = fitClmm("rating ~ system + (1 | item)", table, { link: "probit" });
    const { factors } = describeRatings(fit);
    expect(factors.map(({ by }) => by)).toEqual(["system"]);
    const [ba, ca, cb] = factors[0]!.pairs;
    const [b, c] = fit.coefficients.map(({ value }) => value);
    const spacing = (fit.cuts[3]! - fit.cuts[0]!) / 3;
    expectClose([ba!.steps, ca!.steps, cb!.steps], [b! / spacing, c! / spacing, (c! - b!) / spacing], {
      tolerance: 1e-10,
    });
    expectClose(
      [ba!.se, ca!.se],
      fit.coefficients.map(({ se }) => se),
      { tolerance: 1e-10 },
    );
    const tukey = marginalMeans(fit, { by: "system" }).contrasts.map(({ p }) => p);
    expectClose([ba!.p, ca!.p, cb!.p], tukey, { tolerance: 1e-9 });
  });

  it("describes every factor, with the mean rating where ratings are numbers", () => {
    const summary = describeRatings(fitClm("rating ~ length + system + x", table));
    expect(summary.factors.map(({ by }) => by)).toEqual(["length", "system"]);
    for (const { systems } of summary.factors) {
      for (const { probabilities, meanRating, meanClass } of systems) {
        expect(meanRating).toBeCloseTo(meanClass, 12);
        expect(probabilities.reduce((sum, { estimate }) => sum + estimate, 0)).toBeCloseTo(1, 12);
      }
    }
    const words = ["awful", "poor", "fair", "good", "great"];
    const named = withColumn(
      table,
      "rating",
      factorColumn(
        oracle.columns["rating"]!.values.map((v) => words[Number(v) - 1]!),
        { levels: words },
      ),
    );
    const other = describeRatings(fitClm("rating ~ system", named));
    expect(other.factors[0]!.systems[0]!.meanRating).toBeUndefined();
    expect(String(reviveResult(JSON.parse(JSON.stringify(other))))).toBe(String(other));
    for (const line of String(other).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(String(other)).toMatchSnapshot();
  });

  it("checks proportional odds, of a clmm as of the clm without its random effects", () => {
    const plain = checkProportionalOdds(fitClm("rating ~ system + x", table));
    const mixed = describeRatings(fitClmm("rating ~ system + x + (1 | item)", table)).proportionalOdds!;
    expect([plain.ignoresRandomEffects, mixed.ignoresRandomEffects]).toEqual([false, true]);
    expectClose(
      mixed.terms.map(({ statistic }) => statistic),
      plain.terms.map(({ statistic }) => statistic),
      { tolerance: 1e-7, floor: 1 },
    );
    expect(
      describeRatings(fitClm("rating ~ system", table, { threshold: "symmetric" })).proportionalOdds,
    ).toBeUndefined();
  });

  it("says so where effects differ between thresholds", () => {
    // B moves ratings away from the middle: up from the upper threshold, down from the lower one
    const counts = { A: [10, 60, 10], B: [35, 10, 35] } as const;
    const rows = (["A", "B"] as const).flatMap((system) =>
      counts[system].flatMap((n, j) => Array.from({ length: n }, () => [system, String(j + 1)] as const)),
    );
    const spread = makeTable([
      ["system", factorColumn(rows.map(([system]) => system))],
      [
        "rating",
        factorColumn(
          rows.map(([, rating]) => rating),
          { levels: ["1", "2", "3"] },
        ),
      ],
    ]);
    expect(describeRatings(fitClm("rating ~ system", spread)).diagnostics.map(({ code }) => code)).toEqual([
      "NotProportional",
    ]);
  });
});
