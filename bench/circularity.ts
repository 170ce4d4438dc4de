/** The circularity search on the liver data (80,671 rows): 31 models of five candidates, one of them with 100 spline functions, then
 *  refinement, rule and nullification. `seconds` is processor time on one thread; two threads share the models about evenly.
 *  R (mgcv 1.8-41, OpenBLAS, one thread) takes 28 s for the 31 models with k = 10. Needs ../shared. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readCsv } from "../src/io/csv/csv.ts";
import { testCircularity } from "../src/validity/circularity/circularity.ts";
import { report } from "./support/stopwatch.ts";

const FILE = new URL("../../shared/data/riezler2021/liver_testset.csv.gz", import.meta.url);
const FEATURES = ["bili", "asat", "quinr", "thrombo", "alat"];

async function time(problem: string, knots: Readonly<Record<string, number>>): Promise<void> {
  const { table } = readCsv(new Uint8Array(gunzipSync(readFileSync(FILE))));
  const start = process.cpuUsage();
  const { verdict, circular } = await testCircularity(table, { label: "target", features: FEATURES, knots });
  const { user, system } = process.cpuUsage(start);
  report(problem, (user + system) / 1e6, { verdict, circular });
}

if (existsSync(FILE)) {
  await time("liver, 5 candidates, k = 10", {});
  await time("liver, 5 candidates, k = 100 for bilirubin", { bili: 100 });
}
