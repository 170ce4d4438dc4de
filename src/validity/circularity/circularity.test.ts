/** Labels with a known definition: what is circular is found, what is not is not, and bad input is told so. */
import { describe, expect, it } from "vitest";
import { type LabelSpec, simulateLabel } from "../../../test/support/label-bank.ts";
import { quantile } from "../../data/moments.ts";
import {
  factorColumn,
  makeTable,
  numericColumn,
  renameColumn,
  selectRows,
  type Table,
  withColumn,
} from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { testCircularity } from "./circularity.ts";
import { findLabelVersions } from "./labels.ts";
import { circularityShapesTask } from "./shapes.ts";

const N = 1000;

/** a and b carry the rules; c and d go with a, e with nothing. */
function features(seed = 1, n = N): Table {
  const rng = makeRng(seed);
  const draw = (): Float64Array => Float64Array.from({ length: n }, () => rng.normal());
  const [a, b, c, d, e] = [draw(), draw(), draw(), draw(), draw()] as const;
  const near = (noise: Float64Array): Float64Array => noise.map((value, i) => 0.7 * a[i]! + 0.7 * value);
  return makeTable([
    ["a", numericColumn(a)],
    ["b", numericColumn(b)],
    ["c", numericColumn(near(c))],
    ["d", numericColumn(near(d))],
    ["e", numericColumn(e)],
  ]);
}

const values = (table: Table, name: string): Float64Array => {
  const cells = table.columns.get(name)!;
  if (cells.kind !== "numeric") throw new Error(name);
  return cells.values;
};

const withLabel = (table: Table, label: (i: number) => number, name = "label"): Table =>
  withColumn(table, name, numericColumn(Float64Array.from({ length: table.rows }, (_, i) => label(i))));

const FAST = { basis: "cr" } as const;

describe("circular labels", () => {
  const base = features();
  const [a, b] = [values(base, "a"), values(base, "b")];

  it("finds the one feature that a graded label is cut from, and the cuts", async () => {
    const table = withLabel(base, (i) => Number(a[i]! > -1) + Number(a[i]! > 0) + Number(a[i]! > 1.5));
    const result = await testCircularity(table, { label: "label", ...FAST });
    expect([result.verdict, result.circular]).toEqual(["circular", ["a"]]);
    const [finding] = result.findings;
    expect(finding!.rule!.steps[0]!.thresholds.map(({ value }) => value)).toEqual([-1, 0, 1.5]);
    const states = new Map(finding!.nullification!.features.map(({ feature, state }) => [feature, state]));
    expect(Object.fromEntries(states)).toEqual({ b: "nullified", c: "nullified", d: "nullified", e: "nullified" });
    // c goes with a: it has a shape of its own without a, and none with it
    const c = finding!.nullification!.features.find(({ feature }) => feature === "c")!;
    expect(c.before.lower).toBeGreaterThan(0.5);
    expect(c.ratio.upper).toBeLessThan(0.2);
  });

  it("says what the share in the verdict is and why it is not the D² of the table", async () => {
    // counts with steps, which a rule has exactly and curves have not
    const words = a.map((value) => Math.round(20 * value));
    const counted = withColumn(base, "a", numericColumn(words));
    const cut = withLabel(counted, (i) => Number(words[i]! > -20) + Number(words[i]! > 0) + Number(words[i]! > 30));
    const ruled = await testCircularity(cut, { label: "label", ...FAST });
    const [byRule] = ruled.findings;
    expect(byRule!.explainedBy).toBe("rule");
    expect(byRule!.explained).toBe(byRule!.rule!.heldOut);
    const text = (result: object): string => String(result).replace(/\s+/g, " ");
    const d2 = (finding: typeof byRule): string => finding!.chosen.d2.toPrecision(4);
    expect(text(ruled)).toContain(
      `explains 100% of the variance of label by a rule of steps (on rows that it was not found on), where smooth curves have the D² of the table, ${d2(byRule)}.`,
    );
    const noise = makeRng("share");
    const wavy = withLabel(base, (i) => Math.sin(4 * a[i]!) + 0.1 * noise.normal());
    const smooth = await testCircularity(wavy, { label: "label", ...FAST });
    const [finer] = smooth.findings;
    expect(finer!.explainedBy).toBe("finer curves");
    expect(finer!.explained).toBe(finer!.refined.adjusted);
    expect(text(smooth)).toContain(
      `${Math.floor(1000 * finer!.explained) / 10}% of the deviance with more knots (corrected for edf), where the curves of the search have the D² of the table, ${d2(finer)}.`,
    );
  });

  it("needs an interaction for the larger of two rules, and says so", async () => {
    const table = withLabel(base, (i) => Math.max(2 * Number(a[i]! > 0.3), 3 * Number(b[i]! < -0.5)));
    const { findings, verdict, circular } = await testCircularity(table, { label: "label", ...FAST });
    expect([verdict, [...circular].sort()]).toEqual(["circular", ["a", "b"]]);
    expect(findings[0]!.rule!.form).toBe("largest");
    const surface = findings[0]!.models.find(({ interactions }) => interactions.flat().sort().join() === "a,b")!;
    const additive = findings[0]!.models.find(
      (m) => m.interactions.length === 0 && [...m.features].sort().join() === "a,b",
    )!;
    expect(surface.d2).toBeGreaterThan(additive.d2 + 0.03);
  });

  it("does not depend on names, rows left out, or the scale of the label", async () => {
    const table = withLabel(base, (i) => 10 * (Number(a[i]! > -1) + Number(a[i]! > 0.5)) - 3);
    const renamed = renameColumn(renameColumn(table, "a", "serum level (mg/dl)"), "label", "x0");
    const part = selectRows(renamed, (i) => i % 3 !== 0);
    const { verdict, circular } = await testCircularity(part, { label: "x0", ...FAST });
    expect([verdict, circular]).toEqual(["circular", ["serum level (mg/dl)"]]);
  });

  it("finds a rule although one label in fifty is drawn at random", async () => {
    const rng = makeRng(9);
    const table = withLabel(base, (i) =>
      rng.uniform() < 0.02 ? rng.int(3) : Number(a[i]! > -0.5) + Number(a[i]! > 0.8),
    );
    const { verdict, circular } = await testCircularity(table, { label: "label", ...FAST });
    expect([verdict, circular]).toEqual(["circular", ["a"]]);
  });

  it("tests predictions like labels: one model applies the rule, the other does not", async () => {
    const rng = makeRng(10);
    const graded = withLabel(base, (i) => Number(a[i]! > -1) + Number(a[i]! > 0.5) + Number(a[i]! > 1));
    const label = values(graded, "label");
    const c = values(base, "c");
    const copied = withLabel(graded, (i) => label[i]! + 0.1 * rng.normal(), "rule_model");
    const table = withLabel(copied, (i) => 0.5 * c[i]! + rng.normal(), "other_model");
    const { findings } = await testCircularity(table, {
      label: "label",
      predictions: ["rule_model", "other_model"],
      ...FAST,
    });
    expect(findings.map(({ role, verdict }) => [role, verdict])).toEqual([
      ["annotation", "circular"],
      ["predictions", "circular"],
      ["predictions", "not circular"],
    ]);
    expect(findings[1]!.ranking.map(({ feature }) => feature)).not.toContain("label");
  });

  it("calls a copy of the label what it is", async () => {
    const rng = makeRng(11);
    const table = withLabel(base, () => rng.normal());
    const copied = withColumn(table, "same", table.columns.get("label")!);
    const result = await testCircularity(copied, { label: "label", ...FAST });
    expect([result.verdict, result.circular, result.findings[0]!.copies]).toEqual(["circular", ["same"], ["same"]]);
    expect(String(result)).toContain("same is identical to label");
  });

  it("separates two classes with the binomial family", async () => {
    const flag = factorColumn(Array.from(a, (value) => (value > 0.4 ? "yes" : "no")));
    const table = withColumn(base, "hit", flag);
    const { verdict, circular, findings } = await testCircularity(
      selectRows(table, (i) => i < 400),
      {
        label: "hit",
        features: ["a", "b", "e"],
        ...FAST,
      },
    );
    expect([findings[0]!.family, verdict, circular]).toEqual(["binomial", "circular", ["a"]]);
  });
});

describe("labels that are not circular", () => {
  const base = features(2);
  const [a, b] = [values(base, "a"), values(base, "b")];

  it("are not called so where features predict them well", async () => {
    const rng = makeRng(3);
    const table = withLabel(base, (i) => a[i]! + 0.5 * b[i]! ** 2 + 1.2 * rng.normal());
    const result = await testCircularity(table, { label: "label", ...FAST });
    expect([result.verdict, result.circular]).toEqual(["not circular", []]);
  });

  it("are not called so in noise, also with few rows and many features", async () => {
    const rng = makeRng(4);
    const small = selectRows(
      withLabel(base, () => rng.normal()),
      (i) => i < 120,
    );
    const { verdict, findings } = await testCircularity(small, { label: "label", ...FAST });
    expect(verdict).toBe("not circular");
    expect(findings[0]!.explained).toBeLessThan(0.3);
  });
});

describe("the words of the verdict", () => {
  const text = (result: object): string => String(result).replace(/\s+/g, " ");
  const whole = (spec: LabelSpec) => testCircularity(simulateLabel(spec, "words"), { label: "label", ...FAST });

  it("DOMINATED: a strong honest signal is named, and no rule is claimed", async () => {
    const result = await whole({ truth: "signal", kind: "linear", r2: 0.95, rows: 300, features: 5 });
    expect([result.verdict, result.circular]).toEqual(["dominated", []]);
    expect(text(result)).toContain("label: DOMINATED by {x1}");
    expect(text(result)).toContain("no rule that was tried");
    expect(result.findings[0]!.reproduction?.extent ?? "none").toBe("none");
  });

  it("CIRCULAR: the sum of six of eight columns, with what was not tried", async () => {
    const result = await whole({ truth: "rule", kind: "sum of six", replaced: 0, rows: 300, features: 8 });
    const names = ["x1", "x2", "x3", "x4", "x5", "x6"];
    expect([result.verdict, [...result.circular].sort()]).toEqual(["circular", names]);
    const { tried, notTried, search } = result.findings[0]!;
    expect([search, tried.candidates, tried.sets + notTried.sets]).toEqual(["core", 8, 255]);
    expect(text(result)).toContain("A rule reproduces every label");
    expect(text(result)).toContain(`Not tried: ${notTried.sets} other sets`);
  });

  it("PARTIALLY: the counts of the sentence are those of the rows", async () => {
    const spec: LabelSpec = { truth: "rule", kind: "sum", replaced: 0.1, rows: 300, features: 5 };
    const result = await whole(spec);
    expect([result.verdict, [...result.circular].sort()]).toEqual(["partially circular", ["x1", "x2", "x3"]]);
    const [kept, changed] = [spec, { ...spec, replaced: 0 }].map((own) => values(simulateLabel(own, "words"), "label"));
    // the same seed draws the same features and weights, so that the unreplaced label is the rule
    const missed = kept!.filter((value, i) => Math.abs(value - changed![i]!) > 1e-9).length;
    expect(missed).toBeGreaterThan(10);
    expect(text(result)).toContain(`(all but ${missed} of 300)`);
  });

  it("a number of candidates is refused where they are named", async () => {
    const table = makeTable(["label", "x"].map((name) => [name, numericColumn([0, 1])]));
    await expect(testCircularity(table, { label: "label", features: ["x"], candidates: 3 })).rejects.toThrow(
      "option `candidates` has no effect where the features are named",
    );
  });

  it("features beyond the candidates are in the rules, and said not to be in the search by sets", async () => {
    const table = simulateLabel({ truth: "rule", kind: "sum of six", replaced: 0, rows: 300, features: 8 }, "beyond");
    const result = await testCircularity(table, { label: "label", candidates: 3, ...FAST });
    expect([result.verdict, result.circular.length]).toEqual(["circular", 6]);
    expect(result.findings[0]!.notTried.candidates).toHaveLength(5);
    expect(result.diagnostics.map(({ code }) => code)).toContain("NotCandidates");
  });
});

describe("columns", () => {
  const base = features();
  const a = values(base, "a");
  const graded = withLabel(base, (i) => Number(a[i]! > -1) + Number(a[i]! > 0) + Number(a[i]! > 1), "target");

  it("that cannot be features are left out with the reason", async () => {
    let table = withColumn(graded, "fixed", numericColumn(new Float64Array(N).fill(3)));
    table = withColumn(table, "empty", numericColumn(new Float64Array(N).fill(Number.NaN)));
    table = withColumn(table, "twin", table.columns.get("b")!);
    table = withColumn(table, "who", factorColumn(Array.from({ length: N }, (_, i) => `p${i}`)));
    const { findings, verdict } = await testCircularity(table, { label: "target", candidates: 2, ...FAST });
    expect(verdict).toBe("circular");
    expect(findings[0]!.leftOut.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "fixed constant",
      "empty missing",
      "twin duplicate",
      "who identifier",
    ]);
  });

  it("that look like other versions of the label are told from features on its scale", () => {
    const target = values(graded, "target");
    const rng = makeRng(12);
    const mostly = (): Float64Array => target.map((value) => (rng.uniform() < 0.1 ? rng.int(4) : value));
    let table = withColumn(graded, "mark_first", numericColumn(mostly()));
    table = withColumn(table, "mark_second", numericColumn(mostly()));
    table = withColumn(table, "score_first", numericColumn(target.map((value) => value + 0.2 * rng.normal())));
    table = withColumn(table, "severity", numericColumn(mostly()));
    table = withColumn(table, "score_length", numericColumn(target.map((value) => value + 0.2 * rng.normal())));
    expect(findLabelVersions(table, ["target"]).sort()).toEqual(["mark_first", "mark_second", "score_first"]);
  });

  it.each([
    [{ label: "targt" }, /targt/],
    [{ label: "target", features: ["a", "target"] }, /is the label/],
    [{ label: "target", family: "binomial" as const }, /needs a label of two values; target has 4 \(0, 1, 2, 3\)/],
    [{ label: "target", k: 2 }, /k is 2/],
    [{ label: "target", closeness: 2 }, /closeness of 2/],
    [{ label: "target", knots: { zz: 20 } }, /zz/],
    [{}, /neither a label nor predictions/],
  ])("are refused in one line: %j", async (options, message) => {
    await expect(testCircularity(graded, options)).rejects.toThrow(message);
  });

  it.each([
    ["a constant label", (): number => 1, /is 1 in every row/],
    ["a missing label", (): number => Number.NaN, /missing in every row/],
    ["too few labels", (i: number): number => (i < 20 ? i : Number.NaN), /only 20 rows/],
  ])("refuse %s", async (_, label, message) => {
    await expect(testCircularity(withLabel(base, label), { label: "label" })).rejects.toThrow(message);
  });

  it("refuse text with many classes and name a way out", async () => {
    const table = withColumn(base, "kind", factorColumn(Array.from({ length: N }, (_, i) => ["x", "y", "z"][i % 3]!)));
    await expect(testCircularity(table, { label: "kind" })).rejects.toThrow(/3 unordered classes/);
  });
});

describe("amplitudes", () => {
  it("are those of a straight line, over the central 95% of the feature", () => {
    const rng = makeRng(7);
    const x = Float64Array.from({ length: 500 }, () => rng.normal());
    const sorted = x.slice().sort();
    const { amplitudes } = circularityShapesTask.run(
      {
        formula: 'y ~ s(x0, bs = "cr", k = 8)',
        y: x.map((value) => 3 * value),
        columns: [["x0", numericColumn(x)]],
        family: "gaussian",
        method: "REML",
        wanted: ["x0"],
        confidence: 0.95,
      },
      rng,
    );
    expect(amplitudes[0]!.value).toBeCloseTo(3 * (quantile(sorted, 0.975) - quantile(sorted, 0.025)), 6);
  });

  it("of two classes is the mean difference of the predictions", () => {
    const group = factorColumn(Array.from({ length: 200 }, (_, i) => (i < 100 ? "u" : "v")));
    const y = Float64Array.from({ length: 200 }, (_, i) => Number(i < 100 ? i % 5 === 0 : i % 2 === 0));
    const { amplitudes } = circularityShapesTask.run(
      {
        formula: "y ~ x0",
        y,
        columns: [["x0", group]],
        family: "binomial",
        method: "GCV.Cp",
        wanted: ["x0"],
        confidence: 0.95,
      },
      makeRng(1),
    );
    expect(amplitudes[0]!.value).toBeCloseTo(0.3, 6);
  });
});

describe("print", () => {
  it("comes back from JSON as it was", async () => {
    const base = features(1, 300);
    const table = withLabel(base, (i) => Number(values(base, "a")[i]! > 0) + Number(values(base, "a")[i]! > 1));
    const result = await testCircularity(table, { label: "label", features: ["a", "b"], ...FAST });
    const text = String(result);
    expect(String(reviveResult(JSON.parse(JSON.stringify(result))))).toBe(text);
    expect(text).toContain("label: CIRCULAR in {a}");
    expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  });
});

it("a set that explains nothing was said to do as well as any that was tried", async () => {
  const rng = makeRng("null");
  const draw = (): number[] => Array.from({ length: 150 }, () => rng.normal());
  const table = makeTable([
    ["label", numericColumn(Array.from({ length: 150 }, () => rng.int(5)))],
    ...["a", "b", "c"].map((name) => [name, numericColumn(draw())] as const),
  ]);
  const result = await testCircularity(table, { label: "label", features: ["a", "b", "c"] });
  const [finding] = result.findings;
  expect([finding!.verdict, finding!.chosenBy]).toEqual(["not circular", "search"]);
  const best = Math.max(...finding!.models.map(({ d2 }) => d2));
  expect(best - finding!.chosen.d2).toBeLessThan(finding!.tolerance);
  expect(best).toBeGreaterThan(1.5 * finding!.chosen.d2);
  expect(result.toString().replace(/\s+/g, " ")).toContain(
    `A smallest set to which the other candidates add less than ${Number(finding!.tolerance.toPrecision(4))} of D²`,
  );
});
