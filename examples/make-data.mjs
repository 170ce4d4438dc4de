/**
 * Makes the example data of this folder, from a seed: the same bytes on every machine.
 *   npm run build && node examples/make-data.mjs
 */
import { renameSync, writeFileSync } from "node:fs";
import { makeRng } from "../dist/index.js";

const rng = makeRng("assay-examples");

function write(name, text) {
  const path = new URL(`./data/${name}`, import.meta.url);
  const temporary = new URL(`./data/${name}.tmp`, import.meta.url);
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Human ratings of summaries on a 1-5 scale: 3 systems, 40 articles, 9 raters, each article read by 3 of them. */
function summaries() {
  const draw = rng.stream(1);
  const gain = { baseline: 0, "rank-loss": 0.18, retrieval: 0.45 };
  const rater = Array.from({ length: 9 }, () => 0.45 * draw.normal());
  const rows = ["system,article,rater,rating,words,domain"];
  for (let article = 1; article <= 40; article++) {
    const quality = 0.6 * draw.normal();
    const words = 180 + draw.int(900);
    const domain = draw.uniform() < 0.5 ? "news" : "science";
    const panel = new Int32Array(9).map((_, i) => i);
    draw.shuffleInto(panel);
    for (const [system, effect] of Object.entries(gain)) {
      for (const r of panel.slice(0, 3)) {
        const latent = 3.1 + effect + quality + rater[r] - 0.0006 * (words - 600) + 0.7 * draw.normal();
        const rating = Math.min(5, Math.max(1, Math.round(latent)));
        rows.push([system, `a${String(article).padStart(2, "0")}`, `r${r + 1}`, rating, words, domain].join(","));
      }
    }
  }
  write("summaries.csv", `${rows.join("\n")}\n`);
}

/** Right and wrong answers of two systems on the same 300 questions about 60 passages. */
function questions() {
  const draw = rng.stream(2);
  const lines = [];
  for (let passage = 1; passage <= 60; passage++) {
    const hardness = 0.8 * draw.normal();
    for (let k = 1; k <= 5; k++) {
      const question = 0.9 * draw.normal();
      for (const [system, skill] of [
        ["small", 0.7],
        ["large", 1.05],
      ]) {
        const p = 1 / (1 + Math.exp(-(skill - hardness - question)));
        const item = `p${String(passage).padStart(2, "0")}q${k}`;
        lines.push(
          JSON.stringify({
            system,
            item,
            passage: `p${String(passage).padStart(2, "0")}`,
            correct: draw.uniform() < p ? 1 : 0,
          }),
        );
      }
    }
  }
  write("questions.jsonl", `${lines.join("\n")}\n`);
}

summaries();
questions();
