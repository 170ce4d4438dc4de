/** Direction, difference, interval and p of a verdict are of one statistic. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { compareTable } from "../table.ts";
import type { TestName } from "./tests.ts";

const columns = { system: "system", item: "item", score: "score" };

/** Old scores 50 + i/100; new that plus the gain. */
function tableOf(gains: readonly number[], group: (i: number) => string = () => "x"): Table {
  const rows = ["old", "new"].flatMap((system, s) =>
    gains.map((gain, i) => ({ system, i, score: 50 + i / 100 + s * gain })),
  );
  return makeTable([
    ["system", factorColumn(rows.map((r) => r.system))],
    ["item", numericColumn(rows.map((r) => r.i))],
    ["score", numericColumn(rows.map((r) => r.score))],
    ["group", factorColumn(rows.map((r) => group(r.i)))],
  ]);
}

const judge = (gains: readonly number[], test: TestName, more: object = {}) =>
  compareTable(tableOf(gains), columns, { systems: ["old", "new"], test, higherIsBetter: true, ...more });

/** A little higher on 80 of 100, far lower on 20. */
const TORN = Array.from({ length: 100 }, (_, i) => (i % 5 === 0 ? -8 - i / 20 : 0.3 + i / 100));

describe("ranks and signs against the means", () => {
  it("a sign test of 80 items against 20 was told as WORSE, after the mean", () => {
    const { main } = judge(TORN, "sign");
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(main.p).toBeLessThan(0.0001);
    expect(main.difference).toBeGreaterThan(0);
    expect(main.ci.lower).toBeGreaterThan(0);
    expect(main.reason).toMatch(/^new is higher on 80 of the 100 items that differ .* but lower by the means \(-/);
    expect(main.statement).toContain(main.reason);
  });

  it("the interval of signed ranks excluded its own estimate, which was the mean", () => {
    const { main } = judge(TORN, "wilcoxon");
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(main.ci.lower).toBeLessThanOrEqual(main.difference);
    expect(main.ci.upper).toBeGreaterThanOrEqual(main.difference);
    expect(main.typical?.mean).toBeLessThan(0);
  });

  it("says so in slices, whose average stays that of the means", () => {
    const table = tableOf(TORN, (i) => (i < 50 ? "first" : "second"));
    const options = { systems: ["old", "new"], test: "sign", higherIsBetter: true } as const;
    const { slices, main } = compareTable(table, { ...columns, slices: ["group"] }, options);
    const [part] = slices;
    expect(part!.slices.map(({ verdict }) => verdict)).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"]);
    expect(part!.slices.every(({ lower, difference }) => 0 < lower && lower <= difference)).toBe(true);
    expect(part!.macro?.difference).toBeCloseTo(main.typical!.mean, 10);
  });

  it("says so under the ranking of several systems", () => {
    const rows = ["old", "new", "third"].flatMap((system, s) =>
      TORN.map((gain, i) => ({ system, i, score: 50 + i / 100 + (s === 1 ? gain : s === 2 ? 3 + (i % 7) / 10 : 0) })),
    );
    const table = makeTable([
      ["system", factorColumn(rows.map((r) => r.system))],
      ["item", numericColumn(rows.map((r) => r.i))],
      ["score", numericColumn(rows.map((r) => r.score))],
    ]);
    const result = compareTable(table, columns, {
      systems: ["old", "new", "third"],
      test: "wilcoxon",
      higherIsBetter: true,
    });
    expect(JSON.stringify(result.display().screen)).toMatch(/by signed ranks/);
  });

  it("many ties hide nothing from the sign test: its median is of the items that differ", () => {
    const { main } = judge(
      Array.from({ length: 100 }, (_, i) => (i < 60 ? 0 : i < 62 ? -1 : 1 + i / 100)),
      "sign",
    );
    expect([main.verdict, main.difference > 1, main.ci.lower > 0]).toEqual(["BETTER", true, true]);
  });

  it("equivalence within a margin stays a matter of the means", () => {
    const { main } = judge(TORN, "sign", { margin: 1 });
    expect(main.equivalence?.p).toBeCloseTo(judge(TORN, "t", { margin: 1 }).main.equivalence!.p, 12);
  });
});

/** Differences from symmetric to very skew, about 0 or beside it. */
function skewed(seed: string, n: number): number[] {
  const rng = makeRng(seed);
  const [shape, shift, sign] = [rng.uniform() * 1.5, rng.normal() * 0.4, rng.uniform() < 0.5 ? -1 : 1];
  return Array.from({ length: n }, () => sign * (Math.exp(shape * rng.normal()) - 1) + shift);
}

describe("whatever the data", () => {
  const AGREE: readonly TestName[] = ["t", "sign", "wilcoxon", "skewness-adjusted-t"];
  const TESTS: readonly TestName[] = [...AGREE, "permutation", "bootstrap"];

  it.each(TESTS)("%s: direction, difference, interval and p belong together", (test) => {
    let claims = 0;
    for (let k = 0; k < 60; k++) {
      const { main } = judge(skewed(`skew ${k}`, 8 + 3 * (k % 20)), test, { replicates: 500 });
      const { difference, ci, p, verdict, typical, test: used } = main;
      expect(ci.lower).toBeLessThanOrEqual(difference);
      expect(ci.upper).toBeGreaterThanOrEqual(difference);
      if (verdict !== "INCONCLUSIVE") {
        claims++;
        expect(verdict).toBe(difference > 0 ? "BETTER" : "WORSE");
        expect(Math.sign(main.scoreB - main.scoreA)).toBe(Math.sign(difference));
      } else expect(p >= 0.05 || typical!.mean * difference < 0).toBe(true);
      if (AGREE.includes(test)) expect([test, k, ci.lower > 0 || ci.upper < 0]).toEqual([used.name, k, p < 0.05]);
    }
    expect(claims).toBeGreaterThan(10);
  });
});
