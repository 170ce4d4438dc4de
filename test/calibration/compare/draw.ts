/** Data sets whose truth is known: what the cells of the bank are drawn from. */

import type { Imported } from "../../../src/data/imported.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../src/data/table.ts";
import { importFiles } from "../../../src/io/import.ts";
import type { Rng } from "../../../src/numeric/rng.ts";
import { withTold } from "../../../src/study/understand.ts";

export interface Row {
  readonly system: string;
  readonly item: string;
  readonly score: number;
  /** Further columns, by name. */
  readonly [column: string]: string | number;
}

export function tableOf(rows: readonly Row[]): Table {
  const names = Object.keys(rows[0]!);
  return makeTable(
    names.map((name) => {
      const cells = rows.map((row) => row[name]!);
      return [name, typeof cells[0] === "number" ? numericColumn(cells as number[]) : factorColumn(cells as string[])];
    }),
  );
}

/** A file as the command reads it. */
export const readCsv = (lines: readonly string[]): Promise<Imported> =>
  importFiles([{ name: "results.csv", bytes: new TextEncoder().encode(`${lines.join("\n")}\n`) }]);

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
const exponential = (rng: Rng): number => -Math.log1p(-rng.uniform());
/** Student's t with three df. */
const heavy = (rng: Rng): number =>
  rng.normal() / Math.sqrt((rng.normal() ** 2 + rng.normal() ** 2 + rng.normal() ** 2) / 3);

/** 1 to 5 with shares 10, 15, 30, 30, 15 %. */
function likert(rng: Rng): number {
  const u = rng.uniform();
  return 1 + [0.1, 0.25, 0.55, 0.85].filter((cut) => u >= cut).length;
}

/** The second system's score of an item minus the first one's, apart from the effect: mean 0 in every case. */
export const DIFFERENCES = {
  normal: (rng: Rng) => rng.normal(),
  lognormal: (rng: Rng) => Math.exp(rng.normal()) - Math.exp(0.5),
  exponential: (rng: Rng) => exponential(rng) - 1,
  heavy,
  /** One of five points minus another. */
  likert: (rng: Rng) => likert(rng) - likert(rng),
  /** Seven of ten items are equal. */
  zeros: (rng: Rng) => (rng.uniform() < 0.7 ? 0 : rng.normal()),
  /** Nine of ten equal, the others all gain: rare, one-sided changes around their mean. */
  bursts: (rng: Rng) => (rng.uniform() < 0.9 ? 0 : exponential(rng)) - 0.1,
} as const;
export type DifferenceLaw = keyof typeof DIFFERENCES;

/** One score an item and system. */
export function pairedScores(rng: Rng, n: number, law: DifferenceLaw, effect: number): Table {
  const rows: Row[] = [];
  for (let i = 0; i < n; i++) {
    const base = 5 + 2 * rng.normal();
    rows.push({ system: "A", item: `i${i}`, score: base });
    rows.push({ system: "B", item: `i${i}`, score: base + effect + DIFFERENCES[law](rng) });
  }
  return tableOf(rows);
}

/** One score an item and system; the first is the items' level itself, so that differences to it have the law's shape. */
export function severalScores(rng: Rng, n: number, { systems, law }: { systems: number; law: DifferenceLaw }): Table {
  const rows: Row[] = [];
  for (let i = 0; i < n; i++) {
    const base = 5 + 2 * rng.normal();
    for (let s = 0; s < systems; s++)
      rows.push({
        system: String.fromCharCode(65 + s),
        item: `i${i}`,
        score: base + (s === 0 ? 0 : DIFFERENCES[law](rng)),
      });
  }
  return tableOf(rows);
}

/** Right and wrong answers by the share of items that only one system gets right, which a difference up to it leaves as it is. */
export function discordant(rng: Rng, n: number, share: number, difference: number): Table {
  const rows: Row[] = [];
  const apart = Math.max(share, difference);
  for (let i = 0; i < n; i++) {
    const u = rng.uniform();
    const gained = u < (apart + difference) / 2;
    const lost = !gained && u < apart;
    const both = rng.uniform() < 0.6 ? 1 : 0;
    rows.push({ system: "A", item: `i${i}`, score: gained ? 0 : lost ? 1 : both });
    rows.push({ system: "B", item: `i${i}`, score: gained ? 1 : lost ? 0 : both });
  }
  return tableOf(rows);
}

export interface BinaryDesign {
  readonly items: number;
  readonly systems?: number;
  /** Spread of the items' difficulty, in logits. */
  readonly difficulty?: number;
  /** Of the items' own differences between systems, in logits. */
  readonly interaction?: number;
  /** Runs a system, each on all items, and their spread. */
  readonly runs?: number;
  readonly runSd?: number;
  /** Repeats of every item, without runs. */
  readonly repeats?: number;
  /** Items of one document are alike in what they think of a system. */
  readonly documents?: number;
  readonly documentSd?: number;
  /** Documents of unequal size: the first has half of the items. */
  readonly uneven?: boolean;
  /** Share of the second system's answers that are missing: at random, or where its items are hard. */
  readonly missing?: { readonly share: number; readonly hard: boolean };
}

/** Right and wrong answers. Under effect 0 the systems are exchangeable. */
export const answers = (rng: Rng, design: BinaryDesign, effect: number): Table =>
  tableOf(answerRows(rng, design, effect));

export function answerRows(rng: Rng, design: BinaryDesign, effect: number): Row[] {
  const { items, systems = 2, difficulty = 1.5, interaction = 0, runs = 1, runSd = 0, repeats = 1 } = design;
  const names = Array.from({ length: systems }, (_, s) => String.fromCharCode(65 + s));
  const runEffects = names.map(() => Array.from({ length: runs }, () => runSd * rng.normal()));
  const documents = design.documents ?? 0;
  const own = names.map(() => Array.from({ length: documents }, () => (design.documentSd ?? 0) * rng.normal()));
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const ease = difficulty * rng.normal();
    const document = documentOf(i, design);
    names.forEach((system, s) => {
      const logit = ease + interaction * rng.normal() + (s === 1 ? effect : 0) + (own[s]![document] ?? 0);
      for (let r = 0; r < runs; r++)
        for (let k = 0; k < repeats; k++) {
          const right = rng.uniform() < logistic(logit + runEffects[s]![r]!) ? 1 : 0;
          if (s === 1 && isMissing(rng, design, ease)) continue;
          rows.push({
            system,
            item: `i${i}`,
            ...(runs > 1 ? { seed: `s${r}` } : {}),
            ...(repeats > 1 ? { epoch: `e${k}` } : {}),
            ...(documents > 0 ? { document: `d${document}` } : {}),
            score: right,
          });
        }
    });
  }
  return rows;
}

function documentOf(i: number, { documents = 0, items, uneven }: BinaryDesign): number {
  if (documents === 0) return 0;
  return uneven && i < items / 2 ? 0 : i % documents;
}

function isMissing(rng: Rng, { missing }: BinaryDesign, ease: number): boolean {
  if (missing === undefined) return false;
  const { share, hard } = missing;
  return rng.uniform() < (hard ? (ease < 0 ? 2 * share : 0) : share);
}

export interface RatedDesign {
  readonly items: number;
  readonly raters: number;
  /** "crossed": all rate all; "nested": each rater has items of their own; a number: raters drawn for each item. */
  readonly who: "crossed" | "nested" | number;
  /** Spread of the raters' own differences between the systems. */
  readonly raterSd: number;
  readonly itemSd?: number;
  /** Rounded to 1 … 5. */
  readonly likert?: boolean;
}

export const ratings = (rng: Rng, design: RatedDesign, effect: number): Table =>
  tableOf(ratingRows(rng, design, effect));

export function ratingRows(rng: Rng, design: RatedDesign, effect: number): Row[] {
  const { items, raters, raterSd, itemSd = 0.3, likert = true } = design;
  const level = Array.from({ length: raters }, () => 0.4 * rng.normal());
  const slope = Array.from({ length: raters }, () => raterSd * rng.normal());
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const base = 3 + 0.6 * rng.normal();
    const shift = itemSd * rng.normal();
    for (const r of ratersOf(rng, i, design))
      for (const s of [0, 1]) {
        const y = base + level[r]! + s * (effect + slope[r]! + shift) + 0.8 * rng.normal();
        const score = likert ? Math.min(5, Math.max(1, Math.round(y))) : y;
        rows.push({ system: s === 0 ? "A" : "B", item: `i${i}`, rater: `r${r}`, score });
      }
  }
  return rows;
}

export interface PreferenceDesign {
  readonly items: number;
  readonly raters: number;
  readonly systems?: number;
  /** How much more than the others the last system divides raters and items. */
  readonly divides?: number;
  /** Raters drawn for each item; default all. */
  readonly each?: number;
  /** Items of one document, whose preferences spread by `documentSd`. */
  readonly documents?: number;
  readonly documentSd?: number;
  /** Spreads of levels, of preferences (half a difference between two systems) and of single ratings. */
  readonly raterLevel: number;
  readonly rater: number;
  readonly itemLevel: number;
  readonly item: number;
  readonly noise: number;
}

/** Card et al. (2020), Table 16, and settings where levels vary less than preferences. */
export const PREFERENCES = {
  cardLow: { raterLevel: 0.01, rater: 0.04, itemLevel: 0.01, item: 0.13, noise: 0.16 },
  cardHigh: { raterLevel: 0.01, rater: 0.11, itemLevel: 0.04, item: 0.14, noise: 0.26 },
  sideBySide: { raterLevel: 0.1, rater: 0.25, itemLevel: 0.1, item: 0.3, noise: 0.6 },
  favoring: { raterLevel: 0.1, rater: 0, itemLevel: 0.05, item: 0.4, noise: 0.5 },
  documents: { raterLevel: 0.05, rater: 0.05, itemLevel: 0.05, item: 0.1, noise: 0.4 },
  several: { raterLevel: 0.3, rater: 0.15, itemLevel: 0.3, item: 0.15, noise: 0.5 },
} as const;

/** Ratings whose levels may vary less than what raters, items and documents prefer: preferences of a level sum to 0 over the systems. */
export function preferenceRatings(rng: Rng, design: PreferenceDesign, effect: number): Table {
  const { items, raters, systems = 2, divides = 1, each = raters, documents = 0, documentSd = 0 } = design;
  const names = Array.from({ length: systems }, (_, s) => String.fromCharCode(65 + s));
  const preferences = (sd: number): number[] => {
    const own = names.map((_, s) => Math.SQRT2 * sd * (s === systems - 1 ? divides : 1) * rng.normal());
    const mean = own.reduce((sum, v) => sum + v, 0) / systems;
    return own.map((v) => v - mean);
  };
  const people = Array.from({ length: raters }, () => ({
    level: design.raterLevel * rng.normal(),
    own: preferences(design.rater),
  }));
  const texts = Array.from({ length: documents }, () => preferences(documentSd));
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const item = { level: design.itemLevel * rng.normal(), own: preferences(design.item) };
    const document = Math.floor((i * documents) / items);
    const free = people.map((_, r) => r);
    for (let k = 0; k < each; k++) {
      const r = each === raters ? k : free.splice(rng.int(free.length), 1)[0]!;
      names.forEach((system, s) => {
        const { level, own } = people[r]!;
        const prefers = own[s]! + item.own[s]! + (texts[document]?.[s] ?? 0) + (s === 1 ? effect : 0);
        const score = 5 + level + item.level + prefers + design.noise * rng.normal();
        rows.push({
          system,
          item: `i${i}`,
          rater: `r${r}`,
          ...(documents > 0 ? { document: `d${document}` } : {}),
          score,
        });
      });
    }
  }
  return tableOf(rows);
}

/** Workers of a pool who rate both outputs of an item; without a pool a fresh one for every rating. */
export function crowdRatings(rng: Rng, items: number, { each, pool }: { each: number; pool?: number }): Table {
  const workers = Array.from({ length: pool ?? items * each }, () => ({
    level: 0.5 * rng.normal(),
    own: 0.2 * rng.normal(),
  }));
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const [level, own] = [0.5 * rng.normal(), 0.3 * rng.normal()];
    const chosen = new Set<number>();
    while (chosen.size < each) chosen.add(pool === undefined ? i * each + chosen.size : rng.int(pool));
    for (const w of chosen)
      for (const s of [0, 1]) {
        const score = 5 + workers[w]!.level + level + s * (own + workers[w]!.own) + 0.6 * rng.normal();
        rows.push({ system: s === 0 ? "A" : "B", item: `i${i}`, rater: `w${w}`, score });
      }
  }
  return tableOf(rows);
}

/** The best and the worst of those shown, by equal systems: utilities vary with prompt and rater. */
export async function bestWorst(
  rng: Rng,
  {
    systems,
    shown,
    raters,
    prompts,
    share = 1,
  }: { systems: number; shown: number; raters: number; prompts: number; share?: number },
): Promise<Imported> {
  const names = Array.from({ length: systems }, (_, s) => String.fromCharCode(65 + s));
  const tastes = Array.from({ length: raters }, () => names.map(() => 0.5 * rng.normal()));
  const lines = [`prompt,rater,${Array.from({ length: shown }, (_, k) => `option${k + 1}`).join(",")},best,worst`];
  for (let p = 0; p < prompts; p++) {
    const worth = names.map(() => 0.5 * rng.normal());
    for (let r = 0; r < raters; r++) {
      if (rng.uniform() >= share) continue;
      const free = names.map((_, s) => s);
      const set = Array.from({ length: shown }, () => free.splice(rng.int(free.length), 1)[0]!);
      const utility = set.map((s) => worth[s]! + tastes[r]![s]! - Math.log(-Math.log(rng.uniform())));
      const at = (value: number): string => names[set[utility.indexOf(value)]!]!;
      const ends = [at(Math.max(...utility)), at(Math.min(...utility))];
      lines.push([`p${p}`, `r${r}`, ...set.map((s) => names[s]!), ...ends].join(","));
    }
  }
  return withTold(await readCsv(lines), { best: "best", worst: "worst" });
}

/** Other items for each system, more of B's hard, and no difference within a class. */
export function otherMix(rng: Rng, items: number): Table {
  const rows: Row[] = [];
  for (let i = 0; i < items; i++) {
    const second = i % 2 === 1;
    const hard = rng.uniform() < (second ? 0.8 : 0.2);
    const score = 5 - (hard ? 2 : 0) + rng.normal();
    rows.push({ system: second ? "B" : "A", item: `i${i}`, difficulty: hard ? "hard" : "easy", score });
  }
  return tableOf(rows);
}

function ratersOf(rng: Rng, i: number, { raters, who }: RatedDesign): number[] {
  if (who === "crossed") return Array.from({ length: raters }, (_, r) => r);
  if (who === "nested") return [i % raters];
  const free = Array.from({ length: raters }, (_, r) => r);
  return Array.from({ length: who }, () => free.splice(rng.int(free.length), 1)[0]!);
}

export interface SamplesDesign {
  /** Items of either system, and the factors of their spreads. */
  readonly sizes: readonly [number, number];
  readonly spreads: readonly [number, number];
  readonly law?: DifferenceLaw;
}

/** Different items for the two systems. */
export function samples(rng: Rng, { sizes, spreads, law = "normal" }: SamplesDesign): Table {
  const rows: Row[] = [];
  sizes.forEach((n, s) => {
    for (let i = 0; i < n; i++)
      rows.push({ system: s === 0 ? "A" : "B", item: `${s}-${i}`, score: 10 + spreads[s]! * DIFFERENCES[law](rng) });
  });
  return tableOf(rows);
}

/** Who votes how often on what. */
export interface VoteDesign {
  readonly prompts: number;
  readonly raters: number;
  readonly promptSd: number;
  readonly raterSd: number;
  /** Votes of a rater on a prompt; default 8. */
  readonly each?: number;
  /** Share of votes for neither. */
  readonly ties?: number;
  /** Each system always has the same side. */
  readonly fixed?: boolean;
}

/** Votes between two systems, as a file of battles: some prompts and raters lean to one of them. */
export function votes(
  rng: Rng,
  { prompts, raters, promptSd, raterSd, each = 8, ties = 0, fixed = false }: VoteDesign,
): Promise<Imported> {
  const lean = Array.from({ length: prompts }, () => promptSd * rng.normal());
  const taste = Array.from({ length: raters }, () => raterSd * rng.normal());
  const lines = ["prompt,rater,model_a,model_b,winner"];
  for (let p = 0; p < prompts; p++)
    for (let r = 0; r < raters; r++)
      for (let k = 0; k < each; k++) {
        const swap = !fixed && rng.uniform() < 0.5;
        const second = rng.uniform() < logistic(lean[p]! + taste[r]!);
        const [first, other] = swap ? ["B", "A"] : ["A", "B"];
        const winner = ties > 0 && rng.uniform() < ties ? "tie" : second === swap ? "model_a" : "model_b";
        lines.push(`p${p},r${r},${first},${other},${winner}`);
      }
  return readCsv(lines);
}

/** One number per system, data set and seed. */
export const dataSets = (rng: Rng, sets: number, seeds: number): Table =>
  tableOf(dataSetRows(rng, sets, seeds).map(({ item, ...row }) => ({ ...row, item, dataset: item })));

export function dataSetRows(rng: Rng, sets: number, seeds: number): Row[] {
  const rows: Row[] = [];
  for (let d = 0; d < sets; d++) {
    const level = 70 + 8 * rng.normal();
    for (const system of ["A", "B"]) {
      const own = 1.5 * rng.normal();
      for (let k = 0; k < seeds; k++)
        rows.push({ system, item: `set${d}`, seed: `s${k}`, score: level + own + 0.8 * rng.normal() });
    }
  }
  return rows;
}

/** Sum to 0: what one system gains by each of four prompt templates. */
const TEMPLATES = [0.3, -0.3, 0.15, -0.15];

/** The same questions under each of four templates, on which the systems are equal in all. */
export function templates(rng: Rng, questions: number, named: boolean): Table {
  const rows: Row[] = [];
  for (let i = 0; i < questions; i++) {
    const base = rng.normal();
    const own = 0.4 * rng.normal();
    TEMPLATES.forEach((gain, t) => {
      for (const system of ["A", "B"]) {
        const score = base + (system === "B" ? own + gain : 0) + 0.5 * rng.normal();
        const item = named ? `q${i}t${t}` : `q${i}`;
        rows.push({ system, item, score, ...(named ? { question: `q${i}` } : {}), template: `t${t}` });
      }
    });
  }
  return tableOf(rows);
}

/** Losses of the same mean: one system's are rare and large, the other's frequent and small. */
export function rareLosses(rng: Rng, n: number): Table {
  const rows: Row[] = [];
  for (let i = 0; i < n; i++) {
    rows.push({ system: "A", item: `i${i}`, score: rng.uniform() < 0.9 ? 0 : 5 * exponential(rng) });
    rows.push({ system: "B", item: `i${i}`, score: rng.uniform() < 0.5 ? 0 : exponential(rng) });
  }
  return tableOf(rows);
}
