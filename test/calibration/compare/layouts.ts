/** Further layouts in which people keep results, each written as text and read by the importer. The systems never differ. */
import type { Imported } from "../../../src/data/imported.ts";
import { makeTable, numericColumn, type Table } from "../../../src/data/table.ts";
import { importFiles } from "../../../src/io/import.ts";
import type { Rng } from "../../../src/numeric/rng.ts";
import type { NamedImport } from "../../../src/study/merge.ts";
import {
  answerRows,
  type BinaryDesign,
  dataSetRows,
  logistic,
  type RatedDesign,
  type Row,
  ratingRows,
  readCsv,
  tableOf,
} from "./draw.ts";

const NAMES = ["base", "ours"] as const;
const nameOf = ({ system }: Row): string => NAMES[system === "A" ? 0 : 1];
const exponential = (rng: Rng): number => -Math.log1p(-rng.uniform());
const clamp = (y: number, from: number, to: number): number => Math.min(to, Math.max(from, Math.round(y)));

/** Several files as the command reads them. */
const readFiles = (files: readonly (readonly [name: string, lines: readonly string[]])[]): Promise<NamedImport[]> =>
  Promise.all(
    files.map(async ([name, lines]) => ({
      path: name,
      imported: await importFiles([{ name, bytes: new TextEncoder().encode(`${lines.join("\n")}\n`) }]),
    })),
  );

function grouped<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const own = groups.get(key(one));
    if (own === undefined) groups.set(key(one), [one]);
    else own.push(one);
  }
  return groups;
}

/** BLEU, WER and latency of each sentence, one below the other. */
export function longMetrics(rng: Rng, items: number): Promise<Imported> {
  const lines = ["sentence,model,metric,value"];
  for (let i = 0; i < items; i++) {
    const ease = rng.normal();
    for (const name of NAMES) {
      const level = ease + 0.7 * rng.normal();
      lines.push(`s${i},${name},bleu,${(100 * logistic(level - 0.5)).toFixed(1)}`);
      lines.push(`s${i},${name},wer,${Math.exp(-1 - 0.5 * level).toFixed(3)}`);
      lines.push(`s${i},${name},latency_ms,${Math.round(400 * Math.exp(0.6 * rng.normal()))}`);
    }
  }
  return readCsv(lines);
}

/** Right and wrong answers in tasks of these sizes. */
export function taskedAnswers(rng: Rng, sizes: readonly number[]): Promise<Imported> {
  const lines = ["task,question_id,model,correct"];
  sizes.forEach((items, t) => {
    for (const row of answerRows(rng, { items, interaction: 0.5 }, 0))
      lines.push(`task${t},t${t}-${row.item},${nameOf(row)},${row.score}`);
  });
  return readCsv(lines);
}

/** Few prompts, each tried often, which lean to one system or the other. */
export function manyTries(rng: Rng, prompts: number, tries: number): Promise<Imported> {
  const rows = answerRows(rng, { items: prompts, repeats: tries, interaction: 0.7 }, 0);
  return readCsv([
    "prompt_id,model,try,passed",
    ...rows.map((row) => `${row.item},${nameOf(row)},${row.epoch},${row.score}`),
  ]);
}

/** Scores of a system in a column for each run. */
export function runColumns(rng: Rng, design: BinaryDesign): Promise<Imported> {
  const cells = grouped(answerRows(rng, design, 0), (row) => `${row.item},${nameOf(row)}`);
  const names = Array.from({ length: design.runs! }, (_, k) => `seed${k + 1}`);
  return readCsv([
    `item,system,${names.join(",")}`,
    ...[...cells].map(([key, rows]) => `${key},${rows.map(({ score }) => score).join(",")}`),
  ]);
}

/** A column for each system. */
export function wideAnswers(rng: Rng, items: number): Promise<Imported> {
  const cells = grouped(answerRows(rng, { items, interaction: 0.5 }, 0), ({ item }) => item);
  return readCsv([
    "question_id,gpt_correct,claude_correct",
    ...[...cells].map(([item, rows]) => `${item},${rows.map(({ score }) => score).join(",")}`),
  ]);
}

const WORDS = ["very bad", "bad", "neutral", "good", "very good"];

/** Ratings in words. */
export function wordedRatings(rng: Rng, design: RatedDesign): Promise<Imported> {
  const rows = ratingRows(rng, design, 0);
  return readCsv([
    "item,system,annotator,quality",
    ...rows.map((row) => `${row.item},${nameOf(row)},${row.rater},${WORDS[row.score - 1]}`),
  ]);
}

/** A column for each rater. */
export function raterColumns(rng: Rng, design: RatedDesign): Promise<Imported> {
  const cells = grouped(ratingRows(rng, design, 0), (row) => `${row.item},${nameOf(row)}`);
  const names = Array.from({ length: design.raters }, (_, k) => `annotator_${k + 1}`);
  return readCsv([
    `segment,system,${names.join(",")}`,
    ...[...cells].map(([key, rows]) => `${key},${rows.map(({ score }) => score).join(",")}`),
  ]);
}

/** A file for each annotator, or run, or system. */
export function filesOf(rng: Rng, by: "annotator" | "seed" | "system"): Promise<NamedImport[]> {
  if (by === "annotator") {
    const rows = ratingRows(rng, { items: 30, raters: 4, who: "crossed", raterSd: 0.4 }, 0);
    const files = [...grouped(rows, (row) => `annotator_${row.rater}.csv`)];
    return readFiles(
      files.map(([name, own]) => [
        name,
        ["item,system,rating", ...own.map((row) => `${row.item},${nameOf(row)},${row.score}`)],
      ]),
    );
  }
  const rows = answerRows(rng, { items: 150, interaction: 0.4, ...(by === "seed" ? { runs: 3, runSd: 0.3 } : {}) }, 0);
  const files = [
    ...grouped(rows, (row) =>
      by === "seed" ? `${nameOf(row)}.seed${String(row.seed).slice(1)}.csv` : `${nameOf(row)}.csv`,
    ),
  ];
  return readFiles(files.map(([name, own]) => [name, ["id,correct", ...own.map((row) => `${row.item},${row.score}`)]]));
}

/** Left, right or tie, of outputs shown in random order. */
export function sidedVotes(
  rng: Rng,
  { prompts, raters, ties }: { readonly prompts: number; readonly raters: number; readonly ties: number },
): Promise<Imported> {
  const lean = Array.from({ length: prompts }, () => 0.7 * rng.normal());
  const taste = Array.from({ length: raters }, () => 0.4 * rng.normal());
  const lines = ["prompt_id,annotator,left,right,choice"];
  for (let p = 0; p < prompts; p++)
    for (let r = 0; r < raters; r++) {
      const swap = rng.uniform() < 0.5;
      const second = rng.uniform() < logistic(lean[p]! + taste[r]!);
      const choice = rng.uniform() < ties ? "tie" : second === swap ? "left" : "right";
      lines.push(`p${p},r${r},${swap ? "ours,base" : "base,ours"},${choice}`);
    }
  return readCsv(lines);
}

/** From -3 (the first much better) to 3. */
export function gradedVotes(rng: Rng, prompts: number, raters: number): Promise<Imported> {
  const lean = Array.from({ length: prompts }, () => 0.6 * rng.normal());
  // what one rater prefers is what one rater's votes are about
  const taste = Array.from({ length: raters }, () => (raters > 1 ? 0.4 : 0) * rng.normal());
  const lines = ["prompt_id,annotator,model_a,model_b,preference"];
  const GRADES = [
    "A much better",
    "A better",
    "A slightly better",
    "tie",
    "B slightly better",
    "B better",
    "B much better",
  ];
  for (let p = 0; p < prompts; p++)
    for (let r = 0; r < raters; r++) {
      const swap = rng.uniform() < 0.5;
      const grade = clamp(lean[p]! + taste[r]! + 1.2 * rng.normal(), -3, 3);
      lines.push(`p${p},r${r},${swap ? "ours,base" : "base,ours"},${GRADES[3 + (swap ? -grade : grade)]}`);
    }
  return readCsv(lines);
}

const FOUR = ["ant", "bee", "cat", "dog"];

/** How much each rater likes each of the systems on each item. */
function liking(rng: Rng, items: number, raters: number, systems: number): number[][][] {
  const taste = Array.from({ length: raters }, () => Array.from({ length: systems }, () => 0.4 * rng.normal()));
  return Array.from({ length: items }, () => {
    const own = Array.from({ length: systems }, () => 0.6 * rng.normal());
    return taste.map((tastes) => own.map((level, s) => level + tastes[s]! + rng.normal()));
  });
}

export function bestWorst(rng: Rng, items: number, raters: number): Promise<Imported> {
  const lines = ["item,annotator,option1,option2,option3,option4,best,worst"];
  liking(rng, items, raters, 4).forEach((all, i) => {
    all.forEach((own, r) => {
      const order = [0, 1, 2, 3].sort((a, b) => own[b]! - own[a]!);
      lines.push(`i${i},r${r},${FOUR.join(",")},${FOUR[order[0]!]},${FOUR[order[3]!]}`);
    });
  });
  return readCsv(lines);
}

export function rankings(rng: Rng, items: number, raters: number): Promise<Imported> {
  const lines = ["item,annotator,rank_ant,rank_bee,rank_cat"];
  liking(rng, items, raters, 3).forEach((all, i) => {
    all.forEach((own, r) => {
      lines.push(`i${i},r${r},${own.map((y) => 1 + own.filter((other) => other > y).length).join(",")}`);
    });
  });
  return readCsv(lines);
}

/** One number for each data set, a column for each system. */
export function systemColumns(rng: Rng, sets: number): Promise<Imported> {
  const cells = grouped(dataSetRows(rng, sets, 1), ({ item }) => item);
  return readCsv([
    "dataset,baseline,ours",
    ...[...cells].map(([name, rows]) => `${name},${rows.map(({ score }) => score.toFixed(2)).join(",")}`),
  ]);
}

/** Seconds or tokens: long tails. `spread`: the second's log spread, with the first one's mean. */
export function skewedCosts(rng: Rng, items: number, spread: number): Promise<Imported> {
  const lines = ["prompt_id,model,latency_s"];
  for (let i = 0; i < items; i++) {
    const level = 1 + 0.5 * rng.normal();
    NAMES.forEach((name, s) => {
      const sd = s === 0 ? 0.5 : spread;
      lines.push(`q${i},${name},${Math.exp(level + sd * rng.normal() - sd ** 2 / 2).toFixed(3)}`);
    });
  }
  return readCsv(lines);
}

/** Failures that are rare, and of a few items mostly. */
export function rareFailures(rng: Rng, items: number, rate: number): Promise<Imported> {
  const lines = ["request_id,system,failed"];
  for (let i = 0; i < items; i++) {
    const own = rate * exponential(rng);
    for (const name of NAMES) lines.push(`q${i},${name},${rng.uniform() < own ? 1 : 0}`);
  }
  return readCsv(lines);
}

/** Scores of sentences in documents, one of which has half of them. */
export function unevenDocuments(rng: Rng, documents: number, items: number): Promise<Imported> {
  const lines = ["doc_id,seg_id,system,score"];
  const own = Array.from({ length: documents }, () => 0.5 * rng.normal());
  for (let i = 0; i < items; i++) {
    const d = i < items / 2 ? 0 : i % documents;
    const base = 70 + 8 * rng.normal();
    NAMES.forEach((name, s) => {
      lines.push(`doc${d},${i},${name},${(base + s * 4 * own[d]! + 5 * rng.normal()).toFixed(1)}`);
    });
  }
  return readCsv(lines);
}

/** Penalties of segments, most of them without an error, in documents that have one rater each. */
export function penalties(rng: Rng, documents: number, each: number): Promise<Imported> {
  const lines = ["system,doc,seg_id,rater,mqm"];
  for (let d = 0; d < documents; d++) {
    const own = NAMES.map(() => 0.4 * rng.normal());
    for (let k = 0; k < each; k++) {
      const hard = 0.6 * rng.normal();
      NAMES.forEach((name, s) => {
        let total = 0;
        const rate = 0.5 * Math.exp(hard + own[s]! - 0.3);
        for (let t = exponential(rng); t < rate; t += exponential(rng)) total += rng.uniform() < 0.25 ? 5 : 1;
        lines.push(`${name},d${d},${d * each + k},r${d % 5},${total === 0 ? 0 : -total}`);
      });
    }
  }
  return readCsv(lines);
}

/** 1 to 5, most of them 5. */
export function ceilingRatings(rng: Rng, items: number, raters: number): Promise<Imported> {
  const slope = Array.from({ length: raters }, () => (raters > 1 ? 0.3 : 0) * rng.normal());
  const lines = ["item,system,rater,rating"];
  for (let i = 0; i < items; i++) {
    const base = 5.7 + 0.6 * rng.normal();
    for (let r = 0; r < raters; r++)
      NAMES.forEach((name, s) => {
        lines.push(`i${i},${name},r${r},${clamp(base + (s - 0.5) * slope[r]! + 0.8 * rng.normal(), 1, 5)}`);
      });
  }
  return readCsv(lines);
}

/** Two groups of raters, each of which saw one system nine times of ten. */
export function nearlyApart(rng: Rng, items: number, raters: number): Promise<Imported> {
  const level = Array.from({ length: raters }, () => 0.5 * rng.normal());
  const lines = ["item,system,rater,rating"];
  for (let i = 0; i < items; i++) {
    const base = 3 + 0.6 * rng.normal();
    NAMES.forEach((name, s) => {
      const side = rng.uniform() < 0.9 ? s : 1 - s;
      const r = 2 * rng.int(raters / 2) + side;
      lines.push(`i${i},${name},r${r},${clamp(base + level[r]! + 0.8 * rng.normal(), 1, 5)}`);
    });
  }
  return readCsv(lines);
}

/** Item sets that overlap in part. */
export function overlapping(rng: Rng, items: number, share: number): Promise<Imported> {
  const rows = answerRows(rng, { items, interaction: 0.5 }, 0).filter((row) => {
    const place = Number(row.item.slice(1)) / items;
    return row.system === "A" ? place < (1 + share) / 2 : place >= (1 - share) / 2;
  });
  return readCsv(["id,model,correct", ...rows.map((row) => `${row.item},${nameOf(row)},${row.score}`)]);
}

/** A share of what the second system got wrong has no score: an empty cell, or no row at all. */
export function lostFailures(
  rng: Rng,
  items: number,
  { share, rows: kept }: { readonly share: number; readonly rows: boolean },
): Promise<Imported> {
  const lines = ["id,model,correct"];
  for (const row of answerRows(rng, { items, interaction: 0.5 }, 0)) {
    const lost = row.system === "B" && row.score === 0 && rng.uniform() < share;
    if (!lost || kept) lines.push(`${row.item},${nameOf(row)},${lost ? "" : row.score}`);
  }
  return readCsv(lines);
}

/** Runs of items in documents. */
export function runsInDocuments(rng: Rng, design: BinaryDesign): Promise<Imported> {
  const rows = answerRows(rng, design, 0);
  return readCsv([
    "passage_id,question_id,model,seed,correct",
    ...rows.map((row) => `${row.document},${row.item},${nameOf(row)},${row.seed},${row.score}`),
  ]);
}

/** Items have a property that has nothing to do with the systems. */
export function propertied(
  rng: Rng,
  items: number,
  { levels, binary }: { readonly levels: number; readonly binary: boolean },
): Promise<Imported> {
  const lines = ["item,length,topic,system,score"];
  for (let i = 0; i < items; i++) {
    const length = Math.round(20 * Math.exp(0.6 * rng.normal()));
    const base = rng.normal() - 0.2 * Math.log(length / 20);
    const topic = rng.int(levels);
    for (const name of NAMES) {
      const y = base + 0.5 * rng.normal();
      lines.push(
        `i${i},${length},topic${topic},${name},${binary ? Number(rng.uniform() < logistic(y)) : (50 + 10 * y).toFixed(1)}`,
      );
    }
  }
  return readCsv(lines);
}

const LEXICON = Array.from(
  { length: 60 },
  (_, k) => `${"bcdfglmnprst"[k % 12]}${"aeiou"[k % 5]}${"lmnrst"[k % 6]}${"aeiou"[(k * 3) % 5]}`,
);

/** Texts of several seeds, whose error rates differ from run to run, beside their reference. One text a system is all that is compared: what another
 *  run of it would give is not claimed, so that its rate is the same for both. */
export function seededTexts(
  rng: Rng,
  segments: number,
  runs: number,
): { hypotheses: Record<string, string[]>; references: string[][] } {
  const references = Array.from({ length: segments }, () =>
    Array.from({ length: 8 + rng.int(8) }, () => LEXICON[rng.int(60)]!),
  );
  const hypotheses: Record<string, string[]> = {};
  for (const name of NAMES)
    for (let r = 0; r < runs; r++) {
      const rate = 0.3 * Math.exp(runs === 1 ? 0 : 0.15 * rng.normal());
      const own = references.map((words) =>
        words.map((word) => (rng.uniform() < rate ? LEXICON[rng.int(60)]! : word)).join(" "),
      );
      hypotheses[runs > 1 ? `${name}.seed${r + 1}` : name] = own;
    }
  return { hypotheses, references: [references.map((words) => words.join(" "))] };
}

export interface LayeredDesign {
  readonly items: number;
  readonly documents?: number;
  readonly documentSd?: number;
  readonly runs?: number;
  readonly runSd?: number;
}

/** Normal scores whose documents, or whole runs, differ in what they think of the systems. */
export function layeredScores(rng: Rng, design: LayeredDesign, effect: number): Table {
  const { items, documents = 0, documentSd = 0, runs = 1, runSd = 0 } = design;
  const own = Array.from({ length: documents }, () => documentSd * rng.normal());
  const skill = NAMES.map(() => Array.from({ length: runs }, () => runSd * rng.normal()));
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const base = 5 + 2 * rng.normal();
    const d = documents === 0 ? 0 : i % documents;
    NAMES.forEach((system, s) => {
      const level = base + (s === 1 ? effect + (own[d] ?? 0) : 0) + 0.5 * rng.normal();
      skill[s]!.forEach((run, r) => {
        rows.push({
          system,
          item: `i${i}`,
          ...(runs > 1 ? { seed: `s${r}` } : {}),
          ...(documents > 0 ? { document: `d${d}` } : {}),
          score: level + run + 0.7 * rng.normal(),
        });
      });
    });
  }
  return tableOf(rows);
}

/** Right and wrong answers to other questions for each system. */
export function apart(rng: Rng, items: number): Promise<Imported> {
  const lines = ["id,model,correct"];
  NAMES.forEach((name, s) => {
    for (let i = 0; i < items; i++)
      lines.push(`${s}-${i},${name},${Number(rng.uniform() < logistic(1.5 * rng.normal()))}`);
  });
  return readCsv(lines);
}

/** The second system's scores, moved. */
export function shifted(table: Table, effect: number): Table {
  const system = table.columns.get("system")!;
  const score = table.columns.get("score")!;
  if (system.kind !== "factor" || score.kind !== "numeric") return table;
  const moved = score.values.map((y, i) => y + (system.levels[system.codes[i]!] === "B" ? effect : 0));
  return makeTable(
    [...table.columns].map(([name, column]) => [name, name === "score" ? numericColumn([...moved]) : column]),
  );
}

/** Topics of these sizes, whose differences spread by these factors. */
export function unevenTopics(rng: Rng, sizes: readonly number[], spreads: readonly number[]): Promise<Imported> {
  const lines = ["item,topic,system,score"];
  sizes.forEach((items, t) => {
    for (let i = 0; i < items; i++) {
      const base = 50 + 10 * rng.normal();
      for (const name of NAMES)
        lines.push(`t${t}-${i},topic${t},${name},${(base + 5 * spreads[t]! * rng.normal()).toFixed(1)}`);
    }
  });
  return readCsv(lines);
}
