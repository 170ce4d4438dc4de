import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { testBias } from "./bias.ts";
import { PAIR_FEATURES, pairFeatures, wordsOf } from "./features.ts";
import { pointwiseInformation } from "./mutual-information.ts";
import { compareNgrams, ngramsOf } from "./ngrams.ts";

describe("text-pair features (Table 2.1)", () => {
  const pairs: [string, string][] = [
    ["The judge was paid by the actor.", "The actor paid the judge."],
    ["A man didn't sleep, he read a book.", "he read a book"],
    ["She sings.", "Nobody sings loudly here today"],
    ["one two three four", "one two"],
  ];
  const columns = pairFeatures(
    pairs.map(([premise]) => premise),
    pairs.map(([, hypothesis]) => hypothesis),
  );

  it("words: case and punctuation do not count, apostrophes stay inside", () => {
    expect(wordsOf("Don’t stop, U.S. 2nd-hand!")).toEqual(["don't", "stop", "u", "s", "2nd", "hand"]);
  });

  it("overlap, sub-sequence and negation by hand", () => {
    expect([...columns["hyp-is-subseq"]]).toEqual([0, 1, 0, 1]);
    expect([...columns["all-in-pre"]]).toEqual([1, 1, 0, 1]);
    expect([...columns["percent-in-pre"]]).toEqual([1, 1, 1 / 5, 1]);
    expect([...columns["pre-has-neg"]]).toEqual([0, 1, 0, 0]);
    expect([...columns["hyp-has-neg"]]).toEqual([0, 0, 1, 0]);
  });

  it("log-length difference and cosine, rescaled over the file", () => {
    const log = [Math.log(7 / 5), Math.log(8 / 4), Math.log(2 / 5), Math.log(4 / 2)];
    const [low, high] = [Math.min(...log), Math.max(...log)];
    expectClose(
      columns["scaled-len-diff"],
      log.map((own) => (own - low) / (high - low)),
      { tolerance: 1e-12, floor: 1e-3 },
    );
    // "the" twice in both texts of the first pair
    const cosines = [
      (4 + 3) / Math.sqrt((4 + 5) * (4 + 3)),
      (1 + 1 + 2 + 1) / Math.sqrt((4 + 6) * 4),
      1 / Math.sqrt(10),
      2 / Math.sqrt(8),
    ];
    const [least, most] = [Math.min(...cosines), Math.max(...cosines)];
    expectClose(
      columns["cos-sim"],
      cosines.map((own) => (own - least) / (most - least)),
      { tolerance: 1e-12, floor: 1e-3 },
    );
  });

  it("a missing or empty text has no features", () => {
    const own = pairFeatures([null, "…", "a b"], ["a", "a", "a"]);
    for (const name of PAIR_FEATURES) expect([...own[name]].slice(0, 2)).toEqual([Number.NaN, Number.NaN]);
    expect(own["all-in-pre"][2]).toBe(1);
  });
});

describe("n-grams", () => {
  it("pointwise mutual information by hand, smoothed and not", () => {
    const counts = { both: 8, feature: 10, label: 40, total: 100, classes: 2 };
    expect(pointwiseInformation(counts, 0)).toBeCloseTo(Math.log2(0.08 / (0.1 * 0.4)), 12);
    expect(pointwiseInformation(counts, 1)).toBeCloseTo(Math.log2(9 / 104 / ((12 / 104) * (42 / 104))), 12);
    expect(pointwiseInformation({ ...counts, both: 0 }, 0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("sequences of words, each once", () => {
    expect([...ngramsOf("no, no cat", 2)]).toEqual(["no", "cat", "no no", "no cat"]);
  });

  const rng = makeRng(11);
  const n = 600;
  const inside = Array.from({ length: n }, (_, i) => i < n / 2);
  const gold = Array.from({ length: n }, () => ["contradiction", "entailment", "neutral"][rng.int(3)]!);
  const texts = gold.map((label, i) => {
    const cue = inside[i] && label === "contradiction" ? 0.7 : 0.15;
    return `${rng.uniform() < cue ? "nobody" : "somebody"} ${rng.uniform() < 0.5 ? "eats" : "sleeps"}`;
  });
  const data = makeTable([
    ["domain", factorColumn(inside.map((own) => (own ? "snli" : "hans")))],
    ["gold", factorColumn(gold)],
    ["hyp", factorColumn(texts)],
    ["doc", numericColumn(inside.map((_, i) => Math.floor(i / 3)))],
    ["has", numericColumn(texts.map((text) => (text.includes("nobody") ? 1 : 0)))],
  ]);
  const options = { label: "gold", domain: "domain", inDomain: "snli", text: "hyp", ngrams: { fewest: 5 } };

  it("finds the word that gives the class away in-domain only", () => {
    const { ngrams, verdict } = testBias(data, options);
    const biased = ngrams.filter((own) => own.biased).map((own) => `${own.ngram} ${own.label}`);
    expect(biased.slice(0, 2).sort()).toEqual(["nobody contradiction", "somebody contradiction"]);
    expect(verdict.biased).not.toContain("eats");
    const top = ngrams.find((own) => own.ngram === "nobody" && own.label === "contradiction")!;
    expect(top.inDomain.pmi).toBeGreaterThan(0.5);
    expect(top.difference).toBeGreaterThan(0.3);
  });

  for (const cluster of [undefined, "doc"]) {
    it(`counts give the same test as the rows${cluster === undefined ? "" : ", by cluster"}`, () => {
      const given = cluster === undefined ? options : { ...options, cluster };
      const { text: _text, ngrams: _ngrams, ...plain } = given;
      const fast = testBias(data, given).ngrams.find((own) => own.ngram === "nobody" && own.label === "contradiction")!;
      const slow = testBias(data, { ...plain, features: ["has"], positive: "contradiction", adjust: "none" })
        .features[0]!;
      for (const key of ["difference", "lower", "upper", "statistic", "p"] as const)
        expect(fast[key]).toBeCloseTo(slow[key], 10);
    });
  }

  it("rare n-grams are left out, and an n-gram absent elsewhere has no correlation there", () => {
    const input = {
      texts: ["a b", "a", "b", "a c", "b c", "b c"],
      codes: Int32Array.of(0, 1, 0, 1, 0, 1),
      classes: ["x", "y"],
      inside: Int32Array.of(0, 1, 2, 3),
      outside: [{ name: "o", rows: Int32Array.of(4, 5) }],
      units: { unit: Int32Array.of(0, 1, 2, 3, 4, 5), clustered: false },
      confidence: 0.95,
    };
    const { pairs } = compareNgrams(input, { fewest: 2 });
    expect(pairs.map(({ ngram }) => ngram)).toEqual(["a", "b"]);
    expect(pairs[0]!.outOfDomain.value).toBeNaN();
    expect(pairs[0]!.p).toBeNaN();
  });
});
