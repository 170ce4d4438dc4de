import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, type OracleColumn } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { cramerSquared, etaSquared } from "./association.ts";
import { type BiasResult, testBias } from "./bias.ts";
import { mutualInformation } from "./mutual-information.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/bias.json", import.meta.url), "utf8"));

const table = makeTable(
  Object.entries(oracle.columns as Record<string, OracleColumn>).map(([name, { values }]) => [
    name,
    typeof values[0] === "string" ? factorColumn(values as string[]) : numericColumn(values as number[]),
  ]),
);
const base = { domain: "domain", inDomain: "in", outDomains: ["out"], adjust: "none", cluster: "none" } as const;

describe("what the verdict may say", () => {
  const rng = makeRng("verdict");
  const rows = Array.from({ length: 200 }, (_, i) => ({
    domain: i < 100 ? "in" : "out",
    x: rng.normal(),
    u: rng.uniform(),
  }));
  const make = (label: (row: (typeof rows)[number]) => number) =>
    makeTable([
      ["domain", factorColumn(rows.map((row) => row.domain))],
      ["x", numericColumn(rows.map((row) => row.x))],
      ["z", numericColumn(rows.map((row) => (row.domain === "in" ? 1 : row.x)))],
      ["label", numericColumn(rows.map(label))],
      ["pred", numericColumn(rows.map((row) => Number(row.u < 0.5)))],
    ]);
  const told = (table: Table, features: string[], more = {}) =>
    testBias(table, { ...base, label: "label", features, ...more }).verdict.text;

  it("features that cannot be tested are not said to show no bias", () => {
    const random = make((row) => Number(row.u < 0.5));
    expect(
      told(
        make((row) => (row.domain === "in" ? 1 : Number(row.u < 0.5))),
        ["x", "z"],
      ),
    ).toBe("None of the 2 features can be tested.");
    expect(told(random, ["x", "z"])).toBe("The feature that can be tested (of 2) shows no dataset bias.");
    expect(told(random, ["x"])).toBe("The feature shows no dataset bias.");
  });

  it("a difference that is not shown is not called absent: predictions", () => {
    const biased = make((row) => Number(row.domain === "in" ? row.x > 0 : row.u < 0.5));
    expect(told(biased, ["x"], { predicted: "pred" })).toBe(
      "Dataset bias in 1 of 1 feature: x. It is not shown that the predictions inherit it.",
    );
  });
});

describe("against R", () => {
  for (const { feature, label, ...methods } of oracle.pairs) {
    for (const [method, want] of Object.entries(methods) as [string, Record<string, number | number[]>][]) {
      it(`${feature} and ${label}, ${method}`, () => {
        const interval = method === "fisher" ? "fisher" : "robust";
        const cluster = method === "clustered" ? { cluster: "doc" } : {};
        const [own] = testBias(table, { ...base, label, features: [feature], interval, ...cluster }).features;
        const { inDomain, outOfDomain } = own!;
        const got = [
          inDomain.value,
          outOfDomain.value,
          own!.difference,
          own!.lower,
          own!.upper,
          own!.statistic,
          own!.p,
        ];
        const wanted = ["inDomain", "outOfDomain", "difference", "lower", "upper", "statistic", "p"].map(
          (name) => want[name]!,
        );
        expectClose(got, wanted as number[], { tolerance: 1e-10, label: method });
        expectClose([inDomain.lower, inDomain.upper], want["inEnds"] as number[], { tolerance: 1e-10 });
        expectClose([outOfDomain.lower, outOfDomain.upper], want["outEnds"] as number[], { tolerance: 1e-10 });
      });
    }
  }

  it("predicted against gold labels on the same rows", () => {
    const result = testBias(table, {
      ...base,
      label: "y",
      predicted: "score",
      features: ["negation"],
      threshold: 0,
      alpha: 0.9999,
    });
    const { dependent } = oracle;
    const own = result.inheritance[0]!;
    expectClose(
      [own.predicted, own.gold, own.difference, own.lower, own.upper, own.p],
      [dependent.predicted, dependent.gold, dependent.difference, dependent.lower, dependent.upper, dependent.p],
      { tolerance: 1e-10 },
    );
    expect(own.share).toBeCloseTo(own.difference / (own.learned - own.gold), 12);
  });

  it("eta, Cramér's V and normalised mutual information without their bias", () => {
    const drawn = { ...base, label: "class", replicates: 5 };
    const eta = testBias(table, { ...drawn, features: ["overlap"] }).features[0]!;
    const cramer = testBias(table, { ...drawn, features: ["topic"] }).features[0]!;
    const nmi = testBias(table, { ...drawn, features: ["topic"], measure: "nmi" }).features[0]!;
    expect([eta.measure, cramer.measure, nmi.measure]).toEqual(["eta", "cramer", "nmi"]);
    expectClose([eta.inDomain.value, eta.outOfDomain.value], Object.values(oracle.eta), { tolerance: 1e-10 });
    expectClose([cramer.inDomain.value, cramer.outOfDomain.value], Object.values(oracle.cramer), { tolerance: 1e-10 });
    for (const which of ["inDomain", "outOfDomain"] as const) {
      const want = oracle.information[which];
      expectClose([nmi[which].value], [want.normalised], { tolerance: 1e-10, floor: 1e-12 });
      const own = mutualInformation(Float64Array.from(want.counts), want.rows);
      expectClose([own.plugIn, own.corrected], [want.plugIn, want.corrected], { tolerance: 1e-10, floor: 1e-12 });
    }
  });
});

describe("closed forms", () => {
  it("a table of perfect association has V = 1 and one of independence V² < 0 without its bias", () => {
    expect(cramerSquared(Float64Array.of(50, 0, 0, 0, 50, 0, 0, 0, 50), 3)).toBeCloseTo(1, 12);
    expect(cramerSquared(Float64Array.of(30, 30, 30, 30), 2)).toBeLessThan(0);
  });

  it("eta² without bias is ε²: 1 - (SS_within/(n-k)) / (SS_total/(n-1))", () => {
    const values = Float64Array.of(1, 3, 5, 7);
    const own = etaSquared(values, { codes: Int32Array.of(0, 0, 1, 1), count: 2 }, new Float64Array(4).fill(1));
    expect(own).toBeCloseTo(1 - 4 / 2 / (20 / 3), 12);
  });

  it("a clustered error with clusters of one row is the unclustered one but for small-sample factors", () => {
    const rows = makeTable([...table.columns, ["row", numericColumn(Array.from({ length: table.rows }, (_, i) => i))]]);
    const options = { ...base, label: "y", features: ["overlap"] };
    const plain = testBias(rows, options).features[0]!;
    const single = testBias(rows, { ...options, cluster: "row" }).features[0]!;
    expect(single.statistic / plain.statistic).toBeCloseTo(1, 1);
    expect(single.statistic).not.toBe(plain.statistic);
  });
});

describe("documents by their name", () => {
  const { cluster: _, ...plain } = base;
  const options = { ...plain, label: "y", features: ["overlap"] };

  it("are the clusters, as the option would name them, and a note says so", () => {
    const own = testBias(table, options);
    expect(own.features).toEqual(testBias(table, { ...options, cluster: "doc" }).features);
    expect(own.diagnostics.map(({ code }) => code)).toContain("ClustersFound");
  });

  it("are no feature, whether they count as clusters or not", () => {
    const numbered = makeTable([
      ...[...table.columns].filter(([name]) => name !== "doc"),
      ["doc", numericColumn(Array.from({ length: table.rows }, (_, row) => row >> 2))],
    ]);
    for (const cluster of [undefined, "none"]) {
      const { features } = testBias(numbered, { ...plain, label: "y", cluster });
      expect(features.map(({ feature }) => feature)).not.toContain("doc");
    }
  });

  it("are not counted by Fisher's interval, which a warning says", () => {
    const own = testBias(table, { ...options, interval: "fisher" });
    expect(own.diagnostics.map(({ code }) => code)).toContain("ClustersIgnored");
    expect(own.features[0]!.p).toBe(
      testBias(table, { ...options, interval: "fisher", cluster: "none" }).features[0]!.p,
    );
  });
});

describe("few clusters", () => {
  it("gives no p where all of a feature's variation in a domain is in one cluster, and says so", () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({
      domain: i < 30 ? "in" : "out",
      x: i < 30 ? Number(i < 8 && i % 2 === 0) : i % 2,
      y: (i * i * 7) % 13,
      doc: `d${Math.floor(i / 10)}`,
    }));
    const table = makeTable([
      ["domain", factorColumn(rows.map((row) => row.domain))],
      ["x", numericColumn(rows.map((row) => row.x))],
      ["y", numericColumn(rows.map((row) => row.y))],
      ["doc", factorColumn(rows.map((row) => row.doc))],
    ]);
    const given = { label: "y", domain: "domain", inDomain: "in", features: ["x"], cluster: "doc" };
    const { features, diagnostics } = testBias(table, given);
    expect(features[0]!.p).toBeNaN();
    expect(features[0]!.biased).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toContain("OneCluster");
  });

  it("tests with Satterthwaite's degrees of freedom, not more than the clusters of both domains less two", () => {
    const own = testBias(table, { ...base, label: "y", features: ["overlap"], cluster: "doc" }).features[0]!;
    expect(own.df).toBeGreaterThan(10);
    expect(own.df).toBeLessThanOrEqual(22);
    expect(testBias(table, { ...base, label: "y", features: ["overlap"] }).features[0]!.df).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

/** Two domains: "cue" goes with the label in-domain, against it elsewhere; the model goes by "cue" everywhere. */
function simulated(n: number, seed: number): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: 2 * n }, (_, i) => {
    const inside = i < n;
    const gold = rng.int(2);
    const follows = rng.uniform() < 0.8;
    const cue = follows === inside ? gold : 1 - gold;
    return {
      domain: inside ? "mnli" : "anli",
      gold,
      cue,
      fair: gold + rng.normal(),
      pred: rng.uniform() < 0.9 ? cue : 1 - cue,
    };
  });
  return makeTable([
    ["domain", factorColumn(rows.map(({ domain }) => domain))],
    ["gold", factorColumn(rows.map(({ gold }) => (gold === 1 ? "entailment" : "other")))],
    ["pred", factorColumn(rows.map(({ pred }) => (pred === 1 ? "entailment" : "other")))],
    ["cue", numericColumn(rows.map(({ cue }) => cue))],
    ["fair", numericColumn(rows.map(({ fair }) => fair))],
  ]);
}

describe("verdict", () => {
  const data = simulated(400, 7);
  const options = { label: "gold", predicted: "pred", domain: "domain", inDomain: "mnli", positive: "entailment" };
  const result = testBias(data, options);

  it("finds the feature that turns around, leaves the fair one, and sees that the predictions keep the bias", () => {
    expect(result.verdict.biased).toEqual(["cue"]);
    expect(result.verdict.inherited).toEqual(["cue"]);
    expect(result.features.map(({ feature, pattern }) => [feature, pattern])).toEqual([
      ["cue", "reverses"],
      ["fair", "same"],
    ]);
    // true correlations are ±0.6, and the model's is 0.8 everywhere
    expect(Math.abs(result.features[0]!.difference - 1.2)).toBeLessThan(0.15);
    expect(result.inheritance[0]!.share).toBeGreaterThan(1);
  });

  it("all three intervals agree on large samples", () => {
    const other = (interval: "fisher" | "bootstrap") =>
      testBias(data, { ...options, interval, replicates: 400 }).features[0]!;
    for (const own of [other("fisher"), other("bootstrap")]) {
      expect(own.difference).toBeCloseTo(result.features[0]!.difference, 10);
      expect(Math.abs(own.lower - result.features[0]!.lower)).toBeLessThan(0.05);
      expect(Math.abs(own.upper - result.features[0]!.upper)).toBeLessThan(0.05);
    }
  });

  it("does not depend on the order of rows; swapping the domains turns the sign", () => {
    const shuffled = Int32Array.from({ length: data.rows }, (_, i) => i);
    makeRng(3).shuffleInto(shuffled);
    const again = testBias(selectRows(data, shuffled), options).features[0]!;
    expect(again.difference).toBeCloseTo(result.features[0]!.difference, 12);
    expect(again.p).toBeCloseTo(result.features[0]!.p, 12);
    const swapped = testBias(data, { ...options, inDomain: "anli" }).features[0]!;
    expect(swapped.difference).toBeCloseTo(-result.features[0]!.difference, 12);
    expect(swapped.lower).toBeCloseTo(-result.features[0]!.upper, 12);
  });

  it("reads back from JSON with the same print", () => {
    expect(String(reviveResult<BiasResult>(JSON.parse(JSON.stringify(result))))).toBe(String(result));
  });
});

describe("several domains and adjustment", () => {
  it("compares every other domain with the in-domain one, Holm over all", () => {
    const data = simulated(100, 5);
    const third = makeTable([
      ...data.columns,
      ["place", factorColumn(Array.from({ length: 200 }, (_, i) => (i < 100 ? "a" : i % 2 === 0 ? "b" : "c")))],
    ]);
    const { features, domains } = testBias(third, { label: "gold", domain: "place", features: ["cue", "fair"] });
    expect(domains).toEqual({ inDomain: "a", outOfDomain: ["b", "c"] });
    expect(features.length).toBe(4);
    const smallest = features.reduce((a, b) => (a.p < b.p ? a : b));
    expect(smallest.adjustedP).toBeCloseTo(Math.min(1, 4 * smallest.p), 12);
  });
});

describe("awkward columns", () => {
  const domain = ["domain", factorColumn(["a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b"])] as const;
  const y = ["y", numericColumn([0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0])] as const;
  const of = (values: (number | null)[]) => makeTable([domain, y, ["x", numericColumn(values)]]);
  const options = { label: "y", domain: "domain", inDomain: "a", features: ["x"] };

  it("a constant or empty feature is refused by name and skipped otherwise", () => {
    expect(() => testBias(of(new Array(12).fill(3)), options)).toThrow(
      'the feature "x" has the same value in every row.',
    );
    expect(() => testBias(of(new Array(12).fill(null)), options)).toThrow('the feature "x" has no value in any row.');
    expect(() => testBias(of(new Array(12).fill(3)), { label: "y", domain: "domain" })).toThrow(/no column is left/);
  });

  it("a feature that is constant out of domain is undefined there, or 0 when asked", () => {
    const data = of([0, 1, 0, 1, 0, 0, 2, 2, 2, 2, 2, 2]);
    const own = testBias(data, options);
    expect(own.features[0]!.pattern).toBe("undefined");
    expect(own.features[0]!.p).toBeNaN();
    expect(own.diagnostics.map(({ code }) => code)).toContain("ConstantInDomain");
    const zero = testBias(data, { ...options, constant: "zero", interval: "fisher" }).features[0]!;
    expect(zero.outOfDomain.value).toBe(0);
    // only the in-domain correlation is uncertain
    expectClose([zero.lower, zero.upper], [zero.inDomain.lower, zero.inDomain.upper], { tolerance: 1e-12 });
    expect(zero.statistic).toBeCloseTo(Math.atanh(zero.inDomain.value) * Math.sqrt(3), 12);
  });

  it("a copy of the label is said to be one", () => {
    const result = testBias(of([0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0]), options);
    expect(result.features[0]!.inDomain.value).toBeCloseTo(1, 12);
    expect(result.diagnostics.map(({ code }) => code)).toContain("FeatureIsLabel");
    expect(result.verdict.biased).toEqual([]);
  });

  it("a copy of the label in one domain only is biased; predictions that follow a feature to the letter inherit its bias", () => {
    const copy = of([0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1]);
    const own = testBias(copy, { ...options, threshold: 0.5 }).features[0]!;
    expect([own.inDomain.value, own.biased]).toEqual([1, true]);
    // the certain end moves neither end of the interval
    expectClose([own.lower, own.upper], [1 - own.outOfDomain.upper, 1 - own.outOfDomain.lower], { tolerance: 1e-12 });
    const followed = makeTable([...copy.columns, ["pred", copy.columns.get("x")!]]);
    const { inheritance } = testBias(followed, { ...options, predicted: "pred" });
    expect([inheritance[0]!.predicted, inheritance[0]!.share, inheritance[0]!.inherited]).toEqual([1, 1, true]);
    const turned = testBias(of([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]), options).features[0]!;
    expect([turned.difference, turned.biased, turned.pattern]).toEqual([2, true, "reverses"]);
  });

  it("missing cells leave out their rows only", () => {
    const full = of([0.1, 0.9, 0.3, 0.5, 0.7, 0.2, 0.4, 0.3, 0.9, 0.2, 0.8, 0.6]);
    const holes = of([0.1, 0.9, 0.3, null, 0.7, 0.2, 0.4, 0.3, 0.9, 0.2, 0.8, 0.6]);
    const without = selectRows(full, Int32Array.of(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11));
    expect(testBias(holes, options).features).toEqual(testBias(without, options).features);
  });

  it("one domain, a domain that does not exist, a constant label", () => {
    const data = of([0.1, 0.9, 0.3, 0.5, 0.7, 0.2, 0.4, 0.3, 0.9, 0.2, 0.8, 0.6]);
    expect(() =>
      testBias(
        selectRows(data, (row) => row < 6),
        options,
      ),
    ).toThrow(/one value, "a"/);
    expect(() => testBias(data, { ...options, inDomain: "c" })).toThrow(/no row has "c"/);
    const flat = makeTable([
      domain,
      ["y", numericColumn(new Array(12).fill(1))],
      ["x", numericColumn([...Array(12).keys()])],
    ]);
    expect(() => testBias(flat, options)).toThrow('the label "y" has the same value in every row.');
  });
});
