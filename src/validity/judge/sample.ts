/** Which outputs should people label? A random draw, within strata if wanted, blinded and shuffled, with the probability of each.
 *      one system      outputs are drawn; several: items are, with the outputs of all systems, since a difference needs both
 *      strata          levels of columns, the judge's verdict among them; each gets its share of the labels, and at least two (Neyman's
 *                      allocation where `doubt` is a column of standard deviations)
 *      by doubt        with probability proportional to a column, at most 1 each (systematic draw in random order)
 *  The sheet has neither system nor judge; a key says what each line is, and with which probability it was drawn.
 *  Reference: Madow (1949), Annals of Mathematical Statistics 20 (systematic sampling).
 *  Oracle:    enumeration of the probabilities; test/calibration/judge.calibrate.ts.
 *  Limits:    texts in the sheet may give a system away. */
import { fingerprint } from "../../data/fingerprint.ts";
import { join } from "../../data/join.ts";
import { asFactor, column, type Table } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type Judged, type JudgedColumns, type JudgedData, readJudged } from "../../study/judged.ts";

export interface SampleOptions extends Omit<JudgedColumns, "human" | "rater"> {
  /** Items to draw, or outputs where there is one system. */
  readonly n: number;
  /** Columns whose levels are strata; "judge" is the judge's own verdict. */
  readonly by?: readonly string[] | undefined;
  /** A column of positive numbers: outputs are drawn in proportion to it. */
  readonly doubt?: string | undefined;
  /** Columns that the labelers are to see. */
  readonly show?: readonly string[] | undefined;
  readonly rng?: Rng | undefined;
}

export interface SampledOutput {
  /** Line of the sheet, from 1. */
  readonly line: number;
  readonly item: string;
  readonly system?: string;
  readonly stratum: string;
  readonly probability: number;
  readonly shown: readonly string[];
}

export interface JudgeSample extends Result<"judge-sample"> {
  readonly columns: { readonly item: string; readonly system?: string; readonly shown: readonly string[] };
  readonly items: number;
  readonly drawn: number;
  readonly strata: readonly { readonly stratum: string; readonly items: number; readonly drawn: number }[];
  readonly sheet: readonly SampledOutput[];
}

export type JudgeSampleJson = JsonOf<JudgeSample>;

const FEWEST_A_STRATUM = 2;
const MOST_STRATA = 50;

export function sampleJudge(data: JudgedData, options: SampleOptions): JudgeSample {
  const { n, by = [], doubt, show = [], rng = makeRng(1) } = options;
  const judged = readJudged(data, { ...options, human: undefined }, "none");
  const { table, columns } = judged;
  for (const name of [...show, ...by.filter((own) => own !== "judge")]) column(table, name);
  if (by.length > 0 && doubt !== undefined)
    throw new StatError(
      "BadOption",
      "strata and a draw by doubt exclude each other.",
      "Leave out option `by` or `doubt`.",
    );
  if (n > judged.items) throw new StatError("TooMany", `${n} of ${judged.items} items cannot be drawn.`, "Draw fewer.");
  const ofItem = outputsByItem(judged);
  const stratum = strataOf(judged, ofItem, by);
  const chance = doubt === undefined ? undefined : chancesOf(judged, ofItem, { doubt, n });
  const chosen = chance === undefined ? drawStrata(stratum, n, rng) : drawSystematic(chance, rng);
  const lines = shuffled(
    rng,
    chosen.items.flatMap((item) => ofItem[item]!.map((output) => ({ item, output }))),
  );
  const itemNames = columns.item === undefined ? undefined : asFactor(column(table, columns.item));
  const text = (name: string, row: number): string => {
    const cells = column(table, name);
    return cells.kind === "numeric" ? String(cells.values[row]) : (cells.levels[cells.codes[row]!] ?? "");
  };
  const sheet = lines.map(({ item, output }, k): SampledOutput => {
    const row = judged.row[output]!;
    return {
      line: k + 1,
      item: itemNames === undefined ? String(row + 1) : itemNames.levels[itemNames.codes[row]!]!,
      ...(columns.system === undefined ? {} : { system: judged.systems[judged.system[output]!]! }),
      stratum: stratum.names[stratum.of[item]!]!,
      probability: chosen.probability[item]!,
      shown: show.map((name) => text(name, row)),
    };
  });
  const fields = {
    signature: {
      method: "judge sample",
      version: GOSSET_VERSION,
      options: { ...options, rng: undefined },
      data: fingerprint(table),
      seed: rng.seed,
    },
    diagnostics: show.length > 0 ? [] : [nothingShown(table, judged)],
    columns: {
      item: columns.item ?? "row",
      ...(columns.system === undefined ? {} : { system: columns.system }),
      shown: show,
    },
    items: judged.items,
    drawn: chosen.items.length,
    strata: stratum.names.map((name, s) => ({
      stratum: name,
      items: stratum.size[s]!,
      drawn: chosen.items.filter((item) => stratum.of[item] === s).length,
    })),
    sheet,
  };
  return makeResult("judge-sample", fields, displaySample);
}

function shuffled<T>(rng: Rng, list: readonly T[]): T[] {
  const order = Int32Array.from(list.keys());
  rng.shuffleInto(order);
  return Array.from(order, (k) => list[k]!);
}

function outputsByItem({ item, items, outputs }: Judged): number[][] {
  const lists: number[][] = Array.from({ length: items }, () => []);
  for (let u = 0; u < outputs; u++) lists[item[u]!]!.push(u);
  return lists;
}

interface Strata {
  readonly of: Int32Array;
  readonly names: readonly string[];
  readonly size: readonly number[];
}

/** Of an item with several outputs what they have in common, output by output. */
function strataOf(
  { items, table, row, judge, systems }: Judged,
  ofItem: readonly number[][],
  by: readonly string[],
): Strata {
  const parts = by.map((name): ((output: number) => string) => {
    if (name === "judge") return (output) => String(Math.round(100 * judge[output]!) / 100);
    const { codes, levels } = asFactor(column(table, name));
    return (output) => levels[codes[row[output]!]!] ?? "missing";
  });
  const known = new Map<string, number>();
  const of = new Int32Array(items);
  const size: number[] = [];
  for (let item = 0; item < items; item++) {
    const words = parts.map((part) => [...new Set(ofItem[item]!.map(part))].join("/"));
    const all =
      systems.length > 1 && by.includes("judge")
        ? ofItem[item]!.map((output) => parts.map((part) => part(output)).join(" ")).join("/")
        : words.join(" ");
    const name = by.length === 0 ? "all" : all;
    let code = known.get(name);
    if (code === undefined) {
      code = known.size;
      known.set(name, code);
      size.push(0);
    }
    of[item] = code;
    size[code]! += 1;
  }
  if (known.size > MOST_STRATA)
    throw new StatError(
      "TooManyStrata",
      `${known.size} strata are too many to draw from.`,
      `Name columns with at most ${MOST_STRATA} levels together.`,
    );
  return { of, names: [...known.keys()], size };
}

/** Labels of each stratum: in proportion to its items, at least two, never more than it has. */
export function allocate(sizes: readonly number[], n: number): number[] {
  const total = sizes.reduce((sum, own) => sum + own, 0);
  const least = sizes.map((own) => Math.min(own, FEWEST_A_STRATUM));
  const base = least.reduce((sum, own) => sum + own, 0);
  if (base > n)
    throw new StatError("TooFew", `${n} labels are too few for ${sizes.length} strata.`, `Draw at least ${base}.`);
  const share = sizes.map((own) => Math.max(0, (n * own) / total));
  const given = sizes.map((own, s) => Math.max(least[s]!, Math.min(own, Math.floor(share[s]!))));
  const order = sizes.map((_, s) => s).sort((a, b) => (share[b]! % 1) - (share[a]! % 1) || a - b);
  let left = n - given.reduce((sum, own) => sum + own, 0);
  while (left !== 0) {
    const step = Math.sign(left);
    const able = order.filter((s) => (step > 0 ? given[s]! < sizes[s]! : given[s]! > least[s]!));
    const s = step > 0 ? able[0]! : able.reduce((a, b) => (given[b]! - share[b]! > given[a]! - share[a]! ? b : a));
    given[s]! += step;
    left -= step;
    if (step > 0) order.push(order.splice(order.indexOf(s), 1)[0]!);
  }
  return given;
}

interface Chosen {
  readonly items: number[];
  readonly probability: Float64Array;
}

function drawStrata({ of, size }: Strata, n: number, rng: Rng): Chosen {
  const wanted = allocate(size, n);
  const members: number[][] = size.map(() => []);
  for (const [item, s] of of.entries()) members[s]!.push(item);
  const items = members.flatMap((own, s) => {
    return shuffled(rng, own).slice(0, wanted[s]!);
  });
  return { items, probability: Float64Array.from(of, (s) => wanted[s]! / size[s]!) };
}

/** In proportion to the mean doubt of an item's outputs; those that would exceed 1 are drawn for certain. */
function chancesOf(
  { table, row }: Judged,
  ofItem: readonly number[][],
  { doubt, n }: { doubt: string; n: number },
): Float64Array {
  const cells = column(table, doubt);
  if (cells.kind !== "numeric")
    throw new StatError("NotNumeric", `column "${doubt}" holds no numbers.`, "Name a column of positive numbers.");
  const size = ofItem.map((outputs) =>
    outputs.reduce((sum, output) => sum + cells.values[row[output]!]! / outputs.length, 0),
  );
  const bad = size.findIndex((own) => !(own > 0 && Number.isFinite(own)));
  if (bad >= 0)
    throw new StatError(
      "OutOfRange",
      `row ${row[ofItem[bad]![0]!]! + 1}: ${doubt} is not above 0.`,
      "Give every output a positive number, since what cannot be drawn cannot be corrected.",
    );
  const certain = new Set<number>();
  for (;;) {
    const left = n - certain.size;
    const rest = size.reduce((sum, own, i) => sum + (certain.has(i) ? 0 : own), 0);
    const sure = size.flatMap((own, i) => (!certain.has(i) && (left * own) / rest >= 1 ? [i] : []));
    if (sure.length === 0) return Float64Array.from(size, (own, i) => (certain.has(i) ? 1 : (left * own) / rest));
    for (const i of sure) certain.add(i);
  }
}

function drawSystematic(chance: Float64Array, rng: Rng): Chosen {
  const order = chance.map((_, i) => i);
  const shuffled = Int32Array.from(order);
  rng.shuffleInto(shuffled);
  const start = rng.uniform();
  const items: number[] = [];
  let sum = 0;
  for (const item of shuffled) {
    const before = Math.ceil(sum - start);
    sum += chance[item]!;
    // certain ones are not lost to rounding
    if (Math.ceil(sum - start) > before || chance[item] === 1) items.push(item);
  }
  return { items, probability: chance };
}

function nothingShown({ columns: all }: Table, { columns }: Judged): Diagnostic {
  const used = [...columns.judge, columns.item, columns.system, columns.cluster];
  const others = [...all.keys()].filter((name) => !used.includes(name));
  const message = "the sheet shows nothing to label: no column was named.";
  const fix = `Name what the labelers are to see with option \`show\`${others.length === 0 ? "" : ` (columns: ${listNames(others, 6)})`}.`;
  return warning("NothingShown", message, fix);
}

function displaySample({ drawn, items, strata, sheet, columns }: FieldsOf<JudgeSample>): Display {
  const tables =
    strata.length < 2
      ? []
      : [
          {
            caption: "Strata",
            head: ["stratum", "items", "drawn"],
            rows: strata.map((own) => [own.stratum, own.items, own.drawn]),
          },
        ];
  const all = columns.system === undefined ? "" : ` with the outputs of all systems: ${sheet.length} lines to label`;
  return {
    title: `${drawn} of ${items} items drawn${all}.`,
    summary: [
      "The lines are shuffled and name no system. Keep the key: it says what each line is, and with which probability it was drawn.",
    ],
    tables,
    notes: [],
  };
}

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csv = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `${[head, ...rows].map((row) => row.map(quote).join(",")).join("\n")}\n`;

/** A sheet that people filled in and its key, as labels of items and systems with their probabilities. */
export function readSheet(sheet: Table, key: Table): Table {
  return join(sheet, key, { by: ["line"] }).table;
}

/** The sheet to label, and its key, as CSV. */
export function sampleSheets({ sheet, columns }: Pick<JudgeSample, "sheet" | "columns">): {
  readonly sheet: string;
  readonly key: string;
} {
  const { item, system, shown } = columns;
  return {
    sheet: csv(
      ["line", ...shown, "label"],
      sheet.map((own) => [String(own.line), ...own.shown, ""]),
    ),
    key: csv(
      ["line", item, ...(system === undefined ? [] : [system]), "stratum", "probability"],
      sheet.map((own) => [
        String(own.line),
        own.item,
        ...(system === undefined ? [] : [own.system!]),
        own.stratum,
        String(own.probability),
      ]),
    ),
  };
}

/** A sheet as whoever labels sees it, line by line. */
export interface SheetToLabel {
  /** Columns that are shown, and their texts on each line. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly string[];
  /** What is filled in already; empty where nothing is. */
  readonly labels: readonly string[];
}

export function openSheet(sheet: Table): SheetToLabel {
  const names = [...sheet.columns.keys()];
  const lacking = ["line", "label"].find((name) => !names.includes(name));
  if (lacking !== undefined)
    throw new StatError(
      "NoSheet",
      `this file is not a sheet to label: it has no column "${lacking}" (columns: ${listNames(names, 6)}).`,
      "Write one with `gosset judge sample judged.csv --n 50 --show question,answer --sheet sheet.csv --key key.csv`.",
    );
  const head = names.filter((name) => name !== "line" && name !== "label");
  const textsOf = (name: string): string[] => {
    const cells = column(sheet, name);
    return Array.from({ length: sheet.rows }, (_, row) =>
      cells.kind === "numeric"
        ? Number.isNaN(cells.values[row]!)
          ? ""
          : String(cells.values[row]!)
        : (cells.levels[cells.codes[row]!] ?? ""),
    );
  };
  const shown = head.map(textsOf);
  return {
    head,
    rows: Array.from({ length: sheet.rows }, (_, row) => shown.map((own) => own[row]!)),
    lines: textsOf("line"),
    labels: textsOf("label"),
  };
}

/** The sheet with these labels, as CSV: the file that `readSheet` takes. */
export function fillSheet({ head, rows, lines }: SheetToLabel, labels: readonly string[]): string {
  return csv(
    ["line", ...head, "label"],
    rows.map((own, row) => [lines[row]!, ...own, labels[row] ?? ""]),
  );
}
