import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { readCsv } from "../../io/csv/csv.ts";
import { makeRng } from "../../numeric/rng.ts";
import { correctJudge } from "./judge.ts";
import { allocate, fillSheet, openSheet, readSheet, sampleJudge, sampleSheets } from "./sample.ts";

const rng = makeRng("to be labeled");
const ITEMS = 100;
const ROWS = Array.from({ length: ITEMS }, (_, i) =>
  ["a", "b"].map((system) => ({
    item: `q${i}`,
    system,
    judge: rng.uniform() < 0.7 ? 1 : 0,
    doubt: 0.1 + rng.uniform(),
    text: `answer, of ${system} to ${i}`,
  })),
).flat();
const TABLE: Table = makeTable([
  ...(["item", "system", "text"] as const).map((name) => [name, factorColumn(ROWS.map((row) => row[name]))] as const),
  ...(["judge", "doubt"] as const).map((name) => [name, numericColumn(ROWS.map((row) => row[name]))] as const),
]);

describe("a draw of outputs to label", () => {
  it("takes the outputs of all systems of each item, and shows neither system nor judge", () => {
    const found = sampleJudge(TABLE, { n: 20, show: ["text"], rng: makeRng(3) });
    expect(found.sheet).toHaveLength(40);
    const items = new Map<string, Set<string>>();
    for (const { item, system } of found.sheet) items.set(item, (items.get(item) ?? new Set()).add(system!));
    expect(items.size).toBe(20);
    for (const systems of items.values()) expect(systems.size).toBe(2);
    const { sheet, key } = sampleSheets(found);
    expect(sheet.split("\n")[0]).toBe("line,text,label");
    expect(key.split("\n")[0]).toBe("line,item,system,stratum,probability");
    expect(found.sheet.every(({ probability }) => probability === 0.2)).toBe(true);
  });

  it("is the same for the same seed, and another for another", () => {
    const draw = (seed: number): string => sampleSheets(sampleJudge(TABLE, { n: 20, rng: makeRng(seed) })).key;
    expect(draw(5)).toBe(draw(5));
    expect(draw(6)).not.toBe(draw(5));
  });

  it("draws each stratum in proportion, with probabilities that add to the number drawn", () => {
    const found = sampleJudge(TABLE, { n: 30, by: ["judge"], rng: makeRng(1) });
    expect(found.strata.reduce((sum, own) => sum + own.drawn, 0)).toBe(30);
    for (const { stratum, items, drawn } of found.strata) {
      expect(drawn).toBeGreaterThanOrEqual(Math.min(2, items));
      const own = found.sheet.filter((line) => line.stratum === stratum);
      expect(own.every(({ probability }) => Math.abs(probability - drawn / items) < 1e-12)).toBe(true);
    }
    expect(allocate([50, 30, 20], 10)).toEqual([5, 3, 2]);
    expect(allocate([97, 2, 1], 10)).toEqual([7, 2, 1]);
    expect(() => allocate([10, 10, 10], 4)).toThrow(/too few for 3 strata/);
  });

  it("draws by doubt as often as it says", () => {
    const counts = new Map<string, number>();
    const sets = 400;
    let chances = new Map<string, number>();
    for (let k = 0; k < sets; k++) {
      const { sheet } = sampleJudge(TABLE, { n: 25, doubt: "doubt", rng: makeRng(`doubt ${k}`) });
      expect(Math.abs(sheet.length - 50)).toBeLessThanOrEqual(2);
      for (const { item, probability } of sheet) {
        counts.set(item, (counts.get(item) ?? 0) + 0.5);
        chances = chances.set(item, probability);
      }
    }
    for (const [item, chance] of chances) {
      const error = Math.sqrt((chance * (1 - chance)) / sets);
      expect(Math.abs(counts.get(item)! / sets - chance)).toBeLessThan(4.5 * error);
    }
  });

  it("is read back with its key: the filled sheet corrects the judge", () => {
    const found = sampleJudge(TABLE, { n: 40, by: ["judge"], rng: makeRng(2) });
    const people = makeRng("people");
    const sheet = makeTable([
      ["line", numericColumn(found.sheet.map(({ line }) => line))],
      ["label", numericColumn(found.sheet.map(() => (people.uniform() < 0.6 ? 1 : 0)))],
    ]);
    const key = makeTable([
      ["line", numericColumn(found.sheet.map(({ line }) => line))],
      ["item", factorColumn(found.sheet.map(({ item }) => item))],
      ["system", factorColumn(found.sheet.map(({ system }) => system!))],
      ["probability", numericColumn(found.sheet.map(({ probability }) => probability))],
    ]);
    const corrected = correctJudge(TABLE, { labels: readSheet(sheet, key), drawn: "weights:probability" });
    expect(corrected.systems.map(({ labels }) => labels)).toEqual([40, 40]);
    expect(corrected.differences[0]!.labels).toBe(40);
  });
});

describe("a sheet that is filled in", () => {
  const parse = (text: string): Table => readCsv(text).table;
  const drawn = sampleJudge(TABLE, { n: 12, show: ["text"], rng: makeRng(4) });
  it("opens line by line, and is written with its labels as it was read", () => {
    const { sheet, key } = sampleSheets(drawn);
    const open = openSheet(parse(sheet));
    expect(open.head).toEqual(["text"]);
    expect(open.rows).toEqual(drawn.sheet.map(({ shown }) => [...shown]));
    expect(open.labels.every((own) => own === "")).toBe(true);
    const labels = open.lines.map((_, k) => (k % 3 === 0 ? "" : String(k % 2)));
    const again = parse(fillSheet(open, labels));
    expect(openSheet(again).labels).toEqual(labels);
    const joined = readSheet(again, parse(key));
    expect(correctJudge(TABLE, { labels: joined, drawn: "weights:probability" }).systems).toHaveLength(2);
  });
  it("is distinguished from other files, and one that shows nothing has a warning", () => {
    expect(() => openSheet(TABLE)).toThrow(/not a sheet to label: it has no column "line"/);
    expect(drawn.diagnostics).toEqual([]);
    const bare = sampleJudge(TABLE, { n: 12 }).diagnostics;
    expect(bare.map(({ code }) => code)).toEqual(["NothingShown"]);
    expect(bare[0]!.fix).toContain("text");
  });
});
