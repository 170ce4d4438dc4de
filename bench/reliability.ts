/** Variance components and agreement; bench/reliability.R fits the same grid with lme4. The grid is read from ../shared where it is. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { makeTable, numericColumn, type Table } from "../src/data/table.ts";
import { filterRows } from "../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../src/io/csv/csv.ts";
import { fitLmm } from "../src/models/lmm/lmm.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { measureAgreement } from "../src/reliability/agreement/agreement.ts";
import { measureReliability } from "../src/reliability/generalizability/generalizability.ts";
import { best, report } from "./support/stopwatch.ts";

const GRID = "../shared/data/riezler2021/mt_grid_full.csv.gz";
const FACETS = ["learning_rate", "seed", "decoder_dropout", "decoder_dropout_hidden", "encoder_dropout"];

/** Table 3.11: 168,642 scores, six components. */
function fullGrid(): void {
  if (!existsSync(GRID)) {
    process.stderr.write("bench: no ../shared, the grid is left out\n");
    return;
  }
  const { table } = readCsv(gunzipSync(readFileSync(GRID)), { name: GRID, factors: ["sentence_id", ...FACETS] });
  const rows = filterRows(table, "delta_scheme == '(-0.5:0.5)'");
  const options = { score: "ter", object: "sentence_id", facets: FACETS } as const;
  const components = (): unknown => measureReliability(rows, { ...options, intervals: "none" });
  report("Table 3.11: six components", best(components, 3));
  const formula = `ter ~ 1 + ${["sentence_id", ...FACETS].map((name) => `(1 | ${name})`).join(" + ")}`;
  const fit = (): unknown => fitLmm(formula, rows, { ddf: "none" });
  report("Table 3.11: the fit alone", best(fit, 3));
  report(
    "Table 3.11: with intervals and what-if",
    best(() => measureReliability(rows, options), 2),
  );
}

/** Five-point ratings by as many raters for every item. */
function ratings(items: number, raters: number): Table {
  const rng = makeRng("agreement-bench");
  const n = items * raters;
  const [item, rater, y] = [new Int32Array(n), new Int32Array(n), new Float64Array(n)];
  for (let u = 0; u < items; u++) {
    const truth = rng.normal();
    for (let r = 0; r < raters; r++) {
      const k = u * raters + r;
      item[k] = u;
      rater[k] = r;
      y[k] = Math.max(1, Math.min(5, Math.round(3 + truth + 0.7 * rng.normal())));
    }
  }
  const names = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));
  return makeTable([
    ["item", { kind: "factor", codes: item, levels: names(items), ordered: false }],
    ["rater", { kind: "factor", codes: rater, levels: names(raters), ordered: false }],
    ["y", numericColumn(y)],
  ]);
}

function agreement(): void {
  const table = ratings(100_000, 20);
  for (const scale of ["nominal", "ordinal"] as const) {
    const run = (): unknown =>
      measureAgreement(table, { item: "item", rater: "rater", label: "y", scale, rng: makeRng(1) });
    report(`agreement: 100,000 x 20, ${scale}, 1000 replicates`, best(run, 2));
  }
}

fullGrid();
agreement();
