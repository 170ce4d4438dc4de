import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { itemScores, scoreOf } from "./metric.ts";
import { prepareText, scoreText, type TextOptions } from "./score-text.ts";
import { tokenise } from "./tokenise.ts";

interface TextCase {
  readonly metric: "bleu" | "chrf" | "ter";
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly multiple: boolean;
  readonly name: string;
  readonly score: number;
  readonly signature: string;
  readonly sentences: readonly number[];
}

interface TextSet {
  readonly hypotheses: readonly string[];
  readonly references: readonly string[];
  readonly others: readonly (string | null)[];
  readonly cases: readonly TextCase[];
}

const OPTION_NAMES: Readonly<Record<string, string>> = {
  tokenize: "tokenise",
  smooth_method: "smoothing",
  smooth_value: "smoothingValue",
  effective_order: "effectiveOrder",
  max_ngram_order: "order",
  char_order: "charOrder",
  word_order: "wordOrder",
  eps_smoothing: "epsSmoothing",
  no_punct: "noPunctuation",
  asian_support: "asianSupport",
  case_sensitive: "caseSensitive",
};

const ownOptions = ({ metric, options }: TextCase): TextOptions => ({
  metric,
  ...Object.fromEntries(Object.entries(options).map(([key, value]) => [OPTION_NAMES[key] ?? key, value])),
});

const oracle: { sets: TextSet[] } = JSON.parse(
  readFileSync(new URL("../../oracle/python/metrics.json", import.meta.url), "utf8"),
);
const withoutVersion = (signature: string): string => signature.replace(/\|version:.*/, "");

describe("BLEU, chrF and TER against sacrebleu on adversarial text", () => {
  oracle.sets.forEach((set, number) => {
    for (const metric of ["bleu", "chrf", "ter"] as const) {
      const cases = set.cases.filter((entry) => entry.metric === metric);
      if (cases.length === 0) continue;
      it(`${metric}, set ${number + 1}: every option, corpus, sentences and signature`, () => {
        for (const wanted of cases) {
          const references = wanted.multiple ? [set.references, set.others] : [set.references];
          const scorer = prepareText(references, ownOptions(wanted));
          const statistics = scorer.statisticsOf(set.hypotheses);
          const label = JSON.stringify([wanted.options, wanted.multiple]);
          expectClose([scoreOf(statistics)], [wanted.score], { tolerance: 1e-12, label });
          expectClose(itemScores(statistics), wanted.sentences, { tolerance: 1e-12, label });
          expect(scorer.metric.name).toBe(wanted.name);
          expect(withoutVersion(scorer.metric.signature)).toBe(withoutVersion(wanted.signature));
        }
      });
    }
  });
});

describe("by hand", () => {
  it("BLEU of a short corpus", () => {
    // matches 3/3, 2/2, 1/1, none of 0: effective order 3; lengths 3 against 4
    const { systems } = scoreText(["the cat sat"], [["the cat sat down"]], { effectiveOrder: true });
    expect(systems[0]!.score).toBeCloseTo(100 * Math.exp(1 - 4 / 3), 12);
    expect(scoreText(["the cat sat"], [["the cat sat down"]]).systems[0]!.score).toBe(0);
  });

  it("clips a repeated word to its count in the best reference", () => {
    const bleu = (references: string[][]) => scoreText(["the the the the"], references, { order: 1 }).systems[0]!.score;
    expect(bleu([["the cat is here"]])).toBeCloseTo(25, 12);
    expect(bleu([["the cat is here"], ["the cat by the door"]])).toBeCloseTo(50, 12);
  });

  it("TER counts a moved block as one edit, however far it goes", () => {
    const ter = (hypothesis: string, reference: string) =>
      scoreText([hypothesis], [[reference]], { metric: "ter" }).systems[0]!.score;
    expect(ter("e f a b c d", "a b c d e f")).toBeCloseTo(100 / 6, 12);
    expect(ter("a b x d", "a b c d")).toBe(25);
    expect(ter("", "a b")).toBe(100);
    expect(ter("a", " ")).toBe(100);
    expect(ter("", " ")).toBe(0);
  });

  it("tokenises numbers, entities and other scripts", () => {
    expect(tokenise("It cost 1,000.50 (not 5-10), &quot;OK&quot;.", "13a").join(" ")).toBe(
      'It cost 1,000.50 ( not 5 - 10 ) , " OK " .',
    );
    expect(tokenise("Was?»„Nein“ 3.5€", "intl").join(" ")).toBe("Was ? » „ Nein “ 3.5 €");
    expect(tokenise("我有3.5本book。", "zh").join(" ")).toBe("我 有 3.5 本 book 。");
    expect(tokenise("a 😀b", "char").join("|")).toBe("a|😀|b");
    // Python's white space, not JavaScript's: U+FEFF belongs to a word, U+0085 separates
    expect(tokenise("a\uFEFFb\u0085c", "none")).toEqual(["a\uFEFFb", "c"]);
  });
});

describe("invariances of text metrics", () => {
  const word = fc.constantFrom("a", "b", "c", "d", "ß", "中", "3.5", "x,", "😀");
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
  const METRICS = ["bleu", "chrf", "chrf++", "ter"] as const;

  it("a perfect copy scores 100, or 0 edits", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        for (const metric of METRICS) {
          const { score } = scoreText(texts, [texts], { metric, effectiveOrder: true }).systems[0]!;
          expect(score).toBeCloseTo(metric === "ter" ? 0 : 100, 9);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("the order of segments and a repeated reference change nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 2, maxLength: 6 }), (pairs) => {
        for (const metric of METRICS) {
          const score = (list: [string, string][], times: number) =>
            scoreText(
              list.map(([hypothesis]) => hypothesis),
              Array.from({ length: times }, () => list.map(([, reference]) => reference)),
              { metric },
            ).systems[0]!.score;
          const forward = score(pairs, 1);
          expect(score([...pairs].reverse(), 1)).toBeCloseTo(forward, 9);
          expect(score(pairs, 2)).toBeCloseTo(forward, 9);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("TER lies between the edit distance with free moves and the plain one", () => {
    fc.assert(
      fc.property(text, text, (hypothesis, reference) => {
        const h = hypothesis.split(" ");
        const r = reference.split(" ");
        const [edits] = prepareText([[reference]], { metric: "ter" }).statisticsOf([hypothesis]).data;
        expect(edits).toBeLessThanOrEqual(levenshtein(h, r));
        expect(edits).toBeGreaterThanOrEqual(unmatched(h, r));
      }),
    );
  });
});

function levenshtein(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  row.unshift(0);
  a.forEach((word, i) => {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      next.push(Math.min(row[j]! + Number(word !== other), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  });
  return row.at(-1)!;
}

/** Words that no order of the other side could match. */
function unmatched(a: readonly string[], b: readonly string[]): number {
  const rest = [...b];
  const matched = a.filter((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  }).length;
  return Math.max(a.length, b.length) - matched;
}

describe("what text scoring refuses and reports", () => {
  it("names what does not fit", () => {
    expect(() => scoreText(["a", "b"], [["a"]])).toThrow(/2 hypotheses for 1 segments/);
    expect(() => scoreText(["a"], [["a"], ["a", "b"]])).toThrow(/reference 2 has 2/);
    expect(() => scoreText(["a"], [[null]])).toThrow(/segment 1 has no reference/);
    expect(() => scoreText(["a"], [])).toThrow(/no reference/);
    expect(() => scoreText(["a"], [["a"]], { order: 0 })).toThrow(/order 0/);
    expect(() => scoreText(["a"], [["a"]], { metric: "chrf", beta: 0 })).toThrow(/beta 0/);
  });

  it("warns of tokenised text, unless told otherwise", () => {
    const texts = Array.from({ length: 100 }, (_, i) => `word${i} .`);
    expect(scoreText(texts, [texts]).diagnostics.map(({ code }) => code)).toEqual(["LooksTokenised"]);
    expect(scoreText(texts, [texts], { force: true }).diagnostics).toEqual([]);
    expect(scoreText(["", "a b"], [["a", "b"]]).diagnostics.map(({ code }) => code)).toEqual(["EmptySegments"]);
  });

  it("scores several systems at once, each as alone", () => {
    const references = [["the cat sat on the mat", "hello there"]];
    const systems = { a: ["the cat sat on a mat", "hello there"], b: ["a cat", "hello"] };
    const both = scoreText(systems, references, { metric: "chrf" });
    expect(both.systems.map(({ name }) => name)).toEqual(["a", "b"]);
    for (const { name, score } of both.systems) {
      expect(score).toBe(scoreText(systems[name as "a" | "b"], references, { metric: "chrf" }).systems[0]!.score);
    }
  });
});
