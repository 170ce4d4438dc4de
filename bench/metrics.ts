/** BLEU, chrF, chrF++ and TER of 3,004 made-up sentences, and sacreBLEU on the same text where it is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scoreOf } from "../src/metrics/metric.ts";
import { prepareText } from "../src/metrics/score-text.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { best, report, warmUp } from "./support/stopwatch.ts";

const SENTENCES = 3004;
const rng = makeRng("metrics");

/** Words with frequencies that fall as 1/rank, as in language. */
const drawWord = (): string => `w${Math.floor(Math.exp(rng.uniform() * Math.log(20_000))).toString(36)}`;

function makeSentence(): string[] {
  return Array.from({ length: 5 + rng.int(35) }, drawWord);
}

/** Words changed, dropped and a block moved, so that about half of the text still matches. */
function disturb(words: readonly string[]): string[] {
  const kept = words.filter(() => rng.uniform() > 0.1).map((word) => (rng.uniform() < 0.3 ? drawWord() : word));
  const cut = rng.int(kept.length + 1);
  const length = rng.int(4);
  const block = kept.splice(cut, length);
  kept.splice(rng.int(kept.length + 1), 0, ...block);
  return kept;
}

const references = Array.from({ length: SENTENCES }, makeSentence);
const hypotheses = references.map((words) => `${disturb(words).join(" ")}.`);
const wanted = references.map((words) => `${words.join(" ")}.`);

const folder = mkdtempSync(join(tmpdir(), "gosset-bench-"));
writeFileSync(join(folder, "hypothesis.txt"), hypotheses.join("\n"));
writeFileSync(join(folder, "reference.txt"), wanted.join("\n"));
const python = spawnSync("python3", ["oracle/python/metrics-bench.py", folder], { encoding: "utf8" });
rmSync(folder, { recursive: true });
const theirs: Record<string, { seconds: number; score: number }> = python.status === 0 ? JSON.parse(python.stdout) : {};

for (const metric of ["bleu", "chrf", "chrf++", "ter"] as const) {
  const run = () => scoreOf(prepareText([wanted], { metric }).statisticsOf(hypotheses));
  warmUp(run);
  const seconds = best(run);
  const problem = `${metric}, ${SENTENCES} sentences, with preparation`;
  report(problem, seconds, { score: run() });
  const other = theirs[metric];
  if (other !== undefined) report(problem, other.seconds, { score: other.score, tool: "sacrebleu" });
}
