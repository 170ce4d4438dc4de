/** `compare` as the command runs it, without flags, from the file to the printed answer: the two waits that users complained of. The
 *  first reads ../shared where it is. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { importFiles } from "../src/io/import.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { compare } from "../src/significance/compare/compare.ts";
import { bestAsync, report } from "./support/stopwatch.ts";

const CLI = "dist/bin/gosset.js";
const MQM = "../shared/logs/wmt_mqm/mqm_ted_ende.tsv.gz";

async function answer(name: string, bytes: Uint8Array, options = {}): Promise<string> {
  return compare(await importFiles([{ name, bytes }]), { details: false, ...options }).toString();
}

/** 7,935 ratings of 14 systems: 91 pairs in a mixed model of five random terms, held against 4 raters and 5 documents. */
async function manySystems(): Promise<void> {
  if (!existsSync(MQM)) {
    process.stderr.write("bench: no ../shared, the ratings are left out\n");
    return;
  }
  const bytes = readFileSync(MQM);
  report(
    "compare: MQM, 14 systems, by the CLI",
    await bestAsync(async () => void spawnSync("node", [CLI, "compare", MQM]), 5),
  );
  report("compare: MQM, 14 systems, first run", await bestAsync(() => answer("mqm.tsv.gz", bytes), 1));
  report("compare: MQM, 14 systems, warm", await bestAsync(() => answer("mqm.tsv.gz", bytes), 3));
}

/** 0/1 scores of two systems on 100,000 items of 20 topics. */
function longTable(items: number): Uint8Array {
  const rng = makeRng("compare-bench");
  const lines = ["model,id,topic,score"];
  for (let i = 0; i < items; i++) {
    const level = rng.normal();
    for (const [model, effect] of [
      ["A", 0],
      ["B", 0.05],
    ] as const) {
      lines.push(`${model},q${i},t${i % 20},${level + effect + rng.normal() > 0 ? 1 : 0}`);
    }
  }
  return new TextEncoder().encode(lines.join("\n"));
}

async function byTopic(): Promise<void> {
  const bytes = longTable(100_000);
  const run = (): Promise<string> => answer("long.csv", bytes, { by: "topic" });
  report("compare: 200,000 rows by topic", await bestAsync(run, 2));
}

await manySystems();
await byTopic();
