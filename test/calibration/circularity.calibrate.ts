/** How often the circularity test is right: labels with and without a rule, over noise, distractors and rows. And the verdicts on the
 *  liver, kidney and patent examples. Minutes, so not among the tests. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { mutateTable } from "../../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../../src/io/csv/csv.ts";
import { binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import {
  type CircularityOptions,
  type CircularityResult,
  testCircularity,
} from "../../src/validity/circularity/circularity.ts";
import { hasShared, sharedPath } from "../support/oracle.ts";

const RUNS = Number(process.env.CIRCULARITY_RUNS ?? 100);

interface Cell {
  readonly kind: "one" | "two" | "none";
  /** Share of labels replaced by chance; for "none" the share of the variance that is noise. */
  readonly noise: number;
  readonly distractors: number;
  readonly rows: number;
}

/** x1 (and x2) carry the rule; half of the distractors go with x1, r = .7. */
function simulate({ kind, noise, distractors, rows }: Cell, rng: Rng): Table {
  const draw = (): Float64Array => Float64Array.from({ length: rows }, () => rng.normal());
  const [x1, x2] = [draw(), draw()];
  const others = Array.from({ length: distractors }, (_, j) => {
    const own = draw();
    return j % 2 === 0 ? own.map((value, i) => 0.7 * x1[i]! + Math.sqrt(0.51) * value) : own;
  });
  const label = Float64Array.from({ length: rows }, (_, i) => {
    if (kind === "none") {
      const signal = (x1[i]! + x2[i]!) / Math.SQRT2;
      return Math.sqrt(1 - noise) * signal + Math.sqrt(noise) * rng.normal();
    }
    if (rng.uniform() < noise) return rng.int(4);
    const first = Number(x1[i]! > -1) + Number(x1[i]! > 0) + Number(x1[i]! > 1);
    return kind === "one" ? first : Math.max(first, 3 * Number(x2[i]! < -1));
  });
  return makeTable([
    ["x1", numericColumn(x1)],
    ["x2", numericColumn(x2)],
    ...others.map((values, j) => [`d${j + 1}`, numericColumn(values)] as const),
    ["label", numericColumn(label)],
  ]);
}

const cells: Cell[] = [
  ...[0, 0.01, 0.05, 0.1].map((noise): Cell => ({ kind: "one", noise, distractors: 4, rows: 1000 })),
  ...[200, 5000].map((rows): Cell => ({ kind: "one", noise: 0, distractors: 4, rows })),
  { kind: "one", noise: 0, distractors: 10, rows: 1000 },
  ...[0, 0.01, 0.05].map((noise): Cell => ({ kind: "two", noise, distractors: 4, rows: 1000 })),
  { kind: "two", noise: 0, distractors: 4, rows: 200 },
  { kind: "two", noise: 0, distractors: 4, rows: 5000 },
  ...[0.2, 0.3, 0.5, 1].map((noise): Cell => ({ kind: "none", noise, distractors: 4, rows: 1000 })),
  { kind: "none", noise: 0.5, distractors: 4, rows: 200 },
  { kind: "none", noise: 0.5, distractors: 10, rows: 1000 },
];

describe("simulated labels", () => {
  for (const cell of cells) {
    const { kind, noise, distractors, rows } = cell;
    it(`${kind} rule, noise ${noise}, ${distractors} distractors, ${rows} rows`, async () => {
      const counts = { set: 0, partial: 0, circular: 0 };
      const want = { one: "x1", two: "x1,x2", none: "" }[kind];
      for (let run = 0; run < RUNS; run++) {
        const table = simulate(cell, makeRng("circularity", run));
        const { verdict, circular } = await testCircularity(table, { label: "label", basis: "cr" });
        if (verdict === "circular") counts.circular += 1;
        if (verdict === "partially circular") counts.partial += 1;
        if ([...circular].sort().join() === want) counts.set += 1;
      }
      process.stdout.write(`${JSON.stringify({ ...cell, runs: RUNS, ...counts })}\n`);
      if (kind === "none") {
        // a false alarm rate of 5% or more would give so few with a chance below 1 in 1000
        expect(binomialSf(counts.circular - 1, RUNS, 0.05)).toBeGreaterThan(0.001);
      } else if (noise <= 0.01 && rows >= 1000) {
        expect(counts.circular / RUNS).toBeGreaterThanOrEqual(0.95);
        expect(counts.set / RUNS).toBeGreaterThanOrEqual(0.95);
      }
    });
  }
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
