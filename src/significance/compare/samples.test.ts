/** Systems alone, systems on different items, whole runs of systems. */

import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { makeRng } from "../../numeric/rng.ts";
import { binomialInterval } from "../intervals/binomial.ts";
import { boschlooTest } from "../tests/boschloo.ts";
import { fisherTest } from "../tests/fisher.ts";
import { differenceInterval } from "../tests/proportions.ts";
import { twoSampleTTest } from "../tests/t-test.ts";
import { matchItems } from "./matching/matching.ts";
import { collectRuns, drawRuns } from "./pair/runs.ts";
import { scoreMean } from "./system-scores.ts";
import { compareTable } from "./table.ts";
import { compareUnpaired } from "./unpaired.ts";

const columns = { system: "system", item: "item", score: "score" };

interface Row {
  readonly system: string;
  readonly item: string;
  readonly score: number;
  readonly run?: string;
  readonly group?: string;
}

const tableOf = (rows: readonly Row[]): Table =>
  makeTable([
    ["system", factorColumn(rows.map((r) => r.system))],
    ["item", factorColumn(rows.map((r) => r.item))],
    ["score", numericColumn(rows.map((r) => r.score))],
    ["run", factorColumn(rows.map((r) => r.run ?? "1"))],
    ["group", factorColumn(rows.map((r) => r.group ?? "g"))],
  ]);

describe("the score of one system", () => {
  it("has Wilson's interval if the scores are 0 and 1", () => {
    const values = Float64Array.from([1, 1, 1, 0, 1, 0, 1, 1]);
    const { lower, upper, interval } = scoreMean(values, { confidence: 0.95, share: true });
    expect({ lower, upper }).toEqual(binomialInterval(6, 8));
    expect(interval).toBe("Wilson");
  });

  it("has as many effective answers as its standard error says", () => {
    // four clusters of five equal answers are four answers
    const clusters = Int32Array.from({ length: 20 }, (_, i) => Math.floor(i / 5));
    const values = Float64Array.from(clusters, (c) => (c < 3 ? 1 : 0));
    const { lower, upper } = scoreMean(values, { confidence: 0.95, share: true, clusters });
    // se² of four cluster means is p(1-p)/3, on 3 df: qt(.975, 3)
    const [z2, n, p] = [3.182446305284263 ** 2, 3, 0.75];
    const center = (p + z2 / (2 * n)) / (1 + z2 / n);
    const half = Math.sqrt(z2 * ((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    expect([lower, upper]).toEqual([expect.closeTo(center - half, 10), expect.closeTo(center + half, 10)]);
  });

  it("does not leave 0 … 1 where every repeated answer is right", () => {
    const { lower, upper } = scoreMean(Float64Array.from([1, 1, 1, 1]), { confidence: 0.95, share: true });
    expect(upper).toBe(1);
    expect(lower).toBeCloseTo(binomialInterval(4, 4).lower, 12);
  });
});

describe("systems on different items", () => {
  const sample = (system: string, scores: readonly number[], from = 0): Row[] =>
    scores.map((score, i) => ({ system, item: `${system}${i + from}`, score }));

  it("of 0/1 scores is Boschloo's test with the interval that agrees with it, and deals or Newcombe's if asked for", () => {
    const a = [...Array(12).fill(1), ...Array(8).fill(0)];
    const b = [...Array(18).fill(1), ...Array(2).fill(0)];
    const table = tableOf([...sample("a", a), ...sample("b", b)]);
    const own = compareUnpaired(table, columns, { systems: ["a", "b"] });
    const known = boschlooTest({ successes: [12, 18], trials: [20, 20] });
    expect([own.main.p, own.main.ci.lower, own.main.ci.upper]).toEqual([known.p, known.lower, known.upper]);
    expect([own.paired, own.n, own.main.ci.method, own.main.test.label]).toEqual([
      false,
      40,
      "Boschloo",
      "Boschloo's test",
    ]);
    const { main } = compareUnpaired(table, columns, { systems: ["a", "b"], test: "permutation" });
    // equal sizes make the law symmetric, so that both ways to take two tails agree
    expect(main.p).toBeCloseTo(
      fisherTest([
        [18, 2],
        [12, 8],
      ]).p,
      12,
    );
    const joined = compareUnpaired(table, columns, { systems: ["a", "b"], interval: "newcombe" }).main;
    expect([main.ci.method, joined.ci]).toEqual(["Newcombe", main.ci]);
    expect(joined.p).toBe(known.p);
    const { lower, upper } = differenceInterval([18, 12], [20, 20]);
    expect([main.ci.lower, main.ci.upper]).toEqual([lower, upper]);
    expect(main.statement).toContain("on 20 and 20 items of their own");
  });

  it("of other scores deals Welch's t out anew, and is his test if asked for", () => {
    const a = [1.5, 2.5, 0.5, 3.5, 2.25];
    const b = [4.5, 3.25, 5.5, 6];
    const table = tableOf([...sample("a", a), ...sample("b", b)]);
    const welch = twoSampleTTest(b, a);
    const { main } = compareUnpaired(table, columns, { systems: ["a", "b"], test: "t" });
    expect(main.p).toBeCloseTo(welch.p, 12);
    expect([main.ci.lower, main.ci.upper]).toEqual([
      expect.closeTo(welch.ci.lower, 12),
      expect.closeTo(welch.ci.upper, 12),
    ]);
    const exact = compareUnpaired(table, columns, { systems: ["a", "b"] });
    expect(exact.main.test).toMatchObject({
      name: "studentised permutation",
      label: "exact studentised permutation test",
    });
    expect(exact.main.test.statistic).toBeCloseTo(welch.statistic, 12);
    // all 126 deals of 4 of 9, each by Welch's own test
    const all = [...a, ...b];
    const deals = Array.from({ length: 2 ** 9 }, (_, bits) => all.map((_v, i) => (bits >> i) & 1)).filter(
      (own) => own.reduce((sum, k) => sum + k, 0) === 4,
    );
    const far = deals.filter((own) => {
      const [x, y] = [1, 0].map((k) => all.filter((_v, i) => own[i] === k));
      return Math.abs(twoSampleTTest(x!, y!).statistic) >= Math.abs(welch.statistic) - 1e-9;
    });
    expect(exact.main.p).toBeCloseTo(far.length / 126, 12);
  });

  it("has an interval that excludes 0 exactly if the test rejects, at any spread and size", () => {
    for (let k = 0; k < 40; k++) {
      const rng = makeRng(`spreads ${k}`);
      const own = (n: number, sd: number, mean: number) => Array.from({ length: n }, () => mean + sd * rng.normal());
      const rows = [...sample("a", own(6, 3, 0)), ...sample("b", own(25, 1, 2.5))];
      const options = { systems: ["a", "b"], rng, replicates: 999 };
      const { ci, p, verdict } = compareUnpaired(tableOf(rows), columns, options).main;
      expect(ci.lower > 0 || ci.upper < 0, `p = ${p}`).toBe(verdict !== "INCONCLUSIVE");
    }
  });

  it("with too few deals for a small p is Welch's test", () => {
    const few = tableOf([...sample("a", [1.5, 2.5, 0.5]), ...sample("b", [4.5, 3.25, 5.5])]);
    expect(compareUnpaired(few, columns, { systems: ["a", "b"] }).main.test.label).toBe("Welch's t test");
    const asked = compareUnpaired(few, columns, { systems: ["a", "b"], test: "permutation" }).main;
    // the 20 deals come in pairs; none leaves a p of .05
    expect([asked.p, asked.ci.lower]).toEqual([expect.closeTo(2 / 20, 12), Number.NEGATIVE_INFINITY]);
  });

  it("averages repeats, and says when items are shared after all", () => {
    const rows = [...sample("a", [1, 0, 1, 1]), ...sample("a", [0, 0, 1, 1]), ...sample("b", [1, 1, 0, 1])];
    const result = compareUnpaired(tableOf(rows), columns, { systems: ["a", "b"] });
    expect(result.n).toBe(8);
    expect(result.systems[0]!.score).toBeCloseTo((0.5 + 0 + 1 + 1) / 4, 12);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(["DifferentItems"]);
    const shared = rows.map((row) => ({ ...row, item: row.item.slice(1) }));
    const again = compareUnpaired(tableOf(shared), columns, { systems: ["a", "b"] });
    expect(again.diagnostics.map(({ code }) => code)).toEqual(["SharedItems"]);
  });

  it("takes clusters for the units, and refuses tests of pairs", () => {
    const rng = makeRng("clusters");
    const rows = ["a", "b"].flatMap((system) =>
      Array.from({ length: 8 }, (_, c) => {
        const level = rng.normal();
        return Array.from({ length: 5 }, (_, k) => ({
          system,
          item: `${system}${c}-${k}`,
          score: level + 0.01 * rng.normal(),
          group: `${system}${c}`,
        }));
      }).flat(),
    );
    const { main } = compareUnpaired(tableOf(rows), { ...columns, cluster: "group" }, { systems: ["a", "b"] });
    // clusters of equal size: Welch's test of the cluster means
    const means = (system: string): number[] =>
      Array.from({ length: 8 }, (_, c) => {
        const own = rows.filter((r) => r.group === `${system}${c}`).map((r) => r.score);
        return own.reduce((sum, v) => sum + v, 0) / own.length;
      });
    expect(main.se).toBeCloseTo(twoSampleTTest(means("b"), means("a")).effect.se, 10);
    expect(() => compareUnpaired(tableOf(rows), columns, { systems: ["a", "b"], test: "sign" })).toThrow(
      "needs the same items",
    );
  });
});

describe("whole runs", () => {
  /** Runs of two systems on n items; `shift` moves the runs of b as wholes, down and up in turn. */
  const runsOf = (n: number, runs: number, shift: number): Row[] => {
    const rng = makeRng("runs");
    const base = Array.from({ length: n }, () => rng.normal());
    return ["a", "b"].flatMap((system) =>
      Array.from({ length: runs }, (_, r) => {
        const own = system === "b" ? 0.3 + shift * (r % 2 === 0 ? -1 : 1) : 0;
        return base.map((v, i) => ({ system, item: `i${i}`, score: v + own + 0.3 * rng.normal(), run: `r${r}` }));
      }).flat(),
    );
  };

  it("are found where each covers every item once, and only there", () => {
    const rows = runsOf(10, 3, 0);
    const find = (own: readonly Row[]) => {
      const table = tableOf(own);
      return collectRuns(table, "run", matchItems(table, columns, ["a", "b"]));
    };
    const runs = find(rows)!;
    expect(runs.map(({ runs: count }) => count)).toEqual([3, 3]);
    const third = rows.filter((r) => r.system === "b" && r.run === "r2").map((r) => r.score);
    expect([...runs[1]!.scores.slice(20)]).toEqual(third);
    // one item lacks one run
    expect(find(rows.slice(1))!.map(({ scores }) => scores.filter(Number.isNaN).length)).toEqual([1, 0]);
    expect(find(rows.filter((r) => r.run !== "r1" || r.item < "i5"))).toBeDefined();
    expect(find(rows.filter((r) => r.run !== "r1" || r.item < "i4"))).toBeUndefined();
    expect(find(rows.map((r) => ({ ...r, run: "r0" })))).toBeUndefined();
  });

  it("give the bootstrap variance of items and runs together", () => {
    const rows = runsOf(40, 6, 0.5);
    const table = tableOf(rows);
    const [a, b] = collectRuns(table, "run", matchItems(table, columns, ["a", "b"]))!;
    const draws = drawRuns(a!, b!, { confidence: 0.95, rng: makeRng("1"), replicates: 4000 });
    // runs of b differ by 0.5 √(1/6): the items' own part is an order of magnitude smaller
    const means = Array.from({ length: 6 }, (_, r) => {
      const own = b!.scores.subarray(r * 40, (r + 1) * 40);
      return own.reduce((sum, v) => sum + v, 0) / 40;
    });
    const center = means.reduce((sum, v) => sum + v, 0) / 6;
    const spread = Math.sqrt(means.reduce((sum, v) => sum + (v - center) ** 2, 0) / 6 / 6);
    expect(draws.se).toBeGreaterThan(spread * 0.95);
    expect(draws.se).toBeLessThan(spread * 1.25);
    expect(draws.runs).toEqual([6, 6]);
  });

  const byRun = (shift: number, scope?: readonly ("items" | "runs")[]) =>
    compareTable(
      tableOf(runsOf(60, 5, shift)),
      { ...columns, repeat: "run" },
      { systems: ["a", "b"], ...(scope === undefined ? {} : { scope }) },
    );

  it("leave a difference open that other runs might not show", () => {
    const { main, scope } = byRun(0.6);
    expect([main.verdict, scope]).toEqual(["INCONCLUSIVE", ["items", "runs"]]);
    expect(main.p).toBeGreaterThan(main.test.p);
    expect(main.p).toBe(Math.max(...main.facets!.map(({ p }) => p)));
    expect(main.ci.lower * main.ci.upper).toBeLessThan(0);
    expect(main.statement).toContain("runs of each system");
    expect(byRun(0).main.verdict).toBe("HIGHER");
  });

  it("have the t test over runs, and the errors of lme4 over items and runs", () => {
    const { main } = byRun(0.6);
    const rows = runsOf(60, 5, 0.6);
    const means = (system: string): Float64Array =>
      Float64Array.from({ length: 5 }, (_, r) => {
        const own = rows.filter((row) => row.system === system && row.run === `r${r}`).map(({ score }) => score);
        return own.reduce((sum, v) => sum + v, 0) / own.length;
      });
    const { p } = twoSampleTTest(means("b"), means("a"), { variances: "equal" });
    expect(main.facets![0]!.p).toBeCloseTo(p, 12);
    // (1 | item) + (1 | item:system) + (1 | run:system) of a balanced table
    const table = tableOf(rows);
    const model = fitLmm("score ~ system + (1 | item) + (1 | item:system) + (1 | run:system)", table, { ddf: "none" });
    expect(main.facets![1]!.se).toBeCloseTo(model.coefficients[1]!.se, 6);
  });

  it("still count as runs where some answers are missing", () => {
    const rows = runsOf(60, 5, 0.6).filter((_, k) => k % 17 !== 3);
    const { main, scope } = compareTable(tableOf(rows), { ...columns, repeat: "run" }, { systems: ["a", "b"] });
    const { main: whole } = byRun(0.6);
    expect([scope, main.verdict]).toEqual([["items", "runs"], "INCONCLUSIVE"]);
    main.facets!.forEach(({ se, label }, k) => {
      expect(se / whole.facets![k]!.se).toBeCloseTo(1, 1);
      expect(label).toBe(whole.facets![k]!.label);
    });
    const model = fitLmm("score ~ system + (1 | item) + (1 | item:system) + (1 | run:system)", tableOf(rows), {
      ddf: "none",
    });
    expect(main.facets![1]!.se / model.coefficients[1]!.se).toBeCloseTo(1, 1);
    const drawn = { systems: ["a", "b"], test: "multi-bootstrap" as const };
    expect(() => compareTable(tableOf(rows), { ...columns, repeat: "run" }, drawn)).toThrow("resamples runs and items");
  });

  it("warn, where the claim is about these runs only", () => {
    const { main, scope, diagnostics } = byRun(0.6, ["items"]);
    expect([main.p < 0.05, scope, main.facets]).toEqual([true, ["items"], undefined]);
    expect(main.runs!.lower * main.runs!.upper).toBeLessThan(0);
    expect(diagnostics.map(({ code }) => code)).toContain("RunsDiffer");
    expect(byRun(0, ["items"]).diagnostics.map(({ code }) => code)).toEqual(["RepeatsAveraged", "RunsAndItems"]);
    expect(() => byRun(0, ["items", "raters" as never])).toThrow("option `scope` raters");
  });

  it("decide if asked to, and are refused where there are none", () => {
    const table = tableOf(runsOf(60, 5, 0.6));
    const options = { systems: ["a", "b"], test: "multi-bootstrap" as const };
    const { main } = compareTable(table, { ...columns, repeat: "run" }, options);
    expect([main.test.name, main.ci.method, main.verdict]).toEqual([
      "multi-bootstrap",
      "multi-bootstrap",
      "INCONCLUSIVE",
    ]);
    expect(() => compareTable(table, columns, options)).toThrow("resamples runs and items");
  });
});
