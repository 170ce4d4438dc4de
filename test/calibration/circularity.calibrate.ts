/** How often the circularity test is right: labels with and without a rule, over noise, distractors and rows. And the verdicts on the
 *  liver, kidney and patent examples. Minutes, so not among the tests. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Table } from "../../src/data/table.ts";
import { mutateTable } from "../../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../../src/io/csv/csv.ts";
import { binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng } from "../../src/numeric/rng.ts";
import {
  type CircularityOptions,
  type CircularityResult,
  testCircularity,
} from "../../src/validity/circularity/circularity.ts";
import { chooseRule } from "../../src/validity/circularity/reproduction.ts";
import { findRules } from "../../src/validity/circularity/rules.ts";
import { type LabelSpec, RULE_KINDS, SIGNAL_KINDS, simulateLabel } from "../support/label-bank.ts";
import { hasShared, sharedPath } from "../support/oracle.ts";

/** Most labels of each cell, and minutes of each of the parts, whichever is over first. */
const RUNS = Number(process.env.CIRCULARITY_RUNS ?? 4);
const MINUTES = Number(process.env.CIRCULARITY_MINUTES ?? Number.POSITIVE_INFINITY);
/** Seeds of the halves "choose" and "show" were looked at when the bounds were set, those of "held back" are the tables of the docs. */
const HALF = process.env.CIRCULARITY_HALF ?? "held back";

const REPLACED = [0, 0.01, 0.05, 0.1, 0.2];
const R2 = [0.5, 0.8, 0.9, 0.95, 0.99];
const labelsOf = (rows: number, features: number): LabelSpec[] => [
  ...RULE_KINDS.flatMap((kind) =>
    REPLACED.map((replaced): LabelSpec => ({ truth: "rule", kind, replaced, rows, features })),
  ),
  ...SIGNAL_KINDS.flatMap((kind) => R2.map((r2): LabelSpec => ({ truth: "signal", kind, r2, rows, features }))),
];
/** In an order that leaves a fair sample where the minutes end a round. */
const cells = shuffled([200, 500, 2000].flatMap((rows) => [4, 8, 12].flatMap((features) => labelsOf(rows, features))));

function shuffled<T>(all: readonly T[]): T[] {
  const order = Int32Array.from(all.keys());
  makeRng("order of cells").shuffleInto(order);
  return Array.from(order, (i) => all[i]!);
}

const seedOf = (spec: LabelSpec, run: number): string => `${HALF} ${run} ${JSON.stringify(spec)}`;

/** One label of every cell, then a second one, until the labels or the minutes are used up. */
function* rounds<T>(all: readonly T[], runs: number): Generator<readonly [T, number]> {
  const start = performance.now();
  for (let run = 0; run < runs; run++) {
    for (const one of all) {
      if (performance.now() - start > 60_000 * MINUTES) return;
      yield [one, run];
    }
  }
}

/** Counts by what the rows of the table are told apart by, printed when all is done. */
class Counts {
  readonly all = new Map<string, Map<string, number>>();
  add(by: string, verdict: string): void {
    const own = this.all.get(by) ?? new Map<string, number>();
    own.set(verdict, (own.get(verdict) ?? 0) + 1);
    this.all.set(by, own);
  }
  total(test: (by: string) => boolean, verdict?: string): number {
    let sum = 0;
    for (const [by, own] of this.all) {
      if (!test(by)) continue;
      for (const [told, count] of own) if (verdict === undefined || told === verdict) sum += count;
    }
    return sum;
  }
  print(): void {
    for (const [by, own] of this.all) process.stdout.write(`${by}: ${JSON.stringify(Object.fromEntries(own))}\n`);
  }
}

const shareOf = (spec: LabelSpec): string => (spec.truth === "rule" ? `replaced ${spec.replaced}` : `R² ${spec.r2}`);

/** What the search for rules says, which alone decides between circular, partially circular and neither, sums of several curves aside. */
function extentOf(table: Table): "whole" | "part" | "none" {
  const label = table.columns.get("label")!;
  const y = label.kind === "numeric" ? label.values : Float64Array.from(label.codes);
  const features = [...table.columns].filter(([name]) => name !== "label").map(([name, column]) => ({ name, column }));
  const { rules, scale } = findRules("label", y, { features, sets: [] });
  return chooseRule(rules, scale)?.reproduction.extent ?? "none";
}

/** Labels that a decision by D² alone got wrong: 500 rows, 6 features. */
const once: { readonly name: string; readonly table: (run: number) => Table; readonly verdict: RegExp }[] = [
  ...([0.85, 0.9, 0.95, 0.99] as const).flatMap((r2) =>
    (["linear", "three features"] as const).map((kind) => ({
      name: `signal ${kind}, R² ${r2}`,
      table: (run: number) => drawn({ truth: "signal", kind, r2, rows: 500, features: 6 }, run),
      verdict: /^(none|dominated|not circular)$/,
    })),
  ),
  ...(["sum of six", "product"] as const).map((kind) => ({
    name: `rule ${kind}`,
    table: (run: number) => drawn({ truth: "rule", kind, replaced: 0, rows: 500, features: 6 }, run),
    verdict: /^(whole|circular)$/,
  })),
  ...["label = x1 * x4", "label = x3 + x1 * x2", "label = x1 * x2 > 0"].map((formula) => ({
    name: `rule ${formula}`,
    table: (run: number) =>
      mutateTable(drawn({ truth: "rule", kind: "product", replaced: 0, rows: 500, features: 6 }, run), formula),
    verdict: /^(whole|circular)$/,
  })),
  {
    name: "rule threshold, 5% replaced",
    table: (run) => drawn({ truth: "rule", kind: "threshold", replaced: 0.05, rows: 500, features: 6 }, run),
    verdict: /^(part|partially circular)$/,
  },
];
const drawn = (spec: LabelSpec, run: number): Table => simulateLabel(spec, `once ${seedOf(spec, run)}`);

async function judgeOnce(runs: number, judge: (table: Table) => Promise<string> | string): Promise<void> {
  const counts = new Counts();
  const wrong = new Counts();
  for (const [{ name, table, verdict: expected }, run] of rounds(once, runs)) {
    const verdict = await judge(table(run));
    counts.add(name, verdict);
    if (!expected.test(verdict)) wrong.add(name, verdict);
  }
  counts.print();
  for (const { name } of once) {
    const by = (other: string): boolean => other === name;
    // so many wrong ones would be rare if one in twenty were
    expect(binomialSf(wrong.total(by) - 1, counts.total(by), 0.05), name).toBeGreaterThan(0.001);
  }
}

describe(`labels of 500 rows and 6 features that were judged wrongly once, half "${HALF}"`, () => {
  it("are judged rightly by their rows", { timeout: 0 }, () => judgeOnce(25, extentOf));
  it("are judged rightly by the whole test with its defaults", { timeout: 0 }, () =>
    judgeOnce(RUNS, async (table) => (await testCircularity(table, { label: "label" })).verdict),
  );
});

describe(`rules and signals, half "${HALF}"`, () => {
  it("are told apart", { timeout: 0 }, () => {
    const counts = new Counts();
    for (const [spec, run] of rounds(cells, RUNS)) {
      const extent = extentOf(simulateLabel(spec, seedOf(spec, run)));
      counts.add(`${spec.truth} ${spec.kind}, ${shareOf(spec)}`, extent);
      counts.add(`  ${spec.truth} of ${spec.rows} rows, ${shareOf(spec)}`, extent);
      counts.add(`  ${spec.truth} in ${spec.features} features, ${shareOf(spec)}`, extent);
    }
    counts.print();
    const signals = (by: string): boolean => by.startsWith("signal");
    // a false alarm rate of 1% or more would give so few with a chance below 1 in 1000
    expect(binomialSf(counts.total(signals, "whole") - 1, counts.total(signals), 0.01)).toBeGreaterThan(0.001);
    expect(binomialSf(counts.total(signals, "part") - 1, counts.total(signals), 0.02)).toBeGreaterThan(0.001);
    const exact = (by: string): boolean => by.startsWith("rule") && by.endsWith("replaced 0");
    expect(counts.total(exact, "whole") / counts.total(exact)).toBeGreaterThan(0.95);
  });
});

describe(`the whole test on labels of 500 rows and 6 features, half "${HALF}"`, () => {
  it("gives the four verdicts", { timeout: 0 }, async () => {
    const counts = new Counts();
    for (const [spec, run] of rounds(labelsOf(500, 6), RUNS)) {
      const table = simulateLabel(spec, seedOf(spec, run));
      const { verdict } = await testCircularity(table, { label: "label", basis: "cr" });
      counts.add(`${spec.truth} ${spec.kind}, ${shareOf(spec)}`, verdict);
    }
    counts.print();
    const signals = (by: string): boolean => by.startsWith("signal");
    expect(binomialSf(counts.total(signals, "circular") - 1, counts.total(signals), 0.01)).toBeGreaterThan(0.001);
  });
});

interface Example {
  readonly file: string;
  readonly options: CircularityOptions;
  readonly verdict: CircularityResult["verdict"];
  readonly set?: string;
}

const citations = "cited_examiner,cited_family,cited_inventor";
const examples: Example[] = [
  { file: "liver", options: { label: "target" }, verdict: "circular", set: "bili" },
  { file: "liver", options: { predictions: ["sofa_circ"] }, verdict: "circular", set: "bili" },
  { file: "liver", options: { predictions: ["score_circ"] }, verdict: "circular", set: "bili" },
  { file: "liver", options: { predictions: ["sofa_nocirc"] }, verdict: "not circular" },
  { file: "liver", options: { predictions: ["score_nocirc"] }, verdict: "not circular" },
  { file: "kidney", options: { label: "target" }, verdict: "circular", set: "crea,urine24" },
  { file: "kidney", options: { predictions: ["sofa_circ"] }, verdict: "circular", set: "crea,urine24" },
  { file: "kidney", options: { predictions: ["score_circ"] }, verdict: "circular", set: "crea,urine24" },
  // trained without bilirubin, which has no part in the kidney score: as circular as the other
  { file: "kidney", options: { predictions: ["sofa_nocirc"] }, verdict: "circular", set: "crea,urine24" },
  { file: "ir", options: { label: "relevance", exclude: ["hit"] }, verdict: "circular", set: citations },
  { file: "ir", options: { label: "hit", exclude: ["relevance"] }, verdict: "circular", set: citations },
  { file: "ir", options: { label: "relevance", features: ["score_neural", "score_tfIdf"] }, verdict: "not circular" },
];

describe.skipIf(!hasShared)("liver, kidney and patents (needs ../shared)", () => {
  const read = (file: string): Table => {
    const bytes = gunzipSync(readFileSync(sharedPath(`data/riezler2021/${file}_testset.csv.gz`)));
    const { table } = readCsv(new Uint8Array(bytes));
    return file === "ir" ? mutateTable(table, "hit = relevance > 0") : table;
  };
  for (const { file, options, verdict, set } of examples) {
    it(`${file} ${JSON.stringify(options)}: ${verdict}`, async () => {
      const result = await testCircularity(read(file), options);
      expect(result.verdict).toBe(verdict);
      if (set !== undefined) expect([...result.circular].sort().join()).toBe(set);
    });
  }
});
