import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { NORMALISATIONS } from "../question/choices.ts";
import { findMetric, unknownMetric } from "./catalogue.ts";
import { f1Statistics } from "./f1.ts";
import { balancedAccuracyStatistics, mccStatistics } from "./mcc.ts";
import { accuracyStatistics, exactMatchStatistics, meanStatistics, normaliseAnswer } from "./mean.ts";
import { itemScores, jackknifeSe, leaveOneOutScores, scoreOf } from "./metric.ts";
import { scoreColumn, scoreLabels } from "./score-table.ts";

const GOLD = [1, 1, 1, 0, 0, 0, 0, 1, 0, 0];
const PREDICTED = [1, 0, 1, 0, 1, 0, 0, 1, 0, 1];
// tp 3, fn 1, fp 2, tn 4

describe("metrics of two classes, from the four counts", () => {
  it("precision, recall, F1, accuracy, balanced accuracy, MCC", () => {
    const score = (measure: "f1" | "precision" | "recall") => scoreOf(f1Statistics(GOLD, PREDICTED, { measure }));
    expect(score("precision")).toBeCloseTo(3 / 5, 14);
    expect(score("recall")).toBeCloseTo(3 / 4, 14);
    expect(score("f1")).toBeCloseTo(6 / 9, 14);
    expect(scoreOf(accuracyStatistics(GOLD, PREDICTED))).toBeCloseTo(0.7, 14);
    expect(scoreOf(balancedAccuracyStatistics(GOLD, PREDICTED))).toBeCloseTo((3 / 4 + 4 / 6) / 2, 14);
    expect(scoreOf(mccStatistics(GOLD, PREDICTED))).toBeCloseTo((3 * 4 - 2 * 1) / Math.sqrt(5 * 4 * 6 * 5), 14);
    expect(scoreOf(f1Statistics(GOLD, PREDICTED, { average: "macro" }))).toBeCloseTo((6 / 9 + 8 / 11) / 2, 14);
    expect(scoreOf(f1Statistics(GOLD, PREDICTED, { average: "micro" }))).toBeCloseTo(0.7, 14);
    expect(scoreOf(f1Statistics(GOLD, PREDICTED, { positive: 0 }))).toBeCloseTo(8 / 11, 14);
  });

  it("MCC is the correlation of the two 0/1 variables", () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), { minLength: 4 });
    fc.assert(
      fc.property(pairs, (list) => {
        const [x, y] = [list.map(([a]) => a), list.map(([, b]) => b)];
        if (new Set(x).size < 2 || new Set(y).size < 2) {
          expect(scoreOf(mccStatistics(x, y))).toBeNaN();
          return;
        }
        expect(scoreOf(mccStatistics(x, y))).toBeCloseTo(correlation(x, y), 10);
      }),
    );
  });
});

function correlation(x: readonly number[], y: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const [mx, my] = [mean(x), mean(y)];
  const sum = (f: (i: number) => number) => x.reduce((total, _, i) => total + f(i), 0);
  return (
    sum((i) => (x[i]! - mx) * (y[i]! - my)) / Math.sqrt(sum((i) => (x[i]! - mx) ** 2) * sum((i) => (y[i]! - my) ** 2))
  );
}

describe("metrics of several classes", () => {
  const label = fc.constantFrom<string>("a", "b", "c");
  const pairs = fc.array(fc.tuple(label, label), { minLength: 1, maxLength: 30 });

  it("macro figures are means of the classes' own, and micro ones count all", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const [gold, predicted] = [list.map(([g]) => g), list.map(([, p]) => p)];
        const classes = ["a", "b", "c"].filter((k) => gold.includes(k) || predicted.includes(k));
        for (const measure of ["f1", "precision", "recall"] as const) {
          const own = classes.map((k) => {
            const hits = list.filter(([g, p]) => g === k && p === k).length;
            const given = predicted.filter((p) => p === k).length;
            const right = gold.filter((g) => g === k).length;
            const below = measure === "f1" ? (given + right) / 2 : measure === "precision" ? given : right;
            return hits === 0 ? 0 : hits / below;
          });
          const macro = own.reduce((sum, v) => sum + v, 0) / classes.length;
          const labels = ["a", "b", "c"];
          expect(scoreOf(f1Statistics(gold, predicted, { measure, average: "macro", labels }))).toBeCloseTo(macro, 12);
          const micro = list.filter(([g, p]) => g === p).length / list.length;
          expect(scoreOf(f1Statistics(gold, predicted, { measure, average: "micro", labels }))).toBeCloseTo(micro, 12);
        }
      }),
    );
  });

  it("R_K of three classes by Gorodkin's covariances, blind to the names of classes", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const [gold, predicted] = [list.map(([g]) => g), list.map(([, p]) => p)];
        const covariance = (x: readonly string[], y: readonly string[]) =>
          ["a", "b", "c"].reduce((total, k) => {
            const [u, v] = [x.map((l) => Number(l === k)), y.map((l) => Number(l === k))];
            const mean = (w: number[]) => w.reduce((sum, value) => sum + value, 0) / w.length;
            return total + u.reduce((sum, value, i) => sum + (value - mean(u)) * (v[i]! - mean(v)), 0);
          }, 0);
        const below = Math.sqrt(covariance(gold, gold) * covariance(predicted, predicted));
        const score = scoreOf(mccStatistics(gold, predicted));
        if (new Set(gold).size < 2 || new Set(predicted).size < 2) expect(score).toBeNaN();
        else expect(score).toBeCloseTo(covariance(gold, predicted) / below, 10);
        const rename = (l: string) => ({ a: "z", b: "a", c: "m" })[l]!;
        const renamed = scoreOf(mccStatistics(gold.map(rename), predicted.map(rename)));
        if (!Number.isNaN(score)) expect(renamed).toBeCloseTo(score, 12);
      }),
    );
  });

  it("leaves classes out of micro F1, as entity tasks do with O", () => {
    const gold = ["O", "O", "PER", "LOC", "O"];
    const predicted = ["O", "PER", "PER", "O", "O"];
    const score = scoreOf(f1Statistics(gold, predicted, { average: "micro", classes: ["PER", "LOC"] }));
    expect(score).toBeCloseTo((2 * 1) / (2 + 2), 14);
  });
});

describe("what metrics of labels refuse", () => {
  it("missing labels, unknown and unclear positive labels, unequal lengths", () => {
    expect(() => accuracyStatistics(["a", null], ["a", "b"])).toThrow(/item 2 has no/);
    expect(() => f1Statistics(["spam", "ham"], ["spam", "ham"])).toThrow(/which of the 2 labels/);
    expect(() => f1Statistics(["spam", "ham"], ["spam", "ham"], { positive: "spm" })).toThrow(/no label "spm"/);
    expect(() => f1Statistics([1, 0], [1])).toThrow(/2 gold labels and 1/);
    expect(() => mccStatistics(["a"], ["b"], { labels: ["a"] })).toThrow(/predicted label "b"/);
    expect(scoreOf(f1Statistics([0, 0], [0, 0], { labels: ["0", "1"] }))).toBeNaN();
  });
});

describe("means", () => {
  it("leave missing items out, and have the standard error of a mean by the jackknife", () => {
    const values = [3, 1, Number.NaN, 4, 1, 5];
    expect(scoreOf(meanStatistics(values))).toBeCloseTo(14 / 5, 14);
    const complete = [3, 1, 4, 1, 5];
    const sd = Math.sqrt(complete.reduce((sum, v) => sum + (v - 2.8) ** 2, 0) / 4);
    expect(jackknifeSe(meanStatistics(complete))).toBeCloseTo(sd / Math.sqrt(5), 14);
    expect(leaveOneOutScores(meanStatistics(complete))[0]).toBeCloseTo(11 / 4, 14);
    expect([...itemScores(meanStatistics(complete))]).toEqual(complete);
    expect(jackknifeSe(meanStatistics([1]))).toBeNaN();
  });

  it("know which way is better by the name", () => {
    expect(meanStatistics([1], { name: "termination" }).metric.higherIsBetter).toBe(null);
    expect(meanStatistics([1], { name: "loss" }).metric.higherIsBetter).toBe(false);
    expect(meanStatistics([1], { name: "loss", higherIsBetter: true }).metric.higherIsBetter).toBe(true);
  });

  it("exact match ignores what it is told to, as SQuAD does", () => {
    expect(normaliseAnswer("The  U.S.A.!", NORMALISATIONS)).toBe("usa");
    expect(normaliseAnswer("An apple a day, theory", NORMALISATIONS)).toBe("apple day theory");
    const score = (ignore: readonly (typeof NORMALISATIONS)[number][]) =>
      scoreOf(exactMatchStatistics(["The cat.", "dog"], [["a dog", "cat"], "Dog"], { ignore }));
    expect(score([])).toBe(0);
    expect(score(["case"])).toBe(0.5);
    expect(score(NORMALISATIONS)).toBe(1);
  });
});

/** The smaller root of (p - x)² = z² x(1 - x)/n. */
function wilsonLower(p: number, n: number, z = 1.959963984540054): number {
  const [a, b, c] = [1 + (z * z) / n, -(2 * p + (z * z) / n), p * p];
  return (-b - Math.sqrt(b * b - 4 * a * c)) / (2 * a);
}

describe("scores of tables", () => {
  const table = makeTable([
    ["system", factorColumn(["a", "a", "a", "b", "b", "b"])],
    ["item", factorColumn(["1", "1", "2", "1", "2", "3"])],
    ["score", numericColumn([0, 1, 1, 1, 1, Number.NaN])],
    ["gold", factorColumn(["x", "x", "y", "x", "y", "x"])],
    ["guess", factorColumn(["x", "y", "y", "x", "x", "x"])],
  ]);

  it("average repeats before items, and count what is missing", () => {
    const result = scoreColumn(table, "score", { system: "system", item: "item" });
    expect(result.systems.map(({ name, score, n, missing }) => [name, score, n, missing])).toEqual([
      ["a", 0.75, 2, 0],
      ["b", 1, 2, 1],
    ]);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(["RepeatsAveraged"]);
    // item 1 of a is 0.5: se = 0.25, so n = 0.75 · 0.25 / 0.25² = 3 answers would be as sure
    expect(result.systems.map(({ ci }) => ci!.method)).toEqual(["Wilson, effective n", "Wilson"]);
    // with t's quantile on 1 df, qt(.975, 1)
    expect(result.systems[0]!.ci!.lower).toBeCloseTo(wilsonLower(0.75, 3, 12.706204736174705), 10);
  });

  it("have R's Wilson intervals", () => {
    const hits = makeTable([["hit", numericColumn([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])]]);
    // prop.test(7, 10, correct = FALSE)$conf.int
    const { ci } = scoreColumn(hits, "hit").systems[0]!;
    expect(ci!.lower).toBeCloseTo(0.396778147461145, 13);
    expect(ci!.upper).toBeCloseTo(0.892208732593699, 13);
    expect(scoreColumn(makeTable([["hit", numericColumn([1, 1])]]), "hit").systems[0]!.ci!.upper).toBe(1);
  });

  it("score labels system by system, over the classes of all", () => {
    const columns = { gold: "gold", predicted: "guess", system: "system" };
    const metric = { kind: "labels", name: "accuracy" } as const;
    expect(scoreLabels(table, columns, { metric }).systems.map(({ score }) => score)).toEqual([2 / 3, 2 / 3]);
    const macro = scoreLabels(table, columns, { metric: { kind: "labels", name: "f1", average: "macro" } });
    expect(macro.systems[0]!.score).toBeCloseTo((2 / 3 + 2 / 3) / 2, 14);
    expect(macro.toString()).toContain("macro F1");
  });
});

describe("names of metrics", () => {
  it("are found in the forms that people write, and suggested", () => {
    expect(findMetric("Macro F1")).toEqual({ kind: "labels", name: "f1", average: "macro" });
    expect(findMetric("f1_macro")).toEqual({ kind: "labels", name: "f1", average: "macro" });
    expect(findMetric("chrF++")).toEqual({ kind: "text", name: "chrf++" });
    expect(findMetric("exact_match")).toEqual({ kind: "labels", name: "exact-match" });
    expect(findMetric("macro-bleu")).toBeUndefined();
    expect(findMetric("constructor")).toBeUndefined();
    expect(unknownMetric("blue").fix).toMatch(/^Did you mean "bleu"/);
    expect(unknownMetric("pass^k")).toMatchObject({
      message: expect.stringContaining("needs a number of tries"),
      fix: "Give k, as in pass^3.",
    });
  });
});
