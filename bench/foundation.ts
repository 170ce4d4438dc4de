/** Readers, linear models, distributions and kernels of the foundation. bench/foundation.R does the same work in R. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factorColumn, makeTable, numericColumn } from "../src/data/table.ts";
import { readCsv } from "../src/io/csv/csv.ts";
import { fitGlm } from "../src/models/glm/glm.ts";
import { fitLm } from "../src/models/lm/lm.ts";
import { normalCdf } from "../src/numeric/dist/normal.ts";
import { studentizedRangeCdf } from "../src/numeric/dist/studentized-range.ts";
import { tQuantile } from "../src/numeric/dist/t.ts";
import { fftInto } from "../src/numeric/fft.ts";
import { cholesky } from "../src/numeric/linalg/cholesky.ts";
import { crossprod, zeros } from "../src/numeric/linalg/matrix.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { best, report, warmUp } from "./support/stopwatch.ts";

const rng = makeRng("bench");

function csvBytes(rows: number): Uint8Array {
  const parts = ["system,item,rater,score,length,split\n"];
  for (let i = 0; i < rows; i++) {
    parts.push(
      `s${i % 7},item${i % 5000},r${i % 31},${rng.uniform().toFixed(6)},${rng.int(400)},${i % 3 ? "test" : "dev"}\n`,
    );
  }
  return new TextEncoder().encode(parts.join(""));
}

function readers(): void {
  const bytes = csvBytes(1_000_000);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const seconds = best(() => readCsv(bytes), 3);
  report("CSV, 1,000,000 rows x 6", seconds, {
    megabytes: bytes.length / 1e6,
    rssGrowthMb: (process.memoryUsage().rss - before) / 1e6,
  });
  const folder = mkdtempSync(join(tmpdir(), "gosset-bench-"));
  const path = join(folder, "million.csv");
  writeFileSync(path, bytes);
  const start = process.hrtime.bigint();
  const args = ["dist/bin/gosset.js", "fit", "lm", "score ~ system", path, "--quiet", "--json"];
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (status === 0)
    report("CLI: fit lm on 1,000,000 rows, from a cold start", Number(process.hrtime.bigint() - start) / 1e9);
  rmSync(folder, { recursive: true });
}

function models(): void {
  const n = 100_000;
  const columns: [string, ReturnType<typeof numericColumn>][] = [];
  for (let j = 1; j <= 8; j++)
    columns.push([`x${j}`, numericColumn(Float64Array.from({ length: n }, () => rng.normal()))]);
  const y = Float64Array.from({ length: n }, () => rng.normal());
  const hit = Float64Array.from({ length: n }, () => Number(rng.uniform() < 0.4));
  const g = factorColumn(Array.from({ length: n }, (_, i) => `g${i % 10}`));
  const table = makeTable([...columns, ["y", numericColumn(y)], ["hit", numericColumn(hit)], ["g", g]]);
  const terms = `${columns.map(([name]) => name).join(" + ")} + g`;
  const linear = (): unknown => fitLm(`y ~ ${terms}`, table);
  const logistic = (): unknown => fitGlm(`hit ~ ${terms}`, table, { family: "binomial" });
  // as for mixed models: the first fits of a process take two to three times as long, until their loops are compiled
  warmUp(linear);
  report("lm, 100,000 rows x 18 columns", best(linear, 5));
  warmUp(logistic);
  report("glm binomial, 100,000 rows x 18 columns", best(logistic, 3));
}

function kernels(): void {
  const A = zeros(300, 300);
  for (let j = 0; j < 300; j++)
    for (let i = 0; i < 300; i++) A.data[i + j * 300] = Math.exp(-Math.abs(i - j)) + (i === j ? 1 : 0);
  report(
    "Cholesky 300 x 300",
    best(() => cholesky(A), 30),
  );
  const X = zeros(100_000, 20);
  rng.fillNormal(X.data);
  report(
    "X'X, 100,000 x 20",
    best(() => crossprod(X), 10),
  );
  const re = new Float64Array(65_536);
  const im = new Float64Array(65_536);
  rng.fillNormal(re);
  report(
    "FFT, 65,536 points",
    best(() => fftInto(re, im), 10),
  );
  const x = new Float64Array(1_000_000);
  rng.fillNormal(x);
  // a plain loop: what `reduce` costs is not the function's
  const sum = (values: Float64Array, f: (v: number) => number): number => {
    let total = 0;
    for (let i = 0; i < values.length; i++) total += f(values[i]!);
    return total;
  };
  report(
    "pnorm, 1,000,000 values",
    best(() => sum(x, normalCdf), 5),
  );
  const p = x.subarray(0, 100_000).map(normalCdf);
  report(
    "qt, 100,000 values",
    best(() => sum(p, (v) => tQuantile(v, 7.3)), 5),
  );
  report(
    "ptukey, 100 values",
    best(() => {
      for (let i = 1; i <= 100; i++) studentizedRangeCdf(i / 15, 5, 12.5);
    }, 5),
  );
  report(
    "normal draws, 1,000,000",
    best(() => rng.fillNormal(x), 5),
  );
}

readers();
models();
kernels();
