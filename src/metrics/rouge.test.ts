import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { scoreOf } from "./metric.ts";
import { prepareRouge, type RougeName, rougeWords } from "./rouge.ts";
import { scoreText } from "./score-text.ts";

const f = (name: RougeName, output: string, ...targets: string[]): number =>
  scoreOf(
    prepareRouge(
      targets.map((target) => [target]),
      name,
    ).statisticsOf([output]),
  );

function subsequences(words: readonly string[]): Set<string> {
  const all = new Set([""]);
  for (const word of words) for (const own of [...all]) all.add(`${own} ${word}`);
  return all;
}

describe("ROUGE", () => {
  it("has the words of rouge_score", () => {
    expect(rougeWords("The CO2-levels: 3.5%, don't")).toEqual(["the", "co2", "levels", "3", "5", "don", "t"]);
    expect(rougeWords("…")).toEqual([]);
  });

  it("of the example in its readme, counted by hand", () => {
    const [target, output] = ["The quick brown fox jumps over the lazy dog", "The quick brown dog jumps on the log."];
    // 6 of 8 and of 9 words; bigrams: the quick, quick brown of 7 and of 8; subsequence: the quick brown jumps the
    expect(f("rouge1", output, target)).toBeCloseTo((2 * (6 / 8) * (6 / 9)) / (6 / 8 + 6 / 9), 12);
    expect(f("rouge2", output, target)).toBeCloseTo((2 * (2 / 7) * (2 / 8)) / (2 / 7 + 2 / 8), 12);
    expect(f("rougeL", output, target)).toBeCloseTo((2 * (5 / 8) * (5 / 9)) / (5 / 8 + 5 / 9), 12);
  });

  it("counts a word as often as both have it, and is 0 where there is nothing to share", () => {
    expect(f("rouge1", "a a a", "a a b")).toBeCloseTo(2 / 3, 12);
    expect(f("rouge2", "one", "one")).toBe(0);
    expect(f("rougeL", "", "one")).toBe(0);
  });

  it("takes the best of several references", () => {
    expect(f("rouge1", "a b c", "x y z", "a b d")).toBe(f("rouge1", "a b c", "a b d"));
  });

  it("ROUGE-L is the longest of all common subsequences", () => {
    const rng = makeRng("rouge");
    for (let k = 0; k < 30; k++) {
      const draw = (): string[] => Array.from({ length: 1 + rng.int(7) }, () => "abc"[rng.int(3)]!);
      const [a, b] = [draw(), draw()];
      const common = [...subsequences(a)].filter((own) => subsequences(b).has(own));
      const longest = Math.max(...common.map((own) => own.split(" ").filter((word) => word !== "").length));
      const [p, r] = [longest / a.length, longest / b.length];
      expect(f("rougeL", a.join(" "), b.join(" "))).toBeCloseTo(longest === 0 ? 0 : (2 * p * r) / (p + r), 12);
    }
  });

  it("is scored like the other measures of texts, with an interval", () => {
    const { systems } = scoreText(["a b c", "a b", "x"], [["a b d", "a b", "y"]], { metric: "rouge1" });
    expect(systems[0]!.score).toBeCloseTo((2 / 3 + 1 + 0) / 3, 12);
    expect(systems[0]!.ci!.method).toBe("t");
  });
});

describe("with Porter's stemmer", () => {
  it("words of more than three letters are compared by their stems, as rouge_score does with use_stemmer", () => {
    const plain = prepareRouge([["the runners were running"]], "rouge1");
    const stemmed = prepareRouge([["the runners were running"]], "rouge1", true);
    const score = (scorer: typeof plain): number => {
      const { data } = scorer.statisticsOf(["the runner runs was"]);
      return scorer.metric.scoreOf(data);
    };
    // the; then the, runner, run(s) of four and four words, was and were being no stems of each other
    expect(score(plain)).toBeCloseTo(1 / 4, 12);
    expect(score(stemmed)).toBeCloseTo(3 / 4, 12);
    expect(stemmed.metric.signature).toContain("stemmer:porter");
  });

  it("words of three letters stay", () => {
    expect(rougeWords("has gas skies", true)).toEqual(["has", "gas", "sky"]);
  });
});
