/** Designs as people's files hold them: each data set is written as text and read by the importer, so that what is measured begins with finding out
 *  what the columns are. The systems never differ. */
import type { Imported } from "../../../src/data/imported.ts";
import type { Rng } from "../../../src/numeric/rng.ts";
import { answerRows, dataSetRows, logistic, type Row, ratingRows, readCsv, type VoteDesign } from "./draw.ts";

const SYSTEMS = ["base", "ours"] as const;
const systemOf = (row: Row): string => SYSTEMS[row.system === "A" ? 0 : 1];
const whole = (y: number): number => Math.min(5, Math.max(1, Math.round(y)));
export const PEOPLE = ["Anna", "Ben", "Cleo"] as const;

/** Ratings of every item and system in the order of the raters. */
function sheet(rng: Rng, items: number, raterSd: number): Map<string, Row[]> {
  const rows = ratingRows(rng, { items, raters: PEOPLE.length, who: "crossed", raterSd }, 0);
  const cells = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.item},${systemOf(row)}`;
    cells.set(key, [...(cells.get(key) ?? []), row]);
  }
  return cells;
}

/** [4, 5, 3] in one cell: the same raters by place. */
export function listedRatings(rng: Rng, items: number): Promise<Imported> {
  const lines = [...sheet(rng, items, 0.6)].map(
    ([key, rows]) => `${key},"[${rows.map(({ score }) => score).join(", ")}]"`,
  );
  return readCsv(["item,system,ratings", ...lines]);
}

/** [4, 5, 3] in one cell: nobody rated twice. */
export function freshRatings(rng: Rng, items: number): Promise<Imported> {
  const lines = ["item,system,ratings"];
  for (let i = 0; i < items; i++) {
    const base = 3 + 0.6 * rng.normal();
    for (const system of SYSTEMS) {
      const own = base + 0.2 * rng.normal();
      const ratings = PEOPLE.map(() => whole(own + 0.4 * rng.normal() + 0.8 * rng.normal()));
      lines.push(`i${i},${system},"[${ratings.join(", ")}]"`);
    }
  }
  return readCsv(lines);
}

/** A column for each rater, cells without a rating left empty. */
export function blankSheet(rng: Rng, items: number, blank: number): Promise<Imported> {
  const lines = [...sheet(rng, items, 0.4)].map(
    ([key, rows]) => `${key},${rows.map(({ score }) => (rng.uniform() < blank ? "" : score)).join(",")}`,
  );
  return readCsv([`item,system,${PEOPLE.join(",")}`, ...lines]);
}

/** Every rater sees one system only. */
export function ratersApart(rng: Rng, items: number, raters: number): Promise<Imported> {
  const level = SYSTEMS.map(() => Array.from({ length: raters }, () => 0.4 * rng.normal()));
  const lines = ["item,system,rater,rating"];
  for (let i = 0; i < items; i++) {
    const base = 3 + 0.6 * rng.normal();
    SYSTEMS.forEach((system, s) => {
      const own = base + 0.2 * rng.normal();
      level[s]!.forEach((strict, r) => {
        lines.push(`i${i},${system},r${s * raters + r},${whole(own + strict + 0.8 * rng.normal())}`);
      });
    });
  }
  return readCsv(lines);
}

/** All that was rated of a system was rated on one occasion, and occasions differ. */
export function ratedInBatches(rng: Rng, items: number): Promise<Imported> {
  const mood = SYSTEMS.map(() => 0.4 * rng.normal());
  const lines = ["item,system,batch,rating"];
  for (let i = 0; i < items; i++) {
    const base = 3 + 0.6 * rng.normal();
    SYSTEMS.forEach((system, s) => {
      lines.push(`i${i},${system},${s + 1},${whole(base + mood[s]! + 0.8 * rng.normal())}`);
    });
  }
  return readCsv(lines);
}

/** Items of one page, or made from one template, are alike in what they think of a system. */
export function answersWithin(rng: Rng, column: string, groups: number): Promise<Imported> {
  const rows = answerRows(rng, { items: 10 * groups, documents: groups, documentSd: 0.7 }, 0);
  return readCsv([
    `${column},item,system,correct`,
    ...rows.map((row) => `${column[0]}${row.document},${row.item},${systemOf(row)},${row.score}`),
  ]);
}

/** Ids that begin anew in every suite. */
export function restartedIds(rng: Rng, suites: number, each: number): Promise<Imported> {
  const rows = answerRows(rng, { items: suites * each, interaction: 0.5 }, 0);
  const lines = rows.map((row) => {
    const i = Number(row.item.slice(1));
    return `part-${Math.floor(i / each)},${1 + (i % each)},${systemOf(row)},${row.score}`;
  });
  return readCsv(["suite,id,system,correct", ...lines]);
}

/** A column for each system with 1 for the one preferred. */
export function ballots(rng: Rng, { prompts, raters, promptSd, raterSd, each = 1 }: VoteDesign): Promise<Imported> {
  const lean = Array.from({ length: prompts }, () => promptSd * rng.normal());
  const taste = Array.from({ length: raters }, () => raterSd * rng.normal());
  const lines = ["prompt,rater,gpt,llama"];
  for (let p = 0; p < prompts; p++)
    for (let r = 0; r < raters; r++)
      for (let k = 0; k < each; k++) {
        const second = rng.uniform() < logistic(lean[p]! + taste[r]!) ? 1 : 0;
        lines.push(`p${p},r${r},${1 - second},${second}`);
      }
  return readCsv(lines);
}

/** One number for each benchmark and run. */
export function benchmarkRuns(rng: Rng, benchmarks: number, runs: number): Promise<Imported> {
  const lines = dataSetRows(rng, benchmarks, runs).map(
    (row) => `${systemOf(row)},${row.item},${row.seed},${row.score.toFixed(2)}`,
  );
  return readCsv(["system,benchmark,run,accuracy", ...lines]);
}

/** A row for each data set and system, a column for each seed. */
export function seedColumns(rng: Rng, sets: number, seeds: number): Promise<Imported> {
  const cells = new Map<string, string[]>();
  for (const row of dataSetRows(rng, sets, seeds)) {
    const key = `${row.item},${systemOf(row)}`;
    cells.set(key, [...(cells.get(key) ?? []), row.score.toFixed(2)]);
  }
  const names = Array.from({ length: seeds }, (_, k) => `seed_${k + 1}`);
  return readCsv([
    `dataset,system,${names.join(",")}`,
    ...[...cells].map(([key, scores]) => `${key},${scores.join(",")}`),
  ]);
}
