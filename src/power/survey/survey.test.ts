import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { reviveResult } from "../../result/result.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { benchmarkMde } from "../from/benchmarks.ts";
import { judgeClaims } from "../from/claims.ts";
import { followRecords } from "../from/records.ts";
import { OVERLAP_REGRESSIONS, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { type SurveyOptions, surveyClaims } from "./survey.ts";

const overlap = OVERLAP_REGRESSIONS.glue;
const NAN = Number.NaN;

function metaTable(name: string, columns: readonly [string, string] = ["yi", "vi"]): Table {
  const text = readFileSync(new URL(`../../../oracle/next/data/${name}.csv`, import.meta.url), "utf8");
  const rows = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  return makeTable([
    ["study", factorColumn(rows.map((row) => row[0]!))],
    [columns[0], numericColumn(rows.map((row) => Number(row[1])))],
    [columns[1], numericColumn(rows.map((row) => Number(row[2])))],
    ["n", numericColumn(rows.map((row) => Number(row[3])))],
  ]);
}

const CLAIMS = [
  ["A", "SST-2", 1821, 94.0, 94.6, "2018"],
  ["B", "SST-2", 1821, 94.6, 95.1, "2019-02"],
  ["C", "SST-2", 1821, 95.1, 96.8, "2019-11"],
  ["D", "SST-2", 1821, 96.8, 97.1, "2020"],
  ["E", "RTE", 3000, 70.1, 76.2, "2018"],
  ["F", "RTE", 3000, 76.2, 80.0, "2019"],
  ["G", "RTE", 3000, 80.0, 83.2, "2020"],
  ["H", "RTE", 3000, 83.2, 83.5, "2021"],
] as const;

function claimsTable(unit = 1): Table {
  return makeTable([
    ["paper", factorColumn(CLAIMS.map((row) => row[0]))],
    ["benchmark", factorColumn(CLAIMS.map((row) => row[1]))],
    ["items", numericColumn(CLAIMS.map((row) => row[2]))],
    ["sota", numericColumn(CLAIMS.map((row) => row[3] / unit))],
    ["accuracy", numericColumn(CLAIMS.map((row) => row[4] / unit))],
    ["date", factorColumn(CLAIMS.map((row) => row[5]))],
  ]);
}

describe("effects with variances, against metafor (R)", () => {
  const { cases } = readOracle("next/meta-analysis.json");
  const expected = (id: string) => cases.find((own) => own.id === id)!.expected;

  it.each(["meta1", "meta2", "meta3", "meta4"])("%s, its columns known by their headers", (name) => {
    const own = surveyClaims(metaTable(name));
    const pool = expected(`pool-${name}`);
    const close = (actual: number[], wanted: number[], label: string): void =>
      expectClose(actual, wanted, { tolerance: 1e-8, floor: 1e-6, label });
    close([own.fixed!.estimate, own.fixed!.se], [pool.fixed.estimate, pool.fixed.se], "fixed");
    close(
      [own.random!.estimate, own.random!.se, own.random!.tau2],
      [pool.reml.estimate, pool.reml.se, pool.reml.tau2],
      "random",
    );
    const { classical } = expected(`egger-${name}`);
    close(
      [own.egger!.intercept, own.egger!.se, own.egger!.p],
      [classical.bias, classical.bias_se, classical.p],
      "Egger",
    );
    const few = own.summary.claims < 20 ? `; with ${own.summary.claims} claims that says little` : "";
    const found = own.display().summary!.find((line) => line.includes("Egger"))!;
    if (Math.min(own.egger!.p, own.begg!.p) >= own.alpha)
      expect(found, "the null hypothesis is not accepted").toMatch(
        new RegExp(`^No sign that small studies .*\\)${few}\\.$`),
      );
    if (name === "meta3") return;
    const begg = expected(`begg-${name}`);
    close([own.begg!.tau, own.begg!.p], [begg.tau_b, begg.p_metafor], "Begg");
  });

  it("claims on test sets of one size say nothing about small studies, and what is unknown is not a dash", () => {
    const scores = [71.2, 68, 70.8, 71.9, 71.4, 69.9, 68.1, 69.3, 69.7, 68.6, 69.4, 70.6];
    const own = (sizes: readonly number[]) =>
      surveyClaims(
        makeTable([
          ["n", numericColumn([...sizes])],
          ["baseline", numericColumn(scores.map(() => 70))],
          ["score", numericColumn(scores)],
        ]),
      ).display();
    const same = own(scores.map(() => 1000)).summary!.join(" ");
    expect(same).toContain(
      "All claims have 1000 items: whether small studies show other gains than large ones cannot be seen.",
    );
    expect(same).not.toMatch(/–|Small studies show/);
    expect(own(scores.map((_, i) => 500 + 300 * i)).summary!.join(" ")).toContain("Egger's p");
    expect(
      surveyClaims(
        makeTable([
          ["n", numericColumn([500])],
          ["baseline", numericColumn([70])],
          ["score", numericColumn([72])],
        ]),
      ).display().title,
    ).toBe("Survey of 1 claim");
  });

  it("by other methods, and with named columns", () => {
    const own = surveyClaims(metaTable("meta2", ["gain of system", "its spread"]), {
      effect: "gain of system",
      variance: "its spread",
      random: "dl",
      knappHartung: true,
    });
    const { dl_knapp_hartung: wanted } = expected("pool-meta2");
    expectClose([own.random!.estimate, own.random!.se], [wanted.estimate, wanted.se], { tolerance: 1e-8 });
    expect(own.random!.method).toBe("dl, Knapp-Hartung");
  });

  it("power of a claim is that of a z test at the mean of the others", () => {
    const table = makeTable([
      ["effect", numericColumn([0.1, 0.2, 0.3, 0.2])],
      ["se", numericColumn([0.1, 0.1, 0.1, 0.1])],
    ]);
    const [first] = surveyClaims(table).claims;
    expect(first!.expected).toBeCloseTo(0.7 / 3, 12);
    // R: pnorm(0.7/0.3 - qnorm(.975)); p: 2*pnorm(-1)
    expect(first!.power).toBeCloseTo(0.645563215552, 10);
    expect(first!.p).toBeCloseTo(0.3173105, 7);
  });

  it("an effect with its p value alone has the standard error that this implies", () => {
    const table = makeTable([
      ["effect", numericColumn([0.1, 0.2, 0.3])],
      ["p", numericColumn([0.05, 0.3, 0.01])],
    ]);
    const { claims } = surveyClaims(table);
    expect(claims[0]!.se).toBeCloseTo(0.1 / normalQuantileUpper(0.025), 12);
    expect(claims.map(({ reported }) => reported)).toEqual([true, true, true]);
  });
});

describe("accuracies", () => {
  it("power and p are those of judgeClaims, in percent and in shares", () => {
    const table = makeTable([
      ["baseline", numericColumn(CLAIMS.map((row) => row[3]))],
      ["candidate", numericColumn(CLAIMS.map((row) => row[4]))],
      ["task", factorColumn(CLAIMS.map((row) => row[1]))],
    ]);
    const judged = judgeClaims({
      table,
      columns: { baseline: "baseline", candidate: "candidate", task: "task" },
      claims: Int32Array.from(CLAIMS.keys()),
      sizes: new Map(CLAIMS.map((row) => [row[1], row[2]])),
      overlap,
    });
    for (const unit of [1, 100]) {
      const { claims } = surveyClaims(claimsTable(unit));
      for (const { row, predicted, power, p } of judged.claims) {
        expectClose([claims[row]!.expected * unit, claims[row]!.power, claims[row]!.p], [predicted, power, p], {
          tolerance: 1e-9,
          label: claims[row]!.id,
        });
      }
      expect(judged.claims.length).toBeGreaterThan(5);
    }
  });

  it("a benchmark's smallest gain is Table 9's, and the size needed has the power", () => {
    const { tasks } = surveyClaims(claimsTable());
    const mde = benchmarkMde({ n: 1821, baseline: 0.971, overlap }, { tests: ["mcnemar-exact"] });
    expect(tasks[0]).toMatchObject({ task: "SST-2", claims: 4, n: 1821, best: 97.1, verdict: "cannot show" });
    expect(tasks[0]!.mde).toBeCloseTo(100 * mde.regression["mcnemar-exact"]!, 8);
    expect(tasks[0]!.typicalGain).toBeCloseTo(0.55, 10);
    expect(tasks[0]!.advice).toContain(`enlarge to ${tasks[0]!.needed} items`);
    const at = (n: number) => benchmarkMde({ n, baseline: 0.971, overlap }, { tests: [] }).regression["normal"]!;
    expect(at(tasks[0]!.needed)).toBeLessThanOrEqual(0.0055);
    expect(at(tasks[0]!.needed - 2)).toBeGreaterThan(0.0055);
    expect(tasks[1]).toMatchObject({ task: "RTE", verdict: "can show" });
  });

  it("the variance of a paired difference", () => {
    const { claims } = surveyClaims(claimsTable(100));
    const d = 1 - predictOverlap(overlap, 0.94, 0.006);
    expect(claims[0]!.se).toBeCloseTo(Math.sqrt((d - 0.006 ** 2) / 1821), 12);
  });

  it("agreement that the table states is used, and fitted where enough claims state it", () => {
    const own = { intercept: 0.3, accuracy: 0.65, difference: -0.4 };
    const agreement = CLAIMS.map((row) => predictOverlap(own, row[3] / 100, (row[4] - row[3]) / 100));
    const columns = [...claimsTable(100).columns, ["agreement", numericColumn(agreement)] as const];
    const found = surveyClaims(makeTable(columns));
    expectClose(
      [found.overlap.intercept, found.overlap.accuracy, found.overlap.difference],
      [own.intercept, own.accuracy, own.difference],
      { tolerance: 1e-6 },
    );
    expect(surveyClaims(claimsTable(100), { overlap: "squad" }).overlap).toEqual(OVERLAP_REGRESSIONS.squad);
  });

  it("records over time: shown against the last one shown", () => {
    const [sst] = surveyClaims(claimsTable()).records;
    expect(sst!.steps.map(({ id, claimed, shown }) => [id, claimed, shown])).toEqual([
      ["A", true, true],
      ["B", true, false],
      ["C", true, true],
      ["D", true, false],
    ]);
    expect([sst!.claimed, sst!.shown]).toEqual([3, 1]);
    // C beats A by 2.2 points: 40 items, of d = 1 - agreement discordant ones
    const d = 1821 * (1 - predictOverlap(overlap, 0.946, 0.022));
    const fewer = Math.round((d - 40) / 2);
    expect(sst!.steps[2]!.p).toBeCloseTo(mcnemarP(fewer + 40, fewer, { method: "exact" }), 12);
  });

  it("records with development scores are followRecords'", () => {
    const dev = [94.2, 94.5, 96.9, 97.2, 76.5, 80.2, 83.0, 84.0];
    const columns = [...claimsTable().columns, ["dev score", numericColumn(dev)] as const];
    const [sst] = surveyClaims(makeTable(columns), { dev: "dev score", devItems: 900 }).records;
    const scores = [94.6, 95.1, 96.8, 97.1];
    const wanted = followRecords({
      test: scores.map((s) => s / 100),
      devItems: 900,
      testItems: 1821,
      pair: (i, j) => {
        const difference = (dev[j]! - dev[i]!) / 100;
        return {
          difference: 900 * difference,
          disagreement: 900 * (1 - predictOverlap(overlap, dev[i]! / 100, difference)),
        };
      },
    });
    expect(sst!.steps.slice(1).map(({ shown }) => shown)).toEqual(wanted.submissions.map(({ isRecord }) => isRecord));
    expectClose(
      sst!.steps.slice(1).map(({ power }) => power!),
      wanted.submissions.map(({ power }) => power),
      { tolerance: 1e-9 },
    );
  });

  it("rows in another order change the order of the answer and nothing else", () => {
    const { columns } = claimsTable();
    const turned = makeTable(
      [...columns].map(([name, own]) => [
        name,
        own.kind === "numeric"
          ? numericColumn(own.values.slice().reverse())
          : { ...own, codes: own.codes.slice().reverse() },
      ]),
    );
    const [one, other] = [surveyClaims(claimsTable()), surveyClaims(turned)];
    expectClose([other.random!.estimate, other.begg!.p], [one.random!.estimate, one.begg!.p], { tolerance: 1e-9 });
    expectClose(
      other.claims.map(({ power }) => power).reverse(),
      one.claims.map(({ power }) => power),
      { tolerance: 1e-9 },
    );
  });
});

describe("what is missing or wrong", () => {
  it("claims that state too little are counted, not guessed", () => {
    const table = makeTable([
      ["n", numericColumn([100, NAN, 300, 200, 500])],
      ["baseline", numericColumn([0.8, 0.8, 0.82, 0.83, 0.8])],
      ["score", numericColumn([0.85, 0.9, NAN, 0.86, 0.82])],
    ]);
    const own = surveyClaims(table);
    expect(own.k).toBe(3);
    expect(own.claims[1]).toMatchObject({ se: NAN, p: NAN, power: NAN, significant: false });
    expect(own.diagnostics.map(({ code }) => code)).toEqual([
      ...["TakenForAccuracy", "NotPooled", "NotJudged", "FewClaims"],
    ]);
    expect(own.reporting.find(({ what }) => what === "n")).toMatchObject({ claims: 4, share: 0.8 });
  });

  it("one claim is a survey of one", () => {
    const own = surveyClaims(
      makeTable([
        ["n", numericColumn([100])],
        ["baseline", numericColumn([0.8])],
        ["score", numericColumn([0.9])],
      ]),
    );
    expect(own.fixed).toBeUndefined();
    expect(own.claims[0]!.p).toBeGreaterThan(0);
    expect(reviveResult(own.toJSON()).toString()).toBe(own.toString());
  });

  const good = claimsTable();
  const wrong: readonly [string, Table, SurveyOptions, string][] = [
    ["an unknown column", good, { score: "acuracy" }, "acuracy: no such column"],
    ["nothing to take gains from", makeTable([["n", numericColumn([1])]]), {}, "claimed gains"],
    ["gains without exactness", makeTable([["effect", numericColumn([0.1])]]), {}, "how exact"],
    ["alpha", good, { alpha: 1 }, "alpha = 1"],
    ["power below alpha", good, { power: 0.01 }, "power"],
    ["development scores without their number", good, { dev: "accuracy" }, "development items"],
    ["bias without a prior", good, { bias: 0.1 }, "PPV"],
    ["a prior of 1", good, { prior: 1 }, "prior = 1"],
    ["an overlap", good, { overlap: "nli" }, "overlap = nli"],
  ];
  it.each(wrong)("%s is refused", (_, table, options, message) => {
    expect(() => surveyClaims(table, options)).toThrow(new RegExp(message));
  });

  it.each([
    ["n", { n: [0, 10], baseline: [0.5, 0.5], score: [0.6, 0.6] }, "n = 0"],
    ["baseline", { n: [10, 10], baseline: [105, 50], score: [60, 60] }, "baseline = 105"],
    ["p", { effect: [1, 2], p: [1.2, 0.1] }, "p = 1.2"],
    ["variance", { effect: [1, 2], variance: [0, 0.1] }, "variance of 0"],
  ])("a wrong %s names its row", (_, columns, message) => {
    const table = makeTable(Object.entries(columns).map(([name, values]) => [name, numericColumn(values)]));
    expect(() => surveyClaims(table)).toThrow(message);
    expect(() => surveyClaims(table)).toThrow("row 1");
  });
});

describe("how much of what is significant is true", () => {
  it("for a stated prior, at the median power", () => {
    const own = surveyClaims(claimsTable(), { prior: 0.2, teams: 3 });
    const power = own.summary.medianPower;
    expect(own.ppv!.ppv).toBeCloseTo((power * 0.25) / (power * 0.25 + 0.05), 12);
    expect(own.toString()).toContain("If 20 % of the ideas tried are true gains");
  });
});

describe("gains that nobody says the exactness of", () => {
  // R: cor.test(gain, n, method = "kendall", exact = FALSE): tau -0.9636241, p 0.009993; sd(gain) 0.1040032
  const gains = makeTable([
    ["gain", numericColumn([0.3, 0.2, 0.1, 0.1, 0.05, 0.02])],
    ["items", numericColumn([20, 60, 100, 100, 250, 250])],
  ]);

  it("are described: mean, SD, sizes, and τ of gain and size", () => {
    const own = surveyClaims(gains);
    expect(own.summary).toMatchObject({ claims: 6, judged: 0, gains: 6 });
    expect(own.summary.meanGain).toBeCloseTo(0.77 / 6, 12);
    expect(own.summary.sdGain).toBeCloseTo(
      Math.sqrt((0.3 ** 2 + 0.2 ** 2 + 2 * 0.1 ** 2 + 0.05 ** 2 + 0.02 ** 2 - 0.77 ** 2 / 6) / 5),
      12,
    );
    // 13 discordant pairs of 15, one tied in gain and n, one in n alone; R has -0.9636241
    expect(own.effectAgainstSize!.tau).toBeCloseTo(-13 / Math.sqrt((15 - 1) * (15 - 2)), 12);
    expect(own.sizes.map(({ from, to, claims, share }) => [from, to, claims, share])).toEqual([
      [1, 50, 1, 1 / 6],
      [51, 100, 3, 3 / 6],
      [201, 500, 2, 2 / 6],
    ]);
    expect(own.fixed).toBeUndefined();
    expect(own.display().summary!.join(" ")).toMatch(
      /6 gains, on average .* how exact they are is not stated, so none is judged\. Gain and size of 6 claims: Kendall's τ/,
    );
    expect(reviveResult(own.toJSON()).toString()).toBe(own.toString());
  });
});

describe("scores that are mean ratings", () => {
  const rated = makeTable([
    ["items", numericColumn([100, 100, 50])],
    ["baseline", numericColumn([0.6, 0.5, 0.7])],
    ["score", numericColumn([0.7, 0.65, 0.72])],
  ]);

  it("have gains on their scale and no p from a test of accuracies", () => {
    const own = surveyClaims(rated, { scale: "0-1" });
    expect([own.accuracy, own.percent]).toEqual([false, false]);
    expect(own.claims.map(({ p, power, se }) => [p, power, se])).toEqual(own.claims.map(() => [NAN, NAN, NAN]));
    expect(own.claims[1]!.gain).toBeCloseTo(0.15, 12);
    expect(own.diagnostics.map(({ code }) => code)).not.toContain("TakenForAccuracy");
  });

  it("are taken for accuracies without a scale, which is said unless the header says it", () => {
    const told = surveyClaims(rated).diagnostics.find(({ code }) => code === "TakenForAccuracy");
    expect(told!.message).toMatch(/reads the scores as accuracies on n items/);
    expect(surveyClaims(claimsTable()).diagnostics.map(({ code }) => code)).not.toContain("TakenForAccuracy");
  });

  it.each([
    ["5-1", /scale 5-1: no range/],
    ["five", /scale five: no range/],
    ["0-0.65", /row 1 \(row 1\): score = 0\.7.*|score = 0\.7/],
  ])("a scale of %s is refused", (scale, message) => {
    expect(() => surveyClaims(rated, { scale })).toThrow(message);
  });
});

describe("a leaderboard without a baseline", () => {
  const board = makeTable([
    ["model", factorColumn(["m3", "m1", "m2", "m4", "m5"])],
    ["date", factorColumn(["2020-03", "2020-01", "2020-02", "2020-03", "2020-04"])],
    ["accuracy", numericColumn([84, 80, 79, 82, 85])],
    ["n", numericColumn([2000, 2000, 2000, 2000, 2000])],
  ]);

  it("holds each entry against the best earlier one; what beats nothing is no claim", () => {
    const { claims, diagnostics, records } = surveyClaims(board);
    // m3 and m4 are of one date: both had m1 to beat
    expect(claims.map(({ id, baseline, gain }) => [id, baseline, Number(gain.toFixed(10))])).toEqual([
      ["m3", 80, 4],
      ["m4", 80, 2],
      ["m5", 84, 1],
    ]);
    expect(diagnostics.find(({ code }) => code === "OwnBaseline")!.message).toMatch(/3 of 5 entries beat it/);
    expect(records[0]!.steps).toHaveLength(5);
  });
});

describe("a benchmark", () => {
  it("has the mean gain with its standard error, the expected one, and the MDE under other assumptions", () => {
    const { tasks } = surveyClaims(claimsTable());
    const [sst] = tasks;
    const gains = [0.6, 0.5, 1.7, 0.3];
    const mean = gains.reduce((a, b) => a + b) / 4;
    expect(sst!.meanGain).toBeCloseTo(mean, 10);
    expect(sst!.meanSe).toBeCloseTo(Math.sqrt(gains.reduce((sum, g) => sum + (g - mean) ** 2, 0) / 3 / 4), 10);
    const own = benchmarkMde({ n: 1821, baseline: 0.971, overlap });
    expect(sst!.others!.binomial).toBeCloseTo(100 * own.binomial, 10);
    expect(sst!.others!.midP).toBeCloseTo(100 * own.regression["mcnemar-midp"]!, 10);
    expect(sst!.others!.lachenbruch.upper).toBeCloseTo(100 * own.lachenbruch.upper, 10);
    // R: predict(lm(gain ~ baseline + task), list(baseline = 97.1, task = "SST-2")) by the normal equations of two tasks
    const rows = CLAIMS.map((row) => ({ x: row[3], y: row[4] - row[3], task: row[1] }));
    const centered = ["SST-2", "RTE"].map((task) => {
      const some = rows.filter((row) => row.task === task);
      const [mx, my] = [some.reduce((s, r) => s + r.x, 0) / 4, some.reduce((s, r) => s + r.y, 0) / 4];
      return {
        mx,
        my,
        xy: some.reduce((s, r) => s + (r.x - mx) * (r.y - my), 0),
        xx: some.reduce((s, r) => s + (r.x - mx) ** 2, 0),
      };
    });
    const slope = centered.reduce((s, own) => s + own.xy, 0) / centered.reduce((s, own) => s + own.xx, 0);
    expect(sst!.expectedGain).toBeCloseTo(centered[0]!.my + slope * (97.1 - centered[0]!.mx), 8);
  });
});
