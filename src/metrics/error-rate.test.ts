import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../io/csv/csv.ts";
import { editDistance } from "./error-rate.ts";
import { itemScores, scoreOf } from "./metric.ts";
import { score } from "./score-found.ts";
import { prepareText, scoreText } from "./score-text.ts";

const rate = (metric: "wer" | "cer", hypotheses: string[], references: string[], options = {}): number =>
  scoreText(hypotheses, [references], { metric, ...options }).systems[0]!.score;

/** The fewest edits over all ways to align two sequences. */
function enumerate(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const [x, ...restA] = a;
  const [y, ...restB] = b;
  return Math.min(enumerate(restA, restB) + Number(x !== y), enumerate(restA, b) + 1, enumerate(a, restB) + 1);
}

describe("edit distance", () => {
  it("equals the enumeration of all alignments", () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 6 });
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        expect(editDistance(Int32Array.from(a), Int32Array.from(b))).toBe(enumerate(a, b));
      }),
      { numRuns: 300 },
    );
  });

  it("is a metric", () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 25 }).map((list) => Int32Array.from(list));
    fc.assert(
      fc.property(sequence, sequence, sequence, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
        expect(editDistance(a, a)).toBe(0);
      }),
    );
  });
});

describe("WER and CER by hand, as jiwer defines them", () => {
  it("counts substitutions, deletions and insertions against the words of the reference", () => {
    // hello (c) duck (s), 1 of 2; one word too few of 4; two too many beside 3
    expect(rate("wer", ["hello duck"], ["hello world"])).toBe(50);
    expect(rate("wer", ["this is test"], ["this is a test"])).toBe(25);
    expect(rate("wer", ["i think it is so yes"], ["i think so"])).toBeCloseTo(100, 12);
    expect(rate("wer", [""], ["one two"])).toBe(100);
    expect(rate("wer", ["a b c d e"], ["x"])).toBe(500);
  });

  it("divides the edits of all segments by the words of all references", () => {
    // 1 of 2 and 0 of 6: 1/8, not the mean of 1/2 and 0
    const scorer = prepareText([["a b", "c d e f g h"]], { metric: "wer" });
    const statistics = scorer.statisticsOf(["a x", "c d e f g h"]);
    expect(scoreOf(statistics)).toBe(12.5);
    expect([...itemScores(statistics)]).toEqual([50, 0]);
    expect(scorer.detailsOf(Float64Array.of(1, 8))).toEqual({ edits: 1, refLen: 8 });
    expect([scorer.metric.name, scorer.metric.higherIsBetter]).toEqual(["WER", false]);
  });

  it("counts the spaces within a text as characters, those around it not at all", () => {
    expect(rate("cer", ["ab c"], ["abc"])).toBeCloseTo(100 / 3, 12);
    expect(rate("cer", [" abc\t"], ["abc"])).toBe(0);
    expect(rate("wer", ["  a   b "], ["a b"])).toBe(0);
    expect(rate("cer", ["😀b"], ["😀c"])).toBe(50);
  });

  it("takes case as it is unless told otherwise", () => {
    expect(rate("wer", ["Hello World."], ["hello world."])).toBe(100);
    expect(rate("wer", ["Hello World."], ["hello world."], { lowercase: true })).toBe(0);
  });

  it("of several references takes the nearest, over their mean length", () => {
    const { systems } = scoreText(["a b c"], [["a b"], ["a b c d"]], { metric: "wer" });
    expect(systems[0]!.score).toBeCloseTo(100 / 3, 12);
  });
});

describe("WER of columns", () => {
  const rows = Array.from({ length: 30 }, (_, i) => {
    const said = `the ${i} quick brown foxes`;
    return [
      `clip${i},${said},a,${said.replace("quick", i % 3 === 0 ? "quack" : "quick")}`,
      `clip${i},${said},b,the quack ${i}`,
    ];
  });
  const csv = (lines: readonly string[]): string => ["clip,reference,model,transcript", ...lines].join("\n");
  const { table } = readCsv(csv(rows.flat()));
  const named = { metric: "wer", gold: "reference", pred: "transcript", system: "model", item: "clip" };

  it("scores them", () => {
    const { systems, higherIsBetter } = score(table, named);
    expect(higherIsBetter).toBe(false);
    expect(systems.map(({ name, score: own }) => [name, own])).toEqual([
      ["a", (100 * 10) / 150],
      ["b", 80],
    ]);
  });
});
